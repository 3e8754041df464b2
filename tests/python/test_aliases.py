"""Names that have two: arguments, modes and columns by either."""

import numpy as np
import pytest

import fftprec as fp


def test_arguments_and_modes_have_two_names():
    x = np.exp(2j * np.pi * np.arange(64) / 7).astype(np.complex64)
    for this, other in [({"mode": "fast"}, {"mode": "fp32"}), ({"mode": "double"}, {"mode": "fp64"}),
                        ({"mode": "bf16", "store": "stage"}, {"mode": "bf16", "rounding_points": "stage"})]:
        assert np.array_equal(fp.compute(x, **this), fp.compute(x, **other))
        assert fp.predict(64, **this) == fp.predict(64, **other)
    assert fp.predict(64, mode="bf16", store="stage") != fp.predict(64, mode="bf16")


def test_cells_of_columns_have_two_names():
    row, = fp.run(mode="bf16", rounding_points="stage", n=16)
    assert row["store"] == row["rounding_points"] == "stage"
    assert row["mac_count"] == row["real_multiplications"] > 0
    found = fp.predict(64)
    assert found["mac_count"] == found["real_multiplications"] > 0
    with pytest.raises(KeyError, match="no_column"):
        row["no_column"]
