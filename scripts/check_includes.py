#!/usr/bin/env python3
"""Judges includes of own and of others' headers.

A layer's file includes, itself or through own headers, the header of every type that it names: a unity
build finds the type in any case. Judged are types of two words or more, such as MachineArithmetic, that one
header declares; the rest is seen where every source is compiled alone (.ci/nightly compilers).

Tests and layers include what is precompiled for them (tests/CMakeLists.txt, CMakeLists.txt): a build
with precompiled headers finds it in every source, included or not; another build does not. And what the
layers include outside #if comes with a package that `scripts/setup --run` installs, which a machine with
all packages does not show. Where there is no dpkg, nobody can tell.
Prints every offending file and exits with 1 if there is one.

    scripts/check_includes.py [DIRECTORY]     the repository, or another tree of the same layout
    scripts/check_includes.py --self-test     proves that offences are seen
"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_layers  # noqa: E402  (beside this script)

# What shows that a header is used, and the headers that give it.
USES = {
    "gtest/gtest.h": (re.compile(r"\b(?:TYPED_)?TEST(?:_[FP])?\(|\b(?:EXPECT|ASSERT)_[A-Z]+\("),
                      {"gtest/gtest.h", "gmock/gmock.h"}),
    "gmock/gmock.h": (re.compile(r"\b(?:EXPECT|ASSERT)_THAT\(|\bMATCHER(?:_P\d*)?\("),
                      {"gmock/gmock.h"}),
    "filesystem": (re.compile(r"\bstd::filesystem\b"), {"filesystem"}),
}
# The same of the standard headers that the layers have precompiled, by the names in std.
NAMES = {
    "algorithm": "adjacent_find|all_of|any_of|binary_search|clamp|copy|copy_if|copy_n|count|count_if|equal|fill"
                 "|fill_n|find|find_if|find_if_not|is_sorted|lower_bound|max|max_element|min|min_element|none_of"
                 "|nth_element|partial_sort|replace|reverse|rotate|sort|stable_partition|stable_sort|transform"
                 "|unique|upper_bound",
    "array": "array|to_array",
    "bit": "bit_cast|bit_ceil|bit_floor|bit_width|countl_zero|countr_zero|endian|has_single_bit|popcount",
    "cmath": "atan|ceil|copysign|erf|exp|exp2|expm1|fabs|floor|fma|fmod|frexp|hypot|ilogb|isfinite|isinf|isnan"
             "|ldexp|log|log10|log1p|log2|lround|nearbyint|nextafter|pow|signbit|sqrt|trunc",
    "cstdint": "u?int(?:8|16|32|64|ptr|max)_t",
    "cstring": "memcmp|memcpy|memset|strerror|strlen",
    "functional": "function|greater|greater_equal|invoke|less|minus|multiplies|not_fn|plus",
    "limits": "numeric_limits",
    "map": "map|multimap",
    "memory": "make_shared|make_unique|shared_ptr|static_pointer_cast|unique_ptr|weak_ptr",
    "numeric": "accumulate|gcd|inner_product|iota|lcm|transform_reduce",
    "optional": "make_optional|nullopt|optional",
    "set": "multiset|set",
    "span": "span",
    "sstream": "[io]?stringstream",
    "stdexcept": "invalid_argument|length_error|logic_error|out_of_range|runtime_error",
    "string": "getline|stoi|stol|stoull|string|to_string",
    "string_view": "string_view",
    "tuple": "make_tuple|tie|tuple",
    "utility": "exchange|forward|index_sequence|make_index_sequence|move|pair|swap",
    "vector": "vector",
}
USES_OF_LAYERS = {name: (re.compile(rf"\bstd::(?:{names})\b"), {name}) for name, names in NAMES.items()}
USES_OF_LAYERS["fmt/format.h"] = (re.compile(r"\bfmt::(?:format|join)\b"), {"fmt/format.h", "fmt/ranges.h"})
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
COMMENT = re.compile(r"//.*")
LAYERS = ["arith", "algorithms", "experiments", "reports"]
OF_USERS = {"experiments/testing/gtest.hpp"}  # which brings its GoogleTest
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
TYPE = r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+"
DECLARED = re.compile(rf"^(?:template <.*> )?(?:class|struct|enum|enum class|concept) ({TYPE})\b(?! *[;<])"
                      rf"|^using ({TYPE}) =", re.MULTILINE)
USED = re.compile(rf"(?<![\w.>:])({TYPE})\b")
COMMENT_OF_SHELL = re.compile(r"#.*")
CONDITION = re.compile(r"^\s*#\s*(if|endif)")
DEBIAN = pathlib.Path("/usr/include")
PLACES = [DEBIAN, DEBIAN / "eigen3", *DEBIAN.glob("*-linux-gnu")]


@functools.cache
def includes_of(root, path):
    """The headers in angle brackets that a file includes itself, and the project's own files."""
    headers, own_files = set(), []
    for own, foreign in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if foreign:
            headers.add(foreign)
        for there in (root / own, path.parent / own):
            if own and there.is_file():
                own_files.append(there)
                break
    return headers, own_files


def included(root, path):
    """The headers in angle brackets, and the project's own files, that a file includes, itself or through the
    project's own."""
    headers, seen, left = set(), {path}, [path]
    while left:
        found, own_files = includes_of(root, left.pop())
        headers |= found
        left += set(own_files) - seen
        seen.update(own_files)
    return headers, seen


def foreign_headers(path):
    """The headers of others that a file of a layer always includes."""
    depth = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if condition := CONDITION.match(line):
            depth += 1 if condition[1] == "if" else -1
        include = INCLUDE.match(line)
        if include and include[2] and depth == 0:
            yield include[2]


def installed_for_a_run(root):
    """The packages that scripts/setup --run installs, and those that they depend on."""
    listed = re.search(r"^packages=\(\n(.*?)^\)", (root / "scripts/setup").read_text(encoding="utf-8"),
                       re.MULTILINE | re.DOTALL)
    left = COMMENT_OF_SHELL.sub("", listed[1]).split()
    text = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Depends}, ${Pre-Depends}\n"],
                          capture_output=True, text=True, check=True).stdout
    needs = {name: re.findall(r"(?:^|[,|])\s*([a-z0-9.+-]+)", depends)
             for name, depends in (line.split("\t") for line in text.splitlines())}
    known = set()
    while left:
        package = left.pop()
        if package not in known:
            known.add(package)
            left += needs.get(package, [])
    return known


def check_packages(root, layers):
    """The layers' headers of packages that a run does not install."""
    users = {}
    for path in layers:
        name = path.relative_to(root).as_posix()
        for header in foreign_headers(path) if name not in OF_USERS else []:
            for place in PLACES:
                if "." in header and (place / header).is_file():
                    users.setdefault(str(place / header), name)
    if not users or not shutil.which("dpkg"):
        return []
    known = installed_for_a_run(root)
    owners = subprocess.run(["dpkg", "-S", *users], capture_output=True, text=True, check=False).stdout
    found = []
    for line in owners.splitlines():
        packages, header = line.rsplit(": ", 1)
        names = {name.split(":")[0] for name in packages.split(", ")}
        if not names & known:
            found.append(f"{users[header]}: {header} is of {', '.join(sorted(names))}, which "
                         "scripts/setup --run does not install")
    return found


def check_types(root, layers):
    """The uses of a type of another file's whose header is not included."""
    texts = {path: STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8"))) for path in layers}
    declared = {}
    for path, text in texts.items():
        for names in DECLARED.findall(text) if path.suffix == ".hpp" else []:
            declared.setdefault("".join(names), set()).add(path)
    found = []
    for path, text in texts.items():
        seen = included(root, path)[1]
        for name in sorted(set(USED.findall(text)) & set(declared)):
            of_its_own = re.search(rf"\b(?:class|struct|enum|using|typename|concept) {name}\b", text)
            if len(declared[name]) == 1 and not declared[name] & seen and not of_its_own:
                header, = declared[name]
                found.append(f"{path.relative_to(root)}: {name} without {header.relative_to(root)}")
    return found


def check(root):
    """All offences as "path: reason", and the number of files read."""
    root = pathlib.Path(root).resolve()
    tests = sorted((root / "tests").rglob("*.cpp"))
    layers = sorted(path for layer in LAYERS for path in (root / layer).rglob("*.[ch]pp"))
    found = check_packages(root, layers) + check_types(root, layers)
    for paths, uses in (tests, USES), (layers, USES_OF_LAYERS):
        for path in paths:
            code = COMMENT.sub("", path.read_text(encoding="utf-8"))
            headers = included(root, path)[0]
            for name, (use, givers) in uses.items():
                match = use.search(code)
                if match and not headers & givers:
                    found.append(f"{path.relative_to(root)}: {match.group()} without <{name}>")
    return found, len(tests) + len(layers)


def self_test():
    """A tree with one offence for each header, and what is allowed beside it."""
    texts = {
        "arith/own.hpp": "#include <filesystem>\n",
        "tests/support/fixture.hpp": "#include <gmock/gmock.h>\n#include \"arith/own.hpp\"\n",
        "tests/good.cpp": "#include \"tests/support/fixture.hpp\"\n"
                          "TEST(A, B) { EXPECT_THAT(c, d); }\nstd::filesystem::path p;\n",
        "tests/none.cpp": "// TEST( is only told of, and so is EXPECT_THAT(\nint main() {}\n",
        "tests/no_gtest.cpp": "#include <vector>\nTEST_F(A, B) {}\n",
        "tests/no_gmock.cpp": "#include <gtest/gtest.h>\nTEST(A, B) { ASSERT_THAT(c, d); }\n",
        "tests/no_filesystem.cpp": "#include <gmock/gmock.h>\nstd::filesystem::path p;\n",
        "scripts/setup": "packages=(\n  g++  # and what it needs\n)\ntest_packages=(\n  libmpfr-dev\n)\n",
        "arith/no_utility.cpp": "#include <vector>\nstd::vector<int> x = std::move(y);  // std::map\n",
        "reports/no_format.cpp": "#include <string>\nstd::string x = fmt::format(y);\n",
        "arith/good.cpp": "#include <vector>\n#include <unistd.h>\n#if OWN\n#include <mpfr.h>\n#endif\n",
        "arith/no_mpfr.cpp": "#include <mpfr.h>\n",
        "arith/two_words.hpp": "struct TwoWords {\n};\n",
        "arith/middle.hpp": "#include \"arith/two_words.hpp\"\n",
        "arith/through.cpp": "#include \"arith/middle.hpp\"\nTwoWords x;\n",
        "arith/of_its_own.cpp": "template <class TwoWords>\nTwoWords x; const char* y = \"TwoWords\";\n",
        "arith/no_header.cpp": "TwoWords x;\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in texts.items():
            os.makedirs((root / path).parent, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found, _ = check(root)
    seen = {line.split(":")[0] for line in found}
    expected = {path for path in texts if "/no_" in path}
    for path in sorted(seen ^ expected):
        print(f"self-test: {'false alarm' if path in seen else 'offence not seen'} at {path}")
    return seen == expected and len(found) == len(expected)


if __name__ == "__main__":
    sys.exit(check_layers.main(__doc__, check, self_test))
