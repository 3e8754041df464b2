#!/usr/bin/env python3
"""Runs cases with a random value on every axis, on every instruction set of this machine.

    random_cases.py PROGRAM [--cases 5000] [--seed 1] [--data DIR] [--start I]

A case may be refused or skipped, in words that a user understands. A row that comes out
- has not failed, and its message shows nothing of the program's inside;
- has finite bounds and expected values, or none;
- errs by no more than its bound, unless overflows or underflows are counted;
- is the same, but for the time, on every instruction set.
Cases of one seed are the same on every machine. What breaks a rule is printed with its command, in which
every axis that does not matter has its default. Inputs and number formats from files lie in DIR.
"""

import argparse
import csv
import io
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

from random_machines import output_of, parameters_of, valid_machine

DEFAULTS = {"transform": "fft", "algorithm": "radix2-dit", "mode": "bf16", "machine": "ieee",
            "tables": "exact", "n": "4", "batch": "1", "input": "gaussian", "seed": "1", "rounding_points": "op",
            "scale": "none"}
SMALLER = ["1", "2", "4", "8", "16", "64"]
AT_ONCE = 25
COMMON = ["--no-times", "-j", "1", "--csv", "-"]
NUMBERS = ["bound_l2_rel", "bound_prob_l2_rel", "expected_l2_rel", "expected_gain"]
# Names of C++, of its library's errors, of overflowed integers and of the program's own checks.
INSIDE = re.compile(r"\bbad_\w+|std::|basic_string|_M_|\brequire\b|assert|what\(\)|[a-z_]+::[a-z_]+\(|"
                    r"-?2147483[0-9]{3}|\b184467440737|\b92233720368|round_array|\bNotApplicable|"
                    r"InputError")

POWERS = ["4", "8", "16", "32", "64", "64", "128", "256"]
LENGTHS = {"stockham-r4": ["4", "16", "64", "256"], "stockham-r8": ["8", "64", "64", "512"],
           "rader": ["3", "5", "7", "13", "17", "97"],
           "any": ["1", "2", "3", "5", "6", "7", "9", "12", "15", "27", "30", "60", "97", "100", "243"]}
POWERS_ONLY = {"radix2-dit", "radix2-dif", "recursive", "split-radix", "stockham-r2", "stockham-mixed"}

ALGORITHMS = ["radix2-dit:butterfly=linzer-feig", "radix2-dit:butterfly=clamped",
              "radix2-dit:butterfly=sine", "radix2-dit:butterfly=dual-select",
              "radix2-dit:butterfly=rader-brenner", "stockham-r4:butterfly=goedecker",
              "stockham-r4:butterfly=dual-select", "split-radix:pair=conjugate",
              "split-radix:butterfly=linzer-feig", "split-radix:pair=conjugate:butterfly=dual-select",
              "recursive:base=8:inner=dft-gemm", "bluestein:inner=stockham-mixed",
              "bluestein:inner=four-step", "rader:inner=stockham-r2", "good-thomas:inner=direct",
              "row-column:inner=mixed-radix", "batch-split:cores=2:inner=dft-gemm"]
TRANSFORMS = ["fft"] * 6 + ["ifft"] * 3 + [
    "fft:norm=ortho", "fft:norm=forward", "ifft:norm=ortho", "fft2", "fft2:rows=2", "ifft2", "fftn:dims=2",
    "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn:dims=2", "irfftn:dims=2", "hfft", "ihfft",
    "dct2", "dct3", "dct2:norm=ortho", "stft", "stft:hop=3", "istft", "cgemm", "cgemm:out=3", "cmul",
    "cconv1d", "cconv1d:taps=3", "cmodrelu"]
ROUNDINGS = ["rne", "rne", "rna", "rz", "ru", "rd", "odd", "sr"]
TABLES = ["exact"] * 6 + ["fp32-angle", "fp32-reduced", "fp64-angle", "bf16-angle", "recurrence"]
RECURRENCES = ["chebyshev", "numerical-recipes", "multiplication", "bisection"]
INPUTS = ["gaussian"] * 4 + ["uniform", "impulse", "tone", "wide", "wide:phi=10", "cancelling", "chirp",
                             "dc", "ramp", "image", "torch_randn", "probe_product", "probe_rounding",
                             "probe_order", "jitter:inner=gaussian"]


def write_npy(path, values):
    """Complex doubles as NumPy keeps them."""
    header = f"{{'descr': '<c16', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = b"".join(struct.pack("<dd", value.real, value.imag) for value in values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def write_data(folder):
    """Inputs of every size, and lists of values, by what stands for them on the command line."""
    moments = random.Random(0)
    folder.mkdir(parents=True, exist_ok=True)

    def noise(exponent):
        return complex(moments.gauss(0, 1), moments.gauss(0, 1)) * 2.0 ** exponent

    inputs = {"subnormal": [noise(-140) for _ in range(4096)],
              "tiny": [noise(-1060) for _ in range(4096)],
              "large": [noise(118) for _ in range(4096)],
              "largest": [noise(125) for _ in range(4096)],
              "spread": [noise(moments.uniform(-160, 60)) for _ in range(4096)],
              "zeros": [0j] * 4096,
              "spike": [complex(2.0 ** -60)] * 4095 + [complex(2.0 ** 60)]}
    for name, values in inputs.items():
        write_npy(folder / f"{name}.npy", values)
    lists = {"thirds": [-3, -1, -0.333333, 0, 0.333333, 1, 3],
             "uneven": [-100, -1, -0.5, 0, 0.001, 0.5, 1, 2],
             "dense": [i / 64 for i in range(-512, 513)]}
    for name, values in lists.items():
        (folder / f"{name}.csv").write_text("value\n" + "\n".join(map(repr, values)) + "\n")
    return ([f"file:{folder / name}.npy" for name in inputs], [f"file:{folder / name}.csv" for name in lists])


class Cases:
    """Draws cases: `modes`, `algorithms` and machines are those that the program lists."""

    def __init__(self, program, moments, folder):
        def names(kind):
            listed = [line.split()[0] for line in output_of([program, "list", kind]).stdout.splitlines()]
            return [name for name in listed if "FORMAT" not in name and "..." not in name]

        self.program = program
        self.moments = moments
        self.files, self.lists = write_data(folder)
        self.algorithms = [name for name in names("algorithms") if not re.match("ff|gemm|elem|direct-conv", name)]
        self.modes = names("modes")
        self.presets = names("machines")
        self.parameters = {preset: parameters_of(program, preset) for preset in self.presets}

    def format(self):
        """A number format that data may have."""
        m = self.moments
        precision = m.randint(2, 24)
        emin = m.choice([-126, -30, -14, -6, -2])
        ends = m.choice(["e", "f", "e:saturate", "e:propagate"])
        bits = m.randint(3, 16)
        return m.choice([
            f"posit{m.randint(3, 32)}", f"takum{m.randint(6, 32)}",
            f"binary{bits}p{m.randint(max(1, bits - 7), bits - 1)}s{ends}", m.choice(self.lists),
            f"custom(p={precision},emin={emin},emax={m.choice([1, 7, 15, 100, 127])},"
            f"subnormals={m.choice(['true', 'false'])},"
            f"overflow={m.choice(['infinity', 'saturate', 'nan'])})",
            m.choice(["fp8_e4m3fn", "fp8_e5m2", "fp16", "bf16", "tf32", "fp8_e4m3fnuz", "fp8_e5m2fnuz"])])

    def mode(self):
        m = self.moments
        element = m.choice(["e2m1", "e2m3", "e3m2", "e4m3fn", "e5m2", f"int:{m.randint(2, 24)}"])
        return m.choice([
            m.choice(self.modes), m.choice(self.modes), m.choice(self.modes), self.format(), self.format(),
            f"q{m.choice(['1', '2', '4'])}.{m.randint(1, 30)}", f"fp8_e4m3:table={m.choice(['fp16', 'bf16'])}",
            f"posit{m.randint(4, 24)}:quire", f"slices:{m.randint(1, 4)}x{m.randint(1, 4)}",
            f"ozaki2:{m.randint(2, 15)}", m.choice(["bf16x3:6", "bf16x2:4", "tf32x3:9", "refined_fp32:2"]),
            f"block(element={element},size={m.choice(['3', '16', '32', 'line', 'array'])},"
            f"scale={m.choice(['headroom', 'ocp', 'e4m3', 'ue4m3'])},"
            f"along={m.choice(['transform', 'batch'])})"])

    def machine(self):
        m = self.moments
        plain = m.choice([m.choice(["ieee", "trn", f"ieee{{casts={m.choice(ROUNDINGS)}}}"]),
                          m.choice(self.presets)])
        return plain if m.random() < 0.7 else valid_machine(self.program, m, self.presets, self.parameters)

    def tables(self):
        m = self.moments
        if m.random() < 0.85:
            return m.choice(TABLES)
        return f"recurrence:by={m.choice(RECURRENCES)}:in={m.choice(['fp32', 'bf16', 'mode'])}"

    def input(self):
        m = self.moments
        draw = m.random()
        if draw < 0.25:
            return m.choice(self.files)
        if draw < 0.35:
            return f"rounded:to={self.format()}:inner={m.choice(['gaussian', 'uniform', 'wide'])}"
        return m.choice(INPUTS)

    def scale(self):
        m = self.moments
        stages = m.choice(["none", "stage:1/2", "stage:1/sqrt2", "block", "block",
                           f"shift:{m.choice(['0', '01', '1', '012', '2110', '9'])}"])
        power = f"input:2^{m.choice([m.randint(-60, 60), m.randint(-8, 8)])}"
        both = power if stages == "none" else f"{power}+{stages}"
        return m.choice(["none", "none", "none", stages, stages, power, both])

    def case(self, seed):
        m = self.moments
        transform = m.choice(TRANSFORMS)
        mode = self.mode()
        computes_as_it_keeps = re.match(r"fp32|fp64|kahan|neu|doubleword|ozaki|slices|.*x\d:|dot2|rounded_|refined", mode)
        kernels = {"cgemm": "gemm", "cmul": "elementwise", "cmodrelu": "elementwise"}
        kernel = kernels.get(transform.split(":")[0])
        algorithm = kernel or m.choice([m.choice(self.algorithms), m.choice(ALGORITHMS)])
        family = algorithm.split(":")[0]
        lengths = LENGTHS.get(family, POWERS if family in POWERS_ONLY or m.random() < 0.5 else LENGTHS["any"])
        n = m.choice(lengths)
        if transform.split(":")[0] in ("fftn", "ifftn", "rfftn", "irfftn"):
            n = str(min(int(n), 8))
        return {"transform": transform, "algorithm": algorithm, "mode": mode,
                "machine": self.machine(), "tables": self.tables(), "n": n,
                "batch": m.choice(["1", "1", "1", "2", "3", "5", "16"]), "input": self.input(),
                "seed": str(seed),  # tells the rows of a sweep apart, whose names are other spellings
                "rounding_points": "op" if computes_as_it_keeps else
                         m.choice(["op", "op", "stage", "stage", "ends", f"pass:{m.randint(2, 4)}"]),
                "scale": self.scale()}


def command_of(case):
    return [word for axis, value in case.items() for word in ("-a", f"{axis}={value}")]


def instruction_sets(program):
    answer = output_of([program, "run", "-a", "n=2", "--isa", "none", "--csv", "-"])
    return [name for name in ("baseline", "avx2", "avx512") if re.search(rf"\b{name}\b", answer.stderr)]


def rows_of(program, cases, isa):
    """A row for each case, in their order, or None if they cannot be run together."""
    quoted = [[f"{axis} = '{value}'" if axis not in ("n", "batch", "seed") else f"{axis} = {value}"
               for axis, value in case.items()] for case in cases]
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as sweep:
        sweep.write('name = "random_cases"\n' + "".join("\n[[sweep]]\n" + "\n".join(lines) + "\n"
                                                        for lines in quoted))
        sweep.flush()
        answer = output_of([program, "run", sweep.name, "--isa", isa, *COMMON])
    if answer.returncode not in (0, 3, 4):
        return None
    rows = {row["seed"]: row for row in csv.DictReader(io.StringIO(answer.stdout))}
    return [rows[case["seed"]] for case in cases] if len(rows) == len(cases) else None


def row_of(program, case, isa):
    """The row of one case, or the words that refuse it."""
    answer = output_of([program, "run", *command_of(case), "--isa", isa, *COMMON])
    rows = list(csv.DictReader(io.StringIO(answer.stdout))) if answer.returncode in (0, 3, 4) else []
    if len(rows) == 1:
        return rows[0]
    return {"status": "refused" if answer.returncode in (2, 4) else f"exit code {answer.returncode}",
            "message": answer.stderr.strip()}


def number(text):
    return float(text) if text else None


def fault_of(row):
    """What rule a row breaks, in words, or None."""
    message = row["message"]
    if "fixed.overflow=error" in row.get("machine", "") and message.endswith(" stops there"):
        return None  # as asked
    if row["status"] not in ("ok", "skipped", "refused"):
        return f"{row['status']}: {message}"
    if found := INSIDE.search(message):
        return f"the message shows '{found.group()}': {message}"
    if row["status"] != "ok":
        return None
    for column in NUMBERS:
        if row[column] and not math.isfinite(float(row[column])):
            return f"{column} is {row[column]}"
    lost = sum(int(row[column] or 0) for column in ("overflows", "underflows"))
    error, bound = number(row["err_l2_rel"]), number(row["bound_l2_rel"])
    # A zero truth makes any error infinite.
    if bound is not None and error is not None and not error <= bound and lost == 0 and error != math.inf:
        return f"above its bound: {error} > {bound}, and nothing is counted"
    return None


def kind_of(fault):
    """Faults of a kind differ in numbers and names alone."""
    return re.sub(r"-?\d[-\d.e+]*", "#", fault.split(":")[0])


def difference(first, other):
    """The column in which two rows differ, or None."""
    return next((column for column in first if first[column] != other.get(column)), None)


def judged(program, case, sets):
    """The fault of a case by itself, or None, and its row."""
    row = row_of(program, case, sets[0])
    if fault := fault_of(row):
        return fault, row
    for isa in sets[1:]:
        if column := difference(row, row_of(program, case, isa)):
            return f"{isa} differs from {sets[0]} in {column}", row
    return None, row


def smaller(program, case, sets, kind):
    """The case with every axis that can be at its default without losing the kind of fault."""
    for axis, default in DEFAULTS.items():
        tries = [size for size in SMALLER if int(size) < int(case["n"])] if axis == "n" else [default]
        for value in tries:
            other = {**case, axis: value}
            fault, _ = judged(program, other, sets)
            if fault and kind_of(fault) == kind:
                case = other
                break
    return case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="cases that are drawn, but not run")
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_args()
    program = arguments.program
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.data or pathlib.Path(temporary)).resolve()
        return run(program, arguments, Cases(program, random.Random(arguments.seed), folder))


def run(program, arguments, draws):
    sets = instruction_sets(program)
    cases = [draws.case(seed) for seed in range(1, arguments.cases + 1)][arguments.start:]
    counts = {"ok": 0, "skipped": 0, "refused": 0}
    faults = {}
    for first in range(0, len(cases), AT_ONCE):
        some = cases[first:first + AT_ONCE]
        together = [rows_of(program, some, isa) for isa in sets]
        for place, case in enumerate(some):
            rows = [rows[place] for rows in together if rows]
            if len(rows) == len(sets) and not fault_of(rows[0]) and not any(
                    difference(rows[0], row) for row in rows[1:]):
                fault, row = None, rows[0]
            else:
                fault, row = judged(program, case, sets)
            counts[row["status"]] = counts.get(row["status"], 0) + 1
            if fault:
                kind = kind_of(fault)
                faults[kind] = faults.get(kind, 0) + 1
                least = smaller(program, case, sets, kind)
                print(f"{judged(program, least, sets)[0] or fault}\n  fftprec run "
                      + " ".join(f"-a '{axis}={value}'" for axis, value in least.items()), flush=True)
    print(f"seed {arguments.seed}: {len(cases)} cases on {', '.join(sets)}: "
          + ", ".join(f"{count} {status}" for status, count in counts.items()))
    for kind, count in sorted(faults.items()):
        print(f"{count} x {kind}")
    return 1 if faults or not counts["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
