#!/usr/bin/env python3
"""Judges NumPy's FFT through `fftprec measure`: python3 numpy_measure.py [FFTPREC]

Prints a table of errors, and exits with 1 if one is above what double arithmetic should give, or
NumPy kept float32 in float32 and errs by more than that.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

# Far above what NumPy errs by, about 1e-16 sqrt(log2 n), and far below a wrong result.
LIMIT = {"double": 1e-14, "rounded to float32": 1e-7, "float32 all the way": 1e-6}


def measured(program, x, y, transform, limit):
    """What fftprec says of y = transform(x), as a dictionary."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("x.npy", "y.npy")]
        for path, values in zip(files, (x, y)):
            np.save(path, np.ascontiguousarray(values))
        command = [program, "measure", "--input", files[0], "--output", files[1],
                   "--transform", transform, "--max", f"err_l2_rel={limit}", "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode > 1:  # 1: the limit does not hold
            sys.exit(done.stderr)
        return json.loads(done.stdout)


def cases():
    """(name, transform, precision, input, output of NumPy)"""
    random = np.random.default_rng(1)
    for n in (256, 1000, 4096):
        x = random.standard_normal((4, n)) + 1j * random.standard_normal((4, n))
        x = x.astype(np.complex64)
        y = np.fft.fft(x)  # computed in double, whatever the input, before NumPy 2
        kept = "float32 all the way" if y.dtype == np.complex64 else "double"
        yield f"fft {n}", "fft", kept, x, y
        yield f"fft {n}", "fft", "rounded to float32", x, y.astype(np.complex64)
        yield f"ifft {n}", "ifft", "double", x.astype(complex), np.fft.ifft(x.astype(complex))
        real = random.standard_normal((4, n))
        yield f"rfft {n}", "rfft", "double", real, np.fft.rfft(real)
        half = np.fft.rfft(real)
        yield f"irfft {n}", "irfft", "double", half, np.fft.irfft(half)
    image = random.standard_normal((48, 64)).astype(complex)
    yield "fft2 48 x 64", "fft2:rows=48", "double", image, np.fft.fft2(image)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "fftprec"
    print(f"NumPy {np.__version__}")
    print(f"{'transform':<14}{'precision':<22}{'err_l2_rel':>12}{'bits':>7}")
    all_hold = True
    for name, transform, precision, x, y in cases():
        row = measured(program, x, y, transform, LIMIT[precision])
        verdict = "" if row["holds"] else f"  above {LIMIT[precision]}"
        print(f"{name:<14}{precision:<22}{row['err_l2_rel']:>12.2e}{row['bits_l2']:>7.1f}{verdict}")
        all_hold = all_hold and row["holds"]
    # What a wrong result looks like: one output of 1024 off by 1 %.
    x = np.random.default_rng(2).standard_normal(1024).astype(complex)
    wrong = np.fft.fft(x)
    wrong[100] *= 1.01
    row = measured(program, x, wrong, "fft", 1e-14)
    print(f"one output off by 1 %: {row['err_l2_rel']:.2e}, worst is output {row['worst']['index']}")
    return 0 if all_hold and not row["holds"] and row["worst"]["index"] == 100 else 1


if __name__ == "__main__":
    sys.exit(main())
