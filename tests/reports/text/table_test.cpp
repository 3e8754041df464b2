/// Tables and what their printers escape.
#include "reports/text/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/text/error_table.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::text {
namespace {

const std::string replaced = "\xEF\xBF\xBD";

TEST(MarkupText, EscapesWhatMarkupIsMadeOf) {
  EXPECT_EQ(markup_text("<a href=\"x\">b & 'c'</a>"),
            "&lt;a href=&quot;x&quot;&gt;b &amp; &#39;c&#39;&lt;/a&gt;");
  EXPECT_EQ(markup_text("wide:phi=4\n\t1e-7"), "wide:phi=4\n\t1e-7");
}

TEST(MarkupText, KeepsWellFormedUtf8AndReplacesTheRest) {
  EXPECT_EQ(markup_text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(markup_text("a\xFF"), "a" + replaced);
  EXPECT_EQ(markup_text("\xC3("), replaced + "(") << "a character cut short";
  EXPECT_EQ(markup_text("\xC0\xAF"), replaced + replaced) << "an overlong slash";
  EXPECT_EQ(markup_text("\xED\xA0\x80"), replaced + replaced + replaced) << "half a surrogate pair";
  EXPECT_EQ(markup_text("\xE2\x82"), replaced + replaced) << "cut off at the end";
  EXPECT_EQ(markup_text(std::string_view("\x00\x1b\x7f", 3)), replaced + replaced + replaced);
}

TEST(Element, EscapesItsText) {
  EXPECT_EQ(element("td", "a<b", "class=\"number\""), "<td class=\"number\">a&lt;b</td>");
  EXPECT_EQ(element("p", ""), "<p></p>");
}

TEST(LatexText, EscapesEverySpecialCharacter) {
  EXPECT_EQ(latex_text("bf16_refined 50% {a&b} #1 $x$ \\ ~ ^ | < >\n"),
            "bf16\\_refined 50\\% \\{a\\&b\\} \\#1 \\$x\\$ \\textbackslash{} \\textasciitilde{} "
            "\\textasciicircum{} \\textbar{} \\textless{} \\textgreater{} ");
}

/// Names, numbers, names again, and a column in the printer's language.
const Table sample = {{{"name", "error", "why", "command"},
                       {"a|b", "1.2e-7", "x<y", "<code>c</code>"},
                       {"a|b", "exact", "", ""},
                       {"c", "inf", "p_1", ""},
                       {"d", "", "", ""}},
                      1,
                      1,
                      3};

TEST(Table, IsAlignedOnATerminal) {
  EXPECT_EQ(terminal_table(sample),
            "name   error  why  command\n"
            "a|b   1.2e-7  x<y  <code>c</code>\n"
            "a|b    exact\n"
            "c        inf  p_1\n"
            "d\n");
}

TEST(Table, IsMarkdown) {
  EXPECT_EQ(markdown_table(sample),
            "| name | error | why | command |\n"
            "|---|---:|---|---|\n"
            "| a\\|b | 1.2e-7 | x&lt;y | <code>c</code> |\n"
            "| a\\|b | exact | | |\n"
            "| c | inf | p_1 | |\n"
            "| d | | | |\n");
}

TEST(Table, IsHtml) {
  Table two = sample;
  two.lines.resize(2);
  EXPECT_EQ(html_table(two),
            "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th>name</th>"
            "<th class=\"number\">error</th><th>why</th><th>command</th></tr></thead><tbody>\n"
            "<tr><th scope=\"row\">a|b</th><td class=\"number\">1.2e-7</td><td>x&lt;y</td>"
            "<td><code>c</code></td></tr>\n</tbody></table></div>\n");
}

TEST(Table, IsLatexInGroupsOfOneName) {
  Table names = sample;
  for (TextCells& cells : names.lines) cells.pop_back();
  EXPECT_EQ(latex_tabular(names),
            "  \\begin{tabular}{lrl}\n    \\toprule\n    name & error & why \\\\\n    \\midrule\n"
            "    a\\textbar{}b & 1.2e$-7$ & x\\textless{}y \\\\\n"
            "     & exact &  \\\\\n"
            "    \\addlinespace\n    c & $\\infty$ & p\\_1 \\\\\n"
            "    \\addlinespace\n    d & -- &  \\\\\n"
            "    \\bottomrule\n  \\end{tabular}");
}

TEST(LatexTable, IsGolden) {
  const std::vector<Row> rows = {made_up({}),
                                 made_up({.mode = "bf16_refined", .error = 0, .bound = {}}),
                                 made_up({.algorithm = "dft-gemm", .n = 128, .error = 2e-7})};

  EXPECT_EQ(latex_table(rows, {}),
            R"(% needs \usepackage{booktabs,graphicx}; made by fftprec report
\begin{table}
  \centering
  \caption{err\_l2\_rel; transform fft, machine trn, tables exact, input gaussian. Last column: largest error over its bound.}
  \footnotesize
  \setlength{\tabcolsep}{3.5pt}
  \setbox0=\hbox{%
  \begin{tabular}{llrrr}
    \toprule
    algorithm & mode & n = 64 & n = 128 & worst err/bound \\
    \midrule
    dft-gemm & fp32 & -- & 2e$-7$ & 0.2 \\
    \addlinespace
    radix2-dit & bf16\_refined & exact & -- & -- \\
     & fp32 & 1e$-7$ & -- & 0.1 \\
    \bottomrule
  \end{tabular}}%
  \ifdim\wd0>\linewidth \resizebox{\linewidth}{!}{\box0}\else\box0\fi
\end{table}
)");
}

TEST(LatexTable, SaysThatNothingWasMeasured) {
  const Row row = skipped_row({}, "no meaning");
  EXPECT_EQ(latex_table({&row, 1}, {}), "% no row was measured\n");
}

}  // namespace
}  // namespace fftprec::text
