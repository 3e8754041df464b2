#include "experiments/rows/filter_names.hpp"

#include <algorithm>

namespace fftprec {

void check_filter_names(const Filter& filter, const CheckNames& check_names) {
  const std::span<const Column> axes = axis_columns();
  for (const Condition& condition : filter.conditions) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Column& column) {
      return column.name == condition.column->name;
    });
    if (axis == axes.end() || holds_numbers(*axis)) continue;
    for (const Condition::Value& value : condition.values)
      check_axis_value(static_cast<std::size_t>(axis - axes.begin()), value.text, check_names);
  }
}

}  // namespace fftprec
