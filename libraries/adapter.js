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

/// Answers requests for transforms of one axis. compute(x, n, inverse), x real and imaginary parts in
/// turn as Float64Array or Float32Array, returns an array alike, or null if there is no inverse.
/// `real(x, n, inverse)`: of real data, whose spectrum has n/2 + 1 values. `plane(x, [rows, n], inverse)`:
/// of two axes. `scale(n, inverse)`: results are the definition's times that.
function serve(version, compute,
               {formats = ['fp64'], powers = true, scale = () => 1, real = null, plane = null} = {}) {
  write(Buffer.from(`fftprec-program 1 ${version}\n`));
  for (;;) {
    let line = '';
    for (let c = ''; c !== '\n'; line += c) c = read(1).toString();
    const [transform, lengths, direction, format, batch, size] = line.trim().split(' ');
    const Numbers = format === 'fp64' ? Float64Array : Float32Array;
    const bytes = read(+size), axes = lengths.split('x').map(Number), n = axes.at(-1);
    const inverse = direction === 'inverse', points = axes.reduce((a, b) => a * b);
    const asked = `${transform} ${axes.length}`;
    const use = {'fft 1': compute, 'rfft 1': real, 'fft 2': plane}[asked];
    try {
      if (!use) throw new Refusal(`no ${transform} of ${lengths}`);
      if (!formats.includes(format)) throw new Refusal(`only ${formats}`);
      if (powers && (points & (points - 1))) throw new Refusal(`needs n = 2^k, got ${lengths}`);
      const x = new Numbers(bytes.buffer, bytes.byteOffset, bytes.length / Numbers.BYTES_PER_ELEMENT);
      const one = x.length / batch, of_result = use !== real ? one : inverse ? n : 2 * (n >> 1) + 2;
      const results = new Numbers(of_result * batch);
      for (let item = 0; item < batch; ++item) {
        const y = use(x.slice(one * item, one * (item + 1)), use === plane ? axes : n, inverse);
        if (y === null) throw new Refusal('there is no inverse');
        results.set(y, of_result * item);
      }
      const answer = Buffer.from(results.buffer);
      write(Buffer.from(`ok ${answer.length} ${scale(points, inverse)}\n`));
      write(answer);
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
