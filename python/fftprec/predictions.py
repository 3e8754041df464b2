"""Predictions by theory: errors, work, and tolerances for tests."""

from __future__ import annotations  # so that help() shows ArrayLike, not its definition

import dataclasses
import itertools
import math
import numbers
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .arrays import round as rounded
from .axes import Cells, also_called, items_of, whole
from .html import table

_MODES = {"float64": "fp64", "complex128": "fp64", "float32": "fp32", "complex64": "fp32",
          "float16": "fp16", "bfloat16": "bf16"}
_BLUESTEIN_FROM = 17  # libraries use convolutions for larger prime factors
# Transforms whose data between stages _crowding() does not form.
_UNSTUDIED = re.compile(r"(dct[14]|dst\d|hartley|i?mdct)\b")
_SURE = 1e-6  # how often a limit may be too small


class Prediction(Cells):
    """A prediction by name; its HTML is a table."""

    def _repr_html_(self):
        return table(self.items())


@also_called(store="rounding_points")
def predict(n: int, transform: str = "fft", algorithm: str = "radix2-dit", mode: str = "fp32",
            machine: str = "trn", tables: str = "exact", batch: int = 1, rounding_points: str = "op",
            scale: str = "none") -> Prediction:
    """Predictions for a case whose input uses all bits of fp32.

    expected_l2_rel: the error ||y - t|| / ||t|| of noise-like input (RMS model); bound_l2_rel: the
    worst case by the theorem bound_name; bound_prob_l2_rel: random roundings exceed it with probability
    <= 1e-6; expected_gain: 1 minus the losses by truncation and tables. None if there is no model
    or no theorem. Bounds hold for the data that make them largest; the bounds of a row may be smaller.
    unit_roundoff: of the results' format.
    operations: real products and sums, each rounded; conversions: other roundings;
    real_multiplications: real products of data and table; matmul_passes, kernel_calls, tensor_cycles,
    vector_cycles: on a Trainium core. Counts are for the whole batch. Raises ValueError for unknown
    names, and for a case that makes no sense, with the reason.
    """
    case = {"transform": transform, "algorithm": algorithm, "mode": mode, "machine": machine,
            "tables": tables, "rounding_points": rounding_points, "scale": scale}
    return Prediction(_core.predict(whole("n", n), whole("batch", batch), case))


def usual_case(lengths, dtype, case=()):
    """The default case to compare a library's FFT in a dtype with: an algorithm for axes of these
    lengths and the mode with this dtype. `case` overrides it."""
    name = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    name = np.dtype(dtype).name if isinstance(dtype, type) else name
    if "mode" not in case and name not in _MODES:
        raise ValueError(f"dtype {name}: known: {', '.join(_MODES)}; or give a mode")
    largest = max([1, *itertools.chain(*map(_prime_factors, lengths))])
    return {"algorithm": "radix2-dit" if largest <= 2
            else "mixed-radix" if largest < _BLUESTEIN_FROM else "bluestein", "mode": _MODES.get(name), "machine": "ieee", **dict(case)}


def text_of(case):
    return f"{case['algorithm']} in {case['mode']} on {case['machine']}"


def _prime_factors(n):
    """The prime factors of n in ascending order, with multiplicity."""
    factors, factor = [], 1
    while n > 1:
        factor = factor + 1 if factor * factor <= n else n
        while n % factor == 0:
            n //= factor
            factors.append(factor)
    return factors


def limit_of(within, predicted):
    """The value of a text such as "expected*4" or "bound", and whether it comes from the noise
    model."""
    found = re.fullmatch(r"(expected|bound)(?:\s*\*\s*([0-9.eE+-]+))?", str(within).strip())
    try:
        factor = float(found[2] or 1)
    except (TypeError, ValueError):
        factor = math.nan
    if not 0 < factor < math.inf:
        raise ValueError(f"within {within!r}: known: expected, bound, also times a factor above 0, "
                         "as expected*2, and a number from 0 on")
    value = predicted[f"{found[1]}_l2_rel"]
    if value is None:
        raise ValueError(f"within {within!r}: this case has no {found[1]} error")
    return value * factor, found[1] == "expected"


def largest_of(count, real):
    """The largest of `count` noise-like errors over their RMS, exceeded once in a million tests: for
    complex errors sqrt(ln(count / p)), for real errors sqrt(2 ln(2 count / p))."""
    return math.sqrt(2 * math.log(2 * count / _SURE) if real else math.log(count / _SURE))


def _of_data(predicted, values, case):
    """The prediction for these data. It counts that data are rounded to the mode's format, an error that
    passes undiminished into the result: its square is a summand. Data in that format lack it."""
    format = case["mode"].partition(":")[0]
    error = predicted["expected_l2_rel"]
    if not error or format not in _core.formats() or not (rounded(values, format) == values).all():
        return predicted, ""
    input_error = predict(1, **{**case, "algorithm": "radix2-dit"})["expected_l2_rel"] or 0.0
    without = math.sqrt(max(error**2 - input_error**2, 0.0))
    return {**predicted, "expected_l2_rel": without}, f" from {format}" if input_error else ""


@dataclasses.dataclass(frozen=True)
class Limit:
    """The allowed errors of each item's results: `l2` in the norm, and `largest` plus rtol times its
    size for each result."""

    l2: np.ndarray
    largest: np.ndarray
    rtol: float
    error: float   # relative to the norm of the results, before it is spread
    why: str
    why_more: str  # what is added for one value


def _stages(x, axis):
    """The intermediate data of an FFT along an axis of x: after partial transforms whose lengths are
    products of the prime factors of n in ascending or descending order. Only twiddles come between
    them, so every order of decimation has arrays with these moduli. For lengths that need it, also the
    data that Bluestein's algorithm transforms twice."""
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    primes = _prime_factors(n)
    for length in {math.prod(order[:count]) for order in (primes, primes[::-1])
                   for count in range(len(primes) + 1)}:
        yield np.fft.fft(x.reshape(*x.shape[:-1], length, n // length), axis=-2)
    if primes and primes[-1] >= _BLUESTEIN_FROM:
        chirp = np.exp(1j * np.pi * (np.arange(n)**2 % (2 * n)) / n)
        for each in (chirp, chirp.conj()):
            yield np.fft.fft(x * each, 2 ** (2 * n - 2).bit_length())


def _crowding(items, exact):
    """How concentrated an item's data are in the worst stage: the largest share of sum |v|^2 in one
    number, and the root of the sum of the squares of all shares."""
    data = items.values.reshape(items.count, *items.values.shape[len(items.batch):])
    data = data / max(np.abs(data).max(), np.finfo(float).tiny)
    results = exact.reshape(items.count, *items.result)
    seen = [data, results]
    if not _core.framed(items.transform):
        if np.isrealobj(exact) and data.shape == results.shape:  # a cosine transform reorders data
            data, results = (np.concatenate([x[..., ::2], x[..., 1::2][..., ::-1]], -1)
                             for x in (data, results))
        if np.isrealobj(exact):
            seen += _stages(results, -1)
            data = np.fft.fftn(results, axes=range(1, results.ndim))  # the spectrum of both sides
        for axis in range(data.ndim - 1, 0, -1):
            seen += _stages(data, axis)
            data = np.fft.fft(data, axis=axis)
    most, squares = np.zeros(items.count), np.zeros(items.count)
    for array in seen:
        shares = np.abs(array).reshape(items.count, -1) ** 2
        total = shares.sum(axis=1)[:, None]
        shares /= np.where(total > 0, total, 1)
        most = np.maximum(most, shares.max(axis=1))
        squares = np.maximum(squares, np.linalg.norm(shares, axis=1))
    return most, squares


def _longest_sum(algorithm, n):
    """The most terms of one sum of an algorithm, or 0 if they are only the few of a small radix."""
    name = algorithm.partition(":")[0]
    if name in ("dft-gemm", "direct", "row-column", "good-thomas") or "base=" in algorithm \
            or "inner=dft-gemm" in algorithm:
        return n
    if name in ("four-step", "auto"):
        return min(n, 256)
    largest = max([1, *_prime_factors(n)])
    return largest if name == "mixed-radix" and largest >= _BLUESTEIN_FROM else 0


def limit(within, exact, items, dtype, case):
    """The Limit of exact results, one row for each item.

    A number or "bound" limits the norm; one value may have all of the error. "expected" is a model: the
    numbers of a stage have independent normal errors, each proportional to its number with one
    constant, which sum up to expected ||y||.

    For one value: the error of a number passes undiminished into the results computed from it. So for
    each stage the mean square of a result's error is the mean square of a group of numbers, and by
    Parseval's equation of a group of results, times the constant: expected^2 max |y|^2 at most.
    For the norm: the square is a sum of squares, by Laurent and Massart (Annals of Statistics 28, 2000,
    lemma 1) at most 1 + 2 |w| sqrt(t) + 2 max(w) t times its mean except with probability exp(-t),
    where w are the shares of the squares (for real squares; half as large if they come in pairs). The
    shares are large if a stage concentrates the data in few numbers, as for an impulse, a tone, or a
    chirp.

    A long sum of equal terms, as a matrix product makes of a constant or a tone, errs otherwise: while
    the sum is in one binade all errors are equal, so they add up like their number, not like its root.
    Of d terms w_k x_k with sum y and |w_k| = 1, a share m = |y|^2 / (d sum |x_k|^2) is equal if the
    others are 0. The partial sums of m d equal complex terms have moduli of m d |y| / 2 in all, and
    each is formed by two sums for either part, so their errors are at most u m d |y| together. Both
    limits allow for it, with the largest m of any stage.
    """
    peaks = np.abs(exact).max(axis=1)
    scaled = exact / np.where(peaks > 0, peaks, 1)[:, None]
    sizes = np.linalg.norm(scaled, axis=1)
    if isinstance(within, numbers.Real):
        if not 0 <= within < math.inf:
            raise ValueError(f"within {within!r}: a limit is a number from 0 on")
        return Limit(within * sizes * peaks, within * sizes * peaks, 0.0, within, "", "")
    if items.result is None and str(within).lstrip().startswith("expected"):
        raise ValueError(f"within {within!r}: errors of {items.transform} depend on more than the size "
                         "of its results; give a number")
    if _UNSTUDIED.match(items.transform) and str(within).lstrip().startswith("expected"):
        raise ValueError(f"within {within!r}: how the stages of {items.transform} spread single errors "
                         "is not known; give a number")
    lengths = [*items.values.shape[len(items.batch):-1], items.n]
    case = usual_case(lengths, dtype, case)
    predicted = predict(items.n, items.transform, batch=items.count, **case)
    predicted, source = _of_data(predicted, items.values, case)
    error, is_model = limit_of(within, predicted)
    short = _core.short_number
    why = f"{short(error)}, {within} of {text_of(case)}{source if is_model else ''}"
    if not is_model:
        return Limit(error * sizes * peaks, error * sizes * peaks, 0.0, error, why, "")
    of_reals = np.isrealobj(exact) or not items.values.imag.any()
    doubt = math.log(items.count / _SURE) * (2 if of_reals else 1)
    most, squares = _crowding(items, scaled)
    spread = np.sqrt(1 + math.sqrt(2 * doubt) * squares + doubt * most)
    times = largest_of(exact.size, np.isrealobj(exact))
    equal = predicted["unit_roundoff"] * most * _longest_sum(case["algorithm"], max(lengths))
    return Limit((error * spread + equal) * sizes * peaks, (error * times + equal) * peaks,
                 predicted["unit_roundoff"], error, why,
                 f"times {short(times)}, the largest error of {exact.size}")


class Tolerance(dict[str, float]):
    """rtol and atol, for assert_allclose(y, exact, **tolerance). `reasons` explains both."""

    def __init__(self, reasons, **limits):
        super().__init__(limits)
        self.reasons = reasons

    def __repr__(self):
        return "\n".join(f"{name} = {_core.short_number(self[name])}: {reason}"
                         for name, reason in self.reasons.items())

    def _repr_html_(self):
        return table((name, self[name], reason) for name, reason in self.reasons.items())


def tolerance(x: ArrayLike, dtype: Any = None, transform: str = "fft", n: int | None = None,
              norm: str | None = "backward", within: str | float = "expected*2", *,
              s: Sequence[int] | None = None, axis: int | None = None,
              axes: Sequence[int] | None = None, **case: str) -> Tolerance:
    """Tolerances for a test that compares the FFT of x, computed in `dtype`, with the exact transform,
    or with an FFT in a wider dtype: assert_allclose(y, exact, **tolerance(x, dtype)).

    dtype: by default x's, for integers float64. n, s, axis, axes, norm: as in measure(). within:
    "expected", the RMS error that theory expects, spread over the results of x as unevenly as an FFT
    can spread it, and exceeded once in a million tests; "bound", the far larger worst case; both also
    with a factor ("expected*2" leaves room for an algorithm other than the predicted one); or a number,
    the largest ||y - t|| / ||t||. rtol and atol are the tolerances of a single value; atol is for the
    item with the largest results. assert_fft also checks each item's own limit and its norm. All hold
    unless products underflow, as for float32 data of 1e-39. case: algorithm, mode and machine of the
    prediction; by default radix-2, mixed-radix or Bluestein, depending on n, the mode with this dtype,
    and IEEE arithmetic. Raises ValueError for unknown names, and if there is no model or no theorem.
    """
    if np.ndim(x) == 0 and np.asarray(x).dtype.kind in "biuf":
        raise ValueError(f"tolerance of {x!r}: it takes the data that are transformed, not their length, "
                         "since errors depend on them")
    items = items_of(x, transform, n, s, axis, axes)
    if dtype is None:
        given = np.asarray(x).dtype
        dtype = np.dtype(np.float64) if given.kind in "biu" else given
    exact = _core.truth(items.values, items.transform, items.n)["value"].reshape(items.count, -1)
    if norm not in (None, "backward"):
        name = items.transform, items.n
        exact = exact * (_core.noise_gain(*name, norm) / _core.noise_gain(*name, "backward"))
    found = limit(within, exact, items, dtype, case)
    place = int(np.argmax(found.largest))
    short = _core.short_number
    if found.rtol:
        size = np.abs(exact[place]).max()
        why = f"{found.why}; times {short(size)}, the largest result; {found.why_more}"
    else:
        size = np.linalg.norm(exact[place])
        why = f"{found.why or within}; times {short(size)}, the norm of the results; all of it in one"
    format = {2.0**-53: "fp64", 2.0**-24: "fp32", 2.0**-11: "fp16",
              2.0**-8: "bf16"}.get(found.rtol, "the results")
    return Tolerance({"rtol": f"unit roundoff of {format}: each result is stored once" if found.rtol
                      else "atol is all", "atol": why},
                     rtol=found.rtol, atol=float(found.largest[place]))
