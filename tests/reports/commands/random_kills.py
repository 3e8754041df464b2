#!/usr/bin/env python3
"""Kills a sweep with SIGKILL at random moments, resumes it each time, and compares the final
results.csv with that of an undisturbed run, byte for byte, and the names of all files.

    random_kills.py PROGRAM [--kills 20] [--seed S]

A run that ends before its kill is compared, and a new directory begun, until all kills have hit.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

SWEEP = ["smoke", "-a", "seed=1..5", "--no-times"]


def finished_rows(directory):
    """Whole lines that a resumed run can read, each as its case's id."""
    rows = set()
    for name in ("results.csv", "results.csv.part"):
        try:
            with open(os.path.join(directory, name), "rb") as file:
                text = file.read()
        except FileNotFoundError:
            continue
        lines = text[:text.rfind(b"\n") + 1].splitlines()
        rows |= {line.split(b",", 1)[0] for line in lines[1:]}
    return rows


def names(directory):
    """Of all files below it."""
    return sorted(os.path.relpath(os.path.join(folder, name), directory)
                  for folder, _, files in os.walk(directory) for name in files)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        def command(directory):
            return [arguments.program, "run", *SWEEP, "-o", os.path.join(scratch, directory)]

        def results(directory):
            with open(os.path.join(scratch, directory, "results.csv"), "rb") as file:
                return file.read()

        start = time.monotonic()
        subprocess.run(command("undisturbed"), check=True, capture_output=True)
        longest = (time.monotonic() - start) / 6
        expected = results("undisturbed")

        kills = 0
        runs = 0
        kept_most = 0
        temporaries = 0
        while kills < arguments.kills:
            runs += 1
            kept = set()
            while True:
                program = subprocess.Popen(command(str(runs)), stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE)
                moment = moments.uniform(0, longest) if kills < arguments.kills else None
                try:
                    _, errors = program.communicate(timeout=moment)
                except subprocess.TimeoutExpired:
                    program.kill()
                    program.communicate()
                    kills += 1
                    now = finished_rows(os.path.join(scratch, str(runs)))
                    if not kept <= now:
                        print(f"kill {kills}: {len(kept - now)} finished rows are lost")
                        return 1
                    kept = now
                    kept_most = max(kept_most, len(kept))
                    temporaries += any(name.endswith(".tmp")
                                       for name in names(os.path.join(scratch, str(runs))))
                    continue
                if program.returncode != 0:
                    print(f"resumed with code {program.returncode}: {errors.decode()}")
                    return 1
                break
            if results(str(runs)) != expected:
                print(f"after {kills} kills the rows differ from those of an undisturbed run")
                return 1
            left = names(os.path.join(scratch, str(runs)))
            if left != names(os.path.join(scratch, "undisturbed")):
                print(f"after {kills} kills other files than an undisturbed run's: {left}")
                return 1
        if kept_most == 0:
            print("every kill came before the first row: nothing is shown")
            return 1
        print(f"{kills} kills over {runs} runs, {len(expected)} bytes each time; {temporaries} kills left "
              "a temporary file for the next run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
