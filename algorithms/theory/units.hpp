/// What single operations on data do: worst case, variance and cost, one class per unit that
/// carries them out.
#pragma once

#include <memory>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/error_bound.hpp"
#include "algorithms/theory/table_statistics.hpp"

namespace fftprec {

/// Bounds on |fl(x op y) - x op y| relative to |x op y|.
struct RealErrors {
  ErrorBound product;
  ErrorBound sum;
};

/// Absolute errors of the same operations: eta in fl(x op y) = (x op y)(1 + delta) + eta.
struct SmallErrors {
  double product = 0;
  double sum = 0;  ///< sums of multiples of the smallest number are exact down there
};

/// Variances of the roundings of single operations, of results of variance 1.
struct Roundings {
  double product = 0;   ///< a real product
  double products = 0;  ///< the sum of two products
  double sum = 0;       ///< the sum of two like terms
  double step = 0;      ///< one more term to a long sum
};

/// The machine's integer unit, vector engine or host, or floats that are computed in a wider type
/// and stored after every operation. The arithmetic must outlive it.
class UnitTheory {
 public:
  explicit UnitTheory(const ArithmeticSpec& arithmetic) : arithmetic_(arithmetic) {}
  virtual ~UnitTheory() = default;
  virtual RealErrors errors() const = 0;
  virtual Roundings roundings() const = 0;
  /// The same for data of `data_bits` bits, and for factors of as many if those are data.
  virtual Roundings roundings_of_short(const TableStatistics& /*factors*/,
                                       int /*data_bits*/) const {
    return roundings();
  }
  SmallErrors small_errors() const;

  virtual Cost scaling_cost() const { return {{1, 0, 0}, 0, 0}; }  ///< one real product
  virtual Cost sum_cost() const { return {{0, 1, 0}, 0, 0}; }      ///< one real sum

  /// Whether sums of a few values of `data_bits` bits are exact.
  virtual bool holds_sums_of(int /*data_bits*/) const { return false; }
  /// Whether even a product with a power of two rounds: the multiplier delivers fewer bits than
  /// data have.
  virtual bool narrows_products() const { return false; }
  /// Whether a product and the sum after it round once.
  virtual bool fuses() const { return false; }
  /// One sum in fp32 of a term that has left PSUM.
  virtual ErrorBound fp32_sum() const;
  /// The words of tables in elementwise products: the format that TableStatistics are taken for.
  virtual Format table_word() const;

 protected:
  const ArithmeticSpec& arithmetic_;

 private:
  virtual SmallErrors errors_below_normal() const = 0;
};

std::unique_ptr<const UnitTheory> unit_theory(const ArithmeticSpec& arithmetic);

/// Bits of a product of data of `data_bits` bits with a factor, which has equally many if factors
/// are data.
int bits_of_products(const TableStatistics& factors, int data_bits);

}  // namespace fftprec
