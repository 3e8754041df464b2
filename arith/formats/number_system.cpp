#include "arith/formats/number_system.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

namespace {

constexpr double infinite_value = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int field_bias = 1023;

using System = std::unique_ptr<NumberSystem>;

/// The place of 2^e among the codes of positN: a run of k + 1 ones or -k zeros for the regime k,
/// the bit that ends it, two bits of e mod 4.
double posit_place(int bits, int e) {
  const int regime = e >= 0 ? e / 4 : -((3 - e) / 4);
  const double exponent = e - 4 * regime;
  if (regime >= 0)
    return std::ldexp(1, bits - 1) - std::ldexp(1, bits - 2 - regime) +
           std::ldexp(exponent, bits - 5 - regime);
  return std::ldexp(1, bits - 2 + regime) + std::ldexp(exponent, bits - 4 + regime);
}

/// Of takumN: a bit of direction, three of the regime r, r bits of characteristic.
double takum_place(int bits, int e) {
  const auto size = static_cast<unsigned>(e >= 0 ? e + 1 : -e);
  const int regime = static_cast<int>(std::bit_width(size)) - 1;
  const int power = 1 << regime;
  const double direction = e >= 0 ? 8 + regime : 7 - regime;
  const double characteristic = e >= 0 ? e + 1 - power : e + 2 * power - 1;
  return std::ldexp(direction, bits - 5) + std::ldexp(characteristic, bits - 5 - regime);
}

/// Fills `binades` from `places`; beyond those values are the nearest end.
void lay_out(NumberSystem& system) {
  NumberSystem::Binades& to = system.binades;
  const int highest = system.lowest + static_cast<int>(system.places.size()) - 1;
  for (std::size_t field = 0; field < to.scale.size(); ++field) {
    const int e = static_cast<int>(field) - field_bias;
    if (e < system.lowest || e >= highest) {
      to.low[field] = e < system.lowest ? system.ends.least : infinite_value;
      // A little above 0, as far as a rounding can tell.
      if (e < system.lowest && system.ends.least == 0) {
        to.first[field] = 0x1p-60;
        to.step[field] = system.least_positive;
      }
      continue;
    }
    const auto at = static_cast<std::size_t>(e - system.lowest);
    const double place = system.places[at];
    const double span = system.places[at + 1] - place;
    const double odd = std::fmod(std::floor(place), 2);
    double below = std::ldexp(1.0, e);
    to.scale[field] = std::ldexp(span, -e);
    to.first[field] = place - std::floor(place) + odd;
    to.step[field] = std::ldexp(below, -std::ilogb(span));
    if (span < 1) {  // between two codes that are binades apart
      const auto code = static_cast<std::uint64_t>(std::floor(place));
      below = value_of_code(code, system);
      const double above = value_of_code(code + 1, system);
      to.step[field] = above < infinite_value ? above - below : 0;
      to.sticky[field] = below == 0 ? 0 : 0xff;
    }
    to.low[field] = below - odd * to.step[field];
  }
}

System tapered(std::string name, std::string summary, int bits, int lowest, int highest,
               double (*place)(int bits, int e)) {
  auto system = std::make_unique<NumberSystem>();
  system->name = std::move(name);
  system->summary = std::move(summary);
  system->bits = bits;
  system->tapers = system->ends.is_signed = system->negates = true;
  system->ends.infinity_becomes = not_a_number;
  system->nan_code = std::uint64_t{1} << (bits - 1);
  system->lowest = lowest;
  system->largest_code = system->nan_code - 1;
  for (int e = lowest; e <= highest; ++e) system->places.push_back(place(bits, e));
  system->places.push_back(static_cast<double>(system->nan_code));
  system->ends.least = system->least_positive = value_of_code(1, *system);
  system->ends.largest = system->ends.overflow_becomes = system->ends.odd_overflow_becomes =
      value_of_code(system->largest_code, *system);
  system->emin = std::ilogb(system->ends.least);
  system->emax = std::ilogb(system->ends.largest);
  double most = 1;
  for (std::size_t i = 0; i + 1 < system->places.size(); ++i)
    most = std::max(most, system->places[i + 1] - system->places[i]);
  system->precision = 1 + std::ilogb(most);
  lay_out(*system);
  return system;
}

double middle(double a, double b) { return a + (b - a) / 2; }

/// Fills the sides with the values that doubles hold: the others lie beyond them or, below 2^-1022,
/// where no double lies between their neighbours. So the last code tells even places from odd ones.
void list_doubles(NumberSystem& system) {
  NumberSystem::Side side{.values = {0}, .borders = {0}, .ends = system.ends};
  std::uint64_t last = 0;
  for (std::uint64_t code = 1; code <= system.largest_code; ++code) {
    const auto [significand, exponent] = scaled_value_of_code(code, system);
    const double value = std::ldexp(significand, exponent);
    if (value == infinite_value || std::ldexp(value, -exponent) != significand) continue;
    side.borders.push_back(middle(side.values.back(), value));
    side.values.push_back(value);
    last = code;
  }
  side.odd = (last - (side.values.size() - 1)) % 2 == 1;
  const double largest = side.values.back();
  side.borders.push_back(largest + std::ldexp(1.0, std::ilogb(largest) - system.precision));
  side.values.push_back(infinite_value);
  system.is_listed = true;
  system.sides = {side, side};
}

/// What a name of P3109 says.
struct P3109 {
  int k = 0;
  int p = 0;
  bool is_signed = true;
  bool extended = true;
  std::string overflow = "infinity";

  std::string name() const {
    return "binary" + std::to_string(k) + "p" + std::to_string(p) + (is_signed ? "s" : "u") +
           (extended ? "e" : "f") + (overflow == "infinity" ? "" : ":" + overflow);
  }
};

System p3109(const P3109& form) {
  const int most = form.is_signed ? form.k - 1 : form.k;
  const std::string name = form.name();
  require(form.k >= 3 && form.k <= 16 && form.p >= 1 && form.p <= most, name,
          ": IEEE P3109 has K = 3..16 bits, and precisions 1..K-1 if signed, else 1..K");
  const int exponent_bits = most - form.p + 1;
  const int bias = 1 << (exponent_bits - 1);
  auto system = std::make_unique<NumberSystem>();
  system->name = name;
  system->summary = std::to_string(form.k) + " bits: " + std::to_string(form.p) + " significant" +
                    (form.is_signed ? "" : ", no sign") + (form.extended ? "" : ", no infinity") +
                    " (IEEE P3109)";
  system->bits = form.k;
  system->ends.is_signed = form.is_signed;
  system->precision = form.p;
  const std::uint64_t codes = std::uint64_t{1} << most;
  const std::uint64_t infinite = form.is_signed ? codes - 1 : codes - 2;
  system->nan_code = form.is_signed ? codes : codes - 1;
  system->emin = 1 - bias;
  const int quantum = system->emin - form.p + 1;
  system->lowest = quantum - 64;
  const double normal = std::ldexp(1.0, form.p - 1);
  for (int e = system->lowest; e <= system->emin + (1 << exponent_bits); ++e)
    system->places.push_back(e < system->emin ? std::ldexp(1.0, e - quantum)
                                              : (e - system->emin + 1) * normal);
  system->ends.least = 0;
  system->least_positive = std::ldexp(1.0, quantum);
  system->largest_code = form.extended ? infinite - 1 : infinite;
  system->emax = scaled_value_of_code(system->largest_code, *system).exponent;
  system->ends.largest = value_of_code(system->largest_code, *system);
  const bool is_unbounded = form.extended && form.overflow == "infinity";
  system->ends.overflow_becomes = is_unbounded ? infinite_value : system->ends.largest;
  system->ends.odd_overflow_becomes =
      system->largest_code % 2 == 1 ? system->ends.largest : system->ends.overflow_becomes;
  system->ends.infinity_becomes =
      form.extended && form.overflow != "saturate" ? infinite_value : system->ends.largest;
  system->beyond_fp64 = exponent_bits > 10;
  if (system->beyond_fp64)
    list_doubles(*system);
  else
    lay_out(*system);
  return system;
}

/// The number at the front of `text`, which is then gone.
std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

constexpr const char* known_overflows =
    "infinity, saturate or propagate (OvfInf, SatFinite, SatPropagate)";

/// The name of what happens to an overflow, also by the standard's own name; empty for another.
std::string overflow_named(std::string_view text) {
  for (const auto& [name, standard] :
       {std::pair("infinity", "OvfInf"), {"saturate", "SatFinite"}, {"propagate", "SatPropagate"}})
    if (text == name || text == standard) return name;
  return "";
}

/// Of "binaryKpPse" and so on, which the standard begins with a capital.
std::optional<P3109> standard_name(std::string_view text) {
  const std::string_view name = text;
  constexpr std::string_view binary = "binary";
  if (!text.starts_with(binary) && !text.starts_with("Binary")) return std::nullopt;
  text.remove_prefix(binary.size());
  const std::optional<int> k = leading_number(text);
  if (!k || !text.starts_with('p')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> p = leading_number(text);
  if (!p) return std::nullopt;
  const std::string_view kind = text.substr(0, 2);
  text.remove_prefix(kind.size());
  const std::string overflow = text.empty() ? "infinity" : overflow_named(text.substr(1));
  require((kind == "se" || kind == "sf" || kind == "ue" || kind == "uf") &&
              (text.empty() || (text[0] == ':' && !overflow.empty())),
          "format '", name,
          "': the form is binaryKpPse, -sf, -ue or -uf, also with :OVERFLOW after it: ",
          known_overflows);
  return P3109{*k, *p, kind[0] == 's', kind[1] == 'e', overflow};
}

std::optional<P3109> keyed_name(std::string_view text) {
  if (!text.starts_with("p3109(")) return std::nullopt;
  const std::string what = "format '" + std::string(text) + "'";
  const std::string form = "p3109(k=8,p=3,sign=signed,domain=extended,overflow=infinity)";
  P3109 result;
  for (auto [key, value] :
       keyed_values(text, {"k", "p", "sign", "domain", "overflow"}, 2, what, form)) {
    const auto one_of = [&, &key = key, &value = value](std::string_view yes, std::string_view no) {
      require(value == yes || value == no, what, ": ", key, " is ", yes, " or ", no);
      return value == yes;
    };
    if (key == "k" || key == "p") {
      const std::optional<int> number = leading_number(value);
      require(number && value.empty(), what, ": ", key, " is a number; the form is ", form);
      (key == "k" ? result.k : result.p) = *number;
    }
    if (key == "sign") result.is_signed = one_of("signed", "unsigned");
    if (key == "domain") result.extended = one_of("extended", "finite");
    if (key == "overflow") {
      result.overflow = overflow_named(value);
      require(!result.overflow.empty(), what, ": overflow is ", known_overflows);
    }
  }
  return result;
}

/// The width after `kind`, checked; nothing for another kind of name.
std::optional<int> width_after(std::string_view kind, std::string_view text, int first, int last) {
  std::string_view digits = text.substr(std::min(kind.size(), text.size()));
  if (!text.starts_with(kind) || digits.empty()) return std::nullopt;
  const std::optional<int> bits = leading_number(digits);
  if (!bits || !digits.empty()) return std::nullopt;
  require(*bits >= first && *bits <= last, "format '", text, "': ", kind, "s have ", first, " to ",
          last, " bits");
  return bits;
}

System make(std::string_view name) {
  if (const auto bits = width_after("posit", name, 3, 32)) {
    const int highest = 4 * (*bits - 2);
    return tapered(std::string(name), std::to_string(*bits) + "-bit posit (Posit Standard 2022)",
                   *bits, -highest, highest, posit_place);
  }
  if (const auto bits = width_after("takum", name, 6, 32))
    return tapered(std::string(name), std::to_string(*bits) + "-bit linear takum (Hunhold 2024)",
                   *bits, -255, 254, takum_place);
  std::optional<P3109> form = standard_name(name);
  if (!form) form = keyed_name(name);
  return form ? p3109(*form) : nullptr;
}

}  // namespace

double with_bits(double x, int bits) {
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(x, &exponent), bits);
  return std::ldexp(std::nearbyint(digits), exponent - bits);
}

System system_of_values(std::string name, const std::vector<ListedValue>& values,
                        ListOverflow overflow) {
  auto system = std::make_unique<NumberSystem>();
  system->name = std::move(name);
  system->summary = "a list of " + std::to_string(values.size()) + " values";
  system->bits = std::max(static_cast<int>(std::bit_width(values.size() - 1)), 1);
  system->tapers = system->is_listed = true;
  system->precision = 1;
  for (const auto& [value, border] : values) {
    system->codes.push_back(value);
    // Sums of floats round to double before they round here, so borders must be apart from values.
    while (std::isfinite(value) &&
           (with_bits(value, system->precision) != value ||
            std::fabs(with_bits(border, system->precision + 1) - border) > 0))
      ++system->precision;
  }
  const auto& codes = system->codes;
  const auto zero =
      static_cast<std::size_t>(std::find(codes.begin(), codes.end(), 0) - codes.begin());
  const bool has_nan = std::isnan(codes.back());
  system->nan_code = has_nan ? codes.size() - 1 : codes.size();
  for (const int sign : {1, -1}) {
    NumberSystem::Side& side = system->sides[sign > 0 ? 0 : 1];
    side = {.values = {0}, .borders = {0}};
    const auto add = [&](double value, double border) {
      const double before = side.values.back();
      const bool is_end = std::isinf(value) && side.values.size() > 1;
      const double between =
          middle(before, is_end ? 2 * before - side.values[side.values.size() - 2] : value);
      side.borders.push_back(std::isnan(border) ? with_bits(between, 52) : border);
      side.values.push_back(value);
    };
    for (std::size_t i = zero + 1; sign > 0 && i < system->nan_code; ++i)
      add(values[i].value, values[i].border);
    for (std::size_t i = zero; sign < 0 && i-- > 0;) add(-values[i].value, -values[i + 1].border);
    const bool has_infinity = std::isinf(side.values.back());
    if (!has_infinity) add(infinite_value, not_a_number);
    const double largest = side.values[side.values.size() - 2];
    side.ends = {.least = side.borders[1] == 0 && largest > 0 ? side.values[1] : 0,
                 .largest = largest,
                 .overflow_becomes = overflow == ListOverflow::infinity ? infinite_value
                                     : overflow == ListOverflow::nan    ? not_a_number
                                                                        : largest,
                 .odd_overflow_becomes = 0,
                 .infinity_becomes = has_infinity ? infinite_value
                                     : has_nan    ? not_a_number
                                                  : largest,
                 .is_signed = zero > 0};
    const bool ends_odd = side.odd != (side.values.size() % 2 == 1);
    side.ends.odd_overflow_becomes = ends_odd ? largest : side.ends.overflow_becomes;
  }
  const NumberSystem::Ends& lowest = system->sides[1].ends;
  system->ends = system->sides[0].ends;
  system->largest_code = zero + system->sides[0].values.size() - 2;
  system->least_positive = system->sides[0].values[1];
  const double least_negative = lowest.largest > 0 ? system->sides[1].values[1] : infinite_value;
  system->emin = std::ilogb(std::min(system->least_positive, least_negative));
  system->emax = std::ilogb(std::max(system->ends.largest, lowest.largest));
  return system;
}

const NumberSystem* number_system_named(std::string_view name, ListReader read) {
  static std::mutex mutex;
  static std::map<std::string, System, std::less<>> made;  // whose values never change
  const std::lock_guard lock(mutex);
  if (const auto found = made.find(name); found != made.end()) return found->second.get();
  System system = read && name.starts_with("file:") ? read(std::string(name)) : make(name);
  if (!system) return nullptr;
  const std::string its_name = system->name;
  return made.try_emplace(its_name, std::move(system)).first->second.get();
}

ScaledValue scaled_value_of_code(std::uint64_t code, const NumberSystem& system) {
  if (code == system.nan_code) return {not_a_number, 0};
  const std::uint64_t sign = std::uint64_t{1} << (system.bits - 1);
  if (system.ends.is_signed && (code & sign) != 0) {
    const std::uint64_t all = 2 * sign - 1;
    const auto [significand, exponent] =
        scaled_value_of_code(system.negates ? (~code + 1) & all : code & ~sign, system);
    return {-significand, exponent};
  }
  if (code == 0) return {0, 0};
  if (code > system.largest_code) return {infinite_value, 0};
  const double place = static_cast<double>(code);
  const auto after = std::upper_bound(system.places.begin(), system.places.end(), place);
  const auto at = static_cast<std::size_t>(after - system.places.begin()) - 1;
  const double from = system.places[at];
  const double part = from == place ? 0 : (place - from) / (system.places[at + 1] - from);
  return {1 + part, system.lowest + static_cast<int>(at)};
}

double value_of_code(std::uint64_t code, const NumberSystem& system) {
  if (!system.codes.empty()) return code < system.codes.size() ? system.codes[code] : not_a_number;
  const auto [significand, exponent] = scaled_value_of_code(code, system);
  return std::ldexp(significand, exponent);
}

std::uint64_t code_of_value(double x, const NumberSystem& system) {
  if (std::isnan(x)) return system.nan_code;
  if (!system.codes.empty()) {
    const auto end = system.codes.begin() + static_cast<std::ptrdiff_t>(system.nan_code);
    return static_cast<std::uint64_t>(std::lower_bound(system.codes.begin(), end, x) -
                                      system.codes.begin());
  }
  const double size = std::fabs(x);
  std::uint64_t code = 0;
  if (std::isinf(x)) {
    code = system.largest_code + 1;
  } else if (x != 0) {
    const int e = std::ilogb(size);
    const auto at = static_cast<std::size_t>(e - system.lowest);
    const double from = system.places[at];
    const double part = std::ldexp(size, -e) - 1;
    code = static_cast<std::uint64_t>(from + part * (system.places[at + 1] - from));
  }
  const std::uint64_t sign = std::uint64_t{1} << (system.bits - 1);
  if (!(x < 0)) return code;
  return system.negates ? (~code + 1) & (2 * sign - 1) : code | sign;
}

}  // namespace fftprec
