#!/usr/bin/env python3
"""Checks that every relative link, image and heading in the Markdown files leads somewhere, and that a page which
names a library, a device's manual or a paper (as Dekker 1971) links it.

    scripts/check_links.py               the Markdown files
    scripts/check_links.py --site DIR    the pages of a site instead, which must load nothing from elsewhere
"""

import argparse
import html.parser
import os
import re
import subprocess
import sys
import urllib.parse

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)>\s]+)>?[^)]*\)")
SOURCE = re.compile(r'(?:src|href|srcset)="([^"]+)"')
MADE = {"docs/atlas/atlas.html"}  # by scripts/docs
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
STYLE_LOAD = re.compile(r"""(?:url\(|@import(?!\s*url)\s)\s*["']?([^"')\s;]+)""")
# What a recipe or a table names in backticks, if it looks like a file of this repository.
FILE = re.compile(r"`((?:arith|algorithms|experiments|reports|gates|scripts|tests|docs|examples"
                  r"|\.ci)/[\w./-]*)`")


# Outside of code, tables that are made, and links.
GENERATED = re.compile(r"<!-- begin:(\w+) -->.*?<!-- end:\1 -->|<!--.*?-->", re.DOTALL)
LIBRARIES = ("Arb CMSIS-DSP Doxygen Eigen FFTW FFmpeg FLINT GoogleTest JUnit Julia MATLAB MMA-Sim MPFR NumPy OpenBLAS "
             "Octave PyTorch Rust SciPy Slurm librsvg pandas pybind11 trnfft").split()
PAPER = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?:(?:,? and|,|;)\s[A-Z][a-z]+)*,?\s\(?(?:19|20)\d\d\b")
MONTH = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December) ")


def unlinked(path, text):
    """What a page of the documentation names and does not link."""
    text = CODE.sub(" ", GENERATED.sub(" ", text))
    linked = " ".join(re.findall(r"\[[^\]]*\]\(", text))
    bare = re.sub(LINK, " ", text)
    for name in LIBRARIES:
        if re.search(rf"(?<![\w-]){name}(?![\w-])", bare) and name not in linked:
            yield f"{path}: names {name} and does not link it"
    for paper in PAPER.findall(bare):
        if not MONTH.match(paper):
            yield f"{path}: names {' '.join(paper.split())} and does not link it"


def anchors(text):
    """The names that headings get: lower case, spaces to dashes, punctuation dropped."""
    headings = re.findall(r"^#+ +(.+?) *$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problems(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    bare = CODE.sub("", text)
    for link in LINK.findall(bare) + SOURCE.findall(bare):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        full = os.path.normpath(os.path.join(root, os.path.dirname(path), target)) if target \
            else os.path.join(root, path)
        if not os.path.exists(full) and os.path.relpath(full, root) not in MADE:
            yield f"{path}: {link}: there is no such file"
        elif anchor and full.endswith(".md"):
            with open(full, encoding="utf-8") as file:
                if anchor not in anchors(file.read()):
                    yield f"{path}: {link}: there is no such heading"
    if re.match(r"README|CONTRIBUTING|docs/(?!data|atlas)", path):
        yield from unlinked(path, text)
    for name in FILE.findall(text):
        if not os.path.exists(os.path.join(root, name)):
            yield f"{path}: `{name}`: there is no such file"


class Page(html.parser.HTMLParser):
    """What an HTML page defines, links to and loads."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loads = set(), [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        if given.get("href"):
            (self.loads if tag == "link" and given.get("rel") != "canonical" else self.links).append(given["href"])
        self.loads += [given[key] for key in ("src", "srcset", "data", "poster") if given.get(key)]
        self.loads += STYLE_LOAD.findall(given.get("style") or "")


def site_problems(root):
    """Dead links of a site's pages, and what its pages and style sheets load from elsewhere. mode=bf16 is no place
    on a page, but a case of the playground."""
    files = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    pages = {path: Page(path) for path in files if path.endswith(".html")}
    for path in sorted(files):
        links, loads = [], []
        if path in pages:
            links, loads = pages[path].links, pages[path].loads
        elif path.endswith(".css"):
            with open(path, encoding="utf-8") as file:
                loads = STYLE_LOAD.findall(file.read())
        for link in links + loads:
            name = os.path.relpath(path, root)
            if re.match(r"[a-z]+:|//", link):
                if link in loads and not link.startswith("data:"):
                    yield f"{name}: {link}: is loaded from elsewhere"
                continue
            target, _, anchor = link.partition("#")
            target = urllib.parse.unquote(target.partition("?")[0])
            full = os.path.normpath(os.path.join(root if target.startswith("/") else os.path.dirname(path),
                                                 target.lstrip("/"))) if target else path
            if os.path.isdir(full):
                full = os.path.join(full, "index.html")
            if not os.path.exists(full):
                yield f"{name}: {link}: there is no such file"
            elif anchor and "=" not in anchor and full in pages and urllib.parse.unquote(anchor) not in pages[full].names:
                yield f"{name}: {link}: there is no such place"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", metavar="DIR", help="a built site in place of the Markdown files")
    site = parser.parse_args().site
    if site:
        found = list(site_problems(site))
        print("\n".join(found + [f"{site}: {len(found)} problems"]))
        return 1 if found or not os.path.exists(os.path.join(site, "index.html")) else 0
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode != 0:
        sys.exit(f"check_links: {listed.stderr.strip()}")
    paths = [path for path in listed.stdout.splitlines()
             if os.path.exists(os.path.join(root, path))]
    found = [problem for path in sorted(paths) for problem in problems(root, path)]
    print("\n".join(found + [f"{len(paths)} Markdown files, {len(found)} dead links"]))
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
