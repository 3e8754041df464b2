#include <fmt/format.h>

#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"

namespace fftprec {

std::string table_section(const RowsJson& rows, std::size_t count) {
  std::string left_out;
  for (const std::string& name : rows.left_out) left_out += (left_out.empty() ? "" : ", ") + name;
  std::string body = fmt::format(
      "<p class=\"caption\">All {} rows, numbers to four significant digits; all digits are in "
      "results.csv.{}</p>\n",
      count,
      left_out.empty()
          ? ""
          : " Columns for which the page has no room, there too: " + html_text(left_out) + ".");
  body +=
      R"(<noscript><p class="warning">The table needs JavaScript; its rows are in results.csv.</p></noscript>
<div class="controls">
<label class="grow">Filter <input id="filter" type="search" spellcheck="false" autocomplete="off" placeholder="mode=bf16,ozaki n>=64 err_l2_rel>1e-3 or any words"></label>
<output id="matches"></output>
</div>
<p id="filter-error" class="warning" hidden></p>
<p id="same" class="caption"></p>
<div id="rows" class="rows" tabindex="0" role="region" aria-label="rows"></div>
<div id="row" class="row-detail" aria-live="polite"><p class="caption">A click on a row shows all of it, and the command that repeats it; a click on a title sorts.</p></div>
)";
  body += "<script type=\"application/json\" id=\"data\">" + rows.text + "</script>\n";
  return section("table", "All rows", body);
}

std::string manifest_section(const ReportData& data) {
  if (!data.has_manifest)
    return section("manifest", "Manifest",
                   "<p class=\"warning\">There is no manifest.json: nothing says which version, "
                   "compiler and command made these rows.</p>\n");
  const ManifestView& manifest = data.manifest;
  std::string body;
  if (!manifest.argv.empty()) {
    std::string command;
    for (const std::string& word : manifest.argv) command += (command.empty() ? "" : " ") + word;
    body += "<p>The command: " + command_line(command) + "</p>\n";
  }
  body += "<div class=\"scroll\"><table class=\"manifest\"><tbody>\n";
  for (const auto& [key, value] : manifest.entries)
    body += "<tr>" + element("th", key, "scope=\"row\"") + element("td", value) + "</tr>\n";
  body += "</tbody></table></div>\n";
  if (!manifest.sweep_text.empty())
    body += "<details><summary>The sweep as it was run</summary>\n" +
            element("pre", manifest.sweep_text) + "</details>\n";
  return section("manifest", "Manifest", body);
}

}  // namespace fftprec
