"""pytest: an FFT against one in a wider type, with the tolerance of docs/tolerances.md."""

import numpy as np
import pytest
import scipy.fft

my_fft = scipy.fft.fft  # the FFT under test


def tolerance(n, dtype, c=0.7):
    """The largest |error| of an FFT of n values, relative to the largest |result|. c: 0.7 for n = 2^k,
    1 without prime factors above 13, 1.6 else."""
    u = np.finfo(dtype).eps / 2
    return 2 * c * u * np.sqrt(np.log2(n) * np.log(1e6 * n)) + u


@pytest.mark.parametrize("dtype, wider", [(np.complex64, np.complex128), (np.complex128, np.clongdouble)])
@pytest.mark.parametrize("n", [16, 256, 4096, 65536])
def test_errors_are_those_of_rounding(n, dtype, wider):
    rng = np.random.default_rng(1)
    noise = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    impulse = np.eye(1, n, n - 1)[0]
    for x in noise, impulse, np.fft.fft(impulse):
        x = x.astype(dtype)
        exact = scipy.fft.fft(x.astype(wider))
        error = abs(my_fft(x) - exact).max() / abs(exact).max()
        assert error <= tolerance(n, dtype)
