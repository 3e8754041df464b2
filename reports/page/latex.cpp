#include "reports/page/latex.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reports/text/error_table.hpp"

namespace fftprec::page {

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        result += '\\';
        result += c;
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return result;
}

std::string latex_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "$\\infty$" : "$-\\infty$";
  if (value == 0) return "exact";
  const std::string text = fmt::format("{:.2e}", value);
  const std::size_t e = text.find('e');
  return fmt::format("{}e${}$", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string latex_table(std::span<const Row> rows, const NameOrders& orders, std::size_t sizes) {
  const text::ErrorTable table = text::error_table(rows, orders, {.sizes = sizes});
  if (table.lines.empty()) return "% no row was measured\n";
  std::string text = "% needs \\usepackage{booktabs,graphicx}; made by fftprec report\n";
  text += "\\begin{table}\n  \\centering\n  \\caption{" + latex_text(table.caption) + ".";
  if (!table.left_out.empty()) text += " Not shown: " + latex_text(table.left_out) + ".";
  text +=
      " Last column: largest error over its bound.}\n  \\footnotesize\n  "
      "\\setlength{\\tabcolsep}{3.5pt}\n  \\setbox0=\\hbox{%\n";
  text += fmt::format("  \\begin{{tabular}}{{{}{}r}}\n    \\toprule\n    ",
                      std::string(table.titles.size(), 'l'), std::string(table.sizes.size(), 'r'));
  for (const std::string& title : table.titles) text += latex_text(title) + " & ";
  for (const std::uint64_t n : table.sizes) text += fmt::format("$n = {}$ & ", n);
  text += "err/bound \\\\\n    \\midrule\n";
  std::string algorithm;
  for (const text::ErrorLine& line : table.lines) {
    const bool same = line.names.front() == algorithm;
    if (!algorithm.empty() && !same) text += "    \\addlinespace\n";
    algorithm = line.names.front();
    text += "    ";
    for (const std::string& name : line.names)
      text += (same && &name == &line.names.front() ? std::string() : latex_text(name)) + " & ";
    for (const auto& median : line.medians)
      text += (median ? latex_number(*median) : std::string("--")) + " & ";
    text += (line.worst ? std::isfinite(*line.worst) ? fmt::format("{:.3g}", *line.worst)
                                                     : latex_number(*line.worst)
                        : std::string("--")) +
            " \\\\\n";
  }
  text += "    \\bottomrule\n  \\end{tabular}}%\n";
  return text +
         "  \\ifdim\\wd0>\\linewidth \\resizebox{\\linewidth}{!}{\\box0}\\else\\box0\\fi\n"
         "\\end{table}\n";
}

}  // namespace fftprec::page
