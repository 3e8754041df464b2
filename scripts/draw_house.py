#!/usr/bin/env python3
"""Draws the house: layers and their folders, top to bottom, with an arrow for every include between
folders of a layer that no longer way explains. Reads the includes, so the drawing cannot lie.

    scripts/draw_house.py          writes docs/img/house.svg
    scripts/draw_house.py --check  exits with 1 if that file is not what the includes say
"""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True
import check_layers  # noqa: E402  (beside this script)

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
DRAWING = os.path.join(ROOT, "docs", "img", "house.svg")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
LAYERS = ["reports", "experiments", "algorithms", "arith"]  # top to bottom; arith/truth beside

WIDTH, MARGIN, LABEL = 1000, 16, 130
BOX_HEIGHT, ROW, GAP = 40, 74, 14
STYLE = """
  text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 13px; fill: #1f2328; }
  .small { font-size: 11px; fill: #59636e; }
  .layer { font-weight: bold; font-size: 15px; }
  .band { fill: #f6f8fa; stroke: #d1d9e0; }
  .box { fill: #ffffff; stroke: #59636e; }
  .arrow { fill: none; stroke: #0072b2; stroke-width: 1.3; }
  #tip path { fill: #0072b2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9198a1; }
    .band { fill: #151b23; stroke: #3d444d; } .box { fill: #0d1117; stroke: #9198a1; }
    .arrow { stroke: #56b4e9; } #tip path { fill: #56b4e9; }
  }
"""


def read_house():
    """Per layer and folder: (files, lines), and how many includes go from folder to folder."""
    sizes = collections.defaultdict(lambda: [0, 0])
    includes = collections.Counter()
    for path in check_layers.sources(ROOT):
        layer = check_layers.layer_of(path)
        if layer in check_layers.OUTSIDE:
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        here = layer, "" if layer == "arith/truth" else check_layers.folder_of(path)
        sizes[here][0] += 1
        sizes[here][1] += text.count("\n")
        for quoted in INCLUDE.findall(text):
            if check_layers.layer_of(quoted) == layer:
                there = layer, check_layers.folder_of(quoted)
                if there != here and here[1]:
                    includes[here, there] += 1
    return sizes, includes


def reduced(edges):
    """The edges that no longer way explains."""
    below = collections.defaultdict(set)
    for here, there in edges:
        below[here].add(there)

    def reaches(start, end):
        return any(next_ == end or reaches(next_, end) for next_ in below[start])

    return [(here, there) for here, there in sorted(edges)
            if not any(middle != there and reaches(middle, there) for middle in below[here])]


def box_of(place, size):
    x, y, width = place
    name, files, lines = size
    return (f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{BOX_HEIGHT}" rx="6"/>'
            f'<text x="{x + width / 2:g}" y="{y + 17}" text-anchor="middle">{name}</text>'
            f'<text class="small" x="{x + width / 2:g}" y="{y + 32}" text-anchor="middle">'
            f"{files} files, {lines:,} lines</text>")


def drawing():
    sizes, includes = read_house()
    parts, places = [], {}
    y = MARGIN
    for layer in LAYERS:
        levels = check_layers.FOLDERS[layer]
        height = GAP + len(levels) * ROW - (ROW - BOX_HEIGHT) + GAP
        right = WIDTH - MARGIN - (180 if layer == "arith" else 0)
        parts.append(f'<rect class="band" x="{MARGIN}" y="{y}" width="{right - MARGIN}" '
                     f'height="{height}" rx="8"/>')
        files = sum(size[0] for (of, _), size in sizes.items() if of == layer)
        lines = sum(size[1] for (of, _), size in sizes.items() if of == layer)
        parts.append(f'<text class="layer" x="{MARGIN + 12}" y="{y + 26}">{layer}</text>'
                     f'<text class="small" x="{MARGIN + 12}" y="{y + 43}">{files} files</text>'
                     f'<text class="small" x="{MARGIN + 12}" y="{y + 58}">{lines:,} lines</text>')
        for level, folders in enumerate(levels):
            room = (right - MARGIN - LABEL - GAP) / len(folders)
            width = min(room - GAP, 170)
            for i, folder in enumerate(folders):
                x = MARGIN + LABEL + i * room + (room - width) / 2
                places[layer, folder] = round(x), y + GAP + level * ROW, round(width)
                parts.append(box_of(places[layer, folder], (folder, *sizes[layer, folder])))
        if layer == "arith":
            truth = "arith/truth"
            x = right + 12
            parts.append(f'<rect class="band" x="{x}" y="{y}" width="{WIDTH - MARGIN - x}" '
                         f'height="{height}" rx="8"/>'
                         f'<text class="layer" x="{x + 12}" y="{y + 26}">{truth}</text>'
                         f'<text class="small" x="{x + 12}" y="{y + 43}">{sizes[truth, ""][0]} '
                         f'files</text><text class="small" x="{x + 12}" y="{y + 58}">'
                         f'{sizes[truth, ""][1]:,} lines</text>'
                         f'<text class="small" x="{x + 12}" y="{y + 84}">the judge: seen by</text>'
                         f'<text class="small" x="{x + 12}" y="{y + 99}">experiments and tests,'
                         f'</text><text class="small" x="{x + 12}" y="{y + 114}">never by '
                         f"algorithms</text>")
        y += height + GAP
    for here, there in reduced(set(includes)):
        if here not in places or there not in places:
            continue
        (x0, y0, w0), (x1, y1, w1) = places[here], places[there]
        a, b = x0 + w0 / 2, x1 + w1 / 2
        top, bottom = y0 + BOX_HEIGHT, y1 - 5
        bow = 0
        if y1 - y0 > ROW and abs(a - b) < w0:  # around the boxes between
            a, b = a + w0 / 2 - 12, b + w1 / 2 - 12
            bow = 60
        parts.append(f'<path class="arrow" marker-end="url(#tip)" d="M{a:g},{top} '
                     f'C{a + bow:g},{top + 18} {b + bow:g},{bottom - 18} {b:g},{bottom}"><title>{here[0]}/{here[1]} includes '
                     f"{there[0]}/{there[1]}: {includes[here, there]} lines</title></path>")
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" '
            f'height="{y}"><title>The layers of fftprec and their folders</title>'
            f"<style>{STYLE}</style>"
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 Z"/></marker></defs>')
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def main():
    text = drawing()
    if sys.argv[1:] == ["--check"]:
        with open(DRAWING, encoding="utf-8") as file:
            if file.read() == text:
                return 0
        print("docs/img/house.svg is stale: scripts/draw_house.py draws it anew", file=sys.stderr)
        return 1
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    with open(DRAWING, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
