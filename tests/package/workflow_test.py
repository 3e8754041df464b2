#!/usr/bin/env python3
"""What runs on GitHub, step by step as it stands in its file, with an installed fftprec that was moved.

examples/github_workflow.yml, on examples/own_algorithm: its steps pass; with one wrong sign the gates fail,
and JUnit says so. action.yml, on results in bf16: its steps pass; with a limit that bf16 misses its gate
fails, and rows and page are there all the same.

    workflow_test.py BUILD SOURCE [CMAKE_ARGUMENT]...
"""

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import xml.etree.ElementTree

build, source = sys.argv[1:3]
scratch = tempfile.mkdtemp()
environment = dict(os.environ)
failures = 0


def expect(holds, what, output=""):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}\n{output}")


def steps(file):
    """What each named step of a workflow or an action runs."""
    with open(f"{source}/{file}", encoding="utf-8") as opened:
        text = opened.read()
    found = {}
    for step in re.split(r"\n +- ", text)[1:]:
        name = re.search(r"^name: (.*)$", step, re.MULTILINE)
        block = re.search(r"^ +run: \|\n((?: {8}.*\n?|\n)+)", step, re.MULTILINE)
        if name and block:
            found[name.group(1)] = textwrap.dedent(block.group(1))
    return found


def run(script, *, exit_code=0, **inputs):
    """Runs a step as a job does, with its inputs, and returns what it prints."""
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=project,
                          env={**environment, **inputs}, capture_output=True, text=True)
    output = done.stdout + done.stderr
    expect(done.returncode == exit_code, f"exit code {done.returncode}, not {exit_code}: {script}",
           output)
    return output


def judge_the_workflow():
    subprocess.run(["cmake", "-S", project, "-B", f"{project}/build", *sys.argv[3:],
                    f"-DCMAKE_PREFIX_PATH={project}/fftprec-prefix"], check=True,
                   stdout=subprocess.DEVNULL)

    step = steps("examples/github_workflow.yml")
    for name in ("Build our FFT", "Sweep", "Gates", "Report"):
        run(step[name])
    with open(f"{project}/out/precision/results.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    own = [row for row in rows if row["algorithm"] in ("radix3", "my-fftw")]
    expect(len(own) == len(rows) / 2 and all(row["status"] == "ok" for row in rows), "rows measured")
    modes = {row["mode"] for row in own}
    expect(len(modes) == 7, f"radix3 in all seven modes, not {sorted(modes)}")
    result = {(row["algorithm"], row["mode"], row["n"], row["input"], row["seed"]): row
              for row in rows}
    for (algorithm, mode, *rest), row in result.items():
        if algorithm == "radix3":
            expect(float(row["err_l2_rel"]) <= float(row["bound_l2_rel"]), f"bound of {row}")
            expect(float(row["err_l2_rel"]) <= 2 * float(row["expected_l2_rel"]), f"expected {row}")
            expect(mode != "bf16_refined" or row["output_hash"] !=
                   result[(algorithm, "bf16", *rest)]["output_hash"], "refinement changes the result")
        if algorithm == "my-fftw":
            expect(row["bound_l2_rel"] == row["expected_l2_rel"] == "", "a function has no bound")
    with open(f"{project}/out/precision/report.html", encoding="utf-8") as file:
        expect("radix3" in file.read(), "the report shows radix3")
    junit = xml.etree.ElementTree.parse(f"{project}/out/precision/gates.xml").getroot()
    expect(not list(junit.iter("failure")), "no failure in JUnit")

    # Stages of the template are told apart, a function's are not.
    budget = run("build/own_algorithm attribute -a algorithm=radix3 -a mode=bf16 -a n=243")
    expect("stage 5" in budget, "an error budget by stage", budget)
    shown = run("build/own_algorithm show algorithm:radix3; build/own_algorithm list algorithms")
    expect(shown.count("radix 3 by matrix products") == 2, "list and show know it", shown)

    # The rows of a program that was changed are not those of the one before.
    run("cmake build -DWRONG_SIGN=ON && cmake --build build")
    refused = run(step["Sweep"], exit_code=2)
    expect("were made by version" in refused and "my-fftw" in refused, "rows of old code", refused)
    run("rm -r out && " + step["Sweep"])
    verdict = run(step["Gates"], exit_code=1)
    expect("::error" in verdict, "an annotation", verdict)
    junit = xml.etree.ElementTree.parse(f"{project}/out/precision/gates.xml").getroot()
    failed = [case.get("name") for case in junit.iter("testcase") if case.find("failure") is not None]
    expect("our-fftw-is-an-fft" in failed and "radix3-budget" not in failed, f"JUnit: {failed}")


def judge_the_action():
    environment["PATH"] = f"{project}/fftprec-prefix/bin:{environment['PATH']}"
    run("fftprec input gaussian -n 64 -o x.npy && fftprec compute -a mode=bf16 -a n=64 -o y.npy")
    with open(f"{project}/results.toml", "w", encoding="utf-8") as file:
        file.write('[[result]]\ninput = "x.npy"\noutput = "y.npy"\nmode = "bf16"\n')
    for name, limit in (("loose", 1e-2), ("tight", 1e-6)):
        with open(f"{project}/{name}.toml", "w", encoding="utf-8") as file:
            file.write(f'[[gate]]\nname = "budget-{name}"\nkind = "max"\nreason = "a test"\n'
                       f'metric = "err_l2_rel"\nlimit = {limit}\n')

    step = steps("action.yml")
    run(step["Install"])  # what is there is not fetched again
    unset = run(step["Measure"], exit_code=2, SWEEP="", RESULTS="", OUT="out/action")
    expect("::error" in unset, "an error where nothing is to be judged", unset)
    run(step["Measure"], SWEEP="", RESULTS="results.toml", OUT="out/action")
    run(step["Gate"], GATES="loose.toml", OUT="out/action")
    failed = run(step["Gate"], exit_code=1, GATES="loose.toml tight.toml", OUT="out/action",
                 STANDS_FOR="algorithm=radix2-dit")
    expect("::error" in failed and "budget-tight" in failed, "an annotation", failed)
    expect("likely cause: as named" in failed, "the cause of the failure", failed)
    for file in ("results.csv", "gates.xml", "gates.md", "report.html"):
        expect(os.path.exists(f"{project}/out/action/{file}"), f"{file} of a gate that fails")
    run(step["Measure"], SWEEP="smoke", RESULTS="", OUT="out/swept")


try:
    project = f"{scratch}/project"
    shutil.copytree(f"{source}/examples/own_algorithm", project)
    subprocess.run(["cmake", "--install", build, "--prefix", f"{scratch}/first"], check=True,
                   stdout=subprocess.DEVNULL)
    os.rename(f"{scratch}/first", f"{project}/fftprec-prefix")
    judge_the_workflow()
    judge_the_action()
finally:
    shutil.rmtree(scratch)
sys.exit(failures > 0)
