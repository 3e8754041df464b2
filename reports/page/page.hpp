/// The page of a report: one file that needs no others.
#pragma once

#include <cstddef>
#include <string>

#include "reports/page/data.hpp"

namespace fftprec::page {

/// The HTML of the page. A pure function. `most_row_bytes` limits the rows of the table.
std::string report_page(const ReportData& data, const ReportFigures& gathered,
                        const NameOrders& orders, std::size_t most_row_bytes = 8'000'000);

}  // namespace fftprec::page
