#include "experiments/tables/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/theory/roundings.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/recurrences.hpp"

namespace fftprec {

namespace {

constexpr float two_pi_in_fp32 = 0x1.921fb6p+2F;  // fl(2 pi)
constexpr std::uint64_t longest_recurrence = std::uint64_t{1} << 22;
/// Of exact circles up to the first length the memory holds all roots, up to the second the octants
/// (truth::octant_roots); roots of longer ones are MPFR's, one by one.
constexpr std::uint64_t longest_in_full = std::uint64_t{1} << 17;
constexpr std::uint64_t longest_in_octants = std::uint64_t{1} << 29;

double to_format(float x, const Format& format) {
  const bool holds_x =
      format.precision >= fp32.precision && format.emin <= fp32.emin && !format.tapers();
  if (holds_x && std::fabs(x) >= 0x1p-126F) return static_cast<double>(x);
  return truth::round_unit(static_cast<double>(x), format);
}

/// A floating format, or that whose values up to 1 are the multiples of a fixed-point one's
/// quantum.
Format digits_to_one(const Format& format) {
  return format.is_fixed() ? Format{-quantum_exponent(format), -1, 0} : format;
}

/// The format that a source computes in, for tables of the format `table`.
Format computed_in(const TableName& name, const Format& table) {
  const Format given = name.in.value_or(table);
  Format format = digits_to_one(given);
  if (format != given) format.emax = fp32.emax;  // sums of entries exceed 1
  return format;
}

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

/// One of those that fill re, im with roots of arrays.
using Roots = std::span<const RootIndex>;

/// The roots of a source that has them all at once, order by order.
void from_circles(TableMemory& memory, const TableName& name, Roots roots, const Format& format,
                  double* re, double* im) {
  const bool recurs = name.source == "recurrence";
  const Format in = computed_in(name, format);
  truth::require_table_format(in);
  if (recurs) require_recurrence_format(in);
  const auto stored = [&](double x) {
    return in == format ? x : round(x, format, Rounding::rne) + 0.0;
  };
  for (std::size_t i = 0; i < roots.size();) {
    const std::uint64_t order = roots[i].order;
    require(!recurs || order <= longest_recurrence, "tables recurrence: order ", order,
            " is above 2^22");
    const auto fill_from = [&](auto root_at) {
      for (; i < roots.size() && roots[i].order == order; ++i) {
        const std::complex<double> root = root_at(reduced(roots[i].exponent(), order));
        re[i] = stored(root.real());
        im[i] = stored(root.imag());
      }
    };
    if (order > longest_in_octants) {
      fill_from([&](std::uint64_t place) { return truth::root_of_unity(place, order, in); });
      continue;
    }
    const auto circle = memory.get(recurs ? std::optional(name.by) : std::nullopt, order, in);
    if (recurs || order <= longest_in_full)
      fill_from(
          [&](std::uint64_t place) { return std::complex(circle->re[place], circle->im[place]); });
    else
      fill_from([&](std::uint64_t place) { return truth::root_of_octant(*circle, place, order); });
  }
}

constexpr std::size_t angles_at_once = 512;

/// exp(i angle) of each angle, each part rounded to fp64. Some 10 microseconds each, for MPFR does
/// it.
ComplexArray<double> turns(std::span<const double> angles) {
  constexpr mpfr_prec_t fp64_bits = 53;
  const truth::MpfrCacheScope scope;
  truth::Real sin(fp64_bits);
  truth::Real cos(fp64_bits);
  ComplexArray<double> turn(angles.size());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const truth::Real argument(angles[i], fp64_bits);
    mpfr_sin_cos(sin, cos, argument, MPFR_RNDN);
    turn.re[i] = mpfr_get_d(cos, MPFR_RNDN);
    turn.im[i] = mpfr_get_d(sin, MPFR_RNDN);
  }
  return turn;
}

void fp64_angle(TableMemory& memory, const TableName& name, Roots roots, const Format& format,
                double* re, double* im) {
  constexpr double two_pi_in_fp64 = 0x1.921fb54442d18p+2;  // fl(2 pi)
  for (std::size_t first = 0; first < roots.size(); first += angles_at_once) {
    std::vector<double> angles(std::min(angles_at_once, roots.size() - first));
    for (std::size_t i = 0; i < angles.size(); ++i)
      angles[i] =
          angle_in(two_pi_in_fp64, roots[first + i], name.order.value_or(roots[first + i].usual));
    const auto turn = memory.turns_in_fp64(angles);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      re[first + i] = truth::round_unit(turn->re[i], format);
      im[first + i] = truth::round_unit(0 - turn->im[i], format);
    }
  }
}

/// exp(i angle) of each angle, each part rounded to fp32 and off by one place where the jitter says
/// so, but not above 1 and not at the angle 0.
ComplexArray<float> turns(std::span<const float> angles, std::uint64_t jitter) {
  ComplexArray<float> turn(angles.size());
  truth::sin_cos_rounded(angles, turn.im, turn.re);
  for (std::size_t i = 0; jitter != 0 && i < angles.size(); ++i) {
    if (angles[i] == 0) continue;
    std::uint64_t counter = 2 * std::uint64_t{std::bit_cast<std::uint32_t>(angles[i])};
    for (float* part : {&turn.re[i], &turn.im[i]})
      *part = std::clamp(jittered(*part, {jitter, 0}, counter++), -1.0F, 1.0F);
  }
  return turn;
}

void from_angles(float (*angle)(const RootIndex& root, AngleOrder order), TableMemory& memory,
                 const TableName& name, Roots roots, const Format& format, double* re, double* im) {
  for (std::size_t first = 0; first < roots.size(); first += angles_at_once) {
    std::vector<float> angles(std::min(angles_at_once, roots.size() - first));
    for (std::size_t i = 0; i < angles.size(); ++i)
      angles[i] = angle(roots[first + i], name.order.value_or(roots[first + i].usual));
    const auto turn = name.jitter == 0
                          ? std::make_shared<const TableMemory::Turns>(turns(angles, 0))
                          : memory.jittered_turns(angles, name.jitter);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      re[first + i] = to_format(turn->re[i], format);
      im[first + i] = to_format(0 - turn->im[i], format);
    }
  }
}

/// A source has either roots of its own, or an angle whose cosine and sine are taken in fp32. One
/// with neither is a file.
struct Source {
  std::string name;
  std::string summary;
  void (*fill)(TableMemory&, const TableName&, Roots, const Format&, double* re, double* im);
  float (*angle)(const RootIndex& root, AngleOrder order);
  bool ordered = false;  ///< its angles are of two indices, one after the other, and not reduced
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all{
      {std::string(exact_tables), "each part correctly rounded once to the storage format",
       from_circles, nullptr},
      {"fp32-angle", "angle formed in fp32 and not reduced: its error grows with its size", nullptr,
       angle_of, true},
      {"fp32-reduced", "angle formed in fp32 after reducing the exponent modulo the order", nullptr,
       reduced_angle_of},
      {"fp64-angle", "angle formed in fp64 and not reduced", fp64_angle, nullptr, true},
      {"bf16-angle", "fp32-angle with the angle rounded to bf16", nullptr, bf16_angle_of, true},
      {"recurrence",
       "powers of the primitive root by repeated products in fp32, or by another recurrence",
       from_circles, nullptr},
      {"file", "file:PATH: twiddles or a DFT matrix that another program saved as .npy", nullptr,
       nullptr},
  };
  return all;
}

constexpr std::array<std::string_view, 4> order_names = {"usual", "product", "row-column",
                                                         "column-row"};

}  // namespace

std::vector<Named> table_candidates() {
  constexpr std::array<std::string_view, 3> of_orders = {"both indices multiplied first",
                                                         "times the row, then times the column",
                                                         "times the column, then times the row"};
  std::vector<Named> all;
  for (const Source& source : sources()) {
    if (source.name == "file") continue;
    const bool recurs = source.name == "recurrence";
    if (!recurs) all.push_back({source.name, source.summary});
    for (std::size_t i = 0; source.ordered && i < of_orders.size(); ++i)
      all.push_back({fmt::format("{}:order={}", source.name, order_names[i + 1]),
                     fmt::format("{}; {}", source.summary, of_orders[i])});
    const std::vector<std::string> none{""};
    for (const std::string& by : recurs ? recurrence_names() : none)
      for (const char* in : {"fp64", "fp32", "fp16", "bf16"}) {
        if (!recurs && source.name != exact_tables) continue;
        const bool is_usual = in == std::string_view("fp32") && recurs;
        all.push_back({source.name +
                           (by.empty() || by == recurrence_names()[0] ? "" : ":by=" + by) +
                           (is_usual ? "" : fmt::format(":in={}", in)),
                       recurs ? fmt::format("each root from earlier ones by {}, in {}", by, in)
                              : fmt::format("each part correctly rounded to {} first", in)});
      }
  }
  return all;
}

std::shared_ptr<const TableMemory::Circle> TableMemory::turns_in_fp64(
    const std::vector<double>& angles) {
  return turns_in_fp64_.get(angles, 4 * sizeof(double) * angles.size(),
                            [&] { return turns(std::span<const double>(angles)); });
}

std::shared_ptr<const TableMemory::Circle> TableMemory::get(std::optional<Recurrence> by,
                                                            std::uint64_t order,
                                                            const Format& format) {
  const bool in_full = by || order <= longest_in_full;
  const std::uint64_t entries = in_full ? order : order / 2 / std::gcd(order, std::uint64_t{4});
  return circles_.get(
      {by, order, format.precision, format.emin, format.emax, format.subnormals, format.system},
      2 * sizeof(double) * entries, [&] {
        if (by) return roots_by(*by, order, format);
        return in_full ? truth::roots_of_unity(order, format) : truth::octant_roots(order, format);
      });
}

std::shared_ptr<const TableMemory::Turns> TableMemory::jittered_turns(
    const std::vector<float>& angles, std::uint64_t jitter) {
  return turns_.get({jitter, angles}, 4 * sizeof(float) * angles.size(),
                    [&] { return turns(angles, jitter); });
}

std::shared_ptr<const FileTable> TableMemory::file(std::string_view name) {
  return files_.get(std::string(name), 1, [&] {
    return FileTable(name.substr(std::min(file_kind.size(), name.size())), of_files_.get());
  });
}

namespace {

/// All keys of table sources, with the defaults of this one.
std::vector<Key> keys_for(const Source& source) {
  const bool recurs = source.name == "recurrence";
  return {{"order", "usual", {order_names.begin(), order_names.end()}},
          {"jitter", "none", {}, "none, or a draw 1 to 2^24"},
          {"by", recurs ? "multiplication" : "none", recurrence_names()},
          {"in", recurs ? "fp32" : "mode", {}, "mode, or a format"}};
}

/// Whether a key of keys_for means something to the source.
bool takes(const Source& source, const Key& key) {
  const bool recurs = source.name == "recurrence";
  return (key.name == "order" && source.ordered) || (key.name == "jitter" && source.angle) ||
         (key.name == "by" && recurs) ||
         (key.name == "in" && (recurs || source.name == exact_tables));
}

}  // namespace

TableName table_name(std::string_view name) {
  if (name.starts_with(file_kind)) return {"file", 0, {}};
  const KeyedName parts = split_name(name);
  const Source& source = item_named(sources(), "tables", parts.name);
  const std::string owner = "tables " + source.name;
  const bool recurs = source.name == "recurrence";
  const std::vector<Key> keys = with_values(keys_for(source), parts.keys, owner);
  TableName result{source.name, 0, {}};
  if (keys[0].value != "usual") {
    if (!source.ordered)
      throw InputError(owner + ": its angles have only one index, so no order applies");
    result.order = static_cast<AngleOrder>(choice_of(keys[0], owner) - 1);
  }
  if (keys[2].value != "none") {
    require(recurs, owner, ": takes no recurrence");
    result.by = static_cast<Recurrence>(choice_of(keys[2], owner));
  }
  if (keys[3].value != "mode") {
    require(recurs || source.name == exact_tables, owner,
            ": its name fixes the formats in which it computes");
    result.in = format_named(keys[3].value, read_list);
    truth::require_table_format(computed_in(result, fp32));
    if (recurs) require_recurrence_format(computed_in(result, fp32));
  }
  if (keys[1].value == "none") return result;
  if (!source.angle) throw InputError(owner + ": computes no cosines, so it takes no jitter");
  result.jitter = whole_number(keys[1], owner);
  return result;
}

bool takes_cosines(std::string_view source) {
  return item_named(sources(), "tables", table_name(source).source).angle != nullptr;
}

RootFunction table_source(std::string_view name, std::shared_ptr<TableMemory> memory) {
  TableName parts = table_name(name);
  const Source& source = item_named(sources(), "tables", parts.source);
  parts.source = source.name;  // which lives on
  if (!memory) memory = std::make_shared<TableMemory>();
  std::shared_ptr<const FileTable> file;
  if (source.name == "file") {
    file = memory->file(name);
    require(!file->conjugated(), file->path(),
            ": its angles have the sign +, a case needs the sign -; save the conjugate, numpy.conj "
            "of the array");
    require(!file->swapped(), file->path(),
            ": has the imaginary part of each entry first; save them in the order (re, im)");
    require(file->parts() == FileTable::Parts::both, file->path(),
            ": holds cosines or sines alone; a case needs both");
  }
  const std::shared_ptr<TableMemory> own = memory;
  const auto roots_of_source = [&source, file = std::move(file), memory = std::move(memory), parts](
                                   Roots roots, const Format& format, double* re, double* im) {
    const Format rounded = digits_to_one(format);
    truth::require_table_format(rounded);
    for (const RootIndex& root : roots)
      if (root.order == 0) throw InputError("table source: order = 0");
    if (file)
      file->fill(roots, rounded, re, im);
    else if (source.fill)
      source.fill(*memory, parts, roots, rounded, re, im);
    else
      from_angles(source.angle, *memory, parts, roots, rounded, re, im);
    if (rounded != format)
      for (double* part : {re, im})
        for (std::size_t i = 0; i < roots.size(); ++i)
          part[i] = std::clamp(part[i], min_finite(format), max_finite(format)) + 0.0;
  };
  const RootFunction roots =
      source.ordered ? RootFunction(roots_of_source).not_reduced() : roots_of_source;
  return name == exact_tables ? roots : roots.with_literals(table_source(exact_tables, own));
}

std::vector<Named> list_tables() {
  std::vector<Named> all = named(sources());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Key& key : keys_for(sources()[i]))
      if (takes(sources()[i], key)) all[i].keys.push_back(key);
  return all;
}

namespace {

constexpr double u = 0x1p-24;
constexpr double full_turn = 6.283185307179587;  // 2 pi

/// Parts of a format, fp32 or `in`, each correctly rounded, then rounded once more if the table's
/// is narrower.
double after_rounding(double error, const Format& format, const Format& in = fp32) {
  const double rounded = error + rounded_table_error(in);
  const bool holds =
      !format.is_fixed() && format.precision >= in.precision && format.emin <= in.emin;
  return holds ? rounded : rounded + (1 + rounded) * rounded_table_error(format);
}

/// Error of an angle relative to itself, in units of roundoff. Formed by at most five roundings (2
/// pi, the exponent, their product, the order and the quotient) it is off by (1 + u)^4 / (1 - u) -
/// 1 < 5.01 u; a second index is rounded and multiplied besides: 7.01 u.
double angle_units(AngleOrder order) { return order == AngleOrder::product ? 5.01 : 7.01; }

/// The root moves by no more than its angle.
double angle_error(double turns, AngleOrder order = AngleOrder::product) {
  return angle_units(order) * u * full_turn * turns;
}

/// jitter: parts of up to 1 move by 2^-24 at most, the root by sqrt(2) as much, and by a little
/// more where it is then rounded to a narrower format. fp64-angle: as fp32-angle, with the unit
/// roundoff of fp64. bf16-angle: the angle is rounded to bf16 besides: another 2^-8 of itself.
/// recurrence: recurrences.cpp.
/// file: what its entries are off by is known. Parts up to 1 + e round by u of themselves, or not
/// at all.
double error_bound_of(const TableName& parts, const TableExtent& extent, const Format& format) {
  const auto [source, jitter, given_order, by, given_format] = parts;
  const AngleOrder order = given_order.value_or(extent.usual);
  if (jitter != 0)
    return error_bound_of({source, 0, std::nullopt}, {extent.turns, extent.index, order}, format) +
           2 * u;
  if (source == exact_tables && !given_format) return rounded_table_error(format);
  if (source == exact_tables) return after_rounding(0, format, computed_in(parts, format));
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
    const Format in = computed_in(parts, format);
    return after_rounding(recurrence_error_bound(by, extent.index, in), format, in);
  }
  return after_rounding(angle_error(extent.turns, order), format);
}

double error_bound_of(const FileTable& file, const Format& format) {
  const double error = file.largest_error();
  const bool holds_all = format.precision >= file.format().precision &&
                         format.emin <= file.format().emin && format.subnormals;
  if (format.is_fixed()) return error + rounded_table_error(format);
  return holds_all ? error : error + (1 + error) * unit_roundoff(format);
}

}  // namespace

TableErrorBound table_error_bound(std::string_view name, std::shared_ptr<TableMemory> memory) {
  TableName parts = table_name(name);
  parts.source = item_named(sources(), "tables", parts.source).name;  // which lives on
  if (parts.source != "file")
    return [parts](const TableExtent& extent, const Format& format) {
      return error_bound_of(parts, extent, format);
    };
  if (!memory) memory = std::make_shared<TableMemory>();
  return [file = memory->file(name)](const TableExtent&, const Format& format) {
    return error_bound_of(*file, format);
  };
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
