/// `fftprec input` and `fftprec compute`: arrays that are a case's own in every bit.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arith/truth/roots.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/transforms/registry.hpp"
#include "reports/commands/commands.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::exits;
using testing::holds;
using ::testing::StartsWith;
using testing::Words;

class Arrays : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (directory_.path() / name).string(); }

  static testing::Outcome line(Words words) { return testing::run_line(std::move(words)); }
  testing::Outcome input(Words words) const {
    words.insert(words.begin(), "input");
    words.insert(words.end(), {"-o", at("x.npy")});
    return line(std::move(words));
  }
  testing::Outcome compute(const Words& axes, const Words& more = {}) const {
    Words words{"compute", "-o", at("y.npy")};
    for (const std::string& axis : axes) words.insert(words.end(), {"-a", axis});
    words.insert(words.end(), more.begin(), more.end());
    return line(std::move(words));
  }
  Samples read(const std::string& name) const { return read_samples(at(name)); }

  testing::TemporaryDirectory directory_;
};

TEST_F(Arrays, OfAnInputAreThatOfTheCase) {
  for (const std::string kind : {"gaussian", "wide:phi=2", "wide", "cancelling", "torch_randn",
                                 "jitter:k=4:inner=gaussian", "impulse"}) {
    EXPECT_THAT(input({kind, "-n", "64", "--batch", "3", "--seed", "7"}), exits(0));
    EXPECT_EQ(read("x.npy").values, make_input(kind, 64, 3, 7)) << kind;
    EXPECT_THAT(read("x.npy").shape, ElementsAre(3, 64));
  }
}

TEST_F(Arrays, HaveTheAxesOfTheirTransformAndAreRealWhereItIs) {
  struct Form {
    const char* transform;
    std::vector<std::size_t> input;
    std::vector<std::size_t> output;
    const char* input_dtype;
    const char* output_dtype;
  };
  const std::vector<Form> forms = {
      {"fft", {2, 16}, {2, 16}, "<c8", "<c8"},
      {"ifft", {2, 16}, {2, 16}, "<c8", "<c8"},
      {"rfft", {2, 16}, {2, 9}, "<f4", "<c8"},
      {"irfft", {2, 9}, {2, 16}, "<c8", "<f4"},
      {"fft2:rows=8", {2, 8, 16}, {2, 8, 16}, "<c8", "<c8"},
      {"rfft2:rows=8", {2, 8, 16}, {2, 8, 9}, "<f4", "<c8"},
      {"fftn:dims=3", {2, 16, 16, 16}, {2, 16, 16, 16}, "<c8", "<c8"},
      {"dct2", {2, 16}, {2, 16}, "<f4", "<f4"},
      {"stft:hop=4:length=64", {2, 64}, {2, 17, 9}, "<f4", "<c8"},
      {"istft:hop=4:length=64", {2, 17, 9}, {2, 64}, "<c8", "<f4"},
  };
  for (const Form& form : forms) {
    SCOPED_TRACE(form.transform);
    EXPECT_THAT(input({"gaussian", "-n", "16", "--batch", "2", "--transform", form.transform}),
                exits(0));
    EXPECT_EQ(read("x.npy").shape, form.input);
    EXPECT_THAT(read_file(at("x.npy")), holds(form.input_dtype));
    EXPECT_THAT(compute({std::string("transform=") + form.transform, "n=16", "batch=2"}), exits(0));
    EXPECT_EQ(read("y.npy").shape, form.output);
    EXPECT_THAT(read_file(at("y.npy")), holds(form.output_dtype));
  }
}

TEST_F(Arrays, OfOneItemHaveNoAxisOfItems) {
  const auto shapes = [&](const std::string& transform) {
    EXPECT_THAT(input({"gaussian", "-n", "16", "--transform", transform}), exits(0));
    EXPECT_THAT(compute({"transform=" + transform, "n=16"}), exits(0));
    return std::pair(read("x.npy").shape, read("y.npy").shape);
  };
  using Shape = std::vector<std::size_t>;
  EXPECT_EQ(shapes("fft"), std::pair(Shape{16}, Shape{16}));
  EXPECT_EQ(shapes("rfft2:rows=8"), std::pair(Shape({8, 16}), Shape({8, 9})));
  EXPECT_EQ(shapes("fftn:dims=4x2xn"), std::pair(Shape({4, 2, 16}), Shape({4, 2, 16})));
}

TEST_F(Arrays, OfAFileSayTheAxesOfATransform) {
  EXPECT_THAT(input({"gaussian", "-n", "16", "--transform", "rfft2:rows=8"}), exits(0));
  const std::vector<std::string> given{"--input", at("x.npy")};
  EXPECT_THAT(compute({"transform=rfft2"}, given), exits(0));
  EXPECT_EQ(read("y.npy").shape, (std::vector<std::size_t>{8, 9}));
}

TEST_F(Arrays, OfAnInputAreDescribedBesideIt) {
  input({"wide:phi=2", "-n", "64", "--transform", "rfft", "--seed", "9"});
  EXPECT_THAT(read_file(at("x.toml")), holds("[[result]]\n"));
  EXPECT_THAT(read_file(at("x.toml")),
              holds("transform = \"rfft\"\nn = 64\nbatch = 1\ninput = \"wide:phi=2\"\nseed = 9"));
  EXPECT_THAT(read_file(at("x.toml")), holds(array_hash(read("x.npy").values)));
  input({"uniform:high=2.0:low=0.0", "-n", "64"});
  EXPECT_THAT(read_file(at("x.toml")), holds("input = \"uniform:low=0:high=2\"\n"));
}

TEST_F(Arrays, AreOfTheDtypeAskedForOrRefused) {
  EXPECT_EQ(input({"impulse", "-n", "8", "--dtype", "bfloat16"}).code, 0);
  EXPECT_THAT(read_file(at("x.npy")), holds("'bfloat16'"));
  EXPECT_THAT(input({"gaussian", "-n", "8", "--dtype", "bfloat16"}),
              exits(2).err(holds("x.npy: value 0", "does not fit dtype bfloat16")));
}

TEST_F(Arrays, AreRefusedByName) {
  EXPECT_THAT(line({"input", "gaussian", "-n", "8", "-o", at("x.txt")}).err,
              holds("expected a name that ends in .npy"));
  EXPECT_THAT(line({"input", "gausian", "-n", "8", "-o", at("x.npy")}).err,
              holds("did you mean 'gaussian'"));
  EXPECT_EQ(input({"torch_randn", "-n", "8"}).code, to_int(ExitCode::nothing_matched));
  EXPECT_EQ(compute({"algorithm=radix2-dit", "n=12"}).code, to_int(ExitCode::nothing_matched));
  EXPECT_EQ(compute({"n=8,16"}).code, to_int(ExitCode::usage));
  EXPECT_EQ(compute({"algorithm=split-radix", "n=8", "mode=fp64"}, {"--stages", at("stages")}).code,
            to_int(ExitCode::nothing_matched));
}

/// A case of every kind, by a counter.
Case made_up_case(std::uint64_t number) {
  std::uint64_t state = number * 6364136223846793005u + 1442695040888963407u;
  const auto one_of = [&](const std::vector<Named>& names) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return names[(state >> 33) % names.size()].name;
  };
  Case where;
  where.transform = number % 3 == 0 ? one_of(list_transforms()) : "fft";
  where.algorithm = one_of(list_algorithms());
  where.mode = one_of(list_modes());
  where.machine = one_of(list_machines());
  where.tables = number % 4 == 0 ? "fp32-angle" : "exact";
  where.n = std::array{8u, 12u, 15u, 16u, 32u, 64u}[state % 6];
  where.batch = 1 + number % 3;
  where.seed = number;
  return where;
}

TEST_F(Arrays, OfResultsHaveTheHashOfTheirRow) {
  constexpr std::size_t wanted = 200;
  std::size_t compared = 0;
  std::set<std::string> algorithms;
  std::set<std::string> modes;
  for (std::uint64_t number = 0; compared < wanted; ++number) {
    ASSERT_LT(number, 20 * wanted);
    const Case where = made_up_case(number);
    Row row;
    try {
      row = evaluate(where);
    } catch (const InputError&) {
      continue;
    }
    if (row.status != Status::ok) continue;
    SCOPED_TRACE(command_of(where));
    Words axes;
    for (const Column& axis : axis_columns())
      axes.push_back(std::string(axis.name) + "=" + axis.text(Row{.where = where}));
    ASSERT_THAT(compute(axes, {"--output-lo", at("lo.npy"), "--truth", at("t.npy"), "--truth-lo",
                               at("l.npy"), "--radius", at("r.npy")}),
                exits(0).out(row.output_hash));
    const ComplexArray<double> rest = read("lo.npy").values;
    if (rest == ComplexArray<double>(rest.size()) && where.mode != "doubleword") {
      EXPECT_EQ(array_hash(read_samples(at("y.npy"), 0, {.finite = false}).values),
                row.output_hash);
    }
    const truth::Truth truth = make_problem(problem_key(where)).truth;
    EXPECT_EQ(read("t.npy").values, truth.hi);
    EXPECT_EQ(read("l.npy").values, truth.lo);
    EXPECT_THAT(read("r.npy").values.re, ElementsAreArray(truth.element_radius));
    ++compared;
    algorithms.insert(where.algorithm);
    modes.insert(where.mode);
  }
  EXPECT_GT(algorithms.size(), 15u);
  EXPECT_GT(modes.size(), 20u);
}

TEST_F(Arrays, OfAFileAreThoseOfTheKindThatItHolds) {
  const Words axes{"algorithm=stockham-r4", "mode=bf16"};
  input({"gaussian", "-n", "64", "--batch", "3", "--seed", "5"});
  compute(axes, {"--input", at("x.npy")});
  const ComplexArray<double> of_file = read("y.npy").values;
  compute({"algorithm=stockham-r4", "mode=bf16", "n=64", "batch=3", "seed=5"});
  EXPECT_EQ(read("y.npy").values, of_file);
  EXPECT_THAT(compute({"algorithm=stockham-r2", "mode=bf16", "n=32"}, {"--input", at("x.npy")}),
              exits(0));
  EXPECT_THAT(read("y.npy").shape, ElementsAre(6, 32));
  EXPECT_THAT(compute({"input=gaussian"}, {"--input", at("x.npy")}).err, holds("name two inputs"));
}

TEST_F(Arrays, OfAFileOfBytesAloneAreReadAsTheDtypeAskedFor) {
  std::string data;
  for (const std::uint64_t code : {0x3f80u, 0x4000u, 0xbf80u, 0u}) data += testing::little(code, 2);
  testing::write_text(at("x.npy"), testing::npy_file(testing::npy_header("|V2", "(4,)"), data));
  EXPECT_THAT(compute({"algorithm=direct"}, {"--input", at("x.npy"), "--input-dtype", "bfloat16"}),
              exits(0));
  EXPECT_EQ(read("y.npy").values.re[0], 2);  // 1 + 2 - 1 + 0
}

using Stage = std::vector<std::complex<float>>;

/// Radix-2 decimation in time as a textbook has it: bit reversal, then butterflies in fp32. In the
/// stage with distance `wrong_half` one factor is wrong.
std::vector<Stage> textbook_stages(const ComplexArray<double>& x, std::size_t wrong_half = 0) {
  const std::size_t n = x.size();
  Stage a(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < n; bit *= 2) reversed = 2 * reversed + ((i / bit) & 1);
    a[reversed] = {static_cast<float>(x.re[i]), static_cast<float>(x.im[i])};
  }
  std::vector<Stage> stages;
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t group = 0; group < n; group += 2 * half)
      for (std::size_t j = 0; j < half; ++j) {
        // One wrong factor: that of the place before.
        const std::size_t index = half == wrong_half && j == 1 ? 0 : j;
        const std::complex<double> root = truth::root_of_unity(index, 2 * half, fp32);
        const auto re = static_cast<float>(root.real());
        const auto im = static_cast<float>(root.imag());
        const std::complex<float> top = a[group + j];
        const std::complex<float> low = a[group + j + half];
        const float product_re = low.real() * re - low.imag() * im;
        const float product_im = low.real() * im + low.imag() * re;
        a[group + j] = {top.real() + product_re, top.imag() + product_im};
        a[group + j + half] = {top.real() - product_re, top.imag() - product_im};
      }
    stages.push_back(a);
  }
  return stages;
}

TEST_F(Arrays, OfStagesAreThoseOfTheTextbook) {
  for (const std::string algorithm : {"radix2-dit", "recursive"}) {
    for (const std::size_t n : {2u, 8u, 64u, 512u}) {
      const std::string length = "n=" + std::to_string(n);
      const std::string folder = at("dit" + std::to_string(n));
      ASSERT_THAT(compute({"algorithm=" + algorithm, "mode=fp32", length}, {"--stages", folder}),
                  exits(0));
      const auto stages = textbook_stages(make_input("gaussian", n, 1, 1));
      for (std::size_t s = 0; s < stages.size(); ++s) {
        const std::string number = (s < 9 ? "0" : "") + std::to_string(s + 1);
        const ComplexArray<double> data = read_samples(folder + "/stage_" + number + ".npy").values;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_EQ(data.re[i], static_cast<double>(stages[s][i].real())) << n << " " << s;
          ASSERT_EQ(data.im[i], static_cast<double>(stages[s][i].imag())) << n << " " << s;
        }
      }
    }
  }
}

TEST_F(Arrays, DivergeAtTheStageWithAWrongFactorAndNowhereWithout) {
  const Words words{"diverge", "--stages",  at("mine"), "-a",   "algorithm=radix2-dit",
                    "-a",      "mode=fp32", "-a",       "n=256"};
  const auto write = [&](std::size_t wrong_half, float last_bit, float next_bit) {
    const std::vector<Stage> stages =
        textbook_stages(make_input("gaussian", 256, 1, 1), wrong_half);
    std::filesystem::create_directory(at("mine"));
    for (std::size_t s = 0; s < stages.size(); ++s) {
      std::string data;
      for (const std::complex<float> value : stages[s]) {
        data += testing::little(value.real() * last_bit) + testing::little(value.imag());
        std::swap(last_bit, next_bit);
      }
      testing::write_text(at("mine/stage_0" + std::to_string(s + 1) + ".npy"),
                          testing::npy_file(testing::npy_header("<c8", "(1, 256)"), data));
    }
  };
  write(0, 1, 1);
  EXPECT_THAT(line(words), exits(0).out(holds("same values", "no fault")));
  write(0, 1 + 0x1p-23F, 1 - 0x1p-24F);  // other bits, but not more than rounding
  EXPECT_THAT(line(words), exits(0).out(holds("within rounding", "no fault")));
  write(0, 1 + 0x1p-23F, 1 + 0x1p-23F);  // each a rounding, all to one side
  EXPECT_THAT(line(words), exits(to_int(ExitCode::gate_failed))
                               .out(holds("fault in butterflies, stage 1 (stage_01.npy)",
                                          "the errors push all values away from zero")));
  write(16, 1, 1);
  EXPECT_THAT(line(words),
              exits(to_int(ExitCode::gate_failed))
                  .out(holds("fault in butterflies, stage 5 (stage_05.npy), after 4 "
                             "arrays with the same bits",
                             "twiddle W_32^1, which should be 0.98079 - 0.19509i, is 1",
                             "wrong: 16 of 256 values, all 1 mod 16")));
  // The next array tells as much.
  std::filesystem::remove(at("mine/stage_05.npy"));
  EXPECT_THAT(line(words), exits(to_int(ExitCode::gate_failed))
                               .out(holds("fault in butterflies, stage 6 (stage_06.npy)",
                                          "butterflies, stage 5: twiddle W_32^1, which")));
}

TEST_F(Arrays, ThatAreNoNumbersDiverge) {
  compute({"algorithm=dft-gemm", "n=8"}, {"--stages", at("mine")});
  std::string data;
  for (int i = 0; i < 8; ++i) data += testing::little(HUGE_VALF) + testing::little(0.F);
  testing::write_text(at("mine/stage_01.npy"),
                      testing::npy_file(testing::npy_header("<c8", "(1, 8)"), data));
  EXPECT_THAT(line({"diverge", "--stages", at("mine"), "-a", "algorithm=dft-gemm", "-a", "n=8"}),
              exits(to_int(ExitCode::gate_failed)).out("8 values are infinite or NaN"));
}

TEST_F(Arrays, OfTheLastStageAreTheResultWhereThatIsInOrder) {
  for (const std::string algorithm :
       {"radix2-dit", "recursive", "stockham-r2", "stockham-r4", "stockham-r8", "stockham-mixed",
        "mixed-radix", "four-step", "dft-gemm"})
    for (const std::string n : {"64", "4096"}) {
      SCOPED_TRACE(algorithm + " " + n);
      const std::string folder = at(algorithm + n);
      ASSERT_THAT(compute({"algorithm=" + algorithm, "mode=bf16", "n=" + n, "batch=3"},
                          {"--stages", folder}),
                  exits(0));
      std::set<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".npy") files.insert(entry.path());
      EXPECT_EQ(read_samples(*files.rbegin()).values, read("y.npy").values);
      EXPECT_THAT(read_samples(*files.begin()).shape, ElementsAre(3, std::stoul(n)));
      EXPECT_THAT(read_file(folder + "/stages.csv"), StartsWith("file,stage\nstage_01.npy,"));
    }
}

}  // namespace
}  // namespace fftprec::commands
