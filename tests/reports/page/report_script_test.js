// The part of a report's script that needs no page: decoding, filtering, sorting. For node.
"use strict";
const assert = require("assert");
const {cellText, decode, figureRows, isFailure, median, number, parseFilter, selectRows, short, sortRows, splitList} = require(process.argv[2]);

const data = {
  rows: 6,
  columns: [
    {name: "mode", number: false, dictionary: ["fp32", "bf16"], runs: [0, 2, 1, 4]},
    {name: "n", number: true, dictionary: [64, 128], codes: [0, 1, 0, 1, 0, 1]},
    {name: "machine", number: false, values: ["trn", "trn", "trn{a=1,b=2}", "trn", "NV", "trn"]},
    {name: "err", number: true, values: [1e-7, "nan", null, 0, "inf", 2.5e-3]},
    {name: "batch", number: true, dictionary: [1, 2], packed: "AAABAAEAAAAAAAEA"},
    {name: "seed", number: true, values: [1, 2, 3, 4, 5, "18446744073709551615"]},
  ],
};
const columns = decode(data);
const named = name => columns.find(column => column.name === name);
const filtered = text => selectRows(data.rows, parseFilter(text, columns));
const all = selectRows(data.rows, () => true);
const sorted = (name, down) => sortRows(all, data.rows, named(name), down);
const fails = (text, message) => assert.throws(() => parseFilter(text, columns), message, text);

// All four forms of a column.
assert.deepStrictEqual([0, 1, 2, 5].map(named("mode").at), ["fp32", "fp32", "bf16", "bf16"]);
assert.deepStrictEqual([0, 1, 4, 5].map(named("n").at), [64, 128, 64, 128]);
assert.strictEqual(named("err").at(5), 2.5e-3);
assert.deepStrictEqual([0, 1, 2, 3, 4, 5].map(named("batch").at), [1, 2, 2, 1, 1, 2]);

// Numbers that are none.
assert.strictEqual(number(null), null);
assert.strictEqual(number("-inf"), -Infinity);
assert(Number.isNaN(number("nan")));

// Filters, as -f has them.
assert.deepStrictEqual(filtered(""), [0, 1, 2, 3, 4, 5]);
assert.deepStrictEqual(filtered("mode=fp32"), [0, 1]);
assert.deepStrictEqual(filtered("mode=fp32,bf16 and n=64"), [0, 2, 4]);
assert.deepStrictEqual(filtered("mode!=fp32 n>64"), [3, 5]);
assert.deepStrictEqual(filtered("n<=64"), [0, 2, 4]);
assert.deepStrictEqual(filtered("n<64"), []);
assert.deepStrictEqual(filtered("machine=trn{a=1,b=2}"), [2]);
assert.deepStrictEqual(filtered("n=65..128"), [1, 3, 5]);
assert.deepStrictEqual(filtered("err<1e-3"), [0, 3], "neither NaN nor what is missing is small");
assert.deepStrictEqual(filtered("err>=1e-3"), [4, 5]);
assert.deepStrictEqual(filtered("err="), [2]);
assert.deepStrictEqual(filtered("err!="), [0, 1, 3, 4, 5]);
assert.deepStrictEqual(filtered("err=nan"), [1]);
assert.deepStrictEqual(filtered("err=0"), [3]);
assert.deepStrictEqual(filtered("BF1 trn{"), [2], "words are looked for in names");
assert.deepStrictEqual(filtered("nv"), [4]);
assert.deepStrictEqual(filtered("nothing"), []);
fails("mod=fp32", /unknown column 'mod'; known: mode, n, machine, err, batch, seed/);
fails("n=x", /'x' is not a number/);
fails("n>", /./);
fails("mode<3", /mode does not hold numbers/);

// Sorting: stable, NaN first and what is missing last in both directions.
assert.deepStrictEqual(sorted("err", false), [1, 3, 0, 5, 4, 2]);
assert.deepStrictEqual(sorted("err", true), [1, 4, 5, 0, 3, 2]);
assert.deepStrictEqual(sorted("n", false), [0, 2, 4, 1, 3, 5]);
assert.deepStrictEqual(sorted("mode", false), [2, 3, 4, 5, 0, 1]);
assert.deepStrictEqual(sorted("seed", true)[0], 5);

assert.deepStrictEqual(sortRows([4, 0], data.rows, named("err"), false), [0, 4], "some of the rows");

// A row fails by its status, and by an error that is no number.
const judged = decode({rows: 5, columns: [
  {name: "status", number: false, values: ["ok", "failed", "ok", "ok", "skipped"]},
  {name: "err_l2_rel", number: true, values: [1e-7, null, "nan", "inf", null]},
]});
assert.deepStrictEqual([0, 1, 2, 3, 4].map(row => isFailure(row, judged)), [false, true, true, true, false]);
assert.strictEqual(median([3, 1, 2]), 2);
assert.strictEqual(median([4, 1, 2, 3]), 2.5);
assert(Number.isNaN(median([1, NaN, 2])), "the median of what is left says nothing");

// The rows of a figure: what it is of must hold, what it holds only where there are such rows.
const drawn = (where, held, filter) => figureRows(all, columns, {where, held, filter});
assert.deepStrictEqual(drawn("mode=bf16\nn=64", ""), [2, 4]);
assert.deepStrictEqual(drawn("mode=fp32\nmode=bf16", "n=128"), [1, 3, 5]);
assert.deepStrictEqual(drawn("mode=kahan", ""), []);
assert.deepStrictEqual(drawn("mode=bf16", "machine=gpu"), [3, 5], "the commonest in its place");
assert.deepStrictEqual(drawn("", "machine=trn{a=1,b=2}", "err>=0 or"), []);
assert.deepStrictEqual(drawn("", "", "n=64 mode=bf16"), [2, 4]);

// Numbers as the figures have them.
assert.deepStrictEqual([1.234e-7, 0.0020512, 0.0203, 1e-5, 0.5, 1.25, 23.456, 999.7, 1234.5, 2048, 0, null, "inf"].map(cellText),
  ["1.23e-7", "2.05e-3", "0.0203", "1e-5", "0.5", "1.25", "23.5", "1e3", "1.23e3", "2048", "0", "", "inf"]);
assert.deepStrictEqual([0.0316, 42.4, 420.5, 1.05e-7].map(value => short(value, 2)), ["0.032", "42", "4.2e2", "1.1e-7"]);

assert.deepStrictEqual(splitList("a,b{c,d},e"), ["a", "b{c,d}", "e"]);
console.log("report_script_test: all passed");
