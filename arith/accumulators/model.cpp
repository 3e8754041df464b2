#include "arith/accumulators/model.hpp"

#include <algorithm>
#include <string>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr AccumulatorModel defaults{};
constexpr std::size_t largest_block = 65536;

/// How errors begin.
struct Subject {
  std::string_view model;

  friend std::string to_string(const Subject& subject) {
    return "accumulator " + std::string(subject.model) + ": ";
  }
};

/// The sum of a group may lie far above the exponent of its scales: it must fit all the same.
void validate_group_exponent(const AccumulatorModel& model, const Subject& name) {
  if (model.group_exponent == GroupExponent::product) return;
  require(model.group > 1, name, "only groups of products have the exponent of their scales");
  const Format &a = model.operands, &b = operands_of_b(model);
  const int span = a.emax + b.emax + 2 - a.emin - b.emin + model.fraction_bits;
  require(span <= 53 && model.block < std::size_t{1} << (53 - span), name, "sums of ",
          model.operands, " do not fit 53 bits at the exponent of their scales");
}

void validate_alignment(const AccumulatorModel& model, const Subject& name) {
  const bool late = model.addend == AddendPosition::late;
  const int most = late && model.late_fraction_bits > model.fraction_bits ? model.late_fraction_bits
                                                                          : model.fraction_bits;
  require(model.fraction_bits >= 1 && most <= 40, name, most,
          " fraction bits, 1..40 fit 64-bit sums");
  require(model.block >= 1, name, "an aligned sum needs a block length");
  require(model.block < std::size_t{1} << (51 - most), name, model.block, " products of ", most,
          " fraction bits do not fit a sum of 53 bits");
  require(model.lowest_exponent >= -298 && model.lowest_exponent <= 127, name, "lowest exponent ",
          model.lowest_exponent, " is not in -298..127");
  require(model.group >= 1 && model.block % model.group == 0, name, "blocks of ", model.block,
          " are no whole groups of ", model.group);
  require(model.product.exact, name, "an aligned sum takes exact products, not rounded ones");
  require(!late || model.late_fraction_bits >= model.fraction_bits, name,
          "late_fraction_bits is below fraction_bits");
  require(model.sum_bits == 0 || (model.sum_bits >= 2 && model.sum_bits <= 50), name,
          model.sum_bits, " sum bits are neither 0 nor 2..50");
  require(model.lanes >= 1 && model.lanes <= model.block, name, model.lanes, " lanes are not 1..",
          model.block);
  require(model.lanes == 1 || model.group == 1, name, "lanes and groups exclude each other");
  require(model.c_reach >= 0 && model.c_reach <= 100, name, "c_reach ", model.c_reach,
          " is not in 0..100");
  validate_group_exponent(model, name);
  require(late || (model.late_fraction_bits == defaults.late_fraction_bits &&
                   model.late_cut == defaults.late_cut && model.sum_bits == defaults.sum_bits &&
                   model.lanes == defaults.lanes && model.c_reach == defaults.c_reach),
          name, "late_fraction_bits, late_cut, sum_bits, lanes and c_reach are for a late c");
}

}  // namespace

void validate(const AccumulatorModel& model) {
  const Subject name{model.name};
  validate(model.format);
  validate(model.operands);
  require(fits<float>(model.format), name, model.format, " is wider than fp32");
  for (const Format& operands : {model.operands, operands_of_b(model)})
    require(fits<float>(operands) || operands == fp32, name, "operands ", operands,
            " are wider than fp32");
  require(model.rounding == Rounding::rne || model.rounding == Rounding::rz ||
              model.rounding == Rounding::odd,
          name, name_of(model.rounding), " is not among rne, rz, odd");
  require(!model.overflow_to_infinity || model.format.overflow == Overflow::infinity, name,
          model.format, " has no infinity to overflow to");
  require(model.product.exact || fits<float>(model.product.format), name, "products of ",
          model.product.format, " are wider than fp32");
  require(model.product.rounding == Rounding::rne || model.product.rounding == Rounding::rz, name,
          "products round by rne or rz");
  require(model.block <= largest_block, name, model.block, " products per block are more than ",
          largest_block);
  require(model.segment <= largest_block, name, model.segment,
          " products per segment are more than ", largest_block);
  require(model.sum != BlockSum::segments || model.segment >= 1, name,
          "a segment needs at least one product");
  const bool after = model.addend == AddendPosition::after;
  require(model.sum == BlockSum::aligned || !after, name,
          "only a block that is aligned has its c added after it");
  require(model.segment >= 1 || !after, name, "a segment needs at least one product");
  require(model.sum == BlockSum::segments || after || model.segment == defaults.segment, name,
          "`segment` is for sums by segments, and for a c after its block");
  require(after || model.interleave == defaults.interleave, name,
          "`interleave` is for a c after its block");
  require(model.interleave == 0 ||
              (model.segment % model.interleave == 0 && model.block % model.segment == 0),
          name, "segments of ", model.segment, " do not take blocks of ", model.block,
          " by turns of ", model.interleave);
  require(model.interleave == 0 || model.group == 1, name,
          "products that segments take by turns have no groups");
  if (model.sum == BlockSum::aligned) {
    validate_alignment(model, name);
    return;
  }
  require(model.fraction_bits == defaults.fraction_bits && model.group == defaults.group &&
              model.late_fraction_bits == defaults.late_fraction_bits &&
              model.sum_bits == defaults.sum_bits &&
              model.group_exponent == defaults.group_exponent && model.lanes == defaults.lanes &&
              model.c_reach == defaults.c_reach &&
              model.lowest_exponent == defaults.lowest_exponent && model.cut == defaults.cut &&
              model.late_cut == defaults.late_cut,
          name, "alignment parameters are for aligned sums");
}

int exact_bits(const AccumulatorModel& model) {
  int bits = model.format.precision;
  if (!model.product.exact) bits = std::min(bits, model.product.format.precision);
  if (model.sum == BlockSum::aligned) bits = std::min(bits, model.fraction_bits + 1);
  if (model.sum_bits != 0) bits = std::min(bits, model.sum_bits);
  if (model.c_reach != 0) bits = std::min(bits, model.c_reach + 1);
  return bits;
}

}  // namespace fftprec
