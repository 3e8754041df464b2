/* The figures and the table of a page, and the filter that both follow. */

const data = JSON.parse(document.getElementById("data").textContent);
const columns = decode(data);
const columnNamed = name => columns.find(column => column.name === name);
const hidden = (element, yes) => element.classList.toggle("off", yes);

/* Of a choice that a control makes, the chosen one. */
for (const select of document.querySelectorAll("select[data-choice]")) {
  select.onchange = () => {
    for (const each of document.querySelectorAll(select.dataset.choice))
      each.classList.toggle("shown", each.id === select.value);
    redraw();
  };
}

/* Legends: a click hides or shows what an entry stands for; with Shift, all other series. */
function setUpLegends() {
  for (const list of document.querySelectorAll(".legend-line")) {
    const entries = [...list.children];
    const update = () => {
      const off = entries.filter(entry => entry.getAttribute("aria-pressed") === "false").map(entry => entry.dataset);
      for (const curve of list.closest(".chart").querySelectorAll(".curve"))
        hidden(curve, off.some(({part, series}) => part ? curve.classList.contains(part) :
          curve.dataset.series === series && curve.classList.contains("c" + series % 8)));
    };
    list.update = update;
    for (const entry of entries) {
      entry.tabIndex = 0;
      entry.setAttribute("role", "button");
      entry.title = "hide or show; with Shift: this one alone";
      const press = on => entry.setAttribute("aria-pressed", on);
      press(true);
      entry.onclick = event => {
        if (event.shiftKey && entry.dataset.series) {
          const alone = entries.every(each => each.dataset.part || (each.getAttribute("aria-pressed") === "true") === (each === entry));
          for (const each of entries) if (each.dataset.series) each.setAttribute("aria-pressed", alone || each === entry);
        } else {
          press(entry.getAttribute("aria-pressed") === "false");
        }
        update();
      };
      entry.onkeydown = event => {
        if (event.key === "Enter" || event.key === " ") (event.preventDefault(), entry.onclick(event));
      };
    }
  }
}

/* ---- figures that follow the filter ---- */

/* The rows of the page that the filter keeps, and whether it keeps all. */
let kept = [];
let filtered = false;

/* The rows of a figure: what it is of, then what it holds, as rows_of_figure says. */
const memory = new Map();
function rowsOf({filter = "", where = "", held = ""}) {
  const key = [filter, where, held].join("\0");
  if (!memory.has(key)) memory.set(key, figureRows(kept, columns, {filter, where, held}));
  return memory.get(key);
}

const finite = value => value !== null && Number.isFinite(value);
const at = (name, row) => number(columnNamed(name)?.at(row) ?? null);

/* Pixels of a value, as the frame has it. */
function scaleOf(svg) {
  const [left, top, width, height] = svg.dataset.frame.split(" ").map(Number);
  const share = text => {
    const [log, low, high, zero] = text.split(" ").map(Number);
    return value => log ? Math.log((value > 0 ? value : zero) / low) / Math.log(high / low) : (value - low) / (high - low);
  };
  const px = value => +value.toFixed(2);
  const across = share(svg.dataset.across);
  const down = share(svg.dataset.down);
  const within = value => Math.min(1.005, Math.max(-0.005, value));
  return {x: value => px(left + within(across(value)) * width), y: value => px(top + height - within(down(value)) * height),
          top, inside: value => down(value) > -0.001 && down(value) < 1.001};
}

/* "mode=fp32" -> rows by their text there, of those of a figure. */
function grouped(rows, axis) {
  const column = columnNamed(axis);
  const groups = new Map();
  for (const row of rows) {
    const key = String(column.at(row));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
}
const split = where => [where.slice(0, where.indexOf("=")), where.slice(where.indexOf("=") + 1)];

/* Rows of a series as points by x: median, range, bound, expected value. */
function pointsOf(rows, {x, y}) {
  const byX = new Map();
  for (const row of rows) {
    const [a, b] = [at(x, row), at(y, row)];
    if (!finite(a) || b === null || a <= 0) continue;
    if (b === Infinity && ["bits_l2", "snr_db"].includes(y)) continue;  // exact
    if (!byX.has(a)) byX.set(a, []);
    byX.get(a).push(row);
  }
  return [...byX].sort((p, q) => p[0] - q[0]).map(([where, members]) => {
    const values = members.map(row => at(y, row));
    const of = name => y === "err_l2_rel" ? members.map(row => at(name, row)).filter(finite) : [];
    const [bounds, expected] = [of("bound_l2_rel"), of("expected_l2_rel")];
    const some = values.filter(finite);
    const positive = some.filter(value => value !== 0);
    return {x: where, rows: members, median: median(values), low: Math.min(...positive), high: Math.max(...some),
            bound: bounds.length ? Math.max(...bounds) : null, expected: expected.length ? median(expected) : null};
  });
}

function titleOf(tip) {
  const title = document.createElementNS(document.querySelector("svg").namespaceURI, "title");
  title.textContent = tip;
  return title;
}

/* A mark like those of its group, at a point of it. */
function markLike(model, x, y, where, tip) {
  const mark = model.cloneNode(false);
  mark.setAttribute("x", x);
  mark.setAttribute("y", y);
  mark.setAttribute("data-where", where);
  mark.appendChild(titleOf(tip));
  return mark;
}

function drawLines(svg, rows) {
  const scale = scaleOf(svg);
  const points = new Map();
  const failing = new Set([...svg.querySelectorAll(".curve.failed")].map(group => group.dataset.where));
  for (const group of svg.querySelectorAll(".curve")) {
    const [axis, name] = split(group.dataset.where);
    if (!points.has(name)) points.set(name, pointsOf(grouped(rows, axis).get(name) ?? [], svg.dataset));
    const all = points.get(name);
    const line = spots => spots.map(([x, y], i) =>
      !Number.isFinite(y) ? "" : (i && Number.isFinite(spots[i - 1][1]) ? "L" : "M") + scale.x(x) + "," + scale.y(y)).join("");
    const path = group.querySelector("path");
    const part = group.classList[1];
    const spots = {
      median: () => line(all.map(p => [p.x, p.median])),
      bound: () => line(all.filter(p => p.bound !== null).map(p => [p.x, p.bound])),
      expected: () => line(all.filter(p => p.expected !== null).map(p => [p.x, p.expected])),
      range: () => {
        const some = all.filter(p => Number.isFinite(p.low) && Number.isFinite(p.high));
        return some.length < 2 || !some.some(p => p.low < p.high) ? "" :
          line(some.map(p => [p.x, p.high])) + line(some.reverse().map(p => [p.x, p.low])).replace("M", "L") + "Z";
      },
    }[part]?.() ?? "";
    path?.setAttribute("d", spots || "M0,0");
    const model = group.querySelector("use");
    if (!model) continue;
    for (const mark of group.querySelectorAll("use")) mark.remove();
    group.model = group.model ?? model;
    const tip = p => `${axis} ${name}, ${svg.dataset.x} ${p.x}\n${svg.dataset.y} ${p.median === 0 ? "exact" : short(p.median)}` +
      (p.rows.length > 1 ? ` (median of ${p.rows.length} rows)` : "");
    if (part === "failed" || (part === "median" && !failing.has(group.dataset.where)))
      for (const p of all) if (!Number.isFinite(p.median)) {
        const mark = markLike(group.model, scale.x(p.x), scale.top, `${svg.dataset.x}=${p.x}`, tip(p));
        mark.setAttribute("href", document.querySelector(".shapes").dataset.cross);
        mark.classList.add("bad");
        group.append(mark);
      }
    if (part === "median")
      for (const p of all) if (scale.inside(p.median))
        group.append(markLike(group.model, scale.x(p.x), scale.y(p.median), `${svg.dataset.x}=${p.x}`, tip(p)));
  }
}

/* Steps through the points that are more accurate than all cheaper ones. */
function stepsOf(points, scale) {
  let least = Infinity;
  return points.filter(p => p.x > 0).sort((p, q) => p.x - q.x || p.y - q.y)
    .filter(p => p.y < least && ((least = p.y), true))
    .map((p, i) => (i ? `H${scale.x(p.x)}V` : `M${scale.x(p.x)},`) + scale.y(p.y)).join("");
}

function drawCosts(svg, rows) {
  const scale = scaleOf(svg);
  const points = new Map();  // by mode
  for (const group of svg.querySelectorAll(".curve.median")) {
    const [axis, name] = split(group.dataset.where);
    const byAlgorithm = grouped(grouped(rows, axis).get(name) ?? [], "algorithm");
    points.set(group.dataset.where, []);
    for (const mark of group.querySelectorAll("use")) {
      const both = (byAlgorithm.get(split(mark.dataset.where)[1]) ?? [])
        .map(row => [at(svg.dataset.x, row), at(svg.dataset.y, row)]).filter(([x, y]) => finite(x) && y !== null);
      const [x, y] = [0, 1].map(i => median(both.map(each => each[i])));
      mark.style.display = finite(y) ? "" : "none";
      if (!finite(y)) continue;
      points.get(group.dataset.where).push({x, y});
      mark.setAttribute("x", scale.x(x));
      mark.setAttribute("y", scale.y(y));
    }
  }
  for (const group of svg.querySelectorAll(".curve.front, .curve.all")) {
    const some = group.dataset.where ? points.get(group.dataset.where) : [...points.values()].flat();
    group.querySelector("path").setAttribute("d", stepsOf(some, scale) || "M0,0");
  }
  svg.querySelector(".curve.number")?.remove();  // they number the front of all rows
}

/* The bins of a histogram: how many, their width, and ratio -> its bin, or null. */
function binsOf(svg) {
  const [, low, high] = svg.dataset.across.split(" ").map(Number);
  const step = 0.25;
  const count = Math.round((high - low) / step);
  const bin = ratio => ratio > 0 && ratio < Infinity ?
    Math.min(count - 1, Math.max(0, Math.ceil((Math.log10(ratio) - low) / step) - 1)) : null;
  return {low, step, count, bin};
}

function drawHistogram(svg, rows) {
  const scale = scaleOf(svg);
  const {low, step, count: bins, bin} = binsOf(svg);
  const counts = new Array(bins).fill(0);
  let all = 0;
  for (const row of rows) {
    const ratio = at(svg.dataset.x, row);
    if (ratio === null) continue;
    ++all;
    if (bin(ratio) !== null) ++counts[bin(ratio)];
  }
  const group = svg.querySelector(".bars");
  if (!group) return;
  group.model = group.model ?? group.querySelector("rect");
  group.replaceChildren(...counts.flatMap((count, i) => {
    if (!count) return [];
    const bar = group.model.cloneNode(false);
    const [x, top] = [scale.x(low + i * step), scale.y(100 * count / all)];
    for (const [name, value] of [["x", x], ["y", top], ["width", scale.x(low + (i + 1) * step) - x], ["height", scale.y(0) - top]])
      bar.setAttribute(name, value);
    bar.appendChild(titleOf(`${count} of ${all} rows`));
    return [bar];
  }));
}

function drawHeat(svg, rows) {
  const [log, low, high, ...colours] = svg.dataset.colours.split(" ").map((each, i) => i < 3 ? Number(each) : each);
  const parts = colour => [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
  let byLine = null;
  for (const cell of svg.querySelectorAll("rect[data-where]")) {
    const text = cell.nextElementSibling;
    if (text?.tagName !== "text") continue;  // hatched: skipped
    const [[axis, name], [x, value]] = cell.dataset.where.split("\n").map(split);
    byLine = byLine ?? new Map([...grouped(rows, axis)].map(([key, members]) => [key, grouped(members, x)]));
    const values = (byLine.get(name)?.get(value) ?? []).map(row => at(svg.dataset.y, row)).filter(each => each !== null);
    cell.style.visibility = text.style.visibility = values.length ? "" : "hidden";
    const middle = values.length ? median(values) : NaN;
    if (values.length && !Number.isFinite(middle)) {
      cell.style.fill = "#d55e00";
      text.style.fill = "#fff";
      text.textContent = String(middle).replace("NaN", "nan").replace("Infinity", "inf");
    }
    if (!Number.isFinite(middle) || (log && middle <= 0)) continue;
    const shade = Math.min(1, Math.max(0, log ? Math.log(high / middle) / Math.log(high / low) : (middle - low) / (high - low)));
    const below = Math.min(colours.length - 2, Math.floor(shade * (colours.length - 1)));
    const share = shade * (colours.length - 1) - below;
    const [from, to] = [colours[below], colours[below + 1]].map(parts);
    cell.style.fill = `rgb(${from.map((c, i) => Math.round(c + share * (to[i] - c)))})`;
    text.style.fill = shade < 0.43 ? "#fff" : "#111";
    text.textContent = log ? short(middle, 2) : middle.toFixed(1);
    cell.querySelector("title").textContent = cell.dataset.where.replaceAll("=", " ").replace("\n", ", ") +
      `\n${svg.dataset.y} ${short(middle)}, ${values.length} rows`;
  }
}

/* "input tone": axes of which rows have other values than a caption says. */
function heldOtherwise(rows, held) {
  if (rows.length === 0) return "no row";
  return axesOf(held).flatMap(([axis, values]) => {
    const column = columnNamed(axis);
    const now = column ? new Set(rows.map(row => String(column.at(row)))) : values;
    return [...now].every(value => values.has(value)) ? [] : [axis + " " + [...now].join(", ")];
  }).join("; ");
}

/* Figures are as they were drawn until there is a filter, and again when it is gone. */
const drawn = new WeakMap();
function redraw() {
  for (const figure of document.querySelectorAll("[data-kind]")) {
    if (figure.getClientRects().length === 0) continue;  // it will be when it is shown
    if (!drawn.has(figure)) {
      if (!filtered) continue;
      drawn.set(figure, {html: figure.innerHTML, rows: null});
    }
    const state = drawn.get(figure);
    if (state.rows === kept) continue;
    state.rows = kept;
    figure.innerHTML = state.html;
    const place = figure.closest(".chart, section");
    const known = [figure.dataset.x, figure.dataset.y].every(name => !name || columnNamed(name));
    place.classList.toggle("stale", filtered && !known);
    delete place.dataset.note;
    if (!filtered || !known) continue;
    const rows = rowsOf(figure.dataset);
    ({lines: drawLines, cost: drawCosts, histogram: drawHistogram, heat: drawHeat})[figure.dataset.kind](figure, rows);
    place.dataset.note = "By the filter: " + (heldOtherwise(rows, figure.dataset.held ?? "") || "as below") + ". ";
  }
  for (const list of document.querySelectorAll(".legend-line")) list.update?.();
}

/* ---- commands ---- */

const wholeCommand = document.querySelector("#manifest .command")?.textContent ?? "";

/* What repeats rows: as -a options, each fit for a shell; of results of other programs what measured them, or
   a comment that names them. */
function commandOf(rows) {
  if (/^\S+ measure /.test(wholeCommand)) return wholeCommand;
  const {program, foreign} = document.getElementById("rows").dataset;
  const isForeign = axesOf(foreign).some(([axis, names]) => rows.some(row => names.has(String(columnNamed(axis)?.at(row)))));
  const quoted = text => /^[\w=:.,+\/-]*$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  const values = name => [...new Set(rows.map(row => String(columnNamed(name)?.at(row) ?? "")))].join(",");
  const axes = columns.filter(({axis, name, usual}) => axis && values(name) !== usual);
  const words = axes.map(({name}) => "-a " + quoted(name + "=" + values(name))).join(" ");
  return isForeign ? "# by another program: " + words : program + " run " + words + " --csv -";
}

/* The rows of a mark: of its figure, of its series, its own; of a bar those that it counts. */
function rowsOfMark(mark) {
  const figure = mark.closest("[data-kind]");
  if (!figure) return [];
  if (mark.closest(".bars")) {
    const [{x}, {low, step, bin}] = [scaleOf(figure), binsOf(figure)];
    const wanted = Math.round((mark.getAttribute("x") - x(low)) / (x(low + step) - x(low)));
    return rowsOf(figure.dataset).filter(row => bin(at(figure.dataset.x, row)) === wanted);
  }
  const series = mark.closest("g[data-where]");
  const where = [mark.dataset.where, series && series !== mark ? series.dataset.where : ""].filter(Boolean).join("\n");
  return figureRows(rowsOf(figure.dataset), columns, {where});
}

const note = document.body.appendChild(Object.assign(document.createElement("p"), {className: "copied", hidden: true}));
note.setAttribute("role", "status");
function copy(text) {
  navigator.clipboard?.writeText(text).catch(() => {});
  note.replaceChildren("copied: ", Object.assign(document.createElement("code"), {className: "command", textContent: text}));
  note.hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => note.hidden = true, 8000);
}

document.querySelector("main").addEventListener("click", event => {
  const mark = event.target.closest("use[data-where], rect, code.command");
  if (!mark || mark.closest(".legend-line")) return;
  if (mark.matches("code")) return copy(mark.textContent);
  const command = mark.closest("[data-command]")?.dataset.command;
  const rows = command || !(mark.dataset.where || mark.closest(".bars")) ? [] : rowsOfMark(mark);
  if (command || rows.length) copy(command ?? commandOf(rows));
});

/* ---- the table, and the filter ---- */

function setUpTable() {
  const same = columns.filter(column => data.rows > 1 && column.dictionary && column.dictionary.length === 1 && column.name !== "status");
  document.getElementById("same").textContent = same.length === 0 ? "" :
    "The same in all rows: " + same.map(column => column.name + " " + cellText(column.dictionary[0])).join(", ") + ".";
  const last = column => column.name === "status" || column.name === "message";
  const differing = columns.filter(column => !same.includes(column));
  const shown = [...differing.filter(column => !last(column)), ...differing.filter(last)];
  const lineHeight = 24;
  const box = document.getElementById("rows");
  const head = box.appendChild(document.createElement("div"));
  const body = box.appendChild(document.createElement("div"));
  head.className = "head";
  body.className = "body";
  let rows = [];
  let sorted = null;
  let descending = false;
  let chosen = -1;

  const width = column => {
    let most = column.name.length + 3;
    for (let i = 0; i < 200; ++i) most = Math.max(most, cellText(column.at(Math.floor(i * data.rows / 200))).length);
    return Math.min(most, 34) * 8.2 + 18;
  };
  const widths = shown.map(width);
  const total = widths.reduce((a, b) => a + b, 0);
  const titles = shown.map((column, i) => {
    const title = head.appendChild(document.createElement("button"));
    title.type = "button";
    title.title = column.meaning;
    title.className = column.number ? "number" : "";
    title.style.width = widths[i] + "px";
    title.onclick = () => {
      descending = sorted === column && !descending;
      sorted = column;
      sort();
    };
    return title;
  });

  function cell(text, i) {
    const element = document.createElement("span");
    element.className = shown[i].number ? "cell number" : "cell";
    element.style.width = widths[i] + "px";
    element.textContent = text;
    element.title = text;
    return element;
  }

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / lineHeight) - 8);
    const count = Math.ceil(box.clientHeight / lineHeight) + 16;
    body.replaceChildren(...rows.slice(first, first + count).map((row, i) => {
      const line = document.createElement("div");
      line.className = "line" + (row === chosen ? " chosen" : "") + (isFailure(row, columns) ? " failed" : "");
      line.style.top = (first + i) * lineHeight + "px";
      line.append(...shown.map((column, at) => cell(cellText(column.at(row)), at)));
      line.onclick = () => choose(row);
      return line;
    }));
  }

  function choose(row) {
    chosen = row;
    const command = Object.assign(document.createElement("code"), {className: "command", textContent: commandOf([row])});
    const list = document.createElement("dl");
    for (const column of columns) {
      const entry = list.appendChild(document.createElement("div"));
      entry.title = column.meaning;
      entry.appendChild(document.createElement("dt")).textContent = column.name;
      entry.appendChild(document.createElement("dd")).textContent = cellText(column.at(row));
    }
    document.getElementById("row").replaceChildren(command, list);
    draw();
  }

  function sort() {
    rows = sortRows(kept, data.rows, sorted, descending);
    titles.forEach((title, i) => {
      title.textContent = shown[i].name + (shown[i] === sorted ? (descending ? " \u25bc" : " \u25b2") : "");
    });
    body.style.height = rows.length * lineHeight + "px";
    body.style.width = head.style.width = total + "px";
    draw();
  }
  box.onscroll = draw;
  window.addEventListener("resize", draw);
  return () => {
    box.scrollTop = 0;
    sort();
  };
}

function setUpFilter(showRows) {
  const filter = document.getElementById("filter");
  const axes = columns.filter(column => column.axis && new Set(column.dictionary ?? column.values).size > 1);
  const without = axis => filter.value.split(/\s+/).filter(word => word && !word.startsWith(axis + "="));
  const selects = axes.map(column => {
    const select = document.createElement("select");
    select.setAttribute("aria-label", select.title = column.meaning);
    const values = [...new Set(column.dictionary ?? column.values)];
    if (column.number) values.sort((a, b) => a - b);
    select.append(new Option(column.name, ""), ...values.slice(0, 500).map(value => new Option(value, value)));
    select.onchange = () => {
      filter.value = [...without(column.name), ...(select.value ? [column.name + "=" + select.value] : [])].join(" ");
      apply();
    };
    return select;
  });
  document.getElementById("axes").append(...selects);

  function apply() {
    const problem = document.getElementById("filter-error");
    let matches;
    try {
      matches = parseFilter(filter.value, columns);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      return;
    }
    problem.hidden = true;
    filtered = filter.value.trim() !== "";
    memory.clear();
    kept = selectRows(data.rows, matches);
    axes.forEach((column, i) => {
      const word = filter.value.split(/\s+/).find(each => each.startsWith(column.name + "="));
      selects[i].value = word ? word.slice(column.name.length + 1) : "";
      if (selects[i].selectedIndex < 0) selects[i].value = "";
      selects[i].classList.toggle("set", Boolean(word));
    });
    document.getElementById("matches").textContent = filtered ? `${kept.length} of ${data.rows} rows` : "";
    showRows();
    redraw();
  }
  let waiting;
  filter.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 150);
  };
  apply();
}

setUpLegends();
setUpFilter(setUpTable());
document.addEventListener("toggle", redraw, true);  // of details, which show figures
window.addEventListener("resize", redraw);
