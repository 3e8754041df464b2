#!/usr/bin/env python3
"""Judges that tests include what is precompiled for them (tests/CMakeLists.txt).

A build with precompiled headers finds them in every test, included or not; another build does not.
What the layers include needs no judge here: CI builds them without precompiled headers, too.
Prints every offending file and exits with 1 if there is one.

    scripts/check_includes.py [DIRECTORY]     the repository, or another tree of the same layout
    scripts/check_includes.py --self-test     proves that offences are seen
"""

import os
import pathlib
import re
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
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
COMMENT = re.compile(r"//.*")


def included(root, path, seen):
    """The headers in angle brackets that a file includes, itself or through the project's own."""
    headers = set()
    for own, foreign in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if foreign:
            headers.add(foreign)
        for there in (root / own, path.parent / own):
            if own and there.is_file() and there not in seen:
                seen.add(there)
                headers |= included(root, there, seen)
                break
    return headers


def check(root):
    """All offences as "path: reason", and the number of files read."""
    root = pathlib.Path(root).resolve()
    found = []
    paths = sorted((root / "tests").rglob("*.cpp"))
    for path in paths:
        code = COMMENT.sub("", path.read_text(encoding="utf-8"))
        headers = included(root, path, {path})
        for name, (use, givers) in USES.items():
            match = use.search(code)
            if match and not headers & givers:
                found.append(f"{path.relative_to(root)}: {match.group()} without <{name}>")
    return found, len(paths)


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
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in texts.items():
            os.makedirs((root / path).parent, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found, _ = check(root)
    seen = {line.split(":")[0] for line in found}
    expected = {path for path in texts if path.startswith("tests/no_")}
    for path in sorted(seen ^ expected):
        print(f"self-test: {'false alarm' if path in seen else 'offence not seen'} at {path}")
    return seen == expected and len(found) == len(expected)


if __name__ == "__main__":
    sys.exit(check_layers.main(__doc__, check, self_test))
