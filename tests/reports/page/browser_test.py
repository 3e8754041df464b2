#!/usr/bin/env python3
"""browser_test.py PROGRAM MANY_ROWS: the page of a run in headless Chromium: marks copy their commands,
legends and filters act, without scripts nothing is dead, on a narrow screen nothing is too wide, and a
page of 200,000 rows answers soon. Exits with 77 where there is no Chromium."""

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
const figure = view.querySelector(".wide svg");
const whole = figure.innerHTML;
const shownTip = () => document.querySelector(".tip").hidden ? "" : document.querySelector(".tip").textContent;
const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const card = id => document.querySelector(`[data-card=${id}] .value`).textContent;
const labels = () => [...figure.querySelectorAll(".over text")].map(each => each.textContent);
seen.marks = marks().length;
seen.tip = marks()[0].textContent;
seen.alike = view.querySelector(".alike")?.textContent ?? "";
seen.allLabels = labels();
seen.cards = [card("rows"), card("bits")];
click(marks()[0]);
seen.mark = copied();
click(document.querySelector("#heat-map rect[data-where]"));
seen.cell = copied();
const bar = document.querySelector("#histogram .bars rect");
click(bar);
const barTip = bar.textContent;
bar.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
seen.bar = [barTip, copied()];
seen.barShown = [shownTip(), bar.textContent];
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
  seen.note = getComputedStyle(view.querySelector(".chart > .caption"), "::before").content;
  click(marks()[0]);
  seen.tone = copied();
  seen.toneLabels = labels();
  seen.toneCards = [card("rows"), card("bits")];
  await filter("no_such=1");
  seen.problem = document.getElementById("filter-error").textContent;
  await filter("mode=bf61");
  seen.unknown = document.getElementById("filter-error").textContent;
  await filter("");
  seen.restored = figure.innerHTML === whole;

  // By keyboard: to a mark, to the next, its command; a part of the range and the whole.
  press(figure, "ArrowRight");
  const first = document.activeElement;
  press(first, "ArrowRight");
  const second = document.activeElement;
  press(second, "Enter");
  seen.keyed = [first.getAttribute("aria-label"), second.getAttribute("aria-label"), shownTip(), copied()];
  press(figure, "+");
  seen.zoomed = [labels(), location.hash, marks().length];
  const zoomed = location.hash;
  press(figure, "Escape");
  seen.unzoomed = [figure.innerHTML === whole, location.hash];

  // Errors over the unit roundoff; the view in the address, read again.
  const unit = document.getElementById("unit");
  unit.value = "u";
  unit.onchange();
  await filter("input=gaussian");
  seen.units = [labels(), marks().map(mark => mark.textContent), location.hash];
  const address = location.hash;
  location.hash = "";
  await new Promise(done => setTimeout(done, 300));
  seen.emptied = [figure.innerHTML === whole, document.getElementById("filter").value];
  location.hash = address;
  await new Promise(done => setTimeout(done, 300));
  seen.reopened = [document.getElementById("filter").value, unit.value, labels().join() === seen.units[0].join()];

  // Files: the figure with its legend and colours, the filtered rows.
  const picture = new DOMParser().parseFromString(standalone(figure).text, "image/svg+xml");
  seen.picture = [picture.querySelector("parsererror") === null, picture.documentElement.textContent.includes("bf16"),
    picture.querySelector("#m1") !== null, /var\(/.test(standalone(figure).text)];
  seen.csv = csvText(kept, columns).split("\n").length;
  document.body.setAttribute("data-seen", JSON.stringify(seen));
})();
"""


# Without the scripts of the page: which figures can be seen, and which controls.
LOOKS = r"""
const visible = selector => [...document.querySelectorAll(selector)].filter(each => each.getClientRects().length).length;
document.body.setAttribute("data-seen", JSON.stringify({views: visible(".view"), controls: visible(".controls")}));
"""


# How much wider than the screen the page is.
WIDTH = r"""
document.body.setAttribute("data-seen", JSON.stringify(document.documentElement.scrollWidth - innerWidth));
"""

# Seconds from opening until the page is laid out and takes a filter, and those of the filter.
SPEED = r"""
document.body.getBoundingClientRect();
const opened = performance.now();
const axis = document.querySelector('#axes select');
axis.selectedIndex = 1;
axis.onchange();
document.body.getBoundingClientRect();
document.body.setAttribute("data-seen", JSON.stringify({
  opened: opened / 1000, filtered: (performance.now() - opened) / 1000,
  matches: document.getElementById("matches").textContent}));
"""


def seen_in(page, text, script, width=1400, virtual=True):
    """What the script finds on the page."""
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", "<script>" + script + "</script></body>"))
    document = shown(page, width, virtual)
    found = re.search(r'data-seen="([^"]*)"', document)
    check("the script ran to its end", found, document[-2000:])
    return json.loads(html.unescape(found.group(1)))


def shown(page, width, virtual):
    """The document as Chromium has it, after five seconds of its own time if that is virtual."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", f"--window-size={width},1000",
             *(["--virtual-time-budget=5000"] if virtual else []), "--dump-dom", f"file://{page}"],
            check=True, capture_output=True, text=True, timeout=240).stdout


def check(name, is_so, got):
    if not is_so:
        sys.exit(f"browser_test: {name}: {got!r}")


def open_many(program, many_rows, folder):
    """The size of the page of 200,000 rows, and the times of the fastest of three openings. ctest runs nothing
    beside this test."""
    with open(os.path.join(folder, "many.csv"), "w", encoding="utf-8") as file:
        subprocess.run([many_rows, "200000"], check=True, stdout=file)
    page = os.path.join(folder, "many.html")
    subprocess.run([program, "report", "many.csv", "-o", page], cwd=folder, check=True, capture_output=True)
    size = os.path.getsize(page)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    speed = None
    for _ in range(3):
        seen = seen_in(page, text, SPEED, virtual=False)
        if speed is None or seen["opened"] < speed["opened"]:
            speed = seen
        if speed["opened"] < 2:
            break
    return size, speed


def main():
    if CHROMIUM is None:
        print("SKIPPED: there is no Chromium to open the page")
        sys.exit(77)
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run = [program, "run", "-a", "algorithm=radix2-dit", "-a", "mode=fp32,bf16", "-a",
               "n=8,16,32", "-a", "input=gaussian,tone", "-a", "seed=1..3", "-o", "run"]
        subprocess.run(run, cwd=folder, check=True, capture_output=True)
        subprocess.run([program, "report", "run"], cwd=folder, check=True, capture_output=True)
        page = os.path.join(folder, "run", "report.html")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        seen = seen_in(page, text, ACTS)
        bare = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        scriptless = seen_in(page, bare, LOOKS)
        wider = [seen_in(page, text, WIDTH, width) for width in (1400, 800, 500)]
        size, speed = open_many(program, os.path.abspath(sys.argv[2]), folder)
    command = ("copied: fftprec run -a transform=fft -a algorithm=radix2-dit -a mode={} -a "
               "machine=trn -a tables=exact -a n={} -a batch=1 -a input={} -a seed=1,2,3 --csv -")
    check("marks", seen["marks"] == 6, seen)
    check("a mark tells its case", seen["tip"].startswith("algorithm radix2-dit, mode "), seen)
    check("a mark copies its command", seen["mark"] == command.format("fp32", 8, "gaussian"), seen)
    check("so does a cell", seen["cell"] == command.format("fp32", 8, "gaussian"), seen)
    check("a bar copies the command of its rows", "\n3 rows, " in seen["bar"][0] and
          seen["bar"][1] == command.format("bf16", "8,16", "tone").replace("1,2,3", "1,3,2"), seen)
    check("fronts follow a filter",
          seen["front"][0] != seen["front"][1] and seen["front"][1].startswith("M"), seen)
    check("a legend hides a series", seen["off"] == ["false", 3], seen)
    check("figures follow a filter", seen["filtered"] == ["12 of 36 rows", 2], seen)
    check("marks move", seen["moved"] and "input tone" in seen["note"], seen)
    check("and copy what they show", seen["tone"] == command.format("bf16", 16, "tone"), seen)
    check("an unknown column is told", "unknown column 'no_such'" in seen["problem"], seen)
    check("an unknown name is told as the command line tells it",
          seen["unknown"] == "unknown mode 'bf61'; did you mean 'bf16'?; known: bf16, fp32", seen)
    check("a tip shows at once, and only once", seen["barShown"] == [seen["bar"][0], ""], seen)
    check("axes follow a filter", seen["allLabels"] != seen["toneLabels"], seen)
    check("so do the cards", seen["cards"] != seen["toneCards"] and seen["toneCards"][0] == "6 of 6", seen)
    check("keys go from mark to mark", seen["keyed"][0] != seen["keyed"][1] == seen["keyed"][2] and
          seen["keyed"][3].startswith("copied: fftprec run -a "), seen)
    check("keys show a part of the range", seen["zoomed"][0] != seen["allLabels"] and "zoom" in seen["zoomed"][1] and
          seen["zoomed"][2] < 6, seen)
    check("and the whole", seen["unzoomed"] == [True, ""], seen)
    check("errors over the unit roundoff", all("/ unit roundoff" in tip for tip in seen["units"][1]) and
          seen["units"][0][-4:] == ["10-1", "100", "101", "102"], seen)
    check("the view is in the address", "filter=input%3Dgaussian" in seen["units"][2] and "value=u" in seen["units"][2], seen)
    check("an empty address is the page as it was", seen["emptied"] == [True, ""], seen)
    check("a view opens again", seen["reopened"] == ["input=gaussian", "u", True], seen)
    check("a figure is saved with its legend, shapes and colours", seen["picture"] == [True, True, True, False], seen)
    check("filtered rows are saved", seen["csv"] == 18 + 2, seen)
    check("without a filter all is as before", seen["restored"], seen)
    check("without scripts all figures and no controls", scriptless == {"views": 3, "controls": 0},
          scriptless)
    check("the page is no wider than its screen", max(wider) <= 0, wider)
    check("200,000 rows stay below 15 MB", size < 15e6, size)
    check("and are filtered", speed["matches"].endswith(" of 200000 rows"), speed)
    check("within 3 s of opening", speed["opened"] < 3, speed)
    print(f"browser_test: all passed; 200,000 rows: {size / 1e6:.1f} MB, open after {speed['opened']:.2f} s, "
          f"filtered in {speed['filtered']:.2f} s")


if __name__ == "__main__":
    main()
