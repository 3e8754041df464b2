/// A mode on a machine, resolved once: how data are stored, where they are rounded and scaled, and
/// how elementwise products, sums and matrix products are formed. Kernels, bounds, expectations,
/// costs and predictions take this value; no layer below needs the mode or its name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "algorithms/arithmetic/gemm_scheme.hpp"
#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/arithmetic/product_decorator.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "algorithms/arithmetic/storage_type.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// Which data share an exponent where the scale is `block`.
enum class SharedExponent {
  none,
  of_stores,      ///< data that are stored together, and operands of a matrix product
  of_operations,  ///< results of one operation: fixed point
};

/// Number of transforms that are stored at once, and of values in each. Blocks may depend on them;
/// 0: unknown.
struct StoredLines {
  std::size_t batch = 0;
  std::size_t n = 0;
};

/// The reason why a mode has no arithmetic on a machine.
struct Refusal {
  std::string reason;
};

class ArithmeticSpec {
 public:
  /// The arithmetic of a mode on a machine with these policies of storage and scale, or the reason
  /// why there is none. Throws InputError for a machine that contradicts the mode.
  static std::variant<ArithmeticSpec, Refusal> make(
      const Mode& mode, const Machine& machine, const RoundingPoints& stores,
      const ScalePolicy& scale, std::shared_ptr<const ProductDecorator> decorator = nullptr);

  const std::string& mode() const { return mode_; }  ///< its name, for messages
  const Machine& machine() const { return machine_; }

  const StorageType& storage() const { return storage_; }
  ArithmeticType type() const { return type_; }
  /// Of data between passes, of input and result.
  const Format& storage_format() const { return storage_format_; }
  /// Of data whose values share scales, else null.
  const BlockFormat* block_format() const {
    const auto* blocks = std::get_if<BlockStorage>(&storage_);
    return blocks ? &blocks->blocks : nullptr;
  }
  /// Whether results beyond the range of the storage format are counted: in fixed point.
  bool counts_overflows() const { return std::holds_alternative<FixedStorage>(storage_); }
  /// The range of the storage format times a shared power of two, `format`. Numbers beyond it are
  /// overflows, but for 1, which is stored as the number next to it.
  StorageLimits limits_of(const Format& format) const {
    if (!counts_overflows()) return {};
    return {min_finite(format) - min_subnormal(format), max_finite(format) + min_subnormal(format)};
  }
  /// Whether the rounding error of a stored value does not depend on its size: in fixed point.
  bool has_absolute_errors() const { return std::holds_alternative<FixedStorage>(storage_); }
  /// Whether all stored values have equally many digits, except below the normal numbers.
  bool has_normal_range() const { return !has_absolute_errors() && !storage_format_.tapers(); }
  /// Whether stored values share scales, those of blocks or one of all.
  bool shares_scales() const {
    return std::holds_alternative<BlockStorage>(storage_) || scale_.is_block();
  }
  /// Whether errors of stored values depend on lines().
  bool depends_on_lines() const {
    const BlockFormat* blocks = block_format();
    return scale_.is_block() || (blocks && blocks->depends_on_lines());
  }
  const StoredLines& lines() const { return lines_; }
  /// A rounding to the storage format errs by at most the larger of u |x| and this; above 0 where
  /// small values have fewer digits.
  double least_error() const { return least_error_; }
  bool rounds_result() const {  ///< the result leaves as fp32, whatever the type
    const auto* words = std::get_if<WordStorage>(&storage_);
    return words && words->rounds_result;
  }

  /// In passes, operations round to the type's own format, and tables are in it.
  const RoundingPoints& stores() const { return stores_; }
  /// Of data between vector operations.
  const Format& operation_format() const { return operation_format_; }
  /// Of tables before they are cut into words.
  const Format& table_format() const { return table_format_; }
  /// The type's own format; in fixed point the format of data, to which every result is rounded.
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
  /// What changes split products from outside; null if they are not split or nothing does.
  const ProductDecorator* decorator() const { return is_split() ? decorator_.get() : nullptr; }
  const GemmScheme& gemm() const { return gemm_; }
  /// How matrix products are formed. Throws NotApplicable, with the reason, if the machine has no
  /// way to form them.
  const GemmScheme& matrices() const;

  int refinement_steps() const { return refinement_ ? refinement_->steps : 0; }
  /// The residual is formed by fp32 arithmetic, not by the mode's own inverse.
  bool accurate_residual() const { return refinement_ && refinement_->accurate_residual; }

  /// Another mode on the same machine, with the same decorator, stored after every operation.
  ArithmeticSpec in_mode(const Mode& mode) const { return {mode, machine_, {}, {}, decorator_}; }
  /// The same with plain elementwise products in the type's own format.
  ArithmeticSpec in_wide_format() const;
  /// The same with data in the place of tables.
  ArithmeticSpec with_data_as_tables() const;
  /// The same with other elementwise products. Requires: neither these nor those are split.
  ArithmeticSpec with_products(ProductScheme::Kind products) const;
  ArithmeticSpec with_refinement_steps(int steps) const;
  ArithmeticSpec on_lines(const StoredLines& lines) const;
  /// The same with a zone of a number system in place of the whole system.
  ArithmeticSpec in_zone(const Format& zone, double least_error) const;
  /// The same without evictions to narrower formats, and with products that nothing rounds.
  ArithmeticSpec without_evictions() const;
  ArithmeticSpec with_exact_products() const;

 private:
  ArithmeticSpec(const Mode& mode, const Machine& machine, const RoundingPoints& stores,
                 const ScalePolicy& scale, std::shared_ptr<const ProductDecorator> decorator);
  /// The reason why these policies do not apply, or an empty string.
  std::string refusal_of_stores() const;
  std::string refusal_of_scale() const;
  std::string refusal_of_exponent() const;

  std::string mode_;
  Machine machine_;
  std::shared_ptr<const ProductDecorator> decorator_;
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
ArithmeticSpec resolve(const Mode& mode, const Machine& machine, const RoundingPoints& stores = {},
                       const ScalePolicy& scale = {},
                       std::shared_ptr<const ProductDecorator> decorator = nullptr);

/// A factor of all data as products use it: rounded once to nearest, to the format of data. In
/// fixed point it has the digits of tables and any exponent: no factor is too small.
double stored_factor(const ArithmeticSpec& arithmetic, double factor);

/// How the integer unit computes; each use of random bits has its own `stream`.
/// Requires: arithmetic.on_integers().
FixedPoint fixed_point(const ArithmeticSpec& arithmetic, std::uint64_t stream);

/// The elementwise scheme, and the scheme of plain products in the type's own format.
ElementScheme element_scheme(const ArithmeticSpec& arithmetic);
ElementScheme wide_scheme(const ArithmeticSpec& arithmetic);

/// The words of elementwise products: of split ones; of others, whole values.
GemmScheme element_words(const ArithmeticSpec& arithmetic);

/// Bits of the slices of table and data for a contraction of length `depth`: those of the mode, or
/// the most that leave every PSUM exact. `exact`: whether every PSUM is. Products of the real and
/// of the imaginary part of the data chain in one PSUM (chained = 2) unless slices may have more
/// bits where the parts are evicted apart.
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
