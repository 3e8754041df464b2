#include "arith/psum.hpp"

#include "arith/error.hpp"
#include "arith/kernels/dispatch.hpp"
#include "arith/round.hpp"
#include "arith/split.hpp"

namespace fftprec {

namespace {

std::string shape(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
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
  const MatmulKernel<float> kernel = matmul_kernel<float>(machine_, wide, isa_);
  const auto pass = [&](const RowMatrix& a, const RowMatrix& b, bool add) {
    Matmul<float> call{};
    call.stationary = a.data();
    call.stationary_k = static_cast<std::size_t>(a.cols());
    call.stationary_m = 1;
    call.moving = b.data();
    call.moving_stride = static_cast<std::size_t>(b.cols());
    call.psum = values_.data();
    call.psum_stride = static_cast<std::size_t>(values_.cols());
    call.m = static_cast<std::size_t>(values_.rows());
    call.n = static_cast<std::size_t>(values_.cols());
    call.k = static_cast<std::size_t>(a.rows());
    call.accumulate = add;
    kernel(call);
  };
  if (!wide || machine_.fp32_matmul == Fp32Matmul::native) {
    pass(stationary, moving, accumulate);
    return;
  }
  const RowMatrix a_high = stationary.unaryExpr([](float x) { return leading_slice12(x); });
  const RowMatrix b_high = moving.unaryExpr([](float x) { return leading_slice12(x); });
  const RowMatrix a_low = stationary - a_high;
  const RowMatrix b_low = moving - b_high;
  pass(a_high, b_high, accumulate);
  pass(a_high, b_low, true);
  pass(a_low, b_high, true);
  pass(a_low, b_low, true);
}

RowMatrix PsumTile::evicted(const Format& format) const {
  return values_.unaryExpr([&format](float x) {
    return static_cast<float>(round(static_cast<double>(x), format, Rounding::rne));
  });
}

}  // namespace fftprec
