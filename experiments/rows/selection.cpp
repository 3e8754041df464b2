#include "experiments/rows/selection.hpp"

#include <algorithm>

#include "experiments/cases/axes.hpp"
#include "experiments/rows/columns.hpp"

namespace fftprec {

Selection select_rows(const std::vector<std::string>& texts) {
  return {texts, parse_filters(texts)};
}

bool selects(const Selection& selection, const Row& row) { return matches(selection.filter, row); }

std::string text_of(const Selection& selection) {
  if (selection.texts.empty()) return "all rows";
  std::string text;
  for (const std::string& filter : selection.texts) text += (text.empty() ? "" : ", ") + filter;
  return text;
}

std::vector<std::string> columns_of(const Selection& selection) {
  std::vector<std::string> names;
  for (const Condition& condition : selection.filter.conditions)
    names.emplace_back(condition.column->name);
  return names;
}

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Column& axis : axis_columns()) all.emplace_back(axis.name);
    return all;
  }();
  return names;
}

std::string group_key(const Row& row, const std::vector<std::string>& left_out) {
  std::string key;
  for (const Column& axis : axis_columns())
    if (std::find(left_out.begin(), left_out.end(), axis.name) == left_out.end())
      key += axis.text(row) + '\n';
  return key;
}

}  // namespace fftprec
