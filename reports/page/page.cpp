#include "reports/page/page.hpp"

#include <fmt/format.h>

#include "reports/figures/svg.hpp"
#include "reports/figures/text.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/rows.hpp"
#include "reports/page/sections.hpp"

namespace fftprec::page {

using figures::element;

namespace {

constexpr std::pair<std::string_view, std::string_view> contents[] = {
    {"headline", "Headline"},       {"gates", "Gates"},
    {"curves", "Error vs n"},       {"multiples", "By algorithm, input"},
    {"heat-map", "Bits"},           {"cost", "Cost"},
    {"histogram", "Error / bound"}, {"stages", "Stages"},
    {"table", "All rows"},          {"manifest", "Manifest"}};

std::string entry_of(const ManifestView& manifest, std::string_view key) {
  for (const auto& [name, value] : manifest.entries)
    if (name == key) return value;
  return {};
}

std::string title_of(const ReportData& data) {
  return data.manifest.sweep_name.empty() ? data.source : data.manifest.sweep_name;
}

std::string header_of(const ReportData& data) {
  std::string text = "<header>\n" + element("h1", title_of(data));
  if (!data.manifest.question.empty())
    text += element("p", data.manifest.question, "class=\"question\"");
  if (data.has_manifest)
    text += element("p",
                    fmt::format("fftprec {} ({}), {}, {}", entry_of(data.manifest, "version"),
                                entry_of(data.manifest, "environment.git_hash"),
                                entry_of(data.manifest, "environment.compiler"),
                                entry_of(data.manifest, "ended")),
                    "class=\"caption\"");
  text += "\n<nav aria-label=\"sections\">";
  for (const auto& [id, name] : contents)
    text += element("a", name, fmt::format("href=\"#{}\"", id));
  return text + "</nav>\n</header>\n\n";
}

}  // namespace

std::string report_page(const ReportData& data, const ReportFigures& gathered,
                        const NameOrders& orders, std::size_t most_row_bytes) {
  const ReportAssets& assets = report_assets();
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page += element("title", title_of(data) + " - fftprec") + "\n<style>\n" + figures::style_sheet() +
          std::string(assets.style) + "</style>\n</head>\n<body>\n" + figures::mark_shapes() +
          header_of(data) + "<main>\n";
  page += headline_section(data, orders) + gates_section(data);
  page += curves_section(gathered) + multiples_section(gathered);
  page += heat_map_section(gathered.bits) + cost_section(gathered);
  page += histogram_section(gathered.histogram);
  page += stages_section(gathered.stages);
  page += table_section(rows_json(data.rows, most_row_bytes), data.rows.size());
  page += manifest_section(data) + "</main>\n";
  page += "<script>\n" + std::string(assets.rows_script) + std::string(assets.page_script) +
          "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace fftprec::page
