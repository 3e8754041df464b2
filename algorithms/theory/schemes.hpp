/// What a scheme of elementwise products, and of the sums of such products on the vector engine,
/// means for worst case, variance and operations.
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/expectation.hpp"

namespace fftprec {

/// A sum of r complex terms t_k errs, in the norm of both parts, by at most `terms` sum|t_k| +
/// `whole` |sum t_k|.
/// `certain` is the part of `terms` that is not random; the squares of random roundings, each of a
/// sum of some of the terms, add up to `square`.
struct SumErrors {
  double terms;
  double whole;
  double certain;
  double square;
};

/// Variances of the roundings of single operations, of results of variance 1.
struct Roundings {
  double product;   ///< a real product
  double products;  ///< the sum of two products
  double sum;       ///< the sum of two like terms
  double step;      ///< one more term to a long sum
};

/// One product and its addition to a sum over k, and what a sum costs once more at its end.
struct SumCost {
  Cost step;
  Cost total;
};

/// Plain products and sums. Every other scheme is a class in schemes.cpp, which overrides what
/// differs.
class SchemeTheory {
 public:
  virtual ~SchemeTheory() = default;

  virtual ErrorBound product_error(const ArithmeticSpec& arithmetic) const;
  virtual ErrorBound dot_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) const;
  virtual SumErrors sum_errors(const ArithmeticSpec& arithmetic, std::size_t r) const;
  /// Products of floats that one product takes, at most.
  virtual double float_products(const ArithmeticSpec& arithmetic) const;

  /// Roundings of one complex product with a factor other than 1, -1, i, -i.
  virtual double rounded_product(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                                 const Roundings& once) const;
  /// The same of real factors: one product per part.
  virtual double rounded_real_product(const ArithmeticSpec& arithmetic,
                                      const TableStatistics& table, const Roundings& once) const;
  /// Whether products are rounded before they are terms of a sum.
  virtual bool rounds_terms() const { return true; }

  virtual Cost product_cost(const ArithmeticSpec& arithmetic) const;
  virtual SumCost sum_cost(const ArithmeticSpec& arithmetic) const;

  /// Whether a long sum errs by its last rounding alone, but for terms of second order.
  virtual bool compensates_sums() const { return false; }
  /// What a compensated sum of two terms is, but for terms of second order.
  virtual ProductScheme::Kind term_by_term() const { return ProductScheme::plain; }
};

const SchemeTheory& theory_of(const ProductScheme& scheme);

}  // namespace fftprec
