/// Block-scaled formats (microscaling, MX): groups of values that share one power of two, each
/// value held in a very narrow format.
///
/// A value is decoded as X * element, with X = 2^s the scale of its group in e8m0: s from -127 to
/// 127, code s + 127, and code 255 for NaN.
/// Source: Open Compute Project, Microscaling Formats (MX) Specification v1.0, 2023.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/format.hpp"

namespace fftprec {

/// How a group's scale follows from amax, its largest magnitude. Emax: that of the element format.
enum class ScaleRule {
  headroom,  ///< X = 2^(floor(log2 amax) - (Emax - 1)): no element can overflow (Trainium v4)
  ocp,       ///< X = 2^(floor(log2 amax) - Emax): the largest may, and becomes max_finite
};

/// A block-scaled format.
struct BlockFormat {
  Format element;
  std::size_t block = 32;  ///< values that share a scale
  ScaleRule rule = ScaleRule::headroom;

  friend constexpr bool operator==(const BlockFormat&, const BlockFormat&) = default;
};

/// e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; neither NaN nor infinity.
inline constexpr Format fp4_e2m1{2, 0, 2, true, Overflow::saturate};

/// e2m3, to 7.5, and e3m2, to 28: neither NaN nor infinity.
inline constexpr Format fp6_e2m3{4, 0, 2, true, Overflow::saturate};
inline constexpr Format fp6_e3m2{3, -2, 4, true, Overflow::saturate};
/// Multiples of 1/64 below 2 in size.
inline constexpr Format int8_over_64{7, 0, 0, true, Overflow::saturate};

inline constexpr BlockFormat mxfp8_e4m3fn{fp8_e4m3fn};
inline constexpr BlockFormat mxfp8_e5m2{fp8_e5m2};
inline constexpr BlockFormat mxfp6_e2m3{fp6_e2m3};
inline constexpr BlockFormat mxfp6_e3m2{fp6_e3m2};
inline constexpr BlockFormat mxfp4_e2m1{fp4_e2m1};
inline constexpr BlockFormat mxint8{int8_over_64, 32, ScaleRule::ocp};
inline constexpr BlockFormat bfp16{int8_over_64, 8, ScaleRule::ocp};

/// A block format's name and what it is.
struct NamedBlockFormat {
  std::string_view name;
  std::string_view summary;
  BlockFormat format;
};

/// mxfp8_e4m3fn, mxfp8_e5m2, mxfp6_e2m3, mxfp6_e3m2, mxfp4_e2m1, and each with ":ocp" for that
/// rule; mxint8, bfp16.
const std::vector<NamedBlockFormat>& named_block_formats();

/// The block format of that name. Throws InputError for an unknown one, listing the known.
const BlockFormat& block_format_named(std::string_view name);

/// Throws InputError unless the format can be quantised to: at least one value per block, an
/// element format with precision <= 11, -126 <= emin <= emax <= 30 and quantum_exponent >= -22, so
/// that X * element is a float for every X.
void validate(const BlockFormat& format);

inline constexpr std::uint8_t nan_scale = 255;

/// The e8m0 code of the scale of a group whose largest magnitude is amax: the exponent of the
/// format's rule, clamped to -127 .. 127, plus 127. 0 for amax = 0, nan_scale for a NaN or an
/// infinity.
std::uint8_t block_scale(const BlockFormat& format, double amax);

/// Bound on |v - decoded v| relative to the amax of v's group, where the scale was not clamped to
/// 2^-127 or 2^127. headroom: u of the element, for all elements are at most 2^Emax and half a unit
/// in the last place below that is 2^(Emax - 1) u, and amax >= X 2^(Emax - 1). ocp: amax >= X
/// 2^Emax and half a unit is 2^Emax u, but what lies in (max_finite, 2^(Emax + 1)) X loses up to 1
/// - max_finite / 2^(Emax + 1) of itself.
double block_error(const BlockFormat& format);

/// Quantises a depth x free matrix of reals in blocks along k, the last of them perhaps shorter:
/// out(k, i) = X * (in(k, i) / X rounded (rne) to the element format), what the tensor engine
/// multiplies, as a float. Element (k, i) is at k * k_step + i * free_step; in and out may be the
/// same floats, if their steps are.
/// scales, unless null, gets depth/block (rounded up) x free e8m0 codes, block after block.
/// Rounds: once; X * element is exact in float, but for what exceeds its range: with amax at the
/// top of float's, headroom may round up to 2^128, that is to infinity. A block that holds a NaN or
/// an infinity has a NaN scale, so all of its values become NaN (the MX specification leaves this
/// to the implementation). Elements beyond max_finite saturate. Zeros keep their sign. Throws
/// InputError for a format that validate() rejects.
void quantise_blocks(const BlockFormat& format, const float* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step,
                     std::uint8_t* scales = nullptr);
void quantise_blocks(const BlockFormat& format, const double* in, std::size_t depth,
                     std::size_t free, std::size_t k_step, std::size_t free_step, float* out,
                     std::size_t out_k_step, std::size_t out_free_step,
                     std::uint8_t* scales = nullptr);

/// The same in place, of a rows x cols matrix of values whose blocks stand anywhere in it: value
/// (i, j), at i * stride + j, is in block block_of[i * cols + j].
void quantise_blocks(const BlockFormat& format, float* values, std::size_t rows, std::size_t cols,
                     std::size_t stride, const std::vector<std::uint32_t>& block_of);

}  // namespace fftprec
