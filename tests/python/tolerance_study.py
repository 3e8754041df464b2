"""Which rule lets which fault pass? Plants faults (planted.py) in FFTs and judges the results by the
tolerances that FFT projects set by hand, and by fftprec's; and counts false alarms of fftprec's.

    tolerance_study.py faults [--draws 3] [--seed 1] --csv FILE
    tolerance_study.py healthy [--runs 1000000] [--seed 1] --csv FILE
    tolerance_study.py table --csv FILE                    tolerances to be copied

Exits with 1 if fftprec's tolerances let a fault pass whose error is above their factor, or fail a
healthy result. docs/tolerances.md says what it found.
"""

from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import functools
import sys
from collections.abc import Callable

import numpy as np
import planted
import scipy.fft

import fftprec as fp
from fftprec import predictions
from fftprec.axes import items_of
from fftprec.testing import check

DTYPES = {"fp64": "complex128", "fp32": "complex64", "fp16": "float16", "bf16": "bfloat16"}
EPS = {"fp64": 2.0**-52, "fp32": 2.0**-23, "fp16": 2.0**-10}


# The rules that others set by hand. Errors e and exact results t are complex.

@dataclasses.dataclass(frozen=True)
class Rule:
    """passes(e, t, n, limit): whether the project's test passes. `data`: what it transforms."""

    project: str
    said: str
    data: str
    limits: dict[str, float]
    passes: Callable[..., bool]


def _l2(e, t):
    return np.linalg.norm(e) / np.linalg.norm(t)


def _linf(e, t):
    return np.abs(e).max() / np.abs(t).max()


def _rocfft(e, t, n, eps):
    return _linf(e, t) <= eps * np.log(n) and _l2(e, t) <= eps * np.sqrt(np.log2(n))


def _onemath(e, t, n, eps):
    parts, most = np.abs(np.stack([e.real, e.imag])), np.abs(t).max()
    exact = np.abs(np.stack([t.real, t.imag]))
    return ((parts <= 10 * most * np.log2(n) * eps) | (parts <= 200 * np.log2(n) * eps * exact)).all()


def _close(e, t, n, limits):
    return (np.abs(e) <= limits[0] + limits[1] * np.abs(t)).all()


def _mlx(e, t, n, limits):
    return _close(e, t, n, (1e-4 if n < 1025 else 1e-3 if n < 2**17 else 1e-2, 1e-4))


def _snr(e, t, n, least):
    return bool(np.linalg.norm(e) == 0 or -20 * np.log10(_l2(e, t)) >= least)


RULES = (
    Rule("rocFFT", "max \\|e\\| <= eps ln n max \\|t\\|; 2-norm eps sqrt(log2 n)", "noise",
         {"fp16": 9.77e-4, "fp32": 3.75e-5, "fp64": 1e-15}, _rocfft),
    Rule("oneMath", "\\|e\\| <= 10 max \\|t\\| log2(n) eps, or 200 \\|t\\| log2(n) eps", "noise",
         {"fp32": EPS["fp32"], "fp64": EPS["fp64"]}, _onemath),
    Rule("pyvkfft", "max \\|e\\| <= (a + b log10 n) max \\|t\\|", "signed",
         {"fp32": (2e-6, 5e-7), "fp64": (5e-15, 5e-16)},
         lambda e, t, n, l: _linf(e, t) <= l[0] + l[1] * np.log10(n)),
    Rule("cuFFT samples", "2-norm 1e-3", "noise", {"fp32": 1e-3, "fp64": 1e-3},
         lambda e, t, n, l: _l2(e, t) < l),
    Rule("SciPy", "2-norm 1e-5, 1e-10", "unit", {"fp32": 1e-5, "fp64": 1e-10},
         lambda e, t, n, l: _l2(e, t) < l),
    Rule("NumPy", "\\|e\\| <= 1e-6 + 1e-7 \\|t\\|", "unit", {"fp64": (1e-6, 1e-7)}, _close),
    Rule("JAX", "\\|e\\| <= 1e-4 + 1e-4 \\|t\\|", "noise", {"fp32": (1e-4, 1e-4)}, _close),
    Rule("MLX", "\\|e\\| <= 1e-4, 1e-3, 1e-2 by n, + 1e-4 \\|t\\|", "unit", {"fp32": 0}, _mlx),
    Rule("RustFFT", "mean \\|e\\| < 0.1", "ten", {"fp32": 0.1, "fp64": 0.1},
         lambda e, t, n, l: np.abs(e).mean() < l),
    Rule("heFFTe", "\\|e\\| <= 5e-4, 1e-11", "unit", {"fp32": 5e-4, "fp64": 1e-11},
         lambda e, t, n, l: np.abs(e).max() <= l),
    Rule("KFR", "rms e < 1e-6 n, 1e-14 n", "signed", {"fp32": 1e-6, "fp64": 1e-14},
         lambda e, t, n, l: np.sqrt((np.abs(e) ** 2).mean()) < l * n),
    Rule("FFTW bench", "max \\|e\\| <= 1e-3, 1e-10 max \\|t\\|", "signed", {"fp32": 1e-3, "fp64": 1e-10},
         lambda e, t, n, l: _linf(e, t) <= l),
    Rule("CMSIS-DSP", "SNR 58, 120, 250, 30 dB (f16, f32, f64, q15)", "noise",
         {"fp16": 58, "fp32": 120, "fp64": 250, "q1.15": 30}, _snr),
)


# The data.

def _impulse(n, place):
    return np.eye(1, n, place % n)[0].astype(complex)


def _tone(n, frequency):
    return np.conj(np.exp(-2j * np.pi * (np.arange(n) * (frequency % n) % n) / n))


def data_for(n, format, seed=1, few=False):
    """Named data of length n in a format: those of the rules, and the probes for fftprec's. An impulse
    at n - 1 is multiplied by every twiddle of an FFT in time of radix 2, one at j (n-1)/3 by those of
    row j of radix 4; a tone does the same in frequency."""
    rng = np.random.default_rng([seed, n])
    unit = rng.random(n) + 1j * rng.random(n)
    noise = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    signed = rng.uniform(-1, 1, n) + 1j * rng.uniform(-1, 1, n)
    found = {"noise": noise, "unit": unit, "ten": 10 * unit, "signed": signed}
    for j in (3,) if few else (3, 1, 2):
        found[f"impulse {j}"] = _impulse(n, j * ((n - 1) // 3) if n % 3 == 1 or j < 3 else n - 1)
        found[f"tone {j}"] = _tone(n, j * ((n - 1) // 3) if n % 3 == 1 or j < 3 else n - 1)
    if format == "q1.15":
        found = {name: x / (np.abs(x).max() * 1.01) for name, x in found.items()}
    if format not in ("fp32", "fp64"):
        found.pop("ten")
    return {name: _rounded(x, format) for name, x in found.items()}


def _rounded(x, format):
    """Data that the format holds."""
    numbers = planted._numbers(format)
    return numbers.complex(numbers.stored(x))


PROBES = ("noise", "impulse", "tone")


def exact_of(x, format):
    """The transform, correct to at least 2^-45 of fp32 or 2^-62 of fp64, of its norm."""
    wide = np.clongdouble if format == "fp64" else np.complex128
    return scipy.fft.fft(np.asarray(x).astype(wide), axis=-1)


class Judge:
    """fftprec's limits for data: of check() with the default, and of the case it names."""

    def __init__(self, x, exact, format, case=None):
        items = items_of(x, "fft", None, None, None, None)
        dtype = DTYPES.get(format, "float32")
        self.limit = predictions.limit("expected*2", exact.astype(complex)[None], items, dtype, case or {})
        self.norm = np.linalg.norm(exact.astype(complex))
        self.sizes = np.abs(exact).astype(float)

    def over(self, e):
        """The error relative to what is allowed, the larger of norm and worst value."""
        largest = self.limit.largest[0] + self.limit.rtol * self.sizes
        return max(np.linalg.norm(e) / self.limit.l2[0], (np.abs(e) / largest).max())

    def expected(self, e):
        """The error relative to what is expected."""
        return 2 * np.linalg.norm(e) / self.norm / self.limit.error

    def factor(self):
        """The least multiple of the expected error that surely fails."""
        return 2 * self.limit.l2[0] / self.norm / self.limit.error


class FixedJudge:
    """Twice the expected error of a row, since predict() does not know a fixed-point input's size."""

    def __init__(self, x, exact, algorithm, name):
        rows = fp.run(algorithm=algorithm, mode="q1.15", machine="ieee", scale="stage:1/2", n=len(x),
                      input=f"file:{name}")
        self.norm, self.error = np.linalg.norm(exact), rows[0]["expected_l2_rel"]

    def over(self, e):
        return np.linalg.norm(e) / self.norm / self.error / 2

    def expected(self, e):
        return 2 * self.over(e)

    def factor(self):
        return 2.0


# Planted faults.

def case_of(algorithm):
    """What a test names, beside the default: matrix products sum otherwise than radix 2."""
    return {"algorithm": algorithm} if algorithm in ("four-step", "dft-gemm") else {}


def plan_of(format, draws):
    """(algorithm, n, kind, how many) to plant."""
    for n in (16, 256, 4096, 65536, 2**20):
        for algorithm in planted.ALGORITHMS:
            if n == 65536 and algorithm not in ("radix2-dit", "stockham-r4"):
                continue
            if n == 2**20 and algorithm != "stockham-r4" or n > 256 and algorithm == "dft-gemm":
                continue
            if n > 4096 and format not in ("fp32", "fp64"):
                continue
            for kind in planted.kinds_of(algorithm, format, n):
                yield algorithm, n, kind, 1 if n > 4096 else draws
            for kind in ("healthy", *regressions(format, algorithm, n)):
                yield algorithm, n, kind, 1


def regressions(format, algorithm, n):
    """Faults of all stages, each the result for data x: tables too narrow, angles in fp32 that grow with
    n, stores that cut, and a compiler that loses the residuals of operands split into bf16 words."""
    def everywhere(kind, bits=None):
        fault = planted.everywhere(kind, n, bits)
        return fault.culprit, lambda x: planted.transcribe(algorithm, format, x, fault)[0]

    def split(machine):
        return "operands in three bf16 words", lambda x: fp.fft(x, algorithm=algorithm, mode="bf16x3:6",
                                                                machine=machine)

    cut = everywhere("truncating-store", planted._BITS[format] - 1)
    found = {"truncating stores": cut}
    if format == "fp64":
        found["fp32 tables"] = everywhere("table-narrow", 24)
    if format == "fp32":
        found["half tables"] = everywhere("table-narrow", 11)
    if format in ("fp32", "fp64"):
        found["unreduced angles"] = everywhere("angle-not-reduced")
    if format == "fp32" and algorithm in ("four-step", "dft-gemm"):
        found["lost residuals"] = split("trn-elided")
        found["healthy, split"] = split("trn")
    return found


@functools.lru_cache(maxsize=8)
def _problem(format, n):
    data = data_for(n, format, few=n > 4096)
    x = np.stack(list(data.values()))
    return data, x, exact_of(x, format)


@functools.lru_cache(maxsize=8)
def _healthy(algorithm, format, n):
    return planted.transcribe(algorithm, format, _problem(format, n)[1])[0]


@functools.lru_cache(maxsize=64)
def _judges(format, n, algorithm):
    data, x, exact = _problem(format, n)
    case = case_of(algorithm)
    found = {}
    for row, name in enumerate(data):
        if name.split()[0] not in PROBES:
            continue
        if format == "q1.15":
            found[name] = FixedJudge(x[row], exact[row], algorithm, _saved(x[row], n, name))
        else:
            found[name] = Judge(x[row], exact[row], format, tuple(case.items()) and case)
    return found


def _saved(x, n, name):
    import tempfile
    path = f"{tempfile.mkdtemp()}/{name.replace(' ', '-')}-{n}.npy"
    np.save(path, x)
    return path


def judged(algorithm, format, n, y):
    """One row: by each rule whether y passes, and how far it is from fftprec's limits."""
    data, x, exact = _problem(format, n)
    names = list(data)
    e = (y.astype(exact.dtype) - exact).astype(complex)
    t = exact.astype(complex)
    row = {}
    for rule in RULES:
        row[rule.project] = ""
        if format in rule.limits:
            at = names.index(rule.data)
            row[rule.project] = int(bool(rule.passes(e[at], t[at], n, rule.limits[format])))
    over = {name: judge.over(e[names.index(name)]) for name, judge in _judges(format, n, algorithm).items()}
    noise = _judges(format, n, algorithm)["noise"]
    row["fftprec, noise"] = int(over["noise"] <= 1)
    row["fftprec"] = int(max(over.values()) <= 1)
    row["expected"] = float(noise.expected(e[names.index("noise")]))
    row["most_expected"] = max(float(judge.expected(e[names.index(name)]))
                               for name, judge in _judges(format, n, algorithm).items())
    row["over"] = float(max(over.values()))
    row["surely"] = int(any(judge.expected(e[names.index(name)]) > judge.factor()
                            for name, judge in _judges(format, n, algorithm).items()))
    return row


def plant(format, draws, seed, lengths=None):
    rng = np.random.default_rng(seed)
    for algorithm, n, kind, count in plan_of(format, draws):
        if lengths is not None and n not in lengths:
            continue
        x = _problem(format, n)[1]
        for _ in range(count):
            fault, culprit = None, ""
            if kind in planted.KINDS:
                fault, y = planted.draw_run(rng, algorithm, format, x, _healthy(algorithm, format, n), kind)
                culprit = fault.culprit
            elif kind == "healthy":
                y = _healthy(algorithm, format, n)
            else:
                culprit, compute = regressions(format, algorithm, n)[kind]
                y = compute(x)
            yield {"format": format, "algorithm": algorithm, "n": n, "kind": kind,
                   "stage": fault.stage if fault else "", "culprit": culprit,
                   **judged(algorithm, format, n, y)}


def is_wrong(row):
    """Whether a row refutes the claim."""
    if "alarms" in row:
        return row["alarms"] > 0
    return row["fftprec"] == 0 if row["kind"].startswith("healthy") else bool(row["surely"] and row["fftprec"])


def write(rows, path):
    """Writes the rows; returns those that refute the claim."""
    wrong = []
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = None
        for row in rows:
            if "fftprec" in row or "alarms" in row:
                wrong += [row] * is_wrong(row)
            row = {key: f"{value:.4g}" if isinstance(value, float) else value
                   for key, value in row.items() if key != "culprit"}
            if writer is None:
                writer = csv.DictWriter(file, row, lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
            file.flush()
    return wrong


# Healthy runs.

def healthy_kinds():
    """Data of every kind, as (name, function of (n, rng))."""
    from test_tolerances import KINDS, data_of_kind
    return [(kind, functools.partial(lambda kind, n, rng: data_of_kind(kind, n, False, rng), kind))
            for kind in KINDS]


SUBJECTS = {
    "scipy fp32": ("fp32", lambda x: scipy.fft.fft(x)),
    "scipy fp64": ("fp64", lambda x: scipy.fft.fft(x)),
    "numpy fp64": ("fp64", lambda x: np.fft.fft(x)),
    **{f"{algorithm} {format}": (format, functools.partial(
        lambda algorithm, format, x: planted.transcribe(algorithm, format, x)[0], algorithm, format))
       for algorithm in planted.ALGORITHMS for format in ("fp32", "fp64", "bf16", "fp16")},
}


LENGTHS = (16, 64, 256, 1024)
OTHER_LENGTHS = (12, 97, 100, 360, 1000)  # of libraries


def healthy(runs, seed, batch=500):
    """Rows of alarms: subject, n, kind, runs, alarms, the largest error over its limit. The limit of an
    item is that of a test of its own, whatever the batch."""
    rng = np.random.default_rng(seed)
    subjects = list(SUBJECTS.items())
    weights = np.array([4.0 if name.startswith(("scipy", "numpy")) else 1.0 for name, _ in subjects])
    totals = collections.defaultdict(lambda: [0, 0, 0.0])
    kinds = healthy_kinds()
    done = 0
    while done < runs:
        name, (format, compute) = subjects[rng.choice(len(subjects), p=weights / weights.sum())]
        algorithm = name.split()[0]
        lengths = LENGTHS + (OTHER_LENGTHS if algorithm in ("scipy", "numpy") else ())
        shares = np.array(lengths, float) ** -0.5
        n = int(rng.choice(lengths, p=shares / shares.sum()))
        if algorithm == "dft-gemm" and n > 256:
            continue
        kind, make = kinds[rng.integers(len(kinds))]
        x = np.stack([make(n, rng) for _ in range(batch)])
        if format in ("fp16", "bf16"):  # whose range an FFT of larger or smaller data leaves
            if kind in ("wide range", "decay", "speech"):
                continue
            x /= np.abs(x).max(axis=1, keepdims=True)
        x = _rounded(x, format)
        x = x[np.abs(x).max(axis=1) > 0]
        y = compute(x)
        over = overs(y, x, format, case_of(algorithm))
        total = totals[name, n, kind]
        total[0] += len(x)
        total[1] += int((over > 1).sum())
        total[2] = max(total[2], float(over.max()))
        done += len(x)
        if (over > 1).any():
            print(f"alarm: {name}, n = {n}, {kind}: {over.max():.3f}", file=sys.stderr, flush=True)
    for (name, n, kind), (count, alarms, most) in sorted(totals.items()):
        yield {"subject": name, "n": n, "kind": kind, "runs": count, "alarms": alarms, "over": most}


def overs(y, x, format, case):
    """For each item the error over what check() of this item alone allows; its own limits, with its
    chance of a false alarm shared by no others."""
    exact = exact_of(x, format)
    items = items_of(x, "fft", None, None, None, None)
    sure, predictions._SURE = predictions._SURE, predictions._SURE * len(x)
    try:
        limit = predictions.limit("expected*2", exact.astype(complex), items, DTYPES[format], case)
    finally:
        predictions._SURE = sure
    e = np.abs((y.astype(exact.dtype) - exact).astype(complex))
    largest = limit.largest[:, None] + limit.rtol * np.abs(exact).astype(float)
    return np.maximum(np.linalg.norm(e, axis=1) / limit.l2, (e / largest).max(axis=1))


# Tolerances to be copied.

def tolerances(lengths=(*(4**k for k in range(2, 11)), 100, 360, 1000, 97, 1009)):
    """Tolerances by transform, length and format: of one value relative to the largest result; of the
    norm for noise and for any data, relative to the norm."""
    rng = np.random.default_rng(1)
    for transform in ("fft", "ifft", "rfft", "irfft", "dct2", "dct3", "fft2"):
        for n in lengths:
            if transform == "fft2" and n > 1024 or transform == "irfft" and n % 2:
                continue
            shape = (n, n) if transform == "fft2" else (n,)
            x = rng.standard_normal(shape)
            if transform in ("fft", "ifft", "fft2"):
                x = x + 1j * rng.standard_normal(shape)
            if transform == "irfft":
                x = np.fft.rfft(x)
            items = items_of(x, transform, None, None, None, None)
            exact = (scipy.fft.dct(x, int(transform[3:])) if transform.startswith("dct")
                     else getattr(scipy.fft, transform)(x))
            for format in DTYPES:
                limit = predictions.limit("expected*2", exact.reshape(1, -1), items, DTYPES[format], {})
                yield {"transform": transform, "n": n, "format": format, "expected": limit.error / 2,
                       "value": float(limit.largest[0] / np.abs(exact).max()) + limit.rtol,
                       "noise": float(limit.l2[0] / np.linalg.norm(exact)),
                       "any": limit.error * any_data(np.isrealobj(x) or np.isrealobj(exact))}


def any_data(of_reals):
    """The largest spread: that of data with one number in a stage."""
    doubt = np.log(1 / predictions._SURE) * (2 if of_reals else 1)
    return float(np.sqrt(1 + np.sqrt(2 * doubt) + doubt))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["faults", "healthy", "table"])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", default="fp32,fp64,fp16,bf16,q1.15")
    parser.add_argument("--csv", required=True)
    arguments = parser.parse_args()
    if arguments.what == "faults":
        rows = (row for format in arguments.formats.split(",")
                for row in plant(format, arguments.draws, arguments.seed))
    elif arguments.what == "healthy":
        rows = healthy(arguments.runs, arguments.seed)
    else:
        rows = tolerances()
    wrong = write(rows, arguments.csv)
    for row in wrong:
        print(f"refuted: {row}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
