#!/usr/bin/env python3
"""Counts the words of README.md, CONTRIBUTING.md and docs/, without docs/data and docs/atlas: whatever has a letter
or a digit between two spaces. Prose is what stands outside of tables, code and generated blocks.

    scripts/doc_words.py [--check]   page by page; with --check only whether they stay below the limits
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROSE_LIMIT, LIMIT = 34_700, 66_700
GENERATED = re.compile(r"<!-- begin:(\w+) -->.*?<!-- end:\1 -->", re.DOTALL)
REST = re.compile(r"^ *```.*?^ *```|^ *\|.*?$|<!--.*?-->", re.DOTALL | re.MULTILINE)


def words(text):
    return len(re.findall(r"\S*\w\S*", text))


def main():
    command = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "README.md",
               "CONTRIBUTING.md", "docs/*.md", ":!docs/data", ":!docs/atlas"]
    names = sorted(set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()))
    totals = [0, 0]
    for name in names:
        if not (ROOT / name).exists():
            continue
        text = (ROOT / name).read_text("utf-8")
        counts = [words(REST.sub("", GENERATED.sub("", text))), words(text)]
        totals = [total + count for total, count in zip(totals, counts)]
        if "--check" not in sys.argv:
            print(f"{counts[0]:6} {counts[1]:6}  {name}")
    print(f"{totals[0]:6} of prose, at most {PROSE_LIMIT}; {totals[1]} in all, at most {LIMIT}")
    return int(totals[0] > PROSE_LIMIT or totals[1] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
