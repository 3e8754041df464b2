#!/usr/bin/env python3
"""FFT libraries in float32, judged side by side: NumPy, SciPy and PyTorch, those that are installed,
beside two algorithms of fftprec, on the same inputs.

    examples/libraries.py [DIRECTORY] [FFTPREC]     writes rows, verdicts and DIRECTORY/report.html

Exits with 1 if a library errs by more than examples/libraries_gates.toml allows.
"""

import csv
import importlib
import os
import subprocess
import sys

import numpy as np

LENGTHS = 256, 1000, 4096
INPUTS = "gaussian", "uniform", "cancelling"
BATCH = 4


def numpy_fft(module, x):
    return module.fft.fft(x)  # in double whatever the input, before NumPy 2


def scipy_fft(module, x):
    return module.fft(x)


def torch_fft(module, x):
    return module.fft.fft(module.from_numpy(x)).numpy()


# Name in the rows, the module to import, and its FFT of a complex64 array.
LIBRARIES = [("numpy", "numpy", numpy_fft), ("scipy", "scipy.fft", scipy_fft),
             ("torch", "torch", torch_fft)]
OWN = "mixed-radix", "bluestein"


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "out/libraries"
    program = sys.argv[2] if len(sys.argv) > 2 else "fftprec"
    gates = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libraries_gates.toml")
    os.makedirs(folder, exist_ok=True)

    def fftprec(*arguments):
        return subprocess.run([program, *map(str, arguments)]).returncode

    modules = {}
    for name, module, _ in LIBRARIES:
        try:
            modules[name] = importlib.import_module(module)
        except ImportError:
            print(f"{name} is not installed")
    results = []
    for n in LENGTHS:
        for kind in INPUTS:
            given = os.path.join(folder, f"{kind}_{n}.npy")
            axes = {"input": kind, "n": n, "batch": BATCH, "seed": 1}
            fftprec("input", kind, "-n", n, "--batch", BATCH, "-o", given)
            x = np.load(given).astype(np.complex64)
            for name, _, fft in LIBRARIES:
                if name not in modules:
                    continue
                y = fft(modules[name], x)
                output = f"{name}_{kind}_{n}.npy"
                np.save(os.path.join(folder, output), y)
                results.append({**axes, "output": output, "algorithm": name, "machine": "host",
                                "mode": "float32" if y.dtype == np.complex64 else "float64"})
            for name in OWN:
                output = f"{name}_{kind}_{n}.npy"
                fftprec("compute", "-a", f"algorithm={name}", "-a", "mode=fast", "-a", "machine=ieee",
                        *(word for axis, value in axes.items() for word in ("-a", f"{axis}={value}")),
                        "-o", os.path.join(folder, output))
                results.append({**axes, "output": output, "algorithm": name, "mode": "fast",
                                "machine": "ieee", "tables": "exact"})
    columns = list(results[-1])
    listed = os.path.join(folder, "results_list.csv")
    with open(listed, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="library")
        writer.writeheader()
        writer.writerows(results)

    rows = os.path.join(folder, "rows")
    codes = [fftprec("measure", listed, "-o", rows), fftprec("gate", rows, "-g", gates),
             fftprec("report", rows, "-g", gates, "-o", os.path.join(folder, "report.html"))]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
