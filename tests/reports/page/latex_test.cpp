/// The table of a paper: golden text, and what LaTeX would stumble over.
#include "reports/page/latex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/sample_rows.hpp"

namespace fftprec::page {
namespace {

using ::testing::HasSubstr;

TEST(LatexText, EscapesEverySpecialCharacter) {
  EXPECT_EQ(latex_text("bf16_refined 50% {a&b} #1 $x$ \\ ~ ^ | < >\n"),
            "bf16\\_refined 50\\% \\{a\\&b\\} \\#1 \\$x\\$ \\textbackslash{} \\textasciitilde{} "
            "\\textasciicircum{} \\textbar{} \\textless{} \\textgreater{} ");
}

TEST(LatexNumber, HasThreeDigitsAndNamesWhatIsNoNumber) {
  EXPECT_EQ(latex_number(1.2345e-7), "1.23e$-7$");
  EXPECT_EQ(latex_number(42), "4.20e$1$");
  EXPECT_EQ(latex_number(0), "exact");
  EXPECT_EQ(latex_number(std::numeric_limits<double>::infinity()), "$\\infty$");
  EXPECT_EQ(latex_number(std::numeric_limits<double>::quiet_NaN()), "NaN");
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
    algorithm & mode & $n = 64$ & $n = 128$ & err/bound \\
    \midrule
    dft-gemm & fast & -- & 2.00e$-7$ & 0.2 \\
    \addlinespace
    radix2-dit & bf16\_refined & exact & -- & -- \\
     & fast & 1.00e$-7$ & -- & 0.1 \\
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
}  // namespace fftprec::page
