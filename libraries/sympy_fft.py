"""SymPy's discrete.fft, with 15 digits: complex of powers of two. Its fft has the sign +, its ifft the
sign -, and divides: each is asked for the other's transform."""

import numpy as np
import sympy
import sympy.discrete.transforms as transforms

import adapter


def compute(transform, inverse, x, lengths):
    n = lengths[-1]
    if transform != "fft" or len(lengths) > 1 or n & (n - 1) or n > 256:
        raise adapter.Refusal("only fft of one axis, n = 2^k <= 256, since longer ones take seconds")
    values = [sympy.Float(z.real) + sympy.I * sympy.Float(z.imag) for z in x.tolist()]
    y = np.array([complex(y) for y in (transforms.fft if inverse else transforms.ifft)(values, dps=15)])
    return y / n if inverse else y * n


adapter.serve(f"SymPy {sympy.__version__}", compute, formats=("fp64",))
