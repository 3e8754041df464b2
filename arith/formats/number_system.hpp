/// Number systems whose codes do not lie as those of IEEE 754 do: posits, takums and the formats of
/// IEEE P3109. In all of them codes count up with magnitudes, and within a binade [2^e, 2^(e+1))
/// evenly: a system is the place of every power of two among its codes, and what happens at both
/// ends. Values between codes have places between them, and rounding is rounding of the place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

struct NumberSystem {
  /// How values of each binade are rounded, by the exponent field of a double. The place of x in
  /// [2^e, 2^(e+1)) is (x - 2^e) scale + first; the value of a whole place n is low + n step.
  /// Places count from the code at or below 2^e, or from the one before it so that codes and places
  /// are even together.
  struct Binades {
    using Values = std::array<double, 2048>;
    Values scale;
    Values first;
    Values low;
    Values step;
    std::array<std::uint64_t, 2048> sticky;  ///< low bits of x that count only as being there:
                                             ///< places are doubles
  };

  /// What roundings meet at both ends.
  struct Ends {
    double least;             ///< what positive values do not fall below: the smallest one, or 0
    double largest;           ///< the largest value
    double overflow_becomes;  ///< where a rounding goes away from zero beyond it
    double infinity_becomes;
    bool is_signed;
  };

  std::string name;
  std::string summary;
  int bits;
  int precision;  ///< significand bits where they are most
  int emin;       ///< of the smallest normal value; where precision tapers of the smallest value
  int emax;       ///< exponent of the largest value
  bool tapers;    ///< precision depends on the binade: there is no unit roundoff
  bool negates;   ///< the code of -x is that of x negated modulo 2^bits; else a bit is set
  double least_positive;  ///< the smallest positive value
  Ends ends;
  std::uint64_t nan_code;
  Binades binades;
  std::vector<double> places;  ///< of 2^e among the codes, e = lowest, lowest + 1, ...
  int lowest;
};

/// The system of that name, made once for as long as the program runs, or null:
/// - positN, N = 3..32: a regime, two bits of exponent, and the rest (Posit Standard 2022);
/// - takumN, N = 6..32: linear takums (Hunhold 2024);
/// - binaryKpPse, ...sf, ...ue, ...uf, K = 3..16: K bits, precision P, signed or unsigned, extended
///   by infinities or finite (IEEE P3109, https://github.com/P3109/Public), an infinity where a
///   result overflows, or with :saturate after the name the largest value, or with :propagate the
///   largest value but for infinities; also as p3109(k=K,p=P,sign=signed,domain=extended,
///   overflow=infinity).
/// Posits and takums have no infinities, and nothing rounds to zero or beyond their ends. Between
/// two neighbours the value of the code with one more bit is the border of rounding to nearest;
/// ties go to the even code.
/// Throws InputError for such a name with numbers out of range.
const NumberSystem* number_system_named(std::string_view name);

/// The names of some, for lists.
std::vector<std::string_view> number_systems();

/// The value of a code of so many bits, which may be infinite or NaN.
double value_of_code(std::uint64_t code, const NumberSystem& system);

/// The code of a value of the system, or of a NaN.
std::uint64_t code_of_value(double x, const NumberSystem& system);

}  // namespace fftprec
