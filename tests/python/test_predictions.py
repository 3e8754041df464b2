"""Predictions, tolerances and the fixture assert_fft, judged by other people's FFTs."""

import math
import subprocess
import sys

import numpy as np
import pytest

import fftprec as fp


def signals(n, count, dtype=np.complex64):
    parts = [np.random.default_rng(seed).standard_normal((n, 2)) for seed in range(count)]
    return (np.stack(parts).astype(np.float32).view(np.complex64)[..., 0] / np.sqrt(2)).astype(dtype)


def of_scipy(x):
    return pytest.importorskip("scipy.fft").fft(x)


def of_torch(x):
    torch = pytest.importorskip("torch")
    return torch.fft.fft(torch.from_numpy(x)).numpy()


def of_halves(x):
    return fp.fft(x, mode="fp16", algorithm="radix2-dit" if x.shape[-1] % 2 ** 8 == 0
                  else "mixed-radix")


FFTS = {"numpy": (np.fft.fft, "float64", np.complex64),
        "scipy": (of_scipy, "float32", np.complex64), "torch": (of_torch, "float32", np.complex64),
        "scipy of halves": (of_scipy, "float32", np.float16),
        "emulated halves": (of_halves, "float16", np.complex64)}


@pytest.mark.parametrize("n", [pytest.param(256, marks=pytest.mark.nightly), 1000])
@pytest.mark.parametrize("name", FFTS)
def test_tolerance_holds_and_is_not_far_off(name, n):
    fft, dtype, given = FFTS[name]
    x = signals(n, 1000, np.complex64)
    if given == np.float16:
        x = x.real.astype(np.float16)
    y = fft(x)
    exact = fp.truth(x)
    error = np.abs((y - exact.value) - exact.lo)
    found = fp.tolerance(x, dtype)
    assert (error <= found["atol"] + found["rtol"] * np.abs(exact.value)).all()
    assert found["atol"] <= 20 * error.max()


@pytest.mark.parametrize("name", FFTS)
def test_libraries_pass_within_twice_the_expected_error(assert_fft, name):
    fft, dtype, given = FFTS[name]
    x = signals(1000, 20)
    if given == np.float16:
        x = x.real.astype(np.float16)
    assert_fft(fft(x), x, within="expected*2", dtype=dtype)
    assert_fft(fft(x), x, within="bound", dtype=dtype)


def test_predictions_are_those_of_rows():
    for case in [{}, {"mode": "fp16", "machine": "ieee"}, {"algorithm": "dft-gemm", "mode": "ozaki"},
                 {"mode": "bf16_refined"}, {"mode": "bf16", "rounding_points": "stage", "scale": "input:2^-2"},
                 {"mode": "bf16", "rounding_points": "ends", "machine": "trn{casts=rz}"}, {"transform": "irfft", "mode": "bf16"}]:
        row = fp.run(n=256, **case)[0]
        found = fp.predict(256, **case)
        keys = ["expected_l2_rel", "expected_gain", "bound_name", "matmul_passes", "real_multiplications"]
        assert {key: found[key] for key in keys} == {key: row[key] for key in keys}
        # A row's bound counts what its data have below the normal numbers.
        for key in ("bound_l2_rel", "bound_prob_l2_rel"):
            small = row[key] / found[key] - 1 if found[key] else 0
            assert 0 <= small < 1e-5 if case.get("mode") == "fp16" else row[key] == found[key]
    assert fp.predict(4096)["operations"] == 10 * 4096 // 2 * 12
    assert fp.predict(64, "cconv1d:taps=5")["bound_l2_rel"] is None


def test_tolerance_of_each_norm_is_that_of_the_scaled_result():
    x = signals(4096, 1, np.complex128)[0]
    exact = np.fft.fft(x)
    largest = np.abs(exact).max()
    for norm, scale in [("backward", 1), ("ortho", 1 / 64), ("forward", 1 / 4096), (None, 1)]:
        found = fp.tolerance(x, "float32", norm=norm)
        assert found["atol"] == pytest.approx(
            fp.predict(4096, machine="ieee")["expected_l2_rel"] * 2 * largest * scale
            * fp.predictions.largest_of(4096, real=False))
        np.testing.assert_allclose(np.fft.fft(x, norm=norm).astype(np.complex64),
                                   np.fft.fft(x, norm=norm), **found)
    inverse = fp.tolerance(x, "complex64", "ifft", norm="ortho")["atol"]
    assert inverse == pytest.approx(fp.tolerance(np.conj(x), "complex64", norm="ortho")["atol"])


def test_tolerance_grows_with_the_data_and_with_what_is_asked():
    x = signals(4096, 1)[0]
    once = fp.tolerance(x)["atol"]
    assert fp.tolerance(8 * x)["atol"] == pytest.approx(8 * once)
    assert fp.tolerance(np.stack([x, 8 * x]))["atol"] == pytest.approx(8 * once, 0.02)
    assert fp.tolerance(x, within="expected*4")["atol"] == pytest.approx(2 * once)
    bound = fp.tolerance(x, within="bound")
    size = np.linalg.norm(np.fft.fft(x))
    assert bound["rtol"] == 0 and bound["atol"] == pytest.approx(
        fp.predict(4096, machine="ieee")["bound_l2_rel"] * size)
    assert fp.tolerance(x, within=1e-6)["atol"] == pytest.approx(1e-6 * size)
    found = fp.tolerance(x)
    assert found["rtol"] == 2.0 ** -24 and "radix2-dit in fp32 on ieee" in repr(found)
    assert "<td>atol</td>" in found._repr_html_()
    assert fp.tolerance(x, "float64")["rtol"] == fp.tolerance([1, 2, 3])["rtol"] == 2.0 ** -53
    assert fp.tolerance(x.astype(np.complex128)) == fp.tolerance(x, "float64")
    torch = pytest.importorskip("torch")
    assert fp.tolerance(x, torch.float16) == fp.tolerance(x, np.float16)


@pytest.mark.parametrize("spoil, texts", [
    (lambda y: y / np.sqrt(1024), [" of 4\n", "err_l2_rel", "times the limit", "expected*2 of "
                                   "radix2-dit in fp32 on ieee", 'norm="ortho"']),
    (np.conj, ["conjugated"]),
    (lambda y: y[:, ::-1], ["err_l2_rel"]),
    (lambda y: np.fft.fftshift(y, axes=1), ["middle"]),
    (lambda y: _changed(y, (2, 5), np.nan), ["NaN", "item 2, index 5"]),
    (lambda y: _changed(y, (3, 7), y[3, 7] * (1 + 1e-3)), ["item 3 of 4", "y[3, 7]"]),
    # 40 RMS errors in one value: 1.6 of the error of all 1024.
    (lambda y: _changed(y, (1, 9), y[1, 9] + 40 * 1.2e-7 * 45), ["|error|", "y[1, 9]"]),
])
def test_a_failure_says_what_is_wrong(assert_fft, spoil, texts):
    x = fp.input("gaussian", 1024, 4)
    y = fp.fft(x)
    assert_fft(y, x)
    with pytest.raises(AssertionError) as failure:
        assert_fft(spoil(y), x)
    assert all(text in str(failure.value) for text in texts), failure.value


def _changed(y, place, value):
    y = y.copy()
    y[place] = value
    return y


def test_a_limit_may_be_a_number_and_axes_may_be_many(assert_fft):
    x = signals(64, 64, np.complex128).reshape(2, 32, 64)
    y = np.fft.fft2(x)
    assert_fft(y, x, 1e-15, transform="fft2")
    with pytest.raises(AssertionError, match=r"times the limit 1e-17"):
        assert_fft(y, x, 1e-17, transform="fft2")
    assert_fft(np.fft.ifft(x, norm="ortho"), x, transform="ifft", norm="ortho")
    assert_fft(np.zeros(8), np.zeros(8), 0)
    with pytest.raises(AssertionError, match="inf"):
        assert_fft(np.full(8, 1e-30), np.zeros(8))


@pytest.mark.parametrize("call, text", [
    (lambda check: check(np.ones(4), np.ones(8)), "gives 8 values"),
    (lambda check: check(np.ones(8), np.ones(8), "expect"), "known: expected, bound"),
    (lambda check: check(np.ones(8), np.ones(8), "expected*x"), "known: expected, bound"),
    *[(lambda check, factor=factor: check(np.ones(8), np.ones(8), f"{kind}*{factor}"),
       "times a factor above 0") for factor in ("-2", "0", "nan", "1e999", "1e-999", "inf", "1-")
      for kind in ("expected", "bound")],
    *[(lambda check, within=within: check(np.ones(8), np.ones(8), within), "a number from 0 on")
      for within in (-1, float("nan"), float("inf"), np.float32(-1e-7))],
    (lambda check: check(np.ones(8), np.ones(8), dtype="int8"), "dtype int8"),
    (lambda check: check(np.ones(8), np.ones(8), algorithm="radix3"), "unknown algorithm"),
    (lambda check: fp.tolerance(64, "float32"), "takes the data that are transformed"),
    (lambda check: fp.tolerance(np.ones(64), "float32", "dct2", norm="ortho"), "no Fourier transform"),
    (lambda check: fp.tolerance(np.ones(64), "float32", "cmul", 32), "depend on more than"),
    (lambda check: fp.tolerance(np.ones(64), "float32", norm="unit"), "unknown norm"),
    (lambda check: fp.tolerance(np.ones(64), "float32", within="expected*-2"), "a factor above 0"),
    (lambda check: fp.predict(12, algorithm="radix2-dit"), "needs n = 2^k"),
    (lambda check: fp.predict(0), "n = 0"),
    (lambda check: fp.predict(64, algorithm=fp.program(np.fft.fft)), "no model"),
])
def test_a_wrong_question_is_a_value_error(assert_fft, call, text):
    with pytest.raises(ValueError) as error:
        call(assert_fft)
    assert text in str(error.value)


def test_model_of_the_largest_error():
    rng = np.random.default_rng(1)
    times = fp.predictions.largest_of(1000, real=False)
    assert 4.5 < times < 5 and math.exp(-times ** 2) * 1000 == pytest.approx(1e-6)
    noise = rng.standard_normal((1000, 1000, 2)) / np.sqrt(2)
    assert np.hypot(*np.moveaxis(noise, -1, 0)).max() < times
    assert np.abs(noise[..., 0]).max() * np.sqrt(2) < fp.predictions.largest_of(1000, real=True)


def test_check_needs_no_pytest():
    """Nor says a number otherwise than the program does."""
    script = """
import sys
sys.modules["pytest"] = None
import fftprec as fp
from fftprec.testing import check
x = fp.input("gaussian", n=64)
check(fp.fft(x), x)
try:
    check(2 * fp.fft(x), x, within=1e-5)
except AssertionError as failure:
    print(failure)
print(fp.tolerance(x, "float32"))
"""
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout

    assert "err_l2_rel = 1 is 1e5 times the limit 1e-5" in said
    assert "rtol = 5.96e-8: unit roundoff" in said
