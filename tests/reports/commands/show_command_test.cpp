#include "reports/commands/show_command.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/faults/faulty_machine.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using testing::holds;
using ::testing::StartsWith;

testing::Outcome show(const std::string& subject) { return testing::run_line({"show", subject}); }

/// The line of that parameter, with its mark.
std::string line_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 2 && line.substr(2).starts_with(key + " ")) return line;
  return {};
}

TEST(Show, PrintsEveryParameterOfAMachine) {
  const testing::Outcome outcome = show("machine:trn");

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("trn\nAWS Trainium as documented"));
  for (const auto& parameter : faulty_machines().parameters())
    EXPECT_THAT(line_of(outcome.out, parameter.key),
                AllOf(StartsWith("  "), holds(parameter.text(faulty_machine_named("trn"))),
                      holds(parameter.meaning)))
        << parameter.key;
}

TEST(Show, MarksWhatIsNotAsOnTrn) {
  const testing::Outcome outcome = show("machine:trn{accumulate.rounding=rz, psum=bf16}");

  EXPECT_THAT(outcome.out, StartsWith("trn-rz{psum=bf16}\n"));
  EXPECT_THAT(line_of(outcome.out, "psum"), AllOf(StartsWith("* psum "), holds("bf16")));
  EXPECT_THAT(line_of(outcome.out, "accumulate.rounding"), StartsWith("* "));
  EXPECT_THAT(line_of(outcome.out, "tiles"), StartsWith("  tiles "));
}

TEST(Show, TellsEveryMeaningOfAName) {
  EXPECT_THAT(show("bf16").out, holds("mode bf16\nbf16 data and tables; ", "\nformat bf16\n16 bits",
                                      "  unit roundoff       3.90625e-3 = 2^-8\n",
                                      "  as custom           custom(p=8,emin=-126,emax=127,"));
  EXPECT_EQ(show("BFloat16").out, show("bf16").out);
  EXPECT_THAT(show("trn").out, StartsWith("machine trn\nAWS Trainium"));
  EXPECT_THAT(show("rne").out, StartsWith("rounding rne\nto nearest"));
}

/// "low=-1, high=1" without the values that are listed in brackets.
std::string without_values(const std::string& keys) {
  std::string text;
  int depth = 0;
  for (const char each : keys) {
    depth += each == '(' ? 1 : 0;
    if (depth == 0 && each != ' ') text += each;
    depth -= each == ')' ? 1 : 0;
  }
  return text;
}

/// What `list` prints of a kind: names, and keys with their defaults.
std::vector<std::pair<std::string, std::string>> listed(const std::string& subject) {
  std::istringstream lines(testing::run_line({"list", subject}).out);
  std::vector<std::pair<std::string, std::string>> names;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t keys = line.find("; keys ");
    names.emplace_back(line.substr(0, line.find(' ')),
                       keys == line.npos ? "" : without_values(line.substr(keys + 7)));
  }
  return names;
}

TEST(Show, TellsTheValuesAndDefaultsOfKeys) {
  const std::string recurrence =
      "multiplication, numerical-recipes, singleton, chebyshev, "
      "subvector, logarithmic, bisection";
  EXPECT_THAT(show("tables:recurrence").out,
              holds("\n  by  multiplication  of " + recurrence + "\n",
                    "\n  in  fp32            mode, or a format\n"));
  EXPECT_THAT(show("fp32-angle").out,
              holds("  order   usual  of usual, product, row-column, column-row\n",
                    "  jitter  none   none, or a draw 1 to 2^24\n"));
  EXPECT_THAT(show("bluestein").out, holds("  inner  radix2-dit  a name with its keys\n"));

  EXPECT_THAT(testing::run_line({"list", "tables"}).out,
              holds("; keys by=multiplication (" + recurrence + "), in=fp32 (mode, or a format)\n",
                    "; keys in=mode (mode, or a format)\n"));
  EXPECT_THAT(testing::run_line({"list", "algorithms"}).out,
              holds("; keys pair=cubed (cubed, conjugate), butterfly=plain (plain, linzer-feig, "));
}

TEST(Show, ShowsEveryNameThatAnAxisTakesWithItsKeys) {
  std::size_t with_keys = 0;
  for (const auto& [kind, names] : names_by_kind()) {
    const auto of_list = listed(kind.ends_with("s") ? kind : kind + "s");
    for (const std::string& name : names) {
      const testing::Outcome shown = show(kind + ":" + name);
      EXPECT_EQ(shown.code, 0) << kind << ":" << name << ": " << shown.err;
      EXPECT_EQ(show(name).code, 0) << name;
      const auto found = std::find_if(of_list.begin(), of_list.end(),
                                      [&](const auto& each) { return each.first == name; });
      ASSERT_NE(found, of_list.end()) << kind << " " << name;
      if (found->second.empty()) continue;
      std::istringstream keys(found->second);
      std::string all = name;
      for (std::string key; std::getline(keys >> std::ws, key, ',');) {
        EXPECT_THAT(shown.out, holds("\n  " + key.substr(0, key.find('=')) + " ")) << name;
        if (key == "inner=NAME") key = "inner=gaussian";
        all += ":" + key;
      }
      const testing::Outcome outcome = show(kind + ":" + all);
      EXPECT_EQ(outcome.code, 0) << kind << ":" << all << ": " << outcome.err;
      EXPECT_THAT(outcome.out, StartsWith(all + "\n"));
      ++with_keys;
    }
  }
  EXPECT_GE(with_keys, 25u);
}

TEST(Show, RefusesWhatItCannotShow) {
  for (const auto& [subject, message] : std::vector<std::pair<std::string, std::string>>{
           {"bf61", "'bf61' cannot be shown; did you mean 'bf16'?; what can: a name that"},
           {"h100", "'h100' cannot be shown; did you mean 'nv-hopper'?"},
           {"nothing", "'nothing' cannot be shown; what can: a name that fftprec list modes"},
           {"mode:bf61", "unknown mode 'bf61'; did you mean 'bf16'?"},
           {"algorithm:radix", "unknown algorithm 'radix'; did you mean 'radix2-dit'?"},
           {"machine:trm", "unknown machine 'trm'; did you mean 'trn'?"},
           {"machine:h100", "unknown machine 'h100'; did you mean 'nv-hopper'?"},
           {"machine:gpu", "unknown machine 'gpu'; all: fftprec list machines"},
           {"tables:recurrence:by=adding", "unknown by of tables recurrence 'adding'; known: mult"},
           {"recurrence:bi=chebyshev", "unknown key of tables recurrence 'bi'"},
           {"trn{psum=fp64}", "psum=fp64 is wider than fp32"},
           {"scale:stage:1/3", "unknown scale 'stage:1/3'"},
           {"x7c1d", "names no case: give -a AXIS=VALUE, or a case_id with --run DIR"},
           {"machine:trn{psum=fp64}", "psum=fp64 is wider than fp32"}}) {
    const testing::Outcome outcome = show(subject);

    EXPECT_EQ(outcome.code, 2) << subject;
    EXPECT_EQ(outcome.out, "") << subject;
    EXPECT_THAT(outcome.err, holds(message));
  }
}

}  // namespace
}  // namespace fftprec::commands
