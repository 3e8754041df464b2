// The FFT of a JavaScript library for fftprec: a program of docs/programs.md.
// This one sums by the definition; put the library's call in place of `forward`.
const fs = require('fs');

function forward(re, im) {
  const n = re.length, yr = new Float64Array(n), yi = new Float64Array(n);
  for (let k = 0; k < n; ++k)
    for (let j = 0; j < n; ++j) {
      const a = -2 * Math.PI * ((j * k) % n) / n;
      yr[k] += re[j] * Math.cos(a) - im[j] * Math.sin(a);
      yi[k] += re[j] * Math.sin(a) + im[j] * Math.cos(a);
    }
  return [yr, yi];
}

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0, count = 1; at < size; at += count)
    if ((count = fs.readSync(0, bytes, at, size - at)) === 0) process.exit(0);
  return bytes;
}

fs.writeSync(1, 'fftprec-program 1 sums in JavaScript 1.0\n');
for (;;) {
  let line = '';
  for (let c = ''; c !== '\n'; line += c) c = read(1).toString();
  const [transform, n, direction, format, , size] = line.trim().split(' ');
  const bytes = read(+size), x = new Float64Array(bytes.buffer, bytes.byteOffset, +size / 8);
  if (transform !== 'fft' || direction !== 'forward' || format !== 'fp64' || isNaN(+n)) {
    fs.writeSync(1, 'no only the forward fft of one axis in fp64\n');
    continue;
  }
  for (let at = 0; at < x.length; at += 2 * n) {
    const item = x.subarray(at, at + 2 * n);
    const [re, im] = forward(item.filter((_, i) => i % 2 === 0), item.filter((_, i) => i % 2));
    for (let k = 0; k < n; ++k) [item[2 * k], item[2 * k + 1]] = [re[k], im[k]];
  }
  fs.writeSync(1, `ok ${size}\n`);
  for (let at = 0; at < +size;) at += fs.writeSync(1, bytes, at);
}
