/// The run-time certificate: it raises whatever is wrong and nothing that is right, and its long
/// sums are those of their definitions.
#include "arith/truth/audit.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/isa_tables.hpp"
#include "arith/truth/roots.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Audit;
using truth::CertificateError;
using truth::ComplexDoubleDouble;
using truth::ComplexPairs;
using truth::PairFourier;
using truth::Real;
using truth::WeighedLines;

constexpr int audit_seed = 3;

/// A transform, its right result, and what is certified of it.
struct Certified {
  Certified(std::size_t length, std::size_t step = 1, std::size_t blocks = 1,
            PairInput input = PairInput::full)
      : n(length),
        stride(step),
        x(pair_input(input, length * step * blocks, audit_seed)),
        audit(n, stride, x.size()) {
    const PairFourier fourier(n);
    y = fourier(x, stride, {});
    allowed = fourier.radius() * std::sqrt(static_cast<double>(n)) * norm_of(x);
  }

  std::size_t lines() const { return x.size() / n; }
  std::size_t place(std::size_t line, std::size_t k) const {
    return (line / stride * n + k) * stride + line % stride;
  }
  void check(const ComplexPairs& result, const truth::Loops& loops = {}) const {
    audit(x, result, allowed, loops);
  }
  bool raised_by(const ComplexPairs& wrong) const {
    try {
      check(wrong);
    } catch (const CertificateError&) {
      return true;
    }
    return false;
  }
  std::string text() const {
    return "n = " + std::to_string(n) + ", stride " + std::to_string(stride) + ", " +
           std::to_string(lines()) + " lines, seed = " + std::to_string(audit_seed);
  }

  std::size_t n;
  std::size_t stride;
  ComplexPairs x;
  ComplexPairs y;
  double allowed;
  Audit audit;
};

double with_flipped_bit(double x, int bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ std::uint64_t{1} << bit);
}

void exchange(ComplexPairs& y, std::size_t i, std::size_t j) {
  const truth::ComplexDoubleDouble value = y.at(i);
  y.set(i, y.at(j));
  y.set(j, value);
}

TEST(Audit, PassesWhatIsRight) {
  for (const auto& [n, stride, blocks] : {Layout{1, 1, 1},
                                          {1, 4, 2},
                                          {2, 1, 1},
                                          {3, 1, 1},
                                          {8, 1, 7},
                                          {8, 5, 3},
                                          {64, 1, 1},
                                          {64, 16, 1},
                                          {97, 1, 1},
                                          {100, 3, 2},
                                          {1000, 1, 3},
                                          {1024, 1, 1},
                                          {4096, 1, 4},
                                          {4096, 3, 1},
                                          {10007, 1, 1},
                                          {65536, 1, 1}})
    for (const PairInput input : all_pair_inputs) {
      const Certified c(n, stride, blocks, input);
      EXPECT_NO_THROW(c.check(c.y)) << c.text() << ", " << name_of(input);
    }
}

/// An impulse at the element that a tone belongs to makes the roundings of all outputs add up.
TEST(Audit, PassesAnImpulseWhereverItIs) {
  for (const std::size_t n : {16u, 256u}) {
    Certified c(n);
    const PairFourier fourier(n);
    for (std::size_t j = 0; j < n; ++j) {
      c.x = ComplexPairs(n);
      c.x.set(j, {{1, 0}, {0.3, 0}});
      c.y = fourier(c.x, 1, {});
      c.allowed = fourier.radius() * std::sqrt(static_cast<double>(n)) * norm_of(c.x);
      EXPECT_NO_THROW(c.check(c.y)) << c.text() << ", impulse at " << j;
    }
  }
}

TEST(Audit, DrawsAgainForAnImpulseNextToItsFirstTone) {
  constexpr std::size_t n = std::size_t{1} << 20;
  std::mt19937_64 generator(n + n);  // as audit draws
  ComplexPairs x(n);
  x.set((generator() % n + 1) % n, {{1, 0}, {0.3, 0}});
  const PairFourier fourier(n);
  EXPECT_NO_THROW(Audit(n, 1, n)(x, fourier(x, 1, {}), fourier.radius() * 0x1p10 * norm_of(x), {}));
}

TEST(Audit, PassesZeros) {
  const ComplexPairs zeros(64);
  EXPECT_NO_THROW(Audit(64, 1, 64)(zeros, zeros, 0, {}));
}

/// All elements of short transforms, some of long ones.
TEST(Audit, RaisesAChangeOfAnyElement) {
  struct Change {
    const char* name;
    void (*of)(ComplexPairs& y, std::size_t i);
  };
  for (const auto& [name, change] :
       {Change{"lowest bit of re",
               [](ComplexPairs&y, auto i) { y.hi.re[i] = with_flipped_bit(y.hi.re[i], 0); }},
        {"lowest bit of im",
         [](ComplexPairs&y, auto i) { y.hi.im[i] = with_flipped_bit(y.hi.im[i], 0); }},
        {"conjugated", [](ComplexPairs&y, auto i) {
           y.set(i, {y.at(i).re, -y.at(i).im});
         }}})
    for (const auto& [n, stride, blocks] : {Layout{1, 1, 1},
                                            {2, 1, 1},
                                            {3, 1, 1},
                                            {8, 1, 1},
                                            {8, 3, 2},
                                            {64, 1, 1},
                                            {100, 4, 1},
                                            {65536, 1, 1},
                                            {64, 1, 1024},
                                            {64, 1024, 1},
                                            {1000, 1, 10},
                                            {10007, 1, 1}}) {
      const Certified c(n, stride, blocks);
      const bool is_short = c.y.size() <= 400;
      std::mt19937_64 generator(audit_seed);
      for (std::size_t i = 0; i < (is_short ? c.y.size() : 10); ++i) {
        ComplexPairs wrong = c.y;
        const std::size_t at = is_short ? i : generator() % wrong.size();
        change(wrong, at);
        ASSERT_TRUE(c.raised_by(wrong)) << name << ", " << c.text() << ", element " << at;
      }
    }
}

/// A flip changes one element by a power of two, and a probe by just as much.
TEST(Audit, RaisesTrailingBitsDownToWhatIsCertifiedAndNoFurther) {
  for (const std::size_t n : {16u, 100u, 4096u}) {
    const Certified c(n);
    std::mt19937_64 generator(audit_seed);
    int raised = 0;
    int passed = 0;
    for (int i = 0; i < 6; ++i) {
      const std::size_t k = generator() % n;
      for (int bit = 0; bit<52; bit += n> 1000 ? 3 : 1) {
        ComplexPairs wrong = c.y;
        wrong.lo.re[k] = with_flipped_bit(wrong.lo.re[k], bit);
        const double change = std::fabs(wrong.lo.re[k] - c.y.lo.re[k]);
        if (change > 2 * c.allowed) {
          ++raised;
          ASSERT_TRUE(c.raised_by(wrong)) << c.text() << ", output " << k << ", bit " << bit;
        } else if (change < c.allowed / 2) {
          ++passed;
          ASSERT_FALSE(c.raised_by(wrong)) << c.text() << ", output " << k << ", bit " << bit;
        }
      }
    }
    EXPECT_GT(passed, 10);
    EXPECT_GT(raised, 10);
  }
}

TEST(Audit, RaisesEveryExchangeOfTwoOutputs) {
  for (const std::size_t n : {2u, 3u, 4u, 8u, 12u, 32u, 60u}) {
    const Certified c(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        ComplexPairs wrong = c.y;
        exchange(wrong, i, j);
        ASSERT_TRUE(c.raised_by(wrong)) << c.text() << ", outputs " << i << " and " << j;
      }
  }
  const Certified c(4096);
  for (std::size_t apart = 1; apart < c.n; apart *= 2) {
    ComplexPairs wrong = c.y;
    exchange(wrong, 0, apart);
    ASSERT_TRUE(c.raised_by(wrong)) << c.text() << ", outputs 0 and " << apart;
  }
}

/// The factors of two lines agree in both probes once in thousands of pairs.
TEST(Audit, RaisesNearlyEveryExchangeOfTwoLines) {
  for (const auto& [n, stride, blocks] :
       {Layout{1, 1, 32}, {2, 32, 1}, {16, 1, 32}, {64, 32, 1}, {256, 1, 24}, {5, 4, 8}}) {
    const Certified c(n, stride, blocks);
    int tried = 0;
    int missed = 0;
    for (std::size_t i = 0; i < c.lines(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        ComplexPairs wrong = c.y;
        for (std::size_t k = 0; k < n; ++k) exchange(wrong, c.place(i, k), c.place(j, k));
        ++tried;
        if (!c.raised_by(wrong)) ++missed;
      }
    EXPECT_LE(100 * missed, tried) << c.text() << ": " << missed << " of " << tried << " missed";
  }
}

/// A transform of 64 with the engine's own loops and one root that is not the right one.
TEST(Audit, RaisesAWrongRootInATable) {
  constexpr std::size_t n = 64;
  constexpr std::size_t width = truth::column_step;
  const Certified c(n, width);
  const truth::PairRoots exact(n);
  const auto with_roots = [&](const ComplexPairs& roots) {
    ComplexPairs a = c.x;
    ComplexPairs b(c.x.size());
    with_tables<truth::PairTables>(best_isa(), [&](auto tables) {
      if (tables.transform(view(a), view(b), n, width, view(roots))) a = b;
    });
    return a;
  };
  ASSERT_NO_THROW(c.check(with_roots(all_roots(exact))));
  for (const std::size_t e : {std::size_t{1}, std::size_t{5}, std::size_t{12}, std::size_t{30}}) {
    ComplexPairs last_bit = all_roots(exact);
    last_bit.hi.re[e] = with_flipped_bit(last_bit.hi.re[e], 0);
    EXPECT_TRUE(c.raised_by(with_roots(last_bit))) << "root " << e;
    ComplexPairs no_lo = all_roots(exact);
    no_lo.lo.im[e] = 0;
    EXPECT_TRUE(c.raised_by(with_roots(no_lo))) << "root " << e;
    ComplexPairs neighbour = all_roots(exact);
    neighbour.set(e, exact(e + 1));
    EXPECT_TRUE(c.raised_by(with_roots(neighbour))) << "root " << e;
  }
}

TEST(Audit, VerdictDependsOnNeitherInstructionSetNorThreads) {
  const Certified c(1024, 1, 5);
  ComplexPairs wrong = c.y;
  wrong.hi.im[777] = with_flipped_bit(wrong.hi.im[777], 0);
  for (const Isa isa : available_isas())
    for (const unsigned threads : {1u, 2u, 3u}) {
      EXPECT_NO_THROW(c.check(c.y, {isa, threads})) << name_of(isa);
      EXPECT_THROW(c.check(wrong, {isa, threads}), CertificateError) << name_of(isa);
    }
}

/// With z^2 = i or -i, an error e in output k and one of i e or -i e in output k + 2 cancel in
/// every tone's sum of a transform of 4 points; the direct sum of one output sees half of them.
TEST(Audit, SumsAnOutputDirectlyForWhatATonePasses) {
  constexpr double error = 0x1p-89;  // twice what is certified
  ComplexPairs x(4);
  for (std::size_t j = 0; j < 4; ++j) x.set(j, {{j == 0 ? 1.0 : 0.0, 0.0}, {0.0, 0.0}});
  ComplexPairs y(4);
  for (std::size_t k = 0; k < 4; ++k) y.set(k, {{1.0, 0.0}, {0.0, 0.0}});
  std::string messages;
  for (const double sign : {1.0, -1.0})
    for (const std::size_t k : {0u, 1u}) {
      ComplexPairs wrong = y;
      wrong.lo.re[k] += error;
      wrong.lo.im[k + 2] += sign * error;
      try {
        Audit(4, 1, 4)(x, wrong, 0x1p-90, {});
      } catch (const CertificateError& refuted) {
        messages += refuted.what() + std::string("\n");
      }
    }

  EXPECT_NE(messages.find("truth: output "), std::string::npos) << messages;
}

constexpr int sums_seed = 11;

/// sum_l c_l sum_j x_l[j] w_j term by term, and the sum of all |x w|.
class TermByTerm {
 public:
  void add(const ComplexPairs& x, std::size_t i, mpfr_srcptr re, mpfr_srcptr im) {
    const truth::ComplexReals value = exact_line(x, {1, i}, judge_precision);
    mpfr_fmms(term_, value.re[0], re, value.im[0], im, MPFR_RNDN);
    mpfr_add(re_, re_, term_, MPFR_RNDN);
    mpfr_fmma(term_, value.re[0], im, value.im[0], re, MPFR_RNDN);
    mpfr_add(im_, im_, term_, MPFR_RNDN);
    size_ += std::hypot(x.hi.re[i], x.hi.im[i]) *
             std::hypot(mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN));
  }
  /// |found - sum| relative to the sum of magnitudes.
  double error_of(const ComplexDoubleDouble& found) {
    const auto subtract = [](Real& part, const truth::DoubleDouble& pair) {
      mpfr_sub_d(part, part, pair.hi, MPFR_RNDN);
      mpfr_sub_d(part, part, pair.lo, MPFR_RNDN);
    };
    subtract(re_, found.re);
    subtract(im_, found.im);
    mpfr_hypot(re_, re_, im_, MPFR_RNDU);
    return mpfr_get_d(re_, MPFR_RNDU) / size_;
  }

 private:
  Real re_{judge_precision};
  Real im_{judge_precision};
  Real term_{judge_precision};
  double size_ = 0;
};

/// The angle pi numerator/denominator.
Real angle(std::size_t numerator, std::size_t denominator) {
  Real value(judge_precision);
  mpfr_const_pi(value, MPFR_RNDN);
  mpfr_mul_ui(value, value, numerator, MPFR_RNDN);
  mpfr_div_ui(value, value, denominator, MPFR_RNDN);
  return value;
}

/// c_l (re + i im)
void turn_by(Real& re, Real& im, unsigned f) {
  const std::size_t eighths = truth::line_factors;  // of pi/128: exp(-2 pi i p/256) i^q
  const Real phi = angle(2 * (eighths - f / 4) + f % 4 * eighths / 2, eighths);
  Real cos(judge_precision);
  Real sin(judge_precision);
  mpfr_sin_cos(sin, cos, phi, MPFR_RNDN);
  Real turned(judge_precision);
  mpfr_fmms(turned, re, cos, im, sin, MPFR_RNDN);
  mpfr_fmma(im, re, sin, im, cos, MPFR_RNDN);
  re = turned;
}

const Layout summed_layouts[] = {{1, 1, 1},   {5, 1, 1},   {64, 1, 1},   {100, 1, 3},
                                 {255, 1, 1}, {256, 1, 1}, {257, 1, 2},  {1000, 1, 1},
                                 {64, 4, 2},  {300, 3, 1}, {1024, 1, 5}, {8192, 1, 1}};

/// Eight times what the roundings of as many terms as each partial sum has come to at random.
double tolerance(std::size_t n) { return 8 * 0x1p-106 * std::sqrt(static_cast<double>(n)); }

std::vector<unsigned> some_factors(std::size_t lines) {
  std::mt19937_64 generator(sums_seed);
  std::vector<unsigned> factors(lines);
  for (unsigned& f : factors) f = static_cast<unsigned>(generator() % truth::line_factors);
  return factors;
}

template <class Sum, class Weight>
void expect_sum(Sum sum, Weight weight) {
  for (const auto& [n, stride, blocks] : summed_layouts) {
    const ComplexPairs x = pair_input(PairInput::full, n * stride * blocks, sums_seed);
    const std::vector<unsigned> factors = some_factors(stride * blocks);
    for (const std::size_t s : {std::size_t{0}, n / 3, n / 2, n - 1}) {
      TermByTerm exact;
      Real re(judge_precision);
      Real im(judge_precision);
      for (std::size_t l = 0; l < factors.size(); ++l)
        for (std::size_t j = 0; j < n; ++j) {
          weight(re, im, n, s, j);
          turn_by(re, im, factors[l]);
          exact.add(x, (l / stride * n + j) * stride + l % stride, re, im);
        }
      const ComplexPairs of_lines = truth::factors_of_lines(factors);
      const double error = exact.error_of(sum(WeighedLines{x, 0, n, stride, of_lines}, s));
      EXPECT_LE(error, tolerance(n)) << "n = " << n << ", stride " << stride << ", " << blocks
                                     << " blocks, s = " << s << ", seed = " << sums_seed;
    }
  }
}

TEST(AuditSums, TonesAreThoseOfTheDefinition) {
  expect_sum(
      [](const WeighedLines& lines, std::size_t s) {
        return tone_sum(lines, truth::exact_root(2 * lines.n - 2 * s - 1, 2 * lines.n), {});
      },
      [](Real& re, Real& im, std::size_t n, std::size_t s, std::size_t k) {
        mpfr_sin_cos(im, re, angle((2 * s + 1) * k, n), MPFR_RNDN);
      });
}

TEST(AuditSums, CotangentsAreThoseOfTheDefinition) {
  expect_sum([](const WeighedLines& lines, std::size_t s) { return cotangent_sum(lines, s, {}); },
             [](Real& re, Real& im, std::size_t n, std::size_t s, std::size_t j) {
               mpfr_set_ui(re, 1, MPFR_RNDN);
               mpfr_cot(im, angle(2 * (n + s - j) + 1, 2 * n), MPFR_RNDN);
             });
}

/// Next to the pole a cotangent changes fast.
TEST(AuditSums, CotangentsNextToThePoleAreAsGood) {
  constexpr std::size_t n = std::size_t{1} << 14;
  const ComplexPairs alone = truth::factors_of_lines({0});
  for (const std::size_t s : {std::size_t{0}, std::size_t{63}, std::size_t{64}, n / 2 + 31})
    for (const std::size_t j : {s, s + 1, (n + s - 1) % n, (s + 40) % n, (s + n - 70) % n}) {
      ComplexPairs x(n);
      x.set(j, {{1, 0x1p-60}, {-0.3, 0}});
      TermByTerm exact;
      Real cot(judge_precision);
      mpfr_cot(cot, angle(2 * (n + s - j) + 1, 2 * n), MPFR_RNDN);
      exact.add(x, j, Real(1, judge_precision), cot);
      EXPECT_LE(exact.error_of(truth::cotangent_sum({x, 0, n, 1, alone}, s, {})), 64 * 0x1p-106)
          << "s = " << s << ", j = " << j;
    }
}

TEST(AuditSums, EveryInstructionSetAndThreadGivesTheSameSums) {
  constexpr std::size_t n = std::size_t{1} << 16;
  const ComplexPairs x = pair_input(PairInput::full, n + 5, sums_seed);
  const auto same = [](const ComplexDoubleDouble& a, const ComplexDoubleDouble& b) {
    return a.re.hi == b.re.hi && a.re.lo == b.re.lo && a.im.hi == b.im.hi && a.im.lo == b.im.lo;
  };
  const ComplexPairs alone = truth::factors_of_lines({0});
  const WeighedLines line{x, 5, n, 1, alone};
  const truth::ComplexReal z = truth::exact_root(12345, 2 * n);
  const ComplexDoubleDouble tone = tone_sum(line, z, {Isa::baseline, 1});
  const ComplexDoubleDouble cotangents = cotangent_sum(line, 777, {Isa::baseline, 1});
  for (const Isa isa : available_isas())
    for (const unsigned threads : {1u, 2u, 3u}) {
      EXPECT_TRUE(same(tone, tone_sum(line, z, {isa, threads}))) << name_of(isa);
      EXPECT_TRUE(same(cotangents, cotangent_sum(line, 777, {isa, threads}))) << name_of(isa);
    }
}

}  // namespace
}  // namespace fftprec::testing
