/* The sum of the definition, in float, for fftprec: a program of docs/programs.md. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char transform[16], lengths[64], direction[16], format[16];
  size_t batch, bytes;
  printf("fftprec-program 1 plain sums 1.0\n");
  fflush(stdout);
  while (scanf("%15s %63s %15s %15s %zu %zu", transform, lengths, direction, format, &batch,
               &bytes) == 6) {
    float complex *x = malloc(bytes), *y = malloc(bytes);
    getchar(); /* the end of the line */
    if (fread(x, 1, bytes, stdin) != bytes) return 1;
    if (strcmp(transform, "fft") != 0 || strchr(lengths, 'x') || strcmp(format, "fp32") != 0) {
      printf("no only fft of one axis in fp32\n");
    } else {
      const size_t n = strtoul(lengths, NULL, 10);
      const int inverse = strcmp(direction, "inverse") == 0;
      for (size_t k = 0; k < batch * n; ++k) {
        const float complex* item = x + k / n * n;
        y[k] = 0;
        for (size_t j = 0; j < n; ++j)
          y[k] += item[j] * cexp((inverse ? 2 : -2) * M_PI * I * (double)(j * k % n) / n);
      }
      printf("ok %zu %zu\n", bytes, inverse ? n : 1); /* the inverse is n times as large */
      fwrite(y, 1, bytes, stdout);
    }
    fflush(stdout);
    free(x);
    free(y);
  }
  return 0;
}
