/// Programs on the command line: who may start one, and what a run keeps of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/support/files.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A file of programs, each a line of the shell.
std::string program_file(const TemporaryDirectory& folder, const std::string& version) {
  const std::string path = folder.path() / "programs.toml";
  const std::string echo = "while read t l d f b n; do echo ok $n; /usr/bin/head -c $n; done";
  replace_file(path, "[echo]\ncommand = ['/bin/sh', '-c', 'echo fftprec-program 1 " + version +
                         "; " + echo + "']\n[absent]\ncommand = ['./absent']\n");
  return path;
}

TEST(ProgramsOfARun, AreKeptInTheManifest) {
  const TemporaryDirectory folder;
  const std::string file = program_file(folder, "first"), out = folder.path() / "out";
  const Words words{"--programs", file,  "-a", "algorithm=program:echo,program:absent,radix2-dit",
                    "-a",         "n=8", "-o", out};
  const Outcome first = run(words);
  EXPECT_EQ(first.code, 3) << first.err;
  EXPECT_THAT(first.out, AllOf(HasSubstr("3 rows: 2 ok, 0 skipped, 1 failed"),
                               HasSubstr("cannot start " + (folder.path() / "./absent").string())));
  const auto manifest = nlohmann::json::parse(read_file(folder.path() / "out/manifest.json"));
  ASSERT_EQ(manifest.at("programs").size(), 2u);
  EXPECT_EQ(manifest["programs"][1]["name"], "program:echo");
  EXPECT_EQ(manifest["programs"][1]["version"], "first");

  EXPECT_THAT(run(words).err, HasSubstr("3 of 3 cases finished already"));
  program_file(folder, "second");
  EXPECT_THAT(run(words).err, AllOf(HasSubstr("rows of program:echo are of first, "),
                                    HasSubstr("this is second"), HasSubstr("--rerun all")));
}

TEST(ProgramsOfARun, AreNamedWithTheirFileInCommandsThatRepeatARow) {
  const TemporaryDirectory folder;
  const std::string file = program_file(folder, "1");
  for (const Words& programs : {Words{"--programs", file}, Words{"--programs=" + file}}) {
    Words words{
        "-a", "algorithm=program:absent,program:echo", "-a", "n=8", "-a", "transform=fft,stft"};
    words.insert(words.end(), programs.begin(), programs.end());
    const std::string out = run(words).out;
    const std::string again = " --programs" + std::string(programs.size() == 2 ? " " : "=") + file;
    EXPECT_THAT(out, HasSubstr("seed=1" + again + " --csv -\nfirst skipped: "));
    EXPECT_THAT(out.substr(out.find("first skipped")), HasSubstr("seed=1" + again + " --csv -\n"));
  }
}

TEST(ProgramsOfARun, InAnotherConventionAreSuspicious) {
  const struct {
    std::string mistake, transform, says;
  } cases[] = {
      {"sign", "fft", "perhaps the exponent has the other sign"},
      {"scaled", "fft", "perhaps every value is 1/N of the truth"},
      {"unscaled", "ifft", "perhaps every value is N times the truth"},
      {"shifted", "fft", "shift"},
  };
  for (const auto& [mistake, transform, says] : cases) {
    const TemporaryDirectory folder;
    const std::string file = folder.path() / "programs.toml";
    replace_file(file, "[mine]\ncommand = ['" FFTPREC_ADAPTER "', '" + mistake + "']\n");
    const std::string out = run({"--programs", file, "-a", "algorithm=program:mine,radix2-dit",
                                 "-a", "n=1,2,16,32", "-a", "mode=fp64,fp32", "-a",
                                 "transform=" + transform, "-a", "input=impulse,gaussian"})
                                .out;
    const std::size_t table = out.find("suspicious rows\n");
    ASSERT_NE(table, out.npos) << out;
    EXPECT_THAT(out.substr(table), AllOf(HasSubstr("program:mine  " + transform), HasSubstr(says),
                                         Not(HasSubstr("radix2-dit"))));
  }
  const std::string healthy =
      run({"-a", "algorithm=program:" FFTPREC_ADAPTER, "-a", "n=16,32", "-a", "mode=fp32"}).out;
  EXPECT_THAT(healthy, AllOf(HasSubstr("2 ok"), Not(HasSubstr("suspicious"))));
}

TEST(ProgramsOfARun, ThatEndOrSayTooLittleFailWithTheirLastWords) {
  const TemporaryDirectory folder;
  const std::string file = folder.path() / "programs.toml";
  replace_file(file, "[exits]\ncommand = ['" FFTPREC_ADAPTER
                     "', 'exits']\n[truncated]\ncommand = ['" FFTPREC_ADAPTER "', 'truncated']\n");
  const Outcome exits = run(
      {"--programs", file, "-a", "algorithm=program:exits", "-a", "n=12,13", "-a", "mode=fp64"});
  EXPECT_EQ(exits.code, 3);
  EXPECT_THAT(exits.out, AllOf(HasSubstr("1 ok, 0 skipped, 1 failed"),
                               HasSubstr("exit code 3; its last words: no plan for 13")));
  EXPECT_THAT(run({"--programs", file, "-a", "algorithm=program:truncated", "-a", "n=12", "-a",
                   "mode=fp64"})
                  .out,
              AllOf(HasSubstr("answers 96 bytes, expected 192: perhaps values of half the size"),
                    HasSubstr("--programs " + file)));
}

TEST(ProgramsOfARun, AreNotStartedByASweep) {
  const TemporaryDirectory folder;
  const std::string sweep = folder.path() / "sweep.toml", mark = folder.path() / "started";
  const std::string script = folder.path() / "script";
  replace_file(script, "#!/bin/sh\n: > '" + mark + "'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  replace_file(sweep, "name = 'theirs'\n[[sweep]]\nalgorithm = 'program:" + script + "'\nn = 8\n");
  const Outcome refused = run({sweep, "--csv", "-"});
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("starts only if the command line names it"));
  EXPECT_FALSE(std::filesystem::exists(mark));
  // The same words of the user do start it.
  run({"-a", "algorithm=program:" + script, "-a", "n=8", "--csv", "-"});
  EXPECT_TRUE(std::filesystem::exists(mark));
}

TEST(ProgramsOfARun, HaveVectorsWithoutTables) {
  const TemporaryDirectory folder;
  const std::filesystem::path out = folder.path() / "out";
  const Outcome written =
      run_line({"vectors", "--programs", program_file(folder, "1"), "-a", "algorithm=program:echo",
                "-a", "mode=q1.15", "-a", "n=8", "-a", "input=uniform", "-o", out});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(read_file(out / "seed_1/output.hex"), read_file(out / "seed_1/input.hex"));
  EXPECT_FALSE(std::filesystem::exists(out / "twiddles.hex"));
}

TEST(ProgramsOfARun, NeedAFileOfPrograms) {
  EXPECT_THAT(run({"--programs", "nowhere.toml", "-a", "n=8"}).err, HasSubstr("nowhere.toml"));
}

}  // namespace
}  // namespace fftprec::testing
