/// A problem is the input that its key names and the transform of just that input.
#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

const ProblemKey small_key{"fft", 6, 2, "uniform", 3};

TEST(Problem, KeyHoldsWhatDecidesInputAndTruthAndNothingElse) {
  const Case where{.transform = "ifft", .n = 8, .batch = 3, .input = "tone", .seed = 4};
  Case other = where;
  other.mode = "fp64";
  other.tables = "recurrence";
  EXPECT_EQ(problem_key(where), (ProblemKey{"ifft", 8, 3, "tone", 4}));
  EXPECT_EQ(problem_key(other), problem_key(where));
}

TEST(Problem, HoldsTheNamedInput) {
  EXPECT_EQ(make_problem(small_key).input, make_input("uniform", 6, 2, 3));
}

/// A transform by name and what docs/transforms.md says that it is.
struct Definition {
  std::string name;
  std::function<Exact(const ComplexArray<double>& x, std::size_t n)> of;
  std::vector<std::size_t> lengths = {7, 12};
};

constexpr std::size_t defined_batch = 2;

Definition of_axes(const std::string& name, Direction direction,
                   std::function<Sizes(std::size_t)> axes) {
  return {name, [=](const auto& x, std::size_t n) {
            return dft_nd_by_definition(x, axes(n), direction);
          }};
}

/// Of two operands, the second one after all items of the first.
template <class Of>
Definition of_operands(const std::string& name, Of of) {
  return {name, [=](const ComplexArray<double>& x, std::size_t n) {
            const std::size_t first = defined_batch * n;
            return of(part_of(x, 0, first), part_of(x, first, x.size() - first), n);
          }};
}

/// Both operands of an item lie side by side.
Exact product_by_definition(const ComplexArray<double>& x, std::size_t n) {
  Exact all(defined_batch * (2 * n - 1));
  for (std::size_t item = 0; item < defined_batch; ++item) {
    const Exact one =
        cconv1d_by_definition(part_of(x, 2 * item * n, n), part_of(x, (2 * item + 1) * n, n), n);
    for (std::size_t k = 0; k < 2 * n - 1; ++k)
      mpfr_set(all.re[item * (2 * n - 1) + k], one.re[k], MPFR_RNDN);
  }
  return all;
}

std::vector<Definition> definitions() {
  const auto axes = [](Sizes sizes) {
    return [sizes](std::size_t n) {
      Sizes all = sizes;
      for (std::size_t& size : all)
        if (size == 0) size = n;
      return all;
    };
  };
  const auto rfft = [](const auto& sizes) {
    return [sizes](const auto& x, std::size_t n) { return rfft_nd_by_definition(x, sizes(n)); };
  };
  const auto irfft = [](const auto& sizes) {
    return [sizes](const auto& x, std::size_t n) { return irfft_nd_by_definition(x, sizes(n)); };
  };
  const auto frames = [](std::size_t n) {
    return Framing{.n = n, .hop = 4, .length = 40, .window_length = n};
  };
  std::vector<Definition> all{
      of_axes("fft", Direction::forward, axes({0})),
      of_axes("ifft", Direction::inverse, axes({0})),
      of_axes("fft2", Direction::forward, axes({0, 0})),
      of_axes("ifft2:rows=3", Direction::inverse, axes({3, 0})),
      of_axes("fftn:dims=2", Direction::forward, axes({0, 0})),
      of_axes("ifftn:dims=3", Direction::inverse, axes({0, 0, 0})),
      of_axes("fftn:dims=3x2xn", Direction::forward, axes({3, 2, 0})),
      {"rfftn:dims=4x3xn", rfft(axes({4, 3, 0}))},
      {"rfft", rfft(axes({0}))},
      {"irfft", irfft(axes({0}))},
      {"rfft2:rows=5", rfft(axes({5, 0}))},
      {"irfft2:rows=4", irfft(axes({4, 0}))},
      {"rfftn:dims=2", rfft(axes({0, 0}))},
      {"irfftn:dims=2", irfft(axes({0, 0}))},
      {"rfftn:dims=3x4xn:norm=backward", rfft(axes({3, 4, 0}))},
      {"irfftn:dims=3x2xn", irfft(axes({3, 2, 0}))},
      {"hfft", hfft_by_definition},
      {"ihfft", ihfft_by_definition},
      {"dct2", dct2_by_definition},
      {"dct3", dct3_by_definition},
      {"dct1", dct1_by_definition},
      {"dct4", dct4_by_definition},
      {"dst1", dst1_by_definition},
      {"dst2", dst2_by_definition},
      {"dst3", dst3_by_definition},
      {"dst4", dst4_by_definition},
      {"hartley", hartley_by_definition},
      {"mdct", [](const auto& x, std::size_t n) { return mdct_by_definition(x, n, true); }},
      {"mdct:window=none",
       [](const auto& x, std::size_t n) { return mdct_by_definition(x, n, false); }},
      {"imdct", [](const auto& x, std::size_t n) { return imdct_by_definition(x, n, true); }},
      {"imdct:window=none",
       [](const auto& x, std::size_t n) { return imdct_by_definition(x, n, false); }},
      {"stft:hop=4:length=40",
       [=](const auto& x, std::size_t n) { return stft_by_definition(x, frames(n)); }},
      {"istft:hop=4:length=40",
       [=](const auto& x, std::size_t n) { return istft_by_definition(x, frames(n)); }},
      of_operands("cgemm:out=3",
                  [](const auto& x, const auto& w, std::size_t n) {
                    return cgemm_by_definition(x, w, defined_batch, n, 3);
                  }),
      of_operands("cmul", [](const auto& x, const auto& mask,
                             std::size_t) { return cmul_by_definition(x, mask); }),
      of_operands("cconv1d:taps=5", [](const auto& x, const auto& h,
                                       std::size_t n) { return cconv1d_by_definition(x, h, n); }),
      {"product", product_by_definition},
      of_operands("cmodrelu", [](const auto& z, const auto& bias, std::size_t) {
        return cmodrelu_by_definition(z, bias);
      })};
  for (Definition& definition : all)
    if (definition.name == "ifftn:dims=3" || definition.name.find("lengths") != std::string::npos)
      definition.lengths = {3, 4};
  return all;
}

TEST(Problem, TruthIsAsFarFromTheDefinitionOfTheTransformNamedAsItsRadiusAtMost) {
  std::set<std::string> judged;
  std::uint64_t seed = 0;
  for (const Definition& definition : definitions()) {
    judged.insert(definition.name.substr(0, definition.name.find(':')));
    for (const std::size_t n : definition.lengths)
      for (const char* kind :
           {n % 2 == 1 ? "gaussian" : "cancelling", n % 2 == 1 ? "tone" : "wide"}) {
        const Problem problem = make_problem({definition.name, n, defined_batch, kind, ++seed});
        SCOPED_TRACE(::testing::Message()
                     << definition.name << " of " << kind << ", n = " << n << ", seed " << seed);
        const Exact exact = definition.of(problem.input, n);
        ASSERT_EQ(problem.truth.hi.size(), exact.re.size());
        expect_honest(problem.truth, exact);
      }
  }
  for (const Named& named : list_transforms())
    EXPECT_TRUE(judged.contains(named.name)) << named.name;
}

TEST(Problem, BadKeysAreInputErrors) {
  ProblemKey key = small_key;
  key.transform = "fft3";
  EXPECT_THAT([&] { make_problem(key); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("fftn")));
  key = small_key;
  key.n = 0;
  EXPECT_THROW(make_problem(key), InputError);
  key = small_key;
  key.input = "noise";
  EXPECT_THROW(make_problem(key), InputError);
}

TEST(Problem, HoldsAsManyResultsAsItsTransformSays) {
  for (const Named& named : list_transforms()) {
    ProblemKey key = small_key;
    key.transform = named.name;
    const TransformEntry transform = transform_named(named.name);
    EXPECT_EQ(make_problem(key).truth.n, output_size(transform, key.n)) << named.name;
    const std::vector<std::size_t> operands = transform.item_shape(key.n).input;
    const bool is_shared = transform.operands == 2 && !transform.integers;
    EXPECT_EQ(operands.empty(), is_shared) << named.name;
  }
}

/// Shown by an option that every truth refuses: digits that MPFR has not, or, of products, MPFR.
TEST(Problem, PassesTheOptionsToEveryTruth) {
  for (const Named& named : list_transforms()) {
    ProblemKey key = small_key;
    key.transform = named.name;
    EXPECT_THAT([&] { make_problem(key, {.tier = truth::Tier::mpfr, .precision_bits = 600}); },
                ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(
                    transform_named(named.name).integers ? "gmp alone" : "precision_bits = 600")))
        << named.name;
  }
}

TEST(Problem, TellsItsRowsHowGoodItsTruthIs) {
  const Case where{.algorithm = "direct", .n = 6};
  Problem problem = make_problem(problem_key(where));
  problem.truth.bits = 77;
  for (const truth::Tier tier : {truth::Tier::mpfr, truth::Tier::double_double}) {
    problem.truth.tier = tier;
    const Row row = evaluate(where, problem);
    EXPECT_EQ(row.status, Status::ok) << row.message;
    EXPECT_EQ(row.truth_bits, 77u);
    EXPECT_EQ(row.truth_tier, tier);
  }
}

}  // namespace
}  // namespace fftprec::testing
