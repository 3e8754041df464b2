"""Functions and programs of others as algorithms."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import numpy as np

from . import _core
from .axes import as_array

Function = Callable[[np.ndarray], np.ndarray]


def program(functions: Function | Mapping[str, Function], name: str | None = None, *,
            transform: str = "fft", version: str = "") -> str:
    """Makes a function of arrays an algorithm. Returns its name, "program:NAME", for `algorithm`.

        fp.run(algorithm=fp.program({"fft": np.fft.fft, "ifft": np.fft.ifft}, "numpy"), n=[64, 100])

    functions: of one item each, an array of the transform's axes, by the names of transforms without
    keys ("fft", "irfft2"); or one function, for `transform`. It gets complex64, in mode fp64 complex128,
    of real data float32 or float64, and returns an array of any type that the mode's results fit. Rows of
    other transforms are skipped, and so are those for which it raises NotImplementedError; other
    exceptions fail their rows. name: default the function's own. version: for the manifest.
    """
    by_name = dict(functions) if isinstance(functions, Mapping) else {transform: functions}
    if name is None:
        name = getattr(next(iter(by_name.values())), "__name__", "function").strip("<>")

    def result(asked, lengths, inverse, x):
        base = ("i" if inverse else "") + asked
        known = [base + {1: "", 2: "2"}.get(len(lengths), "n"), base + "n" * (len(lengths) > 1)]
        function = next((by_name[each] for each in known if each in by_name), None)
        if function is None:
            raise NotImplementedError(f"there is no function for {known[0]}, only for "
                                      f"{', '.join(by_name)}")
        return np.concatenate([np.ravel(as_array(function(item))) for item in x])

    _core.add_program(name, version or "a Python function", result)
    return f"program:{name}"


def programs(file: str | os.PathLike[str]) -> list[str]:
    """Makes the programs of a TOML file algorithms (docs/programs.md). Returns their names."""
    return _core.add_programs(os.fspath(file))


def named(axes):
    """Axes of a case, with a name in place of each function of `algorithm`, and with its programs known
    that are paths."""
    if "algorithm" not in axes:
        return axes
    value = axes["algorithm"]
    one = callable(value) or isinstance(value, str)
    transform = axes.get("transform", "fft")
    values = [program(each, transform=transform) if callable(each) else each
              for each in ([value] if one else value)]
    for each in values:
        _core.name_programs(f"algorithm={each}")
    return {**axes, "algorithm": values[0] if one else values}
