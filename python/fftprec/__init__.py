"""fftprec: the error of an FFT in an arithmetic, on NumPy arrays.

    import fftprec as fp

    x = fp.input("gaussian", n=4096)
    y = fp.fft(x, algorithm="stockham-r4", mode="bf16", machine="nv-hopper")
    fp.measure(y, x)["err_l2_rel"]
    fp.run(mode=["fp16", "bf16"], n=[256, 1024]).to_pandas()

Names are those of the command line; formats(), modes(), machines(), algorithms(), transforms(),
inputs() and tables() list them with their meaning. Bad input raises ValueError with the message of the
command line.
"""

from ._core import (algorithms, formats, inputs, machines, modes, roundings, tables, transforms,
                    version as __version__)
from .arrays import (Format, Truth, compute, dct, diverge, dst, fft, fft2, fftn, hartley, hfft, ifft,
                     ifft2, ifftn, ihfft, imdct, input, irfft, irfft2, irfftn, istft, matmul, mdct,
                     measure, rfft, rfft2, rfftn, round, stages, stft, tables_error, truth)
from .commands import Figure, Text, identify
from .predictions import Prediction, Tolerance, predict, tolerance
from .programs import program, programs
from .rows import (Interrupted, Rows, attribute, design, exact, explain, read_rows, recommend, run,
                   search, show)
from .words import from_words, overflows, read_words, to_words, vectors, write_words

__all__ = ["Figure", "Format", "Interrupted", "Prediction", "Rows", "Text", "Tolerance",
           "Truth", "algorithms", "attribute", "compute", "dct", "design", "diverge", "dst", "exact",
           "explain", "fft", "fft2", "fftn", "formats", "from_words", "hartley", "hfft", "identify", "ifft", "ifft2",
           "ifftn", "ihfft", "imdct", "input", "inputs", "irfft", "irfft2", "irfftn", "istft",
           "machines", "matmul", "mdct", "measure", "modes", "overflows", "predict", "program",
           "programs", "read_rows", "read_words", "recommend", "rfft", "rfft2", "rfftn", "round", "roundings", "run",
           "search", "show", "stages", "stft", "tables", "tables_error", "to_words",
           "tolerance", "transforms", "truth", "vectors", "write_words"]
