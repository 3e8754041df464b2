/// Runs of the shards of one sweep, put together to the run that one process would have made.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/row.hpp"

namespace fftprec::results {

struct MergedRun {
  std::vector<Row> rows;  ///< sorted by case
  std::string csv;        ///< results.csv
  std::string manifest;   ///< manifest.json: the first one's, with the parts listed in `merged`
};

/// The union of finished runs. Two rows of one case must be the same but for time_ns; the first
/// directory's is kept.
/// Throws InputError, naming the files, if a run is not finished or its results.csv is not the one
/// that its manifest describes; if manifests disagree on anything that decides results (version,
/// numerics version, commit, sweep, axes, filters, number of shards ...) or are of another version
/// than this program's; if rows of one case disagree; if cases of the sweep have no row, or rows no
/// case in the sweep.
MergedRun merge_runs(std::span<const std::filesystem::path> directories,
                     const std::vector<std::string>& argv, const CheckNames& check_names);

/// Writes results.csv and manifest.json into `directory`: the manifest first, because rows without
/// one could belong to any version.
void write_run(const MergedRun& run, const std::filesystem::path& directory);

}  // namespace fftprec::results
