#include "arith/accumulators/psum.hpp"

#include <vector>

#include "arith/formats/round.hpp"
#include "arith/machines/fp32_passes.hpp"
#include "arith/machines/tensor_unit.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

std::string shape(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// x rounded to the operands, then the rounded residuals.
std::vector<RowMatrix> words_of(RowMatrix x, const Fp32Passes& passes) {
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
  // `factor` is the word of moving, `data` that of stationary.
  const Fp32Passes passes = wide ? fp32_passes(machine_.fp32_matmul) : Fp32Passes{operands};
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
