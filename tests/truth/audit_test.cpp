/// The run-time certificate: it passes what is right, and small faults of every kind raise it.
#include "arith/truth/audit.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "arith/truth/roots.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::CertificateError;
using truth::ComplexPairs;
using truth::PairFourier;

constexpr int test_seed = 3;

/// A transform, its right result, and what is certified of it.
struct Certified {
  Certified(std::size_t length, std::size_t step = 1, std::size_t blocks = 1,
            PairInput input = PairInput::full)
      : n(length), stride(step), x(pair_input(input, length * step * blocks, test_seed)), y(x) {
    const PairFourier fourier(n);
    fourier(y, stride, {});
    allowed = fourier.radius() * std::sqrt(static_cast<double>(n)) * norm_of(x);
  }

  std::size_t lines() const { return x.size() / n; }
  std::size_t place(std::size_t line, std::size_t k) const {
    return (line / stride * n + k) * stride + line % stride;
  }
  void check(const ComplexPairs& result, const truth::Loops& loops = {}) const {
    audit(x, result, n, stride, allowed, loops);
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
           std::to_string(lines()) + " lines, seed = " + std::to_string(test_seed);
  }

  std::size_t n;
  std::size_t stride;
  ComplexPairs x;
  ComplexPairs y;
  double allowed;
};

double with_flipped_bit(double x, int bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ std::uint64_t{1} << bit);
}

void exchange(ComplexPairs& y, std::size_t i, std::size_t j) {
  const truth::ComplexDoubleDouble value = y.at(i);
  y.set(i, y.at(j));
  y.set(j, value);
}

struct Layout {
  std::size_t n;
  std::size_t stride;
  std::size_t blocks;
};

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
      c.y = c.x;
      fourier(c.y, 1, {});
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
  ComplexPairs y = x;
  const PairFourier fourier(n);
  fourier(y, 1, {});
  EXPECT_NO_THROW(truth::audit(x, y, n, 1, fourier.radius() * 0x1p10 * norm_of(x), {}));
}

TEST(Audit, PassesZeros) {
  const ComplexPairs zeros(64);
  EXPECT_NO_THROW(truth::audit(zeros, zeros, 64, 1, 0, {}));
}

TEST(Audit, RaisesTheLowestBitOfAnyLeadingDouble) {
  for (const auto& [n, stride, blocks] :
       {Layout{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {8, 1, 1}, {8, 3, 2}, {64, 1, 1}, {100, 1, 1}}) {
    const Certified c(n, stride, blocks);
    for (std::size_t i = 0; i < c.y.size(); ++i)
      for (auto* part : {&c.y.hi.re, &c.y.hi.im}) {
        ComplexPairs wrong = c.y;
        auto& values = part == &c.y.hi.re ? wrong.hi.re : wrong.hi.im;
        values[i] = with_flipped_bit(values[i], 0);
        ASSERT_TRUE(c.raised_by(wrong)) << c.text() << ", element " << i;
      }
  }
}

TEST(Audit, RaisesTheLowestBitOfALeadingDoubleAmongMany) {
  for (const auto& [n, stride, blocks] :
       {Layout{65536, 1, 1}, {64, 1, 1024}, {64, 1024, 1}, {1000, 1, 10}, {10007, 1, 1}}) {
    const Certified c(n, stride, blocks);
    std::mt19937_64 generator(test_seed);
    for (int i = 0; i < 10; ++i) {
      ComplexPairs wrong = c.y;
      double& value = wrong.hi.re[generator() % wrong.size()];
      value = with_flipped_bit(value, 0);
      ASSERT_TRUE(c.raised_by(wrong)) << c.text();
    }
  }
}

/// A flip changes one element by a power of two, and a probe by just as much.
TEST(Audit, RaisesTrailingBitsDownToWhatIsCertifiedAndNoFurther) {
  for (const std::size_t n : {16u, 100u, 4096u}) {
    const Certified c(n);
    std::mt19937_64 generator(test_seed);
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

TEST(Audit, RaisesAConjugatedOutput) {
  for (const auto& [n, stride, blocks] : {Layout{1, 1, 1}, {4, 1, 1}, {64, 1, 3}, {100, 4, 1}}) {
    const Certified c(n, stride, blocks);
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      ComplexPairs wrong = c.y;
      const truth::ComplexDoubleDouble value = wrong.at(i);
      wrong.set(i, {value.re, -value.im});
      ASSERT_TRUE(c.raised_by(wrong)) << c.text() << ", element " << i;
    }
  }
}

TEST(Audit, RaisesAReversedOrInverseTransform) {
  for (const std::size_t n : {3u, 8u, 100u, 4096u}) {
    const Certified c(n);
    ComplexPairs wrong = c.y;
    for (std::size_t k = 1; k < n; ++k) wrong.set(k, c.y.at(n - k));
    EXPECT_TRUE(c.raised_by(wrong)) << c.text();
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

TEST(Audit, MessageNamesTheProbe) {
  const Certified c(64);
  ComplexPairs wrong = c.y;
  wrong.hi.re[7] = with_flipped_bit(wrong.hi.re[7], 40);
  try {
    c.check(wrong);
    FAIL() << "nothing thrown";
  } catch (const CertificateError& error) {
    EXPECT_NE(std::string(error.what()).find("tone above frequency"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fftprec::testing
