#!/usr/bin/env python3
"""Shows which of the project's own gates, or which test, sees a deliberate mistake.

    mutants.py PROGRAM GATES NAME=MUTANT ...
    mutants.py --tests NAME=MUTANT ...

Runs the sweep `smoke` with PROGRAM, which must pass every gate, and with each MUTANT, a program with
one mistake, which must fail exactly the gates that SEEN_BY lists: a gate that starts to see a
mistake is a change too, and docs/testing.md says which nets see what.

With --tests each MUTANT is a test program with one mistake, which must fail the test that KILLED_BY
names: without the mistake every run of the tests passes it.
"""

import os
import re
import subprocess
import sys
import tempfile

RULES = ("smoke.toml", os.path.join("kept", "smoke.toml"))

ERRORS = ["kept-outputs", "kept-errors", "kept-ulps"]
SEEN_BY = {
    "storage": ERRORS,
    "accumulator": ERRORS,
    "tables": ERRORS + ["kept-expectations"],
    "twiddle": ["worst-case-bound", "probabilistic-bound", "ozaki-below-bf16",
                "fp64-below-fp32"] + ERRORS + ["kept-expectations"],
}
KILLED_BY = {
    "fixed-tie": "FixedLoops.InFloatsAreThoseOfIntegers",
    "fixed-random": "FixedLoops.AtRandomAreThoseOfIntegersThatAddTheSameBits",
    "fixed-accumulator": "FixedLoops.SumProductsInTheirAccumulator",
    "block-growth": "FixedPointBlocks.InRadix2HaveTheBitsOfTheirTranscription",
    "block-exponent": "FixedPointBlocks.InBluesteinHaveTheBitsOfTheirTranscription",
    "store-cast": "StoreInPasses.FixedPointHasTheBitsOfItsTranscription",
    "scale-both": "RoundingPoints.HasOneNameEach",
    "fixed-variance": "FixedPointTransform.HasTheExpectedRatioOfSignalToNoise",
    "shared-scale": "StoreInBlocks.HasTheBitsOfItsTranscriptions",
    "block-variance": "All/EveryAlgorithmInPasses.ErrsAsExpectedInBlocks/radix2_dit",
    "overflow-free": "FixedPointTransform.IsOverflowFreeWhereItSaysSo",
    "metric-sums": "MeasureLoops.SumWhatPlainSumsLose",
    "metric-binade": "Measure.UlpIsThatOfTheTruthAcrossABinade",
    "metric-nan": "Measure.NanInAnyPlaceMakesEveryMeasureNanAndInfinityThoseOfItsPartsInfinite",
    "gate-nan": "EveryKind.NamesTheRowThatIsNan",
    "curve-nan": "Gather.HasNoMedianOfWhatIsLeftBesideANan",
    "pair-low": "PairFourier.StaysWithinItsBoundAtPowersOfTwoShortSmoothAndPrimeLengths",
    "jitter": "Jitter.MovesByOneNeighbourAtMostAndEachWayAboutAThirdOfTheTime",
    "summary": "MarkdownSummary.CutsLongListsOfValuesInTheMiddle",
}


def survivors(mutants):
    """How many of NAME=MUTANT pass the test that must fail."""
    alive = 0
    for name, mutant in (each.split("=", 1) for each in mutants):
        answer = subprocess.run([mutant, "--gtest_filter=" + KILLED_BY[name]],
                                capture_output=True, text=True)
        killed = answer.returncode == 1 and "1 FAILED TEST" in answer.stdout
        print(f"{name}: {'killed by' if killed else 'survives'} {KILLED_BY[name]}")
        if not killed:
            alive += 1
            print(answer.stdout + answer.stderr)
    return alive


def judged(program, gates, folder):
    """Exit code of the gates on the program's rows, and the names of those that fail."""
    rows = os.path.join(folder, "rows.csv")
    subprocess.run([program, "run", "smoke", "--isa", "baseline", "--csv", rows], check=True, capture_output=True)
    command = [program, "gate", rows, "--require-baseline"]
    for rule in RULES:
        command += ["-g", os.path.join(gates, rule)]
    answer = subprocess.run(command, capture_output=True, text=True)
    return answer.returncode, re.findall(r"^FAIL ([^:]+):", answer.stdout, re.MULTILINE), answer


def main():
    if sys.argv[1] == "--tests":
        return 1 if survivors(sys.argv[2:]) else 0
    program, gates, *mutants = sys.argv[1:]
    mistakes = 0
    with tempfile.TemporaryDirectory() as folder:
        code, failed, answer = judged(program, gates, folder)
        print(f"unchanged: exit code {code}, fails {failed}")
        if code != 0 or failed:
            sys.exit("mutants: the unchanged program does not pass:\n" + answer.stdout + answer.stderr)
        for name, mutant in (each.split("=", 1) for each in mutants):
            code, failed, answer = judged(mutant, gates, folder)
            print(f"{name}: exit code {code}, fails {failed}")
            if code != 1 or failed != SEEN_BY[name]:
                mistakes += 1
                print(f"  expected exit code 1 and {SEEN_BY[name]}\n{answer.stdout}{answer.stderr}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
