#include "reports/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/figures/svg.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/page/sections.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/table.hpp"

namespace fftprec::page {

using text::element;
using text::markup_text;

namespace {

/// `id`: by which the script finds it.
std::string card(std::string_view id, std::string_view title, std::string_view value,
                 std::string_view detail, std::string_view kind = "") {
  return fmt::format("<div class=\"card {}\" data-card=\"{}\">{}{}{}</div>\n", kind, id,
                     element("h3", title), element("p", value, "class=\"value\""),
                     element("p", detail));
}

/// Rows that were measured and whose error is NaN or infinite.
std::ptrdiff_t not_finite(std::span<const Row> rows) {
  return std::ranges::count_if(rows, [](const Row& row) {
    return row.status == Status::ok && row.err_l2_rel && !std::isfinite(*row.err_l2_rel);
  });
}

std::string not_finite_text(std::span<const Row> rows) {
  const std::ptrdiff_t count = not_finite(rows);
  return count == 0 ? "" : fmt::format("; {} not finite", count);
}

std::string rows_card(std::span<const Row> rows) {
  const auto count = [rows](Status status) {
    return std::ranges::count(rows, status, &Row::status);
  };
  return card("rows", "Rows measured", fmt::format("{} of {}", count(Status::ok), rows.size()),
              fmt::format("{} skipped, {} failed{}", count(Status::skipped), count(Status::failed),
                          not_finite_text(rows)),
              count(Status::failed) + not_finite(rows) > 0 ? "bad" : "");
}

std::string gates_card(const ReportData& data) {
  if (data.verdicts.empty()) return card("gates", "Gates", "none judged", data.gates_note);
  const auto count = [&data](auto holds) { return std::ranges::count_if(data.verdicts, holds); };
  const auto hold =
      count([](const gates::Verdict& v) { return v.outcome() == gates::Outcome::pass; });
  const auto not_judged = count([](const gates::Verdict& v) { return !v.judged; });
  const auto failed = count([](const gates::Verdict& v) { return !v.passed(); }) - not_judged;
  const std::string value = fmt::format("{} of {} pass", hold, data.verdicts.size());
  const auto expected = std::ssize(data.verdicts) - hold - failed - not_judged;
  if (failed + not_judged > 0)
    return card("gates", "Gates", value,
                fmt::format("{} fail{}{}: see below", failed,
                            expected == 0 ? "" : fmt::format(", {} as expected", expected),
                            not_judged == 0 ? "" : fmt::format(", {} not judged", not_judged)),
                "bad");
  return card("gates", "Gates", value,
              expected == 0 ? "every rule holds on every row that it selects"
                            : "the others fail as expected: see below",
              "good");
}

/// Empty for infinity, since the size of an overflow is not known.
std::optional<double> below_infinity(std::optional<double> value) {
  return value && std::isinf(*value) && *value > 0 ? std::nullopt : value;
}

/// The measured row with the largest value that `value` gives, NaN left out.
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
  std::string text =
      fmt::format("{} in {}, n = {}, {}", where.algorithm, where.mode, where.n, where.input);
  for (const Column& axis : axis_columns())
    if (const std::string value = axis.text(Row{.where = where});
        axis.later && value != axis.text(Row{}))
      text += fmt::format(", {} {}", axis.name, value);
  return text;
}

std::string bound_card(std::span<const Row> rows) {
  const Row* worst = largest(
      rows, [](const Row& row) { return below_infinity(plotted_value(row, err_over_bound)); });
  if (worst == nullptr)
    return card("bound", "Largest error / worst-case bound", "none",
                "no measured row has a bound and a finite error" + not_finite_text(rows),
                not_finite(rows) > 0 ? "bad" : "");
  const double ratio = *plotted_value(*worst, err_over_bound);
  return card("bound", "Largest error / worst-case bound", short_number(ratio),
              case_text(worst->where) + not_finite_text(rows),
              ratio <= 1 && not_finite(rows) == 0 ? "good" : "bad");
}

std::string bits_card(std::span<const Row> rows) {
  const Row* best = largest(rows, [](const Row& row) { return row.bits_l2; });
  const Row* worst = largest(rows, [](const Row& row) {
    return row.bits_l2 ? below_infinity(-*row.bits_l2) : std::nullopt;
  });
  if (worst == nullptr)
    return card("bits", "Bits correct", "none", "no measured row has any" + not_finite_text(rows),
                not_finite(rows) > 0 ? "bad" : "");
  const auto text = [](double bits) {
    return std::isinf(bits) && bits > 0 ? std::string("exact") : fmt::format("{:.1f}", bits);
  };
  return card("bits", "Bits correct", text(*worst->bits_l2) + " to " + text(*best->bits_l2),
              "fewest: " + case_text(worst->where) + "; most: " + case_text(best->where) +
                  not_finite_text(rows),
              not_finite(rows) > 0 ? "bad" : "");
}

constexpr std::string_view tall = "class=\"scroll tall\" tabindex=\"0\"";

std::string table_of_errors(std::span<const Row> rows, const NameOrders& orders) {
  const text::ErrorTable table = text::error_table(rows, orders, {.sizes = 8, .lines = 400});
  if (table.lines.empty()) return "<p>No row was measured.</p>\n";
  std::string text = caption(table.caption + ".");
  text += "\n" + text::html_table(lines_of(table), tall);
  if (!table.left_out.empty()) text += caption("Not in this table: " + table.left_out + ".") + "\n";
  return text;
}

std::string repeating(const ManifestView& manifest, const Case& where) {
  return command_line(text::reproduce_command(where, manifest.argv));
}

std::string reasons(const ReportData& data) {
  const std::vector<text::NotMeasured> groups = text::not_measured(data.rows);
  if (groups.empty()) return {};
  text::Table table{{{"status", "rows", "reason", "first case"}}, 1, 1, 3};
  for (const text::NotMeasured& group : groups)
    table.lines.push_back({std::string(name_of(group.first->status)), std::to_string(group.count),
                           group.first->message, repeating(data.manifest, group.first->where)});
  return "<h3>Not measured</h3>\n" + text::html_table(table, tall);
}

/// The failures against kept rows: before, after, and the command of each.
std::string moved_table(const gates::Verdict& verdict, const ManifestView& manifest) {
  text::Table table{{{"before", "after", "case"}}, 0, 2, 2};
  for (const gates::Finding& failure : verdict.failures)
    if (!failure.before.empty())
      table.lines.push_back({failure.before, failure.after, repeating(manifest, failure.where)});
  if (table.lines.size() == 1) return {};
  return text::html_table(table, "class=\"scroll moved\" tabindex=\"0\"") +
         (verdict.failed > verdict.failures.size()
              ? element("p", fmt::format("and {} more", verdict.failed - verdict.failures.size()))
              : "");
}

/// Why it fails, or how near it came, with the command.
std::string detail_of(const gates::Verdict& verdict, const ManifestView& manifest) {
  std::string text;
  if (const std::string said = expectation_text(verdict); !said.empty()) text += element("p", said);
  for (const std::string& error : verdict.errors) text += element("p", error);
  if (verdict.worst)
    text += element("p", (verdict.holds() ? "nearest: " : "worst: ") + verdict.worst->text) +
            repeating(manifest, verdict.worst->where);
  for (const std::string& line : verdict.cause) text += element("p", line);
  if (const std::string moved = verdict.passed() ? "" : moved_table(verdict, manifest);
      !moved.empty()) {
    text += moved;
  } else if (verdict.failed > 1) {
    const gates::OtherFailures others = other_failures(verdict);
    std::string list;
    for (const gates::Finding* failure : others.shown)
      list += element("p", failure->text) + repeating(manifest, failure->where);
    text += fmt::format("<details><summary>{} of the {} other failures</summary>{}</details>",
                        others.shown.size(), verdict.failed - 1, list);
  }
  for (const std::string& note : verdict.notes) text += element("p", "note: " + note);
  return text;
}

/// With its title, for narrow pages that have no line of titles.
std::string number_cell(std::string_view title, std::string_view text) {
  return element("td", text, fmt::format("class=\"number\" data-label=\"{}\"", title));
}

/// Of each outcome the class of a line, and the word that its first cell shows.
constexpr std::pair<std::string_view, std::string_view> verdict_words[] = {
    {"pass", "pass"},
    {"fail", "FAIL"},
    {"expected", "expected failure"},
    {"fail", "UNEXPECTED PASS"},
    {"fail", "NOT JUDGED"}};

std::string line_of(const gates::Verdict& verdict, const ManifestView& manifest) {
  const auto [line_class, word] = verdict_words[static_cast<std::size_t>(verdict.outcome())];
  return fmt::format(
      "<tr class=\"{}\"><td><span class=\"verdict\">{}</span></td><th scope=\"row\">{}"
      "<p class=\"source\">{}</p></th>{}{}{}{}{}<td>{}</td></tr>\n",
      line_class, word, markup_text(verdict.gate.name), markup_text(verdict.gate.source),
      element("td", verdict.gate.kind), number_cell("checked", std::to_string(verdict.checked)),
      number_cell("skipped", std::to_string(verdict.skipped)),
      number_cell("failed", std::to_string(verdict.failed)),
      number_cell("share of limit", verdict.worst ? short_number(verdict.worst->ratio) : "-"),
      detail_of(verdict, manifest));
}

/// What was measured, the largest share of a bound, bits correct.
std::string headline_section(const ReportData& data) {
  return "<section id=\"headline\" class=\"cards\">\n" + rows_card(data.rows) + gates_card(data) +
         bound_card(data.rows) + bits_card(data.rows) + "</section>\n\n";
}

/// Gates: those that fail, each with the command that reproduces its worst case; the others folded.
std::string gates_section(const ReportData& data) {
  if (data.verdicts.empty()) return {};  // the headline says why
  const auto table = [&data](const std::vector<const gates::Verdict*>& verdicts) {
    std::string lines;
    for (const gates::Verdict* verdict : verdicts) lines += line_of(*verdict, data.manifest);
    return "\n<div class=\"scroll\"><table class=\"gates\"><thead><tr><th>verdict</th>"
           "<th>gate</th><th>kind</th><th class=\"number\">checked</th>"
           "<th class=\"number\">skipped</th><th class=\"number\">failed</th>"
           "<th class=\"number\">share of limit</th>"
           "<th>case, and the command that repeats it</th></tr></thead>\n<tbody>\n" +
           lines + "</tbody></table></div>\n";
  };
  std::vector<const gates::Verdict*> failed = failures_first(data.verdicts);
  const auto first_passed = std::stable_partition(
      failed.begin(), failed.end(), [](const auto* verdict) { return !verdict->passed(); });
  const std::vector<const gates::Verdict*> passed(first_passed, failed.end());
  failed.erase(first_passed, failed.end());
  const std::string folded = fmt::format(
      "<details><summary>{}.</summary>{}{}</details>\n",
      failed.empty() ? headline(data.verdicts)
                     : fmt::format("{} more pass, or fail as expected", passed.size()),
      caption(data.gates_note + " Share of limit: largest value / limit; above 1 fails."),
      table(passed));
  if (failed.empty()) return "<section id=\"gates\">\n" + folded + "</section>\n\n";
  return section("gates", headline(data.verdicts),
                 table(failed) + (passed.empty() ? std::string() : folded));
}

/// The table of errors; reasons for which rows were not measured.
std::string errors_section(const ReportData& data, const NameOrders& orders) {
  return section("errors", "Errors in numbers", table_of_errors(data.rows, orders) + reasons(data));
}

/// The filter of rows and figures; needs the script.
std::string filter_bar() {
  return R"(<div class="controls filter" role="search">
<label class="grow">Filter <input id="filter" type="search" spellcheck="false" autocomplete="off" placeholder="mode=bf16,ozaki n>=64 err_l2_rel>1e-3 or any words"></label>
<span id="axes"></span><output id="matches"></output>
<label>Value <select id="unit"><option value="">error</option><option value="u">error / unit roundoff</option></select></label>
<button type="button" id="csv">Rows as CSV</button>
<button type="button" id="link">Copy link</button>
<p id="filter-error" class="warning" role="alert" hidden></p>
</div>
)";
}

/// "mode=fp32-device", one per line: names in rows that only another program knows. A program knows
/// all names of the cases that it ran.
std::string foreign_names(const ReportData& data) {
  const auto is_foreign = [](const NamedValue& name) {
    try {
      return !unknown_in(name.in_case()).empty();
    } catch (const InputError&) {  // no name at all
      return true;
    }
  };
  const std::vector<std::string>& argv = data.manifest.argv;
  if (argv.size() > 1 && argv[1] == "run" && text::program_of(argv) != "fftprec") return {};
  std::string lines;
  for (const Column& axis : axis_columns()) {
    if (holds_numbers(axis)) continue;
    std::set<std::string> values;
    for (const Row& row : data.rows) values.insert(axis.text(row));
    for (const std::string& value : values)
      if (is_foreign({&axis, value}))
        lines += fmt::format("{}{}={}", lines.empty() ? "" : "\n", axis.name, value);
  }
  return lines;
}

/// "fp32<tab>5.96e-8", one per line: the unit roundoff of results in each mode that this program
/// knows.
std::string unit_roundoffs(std::span<const Row> rows) {
  std::map<std::string, const Row*> by_mode;
  for (const Row& row : rows) by_mode.try_emplace(row.where.mode(), &row);
  std::string lines;
  for (const auto& [mode, row] : by_mode) {
    try {
      const Case where{.mode = mode, .n = 8};
      lines += fmt::format("{}{}\t{}", lines.empty() ? "" : "\n", mode,
                           shortest(unit_roundoff(result_format(Session().plan(where)))));
    } catch (const InputError&) {  // a mode of another program
    }
  }
  return lines;
}

/// The table of all rows, filled by the script from the JSON.
std::string table_section(const RowsJson& rows, const ReportData& data) {
  const std::string left_out = fmt::format("{}", fmt::join(rows.left_out, ", "));
  std::string body = fmt::format(
      "<p class=\"caption\">{}{}, numbers to three digits, filtered by four; all digits are "
      "in "
      "results.csv.{}</p>\n",
      counted(data.rows.size(), "row"), data.aggregated.empty() ? "" : " of an aggregated run",
      left_out.empty()
          ? ""
          : " Columns for which the page has no room, there too: " + markup_text(left_out) + ".");
  body +=
      R"(<noscript><p class="warning">The table needs JavaScript; its rows are in results.csv.</p></noscript>
<p id="same" class="caption"></p>
)";
  body += fmt::format(
      "<div id=\"rows\" class=\"rows controls\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"rows\" data-program=\"{}\" data-foreign=\"{}\" data-units=\"{}\"></div>\n",
      markup_text(text::program_of(data.manifest.argv)), markup_text(foreign_names(data)),
      markup_text(unit_roundoffs(data.rows)));
  body +=
      R"(<div id="row" class="row-detail controls" aria-live="polite"><p class="caption">A click on a row shows all of it, and the command that repeats it; a click on a title sorts.</p></div>
)";
  body += "<script type=\"application/json\" id=\"data\">" + rows.text + "</script>\n";
  return section("table", "All rows", body);
}

/// manifest.json, and the sweep as it was run.
std::string manifest_section(const ReportData& data) {
  if (!data.has_manifest)
    return section("manifest", "Manifest",
                   "<p class=\"warning\">There is no manifest.json: nothing says which version, "
                   "compiler and command made these rows.</p>\n");
  const ManifestView& manifest = data.manifest;
  std::string body;
  if (!manifest.argv.empty()) {
    body += "<p>The command: " + command_line(text::shell_command(manifest.argv)) + "</p>\n";
  }
  body +=
      "<details><summary>version, compiler, processor, ...</summary><table "
      "class=\"manifest\"><tbody>\n";
  for (const auto& [key, value] : manifest.entries)
    body += "<tr>" + element("th", key, "scope=\"row\"") + element("td", value) + "</tr>\n";
  body += "</tbody></table></details>\n";
  if (!manifest.sweep_text.empty())
    body += "<details><summary>The sweep as it was run</summary>\n" +
            element("pre", manifest.sweep_text) + "</details>\n";
  return section("manifest", "Manifest", body);
}

constexpr std::pair<std::string_view, std::string_view> contents[] = {
    {"gates", "Gates"},
    {"own", "Sweep's own"},
    {"curves", "Error vs n"},
    {"heat-map", "Bits"},
    {"multiples", "By algorithm, input"},
    {"cost", "Cost"},
    {"histogram", "Error / bound"},
    {"stages", "Stages"},
    {"errors", "In numbers"},
    {"table", "All rows"},
    {"manifest", "Manifest"}};

std::string title_of(const ReportData& data) {
  return data.manifest.sweep_name.empty() ? data.source : data.manifest.sweep_name;
}

std::string header_of(const ReportData& data) {
  std::string text = "<header>\n" + element("h1", title_of(data));
  if (!data.manifest.question.empty())
    text += element("p", data.manifest.question, "class=\"question\"");
  if (data.has_manifest) {
    const std::string results = data.manifest.entry("results_version");
    std::string made = results.empty() ? "" : "results of " + results + ", measured by ";
    made += "fftprec " + data.manifest.entry("version");
    for (const char* key : {"environment.git_hash", "environment.compiler", "ended"})
      if (const std::string entry = data.manifest.entry(key); !entry.empty()) made += ", " + entry;
    text += caption(made);
  }
  if (!data.aggregated.empty()) text += element("p", data.aggregated + ".", "class=\"warning\"");
  return text + "\n</header>\n\n";
}

/// Links to the sections that are there, over the filter.
std::string bar_of(std::string_view sections) {
  std::string text = "<div class=\"bar-on-top\"><nav aria-label=\"sections\">";
  for (const auto& [id, name] : contents)
    if (sections.find(fmt::format("<section id=\"{}\"", id)) != std::string_view::npos)
      text += element("a", name, fmt::format("href=\"#{}\"", id));
  return text + "</nav>\n" + filter_bar() + "</div>\n";
}

}  // namespace

std::string report_page(const ReportData& data, const ReportFigures& gathered,
                        const NameOrders& orders, std::size_t most_row_bytes) {
  const ReportAssets& assets = report_assets();
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page +=
      element("title", title_of(data) + " - fftprec") + "\n<style>\n" + figures::style_sheet() +
      std::string(assets.style) +
      "</style>\n<script>document.documentElement.className = \"js\";</script>\n</head>\n<body>\n" +
      figures::mark_shapes() + header_of(data);
  const std::string sections =
      headline_section(data) + gates_section(data) + own_section(gathered.own) +
      curves_section(gathered) + heat_map_section(gathered.bits) + multiples_section(gathered) +
      cost_section(gathered) + histogram_section(gathered.histogram) +
      stages_section(gathered.stages, text::program_of(data.manifest.argv)) +
      errors_section(data, orders) + table_section(rows_json(data.rows, most_row_bytes), data) +
      manifest_section(data);
  page += bar_of(sections) + "<main>\n" + sections + "</main>\n";
  page += "<script>\n" + std::string(assets.rows_script) + std::string(assets.page_script) +
          "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace fftprec::page
