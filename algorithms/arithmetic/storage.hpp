/// How data are stored: when they are rounded to the storage format, and how they are scaled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Places where passes end whatever their length: at the end of an FFT or product inside a
/// transform, and of the transform itself.
inline constexpr std::size_t end_of_pass = 0;
inline constexpr std::size_t end_of_transform = std::numeric_limits<std::size_t>::max();

/// Data are stored after every operation, or they stay in the type's own format (fp32) within a
/// pass of some stages and are stored at its end. A pass ends
/// - within an FFT after every `stages` of its stages, counted from its first;
/// - at the end of an FFT, and of a product with a table that stands between two FFTs;
/// - at the end of the transform: every policy stores its input and its result.
/// In one pass only input and result are stored.
struct RoundingPoints {
  static constexpr std::size_t one_pass = std::numeric_limits<std::size_t>::max();

  std::size_t stages = 0;  ///< of a pass; 0: data are stored after every operation

  /// Whether data are in a wider format between operations.
  bool in_passes() const { return stages > 0; }
  /// Whether a pass ends after `done` stages of an FFT that has more, or at one of the places
  /// above.
  bool ends_after(std::size_t done) const {
    if (done == end_of_transform) return in_passes();
    return in_passes() && stages != one_pass && done % stages == 0;
  }

  friend bool operator==(const RoundingPoints&, const RoundingPoints&) = default;
};

/// The policy of that name: op, stage, pass:K (K = 1..64 stages), ends. Throws InputError for any
/// other name, and lists these.
RoundingPoints rounding_points_named(std::string_view name);

/// Its canonical name: pass:1 is stage.
std::string name_of(const RoundingPoints& policy);

/// Data are scaled so that a format holds them. A power of two changes no digit; any other factor
/// is one more product. Errors are measured with the scale removed.
struct ScalePolicy {
  enum class Stages {
    whole,        ///< stages do not scale
    halved,       ///< a stage that adds up r values multiplies them by 1/r first: no sum grows
    root_halved,  ///< by 1/sqrt r: the size of noise stays
    /// Block floating point: data share an exponent, so that nothing overflows. In fixed point it
    /// is chosen before each stage, from the values that the stage adds up; data stored by passes
    /// get it when they are stored. Values keep their size.
    block,
    shifted,  ///< to the right by `shifts`, in place of any division by a norm
  };
  /// Entry i is the right shift applied before radix-2 level i of an FFT; the last entry repeats. A
  /// stage of radix r after stages whose radices have the product R covers the levels from
  /// floor(log2 R) to floor(log2 Rr).
  using Shifts = std::array<std::uint8_t, 32>;

  int input = 0;  ///< operands are multiplied by 2^input before they are stored
  Stages stages = Stages::whole;
  Shifts shifts{};

  bool is_block() const { return stages == Stages::block; }
  bool scales_stages() const { return stages != Stages::whole && !is_block(); }
  /// Whether a stage of that radix has a factor; `before` is the product of the radices before it.
  bool scales_stage(std::size_t radix, std::size_t before) const {
    return scales_stages() && (stages != Stages::shifted || shift_before(radix, before) != 0);
  }
  /// The factor of data before the stage.
  double before_stage(std::size_t radix, std::size_t before) const {
    const double r = static_cast<double>(radix);
    if (!scales_stages()) return 1;
    if (stages == Stages::shifted) return std::ldexp(1.0, -shift_before(radix, before));
    return stages == Stages::halved ? 1 / r : 1 / std::sqrt(r);
  }
  /// Its square; exact for powers of two.
  double square_before_stage(std::size_t radix, std::size_t before) const {
    if (stages == Stages::root_halved) return 1 / static_cast<double>(radix);
    const double factor = before_stage(radix, before);
    return factor * factor;
  }
  /// All stages of n points together divide by n to this power, 0, 1/2 or 1, or replace this
  /// division.
  double power() const {
    if (!scales_stages()) return 0;
    return stages == Stages::root_halved ? 0.5 : 1;
  }
  /// Whether a part of the transform's own division is left after the stages.
  bool divides_after(Dft dft) const { return dft.power() > power(); }
  /// The factor that is left: 1/n or fl(1/fl(sqrt n)). Requires: divides_after(dft).
  double after_stages(Dft dft, std::size_t n) const {
    const double length = static_cast<double>(n);
    return 1 / (dft.power() - power() < 1 ? std::sqrt(length) : length);
  }

  friend bool operator==(const ScalePolicy&, const ScalePolicy&) = default;

 private:
  int shift_before(std::size_t radix, std::size_t before) const {
    const auto level_of = [](std::size_t done) { return std::countr_zero(std::bit_floor(done)); };
    int bits = 0;
    for (int level = level_of(before); level < level_of(before * radix); ++level)
      bits += shifts[std::min(static_cast<std::size_t>(level), shifts.size() - 1)];
    return bits;
  }
};

/// The policy of that name: none, input:2^K (K = -64..64), stage:1/2, stage:1/sqrt2, shift:D..D (a
/// digit per level, at most 32), block, or input:2^K+ and one of the others. Throws InputError for
/// any other name, and lists these.
ScalePolicy scale_policy_named(std::string_view name);

/// Its canonical name: input:2^0 is none.
std::string name_of(const ScalePolicy& policy);

struct NamedPolicy {
  std::string_view name;
  std::string_view summary;
};
/// One of every kind, in the order of tables.
const std::vector<NamedPolicy>& all_rounding_points();
const std::vector<NamedPolicy>& scale_policies();

}  // namespace fftprec
