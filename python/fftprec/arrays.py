"""What is done with arrays: rounding, transforms, truths and measures."""

import contextlib
import dataclasses
import itertools
import operator
import os
import re
import tempfile
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .commands import Text, judged
from .html import preformatted, table

_CARRIERS = {"float16": np.float32, "float32": np.float32, "float64": np.float64,
             "bfloat16": np.float32, "float8_e4m3": np.float32, "float8_e4m3fn": np.float32,
             "float8_e5m2": np.float32, "complex64": np.complex64, "complex128": np.complex128}


def _carried(x):
    """The array in the narrowest of float32, float64, complex64, complex128 that holds its values,
    contiguous; itself where it is that already."""
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        integers, x = x, x.astype(np.float64)
        if (abs(x) >= 2**53).any():
            raise ValueError(f"dtype {integers.dtype.name}: {integers[abs(x) >= 2**53][0]} is not "
                             "below 2^53, where float64 holds all integers")
    carrier = _CARRIERS.get(x.dtype.name)
    if carrier is None:
        raise ValueError(f"dtype {x.dtype.name}: known: {', '.join(_CARRIERS)}, and integers")
    return np.ascontiguousarray(x, dtype=carrier).reshape(x.shape)


def _widened(x):
    """What _carried gave, as complex numbers."""
    if np.iscomplexobj(x):
        return x
    return x.astype(np.complex128 if x.dtype == np.float64 else np.complex64)


def _complex(x, finite=True):
    x = _carried(x)
    if x.size == 0:
        raise ValueError(f"an array of shape {x.shape} has no values")
    if finite and not np.isfinite(x).all():
        raise ValueError("the input holds an infinity or NaN, first at index "
                         f"{tuple(int(i) for i in np.argwhere(~np.isfinite(x))[0])}")
    return _widened(x)


def whole(name, value, least=1, most=2**64 - 1):
    if not least <= operator.index(value) <= most:
        raise ValueError(f"{name} = {value} is not a whole number from {least} to {most}")
    return value


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


def round(x: ArrayLike, format: "str | Format", rounding: str = "rne", bits: int = 32,
          seed: int = 1) -> np.ndarray:
    """Each value rounded once to a format.

    x: array of any shape; format: a name of formats(), a number system as "posit16", or a Format;
    rounding: a name of roundings(), or IEEE P3109's; bits, seed: how many random bits "sr", "sr:b" and
    "sr:c" use, and which.
    Returns an array of x's shape, float32 or float64, complex64 or complex128: what carries x.
    Raises ValueError for an unknown name and a format that the carrier does not hold.
    """
    values = _carried(x)
    whole("bits", bits, most=53)
    whole("seed", seed, least=0)
    if np.iscomplexobj(values):
        parts = np.float32 if values.dtype == np.complex64 else np.float64
        return _core.round(values.reshape(-1).view(parts), str(format), rounding, bits,
                           seed).view(values.dtype).reshape(values.shape)
    return _core.round(values, str(format), rounding, bits, seed)


def input(kind: str, n: int, batch: int | None = None, seed: int = 1,
          transform: str = "fft") -> np.ndarray:
    """The input of a case, a name of inputs(): complex64 of shape (n,), or (batch, n); for a
    transform of real data float32, and for one over several axes its axes after the batch."""
    items = 1 if batch is None else whole("batch", batch)
    values = _core.input(kind, whole("n", n), items, whole("seed", seed, least=0), transform)
    item = _core.items(transform, n)[0] or [values.size // items]
    return values.reshape(item if batch is None else [batch, *item])


def given(x, transform, n):
    """x as the library takes it, its length, and the shape of the result."""
    x = _complex(x)
    if x.ndim == 0:
        raise ValueError("a single number has no transform")
    n = _core.length(transform, x.shape) if n is None else whole("n", n)
    item, result = _core.items(transform, n)
    if item and list(x.shape[-len(item):]) != item:
        raise ValueError(f"{transform} of n = {n} takes items of shape {tuple(item)}; x has shape "
                         f"{x.shape}")
    return x, n, (*x.shape[:-len(item) or -1], *(result if item else [-1]))


def compute(x: ArrayLike, transform: str = "fft", n: int | None = None,
            algorithm: str = "radix2-dit", mode: str = "fast", machine: str = "trn",
            tables: str | ArrayLike = "exact", store: str = "op",
            scale: str = "none") -> np.ndarray:
    """What an algorithm makes of x in a mode on a machine.

    x: the axes of the transform last, a batch before them. n: the length, where the last axis does
    not say it (irfft: the even one that belongs to it). tables: a name of tables(), or an array of
    twiddles, or a DFT matrix. store: when data are rounded to the mode's format: "op", "stage",
    "pass:3", "ends". scale: "none", "input:2^-4", "stage:1/2", "stage:1/sqrt2",
    "shift:0121", "block".
    Returns the shape of x with the transform's axes in place of its last ones; complex64 or
    float32, complex128 or float64 in modes whose results are doubles or pairs.
    Raises ValueError for unknown names, and with the reason for what has no meaning.
    """
    x, n, shape = given(x, transform, n)
    with _table_name(tables) as name:
        return _core.run(x, transform, algorithm, mode, machine, name, store, scale,
                         n)[0].reshape(shape)


@contextlib.contextmanager
def _table_name(tables):
    """The name of a source, or of a file that holds the array while it is used."""
    if isinstance(tables, str):
        yield tables
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.npy")
        np.save(path, np.asarray(tables))
        yield f"file:{path}"


def tables_error(table: ArrayLike, max_ulp: float = 1, limit: int = 10) -> Text:
    """Whether twiddles or a DFT matrix of complex64 or complex128 are at fault: a Text whose `passed`
    says whether no part errs by more than max_ulp; its worst entries, and what they cost."""
    with _table_name(np.asarray(table)) as name:
        path = name.removeprefix("file:")
        return judged("tables", "error", path, "--max-ulp", max_ulp, "--limit",
                      limit).replaced(path, "the table")


class Transform(Protocol):
    """compute() for one transform."""

    def __call__(self, x: ArrayLike, n: int | None = None, norm: str = ..., *,
                 algorithm: str = ..., mode: str = ..., machine: str = ...,
                 tables: str | ArrayLike = ..., store: str = ...,
                 scale: str = ...) -> np.ndarray: ...


def _transform(name: str, axes: int = 1) -> Transform:
    def call(x, n=None, norm="backward", **case):
        key = ""
        if axes == 2:
            if np.ndim(x) < 2:
                raise ValueError(f"{name} is over two axes; x has shape {np.shape(x)}")
            key = f":rows={np.asarray(x).shape[-2]}"
        elif axes == 3:
            key = f":dims={np.asarray(x).ndim}"
        if norm != "backward":
            key += f":norm={norm}"
        return compute(x, name + key, n, **case)
    call.__name__ = name
    call.__doc__ = (f"{_core.transforms()[name]}.\n\nnorm: as in NumPy. "
                    "Arguments after it as those of compute().")
    return call


fft, ifft = _transform("fft"), _transform("ifft")
rfft, irfft = _transform("rfft"), _transform("irfft")
hfft, ihfft = _transform("hfft"), _transform("ihfft")
fft2, ifft2 = _transform("fft2", 2), _transform("ifft2", 2)
rfft2, irfft2 = _transform("rfft2", 2), _transform("irfft2", 2)
fftn, ifftn = _transform("fftn", 3), _transform("ifftn", 3)
rfftn, irfftn = _transform("rfftn", 3), _transform("irfftn", 3)
stft, istft = _transform("stft"), _transform("istft")


def dct(x: ArrayLike, type: int = 2, n: int | None = None, norm: str = "backward",
        **case: Any) -> np.ndarray:
    """The discrete cosine transform of real data, type 2 or 3, in the norms of scipy.fft.dct.
    Arguments after norm as those of compute()."""
    return compute(x, f"dct{type}" + ("" if norm == "backward" else f":norm={norm}"), n, **case)


def matmul(a: ArrayLike, b: ArrayLike, mode: str = "fast", machine: str = "trn") -> np.ndarray:
    """a @ b as the matrix products of a mode on a machine.

    a: (..., k); b: (k, m); result (..., m), of the types of compute(). Real arrays are complex ones
    without an imaginary part, so a product takes the time of four. Infinities and NaNs pass.
    Raises ValueError for other shapes and unknown names.
    """
    is_complex = np.iscomplexobj(a) or np.iscomplexobj(b)
    left, right = (_complex(x, finite=False) for x in (a, b))
    if left.ndim == 0 or right.ndim != 2 or left.shape[-1] != right.shape[0]:
        raise ValueError("matmul takes shapes (..., k) and (k, m); these are "
                         f"{left.shape} and {right.shape}")
    k, m = right.shape
    operands = np.concatenate([left.reshape(-1), right.T.reshape(-1)])
    product = _core.run(operands, f"cgemm:out={m}", "gemm", mode, machine, "exact", "op", "none",
                        k)[0].reshape(*left.shape[:-1], m)
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


def truth(x: ArrayLike, transform: str = "fft", n: int | None = None) -> Truth:
    """The certified transform of x, as compute() takes it: value and lo float64 or complex128, radius
    one number for each item of the batch."""
    x, n, shape = given(x, transform, n)
    found = _core.truth(x, transform, n)
    value, lo = (found[key].reshape(shape) for key in ("value", "lo"))
    return Truth(value, lo, np.array(found["radius"]), found["bits"], found["tier"])


def measure(y: ArrayLike, x: ArrayLike, transform: str = "fft", n: int | None = None,
            norm: str = "backward", format: str | Format | None = None,
            per_bin: bool = False) -> dict[str, Any]:
    """How far y is from the transform of x: the metrics of `fftprec list metrics`, by name.

    y: any program's result; x: what it was given. norm: backward, ortho or forward. format: whose
    steps the ulp metrics count; that of y unless given. per_bin=True adds "error", y less the exact
    transform in that norm, an array of y's shape.
    Further keys: "suspicion", what a result may be that errs by more than rounding to that format
    does, and "not_finite".
    Raises ValueError for sizes that do not fit, saying which would.
    """
    own = np.asarray(y).dtype.name
    x, n, _ = given(x, transform, n)
    result = _carried(y)
    if format is None:
        format = {"float16": "fp16", "bfloat16": "bf16", "float64": "fp64",
                  "complex128": "fp64"}.get(own, "fp32")
    found = _core.measure(_widened(result), x, transform, n, norm, str(format), per_bin)
    found["suspicion"] = re.sub(r"--(\w+) ([\w:=]+)", r'\1="\2"', found["suspicion"])
    if per_bin:
        found["error"] = found["error"].reshape(result.shape)
    return found
