#!/usr/bin/env python3
"""Compares the bounds in rows with those that Coq has proven and printed (proofs/bounds.csv).

    proven_bounds.py PROGRAM [--longest 1024]

Runs radix2-dit, radix2-dif and dft-gemm in fp64, fp32, bf16 and fp16 on `ieee`, of every length 2^t up to
the longest, on an impulse, which every format holds. A bound may differ from the proven one by what its
evaluation in fp64 rounds, 2^-50 of it. In fp16 it may be larger, by what underflow adds: the proof leaves
that out.
"""

import argparse
import csv
import io
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

PROVEN = Path(__file__).resolve().parents[2] / "proofs" / "bounds.csv"
EVALUATION = Fraction(1, 2**50)
UNDERFLOW = Fraction(1, 2**8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--longest", type=int, default=1024)
    arguments = parser.parse_args()

    with open(PROVEN, encoding="utf-8", newline="") as file:
        proven = {(row["algorithm"], row["mode"], row["n"]): Fraction(row["bound"]) for row in csv.DictReader(file)}
    wanted = {key: bound for key, bound in proven.items() if int(key[2]) <= arguments.longest}
    axes = {"transform": "fft", "machine": "ieee", "tables": "exact", "input": "impulse", "batch": "1", "seed": "1"}
    for axis, place in [("algorithm", 0), ("mode", 1), ("n", 2)]:
        axes[axis] = ",".join(dict.fromkeys(key[place] for key in wanted))
    command = [arguments.program, "run", "--csv", "-", *(f"-a{axis}={values}" for axis, values in axes.items())]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")

    wrong = 0
    rows = {(row["algorithm"], row["mode"], row["n"]): row for row in csv.DictReader(io.StringIO(done.stdout))}
    for key, bound in wanted.items():
        stated = rows.get(key, {}).get("bound_l2_rel", "")
        off = (Fraction(float(stated)) - bound) / bound if stated else None
        most = UNDERFLOW if key[1] == "fp16" else EVALUATION
        if off is None or not -EVALUATION <= off <= most:
            wrong += 1
            print(f"{' '.join(key)}: the row says {stated or 'nothing'}, proven is {float(bound)}")
    print(f"{len(wanted)} bounds, {wrong} of them not the proven ones")
    return int(wrong > 0 or not wanted)


if __name__ == "__main__":
    sys.exit(main())
