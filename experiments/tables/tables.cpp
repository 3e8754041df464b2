#include "experiments/tables/tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/theory/bounds.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/quad.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

constexpr float two_pi_in_fp32 = 0x1.921fb6p+2F;  // fl(2 pi)
constexpr std::uint64_t largest_table = std::uint64_t{1} << 22;

double to_format(float x, const Format& format) {
  const bool holds_x = format.precision >= fp32.precision && format.emin <= fp32.emin;
  if (holds_x && std::fabs(x) >= 0x1p-126F) return static_cast<double>(x);
  return truth::round_unit(static_cast<double>(x), format);
}

/// The format whose values up to 1 are the multiples of a fixed-point format's quantum.
Format digits_to_one(const Format& format) { return {-quantum_exponent(format), -1, 0}; }

/// exponent mod order. Long divisions are slow, and a table has millions of them.
std::uint64_t reduced(std::uint64_t exponent, std::uint64_t order) {
  if (exponent < order) return exponent;
  if ((order & (order - 1)) == 0) return exponent & (order - 1);
  if ((exponent | order) >> 32 == 0)
    return static_cast<std::uint32_t>(exponent) % static_cast<std::uint32_t>(order);
  return exponent % order;
}

/// Requires: x >= 0, far from overflow.
float nearest_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t last_kept_bit = bits >> 16 & 1;
  return std::bit_cast<float>((bits + 0x7fff + last_kept_bit) & 0xffff0000);
}

template <class Float>
Float angle_in(Float two_pi, const RootIndex& root, AngleOrder order) {
  const auto divisor = static_cast<Float>(root.order);
  if (order == AngleOrder::product) return two_pi * static_cast<Float>(root.exponent()) / divisor;
  const bool row_first = order == AngleOrder::row_column;
  const auto first = static_cast<Float>(row_first ? root.row : root.column);
  const auto second = static_cast<Float>(row_first ? root.column : root.row);
  return two_pi * first * second / divisor;
}

float angle_of(const RootIndex& root, AngleOrder order) {
  return angle_in(two_pi_in_fp32, root, order);
}
float reduced_angle_of(const RootIndex& root, AngleOrder) {
  return angle_of({reduced(root.exponent(), root.order), root.order}, AngleOrder::product);
}
float bf16_angle_of(const RootIndex& root, AngleOrder order) {
  return nearest_bf16(angle_of(root, order));
}

/// How a source takes two indices: as it says, or as each table usually does.
using OrderOfAngles = std::optional<AngleOrder>;

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

/// One of those that fill re, im with roots of arrays.
using Roots = std::span<const RootIndex>;

/// The roots of a source that has them all at once, order by order.
template <class Make, class Beyond>
void from_circles(CirclesOfRoots& circles, CirclesOfRoots::Kind kind, Roots roots,
                  const Format& format, double* re, double* im, Make make, Beyond beyond) {
  for (std::size_t i = 0; i < roots.size();) {
    const std::uint64_t order = roots[i].order;
    if (order > largest_table) {
      const std::complex<double> root = beyond(roots[i]);
      re[i] = root.real();
      im[i] = root.imag();
      ++i;
      continue;
    }
    const auto circle = circles.get(kind, order, format, make);
    for (; i < roots.size() && roots[i].order == order; ++i) {
      const std::uint64_t place = reduced(roots[i].exponent(), order);
      re[i] = circle->re[place];
      im[i] = circle->im[place];
    }
  }
}

void exact(CirclesOfRoots& circles, OrderOfAngles, Roots roots, const Format& format, double* re,
           double* im) {
  from_circles(circles, CirclesOfRoots::Kind::exact, roots, format, re, im, truth::roots_of_unity,
               [&](const RootIndex& root) {
                 return truth::root_of_unity(root.exponent(), root.order, format);
               });
}

void recurrence(CirclesOfRoots& circles, OrderOfAngles, Roots roots, const Format& format,
                double* re, double* im) {
  from_circles(circles, CirclesOfRoots::Kind::recurrence, roots, format, re, im, powers_of_root,
               [](const RootIndex& root) -> std::complex<double> {
                 throw InputError("tables recurrence: order " + std::to_string(root.order) +
                                  " is above 2^22");
               });
}

/// Some 10 microseconds each, for MPFR does it.
void fp64_angle(CirclesOfRoots&, OrderOfAngles order, Roots roots, const Format& format, double* re,
                double* im) {
  constexpr double two_pi_in_fp64 = 0x1.921fb54442d18p+2;  // fl(2 pi)
  constexpr mpfr_prec_t fp64_bits = 53;
  const truth::MpfrCacheScope scope;
  truth::Real sin(fp64_bits);
  truth::Real cos(fp64_bits);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const double angle = angle_in(two_pi_in_fp64, roots[i], order.value_or(roots[i].usual));
    const truth::Real argument(angle, fp64_bits);
    mpfr_sin_cos(sin, cos, argument, MPFR_RNDN);
    re[i] = truth::round_unit(mpfr_get_d(cos, MPFR_RNDN), format);
    im[i] = truth::round_unit(0 - mpfr_get_d(sin, MPFR_RNDN), format);
  }
}

/// From angles, whose cosines and sines may be off by one place, but not above 1 and not at the
/// angle 0.
void from_angles(float (*angle)(const RootIndex& root, AngleOrder order), OrderOfAngles order,
                 const Jitter& jitter, Roots roots, const Format& format, double* re, double* im) {
  constexpr std::size_t block = 512;
  std::array<float, block> angles, sines, cosines;
  for (std::size_t first = 0; first < roots.size(); first += block) {
    const std::size_t count = std::min(block, roots.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      angles[i] = angle(roots[first + i], order.value_or(roots[first + i].usual));
    truth::sin_cos_rounded({angles.data(), count}, {sines.data(), count}, {cosines.data(), count});
    if (jitter.k != 0)
      for (std::size_t i = 0; i < count; ++i) {
        if (angles[i] == 0) continue;
        const std::uint64_t counter = 2 * std::uint64_t{std::bit_cast<std::uint32_t>(angles[i])};
        cosines[i] = std::clamp(jittered(cosines[i], jitter, counter), -1.0F, 1.0F);
        sines[i] = std::clamp(jittered(sines[i], jitter, counter + 1), -1.0F, 1.0F);
      }
    for (std::size_t i = 0; i < count; ++i) {
      re[first + i] = to_format(cosines[i], format);
      im[first + i] = to_format(0 - sines[i], format);
    }
  }
}

/// Each part of the table, with its rest, to digits of the format, none above its largest.
void to_digits(std::size_t count, const Format& format, double* re, double* im, RootRests rests) {
  require(static_cast<bool>(rests), "table source: ", format, " has more digits than a double");
  const FixedPoint digits{.data = format, .table = format};
  const FixedKernels<Quad> kernels = fixed_kernels<Quad>(best_isa());
  ComplexArray<Quad> parts(count);
  for (std::size_t i = 0; i < count; ++i) {
    parts.re[i] = static_cast<Quad>(re[i]) + static_cast<Quad>(rests.re[i]);
    parts.im[i] = static_cast<Quad>(im[i]) + static_cast<Quad>(rests.im[i]);
  }
  kernels.scale(digits, {parts.re.data(), parts.im.data(), 1, count, count}, 1);
  const auto put = [](Quad value, double& near, double& rest) {
    near = static_cast<double>(value);
    rest = static_cast<double>(value - static_cast<Quad>(near));
  };
  for (std::size_t i = 0; i < count; ++i) {
    put(parts.re[i], re[i], rests.re[i]);
    put(parts.im[i], im[i], rests.im[i]);
  }
}

void exact_digits(Roots roots, const Format& format, double* re, double* im, RootRests rests) {
  require(static_cast<bool>(rests), "table source: ", format, " has more digits than a double");
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const truth::ComplexDoubleDouble root =
        truth::root_of_unity(roots[i].exponent(), roots[i].order, -quantum_exponent(format));
    re[i] = root.re.hi;
    im[i] = root.im.hi;
    rests.re[i] = root.re.lo;
    rests.im[i] = root.im.lo;
  }
  to_digits(roots.size(), format, re, im, rests);
}

/// A source has either roots of its own, or an angle whose cosine and sine are taken in fp32. One
/// with neither is a file.
struct Source {
  std::string name;
  std::string summary;
  void (*fill)(CirclesOfRoots&, OrderOfAngles, Roots, const Format&, double* re, double* im);
  float (*angle)(const RootIndex& root, AngleOrder order);
  bool ordered = false;  ///< its angles are of two indices, one after the other
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all{
      {"exact", "each part correctly rounded once to the storage format", exact, nullptr},
      {"fp32-angle", "angle formed in fp32 and not reduced: its error grows with its size", nullptr,
       angle_of, true},
      {"fp32-reduced", "angle formed in fp32 after reducing the exponent modulo the order", nullptr,
       reduced_angle_of},
      {"fp64-angle", "angle formed in fp64 and not reduced", fp64_angle, nullptr, true},
      {"bf16-angle", "fp32-angle with the angle rounded to bf16", nullptr, bf16_angle_of, true},
      {"recurrence", "powers of the fp32 primitive root by repeated fp32 products", recurrence,
       nullptr},
      {"file", "file:PATH: twiddles or a DFT matrix that another program saved as .npy", nullptr,
       nullptr},
  };
  return all;
}

}  // namespace

std::shared_ptr<const FileTable> CirclesOfRoots::file(std::string_view name) {
  return files_.get(std::string(name), 1, [name] {
    return FileTable(name.substr(std::min(file_kind.size(), name.size())));
  });
}

TableName table_name(std::string_view name) {
  if (name.starts_with(file_kind)) return {"file", 0, {}};
  const KeyedName parts = split_name(name);
  const Source& source = item_named(sources(), "tables", parts.name);
  const std::string owner = "tables " + source.name;
  const std::vector<Key> keys =
      with_values({{"order", "usual"}, {"jitter", "none"}}, parts.keys, owner);
  TableName result{source.name, 0, {}};
  if (const std::string& order = keys[0].value; order != "usual") {
    if (!source.ordered)
      throw InputError(owner + ": its angles are of one index, so none is first");
    constexpr std::array<std::string_view, 4> names{"usual", "product", "row-column", "column-row"};
    const auto found = std::find(names.begin(), names.end(), order);
    if (found == names.end())
      throw unknown_name("order of " + owner, order, {names.begin(), names.end()});
    result.order = static_cast<AngleOrder>(found - names.begin() - 1);
  }
  if (keys[1].value == "none") return result;
  if (!source.angle) throw InputError(owner + ": no cosine of an angle is taken, so none jitters");
  result.jitter = whole_number(keys[1], owner);
  return result;
}

bool takes_cosines(std::string_view source) {
  return item_named(sources(), "tables", table_name(source).source).angle != nullptr;
}

RootFunction table_source(std::string_view name, std::shared_ptr<CirclesOfRoots> circles) {
  const auto [source_name, k, order] = table_name(name);
  const Source& source = item_named(sources(), "tables", source_name);
  if (!circles) circles = std::make_shared<CirclesOfRoots>();
  std::shared_ptr<const FileTable> file;
  if (source.name == "file") {
    file = circles->file(name);
    require(!file->conjugated(), file->path(),
            ": its angles have the sign +, those of a case the sign -; "
            "save the conjugate, numpy.conj of the array");
  }
  return [&source, file = std::move(file), circles = std::move(circles), order = order,
          jitter = Jitter{k, 0}](Roots roots, const Format& format, double* re, double* im,
                                 RootRests rests) {
    const bool wide = needs_rests(format);
    const Format rounded = wide ? fp64 : format.is_fixed() ? digits_to_one(format) : format;
    truth::require_table_format(rounded);
    for (const RootIndex& root : roots)
      if (root.order == 0) throw InputError("table source: order = 0");
    if (wide && source.fill == exact) return exact_digits(roots, format, re, im, rests);
    if (file)
      file->fill(roots, rounded, re, im);
    else if (source.fill)
      source.fill(*circles, order, roots, rounded, re, im);
    else
      from_angles(source.angle, order, jitter, roots, rounded, re, im);
    for (double* rest : {rests.re, rests.im})
      if (rest) std::fill_n(rest, roots.size(), 0.0);
    if (wide) return to_digits(roots.size(), format, re, im, rests);
    if (format.is_fixed())
      for (double* part : {re, im})
        for (std::size_t i = 0; i < roots.size(); ++i)
          part[i] = std::min(part[i], max_finite(format)) + 0.0;
  };
}

std::vector<Named> list_tables() { return named(sources()); }

namespace {

constexpr double u = 0x1p-24;
constexpr double full_turn = 6.283185307179587;  // 2 pi

/// fp32 parts, each correctly rounded, then rounded once more if the format is narrower.
double after_rounding(double error, const Format& format) {
  const double in_fp32 = error + rounded_table_error(fp32);
  const bool holds = !format.is_fixed() && format.precision >= fp32.precision;
  return holds ? in_fp32 : in_fp32 + (1 + in_fp32) * rounded_table_error(format);
}

/// Error of an angle relative to itself, in units of roundoff. Formed by at most five roundings (2
/// pi, the exponent, their product, the order and the quotient) it is off by (1 + u)^4 / (1 - u) -
/// 1 < 5.01 u; a second index is rounded and multiplied besides: 7.01 u.
double angle_units(AngleOrder order) { return order == AngleOrder::product ? 5.01 : 7.01; }

/// The root moves by no more than its angle.
double angle_error(double turns, AngleOrder order = AngleOrder::product) {
  return angle_units(order) * u * full_turn * turns;
}

}  // namespace

/// jitter: parts of up to 1 move by 2^-24 at most, the root by sqrt(2) as much, and by a little
/// more where it is then rounded to a narrower format. fp64-angle: as fp32-angle, with the unit
/// roundoff of fp64. bf16-angle: the angle is rounded to bf16 besides: another 2^-8 of itself.
/// recurrence: each of the `index` products multiplies the relative error by (1 + sqrt(5) u), the
/// schoolbook product, and by (1 + u/sqrt(2)), the rounded primitive root.
/// file: what its entries are off by is known. Parts up to 1 + e round by u of themselves, or not
/// at all.
double table_error_bound(std::string_view name, const TableExtent& extent, const Format& format,
                         const std::shared_ptr<CirclesOfRoots>& circles) {
  const auto [source, jitter, given_order] = table_name(name);
  const AngleOrder order = given_order.value_or(extent.usual);
  if (source == "file") {
    const auto file = (circles ? circles : std::make_shared<CirclesOfRoots>())->file(name);
    const double error = file->largest_error();
    const bool holds_all = format.precision >= file->format().precision &&
                           format.emin <= file->format().emin && format.subnormals;
    if (format.is_fixed()) return error + rounded_table_error(format);
    return holds_all ? error : error + (1 + error) * unit_roundoff(format);
  }
  if (jitter != 0)
    return table_error_bound(source, {extent.turns, extent.index, order}, format) + 2 * u;
  if (source == "exact") return rounded_table_error(format);
  if (source == "fp32-reduced")
    return after_rounding(angle_error(std::min(extent.turns, 1.0)), format);
  if (source == "fp64-angle") {
    const double in_fp64 =
        angle_units(order) * 0x1p-53 * full_turn * extent.turns + rounded_table_error(fp64);
    return format.precision >= fp64.precision
               ? in_fp64
               : in_fp64 + (1 + in_fp64) * rounded_table_error(format);
  }
  if (source == "bf16-angle") {
    const double exact_angle = full_turn * extent.turns;
    const double wide = angle_error(extent.turns, order);
    return after_rounding(wide + 0x1p-8 * (exact_angle + wide), format);
  }
  if (source == "recurrence") {
    const double product = std::sqrt(5.0) * u;
    const double step = product + (1 + product) * rounded_table_error(fp32);
    return after_rounding(repeated_error(step, static_cast<std::size_t>(extent.index)), format);
  }
  return after_rounding(angle_error(extent.turns, order), format);
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
