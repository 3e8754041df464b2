#include "arith/accumulators/exactness.hpp"

#include <algorithm>

namespace fftprec {

int exact_bits(const AccumulatorModel& model) {
  int bits = model.format.precision;
  if (!model.product.exact) bits = std::min(bits, model.product.format.precision);
  if (model.sum == BlockSum::aligned) bits = std::min(bits, model.fraction_bits + 1);
  return bits;
}

}  // namespace fftprec
