#include "reports/page/report_page.hpp"

#include <fmt/format.h>

#include "reports/page/report_assets.hpp"
#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

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

/// The colours of series on light paper; the style sheet has those that must differ on dark.
std::string colours() {
  std::string text = ":root{";
  for (std::size_t i = 0; i < series_colours().size(); ++i)
    text += fmt::format("--c{}:{};", i, series_colours()[i]);
  return text + "}\n";
}

}  // namespace

std::string report_page(const ReportData& data, const ReportFigures& figures, const Images& images,
                        const NameOrders& orders, std::size_t most_row_bytes) {
  const ReportAssets& assets = report_assets();
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page += element("title", title_of(data) + " - fftprec") + "\n<style>\n" + colours() +
          std::string(assets.style) + "</style>\n</head>\n<body>\n" + point_shapes() +
          header_of(data) + "<main>\n";
  page += headline_section(data, orders) + gates_section(data);
  page += curves_section(figures, images) + multiples_section(figures, images);
  page += heat_map_section(figures.bits) + cost_section(figures, images);
  page += histogram_section(figures.histogram, images);
  page += stages_section(figures.stages, images);
  page += table_section(rows_json(data.rows, most_row_bytes), data.rows.size());
  page += manifest_section(data) + "</main>\n";
  page += "<script>\n" + std::string(assets.rows_script) + std::string(assets.page_script) +
          "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace fftprec
