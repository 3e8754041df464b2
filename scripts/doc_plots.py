"""The figures of docs/img: what each shows, the page that discusses it, and the commands that draw it.
`update_docs` draws those of PLOTS and of the tutorial, and writes the list of all, docs/gallery.md."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile

import doc_claims
import doc_tables

# Name in docs/img: what it shows, its page, the run that it shows or its rows in docs/data, options of `fftprec plot`.
PLOTS = {
    "error_by_mode": (
        "Error of a matrix product and of radix 2 in seven modes. Fast transforms hardly grow with N; split "
        "modes fill the gap between bf16 and fp32.",
        "numerics.md", "paper", ["-f", "machine=trn and tables=exact and input=gaussian"]),
    "libraries": (
        "FFTs of other libraries on complex Gaussian data, beside split-radix. Most errors lie together and grow like "
        "sqrt(log n); some grow like n.",
        "libraries.md", "libraries.csv", [
            "--panel", "mode", "--series", "algorithm", "--scale", "panel", "-f",
            "n=16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072 and algorithm=split-radix,"
            + ",".join(f"program:{variant}" for variant in (
                "cimg", "commons", "eigen", "fftw", "flint", "gsl", "gsl-radix2", "kissfft", "npm-ndarray-fft", "numpy",
                "opencv", "phobos", "scipy"))]),
    "share_of_bound": (
        "The same errors as shares of their worst-case bounds: a few per cent, and less for long sums.",
        "numerics.md", "paper", ["--y", "err_over_bound", "-f",
                                 "machine=trn and tables=exact and input=gaussian"]),
    "tables": (
        "A matrix product with correctly rounded tables and with cosines of fp32 angles: only bf16 does not "
        "notice.",
        "published.md", "paper", [
            "--series", "tables", "--panel", "mode", "-f",
            "algorithm=dft-gemm and mode=fp32,bf16,ozaki,ozaki_hq and input=torch_randn"]),
    "machines": (
        "One matrix product on four machines: a truncating accumulator shows in fp32, rounded products in "
        "split modes.",
        "machines.md", "paper", [
            "--series", "machine", "--panel", "mode", "-f",
            "algorithm=dft-gemm and mode=fp32,bf16,ozaki,ozaki_hq and tables=exact and input=gaussian"]),
    "slices": (
        "Error-free slices: each one more gains 9 bits, until sums are too long to be exact; with every K-tile "
        "evicted by itself they are exact at any length.",
        "schemes.md", "schemes", [
            "--series", "mode", "--panel", "none", "-f",
            "algorithm=dft-gemm and machine=trn and mode=slices:1x1,slices:2x2,slices:3x3,slices:4x4,"
            "slices:5x5,slices:6x6,slices:3x3:tiles,slices:5x5:tiles,slices:6x6:tiles"]),
    "compensation": (
        "Compensated products in radix 2 gain 2 to 10 %; only double-word sums gain more.",
        "schemes.md", "schemes", [
            "--series", "mode", "--panel", "none", "-f",
            "algorithm=radix2-dit and n>=256 and mode=fp32,kahan,rounded_once,doubleword:fp32,"
            "refined_fp32:1,refined_fp32:2"]),
    "accumulators": (
        "Long sums of bf16 products on five accumulators, for three inputs.",
        "schemes.md", "accumulators", [
            "--series", "machine", "--panel", "input", "-f",
            "mode=bf16x3:6 and machine=trn,trn-rz,trn3-bf16psum,nv-hopper,amd-cdna3"]),
    "stochastic": (
        "Stores to bf16, to nearest and stochastic: for random input nearest is better, for a ramp it depends "
        "on N.",
        "schemes.md", "accumulators", ["--series", "machine", "--panel", "input", "-f",
                                       "algorithm=radix2-dit"]),
    "storage": (
        "16 bits stored after every operation, every stage, every third stage, or at the ends.",
        "storage.md", "storage", ["--series", "rounding_points", "--panel", "mode", "-f",
                                  "machine=ieee and mode=bf16,fp16"]),
    "twiddles": (
        "Error of an exact FFT whose fp32 twiddles come from recurrences.",
        "numerics.md", "twiddles", [
            "--series", "tables", "--panel", "none", "-f",
            "mode=fp64 and tables=exact:in=fp32," + ",".join(
                "recurrence:by=" + name for name in doc_tables.RECURRENCES)]),
    "error_tail": (
        "How often an error is large, over a million seeds: more often than by the normal law, and far below the "
        "bounds.",
        "distribution.md", "error_tail.csv", ["--kind", "tail"]),
    "fixed_point": (
        "Fixed point of 16 bits, halved before each stage: truncation costs about 5 dB.",
        "fixed_point.md", "fixed_point", [
            "--y", "snr_db", "--series", "machine", "--panel", "none", "-f",
            "mode=q1.15 and scale=input:2^-1+stage:1/2"]),
    "fixed_scaling": (
        "A shift per stage loses 3 dB per doubling of N, a common exponent much less; without either 16 bits "
        "overflow.",
        "fixed_point.md", "fixed_point", [
            "--y", "snr_db", "--series", "scale", "--panel", "mode", "-f",
            "machine=ieee and scale=input:2^-1+stage:1/2,input:2^-1+block,input:2^-1 and n<=16384"]),
    "fixed_levels": (
        "The level of the input decides: without scaling it overflows above 2^-7, with shifts it drowns below.",
        "fixed_point.md", "fixed_point", [
            "--y", "snr_db", "--x", "input_scale", "--series", "scale", "--panel", "none", "-f",
            "machine=ieee and mode=q1.15 and n=1024"]),
    "fixed_spectrum": (
        "Error of each output: truncation, and rounding of ties upward, pile up around zero frequency.",
        "fixed_point.md", "fixed_point", [
            "--kind", "spectrum", "--series", "machine", "--panel", "none", "-f",
            "mode=q1.15 and scale=input:2^-2+stage:1/2"]),
    "fixed_tables": (
        "Error of each output with twiddles of 9 and 10 bits: lines where table errors repeat.",
        "fixed_point.md", "fixed_point", [
            "--kind", "spectrum", "--series", "mode", "--panel", "none", "-f",
            "machine=ieee and scale=input:2^-2+stage:1/2"]),
    "systems_16": (
        "Posits, takums, fp16 and bf16 with exact twiddles, and with twiddles made by a recurrence in the format.",
        "number_systems.md", "number_systems", [
            "--y", "snr_db", "--series", "mode", "--panel", "tables", "-f",
            "scale=none and mode=posit16,takum16,fp16,bf16"]),
    "systems_8": (
        "The same for eight bits: four significant bits at every size win.",
        "number_systems.md", "number_systems", [
            "--y", "snr_db", "--series", "mode", "--panel", "tables", "-f",
            "scale=none and n<=4096 and mode=posit8,takum8,binary8p4se,binary8p3se,fp8_e4m3fn,fp8_e5m2"]),
    "systems_range": (
        "Error against the size of the input: posits are best near 1, bf16 is the same everywhere.",
        "number_systems.md", "number_systems", [
            "--y", "snr_db", "--x", "input_scale", "--series", "mode", "--panel", "none", "-f",
            "n=1024 and tables=exact and mode=posit16,takum16,fp16,bf16"]),
}

REPORT = ["fftprec run paper -o out/paper", "fftprec report out/paper"]
# Those that other scripts draw.
OTHERS = {
    "algorithms.png": (
        "Error of every algorithm in every mode, at easy and at awkward lengths; s is skipped.",
        "algorithms.md", ["fftprec run algorithms -o out/algorithms",
                          "fftprec plot out/algorithms --kind heatmap --format png"]),
    "explain_trn1.svg": (
        "Which hypotheses about trn1 fit its published errors: predictions over published values.",
        "explain.md", ["fftprec explain trn1 -o out/explain"]),
    "explain_trn1_butterflies.svg": (
        "The same for eight errors of butterflies: all that fit use un-reduced fp32 angles.",
        "explain.md", ["fftprec explain trn1_butterflies -o out/butterflies"]),
    "exact_bits.svg": (
        "Bits of a digit in an exact negacyclic product: proven, failing once in 2^40, and right in ten runs.",
        "exact.md", ["scripts/exact_docs"]),
    "recommend.svg": (
        "Error against counted work of all choices for 1024 points, with the budget and the Pareto front.",
        "recommend.md", ["fftprec recommend --n 1024 --max err_l2_rel=1e-5 -o out/recommend"]),
    "worst_inputs.svg": (
        "Inputs found by search err up to 3.6 times as much as the worst of 1000 random ones.",
        "search.md", ["scripts/search_docs"]),
    "python_budget.svg": (
        "A budget as Python shows it: dft-gemm in bf16 errs by rounding input and tables.",
        "python.md", ["scripts/doc_python.py"]),
    "python_rows.svg": (
        "Rows of a sweep, plotted from Python.", "python.md", ["scripts/doc_python.py"]),
    "report_page.png": ("The page of a run: figures first.", "reports.md", REPORT),
    "report_filter.png": ("The same page, filtered to one input.", "reports.md", REPORT),
    "report_narrow.png": ("The same page on a telephone, in the dark.", "reports.md", REPORT),
    "house.svg": (
        "The layers of the source, their folders, and the includes between them.",
        "design.md", ["scripts/draw_house.py"]),
}


def tutorial(root):
    """The figures of the tutorial: file, what it shows, its page, and the last command above it that draws."""
    with open(os.path.join(root, "docs", "tutorial.md"), encoding="utf-8") as file:
        text = file.read()
    for picture in re.finditer(r"<!-- drawn: .* -->\n!\[(.*)\]\(img/(.*)\)", text):
        command = re.findall(r"^fftprec (?:\S.*)$", text[:picture.start()], re.MULTILINE)[-1]
        yield picture[2], picture[1] + ".", "tutorial.md", [command]


def drawing(name):
    """The commands that draw a figure of PLOTS."""
    _, _, run, options = PLOTS[name]
    if run.endswith(".csv"):
        return [f"fftprec plot docs/data/{run} {shlex.join(options)}"]
    return [f"fftprec run {run} -o out/{run}", f"fftprec plot out/{run} {shlex.join(options)}"]


def gallery(results):
    """docs/gallery.md: every figure with its page and its commands."""
    figures = [(name + ".svg", *PLOTS[name][:2], drawing(name)) for name in PLOTS]
    figures += tutorial(results.root)
    figures += [(name, *rest) for name, rest in OTHERS.items()]
    for line in doc_claims.lines(results, "claims.csv"):
        name = line["claim"]
        figures.append((f"claims/{name}.svg", f"{line['title']}: {line['verdict']}.",
                        f"claims.md#{name.lower()}", [f"fftprec claims {name} -o out/claims"]))
    images = os.path.join(results.root, "docs", "img")
    kept = {os.path.relpath(os.path.join(folder, name), images)
            for folder, _, names in os.walk(images) for name in names}
    if lost := kept - {figure[0] for figure in figures}:
        raise SystemExit(f"docs/img has figures that scripts/doc_plots.py does not name: {sorted(lost)}")
    text = ""
    for file, what, page, commands in figures:
        title = os.path.basename(file).split(".")[0].replace("_", " ")
        title = title[0].upper() + title[1:]
        text += f"### {title}\n\n![{title}](img/{file})\n\n{what} [More]({page})\n\n"
        text += "<!-- not run: drawn -->\n```sh\n" + "\n".join(commands) + "\n```\n\n"
    return text


def draw(program, results, images):
    """The figures of PLOTS and of the tutorial, as images/NAME.svg."""
    for name, (_, _, run, options) in PLOTS.items():
        with tempfile.TemporaryDirectory() as folder:
            shown = results.kept_path(run) if run.endswith(".csv") else results.directory(run)
            subprocess.run([program, "plot", shown, "-o", folder, "--format", "svg", *options],
                           check=True, stdout=subprocess.DEVNULL)
            # Without options for one figure, `plot` draws its standard set.
            drawn = sorted(file for file in os.listdir(folder) if file.endswith(".svg"))
            wanted = "error_vs_n.svg" if "error_vs_n.svg" in drawn else drawn[0]
            shutil.copyfile(os.path.join(folder, wanted), os.path.join(images, name + ".svg"))
        print(f"docs/img/{name}.svg")
    subprocess.run([os.path.join(results.root, "scripts", "doc_commands.py"), "--write", "--program", program,
                    "docs/tutorial.md"], check=True)
