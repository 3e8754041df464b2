#include "experiments/cases/row.hpp"

#include <string>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::string_view statuses[] = {"ok", "skipped", "failed"};

}  // namespace

std::string_view name_of(Status status) { return statuses[static_cast<std::size_t>(status)]; }

Status status_named(std::string_view name) {
  return static_cast<Status>(index_named(statuses, "status", name));
}

truth::Tier tier_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const truth::Tier tier : truth::all_tiers) names.push_back(name_of(tier));
  return truth::all_tiers[index_named(names, "tier of truth", name)];
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

}  // namespace fftprec
