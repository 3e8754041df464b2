#include "experiments/cases/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

double number_in(const Column& column, std::string_view text) {
  if (const auto value = parse_double(trimmed(text))) return *value;
  if (const auto count = parse_count(trimmed(text))) return static_cast<double>(*count);
  throw InputError("column '" + std::string(column.name) + "' holds numbers; '" +
                   std::string(text) + "' is not one");
}

/// The canonical spelling of an axis value.
std::string canonical(const Column& column, const std::string& text) {
  return column.axis ? canonical_value(axis_index(column.name), text) : text;
}

Condition::Value value_for(const Column& column, const std::string& text) {
  Condition::Value value{text, {}, {}};
  if (text.empty()) return value;
  if (!holds_numbers(column)) {
    Row unused;
    column.parse(unused, text);  // refuses a status that does not exist
    value.text = canonical(column, text);
    return value;
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    value.low = value.high = number_in(column, text);
  } else {
    value.low = number_in(column, std::string_view(text).substr(0, dots));
    value.high = number_in(column, std::string_view(text).substr(dots + 2));
    if (!(*value.low <= *value.high)) throw InputError("the range '" + text + "' is empty");
  }
  return value;
}

Condition parse_condition(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs = {{
      {"!=", Comparison::unequal},
      {"<=", Comparison::less_equal},
      {">=", Comparison::greater_equal},
      {"=", Comparison::equal},
      {"<", Comparison::less},
      {">", Comparison::greater},
  }};
  const std::size_t at = text.find_first_of("=!<>");
  const auto rest = text.substr(std::min(at, text.size()));
  const auto sign =
      std::ranges::find_if(signs, [rest](const auto& s) { return rest.starts_with(s.first); });
  if (sign == signs.end())
    throw InputError("'" + std::string(text) +
                     "' is no condition; expected COLUMN=VALUES, !=, <, <=, > or >=");
  Condition condition{&column_named(trimmed(text.substr(0, at))), sign->second, {}};
  for (const std::string& value : split_list(rest.substr(sign->first.size())))
    condition.values.push_back(value_for(*condition.column, value));

  const bool ordered = sign->second != Comparison::equal && sign->second != Comparison::unequal;
  if (ordered && (condition.values.size() != 1 || !condition.values[0].low ||
                  condition.values[0].low != condition.values[0].high))
    throw InputError("'" + std::string(text) + "': " + std::string(sign->first) +
                     " needs a column of numbers and one number");
  return condition;
}

bool equals(const Condition::Value& value, const Column& column, const Row& row) {
  if (value.text.empty() || !value.low) {
    const std::string text = column.text(row);
    return text == value.text || without_file_hash(text) == value.text;
  }
  const std::optional<double> number = column.number(row);
  if (!number) return false;
  if (std::isnan(*value.low)) return std::isnan(*number);
  return *value.low <= *number && *number <= *value.high;
}

bool holds(const Condition& condition, const Row& row) {
  const auto any_equal = [&] {
    return std::ranges::any_of(
        condition.values, [&](const auto& value) { return equals(value, *condition.column, row); });
  };
  if (condition.comparison == Comparison::equal) return any_equal();
  if (condition.comparison == Comparison::unequal) return !any_equal();
  const std::optional<double> number = condition.column->number(row);
  if (!number) return false;
  const double limit = *condition.values[0].low;
  switch (condition.comparison) {
    case Comparison::less:
      return *number < limit;
    case Comparison::less_equal:
      return *number <= limit;
    case Comparison::greater:
      return *number > limit;
    default:
      return *number >= limit;
  }
}

/// Whether the text begins with a column and a comparison.
bool begins_a_condition(std::string_view text) {
  const std::string_view name = trimmed(text.substr(0, text.find_first_of("=!<>")));
  return name.size() < trimmed(text).size() &&
         std::ranges::any_of(columns(),
                             [name](const Column& column) { return is_called(column, name); });
}

/// Refuses "A or B"; if both are on one column, suggests a list instead.
void check_no_or(std::string_view text) {
  constexpr std::string_view alternative = " or ";
  const std::size_t at = text.find(alternative);
  if (at == text.npos || !begins_a_condition(text.substr(at + alternative.size()))) return;
  const std::string_view left = trimmed(text.substr(0, at));
  const std::string_view right = trimmed(text.substr(at + alternative.size()));
  const std::size_t equals = left.find('=');
  const bool is_list = equals != left.npos && equals > 0 &&
                       left.find_first_of("!<>") == left.npos &&
                       right.starts_with(left.substr(0, equals + 1));
  throw InputError("'" + std::string(text) + "': 'or' is not known" +
                   (is_list ? "; did you mean '" + std::string(left) + "," +
                                  std::string(right.substr(equals + 1)) + "'?"
                            : "") +
                   "; a column takes a list, mode=bf16,fp16, and several filters must all hold");
}

}  // namespace

Filter parse_filter(std::string_view text) {
  constexpr std::string_view joint = " and ";
  Filter filter;
  if (trimmed(text).empty()) return filter;
  for (;;) {
    const std::size_t end = text.find(joint);
    check_no_or(text.substr(0, end));
    filter.conditions.push_back(parse_condition(trimmed(text.substr(0, end))));
    if (end == std::string_view::npos) return filter;
    text.remove_prefix(end + joint.size());
  }
}

Filter parse_filters(const std::vector<std::string>& texts) {
  Filter all;
  for (const std::string& text : texts)
    for (Condition& condition : parse_filter(text).conditions)
      all.conditions.push_back(std::move(condition));
  return all;
}

bool matches(const Filter& filter, const Row& row) {
  return std::ranges::all_of(filter.conditions,
                             [&row](const Condition& condition) { return holds(condition, row); });
}

bool decided_by_case(const Filter& filter) {
  return std::ranges::all_of(filter.conditions, [](const Condition& condition) {
    return condition.column->axis || condition.column->name == "case_id";
  });
}

Case NamedValue::in_case() const {
  Row row;
  axis->parse(row, value);
  return row.where;
}

std::vector<NamedValue> names_in(const Filter& filter) {
  std::vector<NamedValue> names;
  for (const Condition& condition : filter.conditions) {
    if (!condition.column->axis || holds_numbers(*condition.column)) continue;
    for (const Condition::Value& value : condition.values)
      names.push_back({condition.column, value.text});
  }
  return names;
}

bool has(const Row& row, const NamedValue& name) {
  const std::string text = name.axis->text(row);
  return text == name.value || without_file_hash(text) == name.value;
}

void check_filter_names(const Filter& filter, const CheckNames& check_names) {
  for (const NamedValue& name : names_in(filter)) check_names(name.in_case());
}

Selection select_rows(const std::vector<std::string>& texts) {
  return {texts, parse_filters(texts)};
}

bool selects(const Selection& selection, const Row& row) { return matches(selection.filter, row); }

std::string text_of(const Selection& selection) {
  if (selection.texts.empty()) return "all rows";
  return fmt::format("{}", fmt::join(selection.texts, ", "));
}

std::vector<std::string> columns_of(const Selection& selection) {
  return names_by(selection.filter.conditions,
                  [](const Condition& condition) { return condition.column->name; });
}

std::string group_key(const Row& row, const std::vector<std::string>& left_out) {
  std::string key;
  for (const Column& axis : axis_columns()) {
    const bool is_worst_seed = row.over_seeds && axis.name == "seed";
    if (!is_worst_seed && std::ranges::find(left_out, axis.name) == left_out.end())
      key += axis.text(row) + '\n';
  }
  return key;
}

}  // namespace fftprec
