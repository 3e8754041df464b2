#!/usr/bin/env python3
"""Compares expected with measured errors of random groups: an algorithm, a mode, a machine, a length
and a transform, over several seeds.

    expected_errors.py PROGRAM [--groups 5000] [--seeds 9] [--seed 1] [--csv FILE]

Prints every group whose median of measured over expected is outside 0.8 to 1.25. Fails if these are
more than 2 % of all, or if one is outside 0.6 to 1.6. Groups whose results over- or underflow, or of
which nothing is expected, do not count, nor do lengths below 64, of which too few values round. --csv
writes all groups.
"""

import argparse
import collections
import csv
import io
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

NEAR = (0.8, 1.25)
FAR = (0.6, 1.6)
SHARE = 0.02
AT_ONCE = 100
KEYS = ("transform", "algorithm", "mode", "machine", "n")

LENGTHS = [64, 97, 100, 128, 210, 243, 256, 360, 512, 1000, 1024]
TRANSFORMS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct2", "dct3", "fft2", "ifft2", "cconv1d",
              "cgemm", "cmul"]
MODES = ["bf16x2:4", "bf16x3:9", "tf32x2:3", "tf32x3:6", "slices:2x2", "slices:5x5:pair", "ozaki2:6",
         "ozaki2:15", "refined_fp32:2", "doubleword:fp32", "mxfp4_e2m1:ocp", "fp16:table=bf16",
         "fp8_e5m2:table=fp8_e4m3fn"]


def names_of(program, what):
    lines = subprocess.run([program, "list", what], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in lines.splitlines() if line.strip()]
    return [name for name in names if "FORMAT" not in name and "..." not in name]  # forms of names


def rows_of(program, groups, seeds):
    """The rows of all groups; what contradicts itself has none."""
    text = f'name = "expected_errors"\n[axes]\ninput = "gaussian"\nseed = "1..{seeds}"\n'
    for group in groups:
        text += "[[sweep]]\n" + "".join(f'{key} = "{value}"\n' for key, value in zip(KEYS, group))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "groups.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        answer = subprocess.run([program, "run", path, "--no-times", "--csv", "-"],
                                capture_output=True, text=True)
    if answer.returncode not in (0, 3):
        sys.exit(f"expected_errors: exit code {answer.returncode}: {answer.stderr}")
    return list(csv.DictReader(io.StringIO(answer.stdout)))


def ratio_of(rows):
    """The median of measured over expected, or None."""
    ratios = []
    for row in rows:
        if row["status"] != "ok" or not row["expected_l2_rel"]:
            return None
        if any(int(row[count] or 0) > 0 for count in ("overflows", "underflows")):
            return None
        error, expected = float(row["err_l2_rel"]), float(row["expected_l2_rel"])
        if not math.isfinite(error):
            return None
        ratios.append(error / expected if expected > 0 else 1 if error == 0 else math.inf)
    return statistics.median(ratios)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--groups", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    axes = [TRANSFORMS, names_of(arguments.program, "algorithms"),
            names_of(arguments.program, "modes") + MODES, names_of(arguments.program, "machines"), LENGTHS]

    ratios = {}
    drawn = set()
    while len(ratios) < arguments.groups:
        groups = set()
        while len(groups) < AT_ONCE:
            group = tuple(str(moments.choice(names)) for names in axes)
            if group not in drawn:
                groups.add(group)
        drawn |= groups
        of_group = collections.defaultdict(list)
        for row in rows_of(arguments.program, sorted(groups), arguments.seeds):
            of_group[tuple(row[key] for key in KEYS)].append(row)
        for group, rows in sorted(of_group.items()):
            ratio = ratio_of(rows)
            if ratio is None:
                continue
            ratios[group] = ratio
            if not NEAR[0] <= ratio <= NEAR[1]:
                print(f"{ratio:.2f}: " + " ".join(group), flush=True)
    if arguments.csv:
        with open(arguments.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow((*KEYS, "ratio"))
            writer.writerows((*group, ratio) for group, ratio in sorted(ratios.items()))
    outside = [sum(not low <= ratio <= high for ratio in ratios.values()) for low, high in (NEAR, FAR)]
    print(f"seed {arguments.seed}: {len(ratios)} groups, {outside[0]} outside {NEAR[0]} to {NEAR[1]} "
          f"({outside[0] / len(ratios):.1%}), {outside[1]} outside {FAR[0]} to {FAR[1]}")
    return 1 if outside[0] > SHARE * len(ratios) or outside[1] else 0


if __name__ == "__main__":
    sys.exit(main())
