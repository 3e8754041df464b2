/// Number systems whose codes are spaced differently from IEEE 754: posits, takums, the formats of
/// IEEE P3109, and lists of values. Codes increase with magnitude and, except in lists, linearly
/// within a binade [2^e, 2^(e+1)). So two things define a system: the place of every power of two
/// among its codes (for lists, of every value), and its rules at both ends. A value between two
/// codes has a place between them, and rounding rounds the place.
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
  /// Places are counted from the code at or below 2^e, or from the code before it, so that even
  /// codes have even places.
  struct Binades {
    using Values = std::array<double, 2048>;
    Values scale;
    Values first;
    Values low;
    Values step;
    std::array<std::uint64_t, 2048> sticky;  ///< low bits of x that only count as zero or not,
                                             ///< since places are doubles
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
  /// index.
  struct Side {
    std::vector<double> values;   ///< 0, the others ascending, then infinity
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

/// Reads "file:PATH" and names the system by the content of the file.
using ListReader = std::unique_ptr<NumberSystem> (*)(const std::string& name);

/// A tapered system of signed codes: places[i] is the position of 2^(lowest + i) among the codes.
/// It has no infinities, and nothing rounds to zero or beyond its ends. Its NaN is the code of the
/// sign alone. Between two neighbours the value of the code with one more bit is the border of
/// rounding to nearest; ties go to the even code.
std::unique_ptr<NumberSystem> tapered_system(std::string name, std::string summary, int bits,
                                             int lowest, std::vector<double> places);

/// Fills what rounds, `binades` or, beyond fp64, `sides`, of a system whose other fields are set.
void complete(NumberSystem& system);

/// A value, and where rounding to nearest changes between it and the value before it: NaN for the
/// middle.
struct ListedValue {
  double value;
  double border;
};

/// What happens to results beyond the largest value of a list.
enum class ListOverflow { infinity, saturate, nan };

/// The system of these values. The code of a value is its index in the list. Ties go to the value
/// with an even place, counted from zero in both directions. If the border next to zero is 0, no
/// value rounds to zero. An infinite operand becomes infinite, NaN or the largest value: the first
/// of these that the list has. Requires: values ascend, a NaN comes last; 0 and a positive value
/// are among them; finite values have at most 50 bits and borders 52, since operations round
/// results that were rounded to odd.
std::unique_ptr<NumberSystem> system_of_values(std::string name,
                                               const std::vector<ListedValue>& values,
                                               ListOverflow overflow);

/// x rounded to the nearest number of that many significant bits, ties to even.
double with_bits(double x, int bits);

/// A value that may be beyond fp64: significand * 2^exponent with 1 <= significand < 2. 0, infinity
/// and NaN have exponent 0.
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
