#include "experiments/tables/tables.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/cases/name_keys.hpp"
#include "experiments/cases/registry.hpp"
#include "experiments/tables/fp64_angle.hpp"
#include "experiments/tables/jitter.hpp"
#include "experiments/tables/tables_cache.hpp"

namespace fftprec {
namespace {

constexpr float two_pi = 0x1.921fb6p+2F;  // fl(2 pi)
constexpr std::uint64_t largest_table = std::uint64_t{1} << 22;

double to_format(float x, const Format& format) {
  return truth::round_unit(static_cast<double>(x), format);
}

std::complex<double> to_format(float re, float im, const Format& format) {
  return {to_format(re, format), to_format(im, format)};
}

void check(std::uint64_t order, const Format& format) {
  require(order >= 1, "table source: order = 0");
  truth::require_table_format(format);
}

float angle_of(std::uint64_t exponent, std::uint64_t order) {
  return two_pi * static_cast<float>(exponent) / static_cast<float>(order);
}

/// Requires: x >= 0, far from overflow.
float nearest_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t last_kept_bit = bits >> 16 & 1;
  return std::bit_cast<float>((bits + 0x7fff + last_kept_bit) & 0xffff0000);
}

/// cos and sin may be off by one place, but not above 1 and not at the angle 0.
std::complex<double> root_at(float angle, const Format& format, const Jitter& jitter) {
  const truth::SinCos circle = truth::sin_cos_rounded(angle);
  const std::uint64_t counter = 2 * std::uint64_t{std::bit_cast<std::uint32_t>(angle)};
  const auto value = [&jitter, angle](float x, std::uint64_t place) {
    return angle == 0 ? x : std::clamp(jittered(x, jitter, place), -1.0F, 1.0F);
  };
  return to_format(value(circle.cos, counter), 0 - value(circle.sin, counter + 1), format);
}

std::complex<double> exact(std::uint64_t exponent, std::uint64_t order, const Format& format) {
  static TablesCache cache(truth::roots_of_unity);
  check(order, format);
  return order <= largest_table ? cache.at(exponent, order, format)
                                : truth::root_of_unity(exponent, order, format);
}

float reduced_angle_of(std::uint64_t exponent, std::uint64_t order) {
  return angle_of(exponent % order, order);
}

float bf16_angle_of(std::uint64_t exponent, std::uint64_t order) {
  return nearest_bf16(angle_of(exponent, order));
}

ComplexArray<double> powers_of_root(std::size_t order, const Format& format) {
  const std::complex<double> primitive = truth::root_of_unity(1, order, fp32);
  const auto re = static_cast<float>(primitive.real());
  const auto im = static_cast<float>(primitive.imag());
  float power_re = 1;
  float power_im = 0;
  ComplexArray<double> table(order);
  for (std::size_t j = 0; j < order; ++j) {
    table.re[j] = to_format(power_re, format);
    table.im[j] = to_format(power_im, format);
    const float next_re = power_re * re - power_im * im;
    power_im = power_re * im + power_im * re;
    power_re = next_re;
  }
  return table;
}

std::complex<double> recurrence(std::uint64_t exponent, std::uint64_t order, const Format& format) {
  static TablesCache cache(powers_of_root);
  check(order, format);
  require(order <= largest_table,
          "tables recurrence: order " + std::to_string(order) + " is above 2^22");
  return cache.at(exponent, order, format);
}

std::complex<double> fp64_angle(std::uint64_t exponent, std::uint64_t order, const Format& format) {
  check(order, format);
  return fp64_angle_root(exponent, order, format);
}

/// A source has either roots of its own, or an angle whose cosine and sine are taken in fp32.
struct Source {
  std::string name;
  std::string summary;
  std::complex<double> (*root)(std::uint64_t, std::uint64_t, const Format&);
  float (*angle)(std::uint64_t exponent, std::uint64_t order);
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all{
      {"exact", "each part correctly rounded once to the storage format", exact, nullptr},
      {"fp32-angle", "angle formed in fp32 and not reduced: its error grows with its size", nullptr,
       angle_of},
      {"fp32-reduced", "angle formed in fp32 after reducing the exponent modulo the order", nullptr,
       reduced_angle_of},
      {"fp64-angle", "angle formed in fp64 and not reduced", fp64_angle, nullptr},
      {"bf16-angle", "fp32-angle with the angle rounded to bf16", nullptr, bf16_angle_of},
      {"recurrence", "powers of the fp32 primitive root by repeated fp32 products", recurrence,
       nullptr},
  };
  return all;
}

}  // namespace

TableName table_name(std::string_view name) {
  const KeyedName parts = split_name(name);
  const Source& source = item_named(sources(), "tables", parts.name);
  const std::string owner = "tables " + source.name;
  const Key none{"jitter", "none"};
  const Key jitter = with_values({none}, parts.keys, owner)[0];
  if (jitter.value == none.value) return {source.name, 0};
  if (!source.angle) throw InputError(owner + ": no cosine of an angle is taken, so none jitters");
  return {source.name, whole_number(jitter, owner)};
}

bool takes_cosines(std::string_view source) {
  return item_named(sources(), "tables", table_name(source).source).angle != nullptr;
}

RootFunction table_source(std::string_view name) {
  const auto [source_name, k] = table_name(name);
  const Source& source = item_named(sources(), "tables", source_name);
  if (source.root) return source.root;
  return [angle = source.angle, jitter = Jitter{k, 0}](std::uint64_t exponent, std::uint64_t order,
                                                       const Format& format) {
    check(order, format);
    return root_at(angle(exponent, order), format, jitter);
  };
}

std::vector<Named> list_tables() {
  std::vector<Named> names;
  for (const Source& source : sources()) names.push_back({source.name, source.summary});
  return names;
}

}  // namespace fftprec
