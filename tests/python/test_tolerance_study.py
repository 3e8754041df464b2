"""fftprec's tolerances find every planted fault whose error is above what they allow noise, and give no
false alarm; the constants of docs/tolerances.md hold. Nightly, ctest runs tolerance_study.py whole."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
import planted  # noqa: E402
import tolerance_study as study  # noqa: E402

import fftprec as fp  # noqa: E402
from fftprec.predictions import _prime_factors, usual_case  # noqa: E402
from fftprec.testing import check  # noqa: E402

DATA = Path(__file__).parents[2] / "docs" / "data"


def require_claim(rows):
    rows = list(rows)
    assert [row for row in rows if study.is_wrong(row)] == []
    assert any(row["kind"] == "healthy" for row in rows)
    assert sum(bool(row["surely"]) for row in rows) > 50


def test_errors_above_the_factor_are_found_and_healthy_results_pass():
    require_claim(row for format in ("fp32", "q1.15") for row in study.plant(format, 1, 7, lengths=(16,)))


def test_the_kept_rows_hold_what_the_page_claims():
    with open(DATA / "planted_faults.csv", encoding="utf-8", newline="") as file:
        rows = [{**row, "surely": row["surely"] == "1", "fftprec": int(row["fftprec"])}
                for row in csv.DictReader(file)]
    assert {row["format"] for row in rows} == set(planted.FORMATS)
    require_claim(rows)
    with open(DATA / "healthy_runs.csv", encoding="utf-8", newline="") as file:
        runs = list(csv.DictReader(file))
    assert sum(int(row["runs"]) for row in runs) >= 1_000_000
    assert sum(int(row["alarms"]) for row in runs) == 0


def test_healthy_runs_give_no_false_alarm():
    assert not any(map(study.is_wrong, study.healthy(2000, seed=3, batch=100)))


def test_an_item_of_the_study_is_judged_as_alone_by_check():
    rng = np.random.default_rng(2)
    x = study._rounded(rng.standard_normal((4, 64)) + 1j * rng.standard_normal((4, 64)), "fp32")
    y = planted.transcribe("radix2-dit", "fp32", x)[0]
    factors = np.array([1, 1 + 2e-7, 1 + 4e-7, 1 + 1e-6])[:, None]
    over = study.overs(y * factors, x, "fp32", {})
    assert over.min() < 1 < over.max()
    for error, row, result in zip(over, x, y * factors):
        if error > 1:
            with pytest.raises(AssertionError):
                check(result, row, dtype="complex64")
        else:
            check(result, row, dtype="complex64")


def test_rules_of_others_pass_a_small_error_and_fail_a_large_one():
    n = 64
    data = study.data_for(n, "fp64")
    for rule in study.RULES:
        t = study.exact_of(data[rule.data], "fp64").astype(complex)
        for format, limit in rule.limits.items():
            assert rule.passes(1e-18 * t, t, n, limit), (rule.project, format)
            assert not rule.passes(t, t, n, limit), (rule.project, format)


def test_the_constants_of_the_page_are_above_every_expected_error():
    units = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
    lengths = {*range(8, 130), *(2**k for k in range(3, 21)), 243, 360, 625, 729, 1000, 1009, 15625, 4099}
    for n in lengths:
        largest = max(_prime_factors(n))
        constant = 0.7 if largest == 2 else 1.0 if largest <= 13 else 1.6
        for dtype, unit in units.items():
            for transform in ("fft", "ifft", "rfft", "irfft", "dct2", "dct3"):
                if transform == "irfft" and n % 2:
                    continue
                error = fp.predict(n, transform, **usual_case([n], dtype))["expected_l2_rel"]
                ratio = error / unit / math.sqrt(math.log2(n))
                assert ratio <= constant, (n, dtype, transform, ratio)


def test_the_formula_of_the_page_is_above_every_tolerance_of_its_table():
    units = {"fp64": 2.0**-53, "fp32": 2.0**-24, "fp16": 2.0**-11, "bf16": 2.0**-8}
    with open(DATA / "tolerances.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 300
    for row in rows:
        n = int(row["n"]) ** (2 if row["transform"] == "fft2" else 1)
        count = n // 2 + 1 if row["transform"] == "rfft" else n
        largest = max(_prime_factors(n))
        constant = 0.7 if largest == 2 else 1.0 if largest <= 13 else 1.6
        spread = math.sqrt(math.log2(n) * math.log(1e6 * count))
        if row["transform"] in ("irfft", "dct2", "dct3"):
            spread *= math.sqrt(2)
        unit = units[row["format"]]
        assert float(row["value"]) <= 1.001 * (2 * constant * spread + 1) * unit, row
