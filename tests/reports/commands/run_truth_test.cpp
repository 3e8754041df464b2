/// What `fftprec run` asks of truths, where it keeps them, and that it measures against no bad one.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <thread>

#include "arith/truth/audit.hpp"
#include "reports/commands/run_command.hpp"
#include "reports/results/csv.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;

/// What a run asked of its truths.
struct Asked {
  truth::TruthOptions options;
  std::string cache;  ///< its directory; empty: none
};

Asked asked_of(std::vector<std::string> words, std::string* err = nullptr) {
  Asked asked;
  CaseFunctions functions = fake_functions();
  functions.make_problem = [&asked](const ProblemKey&, const truth::TruthOptions& options,
                                    TruthCache* cache) {
    asked = {options, cache ? cache->directory().string() : ""};
    return Problem{};
  };
  const Outcome outcome = run(std::move(words), functions);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  if (err) *err = outcome.err;
  return asked;
}

TEST(RunTruth, PassesTheOptionsOfTruthsOn) {
  const Asked usual = asked_of({"-a", "n=8", "-j", "1"});
  EXPECT_FALSE(usual.options.tier);
  EXPECT_EQ(usual.options.needed_bits, truth::TruthOptions{}.needed_bits);
  EXPECT_EQ(usual.options.isa, best_isa());
  EXPECT_EQ(asked_of({"-a", "n=8", "--truth", "mpfr"}).options.tier, truth::Tier::mpfr);
  EXPECT_EQ(asked_of({"-a", "n=8", "--truth", "dd"}).options.tier, truth::Tier::double_double);
  EXPECT_FALSE(asked_of({"-a", "n=8", "--truth", "auto"}).options.tier);
  EXPECT_EQ(asked_of({"-a", "n=8", "--isa", "baseline"}).options.isa, Isa::baseline);
}

TEST(RunTruth, GivesATruthSeveralThreadsWhereThereAreFewerTruths) {
  EXPECT_EQ(asked_of({"-a", "n=8,16", "-a", "mode=fast,bf16", "-j", "3"}).options.threads, 3u);
  EXPECT_EQ(asked_of({"-a", "n=8,16,32", "-j", "3"}).options.threads, 1u);
}

/// A variable of the environment as long as this exists; null: not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(RunTruth, KeepsTruthsWhereItIsTold) {
  EXPECT_EQ(asked_of({"-a", "n=8", "--truth-cache", "/some/where"}).cache, "/some/where");
  EXPECT_EQ(asked_of({"-a", "n=8", "--truth-cache", "none"}).cache, "");
  TruthRequest usual;
  std::ostringstream err;
  const auto directory = [&] {
    const auto cache = open_truth_cache(usual, err);
    return cache ? cache->directory().string() : "";
  };
  {
    const Variable caches("XDG_CACHE_HOME", "/caches"), home("HOME", "/home/me");
    EXPECT_EQ(directory(), "/caches/fftprec/truth");
  }
  for (const char* unusable : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Variable caches("XDG_CACHE_HOME", unusable), home("HOME", "/home/me");
    EXPECT_EQ(directory(), "/home/me/.cache/fftprec/truth");
  }
  EXPECT_EQ(err.str(), "");
  const Variable caches("XDG_CACHE_HOME", nullptr), home("HOME", nullptr);
  EXPECT_EQ(directory(), "");
  EXPECT_EQ(err.str(),
            "truths are not kept: neither XDG_CACHE_HOME nor HOME is an absolute path\n");
}

/// Functions whose truths take long enough to be kept.
CaseFunctions slow_truths() {
  CaseFunctions functions = fake_functions();
  functions.make_problem = [](const ProblemKey& key, const truth::TruthOptions&,
                              TruthCache* cache) {
    Problem problem;
    problem.truth = cache->get(std::to_string(key.n), [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(6));
      return truth::Truth{};
    });
    return problem;
  };
  return functions;
}

TEST(RunTruth, TellsInTheManifestWhereTruthsCameFrom) {
  const TemporaryDirectory directory;
  const auto manifest_of = [&](const std::string& name, const std::string& lengths) {
    EXPECT_EQ(run({"-a", lengths, "-o", directory / name, "--truth-cache", directory / "cache",
                   "--truth", "mpfr", "--truth-cache-size", "1M"},
                  slow_truths())
                  .code,
              0);
    return text_of(directory / name / "manifest.json");
  };

  EXPECT_THAT(manifest_of("first", "n=8,16"),
              holds("\"tier\": \"mpfr\"", "\"needed_bits\": 75", "\"precision_bits\": 128",
                    "\"cache_hits\": 0", "\"cache_misses\": 2"));
  EXPECT_THAT(manifest_of("second", "n=8,16,32"),
              holds("\"cache_hits\": 2", "\"cache_misses\": 1",
                    "\"cache\": \"" + (directory / "cache").string() + "\""));
}

TEST(RunTruth, KeepsNoTruthBeyondTheSizeOfTheCache) {
  const TemporaryDirectory directory;
  for (const char* size : {"80", "1K"}) {
    run({"-a", "n=8", "--truth-cache", directory / "cache", "--truth-cache-size", size},
        slow_truths());
    EXPECT_EQ(std::filesystem::exists(directory / "cache"), size == std::string("1K")) << size;
  }
}

TEST(RunTruth, SaysInOneLineThatTruthsCannotBeKept) {
  const TemporaryDirectory directory;
  write_text(directory / "file", "");

  const Outcome outcome =
      run({"-a", "n=8,16", "--truth-cache", directory / "file/below"}, slow_truths());

  EXPECT_EQ(outcome.code, 0);
  const std::string line =
      "truths are not kept: " + (directory / "file/below").string() + ": cannot be written: ";
  ASSERT_THAT(outcome.err, holds(line));
  EXPECT_EQ(outcome.err.find(line), outcome.err.rfind(line));
}

TEST(RunTruth, GivesNoRowWhereItsCertificateRefutesATruth) {
  CaseFunctions functions = fake_functions();
  functions.make_problem = [](const ProblemKey& key, const truth::TruthOptions&, TruthCache*) {
    if (key.n == 16) throw truth::CertificateError("probe 3 differs by 2^-80");
    return Problem{};
  };
  functions.evaluate = [](const Case& where, const Problem& problem, Isa isa) {
    EXPECT_NE(where.n, 16u) << "measured against a truth that is none";
    return fake_functions().evaluate(where, problem, isa);
  };

  const Outcome outcome = run({"-a", "n=8,16,32", "-a", "mode=fast,bf16", "--csv", "-"}, functions);

  EXPECT_EQ(outcome.code, 3);
  const std::vector<Row> rows = results::parse_csv(outcome.out, "stdout");
  ASSERT_EQ(rows.size(), 6u);
  for (const Row& row : rows) {
    const bool refuted = row.where.n == 16;
    EXPECT_EQ(row.status, refuted ? Status::failed : Status::ok);
    EXPECT_EQ(row.message, refuted ? "probe 3 differs by 2^-80" : "");
    EXPECT_EQ(row.err_l2_rel.has_value(), !refuted);
  }
}

TEST(RunTruth, GivesNoRowWhereATruthHasFewerBitsThanAsked) {
  CaseFunctions functions = fake_functions();
  functions.make_problem = [](const ProblemKey& key, const truth::TruthOptions& options,
                              TruthCache*) {
    EXPECT_EQ(options.needed_bits, 97);
    Problem problem;
    problem.truth.bits = key.n == 16 ? 96 : 97;
    problem.truth.method = "guess";
    return problem;
  };

  const Outcome outcome = run({"-a", "n=8,16", "--truth-bits", "97", "--csv", "-"}, functions);

  EXPECT_EQ(outcome.code, 3);
  const std::vector<Row> rows = results::parse_csv(outcome.out, "stdout");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].status, Status::ok);
  EXPECT_EQ(rows[1].message, "the truth (guess) is certified to 96 bits; --truth-bits asks for 97");
}

}  // namespace
}  // namespace fftprec::commands
