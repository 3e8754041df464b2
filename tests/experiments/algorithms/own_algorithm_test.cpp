/// Algorithms of others: registered, they are as any other; not registered, they run in every mode.
#include <gmock/gmock.h>

#include <fftprec/fftprec.hpp>

#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "arith/truth/roots.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/table_files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

/// Radix2Dit without what it knows of itself.
template <class Arithmetic>
class Unpredicted {
 public:
  static std::string unsupported(std::size_t n) { return Radix2Dit<Arithmetic>::unsupported(n); }
  Unpredicted(const Arithmetic& arithmetic, std::size_t n, Direction direction,
              const RootFunction& roots)
      : fft_(arithmetic, n, direction, roots) {}
  void transform(const Arithmetic& arithmetic, ComplexArray<typename Arithmetic::Real>& x) const {
    fft_.transform(arithmetic, x);
  }

 private:
  Radix2Dit<Arithmetic> fft_;
};

/// DftGemm, which asks for its matrix by exponents alone.
template <class Arithmetic>
class ByExponents : public DftGemm<Arithmetic> {
 public:
  ByExponents(const Arithmetic& arithmetic, std::size_t n, Direction direction,
              const RootFunction& roots)
      : DftGemm<Arithmetic>(
            arithmetic, n, direction,
            [&roots](std::uint64_t exponent, std::uint64_t order, const Format& format) {
              return roots(exponent, order, format);
            }) {}
};

/// The definition in float; for even n alone.
void plain_dft(std::span<std::complex<float>> x, Direction direction) {
  const std::size_t n = x.size();
  if (n % 2 != 0) throw NotApplicable("plain: odd n");
  const ComplexArray<double> roots = truth::roots_of_unity(n, fp64);
  const std::vector<std::complex<float>> in(x.begin(), x.end());
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t at = j * k % n;
      const double im = direction == Direction::forward ? roots.im[at] : -roots.im[at];
      sum += std::complex<double>(in[j]) * std::complex<double>(roots.re[at], im);
    }
    if (direction == Direction::inverse) sum /= static_cast<double>(n);
    x[k] = std::complex<float>(sum);
  }
}

class OwnAlgorithm : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!registered_algorithms().empty()) return;
    register_algorithm<Radix2Dit>("own", "radix2-dit again");
    register_algorithm<Unpredicted>("own-unpredicted", "the same");
    register_algorithm("own_f32.2", "the definition", plain_dft);
    register_algorithm<ByExponents>("own-matrix", "dft-gemm again");
  }
};

/// The modes of trnfft and those that carry pairs and slices.
std::vector<std::string> some_modes() {
  std::vector<std::string> names{"doubleword", "slices:3x3", "bf16x3:6", "refined_fp32:2"};
  for (const Mode& mode : trnfft_modes()) names.push_back(mode.name);
  return names;
}

TEST_F(OwnAlgorithm, OfATemplateHasTheRowsOfTheSameTemplateInTheProgram) {
  for (const std::string& mode : some_modes())
    for (const std::string transform : {"fft", "irfft", "fft2"}) {
      Case where{.transform = transform, .mode = mode, .n = 32, .batch = 2};
      SCOPED_TRACE(command_of(where));
      const Row known = evaluate(where);
      where.algorithm = "own";
      const Row own = evaluate(where);
      ASSERT_EQ(own.status, Status::ok) << own.message;
      EXPECT_EQ(own.output_hash, known.output_hash);
      EXPECT_EQ(own.bound_l2_rel, known.bound_l2_rel);
      EXPECT_EQ(own.expected_l2_rel, known.expected_l2_rel);
      EXPECT_EQ(own.real_multiplications, known.real_multiplications);
    }
}

TEST_F(OwnAlgorithm, WithoutAPredictionHasTheSameErrorsAndNoBound) {
  for (const std::string& mode : some_modes()) {
    Case where{.mode = mode, .n = 64};
    SCOPED_TRACE(command_of(where));
    const Row known = evaluate(where);
    where.algorithm = "own-unpredicted";
    const Row own = evaluate(where);
    ASSERT_EQ(own.status, Status::ok) << own.message;
    EXPECT_EQ(own.output_hash, known.output_hash);
    EXPECT_EQ(own.err_l2_rel, known.err_l2_rel);
    EXPECT_FALSE(own.bound_l2_rel || own.expected_l2_rel || own.real_multiplications);
  }
}

TEST_F(OwnAlgorithm, OfAFunctionIsMeasuredInItsOwnModeAlone) {
  const Row own = evaluate({.algorithm = "own_f32.2", .mode = "fp32", .n = 48});
  ASSERT_EQ(own.status, Status::ok) << own.message;
  EXPECT_LE(*own.err_l2_rel, unit_roundoff(fp32));
  EXPECT_FALSE(own.bound_l2_rel);
  const Row back =
      evaluate({.transform = "ifft", .algorithm = "own_f32.2", .mode = "fp32", .n = 48});
  EXPECT_LE(*back.err_l2_rel, unit_roundoff(fp32));
  for (const auto& [where, reason] : std::vector<std::pair<Case, std::string>>{
           {{.algorithm = "own_f32.2", .mode = "bf16", .n = 48}, "stands for mode fp32 alone"},
           {{.algorithm = "own_f32.2", .tables = "fp32-angle", .n = 48}, "has its own tables"},
           {{.algorithm = "own_f32.2", .n = 27}, "plain: odd n"}}) {
    const Row row = evaluate(where);
    EXPECT_EQ(row.status, Status::skipped);
    EXPECT_THAT(row.message, holds(reason));
  }
}

TEST_F(OwnAlgorithm, OfAFunctionTransformsEveryItemOfABatchAlone) {
  for (const char* transform : {"fft", "ifft", "fft2"})
    EXPECT_TRUE(expect_bits_of_single_items({.transform = transform,
                                             .algorithm = "own_f32.2",
                                             .mode = "fp32",
                                             .n = 12,
                                             .batch = 3,
                                             .seed = 2}));
}

TEST_F(OwnAlgorithm, OfAFunctionRefusesDoublesAndLengthZero) {
  const AlgorithmEntry own = algorithm_named("own_f32.2");
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  ComplexArray<double> x(4);
  const auto fft = own.make.in<MachineArithmetic<double>>();
  EXPECT_THROW(fft(arithmetic, 4, Direction::forward, table_source("exact")), NotApplicable);
  EXPECT_EQ(own.model.unsupported(0), "own_f32.2 needs n >= 1");
  EXPECT_EQ(own.model.unsupported(997), "");
}

TEST_F(OwnAlgorithm, OfAFunctionIsNamedForALengthInItsOwnModeAlone) {
  const auto takers = [](const std::string& mode) {
    return refusal(Session().plan({.algorithm = "rader", .mode = mode, .n = 12}));
  };
  EXPECT_THAT(takers("fp32"), holds("what takes n = 12", "own_f32.2"));
  EXPECT_THAT(takers("bf16"), holds("what takes n = 12").but_not("own_f32.2"));
}

TEST_F(OwnAlgorithm, ThatNamesNoEntriesIsSkippedWhereAFileHoldsTheMatrix) {
  const TemporaryDirectory directory;
  Entries ones;
  for (std::size_t i = 0; i < 4; ++i) ones.emplace_back(i == 3 ? -1 : 1);
  write_text(directory / "m.npy", matrix_bytes(ones));
  Case where{.tables = "file:" + (directory / "m.npy").string(), .n = 2};
  where.algorithm = "dft-gemm";
  ASSERT_EQ(evaluate(where).status, Status::ok);
  where.algorithm = "own-matrix";
  const Row own = evaluate(where);
  EXPECT_EQ(own.status, Status::skipped);
  EXPECT_THAT(own.message, holds("m.npy: holds only the DFT matrix of order 2; a root of "
                                 "order 2 without row and column is asked for"));
  where.tables = "fp32-angle";
  EXPECT_EQ(evaluate(where).status, Status::ok);
}

TEST_F(OwnAlgorithm, IsListedAndSuggested) {
  EXPECT_THAT(algorithm_names(), ::testing::IsSupersetOf({"own", "own-unpredicted", "own_f32.2"}));
  EXPECT_THAT(registered_algorithms(),
              ::testing::ElementsAre("own", "own-unpredicted", "own_f32.2", "own-matrix"));
  EXPECT_THAT(error_text([] { algorithm_named("own_f23.2"); }), holds("did you mean 'own_f32.2'"));
}

TEST_F(OwnAlgorithm, StandsInsideAnotherIfItIsPredicted) {
  const Row row = evaluate({.algorithm = "bluestein:inner=own", .mode = "bf16", .n = 13});
  const Row known = evaluate({.algorithm = "bluestein:inner=radix2-dit", .mode = "bf16", .n = 13});
  EXPECT_EQ(row.output_hash, known.output_hash);
  EXPECT_THAT(error_text([] { algorithm_named("rader:inner=own-unpredicted"); }),
              holds("can be nested"));
}

TEST_F(OwnAlgorithm, TakesNoNameThatACaseCouldNotTellFromAnother) {
  for (const std::string name : {"", "own", "radix2-dit", "a:b", "a,b", "a b", "a=b", "\xc3\xa4"}) {
    const std::string text = error_text([&] { register_algorithm<Radix2Dit>(name, ""); });
    EXPECT_THAT(text, holds("algorithm '" + name + "'")) << name;
  }
  EXPECT_EQ(registered_algorithms().size(), 4u);
}

TEST(RunInMode, GivesTheResultOfTheRow) {
  for (const std::string& mode : some_modes())
    for (const std::string machine : {"trn", "trn-rz"})
      for (const std::string transform : {"fft", "ifft", "irfft", "stft", "dct2"}) {
        const Case where{
            .transform = transform, .mode = mode, .machine = machine, .n = 64, .batch = 2};
        SCOPED_TRACE(command_of(where));
        const Row row = evaluate(where);
        const Problem problem = make_problem(problem_key(where));
        if (row.status == Status::skipped) {
          EXPECT_THROW((run_in_mode<Radix2Dit>(mode, machine, {where, problem})), NotApplicable);
          continue;
        }
        const Output own = run_in_mode<Radix2Dit>(mode, machine, {where, problem});
        EXPECT_EQ(output_hash(own), row.output_hash);
      }
}

TEST(RunInMode, RefinesInTheModesThatDo) {
  const ComplexArray<double> x = make_input("gaussian", 256, 1, 1);
  const auto error = [&](const std::string& mode) {
    const ComplexArray<double> y = run_in_mode<Radix2Dit>(mode, "trn", x);
    return truth::measure(y, truth::dft(x, 256, Direction::forward), fp32).l2_rel;
  };
  EXPECT_NE(error("bf16_refined"), error("bf16"));
  EXPECT_LT(error("refined_fp32:1"), error("bf16") / 10);
}

TEST(RunInMode, RefusesAnInputOfAnotherSize) {
  const Case where{.transform = "rfft2", .n = 8, .batch = 2};
  EXPECT_THAT(error_text([&] {
                run_in_mode(algorithm_entry<Radix2Dit>("own", ""), where, ComplexArray<double>(64));
              }),
              holds("holds 1 items, and batch is 2"));
  EXPECT_THAT(error_text([&] {
                run_in_mode(algorithm_entry<Radix2Dit>("own", ""), where,
                            ComplexArray<double>(100));
              }),
              holds("takes 64 values"));
}

TEST(RunInMode, RefusesAnInputThatIsNotFinite) {
  ComplexArray<double> x(8);
  x.im[5] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(error_text([&] { run_in_mode(algorithm_entry<Radix2Dit>("own", ""), {.n = 8}, x); }),
              holds("fft: input element 5 is not finite"));
}

TEST(RunInMode, RefusesComplexValuesForATransformOfRealOnes) {
  const Case where{.transform = "rfft", .n = 4};
  ComplexArray<double> x(4);
  x.im[2] = 0.5;
  EXPECT_THAT(error_text([&] { run_in_mode(algorithm_entry<Radix2Dit>("own", ""), where, x); }),
              holds("rfft: the imaginary part of element 2 is not zero"));
}

TEST(Round, RoundsASpanInPlace) {
  std::vector<double> x{1 + 0x1p-9, -1 - 0x1p-9, 1e300};
  round(x, bf16, Rounding::rz);
  EXPECT_EQ(x, (std::vector<double>{1, -1, 0x1.fep127}));
  std::vector<float> y{1 + 0x1.8p-8F, 3};
  round(y, bf16);
  EXPECT_EQ(y, (std::vector<float>{1 + 0x1p-7F, 3}));
}

}  // namespace

}  // namespace fftprec::testing
