"""The rows of the program itself, in a process of its own, have the bits of the package."""

import csv
import io
import os
import subprocess

import pytest

import fftprec as fp
from fftprec import _core

PROGRAM = os.environ.get("FFTPREC_PROGRAM")


@pytest.mark.skipif(not PROGRAM, reason="FFTPREC_PROGRAM names no program")
def test_rows_of_the_program_have_the_bits_of_the_package():
    axes = {"transform": "fft,ifft,rfft,irfft,fft2,dct2", "algorithm": "radix2-dit,dft-gemm",
            "mode": "fp32,bf16,ozaki,fp64,doubleword", "machine": "trn,nv-hopper", "n": "16,32",
            "input": "gaussian,wide", "batch": "1,2", "seed": "3"}
    words = [word for name, value in axes.items() for word in ("-a", f"{name}={value}")]
    done = subprocess.run([PROGRAM, "run", *words, "--csv", "-"], capture_output=True, text=True)
    rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["status"] == "ok"]

    assert len(rows) > 400, done.stderr
    for row in rows:
        n, transform = int(row["n"]), row["transform"]
        x = fp.axes.as_complex(fp.input(row["input"], n, int(row["batch"]), int(row["seed"]), transform))
        how = {axis: row[axis] for axis in _core.axes() if axis not in ("n", "batch", "input", "seed")}
        assert _core.run(x, transform, n, how)[1]() == row["output_hash"], row["case_id"]
    assert f"fftprec {fp.__version__}" in subprocess.run([PROGRAM, "--version"], capture_output=True,
                                                         text=True).stdout
