/* [y, error] = fftprec_fft(x, mode): the FFT of a vector x as fftprec emulates it, and its error
 * err_l2_rel, for Octave and MATLAB:
 *
 *     mkoctfile --mex fftprec_fft.c $(pkg-config --cflags --libs fftprec_c)
 */
#include <fftprec/fftprec_c.h>
#include <mex.h>

void mexFunction(int outputs, mxArray* output[], int inputs, const mxArray* input[]) {
  (void)outputs;
  if (inputs != 2 || !mxIsDouble(input[0]) || !mxIsChar(input[1]))
    mexErrMsgTxt("fftprec_fft: give a vector of doubles and the name of a mode");
  const size_t n = mxGetNumberOfElements(input[0]);
  const double* re = mxGetPr(input[0]);
  const double* im = mxGetPi(input[0]);
  double* x = mxCalloc(2 * n, sizeof *x); /* freed by the interpreter, also after an error */
  double* y = mxCalloc(2 * n, sizeof *y);
  for (size_t i = 0; i < n; ++i) {
    x[2 * i] = re[i];
    x[2 * i + 1] = im ? im[i] : 0;
  }

  fftprec_case which = {.size = sizeof which, .mode = mxArrayToString(input[1])};
  fftprec_metrics metrics = {.size = sizeof metrics};
  if (fftprec_compute(&which, x, n, y, n) ||
      fftprec_measure(&which, y, n, x, n, NULL, NULL, &metrics))
    mexErrMsgTxt(fftprec_last_error());

  output[0] = mxCreateDoubleMatrix(mxGetM(input[0]), mxGetN(input[0]), mxCOMPLEX);
  double* to_re = mxGetPr(output[0]);
  double* to_im = mxGetPi(output[0]);
  for (size_t i = 0; i < n; ++i) {
    to_re[i] = y[2 * i];
    to_im[i] = y[2 * i + 1];
  }
  output[1] = mxCreateDoubleScalar(metrics.err_l2_rel);
}
