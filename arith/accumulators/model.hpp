/// Accumulator models as data: how a unit adds a column of products to what an accumulator holds.
///
/// A column is cut into blocks of consecutive products; each block is added to c by the rules of
/// the model, and the result is the c of the next block. Every published matrix unit chains blocks
/// in this way; units differ in the length of a block, in the order and rounding of its additions,
/// or in the fixed point to which its terms are aligned.
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

/// How the terms of one block meet. A chain starts at c (early) or at +0.
enum class BlockSum {
  sequential,  ///< one chain, k ascending
  reversed,    ///< one chain, k descending
  pairwise,    ///< a tree: neighbours, then neighbouring sums; an odd one out moves up unchanged
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
  after,  ///< aligned only: after the block, summed from +0 in chained sums of `segment` products,
          ///< by an addition in `format` that rounds to nearest
};

/// The exponent of a group of products.
enum class GroupExponent {
  product,  ///< of its largest product
  /// Of its scales, 2 emin for unscaled elements, even if its products cancel; none if all products
  /// are zero. (M: MMA-Sim.) The scale follows from scaled operands: the largest operand of a group
  /// is the largest element times the scale. This holds for quantised groups unless a scale is
  /// subnormal; its exponent is then -6 (M).
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

/// Every product rounded once (rne) to fp32: operands of 12 bits or fewer lose nothing.
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
/// All terms are aligned to the largest exponent e, but at least lowest_exponent, and cut to
/// multiples of 2^(e - fraction_bits); the sum of the cut terms is exact, then rounded. A late c is
/// aligned with the sum of products: to the larger of both exponents, the sum cut to
/// late_fraction_bits
/// and c to fraction_bits by `late_cut`; a zero c has the exponent emin there, and a c more than
/// c_reach below the products is left out. The sum of both is cut once more, to sum_bits
/// significant bits, and then rounded.
///
/// Infinities and NaNs among the terms have the result of IEEE addition of the exact products. A
/// NaN result is quiet; its sign and payload have no meaning.
struct AccumulatorModel {
  std::string_view name;  ///< for error messages; presets.cpp has the source of each model's values
  Format operands = bf16;  ///< format of a and b: decides exponents and which values are subnormal
  std::optional<Format> operands_of_b{};  ///< format of b, if it differs
  /// For scaled operands: the format of the elements, which share an e4m3 scale in each operand's
  /// part of a group.
  std::optional<Format> elements{};
  BlockSum sum = BlockSum::sequential;
  std::size_t block = 0;     ///< products per block; 0: the whole column is one block
  std::size_t segment = 32;  ///< BlockSum::segments and AddendPosition::after only
  /// AddendPosition::after only: segments take this many products in turn, and zeros fill up the
  /// last block; 0: a segment has consecutive products.
  std::size_t interleave = 0;
  AddendPosition addend = AddendPosition::early;
  ProductModel product{};
  Rounding rounding = Rounding::rne;  ///< rne, rz or odd
  Format format = fp32;               ///< of the accumulator, c included
  bool overflow_to_infinity = false;  ///< results beyond the top, by any `rounding`
  bool product_overflow = false;      ///< a product of 2^128 or more is infinite
  bool flush_inputs = false;          ///< subnormal a, b (of `operands`) and c count as zero
  bool flush_outputs = false;         ///< a rounded result below 2^emin becomes zero, its sign
                                      ///< kept; rounded as if exponents had no lower end
  std::size_t group = 1;              ///< aligned only: products whose exact sum is one term
  GroupExponent group_exponent = GroupExponent::product;  ///< groups only
  std::size_t lanes = 1;                                  ///< aligned, late only
  int c_reach = 0;              ///< aligned, late only; 0: c is never left out
  int fraction_bits = 24;       ///< aligned only
  int late_fraction_bits = 24;  ///< aligned, late only
  int sum_bits = 0;             ///< aligned, late only: cut by late_cut; 0: all are kept
  int lowest_exponent = -126;   ///< aligned only
  Cut cut = Cut::toward_zero;   ///< aligned only
  Cut late_cut = Cut::floor;    ///< aligned, late only

  friend constexpr bool operator==(const AccumulatorModel&, const AccumulatorModel&) = default;
};

[[gnu::always_inline]] inline constexpr const Format& operands_of_b(const AccumulatorModel& model) {
  return model.operands_of_b ? *model.operands_of_b : model.operands;
}

/// The format to which the sum with a late c is cut: sum_bits significant bits, fewer below 2^emin.
/// (0 bits: as many as a format may have.)
[[gnu::always_inline]] inline constexpr Format sum_format(const AccumulatorModel& model) {
  return {model.sum_bits == 0 ? 50 : model.sum_bits, model.format.emin, 900};
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

/// The largest B such that the model makes no error in any sum of products whose partial sums (sums
/// of some of its terms, c among them) are all integers below 2^B in magnitude, times one power of
/// two. By induction this holds for a chain of blocks as well: the next c is a partial sum.
/// Magnitudes that add up to 2^B are harmless too, since a partial sum that reaches 2^B has no
/// other terms beside it: so K products of at most 2^b each are summed exactly if K 2^b <= 2^B.
///
/// Requires: no over- or underflow, that is normal operands (aligned models take the exponent of a
/// subnormal for emin), terms and sums within the format, and a unit of at least
/// 2^(lowest_exponent - fraction_bits), beside a late c at least 2^(emin - fraction_bits).
///
/// Proof. Let the unit be 1 and p the precision of `format`. A result of a rounded addition is an
/// integer below 2^B: the format holds it, and no rounding changes it, if B <= p; it does not hold
/// 2^p + 1. A single product is a partial sum, so rounding products to p' bits is harmless if B <=
/// p', and not beyond. An aligned model cuts every term to multiples of 2^(e - F), where e is the
/// exponent of a term (or lowest_exponent): for normal operands it is at most the exponent of the
/// term's magnitude, and one below it if the significands' product is at least 2, so e <= B - 1,
/// and nothing is cut if
/// B - 1 <= F; a term 1 beside a term 2^(F+1) is lost. A late c is aligned in the same way with a
/// sum of products cut to late_fraction_bits >= F; it is left out only if B - 1 > c_reach, r.
/// Unscaled elements have at most the exponent of normal operands, and a lane at most e. The sums
/// of the cut terms are exact, so the final rounding is as above, and a cut to sum_bits before it,
/// s, does no harm if B <= s. Together: B = min(p, p', F + 1, s, r + 1).
int exact_bits(const AccumulatorModel& model);

}  // namespace fftprec
