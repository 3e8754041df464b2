/// Accumulator models as data: how a unit adds a column of products to an accumulator c.
///
/// A column is cut into blocks of consecutive products. Each block is added to c by the rules of
/// the model, and the result is the c of the next block. Every published matrix unit chains blocks
/// in this way. Units differ in the length of a block, in the order and rounding of its additions,
/// and in the fixed point to which its terms are aligned.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "arith/formats/format.hpp"

namespace fftprec {

/// Where the old PSUM value enters when a matmul accumulates.
enum class AcrossTiles {
  tile_then_add,  ///< psum := fl(psum + tile), the tile summed from zero
  through,        ///< the sum starts from psum: one chain over all tiles
};

/// How the terms of one block are added. A chain starts at c (early) or at +0.
enum class BlockSum {
  sequential,  ///< one chain, k ascending
  reversed,    ///< one chain, k descending
  pairwise,    ///< a tree: neighbours, then neighbouring sums; a term left over moves up unchanged
  segments,    ///< a chain for every `segment` products, then the tree over their sums
  even_odd,    ///< two chains, of even and of odd k, then their sum; an early c starts the even one
  exact,       ///< the exact sum, rounded once; +0 if it is zero
  aligned,     ///< fixed point: see fraction_bits; +0 if the result is zero or underflows (M: here
               ///< on Hopper; U elsewhere)
};

/// When c joins a block.
enum class AddendPosition {
  early,  ///< as its first term
  late,   ///< after the products, by one more addition
  after,  ///< aligned only: the block is summed from +0 in chained sums of `segment` products, then
          ///< c is added in `format`, rounded to nearest
};

/// The exponent of a group of products.
enum class GroupExponent {
  product,  ///< of its largest product
  /// Of its scales, 2 emin for unscaled elements, even if its products cancel; no exponent if all
  /// products are zero. (M: MMA-Sim.) The scale is derived from the scaled operands: the largest
  /// operand of a group is the largest element times the scale. This holds for quantised groups
  /// unless a scale is subnormal; its exponent is then -6 (M).
  scale,
};

/// How the bits that an alignment shifts out are cut.
enum class Cut { toward_zero, floor };

/// The rounding of the exact product of two operands before it is added.
struct ProductModel {
  bool exact = true;
  Format format = bf16;               ///< otherwise: rounded once to this format
  Rounding rounding = Rounding::rne;  ///< rne or rz

  friend constexpr bool operator==(const ProductModel&, const ProductModel&) = default;
};

/// Every product rounded once (rne) to fp32. Products of operands of at most 12 bits are exact.
inline constexpr ProductModel fp32_product{.exact = false, .format = fp32};

/// The rules of one unit for one class of operands.
///
/// The product of two operands is exact, unless `product` rounds it. Every addition, or the one
/// final rounding of an exact or aligned sum, rounds to `format` by `rounding`.
///
/// Aligned sums: the exponent of a product is the sum of its operands' exponents, so its
/// significand lies in [0, 4); a subnormal has the exponent emin of its format, zeros do not count.
/// A group of products is one term, with the exponent given by group_exponent. With several lanes,
/// products k, k + lanes, ... make separate sums, each aligned to its own largest exponent; the
/// sums are added at the larger exponent, cut to fraction_bits by late_cut.
/// All terms are aligned to e, their largest exponent or lowest_exponent if that is larger, and cut
/// to multiples of 2^(e - fraction_bits). The sum of the cut terms is exact, then rounded. A late c
/// and the sum of products are aligned to the larger of their exponents; `late_cut` cuts the sum to
/// late_fraction_bits and c to fraction_bits. A zero c has the exponent emin there, and a c more
/// than c_reach below the products is left out. The sum of both is cut to sum_bits significant
/// bits, then rounded.
///
/// With infinities or NaNs among the terms, the result is that of IEEE addition of the exact
/// products. A NaN result is quiet; its sign and payload have no meaning.
struct AccumulatorModel {
  std::string_view name;  ///< for error messages; presets.cpp has the source of each model's values
  Format operands = bf16;  ///< format of a and b: decides exponents and which values are subnormal
  std::optional<Format> operands_of_b{};  ///< format of b, if it differs
  /// For scaled operands: the format of the elements. In a group, the elements of each operand
  /// share an e4m3 scale.
  std::optional<Format> elements{};
  BlockSum sum = BlockSum::sequential;
  std::size_t block = 0;     ///< products per block; 0: the whole column is one block
  std::size_t segment = 32;  ///< BlockSum::segments and AddendPosition::after only
  /// AddendPosition::after only: segments take this many products in turn, and zeros fill the last
  /// block; 0: a segment has consecutive products.
  std::size_t interleave = 0;
  AddendPosition addend = AddendPosition::early;
  ProductModel product{};
  Rounding rounding = Rounding::rne;  ///< rne, rz or odd
  Format format = fp32;               ///< of the accumulator, c included
  bool overflow_to_infinity = false;  ///< under any `rounding`
  bool product_overflow = false;      ///< a product of 2^128 or more is infinite
  bool flush_inputs = false;          ///< subnormal a, b (of `operands`) and c count as zero
  bool flush_outputs = false;         ///< a result below 2^emin, rounded as if exponents had no
                                      ///< lower end, becomes a zero of its sign
  std::size_t group = 1;              ///< aligned only: products whose exact sum is one term
  GroupExponent group_exponent = GroupExponent::product;  ///< groups only
  std::size_t lanes = 1;                                  ///< aligned, late only
  int c_reach = 0;              ///< aligned, late only; 0: c is never left out
  int fraction_bits = 24;       ///< aligned only
  int late_fraction_bits = 24;  ///< aligned, late only
  int sum_bits = 0;             ///< aligned, late only: bits kept by late_cut; 0: all
  int lowest_exponent = -126;   ///< aligned only
  Cut cut = Cut::toward_zero;   ///< aligned only
  Cut late_cut = Cut::floor;    ///< aligned, late only

  friend constexpr bool operator==(const AccumulatorModel&, const AccumulatorModel&) = default;
};

[[gnu::always_inline]] inline constexpr const Format& operands_of_b(const AccumulatorModel& model) {
  return model.operands_of_b ? *model.operands_of_b : model.operands;
}

/// The format to which the sum with a late c is cut: sum_bits significant bits, fewer below 2^emin;
/// with sum_bits = 0 the 50 bits that a format may have.
[[gnu::always_inline]] inline constexpr Format sum_format(const AccumulatorModel& model) {
  return {model.sum_bits == 0 ? 50 : model.sum_bits, model.format.emin, 900};
}

/// How a finished tile joins PSUM: one fp32 addition by the rounding, the overflow and the flush
/// rules of the model that summed the tile.
[[gnu::always_inline]] inline constexpr AccumulatorModel psum_adder(const AccumulatorModel& model) {
  return {.name = "psum-adder",
          .operands = fp32,
          .rounding = model.rounding,
          .overflow_to_infinity = model.overflow_to_infinity,
          .flush_inputs = model.flush_inputs,
          .flush_outputs = model.flush_outputs};
}

/// Products per block of a column of `size` products.
[[gnu::always_inline]] inline std::size_t block_length(const AccumulatorModel& model,
                                                       std::size_t size) {
  return model.block == 0 ? size : model.block;
}

/// The place of product l of a block in the order in which the segments take products. Requires:
/// interleave > 0, l < block.
inline std::size_t interleaved_place(const AccumulatorModel& model, std::size_t l) {
  const std::size_t run = l / model.interleave, segments = model.block / model.segment;
  return run % segments * model.segment + run / segments * model.interleave + l % model.interleave;
}

/// Throws InputError, with the reason, for values that are out of range or contradict each other:
/// roundings other than rne, rz, odd; formats wider than fp32; an alignment of more than 40
/// fraction bits, of whole columns or of more terms than 53 bits hold; a rounded product in an
/// aligned sum; a setting that this kind of sum does not use.
void validate(const AccumulatorModel& model);

/// The largest B for which the model sums products exactly if all partial sums (sums of some of the
/// terms, c included) are integers below 2^B in magnitude, times one power of two. By induction
/// this holds for a chain of blocks, since the next c is a partial sum. Magnitudes may also add up
/// to 2^B, since a partial sum that reaches 2^B leaves out only zeros. So K products of at most 2^b
/// each are summed exactly if K 2^b <= 2^B.
///
/// Requires: no over- or underflow. That is, normal operands (aligned models take emin as the
/// exponent of a subnormal), terms and sums within the format, and a power of two of at least
/// 2^(lowest_exponent - fraction_bits), with a late c at least 2^(emin - fraction_bits).
///
/// Proof. Let the power of two be 1, p the precision of `format`, F = fraction_bits, r = c_reach,
/// s = sum_bits. A result of a rounded addition is an integer below 2^B. If B <= p the format holds
/// it, so no rounding changes it; the format does not hold 2^p + 1. A single product is a partial
/// sum, so rounding products to p' bits changes none if B <= p', but may if B > p'. An aligned
/// model cuts every term to multiples of 2^(e - F), where e is the exponent of a term (or
/// lowest_exponent). For normal operands, e is at most the exponent of the term's magnitude, and
/// one below it if the product of the significands is at least 2. So e <= B - 1, and nothing is cut
/// if B - 1 <= F; with a term 2^(F+1) a term 1 is lost. A late c is aligned in this way with a sum
/// of products cut to late_fraction_bits >= F, and is left out only if B - 1 > r. Unscaled elements
/// have at most the exponent of normal operands, and a lane at most e. The sums of the cut terms
/// are exact, so the final rounding is as above, and a cut to s bits before it changes nothing if
/// B <= s. Together: B = min(p, p', F + 1, s, r + 1).
int exact_bits(const AccumulatorModel& model);

}  // namespace fftprec
