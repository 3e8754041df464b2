#!/usr/bin/env python3
"""NumPy's FFT for fftprec: a program of docs/programs.md."""
import sys

import numpy as np

TYPES = {"fp64": ("<f8", "<c16"), "fp32": ("<f4", "<c8")}  # of reals, of complex numbers


def result(transform, lengths, direction, types, batch, data):
    real_in = (transform, direction) in [("rfft", "forward"), ("hfft", "inverse")]
    x = np.frombuffer(data, types[0] if real_in else types[1]).reshape(batch, *lengths[:-1], -1)
    function = {"fft": np.fft.fftn, "rfft": np.fft.rfftn}[transform]
    if direction == "inverse":
        function = {np.fft.fftn: np.fft.ifftn, np.fft.rfftn: np.fft.irfftn}[function]
    y = function(x, s=lengths, axes=range(1, x.ndim))
    return y.astype(types[0] if y.dtype.kind == "f" else types[1]).tobytes()


def main():
    out = sys.stdout.buffer
    out.write(f"fftprec-program 1 NumPy {np.__version__}\n".encode())
    out.flush()
    for line in sys.stdin.buffer:
        transform, lengths, direction, number, batch, size = line.decode().split()
        data = sys.stdin.buffer.read(int(size))
        if transform not in ("fft", "rfft") or number not in TYPES:
            out.write(f"no NumPy's FFT has no {transform} in {number}\n".encode())
        else:
            y = result(transform, [int(n) for n in lengths.split("x")], direction, TYPES[number],
                       int(batch), data)
            out.write(f"ok {len(y)}\n".encode() + y)
        out.flush()


main()
