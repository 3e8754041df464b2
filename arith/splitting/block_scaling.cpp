#include "arith/splitting/block_scaling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

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

/// How elements round: the grid of the element format, and where they saturate.
template <class Real>
struct ElementGrid {
  RoundingGrid<Real> grid;
  Real largest;

  explicit ElementGrid(const Format& element)
      : grid(rounding_grid<Real>(element)), largest(static_cast<Real>(max_finite(element))) {}

  /// v / X rounded and times X; `inverse` and `scale` are NaN for a block that is.
  [[gnu::always_inline]] float quantise(Real v, Real inverse, float scale) const {
    Real scaled = v * inverse;
    scaled = scaled > largest ? largest : scaled;
    scaled = scaled < -largest ? -largest : scaled;
    return static_cast<float>(round_to_grid<Rounding::rne, false>(scaled, grid)) * scale;
  }
};

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
  std::uint8_t finish(const BlockFormat& format, std::size_t i) {
    const std::uint8_t code = block_scale(format, static_cast<double>(largest[i] + poison[i]));
    const int exponent = static_cast<int>(code) - 127;
    inverse[i] = code == nan_scale ? std::numeric_limits<Real>::quiet_NaN()
                                   : static_cast<Real>(power_of_two(-exponent));
    scale[i] = code == nan_scale ? std::numeric_limits<float>::quiet_NaN()
                                 : static_cast<float>(power_of_two(exponent));
    return code;
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
template <class Real>
void quantise_columns(const BlockFormat& format, const ElementGrid<Real>& grid, const Real* in,
                      std::size_t depth, std::size_t count, std::size_t k_step,
                      std::size_t free_step, float* out, std::size_t out_k_step,
                      std::size_t out_free_step, std::uint8_t* scales) {
  Blocks<Real> blocks;
  blocks.clear(count);
  by_adjacency(free_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t i = 0; i < count; ++i)
        blocks.take(in[k * k_step + (adjacent ? i : i * free_step)], i);
  });
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t code = blocks.finish(format, i);
    if (scales != nullptr) scales[i] = code;
  }
  by_adjacency(free_step == 1 && out_free_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t i = 0; i < count; ++i)
        out[k * out_k_step + (adjacent ? i : i * out_free_step)] = grid.quantise(
            in[k * k_step + (adjacent ? i : i * free_step)], blocks.inverse[i], blocks.scale[i]);
  });
}

/// One block of `depth` consecutive values.
template <class Real>
void quantise_line(const BlockFormat& format, const ElementGrid<Real>& grid, const Real* in,
                   std::size_t depth, float* out, std::size_t out_k_step, std::uint8_t* scale) {
  constexpr std::size_t lanes = 8;
  Blocks<Real> blocks;
  blocks.clear(lanes);
  for (std::size_t k = 0; k < depth; ++k) blocks.take(in[k], k % lanes);
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    blocks.largest[0] = std::max(blocks.largest[0], blocks.largest[lane]);
    blocks.poison[0] += blocks.poison[lane];
  }
  const std::uint8_t code = blocks.finish(format, 0);
  if (scale != nullptr) *scale = code;
  const Real inverse = blocks.inverse[0];
  const float restore = blocks.scale[0];
  by_adjacency(out_k_step == 1, [&](auto adjacent) {
    for (std::size_t k = 0; k < depth; ++k)
      out[adjacent ? k : k * out_k_step] = grid.quantise(in[k], inverse, restore);
  });
}

template <class Real>
void quantise(const BlockFormat& format, const Real* in, std::size_t depth, std::size_t free,
              std::size_t k_step, std::size_t free_step, float* out, std::size_t out_k_step,
              std::size_t out_free_step, std::uint8_t* scales) {
  validate(format);
  const ElementGrid<Real> grid(format.element);
  for (std::size_t first = 0; first < depth; first += format.block) {
    const std::size_t length = std::min(format.block, depth - first);
    const Real* const from = in + first * k_step;
    float* const to = out + first * out_k_step;
    std::uint8_t* const codes = scales == nullptr ? nullptr : scales + first / format.block * free;
    const auto codes_at = [&](std::size_t i) { return codes == nullptr ? nullptr : codes + i; };
    if (k_step == 1 && free_step != 1) {
      for (std::size_t i = 0; i < free; ++i)
        quantise_line(format, grid, from + i * free_step, length, to + i * out_free_step,
                      out_k_step, codes_at(i));
      continue;
    }
    for (std::size_t i = 0; i < free; i += line_length)
      quantise_columns(format, grid, from + i * free_step, length, std::min(line_length, free - i),
                       k_step, free_step, to + i * out_free_step, out_k_step, out_free_step,
                       codes_at(i));
  }
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
  };
  return formats;
}

const BlockFormat& block_format_named(std::string_view name) {
  return item_named(named_block_formats(), "block format", name).format;
}

void validate(const BlockFormat& format) {
  validate(format.element);
  require(format.block >= 1, "block format: no values in a block");
  require(format.element.precision <= 11 && format.element.emin >= -126 &&
              format.element.emin <= format.element.emax && format.element.emax <= 30 &&
              quantum_exponent(format.element) >= -22,
          "block format: elements of ", format.element, " times a scale are no fp32 values");
}

std::uint8_t block_scale(const BlockFormat& format, double amax) {
  if (amax - amax != 0) return nan_scale;
  if (amax == 0) return 0;
  const int room = format.rule == ScaleRule::headroom ? 1 : 0;
  const int exponent = floor_log2(amax) - (format.element.emax - room);
  return static_cast<std::uint8_t>(std::clamp(exponent, -127, 127) + 127);
}

double block_error(const BlockFormat& format) {
  const double u = unit_roundoff(format.element);
  if (format.rule == ScaleRule::headroom) return u;
  return std::max(u, 1 - max_finite(format.element) * power_of_two(-format.element.emax - 1));
}

void quantise_blocks(const BlockFormat& format, const float* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step, std::uint8_t* scales) {
  quantise(format, in, depth, free, k_step, free_step, out, out_k_step, out_free_step, scales);
}

void quantise_blocks(const BlockFormat& format, const double* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step, std::uint8_t* scales) {
  quantise(format, in, depth, free, k_step, free_step, out, out_k_step, out_free_step, scales);
}

void quantise_blocks(const BlockFormat& format, float* values, std::size_t rows, std::size_t cols,
                     std::size_t stride, const std::vector<std::uint32_t>& block_of) {
  validate(format);
  if (block_of.empty()) return;
  const ElementGrid<float> grid(format.element);
  const std::size_t count = *std::max_element(block_of.begin(), block_of.end()) + std::size_t{1};
  const std::vector<float> zeros(count);
  BlocksIn<std::vector<float>, std::vector<float>> blocks{zeros, zeros, zeros, zeros};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      blocks.take(values[i * stride + j], block_of[i * cols + j]);
  for (std::size_t i = 0; i < count; ++i) blocks.finish(format, i);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      float& value = values[i * stride + j];
      const std::uint32_t block = block_of[i * cols + j];
      value = grid.quantise(value, blocks.inverse[block], blocks.scale[block]);
    }
}

}  // namespace fftprec
