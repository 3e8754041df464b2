#include "reports/plot_held.hpp"

#include <algorithm>

#include "experiments/columns.hpp"
#include "experiments/decimal.hpp"
#include "reports/gate_selection.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

std::set<std::string> names_of(const Rows& rows, const std::string& axis) {
  std::set<std::string> names;
  for (const Row* row : rows) names.insert(axis_text(*row, axis));
  return names;
}

/// The value at which an axis is held: the default of a case if there is one, else the commonest.
std::string held_value(const Rows& rows, const std::string& axis) {
  std::map<std::string, std::size_t> counts;
  for (const Row* row : rows) ++counts[axis_text(*row, axis)];
  const std::string usual = axis_text(Row{}, axis);
  if (counts.contains(usual)) return usual;
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// The values of `axis` that every series has. Inputs share no problem, and so need no common
/// seeds. Empty if no value is common to all.
std::set<std::string> common_names(const Rows& rows, const std::string& axis,
                                   const std::string& series) {
  if (series == "input") return {};
  std::map<std::string, std::set<std::string>> by_series;
  for (const Row* row : rows) by_series[axis_text(*row, series)].insert(axis_text(*row, axis));
  std::set<std::string> common = names_of(rows, axis);
  for (const auto& [name, names] : by_series)
    std::erase_if(common,
                  [&names = names](const std::string& value) { return !names.contains(value); });
  return common;
}

}  // namespace

std::string axis_text(const Row& row, const std::string& axis) {
  return axis.empty() ? std::string() : column_named(axis).text(row);
}

std::vector<std::string> ordered_names(const std::vector<const Row*>& rows, const std::string& axis,
                                       const NameOrders& orders) {
  const auto found = orders.find(axis);
  const std::vector<std::string> listed =
      found == orders.end() ? std::vector<std::string>() : found->second;
  const auto rank = [&listed](const std::string& name) {
    return std::find(listed.begin(), listed.end(), name) - listed.begin();
  };
  const std::set<std::string> names = names_of(rows, axis);
  std::vector<std::string> order(names.begin(), names.end());
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    const auto number_a = parse_double(a);
    const auto number_b = parse_double(b);
    if (number_a && number_b) return *number_a < *number_b;
    return rank(a) < rank(b);
  });
  return order;
}

HeldAxes hold_axes(std::vector<const Row*> rows, const std::set<std::string>& spread,
                   const std::string& series) {
  HeldAxes axes;
  const auto add = [](std::string& list, const std::string& comma, const std::string& text) {
    list += (list.empty() ? "" : comma) + text;
  };
  const auto keep = [&](const std::string& axis, const std::set<std::string>& names) {
    axes.kept[axis] = names;
    std::erase_if(rows, [&](const Row* row) { return !names.contains(axis_text(*row, axis)); });
  };
  for (const std::string& axis : axis_names()) {
    if (spread.contains(axis)) continue;
    if (axis == "seed" || axis == "input") {
      const std::set<std::string> common = common_names(rows, axis, series);
      if (!common.empty()) keep(axis, common);
      const std::set<std::string> names = names_of(rows, axis);
      if (names.size() > 1)
        add(axes.pooled, " and ", std::to_string(names.size()) + " " + axis + "s");
      else if (axis == "input")
        add(axes.held, ", ", axis + " " + *names.begin());
      continue;
    }
    const std::string value = held_value(rows, axis);
    keep(axis, {value});
    if (axis != "batch" || value != "1") add(axes.held, ", ", axis + " " + value);
  }
  return axes;
}

bool keeps(const HeldAxes& axes, const Row& row) {
  return std::all_of(axes.kept.begin(), axes.kept.end(), [&row](const auto& kept) {
    return kept.second.contains(axis_text(row, kept.first));
  });
}

}  // namespace fftprec
