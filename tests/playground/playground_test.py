#!/usr/bin/env python3
"""playground_test.py SITE PROGRAM [FOLDER]: the playground in headless Chromium: opens, answers, follows a change,
repeats a case from its address, judges files, says what is wrong with a name, and goes on without a server. Its
answers are those of the program. With FOLDER pictures of the page go there, wide and narrow, light and dark. Exits
with 77 where there is no Chromium or no site."""

import csv
import http.server
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SECONDS = 240  # until a page must have answered; a browser on a busy machine starts slowly

# What a reader does, and what is seen then. The server puts it behind the page's own script.
ACTS = r"""
const seen = {started: Math.round(performance.now())};
const text = id => document.getElementById(id).textContent;
const until = async (what, is_so) => {
  for (let i = 0; i < 6000; ++i) {
    if (is_so()) return;
    await new Promise(done => setTimeout(done, 20));
  }
  throw new Error("never: " + what + "; state: " + text("state") + "; problem: " + text("problem"));
};
const answers = () => Number(document.body.dataset.answer || 0);
const answered = async act => {
  const before = answers();
  act();
  await until("an answer", () => answers() > before);
};
const type = (id, value) => answered(() => {
  const field = document.getElementById(id);
  field.focus();
  field.value = value;
  field.dispatchEvent(new Event("input", {bubbles: true}));
});
const value = name => [...document.querySelectorAll("#row tr")].filter(line => line.cells[0].textContent === name)
  .map(line => [...line.querySelectorAll("td.value")].map(cell => cell.title))[0];
const svg = id => document.querySelector("#" + id + " div")?.shadowRoot.querySelector("svg");
const requests = () => performance.getEntriesByType("resource").map(each => each.name);
const send = (path, what) => fetch(path, {method: "POST", body: JSON.stringify(what)});
const transfer = named => {
  const files = new DataTransfer();
  for (const [name, bytes] of Object.entries(named)) files.items.add(new File([Uint8Array.from(bytes)], name));
  return files;
};
const give = (id, named) => {
  document.getElementById(id).files = transfer(named).files;
  document.getElementById(id).dispatchEvent(new Event("change"));
};
const copies = [];
Object.defineProperty(navigator, "clipboard", {value: {writeText: async text => { copies.push(text); }}});
(async () => {
  try {
    await until("first answer", () => value("err_l2_rel"));
    seen.first = Math.round(performance.now());
    seen.row = value("err_l2_rel").concat(value("output_hash"));
    await until("all figures", answers);
    seen.figures = ["stages", "budget", "growth"].map(id => svg(id)?.getAttribute("aria-label") ?? text(id));
    seen.meaning = text("mode-meaning");

    // The server answers no more: what follows is the page alone.
    await until("names", () => document.querySelectorAll("#input-names option").length > 5);
    seen.names = document.querySelectorAll("#mode-names option").length;
    await send("/offline", {});
    await type("n", "4096");
    seen.large = value("output_hash");
    seen.took = Number(/in ([\d.]+) s/.exec(text("state"))[1]);
    seen.address = location.hash;
    seen.command = text("command");
    seen.python = text("python");
    for (const button of document.querySelectorAll("[data-copy]")) button.click();
    await until("copies", () => text("state") === "Copied.");
    seen.copies = copies;

    seen.focus = (document.getElementById("keep").click(), document.activeElement.id);
    await type("mode", "fp16");
    seen.both = value("output_hash");
    seen.titles = [...document.querySelectorAll("#row th[scope=col]")].map(each => each.textContent);
    seen.pairs = ["stages", "budget"].map(id => document.getElementById(id).children.length);
    seen.series = [...svg("growth").querySelectorAll("text")].map(each => each.textContent);
    await answered(() => document.getElementById("drop").click());
    seen.one = value("output_hash").length;

    await type("mode", "bf61");
    seen.error = [text("mode-error"), document.getElementById("mode").getAttribute("aria-invalid")];
    await type("mode", "bf16");
    seen.mended = [document.getElementById("mode-error").hidden, document.getElementById("problem").hidden];
    await type("n", "100");
    seen.skipped = text("problem");

    await type("n", "64,128");
    seen.several = text("problem");
    await answered(() => { location.hash = "#mode=fp16&n=2^6&seed=3"; });
    seen.permalink = value("output_hash");

    give("x-file", {"x.npy": X_NPY});
    await until("x", () => text("files-problem").includes("output y"));
    give("y-file", {"y.npy": Y_NPY});
    await until("judged", () => text("measured").includes("err_l2_rel"));
    seen.measured = text("measured");
    await type("transform", "ifft");
    seen.inverse = text("measured");
    give("y-file", {"bad.npy": [1, 2, 3]});
    await until("bad file", () => !document.getElementById("files-problem").hidden);
    seen.bad = text("files-problem");
    const dropped = transfer({"b.npy": Y_NPY, "a.npy": X_NPY});
    document.querySelector("h1").dispatchEvent(new DragEvent("drop", {dataTransfer: dropped, bubbles: true, cancelable: true}));
    await until("dropped", () => text("measured").includes("a.npy to b.npy"));

    seen.elsewhere = requests().filter(name => !name.startsWith(location.origin));
    seen.unnamed = [...document.querySelectorAll("input, select, button")].filter(each =>
      !each.labels?.length && !each.textContent.trim() && !each.getAttribute("aria-label")).length;
  } catch (error) {
    seen.failed = String(error);
  }
  await send("/seen", seen);
})();
"""

# How much wider than the screen the page is. The load event, and so a picture, waits for an image that comes when
# all figures are there.
LOOKS = r"""
document.body.style.width = "WIDTHpx";  // a window is no narrower than 500
const wait = setInterval(() => {
  if (document.body.dataset.busy !== "false") return;
  clearInterval(wait);
  fetch("/seen", {method: "POST", body: JSON.stringify({wider: document.body.scrollWidth - document.body.clientWidth})});
}, 50);
document.body.append(Object.assign(new Image(), {src: "/hold.png", width: 1, height: 1, alt: ""}));
"""


def check(name, is_so, got):
    if not is_so:
        sys.exit(f"playground_test: {name}: {got!r}")


class Server(http.server.ThreadingHTTPServer):
    """The site, with a script behind that of the page. What the script sends is in `seen`."""

    def __init__(self, site, script):
        self.site, self.script, self.seen, self.offline, self.asked = site, script, None, False, []
        self.done = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm"}

    def do_GET(self):
        server = self.server
        name = self.path.split("?")[0].lstrip("/")
        server.asked.append(name)
        if name == "hold.png":
            server.done.wait(SECONDS)
        path = os.path.join(server.site, name)
        if server.offline or not os.path.isfile(path):
            return self.send_error(404)
        with open(path, "rb") as file:
            data = file.read()
        if name == "playground.js":
            data += server.script.encode()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/offline":
            self.server.offline = True
        else:
            self.server.seen = json.loads(body)
            self.server.done.set()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def browse(site, script, *options, width=1400, height=1000):
    """What the script sends from the page, and the server."""
    server = Server(site, script)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={width},{height}", *(options or ["--remote-debugging-port=0"]), f"http://127.0.0.1:{server.server_port}/index.html"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            check("the page answers", server.done.wait(SECONDS), server.asked)
            if options:  # of a picture: it ends by itself
                browser.wait(60)
        finally:
            browser.kill()
            browser.wait()
            server.shutdown()
    return server.seen, server


def npy(values):
    """The bytes of a complex64 array."""
    header = f"{{'descr': '<c8', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    parts = [part for value in values for part in (value.real, value.imag)]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(parts)}f", *parts)


def row_of(program, **axes):
    command = [program, "run", *(word for axis, value in axes.items() for word in ("-a", f"{axis}={value}")), "--csv", "-"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(csv.DictReader(io.StringIO(answer)))


def look(site, folder):
    for width, height in ((1400, 2400), (390, 4200)):
        for scheme in (("light", "dark") if folder else ("",)):
            picture = [f"--screenshot={folder}/playground_{width}_{scheme}.png"] if folder else []
            dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
            seen, _ = browse(site, LOOKS.replace("WIDTH", str(width)), *picture, *dark, width=max(width, 500), height=height)
            check(f"{width} pixels are wide enough", seen["wider"] <= 0, seen)


def main():
    site, program = (os.path.abspath(name) for name in sys.argv[1:3])
    if CHROMIUM is None or not os.path.exists(os.path.join(site, "module.wasm")):
        print("SKIPPED: there is no Chromium, or scripts/playground has not built the page")
        sys.exit(77)
    look(site, os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None)
    x = [complex(i % 7 - 3, i % 5 - 2) for i in range(64)]
    acts = ACTS.replace("X_NPY", str(list(npy(x)))).replace("Y_NPY", str(list(npy([sum(x)] + [0j] * 63))))
    began = time.monotonic()
    seen, server = browse(site, acts)
    check("the acts run to their end", "failed" not in seen, seen)
    row = row_of(program, mode="bf16", n=1024)
    check("the first answer is the program's", seen["row"] == [row["err_l2_rel"], row["output_hash"]], seen)
    for name, modes, others in (("large", ["bf16"], {"n": 4096}), ("both", ["fp16", "bf16"], {"n": 4096}),
                                ("permalink", ["fp16"], {"n": 64, "seed": 3})):
        check(name, seen[name] == [row_of(program, mode=mode, **others)["output_hash"] for mode in modes], seen)
    check("three figures", all(label and len(label) < 200 for label in seen["figures"]), seen["figures"])
    titles = ["column", "this setting mode=fp16", "compared with mode=bf16", "meaning"]
    for name, wanted in (("address", "#n=4096"), ("titles", titles), ("focus", "drop"), ("pairs", [2, 2]), ("one", 1), ("mended", [True, True]),
                         ("elsewhere", []), ("unnamed", 0)):
        check(name, seen[name] == wanted, seen[name])
    check("names are explained", seen["meaning"].startswith("bf16 data and tables"), seen["meaning"])
    check("names are offered", seen["names"] > 20, seen["names"])
    check("the command repeats it", " -a mode=bf16 " in seen["command"] and " -a n=4096 " in seen["command"], seen["command"])
    check("so does Python", seen["python"].startswith("fftprec.run(transform=\"fft\""), seen["python"])
    check("both and the link are copied", seen["copies"][:2] == [seen["command"], seen["python"]]
          and seen["copies"][2].endswith("/index.html#n=4096"), seen["copies"])
    check("two lines", {"bf16", "fp16"} <= set(seen["series"]), seen["series"])
    check("an unknown name is told as the program tells it", seen["error"] ==
          ["unknown mode 'bf61'; did you mean 'bf16'?; all: fftprec list modes", "true"], seen["error"])
    check("a case without a meaning says so", "radix2-dit needs n = 2^k, got 100" in seen["skipped"] and
          seen["several"].startswith("These are 2 cases"), seen)
    check("files are judged", "x.npy to y.npy, computed in this page" in seen["measured"], seen["measured"])
    check("and again as another transform", seen["inverse"] not in ("", seen["measured"]), seen["inverse"])
    check("a bad file is told", seen["bad"] != "", seen["bad"])
    check("without a server", server.offline and server.asked[-1] != "offline", server.asked)
    print(f"playground_test: all passed in {time.monotonic() - began:.0f} s; first answer {seen['first'] / 1000:.2f} s after "
          f"opening, n = 4096 in {seen['took']:.2f} s")


if __name__ == "__main__":
    main()
