/// The sections of a report, each a pure function of what it shows; every one gives HTML with its
/// heading, or an empty text where there is nothing to show.
#pragma once

#include <string>

#include "reports/page/report_data.hpp"
#include "reports/page/report_figures.hpp"
#include "reports/page/report_rows.hpp"

namespace fftprec {

/// What was measured, the largest share of a bound, bits correct; the table of errors; reasons for
/// which rows were not measured.
std::string headline_section(const ReportData& data, const NameOrders& orders);

/// Gates, failures first, each with the command that reproduces its worst case.
std::string gates_section(const ReportData& data);

/// Error against n, with a choice of algorithm or mode, and switches for curves.
std::string curves_section(const ReportFigures& figures, const Images& images);

/// The same by algorithm and by input, small, on common axes.
std::string multiples_section(const ReportFigures& figures, const Images& images);

/// Bits correct: modes down, n across, a table per algorithm.
std::string heat_map_section(const HeatMap& map);

/// Error against cost with the Pareto front, at one of some lengths.
std::string cost_section(const ReportFigures& figures, const Images& images);

/// Histogram of error over bound.
std::string histogram_section(const Histogram& histogram, const Images& images);

/// The error after each stage of one case, and how much of it each source makes.
std::string stages_section(const ReportStages& stages, const Images& images);

/// The table of all rows, filled by the script from the JSON.
std::string table_section(const RowsJson& rows, std::size_t count);

/// manifest.json, and the sweep as it was run.
std::string manifest_section(const ReportData& data);

}  // namespace fftprec
