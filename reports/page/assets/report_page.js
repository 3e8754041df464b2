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
    writeAddress();
  };
}

/* Legends: a click hides or shows what an entry stands for; with Shift, all other series. */
function setUpLegends() {
  for (const list of document.querySelectorAll(".legend-line")) {
    const entries = [...list.children];
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", "legend");
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

/* The rows of the page that the filter keeps, and whether it keeps all; how often that changed. */
let kept = [];
let filtered = false;
let version = 0;

/* Whether errors are shown over the unit roundoff of their mode, and that of each mode. */
let inUnits = false;
const units = new Map((document.getElementById("rows").dataset.units || "").split("\n").filter(Boolean)
  .map(line => line.split("\t")).map(([mode, value]) => [mode, Number(value)]));

/* Figures that show a part of their range: {x: [low, high], y: [low, high]}. */
const zooms = new Map();

/* The rows of a figure: what it is of, then what it holds, as rows_of_figure says. */
const memory = new Map();
function rowsOf({filter = "", where = "", held = ""}) {
  const key = [filter, where, held].join("\0");
  if (!memory.has(key)) memory.set(key, figureRows(kept, columns, {filter, where, held}));
  return memory.get(key);
}

const takesUnits = svg => inUnits && units.size > 0 && /^err_.*_rel$/.test(svg.dataset.y ?? "") && ["lines", "cost"].includes(svg.dataset.kind);

/* A column of a row as a figure shows it: errors over the unit roundoff, if so chosen. */
function shownAt(svg, name, row) {
  const value = at(name, row);
  if (!takesUnits(svg) || value === null) return value;
  return value / (units.get(String(columnNamed("mode")?.at(row))) ?? NaN);
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
  const beyond = 20;  // what the frame cuts off keeps its slope
  const within = value => Math.min(1 + beyond, Math.max(-beyond, value));
  const inside = share => share > -0.001 && share < 1.001;
  return {x: value => px(left + within(across(value)) * width), y: value => px(top + height - within(down(value)) * height),
          left, top, width, height, share: [across, down],
          inside: value => inside(down(value)), insideBoth: (x, y) => inside(across(x)) && inside(down(y))};
}

/* The value at a share of an axis. */
function valueAt(text, share) {
  const [log, low, high] = text.split(" ").map(Number);
  return log ? low * (high / low) ** share : low + share * (high - low);
}

/* ---- axes that follow what is shown ---- */

const textOf = ({log, low, high, zero}) => [Number(log), low, high, zero].join(" ");
const axisOf = text => {
  const [log, low, high, zero] = text.split(" ").map(Number);
  return {log: Boolean(log), low, high, zero};
};

/* The rules of all figures that say a unit roundoff: whichever range a figure has, those within are drawn. */
const rulesOf = svg => (svg.querySelector(".under")?.dataset.rules ?? "").split("\n").filter(Boolean).map(line => {
  const [axis, value, strong, text, below] = line.split("\t");
  return {axis, value: Number(value), strong: strong === "1", text, below};
});

function elementOf(name, attributes, text = "") {
  const element = document.createElementNS(document.querySelector("svg").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/* A text with an exponent or an index. */
function labelAt(x, y, anchor, size, colour, text, {up = "", below = ""} = {}) {
  const label = elementOf("text", {x: x.toFixed(2), y: y.toFixed(2), "text-anchor": anchor, "font-size": size, class: colour}, text);
  for (const [more, down] of [[up, -0.38], [below, 0.25]])
    if (more) label.append(elementOf("tspan", {dy: (down * size).toFixed(2), "font-size": 0.75 * size}, more));
  return label;
}

/* Draws grid, rules, ticks and labels of the frame anew. */
function drawAxes(svg) {
  const [under, over] = [svg.querySelector(".under"), svg.querySelector(".over")];
  if (!under || !over) return;
  const {left, top, width, height, share: [across, down]} = scaleOf(svg);
  const base = top + height;
  const hasOctaves = svg.dataset.x === "n" && svg.dataset.kind === "lines";
  const ticks = [[svg.dataset.across, hasOctaves, width / 60], [svg.dataset.down, false, height / 32]]
    .map(([text, octaves, most]) => ticksOf(axisOf(text), octaves, Math.max(2, Math.floor(most))));
  const [xs, ys] = [ticks[0].map(tick => [left + across(tick.at) * width, tick]), ticks[1].map(tick => [base - down(tick.at) * height, tick])];
  const line = (d, colour, strong) => elementOf("path", {d, class: colour, stroke: "currentColor", fill: "none", ...(strong ? {"stroke-width": 1.5} : {})});
  const rules = rulesOf(svg);
  const known = takesUnits(svg) ? [] : rules;
  under.replaceChildren(line(ys.map(([y]) => `M${left},${y.toFixed(2)}h${width}`).join("") || "M0,0", "grid"));
  let free = Infinity;
  for (const {axis, value, strong, text, below} of [...known].sort((a, b) => a.value - b.value)) {
    const place = (axis === "x" ? across : down)(value);
    if (!(place > -0.001 && place < 1.001)) continue;
    if (axis === "x") {
      const x = left + place * width;
      under.append(line(`M${x.toFixed(2)},${base}V${top}`, strong ? "ink" : "line", strong));
      if (text) under.append(labelAt(x - 5, top + 15, "end", 13, "ink", text, {below}));
      continue;
    }
    const y = base - place * height;
    under.append(line(`M${left},${y.toFixed(2)}h${width}`, strong ? "ink" : "line"));
    if (text && y < free - 12) under.append(labelAt(left + width + 7, (free = y) + 4, "start", 12, "soft", text, {below}));
  }
  over.replaceChildren(
    line(`M${left},${top}V${base}H${left + width}` + xs.map(([x]) => `M${x.toFixed(2)},${base}v5`).join("") + ys.map(([y]) => `M${left},${y.toFixed(2)}h-5`).join(""), "soft"),
    ...xs.map(([x, tick]) => labelAt(x, base + 20, "middle", 13, "ink", tick.text, tick)),
    ...ys.map(([y, tick]) => labelAt(left - 8, y + 4.5, "end", 13, "ink", tick.text, tick)));
  const name = [...svg.querySelectorAll("svg > text[transform]")].find(each => each.getAttribute("transform").startsWith("rotate(-90"));
  if (name && takesUnits(svg)) name.textContent += " / unit roundoff of the mode";
}

/* The values that a figure has to show, across and down. */
function extentOf(svg, rows) {
  const [xs, ys] = [[], []];
  for (const row of rows) {
    const [x, y] = [at(svg.dataset.x, row), shownAt(svg, svg.dataset.y, row)];
    if (!finite(x) || !finite(y)) continue;
    xs.push(x);
    ys.push(y);
    if (svg.dataset.kind === "lines" && svg.dataset.y === "err_l2_rel")
      for (const name of ["bound_l2_rel", "expected_l2_rel"]) {
        const model = shownAt(svg, name, row);
        if (finite(model) && model > 0) ys.push(model);
      }
  }
  // A bound above 10, or above ten times the largest error, would flatten the figure.
  const errors = rows.map(row => shownAt(svg, svg.dataset.y, row)).filter(finite);
  const most = Math.max(takesUnits(svg) ? 0 : 10, 10 * errors.reduce((a, b) => Math.max(a, b), 0));
  return [xs, ys.filter(value => value <= most)];
}

/* Axes for these rows, common to figures that stand side by side; or the part that was chosen. */
function setAxes(svg, rows) {
  const zoom = zooms.get(svg);
  const {kind} = svg.dataset;
  if (kind !== "lines" && kind !== "cost") return;
  const beside = [...(svg.closest(".multiples")?.querySelectorAll(`[data-kind="${kind}"]`) ?? [svg])];
  const parts = beside.map(each => extentOf(each, each === svg ? rows : rowsOf(each.dataset)));
  const [xs, ys] = kind === "lines" ? [0, 1].map(i => parts.flatMap(part => part[i])) : parts[beside.indexOf(svg)];
  if (xs.length > 0 && (filtered || inUnits)) {
    const [x, y] = [axisOf(svg.dataset.across), axisOf(svg.dataset.down)];
    const fitted = x.log && svg.dataset.x === "n" && kind === "lines" ? octaveAxis(xs) : x.log ? decadeAxis(xs) : x;
    svg.dataset.across = textOf(filtered ? fitted : x);
    svg.dataset.down = textOf(y.log ? decadeAxis(ys) : evenAxis(ys));
  }
  if (zoom) {
    svg.dataset.across = textOf({...axisOf(svg.dataset.across), low: zoom.x[0], high: zoom.x[1]});
    svg.dataset.down = textOf({...axisOf(svg.dataset.down), low: zoom.y[0], high: zoom.y[1]});
  }
  drawAxes(svg);
  cutAtFrame(svg);
}

/* Nothing of a curve is drawn beyond the frame. */
let clips = 0;
function cutAtFrame(svg) {
  const {left, top, width, height} = scaleOf(svg);
  const id = "frame-" + ++clips;
  const clip = elementOf("clipPath", {id});
  clip.append(elementOf("rect", {x: left - 2, y: top - 6, width: width + 4, height: height + 12}));
  svg.prepend(clip);
  for (const curve of svg.querySelectorAll(".curve")) curve.setAttribute("clip-path", `url(#${id})`);
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
function pointsOf(rows, svg) {
  const {x, y} = svg.dataset;
  const byX = new Map();
  for (const row of rows) {
    const [a, b] = [at(x, row), shownAt(svg, y, row)];
    if (!finite(a) || b === null || a <= 0) continue;
    if (b === Infinity && ["bits_l2", "snr_db"].includes(y)) continue;  // exact
    if (!byX.has(a)) byX.set(a, []);
    byX.get(a).push(row);
  }
  return [...byX].sort((p, q) => p[0] - q[0]).map(([where, members]) => {
    const values = members.map(row => shownAt(svg, y, row));
    const of = name => y === "err_l2_rel" ? members.map(row => shownAt(svg, name, row)).filter(finite) : [];
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
    if (!points.has(name)) points.set(name, pointsOf(grouped(rows, axis).get(name) ?? [], svg));
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
    const tip = p => `${axis} ${name}, ${svg.dataset.x} ${p.x}\n${svg.dataset.y}${takesUnits(svg) ? " / unit roundoff" : ""} ${p.median === 0 ? "exact" : short(p.median)}` +
      (p.rows.length > 1 ? ` (median of ${p.rows.length} rows)` : "");
    if (part === "failed" || (part === "median" && !failing.has(group.dataset.where)))
      for (const p of all) if (!Number.isFinite(p.median)) {
        const mark = markLike(group.model, scale.x(p.x), scale.top, `${svg.dataset.x}=${p.x}`, tip(p));
        mark.setAttribute("href", document.querySelector(".shapes").dataset.cross);
        mark.classList.add("bad");
        group.append(mark);
      }
    if (part === "median")
      for (const p of all) if (scale.insideBoth(p.x, p.median))
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
        .map(row => [at(svg.dataset.x, row), shownAt(svg, svg.dataset.y, row)]).filter(([x, y]) => finite(x) && y !== null);
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
  const {low, step, count: bins, bin} = binsOf(svg);
  const counts = new Array(bins).fill(0);
  let all = 0;
  for (const row of rows) {
    const ratio = at(svg.dataset.x, row);
    if (ratio === null) continue;
    ++all;
    if (bin(ratio) !== null) ++counts[bin(ratio)];
  }
  if (all > 0) {  // the height of the highest bar, not of all rows
    svg.dataset.down = textOf({log: false, low: 0, high: Math.min(100, 110 * Math.max(...counts) / all), zero: 0});
    drawAxes(svg);
    const [{x}, ends] = [scaleOf(svg), svg.querySelector(".over")];
    for (const label of [...ends.querySelectorAll("text")].filter(each => each.getAttribute("text-anchor") === "middle")) label.remove();
    for (let power = Math.ceil(low); power <= low + bins * step; power += 2)
      ends.append(labelAt(x(power), scaleOf(svg).top + scaleOf(svg).height + 20, "middle", 13, "ink", "10", {up: String(power)}));
  }
  const scale = scaleOf(svg);
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

/* Whether a figure has a line of its caption for which of its lines lie on one another. */
const hasAlike = figure => figure.dataset.kind === "lines" && figure.closest(".chart") && !figure.closest(".multiples");

function tellAlike(figure, rows) {
  const chart = figure.closest(".chart");
  chart.querySelector(".alike")?.remove();
  const hash = columnNamed("output_hash");
  const names = [...new Set([...figure.querySelectorAll(".curve.median")].map(group => group.dataset.where))].map(split);
  const series = names.map(([axis, name]) => ({name, points: pointsOf(grouped(rows, axis).get(name) ?? [], figure)
    .map(point => ({x: point.x, median: point.median, hashes: point.rows.map(row => String(hash?.at(row) ?? ""))}))}));
  const groups = coinciding(series);
  if (groups.length === 0) return;
  const list = ({names: [first, ...others]}) => first + " and " + others.join(", ");
  chart.append(Object.assign(document.createElement("p"), {className: "caption alike", textContent:
    "Lines that coincide: " + groups.map(group => list(group) + (group.bits ? ": the same bits" : ": the same errors")).join("; ") + "."}));
}

/* Puts a note before the caption of a chart or section; null takes it away. */
function tell(place, note) {
  const caption = [...place.children].find(each => each.matches(".caption:not(.alike)"));
  for (const each of [place, caption])
    if (note === null) delete each?.dataset.note;
    else if (each) each.dataset.note = note;
}

/* Figures are as they were drawn until there is a filter, or another view, and again when it is gone. */
const drawn = new WeakMap();
function redraw() {
  for (const figure of document.querySelectorAll("[data-kind]")) {
    if (figure.getClientRects().length === 0) continue;  // it will be when it is shown
    const {kind, x, y} = figure.dataset;
    const zoom = zooms.get(figure);
    const asDrawn = !filtered && !takesUnits(figure) && !zoom;
    if (!drawn.has(figure))
      drawn.set(figure, {html: figure.innerHTML, across: figure.dataset.across, down: figure.dataset.down, key: null});
    const state = drawn.get(figure);
    const key = [version, inUnits, JSON.stringify(zoom)].join(" ");
    if (state.key === key) continue;
    const isNew = state.key === null;
    state.key = key;
    setUpFigure(figure);
    const known = [x, y].every(name => !name || columnNamed(name));
    const place = figure.closest(".chart, section");
    if (!(isNew && asDrawn)) {
      figure.innerHTML = state.html;
      [figure.dataset.across, figure.dataset.down] = [state.across, state.down];
      figure.closest("figure, .chart, section").classList.toggle("stale", filtered && !known);
      tell(place, null);
    }
    if (!known) continue;
    if (hasAlike(figure)) tellAlike(figure, rowsOf(figure.dataset));
    if (asDrawn) continue;
    const rows = rowsOf(figure.dataset);
    setAxes(figure, rows);
    ({lines: drawLines, cost: drawCosts, histogram: drawHistogram, heat: drawHeat})[kind](figure, rows);
    if (kind === "lines" || kind === "cost") cutAtFrame(figure);
    if (filtered) tell(place, "By the filter: " + (heldOtherwise(rows, figure.dataset.held ?? "") || "as below") + ". ");
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

/* ---- what a mark says: at once, and by keyboard ---- */

const tip = document.body.appendChild(Object.assign(document.createElement("div"), {className: "tip", hidden: true}));
tip.setAttribute("role", "tooltip");
tip.id = "tip";

/* What a mark says; from now on its title is not shown a second time by the browser. */
function tipOf(mark) {
  const title = [...mark.children].find(each => each.tagName === "title");
  if (title) {
    mark.dataset.tip = title.textContent;
    title.remove();
  }
  return mark.dataset.tip ?? "";
}

function showTip(mark) {
  const text = tipOf(mark);
  tip.hidden = text === "";
  if (tip.hidden) return;
  tip.textContent = text;
  const box = mark.getBoundingClientRect();
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  tip.style.left = Math.max(4, Math.min(innerWidth - width - 4, box.left + box.width / 2 - width / 2)) + "px";
  tip.style.top = (box.top - height - 8 > 0 ? box.top - height - 8 : box.bottom + 8) + "px";
}

const tellsTip = "svg use, svg rect, svg .curve";
document.addEventListener("pointerover", event => {
  const mark = event.target.closest?.(tellsTip);
  if (mark && mark.closest("[data-kind], [role=group]")) showTip(mark);
  else tip.hidden = true;
});
document.addEventListener("scroll", () => tip.hidden = true, {capture: true, passive: true});
document.addEventListener("focusout", () => tip.hidden = true);

/* The marks of a figure that keys reach, as they stand from left to right. */
function marksOf(figure) {
  const marks = [...figure.querySelectorAll("use[data-where], rect[data-where], .bars rect")].filter(mark => mark.getClientRects().length && mark.style.visibility !== "hidden");
  const place = mark => mark.getBoundingClientRect();
  return marks.map(mark => ({mark, x: place(mark).left, y: place(mark).top})).sort((a, b) => a.x - b.x || a.y - b.y);
}

/* The next mark in a direction: to the sides in the same series or line, up and down among those that stand near. */
function nextMark(figure, from, key) {
  const marks = marksOf(figure);
  if (!from) return marks[0]?.mark;
  const {left: x, top: y} = from.getBoundingClientRect();
  const along = key === "ArrowLeft" || key === "ArrowRight";
  const ahead = marks.filter(each => each.mark !== from && (
    key === "ArrowLeft" ? each.x < x - 0.5 : key === "ArrowRight" ? each.x > x + 0.5 : key === "ArrowUp" ? each.y < y - 0.5 : each.y > y + 0.5));
  const group = from.closest("g");
  const inSeries = along && from.matches("use") ? ahead.filter(each => each.mark.closest("g") === group) : ahead;
  const far = each => Math.abs(each.x - x) * (along ? 1 : 8) + Math.abs(each.y - y) * (along ? 8 : 1);
  return (inSeries.length ? inSeries : ahead).reduce((best, each) => !best || far(each) < far(best) ? each : best, null)?.mark;
}

function onKey(figure, event) {
  const current = event.target === figure ? null : event.target;
  if (event.key.startsWith("Arrow")) {
    const next = nextMark(figure, current, event.key);
    event.preventDefault();
    if (!next) return;
    next.setAttribute("tabindex", "-1");
    next.setAttribute("role", "img");
    next.setAttribute("aria-label", tipOf(next));
    next.focus();
    showTip(next);
  } else if ((event.key === "Enter" || event.key === " ") && current) {
    event.preventDefault();
    current.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  } else if (event.key === "Escape" || event.key === "0") {
    zoomTo(figure, null);
    tip.hidden = true;
  } else if ((event.key === "+" || event.key === "-") && figure.dataset.kind === "lines") {
    const by = event.key === "+" ? 0.25 : -0.5;
    zoomTo(figure, {x: [by, 1 - by].map(share => valueAt(figure.dataset.across, share)), y: [by, 1 - by].map(share => valueAt(figure.dataset.down, share))});
  }
}

/* ---- a part of the range ---- */

function zoomTo(figure, zoom) {
  if (zoom) zooms.set(figure, zoom);
  else zooms.delete(figure);
  redraw();
  figure.parentElement.querySelector(".whole").hidden = !zoom;
  writeAddress();
}

/* Dragging over a figure of lines chooses a part of its range. */
let dragged = false;
function setUpZoom(figure) {
  let from = null;
  let box = null;
  const place = event => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(figure.getScreenCTM().inverse());
    const {left, top, width, height} = scaleOf(figure);
    return [Math.min(1, Math.max(0, (point.x - left) / width)), Math.min(1, Math.max(0, (top + height - point.y) / height))];
  };
  const drawBox = to => {
    const {left, top, width, height} = scaleOf(figure);
    box = box ?? figure.appendChild(elementOf("rect", {class: "chosen", "pointer-events": "none"}));
    const [x, y] = [Math.min(from[0], to[0]), Math.max(from[1], to[1])];
    for (const [name, value] of [["x", left + x * width], ["y", top + (1 - y) * height], ["width", Math.abs(to[0] - from[0]) * width], ["height", Math.abs(to[1] - from[1]) * height]])
      box.setAttribute(name, value.toFixed(2));
  };
  figure.addEventListener("pointerdown", event => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    from = place(event);
    dragged = false;
  });
  figure.addEventListener("pointermove", event => {
    if (!from) return;
    const to = place(event);
    if (!dragged && Math.hypot(to[0] - from[0], to[1] - from[1]) < 0.03) return;
    if (!dragged) figure.setPointerCapture(event.pointerId);
    dragged = true;
    tip.hidden = true;
    drawBox(to);
  });
  figure.addEventListener("pointerup", event => {
    const [a, b] = [from, place(event)];
    from = null;
    box?.remove();
    box = null;
    if (!dragged || !a) return;
    const span = (axis, i) => a[i] === b[i] || Math.abs(a[i] - b[i]) < 0.02 ? [0, 1].map(share => valueAt(axis, share)) :
      [Math.min(a[i], b[i]), Math.max(a[i], b[i])].map(share => valueAt(axis, share));
    zoomTo(figure, {x: span(figure.dataset.across, 0), y: span(figure.dataset.down, 1)});
  });
  figure.addEventListener("pointercancel", () => { from = null; box?.remove(); box = null; });
  figure.addEventListener("dblclick", () => zoomTo(figure, null));
}

/* ---- files of what is shown ---- */

function save(name, blob) {
  const link = Object.assign(document.createElement("a"), {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
const fileName = (figure, ending) => figure.getAttribute("aria-label").replace(/[^\w.-]+/g, "-").toLowerCase() + ending;

/* The figure as a picture of its own: with its title, its legend, colours and shapes. */
function standalone(figure) {
  const [, , width, height] = figure.getAttribute("viewBox").split(" ").map(Number);
  const copy = figure.cloneNode(true);
  const [from, to] = [figure, copy].map(each => [each, ...each.querySelectorAll("*")]);
  from.forEach((element, i) => {
    if (element.classList.contains("off") || element.style.visibility === "hidden") to[i].remove();
    else if (element.tagName === "text") to[i].style.fill = getComputedStyle(element).fill;
    else if (element.classList.length || element === figure) to[i].style.color = getComputedStyle(element).color;
  });
  const picture = elementOf("svg", {"font-family": "DejaVu Sans, Verdana, sans-serif"});
  picture.append(...[...document.querySelector("svg.shapes").children].map(each => each.cloneNode(true)));
  const [paper, ink] = ["--paper", "--ink"].map(name => getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  const background = picture.appendChild(elementOf("rect", {width: "100%", fill: paper}));
  const title = picture.appendChild(elementOf("text", {x: 10, y: 22, "font-size": 16, fill: ink}, figure.getAttribute("aria-label")));
  let [x, y] = [10, 44];
  for (const entry of figure.closest(".chart")?.querySelectorAll(".legend-line li") ?? []) {
    if (entry.getAttribute("aria-pressed") === "false") continue;
    const name = entry.textContent;
    const room = 50 + 7.4 * name.length;
    if (x > 10 && x + room > width) [x, y] = [10, y + 20];
    const swatch = entry.querySelector("svg");
    const sample = picture.appendChild(elementOf("g", {transform: `translate(${x},${y - 10})`}));
    sample.style.color = getComputedStyle(swatch).color;
    sample.append(...[...swatch.children].map(each => each.cloneNode(true)));
    picture.append(elementOf("text", {x: x + 36, y, "font-size": 13, fill: ink}, name));
    x += room;
  }
  const top = (x > 10 ? y : 22) + 14;
  background.setAttribute("height", height + top);
  title.setAttribute("textLength", Math.min(width - 20, 9.2 * title.textContent.length));
  title.setAttribute("lengthAdjust", "spacingAndGlyphs");
  for (const [name, value] of [["width", width], ["height", height], ["y", top]]) copy.setAttribute(name, value);
  copy.removeAttribute("tabindex");
  picture.append(copy);
  for (const [name, value] of [["viewBox", `0 0 ${width} ${height + top}`], ["width", width], ["height", height + top]]) picture.setAttribute(name, value);
  return {text: new XMLSerializer().serializeToString(picture), width, height: height + top};
}

function savePicture(figure) {
  const {text, width, height} = standalone(figure);
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), {width: 2 * width, height: 2 * height});
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob(blob => save(fileName(figure, ".png"), blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

/* Keys, a part of the range, and buttons for files: once for every figure that was seen. */
const setUp = new WeakSet();
function setUpFigure(figure) {
  if (setUp.has(figure)) return;
  setUp.add(figure);
  figure.tabIndex = 0;
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-describedby", "keys");
  figure.addEventListener("keydown", event => onKey(figure, event));
  if (figure.dataset.kind === "lines") setUpZoom(figure);
  const tools = document.createElement("div");
  tools.className = "tools";
  const button = (text, title, act, more = "") => {
    const made = tools.appendChild(Object.assign(document.createElement("button"), {type: "button", textContent: text, title, className: more}));
    made.setAttribute("aria-label", title + ": " + figure.getAttribute("aria-label"));
    made.onclick = act;
    return made;
  };
  button("whole range", "show the whole range", () => zoomTo(figure, null), "whole").hidden = !zooms.has(figure);
  button("SVG", "save as SVG", () => save(fileName(figure, ".svg"), new Blob([standalone(figure).text], {type: "image/svg+xml"})));
  button("PNG", "save as PNG", () => savePicture(figure));
  figure.before(tools);
}

document.querySelector("main").addEventListener("click", event => {
  if (dragged) return void (dragged = false);
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
  document.getElementById("csv").onclick = () =>
    save((document.querySelector("h1").textContent || "rows").replace(/[^\w.-]+/g, "-") + ".csv", new Blob([csvText(kept, columns)], {type: "text/csv"}));
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
      matches = parseFilter(filter.value, columns, true);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      return;
    }
    problem.hidden = true;
    filtered = filter.value.trim() !== "";
    memory.clear();
    ++version;
    kept = selectRows(data.rows, matches);
    axes.forEach((column, i) => {
      const word = filter.value.split(/\s+/).find(each => each.startsWith(column.name + "="));
      selects[i].value = word ? word.slice(column.name.length + 1) : "";
      if (selects[i].selectedIndex < 0) selects[i].value = "";
      selects[i].classList.toggle("set", Boolean(word));
    });
    document.getElementById("matches").textContent = filtered ? `${kept.length} of ${data.rows} rows` : "";
    showRows();
    showCards();
    redraw();
    writeAddress();
  }
  let waiting;
  filter.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 150);
  };
  return apply;
}

/* ---- the cards on top ---- */

const cardsAsMade = new Map([...document.querySelectorAll("[data-card]")].map(card => [card.dataset.card, card.innerHTML]));

/* What the cards say of the rows that the filter keeps. */
function showCards() {
  for (const card of document.querySelectorAll("[data-card]")) {
    card.innerHTML = cardsAsMade.get(card.dataset.card);
    card.classList.toggle("of-all", filtered && card.dataset.card === "gates");
  }
  if (!filtered) return;
  const say = (id, value, detail) => {
    const card = document.querySelector(`[data-card=${id}]`);
    if (!card) return;
    const [first, second] = card.querySelectorAll("p");
    first.textContent = value;
    second.textContent = detail;
  };
  const status = columnNamed("status");
  const count = word => kept.filter(row => status?.at(row) === word).length;
  const measured = kept.filter(row => !status || status.at(row) === "ok");
  const text = (name, row) => String(columnNamed(name)?.at(row) ?? "");
  const caseOf = row => `${text("algorithm", row)} in ${text("mode", row)}, n = ${text("n", row)}, ${text("input", row)}`;
  const largest = (name, sign) => measured.reduce((best, row) => {
    const value = at(name, row);
    if (value === null || Number.isNaN(value) || value * sign === Infinity && name !== "bits_l2") return best;
    return best === null || sign * value > sign * at(name, best) ? row : best;
  }, null);
  say("rows", `${count("ok")} of ${kept.length}`, `${count("skipped")} skipped, ${count("failed")} failed; by the filter`);
  const bound = largest("err_over_bound", 1);
  say("bound", bound === null ? "none" : short(at("err_over_bound", bound)), bound === null ? "no row by the filter has a bound and a finite error" : caseOf(bound));
  const [fewest, most] = [largest("bits_l2", -1), largest("bits_l2", 1)];
  const bits = row => at("bits_l2", row) === Infinity ? "exact" : at("bits_l2", row).toFixed(1);
  say("bits", fewest === null ? "none" : `${bits(fewest)} to ${bits(most)}`, fewest === null ? "no row by the filter has any" : `fewest: ${caseOf(fewest)}; most: ${caseOf(most)}`);
}

/* ---- the view in the address: filter, choices, value axis, parts of ranges, section ---- */

const figuresOfPage = [...document.querySelectorAll("[data-kind]")];
const choices = [...document.querySelectorAll("select[data-choice]")];
const firstChoices = choices.map(select => select.value);
const unitChoice = document.getElementById("unit");
let section = "";
let reading = true;  // nothing is written before the address was read

function writeAddress() {
  if (reading) return;
  const view = new URLSearchParams();
  const filter = document.getElementById("filter").value.trim();
  if (filter) view.set("filter", filter);
  choices.forEach((select, i) => { if (select.value !== firstChoices[i]) view.set(select.dataset.choice.slice(1), select.value); });
  if (inUnits) view.set("value", "u");
  for (const [figure, {x, y}] of zooms) view.set("zoom" + figuresOfPage.indexOf(figure), [...x, ...y].map(each => Number(each.toPrecision(5))).join(" "));
  if (section) view.set("at", section);
  const text = view.toString();
  history.replaceState(null, "", text ? "#" + text : location.href.split("#")[0]);
}

function readAddress(apply) {
  reading = true;
  const text = location.hash.slice(1);
  const view = new URLSearchParams(text.includes("=") ? text : "");
  document.getElementById("filter").value = view.get("filter") ?? "";
  choices.forEach((select, i) => {
    const wanted = view.get(select.dataset.choice.slice(1)) ?? firstChoices[i];
    if (select.value === wanted || ![...select.options].some(option => option.value === wanted)) return;
    select.value = wanted;
    select.onchange();
  });
  inUnits = view.get("value") === "u" && units.size > 0;
  unitChoice.value = inUnits ? "u" : "";
  zooms.clear();
  for (const [name, value] of view) {
    const figure = /^zoom\d+$/.test(name) ? figuresOfPage[Number(name.slice(4))] : undefined;
    const ends = value.split(" ").map(Number);
    if (figure && ends.length === 4 && ends.every(Number.isFinite) && ends[0] < ends[1] && ends[2] < ends[3])
      zooms.set(figure, {x: ends.slice(0, 2), y: ends.slice(2)});
  }
  apply();
  for (const whole of document.querySelectorAll(".whole")) whole.hidden = !zooms.has(whole.parentElement.nextElementSibling);
  section = text.includes("=") ? view.get("at") ?? "" : text;
  if (section) document.getElementById(section)?.scrollIntoView();
  reading = false;
}

unitChoice.closest("label").hidden = units.size === 0;
unitChoice.onchange = () => {
  inUnits = unitChoice.value === "u";
  redraw();
  writeAddress();
};
document.getElementById("link").onclick = () => copy(location.href);
for (const link of document.querySelectorAll("nav a"))
  link.onclick = event => {
    event.preventDefault();
    section = link.getAttribute("href").slice(1);
    document.getElementById(section)?.scrollIntoView();
    writeAddress();
  };

document.body.appendChild(Object.assign(document.createElement("p"), {id: "keys", hidden: true,
  textContent: "Arrow keys go from mark to mark, Enter copies the command of a mark, plus and minus show a part of the range, Escape the whole."}));

setUpLegends();
const applyFilter = setUpFilter(setUpTable());
readAddress(applyFilter);
window.addEventListener("hashchange", () => readAddress(applyFilter));
document.addEventListener("toggle", redraw, true);  // of details, which show figures
window.addEventListener("resize", redraw);
