#include "algorithms/theory/rounding_errors.hpp"

#include "algorithms/theory/bounds.hpp"

namespace fftprec {

namespace {

constexpr double u = 0x1p-24;

bool on_vector_engine(const Mode& mode) {
  return mode.carrier == DataCarrier::floats && mode.storage == fp32;
}

}  // namespace

double rounding_error(const Format& format, Rounding rounding) {
  const double nearest = unit_roundoff(format);
  return rounding == Rounding::rne || rounding == Rounding::rna ? nearest : 2 * nearest;
}

RealErrors real_errors(const Mode& mode, const Machine& machine) {
  const double nearest = unit_roundoff(mode.storage);
  const double store = mode.storage == fp64 ? nearest : rounding_error(mode.storage, machine.casts);
  const bool on_floats = mode.carrier == DataCarrier::floats;
  if (mode.carrier == DataCarrier::pairs) return {store, 5 * u * u, 3 * u * u / (1 - 4 * u)};
  if (!on_vector_engine(mode)) {
    // Stochastic stores round what an fp32 operation has rounded to nearest.
    const double operation =
        machine.casts == Rounding::sr && on_floats ? compose(store, u) : nearest;
    return {store, operation, operation};
  }
  const VectorEngine& engine = machine.vector;
  const Format product{engine.product_bits, fp32.emin, fp32.emax};
  return {store, rounding_error(product, engine.product_rounding),
          rounding_error(fp32, engine.sum_rounding)};
}

bool products_are_narrow(const Mode& mode, const Machine& machine) {
  return on_vector_engine(mode) && machine.vector.product_bits < fp32.precision;
}

/// Pairs: DWPlusFP, 2u^2 (arith/splitting/slices.hpp).
double term_sum_error(const GemmScheme& gemm, const Mode& mode, const Machine& machine) {
  switch (gemm.sum) {
    case TermSum::in_pairs:
      return 2 * u * u;
    case TermSum::in_fp64:
      return unit_roundoff(fp64);
    default:
      return on_vector_engine(mode) ? real_errors(mode, machine).sum : u;
  }
}

}  // namespace fftprec
