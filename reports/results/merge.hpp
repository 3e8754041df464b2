/// Merges the runs of all shards of a sweep into the run that one process would have made.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec::results {

/// Writes the union of finished runs into the directory `output`: results.csv with its rows sorted
/// by case, and manifest.json of the first run, with all parts listed in `merged`. Rows are merged
/// as they are read; nothing is written if there is an error. Returns how many there are. Two rows
/// of one case must be equal except for time_ns; the row of the first directory is kept. Throws
/// InputError, naming the files, if a run is not finished or its manifest does not describe its
/// results.csv; if manifests differ in anything that decides results (version, numerics version,
/// commit, sweep, axes, filters, number of shards ...) or have another version than this program;
/// if rows of one case differ; if a case of the sweep has no row, or a row no case in the sweep.
RowCounts merge_runs(std::span<const std::filesystem::path> directories,
                     const std::filesystem::path& output, const std::vector<std::string>& argv,
                     const CheckNames& check_names);

/// Writes results.csv and manifest.json into `directory`, the manifest first, because rows without
/// a manifest could belong to any version.
void write_run(const std::filesystem::path& directory, std::string_view csv,
               std::string_view manifest);

}  // namespace fftprec::results
