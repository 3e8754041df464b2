#!/usr/bin/env node
// The page's module as a program, so that scripts/check_bits compares it like any other: program.js COMMAND ...
// Files that the words name are copied into the module's memory first, and the folder of -o out of it after.
"use strict";
const fs = require("fs");
const path = require("path");
const site = process.env.FFTPREC_PLAYGROUND || path.join(__dirname, "../build/playground/site");

function copyOut(files, folder) {
  fs.mkdirSync(folder, {recursive: true});
  for (const name of files.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const file = path.join(folder, name);
    if (files.isDir(files.stat(file).mode)) copyOut(files, file);
    else fs.writeFileSync(file, files.readFile(file));
  }
}

require(path.join(site, "module.js"))({wasmBinary: fs.readFileSync(path.join(site, "module.wasm"))}).then(module => {
  const words = process.argv.slice(2);
  for (const word of words) {
    if (!word.includes("/") || !fs.existsSync(word)) continue;
    module.FS.mkdirTree(path.dirname(word));
    if (fs.statSync(word).isFile()) module.FS.writeFile(word, fs.readFileSync(word));
    else module.FS.mkdirTree(word);
  }
  const answer = JSON.parse(module.ccall("fftprec_run", "string", ["string"], [["fftprec", ...words].join("\n")]));
  const folder = words[words.indexOf("-o") + 1];
  if (words.includes("-o") && module.FS.analyzePath(folder).exists) copyOut(module.FS, folder);
  process.stderr.write(answer.err);
  process.stdout.write(answer.out);
  process.exitCode = answer.code;
});
