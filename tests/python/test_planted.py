"""The transcriptions of planted.py have fftprec's bits, and their faults change them."""

import csv
import functools
import os
import subprocess

import numpy as np
import planted
import pytest

PROGRAM = os.environ.get("FFTPREC_PROGRAM")
CASES = [(algorithm, format) for algorithm in planted.ALGORITHMS for format in planted.FORMATS]


def computed(algorithm, format, x, folder):
    """The result of `fftprec compute` and its stages, [(title, array), ...]."""
    np.save(folder / "x.npy", x)
    case = {"algorithm": algorithm, "mode": format, "machine": "ieee"}
    if format == "q1.15":
        case["scale"] = "stage:1/2"
    words = [word for name, value in case.items() for word in ("-a", f"{name}={value}")]
    subprocess.run([PROGRAM, "compute", *words, "--input", folder / "x.npy", "-o", folder / "y.npy",
                    "--stages", folder / "stages"], check=True)
    with open(folder / "stages" / "stages.csv", newline="") as file:
        stages = [(row["stage"], np.load(folder / "stages" / row["file"])) for row in csv.DictReader(file)]
    return np.load(folder / "y.npy"), stages


@pytest.mark.skipif(not PROGRAM, reason="FFTPREC_PROGRAM names no program")
@pytest.mark.parametrize("algorithm, format", CASES)
def test_a_healthy_transcription_has_the_bits_of_fftprec(algorithm, format, tmp_path):
    for n in (4, 256):
        folder = tmp_path / str(n)
        folder.mkdir()
        x = planted.probe(format, n, seed=n)

        y, stages = planted.transcribe(algorithm, format, x)

        expected, expected_stages = computed(algorithm, format, x, folder)
        np.testing.assert_array_equal(y, expected)
        assert [title for title, _ in stages] == [title for title, _ in expected_stages]
        for (title, values), (_, expected_values) in zip(stages, expected_stages):
            np.testing.assert_array_equal(values, expected_values, err_msg=title)


@pytest.mark.parametrize("algorithm, format", CASES)
def test_every_kind_of_fault_changes_the_outputs_it_names_alone(algorithm, format):
    n = 256 if algorithm == "four-step" else 64
    rng = np.random.default_rng(5)
    x = planted.probes(format, n, seeds=range(11, 19))
    healthy, healthy_stages = planted.transcribe(algorithm, format, x)
    kinds = planted.kinds_of(algorithm, format, n)
    assert len(kinds) >= 12
    for kind in kinds:
        moved = 0
        for _ in range(2):
            fault = planted.draw_fault(rng, algorithm, format, n, kind)
            y, stages = planted.transcribe(algorithm, format, x, fault)

            changed = np.flatnonzero((y != healthy).any(axis=0))
            assert set(changed) <= set(fault.affected), fault
            assert fault.kind == kind and 1 <= fault.stage <= len(stages)
            assert f"stage {fault.stage}" in fault.culprit
            first = [bool((a != b).any()) for (_, a), (_, b) in zip(stages, healthy_stages)]
            assert not any(first[:fault.stage - 1]), fault
            moved += len(changed) > 0
        assert moved, fault  # on other data than those for which it was drawn


def test_the_transform_is_linear_in_a_batch():
    x = np.stack([planted.probe("fp32", 64, seed) for seed in (1, 2)])
    for algorithm in planted.ALGORITHMS:
        together = planted.transcribe(algorithm, "fp32", x)[0]
        for row, alone in zip(together, x):
            np.testing.assert_array_equal(row, planted.transcribe(algorithm, "fp32", alone)[0])


def test_a_fault_can_be_drawn_again():
    draw = functools.partial(planted.draw_fault, algorithm="four-step", format="bf16", n=256)
    assert draw(np.random.default_rng(3)) == draw(np.random.default_rng(3))


def test_names_that_are_not_known_are_refused():
    x = np.zeros(8)
    for wrong, word in [(lambda: planted.transcribe("radix3", "bf16", x), "radix2-dit"),
                        (lambda: planted.transcribe("radix2-dit", "bf17", x), "bf16"),
                        (lambda: planted.transcribe("stockham-r4", "bf16", x), "power of 4"),
                        (lambda: planted.transcribe("radix2-dit", "bf16", np.zeros(6)), "n = 6"),
                        (lambda: planted.draw_fault(np.random.default_rng(1), "dft-gemm", "fp32", 16,
                                                    "no-twiddles"), "entry-negated")]:
        with pytest.raises(ValueError, match=word):
            wrong()
