#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/page/sections.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec::page {

namespace {

/// `text` as a JSON string that may stand within <script>.
std::string json_text(std::string_view text) {
  std::string json =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t i = 0; (i = json.find('<', i)) != std::string::npos;)
    json.replace(i, 1, "\\u003c");
  return json;
}

/// "1.234e-7": four significant digits, no zeros that say nothing.
std::string json_number(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return short_number(value, 4);
}

/// Integers in full: a length or a seed must be right to the last digit.
std::string cell_json(const Column& column, const Row& row) {
  if (!holds_numbers(column)) return json_text(column.text(row));
  const std::optional<double> value = column.number(row);
  if (!value) return "null";
  constexpr double exact_in_a_double = 0x1p53;
  if (*value != std::trunc(*value)) return json_number(*value);  // no integer column has such
  const std::string text = column.text(row);
  if (text.find_first_not_of("0123456789") != std::string::npos) return json_number(*value);
  return *value < exact_in_a_double ? text : "\"" + text + "\"";
}

/// 16 bits each, the low byte first (RFC 4648, section 4).
std::string base64(const std::vector<std::size_t>& codes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t bits = 0;
  std::size_t bytes = 0;
  const auto put = [&](std::size_t byte) {
    bits = bits << 8 | static_cast<std::uint32_t>(byte & 0xff);
    if (++bytes % 3 == 0)
      for (const int shift : {18, 12, 6, 0}) text += letters[bits >> shift & 63];
  };
  for (const std::size_t code : codes) {
    put(code);
    put(code >> 8);
  }
  const std::size_t missing = (3 - bytes % 3) % 3;
  for (std::size_t i = 0; i < missing; ++i) put(0);
  text.replace(text.size() - missing, missing, missing, '=');
  return text;
}

/// The cells of a column as the shortest of the four forms.
std::string encoded(const std::vector<std::string>& cells) {
  std::unordered_map<std::string_view, std::size_t> place;
  std::string dictionary;
  std::string values;
  std::string codes;
  std::string runs;
  std::vector<std::size_t> numbers;
  std::size_t run = 0;
  std::size_t last = 0;
  const auto end_run = [&] {
    if (run > 0) runs += fmt::format("{}{},{}", runs.empty() ? "" : ",", last, run);
  };
  for (const std::string& cell : cells) {
    const auto [entry, is_new] = place.try_emplace(cell, place.size());
    const std::string_view comma = values.empty() ? "" : ",";
    if (is_new) (dictionary += dictionary.empty() ? "" : ",") += cell;
    (values += comma) += cell;
    (codes += comma) += std::to_string(entry->second);
    numbers.push_back(entry->second);
    if (run > 0 && entry->second != last) {
      end_run();
      run = 0;
    }
    last = entry->second;
    ++run;
  }
  end_run();
  const std::size_t packed = place.size() > 0x10000 ? values.size() : 8 * (numbers.size() / 3 + 1);
  const std::size_t shortest = std::min({codes.size(), runs.size(), packed});
  if (values.size() <= dictionary.size() + shortest) return "\"values\":[" + values + "]";
  return "\"dictionary\":[" + dictionary + "]," +
         (runs.size() == shortest    ? "\"runs\":[" + runs + "]"
          : codes.size() == shortest ? "\"codes\":[" + codes + "]"
                                     : "\"packed\":\"" + base64(numbers) + "\"");
}

std::string column_json(std::string_view name, std::string_view meaning, bool number,
                        const std::vector<std::string>& cells, std::string_view axis = {}) {
  return fmt::format("{{\"name\":{},\"meaning\":{},\"number\":{},{}{}}}", json_text(name),
                     json_text(meaning), number, axis, encoded(cells));
}

/// The properties of an axis for the page: its default, if commands omit it.
std::string axis_json(const Column& column) {
  if (!column.axis) return {};
  return "\"axis\":true," +
         (column.later ? "\"usual\":" + json_text(column.text(Row{})) + "," : std::string());
}

/// The columns in the order in which room is given to them.
std::vector<std::string> by_importance(std::span<const Row> rows) {
  std::vector<std::string> names = axis_names();
  for (const char* name :
       {"status", "message", "err_l2_rel", "bits_l2", "bound_l2_rel", err_over_bound,
        "expected_l2_rel", "err_linf_rel", "matmul_passes", "real_multiplications", "err_max_ulp",
        "err_roundtrip_l2_rel", "time_ns", "err_l1_rel", "err_re_max_rel", "err_im_max_rel"})
    names.emplace_back(name);
  for (const Column& column : columns())
    if (std::ranges::find(names, column.name) == names.end()) names.emplace_back(column.name);
  const std::vector<const Column*> summarised =
      rows.empty() ? std::vector<const Column*>() : summarised_metrics(rows.front());
  if (!summarised.empty()) names.emplace_back(statistics_columns().front().name);
  for (const Column* metric : summarised)
    for (const Column& column : statistics_of(*metric))
      if (follows_from_summary(column)) names.emplace_back(column.name);
  return names;
}

}  // namespace

RowsJson rows_json(std::span<const Row> rows, std::size_t most_bytes) {
  RowsJson json{fmt::format("{{\"rows\":{},\"columns\":[", rows.size()), {}};
  std::vector<std::string> cells(rows.size());
  bool first = true;
  for (const std::string& name : by_importance(rows)) {
    const bool ratio = name == err_over_bound;
    const Column* const column = ratio ? nullptr : &column_named(name);
    bool any = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (ratio) {
        const auto value = plotted_value(rows[i], name);
        cells[i] = value ? json_number(*value) : "null";
      } else {
        cells[i] = cell_json(*column, rows[i]);
      }
      any = any || (cells[i] != "null" && cells[i] != "\"\"");
    }
    if (!any) continue;
    const std::string text = ratio ? column_json(name, "err_l2_rel / bound_l2_rel", true, cells)
                                   : column_json(name, column->meaning, holds_numbers(*column),
                                                 cells, axis_json(*column));
    if (json.text.size() + text.size() > most_bytes) {
      json.left_out.push_back(name);
      continue;
    }
    json.text += (first ? "" : ",") + text;
    first = false;
  }
  json.text += "]}";
  return json;
}

}  // namespace fftprec::page
