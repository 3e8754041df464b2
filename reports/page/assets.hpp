/// The style sheet and the scripts of a report: reports/page/assets, put into the program when it
/// is built.
#pragma once

#include <string_view>

namespace fftprec::page {

struct ReportAssets {
  std::string_view style;
  std::string_view rows_script;  ///< decoding, filtering and sorting of rows
  std::string_view page_script;  ///< switches and the table
};

const ReportAssets& report_assets();

}  // namespace fftprec::page
