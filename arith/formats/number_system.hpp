/// Number systems whose codes are spaced differently from IEEE 754: posits, takums, the formats of
/// IEEE P3109, and lists of values. Codes increase with magnitudes and, except in lists, evenly
/// within a binade [2^e, 2^(e+1)). So a system is given by the place of every power of two among
/// its codes (for lists, of every value) and by its rules at both ends. Values between codes have
/// places between them, and rounding rounds the place.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// A number system of at most 32 bits, given by its values in order or by rules: posits, takums,
/// IEEE P3109, lists of values.
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
    std::array<std::uint64_t, 2048> sticky;  ///< low bits of x, of which only the presence counts:
                                             ///< places are doubles
  };

  /// The rules of rounding at both ends.
  struct Ends {
    double least;             ///< lower limit of rounded positive values: the smallest one, or 0
    double largest;           ///< the largest value
    double overflow_becomes;  ///< result of rounding away from zero beyond it
    double
        odd_overflow_becomes;  ///< result of rounding to odd: the largest value if its code is odd
    double infinity_becomes;
    bool is_signed;
  };

  /// The magnitudes of one sign, if no rule by binades gives them. The place of a value is its
  /// number, counted from 0.
  struct Side {
    std::vector<double> values;   ///< 0, the others upwards, and infinity as the end
    std::vector<double> borders;  ///< [i]: the place i - 1/2, where rounding to nearest changes
    bool odd = false;             ///< the first place is odd
    Ends ends{};
  };

  std::string name;
  std::string summary;
  int bits;
  int precision;  ///< most significand bits
  int emin;  ///< exponent of the smallest normal value; if precision tapers, of the smallest value
  int emax;  ///< exponent of the largest value
  bool tapers;   ///< precision depends on the binade: there is no unit roundoff
  bool negates;  ///< the code of -x is the code of x negated modulo 2^bits; else a bit is set
  double least_positive;  ///< the smallest positive value
  Ends ends;
  std::uint64_t nan_code;
  std::uint64_t largest_code;
  Binades binades;
  std::vector<double> places;  ///< of 2^e among the codes, e = lowest, lowest + 1, ...
  int lowest;
  bool is_listed;  ///< `sides` has the values, the positive side first
  std::array<Side, 2> sides;
  std::vector<double> codes;  ///< of a list: its values in order
  bool beyond_fp64;           ///< has values that no double holds: they show as 0 or infinity
};

/// Reads "file:PATH", under a name that identifies the file's content.
using ListReader = std::unique_ptr<NumberSystem> (*)(const std::string& name);

/// The system of that name, made once for as long as the program runs, or null:
/// - positN, N = 3..32: a regime, two bits of exponent, and the rest (Posit Standard 2022);
/// - takumN, N = 6..32: linear takums (Hunhold 2024);
/// - binaryKpPse, ...sf, ...ue, ...uf, K = 3..16: K bits, precision P, signed or unsigned, extended
///   by infinities or finite (IEEE P3109, https://github.com/P3109/Public), an infinity where a
///   result overflows, or with :saturate after the name the largest value, or with :propagate the
///   largest value except for infinite operands; also as p3109(k=K,p=P,sign=signed,domain=extended,
///   overflow=infinity). OvfInf, SatFinite and SatPropagate, the standard's names, are accepted
///   too.
/// - file:PATH, a list of values (system_of_values): what `read` reads, if there is one.
/// Posits and takums have no infinities, and nothing rounds to zero or beyond their ends. Between
/// two neighbours the value of the code with one more bit is the border of rounding to nearest;
/// ties go to the even code.
/// Throws InputError for a name of one of these forms with numbers out of range.
const NumberSystem* number_system_named(std::string_view name, ListReader read = nullptr);

/// A value, and the border between it and the one before it: NaN for the middle.
struct ListedValue {
  double value;
  double border;
};

/// What happens to results beyond the largest value of a list.
enum class ListOverflow { infinity, saturate, nan };

/// The system of these values. Its codes are their numbers in the list. Ties go to the value with
/// an even place, counted from zero to both sides; if the border next to zero is 0, nothing rounds
/// to zero. An infinite operand becomes infinite, NaN or the largest value: the first of these that
/// the list has. Requires: values ascend, NaN last if there is one; 0 and a positive value are
/// among them; finite values have 50 bits at most, borders 52, as operations are rounded from
/// results to odd.
std::unique_ptr<NumberSystem> system_of_values(std::string name,
                                               const std::vector<ListedValue>& values,
                                               ListOverflow overflow);

/// x rounded to the nearest number of that many significant bits, ties to even.
double with_bits(double x, int bits);

/// A value that may be beyond fp64: significand 2^exponent, 1 <= significand < 2, or 0, infinity,
/// NaN with exponent 0.
struct ScaledValue {
  double significand;
  int exponent;
};
ScaledValue scaled_value_of_code(std::uint64_t code, const NumberSystem& system);

/// The value of a code, which may be infinite or NaN.
double value_of_code(std::uint64_t code, const NumberSystem& system);

/// The code of a value of the system, or of a NaN.
std::uint64_t code_of_value(double x, const NumberSystem& system);

}  // namespace fftprec
