#include "arith/formats/format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "arith/formats/number_families.hpp"
#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

const std::vector<NamedRounding>& named_roundings() {
  static const std::vector<NamedRounding> roundings = {
      {"rne", "to nearest, ties to even", Rounding::rne, "NearestTiesToEven"},
      {"rna", "to nearest, ties away from zero", Rounding::rna, "NearestTiesToAway"},
      {"rz", "toward zero (truncation)", Rounding::rz, "TowardZero"},
      {"ru", "toward +infinity", Rounding::ru, "TowardPositive"},
      {"rd", "toward -infinity", Rounding::rd, "TowardNegative"},
      {"odd", "to odd: inexact results get an odd significand", Rounding::odd, "ToOdd"},
      {"sr", "stochastic, counter-based, with a given number of random bits", Rounding::sr,
       "StochasticA"},
      {"rnu", "to nearest, ties toward +infinity", Rounding::rnu},
      {"sr:b", "as sr, with half of the last random bit more", Rounding::sr, "StochasticB",
       Stochastic::b},
      {"sr:c", "as sr, of what is rounded to its number of bits", Rounding::sr, "StochasticC",
       Stochastic::c},
  };
  return roundings;
}

const NamedRounding& rounding_entry(std::string_view name) {
  for (const NamedRounding& named : named_roundings())
    if (!named.standard.empty() && named.standard == name) return named;
  return item_named(named_roundings(), "rounding", name);
}

Rounding rounding_named(std::string_view name) { return rounding_entry(name).rounding; }

std::string_view name_of(Rounding rounding) {
  return named_roundings()[static_cast<std::size_t>(rounding)].name;
}

namespace {

struct NamedOverflow {
  std::string_view name;
  Overflow overflow;
};

constexpr std::array<NamedOverflow, 4> overflows = {{
    {"infinity", Overflow::infinity},
    {"saturate", Overflow::saturate},
    {"nan", Overflow::nan},
    {"wrap", Overflow::wrap},
}};

std::string_view name_of(Overflow overflow) {
  return overflows[static_cast<std::size_t>(overflow)].name;
}

constexpr std::string_view wrapping = ":wrap";

constexpr const char* form_of_custom =
    "custom(p=5,emin=-14,emax=15,subnormals=true,overflow=infinity)";

InputError malformed(std::string_view text, const std::string& reason) {
  return InputError("format '" + std::string(text) + "': " + reason + "; the form is " +
                    form_of_custom);
}

int parse_integer(std::string_view text, std::string_view value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size())
    throw malformed(text, "'" + std::string(value) + "' is not an integer");
  return number;
}

bool parse_bool(std::string_view text, std::string_view value) {
  if (value != "true" && value != "false")
    throw malformed(text, "'" + std::string(value) + "' is neither true nor false");
  return value == "true";
}

/// "custom(key=value,...)" without spaces; `text` is what the user wrote.
Format parse_custom(std::string_view text, std::string_view compact) {
  Format format{0, 0, 0};
  for (const auto& [key, value] :
       keyed_values(compact, {"p", "emin", "emax", "subnormals", "overflow"}, 3,
                    "format '" + std::string(text) + "'", form_of_custom)) {
    if (key == "p") format.precision = parse_integer(text, value);
    if (key == "emin") format.emin = parse_integer(text, value);
    if (key == "emax") format.emax = parse_integer(text, value);
    if (key == "subnormals") format.subnormals = parse_bool(text, value);
    if (key == "overflow") format.overflow = item_named(overflows, "overflow rule", value).overflow;
  }
  return format;
}

/// How a spelling of fixed point gives its bits.
enum class FixedBits {
  integer_and_fraction,  ///< "q1.15": the sign is an integer bit
  width_and_fraction,    ///< "sfix16_en15"
  fraction,              ///< "q15": one integer bit
  width,                 ///< "int16": a fraction, but for the sign
};

struct FixedSpelling {
  std::string_view before;   ///< the first number
  std::string_view between;  ///< the numbers
  std::string_view after;
  bool is_signed;
  FixedBits bits;
};

/// "q7" is q1.7; below, one number may be a slip.
constexpr int least_lone_fraction = 7;

/// In lower case. Q, s and int as DSP libraries write them, sfix and fixdt as Simulink and HDL
/// Coder do, fix_ as System Generator does.
constexpr FixedSpelling fixed_spellings[] = {
    {"q", ".", "", true, FixedBits::integer_and_fraction},
    {"s", ".", "", true, FixedBits::integer_and_fraction},
    {"u", ".", "", false, FixedBits::integer_and_fraction},
    {"sfix", "_en", "", true, FixedBits::width_and_fraction},
    {"ufix", "_en", "", false, FixedBits::width_and_fraction},
    {"fix_", "_", "", true, FixedBits::width_and_fraction},
    {"ufix_", "_", "", false, FixedBits::width_and_fraction},
    {"fixdt(1,", ",", ")", true, FixedBits::width_and_fraction},
    {"fixdt(0,", ",", ")", false, FixedBits::width_and_fraction},
    {"q", "", "", true, FixedBits::fraction},
    {"int", "", "", true, FixedBits::width},
    {"uint", "", "", false, FixedBits::width},
};

struct FixedName {
  bool is_signed;
  int integer;  ///< with the sign
  int fraction;
  bool wraps = false;
};

/// Takes a number from the front of `text`.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<FixedName> fixed_name(std::string_view text, const FixedSpelling& as) {
  if (!text.starts_with(as.before)) return std::nullopt;
  text.remove_prefix(as.before.size());
  const std::optional<int> first = take_number(text);
  if (!first || !text.starts_with(as.between)) return std::nullopt;
  text.remove_prefix(as.between.size());
  const std::optional<int> second = as.between.empty() ? 0 : take_number(text);
  if (!second || text != as.after) return std::nullopt;
  const int sign = as.is_signed ? 1 : 0;
  switch (as.bits) {
    case FixedBits::integer_and_fraction:
      return FixedName{as.is_signed, *first, *second};
    case FixedBits::width_and_fraction:
      return FixedName{as.is_signed, *first - *second, *second};
    case FixedBits::fraction:
      if (*first < least_lone_fraction) return std::nullopt;
      return FixedName{as.is_signed, sign, *first};
    case FixedBits::width:
      return FixedName{as.is_signed, sign, *first - sign};
  }
  return std::nullopt;
}

std::string in_lower_case(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

/// What any spelling of fixed point, in any case, with or without ":wrap", stands for; else
/// nothing.
std::optional<FixedName> fixed_name(std::string_view text) {
  const std::string small = in_lower_case(text);
  std::string_view digits = small;
  const bool wraps = digits.ends_with(wrapping);
  if (wraps) digits.remove_suffix(wrapping.size());
  for (const FixedSpelling& as : fixed_spellings)
    if (std::optional<FixedName> name = fixed_name(digits, as)) {
      name->wraps = wraps;
      return name;
    }
  return std::nullopt;
}

/// "q1.15" or "u8.8", either with ":wrap".
std::string text_of(const FixedName& name) {
  return (name.is_signed ? "q" : "u") + std::to_string(name.integer) + "." +
         std::to_string(name.fraction) + (name.wraps ? std::string(wrapping) : "");
}

/// The format of a spelling of fixed point; else nothing.
std::optional<Format> fixed_point(std::string_view text) {
  constexpr int most = most_fixed_bits;
  const std::optional<FixedName> name = fixed_name(text);
  if (!name) return std::nullopt;
  const auto [is_signed, integer, fraction, wraps] = *name;
  const std::string canonical = text_of(*name);
  require(integer >= 0 && fraction >= 0 && integer <= most && fraction <= most &&
              integer + fraction >= 2 && integer + fraction <= most && (!is_signed || integer > 0),
          "format '", text, canonical == text ? "'" : "', which is " + canonical,
          ": fixed point has 2 to ", most, " bits, and q one of the sign");
  Format format = fixed_format(integer, fraction, wraps ? Overflow::wrap : Overflow::saturate);
  if (is_signed) return format;
  ++format.precision;
  format.emin = ++format.emax;
  format.grid = Grid::fixed_from_zero;
  return format;
}

/// Exponent fields: 0, one for each binade, and the highest where there are infinities.
std::uint64_t highest_field(const Format& format) {
  const bool infinities = format.overflow == Overflow::infinity;
  return static_cast<std::uint64_t>(format.emax - format.emin + 1) + (infinities ? 1 : 0);
}

/// What the codes of a format stand for, which formats of its kind there are, and their names but
/// for those of named_formats().
class Encoding {
 public:
  virtual ~Encoding() = default;
  virtual int width(const Format& format) const = 0;
  virtual double value(std::uint64_t code, const Format& format) const = 0;
  virtual std::uint64_t code(double x, const Format& format) const = 0;
  virtual void validate(const Format& format) const = 0;
  virtual std::string name(const Format& format) const = 0;

 protected:
  static void validate_exponents(const Format& format) {
    require(format.emin >= -1022 && format.emin <= format.emax && format.emax <= 1023, format,
            ": exponents must satisfy -1022 <= emin <= emax <= 1023");
    require(format.emin <= 970, format,
            ": emin is above 970, the largest that double can align to");
    require(quantum_exponent(format) >= -1074, format,
            ": the smallest subnormal 2^(emin-p+1) is below 2^-1074, double's own");
  }
};

class SystemEncoding final : public Encoding {
  int width(const Format& format) const override { return format.system->bits; }
  double value(std::uint64_t code, const Format& format) const override {
    return value_of_code(code, *format.system);
  }
  std::uint64_t code(double x, const Format& format) const override {
    return code_of_value(x, *format.system);
  }
  void validate(const Format&) const override {}
  std::string name(const Format& format) const override { return format.system->name; }
};

/// Two's complement, or no sign.
class FixedEncoding final : public Encoding {
  int width(const Format& format) const override {
    return format.precision + (is_signed(format) ? 1 : 0);
  }
  double value(std::uint64_t code, const Format& format) const override {
    const bool negative = is_signed(format) && (code >> format.precision) != 0;
    const double digits =
        static_cast<double>(code) - (negative ? std::ldexp(1.0, width(format)) : 0);
    return std::ldexp(digits, quantum_exponent(format));
  }
  std::uint64_t code(double x, const Format& format) const override {
    const auto digits = static_cast<std::int64_t>(std::ldexp(x, -quantum_exponent(format)));
    return static_cast<std::uint64_t>(digits) & ((std::uint64_t{1} << width(format)) - 1);
  }
  void validate(const Format& format) const override {
    require(width(format) >= 2 && width(format) <= most_fixed_bits && format.emin == format.emax &&
                format.overflow != Overflow::infinity && format.overflow != Overflow::nan,
            format, ": fixed point has 2 to 50 bits, and saturates or wraps");
    validate_exponents(format);
  }
  std::string name(const Format& format) const override {
    const bool with_sign = is_signed(format);
    return (with_sign ? "q" : "u") + std::to_string(format.emax + (with_sign ? 2 : 1)) + "." +
           std::to_string(-quantum_exponent(format)) +
           (format.overflow == Overflow::wrap ? std::string(wrapping) : "");
  }

  static bool is_signed(const Format& format) { return format.grid == Grid::fixed; }
};

/// Sign, exponent field, fraction.
class FloatEncoding final : public Encoding {
  int width(const Format& format) const override {
    return format.precision + static_cast<int>(std::bit_width(highest_field(format)));
  }
  double value(std::uint64_t code, const Format& format) const override {
    const int fraction_bits = format.precision - 1;
    const std::uint64_t hidden = std::uint64_t{1} << fraction_bits;
    const std::uint64_t fraction = code & (hidden - 1);
    const std::uint64_t sign = std::uint64_t{1} << (width(format) - 1);
    const std::uint64_t field = (code & (sign - 1)) >> fraction_bits;
    double magnitude = std::numeric_limits<double>::quiet_NaN();
    if (format.overflow == Overflow::infinity && field == highest_field(format)) {
      if (fraction == 0) magnitude = std::numeric_limits<double>::infinity();
    } else if (format.overflow != Overflow::nan || field != highest_field(format) ||
               fraction != hidden - 1) {
      const std::uint64_t significand = field == 0 ? fraction : hidden + fraction;
      magnitude = std::ldexp(static_cast<double>(significand),
                             quantum_exponent(format) + std::max(static_cast<int>(field) - 1, 0));
    }
    return (code & sign) != 0 ? -magnitude : magnitude;
  }
  std::uint64_t code(double x, const Format& format) const override {
    const int fraction_bits = format.precision - 1;
    const std::uint64_t hidden = std::uint64_t{1} << fraction_bits;
    const std::uint64_t top = highest_field(format) << fraction_bits;
    if (std::isnan(x)) return top | (format.overflow == Overflow::nan ? hidden - 1 : hidden >> 1);
    const std::uint64_t sign = std::signbit(x) ? std::uint64_t{1} << (width(format) - 1) : 0;
    if (std::isinf(x)) return sign | top;
    const double magnitude = std::fabs(x);
    if (magnitude < min_normal(format))
      return sign | static_cast<std::uint64_t>(std::ldexp(magnitude, -quantum_exponent(format)));
    const int exponent = std::ilogb(magnitude);
    const auto significand =
        static_cast<std::uint64_t>(std::ldexp(magnitude, fraction_bits - exponent));
    const auto field = static_cast<std::uint64_t>(exponent - format.emin + 1);
    return sign | (field << fraction_bits) | (significand - hidden);
  }
  void validate(const Format& format) const override {
    if (format == fp64) return;
    require(format.overflow != Overflow::wrap, format,
            ": overflow=wrap is for fixed point; others: infinity, saturate, nan");
    require(format.precision >= 2 && format.precision <= 50, format, ": precision is not in 2..50");
    validate_exponents(format);
  }
  std::string name(const Format& format) const override { return custom_text(format); }
};

const Encoding& encoding_of(const Format& format) {
  static const SystemEncoding system;
  static const FixedEncoding fixed;
  static const FloatEncoding floats;
  if (format.system) return system;
  return format.is_fixed() ? static_cast<const Encoding&>(fixed) : floats;
}

}  // namespace

Format format_of_system(const NumberSystem& system) {
  return {.precision = system.precision,
          .emin = system.emin,
          .emax = system.emax,
          .overflow = system.ends.infinity_becomes > system.ends.largest ? Overflow::infinity
                                                                         : Overflow::saturate,
          .system = &system};
}

int width_of(const Format& format) { return encoding_of(format).width(format); }

double value_of_code(std::uint64_t code, const Format& format) {
  return encoding_of(format).value(code, format);
}

std::uint64_t code_of_value(double x, const Format& format) {
  return encoding_of(format).code(x, format);
}

void validate(const Format& format) { encoding_of(format).validate(format); }

const std::vector<NamedFormat>& named_formats() {
  static const std::vector<NamedFormat> formats = {
      {"fp8_e5m2", "8 bits: 3 significant, max 57344, infinities (OCP)", fp8_e5m2},
      {"fp8_e4m3", "8 bits: 4 significant, max 240, infinities (IEEE style)", fp8_e4m3},
      {"fp8_e4m3fn", "8 bits: 4 significant, max 448, NaN but no infinities (OCP)", fp8_e4m3fn},
      {"fp8_e5m2fnuz", "8 bits: 3 significant, max 57344, no infinities (AMD)", fp8_e5m2fnuz},
      {"fp8_e4m3fnuz", "8 bits: 4 significant, max 240, no infinities (AMD)", fp8_e4m3fnuz},
      {"bf16", "16 bits: 8 significant, fp32's exponents; also bfloat16", bf16},
      {"fp16", "16 bits: 11 significant, max 65504 (IEEE binary16); also float16, half", fp16},
      {"tf32", "19 bits: 11 significant, fp32's exponents", tf32},
      {"fp32", "32 bits: 24 significant (IEEE binary32); also float32, single", fp32},
      {"fp64", "64 bits: 53 significant (IEEE binary64); also float64, double", fp64},
  };
  return formats;
}

std::string format_spelling(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"float16", "fp16"}, {"half", "fp16"},    {"bfloat16", "bf16"}, {"float32", "fp32"},
      {"single", "fp32"},  {"float64", "fp64"}, {"double", "fp64"},
  };
  if (const std::optional<FixedName> fixed = fixed_name(text)) return text_of(*fixed);
  const std::string small = in_lower_case(text);
  for (const auto& [spelling, name] : others)
    if (small == spelling) return std::string(name);
  for (const NamedFormat& format : named_formats())
    if (small == format.name) return small;
  return std::string(text);
}

Format format_named(std::string_view text, ListReader read) {
  std::string compact(text);
  std::erase(compact, ' ');
  if (const std::optional<Format> fixed = fixed_point(compact)) return *fixed;
  const std::string_view spelling = text.starts_with("file:") ? text : compact;
  if (const NumberSystem* system = number_system_named(spelling, read))
    return format_of_system(*system);
  if (compact.starts_with("custom(")) {
    const Format format = parse_custom(text, compact);
    validate(format);
    return format;
  }
  const std::string name = format_spelling(text);
  std::vector<std::string> known;
  for (const NamedFormat& each : named_formats()) {
    if (each.name == name) return each.format;
    known.emplace_back(each.name);
  }
  known.insert(known.end(), {"custom(p=...,emin=...,emax=...)", "qI.F", "uI.F"});
  for (const NumberFamily& family : number_families()) known.emplace_back(family.form);
  known.emplace_back("file:VALUES.csv");
  throw unknown_name("format", name, known, format_meant(name));
}

std::string format_meant(std::string_view text) {
  // float is 32 bits to C and PyTorch, 64 to Python: a suggestion, not a spelling.
  constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
      {"float", "fp32"},   {"f16", "fp16"},      {"f32", "fp32"},      {"f64", "fp64"},
      {"fp8", "fp8_e4m3"}, {"e4m3", "fp8_e4m3"}, {"e5m2", "fp8_e5m2"},
  };
  const std::string small = in_lower_case(text);
  for (const auto& [name, format] : elsewhere)
    if (small == name) return std::string(format);
  if (small == text) return {};
  try {
    format_named(small);
    return small;
  } catch (const InputError&) {
    return {};
  }
}

std::string to_string(const Format& format) {
  for (const NamedFormat& entry : named_formats())
    if (entry.format == format) return std::string(entry.name);
  return encoding_of(format).name(format);
}

std::string custom_text(const Format& format) {
  return "custom(p=" + std::to_string(format.precision) + ",emin=" + std::to_string(format.emin) +
         ",emax=" + std::to_string(format.emax) +
         ",subnormals=" + (format.subnormals ? "true" : "false") +
         ",overflow=" + std::string(name_of(format.overflow)) + ")";
}

}  // namespace fftprec
