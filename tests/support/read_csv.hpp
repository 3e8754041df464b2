/// The rows of a file.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/support/files.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::testing {

inline std::vector<Row> read_csv(const std::filesystem::path& path) {
  return results::parse_csv(read_file(path), path.string());
}

}  // namespace fftprec::testing
