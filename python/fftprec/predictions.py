"""What theory says before anything runs: errors, work, and tolerances for tests."""

import math
import re
from typing import Any

import numpy as np

from . import _core
from .arrays import whole
from .html import table

_MODES = {"float64": "double", "complex128": "double", "float32": "fast", "complex64": "fast",
          "float16": "fp16", "bfloat16": "bf16"}
_SURE = 1e-6  # how often a tolerance may be too small for data like noise


class Prediction(dict[str, Any]):
    """A prediction by name; its HTML is a table."""

    def _repr_html_(self):
        return table(self.items())


def predict(n: int, transform: str = "fft", algorithm: str = "radix2-dit", mode: str = "fast",
            machine: str = "trn", tables: str = "exact", batch: int = 1, store: str = "op",
            scale: str = "none") -> Prediction:
    """What theory says of a case whose input takes all bits of fp32.

    expected_l2_rel: the error ||y - t|| / ||t|| of input like noise (RMS model); bound_l2_rel: the
    worst case by the theorem bound_name; bound_prob_l2_rel: what random roundings exceed with
    probability 1e-6 at most; expected_gain: 1 less what truncation and tables lose. None where there
    is no model or no theorem.
    unit_roundoff: that of the results' format.
    operations: real products and sums, each rounded; conversions: roundings besides;
    mac_count: real products of data and table; matmul_passes, kernel_calls, tensor_cycles,
    vector_cycles: on a Trainium core. Counts are of the whole batch.
    Raises ValueError for unknown names, and with the reason for what has no meaning.
    """
    return Prediction(_core.predict(transform, algorithm, mode, machine, tables, store, scale,
                                    whole("n", n), whole("batch", batch)))


def usual_case(n, dtype, case=()):
    """The case that a library's FFT in a dtype is compared with, unless `case` says otherwise: an
    algorithm for this n, and the mode that has this dtype."""
    name = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    name = np.dtype(dtype).name if isinstance(dtype, type) else name
    if "mode" not in case and name not in _MODES:
        raise ValueError(f"dtype {name}: known: {', '.join(_MODES)}; or give a mode")
    return {"algorithm": "radix2-dit" if n & (n - 1) == 0 else "mixed-radix" if _largest_prime(n) < 17
            else "bluestein", "mode": _MODES.get(name), "machine": "ieee", **dict(case)}


def text_of(case):
    return f"{case['algorithm']} in {case['mode']} on {case['machine']}"


def _largest_prime(n):
    largest = factor = 1
    while n > 1:
        factor = factor + 1 if factor * factor <= n else n
        while n % factor == 0:
            n, largest = n // factor, factor
    return largest


def limit_of(within, predicted):
    """The number that a text like "expected*4" or "bound" stands for, and whether it is by the
    model of noise."""
    found = re.fullmatch(r"(expected|bound)(?:\s*\*\s*([0-9.eE+-]+))?", str(within).strip())
    if not found:
        raise ValueError(f"within {within!r}: known: expected, bound, and with a factor, expected*4")
    value = predicted[f"{found[1]}_l2_rel"]
    if value is None:
        raise ValueError(f"within {within!r}: this case has no {found[1]} error")
    return value * float(found[2] or 1), found[1] == "expected"


def largest_of(count, real):
    """How many times their RMS the largest of `count` errors like noise is, but once in a million
    tests: of complex ones sqrt(ln(count / p)), of real ones sqrt(2 ln(2 count / p))."""
    return math.sqrt(2 * math.log(2 * count / _SURE) if real else math.log(count / _SURE))


class Tolerance(dict[str, float]):
    """rtol and atol, for assert_allclose(y, exact, **tolerance). `reasons` says why each."""

    def __init__(self, reasons, **limits):
        super().__init__(limits)
        self.reasons = reasons

    def __repr__(self):
        return "\n".join(f"{name} = {_core.short_number(self[name])}: {reason}"
                         for name, reason in self.reasons.items())

    def _repr_html_(self):
        return table((name, self[name], reason) for name, reason in self.reasons.items())


def tolerance(n: int, dtype: Any, transform: str = "fft", rms: float | None = None,
              norm: str = "backward", batch: int = 1, within: str = "expected*2",
              **case: str) -> Tolerance:
    """Tolerances of a test that compares an FFT computed in `dtype` with the exact one, or with one
    of a wider dtype: assert_allclose(y, exact, **tolerance(...)).

    rtol: unit roundoff of dtype, since each result is stored once.
    atol: the largest that an error of the size `within` has anywhere. "expected": the RMS error of the
    model, times the largest of so many errors like noise, but once in a million tests; for data
    like noise. "bound": the theorem, for any data; 50 to 1000 times larger. Both take a factor;
    twice the expected error leaves room for another algorithm than the predicted one.
    rms: the RMS of the exact results; that of a Fourier transform of values of RMS 1 unless given.
    case: algorithm, mode and machine of the prediction; radix-2, mixed-radix or Bluestein by n, the
    mode that has the dtype, and IEEE arithmetic unless given.
    Raises ValueError for unknown names and where there is no model, or no theorem.
    """
    case = usual_case(whole("n", n), dtype, case)
    predicted = predict(n, transform, batch=batch, **case)
    error, is_model = limit_of(within, predicted)
    size = "the RMS of the results"
    if rms is None:
        rms = _core.noise_gain(transform, n, norm)
        size += " for input of RMS 1"
    count = batch * math.prod(_core.items(transform, n)[1])
    times = largest_of(count, _core.real_output(transform)) if is_model else math.sqrt(count)
    short = _core.short_number
    why = f"the largest of {count}" if is_model else f"all of it in one of {count}"
    return Tolerance(
        {"rtol": f"unit roundoff of {case['mode']}: each result is stored once",
         "atol": f"{short(error)}, {within} of {text_of(case)}; times {short(rms)}, {size}; "
                 f"times {short(times)}, {why}"},
        rtol=predicted["unit_roundoff"], atol=error * rms * times)
