#!/usr/bin/env python3
"""Judges the direction of includes, between layers and between the folders inside a layer.

reports -> experiments -> algorithms -> arith. arith/truth is a side wing: it sees arith, and only
experiments and tests see it. So arith and algorithms build without MPFR and GMP, and may not include
them. The public headers in include, the modules in python and playground and the C interface in c see every
layer.
Tests and examples may include everything, and nothing includes them.

Inside a layer an include goes down the list FOLDERS or stays in its folder. A folder is a namespace,
and a namespace holds no two types of one name. Files do not include one another in a circle; a .hpp
and the .cpp of that name are one. LEAVES are seen by their readers alone.

Prints every offending line and exits with 1 if there is one.

    scripts/check_layers.py [DIRECTORY]     the repository, or another tree of the same layout
    scripts/check_layers.py --self-test     proves that offences are seen
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

SEES = {
    "arith": {"arith"},
    "arith/truth": {"arith/truth", "arith"},
    "algorithms": {"algorithms", "arith"},
    "experiments": {"experiments", "algorithms", "arith/truth", "arith"},
    "reports": {"reports", "experiments", "algorithms", "arith"},
    "include": {"reports", "experiments", "algorithms", "arith/truth", "arith"},
    "python": {"reports", "experiments", "algorithms", "arith/truth", "arith"},
    "c": {"reports", "experiments", "algorithms", "arith/truth", "arith"},
    "playground": {"reports", "experiments", "algorithms", "arith/truth", "arith", "playground"},
}
# The folders of each layer, top to bottom; those of one line do not see each other. Files beside
# the folders see all of them.
FOLDERS = {
    "reports": [["commands"], ["page"], ["gates", "claims", "hypotheses"], ["figures"], ["text"],
                ["results"], ["mpi"]],
    "experiments": [["identify"], ["search", "hypotheses", "claims", "testing"], ["attribution", "devices"], ["gates"],
                    ["sweeps"], ["cases"], ["transforms"], ["inputs"],
                    ["tables", "algorithms"], ["files"], ["faults"], ["support"]],
    "algorithms": [["transforms"], ["fft"], ["theory"], ["arithmetic"]],
    "arith": [["machines"], ["kernels"], ["accumulators"], ["splitting"], ["formats"], ["support"]],
}
# Folders that could go without a change elsewhere, and who may see them.
LEAVES = {
    "experiments/claims": {"reports/claims", "reports/commands"},
    "experiments/hypotheses": {"reports/hypotheses", "reports/commands"},
    "experiments/identify": {"reports/hypotheses", "reports/commands"},
}
# Folders whose namespace is not fftprec::FOLDER: the vocabulary that everything speaks. None: any.
NAMESPACES = {
    "reports/results": None,
    **{f"{layer}/{folder}": "fftprec" for layer in ("algorithms", "arith")
       for folders in FOLDERS[layer] for folder in folders},
    **{f"experiments/{folder}": "fftprec" for folder in
       ("testing", "sweeps", "cases", "transforms", "inputs", "tables", "algorithms",
        "files", "faults", "support")},
}
# Free to include every layer; nobody includes them but themselves.
OUTSIDE = {"tests", "examples"}
WITHOUT_MPFR = {"arith", "algorithms"}
MPFR = re.compile(r"(mpfr|gmp|gmpxx|mpf2mpfr)\.h|boost/multiprecision/(mpfr|gmp)\.hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
NAMESPACE = re.compile(r"^namespace (fftprec[\w:]*) \{")
TYPE = re.compile(r"^(?:struct|class|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :.*)? \{")
SOURCES = (".cpp", ".hpp", ".h", ".cpp.in", ".hpp.in")


def layer_of(path):
    """The layer that a path from the root belongs to, or None."""
    if path.startswith("arith/truth/"):
        return "arith/truth"
    top = path.split("/", 1)[0]
    return top if "/" in path and (top in SEES or top in OUTSIDE) else None


def folder_of(path):
    """The folder of a path inside its layer: "" for a file beside the folders."""
    rest = path[len(layer_of(path)) + 1:]
    return rest.split("/", 1)[0] if "/" in rest else ""


def level_of(layer, folder):
    """How far down in its layer a folder stands, or None."""
    for level, folders in enumerate(FOLDERS[layer]):
        if folder in folders:
            return level
    return None


def folder_offence(path, quoted):
    """Why a file may not include another one of its layer, or None."""
    layer = layer_of(path)
    here, there = folder_of(path), folder_of(quoted)
    if layer not in FOLDERS or here == there or not here:
        return None
    levels = level_of(layer, here), level_of(layer, there)
    if None in levels:
        unknown = here if levels[0] is None else there or "beside the folders"
        return f"{layer}: {unknown} has no place among the folders"
    if levels[0] >= levels[1]:
        return f"{layer}/{here} must not see {layer}/{there}"
    return None


def offence(path, line):
    """Why the line may not stand in the file, or None."""
    namespace = NAMESPACE.match(line)
    if namespace:
        return namespace_offence(path, namespace.group(1))
    match = INCLUDE.match(line)
    if not match:
        return None
    here = layer_of(path)
    quoted, system = match.groups()
    if system:
        if here in WITHOUT_MPFR and MPFR.fullmatch(system):
            return f"{here} must not know MPFR"
        return None if layer_of(system) is None else "own headers are included with quotes"
    there = layer_of(quoted)
    if here in OUTSIDE:
        return None
    if there is None:
        return "the path is not one from the root of the project"
    if there not in SEES[here]:
        return f"{here} must not see {there}"
    leaf, reader = (f"{layer_of(name)}/{folder_of(name)}" for name in (quoted, path))
    if leaf in LEAVES and reader != leaf and reader not in LEAVES[leaf]:
        return f"{leaf} is seen by {', '.join(sorted(LEAVES[leaf]))} alone"
    return folder_offence(path, quoted) if there == here else None


def namespace_offence(path, namespace):
    """Why a folder may not open the namespace, or None."""
    layer, folder = layer_of(path), "" if layer_of(path) in OUTSIDE else folder_of(path)
    if layer not in FOLDERS or not folder:
        return None
    wanted = NAMESPACES.get(f"{layer}/{folder}", f"fftprec::{folder}")
    if wanted is None or namespace == wanted:
        return None
    if wanted != "fftprec" and namespace.startswith(wanted + "::"):
        return None
    return f"{layer}/{folder} is namespace {wanted}"


def circles(includes):
    """The set of units that a unit makes a circle with, for those that do.

    includes: {unit: the units that it includes}."""
    reached = {}
    for unit in includes:
        seen, left = set(), [unit]
        while left:
            for other in includes.get(left.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        reached[unit] = seen
    return {unit: {other for other in seen if unit in reached.get(other, ())}
            for unit, seen in reached.items() if unit in seen}


def circle_offences(lines_of):
    """Every include between two files of a circle, of includes that go where they may."""
    def unit_of(path):
        return path.rsplit(".", 1)[0]

    found = []
    places = collections.defaultdict(list)
    for path, lines in lines_of.items():
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match and match.group(1) and layer_of(path) not in OUTSIDE and not offence(path, line):
                pair = unit_of(path), unit_of(match.group(1))
                if pair[0] != pair[1]:
                    places[pair].append(f"{path}:{number}: {line.strip()}")
    includes = collections.defaultdict(set)
    for here, there in places:
        includes[here].add(there)
    partners = circles(includes)
    for (here, there), where in places.items():
        if there in partners.get(here, ()):
            found += [f"{place}  (a circle of files: {', '.join(sorted(partners[here]))})"
                      for place in where]
    return found


def types_of(path, lines):
    """(namespace, name, line number) of the types that a header defines in a namespace."""
    namespace = None
    for number, line in enumerate(lines, 1):
        opened = NAMESPACE.match(line)
        if opened:
            namespace = opened.group(1)
        defined = TYPE.match(line)
        if defined and namespace and layer_of(path) not in OUTSIDE:
            yield namespace, defined.group(1), number


def sources(root):
    """Tracked files, and those not yet tracked; every file where there is no git."""
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode == 0:
        paths = listed.stdout.splitlines()
    else:
        paths = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, names in os.walk(root) for name in names]
    return sorted(path for path in paths
                  if path.endswith(SOURCES) and layer_of(path)
                  and os.path.exists(os.path.join(root, path)))


def check(root):
    """All offences as "path:line: text  (reason)", and the number of files read."""
    found = []
    defined = collections.defaultdict(list)
    paths = sources(root)
    lines_of = {}
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = lines_of[path] = file.read().splitlines()
        for number, line in enumerate(lines, 1):
            reason = offence(path, line)
            if reason:
                found.append(f"{path}:{number}: {line.strip()}  ({reason})")
        if path.endswith(".hpp") and layer_of(path) in FOLDERS:
            for namespace, name, number in types_of(path, lines):
                defined[namespace, name].append(f"{path}:{number}")
    for (namespace, name), places in defined.items():
        for place in places[1:]:
            found.append(f"{place}: {name}  ({namespace} has one already, at {places[0]})")
    return found + circle_offences(lines_of), len(paths)


def self_test():
    """A tree with one offence of each kind, and one of everything that is allowed."""
    FOLDERS.clear()
    FOLDERS["arith"] = [["high"], ["left", "right"], ["low"]]
    NAMESPACES.clear()
    NAMESPACES["arith/low"] = "fftprec"
    LEAVES.clear()
    LEAVES["experiments/leaf"] = {"reports/leaf"}
    FOLDERS["experiments"] = [["top"], ["leaf"]]
    FOLDERS["reports"] = [["leaf", "other"]]
    allowed = {
        "arith/a.hpp": ['#include "arith/low/format.hpp"', "#include <vector>",
                        "namespace fftprec {", "struct A {"],
        "arith/high/h.hpp": ['#include "arith/left/l.hpp"', '#include "arith/high/g.hpp"',
                             '#include "arith/low/b.hpp"', "namespace fftprec::high {",
                             "struct A {", "struct Declared;"],
        "arith/left/l.hpp": ['#include "arith/low/b.hpp"', "namespace fftprec::left::inner {"],
        "arith/low/b.hpp": ["namespace fftprec {", "enum class B : int {"],
        "arith/truth/t.cpp": ['#include "arith/truth/t.hpp"', '#include "arith/a.hpp"',
                              "#include <mpfr.h>"],
        "algorithms/f.hpp": ['#include "algorithms/g.hpp"', '#include "arith/a.hpp"'],
        "algorithms/ring.hpp": ['#include "algorithms/f.hpp"'],
        "algorithms/ring.cpp": ['#include "algorithms/ring.hpp"'],
        "algorithms/round.hpp": ['#include "algorithms/f.hpp"'],
        "experiments/leaf/l.hpp": ["#include <vector>"],
        "experiments/leaf/l.cpp": ['#include "experiments/leaf/l.hpp"'],
        "reports/leaf/l.cpp": ['#include "experiments/leaf/l.hpp"'],
        "experiments/e.cpp": ['#include "algorithms/f.hpp"', '#include "arith/truth/t.hpp"'],
        "reports/r.cpp": ['#include "experiments/e.hpp"', '#include "arith/a.hpp"',
                          "#include <mpfr.h>"],
        "tests/arith/t.cpp": ['#include "reports/r.hpp"', '#include "judge.hpp"',
                              "#include <mpfr.h>", "namespace fftprec::testing {"],
    }
    forbidden = {
        "arith/a.hpp": ['#include "algorithms/f.hpp"', '#include "arith/truth/t.hpp"',
                        '# include "experiments/e.hpp"', "#include <gmp.h>"],
        "arith/high/h.hpp": ['#include "arith/unknown/u.hpp"', "namespace fftprec::left {",
                             "namespace fftprec {", "class A {"],
        "arith/left/l.hpp": ['#include "arith/right/r.hpp"', '#include "arith/high/h.hpp"'],
        "arith/low/b.hpp": ['#include "arith/left/l.hpp"', '#include "arith/a.hpp"',
                            "enum class B {", "namespace fftprec::low {"],
        "arith/truth/t.cpp": ['#include "algorithms/f.hpp"', '#include "reports/r.hpp"'],
        "algorithms/f.hpp": ['#include "arith/truth/t.hpp"', '  #include "experiments/e.hpp"',
                             "#include <mpfr.h>"],
        "algorithms/ring.cpp": ['#include "algorithms/round.hpp"'],
        "algorithms/round.hpp": ['#include "algorithms/ring.hpp"'],
        "experiments/top/t.cpp": ['#include "experiments/leaf/l.hpp"'],
        "reports/other/o.cpp": ['#include "experiments/leaf/l.hpp"'],
        "experiments/e.cpp": ['#include "reports/r.hpp"', '#include "tests/support/t.hpp"',
                              '#include "e.hpp"', "#include <algorithms/f.hpp>"],
        "reports/r.cpp": ['#include "arith/truth/t.hpp"'],
    }
    expected = {f"{path}:{len(allowed.get(path, [])) + number}" for path in forbidden
                for number in range(1, len(forbidden[path]) + 1)}
    with tempfile.TemporaryDirectory() as root:
        for path in allowed.keys() | forbidden.keys():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            lines = allowed.get(path, []) + forbidden.get(path, [])
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        found, _ = check(root)
    seen = {":".join(line.split(":", 2)[:2]) for line in found}
    for place in sorted(expected - seen):
        print(f"self-test: offence not seen at {place}")
    for place in sorted(seen - expected):
        print(f"self-test: false alarm at {place}")
    return seen == expected


def main(document, check, self_test):
    """A check as a command: its exit code. The other checks of sources are called likewise."""
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        passed = self_test()
        print("self-test: every offence is seen" if passed else "self-test: FAILED")
        return 0 if passed else 1
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(document, file=sys.stderr)
        return 2
    root = arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "..")
    found, count = check(root)
    print("\n".join(found + [f"{count} files read, {len(found)} offences"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(__doc__, check, self_test))
