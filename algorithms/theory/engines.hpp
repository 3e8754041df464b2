/// What matrix products do: worst case, variance, bias and cost, one class per engine that forms
/// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "algorithms/theory/accumulators.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/error_bound.hpp"
#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

/// Products with an r x r DFT matrix whose entries are off by at most mu, or have these statistics.
/// The arithmetic must outlive it.
class EngineTheory {
 public:
  explicit EngineTheory(const ArithmeticSpec& arithmetic) : arithmetic_(arithmetic) {}
  virtual ~EngineTheory() = default;

  virtual ErrorBound bound(std::size_t r, double mu) const = 0;
  /// A product with any matrix, relative to ||x||_F ||W||_F.
  ErrorBound computed_bound(std::size_t depth) const;
  /// Absolute error of each part of a product of that depth with factors of modulus 1.
  virtual double small_error(std::size_t depth) const = 0;

  virtual double variance(const TableStatistics& table, std::size_t r,
                          const SumData& data = {}) const = 0;
  /// Expected loss of size of the result.
  virtual double bias(const TableStatistics& table, std::size_t /*r*/,
                      const SumData& /*data*/ = {}) const {
    return table.loss;
  }
  /// The share of the variance from the errors of table entries in words, but for their loss of
  /// size.
  virtual double table_variance(const TableStatistics& table, std::size_t r) const = 0;
  /// The share from words that are left out.
  virtual double words_variance(const TableStatistics& /*factors*/, std::size_t /*depth*/) const {
    return 0;
  }
  /// The share that vanishes if data are in the words' format already, as between passes.
  virtual double variance_unless_stored() const { return 0; }
  /// The share in the imaginary part of a result that should be real, as it is for Hermitian data.
  virtual double imaginary_variance(std::size_t /*r*/) const { return 0; }
  virtual ErrorSources sources() const { return ErrorSources::only(ErrorSource::accumulation); }

  /// `rows` products of a vector of length `depth` with a depth x outputs matrix.
  virtual Cost cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows) const = 0;
  virtual KernelCalls calls() const;
  /// The words of tables: the format that TableStatistics are taken for.
  virtual Format table_word() const;

 protected:
  const ArithmeticSpec& arithmetic_;

 private:
  /// Relative to ||x||_F ||W||_F / sqrt(depth).
  virtual ErrorBound any_matrix_bound(std::size_t depth) const = 0;
};

/// The engine of the mode. Throws NotApplicable where the machine multiplies no matrices in it.
std::unique_ptr<const EngineTheory> engine_theory(const ArithmeticSpec& arithmetic);

/// Elementwise products and sums on the vector engine.
std::unique_ptr<const EngineTheory> vector_engine_theory(const ArithmeticSpec& arithmetic);

}  // namespace fftprec
