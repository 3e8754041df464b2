/// Number formats as data: precision, exponent range, subnormals, overflow. Roundings are
/// arguments, never state of the thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/number_system.hpp"

namespace fftprec {

enum class Rounding {
  rne,  ///< to nearest, ties to the even significand
  rna,  ///< to nearest, ties away from zero
  rz,   ///< toward zero
  ru,   ///< toward +infinity
  rd,   ///< toward -infinity
  odd,  ///< an inexact result becomes the neighbour with the odd significand (sticky last bit)
  sr,   ///< stochastic: up with the probability of the discarded part (round.hpp)
  rnu,  ///< to nearest, ties toward +infinity: adds half a last place, then cuts
};

/// To nearest, with any rule for ties.
[[gnu::always_inline]] inline constexpr bool is_nearest(Rounding rounding) {
  return rounding == Rounding::rne || rounding == Rounding::rna || rounding == Rounding::rnu;
}

/// When stochastic rounding goes away from zero: the variants of IEEE P3109. f is the discarded
/// fraction of a last place, and R < 2^N has N random bits.
enum class Stochastic {
  a,  ///< floor(2^N f) + R >= 2^N: the probability is too low, by up to 2^-N
  b,  ///< floor(2^(N+1) f) + 2 R + 1 >= 2^(N+1): off by up to 2^-(N+1) either way
  c,  ///< round(2^N f) + R >= 2^N, ties to even: off by up to 2^-(N+1) either way
};

/// A rounding's names and meaning.
struct NamedRounding {
  std::string_view name;
  std::string_view summary;
  Rounding rounding;
  std::string_view standard{};  ///< its name in IEEE P3109, if it has one
  Stochastic variant = Stochastic::a;
};

/// All roundings, in the order of the enumeration, then the other variants of sr: "sr:b", "sr:c".
const std::vector<NamedRounding>& named_roundings();

/// The rounding of this name, here or in P3109. Throws InputError for an unknown name, listing the
/// known ones.
const NamedRounding& rounding_entry(std::string_view name);
Rounding rounding_named(std::string_view name);

/// "rne", "rna", "rz", "ru", "rd", "odd", "sr" or "rnu".
std::string_view name_of(Rounding rounding);

/// What a format does with a value that rounds beyond its largest finite value.
enum class Overflow {
  infinity,  ///< IEEE 754: infinity, or the largest finite value, depending on the rounding
  saturate,  ///< no infinities: the largest finite value, with the value's sign
  nan,       ///< no infinities: NaN; the all-ones significand of the top binade is the NaN code
  wrap,      ///< fixed point: the value modulo the width
};

/// How the values of a format are spaced.
enum class Grid {
  floating,         ///< equally many values in each binade
  fixed,            ///< the multiples of the quantum in two's complement
  fixed_from_zero,  ///< the non-negative multiples
};

/// A binary floating-point format. Its finite values are +-m * 2^(e - precision + 1) with integer
/// m < 2^precision and emin <= e <= emax; u = 2^-precision is its unit roundoff.
///
/// Or fixed point (qI.F, uI.F): the multiples of 2^-F = 2^(emin - precision + 1) from -2^(emax+1),
/// or from 0, to below 2^(emax+1), emin = emax. The rounding error is up to this quantum, however
/// small the value, so there is no unit roundoff.
///
/// Or a number system whose codes are spaced differently. The other fields then describe a binary
/// format that holds all of its values, which suffices to choose a carrier.
struct Format {
  int precision;           ///< significand bits, the implicit one included
  int emin;                ///< exponent of the smallest normal number, 2^emin
  int emax;                ///< exponent of the top binade, [2^emax, 2^(emax+1))
  bool subnormals = true;  ///< false: magnitudes below 2^emin round to 0 or 2^emin
  Overflow overflow = Overflow::infinity;
  Grid grid = Grid::floating;
  const NumberSystem* system = nullptr;

  [[gnu::always_inline]] constexpr bool is_fixed() const { return grid != Grid::floating; }
  /// Whether values have fewer significant bits the farther they are from 1.
  [[gnu::always_inline]] constexpr bool tapers() const { return system && system->tapers; }
  /// Whether a value that rounds to nearest beyond the largest value becomes the largest value. For
  /// a number system, `overflow` is about infinities.
  constexpr bool saturates() const {
    return system ? system->ends.overflow_becomes == system->ends.largest
                  : overflow == Overflow::saturate;
  }

  friend constexpr bool operator==(const Format&, const Format&) = default;
};

/// The fixed-point format of `integer` bits, including the sign, and `fraction` bits.
constexpr Format fixed_format(int integer, int fraction, Overflow overflow = Overflow::saturate) {
  return {integer + fraction - 1, integer - 2, integer - 2, true, overflow, Grid::fixed};
}

/// The most bits of a fixed-point format whose sums and roundings are exact in double.
inline constexpr int most_fixed_bits = 50;

inline constexpr Format bf16{8, -126, 127};
inline constexpr Format fp16{11, -14, 15};
inline constexpr Format tf32{11, -126, 127};
inline constexpr Format fp32{24, -126, 127};
inline constexpr Format fp64{53, -1022, 1023};
inline constexpr Format fp8_e4m3{4, -6, 7};                         ///< max 240, has infinities
inline constexpr Format fp8_e4m3fn{4, -6, 8, true, Overflow::nan};  ///< max 448, no infinities
inline constexpr Format fp8_e5m2{3, -14, 15};                       ///< max 57344
/// Of AMD's CDNA3: no infinities. The only NaN, the code of -0, is left out.
inline constexpr Format fp8_e4m3fnuz{4, -7, 7, true, Overflow::saturate};    ///< max 240
inline constexpr Format fp8_e5m2fnuz{3, -15, 15, true, Overflow::saturate};  ///< max 57344

/// 2^exponent.
/// Requires: -1074 <= exponent <= 1023.
[[gnu::always_inline]] inline constexpr double power_of_two(int exponent) {
  const std::uint64_t bits = exponent >= -1022 ? static_cast<std::uint64_t>(exponent + 1023) << 52
                                               : std::uint64_t{1} << (exponent + 1074);
  return __builtin_bit_cast(double, bits);
}

/// The exponent of the quantum: every finite value is a multiple of 2^quantum_exponent, and below
/// 2^(emin+1) this is the distance between neighbours.
[[gnu::always_inline]] inline constexpr int quantum_exponent(const Format& format) {
  return format.emin - format.precision + 1;
}

/// The largest finite value: (2^p - 1) 2^(emax-p+1), or (2^p - 2) 2^(emax-p+1) where the all-ones
/// significand is the NaN code.
[[gnu::always_inline]] inline constexpr double max_finite(const Format& format) {
  if (format.system) return format.system->ends.largest;
  const std::uint64_t all_ones = (std::uint64_t{1} << format.precision) - 1;
  const std::uint64_t top = format.overflow == Overflow::nan ? all_ones - 1 : all_ones;
  return static_cast<double>(top) * power_of_two(format.emax - format.precision + 1);
}

/// The least finite value: -max_finite, except in fixed point.
[[gnu::always_inline]] inline constexpr double min_finite(const Format& format) {
  if (format.grid == Grid::fixed_from_zero || (format.system && !format.system->ends.is_signed))
    return 0;
  if (format.system && format.system->is_listed) return -format.system->sides[1].ends.largest;
  return format.grid == Grid::fixed ? -power_of_two(format.emax + 1) : -max_finite(format);
}

/// 2^emin.
[[gnu::always_inline]] inline constexpr double min_normal(const Format& format) {
  return power_of_two(format.emin);
}

/// The smallest positive value: 2^(emin - precision + 1), or 2^emin without subnormals.
[[gnu::always_inline]] inline constexpr double min_subnormal(const Format& format) {
  if (format.system) return format.system->least_positive;
  return power_of_two(format.subnormals ? quantum_exponent(format) : format.emin);
}

/// u = 2^-precision: |round(x) - x| <= u |x| to nearest, between min_normal and max_finite. NaN if
/// precision tapers, since there is no unit roundoff.
[[gnu::always_inline]] inline constexpr double unit_roundoff(const Format& format) {
  return format.tapers() ? __builtin_nan("") : power_of_two(-format.precision);
}

/// Bits of a value in memory: one of sign, then those of the exponent, then precision - 1; all of
/// them digits in fixed point.
int width_of(const Format& format);

/// The value of a code of width_of(format) bits, laid out as IEEE 754 does: exponent field 0 is for
/// zero and subnormals, the highest one for infinities and NaN where the format has infinities.
/// Fixed point: two's complement. A number system has its codes.
/// Requires: no bit above the width is set.
double value_of_code(std::uint64_t code, const Format& format);

/// The code of x. A NaN has the code of the positive quiet NaN.
/// Requires: x is a value of the format, or a NaN.
std::uint64_t code_of_value(double x, const Format& format);

/// Throws InputError unless the format lies within double: 2 <= precision <= 50,
/// -1022 <= emin <= emax <= 1023, emin <= 970 and 2^(emin-precision+1) >= 2^-1074. fp64 itself
/// passes, and so do number systems; a fixed-point format has 2 to 50 bits.
void validate(const Format& format);

/// A format's name, what it is, and its parameters.
struct NamedFormat {
  std::string_view name;
  std::string_view summary;
  Format format;
};

/// The formats that have names, widest last.
const std::vector<NamedFormat>& named_formats();

/// The name of the format that `text` spells, in any case; also for float16, half, bfloat16,
/// float32, single, float64 and double, and of fixed point: "q1.15" for s1.15, q15, int16,
/// sfix16_en15, fix_16_15 and fixdt(1,16,15), "u1.15" for ufix16_en15. Returns any other text
/// unchanged.
std::string format_spelling(std::string_view text);

/// The format of that name ("bf16", format_spelling), or a custom one:
/// "custom(p=5,emin=-14,emax=15,subnormals=false,overflow=saturate)", where subnormals (true) and
/// overflow (infinity) may be left out and spaces do not count. Or fixed point: "q1.15" for 1
/// integer bit, the sign's, and 15 of the fraction in two's complement, "u8.8" without a sign. It
/// saturates, or wraps as "q1.15:wrap"; format_spelling lists its other spellings. Or a number
/// system (number_families.hpp): "posit16". Throws InputError for an unknown name (listing the
/// known), a malformed or unusable custom one.
Format format_named(std::string_view text, ListReader read = nullptr);

/// The name of the format that `text` probably means: its spelling in lower case ("posit16" for
/// "Posit16"), or the format that has this name in other programs ("fp32" for "float"). Empty if
/// there is none.
std::string format_meant(std::string_view text);

/// The format of a number system's values.
Format format_of_system(const NumberSystem& system);

/// The name of a named format or of a number system, else its "custom(...)" text with every field
/// in order. The inverse of format_named.
std::string to_string(const Format& format);

/// "custom(...)" with every field, of a named format too.
std::string custom_text(const Format& format);

}  // namespace fftprec
