#!/usr/bin/env python3
"""Writes what Python prints into the tutorial and the recipes, and makes of the tutorial the notebook.
Needs PYTHONPATH=build/release/python.

    scripts/doc_python.py               docs/python.md, docs/cookbook/python.md, docs/img/python_*.svg,
                                        examples/tutorial.ipynb
    scripts/doc_python.py --check       writes nothing; exits with 1 if one of them is stale
    scripts/doc_python.py --reference   prints the reference, made from the docstrings, for the site

A block of Python is run after those of its page before it. A plain block or a picture that follows it at
once is what it gives: the value of its last line and all that it prints.
"""

import argparse
import ast
import contextlib
import difflib
import inspect
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TUTORIAL, RECIPES = "docs/python.md", "docs/cookbook/python.md"
NOTEBOOK = "examples/tutorial.ipynb"
CELL = re.compile(r"```python\n(?P<code>.*?)```\n"
                  r"(?P<result>\n```\n(?P<text>.*?)```\n|\n!\[[^\]]*\]\((?P<picture>img/\S+)\)\n)?",
                  re.DOTALL)


class Cell:
    """A block of Python, run."""

    def __init__(self, code, names):
        body = ast.parse(code)
        last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(body, "tutorial", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "tutorial", "eval"), names) \
                if last else None
        figure = value if hasattr(value, "svg") else getattr(value, "figure", None)
        self.svg = figure.svg if figure else None
        shown = "" if value is None or hasattr(value, "svg") else f"{value!r}\n"
        lines = (printed.getvalue() + shown).strip("\n").splitlines()
        self.text = "".join(f"{line.rstrip()}\n" for line in lines)


def run_page(text):
    """A page with its results, its pictures by path, and the cells of a notebook."""
    names, pictures, cells = {}, {}, []
    written = []
    end = 0
    for match in CELL.finditer(text):
        cell = Cell(match["code"], names)
        before = text[end:match.start()]
        end = match.end()
        written += [before, f"```python\n{match['code']}```\n"]
        if match["picture"]:
            pictures[f"docs/{match['picture']}"] = cell.svg
            written.append(match["result"])
        elif match["text"] is not None:
            written.append(f"\n```\n{cell.text}```\n")
        cells += [_markdown(before), _code(match, cell)]
    return "".join([*written, text[end:]]), pictures, [*cells, _markdown(text[end:])]


def _lines(text):
    return text.strip("\n").splitlines(keepends=True)


def _markdown(text):
    return {"cell_type": "markdown", "metadata": {},
            "source": _lines(re.sub(r"\]\((?!http|#)", "](../docs/", text))}


def _code(match, cell):
    data = {}
    if match["picture"]:
        data = {"image/svg+xml": _lines(cell.svg), "text/plain": ["<Figure>"]}
    elif match["text"] is not None:
        data = {"text/plain": _lines(cell.text)}
    outputs = [{"output_type": "display_data", "metadata": {}, "data": data}] if data else []
    return {"cell_type": "code", "metadata": {}, "execution_count": None,
            "source": _lines(match["code"]), "outputs": outputs}


def notebook(cells):
    kept = [cell for cell in cells if cell["source"]]
    return json.dumps({"cells": kept, "metadata": {"language_info": {"name": "python"}},
                       "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"


def signature(thing):
    """Without its types, which are long where NumPy says what becomes an array."""
    found = inspect.signature(thing)
    return str(found.replace(return_annotation=found.empty, parameters=[
        each.replace(annotation=each.empty) for each in found.parameters.values()]))


def reference():
    """Every name of the package with its signature and docstring."""
    import fftprec
    parts = ["# Python reference\n\n", "Made from the docstrings. The [tutorial](python.md) shows "
             "how they go together.\n\n", f"```\n{inspect.getdoc(fftprec)}\n```\n"]
    from fftprec import testing
    for name, thing in [*((name, getattr(fftprec, name)) for name in fftprec.__all__),
                        ("testing.check", testing.check)]:
        try:
            title = name + signature(thing)
        except ValueError:  # of a function in C++
            title = name + "()"
        parts.append(f"\n## {name}\n\n```python\n{title}\n```\n\n```\n{inspect.getdoc(thing)}\n```\n")
        for member, method in inspect.getmembers(thing if inspect.isclass(thing) else None,
                                                 inspect.isfunction):
            if not member.startswith("_") and member in vars(thing) and method.__doc__:
                parts.append(f"\n```python\n{name}.{member}{signature(method)}\n```\n\n"
                             f"```\n{inspect.getdoc(method)}\n```\n")
    return "".join(parts)


def documents():
    """Path and content of everything that is made here."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # for the files that the tutorial writes
        try:
            tutorial, pictures, cells = run_page((ROOT / TUTORIAL).read_text("utf-8"))
            recipes, _, _ = run_page((ROOT / RECIPES).read_text("utf-8"))
        finally:
            os.chdir(here)
    return {TUTORIAL: tutorial, **pictures, NOTEBOOK: notebook(cells), RECIPES: recipes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if one is stale")
    parser.add_argument("--reference", action="store_true", help="only print the reference")
    arguments = parser.parse_args()
    if arguments.reference:
        print(reference(), end="")
        return 0
    check = arguments.check
    stale = False
    for path, content in documents().items():
        file = ROOT / path
        kept = file.read_text("utf-8") if file.exists() else ""
        if content == kept:
            continue
        stale = True
        if check:
            sys.stdout.writelines(list(difflib.unified_diff(
                kept.splitlines(True), content.splitlines(True), path, "now"))[:40])
        else:
            file.write_text(content, "utf-8")
            print(path)
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())
