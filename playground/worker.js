// Runs the module beside the page, which stays alive meanwhile. A request {id, words, write: {name: bytes},
// read: [name]} is answered by {id, code, out, err, files: {name: text}}.
"use strict";
importScripts("module.js");
const started = fftprec_module();
started.then(() => postMessage({id: 0}), error => postMessage({id: 0, failed: String(error)}));

onmessage = async event => {
  const module = await started;
  const {id, words, write, read} = event.data;
  try {
    for (const [name, bytes] of Object.entries(write)) module.FS.writeFile(name, bytes);
    const answer = JSON.parse(
      module.ccall("fftprec_run", "string", ["string"], [["fftprec", ...words].join("\n")]));
    const files = {};
    for (const name of read)
      if (module.FS.analyzePath(name).exists) files[name] = module.FS.readFile(name, {encoding: "utf8"});
    postMessage({id, ...answer, files});
  } catch (error) {  // of memory: the module cannot go on
    postMessage({id, failed: String(error)});
  }
};
