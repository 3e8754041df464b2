"""NumPy's FFT, PocketFFT in double; results in float are rounded from double."""

import numpy as np

import adapter

adapter.serve(f"NumPy {np.__version__}", adapter.by_numpy_names(np.fft))
