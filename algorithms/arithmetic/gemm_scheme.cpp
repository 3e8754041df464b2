#include "algorithms/arithmetic/gemm_scheme.hpp"

namespace fftprec {

const WordProducts& GemmScheme::words() const {
  static const WordProducts of_fp32{};
  static const WordProducts of_fp64 = same_words({.format = fp64});
  if (const auto* tensor = as<TensorProducts>()) return tensor->words;
  return as<HostProducts>() ? of_fp64 : of_fp32;
}

const AccumulatorModel& GemmScheme::accumulate() const {
  static const AccumulatorModel none{};
  const auto* tensor = as<TensorProducts>();
  return tensor ? tensor->accumulate : none;
}

std::size_t GemmScheme::moduli() const {
  const auto* residues = as<ResidueProducts>();
  return residues ? residues->moduli : 0;
}

bool GemmScheme::shares_grids() const {
  return engine() == Engine::integer || data().kind == WordKind::slices;
}

GemmScheme GemmScheme::with_words(const OperandWords& data, const OperandWords& factor) const {
  TensorProducts products{.words = words(), .accumulate = accumulate()};
  products.words.data = data;
  products.words.factor = factor;
  return {products};
}

GemmScheme GemmScheme::with_exact_products() const {
  GemmScheme exact = *this;
  if (auto* tensor = std::get_if<TensorProducts>(&exact.products_)) tensor->accumulate.product = {};
  return exact;
}

int product_bits(const GemmScheme& gemm) {
  return gemm.data().format.precision + gemm.factor().format.precision;
}

}  // namespace fftprec
