#include "experiments/cases/row.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

constexpr std::string_view statuses[] = {"ok", "skipped", "failed"};

}  // namespace

std::string_view name_of(Status status) { return statuses[static_cast<std::size_t>(status)]; }

Status status_named(std::string_view name) {
  return static_cast<Status>(index_named(statuses, "status", name));
}

truth::Tier tier_named(std::string_view name) {
  const auto name_of_tier = [](truth::Tier tier) { return truth::name_of(tier); };
  return truth::all_tiers[index_named(names_by(truth::all_tiers, name_of_tier), "tier of truth",
                                      name)];
}

SharedCase identity_of(const Row& row) {
  SharedCase where = row.where;
  if (row.over_seeds) where.set(&Case::seed, 0);
  return where;
}

void set_errors(Row& row, const truth::Errors& errors) {
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_linf_abs = errors.linf_abs;
  row.err_mean_rel = errors.mean_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
  row.snr_db = errors.snr_db;
  row.snr_no_gain_db = errors.snr_no_gain_db;
  row.gain = errors.gain;
}

void set_wrong_coefficients(Row& row, const ComplexArray<double>& y, const truth::Truth& truth) {
  const auto is_whole = [](double value) { return value == std::trunc(value); };
  if (!std::ranges::all_of(truth.hi.re, is_whole)) return;
  std::uint64_t wrong = 0;
  double largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    wrong += !(std::abs((y.re[i] - truth.hi.re[i]) - truth.lo.re[i]) < 0.5);
    largest = std::max(largest, std::abs(truth.hi.re[i]));
  }
  row.wrong_coefficients = wrong;
  row.coefficient_bits = largest == 0 ? 0 : static_cast<std::uint64_t>(std::ilogb(largest)) + 1;
}

/// Three digits of an error need a radius 2^10 times smaller. Every mode's rows have that from
/// needed_bits on.
void set_truth(Row& row, const truth::Truth& truth) {
  row.truth_bits = static_cast<std::uint64_t>(truth.bits);
  row.truth_tier = truth.tier;
  const double error = row.err_l2_rel.value_or(0);
  if (truth.bits >= truth::TruthOptions{}.needed_bits || !(error < 0x1p10 * truth.radius_rel))
    return;
  if (!row.message.empty()) row.message += "; ";
  row.message += "the truth has " + std::to_string(truth.bits) +
                 " bits, too few for an error of this size: exact values cancel, or are too small "
                 "for all of their digits in double; multiply the data by a power of two then";
}

}  // namespace fftprec
