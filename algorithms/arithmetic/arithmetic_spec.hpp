/// A mode on a machine, worked out once: how data are stored, where they are rounded and scaled,
/// and how elementwise products, sums and matrix products are formed. Kernels, bounds,
/// expectations, costs and predictions take this value; below it nothing asks for a mode or its
/// name again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "algorithms/arithmetic/gemm_scheme.hpp"
#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "algorithms/arithmetic/storage_type.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// What data share whose scale is `block`.
enum class SharedExponent {
  none,
  of_stores,      ///< data that are stored together have one, and operands of matrix products
  of_operations,  ///< the results of an operation have one: fixed point
};

/// Transforms that are stored at once, and values in each, where blocks need them; 0: unknown.
struct StoredLines {
  std::size_t batch = 0;
  std::size_t n = 0;
};

/// Why there is no arithmetic.
struct Refusal {
  std::string reason;
};

class ArithmeticSpec {
 public:
  /// The arithmetic of a mode on a machine whose data are stored and scaled by these policies, or
  /// why there is none. Throws InputError for a machine that cannot be.
  static std::variant<ArithmeticSpec, Refusal> make(const Mode& mode, const Machine& machine,
                                                    const Faults& faults,
                                                    const RoundingPoints& stores,
                                                    const ScalePolicy& scale);

  const std::string& mode() const { return mode_; }    ///< its name, for messages
  const Machine& machine() const { return machine_; }  ///< the hardware
  const Faults& faults() const { return faults_; }     ///< of the software around it

  const StorageType& storage() const { return storage_; }
  ArithmeticType type() const { return type_; }
  /// Of data between passes, of input and result.
  const Format& storage_format() const { return storage_format_; }
  /// Of such data whose values share scales, else null.
  const BlockFormat* block_format() const {
    const auto* blocks = std::get_if<BlockStorage>(&storage_);
    return blocks ? &blocks->blocks : nullptr;
  }
  /// Whether results beyond the range of the storage format are counted: in fixed point.
  bool counts_overflows() const { return std::holds_alternative<FixedStorage>(storage_); }
  /// Numbers beyond these overflow that format, the storage format times a shared power of two; 1
  /// is stored as the number next to it.
  StorageLimits limits_of(const Format& format) const {
    if (!counts_overflows()) return {};
    return {min_finite(format) - min_subnormal(format), max_finite(format) + min_subnormal(format)};
  }
  /// Whether what a stored value errs by has nothing to do with its size: in fixed point.
  bool has_absolute_errors() const { return std::holds_alternative<FixedStorage>(storage_); }
  /// Whether all stored values have as many digits, but for those below the normal numbers.
  bool has_normal_range() const { return !has_absolute_errors() && !storage_format_.tapers(); }
  const StoredLines& lines() const { return lines_; }
  /// A rounding to the storage format errs by the larger of its share of the value and this: where
  /// small values have fewer digits.
  double least_error() const { return least_error_; }
  bool rounds_result() const {  ///< the result leaves as fp32, whatever the type
    const auto* words = std::get_if<WordStorage>(&storage_);
    return words && words->rounds_result;
  }

  /// By passes: operations round to the type's own format, and tables are in it.
  const RoundingPoints& stores() const { return stores_; }
  /// Of data between vector operations.
  const Format& operation_format() const { return operation_format_; }
  /// Of tables before they are cut into words.
  const Format& table_format() const { return table_format_; }
  /// The type's own format; in fixed point that of data, to which every result is rounded.
  const Format& wide() const { return wide_; }
  const Format& wide_table() const { return wide_table_; }
  /// Whether an integer unit adds and multiplies, so that roundings err by a share of a quantum
  /// whatever the size of a value.
  bool on_integers() const { return on_integers_; }

  const ScalePolicy& scale() const { return scale_; }  ///< of data
  SharedExponent shared_exponent() const { return shared_exponent_; }

  const ProductScheme& product() const { return product_; }  ///< elementwise
  /// True where fp32 data and tables are cut into words.
  bool is_split() const { return product_.words() != nullptr; }
  const GemmScheme& gemm() const { return gemm_; }
  /// How matrix products are formed. Throws NotApplicable, with the reason, if they are not.
  const GemmScheme& matrices() const;

  int refinement_steps() const { return refinement_ ? refinement_->steps : 0; }
  /// The residual is formed by fp32 arithmetic, not by the mode's own inverse.
  bool accurate_residual() const { return refinement_ && refinement_->accurate_residual; }

  /// The same with plain elementwise products in the type's own format.
  ArithmeticSpec in_wide_format() const;
  /// The same with data in the place of tables.
  ArithmeticSpec with_data_as_tables() const;
  /// The same with those elementwise products. Requires: neither are split.
  ArithmeticSpec with_products(ProductScheme::Kind products) const;
  ArithmeticSpec with_refinement_steps(int steps) const;
  ArithmeticSpec on_lines(const StoredLines& lines) const;
  /// The same with a zone of a number system in its place.
  ArithmeticSpec in_zone(const Format& zone, double least_error) const;
  /// The same without evictions to narrower formats, and with products that nothing rounds.
  ArithmeticSpec without_evictions() const;
  ArithmeticSpec with_exact_products() const;

 private:
  ArithmeticSpec(const Mode& mode, const Machine& machine, const Faults& faults,
                 const RoundingPoints& stores, const ScalePolicy& scale);
  /// Why its data cannot be stored or scaled so, or an empty string.
  std::string refusal_of_stores() const;
  std::string refusal_of_scale() const;
  std::string refusal_of_exponent() const;

  std::string mode_;
  Machine machine_;
  Faults faults_;
  StorageType storage_;
  ArithmeticType type_;
  Format storage_format_;
  StoredLines lines_{};
  double least_error_ = 0;
  RoundingPoints stores_;
  bool on_integers_;
  Format operation_format_;
  Format table_format_;
  Format wide_;
  Format wide_table_;
  ScalePolicy scale_;
  SharedExponent shared_exponent_ = SharedExponent::none;
  ProductScheme product_;
  GemmScheme gemm_;
  std::optional<Refinement> refinement_;
};

/// As ArithmeticSpec::make. Throws NotApplicable, with the reason, if there is none.
ArithmeticSpec resolve(const Mode& mode, const Machine& machine, const Faults& faults,
                       const RoundingPoints& stores = {}, const ScalePolicy& scale = {});
ArithmeticSpec resolve(const Mode& mode, const NamedMachine& machine,
                       const RoundingPoints& stores = {}, const ScalePolicy& scale = {});

/// A factor of all data, as products take it: rounded once to nearest, to the format of data. In
/// fixed point the digits of tables, shifted: no factor is too small.
double stored_factor(const ArithmeticSpec& arithmetic, double factor);

/// How an integer unit computes; `stream` tells this use of random bits from others. Requires:
/// arithmetic.on_integers().
FixedPoint fixed_point(const ArithmeticSpec& arithmetic, std::uint64_t stream);

/// The elementwise scheme, and the scheme of plain products in the type's own format.
ElementScheme element_scheme(const ArithmeticSpec& arithmetic);
ElementScheme wide_scheme(const ArithmeticSpec& arithmetic);

/// The words of elementwise products: of split ones; of others, whole values.
GemmScheme element_words(const ArithmeticSpec& arithmetic);

/// Bits of the slices of table and data for a contraction of length `depth`: those of the mode, or
/// as many as leave every PSUM exact; whether they do. Products of the real and of the imaginary
/// part of the data chain in one PSUM (chained = 2) unless evicting them apart leaves more bits.
struct SliceBits {
  int factor;
  int data;
  bool exact;
  std::size_t chained;
};
SliceBits slice_bits(const ArithmeticSpec& arithmetic, std::size_t depth);

/// The words of table and data for a contraction of that length.
OperandWords factor_words(const ArithmeticSpec& arithmetic, std::size_t depth);
OperandWords data_words(const ArithmeticSpec& arithmetic, std::size_t depth);

}  // namespace fftprec
