// The protocol of docs/programs.md for adapters in JavaScript.
const fs = require('fs');

/// What a library does not offer; the row is skipped with it.
class Refusal extends Error {}

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0, count = 1; at < size; at += count)
    if ((count = fs.readSync(0, bytes, at, size - at)) === 0) process.exit(0);
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

/// Answers requests for complex transforms of one axis. compute(x, n, inverse), x real and imaginary
/// parts in turn as Float64Array or Float32Array, returns an array alike, or null if there is no inverse.
/// `scale(n, inverse)`: its results are the definition's times that.
function serve(version, compute, {formats = ['fp64'], powers = true, scale = () => 1} = {}) {
  write(Buffer.from(`fftprec-program 1 ${version}\n`));
  for (;;) {
    let line = '';
    for (let c = ''; c !== '\n'; line += c) c = read(1).toString();
    const [transform, lengths, direction, format, batch, size] = line.trim().split(' ');
    const Numbers = format === 'fp64' ? Float64Array : Float32Array;
    const bytes = read(+size), n = +lengths, inverse = direction === 'inverse';
    try {
      if (transform !== 'fft' || isNaN(n)) throw new Refusal(`no ${transform} of ${lengths}`);
      if (!formats.includes(format)) throw new Refusal(`only ${formats}`);
      if (powers && (n & (n - 1))) throw new Refusal(`needs n = 2^k, got ${n}`);
      const x = new Numbers(bytes.buffer, bytes.byteOffset, 2 * n * batch);
      for (let item = 0; item < batch; ++item) {
        const part = x.subarray(2 * n * item, 2 * n * (item + 1));
        const y = compute(part.slice(), n, inverse);
        if (y === null) throw new Refusal('there is no inverse');
        part.set(y);
      }
      write(Buffer.from(`ok ${size} ${scale(n, inverse)}\n`));
      write(bytes);
    } catch (reason) {
      if (!(reason instanceof Refusal)) throw reason;
      write(Buffer.from(`no ${reason.message}\n`));
    }
  }
}

/// Apart and together: parts in turn, and two arrays.
const apart = x => [x.filter((_, i) => i % 2 === 0), x.filter((_, i) => i % 2 === 1)];
function together(re, im) {
  const y = new Float64Array(2 * re.length);
  for (let k = 0; k < re.length; ++k) [y[2 * k], y[2 * k + 1]] = [re[k], im[k]];
  return y;
}

const once = make => {
  const made = new Map();
  return n => made.get(n) ?? made.set(n, make(n)).get(n);
};

module.exports = {Refusal, serve, apart, together, once};
