/* An FFT in emulated bf16, from C, and its error:
 *
 *     cc plain.c $(pkg-config --cflags --libs fftprec_c) -o plain && ./plain
 */
#include <fftprec/fftprec_c.h>
#include <stdio.h>

enum { N = 64 };

int main(void) {
  fftprec_case which = {.size = sizeof which, .mode = "bf16"};
  fftprec_metrics metrics = {.size = sizeof metrics};
  double x[2 * N], y[2 * N];
  for (int i = 0; i < 2 * N; ++i) x[i] = (i * i % 37 - 18) / 16.0;

  if (fftprec_compute(&which, x, N, y, N) != FFTPREC_OK ||
      fftprec_measure(&which, y, N, x, N, NULL, "fp32", &metrics) != FFTPREC_OK) {
    fprintf(stderr, "%s\n", fftprec_last_error());
    return 1;
  }
  printf("y[1] = %g %+gi, error %.4g, %.1f bits\n", y[2], y[3], metrics.err_l2_rel,
         metrics.bits_l2);

  which.mode = "bf17";
  if (fftprec_compute(&which, x, N, y, N) == FFTPREC_BAD_INPUT)
    printf("%.41s ...\n", fftprec_last_error());

  double third = 1.0 / 3;
  fftprec_round(&third, 1, &third, "fp8_e4m3", "ru", 0, 0);
  printf("1/3, rounded up, is %g\n", third);
  return 0;
}

/* It prints:
 *     y[1] = -2.53125 +4.3125i, error 0.005213, 7.6 bits
 *     unknown mode 'bf17'; did you mean 'bf16'? ...
 *     1/3, rounded up, is 0.34375
 */
