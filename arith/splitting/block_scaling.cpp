#include "arith/splitting/block_scaling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

namespace {

constexpr BlockFormat with_ocp_rule(BlockFormat format) {
  format.rule = ScaleRule::ocp;
  return format;
}

/// Below 2^-1022, -1023: every format's lowest scale stands for less.
int floor_log2(double positive) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(positive) >> 52) - 1023;
}

/// How elements round: the grid of the element format, and where they saturate. `divides`: values
/// are floats divided by a scale, in double, where a quotient of a float and four digits keeps its
/// side of every tie of 24 bits; else they are multiplied by an inverse.
template <class Real, bool divides = false>
struct ElementGrid {
  using Wide = std::conditional_t<divides, double, Real>;
  RoundingGrid<Wide> grid;
  Wide largest;

  explicit ElementGrid(const Format& element)
      : grid(rounding_grid<Wide>(element)), largest(static_cast<Wide>(max_finite(element))) {}

  /// v / X rounded and times X; `by` and `scale` are NaN for a block that is.
  [[gnu::always_inline]] float quantise(Real v, Real by, float scale) const {
    Wide scaled = divides ? Wide{v} / Wide{by} : Wide{v} * Wide{by};
    scaled = scaled > largest ? largest : scaled;
    scaled = scaled < -largest ? -largest : scaled;
    return static_cast<float>(round_to_grid<Rounding::rne, false>(scaled, grid)) * scale;
  }
};

/// What a value is multiplied by before it rounds, or divided, and its element afterwards.
struct Factors {
  float before;
  float after;
};

/// ScaleRule::ue4m3. Of a scale of 0 all is 0. (A quotient in double keeps the ties of 5 digits.)
Factors digit_factors(const BlockFormat& format, double amax) {
  const double most = max_finite(fp8_e4m3fn);
  const double exact = amax / max_finite(format.element);
  const double scale = round(exact > most ? most : exact, fp8_e4m3fn, Rounding::rne);
  const float after = static_cast<float>(scale + 0 * amax);  // NaN for a block that is
  return {scale == 0 ? std::numeric_limits<float>::infinity() : after, after};
}

/// Powers of two, inverses of one another: the exponent of the format's rule, from -127 to 127; the
/// lowest for amax = 0, NaN for a NaN or an infinity.
Factors block_factors(const BlockFormat& format, double amax) {
  if (format.has_digits()) return digit_factors(format, amax);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  if (amax - amax != 0) return {nan, nan};
  const int room = format.rule == ScaleRule::headroom ? 1 : 0;
  const int exponent = std::clamp(floor_log2(amax) - (format.element.emax - room), -127, 127);
  return {static_cast<float>(power_of_two(-exponent)), static_cast<float>(power_of_two(exponent))};
}

/// ScaleRule::e4m3.
Factors block_factors(const BlockFormat& format, float amax, float line_amax) {
  constexpr float most = std::numeric_limits<float>::max();
  const auto largest = static_cast<float>(max_finite(format.element));
  const float all = 448 * largest;
  const float into = line_amax == 0 ? 1 : std::min(all / line_amax, most);
  const auto scale = static_cast<float>(
      round(static_cast<double>(amax * (into * (1 / largest))), fp8_e4m3fn, Rounding::rne));
  return {scale == 0 ? most : std::min(1 / (scale * (1 / into)), most),
          scale * line_amax * (1 / all)};
}

constexpr std::size_t line_length = 256;

/// Blocks side by side.
template <class Reals, class Floats>
struct BlocksIn {
  using Real = typename Reals::value_type;
  Reals largest;
  Reals poison;  ///< 0, or NaN as soon as a NaN or an infinity went by
  Reals inverse;
  Floats scale;

  void clear(std::size_t count) {
    std::fill_n(largest.begin(), count, Real{0});
    std::fill_n(poison.begin(), count, Real{0});
  }
  void take(Real v, std::size_t i) {
    const Real size = v < 0 ? -v : v;
    largest[i] = size > largest[i] ? size : largest[i];
    poison[i] += v * 0;
  }
  void finish(const BlockFormat& format, std::size_t i, float line_amax) {
    const Real amax = largest[i] + poison[i];
    const Factors factors = format.rule == ScaleRule::e4m3
                                ? block_factors(format, static_cast<float>(amax), line_amax)
                                : block_factors(format, static_cast<double>(amax));
    inverse[i] = static_cast<Real>(factors.before);
    scale[i] = factors.after;
  }
};

/// One per column, at most line_length of them.
template <class Real>
using Blocks = BlocksIn<std::array<Real, line_length>, std::array<float, line_length>>;

/// body(adjacent), a compile-time constant: the loop over adjacent elements is compiled by itself.
template <class Body>
void by_adjacency(bool adjacent, Body body) {
  if (adjacent)
    body(std::true_type());
  else
    body(std::false_type());
}

/// One block per column of `count` <= line_length columns, `depth` values each.
template <class Real, bool divides>
void quantise_columns(const BlockFormat& format, const ElementGrid<Real, divides>& grid,
                      const Real* in, std::size_t depth, std::size_t count, std::size_t k_step,
                      std::size_t free_step, float* out, std::size_t out_k_step,
                      std::size_t out_free_step, const float* lines) {
  Blocks<Real> blocks;
  blocks.clear(count);
  by_adjacency(free_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t i = 0; i < count; ++i)
        blocks.take(in[k * k_step + (adjacent ? i : i * free_step)], i);
  });
  for (std::size_t i = 0; i < count; ++i) blocks.finish(format, i, lines[i]);
  by_adjacency(free_step == 1 && out_free_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t i = 0; i < count; ++i)
        out[k * out_k_step + (adjacent ? i : i * out_free_step)] = grid.quantise(
            in[k * k_step + (adjacent ? i : i * free_step)], blocks.inverse[i], blocks.scale[i]);
  });
}

/// One block of `depth` consecutive values.
template <class Real, bool divides>
void quantise_line(const BlockFormat& format, const ElementGrid<Real, divides>& grid,
                   const Real* in, std::size_t depth, float* out, std::size_t out_k_step,
                   float line) {
  constexpr std::size_t lanes = 8;
  Blocks<Real> blocks;
  blocks.clear(lanes);
  for (std::size_t k = 0; k < depth; ++k) blocks.take(in[k], k % lanes);
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    blocks.largest[0] = std::max(blocks.largest[0], blocks.largest[lane]);
    blocks.poison[0] += blocks.poison[lane];
  }
  blocks.finish(format, 0, line);
  const Real inverse = blocks.inverse[0];
  const float restore = blocks.scale[0];
  by_adjacency(out_k_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      out[adjacent ? k : k * out_k_step] = grid.quantise(in[k], inverse, restore);
  });
}

/// The largest magnitude of each column, NaN if it holds a NaN or an infinity; 0 where no rule
/// asks.
template <class Real>
std::vector<float> line_amax(const BlockFormat& format, const Real* in, std::size_t depth,
                             std::size_t free, std::size_t k_step, std::size_t free_step) {
  std::vector<float> result(free);
  if (format.rule != ScaleRule::e4m3) return result;
  std::vector<Real> zeros(free);
  BlocksIn<std::vector<Real>, std::vector<float>> lines{zeros, zeros, {}, {}};
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t i = 0; i < free; ++i) lines.take(in[k * k_step + i * free_step], i);
  for (std::size_t i = 0; i < free; ++i)
    result[i] = static_cast<float>(lines.largest[i] + lines.poison[i]);
  return result;
}

template <bool divides, class Real>
void quantise(const BlockFormat& format, const Real* in, std::size_t depth, std::size_t free,
              std::size_t k_step, std::size_t free_step, float* out, std::size_t out_k_step,
              std::size_t out_free_step) {
  validate(format);
  const ElementGrid<Real, divides> grid(format.element);
  const std::vector<float> lines = line_amax(format, in, depth, free, k_step, free_step);
  for (std::size_t first = 0; first < depth; first += std::min(format.block, depth - first)) {
    const std::size_t length = std::min(format.block, depth - first);
    const Real* const from = in + first * k_step;
    float* const to = out + first * out_k_step;
    if (k_step == 1 && free_step != 1) {
      for (std::size_t i = 0; i < free; ++i)
        quantise_line(format, grid, from + i * free_step, length, to + i * out_free_step,
                      out_k_step, lines[i]);
      continue;
    }
    for (std::size_t i = 0; i < free; i += line_length)
      quantise_columns(format, grid, from + i * free_step, length, std::min(line_length, free - i),
                       k_step, free_step, to + i * out_free_step, out_k_step, out_free_step,
                       lines.data() + i);
  }
}

constexpr std::size_t most_values = std::size_t{1} << 20;
constexpr std::string_view opening = "block(";
constexpr std::string_view integers = "int:";

template <class T>
struct Choice {
  std::string_view name;
  T value;
};
constexpr Choice<Format> elements[] = {{"e2m1", fp4_e2m1},
                                       {"e2m3", fp6_e2m3},
                                       {"e3m2", fp6_e3m2},
                                       {"e4m3fn", fp8_e4m3fn},
                                       {"e5m2", fp8_e5m2}};
constexpr Choice<ScaleRule> rules[] = {{"headroom", ScaleRule::headroom},
                                       {"ocp", ScaleRule::ocp},
                                       {"e4m3", ScaleRule::e4m3},
                                       {"ue4m3", ScaleRule::ue4m3}};
constexpr Choice<BlockAxis> axes[] = {{"transform", BlockAxis::transform},
                                      {"batch", BlockAxis::batch}};
constexpr Choice<std::size_t> sizes[] = {{"line", BlockFormat::whole_line},
                                         {"array", BlockFormat::whole_array}};

/// The name of a value, or an empty string.
template <class T, std::size_t N>
std::string name_of(const Choice<T> (&choices)[N], const T& value) {
  for (const Choice<T>& choice : choices)
    if (choice.value == value) return std::string(choice.name);
  return "";
}

/// A whole number in first..last.
std::size_t number(std::string_view text, std::string_view digits, std::size_t first,
                   std::size_t last, const std::string& what) {
  std::size_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value);
  require(read.ec == std::errc() && read.ptr == end && value >= first && value <= last,
          "block format '", text, "': '", digits, "' is no number of ", what, ", ", first, "..",
          last);
  return value;
}

/// "block(key=value,...)" without spaces; `text` is what the user wrote.
BlockFormat parse_block(std::string_view text, std::string_view compact) {
  BlockFormat format{};
  for (const auto& [key, value] :
       keyed_values(compact, {"element", "size", "scale", "along"}, 2,
                    "block format '" + std::string(text) + "'",
                    "block(element=e2m1,size=16,scale=headroom,along=transform)")) {
    if (key == "scale") format.rule = item_named(rules, "scale", value).value;
    if (key == "along") format.axis = item_named(axes, "axis", value).value;
    if (key == "size")
      format.block = value == "line" || value == "array"
                         ? item_named(sizes, "size", value).value
                         : number(text, value, 1, most_values, "values, nor line or array");
    if (key == "element" && !value.starts_with(integers))
      format.element = item_named(elements, "element", value, {"int:B"}).value;
    else if (key == "element")
      format.element = integer_element(
          static_cast<int>(number(text, value.substr(integers.size()), 2, 24, "bits")));
  }
  validate(format);
  return format;
}

}  // namespace

const std::vector<NamedBlockFormat>& named_block_formats() {
  static const std::vector<NamedBlockFormat> formats = {
      {"mxfp8_e4m3fn", "32 x fp8_e4m3fn and a scale with room for the largest", mxfp8_e4m3fn},
      {"mxfp8_e5m2", "32 x fp8_e5m2 and a scale with room for the largest", mxfp8_e5m2},
      {"mxfp6_e2m3", "32 x 6 bits, 3 of the fraction, and a scale with room for the largest",
       mxfp6_e2m3},
      {"mxfp6_e3m2", "32 x 6 bits, 2 of the fraction, and a scale with room for the largest",
       mxfp6_e3m2},
      {"mxfp4_e2m1", "32 x 4 bits and a scale with room for the largest", mxfp4_e2m1},
      {"mxfp8_e4m3fn:ocp", "mxfp8_e4m3fn scaled by the MX specification's rule",
       with_ocp_rule(mxfp8_e4m3fn)},
      {"mxfp8_e5m2:ocp", "mxfp8_e5m2 scaled by the MX specification's rule",
       with_ocp_rule(mxfp8_e5m2)},
      {"mxfp6_e2m3:ocp", "mxfp6_e2m3 scaled by the MX specification's rule",
       with_ocp_rule(mxfp6_e2m3)},
      {"mxfp6_e3m2:ocp", "mxfp6_e3m2 scaled by the MX specification's rule",
       with_ocp_rule(mxfp6_e3m2)},
      {"mxfp4_e2m1:ocp", "mxfp4_e2m1 scaled by the MX specification's rule",
       with_ocp_rule(mxfp4_e2m1)},
      {"mxint8", "32 x 8-bit integers over 64, scaled by the MX specification's rule", mxint8},
      {"bfp16", "8 x 8-bit integers over 64 and the exponent of the largest", bfp16},
      {"nvfp4", "16 x 4 bits, a scale in fp8_e4m3fn and one in fp32 of the line", nvfp4},
      {"nvfp4:ue4m3", "16 x 4 bits and a scale in fp8_e4m3fn", nvfp4_ue4m3},
  };
  return formats;
}

BlockFormat block_format_named(std::string_view text) {
  std::string compact(text);
  std::erase(compact, ' ');
  if (compact.starts_with(opening)) return parse_block(text, compact);
  return item_named(named_block_formats(), "block format", text, {"block(element=...,size=...)"})
      .format;
}

std::string to_string(const BlockFormat& format) {
  for (const NamedBlockFormat& named : named_block_formats())
    if (named.format == format) return std::string(named.name);
  const std::string element = name_of(elements, format.element);
  const std::string size = name_of(sizes, format.block);
  return std::string(opening) + "element=" +
         (element.empty() ? std::string(integers) + std::to_string(format.element.precision + 1)
                          : element) +
         ",size=" + (size.empty() ? std::to_string(format.block) : size) +
         ",scale=" + name_of(rules, format.rule) + ",along=" + name_of(axes, format.axis) + ")";
}

void validate(const BlockFormat& format) {
  const Format& element = format.element;
  require(
      format.block >= 1 && (format.block <= most_values || format.block >= BlockFormat::whole_line),
      "block format: a block has 1..", most_values, " values, or is a line or an array, not ",
      format.block, " values");
  require(!element.is_fixed() && element.precision >= 1 && element.precision <= 23 &&
              element.emin >= -126 && element.emin <= element.emax && element.emax <= 30 &&
              quantum_exponent(element) >= -22,
          "block format: elements of ", element, " times a scale are no fp32 values");
}

double block_error(const BlockFormat& format) {
  const double u = unit_roundoff(format.element);
  if (format.rule == ScaleRule::headroom) return u;
  const double half_unit = std::ldexp(u, format.element.emax) / max_finite(format.element);
  if (format.has_digits()) return std::max(1 / 17.0, 18 / 17.0 * half_unit);
  constexpr double off = 1.0 / 16;
  if (format.rule == ScaleRule::e4m3) return std::max(off, (1 + off) * half_unit) + 0x1p-20;
  return std::max(u, 1 - max_finite(format.element) * power_of_two(-format.element.emax - 1));
}

double line_error(const BlockFormat& format) {
  return format.rule == ScaleRule::e4m3 ? min_subnormal(fp8_e4m3fn) / 2 / 448 : 0;
}

void quantise_blocks(const BlockFormat& format, const float* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step) {
  const auto loops = format.has_digits() ? quantise<true, float> : quantise<false, float>;
  loops(format, in, depth, free, k_step, free_step, out, out_k_step, out_free_step);
}

void quantise_blocks(const BlockFormat& format, const double* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step) {
  const bool are_powers = format.rule != ScaleRule::e4m3 && !format.has_digits();
  if (are_powers || depth * free == 0)
    return quantise<false>(format, in, depth, free, k_step, free_step, out, out_k_step,
                           out_free_step);
  const std::size_t last = (depth - 1) * k_step + (free - 1) * free_step;
  const std::vector<float> floats(in, in + last + 1);
  quantise_blocks(format, floats.data(), depth, free, k_step, free_step, out, out_k_step,
                  out_free_step);
}

void quantise_blocks(const BlockFormat& format, float* values, std::size_t rows, std::size_t cols,
                     std::size_t stride, const std::vector<std::uint32_t>& block_of,
                     std::size_t blocks_per_line) {
  validate(format);
  if (block_of.empty()) return;
  const std::size_t count = *std::max_element(block_of.begin(), block_of.end()) + std::size_t{1};
  const std::vector<float> zeros(count);
  BlocksIn<std::vector<float>, std::vector<float>> blocks{zeros, zeros, zeros, zeros};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      blocks.take(values[i * stride + j], block_of[i * cols + j]);
  std::vector<float> lines(count / blocks_per_line + 1);
  for (std::size_t i = 0; i < count; ++i) {
    float& line = lines[i / blocks_per_line];
    const float amax = blocks.largest[i] + blocks.poison[i];
    line = amax > line || amax != amax ? amax : line;
  }
  for (std::size_t i = 0; i < count; ++i) blocks.finish(format, i, lines[i / blocks_per_line]);
  const auto round_to = [&](const auto& grid) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) {
        float& value = values[i * stride + j];
        const std::uint32_t block = block_of[i * cols + j];
        value = grid.quantise(value, blocks.inverse[block], blocks.scale[block]);
      }
  };
  format.has_digits() ? round_to(ElementGrid<float, true>(format.element))
                      : round_to(ElementGrid<float>(format.element));
}

}  // namespace fftprec
