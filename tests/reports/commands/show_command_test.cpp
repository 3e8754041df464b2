#include <gmock/gmock.h>

#include <sstream>

#include "arith/machines/parameters.hpp"
#include "tests/reports/commands/fake_functions.hpp"
#include "tests/support/command_line.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

testing::Outcome show(const std::string& subject) {
  return testing::run_line({"show", subject}, testing::fake_functions());
}

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
  for (const MachineParameter& parameter : machine_parameters())
    EXPECT_THAT(line_of(outcome.out, parameter.key),
                AllOf(StartsWith("  "), HasSubstr(parameter.text(machine_named("trn"))),
                      HasSubstr(parameter.meaning)))
        << parameter.key;
}

TEST(Show, MarksWhatIsNotAsOnTrn) {
  const testing::Outcome outcome = show("machine:trn{accumulate.rounding=rz, psum=bf16}");

  EXPECT_THAT(outcome.out, StartsWith("trn-rz{psum=bf16}\n"));
  EXPECT_THAT(line_of(outcome.out, "psum"), AllOf(StartsWith("* psum "), HasSubstr("bf16")));
  EXPECT_THAT(line_of(outcome.out, "accumulate.rounding"), StartsWith("* "));
  EXPECT_THAT(line_of(outcome.out, "tiles"), StartsWith("  tiles "));
}

TEST(Show, AlignsItsColumns) {
  const std::string text = show("machine:nv-hopper").out;
  const std::size_t column = line_of(text, "k_tile").find("128");

  EXPECT_EQ(line_of(text, "m_tile").find("128"), column);
  EXPECT_EQ(line_of(text, "accumulate.fraction_bits").find("bf16, fp16, tf32: 25"), column);
}

TEST(Show, RefusesWhatItCannotShow) {
  for (const auto& [subject, message] : std::vector<std::pair<std::string, std::string>>{
           {"mode:fast", "'mode:fast' cannot be shown; what can: machine:NAME"},
           {"trn", "'trn' cannot be shown; what can: machine:NAME"},
           {"machine:trm", "unknown machine 'trm'; did you mean 'trn'?"},
           {"machine:trn{psum=fp64}", "psum=fp64 is wider than fp32"}}) {
    const testing::Outcome outcome = show(subject);

    EXPECT_EQ(outcome.code, 2) << subject;
    EXPECT_EQ(outcome.out, "") << subject;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace fftprec::commands
