"""FFTs with planted faults: five algorithms in NumPy alone, and the mistakes that programs make.

    y, stages = transcribe("radix2-dit", "bf16", x)                  # healthy
    fault = draw_fault(np.random.default_rng(1), "radix2-dit", "bf16", 256)
    y, stages = transcribe("radix2-dit", "bf16", x, fault)           # with the fault

The transcriptions share no code with fftprec. Healthy ones have the bits of `fftprec compute -a
machine=ieee --stages DIR`, in q1.15 with -a scale=stage:1/2, and their stages have its order.

Arithmetic: in fp16, bf16, fp32 and fp64 every product and sum is rounded to nearest even; a complex
product is (a c - b d, a d + b c) of rounded products. A matrix product sums over k upwards, of each 128
values of k first the products with the data's real part, then those with its imaginary part, in fp32
(fp64: in fp64, without such tiles); its sums are rounded to the format except after the last stage. In
q1.15 the data are halved log2 r times before a stage of radix r, sums of products are exact and then
rounded once, and results saturate; the result is multiplied by n again.
"""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np

ALGORITHMS = ("radix2-dit", "radix2-dif", "stockham-r4", "four-step", "dft-gemm")
FORMATS = ("bf16", "fp16", "fp32", "fp64", "q1.15")
_BITS = {"bf16": 8, "fp16": 11, "fp32": 24, "fp64": 53, "q1.15": 16}
_PI = np.longdouble("3.14159265358979323846264338327950288")
_ONE = 2**15  # of q1.15, whose data are integers


# Arithmetic. Data are arrays (2, ...): real and imaginary parts.

def _nearest(x, bits):
    """x rounded to `bits` significant bits, ties to even."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits).astype(x.dtype)


def _bf16(x):
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + (0x7FFF + ((bits >> 16) & 1))) & np.uint32(0xFFFF0000)).view(np.float32)


def _in_tiles(depth, tile):
    """The order of a sum: for each `tile` values of k those with the data's real part, then the
    others."""
    return [(part, k) for first in range(0, depth, tile) for part in (0, 1)
            for k in range(first, min(first + tile, depth))]


class _Floats:
    """Values lie in float32, of fp64 in float64."""

    def __init__(self, name):
        self.type = np.float64 if name == "fp64" else np.float32
        self.bits = _BITS[name]
        self.round = {"bf16": _bf16, "fp16": lambda x: x.astype(np.float16).astype(np.float32)}.get(
            name, lambda x: x)

    def stored(self, x):
        parts = np.stack([x.real, x.imag])
        if self.bits < 24:  # float32 between would round twice
            parts = _nearest(parts.astype(np.float64), self.bits)
        return self.round(parts.astype(self.type))

    def complex(self, data, times=1):
        return data[0] + (1j * data[1]).astype(np.result_type(data.dtype, np.complex64))

    def halved(self, data, radix):
        return data

    def add(self, a, b):
        return self.round(a + b)

    def subtract(self, a, b):
        return self.round(a - b)

    def product(self, w, x):
        parts = [self.round(a) for a in (w[0] * x[0], w[1] * x[1], w[0] * x[1], w[1] * x[0])]
        return np.stack([self.round(parts[0] - parts[1]), self.round(parts[2] + parts[3])])

    def other_product(self, w, x):
        """The product by fused operations: its first products are not rounded."""
        wide = np.longdouble if self.type == np.float64 else np.float64
        w0, x0, x1 = (a.astype(wide) for a in (w[0], x[0], x[1]))
        parts = [w0 * x0 - self.round(w[1] * x[1]), w0 * x1 + self.round(w[1] * x[0])]
        return np.stack([self.round(a.astype(self.type)) for a in parts])

    def matrix_product(self, w, x, last, order=1):
        """The sum over k of w(k, j) x(k, m), in arrays (..., j, m)."""
        sums = np.zeros((2, *x.shape[1:-2], w.shape[2], x.shape[-1]), self.type)
        depth = w.shape[1]
        for part, k in _in_tiles(depth, depth if self.type == np.float64 else 128)[::order]:
            row = x[part, ..., k, None, :]
            sums[0] += (w[0, k, :, None] if part == 0 else -w[1, k, :, None]) * row
            sums[1] += w[1 - part, k, :, None] * row
        return sums if last else self.round(sums)

    def narrow(self, data, bits):
        return _nearest(data, bits)

    def truncated(self, data, bits):
        mantissa, exponent = np.frexp(data)
        return np.ldexp(np.trunc(np.ldexp(mantissa, bits)), exponent - bits).astype(self.type)

    def negative(self, x):
        return -x


class _Fixed:
    """q1.15 in integers."""

    type = np.int64

    @staticmethod
    def _within(x):
        return np.clip(x, -_ONE, _ONE - 1)

    @staticmethod
    def _shifted(x, bits):
        """x / 2^bits, rounded to nearest even."""
        if bits == 0:
            return x
        return (x + ((1 << (bits - 1)) - 1) + ((x >> bits) & 1)) >> bits

    def stored(self, x):
        return self._within(np.rint(np.stack([x.real, x.imag]) * _ONE).astype(np.int64))

    def complex(self, data, times=1):
        return ((data[0] + 1j * data[1]) * (times / _ONE)).astype(np.complex64)

    def halved(self, data, radix):
        return self._shifted(data, radix.bit_length() - 1)

    def add(self, a, b):
        return self._within(a + b)

    def subtract(self, a, b):
        return self._within(a - b)

    def product(self, w, x):
        sums = np.stack([w[0] * x[0] - w[1] * x[1], w[0] * x[1] + w[1] * x[0]])
        return self._within(self._shifted(sums, 15))

    def other_product(self, w, x):
        """Every real product is rounded by itself."""
        parts = [self._shifted(a, 15) for a in (w[0] * x[0], w[1] * x[1], w[0] * x[1], w[1] * x[0])]
        return self._within(np.stack([parts[0] - parts[1], parts[2] + parts[3]]))

    def matrix_product(self, w, x, last, order=1):
        def sums_of(part, of_data):
            return np.einsum("kj,...km->...jm", w[part], x[of_data])

        sums = np.stack([sums_of(0, 0) - sums_of(1, 1), sums_of(1, 0) + sums_of(0, 1)])
        return self._within(self._shifted(sums, 15))

    def narrow(self, data, bits):
        return self._within(self._shifted(data, 16 - bits) << (16 - bits))

    def truncated(self, data, bits):
        return (data >> (16 - bits)) << (16 - bits)

    def negative(self, x):
        return self._within(-x)


def _numbers(name):
    if name not in FORMATS:
        raise ValueError(f"format {name!r}: known: {', '.join(FORMATS)}")
    return _Fixed() if name == "q1.15" else _Floats(name)


def roots(exponents, order):
    """exp(-2 pi i e / order) in extended precision, by sines and cosines of angles up to pi / 4."""
    eighths, rest = np.divmod(8 * (np.asarray(exponents, np.int64) % order), order)
    odd = eighths % 2 == 1
    angle = np.where(odd, order - rest, rest) * (_PI / 4 / order)
    c, s = np.cos(angle), np.sin(angle)
    c, s = np.where(odd, s, c), np.where(odd, c, s)  # of the angle in its quarter
    quarter = eighths // 2
    real = np.choose(quarter, [c, -s, -c, s])
    imaginary = np.choose(quarter, [-s, -c, s, c])
    return real + 1j * imaginary


# Stages.

@dataclasses.dataclass(frozen=True)
class Table:
    """Entry i is W_order^(exponents[i])."""

    name: str
    exponents: np.ndarray
    order: int
    index: np.ndarray    # the factor of k in the exponent; 1 in radix 2
    position: np.ndarray  # the other factor

    def root(self, i):
        return f"W_{self.order}^{int(self.exponents[i])}"


def _table(name, order, index, position):
    index, position = (a.ravel() for a in np.broadcast_arrays(index, position))
    return Table(name, index * position, order, index, position)


class _Butterflies:
    """A stage of radix 2 on elements at a distance."""

    def __init__(self, number, half, n, in_time):
        self.number, self.half, self.radix, self.in_time = number, half, 2, in_time
        self.title = f"butterflies, stage {number}"
        self.tables = {"twiddles": _table("twiddles", 2 * half, np.ones(1, int), np.arange(half))}
        place = np.arange(n).reshape(-1, 2, half)
        self.inputs = self.outputs = np.moveaxis(place, 1, 2).reshape(-1, 2)

    def run(self, numbers, data, tables, how):
        x = numbers.halved(data, 2).reshape(*data.shape[:-1], -1, 2, self.half)
        a, b = x[..., 0, :], x[..., 1, :]
        if self.in_time:
            b = how.product(numbers, tables["twiddles"], b)
            x = np.stack([numbers.add(a, b), numbers.subtract(a, b)], -2)
        else:
            x = np.stack([numbers.add(a, b),
                          how.product(numbers, tables["twiddles"], numbers.subtract(a, b))], -2)
        return x.reshape(data.shape)

    def touched(self, table, entry):
        """The places after the stage that entry `entry` of a table affects."""
        users = self.outputs[np.arange(len(self.outputs)) % self.half == entry]
        return users.ravel() if self.in_time else users[:, 1]


class _Autosort:
    """A Stockham stage (L, r, M) -> (r, L, M): twiddles, then DFTs of r elements."""

    def __init__(self, number, done, radix, n, by_sums, title="stage {}"):
        self.number, self.done, self.radix, self.by_sums = number, done, radix, by_sums
        self.rest, self.last = n // done // radix, done * radix == n
        self.title = title.format(number)
        self.tables = {}
        if done > 1:
            self.tables["twiddles"] = _table("twiddles", radix * done, np.arange(1, radix)[:, None],
                                             np.arange(done)[None, :])
        if not by_sums:
            self.tables["matrix"] = _table("matrix", radix, np.arange(radix)[:, None],
                                           np.arange(radix)[None, :])
        place = np.arange(n)
        self.inputs = np.moveaxis(place.reshape(done, radix, self.rest), 1, 2).reshape(-1, radix)
        self.outputs = np.moveaxis(place.reshape(radix, done, self.rest), 0, 2).reshape(-1, radix)

    def multiplied(self, numbers, data, tables, how):
        """The data (L, r, M) times the twiddles."""
        x = numbers.halved(data, self.radix).reshape(*data.shape[:-1], self.done, self.radix, self.rest)
        if self.done == 1:
            return x
        w = tables["twiddles"].reshape(2, self.radix - 1, self.done).transpose(0, 2, 1)[..., None]
        w = w.reshape(2, *[1] * (data.ndim - 2), *w.shape[1:])
        return np.concatenate([x[..., :1, :], how.product(numbers, w, x[..., 1:, :])], -2)

    def run(self, numbers, data, tables, how):
        x = self.multiplied(numbers, data, tables, how)
        if self.by_sums:
            x0, x1, x2, x3 = (x[..., k, :] for k in range(4))
            if how.other_order:  # x1 and x2 change places in the sums of outputs 0 and 2
                even = [numbers.add(x0, x1), numbers.subtract(x0, x1)]
                odd = [numbers.add(x2, x3), numbers.subtract(x2, x3)]
                first = numbers.add(even[0], odd[0])
                third = numbers.add(even[1], odd[1])
            else:
                even, odd = numbers.add(x0, x2), numbers.add(x1, x3)
                first, third = numbers.add(even, odd), numbers.subtract(even, odd)
            even, odd = numbers.subtract(x0, x2), numbers.subtract(x1, x3)
            second = np.stack([numbers.add(even[0], odd[1]), numbers.subtract(even[1], odd[0])])
            fourth = np.stack([numbers.subtract(even[0], odd[1]), numbers.add(even[1], odd[0])])
            x = np.stack([first, second, third, fourth], -2)
        else:
            w = tables["matrix"].reshape(2, self.radix, self.radix)
            x = numbers.matrix_product(w, x, self.last, -1 if how.other_order else 1)
        return np.moveaxis(x, -2, -3).reshape(data.shape)  # (L, r, M) -> (r, L, M)

    def touched(self, table, entry):
        groups = self.outputs.reshape(self.done, self.rest, self.radix)
        if table == "twiddles":
            return groups[entry % self.done].ravel()
        return groups[..., entry % self.radix].ravel()


def _radices(algorithm, n):
    if algorithm == "stockham-r4":
        return [4] * (n.bit_length() // 2) if 4 ** (n.bit_length() // 2) == n else None
    if algorithm == "dft-gemm":
        return [n]
    count = -(-(n.bit_length() - 1) // 7)  # radices of at most 128, as equal as possible
    bits, more = divmod(n.bit_length() - 1, count)
    return [2**bits] * (count - more) + [2**(bits + 1)] * more


@functools.lru_cache(maxsize=64)
def stages_of(algorithm, n):
    """The stages of an algorithm, n = 2^k."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm {algorithm!r}: known: {', '.join(ALGORITHMS)}")
    if n < 2 or n & (n - 1):
        raise ValueError(f"n = {n}: known: powers of two from 2 on")
    levels = n.bit_length() - 1
    if algorithm.startswith("radix2"):
        in_time = algorithm == "radix2-dit"
        return tuple(_Butterflies(s + 1, 2 ** (s if in_time else levels - 1 - s), n, in_time)
                     for s in range(levels))
    radices = _radices(algorithm, n)
    if radices is None:
        raise ValueError(f"n = {n}: stockham-r4 needs a power of 4")
    done, stages = 1, []
    for number, radix in enumerate(radices, 1):
        stages.append(_Autosort(number, done, radix, n, algorithm == "stockham-r4",
                                "matrix product" if algorithm == "dft-gemm" else "stage {}"))
        done *= radix
    return tuple(stages)


def bit_reversal(n):
    places = np.zeros(1, int)
    while len(places) < n:
        places = np.concatenate([2 * places, 2 * places + 1])
    return places


# Faults.

@dataclasses.dataclass(frozen=True)
class Fault:
    """A mistake in stage `stage`, counted from 1, or in all (0). `culprit` says what is wrong there and what belongs
    there; `affected` are the outputs y[k] that it can reach; `detail` is what it takes to repeat it."""

    kind: str
    stage: int
    culprit: str
    detail: dict = dataclasses.field(compare=False)
    affected: np.ndarray = dataclasses.field(compare=False, repr=False)

    @property
    def where(self):
        """The affected outputs in words."""
        return places_text(self.affected)


def places_text(places):
    places = np.sort(places)
    if len(places) > 2 and (np.diff(places) == places[1] - places[0]).all():
        step = places[1] - places[0]
        return (f"{len(places)} outputs from {places[0]} on" if step == 1 else
                f"{len(places)} outputs, {places[0]} + {step} j")
    return f"{len(places)} outputs: " + ", ".join(map(str, places[:6])) + ", ..." * (len(places) > 6)


class _How:
    """How a stage forms its products and sums."""

    def __init__(self, fault=None):
        self.kind = fault.kind if fault else ""
        self.other_order = self.kind == "other-order"

    def product(self, numbers, w, x):
        if self.kind == "no-twiddles":
            return x
        if self.kind in SIGN_KINDS:  # the sign of w_im is wrong in one part
            right, other = numbers.product(w, x), numbers.product(np.stack([w[0], -w[1]]), x)
            return np.stack([other[0], right[1]] if self.kind == "real-part" else [right[0], other[1]])
        return numbers.other_product(w, x) if self.kind == "other-product" else numbers.product(w, x)


# One wrong entry; all entries of a stage; the data of a stage.
ENTRY_KINDS = ("entry-of-another-place", "entry-conjugated", "entry-negated", "entry-parts-exchanged")
TABLE_KINDS = ("twiddles-off-by-one", "twiddles-stride", "twiddles-conjugated", "table-narrow",
               "angle-not-reduced")
DATA_KINDS = ("outputs-exchanged", "operands-exchanged", "no-twiddles", "no-stage", "narrow-store",
              "truncating-store", "element-zero", "element-stale", "element-lost-bits")
BITS_KINDS = ("other-product", "other-order")
# Kinds that make_fault makes, but draw_fault does not draw.
SIGN_KINDS = ("real-part", "imaginary-part")
KINDS = ENTRY_KINDS + TABLE_KINDS + DATA_KINDS + BITS_KINDS


def kinds_of(algorithm, format, n):
    """The kinds of fault that an algorithm in a format can have."""
    none = set()
    if not any("twiddles" in stage.tables for stage in stages_of(algorithm, n)):
        none |= {"no-twiddles", "other-product"}
    if algorithm.startswith("radix2") or format == "q1.15":
        none.add("other-order")
    if format in ("bf16", "fp16", "q1.15"):
        none.add("angle-not-reduced")
    return tuple(kind for kind in KINDS if kind not in none)


def _tables(numbers, format, stage, fault):
    """The tables of a stage as data of the format; `fault` may spoil one."""
    found = {}
    for name, table in stage.tables.items():
        spoils = fault is not None and fault.detail.get("table") in (name, "every")
        values = roots(table.exponents, table.order)
        if spoils and fault.kind in TABLE_KINDS:
            values = _spoilt(values, table, fault, format)
        values = numbers.stored(values)
        if spoils and fault.kind == "table-narrow":
            values = numbers.narrow(values, fault.detail["bits"])
        if spoils and fault.kind in ENTRY_KINDS:
            i = fault.detail["entry"]
            re, im = values[:, i]
            if fault.kind == "entry-of-another-place":
                values[:, i] = numbers.stored(roots(*_another(table, fault.detail)))[..., 0]
            else:
                values[:, i] = {"entry-conjugated": (re, numbers.negative(im)),
                                "entry-negated": (numbers.negative(re), numbers.negative(im)),
                                "entry-parts-exchanged": (im, re)}[fault.kind]
        found[name] = values
    return found


def _another(table, detail):
    """Exponent and order of the root that is in an entry's place, on the circle of order n."""
    finest = detail["n"]
    exponent = table.exponents[detail["entry"]] * (finest // table.order)
    return np.array([exponent + detail["steps"]]), finest


def _spoilt(values, table, fault, format):
    order = table.order
    if fault.kind == "twiddles-conjugated":
        return values.conj()
    if fault.kind == "twiddles-off-by-one":
        return roots(table.index * (table.position + 1), order)
    if fault.kind == "twiddles-stride":
        times = fault.detail["times"]
        if "wrap" in fault.detail:
            return roots(int(times) * table.exponents % fault.detail["wrap"], order)
        return roots(2 * table.exponents, order) if times == 2 else roots(table.exponents, 2 * order)
    if fault.kind == "angle-not-reduced":  # formed in the format's own precision, or in fp32 of fp64
        real = np.float32
        angle = real(-2 * np.pi / order) * table.exponents.astype(real)
        wide = angle.astype(np.float64)
        return np.cos(wide) + 1j * np.sin(wide)
    return values


def transcribe(algorithm, format, x, fault=None):
    """The FFT of x along its last axis, and the data after each stage: (y, [(title, array), ...]).

    Arrays have the shape of x and type complex64, of fp64 complex128. radix2-dit's stages follow the
    bit reversal of x, radix2-dif's come before that of y; after a Stockham stage element (l, m) of an
    n/M x M array is the DFT of x[m], x[m + M], ... at frequency l. Raises ValueError for unknown names
    and lengths.
    """
    numbers = _numbers(format)
    x = np.asarray(x)
    n = x.shape[-1]
    stages = stages_of(algorithm, n)
    data = numbers.stored(x)
    if algorithm == "radix2-dit":
        data = data[..., bit_reversal(n)]
    titled = []
    for stage in stages:
        here = fault if fault is not None and fault.stage in (0, stage.number) else None
        data = _stage(numbers, format, stage, data, here)
        titled.append((stage.title, numbers.complex(data)))
    if algorithm == "radix2-dif":
        data = data[..., bit_reversal(n)]
    return numbers.complex(data, n), titled


def after_twiddles(algorithm, format, before, number, fault=None):
    """The data before stage `number` of a Stockham FFT times that stage's twiddles."""
    numbers = _numbers(format)
    stage = stages_of(algorithm, before.shape[-1])[number - 1]
    data = stage.multiplied(numbers, numbers.stored(before), _tables(numbers, format, stage, fault),
                            _How(fault))
    return numbers.complex(data.reshape(2, *before.shape))


def _stage(numbers, format, stage, data, fault):
    kind = fault.kind if fault else ""
    detail = fault.detail if fault else {}
    before = data
    if kind == "no-stage":
        return data
    if kind == "operands-exchanged":
        data = _exchanged(data, detail["places"])
    data = stage.run(numbers, data, _tables(numbers, format, stage, fault), _How(fault))
    if kind == "outputs-exchanged":
        return _exchanged(data, detail["places"])
    if kind == "narrow-store":
        return numbers.narrow(data, detail["bits"])
    if kind == "truncating-store":
        return numbers.truncated(data, detail["bits"])
    if kind.startswith("element-"):
        data, i = data.copy(), detail["place"]
        data[..., i] = (0 if kind == "element-zero" else before[..., i] if kind == "element-stale"
                        else numbers.narrow(data[..., i], detail["bits"]))
    return data


def _exchanged(data, places):
    data, (i, j) = data.copy(), places
    data[..., [i, j]] = data[..., [j, i]]
    return data


def _reached(algorithm, n, number, touched):
    """The outputs that depend on places `touched` after a stage."""
    mask = np.zeros(n, bool)
    mask[touched] = True
    for stage in stages_of(algorithm, n)[number:]:
        after = np.zeros(n, bool)
        after[stage.outputs[mask[stage.inputs].any(axis=1)]] = True
        mask = after
    if algorithm == "radix2-dif":
        mask = mask[bit_reversal(n)]
    return np.flatnonzero(mask)


def make_fault(algorithm, format, n, kind, stage, **detail):
    """The fault of a kind in a stage, counted from 1. detail, by kind: table and entry, and for another
    place `steps` on the circle of order n; table and times (2, 0.5) and, if the index wraps, `wrap`, or
    bits; places (two); place."""
    at = stages_of(algorithm, n)[stage - 1]
    every = np.arange(n)
    if kind in ENTRY_KINDS + TABLE_KINDS:
        table = at.tables[detail["table"]]
    if kind in ENTRY_KINDS:
        i = detail["entry"]
        place = f"entry {i} of the {table.name} of stage {stage}"
        there = {"entry-of-another-place": f"W_{n}^{detail.get('steps', 0):+d} times it is there",
                 "entry-conjugated": "its conjugate is there", "entry-negated": "its negative is there",
                 "entry-parts-exchanged": "its parts are exchanged"}[kind]
        culprit = f"{place}: {table.root(i)} belongs there, {there}"
        touched = at.touched(table.name, i)
    elif kind in TABLE_KINDS:
        culprit = f"the {table.name} of stage {stage}: " + {
            "twiddles-off-by-one": "the entry of the next index is in every place",
            "twiddles-stride": f"W_{table.order}^({detail.get('times')} k) is in the place of "
                               f"W_{table.order}^k",
            "twiddles-conjugated": "all are conjugated",
            "table-narrow": f"they have {detail.get('bits')} bits",
            "angle-not-reduced": "their angles are formed in fp32 and not reduced"}[kind]
        touched = every
    elif kind.endswith("exchanged"):
        i, j = detail["places"]
        what = kind.partition("-")[0]
        culprit = f"{what} {i} and {j} of a butterfly of stage {stage} are exchanged"
        touched = at.outputs[(at.inputs == i).any(axis=1)][0] if what == "operands" else np.array([i, j])
    elif kind.startswith("element-"):
        i = detail["place"]
        culprit = f"element {i} after stage {stage} is " + {
            "element-zero": "zero", "element-stale": "that from before the stage",
            "element-lost-bits": f"stored with {detail.get('bits')} bits"}[kind]
        touched = np.array([i])
    else:
        culprit = f"stage {stage}: " + {
            "no-twiddles": "no twiddles are multiplied", "no-stage": "it only copies the data",
            "narrow-store": f"its results are rounded to {detail.get('bits')} bits",
            "truncating-store": f"its results are cut to {detail.get('bits')} bits",
            "other-product": "products are fused, or rounded each, unlike in other stages",
            "other-order": "sums have another order",
            "real-part": "the real part of products is w_re x_re + w_im x_im",
            "imaginary-part": "the imaginary part of products is w_re x_im - w_im x_re"}[kind]
        touched = every
    detail = {**detail, "n": n}
    return Fault(kind, stage, culprit, detail, _reached(algorithm, n, stage, touched))


def everywhere(kind, n, bits=None):
    """A fault of all stages: a kind whose fault in one stage needs no more than `bits` and a table."""
    what = {"table-narrow": f"all tables have {bits} bits",
            "angle-not-reduced": "all tables' angles are formed in fp32 and not reduced",
            "narrow-store": f"all stages' results are rounded to {bits} bits",
            "truncating-store": f"all stages' results are cut to {bits} bits"}
    if kind not in what:
        raise ValueError(f"fault {kind!r} of every stage: known: {', '.join(what)}")
    return Fault(kind, 0, what[kind], {"table": "every", "bits": bits, "n": n}, np.arange(n))


def _drawn(rng, algorithm, format, n, kind):
    """A fault of a kind; it may be one that changes nothing. None if the stage drawn cannot have it."""
    stages = stages_of(algorithm, n)
    stage = stages[rng.integers(len(stages))]
    detail = {}
    if kind in ENTRY_KINDS + TABLE_KINDS:
        names = [name for name in stage.tables
                 if name == "twiddles" or len(stages) == 1
                 or kind not in ("twiddles-off-by-one", "twiddles-stride")]
        if not names:
            return None
        detail["table"] = str(rng.choice(names))
    if kind in ENTRY_KINDS:
        detail["entry"] = int(rng.integers(len(stage.tables[detail["table"]].exponents)))
        if kind == "entry-of-another-place":
            detail["steps"] = int(rng.integers(1, min(100, n - 1) + 1) * rng.choice([-1, 1]))
    elif kind == "twiddles-stride":
        detail["times"] = float(rng.choice([2, 0.5]))
    elif kind in ("narrow-store", "table-narrow", "element-lost-bits"):
        detail["bits"] = _BITS[format] - int(rng.integers(3, 5 if format in ("bf16", "fp16") else 9))
    elif kind == "truncating-store":
        detail["bits"] = _BITS[format] - 1
    elif kind.endswith("exchanged"):
        group = (stage.inputs if kind.startswith("operands") else stage.outputs)
        group = group[rng.integers(len(group))]
        detail["places"] = tuple(int(i) for i in rng.choice(group, 2, replace=False))
    if kind in ("element-zero", "element-stale", "element-lost-bits"):
        detail["place"] = int(rng.integers(n))
    return make_fault(algorithm, format, n, kind, stage.number, **detail)


def probe(format, n, seed=1):
    """Data on which faults show: normal deviates, in q1.15 of modulus below 1."""
    rng = np.random.default_rng([seed, n])
    x = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    return x / (np.abs(x).max() * 1.01) if format == "q1.15" else x


def probes(format, n, seeds=range(1, 5)):
    return np.stack([probe(format, n, seed) for seed in seeds])


@functools.lru_cache(maxsize=64)
def _healthy(algorithm, format, n):
    return transcribe(algorithm, format, probes(format, n))[0]


def draw_run(rng, algorithm, format, x, healthy, kind=None):
    """A fault drawn at random, of a kind if one is given, that changes the FFT of x, and that FFT.
    healthy: the FFT without a fault. Raises ValueError for unknown names, and if 100 draws change
    nothing."""
    n = x.shape[-1]
    known = kinds_of(algorithm, format, n)
    if kind is not None and kind not in known:
        raise ValueError(f"fault {kind!r} of {algorithm} in {format}: known: {', '.join(known)}")
    for _ in range(100):
        fault = _drawn(rng, algorithm, format, n, kind or str(rng.choice(known)))
        if fault is not None:
            y = transcribe(algorithm, format, x, fault)[0]
            if y.tobytes() != healthy.tobytes():
                return fault, y
    raise ValueError(f"fault {kind!r} of {algorithm} in {format}, n = {n}: 100 draws change no result")


def draw_fault(rng, algorithm, format, n, kind=None):
    """A fault drawn at random, of a kind if one is given. It changes the FFT of one of probes(format,
    n); on other data it may change nothing, as where they have zeros. Raises ValueError as draw_run()."""
    return draw_run(rng, algorithm, format, probes(format, n), _healthy(algorithm, format, n), kind)[0]
