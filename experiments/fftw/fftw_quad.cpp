#include "experiments/fftw/fftw_plan.hpp"

// fftw3.h declares the quad functions for g++ alone; clang links them as well.
extern "C" {
__extension__ typedef __float128 fftprec_quad;
struct fftwq_plan_s;
fftprec_quad (*fftwq_alloc_complex(std::size_t n))[2];
void fftwq_free(void* buffer);
fftwq_plan_s* fftwq_plan_dft_1d(int n, fftprec_quad (*in)[2], fftprec_quad (*out)[2], int sign,
                                unsigned flags);
void fftwq_execute_dft(const fftwq_plan_s* plan, fftprec_quad (*in)[2], fftprec_quad (*out)[2]);
void fftwq_destroy_plan(fftwq_plan_s* plan);
}

namespace fftprec {

namespace {

constexpr unsigned estimate = 1u << 6;  // FFTW_ESTIMATE

struct QuadApi {
  using Value = fftprec_quad;
  using Plan = fftwq_plan_s*;
  static Value (*allocate(std::size_t n))[2] { return fftwq_alloc_complex(n); }
  static void release(Value (*buffer)[2]) { fftwq_free(buffer); }
  static Plan plan(int n, Value (*in)[2], Value (*out)[2], int sign) {
    return fftwq_plan_dft_1d(n, in, out, sign, estimate);
  }
  static void execute(Plan plan, Value (*in)[2], Value (*out)[2]) {
    fftwq_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftwq_destroy_plan(plan); }
};

}  // namespace

MakeFft<MachineArithmetic<double>> make_fftw_f128() { return make_fftw<QuadApi, double>(); }

}  // namespace fftprec
