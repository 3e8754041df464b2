// The page. Every answer is what a command of the program prints, computed by worker.js in this browser.
"use strict";

const byId = id => document.getElementById(id);

// The axes of a case: the program's name, the title of the field, and the default.
const AXES = [
  ["transform", "Transform", "fft"], ["algorithm", "Algorithm", "radix2-dit"], ["mode", "Mode", "bf16"],
  ["machine", "Machine", "trn"], ["tables", "Tables", "exact"], ["rounding_points", "Rounding points", "op"],
  ["scale", "Scale", "none"], ["n", "n", "1024"], ["input", "Input", "gaussian"], ["seed", "Seed", "1"]];
const NUMBERS = new Set(["n", "seed"]);
const LARGEST = 65536;
const SHOWN = ["err_l2_rel", "expected_l2_rel", "bound_l2_rel", "bound_prob_l2_rel", "bits_l2", "snr_db", "err_linf_rel",
  "err_max_ulp", "gain", "overflows", "truth_bits", "output_hash"];
const STARTS = [
  ["What bf16 costs at n = 1024", {}],
  ["The same in fp16: three more bits", {mode: "fp16"}],
  ["The same in fp32", {mode: "fp32"}],
  ["bf16 stored after every stage", {rounding_points: "stage"}],
  ["bf16 stored after every third stage", {rounding_points: "pass:3"}],
  ["A product with the DFT matrix in bf16", {algorithm: "dft-gemm"}],
  ["Three bf16 words give fp32 accuracy", {algorithm: "dft-gemm", mode: "bf16x3:6"}],
  ["The same, on an accumulator that truncates", {algorithm: "dft-gemm", mode: "bf16x3:6", machine: "trn-rz"}],
  ["The receiver: stockham-mixed, every third stage", {algorithm: "stockham-mixed", rounding_points: "pass:3"}],
  ["Angles formed in fp32 spoil the tables", {algorithm: "dft-gemm", mode: "fp32", tables: "fp32-angle"}]];

// The worker, and one request at a time. A request that takes longer than PATIENCE is dropped with its worker
// when there is a new one.
const PATIENCE = 3000;
let worker = null, pending = null, last_id = 0, queue = Promise.resolve();

function start_worker() {
  worker = new Worker("worker.js");
  worker.onerror = event => answer_with({failed: event.message || "the module cannot be loaded"});
  worker.onmessage = ({data}) => {
    if (data.id === 0 && data.failed) byId("state").textContent = "The program cannot be loaded: " + data.failed;
    if (pending && data.id === pending.id) answer_with(data);
  };
}

function answer_with(data) {
  const {resolve} = pending || {};
  pending = null;
  if (data.failed) {
    worker.terminate();
    start_worker();
    data = {code: -1, out: "", err: "fftprec: the page ran out of memory: " + data.failed, files: {}};
  }
  if (resolve) resolve(data);
}

function run(words, {write = {}, read = []} = {}) {
  const send = () => new Promise(resolve => {
    pending = {id: ++last_id, resolve, since: Date.now()};
    worker.postMessage({id: last_id, words, write, read});
  });
  return queue = queue.then(send);
}

// What the program says of an error, without its name.
const message = answer => answer.err.trim().split("\n").pop().replace(/^fftprec( \w+)?: /, "");

// ---- the case, in the form and in the address ----

const options = where => AXES.flatMap(([axis]) => ["-a", `${axis}=${where[axis]}`]);
const quoted = word => /^[\w.,:=\/+-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
const defaults = () => Object.fromEntries(AXES.map(([axis, , value]) => [axis, value]));

function case_of_form() {
  return Object.fromEntries(AXES.map(([axis, , value]) => [axis, byId(axis).value.trim() || value]));
}

// The values that are not the defaults, as "mode=fp16&n=64".
function text_of_case(where) {
  const parameters = new URLSearchParams();
  for (const [axis, , value] of AXES) if (where[axis] !== value) parameters.set(axis, where[axis]);
  return parameters.toString();
}

function case_of_text(text) {
  const parameters = new URLSearchParams(text);
  const where = defaults();
  for (const [axis] of AXES) if (parameters.has(axis)) where[axis] = parameters.get(axis);
  return where;
}

let other = null;  // the setting to compare with

function read_address() {
  const [own, compared] = location.hash.slice(1).split("&with=");
  const where = case_of_text(own);
  for (const [axis] of AXES) byId(axis).value = where[axis];
  other = compared === undefined ? null : case_of_text(decodeURIComponent(compared));
}

function address(where) {
  const compared = other ? "&with=" + encodeURIComponent(text_of_case(other)) : "";
  return "#" + text_of_case(where) + compared;
}

// ---- the form ----

function build_form() {
  for (const [axis, title] of AXES) {
    const field = document.createElement("div");
    field.className = "field";
    field.innerHTML = `<label for="${axis}">${title}</label>
      <input id="${axis}" name="${axis}" spellcheck="false" aria-describedby="${axis}-meaning ${axis}-error"
        ${NUMBERS.has(axis) ? 'inputmode="numeric"' : `list="${axis}-names"`}>
      <datalist id="${axis}-names"></datalist>
      <p class="meaning" id="${axis}-meaning"></p><p class="error" id="${axis}-error" role="alert" hidden></p>`;
    byId("fields").append(field);
  }
  STARTS.forEach(([title, where], i) => byId("start").add(new Option(`${i + 1}. ${title}`, i)));
}

// What `list` prints: names and their meanings.
const names_in = answer => Object.fromEntries(answer.out.trim().split("\n").map(line =>
  (/^(\S+) +(.*)$/.exec(line) || [, line, ""]).slice(1)));

async function fill_names() {
  for (const [axis] of AXES) {
    if (NUMBERS.has(axis)) continue;
    const names = names_in(await run(["list", axis.endsWith("s") ? axis : axis + "s"]));
    for (const [name, meaning] of Object.entries(names))
      byId(axis + "-names").append(Object.assign(new Option(), {value: name, label: meaning.slice(0, 80)}));
  }
}

function show_error(id, text) {
  const place = byId(id);
  place.hidden = !text;
  if (place.textContent !== text) place.textContent = text;
  const field = byId(id.replace(/-error$/, ""));
  if (field && field.matches("input")) field.setAttribute("aria-invalid", text ? "true" : "false");
}

// Each field's meaning, or the error of its name. Whether all names are known.
const explained = {};
async function explain(where) {
  let known = true;
  for (const [axis] of AXES) {
    const value = where[axis];
    if (explained[axis]?.value !== value) {
      const answer = await run(NUMBERS.has(axis)
        ? ["list", "cases", "-a", `${axis}=${value}`] : ["show", `${axis}:${value}`]);
      explained[axis] = {value, error: answer.code ? message(answer) : "", meaning: answer.out.split("\n")[1] || ""};
    }
    show_error(axis + "-error", explained[axis].error);
    byId(axis + "-meaning").textContent = NUMBERS.has(axis) ? "" : explained[axis].meaning;
    known = known && !explained[axis].error;
  }
  return known;
}

// ---- answers ----

function read_csv(text) {
  const rows = text.trim().split("\n").map(line =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replace(/""/g, '"') ?? plain));
  return rows.slice(1).map(row => Object.fromEntries(row.map((cell, i) => [rows[0][i], cell])));
}

let columns = {};  // the meaning of each
const short = text => /^-?\d*\.\d{5,}/.test(text) ? String(Number(Number(text).toPrecision(5))) : text;

function show_row(row, compared) {
  const cell = (tag, textContent, className = "", scope = "", title = "") =>
    Object.assign(document.createElement(tag), {textContent, className, title}, scope ? {scope} : {});
  const head = document.createElement("tr");
  head.append(cell("th", "", "", "col"), cell("th", "this setting", "", "col"));
  if (compared) head.append(cell("th", "compared with", "", "col"));
  head.append(cell("td", "meaning", "meaning"));
  const lines = [head];
  for (const name of SHOWN) {
    if (!row[name] && !compared?.[name]) continue;
    const line = document.createElement("tr");
    const values = (compared ? [row, compared] : [row]).map(each =>
      cell("td", short(each[name] || "-"), "value", "", each[name]));
    line.append(cell("th", name, "", "row"), ...values, cell("td", columns[name] || "", "meaning"));
    lines.push(line);
  }
  byId("row").replaceChildren(...lines);
}

// A figure of the program: in a shadow, so that its styles and shapes stay its own.
function show_figure(id, svg, reason) {
  const place = byId(id);
  if (!svg) {
    place.replaceChildren(Object.assign(document.createElement("p"), {className: "soft", textContent: reason}));
    return;
  }
  const host = document.createElement("div");
  host.attachShadow({mode: "open"}).innerHTML =
    "<style>svg{max-width:100%;min-width:36rem;height:auto}</style>" + svg.replace(/^<\?xml[^>]*>\s*/, "");
  place.replaceChildren(host);
}

function python_call(where) {
  const given = AXES.filter(([axis]) => !NUMBERS.has(axis)).map(([axis]) => `${axis}="${where[axis].replace(/"/g, '\\"')}"`);
  return `fftprec.run(${given.join(", ")}, n=${where.n}, seed=${where.seed})`;
}

const lengths = n => {
  const powers = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
  return [...new Set([...powers, ...(Number(n) <= 16384 ? [n] : [])].map(Number))].filter(length => length > 0).join(",");
};

let generation = 0;
async function update() {
  const own = ++generation;
  const stale = () => own !== generation;
  const where = case_of_form();
  const text = address(where);
  if (location.hash !== text) history.replaceState(null, "", text === "#" ? location.pathname : text);
  byId("link").href = text;
  byId("command").textContent = ["fftprec run", ...options(where).map(quoted), "--csv -"].join(" ");
  byId("python").textContent = python_call(where);
  byId("keep").hidden = Boolean(other);
  byId("drop").hidden = !other;
  document.body.setAttribute("aria-busy", "true");
  if (pending && Date.now() - pending.since > PATIENCE) {
    worker.terminate();
    start_worker();
    answer_with({code: -1, out: "", err: "", files: {}});
  }
  await queue;
  if (!stale()) await answer(where, stale);
  if (stale()) return;
  document.body.setAttribute("aria-busy", "false");
  document.body.dataset.answer = own;
}

async function answer(where, stale) {
  const problem = text => {
    show_error("problem", text);
    byId("state").textContent = text ? "No answer for this setting." : byId("state").textContent;
  };
  if (Number(where.n) > LARGEST) {
    show_error("n-error", `n = ${where.n}: the page computes up to n = ${LARGEST}; the installed program goes on`);
    return problem("Mend the field that is marked.");
  }
  const began = performance.now();
  const measured = await run(["run", ...options(where), "--csv", "-"]);
  if (stale()) return;
  const took = performance.now() - began;
  const [row] = measured.out ? read_csv(measured.out) : [];
  if (!row || row.status !== "ok") {
    if (!await explain(where)) return stale() || problem("Mend the field that is marked.");
    const skipped = /first (?:skipped|failed): (.*)/.exec(measured.err);
    return stale() || problem(row ? (skipped ? skipped[1] : row.message) : message(measured));
  }
  problem("");
  const compared = other && read_csv((await run(["run", ...options(other), "--csv", "-"])).out || "\n")[0];
  if (stale()) return;
  show_row(row, compared);
  byId("state").textContent = `Computed here in ${(took / 1000).toFixed(2)} s: error ${short(row.err_l2_rel)}` +
    (row.expected_l2_rel ? `, expected ${short(row.expected_l2_rel)}` : "") + `, ${short(row.bits_l2)} bits.`;

  if (Object.keys(columns).length === 0) {  // after the first answer
    columns = names_in(await run(["list", "columns"]));
    show_row(row, compared);
  }
  await explain(where);
  const shown = await run(["show", ...options(where), "--plot", "/stages.svg"], {read: ["/stages.svg"]});
  if (stale()) return;
  show_figure("stages", shown.code === 0 && shown.files["/stages.svg"], message(shown));
  const full = shown.code ? await run(["show", ...options(where)]) : shown;
  if (stale()) return;
  byId("full").textContent = full.out;
  const budget = await run(["attribute", ...options(where), "--plot", "/budget.svg"], {read: ["/budget.svg"]});
  if (stale()) return;
  show_figure("budget", budget.code === 0 && budget.files["/budget.svg"], message(budget));
  byId("budget-text").textContent = budget.out;
  await grow(where, stale);
}

// Error against n, of both settings: a line for each value of the axes in which they differ.
async function grow(where, stale) {
  let rows = "";
  for (const each of other ? [where, other] : [where]) {
    const run_of = await run(["run", ...options({...each, n: lengths(each.n)}), "--csv", "-"]);
    if (stale()) return;
    rows += rows ? run_of.out.replace(/^.*\n/, "") : run_of.out;
  }
  const differ = AXES.map(([axis]) => axis).filter(axis => other && other[axis] !== where[axis] && axis !== "n" && axis !== "seed");
  const name = `/plots/err_l2_rel_vs_n_by_${differ[0] || "mode"}.svg`;
  const drawn = await run(["plot", "/growth.csv", "-o", "/plots", "--series", differ[0] || "mode", "--panel",
    differ[1] || "none", "--format", "svg"], {write: {"/growth.csv": rows}, read: [name]});
  if (!stale()) show_figure("growth", drawn.code === 0 && drawn.files[name], message(drawn));
}

// ---- files ----

const uploads = {};
async function take(kind, file) {
  uploads[kind] = new Uint8Array(await file.arrayBuffer());
  uploads[kind + "-name"] = file.name;
  const {x, y} = uploads;
  byId("measured").hidden = !(x && y);
  show_error("files-problem", x && y ? "" : `${file.name} is read; the ${x ? "output y" : "input x"} is missing.`);
  if (!(x && y)) return;
  const write = {"/x.npy": x, "/y.npy": y};
  const measured = await run(["measure", "--input", "/x.npy", "--output", "/y.npy", "--transform", byId("transform").value], {write});
  if (measured.code === 2 || measured.code < 0) {
    byId("measured").hidden = true;
    return show_error("files-problem", message(measured));
  }
  const why = await run(["measure", "--why", "/x.npy", "/y.npy", "--transform", byId("transform").value]);
  byId("measured").textContent = `${uploads["x-name"]} to ${uploads["y-name"]}, computed in this page\n\n` +
    measured.out + "\n" + (why.out || why.err);
}

function take_files(files) {
  const named = [...files].filter(file => file.name.endsWith(".npy"));
  named.sort((a, b) => a.name < b.name ? -1 : 1);
  if (!named.length) show_error("files-problem", "Only .npy files can be read here.");
  const free = named.length > 1 || !uploads.x || uploads.y ? ["x", "y"] : ["y"];
  named.slice(0, 2).reduce((before, file, i) => before.then(() => take(free[i], file)), Promise.resolve());
}

// ---- the beginning ----

function listen() {
  let waiting = null;
  byId("form").addEventListener("input", event => {
    if (event.target.id === "start") return;
    clearTimeout(waiting);
    waiting = setTimeout(update, 250);
  });
  byId("form").addEventListener("submit", event => event.preventDefault());
  byId("form").addEventListener("reset", event => {
    event.preventDefault();
    location.hash = "";
    read_address();
    update();
  });
  byId("start").addEventListener("change", event => {
    if (event.target.value === "") return;
    location.hash = text_of_case({...defaults(), ...STARTS[Number(event.target.value)][1]});
    read_address();
    update();
  });
  byId("keep").addEventListener("click", () => { other = case_of_form(); update(); });
  byId("drop").addEventListener("click", () => { other = null; update(); });
  addEventListener("hashchange", () => {
    if (location.hash === address(case_of_form())) return;
    read_address();
    update();
  });
  for (const button of document.querySelectorAll("[data-copy]"))
    button.addEventListener("click", async () => {
      const source = byId(button.dataset.copy);
      await navigator.clipboard.writeText(source.href || source.textContent);
      byId("state").textContent = "Copied.";
    });
  for (const kind of ["x", "y"])
    byId(kind + "-file").addEventListener("change", event => event.target.files[0] && take(kind, event.target.files[0]));
  const drop = byId("files");
  for (const type of ["dragover", "dragleave", "drop"])
    drop.addEventListener(type, event => {
      event.preventDefault();
      drop.classList.toggle("over", type === "dragover");
      if (type === "drop") take_files(event.dataTransfer.files);
    });
}

async function begin() {
  build_form();
  start_worker();
  listen();
  read_address();
  await update();
  await fill_names();
}

begin();
