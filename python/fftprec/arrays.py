"""Functions on arrays: rounding, transforms, truths and measures."""

from __future__ import annotations  # so that help() shows ArrayLike, not its definition

import contextlib
import csv
import dataclasses
import itertools
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .axes import also_called, as_array, as_complex, carried, items_of, whole, widened
from .commands import Text, judged, output
from .html import preformatted, table
from .programs import named

@dataclasses.dataclass(frozen=True)
class Format:
    """A binary floating-point format: values +-m 2^(e - precision + 1), m < 2^precision,
    emin <= e <= emax. overflow: "infinity", "saturate" or "nan"."""

    precision: int
    emin: int
    emax: int
    subnormals: bool = True
    overflow: str = "infinity"

    def __str__(self):
        return (f"custom(p={self.precision},emin={self.emin},emax={self.emax},"
                f"subnormals={str(self.subnormals).lower()},overflow={self.overflow})")


def round(x: ArrayLike, format: str | Format, rounding: str = "rne", bits: int = 32,
          seed: int = 1) -> np.ndarray:
    """Each value rounded once to a format.

    x: array of any shape; format: a name of formats(), a number system such as "posit16", or a Format;
    rounding: a name of roundings(), or of IEEE P3109; bits, seed: the number and the seed of the random
    bits of "sr", "sr:b" and "sr:c".
    Returns an array of x's shape: float32, float64, complex64 or complex128, whichever holds x. Raises
    ValueError for an unknown name and for a format with values that this type does not hold.
    """
    values = carried(x)
    whole("bits", bits, most=53)
    whole("seed", seed, least=0)
    if np.iscomplexobj(values):
        parts = np.float32 if values.dtype == np.complex64 else np.float64
        return _core.round(values.reshape(-1).view(parts), str(format), rounding, bits,
                           seed).view(values.dtype).reshape(values.shape)
    return _core.round(values, str(format), rounding, bits, seed)


def input(kind: str, n: int, batch: int | None = None, seed: int = 1,
          transform: str = "fft") -> np.ndarray:
    """The input of a case. kind: a name of inputs(). Returns complex64, for a transform of real data
    float32, of shape (n,) or (batch, n); a transform over several axes has its axes after the batch."""
    items = 1 if batch is None else whole("batch", batch)
    values = _core.input(kind, whole("n", n), items, whole("seed", seed, least=0), transform)
    item = _core.items(transform, n)[0] or [values.size // items]
    return values.reshape(item if batch is None else [batch, *item])


@also_called(store="rounding_points")
def compute(x: ArrayLike, transform: str = "fft", n: int | None = None,
            algorithm: str = "radix2-dit", mode: str = "fp32", machine: str = "trn",
            tables: str | ArrayLike = "exact", rounding_points: str = "op", scale: str = "none", *,
            s: Sequence[int] | None = None, axis: int | None = None,
            axes: Sequence[int] | None = None) -> np.ndarray:
    """The result of an algorithm for x, in a mode on a machine.

    n, s, axis, axes: as in NumPy, by default the last axes, for "fftn" and "rfftn" without `dims` all
    axes. Along these axes x is cut or padded with zeros to n, or to s; results of irfft, hfft and
    similar transforms have these lengths. The other axes are a batch. For stft and istft n is the
    length of a frame. tables: a name of tables(), or an array of twiddles, or a DFT matrix.
    rounding_points: when data are rounded to the mode's format: "op", "stage", "pass:3", "ends". scale:
    "none", "input:2^-4", "stage:1/2", "stage:1/sqrt2", "shift:0121", "block".
    Returns an array of x's shape in which the transform's axes have the result's lengths: complex64 or
    float32; complex128 or float64 in modes whose results are doubles or pairs. Raises ValueError for
    unknown names, and for a case that makes no sense, with the reason.
    """
    items = items_of(x, transform, n, s, axis, axes)
    with _table_name(tables) as name:
        case = {"algorithm": named({"algorithm": algorithm, "transform": transform})["algorithm"],
                "mode": mode, "machine": machine, "tables": name,
                "rounding_points": rounding_points, "scale": scale}
        return items.back(_core.run(items.values, items.transform, items.n, case)[0])


@contextlib.contextmanager
def _table_name(tables):
    """The name of a source, or of a file that holds the array temporarily."""
    if isinstance(tables, str):
        yield tables
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.npy")
        np.save(path, as_array(tables))
        yield f"file:{path}"


def stages(x: ArrayLike, transform: str = "fft", **case: str) -> list[tuple[str, np.ndarray]]:
    """The data after each stage of an algorithm: (title, array) in the order of the stages.

    x: one item of shape (n,), or a batch of shape (batch, n). case: algorithm, mode, machine, tables,
    rounding_points, scale, as in compute(). Arrays are in the algorithm's own order of elements, scaled
    as the stages scale them (docs/cli.md, "compute"). Raises ValueError as compute() does, and for an
    algorithm without arrays between its stages.
    """
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "stages")
        output("compute", "-o", os.path.join(folder, "y.npy"), "--stages", kept,
               *_on_file(folder, x, transform, case))
        with open(os.path.join(kept, "stages.csv"), newline="", encoding="utf-8") as file:
            return [(row["stage"], np.load(os.path.join(kept, row["file"])))
                    for row in csv.DictReader(file)]


def diverge(x: ArrayLike, stages: Mapping[str, ArrayLike] | Sequence[ArrayLike] = (),
            result: ArrayLike | None = None, transform: str = "fft", *,
            cuts: Mapping[str, str] | None = None, factor: float = 1.5,
            probability: float = 1e-9, **case: str) -> Text:
    """Finds the fault in an FFT from its data after stages, or from its results alone.

    x: the input, of shape (n,) or (batch, n). stages: the program's data after its steps, in their
    order, each of x's size; names are free. result: its result. cuts: for a name of `stages` the stage
    and order of elements, "2", "2:64x64", "2:bit-reversed"; where it has none, the values tell. factor,
    probability, case: as the command diverge takes them (docs/cli.md).
    Returns a Text with a line for each stage and the fault, named; `passed`: there is no fault. Raises
    ValueError for unknown names, arrays of a wrong size, and algorithms without a flow graph.
    """
    named = stages if isinstance(stages, Mapping) else {f"stage {i}": a for i, a in
                                                        enumerate(stages, 1)}
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "stages")
        os.mkdir(kept)
        words: list[object] = ["diverge", "--factor", factor, "--probability", probability]
        titles = {}
        for number, (name, values) in enumerate(named.items(), 1):
            titles[f"{number:04}.npy"] = name
            np.save(os.path.join(kept, f"{number:04}.npy"), as_array(values))
            if cuts and name in cuts:
                words += ["--cut", f"{number:04}.npy={cuts[name]}"]
        for name in cuts or ():
            if name not in named:
                raise ValueError(f"cuts names {name!r}; stages are {', '.join(map(repr, named))}")
        if titles:
            words += ["--stages", kept]
        if result is not None:
            path = os.path.join(folder, "result.npy")
            np.save(path, as_array(result))
            words += ["--result", path]
            titles[path] = "result"
        try:
            text = judged(*words, *_on_file(folder, x, transform, case))
        except ValueError as error:
            message = str(error)
            for file, name in titles.items():
                message = message.replace(file, str(name))
            raise ValueError(message) from None
        for file, name in titles.items():
            text = text.replaced(file, str(name))
        return text


def _on_file(folder, x, transform, case):
    """Options for a case on an input."""
    path = os.path.join(folder, "x.npy")
    np.save(path, carried(x))
    words = ["--input", path, "-a", f"transform={transform}"]
    for axis, value in case.items():
        words += ["-a", f"{axis}={value}"]
    return words


def tables_error(table: ArrayLike, max_ulp: float = 1, limit: int = 10) -> Text:
    """Checks twiddles or a DFT matrix, complex or as real pairs. Returns a Text with the worst entries
    and their effect on a transform; `passed` says whether every part is within max_ulp."""
    with _table_name(as_array(table)) as name:
        path = name.removeprefix("file:")
        return judged("tables", "error", path, "--max-ulp", max_ulp, "--limit",
                      limit).replaced(path, "the table")


class Transform(Protocol):
    """compute() for one transform over one axis."""

    def __call__(self, x: ArrayLike, n: int | None = None, axis: int = -1,
                 norm: str | None = ..., *, algorithm: str = ..., mode: str = ...,
                 machine: str = ..., tables: str | ArrayLike = ..., rounding_points: str = ...,
                 scale: str = ...) -> np.ndarray: ...


class TransformOverAxes(Protocol):
    """compute() for one transform over several axes."""

    def __call__(self, x: ArrayLike, s: Sequence[int] | None = None,
                 axes: Sequence[int] | None = ..., norm: str | None = ..., *,
                 algorithm: str = ..., mode: str = ..., machine: str = ...,
                 tables: str | ArrayLike = ..., rounding_points: str = ...,
                 scale: str = ...) -> np.ndarray: ...


def _normed(name, norm):
    return name if norm in (None, "backward") else f"{name}:norm={norm}"


def _documented(call, name):
    call.__name__ = call.__qualname__ = name
    call.__doc__ = (f"{_core.transforms()[name]}.\n\nArguments up to norm as in NumPy, later ones "
                    "as in compute().")
    return call


def _transform(name: str) -> Transform:
    def call(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = "backward",
             **case: Any) -> np.ndarray:
        return compute(x, _normed(name, norm), n, axis=axis, **case)
    return _documented(call, name)


def _transform_over(name: str, axes: Sequence[int] | None) -> TransformOverAxes:
    def call(x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | None = axes,
             norm: str | None = "backward", **case: Any) -> np.ndarray:
        return compute(x, _normed(name, norm), s=s, axes=axes, **case)
    return _documented(call, name)


fft, ifft = _transform("fft"), _transform("ifft")
rfft, irfft = _transform("rfft"), _transform("irfft")
hfft, ihfft = _transform("hfft"), _transform("ihfft")
fft2, ifft2 = _transform_over("fft2", (-2, -1)), _transform_over("ifft2", (-2, -1))
rfft2, irfft2 = _transform_over("rfft2", (-2, -1)), _transform_over("irfft2", (-2, -1))
fftn, ifftn = _transform_over("fftn", None), _transform_over("ifftn", None)
rfftn, irfftn = _transform_over("rfftn", None), _transform_over("irfftn", None)


def stft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = "backward",
         **case: Any) -> np.ndarray:
    """Short-time Fourier transforms along an axis, with frames of n samples. The result has two axes in
    its place, [frame][bin]. Arguments after norm as in compute()."""
    return compute(x, _normed("stft", norm), n, axis=axis, **case)


def istft(x: ArrayLike, n: int | None = None, axes: Sequence[int] = (-2, -1),
          norm: str | None = "backward", **case: Any) -> np.ndarray:
    """The signals of short-time Fourier transforms whose axes [frame][bin] are `axes`. Arguments after
    norm as in compute()."""
    return compute(x, _normed("istft", norm), n, axes=axes, **case)


def dct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1,
        norm: str | None = "backward", **case: Any) -> np.ndarray:
    """The discrete cosine transform of real data, type 1 to 4; types 1 and 4 have norm="backward"
    alone. Arguments up to norm as in scipy.fft.dct, later ones as in compute()."""
    return compute(x, _normed(f"dct{type}", norm), n, axis=axis, **case)


def dst(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, **case: Any) -> np.ndarray:
    """The discrete sine transform of real data, type 1 to 4. Arguments up to axis as in scipy.fft.dst
    with norm="backward", later ones as in compute()."""
    return compute(x, f"dst{type}", n, axis=axis, **case)


def hartley(x: ArrayLike, n: int | None = None, axis: int = -1, **case: Any) -> np.ndarray:
    """The discrete Hartley transform of real data. Arguments as in compute()."""
    return compute(x, "hartley", n, axis=axis, **case)


def mdct(x: ArrayLike, axis: int = -1, window: str = "sine", **case: Any) -> np.ndarray:
    """The modified discrete cosine transform of frames of 2n samples along an axis, under the sine
    window or "none". Later arguments as in compute()."""
    return compute(x, f"mdct:window={window}", axis=axis, **case)


def imdct(x: ArrayLike, axis: int = -1, window: str = "sine", **case: Any) -> np.ndarray:
    """The frames of 2n samples from n values of mdct(), not divided. Arguments as in mdct()."""
    return compute(x, f"imdct:window={window}", axis=axis, **case)


def matmul(a: ArrayLike, b: ArrayLike, mode: str = "fp32", machine: str = "trn") -> np.ndarray:
    """a @ b by the matrix products of a mode on a machine.

    a: (..., k); b: (k, m); result (..., m), with the types of compute(). Real arrays are computed as
    complex arrays, so a product takes the time of four. Infinities and NaNs are allowed.
    Raises ValueError for other shapes and unknown names.
    """
    is_complex = np.iscomplexobj(a) or np.iscomplexobj(b)
    left, right = (as_complex(x, finite=False) for x in (a, b))
    if left.ndim == 0 or right.ndim != 2 or left.shape[-1] != right.shape[0]:
        raise ValueError("matmul takes shapes (..., k) and (k, m); these are "
                         f"{left.shape} and {right.shape}")
    k, m = right.shape
    operands = np.concatenate([left.reshape(-1), right.T.reshape(-1)])
    case = {"algorithm": "gemm", "mode": mode, "machine": machine}
    product = _core.run(operands, f"cgemm:out={m}", k, case)[0].reshape(*left.shape[:-1], m)
    return product if is_complex else product.real


@dataclasses.dataclass(frozen=True)
class Truth:
    """The exact transform, certified: |value + lo - exact| <= radius in every element of an item."""

    value: np.ndarray
    lo: np.ndarray
    radius: np.ndarray
    bits: int
    tier: str

    def _repr_html_(self):
        first = [(", ".join(map(str, index)), value, self.lo[index])
                 for index, value in itertools.islice(np.ndenumerate(self.value), 8)]
        return preformatted(repr(self)) + table(first, ("index", "value", "lo"))

    def __repr__(self):
        return f"Truth of shape {self.value.shape}, certified to {self.bits} bits ({self.tier})"


def truth(x: ArrayLike, transform: str = "fft", n: int | None = None, *,
          s: Sequence[int] | None = None, axis: int | None = None,
          axes: Sequence[int] | None = None) -> Truth:
    """The certified transform of x. n, s, axis, axes: as in compute(). value and lo are float64 or
    complex128; radius has one number for each item of the batch."""
    items = items_of(x, transform, n, s, axis, axes)
    found = _core.truth(items.values, items.transform, items.n)
    value, lo = (items.back(found[key]) for key in ("value", "lo"))
    return Truth(value, lo, np.array(found["radius"]), found["bits"], found["tier"])


def measure(y: ArrayLike, x: ArrayLike, transform: str = "fft", n: int | None = None,
            norm: str | None = "backward", format: str | Format | None = None,
            per_bin: bool = False, *, s: Sequence[int] | None = None, axis: int | None = None,
            axes: Sequence[int] | None = None) -> dict[str, Any]:
    """How far y is from the transform of x: the metrics of `fftprec list metrics`, by name.

    y: the result of any program; x: its input. n, s, axis, axes: as in compute(). norm: backward, ortho
    or forward. format: the format of the ulp metrics, by default y's. per_bin=True adds "error", y
    minus the exact transform in this norm, an array of y's shape. Further keys: "suspicion", the likely
    cause if y errs by more than rounding, and "not_finite". Raises ValueError for sizes that do not
    fit, with sizes that would.
    """
    items = items_of(x, transform, n, s, axis, axes)
    return measured(as_array(y), items, norm, format, per_bin)


def measured(y, items, norm="backward", format=None, per_bin=False):
    """measure() of the items of x."""
    if format is None:
        format = {"float16": "fp16", "bfloat16": "bf16", "float64": "fp64",
                  "complex128": "fp64"}.get(y.dtype.name, "fp32")
    result = np.ascontiguousarray(items.rows(widened(carried(y))))
    found = _core.measure(result, items.values, items.transform, items.n, norm or "backward",
                          str(format), per_bin)
    found["suspicion"] = re.sub(r"--(\w+) ([\w:=]+)", r'\1="\2"', found["suspicion"])
    if per_bin:
        found["error"] = items.back(found["error"]).reshape(y.shape)
    return found
