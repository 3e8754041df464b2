"""The tables of docs/claims.md and docs/silicon.md: what `fftprec claims` settles, and the evidence
behind what silicon showed."""

import csv
import os
import re
import tomllib

MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "experiments", "measured")


def folder(results):
    """Where `fftprec claims -o` has put its pages; run when first asked for."""
    path = results.directory("claims")
    if not os.path.exists(os.path.join(path, "claims.csv")):
        results.output("claims", "-o", path)
    return path


def lines(results, name):
    with open(os.path.join(folder(results), name), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(value, digits=3):
    """1.50e-3."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def table(header, rows):
    align = ["---"] + ["---:"] * (len(header) - 1)
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n"
                   for line in [header, align, *rows])


def claims_table(results):
    rows = []
    for line in lines(results, "claims.csv"):
        alike = f"{line['seeds_alike']}/{line['seeds']}" if line["seeds_alike"] else ""
        moved = f"{line['jitters_alike']}/{line['jitters']}" if line["jitters_alike"] else ""
        rows.append([f"[{line['claim']}](#{line['claim'].lower()})", line["title"],
                     f"**{line['verdict']}**", line["margin_text"].removeprefix("factor "), alike, moved])
    header = ["claim", "what", "verdict", "margin", "seeds", "jitters"]
    return "".join("| " + " | ".join(line) + " |\n"
                   for line in [header, ["---"] * 4 + ["---:"] * 2, *rows])


def page(results, name):
    """Statement, verdict and discussion of a claim, without its tables."""
    with open(os.path.join(folder(results), name + ".md"), encoding="utf-8") as file:
        text = file.read()
    return text.split("\n## Checks")[0].rstrip() + "\n"


def claims_pages(results):
    """Statement and verdict of each page, and where the discussion is."""
    text = ""
    for line in lines(results, "claims.csv"):
        name = line["claim"]
        said = page(results, name)
        claimed = re.search(r"^> .*$", said, re.MULTILINE)[0]
        verdict = re.search(r"^\*\*Verdict: .*$", said, re.MULTILINE)[0]
        verdict = re.sub(r"\]\(C(\d+)\.md\)", r"](#c\1)", verdict)
        text += f"### {name}\n\n{claimed}\n\n{verdict} [Discussion](data/claims/{name}.md)\n\n"
    return text


def discussions(results):
    """The pages of docs/data/claims, by name."""
    return {line["claim"] + ".md": re.sub(r"\]\(plots/", "](../../img/claims/", page(results, line["claim"]))
            for line in lines(results, "claims.csv")}


class Evidence:
    """err_linf_rel of the cases of one claim."""

    def __init__(self, results, claim):
        self.rows = [row for row in lines(results, "evidence.csv") if row["claim"] == claim]

    def values(self, metric="err_linf_rel", **axes):
        """By input: the published one, its jitters, other seeds."""
        rows = [row for row in self.rows
                if all(row[axis] == str(value) for axis, value in axes.items())]
        jittered = [float(row[metric]) for row in rows if row["input"].startswith("jitter:")]
        published = [float(row[metric]) for row in rows
                     if row["seed"] == "42" and not row["input"].startswith("jitter:")]
        seeds = [float(row[metric]) for row in rows if row["seed"] != "42"]
        if len(published) != 1:
            raise SystemExit(f"{len(published)} rows of the published input with {axes}")
        return published[0], jittered, seeds

    def cell(self, metric="err_linf_rel", **axes):
        """The value on the published input, and in brackets the range over other seeds."""
        value, _, seeds = self.values(metric, **axes)
        return f"{number(value)} ({number(min(seeds), 2)}..{number(max(seeds), 2)})"

    def jitter(self, metric="err_linf_rel", **axes):
        """The largest relative change by a jitter of the published input."""
        value, jittered, _ = self.values(metric, **axes)
        return max(abs(other / value - 1) for other in jittered)


def silicon_butterflies(results):
    evidence = Evidence(results, "C4")
    rows = []
    for n in (256, 512, 1024, 4096):
        theirs = [results.published(algorithm="radix2-dit", mode=mode, n=n)
                  for mode in ("fp32", "kahan")]
        stockham = {"algorithm": "stockham-mixed", "mode": "fp32", "n": n}
        rows.append([n, theirs[0], evidence.cell(algorithm="radix2-dit", mode="fp32", n=n),
                     evidence.cell(tables="fp32-angle", **stockham),
                     *(number(evidence.values(tables="fp32-angle:order=" + order, **stockham)[0])
                       for order in ("product", "column-row")),
                     evidence.cell(tables="exact", **stockham), theirs[1],
                     evidence.cell(algorithm="radix2-dit", mode="kahan", n=n)])
    return table(["N", "trn1, \"fast\"", "radix-2, fp32", "stockham, W8 by row, column",
                  "by product", "by column, row", "stockham, exact tables", "trn1, kahan", "radix-2, kahan"], rows)


def silicon_nki(results):
    evidence = Evidence(results, "C14")
    with open(os.path.join(MEASURED, "nki_fft1d.toml"), "rb") as file:
        published = [(row["n"], float(row["value"])) for row in tomllib.load(file)["row"]]
    rows = []
    for title, tables, machine in (
            ("column, then row; sums to nearest", "fp32-angle:order=column-row", "trn"),
            ("the same, sums exact", "fp32-angle:order=column-row", "trn-exact"),
            ("the same, sums as a tree", "fp32-angle:order=column-row",
             "trn{accumulate.order=pairwise}"),
            ("the same, fp32 in four passes of 11 and 13 bits", "fp32-angle:order=column-row",
             "trn{fp32_matmul=split_11_13}"),
            ("the same, fp32 in three passes of bf16", "fp32-angle:order=column-row",
             "trn{fp32_matmul=bf16x2}"),
            ("the same, sums truncated", "fp32-angle:order=column-row", "trn-rz"),
            ("row, then column", "fp32-angle:order=row-column", "trn"),
            ("product of both", "fp32-angle:order=product", "trn"),
            ("angles reduced first", "fp32-reduced", "trn"),
            ("exact tables", "exact", "trn")):
        cells = [title]
        for n, figure in published:
            try:
                value, jittered, _ = evidence.values(n=n, tables=tables, machine=machine)
            except SystemExit:
                cells += ["", ""]
                continue
            moved = max(abs(other / value - 1) for other in jittered)
            cells += [number(value, 5), f"{100 * (value / figure - 1):+.2f} % (jitter {100 * moved:.2f} %)"]
        rows.append(cells)
    figures = [cell for _, figure in published for cell in (number(figure, 5), "")]
    return table(["angle times", "128 x 128", "off by", "64 x 2048", "off by"],
                 [["**published**", *figures], *rows])


HYPOTHESES = [("exact products", "trn"), ("products rounded to bf16", "trn-claim"),
              ("products truncated to bf16", "trn-claim{product.rounding=rz}"),
              ("residuals elided", "trn-elided"), ("final sum in bf16", "trn{demote=sum}"),
              ("every product of words in bf16", "trn{demote=terms}"),
              ("leading product in bf16", "trn{demote=leading}"),
              ("fp32 data read as bf16", "trn-misread")]


def silicon_rows(results):
    evidence = Evidence(results, "C10")
    theirs = [results.published(algorithm="dft-gemm", mode=mode, n=64, measured_on="trn1")
              for mode in ("bf16", "ozaki", "ozaki_hq")]
    rows = [["**trn1 and trn2**", *theirs, ""]]
    for what, machine in HYPOTHESES:
        values = [evidence.values(machine=machine, mode=mode, n=64)[0]
                  for mode in ("bf16", "ozaki", "ozaki_hq")]
        fits = all(f"{value:.1e}" == f"{float(figure):.1e}"
                   for value, figure in zip(values, theirs))
        rows.append([f"{what} (`{machine}`)", *map(number, values), "yes" if fits else "no"])
    return table(["hypothesis", "bf16", "ozaki", "ozaki_hq", "both digits of all"], rows)


def silicon_predictions(results):
    """What each surviving fault predicts where nothing was published."""
    evidence = Evidence(results, "C10")
    rows = []
    for what, machine in HYPOTHESES:
        if machine in ("trn-claim{product.rounding=rz}",):
            continue
        rows.append([f"`{machine}`"] + [number(evidence.values(machine=machine, mode=mode, n=n)[0])
                                        for n in (128, 256) for mode in ("bf16", "ozaki")])
    return table(["hypothesis", "bf16, N = 128", "ozaki, N = 128", "bf16, N = 256",
                  "ozaki, N = 256"], rows)


def silicon_jitter(results):
    c4, c5, c10 = (Evidence(results, claim) for claim in ("C4", "C5", "C10"))
    rows = [
        ["dft-gemm, bf16, N = 64", "err_linf_rel",
         c10.jitter(machine="trn", mode="bf16", n=64)],
        ["dft-gemm, ozaki, leading product in bf16, N = 64", "err_linf_rel",
         c10.jitter(machine="trn{demote=leading}", mode="ozaki", n=64)],
        ["stockham-mixed, fp32, N = 1024", "err_linf_rel",
         c4.jitter(algorithm="stockham-mixed", mode="fp32", tables="fp32-angle", n=1024)],
        ["radix2-dit, kahan, N = 1024", "err_linf_rel",
         c4.jitter(algorithm="radix2-dit", mode="kahan", n=1024)],
        ["dft-gemm, fp32, N = 1024", "err_re_max_rel",
         c5.jitter("err_re_max_rel", mode="fp32", tables="fp32-angle", n=1024)],
    ]
    return table(["case", "metric", "largest change"],
                 [[what, f"`{metric}`", f"{100 * share:.2g} %"] for what, metric, share in rows])


TABLES = {
    "claims_table": claims_table,
    "claims_pages": claims_pages,
    "silicon_butterflies": silicon_butterflies,
    "silicon_nki": silicon_nki,
    "silicon_rows": silicon_rows,
    "silicon_predictions": silicon_predictions,
    "silicon_jitter": silicon_jitter,
}
