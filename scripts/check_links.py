#!/usr/bin/env python3
"""Checks that every relative link, image and heading in the Markdown files leads somewhere."""

import os
import re
import subprocess
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)>\s]+)>?[^)]*\)")
SOURCE = re.compile(r'(?:src|href|srcset)="([^"]+)"')
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
# What a recipe or a table names in backticks, if it looks like a file of this repository.
FILE = re.compile(r"`((?:arith|algorithms|experiments|reports|gates|scripts|tests|docs|examples"
                  r"|\.ci)/[\w./-]*)`")


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
        if not os.path.exists(full):
            yield f"{path}: {link}: there is no such file"
        elif anchor and full.endswith(".md"):
            with open(full, encoding="utf-8") as file:
                if anchor not in anchors(file.read()):
                    yield f"{path}: {link}: there is no such heading"
    for name in FILE.findall(text):
        if not os.path.exists(os.path.join(root, name)):
            yield f"{path}: `{name}`: there is no such file"


def main():
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
