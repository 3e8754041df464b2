"""Limits from the data: no correct result of NumPy, SciPy, PyTorch or FFTW is above them, on data of
every kind, and wrong tables are. FFTPREC_TRIALS=10000 tries so many."""

import functools
import os

import fftw
import numpy as np
import pytest

import fftprec as fp
from fftprec import predictions
from fftprec.axes import items_of
from fftprec.testing import check

TRIALS = int(os.environ.get("FFTPREC_TRIALS", "200"))
LENGTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19, 23, 25, 27, 31, 32, 37, 41, 47, 49,
           53, 59, 64, 67, 81, 97, 100, 101, 121, 125, 127, 128, 169, 211, 243, 251, 256, 263, 289, 343,
           360, 365, 499, 509, 512, 521, 720, 729, 841, 961, 997, 1000, 1001, 1009, 1024, 1155, 1331,
           1369, 2003, 2048, 2187, 2310, 3125, 4096, 4099]


def data_of_kind(kind, n, real, rng):
    t = np.arange(n)
    size = 10.0 ** rng.uniform(-3, 3)
    phase = 1 if real else np.exp(2j * np.pi * rng.random())
    place, period = int(rng.integers(n)), int(rng.choice([d for d in range(1, n + 1) if n % d == 0]))

    def noise():
        return rng.standard_normal(n) + (0 if real else 1j * rng.standard_normal(n))

    def tone(frequency):
        angle = 2 * np.pi * (frequency * t / n + rng.random())
        return np.cos(angle) if real else np.exp(1j * angle)

    return {
        "noise": noise,
        "noise of 0 to 1": lambda: rng.random(n) + (0 if real else 1j * rng.random(n)),
        "bytes": lambda: rng.integers(0, 256, n).astype(float),
        "row of an image": lambda: np.clip(128 + np.cumsum(rng.integers(-3, 4, n)), 0, 255.0),
        "bits": lambda: rng.integers(0, 2, n).astype(float),
        "signs": lambda: rng.choice([-1.0, 1.0], n),
        "ramp": lambda: size * t * phase,
        "constant": lambda: np.full(n, size * phase),
        "simple constant": lambda: np.full(n, rng.choice([1.0, 3.0, 0.1, 1 / 3, 5.0, 7.0])),
        "strong mean": lambda: 100 * size * phase + noise(),
        "almost 1": lambda: 1 + 1e-6 * noise(),
        "tone": lambda: size * tone(place),
        "tone between bins": lambda: size * tone(rng.uniform(0, n)),
        "tone in noise": lambda: 100 * size * tone(place) + noise(),
        "few tones": lambda: sum(tone(int(k)) for k in rng.integers(0, n, 3)),
        "period": lambda: np.resize(noise()[:period], n),
        "comb": lambda: np.where(t % period == 0, size * phase, 0),
        "impulse": lambda: np.where(t == place, size * phase, 0),
        "two impulses": lambda: np.where(t == place, size, 0) + (t == int(rng.integers(n))),
        "square wave": lambda: np.where(t * int(rng.integers(1, 9)) % n < n // 2, size, -size),
        "alternating": lambda: np.where(t % 2 == 0, size, -size) * phase,
        "noise on alternating": lambda: np.where(t % 2 == 0, 1e4, -1e4) + noise(),
        "chirp": lambda: (np.cos if real else lambda a: np.exp(1j * a))(np.pi * t * t / n),
        "decay": lambda: size * np.exp(-t / rng.uniform(1, n)),
        "speech": lambda: np.convolve(rng.standard_normal(n), np.exp(-np.arange(20) / 5.0)
                                      * np.cos(np.arange(20)))[:n] * np.hanning(n + 2)[1:-1] ** 2,
        "wide range": lambda: noise() * 10.0 ** rng.uniform(-6, 6, n),
        "sparse": lambda: np.where(rng.random(n) < 0.05, noise(), 0) + (t == 0),
    }[kind]()


KINDS = ["noise", "noise of 0 to 1", "bytes", "row of an image", "bits", "signs", "ramp", "constant",
         "simple constant", "strong mean", "almost 1", "tone", "tone between bins", "tone in noise",
         "few tones", "period", "comb", "impulse", "two impulses", "square wave", "alternating",
         "noise on alternating", "chirp", "decay", "speech", "wide range", "sparse"]
REAL = {"rfft", "ihfft", "rfft2", "dct2", "dct3"}
SPECTRA = {"irfft", "hfft"}


def libraries(transform, n):
    """Other people's FFTs by name, each a function of the data."""
    found = {"fftw": lambda x: fftw.transformed(x, transform, n)}
    if not transform.startswith("dct"):
        found["numpy"] = lambda x: getattr(np.fft, transform)(x, *[n] * (transform in SPECTRA))
    try:
        import scipy.fft
        found["scipy"] = lambda x: (scipy.fft.dct(x, int(transform[3])) if transform.startswith("dct")
                                    else getattr(scipy.fft, transform)(x, *[n] * (transform in SPECTRA)))
    except ModuleNotFoundError:
        pass
    try:
        import torch
        if not transform.startswith("dct"):
            found["torch"] = lambda x: getattr(torch.fft, transform)(
                torch.from_numpy(x), *[n] * (transform in SPECTRA)).resolve_conj().numpy()
    except ModuleNotFoundError:
        pass
    return found


def drawn(seed):
    """Data of some kind, and what is to be done with them."""
    rng = np.random.default_rng(seed)
    transform = str(rng.choice(["fft", "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct2", "dct3",
                                "fft2", "rfft2"]))
    kind, n, single = str(rng.choice(KINDS)), int(rng.choice(LENGTHS)), bool(rng.integers(2))
    rows = int(rng.choice([1, 2, 5, 8])) if transform.endswith("fft2") else 0
    real = transform in REAL | SPECTRA
    x = np.stack([data_of_kind(kind, n, real, rng) for _ in range(max(rows, int(rng.integers(1, 3))))])
    if rows == 0 and len(x) == 1:
        x = x[0]
    if transform in SPECTRA:
        x = np.fft.rfft(x.real) if rng.integers(2) else data_of_kind(kind, n, False, rng)[:n // 2 + 1]
        if transform == "hfft" or x.ndim == 1:  # spectra of real data
            x = np.array(x)
            x[..., 0] = x[..., 0].real
            x[..., -1] = x[..., -1].real if n % 2 == 0 else x[..., -1]
    x = x.real if transform in REAL else x.astype(complex)
    return transform, kind, n, x.astype({True: np.float32, False: np.float64}[single] if
                                        transform in REAL else
                                        {True: np.complex64, False: np.complex128}[single])


@pytest.mark.nightly
def test_no_correct_result_is_above_a_limit(monkeypatch):
    monkeypatch.setattr(fp.predictions, "predict", functools.cache(fp.predict))
    compared = set()
    for seed in range(TRIALS):
        transform, kind, n, x = drawn(seed)
        if not x.any():
            continue
        exact = fp.truth(x, transform, n)
        for name, compute in libraries(transform, n).items():
            y = compute(x)
            try:
                check(y, x, transform=transform, n=n)
                limits = fp.tolerance(x, y.dtype, transform, n)
                np.testing.assert_allclose(y, exact.value, **limits)
            except AssertionError as failure:
                raise AssertionError(f"seed {seed}: {name}, {transform} of {kind}, n = {n}, "
                                     f"{x.dtype}\n{failure}") from None
            compared.add((name, transform))
    assert len(compared) > 20


def dft_by(order, x):
    """The definition in x's own precision, each sum over k in this order, part by part."""
    n = x.shape[-1]
    angle = -2 * np.pi * (np.outer(np.arange(n), np.arange(n)) % n) / n
    matrix = np.exp(1j * angle).astype(x.dtype)
    y = np.zeros_like(x)
    for k in range(n)[::order]:
        y += x[..., k, None] * matrix[k]
    return y


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kind", ["constant", "simple constant", "comb", "tone", "period", "noise"])
def test_a_long_sum_of_equal_terms_is_no_fault(kind, order):
    """Whose errors are equal, not independent: up to twice the limit of independent ones."""
    n, rng = 1024, np.random.default_rng(11)
    x = np.stack([data_of_kind(kind, n, False, rng) for _ in range(8)]).astype(np.complex64)
    y = dft_by(order, x)
    for row, result in zip(x, y):
        check(result, row, algorithm="dft-gemm")
        with pytest.raises(AssertionError):
            check(result * np.float32(1 + 3e-4), row, algorithm="dft-gemm")


@pytest.mark.parametrize("format", ["bf16", "fp16"])
@pytest.mark.parametrize("algorithm", ["radix2-dit", "dft-gemm", "four-step"])
def test_data_of_the_format_itself_bring_no_error(format, algorithm):
    """Their rounding is 90 % of what a matrix product of 16 points in 16 bits expects else."""
    for n in (16, 256):
        wide = np.stack([fp.input("gaussian", n, seed=seed) for seed in range(1, 17)])
        x = fp.round(wide, format)
        y = fp.fft(x, algorithm=algorithm, mode=format, machine="ieee")
        t = np.fft.fft(x)
        measured = np.sqrt(np.mean(np.linalg.norm(y - t, axis=1)**2 / np.linalg.norm(t, axis=1)**2))
        limits = [predictions.limit("expected", np.fft.fft(data), items_of(data, "fft"), None,
                                    {"algorithm": algorithm, "mode": format}) for data in (x, wide)]
        assert 0.9 < measured / limits[0].error < 1.1
        assert limits[0].error < limits[1].error
        check(y, x, algorithm=algorithm, mode=format)
        kept = format if algorithm == "radix2-dit" else "fp32"  # in which a matrix product gives its sums
        assert f"unit roundoff of {kept}" in repr(fp.tolerance(x, mode=format, algorithm=algorithm))


def tables_with(error, n, dtype, seed):
    """Twiddles of which every part is off by `error`, up or down."""
    table = fp.truth(np.eye(1, n, 1)[0]).value
    signs = np.random.default_rng(seed).choice([-error, error], (n, 2)).view(np.complex128)[:, 0]
    return (table + signs).astype(dtype)


@pytest.mark.parametrize("n", [512, 1024, 16384])
def test_a_table_whose_last_decimal_is_off_by_one_is_found(n):
    x = fp.input("gaussian", n)
    for dtype, mode, digits in (np.complex64, "fp32", 7), (np.complex128, "fp64", 16):
        for error in (0, 10.0 ** -digits * (1 if mode == "fp32" else 2.5)):
            y = fp.fft(x, mode=mode, machine="ieee", tables=tables_with(error, n, dtype, n))
            if error == 0:
                check(y, x)
                continue
            with pytest.raises(AssertionError, match="err_l2_rel"):
                check(y, x)


@pytest.mark.parametrize("n, units", [(8, 10), (64, 16), (1024, 24), (16384, 32)])
def test_one_wrong_entry_of_a_table_is_found_by_an_impulse(n, units):
    """units: of the unit roundoff."""
    x = np.eye(1, n, 1)[0]
    for dtype, mode, u in (np.complex64, "fp32", 2.0 ** -24), (np.complex128, "fp64", 2.0 ** -53):
        for entry in {1, n // 8, n // 4 - 1, 3 * n // 8}:
            table = tables_with(0, n, dtype, 1)
            check(fp.fft(x, mode=mode, machine="ieee", tables=table), x)
            table[entry] += units * u
            with pytest.raises(AssertionError):
                check(fp.fft(x, mode=mode, machine="ieee", tables=table), x)


def test_each_item_of_a_batch_has_a_limit_of_its_own():
    x = np.stack([fp.input("gaussian", 256), 1e-3 * fp.input("gaussian", 256, seed=2)])
    y = np.fft.fft(x).astype(np.complex64)
    y[1, 5] += 4e-5
    assert np.abs(y[1, 5] - np.fft.fft(x[1])[5]) < fp.tolerance(x, "float32")["atol"]
    with pytest.raises(AssertionError, match=r"item 1 of 2(.|\n)*y\[1, 5\]"):
        check(y, x)


@pytest.mark.parametrize("transform, n", [("fft", 997), ("fft", 1000), ("rfft", 997), ("rfft", 1000),
                                          ("rfft", 1024), ("irfft", 997), ("irfft", 1000),
                                          ("hfft", 1000), ("ihfft", 994), ("dct2", 994),
                                          ("dct2", 1024), ("dct3", 1000), ("rfft2", 17)])
def test_a_bound_exists_for_every_length(transform, n):
    x = np.random.default_rng(n).standard_normal((3, n)) + 5
    if transform in SPECTRA:
        x = np.fft.rfft(x, n)
    y = libraries(transform, n)["scipy" if transform.startswith("dct") else "numpy"](x)
    check(y, x, "bound", transform, n)
    limits = fp.tolerance(x, transform=transform, n=n, within="bound")
    np.testing.assert_allclose(y, fp.truth(x, transform, n).value, **limits)
    check(y, x, "bound*0.5", transform, n)
    with pytest.raises(AssertionError):
        check(y, x, "bound*1e-6", transform, n)
