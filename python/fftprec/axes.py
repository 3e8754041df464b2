"""Finds the axes of an array to transform, and the items for the library."""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from . import _core

_Function = TypeVar("_Function", bound=Callable[..., Any])

_MOST_PADDED = 2**24  # values along an axis

_CARRIERS = {"float16": np.float32, "float32": np.float32, "float64": np.float64,
             "bfloat16": np.float32, "float8_e4m3": np.float32, "float8_e4m3fn": np.float32,
             "float8_e5m2": np.float32, "complex64": np.complex64, "complex128": np.complex128}


def also_called(**names: str) -> Callable[[_Function], _Function]:
    """Lets a function take arguments by other names, too: also_called(alias="name")."""
    def decorate(function: _Function) -> _Function:
        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            return function(*arguments, **{names.get(name, name): value
                                           for name, value in named.items()})
        return cast(_Function, call)
    return decorate


class Cells(dict[str, Any]):
    """The cells of a row; a column has every name that the program's commands know."""

    def __missing__(self, name: str) -> Any:
        shown = _core.shown_name(name)
        if shown == name:
            raise KeyError(name)
        return self[shown]


def as_array(x) -> np.ndarray:
    """x as a NumPy array: also what has __dlpack__ alone, as tensors on the processor have."""
    if not isinstance(x, np.ndarray) and not hasattr(x, "__array__") and hasattr(x, "__dlpack__"):
        return np.from_dlpack(x)
    return np.asarray(x)


def carried(x):
    """The array in the narrowest of float32, float64, complex64, complex128 that holds its values,
    contiguous; x itself if it already is one."""
    x = as_array(x)
    if x.dtype.kind in "biu":
        integers, x = x, x.astype(np.float64)
        if (abs(x) >= 2**53).any():
            raise ValueError(f"dtype {integers.dtype.name}: {integers[abs(x) >= 2**53][0]} is not "
                             "below 2^53, where float64 holds all integers")
    carrier = _CARRIERS.get(x.dtype.name)
    if carrier is None:
        raise ValueError(f"dtype {x.dtype.name}: known: {', '.join(_CARRIERS)}, and integers")
    return np.ascontiguousarray(x, dtype=carrier).reshape(x.shape)


def widened(x):
    """The result of carried(), as complex numbers."""
    if np.iscomplexobj(x):
        return x
    return x.astype(np.complex128 if x.dtype == np.float64 else np.complex64)


def as_complex(x, finite=True):
    x = carried(x)
    if x.size == 0:
        raise ValueError(f"an array of shape {x.shape} has no values")
    if finite and not np.isfinite(x).all():
        raise ValueError("the input holds an infinity or NaN, first at index "
                         f"{tuple(int(i) for i in np.argwhere(~np.isfinite(x))[0])}")
    return widened(x)


def whole(name, value, least=1, most=2**64 - 1):
    if not least <= operator.index(value) <= most:
        raise ValueError(f"{name} = {value} is not a whole number from {least} to {most}")
    return value


@dataclasses.dataclass(frozen=True)
class Items:
    """An array in the library's order: items of a transform, whose axes come last, after the axes of
    the batch."""

    values: np.ndarray
    transform: str  # with keys for its axes
    n: int
    batch: tuple[int, ...]  # the axes of the batch
    result: tuple[int, ...] | None  # the axes of an item's result; None if items share an operand
    places: tuple[int, ...]  # their positions in the result, once the batch axes are removed

    @property
    def count(self) -> int:
        return math.prod(self.batch)

    def back(self, results: np.ndarray) -> np.ndarray:
        """Results of all items, with their axes where the input had them."""
        if self.result is None:
            return results.reshape(*self.batch, -1)
        results = results.reshape(*self.batch, *self.result)
        return np.moveaxis(results, range(len(self.batch), results.ndim), self.places)

    def rows(self, y: np.ndarray) -> np.ndarray:
        """The inverse of back(): one row for each item. y may lack axes of length 1 or have more of
        them. Raises ValueError for another shape of this size; the library reports an array of another
        size."""
        if self.result is None:
            return y.reshape(self.count, -1) if y.size % self.count == 0 else y.reshape(1, -1)
        expected = self.back(np.broadcast_to(0, math.prod(self.batch + self.result))).shape
        if y.size != math.prod(expected):
            return y.reshape(1, -1)
        if [side for side in y.shape if side != 1] != [side for side in expected if side != 1]:
            raise ValueError(f"the result has shape {y.shape}; {self.transform} gives {expected}")
        y = np.moveaxis(y.reshape(expected), self.places,
                        range(len(self.batch), len(expected)))
        return y.reshape(self.count, -1)


def items_of(x: ArrayLike, transform: str, n: int | None = None, s: Sequence[int] | None = None,
             axis: int | None = None, axes: Sequence[int] | None = None) -> Items:
    """The items of x. As in NumPy, x is cut or padded with zeros to the length n along `axis`, or to
    the lengths s along `axes`; for irfft, hfft and similar transforms these are lengths of the
    result."""
    array = as_array(x)
    if array.ndim == 0:
        carried(array)
        raise ValueError("a single number has no transform")
    count = _core.input_axes(transform)
    if count == 0:
        if any(given is not None for given in (s, axis, axes)):
            raise ValueError(f"{transform} takes no axis, axes or s: its items are the last axis")
        last = _core.length(transform, array.shape) if n is None else whole("n", n)
        return Items(as_complex(array), transform, last, array.shape[:-1], None, ())
    chosen = _chosen_axes(array.shape, transform, count, s, axis, axes)
    framed = _core.framed(transform)
    lengths = [array.shape[place] for place in chosen]
    if s is not None:
        if n is not None:
            raise ValueError("n and s: give one of them")
        if len(s) != len(chosen):
            raise ValueError(f"s has {len(s)} lengths for {len(chosen)} axes")
        if framed:
            raise ValueError(f"{transform} takes no s: n is the length of its frames")
        lengths, n = [whole("s", length) for length in s], s[-1]
    last = _core.length(transform, lengths) if n is None else whole("n", n)
    if not framed:
        lengths[-1] = last
        transform = _core.transform_over(transform, lengths)
    item, result = _core.items(transform, last)
    if s is not None and item[:-1] != lengths[:-1]:
        raise ValueError(f"{transform} is not over axes of s = {tuple(s)}")
    for place, length in list(zip(chosen, item))[0 if s is not None else -1:]:
        if not framed:
            array = _resized(array, place, length)
    if [array.shape[place] for place in chosen] != item:
        raise ValueError(f"{transform} of n = {last} takes items of shape {tuple(item)}; x has shape "
                         f"{array.shape}")
    array = as_complex(array)
    batch = tuple(side for place, side in enumerate(array.shape) if place not in chosen)
    values = np.ascontiguousarray(np.moveaxis(array, chosen, range(len(batch), array.ndim)))
    first = sum(place not in chosen for place in range(min(chosen)))
    places = chosen if len(result) == len(chosen) else range(first, first + len(result))
    return Items(values, transform, last, batch, tuple(result), tuple(places))


def _chosen_axes(shape, transform, count, s, axis, axes):
    """The axes of the transform in the given order, as numbers from 0 on."""
    if axis is not None and axes is not None:
        raise ValueError("axis and axes: give one of them")
    if axis is not None:
        axes = (axis,)
    if axes is None:
        last = count or (len(shape) if s is None else len(s))
        if last > len(shape):
            raise ValueError(f"{transform} is over {last} axes; x has shape {shape}")
        return tuple(range(len(shape) - last, len(shape)))
    for each in axes:
        if not -len(shape) <= operator.index(each) < len(shape):
            raise ValueError(f"axis {each} is none of an array of shape {shape}")
    chosen = tuple(each % len(shape) for each in axes)
    if len(set(chosen)) < len(chosen) or not chosen:
        raise ValueError(f"axes = {tuple(axes)}: name one or more axes, each once")
    if count is not None and count != len(chosen):
        raise ValueError(f"{transform} is over {count} axes, not the {len(chosen)} of {tuple(axes)}")
    return chosen


def _resized(x, axis, length):
    """The array cut or padded with zeros to a length along an axis."""
    missing = length - x.shape[axis]
    if missing <= 0:
        return x[(slice(None),) * axis + (slice(length),)]
    if length > _MOST_PADDED:
        raise ValueError(f"{length} values along an axis of {x.shape[axis]}: zeros are added up to "
                         f"{_MOST_PADDED}")
    return np.pad(x, [(0, missing if place == axis else 0) for place in range(x.ndim)])
