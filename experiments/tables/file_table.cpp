#include "experiments/tables/file_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"

namespace fftprec {

namespace {

/// 1 is the distance of a value that has nothing to do with the root.
constexpr double near_a_root = 0.25;

}  // namespace

FileTable::FileTable(std::string_view locator, FileMemory* memory) {
  NamedSamples file = file_array(locator, memory);
  path_ = std::move(file.path);
  samples_ = std::move(file.samples);
  const std::string& dtype = samples_->dtype;
  require(dtype == "c8" || dtype == "c16", path_,
          ": holds real numbers; a table holds complex ones, of dtype c8 or c16");
  format_ = dtype == "c8" ? fp32 : fp64;
  const std::vector<std::size_t>& shape = samples_->shape;
  const bool square = shape.size() == 2 && shape[0] == shape[1];
  if (shape.size() != 1 && !square)
    throw InputError(
        fmt::format("{}: has shape {}; a table is a vector of twiddles or an n x n DFT matrix",
                    path_, shape.empty() ? "()" : fmt::format("{}", fmt::join(shape, " x "))));
  recognise();
  for (std::size_t i = 0; i < size(); ++i)
    largest_error_ = std::max(largest_error_, std::abs(error(i)));
  largest_error_ = largest_error_ * (1 + 0x1p-50) + 0x1p-100;
}

/// The kind and sign that the fewest entries are far from, of equals the first.
void FileTable::recognise() {
  const std::size_t extent = samples_->shape[0];
  std::vector<Shape> shapes{Shape::circle, Shape::half_circle};
  if (samples_->shape.size() == 2) shapes = {Shape::matrix};
  FileTable best = *this;
  std::size_t fewest = size() + 1;
  std::size_t first_far = 0;
  for (const Shape shape : shapes) {
    shape_ = shape;
    order_ = shape == Shape::half_circle ? 2 * extent : extent;
    exact_ = std::make_shared<truth::PairRoots>(order_);
    for (const bool conjugated : {false, true}) {
      conjugated_ = conjugated;
      std::size_t far = 0;
      std::size_t first = 0;
      for (std::size_t i = size(); i-- > 0;)
        if (!(distance(i) <= near_a_root)) {
          ++far;
          first = i;
        }
      if (far >= fewest) continue;
      best = *this;
      fewest = far;
      first_far = first;
    }
  }
  *this = std::move(best);
  if (2 * fewest < size()) return;
  throw InputError(path_ + ": is no table of roots of unity: of the " + std::to_string(size()) +
                   " entries " + std::to_string(fewest) +
                   " are more than 1/4 from the nearest kind, " + "roots of order " +
                   std::to_string(order_) + ", entry " + std::to_string(first_far) + " the first");
}

std::complex<double> FileTable::entry(std::size_t i) const {
  const double im = samples_->values.im[i];
  return {samples_->values.re[i], conjugated_ ? 0 - im : im};
}

RootIndex FileTable::root(std::size_t i) const {
  if (shape_ != Shape::matrix) return {i, order_};
  return {i / order_, i % order_, order_, AngleOrder::product};
}

std::complex<double> FileTable::error(std::size_t i) const {
  const truth::ComplexDoubleDouble exact = (*exact_)(root(i).exponent() % order_);
  const std::complex<double> value = entry(i);
  return {(value.real() - exact.re.hi) - exact.re.lo, (value.imag() - exact.im.hi) - exact.im.lo};
}

double FileTable::distance(std::size_t i) const { return std::abs(error(i)); }

std::size_t FileTable::place(const RootIndex& root) const {
  if (shape_ == Shape::matrix) {
    if (root.two && root.order == order_ && root.row < order_ && root.column < order_)
      return root.row * order_ + root.column;
    const std::string order = " of order " + std::to_string(root.order);
    throw NotApplicable(path_ + ": holds the DFT matrix of order " + std::to_string(order_) +
                        " alone; " +
                        (root.two ? "entry (" + std::to_string(root.row) + ", " +
                                        std::to_string(root.column) + ") of the DFT matrix" + order
                                  : "a root" + order + " without row and column") +
                        " is asked for");
  }
  if (order_ % root.order == 0) return root.exponent() % root.order * (order_ / root.order);
  throw NotApplicable(path_ + ": holds roots of order " + std::to_string(order_) +
                      " and its divisors; one of order " + std::to_string(root.order) +
                      " is asked for");
}

void FileTable::fill(std::span<const RootIndex> roots, const Format& format, double* re,
                     double* im) const {
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const std::size_t at = place(roots[i]);
    const bool negative = at >= size();
    const std::complex<double> stored = entry(negative ? at - size() : at);
    const std::complex<double> value = negative ? -stored : stored;
    re[i] = round(value.real(), format, Rounding::rne) + 0.0;  // no zero of a table is negative
    im[i] = round(value.imag(), format, Rounding::rne) + 0.0;
  }
}

}  // namespace fftprec
