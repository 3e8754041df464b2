"""Words of fixed point: arrays, files and test vectors."""

import json

import numpy as np
import pytest

import fftprec as fp


def test_words_of_values_are_twos_complement():
    x = np.array([0.5 - 0.25j, -1 + 0.75j])
    assert fp.to_words(x, "q1.2").tolist() == [[2, -1], [-4, 3]]
    assert fp.to_words(x, "q1.2").dtype == np.int8
    assert fp.to_words(x, "q1.2", "packed").tolist() == [0b010111, 0b100011 - 64]
    assert fp.to_words(x.real, "q1.15").tolist() == [16384, -32768]
    assert fp.to_words([6.0], "q1.15", exponent=3).tolist() == [24576]


@pytest.mark.parametrize("layout", ["interleaved", "packed", "split"])
@pytest.mark.parametrize("format", ["q1.15", "Q2.22", "int8"])
def test_values_come_back_from_their_words(layout, format):
    x = fp.round(fp.input("uniform", n=64).astype(complex) * 0.99, format)
    assert (fp.from_words(fp.to_words(x, format, layout), format, layout) == x).all()


def test_what_is_no_word_is_refused():
    with pytest.raises(ValueError, match="0.3 is no value of q1.15"):
        fp.to_words([0.3])
    with pytest.raises(ValueError, match="word 40000 is beyond q1.15"):
        fp.from_words([40000], layout="real")
    with pytest.raises(ValueError, match="words are integers, not float64"):
        fp.from_words([0.5], layout="real")
    with pytest.raises(ValueError, match="unknown layout of words 'packt'"):
        fp.to_words([0.5j], layout="packt")


@pytest.mark.parametrize("ending", ["hex", "mem", "csv", "npy"])
def test_files_give_back_what_was_written(tmp_path, ending):
    x = fp.round(fp.input("uniform", n=8, batch=2).astype(complex) * 0.99, "q1.15")
    fp.write_words(tmp_path / f"x.{ending}", x)
    y = fp.read_words(tmp_path / f"x.{ending}")
    assert (y.reshape(x.shape) == x).all()


def test_vectors_are_what_compute_gives(tmp_path):
    case = {"mode": "q1.15", "scale": "stage:1/2", "n": 16, "input": "uniform"}
    manifest = fp.vectors(tmp_path / "v", format="npy", layout="split", seed=[3, 4], **case)
    assert manifest == json.loads((tmp_path / "v" / "manifest.json").read_text())
    assert manifest["data"] == {"format": "q1.15", "bits": 16, "fraction_bits": 15}
    assert [each["seed"] for each in manifest["vectors"]] == [3, 4]
    for each in manifest["vectors"]:
        x = fp.read_words(tmp_path / "v" / f"seed_{each['seed']}" / "input.npy", layout="split")
        y = fp.read_words(tmp_path / "v" / f"seed_{each['seed']}" / "output.npy", layout="split")
        assert (x == fp.round(fp.input("uniform", n=16, seed=each["seed"]).astype(complex), "q1.15")).all()
        assert (16 * y == fp.compute(x, mode="q1.15", scale="stage:1/2")).all()


def test_overflows_say_where_and_by_how_much():
    case = {"algorithm": "radix2-dit", "mode": "q1.15", "n": 16}
    assert fp.overflows(scale="stage:1/2", input="uniform:low=-0.5:high=0.5", **case) == []
    x = np.full(16, 0.75 + 0j)
    first = fp.overflows(x, **case)[0]
    assert first == {"stage": "butterflies, stage 1", "index": 0, "part": "re",
                     "value": 0.75 + 24575 / 2**15, "beyond": 0.75 + 24575 / 2**15 - 32767 / 2**15}


def test_exponents_beside_words_are_read(tmp_path):
    path = tmp_path / "y.hex"
    fp.write_words(path, np.array([0.5, -0.25 + 0.5j]), "q1.15")
    (tmp_path / "y.exponents.csv").write_text("first,re,im\n0,2,2\n1,3,3\n")
    np.testing.assert_array_equal(fp.read_words(path, "q1.15"), [2, -2 + 4j])
    fp.write_words(path, np.array([0.5, -0.25]), "q1.15")
    np.testing.assert_array_equal(fp.read_words(path, "q1.15"), [0.5, -0.25])
