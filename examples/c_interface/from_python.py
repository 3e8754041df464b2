"""The same from Python by ctypes, without the package fftprec and without NumPy:

    python3 from_python.py [libfftprec_c.so.1]
"""

import ctypes
import sys
from ctypes import c_char_p, c_double, c_int64, c_size_t, c_uint64


class Case(ctypes.Structure):
    _fields_ = [("size", c_size_t), *((axis, c_char_p) for axis in
                ("transform", "algorithm", "mode", "machine", "tables")),
                ("n", c_uint64), ("batch", c_uint64)]


class Metrics(ctypes.Structure):
    _fields_ = [("size", c_size_t), *((metric, c_double) for metric in
                ("err_l2_rel", "err_linf_rel", "err_l1_rel", "err_re_max_rel", "err_im_max_rel",
                 "err_max_ulp", "err_rms_ulp", "bits_l2", "snr_db", "gain")),
                ("truth_bits", c_int64), ("suspicion", c_char_p), ("not_finite", c_char_p)]


library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libfftprec_c.so.1")
library.fftprec_last_error.restype = c_char_p


def call(name, *arguments):
    """Plain numbers are counts; all other arguments are pointers."""
    converted = [c_size_t(a) if isinstance(a, int) else a for a in arguments]
    if getattr(library, name)(*converted) != 0:
        raise ValueError(library.fftprec_last_error().decode())


n = 64
x = (c_double * (2 * n))(*((i * i % 37 - 18) / 16 for i in range(2 * n)))
y = (c_double * (2 * n))()
which = Case(size=ctypes.sizeof(Case), mode=b"bf16")
metrics = Metrics(size=ctypes.sizeof(Metrics))
call("fftprec_compute", ctypes.byref(which), x, n, y, n)
call("fftprec_measure", ctypes.byref(which), y, n, x, n, None, b"fp32", ctypes.byref(metrics))
print(f"y[1] = {y[2]:g} {y[3]:+g}i, error {metrics.err_l2_rel:.4g}, {metrics.bits_l2:.1f} bits")

try:
    which.mode = b"bf17"
    call("fftprec_compute", ctypes.byref(which), x, n, y, n)
except ValueError as error:
    print(f"{str(error):.41} ...")

# It prints:
#     y[1] = -2.53125 +4.3125i, error 0.005213, 7.6 bits
#     unknown mode 'bf17'; did you mean 'bf16'? ...
