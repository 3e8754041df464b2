#!/usr/bin/env python3
"""FFTs of four libraries that no algorithm here has, written down as their sources compute them, and how many
parts of a result have the library's bits.

    scripts/libraries --build commons liquid npm-ndarray-fft r
    docs/data/library_orders.py > docs/data/library_orders.txt

16 transforms of Gaussian data for each length; an element has two parts.
"""

import array
import math
import os
import random
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("FFTPREC_BUILD", ROOT / "build/release")) / "bin/fftprec"
PROGRAMS = ROOT / "build/libraries/programs.toml"
BATCH = 16
POWERS_OF_FOUR = [16, 64, 256, 1024, 4096]


def fp32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def reversed_digits(values, base):
    """The values in the order of their reversed digits."""
    count = round(math.log(len(values), base))

    def place(i):
        digits = [i // base**d % base for d in range(count)]
        return sum(digit * base ** (count - 1 - d) for d, digit in enumerate(digits))
    return [values[place(i)] for i in range(len(values))]


def commons(x):
    """FastFourierTransformer of Apache Commons Math 3.6.1. Four points at first, each sum from the left; then
    radix 2, with twiddles by repeated multiplication. Sums are g + re - im, differences g - (re - im)."""
    x = reversed_digits(x, 2)
    n = len(x)
    for i in range(0, n, 4):
        (ar, ai), (cr, ci), (br, bi), (dr, di) = x[i:i + 4]  # a, b, c, d before the bit reversal
        x[i:i + 4] = [(ar + br + cr + dr, ai + bi + ci + di), (ar - cr + (bi - di), ai - ci + (dr - br)),
                      (ar - br + cr - dr, ai - bi + ci - di), (ar - cr + (di - bi), ai - ci + (br - dr))]
    half = 4
    while half < n:
        base_re, base_im = math.cos(math.pi / half), -math.sin(math.pi / half)
        for start in range(0, n, 2 * half):
            wr, wi = 1.0, 0.0
            for i in range(start, start + half):
                (gr, gi), (hr, hi) = x[i], x[i + half]
                x[i] = gr + wr * hr - wi * hi, gi + wr * hi + wi * hr
                x[i + half] = gr - (wr * hr - wi * hi), gi - (wr * hi + wi * hr)
                wr, wi = wr * base_re - wi * base_im, wr * base_im + wi * base_re
        half *= 2
    return x


def three_products(a, b, c, d):
    """(a + bi)(c + di)."""
    first = c * (a + b)
    return first - b * (c + d), first + a * (d - c)


def ndarray_fft(x):
    """ndarray-fft 1.0.3: radix 2, complex products by three real ones. Twiddles of each stage by repeated
    multiplication, from half-angle formulas."""
    x = reversed_digits(x, 2)
    n, half, base = len(x), 1, (-1.0, 0.0)
    while half < n:
        w = 1.0, 0.0
        for j in range(half):
            for i in range(j, n, 2 * half):
                (ar, ai), (br, bi) = x[i], three_products(*x[i + half], *w)
                x[i], x[i + half] = (ar + br, ai + bi), (ar - br, ai - bi)
            w = three_products(*w, *base)
        base = math.sqrt((1 + base[0]) / 2), -math.sqrt((1 - base[0]) / 2)
        half *= 2
    return x


def singleton(x):
    """R's fft, Singleton's of 1969, for powers of four: radix 4 in frequency. In each stage w of one element follows
    from that before, anew from sine and cosine every 32; w^2 and w^3 are products of w."""
    x, n = list(x), len(x)
    span = n
    while span > 1:
        angle = -2 * math.pi / span
        less, sine = 2 * math.sin(0.5 * angle) ** 2, math.sin(angle)
        c, s = 1.0, 0.0
        for j in range(span // 4):
            if j % 32 == 0 and j > 0:
                c, s = math.cos(j * angle), math.sin(j * angle)
            elif j > 0:
                c, s = c - (less * c + sine * s), (sine * c - less * s) + s
            c2, s2 = c * c - s * s, c * s * 2
            powers = [(c, s), (c2, s2), (c2 * c - s2 * s, c2 * s + s2 * c)]
            for first in range(j, n, span):
                at = range(first, first + span, span // 4)
                (ar, ai), (br, bi), (cr, ci), (dr, di) = (x[i] for i in at)
                sum_re, sum_im, rest_re, rest_im = ar + cr, ai + ci, ar - cr, ai - ci
                other_re, other_im, turned_re, turned_im = br + dr, bi + di, bi - di, br - dr
                x[first] = sum_re + other_re, sum_im + other_im
                results = [(rest_re + turned_re, rest_im - turned_im), (sum_re - other_re, sum_im - other_im),
                           (rest_re - turned_re, rest_im + turned_im)]
                for i, (re, im), (wr, wi) in zip(at[1:], results, powers):
                    x[i] = (re, im) if j == 0 else (re * wr - im * wi, re * wi + im * wr)
        span //= 4
    return reversed_digits(x, 4)


# Decimals of its source, double constants of C.
LIQUID_TWIDDLES = {1: (0.92387950, -0.38268346), 2: (0.70710677, -0.70710677), 3: (0.38268343, -0.92387950),
                   5: (-0.38268340, -0.92387956), 6: (-0.70710677, -0.70710677), 7: (-0.92387950, -0.38268349)}


def liquid(x):
    """The 16 points of liquid-dsp 1.5.0, of which its longer powers of two consist: radix 2 in float, products with
    twiddles of 8 decimals in double, rounded to float."""
    x = reversed_digits(x, 2)
    half = 1
    while half < 16:
        for start in range(0, 16, 2 * half):
            for j in range(half):
                i, exponent = start + j, j * 8 // half
                re, im = x[i + half]
                if exponent == 4:
                    re, im = im, -re
                elif exponent > 0:
                    c, s = LIQUID_TWIDDLES[exponent]
                    re, im = fp32(re * c - im * s), fp32(re * s + im * c)
                ar, ai = x[i]
                x[i], x[i + half] = (fp32(ar + re), fp32(ai + im)), (fp32(ar - re), fp32(ai - im))
        half *= 2
    return x


def write(path, values, n, kind):
    """A .npy file of complex numbers."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({BATCH}, {n}), }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes())


def equal_parts(variant, mode, fft, n, folder):
    random.seed(n)
    kind, code, rounded = ("<c8", "f", fp32) if mode == "fp32" else ("<c16", "d", float)
    x = array.array(code, [rounded(random.gauss(0, 1)) for _ in range(2 * n * BATCH)])
    write(folder / "x.npy", x, n, kind)
    subprocess.run([PROGRAM, "compute", "-a", f"algorithm=program:{variant}", "-a", f"mode={mode}", "--input",
                    folder / "x.npy", "--programs", PROGRAMS, "--dtype", kind[1:], "-o", folder / "y.npy"], check=True,
                   stdout=subprocess.DEVNULL)
    y = array.array(code, (folder / "y.npy").read_bytes()[-len(x) * x.itemsize:])
    equal = 0
    for at in range(0, len(x), 2 * n):
        own = fft(list(zip(x[at:at + 2 * n:2], x[at + 1:at + 2 * n:2])))
        equal += sum(a == b for a, b in zip((part for value in own for part in value), y[at:at + 2 * n]))
    return equal, len(x)


def main():
    print("variant data n equal_parts parts")
    with tempfile.TemporaryDirectory() as folder:
        for variant, mode, fft, lengths in (("commons", "fp64", commons, POWERS_OF_FOUR), ("liquid", "fp32", liquid, [16]),
                                            ("npm-ndarray-fft", "fp64", ndarray_fft, POWERS_OF_FOUR),
                                            ("r", "fp64", singleton, POWERS_OF_FOUR)):
            for n in lengths:
                print(variant, mode, n, *equal_parts(variant, mode, fft, n, Path(folder)))


if __name__ == "__main__":
    main()
