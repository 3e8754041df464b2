#include "arith/psum.hpp"

#include <vector>

#include "arith/error.hpp"
#include "arith/round.hpp"
#include "arith/split_spec.hpp"
#include "arith/tensor_unit.hpp"

namespace fftprec {

namespace {

std::string shape(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// The words that fp32 operands are cut into, and the passes over those: `factor` is the word of
/// moving, `data` that of stationary.
struct Passes {
  Format operands;
  Rounding rounding = Rounding::rne;
  std::size_t words = 1;
  std::vector<SplitTerm> terms{{0, 0}};
};

Passes residual_passes(const Format& operands, std::size_t words, std::size_t count) {
  const SplitSpec spec = residual_split(operands, words, count);
  return {operands, Rounding::rne, words, {spec.term, spec.term + spec.count}};
}

Passes fp32_passes(Fp32Matmul matmul) {
  const std::vector<SplitTerm> four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  switch (matmul) {
    case Fp32Matmul::split_12_12:
      return {half_fp32, Rounding::rz, 2, four};
    case Fp32Matmul::three_of_12:
      return {half_fp32, Rounding::rz, 2, {four.begin(), four.begin() + 3}};
    case Fp32Matmul::split_11_11:
      return {tf32, Rounding::rz, 2, four};
    case Fp32Matmul::one_bf16:
      return {bf16};
    case Fp32Matmul::one_tf32:
      return {tf32};
    case Fp32Matmul::one_tf32_cut:
      return {tf32, Rounding::rz};
    case Fp32Matmul::two_bf16:
      return residual_passes(bf16, 2, 3);
    case Fp32Matmul::three_bf16:
      return residual_passes(bf16, 3, 6);
    case Fp32Matmul::native:
      break;
  }
  return {fp32};
}

/// x rounded to the operands, then the rounded residuals.
std::vector<RowMatrix> words_of(RowMatrix x, const Passes& passes) {
  std::vector<RowMatrix> words;
  for (std::size_t i = 0; i < passes.words; ++i) {
    words.push_back(x.unaryExpr([&passes](float value) {
      return static_cast<float>(
          round(static_cast<double>(value), passes.operands, passes.rounding));
    }));
    x -= words.back();
  }
  return words;
}

}  // namespace

PsumTile::PsumTile(Eigen::Index rows, Eigen::Index cols, const Machine& machine, Isa isa)
    : machine_(machine), isa_(isa) {
  const auto fits = [](Eigen::Index size, std::size_t limit) {
    return size > 0 && static_cast<std::size_t>(size) <= limit;
  };
  require(fits(rows, machine.m_tile) && fits(cols, machine.n_tile),
          "PsumTile: " + shape(rows, cols) + " does not fit a tile of at most " +
              std::to_string(machine.m_tile) + " x " + std::to_string(machine.n_tile));
  values_ = RowMatrix::Zero(rows, cols);
}

void PsumTile::matmul(const Eigen::Ref<const RowMatrix>& stationary,
                      const Eigen::Ref<const RowMatrix>& moving, const Format& operands,
                      bool accumulate) {
  require(stationary.rows() == moving.rows(),
          "matmul: stationary is " + shape(stationary.rows(), stationary.cols()) + ", moving " +
              shape(moving.rows(), moving.cols()) + ": their K differ");
  require(stationary.cols() == values_.rows() && moving.cols() == values_.cols(),
          "matmul: the product is " + shape(stationary.cols(), moving.cols()) + ", the tile " +
              shape(values_.rows(), values_.cols()));
  require(static_cast<std::size_t>(moving.rows()) <= machine_.k_tile,
          "matmul: K = " + std::to_string(moving.rows()) + ", at most " +
              std::to_string(machine_.k_tile) + " in one matmul");
  const bool wide = operands.precision > 12;
  const Passes passes = wide ? fp32_passes(machine_.fp32_matmul) : Passes{operands};
  const TensorUnit unit = tensor_unit(machine_, passes.operands, isa_);
  const std::vector<RowMatrix> a = words_of(stationary, passes);
  const std::vector<RowMatrix> b = words_of(moving, passes);
  Matmul<float> call{};
  call.stationary_k = static_cast<std::size_t>(stationary.cols());
  call.stationary_m = 1;
  call.moving_stride = static_cast<std::size_t>(moving.cols());
  call.psum = values_.data();
  call.psum_stride = static_cast<std::size_t>(values_.cols());
  call.m = static_cast<std::size_t>(values_.rows());
  call.n = static_cast<std::size_t>(values_.cols());
  call.k = static_cast<std::size_t>(stationary.rows());
  call.accumulate = accumulate;
  for (const SplitTerm& term : passes.terms) {
    call.stationary = a[term.data].data();
    call.moving = b[term.factor].data();
    call.step = step_++;
    unit.matmul(call);
    call.accumulate = true;
  }
}

RowMatrix PsumTile::evicted(const Format& format) const {
  return values_.unaryExpr([&format](float x) {
    return static_cast<float>(round(static_cast<double>(x), format, Rounding::rne));
  });
}

}  // namespace fftprec
