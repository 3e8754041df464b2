/// Tables by recurrences, operation by operation in MPFR, and how their errors grow.
#include "experiments/tables/recurrences.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {
namespace {

using Root = std::complex<double>;

/// One operation, rounded to nearest once: in MPFR, or for systems of at most 12 bits about 1 in
/// doubles, which hold their sums and products, by the rounding that number_system_test judges.
class Unit {
 public:
  explicit Unit(const Format& format) : format_(format) {
    if (!format.tapers()) judge_.emplace(format);
  }

  double operator()(Operation operation, double a, double b = 0) {
    if (judge_) return (*judge_)(operation, Rounding::rne, a, b);
    const double exact = operation == Operation::add        ? a + b
                         : operation == Operation::subtract ? a - b
                         : operation == Operation::multiply ? a * b
                         : operation == Operation::divide   ? a / b
                                                            : a;
    return round(exact, format_, Rounding::rne);
  }

 private:
  Format format_;
  std::optional<IeeeJudge> judge_{};
};

/// cos and sin of 2 pi k/order in 200 bits, rounded once.
Root seed_by_mpfr(std::uint64_t k, std::uint64_t order, const Format& format) {
  const Turn wide = turn(k, order, 200);
  Unit unit(format);
  const auto once = [&](const Wide& x) {
    if (std::fabs(mpfr_get_d(x.get(), MPFR_RNDN)) < 0x1p-180) return 0.0;  // of pi's rounding
    mpfr_t digits;
    mpfr_init2(digits, static_cast<mpfr_prec_t>(format.precision + 20));
    mpfr_set(digits, x.get(), MPFR_RNDZ);
    if (mpfr_cmp(digits, x.get()) != 0) mpfr_nextabove(digits);  // no tie is near
    const double value = mpfr_get_d(digits, MPFR_RNDN);
    mpfr_clear(digits);
    return unit(Operation::identity, value);
  };
  return {once(wide.cos), once(wide.sin)};
}

/// w_j = c - i s by its definition, from entries that are asked for one by one.
class Judge {
 public:
  Judge(std::string by, std::uint64_t order, const Format& format)
      : by_(std::move(by)), order_(order), format_(format), unit_(format) {}

  Root operator()(std::uint64_t j) {
    const auto found = known_.find(j);
    return found != known_.end() ? found->second : known_[j] = made(j);
  }

 private:
  double plus(double a, double b) { return unit_(Operation::add, a, b); }
  double minus(double a, double b) { return unit_(Operation::subtract, a, b); }
  double times(double a, double b) { return unit_(Operation::multiply, a, b); }
  double over(double a, double b) { return unit_(Operation::divide, a, b); }
  Root seed(std::uint64_t k) { return seed_by_mpfr(k, order_, format_); }
  Root turned(Root w, Root by) {
    return {minus(times(w.real(), by.real()), times(w.imag(), by.imag())),
            plus(times(w.real(), by.imag()), times(w.imag(), by.real()))};
  }

  Root made(std::uint64_t j) {
    if (by_ == "bisection") return bisected(j);
    if (j == 0) return 1;
    if (by_ == "multiplication") return turned((*this)(j - 1), seed(1));
    if (by_ == "chebyshev") {
      if (j == 1) return seed(1);
      const Root last = (*this)(j - 1), before = (*this)(j - 2);
      const double factor = 2 * seed(1).real();
      return {minus(times(factor, last.real()), before.real()),
              minus(times(factor, last.imag()), before.imag())};
    }
    if (by_ == "subvector" || by_ == "logarithmic") {
      std::uint64_t block = 1;
      while (2 * block <= j) block *= 2;
      if (block == j) return seed(j);
      if (by_ == "subvector") return turned(seed(block), (*this)(j - block));
      const Root near = (*this)(j - block), far = (*this)(2 * block - j);
      const double factor = 2 * seed(block).real();
      return {minus(times(factor, near.real()), far.real()),
              plus(times(factor, near.imag()), far.imag())};
    }
    const double half = seed_by_mpfr(1, 2 * order_, format_).imag();
    const double alpha = 2 * times(half, half), beta = seed(1).imag();
    const Root last = (*this)(j - 1);
    const Root next{minus(last.real(), plus(times(alpha, last.real()), times(beta, last.imag()))),
                    minus(last.imag(), minus(times(alpha, last.imag()), times(beta, last.real())))};
    if (by_ == "numerical-recipes") return next;
    const double norm = plus(times(next.real(), next.real()), times(next.imag(), next.imag()));
    const double q = plus(over(0.5, norm), 0.5);
    return {times(q, next.real()), times(q, next.imag())};
  }

  Root bisected(std::uint64_t j) {
    std::uint64_t seeds = 1;
    while (8 * seeds <= order_) seeds *= 2;
    if (j % seeds == 0) return seed(j);
    std::uint64_t step = 1;
    while (j / step % 2 == 0) step *= 2;
    const Root below = (*this)(j - step), above = (*this)(j + step);
    const double h = over(0.5, seed(step).real());
    return {times(h, plus(below.real(), above.real())), times(h, plus(below.imag(), above.imag()))};
  }

  std::string by_;
  std::uint64_t order_;
  Format format_;
  Unit unit_;
  std::map<std::uint64_t, Root> known_{};
};

TEST(Recurrence, HasTheBitsOfItsDefinition) {
  IeeeJudge bf16_judge(bf16);
  for (const std::string& by : recurrence_names())
    for (const char* in : {"fp32", "bf16", "fp16", "custom(p=35,emin=-100,emax=100)", "fp64",
                           "posit16", "takum16", "posit8"})
      for (const std::uint64_t order : {1u, 2u, 3u, 4u, 7u, 8u, 30u, 64u, 100u}) {
        const RootFunction source = table_source("recurrence:by=" + by + ":in=" + in);
        Judge judge(by, order, format_named(in));
        for (std::uint64_t j = 0; j < order; ++j) {
          const Root root = std::conj(judge(j));
          EXPECT_EQ(source(j + 3 * order, order, fp64), root)
              << by << " in " << in << " " << j << "/" << order;
          EXPECT_EQ(source(j, order, bf16),
                    Root(bf16_judge(Operation::identity, Rounding::rne, root.real()),
                         bf16_judge(Operation::identity, Rounding::rne, root.imag())))
              << by << " in " << in << " " << j << "/" << order;
        }
      }
  for (std::uint64_t j = 0; j < 100; ++j)
    EXPECT_EQ(table_source("recurrence")(j, 100, fp64),
              table_source("recurrence:by=multiplication:in=fp32")(j, 100, fp64));
}

TEST(Recurrence, InTheFormatOfTheTableIsThatOfItsName) {
  for (const std::string& by : recurrence_names()) {
    const RootFunction source = table_source("recurrence:by=" + by + ":in=mode");
    for (const char* in : {"bf16", "fp32", "fp64"})
      for (std::uint64_t j = 0; j < 50; ++j)
        EXPECT_EQ(source(j, 50, format_named(in)),
                  table_source("recurrence:by=" + by + ":in=" + in)(j, 50, fp64))
            << by << " " << j;
  }
}

TEST(Recurrence, ExactEntriesMayPassThroughAFormat) {
  const RootFunction source = table_source("exact:in=fp16");
  for (std::uint64_t j = 0; j < 100; ++j) {
    const Root first = std::conj(seed_by_mpfr(j, 100, fp16));
    IeeeJudge bf16_judge(bf16);
    EXPECT_EQ(source(j, 100, fp32), first);
    EXPECT_EQ(source(j, 100, bf16),
              Root(bf16_judge(Operation::identity, Rounding::rne, first.real()),
                   bf16_judge(Operation::identity, Rounding::rne, first.imag())));
  }
}

TEST(Recurrence, BoundsHoldInEveryFormat) {
  for (const std::string& by : recurrence_names())
    for (const char* in : {"fp32", "fp16", "bf16", "fp8_e5m2", "q1.15"})
      for (const std::uint64_t order : {3u, 16u, 100u, 1000u, 4096u}) {
        const std::string name = "recurrence:by=" + by + ":in=" + in;
        const RootFunction source = table_source(name), exact = table_source("exact");
        for (const Format& format : {fp64, bf16}) {
          double largest = 0;
          for (std::uint64_t j = 0; j < order; ++j)
            largest = std::max(largest, std::abs(source(j, order, format) - exact(j, order, fp64)));
          EXPECT_LE(largest, table_error_bound(name)({1, order - 1}, format))
              << name << " order " << order;
        }
      }
}

/// Of part of a circle the bound knows the largest index, not the order.
TEST(Recurrence, BoundsHoldForTheFirstEntriesOfALongCircle) {
  const std::uint64_t order = 1 << 14;
  for (int by = 0; by < 7; ++by) {
    const ComplexArray<double> table = roots_by(static_cast<Recurrence>(by), order, fp32);
    const RootFunction exact = table_source("exact");
    double largest = 0;
    for (std::uint64_t j = 0; j < 1000; ++j) {
      largest = std::max(largest, std::abs(Root(table.re[j], table.im[j]) - exact(j, order, fp64)));
      ASSERT_LE(largest, recurrence_error_bound(static_cast<Recurrence>(by), j, fp32))
          << recurrence_names()[static_cast<std::size_t>(by)] << " " << j;
    }
  }
}

/// RMS errors in units of u, by octaves of the order: [by][octave].
std::vector<std::vector<double>> errors_by_octave(const Format& format, int octaves) {
  std::vector<std::vector<double>> errors(recurrence_names().size());
  const RootFunction exact = table_source("exact");
  for (int octave = 0; octave < octaves; ++octave) {
    const std::size_t first = std::size_t{1} << octave;
    const std::size_t count = std::min<std::size_t>(first, octave < 10 ? 64 : 65536 >> octave);
    std::vector<double> sums(errors.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t order = first + first * i / count;
      std::vector<RootIndex> all;
      for (std::size_t j = 0; j < order; ++j) all.emplace_back(j, order);
      ComplexArray<double> roots(order);
      exact.fill(all, fp64, roots.re.data(), roots.im.data());
      for (std::size_t by = 0; by < errors.size(); ++by) {
        const ComplexArray<double> w = roots_by(static_cast<Recurrence>(by), order, format);
        double sum = 0;
        for (std::size_t j = 0; j < order; ++j)
          sum += std::norm(Root(w.re[j] - roots.re[j], w.im[j] - roots.im[j]));
        sums[by] += sum / static_cast<double>(order * count);
      }
    }
    for (std::size_t by = 0; by < errors.size(); ++by)
      errors[by].push_back(std::sqrt(sums[by]) / unit_roundoff(format));
  }
  return errors;
}

/// What errors grow with.
enum class With {
  order,
  logarithm,
  levels  ///< of bisection: log2 n - 2
};

/// s of error ~ x^s in the middle of octaves, by least squares.
double exponent(const std::vector<double>& errors, int first, int last, With with) {
  double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
  for (int octave = first; octave <= last; ++octave) {
    const double x = with == With::order       ? octave
                     : with == With::logarithm ? std::log2(octave + 0.5)
                                               : std::log2(octave - 1.5);
    const double y = std::log2(errors[static_cast<std::size_t>(octave)]);
    n += 1, x1 += x, y1 += y, xx += x * x, xy += x * y;
  }
  return (n * xy - x1 * y1) / (n * xx - x1 * x1);
}

struct Law {
  Recurrence by;
  int first, last;  ///< octaves, where cosines of the first angle do not round to 1
  With with;
  double exponent;
};

void expect_laws(const Format& format, int octaves, const std::vector<Law>& laws) {
  const auto errors = errors_by_octave(format, octaves);
  for (const Law& law : laws) {
    const auto by = static_cast<std::size_t>(law.by);
    EXPECT_NEAR(exponent(errors[by], law.first, law.last, law.with), law.exponent, 0.1)
        << recurrence_names()[by] << ", precision " << format.precision;
  }
}

TEST(Recurrence, ErrorsInFp32GrowAsTheoryHasIt) {
  expect_laws(fp32, 16,
              {{Recurrence::multiplication, 4, 13, With::order, 1},
               {Recurrence::numerical_recipes, 5, 14, With::order, 0.5},
               {Recurrence::singleton, 5, 14, With::order, 0.5},
               {Recurrence::chebyshev, 4, 13, With::order, 2},
               {Recurrence::subvector, 4, 15, With::logarithm, 0.5},
               {Recurrence::logarithmic, 9, 15, With::order, 1},
               {Recurrence::bisection, 4, 10, With::levels, 0.5}});
}

/// Until cos theta rounds to 1. Then chebyshev stands still, and what is left is right or wrong by
/// accident.
TEST(Recurrence, ErrorsInFp16AndBf16GrowAlikeWhileTheirSeedsDifferFromOne) {
  expect_laws(fp16, 8,
              {{Recurrence::multiplication, 3, 7, With::order, 1},
               {Recurrence::numerical_recipes, 3, 7, With::order, 0.5},
               {Recurrence::chebyshev, 5, 7, With::order, 2}});
  expect_laws(bf16, 6, {{Recurrence::multiplication, 3, 5, With::order, 1}});
  for (const Format& format : {fp16, bf16}) {
    const auto errors = errors_by_octave(format, 13);
    for (const Recurrence by : {Recurrence::subvector, Recurrence::bisection})
      EXPECT_LT(errors[static_cast<std::size_t>(by)][12], 1.6);
    EXPECT_GT(errors[static_cast<std::size_t>(Recurrence::chebyshev)][12],
              0.5 / unit_roundoff(format));
  }
}

TEST(Recurrence, WhatCannotBeIsRefused) {
  const auto text = [](const std::string& name) { return error_text([&] { table_source(name); }); };
  expect_each(text, {{"recurrence:by=bisect", "bisection"},
                     {"exact:by=chebyshev", "takes no recurrence"},
                     {"fp32-angle:in=fp32", "fixes the formats"}});
  EXPECT_THAT(error_text([] {
                require_recurrence_format({52, -100, 100});
              }),
              holds("at most 50 digits"));
  EXPECT_THROW(table_source("recurrence")(1, (std::uint64_t{1} << 22) + 1, fp32), InputError);
}

}  // namespace
}  // namespace fftprec::testing
