#!/usr/bin/env python3
"""Checks that the walk in docs/design.md is true: at most 14 steps, each naming a function and a file
that holds it."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 14
STEP = re.compile(r"^(\d+)\. `([\w:]+)` \(`([\w/.]+)`\)")


def problems(text):
    walk = text.split("## The walk of a length\n")[1].split("\n## ")[0]
    steps = [line for line in walk.split("\n") if re.match(r"\d+\. ", line)]
    if not 1 <= len(steps) <= MOST:
        yield f"{len(steps)} steps; at most {MOST} are allowed"
    for line in steps:
        step = STEP.match(line)
        if not step:
            yield f"no function with its file: {line}"
            continue
        path = os.path.join(ROOT, step[3])
        name = step[2].split("::")[-1]
        if not os.path.exists(path):
            yield f"step {step[1]}: there is no {step[3]}"
            continue
        with open(path, encoding="utf-8") as file:
            if not re.search(rf"\b{name}\b", file.read()):
                yield f"step {step[1]}: {step[3]} holds no {name}"


def main():
    with open(os.path.join(ROOT, "docs", "design.md"), encoding="utf-8") as file:
        found = list(problems(file.read()))
    for problem in found:
        print(f"docs/design.md: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
