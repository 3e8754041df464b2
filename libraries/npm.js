// FFTs of npm packages: node npm.js NAME.
const {Refusal, serve, apart, together, once} = require('./adapter.js');

/// A package of the folder in which this runs.
const installed = name => require(require.resolve(name, {paths: [process.cwd()]}));

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
      if (n < 2) throw new Refusal('needs n >= 2');
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
    const {FFT} = installed('kissfft-js'), plan = once(n => new FFT(n));
    serve(package, (x, n, inverse) => inverse ? null : plan(n).forward(x),  // inverse() of 0.1.8 throws
          {formats: ['fp32'], powers: false});
  },
};

/// The sub-libraries of webfft.
for (const part of ['kissWasm', 'kissfftmodifiedWasm', 'indutnyJavascript', 'indutnyModifiedJavascript',
                    'nockertJavascript', 'nayukiJavascript', 'nayuki3Wasm',
                    'crossWasm', 'mljsJavascript'])
  libraries[`webfft-${part}`] = package => {
    const WebFFT = installed('webfft'), plan = once(n => new (WebFFT.default ?? WebFFT)(n, part));
    serve(package, (x, n, inverse) => {
      if (n < 4) throw new Refusal('needs n >= 4');
      return inverse ? null : plan(n).fft(x, part);
    }, {formats: ['fp32']});
  };

const name = process.argv[2];
const package_name = name.startsWith('webfft') ? 'webfft' : name;
libraries[name](`${name} ${installed(`${package_name}/package.json`).version}`);
