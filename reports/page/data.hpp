/// The data of a report, gathered from a run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/attribution/budget.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/figures/cost.hpp"
#include "reports/figures/curves.hpp"
#include "reports/figures/histogram.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/figures/stages.hpp"

namespace fftprec::page {

/// The parts of manifest.json that a report shows.
struct ManifestView {
  std::vector<std::pair<std::string, std::string>> entries;  ///< "environment.cpu", as text
  std::vector<std::string> argv;
  std::string sweep_name;
  std::string sweep_text;
  std::string question;                ///< of the sweep
  std::string gates;                   ///< the file that the sweep names, or empty
  std::vector<FigureRequest> plots{};  ///< of the sweep
  bool changed = false;                ///< -a or -f changed the cases of the sweep

  /// The text of an entry; empty if there is none.
  std::string entry(std::string_view key) const;
};

struct ReportData {
  std::string source;  ///< the directory or file, as given
  std::vector<Row> rows;
  std::string aggregated{};  ///< which rows of a large run these are, in a sentence
  bool has_manifest = false;
  ManifestView manifest;  ///< without one, argv is the command that reads the rows
  std::vector<gates::Verdict> verdicts;
  std::string gates_note;                  ///< why there are no verdicts, or which rules they use
  std::vector<std::string> no_baseline{};  ///< why gates with kept rows are not judged
};

/// The manifest as text. Throws InputError if it is no JSON object.
ManifestView parse_manifest(std::string_view json, std::string_view name);

/// Reads DIR/results.csv, or the CSV file itself, and manifest.json beside it, if there is one.
/// Judges the rows by `gate_files`; without them by the rules of the sweep, which are built in or
/// in the file that it names. The rules of a sweep apply only if the sweep still is as in the
/// manifest and -a or -f did not change its cases. Throws InputError for files that cannot be read.
ReportData read_report_data(const std::string& run, std::span<const std::string> gate_files,
                            const gates::GateOptions& options = {});

struct ReportStages {
  std::optional<Row> row;  ///< of the case
  std::string why;         ///< why this case was chosen, as a sentence
  std::optional<attribution::StageErrors> errors{};
  std::string note{};  ///< why there is nothing to show, or a remark
  std::optional<attribution::Budget> budget{};
  std::string budget_note{};  ///< why there are errors but no budget
};

/// Runs a case again by stage: the row whose case_id begins with `id`. Without `id`, the row with
/// the largest err_l2_rel / expected_l2_rel (without expected values: the largest err_l2_rel) among
/// those with at least three stages (else: any) that take well below a second to trace. A budget
/// with an estimate above `most_budget_ns` is omitted; this can only happen if `id` names the case.
/// Throws InputError if `id` names no row, or rows of several cases. Any other problem becomes the
/// note.
ReportStages trace_for_report(std::span<const Row> rows, const std::string& id,
                              double most_budget_ns = 1e10);

/// One large figure: the modes of an algorithm, or the algorithms of a mode.
struct ComparisonView {
  std::string id;          ///< "view-0": of the figure in the page
  std::string axis;        ///< algorithm or mode
  std::string name;        ///< its value
  figures::Curves curves;  ///< one panel
  std::string note;        ///< what the figure omits
};

/// A plot of the sweep.
struct SweepPlot {
  std::string title;
  std::vector<figures::Figure> drawn{};
  std::string problem{};  ///< why it is not drawn
};

struct ReportFigures {
  std::vector<SweepPlot> own;
  std::vector<ComparisonView> views;
  std::vector<std::string> views_left_out;
  figures::Curves by_algorithm;  ///< a panel per algorithm, on the same axes
  std::string by_algorithm_note;
  figures::Curves by_input;  ///< a panel per input
  std::string by_input_note;
  std::vector<figures::Figure> bits;  ///< modes down, n across, a panel per algorithm
  std::vector<figures::Costs> costs;  ///< the default_costs at each of several lengths
  figures::Histogram histogram;
  ReportStages stages{};  ///< see trace_for_report
};

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders,
                                    std::span<const FigureRequest> plots = {});

}  // namespace fftprec::page
