/// Everything of a run that a report shows, read from its directory.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"

namespace fftprec::page {

/// manifest.json as a report shows it.
struct ManifestView {
  std::vector<std::pair<std::string, std::string>> entries;  ///< "environment.cpu", as text
  std::vector<std::string> argv;
  std::string sweep_name;
  std::string sweep_text;
  std::string question;           ///< of the sweep
  std::string gates;              ///< the file that the sweep names, or empty
  std::vector<PlotSpec> plots{};  ///< that the sweep asks for
  bool changed = false;           ///< -a or -f has changed what the sweep runs

  /// The text of an entry; empty if there is none.
  std::string entry(std::string_view key) const;
};

struct ReportData {
  std::string source;  ///< the directory or file, as given
  std::vector<Row> rows;
  bool has_manifest = false;
  ManifestView manifest;
  std::vector<gates::Verdict> verdicts;
  std::string gates_note;    ///< why there are no verdicts, or by what rules they are
  bool no_baseline = false;  ///< gates are not judged, because a baseline is missing
};

/// The manifest as text. Throws InputError if it is no JSON object.
ManifestView parse_manifest(std::string_view json, std::string_view name);

/// Reads DIR/results.csv, or the CSV file itself, and manifest.json beside it, if there is one, and
/// judges the rows by `gate_files`; without such by the rules of the run's sweep: built in, or in
/// the file that it names, if the sweep is still what the manifest says, unless -a or -f has
/// changed what it ran. Throws InputError for files that cannot be read.
ReportData read_report_data(const std::string& run, std::span<const std::string> gate_files,
                            const gates::GateOptions& options = {});

}  // namespace fftprec::page
