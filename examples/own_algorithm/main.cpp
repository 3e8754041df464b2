/// fftprec with two algorithms more: a template, which runs in every mode, and FFTW as a function.
#include "fftw.hpp"
#include "radix3.hpp"

int main(int argc, char** argv) {
  fftprec::register_algorithm<Radix3>("radix3", "radix 3 by matrix products; n = 3^k, k >= 1");
  fftprec::register_algorithm("my-fftw", "FFTW in float, measured plans; any n", MyFftw());
  return fftprec::main(argc, argv);
}
