#include "reports/page/page.hpp"

#include <fmt/format.h>

#include "reports/figures/svg.hpp"
#include "reports/page/sections.hpp"
#include "reports/text/table.hpp"

namespace fftprec::page {

using text::element;

namespace {

constexpr std::pair<std::string_view, std::string_view> contents[] = {
    {"gates", "Gates"},
    {"own", "Sweep's own"},
    {"curves", "Error vs n"},
    {"heat-map", "Bits"},
    {"multiples", "By algorithm, input"},
    {"cost", "Cost"},
    {"histogram", "Error / bound"},
    {"stages", "Stages"},
    {"errors", "In numbers"},
    {"table", "All rows"},
    {"manifest", "Manifest"}};

std::string title_of(const ReportData& data) {
  return data.manifest.sweep_name.empty() ? data.source : data.manifest.sweep_name;
}

std::string header_of(const ReportData& data) {
  std::string text = "<header>\n" + element("h1", title_of(data));
  if (!data.manifest.question.empty())
    text += element("p", data.manifest.question, "class=\"question\"");
  if (data.has_manifest) {
    std::string made = "fftprec " + data.manifest.entry("version");
    for (const char* key : {"environment.git_hash", "environment.compiler", "ended"})
      if (const std::string entry = data.manifest.entry(key); !entry.empty()) made += ", " + entry;
    text += element("p", made, "class=\"caption\"");
  }
  return text + "\n</header>\n\n";
}

/// Links to the sections that are there, over the filter.
std::string bar_of(std::string_view sections) {
  std::string text = "<div class=\"bar-on-top\"><nav aria-label=\"sections\">";
  for (const auto& [id, name] : contents)
    if (sections.find(fmt::format("<section id=\"{}\"", id)) != std::string_view::npos)
      text += element("a", name, fmt::format("href=\"#{}\"", id));
  return text + "</nav>\n" + filter_bar() + "</div>\n";
}

}  // namespace

std::string report_page(const ReportData& data, const ReportFigures& gathered,
                        const NameOrders& orders, std::size_t most_row_bytes) {
  const ReportAssets& assets = report_assets();
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page +=
      element("title", title_of(data) + " - fftprec") + "\n<style>\n" + figures::style_sheet() +
      std::string(assets.style) +
      "</style>\n<script>document.documentElement.className = \"js\";</script>\n</head>\n<body>\n" +
      figures::mark_shapes() + header_of(data);
  const std::string sections =
      headline_section(data) + gates_section(data) + own_section(gathered.own) +
      curves_section(gathered) + heat_map_section(gathered.bits) + multiples_section(gathered) +
      cost_section(gathered) + histogram_section(gathered.histogram) +
      stages_section(gathered.stages) + errors_section(data, orders) +
      table_section(rows_json(data.rows, most_row_bytes), data.rows.size()) +
      manifest_section(data);
  page += bar_of(sections) + "<main>\n" + sections + "</main>\n";
  page += "<script>\n" + std::string(assets.rows_script) + std::string(assets.page_script) +
          "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace fftprec::page
