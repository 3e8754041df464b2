/// Storage formats of data, and the C++ types that hold them.
#pragma once

#include <limits>
#include <utility>
#include <variant>

#include "arith/formats/double_word.hpp"
#include "arith/formats/format.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// The type of array elements.
enum class ArithmeticType {
  floats,   ///< float
  doubles,  ///< double; vector operations run on the host
  pairs,    ///< FloatPair: fp32 double words
};

/// The type of arrays of Real.
template <class Real>
inline constexpr ArithmeticType type_of = ArithmeticType::floats;
template <>
inline constexpr ArithmeticType type_of<double> = ArithmeticType::doubles;
template <>
inline constexpr ArithmeticType type_of<FloatPair> = ArithmeticType::pairs;

/// The format of the type: of wide products and of the results of matrix products.
Format wide_format(ArithmeticType type);

/// Calls what(Real{}) with the type.
template <class What>
decltype(auto) with_type(ArithmeticType type, What what) {
  switch (type) {
    case ArithmeticType::doubles:
      return what(double{});
    case ArithmeticType::pairs:
      return what(FloatPair{});
    default:
      return what(float{});
  }
}

/// The least and the largest number that do not overflow.
struct StorageLimits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// fp32, fp64, or another binary format that float holds; or one in doubles.
struct FloatStorage {
  Format format = fp32;
  bool in_doubles = false;

  ArithmeticType type() const {
    return in_doubles || format == fp64 ? ArithmeticType::doubles : ArithmeticType::floats;
  }
};

/// A posit, takum or P3109 format, or a list of values.
struct SystemStorage {
  Format format;

  ArithmeticType type() const;
};

/// Data and tables in fixed point. Results beyond the range are counted.
struct FixedStorage {
  Format format;
  Format table;

  ArithmeticType type() const;
};

/// fp32 data whose values share scales.
struct BlockStorage {
  BlockFormat blocks;
  Format format = fp32;

  ArithmeticType type() const { return ArithmeticType::floats; }
};

/// Double words of fp32.
struct WordStorage {
  bool rounds_result = false;  ///< the result leaves as fp32
  Format format = fp32_pair;

  ArithmeticType type() const { return ArithmeticType::pairs; }
};

using StorageType =
    std::variant<FloatStorage, SystemStorage, FixedStorage, BlockStorage, WordStorage>;

/// Of std::visit.
template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace fftprec
