#include "experiments/sweeps/sweep.hpp"

#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "arith/machines/machine.hpp"
#include "tests/experiments/cases/few_names.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;
using testing::known_names_only;
using ::testing::Not;
using ::testing::StartsWith;

Sweep parse(const std::string& toml) { return parse_sweep(toml, "file.toml", known_names_only); }

std::string error_in(const std::string& toml) {
  return error_text([&] { parse(toml); });
}

std::vector<std::string> points(const Sweep& sweep, const Axes& overrides = {}) {
  std::vector<std::string> result;
  for (const Case& where : case_list(sweep, overrides).all())
    result.push_back(where.algorithm + " " + where.mode + " " + std::to_string(where.n));
  return result;
}

TEST(Sweep, ExpandsEveryFormOfValues) {
  const Sweep sweep = parse(R"toml(
    name = "forms"
    question = "Which?"
    gates = "gates.toml"
    [axes]
    mode = "fp32,bf16"
    n = { pow2 = [3, 5] }
    batch = 2
    seed = { range = [1, 5, 2] }
    input = ["a(1,2)", "b"])toml");

  EXPECT_EQ(sweep.name, "forms");
  EXPECT_EQ(sweep.question, "Which?");
  EXPECT_EQ(sweep.gates, "gates.toml");
  const auto cases = cases_of(sweep);
  EXPECT_EQ(cases.size(), 2u * 3 * 1 * 3 * 2);
  std::set<std::uint64_t> lengths, seeds;
  std::set<std::string> inputs;
  for (const Case& where : cases) {
    lengths.insert(where.n);
    seeds.insert(where.seed);
    inputs.insert(where.input);
    EXPECT_EQ(where.batch, 2u);
  }
  EXPECT_EQ(lengths, (std::set<std::uint64_t>{8, 16, 32}));
  EXPECT_EQ(seeds, (std::set<std::uint64_t>{1, 3, 5}));
  EXPECT_EQ(inputs, (std::set<std::string>{"a(1,2)", "b"}));
}

TEST(Sweep, TakesLengthsByTheirFactors) {
  EXPECT_EQ(points(parse("[axes]\nn = { smooth = [60, 72] }")).size(), 5u);
  EXPECT_EQ(points(parse("[axes]\nn = { primes = [3, 13] }")).size(), 5u);
}

TEST(Sweep, PutsDefaultsUnderTheAxesAndTheseUnderABlock) {
  const auto all = points(parse(R"([defaults]
mode = "bf16"
algorithm = "radix"
n = 8
[axes]
n = [16, 32]
[[sweep]]
[[sweep]]
n = 64
mode = "fp32"
[[include]]
algorithm = "gemm")"));

  EXPECT_THAT(all, ElementsAre("gemm bf16 16", "gemm bf16 32", "radix bf16 16", "radix bf16 32",
                               "radix fp32 64"));
}

TEST(Sweep, DrawsEachMetricThatNoPlotShows) {
  const Sweep sweep = parse(R"(metrics = ["err_l2_rel", "err_max_ulp", "bits_l2"]
[axes]
[[plot]]
y = "bits_l2"
title = "own")");

  EXPECT_THAT(sweep.metrics, ElementsAre("err_l2_rel", "err_max_ulp", "bits_l2"));
  const std::vector<FigureRequest> plots = plots_of(sweep);
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].title, "own");
  EXPECT_EQ(plots[1].y, "err_max_ulp");
  EXPECT_EQ(plots[1].title, "err_max_ulp against n");
}

constexpr const char* blocks = R"(
[axes]
mode = ["fp32", "bf16"]
[[sweep]]
algorithm = "gemm"
n = [64, 128]
[[sweep]]
algorithm = "radix"
n = [128, 256]
[[exclude]]
algorithm = "gemm"
n = 128
[[exclude]]
where = "n>=256 and mode=bf16"
[[include]]
algorithm = "radix"
mode = "ozaki"
n = 8
)";

TEST(Sweep, IsTheUnionOfBlocksLessExclusionsPlusInclusions) {
  EXPECT_THAT(points(parse(blocks)),
              ::testing::ElementsAre("gemm bf16 64", "gemm fp32 64", "radix bf16 128",
                                     "radix fp32 128", "radix fp32 256", "radix ozaki 8"));
}

TEST(Sweep, LetsTheCommandLineReplaceAnAxisInEveryBlock) {
  Axes overrides;
  set_axis(overrides, "n=64", known_names_only);

  EXPECT_THAT(points(parse(blocks), overrides),
              ::testing::ElementsAre("gemm bf16 64", "gemm fp32 64", "radix bf16 64",
                                     "radix fp32 64", "radix ozaki 64"));
}

TEST(Sweep, DropsDuplicatesOfOverlappingBlocks) {
  EXPECT_EQ(points(parse("[[sweep]]\nn=[8,16]\n[[sweep]]\nn=[16,32]\n")).size(), 3u);
}

TEST(Sweep, LimitsTheUnionOfItsBlocks) {
  const std::string first = "[[sweep]]\nn = 8\nseed = \"1..1000\"\n";
  const std::string second = "[[sweep]]\nn = { range = [9, 4008] }\nseed = \"1..1000\"\n";
  const std::string text = first + second;
  EXPECT_THAT(error_text([&] { cases_of(parse(text)); }), holds("make more than 4000000 cases"));
}

TEST(Sweep, KeepsPlotsAsData) {
  const Sweep sweep = parse(R"([axes]
[[plot]]
title = "T"
y = "err_linf_rel"
filter = "mode=bf16"
[[plot]]
y = "err_over_bound"
series = "machine"
[[plot]]
kind = "heatmap"
y = "err_over_expected"
[[plot]]
kind = "cost"
[[plot]]
kind = "histogram")");

  ASSERT_EQ(sweep.plots.size(), 5u);
  EXPECT_EQ(sweep.plots[4].kind, "histogram");
  EXPECT_EQ(sweep.plots[0].kind, "lines");
  EXPECT_EQ(sweep.plots[2].kind, "heatmap");
  EXPECT_EQ(sweep.plots[2].place, "file.toml:10:8: ");
  EXPECT_EQ(sweep.plots[2].y, "err_over_expected");
  EXPECT_EQ(sweep.plots[0].title, "T");
  EXPECT_EQ(sweep.plots[0].x, "");
  EXPECT_EQ(sweep.plots[0].y, "err_linf_rel");
  EXPECT_EQ(text_of(sweep.plots[0].where), "mode=bf16");
  EXPECT_EQ(sweep.plots[1].y, "err_over_bound");
  EXPECT_EQ(sweep.plots[1].series, "machine");
}

TEST(Sweep, TakesComputedNumbersForAxesOfPlotsButNotAcrossAHeatMap) {
  const Sweep sweep = parse(
      "[axes]\n[[plot]]\nkind = \"cost\"\nx = \"published_us\"\n"
      "[[plot]]\ny = \"published_us\"\n");
  EXPECT_EQ(sweep.plots.at(0).x, "published_us");
  EXPECT_EQ(sweep.plots.at(1).y, "published_us");
  for (const char* bad : {"kind = \"heatmap\"\nx = \"published_us\"", "series = \"published_us\""})
    EXPECT_THROW(parse(std::string("[axes]\n[[plot]]\n") + bad), InputError) << bad;
}

TEST(Sweep, NamesThePlaceOfEveryError) {
  for (const auto& [toml, place, message] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"nam = \"x\"", "file.toml:1:1: ", "unknown key 'nam'; did you mean 'name'?"},
           {"\nname = 3", "file.toml:2:8: ", "name: expected a text, not 3"},
           {"[axes]\nmod = \"fp32\"", "file.toml:2:1: ", "did you mean 'mode'?"},
           {"[axes]\nmode = [\"fp32\",\n  \"bf61\"]", "file.toml:3:3: ", "unknown mode 'bf61'"},
           {"[axes]\nmode = \"bf61\"", "file.toml:2:8: ", "known: fp32, bf16, ozaki"},
           {"[axes]\nn = 0", "file.toml:2:5: ", "contains 0"},
           {"[axes]\nn = -3", "file.toml:2:5: ", "is not an integer"},
           {"[axes]\nn = 1.5", "file.toml:2:5: ", "n: expected a text or a whole number, not 1.5"},
           {"[axes]\nn = []", "file.toml:2:5: ", "needs at least one value"},
           {"[axes]\nn = {pow3 = [1, 2]}", "file.toml:2:6: ", "did you mean 'pow2'?"},
           {"[axes]\nn = {}", "file.toml:2:5: ", "expected one of pow2, smooth, primes, range"},
           {"[axes]\nn = {pow2 = [1, 2], range = [1, 2]}", "file.toml:2:5: ", "expected one of"},
           {"[axes]\nn = {primes = [24, 28]}", "file.toml:2:15: ", "holds no prime"},
           {"[defaults]\nn = [1, 2]", "file.toml:2:5: ", "a default is one value"},
           {"[defaults]\nmod = 1", "file.toml:2:1: ", "did you mean 'mode'?"},
           {"default = 1", "file.toml:1:1: ", "did you mean 'defaults'?"},
           {"metrics = \"err_l2_rel\"", "file.toml:1:11: ", "metrics: expected an array of names"},
           {"metrics = [\"bits_l2\", \"err_l2\"]",
            "file.toml:1:23: ", "did you mean 'err_l2_rel'?"},
           {"metrics = [\"status\"]", "file.toml:1:12: ", "unknown metric 'status'"},
           {"[[exclude]]\nwhere = \"mode=bf61\"", "file.toml:2:9: ", "unknown mode 'bf61'"},
           {"[[plot]]\nfilter = \"mode=bf61\"", "file.toml:2:10: ", "unknown mode 'bf61'"},
           {"[axes]\nn = {pow2 = 3}",
            "file.toml:2:13: ", "n: expected [first, last] or [first, last, step], not 3"},
           {"[axes]\nn = {pow2 = [5, 3]}", "file.toml:2:13: ", "is an empty range"},
           {"axes = 3", "file.toml:1:8: ", "axes: expected a table, [axes], not 3"},
           {"[sweep]\nn = 3", "file.toml:1:1: ", "sweep: expected tables, [[sweep]], not a table"},
           {"[[exclude]]\nwhere = \"mod=3\"", "file.toml:2:9: ", "unknown column 'mod'"},
           {"[[exclude]]\nmode = \"bf61\"", "file.toml:2:8: ", "unknown mode 'bf61'"},
           {"[[exclude]]\nmod = 3\nwhere = \"n>4\"", "file.toml:2:1: ", "did you mean 'mode'?"},
           {"[[exclude]]\nwhere = \"err_l2_rel>1\"", "file.toml:1:1: ", "by axes only"},
           {"[[exclude]]", "file.toml:1:1: ", "needs a condition"},
           {"[[plot]]\ny = \"err\"", "file.toml:2:5: ", "unknown metric 'err'"},
           {"[[plot]]\ny = \"mode\"", "file.toml:2:5: ", "unknown metric 'mode'"},
           {"[[plot]]\nx = \"status\"", "file.toml:2:5: ", "x = status is not a column of numbers"},
           {"", "file.toml:1:1: ", "nothing to run: a sweep needs [axes] or [[sweep]]"},
           {"name = \"x\"", "file.toml:1:1: ", "nothing to run"},
           {"[[plot]]\nkind = 3", "file.toml:2:8: ", "kind: expected a text, not 3"},
           {"[[plot]]\ncolour = \"red\"", "file.toml:2:1: ", "unknown key 'colour'"},
           {"[[plot]]\nfilter = \"n<\"", "file.toml:2:10: ", "one number"},
           {"name = \"x", "file.toml:1:", "string"},
           {"name = \"x\"\nname = \"y\"", "file.toml:2:", "name"}})
    EXPECT_THAT(error_in(toml),
                AllOf(StartsWith(place), holds(message), Not(holds(": file.toml:"))))
        << toml;
}

TEST(Sweep, KeepsItsText) { EXPECT_EQ(parse("[axes]\nn = 8\n").text, "[axes]\nn = 8\n"); }

class EveryBuiltinSweep : public ::testing::TestWithParam<BuiltinSweep> {};

TEST_P(EveryBuiltinSweep, IsWellFormedAndNamedAsItsFile) {
  const Sweep sweep = parse_sweep(GetParam().toml, GetParam().name, [](const Case&) {});

  EXPECT_EQ(sweep.name, GetParam().name);
  EXPECT_FALSE(sweep.question.empty());
  EXPECT_FALSE(cases_of(sweep).empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryBuiltinSweep, ::testing::ValuesIn(builtin_sweeps()),
                         [](const auto& sweep) { return std::string(sweep.param.name); });

TEST(BuiltinSweeps, AreListedWhenAnotherIsAskedFor) {
  EXPECT_THAT(error_text([] { builtin_sweep("smok"); }),
              holds("did you mean 'smoke'?", "fftprec list sweeps"));
}

}  // namespace
}  // namespace fftprec
