"""The pytest fixture `assert_fft`, which judges an FFT by the certified transform of its input:

    def test_mine(assert_fft):
        assert_fft(my_fft(x), x, within="expected*4")

Installed by pip or as a Debian package, pytest finds it; else pytest -p fftprec.testing.
"""

import math
import numbers
from collections.abc import Callable

import numpy as np

from . import _core, predictions
from .arrays import given, measure

try:
    import pytest
except ModuleNotFoundError:  # check needs none
    pass
else:
    @pytest.fixture
    def assert_fft() -> Callable[..., None]:
        """The function check of fftprec.testing."""
        return check


def check(y, x, within="expected*4", transform="fft", n=None, norm="backward", dtype=None, **case):
    """AssertionError, with what is needed to begin with, unless y is the transform of x.

    within: the largest ||y - t|| / ||t|| of each item of the batch: a number, or "expected" or
    "bound" of the case, also with a factor. The model of "expected" speaks of input like noise, so
    then no single value may err by more either than such errors do once in a million tests.
    dtype: what y was computed in; that of y unless given. case: algorithm, mode, machine and tables
    to predict by, as in tolerance().
    Raises ValueError for what is wrong with the question.
    """
    __tracebackhide__ = True
    y = np.asarray(y)
    found = measure(y, x, transform, n, norm, per_bin=True)
    x, n, _ = given(x, transform, n)
    assert not found["not_finite"], f"y is not the {transform} of x: {found['not_finite']}"
    axes = len(_core.items(transform, n)[0]) or 1
    batch = math.prod(x.shape[:-axes])
    limit, is_model, source = float(within) if isinstance(within, numbers.Real) else None, False, ""
    if limit is None:
        case = predictions.usual_case(n, y.dtype if dtype is None else dtype, case)
        predicted = predictions.predict(n, transform, **case)
        limit, is_model = predictions.limit_of(within, predicted)
        source = f", {within} of {predictions.text_of(case)}"
    errors = found["error"].reshape(batch, -1)
    exact = y.reshape(batch, -1) - errors
    sizes = np.linalg.norm(exact, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.nan_to_num(np.linalg.norm(errors, axis=1) / sizes, posinf=np.inf)
        item = int(np.argmax(each))
        index = int(np.argmax(np.abs(errors[item])))
        if each[item] > limit:
            said = _excess("err_l2_rel", each[item], limit) + source
        elif is_model:
            times = predictions.largest_of(errors.size, np.isrealobj(errors))
            largest = (limit * times / math.sqrt(exact.shape[1])) * sizes[:, None] \
                + predicted["unit_roundoff"] * np.abs(exact)
            over = np.nan_to_num(np.abs(errors) / largest)
            item, index = (int(i) for i in np.unravel_index(np.argmax(over), over.shape))
            if over[item, index] <= 1:
                return
            said = _excess("|error|", np.abs(errors[item, index]), largest[item, index]) + \
                f", {_core.short_number(times)} RMS errors by {within} of {predictions.text_of(case)}"
        else:
            return
    place = np.unravel_index(item * errors.shape[1] + index, y.shape)
    lines = [f"y is not the {transform} of x: for n = {n}, item {item} of {batch}", said,
             f"worst is y[{', '.join(map(str, place))}] = {y[place]}, where "
             f"{exact[item, index]} is true"]
    raise AssertionError("\n  ".join(lines + [found["suspicion"]] * bool(found["suspicion"])))


def _excess(name, value, limit):
    short = _core.short_number
    return f"{name} = {short(value)} is {short(value / limit if limit else math.inf)} times the limit {short(limit)}"
