#include <fftw3.h>

#include "experiments/fftw/fftw_plan.hpp"

namespace fftprec {

namespace {

struct SingleApi {
  using Value = float;
  using Plan = fftwf_plan;
  static fftwf_complex* allocate(std::size_t n) { return fftwf_alloc_complex(n); }
  static void release(fftwf_complex* buffer) { fftwf_free(buffer); }
  static Plan plan(int n, fftwf_complex* in, fftwf_complex* out, int sign) {
    return fftwf_plan_dft_1d(n, in, out, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, fftwf_complex* in, fftwf_complex* out) {
    fftwf_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
};

struct DoubleApi {
  using Value = double;
  using Plan = fftw_plan;
  static fftw_complex* allocate(std::size_t n) { return fftw_alloc_complex(n); }
  static void release(fftw_complex* buffer) { fftw_free(buffer); }
  static Plan plan(int n, fftw_complex* in, fftw_complex* out, int sign) {
    return fftw_plan_dft_1d(n, in, out, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, fftw_complex* in, fftw_complex* out) {
    fftw_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

}  // namespace

MakeFft<MachineArithmetic<float>> make_fftw_f32() { return make_fftw<SingleApi, float>(); }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return make_fftw<DoubleApi, double>(); }

}  // namespace fftprec
