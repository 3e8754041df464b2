// FFTs of npm packages: node npm.js NAME.
const {Refusal, serve, apart, together, once} = require('./adapter.js');

/// A package of the folder in which this runs; imported if it is an ECMAScript module.
const path_of = name => require.resolve(name, {paths: [process.cwd()]});
const installed = name => require(path_of(name));
const imported = name => import(path_of(name));
/// The version of a package, whatever of it may be imported.
const version_of = name =>
  JSON.parse(require('fs').readFileSync(`${process.cwd()}/node_modules/${name}/package.json`)).version;

const libraries = {
  'fft.js'(package) {
    const plan = once(n => new (installed('fft.js'))(n));
    serve(package, (x, n, inverse) => {
      if (n < 2) throw new Refusal('needs n >= 2');
      const y = plan(n).createComplexArray();
      plan(n)[inverse ? 'inverseTransform' : 'transform'](y, x);
      return y;
    });
  },

  'ml-fft'(package) {
    const {FFT} = installed('ml-fft');
    serve(package, (x, n, inverse) => {
      const [re, im] = apart(x);
      FFT.init(n);
      FFT[inverse ? 'ifft' : 'fft'](re, im);
      return together(re, im);
    });
  },

  'fft-js'(package) {
    const {fft, ifft} = installed('fft-js');
    serve(package, (x, n, inverse) => {
      if (n < 2 || n > 131072) throw new Refusal('needs 2 <= n <= 2^17, since longer ones take seconds');
      const pairs = Array.from({length: n}, (_, j) => [x[2 * j], x[2 * j + 1]]);
      return (inverse ? ifft : fft)(pairs).flat();
    });
  },

  'jsfft'(package) {
    const {FFT, InvFFT, ComplexArray} = installed('jsfft');
    const options = {powers: false, scale: (n, inverse) => inverse ? Math.sqrt(n) : 1 / Math.sqrt(n)};
    serve(package, (x, n, inverse) => {
      const data = new ComplexArray(n, Float64Array);
      [data.real, data.imag] = apart(x);
      const y = (inverse ? FFT : InvFFT)(data);  // its FFT has the sign + in the exponent
      return together(y.real, y.imag);
    }, options);
  },

  'ndarray-fft'(package) {
    const fft = installed('ndarray-fft'), ndarray = installed('ndarray');
    serve(package, (x, n, inverse) => {
      const [re, im] = apart(x);
      fft(inverse ? 1 : -1, ndarray(re), ndarray(im));  // 1 is the sign of the exponent, -1 divides
      return together(re, im);
    }, {powers: false, scale: (n, inverse) => inverse ? n : 1 / n});
  },

  'kissfft-js'(package) {
    const {FFT} = installed('kissfft-js');
    let last = null;
    const plan = n => {  // one at a time: its memory cannot grow
      if (last?.size !== n) {
        last?.dispose();
        last = new FFT(n);
      }
      return last;
    };
    serve(package, (x, n, inverse) => {
      if (n > 131072) throw new Refusal('has memory up to n = 2^17');
      return inverse ? null : plan(n).forward(x);  // inverse() of 0.1.8 throws
    }, {formats: ['fp32'], powers: false});
  },

  async 'kissfft-wasm'(package) {
    delete global.fetch;  // by which it would load a file
    const kiss = installed('kissfft-wasm');
    await installed('kissfft-wasm/lib/wasm').waitLoading();
    serve(package, (x, n, inverse) => (inverse ? kiss.ifft : kiss.fft)(x), {
      formats: ['fp32'], powers: false,
      real(x, n, inverse) {  // spectra of n values, of which n/2 + 1 count
        if (n % 2) throw new Refusal(`needs an even n, got ${n}`);
        if (!inverse) return kiss.rfft(x).slice(0, n + 2);
        const whole = new Float32Array(2 * n);
        whole.set(x);
        return kiss.irfft(whole);
      },
      plane: (x, [rows, n], inverse) => (inverse ? kiss.ifft2d : kiss.fft2d)(x, rows, n)});
  },

  async 'fourier-transform'(package) {
    const {fft, ifft, cfft, cifft} = await imported('fourier-transform');
    serve(package, (x, n, inverse) => {
      const [re, im] = apart(x);
      (inverse ? cifft : cfft)(re, im);
      return together(re, im);
    }, {real: (x, n, inverse) => inverse ? ifft(...apart(x)) : together(...fft(x))});
  },

  // Its FFT takes real data alone, and has a spectrum of n values.
  'dsp.js'(package) {
    global.DSP = undefined;
    const {FFT} = installed('dsp.js'), plan = once(n => new FFT(n, 1));
    serve(package, null, {real(x, n, inverse) {
      if (inverse) return null;
      plan(n).forward(x);
      return together(plan(n).real.slice(0, n / 2 + 1), plan(n).imag.slice(0, n / 2 + 1));
    }});
  },

  'fftjs'(package) {
    const {fft, ifft} = installed('fftjs');
    serve(package, (x, n, inverse) => {
      if (n > 16384) throw new Refusal('needs n <= 2^14, since longer ones take seconds');
      const [real, imag] = apart(x).map(part => Array.from(part));
      const y = (inverse ? ifft : fft)({real, imag});  // ifft of 0.0.4 returns the conjugate
      return together(y.real, inverse ? y.imag.map(part => -part) : y.imag);
    });
  },

  // On the processor; the backend of WebAssembly of 4.22 has no kernels of FFTs.
  async '@tensorflow/tfjs'(package) {
    const tf = installed('@tensorflow/tfjs-core');
    installed('@tensorflow/tfjs-backend-cpu');
    await tf.setBackend('cpu');
    serve(package, (x, n, inverse) => tf.tidy(() => {
      if (n > (n & (n - 1) ? 1025 : 16384))
        throw new Refusal('needs n <= 1025 or n = 2^k <= 2^14, since longer ones take seconds');
      const y = (inverse ? tf.ifft : tf.fft)(tf.complex(...apart(x).map(part => tf.tensor1d(part))));
      return together(tf.real(y).dataSync(), tf.imag(y).dataSync());
    }), {formats: ['fp32'], powers: false});
  },

  async '@thi.ng/dsp'(package) {
    const {fft, ifft} = await imported('@thi.ng/dsp');
    serve(package, (x, n, inverse) => together(...(inverse ? ifft : fft)(apart(x))));
  },
};

/// PFFFT in WebAssembly, with and without vectors. Its real spectrum has its last value, which is real,
/// as the imaginary part of the first.
for (const [name, part] of [['pffft', ''], ['pffft-simd', '/simd']])
  libraries[`@echogarden/${name}`] = async package => {
    const wasm = await (await imported(`@echogarden/pffft-wasm${part}`)).default();
    const least = 16 * wasm._pffft_simd_size() ** 2 / 16;
    const run = (x, n, inverse, is_complex) => {
      const needs = is_complex ? least : 2 * least;
      let rest = n / needs;
      for (const prime of [2, 3, 5]) while (rest % prime === 0) rest /= prime;
      if (rest !== 1) throw new Refusal(`needs n = ${needs} 2^a 3^b 5^c, got ${n}`);
      const plan = wasm._pffft_new_setup(n, is_complex ? 1 : 0);
      const at = wasm._pffft_aligned_malloc(8 * n), work = wasm._pffft_aligned_malloc(8 * n);
      wasm.HEAPF32.set(x, at / 4);
      wasm._pffft_transform_ordered(plan, at, at, work, inverse ? 1 : 0);
      const y = wasm.HEAPF32.slice(at / 4, at / 4 + x.length);
      for (const memory of [at, work]) wasm._pffft_aligned_free(memory);
      wasm._pffft_destroy_setup(plan);
      return y;
    };
    serve(package, (x, n, inverse) => run(x, n, inverse, true), {
      formats: ['fp32'], powers: false, scale: (n, inverse) => inverse ? n : 1,
      real(x, n, inverse) {
        if (inverse) return run(Float32Array.of(x[0], x[n], ...x.slice(2, n)), n, true, false);
        const y = run(x, n, false, false);
        return Float32Array.of(y[0], 0, ...y.slice(2), y[1], 0);
      }});
  };

/// The sub-libraries of webfft.
for (const part of ['kissWasm', 'kissfftmodifiedWasm', 'indutnyJavascript', 'indutnyModifiedJavascript',
                    'nockertJavascript', 'nayukiJavascript', 'nayuki3Wasm',
                    'crossWasm', 'mljsJavascript'])
  libraries[`webfft-${part}`] = package => {
    const WebFFT = installed('webfft'), plan = once(n => new (WebFFT.default ?? WebFFT)(n, part));
    serve(package, (x, n, inverse) => {
      if (n < 4 || n > 131072) throw new Refusal('needs 4 <= n <= 2^17');
      return inverse ? null : plan(n).fft(x, part);
    }, {formats: ['fp32']});
  };

const name = process.argv[2];
const packages = [['webfft', 'webfft'], ['@echogarden/', '@echogarden/pffft-wasm'], ['@tensorflow/', '@tensorflow/tfjs-core']];
const package_name = packages.find(([start]) => name.startsWith(start))?.[1] ?? name;
libraries[name](`${name} ${version_of(package_name)}`);
