#include "experiments/tables/file_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"

namespace fftprec {

namespace {

/// Largest distance from a root. An unrelated value has a distance of about 1.
constexpr double near_a_root = 0.25;

/// j^2 in an integer of 32 bits, which wraps.
std::int64_t wrapped_square(std::uint64_t j, FileTable::Square square) {
  const auto low = static_cast<std::uint32_t>(j * j);
  if (square == FileTable::Square::uint32) return low;
  return static_cast<std::int32_t>(low);
}

struct TableKind {
  FileTable::Shape shape;
  FileTable::Square square = FileTable::Square::exact;
};

/// The kinds of arrays with this shape. Of two kinds with equal values the likelier comes first.
std::vector<TableKind> kinds_of(const std::vector<std::size_t>& shape) {
  using enum FileTable::Shape;
  using enum FileTable::Square;
  constexpr std::size_t longest_square = 46341;  // squares below 2^31
  if (shape.size() == 2) return {{matrix}};
  if (shape[0] <= longest_square) return {{circle}, {half_circle}, {chirp}};
  return {{circle}, {half_circle}, {chirp}, {chirp, int32}, {chirp, uint32}};
}

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
  FileTable best = *this;
  std::size_t fewest = size() + 1;
  std::size_t first_far = 0;
  for (const TableKind& kind : kinds_of(samples_->shape)) {
    shape_ = kind.shape;
    square_ = kind.square;
    const bool of_twice = shape_ == Shape::half_circle || shape_ == Shape::chirp;
    const std::uint64_t order = of_twice ? 2 * extent : extent;
    if (order != order_) exact_ = std::make_shared<truth::PairRoots>(order);
    order_ = order;
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
  throw InputError(path_ + ": is no table of roots of unity: " + std::to_string(fewest) + " of " +
                   std::to_string(size()) + " entries, first entry " + std::to_string(first_far) +
                   ", are more than 1/4 from the nearest kind of table, roots of order " +
                   std::to_string(order_));
}

std::complex<double> FileTable::entry(std::size_t i) const {
  const double im = samples_->values.im[i];
  return {samples_->values.re[i], conjugated_ ? 0 - im : im};
}

RootIndex FileTable::root(std::size_t i) const {
  if (shape_ == Shape::chirp) return {i, i, order_, AngleOrder::product};
  if (shape_ != Shape::matrix) return {i, order_};
  return {i / order_, i % order_, order_, AngleOrder::product};
}

RootIndex FileTable::made(std::size_t i) const {
  if (square_ == Square::exact) return root(i);
  return {static_cast<std::uint64_t>(std::abs(wrapped_square(i, square_))), order_};
}

bool FileTable::made_conjugate(std::size_t i) const {
  return square_ == Square::int32 && wrapped_square(i, square_) < 0;
}

/// value minus the exact root.
std::complex<double> FileTable::less(std::complex<double> value, std::uint64_t exponent) const {
  const truth::ComplexDoubleDouble exact = (*exact_)(exponent % order_);
  return {(value.real() - exact.re.hi) - exact.re.lo, (value.imag() - exact.im.hi) - exact.im.lo};
}

std::complex<double> FileTable::error(std::size_t i) const {
  return less(entry(i), root(i).exponent());
}

double FileTable::distance(std::size_t i) const {
  const std::complex<double> value = entry(i);
  return std::abs(less(made_conjugate(i) ? std::conj(value) : value, made(i).exponent()));
}

std::size_t FileTable::place(const RootIndex& root) const {
  if (shape_ == Shape::chirp) {
    if (root.order == order_ && root.row == root.column && root.row < size()) return root.row;
    throw NotApplicable(fmt::format(
        "{}: holds only the chirp of n = {}; the case needs another root", path_, size()));
  }
  if (shape_ == Shape::matrix) {
    if (root.two && root.order == order_ && root.row < order_ && root.column < order_)
      return root.row * order_ + root.column;
    const std::string order = " of order " + std::to_string(root.order);
    throw NotApplicable(path_ + ": holds only the DFT matrix of order " + std::to_string(order_) +
                        "; " +
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
