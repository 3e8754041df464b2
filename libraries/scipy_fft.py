"""SciPy's FFT, PocketFFT in float and double."""

import scipy
import scipy.fft

import adapter

adapter.serve(f"SciPy {scipy.__version__}", adapter.by_numpy_names(scipy.fft))
