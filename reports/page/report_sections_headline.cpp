#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/gates/gate_report.hpp"
#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/cells.hpp"
#include "reports/text/error_table.hpp"

namespace fftprec {

namespace {

std::string card(std::string_view title, std::string_view value, std::string_view detail,
                 std::string_view kind = "") {
  return fmt::format("<div class=\"card {}\">{}{}{}</div>\n", kind, element("h3", title),
                     element("p", value, "class=\"value\""), element("p", detail));
}

std::string rows_card(std::span<const Row> rows) {
  const auto count = [rows](Status status) {
    return std::count_if(rows.begin(), rows.end(),
                         [status](const Row& row) { return row.status == status; });
  };
  return card("Rows measured", fmt::format("{} of {}", count(Status::ok), rows.size()),
              fmt::format("{} skipped, {} failed", count(Status::skipped), count(Status::failed)),
              count(Status::failed) > 0 ? "bad" : "");
}

std::string gates_card(const ReportData& data) {
  if (data.verdicts.empty()) return card("Gates", "none judged", data.gates_note);
  const auto count = [&data](auto holds) {
    return std::count_if(data.verdicts.begin(), data.verdicts.end(), holds);
  };
  const auto hold =
      count([](const gates::Verdict& v) { return v.outcome() == gates::Outcome::pass; });
  const auto failed = count([](const gates::Verdict& v) { return !v.passed(); });
  const std::string value = fmt::format("{} of {} pass", hold, data.verdicts.size());
  const auto expected = std::ssize(data.verdicts) - hold - failed;
  if (failed > 0)
    return card("Gates", value,
                fmt::format("{} fail{}: see below", failed,
                            expected == 0 ? "" : fmt::format(", {} as expected", expected)),
                "bad");
  return card("Gates", value,
              expected == 0 ? "every rule holds on every row that it selects"
                            : "the others fail as expected: see below",
              "good");
}

/// The measured row with the largest value that `value` gives.
template <class Value>
const Row* largest(std::span<const Row> rows, Value value) {
  const Row* found = nullptr;
  std::optional<double> most;
  for (const Row& row : rows) {
    if (row.status != Status::ok) continue;
    const std::optional<double> each = value(row);
    if (!each || std::isnan(*each) || (most && *each <= *most)) continue;
    most = each;
    found = &row;
  }
  return found;
}

std::string case_text(const Case& where) {
  return fmt::format("{} in {}, n = {}, {}", where.algorithm, where.mode, where.n, where.input);
}

std::string bound_card(std::span<const Row> rows) {
  const Row* worst =
      largest(rows, [](const Row& row) { return plotted_value(row, err_over_bound); });
  if (worst == nullptr)
    return card("Largest error / worst-case bound", "none", "no measured row has a bound");
  const double ratio = *plotted_value(*worst, err_over_bound);
  return card("Largest error / worst-case bound", three_digits(ratio), case_text(worst->where),
              ratio <= 1 ? "good" : "bad");
}

std::string bits_card(std::span<const Row> rows) {
  const Row* best = largest(rows, [](const Row& row) { return row.bits_l2; });
  const Row* worst = largest(rows, [](const Row& row) {
    return row.bits_l2 ? std::optional(-*row.bits_l2) : std::nullopt;
  });
  if (best == nullptr) return card("Bits correct", "none", "no measured row has bits_l2");
  const auto text = [](double bits) {
    return std::isinf(bits) && bits > 0 ? std::string("exact") : fmt::format("{:.1f}", bits);
  };
  return card("Bits correct", text(*worst->bits_l2) + " to " + text(*best->bits_l2),
              "fewest: " + case_text(worst->where) + "; most: " + case_text(best->where));
}

std::string table_of_errors(std::span<const Row> rows, const NameOrders& orders) {
  const text::ErrorTable table = text::error_table(rows, orders, {.sizes = 8, .lines = 400});
  if (table.lines.empty()) return "<p>No row was measured.</p>\n";
  std::string text = element("p", table.caption + ".", "class=\"caption\"");
  text += "\n<div class=\"scroll tall\"><table class=\"numbers\"><thead><tr>";
  for (const std::string& title : table.titles) text += element("th", title, "scope=\"col\"");
  for (const std::uint64_t n : table.sizes)
    text += element("th", fmt::format("n = {}", n), "scope=\"col\" class=\"number\"");
  text +=
      "<th scope=\"col\" class=\"number\">worst err/bound</th>"
      "<th scope=\"col\" class=\"number\">rows</th></tr></thead>\n<tbody>\n";
  for (const text::ErrorLine& line : table.lines) {
    text += "<tr>";
    for (const std::string& name : line.names) text += element("th", name, "scope=\"row\"");
    for (const auto& median : line.medians)
      text += element("td", median ? text::error_text(*median) : "", "class=\"number\"");
    text += element("td", line.worst ? three_digits(*line.worst) : "", "class=\"number\"");
    text += element("td", std::to_string(line.rows), "class=\"number\"") + "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (!table.left_out.empty())
    text += element("p", "Not in this table: " + table.left_out + ".", "class=\"caption\"") + "\n";
  return text;
}

std::string reasons(std::span<const Row> rows) {
  const std::vector<text::NotMeasured> groups = text::not_measured(rows);
  if (groups.empty()) return {};
  std::string text =
      "<h3>Not measured</h3>\n<div class=\"scroll tall\"><table><thead><tr><th>status</th>"
      "<th class=\"number\">rows</th><th>reason</th><th>first case</th></tr></thead>\n<tbody>\n";
  for (const text::NotMeasured& group : groups)
    text += fmt::format("<tr>{}{}{}<td>{}</td></tr>\n", element("td", name_of(group.first->status)),
                        element("td", std::to_string(group.count), "class=\"number\""),
                        element("td", group.first->message, "class=\"reason\""),
                        command_line(text::reproduce_command(group.first->where)));
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string headline_section(const ReportData& data, const NameOrders& orders) {
  std::string body;
  if (data.has_manifest && !data.manifest.results_hash.empty() &&
      data.manifest.results_hash != data.results_hash)
    body +=
        "<p class=\"warning\">results.csv is not the file that manifest.json describes: its "
        "hash differs.</p>\n";
  body += "<div class=\"cards\">\n" + rows_card(data.rows) + gates_card(data) +
          bound_card(data.rows) + bits_card(data.rows) + "</div>\n";
  return section("headline", "Headline numbers",
                 body + table_of_errors(data.rows, orders) + reasons(data.rows));
}

}  // namespace fftprec
