#include "reports/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <utility>

#include "experiments/algorithms/programs.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec::text {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Characters and their escaped forms.
using Escapes = std::span<const std::pair<char, std::string_view>>;

constexpr std::pair<char, std::string_view> in_markup[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

constexpr std::pair<char, std::string_view> in_latex[] = {{'\\', "\\textbackslash{}"},
                                                          {'~', "\\textasciitilde{}"},
                                                          {'^', "\\textasciicircum{}"},
                                                          {'|', "\\textbar{}"},
                                                          {'<', "\\textless{}"},
                                                          {'>', "\\textgreater{}"},
                                                          {'&', "\\&"},
                                                          {'%', "\\%"},
                                                          {'$', "\\$"},
                                                          {'#', "\\#"},
                                                          {'_', "\\_"},
                                                          {'{', "\\{"},
                                                          {'}', "\\}"}};

/// The escaped form of `c`; empty if it needs none.
std::string_view escape(Escapes escapes, char c) {
  const auto found = std::ranges::find(escapes, c, &Escapes::value_type::first);
  return found == escapes.end() ? std::string_view() : found->second;
}

std::string latex_number(const std::string& text) {
  if (text.empty()) return "--";
  if (text == "inf") return "$\\infty$";
  const std::size_t e = text.find('e');
  const bool power = e != std::string::npos && e > 0 && std::isdigit(text[e - 1]) != 0;
  return power ? text.substr(0, e + 1) + "$" + text.substr(e + 1) + "$" : latex_text(text);
}

}  // namespace

std::string error_text(double error) { return error == 0 ? "exact" : short_number(error); }

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : printable(on_one_line(text))) {
    if (c == '|' || c == '`') cell += '\\';
    cell += c == '<' ? std::string("&lt;") : std::string(1, c);
  }
  return cell;
}

std::string markdown_code(std::string_view text) {
  std::string code = "`";
  for (const char c : printable(on_one_line(text))) {
    if (c == '|') code += '\\';
    code += c == '`' ? '\'' : c;
  }
  return code + "`";
}

std::string markup_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text.front();
    const bool control = is_control(text.substr(0, length)) && c != '\n' && c != '\t';
    if (length == 0 || control)
      result += replacement;
    else if (const std::string_view other = escape(in_markup, c); !other.empty())
      result += other;
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string element(std::string_view name, std::string_view text, std::string_view attributes) {
  return fmt::format("<{0}{1}{2}>{3}</{0}>", name, attributes.empty() ? "" : " ", attributes,
                     markup_text(text));
}

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const std::string_view other = escape(in_latex, c);
    result += other.empty() ? std::string(1, is_control({&c, 1}) ? ' ' : c) : std::string(other);
  }
  return result;
}

std::string shell_command(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string program_of(const std::vector<std::string>& argv) {
  constexpr std::string_view own = "fftprec";
  const bool is_own = argv.empty() || std::filesystem::path(argv.front()).filename() == own;
  return is_own ? std::string(own) : shell_word(argv.front());
}

std::string reproduce_command(const Case& where, const std::vector<std::string>& argv) {
  const std::string program = program_of(argv);
  const std::string_view command = argv.size() > 1 ? std::string_view(argv[1]) : "";
  const std::string words = command_of(where);
  if (command == "measure") return shell_command(argv) + "  # " + words;
  // What another program ran, it knows.
  const bool runs = (command == "run" && program != "fftprec") || unknown_in(where).empty();
  if (!runs) return "# by another program: " + words;
  std::string programs;
  if (where.algorithm.starts_with(program_kind))
    for (std::size_t i = 2; i < argv.size(); ++i) {
      if (argv[i] == "--programs" && i + 1 < argv.size())
        programs += " --programs " + shell_word(argv[i + 1]);
      else if (argv[i].starts_with("--programs="))
        programs += " " + shell_word(argv[i]);
    }
  return program + " run " + words + programs + " --csv -";
}

std::string terminal_table(const Table& table) {
  std::vector<TextCells> lines = table.lines;
  std::vector<std::size_t> widths(lines.front().size());
  for (TextCells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = printable(cells[i]);
      widths[i] = std::max(widths[i], cells[i].size());
    }
  std::string text;
  for (const TextCells& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      line +=
          (i == 0 ? "" : "  ") + (table.is_number(i) ? fmt::format("{:>{}}", cells[i], widths[i])
                                                     : fmt::format("{:<{}}", cells[i], widths[i]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string markdown_table(const Table& table) {
  std::string text;
  std::string rule = "|";
  for (std::size_t i = 0; i < table.lines.front().size(); ++i)
    rule += table.is_number(i) ? "---:|" : "---|";
  for (const TextCells& cells : table.lines) {
    text += "|";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool titles = &cells == &table.lines.front();
      const std::string cell =
          i < table.markup || titles ? markdown_cell(cells[i]) : std::string(cells[i]);
      text += cell.empty() ? " |" : " " + cell + " |";
    }
    text += "\n";
    if (&cells == &table.lines.front()) text += rule + "\n";
  }
  return text;
}

std::string html_table(const Table& table, std::string_view attributes) {
  std::string text = fmt::format("<div {}><table class=\"numbers\"><thead>", attributes);
  for (const TextCells& cells : table.lines) {
    const bool titles = &cells == &table.lines.front();
    text += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view number = table.is_number(i) ? "class=\"number\"" : "";
      if (titles)
        text += element("th", cells[i], number);
      else if (i < table.names && i < table.markup)
        text += element("th", cells[i], "scope=\"row\"");
      else
        text += i < table.markup ? element("td", cells[i], number) : "<td>" + cells[i] + "</td>";
    }
    text += titles ? "</tr></thead><tbody>\n" : "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string latex_tabular(const Table& table) {
  std::string text = "  \\begin{tabular}{";
  for (std::size_t i = 0; i < table.lines.front().size(); ++i)
    text += table.is_number(i) ? 'r' : 'l';
  text += "}\n    \\toprule\n";
  std::string first;
  for (const TextCells& cells : table.lines) {
    const bool titles = &cells == &table.lines.front();
    const bool same = !titles && cells.front() == first;
    if (!first.empty() && !same) text += "    \\addlinespace\n";
    if (!titles) first = cells.front();
    text += "    ";
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += (i == 0 ? "" : " & ") + (i == 0 && same                  ? std::string()
                                       : titles || !table.is_number(i) ? latex_text(cells[i])
                                                                       : latex_number(cells[i]));
    text += titles ? " \\\\\n    \\midrule\n" : " \\\\\n";
  }
  return text + "    \\bottomrule\n  \\end{tabular}";
}

}  // namespace fftprec::text
