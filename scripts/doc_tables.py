"""The tables of README.md and docs/, each a function of results that gives Markdown; `update_docs`
puts them between their markers."""

import csv
import glob
import json
import math
import os
import re
import statistics
import subprocess

import doc_claims


class Results:
    """Rows of sweeps, run when first asked for, and what the program says of itself."""

    def __init__(self, root, program, folder):
        self.root = root
        self.program = program
        self.folder = folder
        self.runs = {}

    def directory(self, sweep):
        return os.path.join(self.folder, sweep)

    def output(self, *arguments):
        answer = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if answer.returncode != 0:
            raise SystemExit(f"fftprec {' '.join(arguments)}: {answer.stderr}")
        return answer.stdout

    def rows(self, sweep, **axes):
        """Rows of a sweep (built in, or the name of a file in examples/) with these values."""
        if sweep not in self.runs:
            file = os.path.join(self.root, "examples", sweep + ".toml")
            self.output("run", file if os.path.exists(file) else sweep, "-o", self.directory(sweep))
            with open(os.path.join(self.directory(sweep), "results.csv"), encoding="utf-8") as file:
                self.runs[sweep] = list(csv.DictReader(file))
        return [row for row in self.runs[sweep]
                if all(row[axis] == str(value) for axis, value in axes.items())]

    def value(self, sweep, metric, **axes):
        """The metric of the one row with these values, or its median over seeds."""
        values = [float(row[metric]) for row in self.rows(sweep, **axes)]
        if not values:
            raise SystemExit(f"the sweep {sweep} has no row with {axes}")
        return statistics.median(values)

    def explanation(self, table_name):
        """The folder in which `fftprec explain` explains a built-in table."""
        folder = self.directory("explain_" + table_name)
        if folder not in self.runs:
            self.output("explain", table_name, "-o", folder)
            self.runs[folder] = True
        return folder

    def kept_path(self, name):
        return os.path.join(self.root, "docs", "data", name)

    def kept(self, name):
        """The rows of a CSV file in docs/data."""
        with open(self.kept_path(name), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def published(self, **columns):
        """The published figure with these columns, as it was written, or an empty text."""
        for row in self.kept("published.csv"):
            if all(row[key] == str(value) for key, value in columns.items()):
                return row["value"]
        return ""


def number(value, digits=3):
    """1.50e-3."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def short_number(value, digits=3):
    """As the program prints it: 0.0203, 1.2e3, 2.03e-3; a whole number in full."""
    if not math.isfinite(value) or (value == int(value) and abs(value) < 1e15):
        return f"{value:.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = f"e{int(exponent)}"
    if -2 <= int(exponent) < digits:
        mantissa, power = f"{value:.{digits - 1 - int(exponent)}f}", ""
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + power


def table(header, rows, align=None):
    align = align or ["---"] + ["---:"] * (len(header) - 1)
    lines = [header, align, *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


TORCH = {"input": "torch_randn", "seed": 42, "machine": "trn"}
GAUSSIAN = {"input": "gaussian", "machine": "trn", "tables": "exact"}


def published_summary(results):
    """docs/published.md: the figures that matter most."""
    rows = []

    def add(what, published, **axes):
        metric = axes.pop("metric", "err_linf_rel")
        sweep = axes.pop("sweep", "paper")
        ours = [results.value(sweep, metric, tables=tables, **TORCH, **axes)
                for tables in ("fp32-angle", "exact")]
        rows.append([what, published, *map(number, ours)])

    for n in (64, 128, 256):
        on = "trn1" if n == 64 else "cpu"
        add(f"dft-gemm, bf16, N = {n}" + (", published for a CPU" if on == "cpu" else ""),
            results.published(algorithm="dft-gemm", mode="bf16", n=n, measured_on=on),
            algorithm="dft-gemm", mode="bf16", n=n)
    for mode in ("ozaki", "ozaki_hq"):
        add(f"dft-gemm, {mode}, N = 64", results.published(
            algorithm="dft-gemm", mode=mode, n=64, measured_on="trn1"),
            algorithm="dft-gemm", mode=mode, n=64)
    add("dft-gemm, fp32, N = 1024, `err_re_max_rel`",
        results.published(algorithm="dft-gemm", mode="fp32", n=1024),
        algorithm="dft-gemm", mode="fp32", n=1024, metric="err_re_max_rel")
    for n in (1024, 4096):
        add(f"stockham-mixed, fp32, N = {n} (published as radix-2)",
            results.published(algorithm="radix2-dit", mode="fp32", n=n),
            sweep="published", algorithm="stockham-mixed", mode="fp32", n=n)
    add("radix2-dit, kahan, N = 4096",
        results.published(algorithm="radix2-dit", mode="kahan", n=4096),
        algorithm="radix2-dit", mode="kahan", n=4096)
    return table(["case", "published", "ours, fp32-angle", "ours, exact"], rows)


def published_gemm(results):
    rows = []
    for mode in ("bf16", "bf16_refined", "ozaki", "ozaki_hq"):
        for n in (64, 128, 256):
            axes = {"algorithm": "dft-gemm", "mode": mode, "n": n}
            theirs = [results.published(**axes, measured_on=on) for on in ("trn1", "trn2")]
            computed = results.published(**axes, measured_on="cpu") or results.published(
                **axes, measured_on="claim")
            angle = results.value("published", "err_linf_rel", tables="fp32-angle", **TORCH, **axes)
            exact = results.value("paper", "err_linf_rel", tables="exact", **TORCH, **axes)
            rows.append([mode, n, *theirs, computed, number(angle, 4), number(exact, 4)])
    return table(["mode", "N", "trn1", "trn2", "trnfft: CPU or claim", "ours, fp32-angle",
                  "ours, exact"], rows)


def published_large(results):
    axes = {"algorithm": "dft-gemm", "mode": "fp32", "n": 1024}
    rows = []
    for metric in ("err_re_max_rel", "err_linf_rel", "err_l2_rel"):
        values = [results.value("published", metric, tables=tables, **TORCH, **axes)
                  for tables in ("fp32-angle", "exact")]
        rows.append([f"`{metric}`", results.published(**axes, metric=metric),
                     *(number(value, 4) for value in values), f"{values[0] / values[1]:.0f}"])
    return table(["metric", "published", "ours, fp32-angle", "ours, exact", "quotient"], rows)


def published_radix2(results):
    rows = []
    for n in (256, 512, 1024, 4096):
        theirs = [results.published(algorithm="radix2-dit", mode=mode, n=n)
                  for mode in ("fp32", "kahan")]
        ours = [results.value("published", "err_linf_rel", algorithm="radix2-dit", mode=mode, n=n,
                              **TORCH) for mode in ("fp32", "kahan")]
        rows.append([n, *theirs, f"{float(theirs[0]) / float(theirs[1]):.1f}",
                     number(ours[0]), number(ours[1]), f"{ours[0] / ours[1]:.2f}"])
    return table(["N", "silicon \"fast\"", "silicon kahan", "ratio", "our fp32", "our kahan",
                  "ratio"], rows)


def silicon_stockham(results):
    """What silicon ran as "fast" in the radix-2 table, and ours with both table sources."""
    rows = []
    for n in (256, 512, 1024, 4096):
        theirs = float(results.published(algorithm="radix2-dit", mode="fp32", n=n))
        ours = [results.value("published", "err_linf_rel", algorithm="stockham-mixed", mode="fp32",
                              n=n, tables=tables, **TORCH) for tables in ("fp32-angle", "exact")]
        rows.append([n, number(theirs), number(ours[0]), f"{ours[0] / theirs:.2f}",
                     number(ours[1])])
    return table(["N", "silicon", "ours, fp32-angle", "ours / silicon", "ours, exact"], rows)


def bluestein_chirp(results):
    rows = []
    for n in (500, 600, 700, 800, 900, 1000):
        rows.append([n] + [
            number(results.value("published", "err_linf_rel", algorithm="bluestein", mode=mode, n=n,
                                 tables=tables, **TORCH))
            for mode in ("fp32", "kahan", "fp64") for tables in ("fp32-angle", "exact")])
    return table(["N"] + [f"{mode}, {tables}" for mode in ("fp32", "kahan", "fp64")
                          for tables in ("fp32-angle", "exact")], rows)


def beside_fftw(results):
    """err_l2_rel in units of u sqrt(log2 n), of the rows that docs/libraries.md shows."""
    cases = [(algorithm, mode, bits) for mode, bits in (("fp32", 24), ("fp64", 53))
             for algorithm in ("program:fftw", "radix2-dit", "split-radix")]
    errors = {(row["algorithm"], row["mode"], int(row["n"])): float(row["err_l2_rel"])
              for row in results.kept("libraries.csv")}
    rows = [[f"2^{t}", *(f"{errors[algorithm, mode, 2 ** t] * 2 ** bits / math.sqrt(t):.2f}"
                         for algorithm, mode, bits in cases)] for t in range(4, 18)]
    return table(["N"] + [f"{algorithm.removeprefix('program:')}, {mode}" for algorithm, mode, _ in cases], rows)


def scaling(results):
    """The lines of two modes in the section that a run of the sweep `scaling` wrote."""
    path = os.path.join(results.root, "docs", "data", "scaling.md")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("|")]
    chosen = [line for line in lines[2:] if line.split("|")[2].strip() in ("fp32", "bf16")]
    return "".join(lines[:2] + chosen)


def error_tail(results):
    """Statistics over seeds in units of the expected error."""
    rows = []
    for row in results.kept("error_tail.csv"):
        expected = float(row["expected_l2_rel"])
        error = {name: float(row["err_l2_rel." + name]) for name in ("mean", "deviation", "p50", "p99", "p999", "max")}
        beyond = (error["max"] - error["mean"]) / error["deviation"]
        rows.append([f"`{row['mode']}`", *(f"{error[name] / expected:.3f}" for name in ("mean", "p50", "p99", "p999", "max")),
                     f"{beyond:.2f}", row["err_l2_rel.max_seed"],
                     *(f"{float(row[bound]) / error['max']:.1f}" for bound in ("bound_prob_l2_rel", "bound_l2_rel"))])
    return table(["mode", "mean", "p50", "p99", "p999", "largest", "deviations above the mean", "its seed",
                  "bound for 1e-6 / largest", "worst case / largest"], rows)


def angle_floor(results):
    """dft-gemm in three modes with both table sources."""
    rows = []
    for n in (64, 128, 256, 512, 1024):
        row = [n]
        for tables in ("fp32-angle", "exact"):
            row += [number(results.value("paper", "err_linf_rel", algorithm="dft-gemm", mode=mode,
                                         n=n, tables=tables, **TORCH))
                    for mode in ("fp64", "fp32", "ozaki_hq")]
        rows.append(row)
    return table(["N", "fp64, fp32-angle", "fp32, fp32-angle", "ozaki_hq, fp32-angle",
                  "fp64, exact", "fp32, exact", "ozaki_hq, exact"], rows)


def product_rounding(results):
    """What two accumulators and silicon make of the same input."""
    rows = []
    for mode in ("bf16", "ozaki", "ozaki_hq"):
        axes = {"algorithm": "dft-gemm", "mode": mode, "n": 64}
        rows.append([mode, *(results.published(**axes, measured_on=on) for on in ("trn1", "trn2")),
                     *(number(results.value("product_rounding", "err_linf_rel", machine=machine,
                                            **axes), 4)
                       for machine in ("trn", "trn-rz", "trn-claim"))])
    return table(["mode", "silicon trn1", "silicon trn2", "our trn", "our trn-rz", "our trn-claim"],
                 rows)


def machine_errors(results):
    rows = []
    for mode in ("fp32", "bf16", "bf16_refined", "ozaki", "ozaki_hq", "kahan"):
        for n in (64, 256, 1024):
            axes = {"algorithm": "dft-gemm", "mode": mode, "n": n, "input": "gaussian",
                    "tables": "exact"}
            rows.append([mode, n, *(
                number(results.value("paper", "err_l2_rel", machine=machine, **axes))
                for machine in ("trn", "ieee", "trn-rz", "trn-claim"))])
    return table(["mode", "N", "trn", "ieee", "trn-rz", "trn-claim"], rows)


def tightness(results):
    """How far measured errors are from their expected values and bounds."""
    rows = []
    for algorithm in ("dft-gemm", "radix2-dit"):
        for mode in ("fp32", "kahan", "fp64", "bf16", "bf16_refined", "ozaki", "ozaki_hq"):
            chosen = results.rows("paper", algorithm=algorithm, mode=mode, **GAUSSIAN)
            expected = [float(row["err_l2_rel"]) / float(row["expected_l2_rel"]) for row in chosen
                        if int(row["n"]) >= 64]
            every = results.rows("paper", algorithm=algorithm, mode=mode)
            bound = max(float(row["err_l2_rel"]) / float(row["bound_l2_rel"]) for row in every)
            names = sorted({row["bound_name"].removesuffix("+machine-checked") for row in every})
            rows.append([algorithm, mode, *(f"{x:.2f}" for x in (
                min(expected), statistics.median(expected), max(expected))), f"{bound:.3f}",
                ", ".join(names)])
    return table(["algorithm", "mode", "least", "median", "largest", "error / bound, worst",
                  "theorem"], rows,
                 ["---", "---", "---:", "---:", "---:", "---:", "---"])


def sample_row(results):
    row, = results.rows("published", algorithm="dft-gemm", mode="bf16", n=64)
    width = max(map(len, row))
    # Time depends on the day; every other column is the same everywhere.
    lines = [f"{name:<{width}}  {'(nanoseconds)' if name == 'time_ns' else row[name]}".rstrip()
             for name in row if row[name]]
    return "```\n" + "\n".join(lines) + "\n```\n"


def first_sweep(results):
    with open(os.path.join(results.root, "examples", "first_sweep.toml"), encoding="utf-8") as file:
        return "```toml\n" + file.read() + "```\n"


def store_errors(results):
    """err_l2_rel of radix2-dit by policy, and that of the model where it has one."""
    stores = ("op", "stage", "pass:3", "ends")
    rows = []
    for mode in ("bf16", "fp16"):
        for t in (6, 10, 14, 18):
            found = {row["rounding_points"]: row for row in results.rows(
                "storage", mode=mode, machine="ieee", n=2 ** t)}
            rows.append([mode, f"2^{t}"] + [number(float(found[store]["err_l2_rel"]))
                                            for store in stores]
                        + [f"{float(found['op']['err_l2_rel']) / float(found['pass:3']['err_l2_rel']):.2f}"])
    return table(["mode", "N"] + [f"`{store}`" for store in stores] + ["`op` / `pass:3`"], rows,
                 ["---"] * 2 + ["---:"] * 5)


def store_blocks(results):
    """err_l2_rel of data in blocks that share a scale, 1024 points, and the expected one of passes."""
    bits = {"fp8_e4m3": 8, "mxfp8_e4m3fn": 8.25, "mxfp6_e2m3": 6.25, "mxfp4_e2m1": 4.25,
            "mxint8": 8.25, "bfp16": 9}
    stores = ("stage", "pass:3", "ends")
    rows = []
    for mode, width in bits.items():
        found = [results.rows("storage", mode=mode, machine="ieee", n=1024, rounding_points=store,
                              scale="none")[0] for store in stores]
        rows.append([f"`{mode}`", f"{width:g}"]
                    + [number(float(row["err_l2_rel"])) for row in found]
                    + [number(float(found[1]["expected_l2_rel"]))])
    return table(["mode", "bits a value"] + [f"`{store}`" for store in stores]
                 + ["`pass:3` expected"], rows, ["---"] + ["---:"] * 5)


RECURRENCES = ("multiplication", "numerical-recipes", "singleton", "chebyshev", "subvector",
               "logarithmic", "bisection")


def twiddle_errors(results):
    """err_l2_rel by the table alone, over that of the arithmetic with exact tables."""
    rows = []
    for name in ("correctly rounded", *RECURRENCES):
        row = [f"`{name}`" if name in RECURRENCES else name]
        for mode, format_name in (("fp32", "fp32"), ("bf16", "bf16")):
            source = "exact:in=" + format_name
            if name in RECURRENCES:
                source = f"recurrence:by={name}" + (":in=bf16" if mode == "bf16" else "")
            shares = {t: results.value("twiddles", "err_l2_rel", mode="fp64", tables=source,
                                       n=2 ** t)
                      / results.value("twiddles", "err_l2_rel", mode=mode, n=2 ** t)
                      for t in range(4, 17)}
            below = [t for t in shares if shares[t] <= 1]
            row += [short_number(shares[t]) for t in (6, 10, 16)]
            row.append("never" if len(below) == len(shares)
                       else f"2^{max(below) + 1}" if below else "always")
        rows.append(row)
    return table(["table", "fp32, 2^6", "2^10", "2^16", "larger from", "bf16, 2^6", "2^10", "2^16",
                  "larger from"], rows)


SYSTEMS = ("posit16", "takum16", "fp16", "bf16", "posit8", "takum8", "binary8p4se",
           "binary8p3se", "fp8_e4m3fn", "fp8_e5m2")


def system_formats(results):
    """What `fftprec show` says of number systems."""
    rows = []
    for name in (*SYSTEMS[:2], "posit32", "takum32", *SYSTEMS[4:8]):
        shown = dict(re.findall(r"^  (\w[\w ]*\w)  +(.*)$", results.output("show", name), re.M))
        rows.append([f"`{name}`", shown["significant bits"], number(float(shown["smallest"]), 2),
                     number(float(shown["largest"]), 2)])
    return table(["format", "significant bits", "smallest", "largest"], rows,
                 ["---", "---"] + ["---:"] * 2)


def system_error(results, n, tables="exact", **axes):
    """The median of err_l2_rel, or that there is no number."""
    errors = [float(row["err_l2_rel"])
              for row in results.rows("number_systems", n=n, tables=tables, **axes)]
    return statistics.median(errors) if all(map(math.isfinite, errors)) else math.inf


def finite(error):
    return number(error, 2) if math.isfinite(error) else "-"


def system_errors(results):
    rows = []
    for mode in SYSTEMS:
        lengths = (4, 8, 12)
        exact = [system_error(results, 2 ** t, mode=mode, scale="none") for t in lengths]
        recurred = [system_error(results, 2 ** t, mode=mode, scale="none",
                                 tables="recurrence:by=numerical-recipes:in=mode") for t in lengths]
        rows.append([f"`{mode}`", *map(finite, exact + recurred)])
    return table(["mode", "exact, 2^4", "2^8", "2^12", "recurrence, 2^4", "2^8", "2^12"], rows)


def system_ranges(results):
    powers = (-40, -24, -12, -4, 0, 4, 8, 16, 24, 40)
    rows = []
    for mode in SYSTEMS[:8]:
        errors = [system_error(results, 1024, mode=mode,
                               scale=f"input:2^{k}" if k else "none") for k in powers]
        rows.append([f"`{mode}`", *map(finite, errors)])
    return table(["mode", *(f"2^{k}" if k else "1" for k in powers)], rows)


def fixed_rounding(results):
    """snr_db of q1.15 with a shift per stage by rounding; the expected one of two."""
    machines = ("ieee", "ieee{casts=rnu}", "ieee{casts=odd}", "ieee{casts=sr}", "ieee{casts=rd}",
                "ieee{fixed.rounds=products}")
    rows = []
    for t in range(4, 15, 2):
        found = [results.rows("fixed_point", mode="q1.15", machine=machine, n=2 ** t,
                              scale="input:2^-1+stage:1/2")[0] for machine in machines]
        expected = [-20 * math.log10(float(found[i]["expected_l2_rel"])) for i in (0, 4)]
        rows.append([f"2^{t}"] + [f"{float(row['snr_db']):.1f}" for row in found]
                    + [f"{value:.1f}" for value in expected])
    return table(["N", "`rne`", "`rnu`", "`odd`", "`sr`", "`rd`", "every product", "`rne` expected",
                  "`rd` expected"], rows, ["---"] + ["---:"] * 8)


def fixed_levels(results):
    """snr_db of 1024 points by the level of the input and the scaling."""
    rows = []
    for k in range(1, 14, 2):
        cells = []
        for after in ("", "+stage:1/2", "+block"):
            row, = results.rows("fixed_point", mode="q1.15", machine="ieee", n=1024,
                                scale=f"input:2^-{k}{after}")
            lost = int(row["overflows"])
            cells.append(f"{float(row['snr_db']):.1f}" + (f" ({lost} overflows)" if lost else ""))
        rows.append([f"2^-{k}"] + cells)
    return table(["input", "`none`", "`stage:1/2`", "`block`"], rows, ["---"] + ["---:"] * 3)


def listing(subject):
    """What `fftprec list SUBJECT` prints, as a table."""
    def make(results):
        lines = [line.split(None, 1) for line in results.output("list", subject).splitlines()]
        return table([subject if subject in ("tables", "rounding_points") else subject[:-1], "meaning"],
                     [[f"`{name}`", meaning.replace("|", "\\|")] for name, meaning in lines],
                     ["---", "---"])
    return make


def preset_groups(results):
    """Presets by what the probes of `fftprec probe` tell apart."""
    return "```\n" + results.output("identify", "--presets") + "```\n"


SOURCE_LANGUAGES = {"c": "c", "cpp": "cpp", "hpp": "cpp", "py": "python", "jl": "julia"}


def source(path):
    """A file of the repository, whole."""
    def make(results):
        with open(os.path.join(results.root, path), encoding="utf-8") as file:
            return f"```{SOURCE_LANGUAGES[path.rpartition('.')[2]]}\n{file.read()}```\n"
    return make


# Kinds of planted faults (tests/python/planted.py) in the table of docs/tolerances.md.
FAULT_GROUPS = {
    "wrong": ("entry-conjugated", "entry-negated", "entry-parts-exchanged", "twiddles-off-by-one",
              "twiddles-stride", "twiddles-conjugated", "outputs-exchanged", "operands-exchanged",
              "no-twiddles", "no-stage", "element-zero", "element-stale"),
    "another entry": ("entry-of-another-place",),
    "tables": ("fp32 tables", "half tables", "lost residuals"),
    "angles": ("unreduced angles",),
    "a narrow table": ("table-narrow",),
    "a narrow store": ("narrow-store",),
    "one value": ("element-lost-bits",),
    "all stores cut": ("truncating stores",),
}
RULES_OF_OTHERS = ("rocFFT", "oneMath", "pyvkfft", "cuFFT samples", "SciPy", "NumPy", "JAX", "MLX",
                   "RustFFT", "heFFTe", "KFR", "FFTW bench", "CMSIS-DSP")


def passed_faults(format):
    """Of the faults planted in a format, how many each rule lets pass."""
    def make(results):
        rows = [row for row in results.kept("planted_faults.csv") if row["format"] == format]
        groups = {name: [row for row in rows if row["kind"] in kinds]
                  for name, kinds in FAULT_GROUPS.items()}
        groups = {name: members for name, members in groups.items() if members}
        cells = [["planted", *(len(members) for members in groups.values())]]
        for rule in (*RULES_OF_OTHERS, "fftprec, noise", "fftprec"):
            if rows[0][rule] != "":
                cells.append([rule, *(sum(row[rule] == "1" for row in members)
                                      for members in groups.values())])
        if format != "q1.15":  # Without long sums this limit is half the default; else the same is shown.
            cells.append(["fftprec, `expected`",
                          *(sum(row["fftprec"] == "1" and (row["algorithm"] in ("four-step", "dft-gemm")
                                                           or float(row["over"]) <= 0.5) for row in members)
                            for members in groups.values())])
        return table(["rule", *groups], cells)
    return make


def found_faults(results):
    """Of all planted faults by format: how many are above the factor, found, and passed."""
    cells = []
    for format in ("fp64", "fp32", "fp16", "bf16", "q1.15"):
        rows = [row for row in results.kept("planted_faults.csv")
                if row["format"] == format and not row["kind"].startswith("healthy")]
        found = [row for row in rows if row["fftprec"] == "0"]
        above = [row for row in rows if row["surely"] == "1"]
        passed = [float(row["most_expected"]) for row in rows if row["fftprec"] == "1"]
        cells.append([f"`{format}`", len(rows), len(above), sum(row in above for row in found),
                      len(found) - len(above), len(passed), f"{max(passed):.1f}"])
    return table(["format", "planted", "above the factor", "of these found", "others found", "passed",
                  "largest error that passed / expected"], cells)


def healthy_runs(results):
    cells = []
    rows = results.kept("healthy_runs.csv")
    for name in sorted({row["subject"] for row in rows}):
        of_name = [row for row in rows if row["subject"] == name]
        most = max(of_name, key=lambda row: float(row["over"]))
        cells.append([name, sum(int(row["runs"]) for row in of_name),
                      sum(int(row["alarms"]) for row in of_name), f"{float(most['over']):.2f}",
                      f"{most['kind']}, n = {most['n']}"])
    cells.append(["all", sum(line[1] for line in cells), sum(line[2] for line in cells),
                  max(line[3] for line in cells), ""])
    return table(["FFT", "runs", "alarms", "largest error / limit", "on"], cells,
                 ["---", "---:", "---:", "---:", "---"])


def library_errors(mode):
    """The variants in a mode by their error at the longest length, with the best of ours at each length, its expected
    error and bound, and what has the same bits at all common lengths, or ours at most of them."""
    lengths = ["64", "1000", "1024", "4096", "131072"]

    def make(results):
        versions = {row["variant"]: row for row in results.kept("library_versions.csv")}
        errors, hashes, theory = {}, {}, {}
        for row in results.kept("libraries.csv"):
            if row["mode"] == mode:
                name = row["algorithm"].removeprefix("program:")
                theory[name, row["n"]] = row["expected_l2_rel"], row["bound_l2_rel"]
                errors.setdefault(name, {})[row["n"]] = float(row["err_l2_rel"])
                hashes.setdefault(name, {})[row["n"]] = row["output_hash"]
        ours = {name: errors.pop(name) for name in list(errors) if name not in versions}
        best, least = {}, {}
        for n in lengths:
            best[n], least[n] = min((own[n], name) for name, own in ours.items() if n in own)

        def of_theory(which):
            return [number(float(theory[least[n], n][which])) for n in lengths]

        def by_error(item):
            name, own = item
            return next(own[n] for n in [*reversed(lengths), *own] if n in own), name

        def same_bits(name):
            said = []
            for other in [*sorted(ours), *sorted(errors)]:
                common = hashes[name].keys() & hashes[other].keys()
                equal = sum(hashes[name][n] == hashes[other][n] for n in common)
                if other != name and (equal == len(common) or (other in ours and equal > 4)):
                    said.append(f"`{other}`" + (f" at {equal} of {len(common)}" if equal < len(common) else ""))
            return ", ".join(said)

        cells = [["*best of fftprec's*", "", *(number(best[n]) for n in lengths), "1", ""],
                 ["*its expected error, the floor*", "", *of_theory(0), "", ""],
                 ["*its bound*", "", *of_theory(1), "", ""]]
        for name, own in sorted(errors.items(), key=by_error):
            worst = max(own[n] / best[n] for n in lengths if n in own)
            cells.append([f"`{name}`", f"[{versions[name]['version']}]({versions[name]['url']})",
                          *(number(own[n]) if n in own else "" for n in lengths),
                          f"{worst:.2g}" if worst < 100 else number(worst, 2), same_bits(name)])
        return table(["variant", "version", *(f"n = {n}" for n in lengths), "times the best", "same bits"], cells,
                     ["---", "---", *["---:"] * 6, "---"])
    return make


def library_names(results):
    """The variants that are named at some length, those with a name at all lengths that they take first."""
    cells = []
    for row in results.kept("library_names.csv"):
        named, taken = row["named"].split(), row["taken"].split()
        if not named:
            continue
        mode = row["mode"] + (f", stored at {row['rounding_points']}" if row["rounding_points"] else "")
        cells.append((len(named) < len(taken), row["algorithm"],
                      [f"`{row['variant']}`", row["data"], "all" if named == taken else ", ".join(named),
                       f"`{row['algorithm']}`", mode, row["tables"]]))
    return table(["variant", "data", "n", "algorithm", "mode", "tables"], [line for *_, line in sorted(cells)], ["---"] * 6)


def library_nearest(results):
    """What is known of those that are not named at all lengths."""
    cells = []
    for row in results.kept("library_names.csv"):
        if row["nearest"]:
            place, algorithm, mode, tables, _, equal, *_ = row["nearest"].removeprefix("n = ").replace(": ", "; ", 1).split("; ")
            cells.append([f"`{row['variant']}`", row["data"], place, f"`{algorithm}`", mode, tables, equal])
    return table(["variant", "data", "n", "nearest", "mode", "tables", "equal parts"], cells, ["---"] * 7)


TRANSFORM_GROUPS = {"fft, ifft, rfft": ("fft", "ifft", "rfft"), "irfft, dct": ("irfft", "dct2", "dct3"),
                    "fft2, n x n": ("fft2",)}


def rounded_up(value):
    """To two digits."""
    exponent = math.floor(math.log10(value))
    tenths = math.ceil(value / 10.0 ** (exponent - 1))
    return number(tenths * 10.0 ** (exponent - 1), 2)


def copied_tolerances(column):
    """The largest tolerance of a group of transforms in docs/data/tolerances.csv, rounded up."""
    def make(results):
        rows = results.kept("tolerances.csv")
        cells = []
        for n in sorted({row["n"] for row in rows}, key=int):
            line = [n]
            for transforms in TRANSFORM_GROUPS.values():
                for format in ("fp64", "fp32", "fp16", "bf16"):
                    values = [float(row[column]) for row in rows if row["n"] == n
                              and row["format"] == format and row["transform"] in transforms]
                    line.append(rounded_up(max(values)) if values else "")
            cells.append(line)
        return table(["n", *(f"{group} {format}" for group in TRANSFORM_GROUPS
                             for format in ("fp64", "fp32", "fp16", "bf16"))], cells)
    return make


def tolerance_factors(results):
    """The least error, relative to the expected one, that fftprec's limit of the norm excludes."""
    rows = [row for row in results.kept("tolerances.csv") if row["format"] == "fp32"]
    cells = []
    for n in sorted({row["n"] for row in rows}, key=int):
        here = {row["transform"]: row for row in rows if row["n"] == n}
        cells.append([n, *(f"{float(here[transform][column]) / float(here[transform]['expected']):.1f}"
                           for column in ("noise", "any") for transform in ("fft", "rfft"))])
    return table(["n", "complex noise", "real noise", "any complex data", "any real data"], cells)


def exact_bits(results):
    """Bits of a digit by n and mode, from scripts/exact_docs: "proven / improbable / right in all runs"."""
    rows = results.kept("exact_bits.csv")
    at_least = {}
    for row in rows:
        at_least.setdefault(row["mode"], int(row["right"]) if row["right"] != "none" else 0)
    modes = sorted(at_least, key=lambda mode: -at_least[mode])
    bits = {(row["mode"], row["n"]): " / ".join(row[key] for key in ("proven", "fails in 2^-40", "right"))
            for row in rows}
    lengths = sorted({row["n"] for row in rows}, key=int)
    return table(["n", *(f"`{mode}`" for mode in modes)],
                 [[n, *(bits.get((mode, n), "") for mode in modes)] for n in lengths])


def worst_digits(results):
    """What fftprec search found among the digits of products, by scripts/search_docs."""
    rows = [[f"`{row['transform']}`", row["n"], number(float(row["random_over_bound"]), 2),
             number(float(row["found_over_bound"]), 2), row["proven_bits"], row["wrong_bits"],
             number(float(row["least_energy"])) if row["least_energy"] else ""]
            for row in results.kept("worst_digits.csv")]
    return table(["product", "n", "random, of the bound", "found, of the bound", "proven bits", "found wrong",
                  "least sum of squares"], rows)


def worst_inputs(results):
    """What fftprec search found, by scripts/search_docs."""
    rows = []
    for row in results.kept("worst_inputs.csv"):
        worst = [float(row[key]) for key in ("worst_random", "worst_structured", "worst_found",
                                             "bound")]
        rows.append([row["algorithm"], row["mode"], row["machine"], row["n"], number(worst[0]),
                     f"{worst[1] / worst[0]:.2f} ({row['structured_family']})",
                     f"**{worst[2] / worst[0]:.2f}**", f"{100 * worst[2] / worst[3]:.1f} %",
                     row["found_from"].split(":")[0]])
    return table(["algorithm", "mode", "machine", "n", "worst of 1000 random",
                  "best family, times that", "found, times that", "of its bound",
                  "found from"], rows)


def designed(*words):
    """The smallest widths as the terminal shows them."""
    return lambda results: "```\n" + results.output("design", *words).rstrip() + "\n```\n"


def designed_accumulators(results):
    """The fewest bits of accumulators within 4 % of the error with all, and one bit fewer."""
    rows = []
    for algorithm, mode, n, machine, free in [
            ("dft-gemm", "bf16", 64, "trn{k_tile=1,psum=bf16,psum.rounding=sr}", "sr.bits"),
            ("dft-gemm", "bf16", 1024, "trn{k_tile=1,psum=bf16,psum.rounding=sr}", "sr.bits"),
            ("radix2-dit", "bf16", 1024, "trn{casts=sr}", "sr.bits"),
            ("dft-gemm", "bf16", 1024, "trn", "psum.precision"),
            ("dft-gemm", "bf16", 1024, "nv-hopper", "accumulate.fraction_bits"),
            ("dft-gemm", "fp8_e4m3fn", 1024, "nv-hopper", "accumulate.fraction_bits")]:
        text = results.output("design", "-a", f"algorithm={algorithm}", "-a", f"mode={mode}", "-a",
                              f"n={n}", "-a", f"machine={machine}", "-a", "input=torch_randn", "-a",
                              "seed=1..5", "--max", "err_l2_rel=1.04x", "--free", free, "--csv", "-")
        judged = {int(row[free]): row for row in csv.DictReader(text.splitlines())}
        error = {bits: number(float(row["max_err_l2_rel"])) for bits, row in judged.items()}
        least = next(bits for bits, row in judged.items() if row["judgement"] == "smallest")
        rows.append([f"{algorithm} in {mode}", n, f"`{machine}`", f"`{free}`", f"**{least}**",
                     error[least], error[least - 1], error[max(judged)]])
    return table(["FFT", "N", "machine", "width", "fewest", "error with it", "one bit fewer",
                  "all bits"], rows)


def explained(table_name):
    """What `fftprec explain` prints of a built-in table, without longer lists of experiments."""
    def make(results):
        path = os.path.join(results.explanation(table_name), "explain.txt")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found, rest = text.split("\nA row refutes below")
        return f"```\n{found}...\n" + re.search(r"^THE DISCRIMINATING.*$", rest, re.M)[0] + "\n...\n```\n"
    return make


def explain_butterflies(results):
    """Predicted over published error of each row: the documented machine with every source of
    tables and dispatch, and the best variant of the hypotheses about vector and tensor engine."""
    folder = results.explanation("trn1_butterflies")
    with open(os.path.join(folder, "explain.csv"), encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    variants = {}
    for line in lines:
        key = (line["hypothesis"], line["machine"], line["tables"], line["dispatch"])
        variants.setdefault(key, []).append(line)
    chosen = []
    for key, rows in variants.items():
        best_of_id = key[0] in ("H5", "H9", "H10") and key[0] not in [k[0] for k in chosen]
        if key[0] == "H0" or best_of_id:
            chosen.append(key)
    first = variants[chosen[0]]
    titles = [f"{row['ran_mode']} {row['ran_n']}" for row in first]
    cells = []
    for key in chosen:
        rows = variants[key]
        ratios = []
        for row in rows:
            ratio = float(row["predicted"]) / float(row["published"])
            ratios.append(f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}")
        refuting = " ".join(title for title, row in zip(titles, rows) if row["refutes"] == "yes")
        cells.append([key[0], f"`{key[1]}`", key[2], key[3], *ratios, refuting])
    return table(["", "machine", "tables", "ran", *titles, "refuted by"], cells,
                 ["---"] * 4 + ["---:"] * len(titles) + ["---"])


def printed(name, columns=None):
    """The table that a program of the tests printed when it was last run, in docs/data: its first columns."""
    def table_of(results):
        with open(results.kept_path(name), encoding="utf-8") as file:
            rows = [line.strip().strip("|").split("|")[:columns] for line in file if line.startswith("|")]
        return "".join(f"|{'|'.join(row)}|\n" for row in rows)
    return table_of


def tightness_found(results):
    """What fftprec search found with a large budget."""
    rows = results.kept("tightness.csv")
    lengths = sorted({int(row["n"]) for row in rows})
    cells = {(row["algorithm"], row["mode"], int(row["n"])): f"{number(float(row['err_l2_rel']))} "
             f"({100 * float(row['of_bound']):.0f} %)" for row in rows}
    kinds = sorted({kind[:2] for kind in cells}, reverse=True)
    return table(["algorithm", "mode", *(f"n = {n}" for n in lengths)],
                 [[*kind, *(cells[kind + (n,)] for n in lengths)] for kind in kinds])


def exhaustive(results):
    """What the exhaustive tests printed when they were last run."""
    path = os.path.join(results.root, "docs", "data", "exhaustive.txt")
    if not os.path.exists(path):
        return "No run is kept in docs/data yet.\n"
    with open(path, encoding="utf-8") as file:
        return "```\n" + file.read().rstrip() + "\n```\n"


ALGORITHMS_BENCH = "algorithms_bench.json"


def algorithm_times(results):
    """Every algorithm in fp32 and bf16 beside FFTW: microseconds, and the ratio in brackets."""
    path = os.path.join(results.root, "docs", "data", "benchmarks", ALGORITHMS_BENCH)
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    cells = {}
    for run in report["benchmarks"]:
        algorithm, mode, n = run["run_name"].split("/")[:3]
        time = f"{run['real_time']:.0f}" if run["real_time"] >= 100 else f"{run['real_time']:.1f}"
        cells.setdefault(algorithm, {})[mode, int(n)] = f"{time} ({run['ratio_to_fftw']:.1f})"
    columns = [(mode, 2 ** t) for mode in ("fp32", "bf16") for t in (10, 16, 20)]
    context = report["context"]
    return (f"{context['date'][:10]}, {context['num_cpus']} cores at {context['mhz_per_cpu']} MHz, one"
            " used.\n\n" + table(
                ["algorithm"] + [f"{mode}, 2^{n.bit_length() - 1}" for mode, n in columns],
                [[f"`{algorithm}`"] + [row.get(column, "") for column in columns]
                 for algorithm, row in cells.items()]))


ISAS = ("baseline", "avx2", "avx512")
# Parts of a benchmark's name that say how it was run, and fields that are no counters.
HOW = ("iterations:", "repeats:", "manual_time", "real_time", "min_time:", "min_warmup_time:")
FIELDS = {"real_time", "cpu_time", "iterations", "family_index", "repetitions", "threads",
          "per_family_instance_index", "repetition_index"}


def benchmarks(results):
    """One table per benchmark: its time on the best instruction set, and its last counter on each; of
    repetitions, the median."""
    files = sorted(glob.glob(os.path.join(results.root, "docs", "data", "benchmarks", "*.json")))
    text = ""
    for path in files:
        if os.path.basename(path) == ALGORITHMS_BENCH:
            continue
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        kept = [run for run in report["benchmarks"] if run.get("aggregate_name") == "median"]
        kept = kept or [run for run in report["benchmarks"] if "aggregate_name" not in run]
        families = {}
        for run in kept:
            family, *parts = [part for part in run["run_name"].split("/") if not part.startswith(HOW)]
            isa = parts.pop() if parts and parts[-1] in ISAS else None
            families.setdefault(family, {}).setdefault("/".join(parts), {})[isa] = run
        text += f"\n`{os.path.basename(path)}`, {report['context']['date'][:10]}:\n"
        for family, names in families.items():
            some = next(iter(next(iter(names.values())).values()))
            counters = [key for key, value in some.items()
                        if key not in FIELDS and isinstance(value, (int, float))]
            isas = [isa for isa in ISAS if isa in next(iter(names.values()))] or [None]
            shown = counters if isas == [None] else counters[-1:]
            lines = []
            for name, runs in names.items():
                best = runs[isas[-1]]
                lines.append([f"`{name or family}`", f"{short_number(best['real_time'])} {best['time_unit']}",
                              *(short_number(runs[isa].get(key, float("nan")))
                                for key in shown for isa in isas)])
            header = [family, "time"] + [" ".join(filter(None, (key.replace("_", " ") if isa in
                                         (None, isas[0]) else "", isa))) for key in shown for isa in isas]
            text += "\n" + table(header, lines)
    return text.lstrip("\n")


def machine_parameters(results):
    """The table that `show` prints for trn."""
    lines = results.output("show", "machine:trn").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("  parameter"))
    ends = [match.start() for match in re.finditer(r"\S+", lines[start])]
    rows = []
    for line in lines[start + 1:lines.index("", start)]:
        cells = [line[begin:end].strip() for begin, end in zip(ends, ends[1:] + [None])]
        rows.append([f"`{cells[0]}`", f"`{cells[1]}`", cells[4], cells[3], cells[2]])
    return table(["parameter", "`trn`", "can be", "meaning", "confidence"], rows, ["---"] * 5)


def kept_errors(results, sweep, **axes):
    """err_l2_rel of the kept rows with these values, one per seed."""
    errors = [float(row["err_l2_rel"]) for row in results.kept(sweep + ".csv")
              if row["status"] == "ok" and all(row[axis] == str(value)
                                               for axis, value in axes.items())]
    if not errors:
        raise SystemExit(f"docs/data/{sweep}.csv has no row with {axes}")
    return errors


def kept(results, sweep, **axes):
    return number(statistics.median(kept_errors(results, sweep, **axes)))


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


GEMM = {"algorithm": "dft-gemm", "machine": "trn", "input": "gaussian"}


def slices_by_count(results):
    """dft-gemm with S slices of each operand, and the bits that the last slice gained at N = 64."""
    lengths = (64, 128, 256, 512, 1024)
    rows, before = [], None
    for count in range(1, 7):
        mode = f"slices:{count}x{count}"
        error, = kept_errors(results, "schemes", mode=mode, n=64, **GEMM)
        gained = f"{math.log2(before / error):.1f}" if before else ""
        before = error
        rows.append([mode, count * (count + 1) // 2]
                    + [kept(results, "schemes", mode=mode, n=n, **GEMM) for n in lengths] + [gained])
    return table(["mode", "products"] + [f"N = {n}" for n in lengths] + ["bits gained, N = 64"],
                 rows)


def slices_long(results):
    """Fewer bits per slice, or eviction of every K-tile."""
    lengths = (1024, 4096)
    return table(["mode"] + [f"N = {n}" for n in lengths] + [f"`:tiles`, N = {n}" for n in lengths],
                 [[f"slices:{count}x{count}"]
                  + [kept(results, "schemes", mode=f"slices:{count}x{count}{tiles}", n=n, **GEMM)
                     for tiles in ("", ":tiles") for n in lengths] for count in (3, 5, 6)])


def slices_sums(results):
    """What sums the exact PSUMs."""
    sums = (("fp64", ""), ("fp32 pairs", ":pair"), ("fp32", ":fp32"))
    return table(["mode, N = 256"] + [name for name, _ in sums],
                 [[f"slices:{count}x{count}"]
                  + [kept(results, "schemes", mode=f"slices:{count}x{count}{suffix}", n=256, **GEMM)
                     for _, suffix in sums] for count in range(2, 7)])


def word_modes(results):
    """Residual splits with the PSUM of trn, and with one that rounds each column once."""
    modes = ("bf16", "ozaki", "bf16x2:4", "ozaki_hq", "bf16x3:6", "fp16", "fp16x2:3", "tf32x2:3",
             "tf32x3:6", "fp32")
    columns = [("trn", 64), ("trn", 256), ("trn", 1024), ("trn-exact", 256)]
    return table(["mode"] + [f"{machine}, N = {n}" for machine, n in columns],
                 [[mode] + [kept(results, "schemes", mode=mode, n=n, **{**GEMM, "machine": machine})
                            for machine, n in columns] for mode in modes])


def lost_residuals(results):
    machines = ("trn", "trn{elide=data}", "trn{elide=table}", "trn-elided")
    return table(["mode, N = 256", *machines],
                 [[mode] + [kept(results, "schemes", mode=mode, n=256, **{**GEMM, "machine": machine})
                            for machine in machines]
                  for mode in ("bf16", "ozaki", "bf16x2:4", "ozaki_hq", "bf16x3:6")])


def silicon_faults(results):
    """The published case on machines with one fault each."""
    machines = ("trn", "trn-claim", "trn-rz", "trn3-bf16psum", "trn-elided", "trn{elide=data}",
                "trn{elide=table}", "trn{demote=sum}", "trn{demote=terms}", "trn{demote=leading}",
                "trn-misread")
    modes = ("bf16", "ozaki", "ozaki_hq")
    rows = [["silicon, trn1", *(results.published(algorithm="dft-gemm", mode=mode, n=64,
                                                  measured_on="trn1") for mode in modes)]]
    for machine in machines:
        errors = []
        for mode in modes:
            row, = (row for row in results.kept("schemes.csv") if row["machine"] == machine
                    and row["mode"] == mode and row["input"] == "torch_randn")
            errors.append(number(float(row["err_linf_rel"])))
        rows.append([f"`{machine}`", *errors])
    return table(["machine", *modes], rows)


def residual_experiment(results):
    """What docs/data/residual_experiment.py printed when it was last run."""
    path = os.path.join(results.root, "docs", "data", "residual_experiment.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip().split("\t") for line in file]
    return table(["by hand", "N = 64", "N = 256"],
                 [[name, *(number(float(error)) for error in errors)] for name, *errors in lines])


def refinement(results):
    modes = ("bf16_refined", "refined_fp32:1", "refined_fp32:2", "fp32")
    return table(["algorithm", "N", *modes],
                 [[algorithm, n] + [kept(results, "schemes", mode=mode, n=n,
                                         **{**GEMM, "algorithm": algorithm}) for mode in modes]
                  for algorithm in ("dft-gemm", "radix2-dit") for n in (64, 256, 1024, 4096)])


def compensation(results):
    """RMS over seeds of fp32, and its quotient by that of each other scheme."""
    modes = ("kahan", "rounded_once", "dot2", "doubleword:fp32", "doubleword")
    rows = []
    for t in range(8, 17, 2):
        errors = {mode: kept_errors(results, "schemes", algorithm="radix2-dit", mode=mode, n=2 ** t,
                                    input="gaussian") for mode in ("fp32", *modes)}
        fast = rms(errors["fp32"])
        quotients = [fast / rms(errors[mode]) for mode in modes]
        rows.append([f"2^{t}", len(errors["fp32"]), number(fast),
                     *(f"{quotient:.3f}" if quotient < 100 else number(quotient, 2)
                       for quotient in quotients)])
    return table(["N", "seeds", "fp32", *(f"fp32 / {mode}" for mode in modes)], rows)


def compensated_sums(results):
    """n products summed on the vector engine: by the mode's matrix product, and array by array."""
    cases = [("dft-gemm", mode) for mode in ("kahan", "kahan-sum", "neumaier", "dot2", "doubleword")]
    cases += [("direct", mode) for mode in ("fp32", "kahan-sum", "dot2", "doubleword")]
    return table(["algorithm", "mode", "N = 64", "N = 256", "N = 1024"],
                 [[algorithm, mode] + [kept(results, "schemes", mode=mode, n=n,
                                            **{**GEMM, "algorithm": algorithm})
                                       for n in (64, 256, 1024)] for algorithm, mode in cases],
                 ["---"] * 2 + ["---:"] * 3)


def narrow_formats(results):
    cases = [(mode, "trn3-bf16psum{psum=fp32}") for mode in (
        "fp8_e4m3", "fp8_e4m3fn", "fp8_e5m2", "mxfp8_e4m3fn", "mxfp8_e4m3fn:ocp", "mxfp8_e5m2",
        "mxfp8_e5m2:ocp", "mxfp4_e2m1", "mxfp4_e2m1:ocp")]
    cases += [(f"ozaki2:{moduli}", "nv-hopper") for moduli in (6, 8, 10, 12, 14, 15)]
    return table(["mode", "machine", "N = 64", "N = 256", "N = 1024"],
                 [[mode, machine] + [kept(results, "schemes", mode=mode, n=n,
                                          **{**GEMM, "machine": machine}) for n in (64, 256, 1024)]
                  for mode, machine in cases], ["---"] * 2 + ["---:"] * 3)


def accumulator_errors(results):
    """Machines x modes x lengths for three inputs."""
    machines = ("trn", "trn-exact", "trn{tiles=through}", "trn-rz", "trn-rz{tiles=through}",
                "trn3-bf16psum", "nv-hopper", "amd-cdna3")
    columns = [("bf16", 4096), ("fp32", 1024), ("fp32", 4096), ("slices:3x3", 4096), ("bf16x3:6", 1024),
               ("bf16x3:6", 4096)]
    return table(["input", "machine"] + [f"{mode}, {n}" for mode, n in columns],
                 [[given, f"`{machine}`"]
                  + [number(statistics.median(kept_errors(
                      results, "accumulators", algorithm="dft-gemm", mode=mode, n=n, input=given,
                      machine=machine)), 2) for mode, n in columns]
                  for given in ("cancelling", "ramp", "gaussian") for machine in machines],
                 ["---"] * 2 + ["---:"] * len(columns))


def aligned_bits(results):
    machines = ("trn3-bf16psum{psum=fp32}", "nv-blackwell", "nv-hopper", "nv-ada", "trn3-bf16psum")
    return table(["machine", "input", "K = 1024", "K = 4096"],
                 [[f"`{machine}`", given]
                  + [number(statistics.median(kept_errors(
                      results, "accumulators", mode="fp8_e4m3fn", n=n, input=given,
                      machine=machine)), 4) for n in (1024, 4096)]
                  for given in ("cancelling", "ramp", "gaussian") for machine in machines],
                 ["---"] * 2 + ["---:"] * 2)


def stochastic_psum(results):
    machines = ("trn3-bf16psum", "trn3-bf16psum{psum.rounding=sr}", "trn3-bf16psum{k_tile=8}",
                "trn3-bf16psum{k_tile=8,psum.rounding=sr}")
    return table(["input", "K", *(f"`{machine}`" for machine in machines)],
                 [[given, n] + [kept(results, "accumulators", mode="bf16", algorithm="dft-gemm", n=n,
                                     input=given, machine=machine) for machine in machines]
                  for given in ("dc", "ramp", "gaussian") for n in (64, 1024, 4096)])


def stochastic_stores(results):
    rows = []
    for t in range(4, 15, 2):
        row = [f"2^{t}"]
        for given in ("gaussian", "ramp"):
            errors = [rms(kept_errors(results, "accumulators", algorithm="radix2-dit", mode="bf16",
                                      n=2 ** t, input=given, machine=machine))
                      for machine in ("trn", "trn-sr")]
            row += [*map(number, errors), f"{errors[1] / errors[0]:.2f}"]
        rows.append(row)
    return table(["N"] + [f"{given}, {what}" for given in ("gaussian", "ramp")
                          for what in ("trn", "trn-sr", "quotient")], rows)


TABLES = {
    "published_summary": published_summary,
    "published_gemm": published_gemm,
    "published_large": published_large,
    "published_radix2": published_radix2,
    "silicon_stockham": silicon_stockham,
    "bluestein_chirp": bluestein_chirp,
    "beside_fftw": beside_fftw,
    "scaling": scaling,
    "error_tail": error_tail,
    "system_formats": system_formats,
    "system_errors": system_errors,
    "system_ranges": system_ranges,
    "angle_floor": angle_floor,
    "product_rounding": product_rounding,
    "machine_errors": machine_errors,
    "tightness": tightness,
    "sample_row": sample_row,
    "first_sweep": first_sweep,
    "algorithms": listing("algorithms"),
    "machines": listing("machines"),
    "machine_parameters": machine_parameters,
    "table_sources": listing("tables"),
    "inputs": listing("inputs"),
    "metrics": listing("metrics"),
    "stores": listing("rounding_points"),
    "scales": listing("scales"),
    "store_errors": store_errors,
    "store_blocks": store_blocks,
    "twiddle_errors": twiddle_errors,
    "fixed_rounding": fixed_rounding,
    "fixed_levels": fixed_levels,
    **doc_claims.TABLES,
    "worst_inputs": worst_inputs,
    "exact_bits": exact_bits,
    "worst_digits": worst_digits,
    "designed_fixed": designed(
        "-a", "mode=q1.15", "-a", "scale=stage:1/2", "-a", "input=uniform", "-a", "seed=1..4",
        "--min", "snr_db=60", "--free", "data.bits,table.bits,fixed.accumulator"),
    "designed_precision": designed("-a", "mode=bf16", "-a", "rounding_points=pass:3", "-a", "seed=1..4",
                                   "--min", "snr_db=60", "--free", "data.bits"),
    "designed_accumulators": designed_accumulators,
    "preset_groups": preset_groups,
    **{f"source_{name}": source(f"examples/cookbook/{name}.cpp")
       for name in ("round_an_array", "run_a_tile", "judge_a_result")},
    **{f"source_tolerance_{path.partition('.')[2]}_{path.partition('.')[0]}": source(
        f"examples/tolerances/{path}")
       for path in ("test_fft.py", "fft_gtest.cpp", "fft_catch2.cpp", "fft_test.jl")},
    "faults_fp64": passed_faults("fp64"),
    "faults_fp32": passed_faults("fp32"),
    "faults_fp16": passed_faults("fp16"),
    "faults_q15": passed_faults("q1.15"),
    "libraries_fp64": library_errors("fp64"),
    "libraries_fp32": library_errors("fp32"),
    "library_names": library_names,
    "library_nearest": library_nearest,
    "found_faults": found_faults,
    "healthy_runs": healthy_runs,
    "factors": tolerance_factors,
    "copied_values": copied_tolerances("value"),
    "copied_norms": copied_tolerances("noise"),
    "source_c_interface": source("examples/c_interface/plain.c"),
    "source_own_main": source("examples/own_algorithm/main.cpp"),
    "source_own_radix3": source("examples/own_algorithm/radix3.hpp"),
    "explain_trn1": explained("trn1"),
    "explain_butterflies": explain_butterflies,
    "algorithm_times": algorithm_times,
    "benchmarks": benchmarks,
    "slices_by_count": slices_by_count,
    "slices_long": slices_long,
    "slices_sums": slices_sums,
    "word_modes": word_modes,
    "lost_residuals": lost_residuals,
    "refinement": refinement,
    "silicon_faults": silicon_faults,
    "residual_experiment": residual_experiment,
    "compensation": compensation,
    "compensated_sums": compensated_sums,
    "narrow_formats": narrow_formats,
    "accumulator_errors": accumulator_errors,
    "aligned_bits": aligned_bits,
    "stochastic_psum": stochastic_psum,
    "stochastic_stores": stochastic_stores,
    "exhaustive": exhaustive,
    "worst_of_all": printed("worst_of_all.txt", 5),
    "worst_stages": printed("worst_stages.txt"),
    "gappa_ratios": printed("gappa_ratios.txt"),
    "tightness_found": tightness_found,
}
