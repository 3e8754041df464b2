"""Words of fixed point, in two's complement as hardware keeps them."""

from __future__ import annotations  # so that help() shows ArrayLike, not its definition

import csv
import json
import os
import tempfile
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .axes import as_array, as_complex
from .commands import output
from .rows import Axis, case_words

Path = str | os.PathLike[str]


def to_words(x: ArrayLike, format: str = "q1.15", layout: str = "interleaved",
             exponent: int = 0) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
    """The words of values: k for k 2^(exponent - F) of qI.F.

    x: values of the format times 2^exponent. layout, of complex x: "interleaved" adds a last axis (re,
    im), "packed" makes one word {re, im} of twice the bits, "split" returns two arrays. Returns the
    narrowest signed integers that hold the words. Raises ValueError for a value that is not on the grid
    or beyond the range, such as values that round() has not rounded to the format.
    """
    values = as_array(x)
    re = _words(values.real, format, exponent)
    if not np.iscomplexobj(values) and layout in ("interleaved", "real"):
        return re
    im = _words(np.imag(values), format, exponent)
    if layout == "real":
        raise ValueError("the layout real is for real values")
    if layout == "split":
        return re, im
    if layout == "interleaved":
        return np.stack([re, im], axis=-1)
    bits = _checked_packed(layout, format)
    packed = (re.astype(np.int64) << bits) | (im.astype(np.int64) & ((1 << bits) - 1))
    return packed.astype(_integers(2 * bits))


def from_words(words: ArrayLike | tuple[ArrayLike, ArrayLike], format: str = "q1.15",
               layout: str = "interleaved", exponent: int = 0) -> np.ndarray:
    """The values of words, the inverse of to_words(): complex128, for the layout "real" float64. Raises
    ValueError for words beyond the format."""
    if layout == "split":
        re, im = words  # type: ignore[misc]
        return _values(re, format, exponent) + 1j * _values(im, format, exponent)
    array = as_array(words)
    if layout == "real":
        return _values(array, format, exponent)
    if layout == "interleaved":
        if array.ndim == 0 or array.shape[-1] != 2:
            raise ValueError(f"interleaved words have a last axis of 2; this shape is {array.shape}")
        return _values(array[..., 0], format, exponent) + 1j * _values(array[..., 1], format, exponent)
    bits = _checked_packed(layout, format)
    both = array.astype(np.int64)
    im = (both & ((1 << bits) - 1)) - ((both >> (bits - 1) & 1) << bits)
    re = both >> bits
    re = (re & ((1 << bits) - 1)) - ((re >> (bits - 1) & 1) << bits)
    return _values(re, format, exponent) + 1j * _values(im, format, exponent)


def _words(x, format, exponent):
    words = _core.words_of(np.ascontiguousarray(x, np.float64), format, exponent)
    return words.astype(_integers(_core.format_bits(format)))


def _values(words, format, exponent):
    array = as_array(words)
    if array.dtype.kind not in "iu":
        raise ValueError(f"words are integers, not {array.dtype}")
    return _core.values_of_words(np.ascontiguousarray(array, np.int64), format, exponent)


def _integers(bits):
    return next(np.dtype(f"i{size}") for size in (1, 2, 4, 8) if bits <= 8 * size)


def _checked_packed(layout, format):
    if layout != "packed":
        raise ValueError(f"unknown layout of words {layout!r}; known: interleaved, packed, split, real")
    bits = _core.format_bits(format)
    if 2 * bits > 64:
        raise ValueError(f"two parts of {format} do not fit an integer of 64 bits")
    return bits


def read_words(path: Path, format: str = "q1.15", layout: str = "interleaved",
               exponents: Path | None = None) -> np.ndarray:
    """The values of a file of words: .hex, .mem (as $readmemh reads them), .csv or integers in .npy.
    exponents: the file of their block exponents; default x.exponents.csv beside x.hex, if it is there. Returns complex128, for the layout "real" float64.
    Raises ValueError, with the line, for anything but words of the format."""
    values = _core.read_words(os.fspath(path), format, layout, os.fspath(exponents or ""))
    return values.real if layout == "real" else values


def write_words(path: Path, x: ArrayLike, format: str = "q1.15",
                layout: str = "interleaved") -> None:
    """Writes values as words, by the ending of the path: .hex, .mem, .csv or .npy; with the layout
    "split" two files, x_re.hex and x_im.hex for x.hex. Raises ValueError as to_words()."""
    values = as_complex(x)
    _core.write_words(os.fspath(path), values.reshape(-1), list(values.shape), format, layout)


def vectors(out: Path, *, format: str = "hex", layout: str | None = None,
            **axes: Axis) -> dict[str, Any]:
    """Writes the test vectors of a fixed-point case into the directory `out`, as `fftprec vectors` does:
    twiddles, and for each seed input, stages and output as words.

        fp.vectors("v", mode="q1.15", scale="stage:1/2", n=64, input="uniform", seed=[1, 2])

    format: "hex", "mem", "npy" or "csv"; layout: that of the words. Returns the manifest. Raises
    ValueError for a case without words or meaning."""
    words: Iterable[str] = ["--layout", layout] if layout else []
    output("vectors", *case_words(axes), "-o", out, "--format", format, *words)
    with open(os.path.join(out, "manifest.json"), encoding="utf-8") as file:
        return json.load(file)


def overflows(x: ArrayLike | None = None, **axes: Axis) -> list[dict[str, Any]]:
    """The results that leave the range when a fixed-point case runs, on x or on its input: dictionaries
    with the stage, index in the stage's array of the whole batch (None where another array has it), part
    ("re", "im"), value before it was brought into the range, and by how much it is beyond.

        fp.overflows(mode="q1.15", n=256, input="uniform")
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "overflows.csv")
        words = []
        if x is not None:
            given = os.path.join(folder, "x.npy")
            np.save(given, as_complex(x))
            words = ["--input", given]
        output("compute", *case_words(axes), *words, "-o", os.path.join(folder, "y.npy"),
               "--overflows", path)
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    for row in rows:
        for name, kind in (("index", int), ("value", float), ("beyond", float)):
            row[name] = kind(row[name]) if row[name] else None
    return rows
