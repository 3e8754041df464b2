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
let worker = null, pending = null, last_id = 0, queue = Promise.resolve(), loaded = false;

function cannot_load(error) {
  byId("state").textContent = "The program cannot be loaded; a server must give this page its files. " + error;
}

function start_worker() {
  worker = new Worker("worker.js");
  worker.onerror = event => loaded ? answer_with({failed: event.message}) : cannot_load(event.message || "");
  worker.onmessage = ({data}) => {
    if (data.id === 0 && data.failed) cannot_load(data.failed);
    loaded = loaded || !data.failed;
    if (pending && data.id === pending.id) answer_with(data);
  };
}

function answer_with(data) {
  const {resolve} = pending || {};
  pending = null;
  if (data.failed) {
    worker.terminate();
    start_worker();
    data = {code: -1, out: "", err: "fftprec: the program ended: " + data.failed, files: {}};
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
  return Object.fromEntries(AXES.map(([axis, , value]) => [axis, parameters.get(axis) ?? value]));
}

let other = null;  // the setting to compare with
const settings = where => other ? [where, other] : [where];
const differing = where => AXES.map(([axis]) => axis).filter(axis => other && other[axis] !== where[axis]);

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
    byId(axis + "-meaning").textContent = NUMBERS.has(axis) ? columns[axis] || "" : explained[axis].meaning;
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

// The columns of rows of this setting and the one that it is compared with, side by side.
function show_rows(rows, where) {
  const cell = (tag, textContent, className = "", scope = "", title = "") =>
    Object.assign(document.createElement(tag), {textContent, className, title}, scope ? {scope} : {});
  const titles = settings(where).map((each, i) => [["this setting", "compared with"][i],
    ...differing(where).map(axis => `${axis}=${each[axis]}`)].join(" "));
  const head = document.createElement("tr");
  head.append(...["column", ...titles].map(title => cell("th", title, "", "col")), cell("th", "meaning", "meaning", "col"));
  const lines = [head];
  for (const name of SHOWN) {
    if (!rows.some(row => row?.[name])) continue;
    const line = document.createElement("tr");
    const values = rows.map(row => cell("td", short(row?.[name] || "-"), "value", "", row?.[name] || ""));
    line.append(cell("th", name, "", "row"), ...values, cell("td", columns[name] || "", "meaning"));
    lines.push(line);
  }
  byId("row").replaceChildren(...lines);
}

// What a command answers, with the figure that it draws into a file.
async function drawn(name, words, write = {}) {
  const answer = await run(words, {write, read: [name]});
  return {...answer, svg: answer.code === 0 && answer.files[name]};
}

// Figures of the program, or why there are none: in a shadow, so that their styles and shapes stay their own.
function show_figures(id, answers) {
  byId(id).replaceChildren(...answers.map(answer => {
    if (!answer.svg)
      return Object.assign(document.createElement("p"), {className: "soft", textContent: message(answer)});
    const host = document.createElement("div");
    host.attachShadow({mode: "open"}).innerHTML =
      "<style>svg{max-width:100%;min-width:36rem;height:auto}</style>" + answer.svg.replace(/^<\?xml[^>]*>\s*/, "");
    return host;
  }));
}

function python_call(where) {
  const given = AXES.filter(([axis]) => !NUMBERS.has(axis)).map(([axis]) => `${axis}="${where[axis].replace(/"/g, '\\"')}"`);
  return `fftprec.run(${given.join(", ")}, n=${length_of(where.n) || where.n}, seed=${where.seed})`;
}

const length_of = n => n.startsWith("2^") ? 2 ** n.slice(2) : Number(n);
const lengths = n => {
  const own = length_of(n) > 0 && length_of(n) <= 16384 ? [length_of(n)] : [];
  return [...new Set([16, 32, 64, 128, 256, 512, 1024, 2048, 4096, ...own])].join(",");
};

let generation = 0, slow = null;
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
  document.body.dataset.busy = "true";
  if (pending && Date.now() - pending.since > PATIENCE) answer_with({failed: "a newer setting"});
  clearTimeout(slow);
  slow = setTimeout(() => { if (loaded) byId("state").textContent = "Computing ..."; }, 1000);
  await queue;
  if (!stale()) await answer(where, stale);
  if (stale()) return;
  if (uploads.x && uploads.y && uploads.transform !== where.transform) await judge();
  document.body.dataset.busy = "false";
  document.body.dataset.answer = own;
}

async function answer(where, stale) {
  const problem = text => {
    clearTimeout(slow);
    document.body.classList.toggle("old", Boolean(text));  // what is still shown is of the setting before
    show_error("problem", text);
    byId("state").textContent = text ? "No answer for this setting." : byId("state").textContent;
  };
  if (length_of(where.n) > LARGEST) {
    show_error("n-error", `n = ${where.n}: the page computes up to n = ${LARGEST}; the installed program goes on`);
    return problem("Mend the field that is marked.");
  }
  const began = performance.now();
  const measured = await run(["run", ...options(where), "--csv", "-"]);
  if (stale()) return;
  const took = performance.now() - began;
  const [row, ...more] = measured.out ? read_csv(measured.out) : [];
  if (more.length) return problem(`These are ${more.length + 1} cases; the page shows one, or two by "Compare with this setting".`);
  if (!row || row.status !== "ok") {
    if (!await explain(where)) return stale() || problem("Mend the field that is marked.");
    const skipped = /first (?:skipped|failed): (.*)/.exec(measured.err);
    return stale() || problem(row ? (skipped ? skipped[1] : row.message) : message(measured));
  }
  problem("");
  const compared = other && read_csv((await run(["run", ...options(other), "--csv", "-"])).out || "\n")[0];
  if (stale()) return;
  const rows = other ? [row, compared] : [row];
  show_rows(rows, where);
  byId("state").textContent = `Computed here in ${(took / 1000).toFixed(2)} s: error ${short(row.err_l2_rel)}` +
    (row.expected_l2_rel ? `, expected ${short(row.expected_l2_rel)}` : "") + `, ${short(row.bits_l2)} bits.`;

  if (Object.keys(columns).length === 0) {  // after the first answer
    columns = names_in(await run(["list", "columns"]));
    show_rows(rows, where);
  }
  await explain(where);
  for (const [id, command] of [["stages", "show"], ["budget", "attribute"]]) {
    const answers = [];
    for (const each of settings(where)) {
      answers.push(await drawn(`/${id}.svg`, [command, ...options(each), "--plot", `/${id}.svg`]));
      if (stale()) return;
    }
    show_figures(id, answers);
    const text = answers.map(each => each.out).join("\n");
    byId(id + "-text").textContent = text.trim() ? text : (await run([command, ...options(where)])).out;
  }
  await grow(where, stale);
}

// Error against n, of both settings: a line for each value of the axes in which they differ.
async function grow(where, stale) {
  let rows = "";
  for (const each of settings(where)) {
    const run_of = await run(["run", ...options({...each, n: lengths(each.n)}), "--csv", "-"]);
    if (stale()) return;
    rows += rows ? run_of.out.replace(/^.*\n/, "") : run_of.out;
  }
  const [series = "mode", panel = "none"] = differing(where).filter(axis => !NUMBERS.has(axis));
  const answer = await drawn(`/plots/err_l2_rel_vs_n_by_${series}.svg`, ["plot", "/growth.csv", "-o", "/plots",
    "--series", series, "--panel", panel, "--format", "svg"], {"/growth.csv": rows});
  if (!stale()) show_figures("growth", [answer]);
}

// ---- files ----

const uploads = {};
async function take(kind, file) {
  uploads[kind] = {name: file.name, bytes: new Uint8Array(await file.arrayBuffer())};
  byId("measured").hidden = true;
  if (uploads.x && uploads.y) return judge();
  show_error("files-problem", `${file.name} is read; the ${uploads.x ? "output y" : "input x"} is missing.`);
}

// Measures y as the form's transform of x, and says what it suspects.
async function judge() {
  const {x, y} = uploads;
  uploads.transform = case_of_form().transform;
  const transform = ["--transform", uploads.transform];
  const measured = await run(["measure", "--input", "/x.npy", "--output", "/y.npy", ...transform],
    {write: {"/x.npy": x.bytes, "/y.npy": y.bytes}});
  const failed = measured.code === 2 || measured.code < 0;
  show_error("files-problem", failed ? message(measured) : "");
  byId("measured").hidden = failed;
  if (failed) return;
  const why = await run(["measure", "--why", "/x.npy", "/y.npy", ...transform]);
  byId("measured").textContent =
    `${x.name} to ${y.name}, computed in this page\n\n${measured.out}\n${why.out || why.err}`;
}

function take_files(files) {
  const named = [...files].filter(file => file.name.endsWith(".npy")).sort((a, b) => a.name < b.name ? -1 : 1);
  if (!named.length) show_error("files-problem", "Only .npy files can be read here.");
  const free = named.length > 1 || !uploads.x || uploads.y ? ["x", "y"] : ["y"];
  named.slice(0, 2).reduce((before, file, i) => before.then(() => take(free[i], file)), Promise.resolve());
}

// ---- the beginning ----

function listen() {
  let waiting = null;
  byId("form").addEventListener("input", event => {
    if (event.target.id === "start") return;
    byId("start").value = "";
    clearTimeout(waiting);
    waiting = setTimeout(update, 250);
  });
  byId("form").addEventListener("submit", event => event.preventDefault());
  byId("form").addEventListener("reset", event => {
    event.preventDefault();
    location.hash = "";  // which is followed below
  });
  byId("start").addEventListener("change", event => {
    if (event.target.value !== "") location.hash = new URLSearchParams(STARTS[event.target.value][1]);
  });
  byId("keep").addEventListener("click", () => { other = case_of_form(); update(); byId("drop").focus(); });
  byId("drop").addEventListener("click", () => { other = null; update(); byId("keep").focus(); });
  addEventListener("hashchange", () => {
    if (location.hash === address(case_of_form())) return;
    read_address();
    update();
  });
  for (const button of document.querySelectorAll("[data-copy]"))
    button.addEventListener("click", async () => {
      const source = byId(button.dataset.copy);
      const copied = await navigator.clipboard?.writeText(source.href || source.textContent).then(() => true, () => false);
      if (!copied) getSelection().selectAllChildren(source);
      byId("state").textContent = copied ? "Copied." : "The browser does not let the page copy: what to copy is selected.";
    });
  for (const kind of ["x", "y"])
    byId(kind + "-file").addEventListener("change", event => event.target.files[0] && take(kind, event.target.files[0]));
  for (const type of ["dragover", "dragleave", "drop"])
    addEventListener(type, event => {
      event.preventDefault();
      byId("files").classList.toggle("over", type === "dragover");
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

begin().catch(cannot_load);
