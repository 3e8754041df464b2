/// Number systems against published tables and the texts of their standards: every value bit by
/// bit, every border of rounding, the ends, random numbers, and quires against MPFR.
#include "arith/formats/number_system.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "arith/accumulators/definition.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/number_families.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Bit `place` of the first `size` bits of a string of `bits`, zeros after its end.
int bit(std::uint64_t code, int bits, int place) {
  return place < bits ? static_cast<int>(code >> (bits - 1 - place) & 1) : 0;
}

/// The number that the bits from `first` on stand for, so many of them.
double field(std::uint64_t code, int bits, int first, int size) {
  double value = 0;
  for (int i = first; i < first + size; ++i) value = 2 * value + bit(code, bits, i);
  return value;
}

/// Posit Standard (2022), section 3.2, for a positive code: sign, a run of equal bits, es = 2.
double posit_value(std::uint64_t code, int bits) {
  int run = 1;
  while (run < bits - 1 && bit(code, bits, 1 + run) == bit(code, bits, 1)) ++run;
  const int regime = bit(code, bits, 1) ? run - 1 : -run;
  const int after = 1 + run + 1;
  const int fraction_bits = std::max(bits - after - 2, 0);
  const double exponent = field(code, bits, after, 2);
  const double fraction = std::ldexp(field(code, bits, after + 2, fraction_bits), -fraction_bits);
  return std::ldexp(1 + fraction, 4 * regime + static_cast<int>(exponent));
}

/// Hunhold 2024, definition of linear takums, for a positive code: S, D, R of 3 bits, C of r bits.
double takum_value(std::uint64_t code, int bits) {
  const int direction = bit(code, bits, 1);
  const int field_of_regime = static_cast<int>(field(code, bits, 2, 3));
  const int regime = direction ? field_of_regime : 7 - field_of_regime;
  const int characteristic = static_cast<int>(field(code, bits, 5, regime));
  const int exponent =
      direction ? (1 << regime) - 1 + characteristic : -(1 << (regime + 1)) + 1 + characteristic;
  const int fraction_bits = std::max(bits - 5 - regime, 0);
  const double fraction = std::ldexp(field(code, bits, 5 + regime, fraction_bits), -fraction_bits);
  return std::ldexp(1 + fraction, exponent);
}

double complemented(double (*value)(std::uint64_t, int), std::uint64_t code, int bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  if (code == 0) return 0;
  if (code == sign) return nan;
  return code < sign ? value(code, bits) : -value(2 * sign - code, bits);
}

/// IEEE P3109, interim report, decoding: bias 2^(K-P-1), of unsigned formats 2^(K-P); one NaN;
/// infinities next to the top. As a factor and the exponent of a power of two, which fp64 may not
/// hold.
std::pair<double, int> p3109_parts(std::uint64_t code, int k, int p, bool is_signed,
                                   bool extended) {
  const std::uint64_t half = std::uint64_t{1} << (k - 1);
  if (is_signed && code == half) return {nan, 0};
  if (is_signed && code > half) {
    const auto [factor, exponent] = p3109_parts(code - half, k, p, is_signed, extended);
    return {-factor, exponent};
  }
  const std::uint64_t last = is_signed ? half - 1 : 2 * half - 1;
  if (!is_signed && code == last) return {nan, 0};
  if (extended && code == (is_signed ? last : last - 1)) return {infinity, 0};
  const int bias = 1 << (is_signed ? k - p - 1 : k - p);
  const auto trailing = static_cast<double>(code & ((std::uint64_t{1} << (p - 1)) - 1));
  const int exponent = static_cast<int>(code >> (p - 1));
  const double fraction = std::ldexp(trailing, 1 - p);
  return exponent == 0 ? std::pair(fraction, 1 - bias) : std::pair(1 + fraction, exponent - bias);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// A number as the tables print it, its power of two maybe beyond fp64's.
ScaledValue published_value(const std::string& word) {
  const double printed = std::strtod(word.substr(0, word.find('p')).c_str(), nullptr);
  if (printed == 0 || !std::isfinite(printed)) return {printed, 0};
  const int power = std::stoi(word.substr(word.find('p') + 1));
  const int shift = std::ilogb(printed);
  return {std::ldexp(printed, -shift), power + shift};
}

TEST(NumberSystem, HasThePublishedValuesOfP3109) {
  std::ifstream file(FFTPREC_SOURCE_DIR "/tests/arith/p3109_values.txt");
  std::map<int, std::set<std::string>> tables;
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name, word;
    std::uint64_t code = 0;
    words >> name >> std::hex >> code;
    const Format format = format_named(name);
    tables[width_of(format)].insert(name);
    for (; words >> word; ++code, ++compared) {
      const auto [significand, exponent] = published_value(word);
      const ScaledValue ours = scaled_value_of_code(code, *format.system);
      EXPECT_TRUE(same(ours.significand, significand) && ours.exponent == exponent)
          << name << ", code " << code << ": " << word << ", ours " << ours.significand << " 2^"
          << ours.exponent;
      EXPECT_TRUE(same(value_of_code(code, format), std::ldexp(significand, exponent)))
          << name << ", code " << code << ": " << word;
    }
  }
  EXPECT_EQ(compared, 7642);
  std::map<int, std::size_t> counts;
  for (const auto& [bits, names] : tables) counts[bits] = names.size();
  EXPECT_EQ(counts, (std::map<int, std::size_t>{{3, 10},
                                                {4, 14},
                                                {5, 18},
                                                {6, 22},
                                                {7, 26},
                                                {8, 30},
                                                {9, 20},
                                                {10, 17},
                                                {11, 13},
                                                {12, 13},
                                                {13, 13},
                                                {14, 12},
                                                {15, 13},
                                                {16, 17}}));
}

/// Every code, or of wider systems some, and back where fp64 holds the value: `parts` gives a
/// factor and the exponent of a power of two.
template <class Parts>
void expect_values(const std::string& name, int bits, Parts parts, std::uint64_t step = 1) {
  const Format format = format_named(name);
  EXPECT_EQ(to_string(format), name);
  EXPECT_EQ(width_of(format), bits);
  int held = 0, codes = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << bits; code += step, ++codes) {
    const auto [factor, exponent] = parts(code);
    const auto [significand, power] = scaled_value_of_code(code, *format.system);
    const bool has_exponent = factor != 0 && std::isfinite(factor);
    const int shift = has_exponent ? std::ilogb(factor) : 0;
    ASSERT_TRUE(same(significand, std::ldexp(factor, -shift))) << name << ", code " << code;
    if (has_exponent) {
      ASSERT_EQ(power, exponent + shift) << name << ", code " << code;
    }
    const double value = std::ldexp(factor, exponent);
    if (!same(std::ldexp(value, -exponent), factor)) continue;
    ++held;
    ASSERT_TRUE(same(value_of_code(code, format), value))
        << name << ", code " << code << ": " << value_of_code(code, format);
    ASSERT_EQ(code_of_value(value, format), code) << name;
    if (!std::isinf(value)) {
      ASSERT_TRUE(same(round(value, format, Rounding::rne), value)) << name << " " << code;
    }
  }
  EXPECT_GT(held, format.system->beyond_fp64 ? 1000 : codes - 1) << name;
}

/// What holds in every family, whatever its definition.
TEST(NumberFamily, HasExamplesWhoseCodesAndValuesAreInOneOrder) {
  for (const NumberFamily& family : number_families()) {
    EXPECT_TRUE(family.mode.empty() ||
                std::ranges::find(family.examples, family.mode) != family.examples.end())
        << family.form;
    EXPECT_EQ(number_system_named(family.form), nullptr) << "a form is no name";
    for (const std::string_view name : family.examples) {
      SCOPED_TRACE(name);
      const Format format = format_named(name);
      ASSERT_NE(format.system, nullptr);
      EXPECT_EQ(to_string(format), name);
      EXPECT_EQ(family_of(*format.system), &family);
      EXPECT_TRUE(std::isnan(value_of_code(format.system->nan_code, format)));
      const std::uint64_t last = format.system->largest_code;
      const std::uint64_t step = std::max<std::uint64_t>(last >> 16, 1);
      for (std::uint64_t code = last % step; code < last; code += step) {
        const double value = value_of_code(code, format);
        const double above = value_of_code(code + 1, format);
        ASSERT_LT(value, above) << code;
        ASSERT_EQ(code_of_value(value, format), code);
        ASSERT_EQ(code_of_value(above, format), code + 1);
        const double between = value + (above - value) / 2;
        ASSERT_EQ(round(above, format, Rounding::rz), above) << code;
        ASSERT_EQ(round(between, format, Rounding::ru), above) << code;
        ASSERT_EQ(round(between, format, Rounding::rd), std::max(value, format.system->ends.least))
            << code;
        if (!format.system->ends.is_signed || code == 0) continue;
        ASSERT_EQ(value_of_code(code_of_value(-value, format), format), -value) << code;
      }
      EXPECT_EQ(max_finite(format), value_of_code(last, format));
    }
  }
}

TEST(NumberSystem, HasEveryValueOfTheStandards) {
  constexpr std::uint64_t some = 104729;
  const auto of = [](double (*value)(std::uint64_t, int), int bits) {
    return [=](std::uint64_t code) { return std::pair(complemented(value, code, bits), 0); };
  };
  for (int bits = 3; bits <= 32; ++bits) {
    const std::uint64_t step = bits <= 16 ? 1 : some;
    expect_values("posit" + std::to_string(bits), bits, of(posit_value, bits), step);
    if (bits >= 6) expect_values("takum" + std::to_string(bits), bits, of(takum_value, bits), step);
  }
  int formats = 0;
  for (int k = 3; k <= 16; ++k)
    for (int p = 1; p <= k; ++p)
      for (const char* kind : {"se", "sf", "ue", "uf"}) {
        const bool is_signed = kind[0] == 's';
        if (p > k - (is_signed ? 1 : 0)) continue;
        ++formats;
        const std::string name = "binary" + std::to_string(k) + "p" + std::to_string(p) + kind;
        expect_values(name, k, [=](std::uint64_t code) {
          return p3109_parts(code, k, p, is_signed, kind[1] == 'e');
        });
      }
  EXPECT_EQ(formats, 504);  // all of P3109
}

/// What rounding to nearest gives, by searching all values; borders[i] is between values i and
/// i + 1 of those that are not negative.
struct NearestBySearch {
  std::vector<double> values;
  std::vector<double> borders;

  double nearest(double x) const {
    const double size = std::fabs(x);
    if (size == 0) return x;
    const auto after = std::upper_bound(values.begin(), values.end(), size) - values.begin();
    const auto i = static_cast<std::size_t>(after) - 1;
    if (i + 1 == values.size()) return std::copysign(values[i], x);
    const bool up = size > borders[i] || (size == borders[i] && i % 2 == 1);
    return std::copysign(values[up ? i + 1 : i], x);
  }
};

/// Posits and takums: the border is the code with a one more; nothing becomes 0.
NearestBySearch tapered_judge(double (*value)(std::uint64_t, int), int bits) {
  NearestBySearch judge;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << (bits - 1); ++code) {
    judge.values.push_back(code == 0 ? 0 : value(code, bits));
    if (code > 0) judge.borders.push_back(code == 1 ? 0 : value(2 * code - 1, bits + 1));
  }
  return judge;
}

/// P3109: the border is in the middle.
NearestBySearch even_judge(const Format& format) {
  NearestBySearch judge;
  for (std::uint64_t code = 0; value_of_code(code, format) < infinity; ++code)
    judge.values.push_back(value_of_code(code, format));
  for (std::size_t i = 0; i + 1 < judge.values.size(); ++i)
    judge.borders.push_back((judge.values[i] + judge.values[i + 1]) / 2);
  return judge;
}

/// Values, borders and their neighbours, of both signs, and numbers of any size.
std::vector<double> probes(const NearestBySearch& judge, bool is_signed) {
  std::vector<double> x{0.0, 0x1p-1074, 0x1p-1000, 0x1p1000};
  for (const auto* points : {&judge.values, &judge.borders})
    for (const double point : *points)
      for (const double near : {point, std::nextafter(point, 0), std::nextafter(point, infinity)})
        x.push_back(near);
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double exponent = static_cast<double>(random() % 640) - 320;
    x.push_back(
        std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(exponent)));
  }
  const std::size_t count = x.size();
  for (std::size_t i = 0; is_signed && i < count; ++i) x.push_back(-x[i]);
  return x;
}

/// The scalar definition, arrays of doubles and of floats on every instruction set, and directed
/// roundings, which are the value itself or one of its neighbours.
void expect_roundings(const std::string& name, const NearestBySearch& judge, double largest) {
  const Format format = format_named(name);
  const std::vector<double> x = probes(judge, format.system->ends.is_signed);
  std::vector<double> expected;
  for (const double value : x) {
    const double near = judge.nearest(value);
    const bool beyond = std::fabs(value) > largest;
    expected.push_back(beyond ? std::copysign(format.system->ends.overflow_becomes, value) : near);
    ASSERT_EQ(round(value, format, Rounding::rne), expected.back()) << name << " of " << value;
    const double rz = round(value, format, Rounding::rz);
    const double rd = round(value, format, Rounding::rd);
    const double ru = round(value, format, Rounding::ru);
    ASSERT_EQ(rz, value < 0 ? ru : rd) << name << " of " << value;
    const double top = max_finite(format);
    if (std::fabs(value) > top && std::isfinite(value)) {
      // To odd: the infinity next to the largest value if the infinity's code is the odd one.
      const double odd_end =
          code_of_value(top, format) % 2 == 1 ? top : format.system->ends.overflow_becomes;
      ASSERT_EQ(round(value, format, Rounding::odd), std::copysign(odd_end, value))
          << name << " of " << value;
    }
    if (std::fabs(value) < format.system->ends.least || std::fabs(value) > top) continue;
    ASSERT_LE(rd, value) << name;
    ASSERT_GE(ru, value) << name;
    ASSERT_TRUE(near == rd || near == ru) << name << " of " << value;
    const auto code = [&](double of) { return code_of_value(std::fabs(of), format); };
    ASSERT_LE(std::max(code(rd), code(ru)) - std::min(code(rd), code(ru)), 1u) << name;
    const double odd = round(value, format, Rounding::odd);
    ASSERT_TRUE(rd == ru ? odd == rd : code(odd) % 2 == 1 && (odd == rd || odd == ru)) << name;
  }
  std::vector<double> rounded(x.size());
  std::vector<float> narrow(x.size()), narrow_rounded(x.size());
  std::transform(x.begin(), x.end(), narrow.begin(),
                 [](double v) { return static_cast<float>(v); });
  for (const Isa isa : available_isas())
    for (const Rounding rounding : {Rounding::rne, Rounding::rna, Rounding::rz, Rounding::ru,
                                    Rounding::rd, Rounding::odd, Rounding::rnu}) {
      SCOPED_TRACE(name + " by " + std::string(name_of(rounding)));
      round_array(x, std::span<double>(rounded), format, rounding, isa);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same_value(
            rounded[i], rounding == Rounding::rne ? expected[i] : round(x[i], format, rounding)))
            << "of " << x[i];
      if (!fits<float>(format)) continue;
      round_array(narrow, std::span<float>(narrow_rounded), format, rounding, isa);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same_value(static_cast<double>(narrow_rounded[i]),
                               round(static_cast<double>(narrow[i]), format, rounding)))
            << "of " << narrow[i];
    }
}

TEST(NumberSystem, RoundsToTheNearestCodeAtEveryBorder) {
  for (const int bits : {3, 4, 5, 8, 11, 16})
    expect_roundings("posit" + std::to_string(bits), tapered_judge(posit_value, bits), infinity);
  for (const int bits : {6, 8, 11, 12, 16})
    expect_roundings("takum" + std::to_string(bits), tapered_judge(takum_value, bits), infinity);
  for (const char* name :
       {"binary3p1se", "binary8p1se", "binary8p1uf", "binary8p3se", "binary8p4sf", "binary8p8ue",
        "binary6p3se", "binary4p2se", "binary16p8se", "binary16p11se", "binary16p15sf",
        "binary8p3ue", "binary8p3uf:propagate", "binary8p3se:saturate", "binary8p4se:propagate",
        "binary16p11ue:propagate", "binary16p8se:propagate", "binary7p1ue:propagate"}) {
    const Format format = format_named(name);
    // A rounding overflows from half a step beyond the largest value on; there if its code is odd.
    const double largest = max_finite(format);
    const double border = largest + std::ldexp(1.0, std::ilogb(largest) - format.precision);
    const bool to_largest = code_of_value(largest, format) % 2 == 0;
    expect_roundings(name, even_judge(format), to_largest ? border : std::nextafter(border, 0));
  }
}

/// x to `p` bits, or to the multiples of 2^quantum, ties to the even code: by the digits of x.
double to_binary(double x, int p, int quantum) {
  const int step = std::max(std::ilogb(x) - p + 1, quantum);
  const double steps = std::ldexp(std::fabs(x), -step);
  double down = std::floor(steps);
  const double part = steps - down;
  // Codes of a binade follow those of the one below: with p = 1 exponents tell even from odd ones.
  const bool is_odd = p == 1 ? (step - quantum) % 2 == 0 : std::fmod(down, 2) == 1;
  if (part > 0.5 || (part == 0.5 && is_odd)) ++down;
  return std::copysign(std::ldexp(down, step), x);
}

TEST(NumberSystem, RoundsDoublesWhereItsOwnValuesAreBeyondThem) {
  std::mt19937_64 random(13);
  for (const auto& [name, p] : std::vector<std::pair<const char*, int>>{{"binary12p1se", 1},
                                                                        {"binary16p1se", 1},
                                                                        {"binary16p1ue", 1},
                                                                        {"binary16p2sf", 2},
                                                                        {"binary16p3se", 3},
                                                                        {"binary16p4se", 4},
                                                                        {"binary16p5se", 5},
                                                                        {"binary16p6ue", 6},
                                                                        {"binary13p2se", 2}}) {
    const Format format = format_named(name);
    ASSERT_TRUE(format.system->beyond_fp64) << name;
    const int quantum = quantum_exponent(format);
    for (int i = 0; i < 20000; ++i) {
      // Of any exponent, subnormal ones too; one in two a tie, one in four next to one.
      const int e = static_cast<int>(random() % 2098) - 1074;
      const double tie = 1 + std::ldexp(static_cast<double>(2 * (random() % 64) + 1), -7);
      const double any = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
      double x = std::ldexp(i % 2 == 0 ? std::ldexp(std::floor(std::ldexp(tie, p)), -p) : any, e);
      if (i % 4 == 0) x = std::nextafter(x, i % 8 == 0 ? 0 : infinity);
      if (x == 0 || std::isinf(x)) continue;
      double expected = to_binary(x, p, quantum);
      if (expected > max_finite(format)) expected = infinity;
      ASSERT_EQ(round(x, format, Rounding::rne), expected) << name << " of " << x;
      if (format.system->ends.is_signed) {
        ASSERT_EQ(round(-x, format, Rounding::rne), -expected) << name << " of " << -x;
      }
      const double rz = round(x, format, Rounding::rz);
      const double ru = round(x, format, Rounding::ru);
      ASSERT_TRUE(rz <= x && x <= ru && (expected == rz || expected == ru)) << name << " of " << x;
    }
    // Codes next to each other, and what fp64 cannot hold.
    EXPECT_EQ(round(std::numeric_limits<double>::max(), format, Rounding::rne), infinity) << name;
    EXPECT_EQ(round(0.0, format, Rounding::rne), 0.0);
  }
}

struct ListedFormat {
  std::unique_ptr<NumberSystem> system;
  Format format;
};

ListedFormat listed(const std::vector<ListedValue>& values, ListOverflow overflow) {
  auto system = system_of_values("list", values, overflow);
  const Format format = format_of_system(*system);
  return {std::move(system), format};
}

/// The values of a format in order, each with the border before it: NaN for the middle.
std::vector<ListedValue> listed_values(const Format& format,
                                       const std::vector<double>& borders = {}) {
  std::vector<ListedValue> upwards;
  bool has_nan = false;
  double infinite = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << width_of(format); ++code) {
    const double value = value_of_code(code, format);
    has_nan |= std::isnan(value);
    if (value == infinity) infinite = infinity;
    if (value > 0 && value < infinity) upwards.push_back({value, nan});
  }
  std::sort(upwards.begin(), upwards.end(), [](auto a, auto b) { return a.value < b.value; });
  for (std::size_t i = 0; i < borders.size(); ++i) upwards[i].border = borders[i];
  // With one significant bit steps double, and so does the one that leads to infinity.
  const double overflow = format.precision == 1 ? 1.5 * upwards.back().value : nan;
  if (infinite > 0) upwards.push_back({infinite, overflow});
  std::vector<ListedValue> all;
  for (std::size_t i = upwards.size(); i-- > 0;)
    all.push_back({-upwards[i].value, i + 1 < upwards.size() ? -upwards[i + 1].border : nan});
  all.push_back({0, -upwards[0].border});
  all.insert(all.end(), upwards.begin(), upwards.end());
  if (has_nan) all.push_back({nan, nan});
  return all;
}

TEST(NumberSystem, IsTheSameAsAListOfItsValues) {
  struct Listed {
    const char* name;
    ListOverflow overflow;
    std::vector<double> borders{};
  };
  const auto tapered = [](const char* name, double (*value)(std::uint64_t, int), int bits) {
    return Listed{name, ListOverflow::saturate, tapered_judge(value, bits).borders};
  };
  for (const Listed& each : {
           tapered("posit8", posit_value, 8), tapered("posit16", posit_value, 16),
           tapered("takum8", takum_value, 8), tapered("takum16", takum_value, 16),
           Listed{"binary8p3se", ListOverflow::infinity},
           Listed{"binary8p4se:propagate", ListOverflow::saturate},
           Listed{"binary6p1se", ListOverflow::infinity}, Listed{"fp8_e4m3fn", ListOverflow::nan},
           Listed{"fp8_e5m2", ListOverflow::infinity}, Listed{"fp8_e4m3", ListOverflow::infinity},
           Listed{"custom(p=4,emin=0,emax=2,overflow=saturate)", ListOverflow::saturate},   // fp6
           Listed{"custom(p=3,emin=-2,emax=4,overflow=saturate)", ListOverflow::saturate},  // fp6
           Listed{"custom(p=2,emin=0,emax=2,overflow=saturate)", ListOverflow::saturate},   // fp4
       }) {
    const Format format = format_named(each.name);
    const ListedFormat list = listed(listed_values(format, each.borders), each.overflow);
    std::vector<double> x = {infinity, -infinity, nan, -0.0};
    NearestBySearch judge = even_judge(format.system ? format : bf16);
    if (!format.system || each.borders.empty()) {
      judge = {};
      for (const ListedValue& value : listed_values(format))
        if (value.value >= 0 && value.value < infinity) judge.values.push_back(value.value);
      for (std::size_t i = 0; i + 1 < judge.values.size(); ++i)
        judge.borders.push_back((judge.values[i] + judge.values[i + 1]) / 2);
      judge.borders.push_back(1.5 * judge.values.back() -
                              judge.values[judge.values.size() - 2] / 2);
    } else {
      judge.borders = each.borders;
    }
    for (const double value : probes(judge, true)) x.push_back(value);
    const double largest = max_finite(format);
    for (const Rounding rounding : {Rounding::rne, Rounding::rna, Rounding::rnu, Rounding::rz,
                                    Rounding::rd, Rounding::ru, Rounding::odd})
      for (const double value : x) {
        // Floats stay at the largest value where they round to odd.
        if (rounding == Rounding::odd && !format.system && std::fabs(value) > largest) continue;
        ASSERT_TRUE(same(round(value, list.format, rounding), round(value, format, rounding)))
            << each.name << " " << name_of(rounding) << " of " << value << ": "
            << round(value, list.format, rounding);
      }
    for (std::size_t i = 0; each.borders.empty() && i < x.size(); ++i) {
      if (std::fabs(x[i]) > largest) continue;
      const StochasticRounding how{.bits = 1 + static_cast<int>(i % 20), .seed = 5};
      ASSERT_TRUE(
          same(round_stochastic(x[i], list.format, how, i), round_stochastic(x[i], format, how, i)))
          << each.name << " of " << x[i];
    }
    std::vector<double> rounded(x.size());
    std::vector<float> narrow(x.begin(), x.end()), narrow_rounded(x.size());
    for (const Isa isa : available_isas()) {
      round_array(x, std::span<double>(rounded), list.format, Rounding::rne, isa);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same(rounded[i], round(x[i], format, Rounding::rne))) << each.name;
      ASSERT_EQ(fits<float>(list.format), fits<float>(format)) << each.name;
      if (!fits<float>(format)) continue;
      round_array(narrow, std::span<float>(narrow_rounded), list.format, Rounding::rne, isa);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same(static_cast<double>(narrow_rounded[i]),
                         round(static_cast<double>(narrow[i]), format, Rounding::rne)))
            << each.name;
    }
  }
}

/// Values that no rule tells, not the same on both sides: NF4 (Dettmers et al. 2023) and powers of
/// 2^(1/8), to 50 bits. Sums of neighbours are exact in the 64 bits of a long double.
TEST(NumberSystem, RoundsToTheNearestValueOfAnyList) {
  std::vector<double> logarithmic{0};
  for (int i = -40; i <= 40; ++i) {
    logarithmic.push_back(with_bits(std::exp2(i / 8.0), 50));
    logarithmic.push_back(-with_bits(1.01 * std::exp2(i / 8.0), 50));
  }
  std::sort(logarithmic.begin(), logarithmic.end());
  const std::vector<double> nf4 = {-1.0,
                                   -0.6961928009986877,
                                   -0.5250730514526367,
                                   -0.39491748809814453,
                                   -0.28444138169288635,
                                   -0.18477343022823334,
                                   -0.09105003625154495,
                                   0.0,
                                   0.07958029955625534,
                                   0.16093020141124725,
                                   0.24611230194568634,
                                   0.33791524171829224,
                                   0.44070982933044434,
                                   0.5626170039176941,
                                   0.7229568362236023,
                                   1.0};
  for (const std::vector<double>& values : {nf4, logarithmic}) {
    std::vector<ListedValue> all;
    for (const double value : values) all.push_back({value, nan});
    const ListedFormat list = listed(all, ListOverflow::saturate);
    const auto zero = std::find(values.begin(), values.end(), 0) - values.begin();
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const long double sum = static_cast<long double>(values[i]) + values[i + 1];
      ASSERT_EQ(static_cast<double>(sum - values[i]), values[i + 1]);
      const auto middle = static_cast<double>(sum / 2);
      std::vector<double> x{values[i], middle, (3 * values[i] + values[i + 1]) / 4};
      for (const double point : {values[i], middle, values[i + 1]})
        for (const double to : {-infinity, infinity}) x.push_back(std::nextafter(point, to));
      for (const double each : x) {
        if (each < values[i] || each > values[i + 1]) continue;
        const long double twice = 2 * static_cast<long double>(each);
        const bool even_below = (static_cast<std::ptrdiff_t>(i) - zero) % 2 == 0;
        const bool up = twice > sum || (twice == sum && !even_below);
        const double nearest = each == values[i + 1] || up ? values[i + 1] : values[i];
        ASSERT_EQ(round(each, list.format, Rounding::rne), nearest) << each;
        ASSERT_EQ(round(each, list.format, Rounding::rd), each == values[i + 1] ? each : values[i]);
        ASSERT_EQ(round(each, list.format, Rounding::ru), each == values[i] ? each : values[i + 1]);
        const bool away = std::fabs(values[i + 1]) > std::fabs(values[i]);
        const bool is_value = each == values[i] || each == values[i + 1];
        const double larger = away ? values[i + 1] : values[i];
        const double smaller = away ? values[i] : values[i + 1];
        ASSERT_EQ(round(each, list.format, Rounding::rz), is_value ? each : smaller);
        if (twice == sum) {
          ASSERT_EQ(round(each, list.format, Rounding::rna), larger);
          ASSERT_EQ(round(each, list.format, Rounding::rnu), values[i + 1]);
        }
        const double part = (each - values[i]) / (values[i + 1] - values[i]);
        int ups = 0;
        constexpr int draws = 400;
        for (std::uint64_t draw = 0; draw < draws && each == x[2]; ++draw)
          ups += round_stochastic(each, list.format, {.seed = 3}, draw) == values[i + 1];
        if (each == x[2]) {
          EXPECT_NEAR(ups, part * draws, 5 * std::sqrt(draws * 0.25)) << each;
        }
      }
    }
    EXPECT_EQ(round(100 * values.back(), list.format, Rounding::rne), values.back());
    EXPECT_EQ(round(100 * values.front(), list.format, Rounding::rne), values.front());
    EXPECT_EQ(min_finite(list.format), values.front());
    for (std::size_t code = 0; code < values.size(); ++code) {
      EXPECT_EQ(value_of_code(code, list.format), values[code]);
      EXPECT_EQ(code_of_value(values[code], list.format), code);
    }
  }
}

TEST(NumberSystem, SaysWhatIsBeyondItsEnds) {
  const auto nearest = [](const char* name, double x) {
    return round(x, format_named(name), Rounding::rne);
  };
  EXPECT_EQ(nearest("posit16", 1e300), 0x1p56);
  EXPECT_EQ(nearest("posit16", -1e-300), -0x1p-56);
  EXPECT_TRUE(std::isnan(nearest("posit16", infinity)));
  EXPECT_EQ(nearest("takum16", 0x1p300), 0x1.fp254);
  EXPECT_EQ(nearest("takum16", 0x1p-300), 0x1.1p-255);
  // Carriers keep the sign of a zero; its code has none.
  EXPECT_TRUE(std::signbit(nearest("posit8", -0.0)));
  EXPECT_EQ(code_of_value(-0.0, format_named("posit8")), 0u);
  // P3109: OvfInf, SatFinite and SatPropagate; finite domains have no infinity.
  EXPECT_EQ(nearest("binary8p3se", 60000), infinity);
  EXPECT_EQ(nearest("binary8p3se", -infinity), -infinity);
  EXPECT_EQ(nearest("binary8p3se:saturate", 60000), 49152);
  EXPECT_EQ(nearest("binary8p3se:saturate", infinity), 49152);
  EXPECT_EQ(nearest("binary8p3se:propagate", 60000), 49152);
  EXPECT_EQ(nearest("binary8p3se:propagate", infinity), infinity);
  EXPECT_EQ(nearest("binary8p3sf", infinity), 57344);
  EXPECT_EQ(nearest("binary8p3uf", -1), 0);
  EXPECT_EQ(nearest("binary8p3ue", -infinity), 0);
  EXPECT_EQ(code_of_value(nearest("binary8p3se", -0x1p-40), format_named("binary8p3se")), 0u);
  EXPECT_EQ(round(60000, format_named("binary8p3se"), Rounding::rz), 49152);
  EXPECT_EQ(round(60000, format_named("binary8p3se"), Rounding::ru), infinity);
  EXPECT_EQ(round(-60000, format_named("binary8p3se"), Rounding::ru), -49152);
  EXPECT_EQ(format_named("p3109(k=8,p=3)"), format_named("binary8p3se"));
  EXPECT_EQ(format_named("p3109(k=8,p=4,sign=unsigned,domain=finite,overflow=propagate)"),
            format_named("binary8p4uf:propagate"));
  EXPECT_EQ(format_named("binary8p3se:SatFinite"), format_named("binary8p3se:saturate"));
  EXPECT_EQ(format_named("binary8p3se:SatPropagate"), format_named("binary8p3se:propagate"));
  EXPECT_EQ(format_named("binary8p3se:OvfInf"), format_named("binary8p3se"));
  EXPECT_EQ(format_named("Binary8p3uf:SatFinite"), format_named("binary8p3uf:saturate"));
}

TEST(NumberSystem, RefusesWhatIsNotOne) {
  for (const auto& each : std::vector<std::pair<const char*, const char*>>{
           {"posit2", "posits have 3 to 32 bits"},
           {"takum64", "takums have 6 to 32 bits"},
           {"binary17p3se", "K = 3..16"},
           {"binary8p8se", "1..K-1 if signed"},
           {"binary8p", "unknown format"},
           {"binary8p3", "the form is binaryKpPse"},
           {"Binary8p3s", "the form is binaryKpPse"},
           {"binary8p3sx", "the form is binaryKpPse"},
           {"binary8p3se:", "the form is binaryKpPse"},
           {"binary8p3se,saturate", "the form is binaryKpPse"},
           {"binary8p3se:wrap",
            "infinity, saturate or propagate (OvfInf, SatFinite, SatPropagate)"},
           {"p3109(k=8,p=3,overflow=Sat)", "overflow is infinity, saturate or propagate (OvfInf"},
           {"posit", "unknown format"},
           {"p3109(k=8)", "p3109(k=8,p=3,sign=signed"},
           {"p3109(k=8,p=3,sign=none)", "sign is signed or unsigned"}})
    EXPECT_THAT(error_text([&] { format_named(each.first); }), holds(each.second)) << each.first;
}

TEST(NumberSystem, RoundsAtRandomByThePlaceAmongCodes) {
  std::mt19937_64 random(3);
  for (const std::string& name : systems_for_ffts()) {
    const Format format = format_named(name);
    const int least = std::max(format.emin, -14), most = std::min(format.emax, 14);
    for (int i = 0; i < 20000; ++i) {
      const double x =
          std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                     least + static_cast<int>(random() % static_cast<unsigned>(most - least)));
      const double down = round(x, format, Rounding::rz);
      const double up = round(x, format, Rounding::ru);
      StochasticRounding how{.bits = 1 + static_cast<int>(random() % 20), .seed = 5};
      const auto counter = static_cast<std::uint64_t>(i);
      // In 64 bits: down, up and x have one exponent but at the end of a binade.
      const long double part =
          up == down ? 0
                     : (static_cast<long double>(x) - down) / (static_cast<long double>(up) - down);
      const long double draw =
          static_cast<long double>(random_bits(how, counter) >> (64 - how.bits));
      const auto bits = [&](int more) { return std::ldexp(part, how.bits + more); };
      const long double unit = std::ldexp(1.0L, how.bits);
      const bool away[] = {std::floor(bits(0)) + draw >= unit,
                           std::floor(bits(1)) + 2 * draw + 1 >= 2 * unit,
                           std::nearbyint(bits(0)) + draw >= unit};
      for (const Stochastic variant : {Stochastic::a, Stochastic::b, Stochastic::c}) {
        how.variant = variant;
        EXPECT_EQ(round_stochastic(x, format, how, counter),
                  away[static_cast<int>(variant)] ? up : down)
            << name << " " << static_cast<int>(variant);
      }
    }
  }
}

TEST(Quire, SumsAMillionProductsWithoutAnError) {
  std::mt19937_64 random(11);
  for (const int bits : {8, 16, 32}) {
    const Format format = format_named("posit" + std::to_string(bits));
    Quire quire(bits);
    Wide sum(1200, 0.0), product(64, 0.0);
    const std::uint64_t codes = std::uint64_t{1} << bits;
    for (int i = 0; i < 1000000; ++i) {
      std::uint64_t a = random() % codes, b = random() % codes;
      if (2 * a == codes || 2 * b == codes) continue;
      const double x = value_of_code(a, format), y = value_of_code(b, format);
      quire.add_product(x, y);
      mpfr_set_d(product.get(), x, MPFR_RNDN);
      mpfr_mul_d(product.get(), product.get(), y, MPFR_RNDN);
      ASSERT_EQ(mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN), 0);
    }
    const double down = mpfr_get_d(sum.get(), MPFR_RNDZ);
    EXPECT_NE(down, 0);
    EXPECT_EQ(quire.to_odd(), to_odd(down, mpfr_cmp_d(sum.get(), down))) << bits;
    quire.add_product(nan, 0);
    EXPECT_TRUE(std::isnan(quire.to_odd()));
    quire.clear();
    quire.add_product(max_finite(format), max_finite(format));
    quire.add_product(min_subnormal(format), -min_subnormal(format));
    quire.add_product(-max_finite(format), max_finite(format));
    EXPECT_EQ(quire.to_odd(), -min_subnormal(format) * min_subnormal(format));
  }
}

}  // namespace
}  // namespace fftprec::testing
