/// What no bit of a matrix product may depend on, and which of them random bits decide.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/algorithms/complex_product.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

template <class Real>
void expect_same_everywhere(const Mode& mode, const char* name) {
  const ProductShape shape{3, 70, 19};
  const Format storage = storage_format(mode);
  const Format format = storage == fp32_pair ? fp64 : storage;
  const auto x = scattered<Real>(shape.b * shape.k, format, 3);
  const auto w = scattered<Real>(shape.k * shape.n, format, 4);
  const Machine machine = machine_named(name);
  const auto product = [&](const Machine& on, Isa isa, bool columns) {
    return product_by(MachineArithmetic<Real>(resolve(mode, on), isa), x, w, shape, columns);
  };
  SCOPED_TRACE(::testing::Message() << mode.name << " on " << name << ", seeds 3 and 4");
  const auto expected = product(machine, Isa::baseline, false);
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(product(machine, isa, false), expected) << name_of(isa);
    EXPECT_EQ(product(machine, isa, true), expected) << name_of(isa) << ", columns";
  }
  Machine tiles = machine;
  tiles.m_tile = 2;
  tiles.n_tile = 5;
  EXPECT_EQ(product(tiles, best_isa(), false), expected) << "tiles of 2 x 5";
  EXPECT_EQ(product(tiles, best_isa(), true), expected) << "tiles of 2 x 5, columns";
}

/// trn with stochastic casts and writes to PSUM.
Machine stochastic(const Format& psum, const Format& eviction, std::uint64_t seed = 0) {
  Machine machine = machine_named("trn-sr");
  machine.psum = psum;
  machine.eviction = eviction;
  machine.stochastic_seed = seed;
  return machine;
}

/// Real data, whose sums PSUM takes in one matmul.
ComplexArray<float> real_data(std::size_t size, std::uint32_t seed) {
  auto x = scattered<float>(size, bf16, seed);
  std::fill(x.im.begin(), x.im.end(), 0.0f);
  return x;
}

}  // namespace

TEST(MachineGemm, BitsDependOnNeitherInstructionSetNorTileNorForm) {
  std::vector<Mode> all = modes();
  for (const char* name : {"slices:3x3:pair:tiles", "slices:3x3:fp32", "ozaki2:15", "fp16x2:4"})
    all.push_back(mode_named(name));
  std::size_t checked = 0;
  for (const char* name : {"trn", "trn-tree", "trn3-bf16psum", "nv-hopper"})
    for (const Mode& mode : all) {
      const Machine machine = machine_named(name);
      try {
        resolve(mode, machine).matrices();
      } catch (const NotApplicable&) {
        continue;
      }
      ++checked;
      with_type(resolve(mode, machine).type(),
                [&]<class Real>(Real) { expect_same_everywhere<Real>(mode, name); });
    }
  EXPECT_GT(checked, 4 * trnfft_modes().size());
}

/// Every value that is rounded at random is one of its neighbours, and on average itself.
TEST(MachineGemm, StochasticPsumAndEvictionRoundToNeighboursWithoutBias) {
  const ProductShape shape{64, 40, 64};
  const auto x = real_data(shape.b * shape.k, 3), w = scattered<float>(shape.k * shape.n, bf16, 4);
  const Mode mode = mode_named("bf16");
  const auto wide =
      product_by(MachineArithmetic<float>(resolve(mode, machine_named("trn"))), x, w, shape, false);
  for (const Machine& machine : {stochastic(fp32, bf16), stochastic(bf16, fp32)})
    for (const bool columns : {false, true}) {
      const auto out =
          product_by(MachineArithmetic<float>(resolve(mode, machine)), x, w, shape, columns);
      double deviation = 0, variance = 0;
      Judge judge(bf16, 64);
      for (const auto& [parts, exact] :
           {std::pair(&out.re, &wide.re), std::pair(&out.im, &wide.im)})
        for (std::size_t i = 0; i < parts->size(); ++i) {
          const double value = static_cast<double>((*exact)[i]);
          const double below = judge(Operation::identity, Rounding::rd, value);
          const double above = judge(Operation::identity, Rounding::ru, value);
          const double got = static_cast<double>((*parts)[i]);
          ASSERT_TRUE(got == below || got == above) << got << " of " << value << ", element " << i;
          if (above == below) continue;
          const double share = (value - below) / (above - below);
          deviation += (got - value) / (above - below);
          variance += share * (1 - share);
        }
      EXPECT_GT(variance, 0.1 * static_cast<double>(out.size())) << "most values round";
      EXPECT_LE(std::fabs(deviation), 4 * std::sqrt(variance)) << "4 sigma, seeds 3, 4 and 0";
    }
}

TEST(MachineGemm, StochasticBitsFollowFromSeedAndCall) {
  const ProductShape shape{8, 40, 8};
  const auto x = scattered<float>(shape.b * shape.k, bf16, 3);
  const auto w = scattered<float>(shape.k * shape.n, bf16, 4);
  for (const Format& psum : {fp32, bf16}) {
    const Format eviction = psum == fp32 ? bf16 : fp32;
    const auto run = [&](std::uint64_t seed) {
      const MachineArithmetic<float> arithmetic(
          resolve(mode_named("bf16"), stochastic(psum, eviction, seed)));
      const auto first = product_by(arithmetic, x, w, shape, false);
      return std::pair(first, product_by(arithmetic, x, w, shape, false));
    };
    const auto [first, second] = run(0);
    EXPECT_NE(first, second) << "a later call has random bits of its own";
    EXPECT_EQ(run(0), std::pair(first, second));
    EXPECT_NE(run(1).first, first);
  }
}

/// Values half way between two of bf16, rounded as PSUM leaves and by the next ten casts.
TEST(MachineGemm, EvictionAndLaterCastsHaveRandomBitsOfTheirOwn) {
  constexpr std::size_t rows = 50, cols = 40;
  ComplexArray<float> x(2 * rows), w(2 * cols), evicted(rows * cols);
  for (std::size_t i = 0; i < rows; ++i) {  // (1, 2^-8): sums 1 + 2^-8, half way
    x.re[2 * i] = 1;
    x.re[2 * i + 1] = 0x1p-8f;
  }
  for (auto* part : {&w.re, &w.im}) std::fill(part->begin(), part->end(), 1.0f);
  const MachineArithmetic<float> arithmetic(resolve(mode_named("bf16"), stochastic(fp32, bf16)));
  const auto table = arithmetic.matrix_of(w, 2);

  arithmetic.gemm(view_of(evicted, rows, cols), view_of(x, rows, 2), table);

  expect_own_bits(evicted, 1, "eviction");
  for (int step = 1; step <= 10; ++step) {
    ComplexArray<float> cast(rows * cols);
    for (auto* part : {&cast.re, &cast.im}) std::fill(part->begin(), part->end(), 1 + 0x1p-8f);
    arithmetic.store(view_of(cast, rows, cols));
    expect_own_bits(cast, 1, "cast");
    expect_independent(ups(evicted.re, 1), ups(cast.re, 1), "eviction and cast");
    expect_independent(ups(evicted.im, 1), ups(cast.im, 1), "eviction and cast");
  }
}

}  // namespace fftprec::testing
