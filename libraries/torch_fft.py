"""PyTorch's FFT on the processor in float and double: PocketFFT, or MKL where it was built with it."""

import torch

import adapter


class Arrays:
    """Functions of torch.fft that take arrays, axes as `dim`."""

    def __getattr__(self, name):
        function = getattr(torch.fft, name)
        return lambda x, axes=None, **lengths: function(
            torch.tensor(x), **lengths, **({"dim": axes} if axes else {})).numpy()


torch.set_num_threads(1)
adapter.serve(f"PyTorch {torch.__version__}", adapter.by_numpy_names(Arrays()))
