/// Merges the runs of all shards of a sweep into the run that one process would have made.
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
  std::string manifest;   ///< manifest.json of the first run, with all parts listed in `merged`
};

/// The union of finished runs. Two rows of one case must be equal except for time_ns; the row of
/// the first directory is kept.
/// Throws InputError, naming the files, if a run is not finished or its manifest does not describe
/// its results.csv; if manifests differ in anything that decides results (version, numerics
/// version, commit, sweep, axes, filters, number of shards ...) or have another version than this
/// program; if rows of one case differ; if a case of the sweep has no row, or a row no case in the
/// sweep.
MergedRun merge_runs(std::span<const std::filesystem::path> directories,
                     const std::vector<std::string>& argv, const CheckNames& check_names);

/// Writes results.csv and manifest.json into `directory`, the manifest first, because rows without
/// a manifest could belong to any version.
void write_run(const MergedRun& run, const std::filesystem::path& directory);

}  // namespace fftprec::results
