/// `fftprec vectors`, and words in files of other commands: they are the case's own in every bit.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "experiments/attribution/vectors.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "reports/commands/commands.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::lacks;
using testing::Words;

class WordsOfCases : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (directory_.path() / name).string(); }
  static testing::Outcome line(Words words, const Words& axes) {
    for (const std::string& axis : axes) words.insert(words.end(), {"-a", axis});
    return testing::run_line(std::move(words));
  }
  nlohmann::json manifest() const {
    return nlohmann::json::parse(read_file(at("v/manifest.json")));
  }
  ComplexArray<double> words(const std::string& name, const std::string& format = "q1.15",
                             const std::string& exponents = "") const {
    return read_samples(at(name), 0, {.words = word_form_named({format, "", exponents})}).values;
  }

  testing::TemporaryDirectory directory_;
};

const Words halved{"algorithm=radix2-dit", "mode=q1.15", "scale=stage:1/2", "n=16",
                   "input=uniform"};

TEST_F(WordsOfCases, AreInputStagesAndOutputOfEverySeed) {
  Words axes = halved;
  axes.emplace_back("seed=3,5");
  ASSERT_THAT(line({"vectors", "-o", at("v")}, axes), exits(0).out(holds("2 sets of vectors")));

  const nlohmann::json all = manifest();
  EXPECT_EQ(all["case"]["mode"], "q1.15");
  EXPECT_EQ(all["data"]["bits"], 16);
  EXPECT_EQ(all["vectors"].size(), 2u);
  for (const auto& [file, hash] : all["files"].items())
    EXPECT_EQ(text_hash(read_file(at("v/" + file))), hash) << file;
  Case where{.algorithm = "radix2-dit", .mode = "q1.15", .n = 16, .input = "uniform"};
  where.scale = "stage:1/2";
  for (const std::uint64_t seed : {3u, 5u}) {
    where.seed = seed;
    const CasePlan plan = Session().plan(where);
    const Problem problem = make_problem(plan);
    const std::string folder = "v/seed_" + std::to_string(seed) + "/";
    EXPECT_EQ(words(folder + "output.hex"),
              attribution::with_scale(plan, run_case(plan, problem.input).values));
    const auto stages = attribution::stage_data(where, problem.input);
    ASSERT_EQ(stages.size(), 4u);
    EXPECT_EQ(words(folder + "stage_02.hex"), stages[1].values);
    EXPECT_EQ(words(folder + "stage_04.hex"), words(folder + "output.hex"));
  }
}

/// A butterfly of every stage, by hand, from the words alone.
TEST_F(WordsOfCases, AreWhatAnIntegerUnitComputes) {
  ASSERT_THAT(line({"vectors", "-o", at("v"), "--format", "csv"}, halved), exits(0));
  const auto load = [&](const std::string& name) {
    const ComplexArray<double> x = words("v/" + name);
    std::vector<std::pair<long, long>> all;
    for (std::size_t i = 0; i < x.size(); ++i)
      all.emplace_back(std::lround(std::ldexp(x.re[i], 15)), std::lround(std::ldexp(x.im[i], 15)));
    return all;
  };
  const auto even = [](long value, int shift) {  // value / 2^shift to nearest, ties to even
    const long cut = value >> shift;
    const long rest = value - (cut << shift);
    const long half = 1L << (shift - 1);
    return cut + (rest > half || (rest == half && (cut & 1) != 0) ? 1 : 0);
  };
  const auto held = [](long x) { return std::clamp(x, -32768L, 32767L); };
  const auto twiddles = load("twiddles.csv");
  auto data = load("seed_1/input.csv");
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t j = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
    if (i < j) std::swap(data[i], data[j]);
  }
  for (std::size_t half = 1, stage = 1; half < 16; half *= 2, ++stage) {
    for (auto& [re, im] : data) std::tie(re, im) = std::pair(even(re, 1), even(im, 1));
    for (std::size_t first = 0; first < 16; first += 2 * half)
      for (std::size_t j = 0; j < half; ++j) {
        auto& a = data[first + j];
        auto& b = data[first + j + half];
        const auto& w = twiddles[half + j];
        const long re = held(even(w.first * b.first - w.second * b.second, 15));
        const long im = held(even(w.first * b.second + w.second * b.first, 15));
        b = {held(a.first - re), held(a.second - im)};
        a = {held(a.first + re), held(a.second + im)};
      }
    EXPECT_EQ(load("seed_1/stage_0" + std::to_string(stage) + ".csv"), data) << stage;
  }
}

TEST_F(WordsOfCases, OfBlocksHaveTheExponentsOfTheirStages) {
  ASSERT_THAT(line({"vectors", "-o", at("v")}, {"algorithm=radix2-dit", "mode=q1.15", "scale=block",
                                                "n=16", "batch=2", "input=uniform"}),
              exits(0));
  Case where{.algorithm = "radix2-dit", .mode = "q1.15", .n = 16, .batch = 2, .input = "uniform"};
  where.scale = "block";
  const CasePlan plan = Session().plan(where);
  const Problem problem = make_problem(plan);
  const auto stages = attribution::stage_data(where, problem.input);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const std::string name = "v/seed_1/stage_0" + std::to_string(s + 1);
    ASSERT_TRUE(stages[s].exponents.has_value());
    EXPECT_EQ(stages[s].exponents->re.size(), 2u) << "one for each item";
    EXPECT_EQ(words(name + ".hex", "q1.15", at(name + ".exponents.csv")), stages[s].values);
  }
  // Data grow by the stages, and so do the exponents.
  EXPECT_GT(stages.back().exponents->re.front(), stages.front().exponents->re.front());
  EXPECT_EQ(words("v/seed_1/output.hex", "q1.15", at("v/seed_1/output.exponents.csv")),
            run_case(plan, problem.input).values);
}

TEST_F(WordsOfCases, OfIntegerBlocksHoldTheirValues) {
  const Words axes{"algorithm=radix2-dit", "mode=block(element=int:12,size=4)",
                   "rounding_points=stage", "n=16"};
  ASSERT_THAT(line({"vectors", "-o", at("v")}, axes), exits(0));
  Case where{.algorithm = "radix2-dit", .mode = "block(element=int:12,size=4)", .n = 16};
  where.rounding_points = "stage";
  const CasePlan plan = Session().plan(where);
  const ComplexArray<double> output = run_case(plan, make_problem(plan).input).values;
  EXPECT_EQ(words("v/seed_1/output.hex", "q2.10", at("v/seed_1/output.exponents.csv")), output);
}

TEST_F(WordsOfCases, GoThroughEveryCommand) {
  ASSERT_THAT(line({"input", "uniform", "-n", "16", "--words", "q1.15", "-o", at("x.hex")}, {}),
              exits(0));
  EXPECT_THAT(read_file(at("x.toml")), holds("rounded:to=q1.15:inner=uniform"));
  const Words axes{"algorithm=radix2-dit", "mode=q1.15", "scale=stage:1/2"};
  ASSERT_THAT(
      line({"compute", "--input", at("x.hex"), "-o", at("y.hex"), "--stages", at("s")}, axes),
      exits(0));
  ASSERT_THAT(line({"compute", "--input", at("x.hex"), "-o", at("y.npy")}, axes), exits(0));
  const ComplexArray<double> y = words("y.hex");
  const ComplexArray<double> scaled = read_samples(at("y.npy")).values;
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(16 * y.re[i], scaled.re[i]);
  EXPECT_EQ(words("s/stage_04.hex"), y);

  EXPECT_THAT(line({"measure", "--input", at("x.hex"), "--output", at("y.hex"), "--words", "int16",
                    "--norm", "forward", "--max", "err_l2_rel=1e-2"},
                   {}),
              exits(0));
  EXPECT_THAT(line({"measure", "--input", at("x.hex"), "--output", at("y.hex"), "--words", "int16",
                    "--max", "err_l2_rel=1e-2"},
                   {}),
              exits(1));
  EXPECT_THAT(line({"diverge", "--input", at("x.hex"), "--stages", at("s")}, axes), exits(0));
  std::string text = read_file(at("s/stage_03.hex"));
  text.replace(0, 4, text[0] == '0' ? "1555" : "0555");
  replace_file(at("s/stage_03.hex"), text);
  EXPECT_THAT(line({"diverge", "--input", at("x.hex"), "--stages", at("s")}, axes),
              exits(1).out(holds("stage_03.hex")));
}

TEST_F(WordsOfCases, OfABlockAreMeasuredWithTheExponentsBesideThem) {
  const Words axes{"algorithm=radix2-dit", "mode=q1.15", "scale=block"};
  ASSERT_THAT(line({"input", "uniform", "-n", "16", "--words", "q1.15", "-o", at("x.hex")}, {}),
              exits(0));
  ASSERT_THAT(line({"compute", "--input", at("x.hex"), "-o", at("y.hex")}, axes), exits(0));
  const Words measure{"measure", "--input", at("x.hex"), "--output", at("y.hex")};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };

  EXPECT_THAT(line(with(measure, {"--words", "q1.15", "--max", "err_l2_rel=1e-3"}), {}), exits(0));
  EXPECT_THAT(line(with(measure, {"--max", "err_l2_rel=1e-3"}), {"mode=q1.15"}),
              exits(1).out(holds("pass  err_l2_rel = ", "FAIL  err_l2_rel")))
      << "the mode names the format; it is not of blocks, so its theory fails";
  // Words that replace them have no exponents.
  ASSERT_THAT(line({"compute", "--input", at("x.hex"), "-o", at("y.hex")},
                   {"algorithm=radix2-dit", "mode=q1.15", "scale=stage:1/2"}),
              exits(0));
  EXPECT_THAT(
      line(with(measure, {"--words", "q1.15", "--norm", "forward", "--max", "err_l2_rel=1e-2"}),
           {}),
      exits(0));
}

TEST_F(WordsOfCases, OfRealInputsAreReadByEveryCommand) {
  ASSERT_THAT(line({"input", "impulse", "-n", "16", "--words", "q1.15", "--layout", "real", "-o",
                    at("x.hex")},
                   {}),
              exits(0));
  for (const std::string transform : {"fft", "rfft"}) {
    const Words axes{"transform=" + transform, "algorithm=radix2-dit", "mode=q1.15",
                     "scale=stage:1/2"};
    ASSERT_THAT(line({"compute", "--input", at("x.hex"), "--layout", "real", "-o", at("y.hex"),
                      "--stages", at(transform)},
                     axes),
                exits(0));
    EXPECT_THAT(line({"measure", "--input", at("x.hex"), "--output", at("y.hex"), "--transform",
                      transform, "--words", "q1.15", "--layout", "real", "--norm", "forward",
                      "--max", "err_l2_rel=1e-2"},
                     {}),
                exits(0));
    replace_file(at("r.toml"),
                 "[[result]]\ninput = 'x.hex'\noutput = 'y.hex'\nwords = 'q1.15'\n"
                 "layout = 'real'\nnorm = 'forward'\ntransform = '" +
                     transform + "'\n");
    EXPECT_THAT(line({"measure", at("r.toml"), "--max", "err_l2_rel=1e-2"}, {}), exits(0));
  }
  ASSERT_THAT(line({"vectors", "--layout", "real", "-o", at("v")},
                   {"transform=rfft", "mode=q1.15", "scale=stage:1/2", "n=16", "input=uniform"}),
              exits(0));
  EXPECT_EQ(manifest()["layout"], "interleaved");
  EXPECT_EQ(manifest()["vectors"][0]["input"]["words"], 16);
  EXPECT_EQ(std::ranges::count(read_file(at("v/seed_1/input.hex")), '\n'), 16);
}

TEST_F(WordsOfCases, ReplaceThoseOfEarlierVectors) {
  const auto vectors = [&](const std::string& seeds) {
    Words axes = halved;
    axes.push_back("seed=" + seeds);
    return line({"vectors", "-o", at("v")}, axes);
  };
  const auto exists = [&](const char* name) { return std::filesystem::exists(at(name)); };
  ASSERT_THAT(vectors("1..4"), exits(0).out(lacks("removed")));
  replace_file(at("v/seed_2/mine.txt"), "mine");
  replace_file(at("v/seed_3/output.hex"), "0000\n");

  EXPECT_THAT(vectors("1"),
              exits(0)
                  .out("1 set of vectors, 8 files; removed 17 files of earlier vectors")
                  .err(holds("v/seed_3/output.hex: stays", "it has changed")));

  EXPECT_FALSE(exists("v/seed_2/input.hex"));
  EXPECT_TRUE(exists("v/seed_2/mine.txt"));
  EXPECT_TRUE(exists("v/seed_3/output.hex"));
  EXPECT_FALSE(exists("v/seed_4"));
  for (const auto& [file, hash] : manifest()["files"].items())
    EXPECT_EQ(text_hash(read_file(at("v/" + file))), hash) << file;

  const std::string own = read_file(at("v/manifest.json"));
  replace_file(at("v/manifest.json"), R"({"vectors": [], "files": {"../x.hex": "0"}})");
  EXPECT_THAT(vectors("1"), exits(2).err("lists '../x.hex', which is outside the folder"));
  replace_file(at("v/manifest.json"), R"({"sweep": "smoke"})");
  EXPECT_THAT(vectors("1"), exits(2).err("is no manifest of vectors; choose another folder"));
  replace_file(at("v/manifest.json"), own);
  EXPECT_THAT(vectors("1"), exits(0).out(lacks("removed")));
}

TEST_F(WordsOfCases, OfListsOfResultsAreMeasured) {
  ASSERT_THAT(line({"input", "uniform", "-n", "16", "--words", "q1.15", "-o", at("x.mem")}, {}),
              exits(0));
  ASSERT_THAT(line({"compute", "--input", at("x.mem"), "-o", at("y.csv")},
                   {"mode=q1.15", "scale=stage:1/2"}),
              exits(0));
  replace_file(
      at("r.toml"),
      "[[result]]\ninput = 'x.mem'\noutput = 'y.csv'\nwords = 'q1.15'\nnorm = 'forward'\n");
  EXPECT_THAT(line({"measure", at("r.toml"), "--max", "err_l2_rel=1e-2"}, {}), exits(0));
}

TEST_F(WordsOfCases, AreListedWhereTheyLeaveTheRange) {
  const Words axes{"algorithm=radix2-dit", "mode=q1.15", "n=16", "input=uniform", "seed=1"};
  ASSERT_THAT(line({"compute", "-o", at("y.npy"), "--overflows", at("o.csv")}, axes), exits(0));
  const std::string csv = read_file(at("o.csv"));
  EXPECT_THAT(csv, holds("stage,index,part,value,beyond\n", "butterflies, stage "));

  const CasePlan plan =
      Session().plan({.algorithm = "radix2-dit", .mode = "q1.15", .n = 16, .input = "uniform"});
  const Problem problem = make_problem(plan);
  const auto overflows = attribution::overflows_of(plan, problem.input);
  EXPECT_EQ(overflows.size(), run_case(plan, problem.input).overflow_count);
  const auto stages = attribution::stage_data(plan.where(), problem.input);
  for (const attribution::Overflow& one : overflows) {
    ASSERT_TRUE(one.place.has_value()) << one.stage;
    EXPECT_GT(one.beyond, 0);
    for (const attribution::StageData& stage : stages) {
      if (stage.title != one.stage) continue;
      const double kept = (one.is_imaginary ? stage.values.im : stage.values.re)[*one.place];
      // A product may have left the range on one side, and then its sum on the other.
      if (std::abs(kept) < 1 - 0x1p-15) continue;
      EXPECT_TRUE(std::ranges::any_of(overflows,
                                      [&](const attribution::Overflow& other) {
                                        return other.stage == one.stage &&
                                               other.place == one.place &&
                                               other.is_imaginary == one.is_imaginary &&
                                               (other.value < 0) == (kept < 0);
                                      }))
          << one.stage << ", " << *one.place;
    }
  }
  EXPECT_THAT(line({"show"}, axes),
              exits(0).out(holds("Data after each stage", "overflows", "The first of ")));
}

TEST_F(WordsOfCases, AreRefusedWithTheReason) {
  for (const Words& command : {Words{"vectors", "-o", at("v")}, {"compute", "-o", at("y.hex")}})
    EXPECT_THAT(line(command, {"mode=bfp16", "n=16"}),
                exits(2).err(holds("mode bfp16 with rounding_points=op keeps its data in fp32, "
                                   "which has no words",
                                   "as q1.15", "bfp16 with rounding_points=stage")));
  EXPECT_THAT(line({"vectors", "-o", at("v")},
                   {"algorithm=radix2-dit", "mode=bfp16", "rounding_points=stage", "n=16"}),
              exits(0));
  replace_file(at("x.hex"), "0001\n0002\n");
  EXPECT_THAT(line({"compute", "--input", at("x.hex"), "-o", at("y.hex")}, {"mode=q0.15"}),
              exits(2).err(holds("'q0.15'", "one of the sign")));
  EXPECT_THAT(line({"compute", "--input", at("x.hex"), "-o", at("y.hex")}, {"mode=fp32"}),
              exits(2).err("or --words q1.15"));
  const testing::Outcome packed = line(
      {"input", "uniform", "-n", "4", "--words", "q1.15", "--layout", "packed", "-o", at("p.csv")},
      {});
  EXPECT_THAT(packed, exits(2).err(at("p.csv") + ": a .csv file holds no packed words"));
  EXPECT_THAT(packed, exits(2).err(lacks("p.csv: " + at("p.csv"))));
  EXPECT_THAT(line({"vectors", "-o", at("v")}, {"mode=bf16", "n=16"}),
              exits(2).err(holds("mode bf16 has no words")));
  EXPECT_THAT(line({"vectors", "-o", at("v")}, {"mode=q1.15", "n=16,32"}),
              exits(2).err(holds("vectors are of one case")));
  EXPECT_THAT(line({"vectors", "-o", at("v"), "--format", "bin"}, {"mode=q1.15", "n=16"}),
              exits(2).err(holds("unknown format of vectors 'bin'")));
  EXPECT_THAT(line({"compute", "-o", at("y.hex")}, {"mode=fp32", "n=16"}),
              exits(2).err(holds("words are of fixed point")));
  EXPECT_THAT(line({"compute", "-o", at("y.txt")}, {"mode=q1.15", "n=16"}),
              exits(2).err(holds("expected a name that ends in .npy")));
}

}  // namespace
}  // namespace fftprec::commands
