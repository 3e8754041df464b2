/// `fftprec measure` of a list: rows of other people's results, which every command takes.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/support/files.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/run_reader.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::lacks;
using testing::Words;

class MeasureList : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (directory_.path() / name).string(); }
  static testing::Outcome line(Words words) { return testing::run_line(std::move(words)); }
  void write(const std::string& name, const ComplexArray<double>& values) const {
    testing::write_text(at(name), npy_bytes(values));
  }
  testing::Outcome measure(const std::string& list, const std::string& name = "list.toml") const {
    testing::write_text(at(name), list);
    return line({"measure", at(name), "-o", at("out")});
  }
  std::vector<Row> rows() const { return results::read_run(at("out")); }

  testing::TemporaryDirectory directory_;
};

/// The truth of the input gaussian, of n = 64 and seed 1, rounded to double.
ComplexArray<double> right(std::uint64_t n = 64) {
  return make_problem({"fft", n, 1, "gaussian", 1}).truth.hi;
}

ComplexArray<double> scaled(ComplexArray<double> x, double factor) {
  for (double& value : x.re) value *= factor;
  for (double& value : x.im) value *= factor;
  return x;
}

const std::string gaussian_64 = "input = \"gaussian\"\nn = 64\n";

TEST_F(MeasureList, GivesRowsThatEveryCommandTakes) {
  write("y.npy", right());
  write("z.npy", scaled(right(), 1 + 0x1p-10));
  ASSERT_THAT(
      measure("[defaults]\n" + gaussian_64 + "[[result]]\noutput = \"y.npy\"\nmode = \"bf16\"\n" +
              "[[result]]\noutput = \"z.npy\"\nalgorithm = \"cufft\"\nmachine = \"h100\"\n"
              "rounding_points = \"stage\"\nscale = \"input:2^3\"\n"),
      exits(0));
  ASSERT_EQ(rows().size(), 2u);
  EXPECT_EQ(rows()[0].where.algorithm(), "cufft");
  EXPECT_EQ(rows()[0].where.machine(), "h100");
  EXPECT_EQ(rows()[0].where.rounding_points(), "stage");
  EXPECT_EQ(rows()[0].where.scale(), "input:2^3");
  EXPECT_NEAR(*rows()[0].err_l2_rel, 0x1p-10, 1e-12);
  EXPECT_EQ(rows()[1].where.algorithm(), "mine");
  EXPECT_EQ(rows()[1].where.mode(), "bf16");
  EXPECT_LT(*rows()[1].err_l2_rel, 0x1p-53);

  testing::write_text(at("gates.toml"),
                      "[[gate]]\nname = \"all\"\nkind = \"max\"\nmetric = \"err_l2_rel\"\nreason = "
                      "\"r\"\nlimit = 1e-6\n");
  EXPECT_THAT(line({"gate", at("out"), "-g", at("gates.toml"), "--junit", at("junit.xml")}),
              exits(to_int(ExitCode::gate_failed)).out("cufft"));
  EXPECT_THAT(read_file(at("junit.xml")), holds("cufft"));
  EXPECT_EQ(line({"compare", at("out"), at("out")}).code, 0);
  EXPECT_EQ(line({"plot", at("out"), "-o", at("plots"), "--format", "svg"}).code, 0);
  const testing::Outcome page =
      line({"report", at("out"), "-g", at("gates.toml"), "-o", at("page.html")});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(read_file(at("page.html")),
              holds("cufft", "<title>list - fftprec</title>", "<span>measure</span>")
                  .but_not("<span>run</span>"));
}

/// As docs/cli.md shows it.
TEST_F(MeasureList, GivesNamesThatGatesFiltersAndPlotsSelect) {
  write("y.npy", right());
  write("z.npy", scaled(right(), 1 + 0x1p-10));
  const std::string named =
      "algorithm = \"cufft\"\nmachine = \"h100\"\nversion = \"12.4 (abc1234)\"\n";
  ASSERT_THAT(measure("[defaults]\n" + gaussian_64 + named +
                      "[[result]]\noutput = \"y.npy\"\nmode = \"fp32-device\"\n"
                      "[[result]]\noutput = \"z.npy\"\nmode = \"fp16-device\"\n"),
              exits(0));
  const auto gate = [&](const std::string& where, const std::string& limit) {
    testing::write_text(at("g.toml"),
                        "[[gate]]\nname = \"g\"\nkind = \"max\"\nmetric = "
                        "\"err_l2_rel\"\nreason = \"r\"\nwhere = " +
                            where + "\nlimit = " + limit + "\n");
    return line({"gate", at("out"), "-g", at("g.toml"), "--junit", at("j.xml")});
  };
  EXPECT_THAT(gate("[\"mode=fp32-device\"]", "1e-15"), exits(0));
  EXPECT_THAT(gate("[\"mode=fp16-device\", \"algorithm=cufft\", \"machine=h100\"]", "1e-6"),
              exits(1).out("  fftprec measure " + at("list.toml") + " -o " + at("out") + "  # -a "))
      << "the command that repeats the row";
  EXPECT_THAT(read_file(at("j.xml")), holds("fftprec measure "));
  EXPECT_THAT(gate("[\"mode=fp32-devise\"]", "1"), exits(1).out("did you mean 'fp32-device'?"));

  EXPECT_EQ(
      line({"plot", at("out"), "-o", at("p"), "--format", "svg", "-f", "mode=fp32-device"}).code,
      0);
  EXPECT_THAT(line({"compare", at("out"), at("out"), "-f", "mode=fp32-device"}),
              exits(0).out("1 case in both runs"));
  EXPECT_EQ(line({"report", at("out"), "-o", at("page.html")}).code, 0);
  EXPECT_THAT(read_file(at("page.html")),
              holds("data-foreign=\"algorithm=cufft\nmode=fp16-device\nmode=fp32-device\n"
                    "machine=h100\ntables=own\"",
                    "results of 12.4 (abc1234), measured by fftprec "));
  std::filesystem::remove(at("out/manifest.json"));
  EXPECT_THAT(gate("[\"mode=fp16-device\"]", "1e-6"), exits(1).out("  # by another program: -a "));
}

TEST_F(MeasureList, GivesTheSameRowsForTheSameListAsCsv) {
  write("y.npy", right());
  write("z.npy", scaled(right(), 8));
  measure("[[result]]\n" + gaussian_64 + "output = \"y.npy\"\nmode = \"bf16\"\n[[result]]\n" +
          gaussian_64 + "output = \"z.npy\"\nalgorithm = \"a[1, 2]\"\nseed = 1\n");
  const std::string of_toml = read_file(at("out/results.csv"));
  measure(
      "input,n,output,mode,algorithm,seed\n"
      "gaussian,64,y.npy,bf16,,\ngaussian,64,z.npy,,\"a[1, 2]\",1\n",
      "list.csv");
  EXPECT_EQ(read_file(at("out/results.csv")), of_toml);
}

TEST_F(MeasureList, HoldsBoundAndExpectedErrorWhereTheNamesHaveThem) {
  ASSERT_EQ(line({"compute", "-a", "algorithm=radix2-dit", "-a", "mode=bf16", "-a", "n=64", "-o",
                  at("y.npy")})
                .code,
            0);
  const std::string output = gaussian_64 + "output = \"y.npy\"\n";
  measure("[[result]]\n" + output +
          "algorithm = \"radix2-dit\"\nmode = \"bf16\"\nmachine = \"trn\"\ntables = \"exact\"\n"
          "[[result]]\n" +
          output +
          "claims = \"algorithm=radix2-dit, mode=bf16\"\n"
          "[[result]]\n" +
          output + "mode = \"bf16\"\n");
  Case where;
  where.mode = "bf16";
  where.n = 64;
  const Row own = evaluate(where);
  ASSERT_EQ(rows().size(), 3u);
  EXPECT_EQ(rows()[2].where, where);
  for (const std::size_t claimed : {1u, 2u}) {
    EXPECT_EQ(rows()[claimed].err_l2_rel, own.err_l2_rel);
    EXPECT_EQ(rows()[claimed].output_hash, own.output_hash);
    EXPECT_EQ(rows()[claimed].bound_l2_rel, own.bound_l2_rel);
    EXPECT_EQ(rows()[claimed].expected_l2_rel, own.expected_l2_rel);
  }
  EXPECT_EQ(rows()[0].bound_l2_rel, std::nullopt);
  EXPECT_THAT(measure("[[result]]\n" + output + "claims = \"algorithm=radix2\"\n").err,
              holds("list.toml:5"));
}

TEST_F(MeasureList, TakesItsInputFromAFileWhoseContentIsPartOfTheCase) {
  write("x.npy", make_problem({"fft", 64, 1, "gaussian", 1}).input);
  write("y.npy", right());
  ASSERT_THAT(measure("[[result]]\ninput = \"x.npy\"\noutput = \"y.npy\"\n"), exits(0));
  EXPECT_EQ(rows()[0].where.n(), 64u);
  EXPECT_EQ(rows()[0].where.input(), with_file_hash(file_input_name(at("x.npy"))));
  EXPECT_LT(*rows()[0].err_l2_rel, 0x1p-53);

  testing::write_text(at("raw.npy"),
                      testing::npy_file(testing::npy_header("|V2", "(2,)"), "\x80?\x80?"));
  ComplexArray<double> y(2);
  y.re = {2, 0};
  write("y.npy", y);
  ASSERT_THAT(
      measure("[[result]]\ninput = \"raw.npy\"\ninput_dtype = \"bfloat16\"\noutput = \"y.npy\"\n"),
      exits(0));
  EXPECT_EQ(rows()[0].err_l2_rel, 0);
}

TEST_F(MeasureList, KnowsEveryNorm) {
  const std::uint64_t n = 60;
  const auto N = static_cast<double>(n);
  const std::string of = "[[result]]\ninput = \"gaussian\"\nn = 60\noutput = \"y.npy\"\n";
  const ComplexArray<double> inverse = make_problem({"ifft", n, 1, "gaussian", 1}).truth.hi;
  struct Scaled {
    const char* transform;
    const char* norm;
    double factor;
  };
  for (const auto& [transform, norm, factor] :
       {Scaled{"fft", "backward", 1}, Scaled{"fft", "ortho", 1 / std::sqrt(N)},
        Scaled{"fft", "forward", 1 / N}, Scaled{"ifft", "backward", 1},
        Scaled{"ifft", "ortho", std::sqrt(N)}, Scaled{"ifft", "forward", N}}) {
    SCOPED_TRACE(std::string(transform) + " " + norm);
    write("y.npy", scaled(std::string(transform) == "fft" ? right(n) : inverse, factor));
    const std::string list = of + "transform = \"" + transform + "\"\n";
    measure(list + "norm = \"" + norm + "\"\n");
    EXPECT_LT(*rows()[0].err_l2_rel, 0x1p-51);
    if (std::string(norm) == "backward") continue;
    EXPECT_THAT(measure(list).out, holds("--norm " + std::string(norm) + "?"));
  }
  EXPECT_THAT(measure(of + "norm = \"orto\"\n").err, holds("did you mean 'ortho'?"));
  EXPECT_THAT(measure("[[result]]\ntransform = \"dct2\"\nnorm = \"ortho\"\ninput = \"gaussian\"\n"
                      "n = 60\noutput = \"y.npy\"\n")
                  .out,
              holds("dct2 has its norm, if any, in its name"));
}

TEST_F(MeasureList, SaysWhatAResultThatIsFarOffMayBe) {
  const std::string list = "[[result]]\n" + gaussian_64 + "output = \"y.npy\"\n";
  const auto said = [&](const ComplexArray<double>& y) {
    write("y.npy", y);
    return measure(list).out;
  };
  ComplexArray<double> conjugated = right();
  for (double& value : conjugated.im) value = -value;
  EXPECT_THAT(said(right()), lacks("perhaps"));
  EXPECT_THAT(said(conjugated), holds("perhaps the values are conjugated"));
  EXPECT_THAT(said(ComplexArray<double>(64)), lacks("perhaps"));
}

TEST_F(MeasureList, NamesTheTransformThatGivesSoManyValues) {
  write("y.npy", ComplexArray<double>(8 * 33));
  EXPECT_THAT(measure("[[result]]\n" + gaussian_64 + "batch = 8\noutput = \"y.npy\"\n"),
              exits(to_int(ExitCode::cases_failed))
                  .out("the output holds 264; that many have: rfft, ihfft"));
}

TEST_F(MeasureList, JudgesInfinitiesAndNan) {
  ComplexArray<double> y = right();
  y.re[5] = std::numeric_limits<double>::quiet_NaN();
  y.im[7] = HUGE_VAL;
  write("y.npy", y);
  EXPECT_THAT(measure("[[result]]\n" + gaussian_64 + "output = \"y.npy\"\n"),
              exits(to_int(ExitCode::gate_failed))
                  .out("2 of 64 values are infinite or NaN, the first at item 0, index 5"));
  EXPECT_THAT(rows()[0].message, holds("2 of 64 values"));
}

TEST_F(MeasureList, KeepsTheRowsOfGoodResultsWhereOthersFail) {
  write("y.npy", right());
  EXPECT_THAT(measure("[[result]]\n" + gaussian_64 + "output = \"y.npy\"\n[[result]]\n" +
                      gaussian_64 + "output = \"none.npy\"\nmode = \"bf16\"\n"),
              exits(to_int(ExitCode::cases_failed)));
  ASSERT_EQ(rows().size(), 2u);
  EXPECT_EQ(rows()[0].status, Status::failed);
  EXPECT_THAT(rows()[0].message, holds("none.npy: cannot be read"));
  EXPECT_EQ(rows()[1].status, Status::ok);
}

TEST_F(MeasureList, RefusesAWrongListWithItsPlace) {
  write("y.npy", right());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no result is listed"},
      {"[[result]]\ninput = \"gaussian\"\nn = 8\n", "no output"},
      {"[[result]]\noutput = \"y.npy\"\n", "list.toml:1:1"},
      {"[[result]]\noutput = \"y.npy\"\ninput = \"gaussian\"\n", "needs n"},
      {"[[result]]\noutputs = \"y.npy\"\n", "list.toml:2"},
      {"[[result]]\noutputs = \"y.npy\"\n", "did you mean 'output'?"},
      {"[[result]]\ndevice = \"h100\"\n", "unknown key of a result 'device'"},
      {"[[result]]\nn = 0\n", "n: '0' is not a number from 1 on"},
      {"[[result]]\nseed = -1\n", "seed: '-1' is not an unsigned integer"},
      {"[[result]]\ntransform = \"ffft\"\n", "unknown transform 'ffft'"},
      {"[[result]]\nmode = \"a, b\"\n", "keep filters and gates from selecting a name"},
      {"[[result]]\nalgorithm = \"a and b\"\n", "' and '"},
      {"[[result]]\nmachine = \" h100\"\n", "blanks at its ends"},
      {"[[result]]\nversion = \"\"\n", "list.toml:2"},
      {"[result]\n", "list.toml:1"},
      {"[[results]]\n", "unknown key 'results'"},
  };
  for (const auto& [list, message] : cases) {
    const testing::Outcome outcome = measure(list);
    EXPECT_EQ(outcome.code, to_int(ExitCode::usage)) << list;
    EXPECT_THAT(outcome.err, holds(message)) << list;
  }
  EXPECT_THAT(measure("output,input\ny.npy\n", "list.csv").err, holds("list.csv:2: 1 cells"));
  const std::string twice = "[[result]]\n" + gaussian_64 + "output = \"y.npy\"\n";
  EXPECT_THAT(measure(twice + twice).err, holds("two results of one case"));
  EXPECT_THAT(line({"measure", at("list.toml"), "--input", "x.npy"}).err, holds("give one"));
}

}  // namespace
}  // namespace fftprec::commands
