/// Published values and the files that hold them: digits, contradictions, places of errors.
#include "experiments/hypotheses/measured.hpp"

#include <gmock/gmock.h>

#include "experiments/cases/evaluate.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::hypotheses {
namespace {

using fftprec::testing::error_text;
using fftprec::testing::expect_each;
using testing::holds;
using ::testing::StartsWith;

TEST(PublishedValue, LeavesHalfAUnitOfItsLastDigitOpen) {
  const PublishedValue value = published_value("1.5e-3");

  EXPECT_EQ(value.digits, 2);
  EXPECT_DOUBLE_EQ(value.low, 1.45e-3);
  EXPECT_DOUBLE_EQ(value.high, 1.55e-3);
}

TEST(PublishedValue, CountsSignificantDigitsHoweverItIsWritten) {
  EXPECT_EQ(published_value("0.0015").digits, 2);
  EXPECT_EQ(published_value("0.00150").digits, 3);
  EXPECT_EQ(published_value("3e-3").digits, 1);
  EXPECT_EQ(published_value("1.50E-3").digits, 3);
  EXPECT_DOUBLE_EQ(published_value("0.00150").high, 1.505e-3);
  EXPECT_DOUBLE_EQ(published_value(1.5e-3, 3).high, 1.505e-3);
}

TEST(PublishedValue, OfAnExactResultLiesBelowEveryOtherError) {
  const PublishedValue value = published_value("0");

  EXPECT_EQ(value.low, 0);
  EXPECT_EQ(value.high, exact_error);
  EXPECT_EQ(published_text(0, 2), "0");
}

TEST(PublishedValue, IsWrittenAsPeopleDo) {
  EXPECT_EQ(published_text(1.4999e-3, 2), "1.5e-3");
  EXPECT_EQ(published_text(9.96e-11, 2), "1.0e-10");
  EXPECT_EQ(published_text(2, 1), "2e+0");
}

TEST(PublishedValue, RefusesWhatNobodyCanHaveMeasured) {
  expect_each([](const std::string& text) { return error_text([&] { published_value(text); }); },
              {{"-1e-3", "negative"},
               {"inf", "not a decimal"},
               {"1,5e-3", "not a decimal"},
               {"1.23456789012345678e-3", "has 18 digits"}});
  EXPECT_THAT(error_text([] { published_value(1.5e-3, 0); }), holds("1..17"));
  EXPECT_THAT(error_text([] { published_value(1.55e-3, 2); }), holds("has 3 digits"));
}

constexpr const char* good = R"(name = "chip"
[defaults]
algorithm = "dft-gemm"
n = 64
input = "torch_randn"
metric = "err_linf_rel"
[[row]]
mode = "bf16"
value = "1.5e-3"
)";

Measured measured_of(const std::string& text) {
  return parse_measured(text, "chip.toml", check_names);
}

TEST(MeasuredFile, FillsRowsFromItsDefaults) {
  const Measured measured = measured_of(std::string(good) +
                                        "[[row]]\nmode = \"ozaki\"\nvalue = 0.0017\ndigits = 2\n"
                                        "seed = 42\nalternatives = [\"1.9e-3\"]\n");

  ASSERT_EQ(measured.rows.size(), 2u);
  EXPECT_EQ(measured.name, "chip");
  EXPECT_EQ(measured.rows[0].where.n, 64u);
  EXPECT_FALSE(measured.rows[0].seed_known);
  EXPECT_TRUE(measured.rows[1].seed_known);
  EXPECT_FALSE(measured.rows[1].tables_known);
  ASSERT_EQ(measured.rows[1].values.size(), 2u);
  EXPECT_EQ(measured.rows[1].values[0].text, "1.7e-3");
  EXPECT_EQ(label(measured.rows[1]), "dft-gemm ozaki n=64");
}

TEST(MeasuredFile, HasTheNameOfTheFileIfItSaysNone) {
  std::string nameless = good;
  nameless.erase(0, nameless.find('\n') + 1);

  EXPECT_EQ(parse_measured(nameless, "folder/x.toml", check_names).name, "x");
}

TEST(MeasuredFile, SaysWhereAndWhatIsWrong) {
  const std::string row = std::string(good) + "[[row]]\nmode = \"ozaki\"\n";
  const std::string same = std::string(good) + "[[row]]\nmode = \"bf16\"\n";
  const auto with = [](const std::string& keys) {
    return "[defaults]\n" + keys +
           "\n[[row]]\nmode = \"bf16\"\nalgorithm = \"dft-gemm\"\ninput = \"torch_randn\"\n"
           "metric = \"err_linf_rel\"\nvalue = \"1e-3\"\n";
  };
  struct Mistake {
    std::string text;
    std::string begins;  ///< after "chip.toml:"
    std::string says;
  };
  const std::vector<Mistake> mistakes = {
      {good + std::string("[[row]]\nmode = \"bf17\"\nvalue = \"1e-3\"\n"), "11:", "bf17"},
      {good + std::string("[[row]]\nmode = \"bf17\"\nvalue = \"1e-3\"\n"), "11:", "bf16"},
      {row, "", "says no 'value'"},
      {row + "value = \"1e-3\"\nmetric = \"err_linf\"\n", "13:", "err_linf_rel"},
      {row + "value = \"1e-3\"\nmachine = \"trn\"\n", "", "the command searches the machine"},
      {row + "value = \"1e-3\"\nsede = 1\n", "", "seed"},
      {"name = \"chip\"\n", "", "nothing was measured"},
      {"name = \n", "1:", ""},
      {with("n = true"), "2:5: n: expected a text or a whole number, not true", ""},
      {with("n = 0"), "2:5: ", "'0' is not a number from 1 on"},
      {with("n = 64\nnn = 3"), "3:1: unknown key 'nn'", ""},
      {with("n = 64\ndigits = 0"), "3:10: expected a whole number in 1..17, not 0", ""},
      {row + "value = \"1.5e-3\"\ndigits = 3\n", "", "has 2 digits, but digits = 3"},
      {row + "value = 1.5e-3\n", "", "does not say how many digits"},
      {row + "value = 1.55e-3\ndigits = 2\n", "", "more than digits = 2"},
      {row + "value = 1.5e-3\ndigits = 0\n", "", "1..17"},
      {row + "value = \"-1e-3\"\n", "", "negative"},
      {same + "value = \"1.7e-3\"\n", "10:", "contradict each other"},
      {same + "value = \"1.7e-3\"\n", "10:", "1.7e-3 here and 1.5e-3 in line 7"},
      {same + "value = \"1.52e-3\"\n", "", "give one case twice"}};

  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_text([&] { measured_of(mistake.text); }),
                AllOf(StartsWith("chip.toml:" + mistake.begins), holds(mistake.says)))
        << mistake.text;
  EXPECT_NO_THROW(measured_of(same + "value = \"1.7e-3\"\nseed = 2\n"));
}

TEST(BuiltinTables, CanAllBeRead) {
  EXPECT_GE(builtin_measured().size(), 3u);
  for (const BuiltinMeasured& table : builtin_measured()) {
    const Measured measured = load_measured(std::string(table.name), check_names);
    EXPECT_EQ(measured.name, table.name);
    EXPECT_FALSE(measured.source.empty());
  }
  EXPECT_THAT(error_text([] { load_measured("trn3", check_names); }), holds("trn1"));
}

}  // namespace
}  // namespace fftprec::hypotheses
