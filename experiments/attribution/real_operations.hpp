/// The operations on real numbers of a small transform, one by one: which exact sum of products is
/// rounded, and how. Other judges of rounding errors read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::attribution {

/// The cosine of 2 pi exponent/order, or its opposite; 0 <= exponent <= order/4.
struct RealRoot {
  std::uint64_t exponent = 0;
  std::uint64_t order = 1;
  bool is_negative = false;
};

/// Whole numbers of 2^-root_bits; the root lies between them, or is both.
inline constexpr int root_bits = 62;
struct RootEnclosure {
  std::int64_t low;
  std::int64_t high;
};
RootEnclosure enclosure_of(const RealRoot& root);

/// A value of the list times a factor.
struct RealTerm {
  std::uint32_t value;
  double factor = 1;               ///< as computed with
  std::optional<RealRoot> root{};  ///< what the factor stands for; empty: the factor itself
};

/// A part of the input, which has no terms, or the exact sum of its terms, rounded once.
struct RealValue {
  std::vector<RealTerm> terms{};  ///< of earlier values
  std::size_t rounding = 0;       ///< in RealOperations
};

struct RealRounding {
  Format format;
  Rounding rounding;

  friend bool operator==(const RealRounding&, const RealRounding&) = default;
};

/// Values 2 i and 2 i + 1 are the parts of element i of the input.
struct RealOperations {
  std::size_t inputs = 0;  ///< complex numbers
  std::vector<RealRounding> roundings{};
  std::vector<RealValue> values{};
  std::vector<std::uint32_t> outputs{};  ///< the parts of the results: re, im, re, ...
};

/// The longest transform that is taken apart.
inline constexpr std::size_t longest_real_operations = 32;

/// The operations of a case of at most that length. Every one rounds an exact sum, so only plain
/// floats and fixed point have such a list. What it gives is compared with the emulation, bit for
/// bit, on inputs with parts in [-range, range]. Throws NotApplicable, with the reason, for other
/// arithmetics and where a bit differs; InputError for unknown names.
RealOperations real_operations(const Case& where, double range);

struct PartBound {
  double value;
  std::string theorem;
};

/// The largest error of a part of a result, as the machine holds it, that the theorem of the case
/// allows for this input, or for a smaller one if all parts are equal; empty without a theorem.
/// The error of one part is at most the 2-norm of all.
std::optional<PartBound> bound_of_parts(const Case& where, const ComplexArray<double>& input);

/// What the operations give for this input: parts of results, as `outputs`.
std::vector<double> results_of(const RealOperations& operations, const ComplexArray<double>& input);

}  // namespace fftprec::attribution
