"""What measure() says of right results of NumPy: nothing."""

import numpy as np

import fftprec as fp


def kinds_of_data(n, rng):
    """Data of which many transforms coincide, and others."""
    k = np.arange(n)
    noise = rng.standard_normal(n)
    scale = rng.choice([1, 1.1, 0.3, 100.7])
    yield np.zeros(n)
    yield np.full(n, scale)
    yield scale * (k == rng.integers(n))
    yield scale * np.cos(2 * np.pi * k * rng.integers(n) / n)
    yield scale * np.exp(2j * np.pi * k * rng.integers(n) / n)
    yield scale * np.exp(1j * np.pi * k * k / n)
    yield scale * (noise + np.roll(noise[::-1], 1))
    yield scale * (noise + 1000)
    yield scale * k
    yield rng.integers(0, 256, n).astype(float)
    yield rng.integers(0, 2, n) * scale
    yield noise * scale
    yield (noise + 1j * rng.standard_normal(n)) * scale
    yield np.exp(4 * noise)


def test_right_results_raise_no_suspicion():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 4, 5, 8, 9, 12, 16, 30, 64, 100, 127):
        for _ in range(4):
            for x in kinds_of_data(n, rng):
                for transform in ("fft", "ifft"):
                    y = getattr(np.fft, transform)(x)
                    assert fp.measure(y, x, transform)["suspicion"] == "", (n, transform, x)
                    narrow = y.astype(np.complex64)
                    assert fp.measure(narrow, x, transform)["suspicion"] == "", (n, transform, x)
                if np.isrealobj(x):
                    assert fp.measure(np.fft.rfft(x), x, "rfft")["suspicion"] == "", (n, x)


def test_ulps_are_those_of_the_result():
    x = np.arange(4.0)
    y = np.fft.fft(x)
    y[0] += 2.0**-49  # the step of 6 is 2^-50
    assert fp.measure(y, x)["err_max_ulp"] == 2
    assert fp.measure(y, x)["err_linf_abs"] == 2.0**-49
