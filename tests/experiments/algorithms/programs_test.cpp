/// Other programs as algorithms: values go through bit for bit, and what an adapter does wrong
/// costs its own rows and says why.
#include "experiments/algorithms/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "experiments/cases/evaluate.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The case of a program that makes a mistake.
Case case_of(const std::string& mistake, std::size_t n = 12, const std::string& mode = "fp64",
             double timeout_s = 60) {
  add_program(
      {.name = mistake, .command = {.words = {FFTPREC_ADAPTER, mistake}, .timeout_s = timeout_s}});
  return {.algorithm = "program:" + mistake, .mode = mode, .n = n};
}

/// The message of the failure of a case.
std::string failure_of(const Case& where) {
  return error_text([&] { evaluate(where); });
}

/// What measure would say of a program's results.
std::string suspicion_of(const std::string& mistake, std::size_t n = 12) {
  const Case where = case_of(mistake, n);
  Samples given{.values = make_problem(problem_key(where)).input, .shape = {n}};
  const ForeignProblem asked = foreign_problem("fft", n, given);
  const Output output = run_in_mode(algorithm_named(where.algorithm), where, given.values);
  return suspicion(asked, output.values, fp64);
}

}  // namespace

TEST(Programs, CostTheirRequestsAndNotOnlyTheirTransforms) {
  Session session;
  const auto cost = [&](const Case& where) { return session.plan(where).cost().run_ns; };
  for (const std::size_t n : {16u, 4096u}) {
    const double own = cost({.algorithm = "radix2-dit", .mode = "fp64", .n = n});
    EXPECT_GT(cost(case_of("healthy", n)), 1e6);
    EXPECT_GT(cost(case_of("healthy", n)), 5 * own);
  }
  EXPECT_GT(cost(case_of("healthy", 65536)), 2 * cost(case_of("healthy", 16)));
}

TEST(Programs, GiveRowsAsOtherAlgorithmsDo) {
  for (const std::size_t n : {1u, 12u, 13u, 64u})
    for (const char* mode : {"fp64", "fp32"})
      for (const char* transform : {"fft", "ifft"}) {
        Case where = case_of("healthy", n, mode);
        where.transform = transform;
        where.batch = 3;
        const Row row = evaluate(where);
        SCOPED_TRACE(row.message);
        EXPECT_EQ(row.status, Status::ok);
        EXPECT_LE(row.err_l2_rel, mode == std::string("fp64") ? 1e-14 : 1e-7);
        EXPECT_LE(row.err_roundtrip_l2_rel, mode == std::string("fp64") ? 1e-14 : 2e-7);
        EXPECT_FALSE(row.bound_l2_rel);
      }
}

TEST(Programs, SendAndReceiveEveryBit) {
  for (const char* mode : {"fp64", "fp32", "fp16", "bf16", "q1.15", "q1.31", "posit16"}) {
    Case where = case_of("echo", 64, mode);
    where.input = "wide";
    if (mode[0] == 'q') where.input = "uniform";
    ComplexArray<double> x = make_problem(problem_key(where)).input;
    for (auto* parts : {&x.re, &x.im})
      for (double& part : *parts) part = round(part, format_named(mode), Rounding::rne);
    const Output output = run_in_mode(algorithm_named(where.algorithm), where, x);
    EXPECT_EQ(output.values.re, x.re) << mode;
    EXPECT_EQ(output.values.im, x.im) << mode;
  }
}

TEST(Programs, MayAnnounceTheScaleOfTheirResults) {
  Case where = case_of("announced", 16);
  where.transform = "ifft";
  EXPECT_LE(evaluate(where).err_l2_rel, 1e-15);
  where = case_of("unscaled", 16);
  where.transform = "ifft";
  EXPECT_GE(evaluate(where).err_l2_rel, 10);
}

TEST(Programs, AreSkippedWhereTheySayNo) {
  Case where = case_of("healthy");
  where.transform = "rfft";
  Row row = evaluate(where);
  EXPECT_EQ(row.status, Status::skipped);
  EXPECT_EQ(row.message,
            "program:healthy: rfft of 12, forward, fp64, batch 1: only fft of one axis");
  where = case_of("healthy", 12, "fp16");
  EXPECT_THAT(evaluate(where).message, HasSubstr("only fp32 and fp64"));
  row = evaluate(case_of("forward-only"));
  EXPECT_EQ(row.status, Status::ok);
  EXPECT_FALSE(row.err_roundtrip_l2_rel);
}

TEST(Programs, AreNotAskedForWhatHasNoMeaning) {
  Case where = case_of("healthy", 12, "bf16_fp32acc");
  where.mode = "ozaki";
  EXPECT_THAT(evaluate(where).message, HasSubstr("has its own arithmetic"));
  where = case_of("healthy");
  where.tables = "fp32-angle";
  EXPECT_THAT(evaluate(where).message, HasSubstr("has its own tables"));
  where = case_of("healthy", 64);
  where.transform = "stft";
  EXPECT_THAT(evaluate(where).message, HasSubstr("made of FFTs"));
}

TEST(Programs, WithAnotherConventionAreNamedByTheSuspicion) {
  EXPECT_EQ(suspicion_of("healthy"), "");
  EXPECT_THAT(suspicion_of("sign"), HasSubstr("the exponent has the other sign"));
  EXPECT_THAT(suspicion_of("scaled"), HasSubstr("every value is 1/N of the truth"));
  EXPECT_THAT(suspicion_of("shifted"), HasSubstr("shift"));
}

TEST(Programs, ThatFailCostTheirOwnRowsAndStartAgain) {
  const struct {
    const char* mistake;
    const char* says;
  } cases[] = {{"exits", "ended with exit code 3; its last words: no plan for 13"},
               {"aborts", "ended by Aborted"},
               {"hangs", "gives no answer in time"},
               {"says-nonsense", "answers 'result:', expected 'ok 208'"}};
  for (const auto& [mistake, says] : cases) {
    const Case fails = case_of(mistake, 13, "fp64", 2);
    for (int again = 0; again < 2; ++again) {
      EXPECT_THAT(failure_of(fails),
                  AllOf(StartsWith(fails.algorithm + ": fft of 13, forward, "), HasSubstr(says)));
      EXPECT_EQ(evaluate({.algorithm = fails.algorithm, .mode = "fp64", .n = 12}).status,
                Status::ok);
    }
  }
}

TEST(Programs, ThatSendTooLittleOrTooMuchAreNotBelieved) {
  EXPECT_THAT(failure_of(case_of("truncated")), HasSubstr("answers 96 bytes, expected 192"));
  // Where the surplus comes late, it is the answer to the next request.
  const Case chatters = case_of("chatter");
  std::string said = failure_of(chatters);
  if (said.empty()) said = failure_of(chatters);
  EXPECT_THAT(said, ::testing::AnyOf(HasSubstr("sends more than the 192 bytes"),
                                     HasSubstr("answers 'done'")));
}

TEST(Programs, WithAnotherPackingAreToldItsName) {
  const auto said_of = [](const char* mistake) {
    Case where = case_of(mistake, 16);
    where.transform = "rfft";
    where.batch = 2;
    return failure_of(where);
  };
  EXPECT_EQ(said_of("reals"), "no error");
  EXPECT_THAT(said_of("packed"), HasSubstr("answers 256 bytes, expected 288: perhaps a spectrum "
                                           "packed in n real values"));
  EXPECT_THAT(said_of("whole"), HasSubstr("perhaps the whole spectrum"));
  EXPECT_THAT(failure_of(case_of("truncated")), HasSubstr("perhaps values of half the size"));
}

TEST(Programs, ThatDoNotStartAreTriedThreeTimes) {
  const Case absent = case_of("does-not-start");
  for (int i = 0; i < 3; ++i)
    EXPECT_THAT(failure_of(absent),
                HasSubstr("exit code 127; its last words: libfft.so.3: cannot open"));
  EXPECT_THAT(failure_of(absent), HasSubstr("was not started again after 3 failures"));
  EXPECT_THAT(failure_of(case_of("greets-wrongly")),
              HasSubstr("answers 'Welcome!', expected 'fftprec-program 1 VERSION'"));
  EXPECT_THAT(failure_of(case_of("silent", 12, "fp64", 0.2)), HasSubstr("no answer in time"));
  add_program({.name = "nowhere", .command = {.words = {"/nowhere/adapter"}}});
  EXPECT_THAT(failure_of({.algorithm = "program:nowhere", .mode = "fp64", .n = 8}),
              HasSubstr("cannot start /nowhere/adapter: No such file"));
}

TEST(Programs, AnswerSeveralThreads) {
  const Case where = case_of("healthy", 31);
  const Problem problem = make_problem(problem_key(where));
  const ComplexArray<double> expected =
      run_in_mode(algorithm_named(where.algorithm), where, problem.input).values;
  std::vector<std::thread> threads;
  std::vector<int> equal(8);
  for (int& one : equal)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        one += run_in_mode(algorithm_named(where.algorithm), where, problem.input).values.re ==
               expected.re;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(equal, ::testing::Each(20));
}

TEST(Programs, RunOnlyWhereTheUserNamedThem) {
  EXPECT_THAT(
      error_text([] { algorithm_named("program:stranger"); }),
      AllOf(HasSubstr("starts only if the command line names it"), HasSubstr("--programs")));
  EXPECT_THAT(error_text([] { algorithm_named("program:" FFTPREC_ADAPTER); }),
              HasSubstr("starts only if"));
  EXPECT_THAT(error_text([] { program_at("./no-such-adapter"); }),
              HasSubstr("no file that can be executed"));
  add_program(program_at(FFTPREC_ADAPTER));
  const Case named{.algorithm = "program:" FFTPREC_ADAPTER, .mode = "fp64", .n = 8};
  EXPECT_EQ(evaluate(named).status, Status::ok);
}

TEST(Programs, HaveAnIdentity) {
  case_of("healthy");
  const ProgramIdentity identity = program_identity("program:healthy");
  EXPECT_EQ(identity.version, "sums 2.5 (healthy)");
  EXPECT_THAT(identity.command, ::testing::ElementsAre(FFTPREC_ADAPTER, "healthy"));
  EXPECT_EQ(identity.hash.size(), 16u);
  case_of("does-not-start");
  EXPECT_THAT(program_identity("program:does-not-start").version,
              StartsWith("unknown: ended with"));
}

TEST(Programs, MayBeFunctionsOfThisProcess) {
  add_program("twice", "1.0",
              [](const WholeTransform& transform, std::size_t batch, const auto& x) {
                if (transform.name != "fft" || transform.direction == Direction::inverse)
                  throw NotApplicable("only fft");
                EXPECT_EQ(transform.lengths.front() * batch, x.size());
                return x;
              });
  const Row row = evaluate({.algorithm = "program:twice", .mode = "fp32", .n = 8});
  EXPECT_EQ(row.status, Status::ok);
  EXPECT_GT(row.err_l2_rel, 0.5);
  EXPECT_EQ(program_identity("program:twice").version, "1.0");
}

TEST(ProgramFile, NamesProgramsWithTheirCommands) {
  const auto programs = parse_programs(R"(
[own]
about = "An FFT"
command = ["./own", "--float"]
timeout = "5s"
[numpy]
command = ["python3", "numpy_adapter.py"]
)",
                                       "/folder/programs.toml");
  ASSERT_EQ(programs.size(), 2u);
  const auto& own = programs[programs[0].name == "own" ? 0 : 1];
  EXPECT_EQ(own.command.words[0], "/folder/./own");
  EXPECT_EQ(own.command.directory, "/folder");
  EXPECT_EQ(own.command.timeout_s, 5);
  EXPECT_EQ(programs[programs[0].name == "own" ? 1 : 0].command.words[0], "python3");
}

TEST(ProgramFile, SaysWhatIsWrong) {
  const auto error_of = [](const char* text) {
    return error_text([&] { parse_programs(text, "p.toml"); });
  };
  EXPECT_THAT(error_of(""), HasSubstr("p.toml: names no program"));
  EXPECT_THAT(error_of("[a]\nabout = 'x'\n"), HasSubstr("command"));
  EXPECT_THAT(error_of("[a]\ncommand = []\n"), StartsWith("p.toml:2:"));
  EXPECT_THAT(error_of("[a]\ncommand = ['x']\ntimeout = 'soon'\n"), HasSubstr("60s"));
  EXPECT_THAT(error_of("[a]\ncommand = ['x']\nshell = true\n"), HasSubstr("shell"));
  EXPECT_THAT(error_of("a = 1\n"), StartsWith("p.toml:1:"));
  EXPECT_THAT(error_text([] { add_program({.name = "a b", .command = {.words = {"x"}}}); }),
              HasSubstr("no blanks"));
}

}  // namespace fftprec::testing
