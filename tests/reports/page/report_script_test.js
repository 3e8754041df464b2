// The part of a report's script that needs no page: decoding, filtering, sorting. For node.
"use strict";
const assert = require("assert");
const {cellText, coinciding, csvText, decadeAxis, decode, evenAxis, figureRows, isFailure, median, namesNear, number, octaveAxis, parseFilter,
  selectRows, short, sortRows, splitList, ticksOf} = require(process.argv[2]);

const data = {
  rows: 6,
  columns: [
    {name: "mode", number: false, axis: true, dictionary: ["fp32", "bf16"], runs: [0, 2, 1, 4]},
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
fails("mod=fp32", /unknown column 'mod'; did you mean 'mode'\?; known: mode, n, machine, err, batch, seed/);
fails("xyz=1", /unknown column 'xyz'; known: mode/);
const strictly = text => selectRows(data.rows, parseFilter(text, columns, true));
assert.throws(() => strictly("mode=bf61"), /unknown mode 'bf61'; did you mean 'bf16'\?; known: fp32, bf16/);
assert.throws(() => strictly("mode!=fp32,kahan"), /unknown mode 'kahan'; known: fp32, bf16/);
assert.deepStrictEqual(strictly("mode=bf16 n=3"), [], "a number that no row has is no unknown name");
assert.deepStrictEqual(filtered("mode=kahan"), [], "filters of figures may name what no row has");
assert.deepStrictEqual(namesNear("stockham", ["radix2-dit", "stockham-r2", "stockham-r4"]), ["stockham-r2", "stockham-r4"]);
assert.deepStrictEqual(namesNear("xx", ["radix2-dit"]), []);
assert.deepStrictEqual(namesNear("dit", ["stockham-r2", "radix2-dit"]), ["radix2-dit"], "a part of a name");
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

// Axes that follow the values, as those of the figures do.
const near = (a, b) => assert(Math.abs(a / b - 1) < 1e-9, `${a} is not ${b}`);
near(decadeAxis([2e-7, 3e-6]).low, 1e-7 / 1.001);
near(decadeAxis([2e-7, 3e-6]).high, 1e-5 * 1.001);
near(decadeAxis([1e-7]).high, 1e-5 * 1.001);
assert(decadeAxis([0, 1e-7]).zero < 1e-7 && decadeAxis([0, 1e-7]).zero > decadeAxis([0, 1e-7]).low, "a place for zeros");
near(octaveAxis([8, 64]).high, 64 * 1.35);
const many = new Array(500000).fill(2e-7);
near(decadeAxis(many).low, 1e-7 / 1.001);
near(octaveAxis(many).low, 2e-7 / 1.35);
assert(evenAxis(many).low < 2e-7, "more values than a function takes arguments");
assert.deepStrictEqual(ticksOf(octaveAxis([8, 64]), true, 9).map(tick => tick.text), ["8", "16", "32", "64"]);
assert.deepStrictEqual(ticksOf({log: true, low: 9e-8, high: 2e-4, zero: 0}, false, 9).map(tick => tick.text + tick.up), ["10-7", "10-6", "10-5", "10-4"]);
assert.deepStrictEqual(ticksOf({log: true, low: 9e-8, high: 2e-4, zero: 0}, false, 2).map(tick => tick.up), ["-6", "-4"], "few, with the upper end");
assert.deepStrictEqual(ticksOf({log: true, low: 1e-7, high: 4e-7, zero: 0}, false, 4).map(tick => tick.text), ["1e-7", "2e-7", "3e-7", "4e-7"], "zoomed in");
assert.deepStrictEqual(ticksOf({log: true, low: 10, high: 26, zero: 0}, true, 4).map(tick => tick.at), [10, 15, 20, 25], "one octave alone says little");
assert.deepStrictEqual(ticksOf(decadeAxis([0, 1e-7]), false, 9)[0].text, "exact");
assert.deepStrictEqual(ticksOf(evenAxis([0, 20]), false, 5).map(tick => tick.at), [0, 5, 10, 15, 20]);

// Lines that coincide, by their bits or their errors alone.
const point = (x, middle, ...hashes) => ({x, median: middle, hashes});
assert.deepStrictEqual(coinciding([
  {name: "a", points: [point(8, 1e-7, "h1"), point(16, 2e-7, "h2")]},
  {name: "b", points: [point(8, 1e-7, "h1"), point(16, 2e-7, "h2")]},
  {name: "c", points: [point(8, 1e-7, "h1")]},
  {name: "none", points: []},
  {name: "empty", points: []},
]), [{names: ["a", "b"], bits: true}]);
assert.deepStrictEqual(coinciding([{name: "a", points: [point(8, 1e-7, "h1")]}, {name: "b", points: [point(8, 1e-7, "h2")]}]),
  [{names: ["a", "b"], bits: false}]);
assert.deepStrictEqual(coinciding([{name: "a", points: [point(8, 1e-7, "")]}, {name: "b", points: [point(8, 1e-7, "")]}])[0].bits, false, "nothing is known");

assert.strictEqual(csvText([2, 5], columns), "mode,n,machine,err,batch,seed\nbf16,64,\"trn{a=1,b=2}\",,2,3\nbf16,128,trn,0.0025,2,18446744073709551615\n");

assert.strictEqual(csvText([0], [{name: "a", at: () => 'say "x"'}, {name: "b", at: () => null}]), 'a,b\n"say ""x""",\n');

assert.deepStrictEqual(splitList("a,b{c,d},e"), ["a", "b{c,d}", "e"]);
console.log("report_script_test: all passed");
