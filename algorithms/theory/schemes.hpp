/// What elementwise products, and sums of them on the vector engine, do: worst case, variance and
/// cost, one class per product scheme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/accumulators.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/error_bound.hpp"
#include "algorithms/theory/table_statistics.hpp"
#include "algorithms/theory/units.hpp"

namespace fftprec {

/// A sum of r complex terms t_k errs, in the norm of both parts, by at most `terms` sum|t_k| +
/// `whole` |sum t_k|.
/// `certain` is the part of `terms` that is not random. The squares of random roundings, each of a
/// sum of some of the terms, add up to `square`.
struct SumErrors {
  double terms;
  double whole;
  double certain;
  double square;
};

/// One product and its addition to a sum over k, and what a sum costs once more at its end.
struct SumCost {
  Cost step;
  Cost total;
};

/// Plain products and sums. Every other scheme is a class in schemes.cpp, which overrides what
/// differs. The arithmetic must outlive it.
class SchemeTheory {
 public:
  explicit SchemeTheory(const ArithmeticSpec& arithmetic)
      : arithmetic_(arithmetic), unit_(unit_theory(arithmetic)) {}
  virtual ~SchemeTheory() = default;

  /// |fl(wx) - wx| <= rho |w| |x| for a complex product, table error not included.
  virtual ErrorBound product_error() const;
  /// Elementwise products with an r x r DFT matrix whose entries are off by at most mu, and
  /// sequential sums.
  virtual ErrorBound dot_error(std::size_t r, double mu) const;
  /// The same as a DFT of r points whose row and column of ones take no product.
  ErrorBound dft_core_error(std::size_t r, double mu) const;
  SmallErrors small_errors() const;

  /// An elementwise product with a table, table error included, but for the loss of size of all
  /// entries, which is equal in all products: a bias. `data_bits`: how many bits data have, and the
  /// factors if those are data, too.
  double product_variance(const TableStatistics& table, int data_bits = fp64.precision) const;
  /// The same with real factors, the entries of `table` relative to their own mean square: of the
  /// complex product one real product per part is not zero.
  double real_product_variance(const TableStatistics& table) const;
  /// Variance of the errors of a table's entries in words, but for their loss of size: the mean
  /// over entries of modulus 1, and of the result of a product with them.
  double table_variance(const TableStatistics& table) const;
  /// Variances beside dot_error and dft_core_error; `core` is the matrix without ones.
  double dot_variance(const TableStatistics& table, std::size_t r, const SumData& data = {}) const;
  double dft_core_variance(const TableStatistics& core, std::size_t r,
                           const SumData& data = {}) const;
  /// The share of dot_variance in the imaginary part of a result that should be real, as it is for
  /// Hermitian data.
  double dot_imaginary_variance(std::size_t r) const;

  virtual Cost product_cost() const;
  /// Elementwise products and sums for `elements` results, each a sum of `depth` products.
  Cost dot_cost(std::uint64_t elements, std::uint64_t depth) const;
  /// `batch` n-point DFTs, without products by the row and column of ones, each sum made in `calls`
  /// calls.
  Cost dft_core_cost(std::uint64_t n, std::uint64_t batch, std::uint64_t calls = 1) const;

  /// Whether a long sum errs by its last rounding alone, but for terms of second order.
  virtual bool compensates_sums() const { return false; }
  /// What a compensated sum of two terms is, but for terms of second order.
  virtual ProductScheme::Kind term_by_term() const { return ProductScheme::plain; }

 protected:
  virtual SumErrors sum_errors(std::size_t r) const;
  virtual double small_product() const;
  /// Variance of the roundings of one complex product with a factor other than 1, -1, i, -i.
  virtual double rounded_product(const TableStatistics& table, const Roundings& once) const;
  /// The same with real factors: one product per part.
  virtual double rounded_real_product(const TableStatistics& table, const Roundings& once) const;
  /// Whether products are rounded before they are terms of a sum.
  virtual bool rounds_terms() const { return true; }
  virtual SumCost sum_cost() const;

  const ArithmeticSpec& arithmetic_;
  std::unique_ptr<const UnitTheory> unit_;

 private:
  double term_variance(const TableStatistics& table, int data_bits) const;
  double long_sum_variance(std::size_t r) const;
  double sums_variance(const TableStatistics& table, std::size_t r, const SumData& data) const;
};

std::unique_ptr<const SchemeTheory> scheme_theory(const ArithmeticSpec& arithmetic);

}  // namespace fftprec
