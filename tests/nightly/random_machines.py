#!/usr/bin/env python3
"""Runs cases on machines with random parameters: no row may err by more than a bound that it states.

    random_machines.py PROGRAM [--machines 10000] [--seed 1]

A machine is a preset with one to five parameters of `show machine:PRESET` set at random; what
contradicts itself is drawn again. Half of the whole numbers are at an end of their range or a power of
two, where mistakes are.
"""

import argparse
import csv
import io
import math
import random
import re
import subprocess
import sys

AXES = ["-a", "algorithm=dft-gemm,radix2-dit,bluestein,stockham-r8",
        "-a", "mode=fp32,bf16,fp16,ozaki,fp16x2,tf32,bf16x2:3,kahan", "-a", "n=4,64",
        "-a", "input=gaussian,wide,cancelling", "--no-times", "--csv", "-"]
AT_ONCE = 50


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True)


def parameters_of(program, preset):
    """Key and possible values of every parameter."""
    lines = output_of([program, "show", "machine:" + preset]).stdout.splitlines()
    table = [re.split(r"\s{2,}", line[2:].strip()) for line in lines if re.match(r"[* ] \S", line)]
    return [(row[0], row[-1]) for row in table if len(row) > 3 and row[0] != "parameter"]


def value_of(values, moments):
    if values in ("a format", "exact, or a format"):
        return moments.choice(["fp32", "bf16", "fp16", "tf32", "fp64"])
    value = moments.choice(values.split(", "))
    limits = re.fullmatch(r"(-?\d+)\.\.(\d+)(\^64-1)?", value)
    if not limits:
        return value
    low, high = int(limits.group(1)), int(limits.group(2))
    if moments.random() < 0.5:
        return str(moments.choice([low, high, min(high, 2 ** moments.randrange(8))]))
    return str(moments.randint(low, min(high, 200)))


def machine(moments, presets, parameters):
    preset = moments.choice(presets)
    keys = moments.sample(parameters[preset], moments.randint(1, 5))
    return preset + "{" + ",".join(f"{key}={value_of(values, moments)}" for key, values in keys) + "}"


def valid_machine(program, moments, presets, parameters):
    while True:
        name = machine(moments, presets, parameters)
        if output_of([program, "show", "machine:" + name]).returncode == 0:
            return name


def rows_of(program, names):
    """Rows of all machines that go through every mode."""
    answer = output_of([program, "run", "-a", "machine=" + ",".join(names), *AXES])
    if answer.returncode in (0, 3):
        return list(csv.DictReader(io.StringIO(answer.stdout)))
    if answer.returncode != 2:
        sys.exit(f"random_machines: exit code {answer.returncode}: {answer.stderr}")
    return []


def is_above(row):
    return float(row["err_l2_rel"]) > float(row["bound_l2_rel"])


def is_cut_off(program, row):
    """Whether it is range that errs: casts that end at the largest value, and no error above the bound
    where the same data are 2^-12 of that size."""
    if not re.search("casts=(rz|ru|rd|odd)", row["machine"]):
        return False
    case = [word for axis in ("machine", "algorithm", "mode", "n", "input")
            for word in ("-a", f"{axis}={row[axis]}")]
    answer = output_of([program, "run", *case, "-a", "scale=input:2^-12", "--csv", "-"])
    again, = csv.DictReader(io.StringIO(answer.stdout))
    return not is_above(again)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--machines", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    program = arguments.program
    presets = [line.split()[0] for line in output_of([program, "list", "machines"]).stdout.splitlines()]
    parameters = {preset: parameters_of(program, preset) for preset in presets}

    done = bounded = above = 0
    while done < arguments.machines:
        names = [valid_machine(program, moments, presets, parameters) for _ in range(AT_ONCE)]
        for row in rows_of(program, names):
            # Of what overflowed no theorem speaks, and everybody sees it, or it ends at the largest value.
            if row["bound_l2_rel"] and row["err_l2_rel"] and math.isfinite(float(row["err_l2_rel"])):
                bounded += 1
                if is_above(row) and not is_cut_off(program, row):
                    above += 1
                    print(f"{row['err_l2_rel']} > {row['bound_l2_rel']}: " + " ".join(
                        row[key] for key in ("algorithm", "mode", "machine", "n", "input")), flush=True)
        done += len(names)
    print(f"seed {arguments.seed}: {done} machines, {bounded} rows with a bound, {above} above it")
    return 1 if above or not bounded else 0


if __name__ == "__main__":
    sys.exit(main())
