/// The sections of a report, each a pure function of what it shows; every one gives HTML with its
/// heading, or an empty text where there is nothing to show.
#pragma once

#include <string>
#include <string_view>

#include "reports/page/data.hpp"
#include "reports/page/figures.hpp"
#include "reports/page/rows.hpp"

namespace fftprec::page {

/// A section with a heading and an anchor; the body is HTML.
std::string section(std::string_view id, std::string_view heading, std::string_view body);

/// A command that can be copied; lines break between its words only.
std::string command_line(std::string_view command);

/// What was measured, the largest share of a bound, bits correct.
std::string headline_section(const ReportData& data);

/// Gates: those that fail, each with the command that reproduces its worst case; the others folded.
std::string gates_section(const ReportData& data);

/// The figures that the sweep asks for.
std::string own_section(const std::vector<OwnPlot>& plots);

/// The table of errors; reasons for which rows were not measured.
std::string errors_section(const ReportData& data, const NameOrders& orders);

/// Error against n over the whole width, with a choice of algorithm or mode.
std::string curves_section(const ReportFigures& figures);

/// The same by algorithm and by input, small, on common axes.
std::string multiples_section(const ReportFigures& figures);

/// Bits correct: modes down, n across, a table per algorithm.
std::string heat_map_section(const figures::HeatMap& map);

/// Error against cost with the Pareto front, at one of some lengths.
std::string cost_section(const ReportFigures& figures);

/// Histogram of error over bound.
std::string histogram_section(const figures::Histogram& histogram);

/// The error after each stage of one case, and how much of it each source makes.
std::string stages_section(const ReportStages& stages);

/// The filter of rows and figures; needs the script.
std::string filter_bar();

/// The table of all rows, filled by the script from the JSON.
std::string table_section(const RowsJson& rows, std::size_t count);

/// manifest.json, and the sweep as it was run.
std::string manifest_section(const ReportData& data);

}  // namespace fftprec::page
