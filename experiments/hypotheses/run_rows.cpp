#include "experiments/hypotheses/run_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/statistics.hpp"

namespace fftprec::hypotheses {

namespace {

constexpr std::array<std::string_view, 4> replaceable = {"algorithm", "mode", "machine", "tables"};

/// Whether only another program knows the name that the row has on this axis.
bool is_foreign(const Row& row, std::size_t axis) {
  const Column& column = axis_columns()[axis];
  try {
    return !unknown_in(NamedValue{&column, column.text(row)}.in_case()).empty();
  } catch (const InputError&) {  // no name at all
    return true;
  }
}

/// err_l2_rel over what theory expects, or allows.
double excess_of(const Row& row) {
  for (const std::optional<double>& theory : {row.expected_l2_rel, row.bound_l2_rel})
    if (theory) return ratio_of(*row.err_l2_rel, *theory);
  return -1;
}

}  // namespace

StandIns parse_stand_ins(std::span<const std::string> texts, const CheckNames& check_names) {
  StandIns stand_ins;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name(trimmed(std::string_view(text).substr(0, equals)));
    const std::string axis = shown_name(name);
    if (std::ranges::find(replaceable, axis) == replaceable.end())
      throw unknown_name("axis that a name of a row may stand for", name,
                         std::vector<std::string>(replaceable.begin(), replaceable.end()));
    require(equals != std::string::npos, "'", text, "' is not AXIS=VALUE, as in mode=fp32");
    const std::size_t index = axis_index(axis);
    const std::string value = check_axis_value(
        index, std::string(trimmed(std::string_view(text).substr(equals + 1))), check_names);
    require(stand_ins.emplace(index, value).second, axis, " is given twice");
  }
  return stand_ins;
}

Measured measured_as_named(std::span<const Row> rows, const std::string& name,
                           const StandIns& stand_ins, const CheckNames& check_names) {
  StandIns known = stand_ins;
  known.emplace(axis_index("machine"), "ieee");
  known.emplace(axis_index("tables"), "exact");
  std::vector<Row> replaced(rows.begin(), rows.end());
  for (Row& row : replaced)
    for (const auto& [axis, value] : known)
      if (is_foreign(row, axis)) axis_columns()[axis].parse(row, value);
  return measured_from(replaced, name, check_names, RowNames::kept);
}

ChosenRows rows_to_replay(std::span<const Row> rows, std::size_t most, double most_ns,
                          Session& session) {
  ChosenRows chosen;
  for (const Row& row : rows) {
    if (chosen.rows.size() == most) {
      ++chosen.others;
      continue;
    }
    bool is_too_long = false;
    try {
      is_too_long = session.plan(Case(row.where)).cost().whole_ns() > most_ns;
    } catch (const InputError&) {  // a name of another program: measured_as_named says which
    }
    if (!is_too_long) {
      chosen.rows.push_back(row);
      continue;
    }
    const std::uint64_t n = row.where.n();
    chosen.shortest_too_long = chosen.too_long++ == 0 ? n : std::min(chosen.shortest_too_long, n);
  }
  return chosen;
}

std::vector<Row> farthest_first(std::vector<Row> rows) {
  std::erase_if(rows, [](const Row& row) { return row.status != Status::ok || !row.err_l2_rel; });
  std::ranges::stable_sort(rows, std::ranges::greater(), excess_of);
  return rows;
}

}  // namespace fftprec::hypotheses
