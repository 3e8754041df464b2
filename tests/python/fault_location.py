"""How often `fftprec diverge` names planted faults: the study behind docs/find_the_bug.md.

    python3 fault_location.py [--faults 200] [--healthy 1000] [--csv FILE]

Draws faults of all kinds in five algorithms and four formats (planted.py), runs fftprec.diverge on the
data after each stage, and counts the stages and culprits that it names, and healthy runs in which it
names a fault.
"""

import argparse
import csv
import re
import sys

import fftprec as fp
import numpy as np
import planted

FORMATS = ("bf16", "fp16", "fp32", "q1.15")
LENGTHS = {"radix2-dit": (64, 256), "radix2-dif": (64, 256), "stockham-r4": (64, 256),
           "four-step": (256, 1024), "dft-gemm": (32, 64)}

# What names the culprit of each kind. Of those that change no more than roundings, other products and
# other orders of sums are named as the way that gives every bit, the rest by the stage that alone has
# other bits.
CULPRITS = {
    "entry-of-another-place": r"twiddle .*(steps? (further|before)|about)|negated|conjugate|exchanged|is -?1|is 0",
    "entry-conjugated": r"its conjugate|steps? (further|before)|negated|exchanged re and im|exchanged",
    "entry-negated": r"negated|exchanged|conjugate|steps? (further|before)",
    "entry-parts-exchanged": r"exchanged re and im|negated|its conjugate|steps? (further|before)",
    "twiddles-off-by-one": r"off by (one|1)|read 1 further",
    "twiddles-stride": r"stride|missing|negated|conjugated",
    "twiddles-conjugated": r"conjugated",
    "table-narrow": r"has \d+ bits|other bits",
    "angle-not-reduced": r"the table is that of|table has|other bits",
    "outputs-exchanged": r"exchanged|holds the value of",
    "operands-exchanged": r"exchanged|negated|holds the value",
    "no-twiddles": r"twiddles is missing",
    "no-stage": r"stage is missing",
    "narrow-store": r"rounded early|other bits",
    "truncating-store": r"truncates|rounded early|other bits",
    "element-zero": r"is 0|read as 0",
    "element-stale": r"not written",
    "element-lost-bits": r"element \d+|other bits",
    "other-product": r"all its bits agree if (products are fused|every real product is rounded)",
    "other-order": r"all its bits agree if its sums",
}


def judged(algorithm, format, x, y, stages, alone=False):
    case = {"algorithm": algorithm, "mode": format, "machine": "ieee"}
    if format == "q1.15":
        case["scale"] = "stage:1/2"
    if alone:
        return fp.diverge(x, result=y, **case)
    return fp.diverge(x, [values for _, values in stages], **case)


def named_stage(text, algorithm):
    """The number of the stage that the text names, or None."""
    if "fault in result" in text:
        found = re.search(r"\n  [a-z ,]*stage (\d+)[^\n]*: ", text)
        single = algorithm == "dft-gemm" and "no single fault" not in text
        return int(found.group(1)) if found else 1 if single else None
    found = re.search(r"(?:fault in|only) .*?\(stage (\d+)[,)]", text)
    return int(found.group(1)) if found else None


def run_fault(rng, alone=False):
    algorithm = str(rng.choice(planted.ALGORITHMS))
    format = str(rng.choice(FORMATS))
    n = int(rng.choice(LENGTHS[algorithm]))
    fault = planted.draw_fault(rng, algorithm, format, n)
    x = planted.probes(format, n)  # four transforms, one of which the fault changes
    y, stages = planted.transcribe(algorithm, format, x, fault)
    text = judged(algorithm, format, x, y, stages, alone)
    verdict = text[text.index("fault"):]
    stage = named_stage(text, algorithm)
    if alone and fault.kind == "operands-exchanged" and stage == fault.stage - 1:
        stage = fault.stage  # operands exchanged are results of the stage before exchanged
    return {"algorithm": algorithm, "format": format, "n": n, "kind": fault.kind,
            "stage": fault.stage, "named_stage": stage, "culprit": fault.culprit,
            "stage_right": stage == fault.stage,
            "culprit_right": stage == fault.stage and bool(re.search(CULPRITS[fault.kind], verdict)),
            "verdict": verdict}


def run_healthy(rng, alone=False):
    algorithm = str(rng.choice(planted.ALGORITHMS))
    format = str(rng.choice(FORMATS))
    n = int(rng.choice(LENGTHS[algorithm]))
    x = planted.probes(format, n, rng.integers(1 << 30, size=4))
    y, stages = planted.transcribe(algorithm, format, x)
    text = judged(algorithm, format, x, y, stages, alone)
    if not text.passed:
        print(algorithm, format, n, text, sep="\n")
    return text.passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--healthy", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="only the results are at hand")
    parser.add_argument("--csv")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows = [run_fault(rng, options.alone) for _ in range(options.faults)]
    named = sum(not run_healthy(rng, options.alone) for _ in range(options.healthy))
    if options.csv and rows:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for kind in sorted({row["kind"] for row in rows}):
        of = [row for row in rows if row["kind"] == kind]
        print(f"{kind:24} {len(of):4} {sum(r['stage_right'] for r in of):4} "
              f"{sum(r['culprit_right'] for r in of):4}")
    print(f"{'all':24} {len(rows):4} {sum(r['stage_right'] for r in rows):4} "
          f"{sum(r['culprit_right'] for r in rows):4}")
    print(f"healthy runs with a fault named: {named} of {options.healthy}")
    return named


if __name__ == "__main__":
    sys.exit(main() > 0)
