"""fp.identify on functions of NumPy."""

import numpy as np
import pytest

import fftprec as fp


def in_order(a, b):
    d = np.zeros((a.shape[0], b.shape[1]), np.float32)
    with np.errstate(all="ignore"):
        for k in range(a.shape[1]):
            d += a[:, k:k + 1] * b[k]
    return d


def test_a_loop_of_fp32_sums_is_the_machine_ieee():
    text = fp.identify(in_order, operands="fp32", k=[16])

    assert text.passed
    assert "Agrees in every bit: ieee\n" in text
    assert "machine.toml" not in text


def test_sums_in_fp64_fit_no_machine():
    def wide(a, b):
        with np.errstate(all="ignore"):
            return a.astype(float) @ b.astype(float)

    text = fp.identify(wide, operands="fp32", m=8, n=8, k=[16])

    assert not text.passed
    assert "No machine fits" in text and "exact" in text


def test_a_result_of_another_shape_is_an_error():
    with pytest.raises(ValueError, match=r"D.npy: shape \(16, 64\), not \(64, 64\)"):
        fp.identify(lambda a, b: in_order(a, b)[:16], k=[16])


def test_unknown_operands_are_an_error():
    with pytest.raises(ValueError, match="unknown format 'bf61'"):
        fp.identify(in_order, operands="bf61")
