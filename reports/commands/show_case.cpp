#include "reports/commands/show_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/gates/gate.hpp"
#include "experiments/rows/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

namespace {

std::string columns_text(const Row& row) {
  std::vector<text::TextCells> lines;
  for (const Column& column : columns())
    if (std::string text = column.text(row); !text.empty())
      lines.push_back({std::string(column.name), std::move(text), std::string(column.meaning)});
  return text::text_table(lines, 3);
}

std::string ratio(double error, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.3g}", error / whole);
}

std::string theory_text(const Row& row) {
  if (!row.err_l2_rel) return {};
  std::string text = "error " + text::error_text(*row.err_l2_rel);
  text += row.expected_l2_rel
              ? fmt::format(" | expected {}, {} of it", text::error_text(*row.expected_l2_rel),
                            ratio(*row.err_l2_rel, *row.expected_l2_rel))
              : std::string(" | expected: not known");
  text += row.bound_l2_rel
              ? fmt::format(" | bound {} ({}), {} of it", text::error_text(*row.bound_l2_rel),
                            row.bound_name, ratio(*row.err_l2_rel, *row.bound_l2_rel))
              : std::string(" | bound: not known");
  return text + "\n";
}

std::string complex_text(double re, double im) {
  return fmt::format("{} {} {}i", shortest(re), im < 0 ? "-" : "+", shortest(im < 0 ? -im : im));
}

std::string worst_text(const errors::WorstOutput& worst, std::string_view why) {
  return fmt::format(
      "{}: item {}, index {}\n  computed  {}\n  true      {}\n  error     {}: {:.3g} of max|t|, "
      "{:.3g} of the worse part, {:.3g} ulp\n",
      why, worst.item, worst.index, complex_text(worst.re, worst.im),
      complex_text(worst.true_re, worst.true_im), complex_text(worst.error_re, worst.error_im),
      worst.rel_to_largest, worst.part_rel, worst.ulp);
}

std::string stored_text(const Row& now, const Row& stored) {
  const std::string moved = differences(now, stored);
  return moved.empty() ? "the stored row agrees: output_hash and every measure are the same\n"
                       : "the stored row differs: " + moved + "\n";
}

}  // namespace

std::string differences(const Row& now, const Row& stored) {
  // How long it took is another every time; which truth judged it may be.
  constexpr std::array<std::string_view, 3> incidental = {"time_ns", "truth_bits", "truth_tier"};
  std::string text;
  for (const Column& column : columns()) {
    if (std::find(incidental.begin(), incidental.end(), column.name) != incidental.end()) continue;
    const std::string here = column.text(now);
    const std::string there = column.text(stored);
    if (here == there) continue;
    text += fmt::format("{}{} {}, stored {}", text.empty() ? "" : "; ", column.name,
                        here.empty() ? "empty" : here, there.empty() ? "empty" : there);
  }
  return text;
}

std::string stages_text(const errors::StageErrors& errors) {
  std::vector<text::TextCells> lines = {
      {"after", "err_l2_rel", "expected", "added", "growth", "err_linf_rel"}};
  double before = 0;
  for (const errors::StageError& stage : errors.stages) {
    const bool told = before > 2 * errors.floor_l2_rel;
    lines.push_back({stage.title, text::error_text(stage.err_l2_rel),
                     stage.expected_l2_rel ? text::error_text(*stage.expected_l2_rel) : "",
                     text::error_text(stage.added_l2_rel),
                     told ? fmt::format("{:.3f}", stage.err_l2_rel / before) : "",
                     text::error_text(stage.err_linf_rel)});
    before = stage.err_l2_rel;
  }
  return text::text_table(lines, 1) +
         fmt::format(
             "Each line: this stage and those above in the case's own arithmetic, all later ones "
             "exact. added is the size\nof what the stage changes, growth the ratio to the line "
             "above. Errors below {} cannot be told: that is what\nbinary64 with exact tables "
             "errs by.\n",
             text::error_text(errors.floor_l2_rel));
}

std::string case_text(const CaseView& view) {
  const Row& row = view.row;
  std::string text = columns_text(row) + "\n" + theory_text(row);
  if (view.stored) text += stored_text(row, *view.stored);
  if (view.stages) text += "\nError after each stage\n" + stages_text(*view.stages);
  if (!view.no_stages.empty()) text += "\nNo errors after stages: " + view.no_stages + "\n";
  if (view.worst)
    text += "\n" + worst_text(view.worst->by_magnitude, "largest error (err_linf_rel)") +
            worst_text(view.worst->by_part, "largest relative error of a part (err_re/im_max_rel)");
  return text + "\n" + text::reproduce_command(row.where) + "\n";
}

}  // namespace fftprec
