"""Functions of arrays as algorithms, and the adapters of examples/programs."""

import os
import shutil
import subprocess

import numpy as np
import pytest

import fftprec as fp

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "programs")


def rows_of(algorithm, **axes):
    return {(row["transform"], row["mode"], row["n"]): row
            for row in fp.run(algorithm=algorithm, **axes)}


def test_a_function_of_arrays_gives_rows():
    rows = fp.run(algorithm=[np.fft.fft, "radix2-dit"], n=[16, 64], mode=["fp32", "fp64"], threads=2)
    own = [row for row in rows if row["algorithm"] == "program:fft"]
    assert [row["status"] for row in own] == ["ok"] * 4
    assert all(row["err_l2_rel"] < 1e-7 for row in own)
    assert all(row["err_roundtrip_l2_rel"] is None for row in own)  # there is no function for ifft


def test_functions_by_transform_get_one_item_each():
    shapes = set()

    def rfft2(x):
        shapes.add((x.shape, x.dtype.name))
        return np.fft.rfft2(x)

    name = fp.program({"rfft2": rfft2, "irfft2": np.fft.irfft2}, "mine", version="7")
    assert name == "program:mine"
    rows = rows_of(name, transform=["rfft2:rows=6", "fft"], n=8, batch=3, mode=["fp32", "fp64"])
    assert shapes == {((6, 8), "float32"), ((6, 8), "float64")}
    assert rows["rfft2:rows=6", "fp64", 8]["err_l2_rel"] < 1e-15
    assert rows["rfft2:rows=6", "fp64", 8]["err_roundtrip_l2_rel"] < 1e-15
    assert "there is no function for fft, only for rfft2, irfft2" in rows["fft", "fp32", 8]["message"]


def test_errors_of_a_function_are_those_of_its_rows():
    def only_small(x):
        if len(x) > 8:
            raise NotImplementedError("at most 8 points")
        if len(x) == 4:
            raise RuntimeError("no luck")
        return np.fft.fft(x)[: len(x) if len(x) == 8 else 1]

    rows = rows_of(only_small, n=[2, 4, 8, 16], mode="fp64")
    assert [row["status"] for row in rows.values()] == ["failed", "failed", "ok", "skipped"]
    assert "returns 1 values, expected 2" in rows["fft", "fp64", 2]["message"]
    assert rows["fft", "fp64", 4]["message"] == "RuntimeError: no luck"
    assert rows["fft", "fp64", 16]["message"] == "at most 8 points"


def test_compute_takes_functions_and_programs():
    x = fp.input("gaussian", n=16)
    assert np.array_equal(fp.compute(x, algorithm=np.fft.fft, mode="fp64"), np.fft.fft(x))
    with pytest.raises(ValueError, match="starts only if"):
        fp.compute(x, algorithm="program:nobody", mode="fp64")


def test_tensors_are_arrays_by_dlpack():
    class Tensor:
        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    x = fp.input("gaussian", n=16).view(np.float32)
    y = np.fft.fft(x)
    assert fp.measure(Tensor(y), Tensor(x)) == fp.measure(y, x)


@pytest.mark.parametrize("name, command, error", [
    ("numpy", "/usr/bin/python3", 1e-15), ("octave", "octave-cli", 1e-15), ("r", "Rscript", 2e-15),
    ("node", "node", 1e-14), ("java", "java", 1e-14)])
def test_adapters_in_other_languages(name, command, error):
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    if name == "java" and "jdk.compiler" not in subprocess.run(
            [command, "--list-modules"], capture_output=True, text=True, check=False).stdout:
        pytest.skip("this Java has no compiler")
    fp.programs(os.path.join(EXAMPLES, "programs.toml"))
    rows = rows_of(f"program:{name}", n=[1, 12, 1000], batch=3, mode="fp64")
    for row in rows.values():
        assert row["status"] == "ok", row["message"]
        assert row["err_l2_rel"] < error


@pytest.mark.parametrize("source, words, mode", [
    ("adapter.c", ["cc", "-O2"], "fp32"),
    ("adapter.cpp", ["c++", "-std=c++20", "-O1", "-I/usr/include/eigen3"], "fp64")])
def test_adapters_that_are_compiled(source, words, mode, tmp_path):
    program = str(tmp_path / "adapter")
    subprocess.run([*words, "-o", program, os.path.join(EXAMPLES, source), "-lm"], check=True)
    rows = rows_of(f"program:{program}", n=[2, 12, 1000], batch=3, transform=["fft", "ifft"], mode=mode)
    assert {row["status"] for row in rows.values()} == {"ok"}
    assert all(row["err_l2_rel"] < (1e-15 if mode == "fp64" else 1e-6) for row in rows.values())
