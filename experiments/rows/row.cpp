#include "experiments/rows/row.hpp"

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

}  // namespace fftprec
