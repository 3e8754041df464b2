"""fp.diverge names planted faults, and none in healthy FFTs. The whole study: fault_location.py."""

import re

import fault_location
import fftprec as fp
import numpy as np
import planted
import pytest


def located(seed, count, alone=False):
    rng = np.random.default_rng(seed)
    return [fault_location.run_fault(rng, alone) for _ in range(count)]


def test_nearly_every_stage_and_most_culprits_are_named():
    rows = located(seed=7, count=40)
    assert sum(row["stage_right"] for row in rows) >= 0.95 * len(rows)
    assert sum(row["culprit_right"] for row in rows) >= 0.8 * len(rows)


def test_results_alone_name_faults_that_are_no_roundings():
    hidden = ("element-lost-bits", "narrow-store", "truncating-store", "table-narrow",
              "angle-not-reduced", *planted.BITS_KINDS)
    rows = [row for row in located(seed=7, count=40, alone=True) if row["kind"] not in hidden]
    assert len(rows) > 15
    assert sum(row["stage_right"] for row in rows) >= 0.9 * len(rows)


@pytest.mark.parametrize("alone", [False, True])
def test_no_fault_is_named_in_healthy_runs(alone):
    rng = np.random.default_rng(8)
    assert all(fault_location.run_healthy(rng, alone) for _ in range(40))


@pytest.fixture
def four_step():
    """A four-step FFT of 4096 points in bf16 with a twiddle 100 steps off, and its data."""
    fault = planted.make_fault("four-step", "bf16", 4096, "entry-of-another-place", 2,
                               table="twiddles", entry=22 * 64 + 17, steps=100)
    x = fp.input("gaussian", 4096)
    y, stages = planted.transcribe("four-step", "bf16", x, fault)
    return x, y, [values for _, values in stages]


def test_a_wrong_twiddle_is_named_by_the_result_alone(four_step):
    x, y, _ = four_step
    text = fp.diverge(x, result=y, algorithm="four-step", mode="bf16")
    assert not text.passed
    assert "W[17][23] = W_4096^391" in text
    assert "of 4096 values, all 17 mod 64" in text
    assert re.search(r"100 steps further|9\d steps further|10\d steps further", text)


def test_arrays_are_found_in_other_orders(four_step):
    x, y, stages = four_step
    columns = np.ascontiguousarray(stages[0].reshape(64, 64).T)
    text = fp.diverge(x, {"my columns": columns}, result=y, algorithm="four-step", mode="bf16")
    assert "my columns, 64x64" in text
    assert "W[17][23]" in text
    with pytest.raises(ValueError, match="unknown stage of --cut 'stage 9'"):
        fp.diverge(x, {"a": columns}, cuts={"a": "stage 9"}, algorithm="four-step", mode="bf16")
    with pytest.raises(ValueError, match="a holds 64 values; after input there are stage 1"):
        fp.diverge(x, {"a": columns[:1]}, algorithm="four-step", mode="bf16")
    with pytest.raises(ValueError, match="split-radix leaves no complete array"):
        fp.diverge(x, {"a": columns}, algorithm="split-radix", mode="bf16")
    with pytest.raises(ValueError, match="holds 4095 values"):
        fp.diverge(x, result=y[:-1], algorithm="four-step", mode="bf16")


def test_stages_are_those_of_the_transcription():
    x = planted.probe("bf16", 64)
    _, expected = planted.transcribe("stockham-r4", "bf16", x)
    stages = fp.stages(x, algorithm="stockham-r4", mode="bf16", machine="ieee")
    assert [title for title, _ in stages] == [title for title, _ in expected]
    for (_, values), (_, exact) in zip(stages, expected):
        np.testing.assert_array_equal(values, exact)
    with pytest.raises(ValueError, match="no complete array"):
        fp.stages(x, algorithm="split-radix")
