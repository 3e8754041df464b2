"""FFTW by its C interface, as a judge: transforms of arrays in the precision of their data."""

import ctypes
import ctypes.util
import functools

import numpy as np

ESTIMATE, FORWARD, BACKWARD = 1 << 6, -1, 1  # of fftw3.h
REAL_KINDS = {"dct2": 5, "dct3": 4}  # FFTW_REDFT10 and FFTW_REDFT01


@functools.cache
def functions(single):
    """FFTW's functions of a precision by their names without the prefix."""
    library, prefix = ("fftw3f", "fftwf_") if single else ("fftw3", "fftw_")
    path = ctypes.util.find_library(library)
    if path is None:
        raise OSError(f"there is no lib{library}")
    loaded = ctypes.CDLL(path)

    def function(name):
        found = loaded[prefix + name]
        found.restype = ctypes.c_void_p if name.startswith("plan") else None
        return found

    return function


def _transformed(item, transform, lengths):
    """Of one item; lengths: of the real side."""
    single = item.dtype in (np.float32, np.complex64)
    real, cplx = (np.float32, np.complex64) if single else (np.float64, np.complex128)
    spectrum = (*lengths[:-1], lengths[-1] // 2 + 1)
    kinds = ()
    if transform in REAL_KINDS:
        kind, x, y = "r2r", item.astype(real), np.empty(lengths, real)
        kinds = ((ctypes.c_int * 1)(REAL_KINDS[transform]),)
    elif transform in ("irfft", "hfft"):
        kind, y = "dft_c2r", np.empty(lengths, real)
        x = item.astype(cplx) if transform == "irfft" else np.conj(item).astype(cplx)
    elif transform in ("rfft", "rfft2", "ihfft"):
        kind, x, y = "dft_r2c", item.astype(real), np.empty(spectrum, cplx)
    else:
        kind, x, y = "dft", item.astype(cplx), np.empty(lengths, cplx)
        kinds = (ctypes.c_int(BACKWARD if transform == "ifft" else FORWARD),)
    function = functions(single)
    plan = ctypes.c_void_p(function("plan_" + kind)(
        len(lengths), (ctypes.c_int * len(lengths))(*lengths), ctypes.c_void_p(x.ctypes.data),
        ctypes.c_void_p(y.ctypes.data), *kinds, ctypes.c_uint(ESTIMATE)))
    assert plan, f"FFTW has no plan for {transform} of {lengths}"
    function("execute")(plan)
    function("destroy_plan")(plan)
    if transform == "ihfft":
        y = np.conj(y)
    return y / real(np.prod(lengths)) if transform in ("ifft", "irfft", "ihfft") else y


def transformed(x, transform, n):
    """fft, ifft, rfft, irfft, hfft, ihfft, dct2 and dct3 of n points along the last axis, fft2 and
    rfft2 along the last two."""
    x = np.ascontiguousarray(x)
    axes = 2 if transform.endswith("fft2") else 1
    lengths = (*x.shape[-axes:-1], n)
    results = [_transformed(item, transform, lengths)
               for item in x.reshape(-1, *x.shape[-axes:])]
    return np.stack(results).reshape(*x.shape[:-axes], *results[0].shape)
