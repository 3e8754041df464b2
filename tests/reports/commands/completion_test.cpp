/// Completion scripts and the manual page: they hold every command and option, and bash completes
/// by its script.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <set>

#include "reports/figures/image_files.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using testing::holds;
using testing::run_line;
using testing::TemporaryDirectory;
using testing::Words;

std::string output_of(const Words& words) {
  const testing::Outcome outcome = run_line(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

/// All that the first group of `pattern` matches.
std::set<std::string> matches_of(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

/// As the help tells them: indented lines between the options of the program and the examples.
std::set<std::string> commands_in_help() {
  const std::string help = output_of({"--help"});
  const std::size_t begin = help.find("Subcommands:");
  return matches_of(help.substr(begin, help.find("Examples:") - begin), "\n  ([a-z]+) ");
}

std::set<std::string> options_in_help(const std::string& command) {
  const std::string help = output_of({command, "--help"});
  const std::size_t begin = help.find("\nOptions:");
  std::set<std::string> options;
  for (const std::string& names :
       matches_of(help.substr(begin), "\n  (-[-a-zA-Z0-9]+(?:,--[-a-z0-9]+)?)"))
    for (const std::string& name : matches_of(names, "(--?[-a-zA-Z0-9]+)")) options.insert(name);
  return options;
}

/// The first word of each line that a shell command prints, in a folder that holds the script.
std::set<std::string> words_printed(const std::string& script, const std::string& command) {
  const TemporaryDirectory directory;
  testing::write_text(directory / "_fftprec", script);
  const std::string whole = "cd '" + std::string(directory.path()) + "' && " + command;
  std::FILE* const pipe = ::popen(whole.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << text;
  return matches_of(text, "([^\n\t]+)[^\n]*\n");
}

/// What bash completes the last of `words` to.
std::set<std::string> bash_completes(const std::string& script, const std::string& words) {
  return words_printed(script, "bash -c 'source ./_fftprec; COMP_WORDS=(" + words +
                                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _fftprec; "
                                   "printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
}

/// What zsh completes the line to, on a terminal as a user has it.
std::set<std::string> zsh_completes(const std::string& script, const std::string& line) {
  return words_printed(script, std::string("zsh -f '") + FFTPREC_SOURCE_DIR +
                                   "/tests/reports/commands/zsh_completes.zsh' \"$PWD\" '" + line +
                                   "'");
}

std::set<std::string> fish_completes(const std::string& script, const std::string& line) {
  return words_printed(
      script, "HOME=$PWD fish --no-config -c 'source ./_fftprec; complete -C \"" + line + "\"'");
}

TEST(Completion, OfBashOffersEveryCommandAndOption) {
  const std::string script = output_of({"completion", "bash"});
  const std::set<std::string> commands = commands_in_help();
  ASSERT_THAT(commands, AllOf(Contains("run"), Contains("completion"), Contains("doctor")));

  const std::set<std::string> offered = bash_completes(script, "fftprec \"\"");
  for (const std::string& command : commands) {
    EXPECT_THAT(offered, Contains(command));
    const std::set<std::string> options = options_in_help(command);
    ASSERT_THAT(options, Contains("--help")) << command;
    const std::set<std::string> known = bash_completes(script, "fftprec " + command + " -");
    for (const std::string& option : options) EXPECT_THAT(known, Contains(option)) << command;
  }
}

TEST(Completion, OfBashKnowsValues) {
  const std::string script = output_of({"completion", "bash"});

  EXPECT_THAT(bash_completes(script, "fftprec ru"), ::testing::ElementsAre("run"));
  EXPECT_THAT(bash_completes(script, "fftprec run --rerun \"\""),
              ::testing::ElementsAre("all", "failed"));
  EXPECT_THAT(bash_completes(script, "fftprec run sm"), ::testing::ElementsAre("smoke"));
  EXPECT_THAT(bash_completes(script, "fftprec list fo"), ::testing::ElementsAre("formats"));
  EXPECT_THAT(bash_completes(script, "fftprec completion z"), ::testing::ElementsAre("zsh"));
  EXPECT_THAT(bash_completes(script, "fftprec nothing x"), ::testing::IsEmpty());
  EXPECT_THAT(bash_completes(script, "fftprec run -a mo"), ::testing::ElementsAre("mode="));
  EXPECT_THAT(bash_completes(script, "fftprec run -a mode ="), Contains("bf16"));
  EXPECT_THAT(bash_completes(script, "fftprec run -a algorithm = split"),
              ::testing::ElementsAre("split-radix"));
  EXPECT_THAT(bash_completes(script, "fftprec run -a machine = trn,nv-v"),
              ::testing::ElementsAre("trn,nv-volta"));
  EXPECT_THAT(bash_completes(script, "fftprec plot run --kind h"),
              ::testing::ElementsAre("heatmap", "histogram"));
  EXPECT_THAT(bash_completes(script, "fftprec show mach"), ::testing::ElementsAre("machine:"));
  EXPECT_THAT(bash_completes(script, "fftprec show machine :"), Contains("nv-volta"));
  EXPECT_THAT(bash_completes(script, "fftprec show machine : nv-v"),
              ::testing::ElementsAre("nv-volta"));
  EXPECT_THAT(bash_completes(script, "fftprec plot run --y err_l"),
              ::testing::ElementsAre("err_l1_rel", "err_l2_rel", "err_linf_abs", "err_linf_rel"));
  EXPECT_THAT(bash_completes(script, "fftprec measure --transform rff"),
              ::testing::ElementsAre("rfft", "rfft2", "rfftn"));
  EXPECT_THAT(bash_completes(script, "fftprec design --free data"),
              ::testing::ElementsAre("data.bits"));
  EXPECT_THAT(bash_completes(script, "fftprec input torch"),
              ::testing::ElementsAre("torch_rand", "torch_randn"));
  for (const char* file : {"gate run -g", "measure --input", "tables error w.npy --csv"})
    EXPECT_THAT(bash_completes(script, "fftprec " + std::string(file) + " \"\""),
                ::testing::IsEmpty())
        << "files, which bash offers where there is nothing else: " << file;
}

/// What each shell offers where; `completes(line)` asks it.
template <class Completes>
void expect_completions(const Completes& completes) {
  EXPECT_THAT(completes("fftprec ru"), ::testing::ElementsAre("run"));
  EXPECT_THAT(completes("fftprec run --rerun "), ::testing::UnorderedElementsAre("all", "failed"));
  EXPECT_THAT(completes("fftprec run --dry"), ::testing::ElementsAre("--dry-run"));
  EXPECT_THAT(completes("fftprec run smo"), ::testing::ElementsAre("smoke"));
  EXPECT_THAT(completes("fftprec show machine:nv-v"), ::testing::ElementsAre("machine:nv-volta"));
  EXPECT_THAT(completes("fftprec plot out --y err_l"),
              ::testing::ElementsAre("err_l1_rel", "err_l2_rel", "err_linf_abs", "err_linf_rel"));
  EXPECT_THAT(completes("fftprec measure --transform rff"),
              ::testing::ElementsAre("rfft", "rfft2", "rfftn"));
  EXPECT_THAT(completes("fftprec design --free data"), ::testing::ElementsAre("data.bits"));
  EXPECT_THAT(completes("fftprec gate out -g _ff"), ::testing::ElementsAre("_fftprec"));
  EXPECT_THAT(completes("fftprec run -a mod"), Contains("mode="));
}

TEST(Completion, OfZshRunsInZsh) {
  if (figures::find_program("zsh").empty()) GTEST_SKIP() << "there is no zsh";
  const std::string script = output_of({"completion", "zsh"});
  const auto completes = [&](const std::string& line) { return zsh_completes(script, line); };

  expect_completions(completes);
  EXPECT_THAT(completes("fftprec run -a mode=kah"), ::testing::ElementsAre("kahan", "kahan-sum"));
  EXPECT_THAT(completes("fftprec run -a machine=trn,nv-v"), ::testing::ElementsAre("nv-volta"));
}

TEST(Completion, OfFishRunsInFish) {
  if (figures::find_program("fish").empty()) GTEST_SKIP() << "there is no fish";
  const std::string script = output_of({"completion", "fish"});
  const auto completes = [&](const std::string& line) { return fish_completes(script, line); };

  expect_completions(completes);
  EXPECT_THAT(completes("fftprec run -a mode=kah"),
              ::testing::ElementsAre("mode=kahan", "mode=kahan-sum"));
}

TEST(Completion, OfOtherShellsNamesEveryCommandAndOption) {
  const std::string zsh = output_of({"completion", "zsh"});
  const std::string fish = output_of({"completion", "fish"});
  for (const std::string& command : commands_in_help()) {
    EXPECT_THAT(zsh, holds("'" + command + ":"));
    const std::size_t begin = zsh.find("\n  " + command + ")\n");
    ASSERT_NE(begin, zsh.npos) << command;
    const std::string own = zsh.substr(begin, zsh.find(";;", begin) - begin);
    EXPECT_THAT(fish, holds("-a " + command + " -d "));
    for (const std::string& option : options_in_help(command)) {
      EXPECT_THAT(own, holds("'" + option + ":")) << command;
      const std::string flag =
          option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
      EXPECT_FALSE(matches_of(fish, "(_from " + command + "'[^\n]*" + flag + "[ \n])").empty())
          << command << flag;
    }
  }
}

TEST(ManualPage, DescribesEveryCommandAndOption) {
  std::string page = output_of({"man"});
  EXPECT_TRUE(page.starts_with(".TH FFTPREC 1 "));
  EXPECT_THAT(page, holds("Exit codes: 0 ok", "/usr/share/doc/fftprec").but_not("\n'"));

  for (std::size_t at = 0; (at = page.find("\\-", at)) != page.npos;) page.erase(at, 1);
  for (const std::string& command : commands_in_help()) {
    const std::size_t begin = page.find(".SS \"fftprec " + command + " ");
    ASSERT_NE(begin, page.npos) << command;
    const std::string own = page.substr(begin, page.find(".SS", begin + 1) - begin);
    for (const std::string& option : options_in_help(command))
      EXPECT_THAT(own, ::testing::AnyOf(holds("\\fB" + option), holds(", " + option)));
  }
}

}  // namespace
}  // namespace fftprec::commands
