#include "experiments/tables/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "algorithms/theory/bounds.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

/// Answers the root of an exponent from a table of its whole order; safe from several threads.
/// A thread that stays with one order and format, as one filling a table does, takes no lock.
class TablesCache {
 public:
  using Table = ComplexArray<double>;
  using Make = Table (*)(std::size_t order, const Format& format);

  explicit TablesCache(Make make) : make_(make) {}

  /// Entry exponent mod order.
  std::complex<double> at(std::uint64_t exponent, std::uint64_t order, const Format& format);

 private:
  struct Entry {
    const TablesCache* owner = nullptr;
    std::uint64_t order = 0;
    Format format{};
    std::shared_ptr<const Table> table;
  };
  bool matches(const Entry& entry, std::uint64_t order, const Format& format) const;
  Entry find_or_make(std::uint64_t order, const Format& format);

  Make make_;
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< latest use first
};

constexpr std::size_t tables_kept = 24;

bool TablesCache::matches(const Entry& entry, std::uint64_t order, const Format& format) const {
  return entry.owner == this && entry.order == order && entry.format == format;
}

std::complex<double> TablesCache::at(std::uint64_t exponent, std::uint64_t order,
                                     const Format& format) {
  thread_local Entry latest;
  if (!matches(latest, order, format)) latest = find_or_make(order, format);
  const auto k = static_cast<std::size_t>(exponent % order);
  return {latest.table->re[k], latest.table->im[k]};
}

TablesCache::Entry TablesCache::find_or_make(std::uint64_t order, const Format& format) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (matches(*entry, order, format)) {
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front();
    }
  auto table = std::make_shared<const Table>(make_(static_cast<std::size_t>(order), format));
  entries_.push_front({this, order, format, std::move(table)});
  if (entries_.size() > tables_kept) entries_.pop_back();
  return entries_.front();
}

/// cos(angle) - i sin(angle), angle = fl(fl(fl(2 pi) fl(exponent)) / fl(order)) in fp64, each part
/// correctly rounded to fp64, then to the format. Some 10 microseconds, for MPFR does it.
std::complex<double> fp64_angle_root(std::uint64_t exponent, std::uint64_t order,
                                     const Format& format) {
  constexpr double two_pi = 0x1.921fb54442d18p+2;  // fl(2 pi)
  constexpr mpfr_prec_t fp64_bits = 53;
  const double angle = two_pi * static_cast<double>(exponent) / static_cast<double>(order);
  const truth::MpfrCacheScope scope;
  const truth::Real argument(angle, fp64_bits);
  truth::Real sin(fp64_bits);
  truth::Real cos(fp64_bits);
  mpfr_sin_cos(sin, cos, argument, MPFR_RNDN);
  return {truth::round_unit(mpfr_get_d(cos, MPFR_RNDN), format),
          truth::round_unit(0 - mpfr_get_d(sin, MPFR_RNDN), format)};
}

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

std::vector<Named> list_tables() { return named(sources()); }

namespace {

constexpr double u = 0x1p-24;
constexpr double turn = 6.283185307179587;  // 2 pi

/// fp32 parts, each correctly rounded, then rounded once more if the format is narrower.
double after_rounding(double error, const Format& format) {
  const double in_fp32 = error + rounded_table_error(fp32);
  return format.precision >= fp32.precision ? in_fp32
                                            : in_fp32 + (1 + in_fp32) * rounded_table_error(format);
}

/// An angle formed by at most five fp32 roundings (2 pi, the exponent, their product, the order and
/// the quotient) is off by (1 + u)^4 / (1 - u) - 1 < 5.01 u of itself, and moves the root by no
/// more.
double angle_error(double turns) { return 5.01 * u * turn * turns; }

}  // namespace

/// jitter: parts of up to 1 move by 2^-24 at most, the root by sqrt(2) as much, and by a little
/// more where it is then rounded to a narrower format. fp64-angle: as fp32-angle, with the unit
/// roundoff of fp64. bf16-angle: the angle is rounded to bf16 besides: another 2^-8 of itself.
/// recurrence: each of the `index` products multiplies the relative error by (1 + sqrt(5) u), the
/// schoolbook product, and by (1 + u/sqrt(2)), the rounded primitive root.
double table_error_bound(std::string_view name, const TableExtent& extent, const Format& format) {
  const auto [source, jitter] = table_name(name);
  if (jitter != 0) return table_error_bound(source, extent, format) + 2 * u;
  if (source == "exact") return rounded_table_error(format);
  if (source == "fp32-reduced")
    return after_rounding(angle_error(std::min(extent.turns, 1.0)), format);
  if (source == "fp64-angle") {
    const double in_fp64 = 5.01 * 0x1p-53 * turn * extent.turns + rounded_table_error(fp64);
    return format.precision >= fp64.precision
               ? in_fp64
               : in_fp64 + (1 + in_fp64) * rounded_table_error(format);
  }
  if (source == "bf16-angle") {
    const double exact_angle = turn * extent.turns;
    const double wide = angle_error(extent.turns);
    return after_rounding(wide + 0x1p-8 * (exact_angle + wide), format);
  }
  if (source == "recurrence") {
    const double product = std::sqrt(5.0) * u;
    const double step = product + (1 + product) * rounded_table_error(fp32);
    return after_rounding(repeated_error(step, static_cast<std::size_t>(extent.index)), format);
  }
  return after_rounding(angle_error(extent.turns), format);
}

float jittered(float x, const Jitter& jitter, std::uint64_t counter) {
  if (jitter.k == 0 || x == 0) return x;
  const std::uint64_t random =
      random_bits({.bits = 32, .seed = jitter.k, .stream = jitter.stream}, counter) >> 32;
  const auto third = static_cast<std::uint32_t>(3 * random >> 32);
  // Patterns of one sign are ordered as magnitudes are: one up or down is the next number.
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + third - 1);
}

}  // namespace fftprec
