"""The pytest fixture `assert_fft`, which judges an FFT by the certified transform of its input:

    def test_mine(assert_fft):
        assert_fft(my_fft(x), x)

pytest finds it if fftprec is installed by pip or as a Debian package; else use pytest -p
fftprec.testing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import _core, predictions
from .arrays import measured
from .axes import as_array, items_of

try:
    import pytest
except ModuleNotFoundError:  # check needs none
    pass
else:
    @pytest.fixture
    def assert_fft() -> Callable[..., None]:
        """The function check of fftprec.testing."""
        return check


def check(y, x, within="expected*2", transform="fft", n=None, norm="backward", dtype=None, *,
          s=None, axis=None, axes=None, **case):
    """Raises AssertionError, with the likely cause, unless y is the transform of x.

    within: as in tolerance(): "expected" or "bound", also with a factor, or the largest ||y - t|| /
    ||t||. Each item of the batch is judged by its norm and, with "expected", by each value. n, s, axis,
    axes, norm: as in measure(). dtype: the type in which y was computed, by default y's. case:
    algorithm, mode, machine and tables of the prediction, as in tolerance(). Raises ValueError for
    wrong arguments.
    """
    __tracebackhide__ = True
    y = as_array(y)
    items = items_of(x, transform, n, s, axis, axes)
    found = measured(y, items, norm, per_bin=True)
    assert not found["not_finite"], f"y is not the {transform} of x: {found['not_finite']}"
    errors = items.rows(found["error"])
    exact = items.rows(y) - errors
    limit = predictions.limit(within, exact, items, y.dtype if dtype is None else dtype, case)
    sizes = np.abs(errors)
    peaks = sizes.max(axis=1)
    norms = peaks * np.linalg.norm(sizes / np.where(peaks > 0, peaks, 1)[:, None], axis=1)
    over = _share(norms, limit.l2)
    item = int(np.argmax(over))
    index = int(np.argmax(sizes[item]))
    if over[item] > 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.linalg.norm(exact[item])
            value, most = norms[item] / scale, np.nan_to_num(limit.l2[item] / scale)
        said = _excess("err_l2_rel", value, most) + (f": {limit.why}" if limit.why else "")
        if limit.rtol:
            said += f"; times {_core.short_number(most / limit.error)}, chance"
    else:
        largest = limit.largest[:, None] + limit.rtol * np.abs(exact)
        over = _share(sizes, largest)
        item, index = (int(i) for i in np.unravel_index(np.argmax(over), over.shape))
        if over[item, index] <= 1 or not limit.rtol:
            return
        said = _excess("|error|", sizes[item, index], largest[item, index]) + \
            f": {limit.why}; times the largest result; {limit.why_more}"
    where = items.rows(np.arange(y.size).reshape(y.shape))[item, index]
    place = np.unravel_index(where, y.shape)
    lines = [f"y is not the {items.transform} of x: for n = {items.n}, item {item} of {items.count}",
             said, f"worst is y[{', '.join(map(str, place))}] = {y[place]}, where "
             f"{exact[item, index]} is true"]
    raise AssertionError("\n  ".join(lines + [found["suspicion"]] * bool(found["suspicion"])))


def _share(errors, limits):
    """Errors relative to their limits: 0 for no error, infinity if none is allowed."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(errors / limits, nan=0.0, posinf=np.inf)


def _excess(name, value, most):
    short = _core.short_number
    times = short(value / most) if most else "inf"
    return f"{name} = {short(value)} is {times} times the limit {short(most)}"
