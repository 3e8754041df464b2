#!/usr/bin/env python3
"""Finds state that changes and belongs to nobody: variables that are static, global or per thread.

State that outlives a call belongs to an object of the caller, a Session above all. ALLOWED lists the
few variables that stay, each with its reason; docs/design.md says more. Constants are free, tables
that a function makes when it is first called among them.

Prints every other variable, and every line of ALLOWED that no variable has, and exits with 1 if there
is one.

    scripts/check_state.py [DIRECTORY]     the repository, or another tree of the same layout
    scripts/check_state.py --self-test     proves that variables are seen
"""

import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_layers  # noqa: E402  (beside this script)

ALLOWED = {
    ("arith/formats/number_families.cpp", "made"): "one value per name of a number system, for ever",
    ("experiments/algorithms/registry.cpp", "all"): "algorithms of the program, registered at first",
    ("experiments/algorithms/programs.cpp", "known"): "programs that the user's command line named",
    ("experiments/support/files.cpp", "next"): "names of temporary files differ in the process",
    ("playground/module.cpp", "answer"): "the page reads it after the call",
    ("c/fftprec_c.cpp", "last_error"): "C asks for the last error of its thread",
    ("c/fftprec_c.cpp", "last_suspicion"): "likewise",
    ("c/fftprec_c.cpp", "last_not_finite"): "likewise",
    ("reports/commands/progress.cpp", "was_interrupted"): "a signal handler sees globals alone",
}
WORDS = re.compile(r"\s*(?:using|namespace|struct|class|enum|union|typedef|friend|static_assert|extern"
                   r"|template|concept|public|private|return|goto|AddCommand)\b")  # that is a function
TYPE = re.compile(r"\s*(?:export\s+)?(?:struct|class|union|enum)\b")
POINTER = re.compile(r"[\w:&*\s]+\(\s*\*\s*(\w+)\s*\)\s*\(")


def stripped(source):
    """The source without comments, texts, lines of the preprocessor and attributes."""
    source = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                    lambda match: "\n" * match.group().count("\n"), source, flags=re.S)
    source = re.sub(r"(?m)^\s*#(?:.*\\\n)*.*$", lambda match: "\n" * match.group().count("\n"), source)
    return re.sub(r"\[\[[^\]]*\]\]", "", source)


def without_template_arguments(text):
    """`text` without what stands in angle brackets, from the inside out."""
    while True:
        shorter = re.sub(r"<[^<>()]*(?:\([^()]*\)[^<>()]*)*>", "", text)
        if shorter == text:
            return text
        text = shorter


def declared(statement, scope):
    """The name of the variable that changes and that the statement makes for good, or None."""
    head = re.sub(r"\boperator\s*[^\s(]*\(?\)?\s*\(", "operator_of(", statement)
    head = without_template_arguments(head).split("=")[0].replace("__extension__", "")
    head = re.sub(r"^\s*template\s*(?:requires[^;{]*?\s(?=\w+\s+\w+\())?", "", head).strip()
    kept = re.match(r"(?:inline\s+|constinit\s+)*(?:static|thread_local)\b", head)
    if scope != "namespace" and not kept or WORDS.match(head):
        return None
    pointer = POINTER.match(head)
    if pointer:
        return None if re.search(r"\bconstexpr\b", head) else pointer.group(1)
    if "(" in head and (scope != "function" or not kept):
        return None  # a function: none is declared within another, with `static`
    points = re.search(r"\*\s*(?!const)\w+\s*$", head)  # const is then what it points to
    if re.search(r"\bconstexpr\b", head) or (re.search(r"\bconst\b", head) and not points):
        return None
    words = re.findall(r"\w+", head.split("(")[0].split("[")[0])
    types = [word for word in words if word not in ("inline", "static", "thread_local", "constinit")]
    return types[-1] if len(types) > 1 else None


def variables(source):
    """(line number, name) of the variables that can change and outlive their block."""
    scopes, statement, line, first = [("namespace", 0, "")], "", 1, 1
    parentheses = 0
    for mark in stripped(source):
        line += mark == "\n"
        if not statement.strip():
            first = line
        parentheses += (mark == "(") - (mark == ")")
        scope = scopes[-1][0]
        if mark == "{":
            if not parentheses:
                name = declared(statement, scope)
                if name:
                    yield first, name
            bare = without_template_arguments(statement)
            bare = re.sub(r"^\s*template\b", "", bare)
            inner = ("namespace" if re.match(r"\s*(?:inline\s+)?namespace\b|\s*extern\s*$", bare)
                     else "type" if TYPE.match(bare) and "(" not in bare else "function")
            scopes.append((inner, parentheses, statement if parentheses else ""))
            statement, parentheses = "", 0
        elif mark == "}" and len(scopes) > 1:
            _, parentheses, statement = scopes.pop()
        elif mark == ";" and not parentheses:
            name = declared(statement, scope)
            if name:
                yield first, name
            statement = ""
        else:
            statement += mark


def check(root):
    """Variables that nobody allows, lines of ALLOWED without a variable, and files read."""
    found, seen = [], set()
    paths = [path for path in check_layers.sources(root)
             if check_layers.layer_of(path) not in check_layers.OUTSIDE]
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, name in variables(file.read()):
                seen.add((path, name))
                if (path, name) not in ALLOWED:
                    found.append(f"{path}:{number}: {name} outlives its caller and can change")
    for path, name in sorted(set(ALLOWED) - seen):
        found.append(f"{path}: {name} is allowed, but not there")
    return found, len(paths)


SEEN = {"int total = 0;": "total", "thread_local std::string last;": "last",
        "System (*reader)(const std::string& name) = nullptr;": "reader",
        "std::map<int, int> table;": "table", "inline bool chosen = false;": "chosen",
        "namespace a { static double sum{}; }": "sum", "const char* name = nullptr;": "name",
        "volatile sig_atomic_t stop = 0;": "stop", "int count[3];": "count",
        "int f() { static int calls = 0; return ++calls; }": "calls",
        "int f() { static LruCache<Key, Values> cache(capacity); }": "cache",
        "int f() { static std::vector<Family> all{1, 2}; }": "all",
        "int f() { g([] { static std::mutex mutex; }); }": "mutex",
        "struct A { static inline thread_local int counts{}; };": "counts"}
UNSEEN = ["int f() { static const std::vector<int> all = [] { return 1; }(); }",
          "constexpr int most = 3;", "const Table table{1};", "const char* const name = nullptr;",
          "struct A { static double of(double x) { return x; } int mine = 0; static A make(int n); };",
          "int width_of(const Format& format);", "bool operator==(const A& a, const A& b) = default;",
          "using Key = int;", "struct A;", "template <class T> struct B { T x{}; };",
          "void f() { int local = 0; for (int i = 0; i < 3; ++i) local += i; }",
          "static_assert(true);", "Session::Session() : a_{1} {}", "enum class E { a, b };",
          "struct A { static Value (*allocate(std::size_t n))[2] { return f(n); } };",
          "inline constexpr Format bf16{8, -126, 127};", "extern template class A<int>;",
          "template <class T> concept Real = requires(T x) { x + x; };",
          "template <class T> T f(T x = {}) { return x; }", "// int total = 0;",
          "template TransformOf<float> CasePlan::transform<float>(Way, Steps, Isa) const;"]


def self_test():
    """Each source of SEEN by itself, none of UNSEEN, and allowances that nothing needs."""
    passed = True
    for source, name in SEEN.items():
        if list(variables(source)) != [(1, name)]:
            print(f"self-test: {list(variables(source))} seen in: {source}")
            passed = False
    for source in UNSEEN:
        if list(variables(source)):
            print(f"self-test: false alarm {list(variables(source))}: {source}")
            passed = False
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "arith"))
        with open(os.path.join(root, "arith/a.cpp"), "w", encoding="utf-8") as file:
            file.write("int total = 0;\n")
        found, count = check(root)
        if count != 1 or len(found) != 1 + len(ALLOWED) or "a.cpp:1: total" not in found[0]:
            print("self-test: a tree with one variable gave", found)
            passed = False
    return passed


if __name__ == "__main__":
    sys.exit(check_layers.main(__doc__, check, self_test))
