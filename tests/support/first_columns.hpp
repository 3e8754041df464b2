/// results.csv as programs wrote it before there were later columns.
#pragma once

#include <string>

#include "experiments/cases/columns.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::testing {

/// The names of the first columns, without the end of the line.
inline std::string first_names() {
  std::string line;
  for (const Column& column : columns())
    if (!column.later) line += (line.empty() ? "" : ",") + std::string(column.name);
  return line;
}

/// Their cells.
inline std::string first_cells(const Row& row) {
  std::string line;
  for (const Column& column : columns())
    if (!column.later) line += (line.empty() ? "" : ",") + results::csv_cell(column.text(row));
  return line;
}

}  // namespace fftprec::testing
