"""fp.round against the definition: the values of a format are listed, and a rounding chooses between the
two that enclose x. Every value, every midpoint and what lies just beside it, in every rounding.

The list is exact in float64, and so are its midpoints: nothing here rounds.
"""

import numpy as np
import pytest

import fftprec as fp

FORMATS = {name: fp.Format(*of) for name, of in {
    "fp8_e4m3": (4, -6, 7), "fp8_e4m3fn": (4, -6, 8, True, "nan"), "fp8_e5m2": (3, -14, 15),
    "fp16": (11, -14, 15), "bf16": (8, -126, 127)}.items()}
OWN = [fp.Format(5, -14, 15, False, "saturate"), fp.Format(2, -20, 9), fp.Format(7, -3, 4, True, "nan")]
CASES = [*FORMATS.items(), *((own, own) for own in OWN)]
NAMES = [str(name) for name, _ in CASES]


def grid(to):
    """The values from 0 up, and the one that would follow the last: what goes there overflows."""
    normal = np.arange(2 ** (to.precision - 1), 2 ** to.precision, dtype=np.float64)
    parts = [np.ldexp(normal, e - to.precision + 1) for e in range(to.emin, to.emax + 1)]
    if to.subnormals:
        parts.insert(0, np.ldexp(np.arange(1., normal[0]), to.emin - to.precision + 1))
    values = np.concatenate([[0.], *parts])
    return values if to.overflow == "nan" else np.append(values, 2. ** (to.emax + 1))


def philox(counter, seed):
    """The first 64 bits of Philox 4x32-10 (Salmon et al., SC 2011) of each counter below 2^32."""
    low = np.uint64(2 ** 32 - 1)
    x = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    k0, k1 = seed & 0xffffffff, seed >> 32
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * x[0], np.uint64(0xCD9E8D57) * x[2]
        x = [b >> np.uint64(32) ^ x[1] ^ np.uint64(k0), b & low,
             a >> np.uint64(32) ^ x[3] ^ np.uint64(k1), a & low]
        k0, k1 = (k0 + 0x9E3779B9) & 0xffffffff, (k1 + 0xBB67AE85) & 0xffffffff
    return x[0] << np.uint64(32) | x[1]


def defined(x, to, rounding, bits=32, seed=1):
    """x rounded, in float64."""
    values, wide = grid(to), x.astype(np.float64)
    size, negative = np.nan_to_num(abs(wide), posinf=np.inf), np.signbit(wide)
    above = np.searchsorted(values, size).clip(1, len(values) - 1)
    below, next_up = values[above - 1], values[above]
    middle = (below + next_up) / 2
    last_place = np.where(above == 1, next_up, next_up - below)
    even = below / last_place % 2 == 0
    if rounding.startswith("sr"):
        random = (philox(np.arange(x.size), seed) >> np.uint64(64 - bits)).astype(np.float64)
        part = np.minimum(size - below, next_up - below) / (next_up - below)
        parts = 2. ** bits
    up = {"rne": lambda: (size > middle) | ((size == middle) & ~even),
          "rnu": lambda: (size > middle) | ((size == middle) & ~negative),
          "rna": lambda: size >= middle, "rz": lambda: False, "ru": lambda: ~negative,
          "rd": lambda: negative, "odd": lambda: even,
          "sr": lambda: np.floor(part * parts) + random >= parts,
          "sr:b": lambda: np.floor(part * parts * 2) + 2 * random + 1 >= 2 * parts,
          "sr:c": lambda: np.rint(part * parts) + random >= parts}[rounding]()
    result = np.where((size > below) & (up | (size == next_up)), next_up, below)

    stays = {"rz": True, "odd": True, "ru": negative, "rd": ~negative}.get(rounding, False)
    beyond = {"infinity": np.inf, "saturate": values[-2], "nan": np.nan}[to.overflow]
    overflows = (size >= values[-1]) | (result == values[-1])
    result = np.where(overflows, np.where(stays, values[-2], beyond), result)
    result = np.where(np.isinf(size), beyond, np.where(np.isnan(wide), np.nan, result))
    return np.copysign(result, wide)


def expect_defined(x, name, to, rounding, **random):
    found = fp.round(x, name, rounding, **random)
    with np.errstate(invalid="ignore"):  # NaNs that signal
        expected = defined(x, to, rounding, **random)
    same = (found == expected) & (np.signbit(found) == np.signbit(expected))
    wrong = np.flatnonzero(~(same | (np.isnan(found) & np.isnan(expected))))
    assert not wrong.size, (f"{x.dtype} to {name} by {rounding} {random}: " + ", ".join(
        f"{float(x[i]).hex()} becomes {float(found[i]).hex()}, not {float(expected[i]).hex()}"
        for i in wrong[:4]))


@pytest.mark.parametrize("rounding", list(fp.roundings()))
@pytest.mark.parametrize("name, to", CASES, ids=NAMES)
def test_every_half_and_bf16_to_smaller_formats(name, to, rounding):
    codes = np.arange(1 << 16, dtype=np.uint16)
    halves = codes.view(np.float16)
    brains = (codes.astype(np.uint32) << 16).view(np.float32)

    with np.errstate(invalid="ignore"):  # NaNs that signal
        wide = brains.astype(np.float64)
    for x in (halves, brains, wide):
        expect_defined(x, name, to, rounding)


@pytest.mark.parametrize("rounding", list(fp.roundings()))
@pytest.mark.parametrize("name, to", CASES, ids=NAMES)
def test_every_midpoint_and_its_neighbours(name, to, rounding):
    values = grid(to)
    middle = (values[:-1] + values[1:]) / 2
    for real in (np.float32, np.float64):
        ties = middle.astype(real)
        x = np.concatenate([ties, np.nextafter(ties, real(0)), np.nextafter(ties, real(np.inf)),
                            values.clip(max=np.finfo(real).max).astype(real), [real(np.inf)]])

        expect_defined(np.concatenate([x, -x]), name, to, rounding)


@pytest.mark.parametrize("bits", [1, 2, 8, 24, 53])
@pytest.mark.parametrize("seed", [0, 1, 2 ** 32 + 5, 2 ** 64 - 1])
def test_stochastic_rounding_uses_its_bits_and_its_seed(bits, seed):
    x = np.random.default_rng(1).standard_normal(4096)

    for name in ("bf16", "fp8_e4m3"):
        expect_defined(x, name, FORMATS[name], "sr", bits=bits, seed=seed)
        expect_defined(x.astype(np.float32), name, FORMATS[name], "sr", bits=bits, seed=seed)
    assert not np.array_equal(fp.round(x, "bf16", "sr", bits=bits, seed=seed),
                              fp.round(x, "bf16", "sr", bits=bits, seed=seed ^ 1))


def test_the_parts_of_a_complex_number_are_rounded_one_by_one():
    x = np.random.default_rng(2).standard_normal((3, 100, 2))
    for real, whole in ((np.float32, np.complex64), (np.float64, np.complex128)):
        parts = x.astype(real)
        for rounding in fp.roundings():
            found = fp.round(parts.view(whole)[..., 0], "bf16", rounding)

            assert found.dtype == whole and found.shape == (3, 100)
            assert np.array_equal(found.view(real).reshape(3, 100, 2),
                                  fp.round(parts, "bf16", rounding))
