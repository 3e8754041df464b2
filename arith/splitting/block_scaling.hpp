/// Block-scaled formats (microscaling, MX): groups of values in a very narrow format that share one
/// power of two.
///
/// A value is decoded as X * element, with X = 2^s the scale of its group in e8m0: s from -127 to
/// 127, code s + 127, and code 255 for NaN.
/// Source: Open Compute Project, Microscaling Formats (MX) Specification v1.0, 2023.
/// In NVFP4 X is a number of e4m3fn, or such a number times an fp32 factor of the line: see
/// ScaleRule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/format.hpp"

namespace fftprec {

/// How a group's scale follows from amax, its largest magnitude. Emax: the element format's emax.
enum class ScaleRule {
  headroom,  ///< X = 2^(floor(log2 amax) - (Emax - 1)): no element can overflow (Trainium v4)
  ocp,       ///< X = 2^(floor(log2 amax) - Emax): the largest may overflow to max_finite
  /// X = s A / (448 M), A the largest magnitude of the line, M that of an element, and s the number
  /// of e4m3fn next to 448 amax / A, to nearest even: amax becomes M, except for the rounding of s.
  /// In fp32, with G = min(448 M / A, max_float): s = e4m3(amax * (G * (1/M))), an element is v *
  /// (1 / (s * (1/G))) rounded, saturating, with the value element * (s * A * (1 / (448 M))), each
  /// operation rounded. NVFP4 has one A for a tensor. Here a tensor is a line, so that the bits of
  /// a line do not depend on other lines.
  /// Source: NVIDIA, Pretraining Large Language Models with NVFP4,
  /// https://arxiv.org/abs/2509.25149; in fp32 as core_nvfp4.cuh and dequantize_nvfp4.cuh of
  /// https://github.com/NVIDIA/TransformerEngine/tree/main/transformer_engine/common/cast/nvfp4.
  e4m3,
  /// X = s, the number of e4m3fn next to amax / M, to nearest even, at most 448, for units with
  /// scales in ue4m3. An element is v / s rounded once. If s is below amax / M (by at most 1/17 of
  /// it), the largest element saturates. With e2m1, amax above 2688 or below 6 2^-6 is beyond the
  /// normal scales. The caller applies NVFP4's factor of a tensor.
  /// Source: NVIDIA, PTX ISA 9.0, mma with .kind::mxf4nvf4 and .scale_vec::4X.
  ue4m3,
};

/// The direction of a block.
enum class BlockAxis {
  transform,  ///< a line is a transform along one axis
  batch,      ///< a line has the values of all transforms of a store at one index
};

/// A block-scaled format.
struct BlockFormat {
  static constexpr std::size_t whole_array = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t whole_line = whole_array - 1;

  Format element;
  std::size_t block = 32;  ///< values that share a scale: a number, whole_line or whole_array
  ScaleRule rule = ScaleRule::headroom;
  BlockAxis axis = BlockAxis::transform;

  /// Values of a line, and of a block, in an array of `batch` transforms of n values.
  std::size_t line_in(std::size_t n, std::size_t batch) const {
    return axis == BlockAxis::batch ? batch : n;
  }
  std::size_t block_in(std::size_t n, std::size_t batch) const {
    if (block == whole_array) return n * batch;
    const bool is_short = axis == BlockAxis::batch || block == whole_line;
    return is_short ? std::min(block, line_in(n, batch)) : block;
  }
  /// Whether the loss in a block depends on the length or the number of lines.
  bool depends_on_lines() const {
    return axis == BlockAxis::batch || block >= whole_line || rule == ScaleRule::e4m3;
  }
  /// Whether transforms of a batch share scales.
  bool joins_transforms() const { return axis == BlockAxis::batch || block == whole_array; }
  /// Whether a scale is a number of e4m3fn alone, with up to 4 digits.
  bool has_digits() const { return rule == ScaleRule::ue4m3; }
  /// Significant bits of a value: those of its element and of its scale.
  int precision() const { return element.precision + (has_digits() ? fp8_e4m3fn.precision : 0); }
  /// Whether matrix products with operands in these blocks are modelled.
  bool is_operand() const {
    return rule != ScaleRule::e4m3 && !joins_transforms() && block != whole_line;
  }

  friend constexpr bool operator==(const BlockFormat&, const BlockFormat&) = default;
};

/// e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; neither NaN nor infinity.
inline constexpr Format fp4_e2m1{2, 0, 2, true, Overflow::saturate};

/// e2m3, to 7.5, and e3m2, to 28: neither NaN nor infinity.
inline constexpr Format fp6_e2m3{4, 0, 2, true, Overflow::saturate};
inline constexpr Format fp6_e3m2{3, -2, 4, true, Overflow::saturate};
/// Multiples of 2^(2-B) with magnitudes below 2, where B = bits.
constexpr Format integer_element(int bits) { return {bits - 1, 0, 0, true, Overflow::saturate}; }
inline constexpr Format int8_over_64 = integer_element(8);

inline constexpr BlockFormat mxfp8_e4m3fn{fp8_e4m3fn};
inline constexpr BlockFormat mxfp8_e5m2{fp8_e5m2};
inline constexpr BlockFormat mxfp6_e2m3{fp6_e2m3};
inline constexpr BlockFormat mxfp6_e3m2{fp6_e3m2};
inline constexpr BlockFormat mxfp4_e2m1{fp4_e2m1};
inline constexpr BlockFormat mxint8{int8_over_64, 32, ScaleRule::ocp};
inline constexpr BlockFormat bfp16{int8_over_64, 8, ScaleRule::ocp};
inline constexpr BlockFormat nvfp4{fp4_e2m1, 16, ScaleRule::e4m3};
inline constexpr BlockFormat nvfp4_ue4m3{fp4_e2m1, 16, ScaleRule::ue4m3};

/// A block format's name and what it is.
struct NamedBlockFormat {
  std::string_view name;
  std::string_view summary;
  BlockFormat format;
};

/// mxfp8_e4m3fn, mxfp8_e5m2, mxfp6_e2m3, mxfp6_e3m2, mxfp4_e2m1, and each with ":ocp" for that
/// rule; mxint8, bfp16, nvfp4, nvfp4:ue4m3.
const std::vector<NamedBlockFormat>& named_block_formats();

/// The block format of that name, or block(element=E,size=S,scale=RULE,along=AXIS), where spaces do
/// not count. E is e2m1, e2m3, e3m2, e4m3fn, e5m2 or int:B, integers of B bits (2..24) over
/// 2^(B-2). S is a number of values, line or array. RULE is headroom (the default), ocp, e4m3 or
/// ue4m3. AXIS is transform (the default) or batch. Throws InputError for other texts, listing the
/// known names.
BlockFormat block_format_named(std::string_view text);

/// The name of a named format, else its "block(...)" text with every key.
std::string to_string(const BlockFormat& format);

/// Throws InputError unless the format can be quantised to: 1 to 2^20 values in a block if not a
/// line or an array, and elements with precision <= 23, -126 <= emin <= emax <= 30 and
/// quantum_exponent >= -22, so that X * element is a float for every power of two X.
void validate(const BlockFormat& format);

/// Bound on |v - decoded v| relative to the amax of v's group, if the scale was not clamped to
/// 2^-127 or 2^127.
/// headroom: u of the element. All elements are at most 2^Emax, where half a unit in the last place
/// is 2^(Emax - 1) u, and amax >= X 2^(Emax - 1).
/// ocp: amax >= X 2^Emax, and half a unit is 2^Emax u. But a value in (max_finite, 2^(Emax + 1)) X
/// loses up to 1 - max_finite / 2^(Emax + 1) of itself.
/// e4m3: X is off by at most 1/16 of itself, so half a unit is 2^Emax u X, and a value above
/// max_finite X loses up to 1/16 of amax; fp32 adds less than 2^-20. For scales below the normal
/// numbers of e4m3fn, line_error is added.
/// ue4m3: X is between 16/17 and 18/17 of amax / max_finite, as for 17/16, the first tie. So half a
/// unit is 18/17 2^Emax u of amax / max_finite (3/17 for e2m1), and saturation loses 1/17 of amax.
/// Requires: scales between 2^-6 and 448.
double block_error(const BlockFormat& format);
/// The error to add to block_error for scales below the normal numbers, relative to the largest
/// magnitude of the line: half the quantum of e4m3fn over 448; 0 for powers of two.
double line_error(const BlockFormat& format);

/// Quantises a depth x free matrix of reals in blocks along k; the last block may be shorter:
/// out(k, i) = X * (in(k, i) / X rounded (rne) to the element format), the operand of the tensor
/// engine, as a float. A column is a line. Element (k, i) is at k * k_step + i * free_step. in and
/// out may be the same floats if their steps are equal.
/// Rounds: once. X * element is exact in float unless it overflows: with amax at the top of float's
/// range, headroom may round up to 2^128, which is infinity, and s A may overflow. (A scale with
/// digits times an element of more than 20 bits rounds.) A block with a NaN or an infinity has a
/// NaN scale, so all of its values become NaN (the MX specification leaves this to the
/// implementation); with ScaleRule::e4m3 all values of the line do. Doubles are first rounded to
/// floats if scales are no powers of two. Elements beyond max_finite saturate. Zeros keep their
/// sign. Throws InputError for a format that validate() rejects.
void quantise_blocks(const BlockFormat& format, const float* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step);
void quantise_blocks(const BlockFormat& format, const double* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step);

/// As above, in place, for a rows x cols matrix with blocks of any shape: value (i, j), at i *
/// stride + j, is in block block_of[i * cols + j], and block b is on line b / blocks_per_line.
void quantise_blocks(const BlockFormat& format, float* values, std::size_t rows, std::size_t cols,
                     std::size_t stride, const std::vector<std::uint32_t>& block_of,
                     std::size_t blocks_per_line);

}  // namespace fftprec
