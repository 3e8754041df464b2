#!/usr/bin/env python3
"""browser_test.py PROGRAM: the page of a run in headless Chromium: marks copy their commands, legends
and filters act, and without scripts nothing is dead. Exits with 77 where there is no Chromium."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

# What a reader does, and what is seen then.
ACTS = r"""
const seen = {};
const copied = () => document.querySelector(".copied").textContent;
const click = element => element.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const view = document.querySelector("#curves .view.shown");
const marks = () => [...view.querySelectorAll(".wide .median use")];
const filter = text => {
  const input = document.getElementById("filter");
  input.value = text;
  input.oninput();
  return new Promise(done => setTimeout(done, 400));
};
const whole = view.querySelector(".wide svg").innerHTML;
seen.marks = marks().length;
seen.tip = marks()[0].textContent;
click(marks()[0]);
seen.mark = copied();
click(document.querySelector("#heat-map td.value"));
seen.cell = copied();
const bar = document.querySelector("#histogram .bars rect");
click(bar);
seen.bar = [bar.textContent, copied()];
const front = () => [...document.querySelectorAll("#cost [data-kind] .all path")]
  .find(each => each.getClientRects().length).getAttribute("d");
const allFront = front();
const entry = view.querySelector(".legend-line li");
click(entry);
seen.off = [entry.getAttribute("aria-pressed"), marks().filter(mark => mark.getClientRects().length).length];
click(entry);
(async () => {
  await filter("mode=bf16 n>=16");
  seen.filtered = [document.getElementById("matches").textContent, marks().length];
  const other = marks()[0].getAttribute("y");
  await filter("mode=bf16 n>=16 input=tone");
  seen.front = [allFront, front()];
  seen.moved = marks()[0].getAttribute("y") !== other;
  seen.note = view.querySelector(".chart").dataset.note;
  click(marks()[0]);
  seen.tone = copied();
  await filter("no_such=1");
  seen.problem = document.getElementById("filter-error").textContent;
  await filter("");
  seen.restored = view.querySelector(".wide svg").innerHTML === whole;
  document.body.setAttribute("data-seen", JSON.stringify(seen));
})();
"""


# Without the scripts of the page: which figures can be seen, and which controls.
LOOKS = r"""
const visible = selector => [...document.querySelectorAll(selector)].filter(each => each.getClientRects().length).length;
document.body.setAttribute("data-seen", JSON.stringify({views: visible(".view"), controls: visible(".controls")}));
"""


def seen_in(page, text, script):
    """What the script finds on the page."""
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", "<script>" + script + "</script></body>"))
    document = shown(page)
    found = re.search(r'data-seen="([^"]*)"', document)
    check("the script ran to its end", found, document[-2000:])
    return json.loads(html.unescape(found.group(1)))


def shown(page):
    """The document as Chromium has it after five seconds of its own time."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", "--window-size=1400,1000", "--virtual-time-budget=5000",
             "--dump-dom", f"file://{page}"],
            check=True, capture_output=True, text=True, timeout=240).stdout


def check(name, is_so, got):
    if not is_so:
        sys.exit(f"browser_test: {name}: {got!r}")


def main():
    if CHROMIUM is None:
        print("SKIPPED: there is no Chromium to open the page")
        sys.exit(77)
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run = [program, "run", "-a", "algorithm=radix2-dit", "-a", "mode=fast,bf16", "-a",
               "n=8,16,32", "-a", "input=gaussian,tone", "-a", "seed=1..3", "-o", "run"]
        subprocess.run(run, cwd=folder, check=True, capture_output=True)
        subprocess.run([program, "report", "run"], cwd=folder, check=True, capture_output=True)
        page = os.path.join(folder, "run", "report.html")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        seen = seen_in(page, text, ACTS)
        bare = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        scriptless = seen_in(page, bare, LOOKS)
    command = ("copied: fftprec run -a transform=fft -a algorithm=radix2-dit -a mode={} -a "
               "machine=trn -a tables=exact -a n={} -a batch=1 -a input={} -a seed=1,2,3 --csv -")
    check("marks", seen["marks"] == 6, seen)
    check("a mark tells its case", seen["tip"].startswith("algorithm radix2-dit, mode "), seen)
    check("a mark copies its command", seen["mark"] == command.format("fast", 8, "gaussian"), seen)
    check("so does a cell", seen["cell"] == command.format("fast", 8, "gaussian"), seen)
    check("a bar copies the command of its rows", "\n3 rows, " in seen["bar"][0] and
          seen["bar"][1] == command.format("bf16", "8,16", "tone").replace("1,2,3", "1,3,2"), seen)
    check("fronts follow a filter",
          seen["front"][0] != seen["front"][1] and seen["front"][1].startswith("M"), seen)
    check("a legend hides a series", seen["off"] == ["false", 3], seen)
    check("figures follow a filter", seen["filtered"] == ["12 of 36 rows", 2], seen)
    check("marks move", seen["moved"] and "input tone" in seen["note"], seen)
    check("and copy what they show", seen["tone"] == command.format("bf16", 16, "tone"), seen)
    check("an unknown column is told", "unknown column 'no_such'" in seen["problem"], seen)
    check("without a filter all is as before", seen["restored"], seen)
    check("without scripts all figures and no controls", scriptless == {"views": 3, "controls": 0},
          scriptless)
    print("browser_test: all passed")


if __name__ == "__main__":
    main()
