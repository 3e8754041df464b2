#!/usr/bin/env python3
"""ozaki_hq written down from its definition, to try what no mode of fftprec does: its terms summed
in fp64, and its first residual of x rounded to bf16 before the second split.

    docs/data/residual_experiment.py > docs/data/residual_experiment.txt

A direct DFT of one Gaussian draw; products and sums within a term in fp64, so without PSUM.
"""

import math
import random
import struct


def fp32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def bf16(x):
    """An fp32 value to nearest, ties to even."""
    bits = struct.unpack("I", struct.pack("f", x))[0]
    return struct.unpack("f", struct.pack("I", (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000))[0]


def words(value, count, narrow_residual=False):
    result, rest = [], fp32(value)
    for i in range(count):
        result.append(bf16(rest))
        rest = fp32(rest - result[-1])
        if narrow_residual and i == 0:
            rest = bf16(rest)
    return result


def error(n, data_words, terms, narrow_residual=False, final=fp32):
    """The error in the 2-norm; terms are pairs of a table word and a data word."""
    random.seed(5)
    x = [(fp32(random.gauss(0, 1)), fp32(random.gauss(0, 1))) for _ in range(n)]
    roots = [(math.cos(2 * math.pi * m / n), -math.sin(2 * math.pi * m / n)) for m in range(n)]
    table = [(words(c, 2), words(s, 2)) for c, s in roots]
    data = [tuple(words(part, data_words, narrow_residual) for part in z) for z in x]
    wrong = size = 0.0
    for k in range(n):
        products = [(table[j * k % n], data[j]) for j in range(n)]
        re = im = 0.0
        for w, d in terms:
            re = final(re + final(sum(c[w] * a[d] - s[w] * b[d] for (c, s), (a, b) in products)))
            im = final(im + final(sum(s[w] * a[d] + c[w] * b[d] for (c, s), (a, b) in products)))
        exact = [(roots[j * k % n], x[j]) for j in range(n)]
        true_re = sum(c * a - s * b for (c, s), (a, b) in exact)
        true_im = sum(s * a + c * b for (c, s), (a, b) in exact)
        wrong += (re - true_re) ** 2 + (im - true_im) ** 2
        size += true_re ** 2 + true_im ** 2
    return math.sqrt(wrong / size)


SIX = [(w, d) for w in range(2) for d in range(3)]
CASES = (
    ("ozaki_hq", lambda n: error(n, 3, SIX)),
    ("ozaki_hq, terms summed in fp64", lambda n: error(n, 3, SIX, final=float)),
    ("ozaki_hq, first residual of x in bf16", lambda n: error(n, 3, SIX, narrow_residual=True)),
    ("bf16x2:4", lambda n: error(n, 2, [(0, 0), (1, 0), (0, 1), (1, 1)])),
    ("ozaki", lambda n: error(n, 2, [(0, 0), (1, 0), (0, 1)])),
)

if __name__ == "__main__":
    for name, of in CASES:
        print(name, *(f"{of(n):.3e}" for n in (64, 256)), sep="\t")
