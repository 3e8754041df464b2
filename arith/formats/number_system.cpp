#include "arith/formats/number_system.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace fftprec {

namespace {

constexpr double infinite_value = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int field_bias = 1023;

using System = std::unique_ptr<NumberSystem>;

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

}  // namespace

void complete(NumberSystem& system) {
  if (system.beyond_fp64)
    list_doubles(system);
  else
    lay_out(system);
}

System tapered_system(std::string name, std::string summary, int bits, int lowest,
                      std::vector<double> places) {
  auto system = std::make_unique<NumberSystem>();
  system->name = std::move(name);
  system->summary = std::move(summary);
  system->bits = bits;
  system->tapers = system->ends.is_signed = system->negates = true;
  system->ends.infinity_becomes = not_a_number;
  system->nan_code = std::uint64_t{1} << (bits - 1);
  system->lowest = lowest;
  system->largest_code = system->nan_code - 1;
  system->places = std::move(places);
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
  complete(*system);
  return system;
}

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
