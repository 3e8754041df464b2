#include "experiments/cases/row.hpp"

#include <string>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::skipped:
      return "skipped";
    case Status::failed:
      return "failed";
    case Status::ok:
      break;
  }
  return "ok";
}

Status status_named(std::string_view name) {
  for (const Status status : {Status::ok, Status::skipped, Status::failed})
    if (name_of(status) == name) return status;
  throw unknown_name("status", name, {"ok", "skipped", "failed"});
}

truth::Tier tier_named(std::string_view name) {
  std::vector<std::string> known;
  for (const truth::Tier tier : truth::all_tiers) {
    if (name_of(tier) == name) return tier;
    known.emplace_back(name_of(tier));
  }
  throw unknown_name("tier of truth", name, known);
}

void set_errors(Row& row, const truth::Errors& errors) {
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
  row.snr_db = errors.snr_db;
  row.gain = errors.gain;
}

}  // namespace fftprec
