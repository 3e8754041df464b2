#include "reports/summary/not_measured.hpp"

#include <map>
#include <string>
#include <utility>

namespace fftprec {

std::vector<NotMeasured> not_measured(std::span<const Row> rows) {
  std::map<std::pair<bool, std::string>, NotMeasured> groups;  // false sorts first: failed
  for (const Row& row : rows)
    if (row.status != Status::ok)
      ++groups.try_emplace({row.status != Status::failed, row.message}, NotMeasured{&row, 0})
            .first->second.count;
  std::vector<NotMeasured> result;
  for (const auto& [reason, group] : groups) result.push_back(group);
  return result;
}

}  // namespace fftprec
