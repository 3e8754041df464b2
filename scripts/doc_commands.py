#!/usr/bin/env python3
"""Runs the commands of README.md and docs/ and compares what they print with what the pages show.

    scripts/doc_commands.py [PAGE...]       all pages, or those named; exits with 1 if one is wrong
    scripts/doc_commands.py --write         puts what was printed in the place of what is shown
    scripts/doc_commands.py --self-test     a page made up with every kind of mistake, which all must be seen

Commands stand in ```sh blocks, or in ```console blocks, where `$ ` begins a command and its output
follows. A plain block right below a ```sh block is the output of the whole block. In shown output a line
`...` stands for any lines, and ... within a line for any text. The blocks of a page run one after the other
in a new folder that holds copies of examples/ and gates/, with the release program on the PATH. Comments
right above a block say what is special about it:

    <!-- not run: REASON -->      it is not run; every run of this script lists it with its reason
    <!-- exits with 1 -->         its last command does; all others exit with 0
    <!-- before: COMMANDS -->     run before it, unseen by the reader: what makes the reader's own files; $SOURCE
                                  is the repository

`<!-- drawn: FILE -->` right above a picture names the file, left by the blocks above, that it must equal in every
byte; --write copies it.

A command in any other block is an error, so that nothing is left out unseen.
"""

import argparse
import concurrent.futures
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 400  # seconds for a block
NOTE = re.compile(r"<!-- (not run|exits with|before):? (.+?) -->", re.DOTALL)
COMMAND = re.compile(r"(\$ )?(\w+=\S+ )*(fftprec|(\./)?scripts/\w+|(\./)?build/\S+|cmake|ctest|g?make|mpirun|docker"
                     r"|sudo|apt(-get)?|dpkg|pip3?|git|python3? \S+\.py) ")


@dataclass
class Block:
    """A block of a page: its lines, the number of the first one, and what the comments above it say."""
    language: str
    first: int
    lines: list
    notes: dict

    @property
    def text(self):
        return "".join(f"{line}\n" for line in self.lines)


def blocks_of(page_lines):
    """Fenced blocks, and indented ones, whose language is `indented`."""
    found, inside, fence, indent, above = [], None, "", 0, ""
    for number, line in enumerate(page_lines):
        opening = re.match(r" *(```+|~~~+)(\w*)", line)
        if inside and fence:
            if line.strip() == fence:
                inside = None
            else:
                inside.lines.append(line[indent:] if not line[:indent].strip() else line.lstrip())
        elif opening:
            fence, indent = opening[1], len(line) - len(line.lstrip())
            inside = Block(opening[2], number + 1, [], dict(NOTE.findall(above)))
            above = ""
            found.append(inside)
        elif line.startswith("<!--") or above.count("<!--") > above.count("-->"):
            above += line + "\n"
        elif inside and (line.startswith("    ") or not line.strip()):
            inside.lines.append(line[4:])
        elif line.startswith("    ") and (number == 0 or not page_lines[number - 1].strip()):
            inside, fence = Block("indented", number, [line[4:]], {}), ""
            found.append(inside)
        else:
            inside = None
            above = above if not line.strip() else ""
    return found


@dataclass
class Step:
    """A script to run, the output shown of it if any, as a slice of lines of the page, and its exit code."""
    script: str
    line: int
    code: int = 0
    shown: slice = None
    before: str = ""


def steps_of(page, lines):
    """The steps of a page, what is not run, and what is wrong with its blocks."""
    steps, skipped, wrong = [], [], []
    blocks = blocks_of(lines)
    for block, following in zip(blocks, blocks[1:] + [None]):
        code, before = int(block.notes.get("exits with", 0)), block.notes.get("before", "")
        where = f"{page}:{block.first + 1}"
        if block.language not in ("sh", "console"):
            commands = [line for line in block.lines if line.strip() and not line.startswith("#")]
            if block.language in ("", "indented", "bash", "shell") and commands and COMMAND.match(commands[0]):
                wrong.append(f"{where}: a command in a block that is neither ```sh nor ```console")
        elif "not run" in block.notes:
            skipped.append(f"{where}: not run: {block.notes['not run']}")
        elif block.language == "sh":
            end = block.first + len(block.lines) + 1
            shown = None
            if following and following.language == "" and following.first > end and \
                    not "".join(lines[end:following.first - 1]).strip():
                shown = slice(following.first, following.first + len(following.lines))
                following.language = "output"
            steps.append(Step(block.text, block.first, code, shown, before))
        else:
            prompts = [i for i, line in enumerate(block.lines) if line.startswith("$ ")]
            if prompts[:1] != [0]:
                wrong.append(f"{where}: a console block begins with a command, `$ ...`")
            for i, end in zip(prompts, prompts[1:] + [len(block.lines)]):
                last = i
                while block.lines[last].endswith("\\") and last + 1 < end:
                    last += 1
                script = "\n".join([block.lines[i][2:], *(line.removeprefix("> ")
                                                          for line in block.lines[i + 1:last + 1])])
                steps.append(Step(script, block.first + i, code if end == len(block.lines) else 0,
                                  slice(block.first + last + 1, block.first + end), before if i == 0 else ""))
    return steps, skipped, wrong


def strict(script):
    """The script with a check behind every command: `bash -e` lets `false && true` pass."""
    checked, command = [], []
    for line in script.splitlines():
        command.append(line)
        parsed = subprocess.run(["bash", "-n", "-c", "\n".join(command)], capture_output=True, text=True)
        if parsed.returncode == 0 and "here-document" not in parsed.stderr and not line.endswith("\\"):
            checked += [*command, "code=$?; ((code == 0)) || exit $code"]
            command = []
    return "\n".join(checked + command)


def stripped(lines):
    return [line.rstrip() for line in "\n".join(lines).strip("\n").splitlines()]


def agrees(shown, printed):
    """Whether shown lines, with `...` for what is left out, are those printed."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else
                      ".*?".join(map(re.escape, line.split("..."))) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def environment(program, scratch):
    """That of a new user of Debian, who has the program and the Python package."""
    return {"PATH": f"{program.parent}:/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": scratch,
            "XDG_CACHE_HOME": scratch, "PYTHONPATH": str(program.parent.parent / "python"),
            "PYTHONDONTWRITEBYTECODE": "1", "SOURCE": str(ROOT)}


def pictures_of(lines):
    """File that the commands leave, file that the page shows, and the line: of every picture that they draw."""
    for i, (note, picture) in enumerate(zip(lines, lines[1:])):
        if drawn := re.fullmatch(r"<!-- drawn: (\S+) -->", note):
            yield drawn[1], re.match(r"!\[.*\]\((\S+)\)", picture)[1], i + 1


def judge(page, how, write):
    """Runs a page. The number of its steps, what is to be said, and what is wrong."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    steps, skipped, wrong = steps_of(page, lines)
    renewed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "gates"):
            shutil.copytree(ROOT / name, Path(folder, name))
        for step in steps:
            where = f"{page}:{step.line + 1}"
            start = time.monotonic()
            try:
                ran = subprocess.run(["bash", "-o", "pipefail", "-c",
                                      strict(f"{step.before}\n{step.script}")], cwd=folder, env=how,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                wrong.append(f"{where}: takes more than {TIMEOUT} s: {step.script.strip()}")
                continue
            seconds = time.monotonic() - start
            if seconds > 60:
                skipped.append(f"{where}: takes {seconds:.0f} s")
            if ran.returncode != step.code:
                wrong.append(f"{where}: exits with {ran.returncode}, not {step.code}:\n{step.script}"
                             f"{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
                continue
            if step.shown is None:
                continue
            shown, printed = stripped(lines[step.shown]), stripped(ran.stdout.splitlines())
            if agrees(shown, printed) or agrees(shown, stripped((ran.stdout + ran.stderr).splitlines())):
                continue
            if write and "..." not in "".join(shown):
                renewed.append((step.shown, printed))
                continue
            wrong.append("\n".join([f"{where}: prints something else:", *difflib.unified_diff(
                shown, printed or stripped(ran.stderr.splitlines()), "shown", "printed", lineterm="")]))
        for file, picture, line in pictures_of(lines):
            drawn, kept = Path(folder, file), (ROOT / page).parent / picture
            if write and drawn.exists():
                shutil.copyfile(drawn, kept)
            elif not drawn.exists() or not kept.exists() or drawn.read_bytes() != kept.read_bytes():
                wrong.append(f"{page}:{line}: {picture} is not the {file} that the commands leave")
    for where, printed in reversed(renewed):
        indent = re.match(" *", lines[where.start - 1])[0]
        lines[where] = [(indent + line).rstrip() for line in printed]
    if renewed:
        (ROOT / page).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return len(steps), skipped, wrong


MADE_UP = """
```sh
echo one
cat > two <<'END'
three
END
```

```
one
```

```console
$ cat two     # seen at line 14
four
$ printf '1\\n2\\n3 s\\n'
1
...
... s
```

<!-- exits with 3 -->
```sh
exit 3
```

```sh
exit 3        # seen at line 28
```

```sh
for i in 1
do false && true
done
echo unseen   # not by `bash -e`: line 32
```

    fftprec run smoke

```
fftprec list modes
```

```bash
fftprec list modes
```

<!-- exits with 5 -->
<!-- before: own() {
  return $1
} -->
```sh
own 5
```

<!-- not run: takes hours -->
```sh
exit 4
```

<!-- drawn: two -->
![as drawn](two.svg)

<!-- drawn: two -->
![otherwise](made_up.md)
"""


def self_test(how, folder):
    page = Path(folder, "made_up.md")
    page.write_text(MADE_UP, "utf-8")
    Path(folder, "two.svg").write_text("three\n", "utf-8")
    steps, said, wrong = judge(page, how, False)
    lines = [int(re.match(r".*?:(\d+)", line)[1]) for line in wrong]
    right = (steps, lines, len(said)) == (7, [38, 41, 45, 14, 28, 32, 64], 1)
    print("self-test: " + ("every mistake is seen" if right else f"{steps} steps, {lines}, {said}: {wrong}"))
    return 0 if right else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="default: README.md and docs/**/*.md")
    parser.add_argument("--write", action="store_true", help="show what is printed now")
    parser.add_argument("--self-test", action="store_true", help="judge a page made up of mistakes")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/bin/fftprec")
    given = parser.parse_args()
    pages = given.pages or ["README.md", *sorted(str(path.relative_to(ROOT))
                                                 for path in (ROOT / "docs").rglob("*.md"))]
    start = time.monotonic()
    count = mistakes = left_out = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        how = environment(given.program.resolve(), scratch)
        if given.self_test:
            return self_test(how, scratch)
        for steps, said, wrong in pool.map(lambda page: judge(page, how, given.write), pages):
            print("".join(f"{line}\n" for line in said + wrong), end="", flush=True)
            count += steps
            mistakes += len(wrong)
            left_out += sum("not run:" in line for line in said)
    print(f"{count} commands run in {time.monotonic() - start:.0f} s, {left_out} blocks not run, "
          f"{mistakes} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
