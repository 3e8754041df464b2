/// What a report shows, gathered from a run.
#pragma once

#include <filesystem>
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

/// manifest.json as a report shows it.
struct ManifestView {
  std::vector<std::pair<std::string, std::string>> entries;  ///< "environment.cpu", as text
  std::vector<std::string> argv;
  std::string sweep_name;
  std::string sweep_text;
  std::string question;                ///< of the sweep
  std::string gates;                   ///< the file that the sweep names, or empty
  std::vector<FigureRequest> plots{};  ///< that the sweep asks for
  bool changed = false;                ///< -a or -f has changed what the sweep runs

  /// The text of an entry; empty if there is none.
  std::string entry(std::string_view key) const;
};

struct ReportData {
  std::string source;  ///< the directory or file, as given
  std::vector<Row> rows;
  bool has_manifest = false;
  ManifestView manifest;  ///< without one, argv is the command that reads the rows
  std::vector<gates::Verdict> verdicts;
  std::string gates_note;                  ///< why there are no verdicts, or by what rules they are
  std::vector<std::string> no_baseline{};  ///< why gates with kept rows are not judged
};

/// The manifest as text. Throws InputError if it is no JSON object.
ManifestView parse_manifest(std::string_view json, std::string_view name);

/// Reads DIR/results.csv, or the CSV file itself, and manifest.json beside it, if there is one, and
/// judges the rows by `gate_files`; without such by the rules of the run's sweep: built in, or in
/// the file that it names, if the sweep is still what the manifest says, unless -a or -f has
/// changed what it ran. Throws InputError for files that cannot be read.
ReportData read_report_data(const std::string& run, std::span<const std::string> gate_files,
                            const gates::GateOptions& options = {});

struct ReportStages {
  std::optional<Row> row;  ///< of the case
  std::string why;         ///< why this one, in a sentence
  std::optional<attribution::StageErrors> errors{};
  std::string note{};  ///< why there is nothing to show, or what to mind
  std::optional<attribution::Budget> budget{};
  std::string budget_note{};  ///< why there is none, though there are errors
};

/// Computes the case anew. It is the row whose case_id begins with `id`; without one the row with
/// the largest err_l2_rel / expected_l2_rel (without expected values: the largest err_l2_rel) among
/// those that have three stages or more (else: any) and take well below a second to trace. A budget
/// with an estimate above `most_budget_ns` is left out; that may happen if `id` names the case.
/// Throws InputError if `id` names no row, or rows of several cases; whatever else is in the way
/// becomes the note.
ReportStages trace_for_report(std::span<const Row> rows, const std::string& id,
                              double most_budget_ns = 1e10);

/// One large figure: the modes of an algorithm, or the algorithms of a mode.
struct View {
  std::string id;          ///< "view-0": of the figure in the page
  std::string axis;        ///< algorithm or mode
  std::string name;        ///< its value
  figures::Curves curves;  ///< one panel
  std::string note;        ///< what is left out of it
};

/// A figure that the sweep asks for.
struct OwnPlot {
  std::string title;
  std::vector<figures::Figure> drawn{};
  std::string problem{};  ///< why it is not drawn
};

struct ReportFigures {
  std::vector<OwnPlot> own;
  std::vector<View> views;
  std::vector<std::string> views_left_out;
  figures::Curves by_algorithm;  ///< a panel per algorithm, on the same axes
  std::string by_algorithm_note;
  figures::Curves by_input;  ///< a panel per input
  std::string by_input_note;
  std::vector<figures::Figure> bits;  ///< modes down, n across, a panel per algorithm
  std::vector<figures::Costs> costs;  ///< those of default_costs, for each of some lengths
  figures::Histogram histogram;
  ReportStages stages{};  ///< see trace_for_report
};

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders,
                                    std::span<const FigureRequest> plots = {});

}  // namespace fftprec::page
