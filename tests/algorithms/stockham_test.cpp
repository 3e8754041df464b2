/// The Stockham engine and its plans: bits, conjugation.
#include "algorithms/fft/stockham.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <random>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/theory/roundings.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"
#include "tests/algorithms/test_roots.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr unsigned seed = 1;

RadixPlan plain_mixed_plan(std::size_t n) { return mixed_radix_plan(n); }

/// How gemm adds up the products of one output in the machine at hand.
enum class GemmSums {
  one_chain,     ///< Xr Wr for all k, then Xi (-Wi) onto the same sum
  tile_by_tile,  ///< each of the two from zero, then their sum (length <= 128)
};

/// Forward transform of x by `plan` in T, with product(w, x) for complex products; a matrix product
/// of T's values is summed in Wide, which holds products exactly or rounds them as the machine
/// does.
template <class Wide, class T, class Product>
std::vector<Complex<T>> textbook_stockham(std::vector<Complex<T>> x, const RadixPlan& plan,
                                          const RootFunction& roots, const Format& table,
                                          GemmSums sums, Product product) {
  const std::size_t n = x.size();
  const auto root = [&](std::size_t exponent, std::size_t order) {
    const std::complex<double> w = roots(exponent, order, table);
    return Complex<T>{T(w.real()), T(w.imag())};
  };
  const auto minus_i = [](Complex<T> a) { return Complex<T>{a.im, -a.re}; };

  const auto matrix_product = [&](const std::vector<Complex<T>>& a) {
    const std::size_t r = a.size();
    const auto wide = [](T value) { return Wide(static_cast<double>(value)); };
    std::vector<Complex<T>> out(r);
    for (std::size_t j = 0; j < r; ++j) {
      Wide re[2] = {Wide(0.0), Wide(0.0)};
      Wide im[2] = {Wide(0.0), Wide(0.0)};
      for (std::size_t k = 0; k < r; ++k) {
        const Complex<T> w = root(k * j, r);
        re[0] = re[0] + wide(a[k].re) * wide(w.re);
        im[0] = im[0] + wide(a[k].re) * wide(w.im);
      }
      const std::size_t second = sums == GemmSums::one_chain ? 0 : 1;
      for (std::size_t k = 0; k < r; ++k) {
        const Complex<T> w = root(k * j, r);
        re[second] = re[second] + wide(a[k].im) * wide(-w.im);
        im[second] = im[second] + wide(a[k].im) * wide(w.re);
      }
      if (second == 1) {
        re[0] = re[0] + re[1];
        im[0] = im[0] + im[1];
      }
      out[j] = {T(static_cast<double>(re[0])), T(static_cast<double>(im[0]))};
    }
    return out;
  };
  const auto vector_product = [&](const std::vector<Complex<T>>& a) {
    std::vector<Complex<T>> out(a.size(), a[0]);
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t k = 1; k < a.size(); ++k)
        out[j] = out[j] + (j == 0 ? a[k] : product(root(j * k, a.size()), a[k]));
    return out;
  };
  const auto eighth_turn = [&](Complex<T> a, bool odd) {  // exp(-i pi/4) a, or its cube
    const T w = T(root(1, 8).re);
    return odd ? Complex<T>{w * (a.im - a.re), w * (-a.re - a.im)}
               : Complex<T>{w * (a.re + a.im), w * (a.im - a.re)};
  };
  const auto by_sums = [&](const std::vector<Complex<T>>& a) {
    const auto of_four = [&](Complex<T> x0, Complex<T> x1, Complex<T> x2, Complex<T> x3) {
      const Complex<T> turned = minus_i(x1 - x3);
      return std::array{(x0 + x2) + (x1 + x3), (x0 - x2) + turned, (x0 + x2) - (x1 + x3),
                        (x0 - x2) - turned};
    };
    if (a.size() == 8) {
      const auto even = of_four(a[0], a[2], a[4], a[6]);
      auto odd = of_four(a[1], a[3], a[5], a[7]);
      odd = {odd[0], eighth_turn(odd[1], false), minus_i(odd[2]), eighth_turn(odd[3], true)};
      std::vector<Complex<T>> out(8);
      for (std::size_t j = 0; j < 4; ++j) {
        out[j] = even[j] + odd[j];
        out[j + 4] = even[j] - odd[j];
      }
      return out;
    }
    if (a.size() == 2) return std::vector<Complex<T>>{a[0] + a[1], a[0] - a[1]};
    const auto four = of_four(a[0], a[1], a[2], a[3]);
    return std::vector<Complex<T>>(four.begin(), four.end());
  };
  // FFTPACK's passf5, KissFFT's kf_bfly5 in C and in C++, GSL's pass_5, for any odd radix.
  const auto by_pairs = [&](const std::vector<Complex<T>>& a, SmallDft dft) {
    const std::size_t r = a.size();
    const std::size_t half = r / 2;
    const auto scaled = [](T c, Complex<T> z) { return Complex<T>{c * z.re, c * z.im}; };
    const auto turned_by = [&](std::size_t j, std::size_t k) {  // by at most half a turn
      const std::size_t e = j * k % r;
      Complex<T> w = root(std::min(e, r - e), r);
      if (e <= half) w.im = -w.im;
      return w;
    };
    std::vector<Complex<T>> sum(half + 1), apart(half + 1), out(r);
    for (std::size_t k = 1; k <= half; ++k) {
      sum[k] = a[k] + a[r - k];
      apart[k] = a[k] - a[r - k];
    }
    Complex<T> of_sums = sum[1];
    for (std::size_t k = 2; k <= half; ++k) of_sums = of_sums + sum[k];
    const bool in_turn = dft == SmallDft::pairs || dft == SmallDft::pairs_of_products;
    out[0] = in_turn ? a[0] : a[0] + of_sums;
    for (std::size_t k = 1; in_turn && k <= half; ++k) out[0] = out[0] + sum[k];
    for (std::size_t j = 1; j <= half; ++j) {
      Complex<T> cosines = a[0];
      if (dft == SmallDft::pairs_of_products) {
        cosines = scaled(turned_by(j, 1).re, sum[1]);
        for (std::size_t k = 2; k <= half; ++k)
          cosines = cosines + scaled(turned_by(j, k).re, sum[k]);
        cosines = a[0] + cosines;
      } else if (dft == SmallDft::golden_pairs) {
        const Complex<T> quarter = a[0] - scaled(T(0.25), of_sums);
        const Complex<T> golden = scaled(T(std::sqrt(5.0) / 4), sum[1] - sum[2]);
        cosines = j == 1 ? quarter + golden : quarter - golden;
      } else {
        for (std::size_t k = 1; k <= half; ++k)
          cosines = cosines + scaled(turned_by(j, k).re, sum[k]);
      }
      Complex<T> sines = scaled(turned_by(j, 1).im, apart[1]);
      for (std::size_t k = 2; k <= half; ++k) sines = sines + scaled(turned_by(j, k).im, apart[k]);
      out[j] = cosines + minus_i(sines);
      out[r - j] = cosines - minus_i(sines);
    }
    return out;
  };
  const auto small_dft = [&](const std::vector<Complex<T>>& a, SmallDft dft) {
    switch (dft) {
      case SmallDft::sums:
        return by_sums(a);
      case SmallDft::matrix_product:
        return matrix_product(a);
      case SmallDft::vector_product:
        return vector_product(a);
      default:
        return by_pairs(a, dft);
    }
  };

  const bool in_time = plan.decimation == Decimation::in_time;
  std::size_t done = 1;
  for (const RadixStage& stage : plan.stages) {
    const std::size_t r = stage.radix;
    const std::size_t rest = n / (done * r);
    std::vector<Complex<T>> next(n);
    for (std::size_t l = 0; l < done; ++l)
      for (std::size_t m = 0; m < rest; ++m) {
        std::vector<Complex<T>> a(r);
        for (std::size_t k = 0; k < r; ++k) {
          a[k] = x[(l * r + k) * rest + m];
          if (in_time && done > 1 && k > 0) a[k] = product(root(l * k, done * r), a[k]);
        }
        a = small_dft(a, stage.dft);
        for (std::size_t j = 1; !in_time && rest > 1 && j < r; ++j)
          a[j] = product(root(j * m, r * rest), a[j]);
        for (std::size_t j = 0; j < r; ++j) next[(j * done + l) * rest + m] = a[j];
      }
    x = std::move(next);
    done *= r;
  }
  return x;
}

// The plans of other libraries, for mixed-radix by its keys.
RadixPlan numpy_plan(std::size_t n) {
  return mixed_radix_plan(n, {{2, 4}, false, Decimation::in_frequency, OddRadices::fftpack});
}
RadixPlan scipy_plan(std::size_t n) {
  return mixed_radix_plan(n, {{2, 8, 4}, false, Decimation::in_frequency, OddRadices::fftpack});
}
RadixPlan kissfft_plan(std::size_t n) {
  return mixed_radix_plan(n, {{4, 2}, true, Decimation::in_time, OddRadices::kissfft});
}
RadixPlan eigen_plan(std::size_t n) {
  return mixed_radix_plan(n, {{4, 2}, true, Decimation::in_time, OddRadices::kissfft_cpp});
}
RadixPlan gsl_plan(std::size_t n) {
  return mixed_radix_plan(n, {{5, 4, 3, 2}, false, Decimation::in_frequency, OddRadices::gsl});
}

template <PlanRadices plan, class Real>
ComplexArray<Real> transformed(const MachineArithmetic<Real>& arithmetic, std::size_t n,
                               Direction direction, ComplexArray<Real> x) {
  With<Stockham, MachineArithmetic<Real>, plan>(arithmetic, n, direction, exact_roots())
      .transform(arithmetic, x);
  return x;
}

std::vector<std::size_t> radices(const RadixPlan& plan) {
  EXPECT_THAT(plan.unsupported, IsEmpty());
  std::vector<std::size_t> result;
  for (const RadixStage& stage : plan.stages) result.push_back(stage.radix);
  return result;
}

/// Calls body<plan>(name) for every plan.
template <class Body>
void for_every_plan(Body body) {
  body.template operator()<stockham_r2_plan>("stockham-r2");
  body.template operator()<stockham_r4_plan>("stockham-r4");
  body.template operator()<stockham_r8_plan>("stockham-r8");
  body.template operator()<stockham_mixed_plan>("stockham-mixed");
  body.template operator()<plain_mixed_plan>("mixed-radix");
  body.template operator()<four_step_plan>("four-step");
}

/// The same for the plans of other libraries, in plain floats.
template <class Body>
void for_every_library(Body body) {
  body.template operator()<numpy_plan>("NumPy");
  body.template operator()<scipy_plan>("SciPy");
  body.template operator()<kissfft_plan>("KissFFT");
  body.template operator()<eigen_plan>("Eigen");
  body.template operator()<gsl_plan>("GSL");
}

template <class T>
std::vector<Complex<T>> single(const ComplexArray<float>& x, std::size_t first, std::size_t n) {
  std::vector<Complex<T>> result;
  for (std::size_t i = first; i < first + n; ++i) result.push_back({T(x.re[i]), T(x.im[i])});
  return result;
}

/// One way of rounding in which the textbook can follow the machine in every bit.
template <class T, class Product>
struct Way {
  const char* mode;
  const char* machine;
  GemmSums sums;
  Product product;
};

template <PlanRadices plan, class T, class Product>
void expect_textbook_bits(const char* name, const Way<T, Product>& way, std::size_t n,
                          std::size_t batch) {
  if (!plan(n).unsupported.empty()) return;
  const MachineArithmetic<float> arithmetic(
      resolve(mode_named(way.mode), machine_named(way.machine)));
  const ComplexArray<float> x = arithmetic.stored(normal_values(n * batch, seed));
  ComplexArray<float> y = transformed<plan>(arithmetic, n, Direction::forward, x);
  arithmetic.store(y);  // the textbook ends in T
  for (std::size_t b = 0; b < batch; ++b) {
    const std::vector<Complex<T>> expected =
        textbook_stockham<float>(single<T>(x, b * n, n), plan(n), exact_roots(),
                                 arithmetic.resolved().table_format(), way.sums, way.product);
    for (std::size_t i = 0; i < n; ++i) {
      const std::string where = ::testing::PrintToString(i) + " of transform " +
                                ::testing::PrintToString(b) + ", " + name + ", " + way.mode +
                                ", n = " + ::testing::PrintToString(n);
      ASSERT_EQ(y.re[b * n + i], static_cast<float>(expected[i].re)) << "re " << where;
      ASSERT_EQ(y.im[b * n + i], static_cast<float>(expected[i].im)) << "im " << where;
    }
  }
}

constexpr auto schoolbook = [](auto w, auto x) { return multiply(w, x); };
constexpr auto two_prods = [](auto w, auto x) { return multiply_two_prod(w, x); };

ComplexArray<float> conjugate(ComplexArray<float> x) {
  for (float& value : x.im) value = -value;
  return x;
}

}  // namespace

TEST(RadixPlan, PowersOfTwoAreTakenApartAsTheirNamesSay) {
  EXPECT_THAT(radices(stockham_r2_plan(8)), ElementsAre(2, 2, 2));
  EXPECT_THAT(radices(stockham_r4_plan(64)), ElementsAre(4, 4, 4));
  EXPECT_THAT(radices(stockham_r8_plan(512)), ElementsAre(8, 8, 8));
  EXPECT_THAT(radices(stockham_mixed_plan(4)), ElementsAre(4));
  EXPECT_THAT(radices(stockham_mixed_plan(8)), ElementsAre(8));
  EXPECT_THAT(radices(stockham_mixed_plan(16)), ElementsAre(4, 4));
  EXPECT_THAT(radices(stockham_mixed_plan(256)), ElementsAre(8, 8, 4));
  EXPECT_THAT(radices(stockham_mixed_plan(1024)), ElementsAre(8, 8, 4, 4));
  EXPECT_THAT(radices(stockham_mixed_plan(2048)), ElementsAre(8, 8, 8, 4));
  EXPECT_THAT(radices(stockham_mixed_plan(4096)), ElementsAre(8, 8, 8, 8));
}

TEST(RadixPlan, MixedRadixTakesFoursThenPrimesAscending) {
  EXPECT_THAT(radices(mixed_radix_plan(1)), IsEmpty());
  EXPECT_THAT(radices(mixed_radix_plan(127)), ElementsAre(127));
  EXPECT_THAT(radices(mixed_radix_plan(8 * 9 * 5 * 11)), ElementsAre(4, 2, 3, 3, 5, 11));
  EXPECT_EQ(mixed_radix_plan(6).stages[0], (RadixStage{2, SmallDft::sums}));
  EXPECT_EQ(mixed_radix_plan(6).stages[1], (RadixStage{3, SmallDft::vector_product}));
}

TEST(RadixPlan, MixedRadixTakesTheLargestRadixFirstAndKeepsTheOrderOfTheList) {
  EXPECT_THAT(radices(numpy_plan(8 * 9 * 5)), ElementsAre(2, 4, 3, 3, 5));
  EXPECT_THAT(radices(numpy_plan(1024)), ElementsAre(4, 4, 4, 4, 4));
  EXPECT_THAT(radices(scipy_plan(1024)), ElementsAre(2, 8, 8, 8));
  EXPECT_THAT(radices(scipy_plan(256)), ElementsAre(8, 8, 4));
  EXPECT_THAT(radices(kissfft_plan(1000)), ElementsAre(5, 5, 5, 2, 4));
  EXPECT_THAT(radices(gsl_plan(1000)), ElementsAre(5, 5, 5, 4, 2));
  EXPECT_EQ(kissfft_plan(7).stages[0], (RadixStage{7, SmallDft::vector_product}));
  EXPECT_EQ(kissfft_plan(3).stages[0], (RadixStage{3, SmallDft::pairs_of_sums}));
  EXPECT_EQ(gsl_plan(5).stages[0], (RadixStage{5, SmallDft::golden_pairs}));
  EXPECT_EQ(gsl_plan(14).unsupported,
            "mixed-radix needs n >= 1 without a prime factor above 5, got 14");
  EXPECT_EQ(numpy_plan(131).unsupported,
            "mixed-radix needs n >= 1 without a prime factor above 127, got 131");
}

TEST(RadixPlan, ReadsRadices) {
  EXPECT_THAT(parse_radices("2-8-4"), ElementsAre(2, 8, 4));
  EXPECT_THAT(parse_radices("127-2"), ElementsAre(127, 2));
  const auto refusal = [](std::string_view text) -> std::string {
    try {
      parse_radices(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("4-6-2"),
            "radix '6' in radices=4-6-2 is not 2, 4, 8 or an odd prime up to 127");
  EXPECT_EQ(refusal("4--2"), "radix '' in radices=4--2 is not 2, 4, 8 or an odd prime up to 127");
  EXPECT_EQ(refusal("2-9"), "radix '9' in radices=2-9 is not 2, 4, 8 or an odd prime up to 127");
  EXPECT_EQ(refusal("4-2-4"), "radices=4-2-4 has 4 twice");
  EXPECT_EQ(refusal("8-4"), "radices=8-4 lacks 2, which takes what 4 and 8 leave");
  EXPECT_THAT(refusal(""), ::testing::HasSubstr("lacks 2"));
}

TEST(RadixPlan, FourStepTakesTheFewestAndMostBalancedFactors) {
  EXPECT_THAT(radices(four_step_plan(1)), IsEmpty());
  EXPECT_THAT(radices(four_step_plan(128)), ElementsAre(128));
  EXPECT_THAT(radices(four_step_plan(130)), ElementsAre(10, 13));
  EXPECT_THAT(radices(four_step_plan(1000)), ElementsAre(25, 40));
  EXPECT_THAT(radices(four_step_plan(16384)), ElementsAre(128, 128));
  EXPECT_THAT(radices(four_step_plan(32768)), ElementsAre(32, 32, 32));
  EXPECT_THAT(radices(four_step_plan(2 * 101 * 103)), ElementsAre(2, 101, 103));
  for (const RadixStage& stage : four_step_plan(8).stages)
    EXPECT_EQ(stage, (RadixStage{8, SmallDft::matrix_product}));
}

/// Lengths and batches that take every way through the engine: a batch side by side with a rest,
/// both halves of a single transform in one block and in several, the last of them narrower.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {
    {1, 1}, {8, 1}, {64, 1}, {64, 300}, {105, 1}, {120, 3}, {1024, 1}, {1024, 17}, {4096, 1}};

/// A small DFT matrix that is not symmetric, as rounded angles make it, is summed over its rows.
TEST(Stockham, SumsOverTheRowsOfATable) {
  const auto entry = [](std::uint64_t row, std::uint64_t column) {
    return static_cast<double>(3 * row + 40 * column + 1);
  };
  const auto roots_with = [&](std::uint64_t radix) {
    return RootFunction(
        [=](std::span<const RootIndex> roots, const Format&, double* re, double* im) {
          for (std::size_t i = 0; i < roots.size(); ++i) {
            EXPECT_EQ(roots[i].usual, AngleOrder::row_column);
            re[i] = roots[i].order == radix ? entry(roots[i].row, roots[i].column) : 1;
            im[i] = 0;
          }
        });
  };
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  for (const std::size_t batch : {1u, 3u})
    for (std::size_t i = 0; i < 64; ++i) {
      ComplexArray<double> x(64 * batch);
      x.re[64 * (batch - 1) + i] = 1;
      With<Stockham, MachineArithmetic<double>, stockham_r8_plan>(arithmetic, 64,
                                                                  Direction::forward, roots_with(8))
          .transform(arithmetic, x);
      for (std::size_t j = 0; j < 64; ++j)  // first over i / 8, then over i mod 8
        ASSERT_EQ(x.re[64 * (batch - 1) + j], entry(i / 8, j % 8) * entry(i % 8, j / 8)) << i;
    }
  for (std::size_t k = 1; k < 5; ++k) {
    ComplexArray<double> x(5);
    x.re[k] = 1;
    With<Stockham, MachineArithmetic<double>, plain_mixed_plan>(arithmetic, 5, Direction::forward,
                                                                roots_with(5))
        .transform(arithmetic, x);
    for (std::size_t j = 1; j < 5; ++j) EXPECT_EQ(x.re[j], entry(k, j));
  }
}

/// Which index an angle is multiplied by first: l, the place within what is done, then k.
TEST(Stockham, AsksForFactorsByPlaceAndRow) {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  const RootFunction watching(
      [&](std::span<const RootIndex> roots, const Format&, double* re, double* im) {
        for (std::size_t i = 0; i < roots.size(); ++i) {
          if (roots[i].order == 32) rows = std::max(rows, roots[i].row);
          if (roots[i].order == 32) columns = std::max(columns, roots[i].column);
          re[i] = im[i] = 0;
        }
      });
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  With<Stockham, MachineArithmetic<double>, stockham_mixed_plan>(arithmetic, 32, Direction::forward,
                                                                 watching);
  EXPECT_EQ(rows, 7u);
  EXPECT_EQ(columns, 3u);
}

TEST(Stockham, HasTheBitsOfTheTextbookLoops) {
  using T = float;
  const Way<T, decltype(schoolbook)> fast{"fp32", "ieee", GemmSums::one_chain, schoolbook};
  for_every_plan([&]<PlanRadices plan>(const char* name) {
    for (const auto& [n, batch] : shapes) expect_textbook_bits<plan>(name, fast, n, batch);
  });
  expect_textbook_bits<stockham_r2_plan>("stockham-r2", fast, std::size_t{1} << 16, 1);
  expect_textbook_bits<stockham_mixed_plan>("stockham-mixed", fast, std::size_t{1} << 16, 1);
  expect_textbook_bits<plain_mixed_plan>("mixed-radix", fast, 150 * 180, 1);
}

TEST(Stockham, HasTheBitsOfTheTextbookLoopsInOtherLibrariesPlans) {
  const Way<float, decltype(schoolbook)> fast{"fp32", "ieee", GemmSums::one_chain, schoolbook};
  for_every_library([&]<PlanRadices plan>(const char* name) {
    for (const auto& [n, batch] : shapes) expect_textbook_bits<plan>(name, fast, n, batch);
    for (const std::size_t n : {3u, 5u, 7u, 25u, 225u, 1000u, 1001u, 30000u})
      expect_textbook_bits<plan>(name, fast, n, 1);
  });
  expect_textbook_bits<scipy_plan>("SciPy", fast, std::size_t{1} << 16, 1);
}

TEST(Stockham, HasTheBitsOfTheTextbookLoopsInBf16) {
  const Way<Bf16, decltype(schoolbook)> low{"bf16", "trn", GemmSums::tile_by_tile, schoolbook};
  for_every_plan([&]<PlanRadices plan>(const char* name) {
    for (const auto& [n, batch] : shapes) expect_textbook_bits<plan>(name, low, n, batch);
  });
}

TEST(Stockham, HasTheBitsOfTheTextbookLoopsInKahan) {
  const Way<float, decltype(two_prods)> kahan{"kahan", "trn", GemmSums::one_chain, two_prods};
  for (const auto& [n, batch] : shapes) {
    expect_textbook_bits<stockham_r2_plan>("stockham-r2", kahan, n, batch);
    expect_textbook_bits<stockham_r4_plan>("stockham-r4", kahan, n, batch);
    expect_textbook_bits<plain_mixed_plan>("mixed-radix", kahan, n, batch);
  }
}

/// No rounding here knows a sign, nearest or toward zero; signs of zeros may differ.
TEST(Stockham, InverseIsTheForwardTransformBetweenConjugations) {
  const auto compare = []<PlanRadices plan>(const char* name) {
    for (const Mode& mode : trnfft_modes())
      for (const Machine& machine : classic_machines())
        for (const std::size_t n : {64u, 120u}) {
          if (on_host(mode) || !plan(n).unsupported.empty()) continue;
          const MachineArithmetic<float> arithmetic(resolve(mode, machine));
          const ComplexArray<float> x = arithmetic.stored(normal_values(n, seed));
          const ComplexArray<float> inverse =
              transformed<plan>(arithmetic, n, Direction::inverse, x);

          ComplexArray<float> other =
              conjugate(transformed<plan>(arithmetic, n, Direction::forward, conjugate(x)));
          if (plan(n).stages.back().dft == SmallDft::matrix_product)
            arithmetic.scale_product(view_of(other, 1, n), Direction::inverse, n);
          else
            arithmetic.scale(view_of(other, 1, n), Direction::inverse, n);

          for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(inverse.re[i], other.re[i]) << name << ", " << mode.name << " on "
                                                  << machine.name << ", n = " << n << ", re " << i;
            ASSERT_EQ(inverse.im[i], other.im[i]) << name << ", " << mode.name << " on "
                                                  << machine.name << ", n = " << n << ", im " << i;
          }
        }
  };
  for_every_plan(compare);
  for_every_library(compare);
}

}  // namespace fftprec::testing
