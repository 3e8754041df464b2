#!/usr/bin/env python3
"""Judges random small cases by Gappa, whose rounding operators and interval arithmetic share no code with fftprec.

    gappa.py PROGRAM [--cases 100] [--seed 1] [--table]

Of each case Gappa gets the script of `fftprec show --gappa error` twice:
- for all inputs with parts in [-R, R]: no error measured on 32 inputs, of which 16 are corners of that range, may
  be above the bound that Gappa proves;
- for one input: the enclosure of each error must hold the measured error, and the least error that Gappa proves
  may not be above fftprec's bound.
What breaks a rule is printed with its command. --table prints, for each algorithm, the ratios of Gappa's bounds to
fftprec's. Exit codes: 0 nothing is broken, 1 something is, 77 there is no Gappa.
"""

import argparse
import collections
import concurrent.futures
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

from random_cases import write_npy

LENGTHS = {"radix2-dit": [2, 4, 8, 8, 8, 16], "radix2-dif": [4, 8, 8, 8], "split-radix": [4, 8, 8, 8],
           "stockham-r2": [4, 8, 8], "stockham-r4": [4, 16], "stockham-r8": [8], "recursive": [4, 8],
           "mixed-radix": [3, 4, 6, 8, 9], "dft-gemm": [2, 3, 4, 5, 8], "row-column": [4, 8], "four-step": [4, 8]}
ROUNDINGS = ["rne", "rne", "rd", "rz", "ru", "rna", "rnu", "odd"]
ITEMS = 32
NUMBER = r"(-?\d+)(?:b(-?\d+))?(?: \{[^}]*\})?"
RESULT = re.compile(rf"^\s*(.*?) in \[{NUMBER}, {NUMBER}\]$", re.MULTILINE)


class Broken(Exception):
    """A rule that a case breaks, in words."""


def output_of(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def case_of(moments):
    """Axes of a case, and R."""
    algorithm = moments.choice(list(LENGTHS))
    n = moments.choice(LENGTHS[algorithm])
    case = {"algorithm": algorithm, "n": n, "machine": "ieee", "tables": moments.choice(["exact"] * 4 + ["fp32-angle"])}
    if moments.random() < 0.3 and n & (n - 1) == 0:
        case |= {"mode": f"q1.{moments.randint(5, 31)}", "scale": "stage:1/2",
                 "machine": f"ieee{{casts={moments.choice(ROUNDINGS)}}}"}
        return case, moments.choice([0.5, 0.25])
    precision = moments.randint(2, 24)
    case["mode"] = moments.choice(["bf16", "bf16", "fp16", "tf32", "fp32", "fp32", "fp64", "fp8_e4m3", "fp8_e5m2",
                                   f"custom(p={precision},emin={moments.choice([-126, -30, -14])},emax=127)"])
    if case["mode"] in ("bf16", "fp16") and moments.random() < 0.3:
        case["machine"] = f"ieee{{casts={moments.choice(['rd', 'rz', 'ru', 'rna', 'odd'])}}}"
    return case, 2.0 ** moments.randint(-3, 2)


def command_of(program, verb, case, more):
    return [program, verb, *(word for axis, value in case.items() for word in ("-a", f"{axis}={value}")), *more]


def read_npy(path):
    """Numbers of an array of complex or real fp32 or fp64."""
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    code = re.search(rb"'descr': *'<(c8|c16|f4|f8)'", data[:start]).group(1)
    letter = "f" if code in (b"c8", b"f4") else "d"
    parts = struct.unpack(f"<{(len(data) - start) // struct.calcsize(letter)}{letter}", data[start:])
    if code in (b"f4", b"f8"):
        return list(parts)
    return [part for pair in zip(parts[::2], parts[1::2]) for part in pair]


def errors_of(program, case, folder):
    """The exact errors of the parts of all results, as the machine holds them, with the radius of each item."""
    files = [folder / name for name in ("y.npy", "t.npy", "lo.npy", "radius.npy")]
    answer = output_of(command_of(program, "compute", case, ["-o", files[0], "--truth", files[1], "--truth-lo",
                                                              files[2], "--radius", files[3]]))
    if answer.returncode != 0:
        raise Broken(f"compute: {answer.stderr.strip()}")
    y, truth, rest, radius = (read_npy(path) for path in files)
    scale = Fraction(1, case["n"]) if "scale" in case else Fraction(1)
    errors = [scale * (Fraction(a) - Fraction(b) - Fraction(c)) for a, b, c in zip(y, truth, rest)]
    return errors, [scale * Fraction(r) for r in radius]


def power(whole, exponent):
    return int(whole) * Fraction(2) ** int(exponent or 0)


def proven(script, folder):
    """The enclosure of each goal, in turn."""
    path = folder / "script.g"
    path.write_text(script)
    answer = output_of(["gappa", str(path)])
    found = {name: (power(a, b), power(c, d)) for name, a, b, c, d in RESULT.findall(answer.stderr)}
    goals = re.findall(r"(?:^   |/\\ )(\S+ - \S+) in \?", script, re.MULTILINE)
    if answer.returncode != 0 or any(goal not in found for goal in goals):
        raise Broken(f"Gappa finds no bounds: {answer.stderr.strip()[-300:]}")
    return [found[goal] for goal in goals]


def script_of(program, case, within):
    answer = output_of(command_of(program, "show", case, ["--gappa", "error", "--within", within]))
    if answer.returncode != 0:
        return None, answer.stderr.strip()
    bound = re.search(r"^# fftprec's bound of \|v - e\|: (\S+)", answer.stdout, re.MULTILINE)
    return answer.stdout, float(bound.group(1)) if bound else None


def inputs_of(case, r, seed):
    """16 uniform inputs and 16 corners of the range."""
    moments = random.Random(seed)
    count = ITEMS * case["n"]

    def part(i):
        return moments.uniform(-r, r) if i < count // 2 else moments.choice([-r, r])

    return [complex(part(i), part(i)) for i in range(count)]


def judged(program, case, r, seed):
    """The ratio of Gappa's bound to fftprec's, or why the case has no script."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        script, bound = script_of(program, case, str(r))
        if script is None:
            return bound
        limits = proven(script, folder)
        write_npy(folder / "x.npy", inputs_of(case, r, seed))
        batch = case | {"input": f"file:{folder / 'x.npy'}", "batch": ITEMS}
        errors, radius = errors_of(program, batch, folder)
        for i, error in enumerate(errors):
            low, high = limits[i % len(limits)]
            slack = radius[i // len(limits)]
            if not low - slack <= error <= high + slack:
                raise Broken(f"input {i // len(limits)}, part {i % len(limits)}: the error {float(error)} is outside "
                             f"of what Gappa proves, [{float(low)}, {float(high)}]")
        one = case | {"input": f"uniform:low={-r}:high={r}", "seed": seed}
        script, one_bound = script_of(program, one, "input")
        if script is None:
            raise Broken(f"refused for one input: {one_bound}")
        enclosures = proven(script, folder)
        errors, radius = errors_of(program, one, folder)
        for i, (error, (low, high)) in enumerate(zip(errors, enclosures)):
            if not low - radius[0] <= error <= high + radius[0]:
                raise Broken(f"seed {seed}, part {i}: the error {float(error)} is not what Gappa computes, "
                             f"[{float(low)}, {float(high)}]")
        least = math.sqrt(sum(float(max(low, -high, 0)) ** 2 for low, high in enclosures))
        if one_bound is not None and least > one_bound * (1 + 1e-9):
            raise Broken(f"seed {seed}: Gappa proves an error of at least {least}, above the bound {one_bound}")
        if bound is None:
            return "no bound of fftprec"
        return float(max(max(-low, high) for low, high in limits)) / bound


def table_of(ratios):
    """For each algorithm the least and the largest ratio, of floats and of fixed point."""
    lines = ["| algorithm | floats | fixed point |", "| --- | ---: | ---: |"]
    for algorithm in sorted({algorithm for algorithm, _ in ratios}):
        cells = []
        for is_fixed in (False, True):
            some = ratios.get((algorithm, is_fixed))
            cells.append(f"{min(some):.2f} .. {max(some):.2f}" if some else "")
        lines.append(f"| {algorithm} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if shutil.which("gappa") is None:
        print("SKIPPED: there is no gappa; apt-get install gappa")
        return 77
    moments = random.Random(arguments.seed)
    cases = [case_of(moments) for _ in range(arguments.cases)]
    ratios = collections.defaultdict(list)
    others = collections.Counter()
    broken = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [pool.submit(judged, arguments.program, case, r, i + 1) for i, (case, r) in enumerate(cases)]
        for (case, r), result in zip(cases, waiting):
            try:
                ratio = result.result()
            except Broken as reason:
                broken += 1
                print(f"{reason}\n  " + " ".join(command_of("fftprec", "show", case, ["--gappa error --within", str(r)])),
                      flush=True)
                continue
            if isinstance(ratio, float):
                ratios[case["algorithm"], case["mode"].startswith("q")].append(ratio)
            else:
                others[ratio] += 1
    total = sum(len(some) for some in ratios.values())
    print(f"seed {arguments.seed}: {total} cases with both bounds, {broken} broken, {sum(others.values())} others")
    for reason, count in others.most_common():
        print(f"  {count} x {reason}")
    if arguments.table:
        print(table_of(ratios))
    # A list that is refused everywhere judges nothing.
    return 1 if broken or total < 0.7 * len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
