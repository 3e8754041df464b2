"""Commands of the program as functions."""

import os
import sys
import tempfile
from collections.abc import Callable, Sequence

import numpy as np

from . import _core
from .html import preformatted


class Figure:
    """A drawing, shown by notebooks."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    @property
    def element(self) -> str:
        """The drawing as an HTML element, as wide as the page allows."""
        drawing = self.svg[self.svg.index("<svg"):]
        return drawing.replace("<svg", '<svg style="max-width:100%;height:auto"', 1)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the drawing as SVG, PNG or PDF, by the ending of the path. PNG and PDF need
        rsvg-convert of the package librsvg2-bin. Raises ValueError without it, and for other
        endings."""
        path = os.fspath(path)
        if path.endswith(".svg"):
            self._write(path)
            return
        with tempfile.TemporaryDirectory() as folder:
            svg = os.path.join(folder, "figure.svg")
            self._write(svg)
            _core.convert_image(svg, path)

    def _write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Text(str):
    """The output of a command. `passed`: whether all its checks hold. `figure`: the Figure, if the
    command draws. `input`: the array that a search found."""

    code = 0
    figure: Figure | None = None
    input: np.ndarray | None = None

    @property
    def passed(self) -> bool:
        return self.code == 0

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return (self.figure.element if self.figure else "") + preformatted(self)

    def replaced(self, old, new):
        text = Text(self.replace(old, new))
        text.code = self.code
        return text


NOTHING = 4
INTERRUPTED = 130


def output(*words: object, allowed: tuple[int, ...] = (0,)) -> Text:
    """The output of a command. Raises ValueError with its message if the exit code is not in `allowed`,
    or if nothing matched and it prints nothing. A notebook shows progress below the cell."""
    code, out, err = _core.command([str(word) for word in words],
                                   sys.stderr if "ipykernel" in sys.modules else None)
    if code not in allowed or (code == NOTHING and not out):
        raise ValueError(err.strip().removeprefix("fftprec: "))
    text = Text(out)
    text.code = code
    return text


def judged(*words):
    """output() of a command whose exit code 1 means that a check failed."""
    return output(*words, allowed=(0, 1))


def drawn(*words: object) -> Text:
    """output() of a command that draws."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "figure.svg")
        text = output(*words, "--plot", path)
        with open(path, encoding="utf-8") as file:
            text.figure = Figure(file.read())
    return text


def identify(matmul: Callable[..., np.ndarray] | None = None, operands: str = "bf16",
             m: int = 64, n: int = 64, k: Sequence[int] = (16, 128, 512), takes_c: bool = False, *,
             fft: Callable[[np.ndarray], np.ndarray] | None = None,
             lengths: Sequence[int] = (16, 64, 100)) -> Text:
    """Identifies the machine of `matmul`, or the arithmetic of `fft`. matmul(A, B) gets float32 arrays
    with values of the format `operands` and returns A B; with takes_c, matmul(A, B, C) returns C + A B.
    fft gets complex64 arrays with rows of each of `lengths`, 4..4096, and returns their forward
    transforms, without a factor. Returns the text of the command line; `passed`: whether a machine
    fits, or a name of an FFT for every length."""
    if (matmul is None) == (fft is None):
        raise TypeError("identify takes a matmul or an fft")
    with tempfile.TemporaryDirectory() as folder:
        if fft is not None:
            output("probe", "-o", folder, "--fft", ",".join(map(str, lengths)))
            for length in lengths:
                path = os.path.join(folder, f"n{length}")
                np.save(os.path.join(path, "X.npy"), fft(np.load(os.path.join(path, "x.npy"))))
            return judged("identify", folder)
        assert matmul is not None
        output("probe", "-o", folder, "--operands", operands, "--m", m, "--n", n,
               "--k", ",".join(map(str, k)))
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            files = [os.path.join(path, f"{x}.npy") for x in "ABC"]
            if not os.path.isdir(path) or os.path.exists(files[2]) and not takes_c:
                continue
            d = matmul(*(np.load(file) for file in files if os.path.exists(file)))
            with np.errstate(over="ignore"):
                np.save(os.path.join(path, "D.npy"), np.asarray(d, np.float32))
        text = judged("identify", folder)
        return text.replaced(text[text.rindex("\n\n") + 1:], "") if text.passed else text
