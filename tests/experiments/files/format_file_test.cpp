/// Formats in files: rows equal to those of the systems that the lists were written from, names
/// that tell the content, and what is said of bad lists.
#include "experiments/files/format_file.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/hash.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/table_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

class FormatFile : public ::testing::Test {
 protected:
  std::string with(const std::string& name, const std::string& text) {
    write_text(directory_ / name, text);
    return "file:" + (directory_ / name).string();
  }

  TemporaryDirectory directory_;
};

/// All finite values of a system in order; of a posit each with the border before it, which is the
/// code with one more bit.
std::string list_of(const std::string& name, const std::string& borders = "") {
  const Format format = format_named(name);
  const Format between = format_named(borders.empty() ? name : borders);
  std::string upwards, downwards;
  const std::uint64_t codes = std::uint64_t{1} << (width_of(format) - 1);
  for (std::uint64_t code = 1; code < codes; ++code) {
    const double value = value_of_code(code, format);
    if (!std::isfinite(value)) continue;
    const double border = code == 1 ? 0 : value_of_code(2 * code - 1, between);
    const std::string at = borders.empty() ? "" : "," + shortest(border);
    upwards += shortest(value) + at + "\n";
    // The border before a negative value is the one behind its magnitude.
    const double behind = code + 1 < codes ? -value_of_code(2 * code + 1, between) : 0;
    const bool has_one = !borders.empty() && code + 1 < codes;
    downwards = shortest(-value) + (has_one ? "," + shortest(behind) : "") + "\n" + downwards;
  }
  return "value,border\n" + downwards + (borders.empty() ? "0\n" : "0,0\n") + upwards;
}

TEST_F(FormatFile, MakesTheRowsOfTheSystemThatItLists) {
  struct Listed {
    const char* name;
    std::string file;
    std::vector<std::string> algorithms;
  };
  const std::vector<std::string> all = {"radix2-dit", "split-radix", "stockham-mixed", "dft-gemm",
                                        "four-step",  "bluestein",   "direct"};
  for (const Listed& each :
       {Listed{"posit8", with("posit8.csv", list_of("posit8", "posit9")), all},
        Listed{"binary8p4se:propagate", with("p4.csv", list_of("binary8p4se")), all},
        // Matrix products in these run on tensor engines.
        Listed{"fp8_e4m3fn",
               with("e4m3fn.csv", list_of("fp8_e4m3fn") + "nan\n") + "?overflow=nan",
               {"radix2-dit", "split-radix"}}})
    for (const std::string& algorithm : each.algorithms)
      for (const char* store : {"op", "stage"}) {
        Case where{.algorithm = algorithm,
                   .mode = each.name,
                   .machine = "ieee",
                   .n = 64,
                   .input = "gaussian",
                   .rounding_points = store};
        const Problem problem = make_problem(problem_key(where));
        const Row built_in = evaluate(where, problem);
        where.mode = canonical_value(axis_index("mode"), each.file);
        const Row own = evaluate(where, problem);
        ASSERT_EQ(own.status, built_in.status) << own.message;
        if (own.status != Status::ok) continue;
        EXPECT_EQ(own.output_hash, built_in.output_hash) << each.name << " " << algorithm << store;
        EXPECT_EQ(own.err_l2_rel, built_in.err_l2_rel);
        EXPECT_FALSE(own.bound_l2_rel.has_value());
      }
}

TEST_F(FormatFile, RoundsInputsAndTables) {
  const std::string file = with("few.csv", "-1\n-0.5\n0\n0.5\n1\n");
  const ComplexArray<double> x = make_input("gaussian", 64, 1, 1);
  const std::string name = with_format_hashes("rounded:to=" + file + ":inner=gaussian");
  EXPECT_THAT(name, holds("?hash=")) << name;
  const ComplexArray<double> y = make_input(name, 64, 1, 1);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(y.re[i], std::min(std::max(std::nearbyint(2 * x.re[i]) / 2, -1.0), 1.0)) << x.re[i];
  Case where{.algorithm = "radix2-dit", .mode = "fp32", .n = 64, .input = "gaussian"};
  where.tables = with_format_hashes("exact:in=" + file);
  const Row row = evaluate(where);
  ASSERT_EQ(row.status, Status::ok) << row.message;
  EXPECT_GT(*row.err_l2_rel, 0.1);  // cosines are off by up to 1/4
}

/// 1/2 is the one sine that may be a tie, 1 the one cosine that a list may not hold.
TEST_F(FormatFile, RoundsRootsThatAreRational) {
  const std::string file = with("ties.csv", "-1.5\n-0.75\n-0.25\n0\n0.25\n0.75\n1.5\n");
  const auto root = [&](std::uint64_t k) {
    return truth::root_of_unity(k, 12, format_named(file, read_list));
  };
  EXPECT_EQ(root(0), std::complex(0.75));
  EXPECT_EQ(root(1), std::complex(0.75, -0.75));  // to the value of even place
  EXPECT_EQ(truth::roots_of_unity(12288, format_named(file, read_list)).im[1024], -0.75);
  const Case where{.algorithm = "dft-gemm", .mode = file, .machine = "ieee", .n = 12};
  EXPECT_EQ(evaluate(where).status, Status::ok);
}

TEST_F(FormatFile, IsAnotherFormatWhenItsContentChanges) {
  const std::string file = with("own.csv", "0\n1\n");
  const std::string first = to_string(format_named(file, read_list));
  EXPECT_EQ(first, file + "?hash=" + text_hash("0\n1\n"));
  EXPECT_EQ(round(0.6, format_named(first, read_list), Rounding::rne), 1);
  with("own.csv", "0\n0.75\n1\n");
  const std::string second = to_string(format_named(file, read_list));
  EXPECT_NE(first, second);
  EXPECT_EQ(round(0.6, format_named(second, read_list), Rounding::rne), 0.75);
  EXPECT_EQ(round(0.6, format_named(first, read_list), Rounding::rne), 1);  // still known
  EXPECT_THAT(error_text([&] { format_named(file + "?hash=0123456789abcdef", read_list); }),
              holds("has changed"));
}

TEST_F(FormatFile, SaysWhatIsWrongWithAList) {
  for (const auto& [text, problem] : std::vector<std::pair<const char*, const char*>>{
           {"0\n1\n1\n", ":3: '1' is not above the value before it, 1"},
           {"0\n2\n1\n", ":3: '1' is not above"},
           {"# mine\nvalue\n0\none\n", ":4: 'one' is no number"},
           {"0\n1,2\n", ":2: the border '2' is not between '1' and the value before it"},
           {"0\nnan\n1\n", ":3: '1' comes after nan"},
           {"0\n1e300\n", ":2: '1e300' is not within 2^-450 and 2^450"},
           {"1\n2\n", "has no 0"},
           {"-1\n0\ninf\n", "has no positive value"},
           {"", "has no 0"}}) {
    const std::string name = with("bad.csv", text);
    EXPECT_THAT(error_text([&] { format_named(name, read_list); }), holds(problem)) << text;
  }
  const std::string good = with("good.csv", "0\n1\n");
  EXPECT_THAT(error_text([&] { format_named(good + "?overflow=infinity", read_list); }),
              holds("needs inf in the list"));
  EXPECT_THAT(error_text([&] { format_named(good + "?overflow=wrap", read_list); }),
              holds("saturate"));
  EXPECT_THAT(error_text([&] { format_named(good + "?rule=nan", read_list); }), holds("overflow"));
  EXPECT_THAT(error_text([&] { format_named("file:/nowhere.csv", read_list); }),
              holds("/nowhere.csv"));
  EXPECT_THAT(error_text([&] { mode_named(good, read_list); }), holds("have signs"));
  const std::string small = with("small.csv", "-0.5\n0\n0.5\n");
  for (const std::string& mode : {small, "bf16:table=" + small, small + ":table=bf16",
                                  std::string("custom(p=4,emin=-9,emax=-1)"),
                                  std::string("bf16:table=custom(p=4,emin=-9,emax=-1)")})
    EXPECT_THAT(error_text([&] { mode_named(mode, read_list); }), holds("roots of unity reach 1"))
        << mode;
  EXPECT_THAT(error_text([&] { mode_named("bf16:table=" + good, read_list); }),
              holds("roots of unity have signs"));
  std::string many;
  for (int i = 0; i <= 65536; ++i) many += std::to_string(i) + "\n";
  EXPECT_THAT(error_text([&] { format_named(with("many.csv", many), read_list); }),
              holds(":65537: '65536' is one too many"));
}

}  // namespace
}  // namespace fftprec::testing
