"""Rows of sweeps, and commands of the program that take or make rows."""

import contextlib
import csv
import io
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _core
from .axes import Cells
from .commands import INTERRUPTED, NOTHING, Figure, Text, drawn, judged, output
from .programs import named

Path = str | os.PathLike[str]
Axis = str | int | Iterable[str] | Iterable[int]


_ROWS_SHOWN = 8
_ALWAYS_SHOWN = ("algorithm", "mode", "n")
_TEXTS = ("output_hash", "seeds")  # which may look like a number


def _text(value):
    if value is None:
        return ""
    return _core.short_number(value) if isinstance(value, float) else str(value)


def _axis(name, value):
    values = [value] if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)
    return ["-a", f"{name}={','.join(map(str, values))}"]


def case_words(axes):
    return [word for name, value in named(axes).items() for word in _axis(name, value)]


class Rows:
    """Rows of results.csv: a sequence of dictionaries. Numbers are int or float; an empty cell is
    None. Statistics over seeds are columns: row["err_l2_rel.p99"]; row["seeds"] is a text."""

    def __init__(self, text: str) -> None:
        self._csv = text
        table = list(csv.reader(io.StringIO(text))) or [[]]  # of a run that finished no case
        self.columns = table[0]
        self._rows = [Cells(zip(self.columns, map(_value, self.columns, row))) for row in table[1:]]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self._rows[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __repr__(self):
        count = f"{len(self)} {'row' if len(self) == 1 else 'rows'}"
        if not self._rows:
            return count
        shown = [name for name in self.columns if self._is_shown(name)]
        cells = [shown, *([_text(row[name]) for name in shown] for row in self._rows[:_ROWS_SHOWN])]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]
        if len(self) > _ROWS_SHOWN:
            lines.append("...")
        return "\n".join([*lines, f"{count} of {len(self.columns)} columns"])

    def _is_shown(self, name):
        """Whether a column identifies the row or gives its error."""
        if name == "err_l2_rel":
            return True
        if name == "status":
            return any(row[name] != "ok" for row in self._rows)
        values = {row[name] for row in self._rows}
        return name in _ALWAYS_SHOWN or name in _core.axes() and len(values) > 1

    def _repr_html_(self):
        drawing = ""
        with contextlib.suppress(ValueError):  # of rows that have no error to draw
            drawing = self.plot().element
        return drawing + self.to_pandas()._repr_html_()

    def to_pandas(self) -> Any:
        """A DataFrame with the columns of results.csv."""
        import pandas
        return pandas.read_csv(io.StringIO(self._csv), float_precision="round_trip",
                               dtype={name: str for name in _TEXTS})

    def to_csv(self, path: Path) -> None:
        """Writes results.csv, which every command of the program takes."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self._csv)

    def _with_file(self, use):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.csv")
            self.to_csv(path)
            return use(folder, path)

    def plot(self, y: str = "err_l2_rel", **options: str) -> Figure:
        """The rows as a Figure. Options are those of `fftprec plot`: kind, x, series, panel, scale."""
        words = [word for name, value in {"y": y, **options}.items()
                 for word in (f"--{name}", value)]

        def draw(folder, path):
            output("plot", path, "-o", folder, "--format", "svg", *words)
            name = next(name for name in os.listdir(folder) if name.endswith(".svg"))
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return Figure(file.read())
        return self._with_file(draw)

    def report(self, path: Path, gates: Iterable[Path] = ()) -> None:
        """Writes the rows as one page, with the verdicts of gate files."""
        words = [word for file in gates for word in ("-g", file)]
        self._with_file(lambda _, rows: output("report", rows, "-o", path, *words, allowed=(0, 5)))

    def gate(self, *files: Path) -> Text:
        """The verdicts of gate files, a Text whose `passed` says whether all of them hold."""
        words = [word for file in files for word in ("-g", file)]
        return self._with_file(lambda _, rows: judged("gate", rows, *words))


def _value(column, text):
    if text == "":
        return None
    if column in _TEXTS:
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a run's directory or a CSV file, plain or compressed (.gz, .zst), one at a time, so
    that memory does not grow with them. Cells are as those of Rows.

        worst = max(fp.read_rows("out/large"), key=lambda row: row["err_l2_rel"] or 0)

    Raises ValueError for a file that is damaged, cut off or has no rows of results, when it gets there.
    """
    return map(Cells, _core.RowDictionaries(path))


def _finished(path):
    """The text of results.csv, and of the rows of an interrupted run beside it."""
    whole = ""
    for part in [path, path + ".part"]:
        if os.path.exists(part):
            with open(part, encoding="utf-8") as file:
                text = file.read()
            names, _, rows = text.partition("\n")
            if whole and "seeds" in names.split(","):
                break  # parts of statistics over seeds, which the program joins at the end
            whole += rows if whole else text
    return whole


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during run(). `rows`: the finished rows."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(f"{len(rows)} cases are finished: they are in the exception's `rows`")
        self.rows = rows


_one_at_a_time = threading.Lock()  # since a run takes over Ctrl-C, of which a process has one


def run(sweep: Path | None = None, *, out: Path | None = None, threads: int | None = None,
        filter: str | Iterable[str] = (), reduce: str | None = None, metrics: Iterable[str] = (),
        **axes: Axis) -> Rows:
    """Runs a sweep: a name of `fftprec list sweeps`, a TOML file, or axes, each a value or several.

        fp.run(algorithm=["radix2-dit", "dft-gemm"], mode="bf16", n=[256, 1024], seed=range(8))

    algorithm may also be a function of arrays, as for program(). out: a directory for rows, manifest, plots and summary; rows already in it are not run again.
    reduce: "seed" for one row for all seeds of a case, with statistics of the errors in `metrics`.
    Returns Rows. Terminals and notebooks show progress. Ctrl-C raises Interrupted, which has the
    finished rows. Raises ValueError for unknown names. status and message say which rows were skipped
    or failed, even if all were.
    """
    words = ["run", *([sweep] if sweep else []), *case_words(axes)]
    for each in [filter] if isinstance(filter, str) else filter:
        words += ["-f", each]
    if threads is not None:
        words += ["-j", threads]
    if reduce is not None:
        words += ["--reduce", reduce]
    if metrics:
        words += ["--metrics", ",".join(metrics)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "results.csv")
        words += ["-o", out] if out else ["--csv", path]
        with _one_at_a_time:
            text = output(*words, allowed=(0, 1, 3, NOTHING, INTERRUPTED))
        rows = Rows(_finished(os.path.join(out, "results.csv") if out else path))
    if text.code == INTERRUPTED:
        raise Interrupted(rows)
    return rows


def show(what: str | None = None, **axes: Axis) -> Text:
    """The meaning of a name such as "machine:trn", or a case in full, with the figure of its stages."""
    words = ["show", *([what] if what else []), *case_words(axes)]
    return output(*words) if what else drawn(*words)


def attribute(**axes: Axis) -> Text:
    """The error of a case broken down by source, with the figure."""
    return drawn("attribute", *case_words(axes))


def search(**axes: Axis) -> Text:
    """Searches the worst input of a case; `input` of the Text is the worst input found, an array."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "worst.npy")
        found = Text(output("search", *case_words(axes), "-o", path).partition("kept in ")[0])
        found.input = np.load(path)
    return found


def explain(table: Path) -> Text:
    """Finds the arithmetic that fits errors measured on hardware."""
    return output("explain", table)


def design(free: str | Iterable[str], *, min: Mapping[str, float | str] | None = None,
           max: Mapping[str, float | str] | None = None, **axes: Axis) -> Text:
    """The smallest widths with which every row meets limits. Axes as in run().

        fp.design("data.bits", min={"snr_db": 60}, mode="bf16", n=1024)

    free: the option --free of the command, "data.bits,table.bits=8..20", or several. min, max: limits
    of metrics; "1.04x" is 1.04 times the worst row at the largest widths. `passed` of the Text: whether
    the largest widths meet the limits. Raises ValueError if they make no sense. """
    widths = free if isinstance(free, str) else ",".join(free)
    words = ["design", "--free", widths, *case_words(axes)]
    for option, limits in {"--min": min or {}, "--max": max or {}}.items():
        words += [word for metric, limit in limits.items()
                  for word in (option, f"{metric}={limit}")]
    return output(*words, allowed=(0, 4)) or output(*words)  # which says why there is no text


def exact(*, given: str = "", failure: str = "", runs: int = 0, **axes: Axis) -> Text:
    """How many bits the digits of an exact product may have. Axes as in run().

        fp.exact(transform="product:negacyclic:half", n=2048)
        fp.exact(transform="product:half", n=4096, given="bits=30")

    given: "bits=B" or "exponent=E", to judge these digits; "torus:base=B:levels=L:dimension=K" for the noise of
    an external product. failure: the largest probability of a wrong coefficient, "2^-40". runs: seeds to run. """
    options = {"--given": given, "--failure": failure, "--runs": runs}
    words = [word for option, value in options.items() if value for word in (option, str(value))]
    return output("exact", *words, *case_words(axes), allowed=(0, 4))


def recommend(n: int, max: Mapping[str, float], **options: str) -> Text:
    """The algorithm and mode with the least work within limits, {"err_l2_rel": 1e-5}."""
    limits = [word for metric, limit in max.items() for word in ("--max", f"{metric}={limit}")]
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return output("recommend", "--n", n, *limits, *words)
