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

/* Words apart by blanks or "and"; each a condition COLUMN=VALUES, !=, <, <=, >, >=, or a text that
   a cell of names must hold. Gives row -> whether all hold; throws Error. */
function parseFilter(text, columns) {
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
    if (!column) throw new Error(`unknown column '${parts[1]}'; known: ${columns.map(each => each.name).join(", ")}`);
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

if (typeof module !== "undefined")
  module.exports = {cellText, decode, figureRows, isFailure, median, number, parseFilter, selectRows, sortRows, splitList, short};
