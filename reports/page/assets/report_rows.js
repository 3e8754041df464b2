"use strict";
/* Rows as columns: decoding, filtering, sorting. No page is needed. */

/* {"rows", "columns"} as report_rows.hpp says; gives columns whose `at` is row -> value. */
function decode(data) {
  return data.columns.map(column => {
    if (column.values) return {...column, at: row => column.values[row]};
    const codes = new Uint32Array(data.rows);
    if (column.codes) codes.set(column.codes);
    if (column.packed) {
      const bytes = atob(column.packed);
      for (let row = 0; row < data.rows; ++row) codes[row] = bytes.charCodeAt(2 * row) | bytes.charCodeAt(2 * row + 1) << 8;
    }
    for (let run = 0, row = 0; column.runs && run < column.runs.length; run += 2) {
      codes.fill(column.runs[run], row, row + column.runs[run + 1]);
      row += column.runs[run + 1];
    }
    return {...column, codes, at: row => column.dictionary[codes[row]]};
  });
}

/* "inf" and "nan" as numbers; null where nothing was measured. */
function number(value) {
  if (value === null || value === "") return null;
  if (value === "inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return value === "nan" ? NaN : Number(value);
}

/* Commas within brackets do not split. */
function splitList(text) {
  const items = [""];
  let depth = 0;
  for (const c of text) {
    if ("({[".includes(c)) ++depth;
    if (")}]".includes(c)) --depth;
    if (c === "," && depth <= 0) items.push("");
    else items[items.length - 1] += c;
  }
  return items;
}

/* The test of one value: as -f has it, without ranges of names. */
function conditionTest(column, operator, text) {
  const compare = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  }[operator];
  const asNumber = item => {
    const value = number(item);
    if (value === null) throw new Error(`a number is missing behind ${column.name}${operator}`);
    if (Number.isNaN(value) && item !== "nan") throw new Error(`'${item}' is not a number`);
    return value;
  };
  if (compare) {
    if (!column.number) throw new Error(`${column.name} does not hold numbers`);
    const limit = asNumber(text);
    return value => number(value) !== null && compare(number(value), limit);
  }
  const any = splitList(text).map(item => {
    if (item === "") return value => value === null || value === "";
    if (!column.number) return value => value === item;
    const [low, high] = item.includes("..") ? item.split("..").map(asNumber) : [];
    if (high !== undefined) return value => number(value) !== null && number(value) >= low && number(value) <= high;
    const wanted = asNumber(item);
    return value => Object.is(number(value), wanted) || number(value) === wanted;
  });
  const equal = value => any.some(test => test(value));
  return operator === "!=" ? value => !equal(value) : equal;
}

/* Insertions, deletions, replacements and exchanges of neighbours; a replaced first letter counts `first`. */
function editDistance(a, b, first) {
  const rows = [...Array(a.length + 1)].map((_, i) => [...Array(b.length + 1)].map((_, j) => i === 0 ? j : j === 0 ? i : 0));
  for (let i = 1; i <= a.length; ++i)
    for (let j = 1; j <= b.length; ++j) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : i === 1 && j === 1 ? first : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.length][b.length];
}

/* The names near `name`, nearest first, by the rule of the command line (arith/support/error.cpp). */
function namesNear(name, known) {
  const small = name.toLowerCase();
  const distance = candidate => {
    if (small === candidate) return 0;
    if (small.length >= 2 && candidate.startsWith(small)) return 1;
    if (small.length >= 3 && `-${candidate}-`.includes(`-${small}-`)) return 1;
    if (candidate.length < 3) return Infinity;
    const edits = editDistance(small, candidate, candidate.length === 3 ? 2 : 1);
    return edits > Math.floor(candidate.length / 3) ? Infinity : edits;
  };
  return known.map(each => [distance(each.toLowerCase()), each]).filter(([edits]) => edits < Infinity)
    .sort((a, b) => a[0] - b[0]).map(([, each]) => each);
}

/* "unknown mode 'bf61'; did you mean 'bf16'?; known: bf16, fp32": as the command line says it. */
function unknownName(kind, name, known) {
  const [nearest] = namesNear(name, known);
  const shown = known.slice(0, 40).join(", ") + (known.length > 40 ? ` and ${known.length - 40} more` : "");
  return `unknown ${kind} '${name}'` + (nearest === undefined ? "" : `; did you mean '${nearest}'?`) + `; known: ${shown}`;
}

/* Refuses a value of an axis of names that no row has. */
function checkNames(column, operator, text) {
  if (!column.axis || column.number || (operator !== "=" && operator !== "!=")) return;
  const known = [...new Set(column.dictionary ?? column.values)].map(String);
  for (const item of splitList(text))
    if (item !== "" && !known.includes(item)) throw new Error(unknownName(column.name, item, known));
}

/* Words apart by blanks or "and"; each a condition COLUMN=VALUES, !=, <, <=, >, >=, or a text that
   a cell of names must hold. Gives row -> whether all hold; throws Error. With `strict`, a name on an axis must be
   in some row. */
function parseFilter(text, columns, strict = false) {
  const tests = [];
  for (const word of text.split(/\s+/)) {
    if (word === "" || word === "and") continue;
    const parts = /^([a-z]\w*)(!=|<=|>=|=|<|>)(.*)$/.exec(word);
    if (!parts) {
      const wanted = word.toLowerCase();
      const named = columns.filter(column => !column.number);
      const holds = named.map(column => {
        const found = value => String(value).toLowerCase().includes(wanted);
        if (!column.dictionary) return row => found(column.at(row));
        const codes = column.dictionary.map(found);
        return row => codes[column.codes[row]];
      });
      tests.push(row => holds.some(test => test(row)));
      continue;
    }
    const column = columns.find(each => each.name === parts[1]);
    if (!column) throw new Error(unknownName("column", parts[1], columns.map(each => each.name)));
    if (strict) checkNames(column, parts[2], parts[3]);
    const test = conditionTest(column, parts[2], parts[3]);
    if (column.dictionary) {
      const codes = column.dictionary.map(test);
      tests.push(row => codes[column.codes[row]]);
    } else {
      tests.push(row => test(column.at(row)));
    }
  }
  return row => tests.every(test => test(row));
}

/* The rows that match, in the order of the file. */
function selectRows(count, matches) {
  const rows = [];
  for (let row = 0; row < count; ++row) if (matches(row)) rows.push(row);
  return rows;
}

/* "mode=fp32\nmode=bf16" -> [["mode", values]]. */
function axesOf(lines) {
  const axes = new Map();
  for (const line of lines.split("\n").filter(Boolean)) {
    const axis = line.slice(0, line.indexOf("="));
    axes.set(axis, (axes.get(axis) ?? new Set()).add(line.slice(axis.length + 1)));
  }
  return [...axes];
}

/* Of `rows` those that a figure draws: that were measured, that its filter keeps, that have one of
   the values of each axis in `where`, and of each axis in `held` one of those values, or, where none
   has, the commonest. Both are lines "axis=value". */
function figureRows(rows, columns, {filter = "", where = "", held = ""}) {
  const named = name => columns.find(column => column.name === name);
  const wanted = lines => axesOf(lines).filter(([axis]) => named(axis));
  const status = named("status");
  let some = rows;
  if (status && held) some = some.filter(row => status.at(row) === "ok");
  if (filter) some = some.filter(parseFilter(filter, columns));
  for (const [axis, values] of wanted(where)) some = some.filter(holds(named(axis), value => values.has(value)));
  for (const [axis, values] of wanted(held)) {
    const column = named(axis);
    const found = some.filter(holds(column, value => values.has(value)));
    if (found.length === 0 && some.length > 0) {
      const counts = new Map();
      for (const row of some) counts.set(String(column.at(row)), (counts.get(String(column.at(row))) ?? 0) + 1);
      const commonest = [...counts].reduce((a, b) => b[1] > a[1] ? b : a)[0];
      some = some.filter(holds(column, value => value === commonest));
    } else {
      some = found;
    }
  }
  return some;
}

/* row -> whether the text of its cell passes; of a dictionary each text is looked at once. */
function holds(column, test) {
  if (!column.dictionary) return row => test(String(column.at(row)));
  const codes = column.dictionary.map(value => test(String(value)));
  return row => codes[column.codes[row]];
}

/* "2.03e-3", as the program says numbers: short_number. */
function short(value, digits = 3) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  const text = exponent < -2 || exponent >= digits ? mantissa : value.toFixed(digits - 1 - exponent);
  return (text.includes(".") ? text.replace(/\.?0+$/, "") : text) + (text === mantissa && exponent !== 0 ? "e" + exponent : "");
}

function cellText(value) {
  return value === null ? "" : typeof value === "number" ? short(value) : String(value);
}

/* Whether it failed, or was measured and its error is no number. */
function isFailure(row, columns) {
  const at = name => columns.find(column => column.name === name)?.at(row) ?? null;
  const error = number(at("err_l2_rel"));
  return at("status") === "failed" || (error !== null && !Number.isFinite(error));
}

/* The middle value; NaN if one is. */
function median(values) {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/* `rows` in the order of a column; NaN comes first, what was not measured last, either way.
   Without a column as they are. `count`: of all rows. */
function sortRows(some, count, column, descending) {
  if (!column) return some;
  const rows = some.slice();
  const sign = descending ? -1 : 1;
  if (!column.number) {
    const text = row => String(column.at(row) ?? "");
    return rows.sort((a, b) => sign * (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0) || a - b);
  }
  const keys = new Float64Array(count);
  const last = new Uint8Array(count);
  for (const row of rows) {
    const value = number(column.at(row));
    last[row] = value === null ? 2 : Number.isNaN(value) ? 0 : 1;
    keys[row] = last[row] === 1 ? value : 0;
  }
  return rows.sort((a, b) => last[a] - last[b] || sign * (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0) || a - b);
}

/* ---- axes: {log, low, high, zero}, ends and the place of values that are not above 0 ---- */

/* Smallest and largest; of more values than a function takes arguments, too. */
function endsOf(values) {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}

/* Between powers of ten, two decades at least; with a line for zeros below, if some are 0. */
function decadeAxis(values) {
  const above = values.filter(value => value > 0 && value < Infinity);
  const [least, most] = above.length ? endsOf(above) : [1, 1];
  const first = Math.floor(Math.log10(least) + 1e-12);
  const last = Math.max(first + 2, Math.ceil(Math.log10(most) - 1e-12));
  const apart = Math.max(0.6, 0.06 * (last - first));
  return values.includes(0) ? {log: true, low: 10 ** (first - 1.6 * apart), high: 10 ** last * 1.001, zero: 10 ** (first - apart)} :
    {log: true, low: 10 ** first / 1.001, high: 10 ** last * 1.001, zero: 0};
}

/* A little wider than the values. */
function octaveAxis(values) {
  const [least, most] = endsOf(values);
  return {log: true, low: least / 1.35, high: most * 1.35, zero: 0};
}

/* A linear axis over the values, with a margin. */
function evenAxis(values) {
  const [least, most] = endsOf(values);
  const margin = 0.05 * (most - least) || 1;
  return {log: false, low: least - margin, high: most + margin, zero: 0};
}

/* [{at, text, up}]: where labels of an axis stand, at most about `most`. Powers of two if `octaves`. */
function ticksOf({log, low, high, zero}, octaves, most) {
  const within = value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const thinned = ticks => {
    const step = Math.ceil(ticks.length / most);
    return ticks.filter((_, i) => (ticks.length - 1 - i) % step === 0);
  };
  const ticks = [];
  if (log && octaves) {
    for (let k = Math.floor(Math.log2(low)); k <= Math.ceil(Math.log2(high)); ++k)
      if (within(2 ** k)) ticks.push({at: 2 ** k, text: short(2 ** k), up: ""});
    if (ticks.length > 1) return thinned(ticks);
    ticks.length = 0;
  }
  if (log && high / low > 8) {
    for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); ++k)
      if (within(10 ** k) && !(10 ** k < zero * 2)) ticks.push({at: 10 ** k, text: "10", up: String(k)});
    const some = thinned(ticks);
    return zero > low ? [{at: zero, text: "exact", up: ""}, ...some] : some;
  }
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough);
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-9); ++k) ticks.push({at: k * step + 0, text: short(k * step + 0), up: ""});
  return ticks;
}

/* Which series have equal points: [{names, bits}], where bits says that the outputs are the same, too. A series is
   {name, points: [{x, median, hashes}]}; no hash is known where one is empty. */
function coinciding(series) {
  const groups = new Map();
  for (const {name, points} of series) {
    if (points.length === 0) continue;
    const key = JSON.stringify(points.map(({x, median}) => [x, String(median)]));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({name, bits: points.map(({hashes}) => hashes.join()).join(";"), known: points.every(({hashes}) => hashes.every(Boolean))});
  }
  return [...groups.values()].filter(group => group.length > 1).map(group =>
    ({names: group.map(({name}) => name), bits: group.every(({bits, known}) => known && bits === group[0].bits)}));
}

/* Rows as CSV (RFC 4180), with the digits that the page has. */
function csvText(rows, columns) {
  const cell = value => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return [columns.map(({name}) => cell(name)), ...rows.map(row => columns.map(column => cell(column.at(row))))]
    .map(cells => cells.join(",")).join("\n") + "\n";
}

if (typeof module !== "undefined")
  module.exports = {cellText, coinciding, csvText, decadeAxis, decode, evenAxis, figureRows, isFailure, median, namesNear, number, octaveAxis,
    parseFilter, selectRows, short, sortRows, splitList, ticksOf};
