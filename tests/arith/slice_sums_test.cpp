/// PSUM sums of slices against exact integers, and the sums outside against MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// psum (+)= stationary^T moving in plain fp32, one k after the other.
void matmul_in_fp32(const Matmul<float>& call) {
  for (std::size_t i = 0; i < call.m; ++i)
    for (std::size_t j = 0; j < call.n; ++j) {
      float sum = call.accumulate ? call.psum[i * call.psum_stride + j] : 0;
      for (std::size_t k = 0; k < call.k; ++k) {
        const float product = call.stationary[k * call.stationary_k + i * call.stationary_m] *
                              call.moving[k * call.moving_stride + j];
        sum += call.negate ? -product : product;
      }
      call.psum[i * call.psum_stride + j] = sum;
    }
}

/// Two matmuls of K x M and K x N integers that chain, and their sum in fp32.
struct Chain {
  std::size_t k;
  std::size_t m = 3;
  std::size_t n = 5;
  std::vector<float> stationary = std::vector<float>(k * m);
  std::vector<float> moving = std::vector<float>(k * n);
  std::vector<float> psum = std::vector<float>(m * n);

  std::vector<Matmul<float>> calls() {
    const Matmul<float> first{
        stationary.data(), m, 1, moving.data(), n, psum.data(), n, m, n, k, false, false};
    Matmul<float> second = first;
    second.negate = true;
    second.accumulate = true;
    return {first, second};
  }
  void fill(int bits_stationary, int bits_moving, std::mt19937& random) {
    const auto integer = [&](int bits) {
      const auto span = static_cast<unsigned>(2 << bits) + 1;
      return static_cast<float>(static_cast<int>(random() % span) - (1 << bits));
    };
    for (float& x : stationary) x = integer(bits_stationary);
    for (float& x : moving) x = integer(bits_moving);
  }
};

}  // namespace

TEST(ExactPsum, HoldsAtTheLimitAndIsNotMetBeyondIt) {
  // 512 products twice, all of them 2^7 * 2^7 or near: at most 2^24.
  for (const int bits : {7, 8})
    for (const float last : {0.f, 1.f}) {
      Chain chain{.k = 512};
      std::fill(chain.stationary.begin(), chain.stationary.end(), std::ldexp(1.f, bits) - last);
      std::fill(chain.moving.begin(), chain.moving.end(), std::ldexp(1.f, bits) - last);
      std::vector<Matmul<float>> calls = chain.calls();
      calls[1].negate = false;
      for (const Matmul<float>& call : calls) matmul_in_fp32(call);
      const auto differs = first_inexact_psum(calls);

      // 255 * 255 is odd: beyond 2^24 its multiples are no fp32 values.
      ASSERT_EQ(slices_sum_exactly(512, 2, bits, bits), bits == 7);
      ASSERT_EQ(differs.has_value(), bits == 8 && last == 1) << bits << " bits, " << last;
      if (!differs) continue;
      EXPECT_EQ(differs->row + differs->col, 0u);
      EXPECT_EQ(differs->exact, 1024 * 255 * 255);
      EXPECT_EQ(differs->psum, static_cast<double>(chain.psum[0]));
    }
}

TEST(ExactPsum, ReportsTheFirstElementThatDiffers) {
  std::mt19937 random(2);
  Chain chain{.k = 40};
  chain.fill(6, 6, random);
  std::vector<Matmul<float>> calls = chain.calls();
  calls.pop_back();
  matmul_in_fp32(calls[0]);
  EXPECT_EQ(first_inexact_psum(calls), std::nullopt);

  float& wrong = chain.psum[1 * chain.n + 3];
  const float right = wrong;
  const float half = std::copysign(0.5f, right);  // so that cutting it off would hide it
  wrong += half;
  const auto differs = first_inexact_psum(calls);
  ASSERT_TRUE(differs);
  EXPECT_EQ(differs->row, 1u);
  EXPECT_EQ(differs->col, 3u);
  EXPECT_EQ(static_cast<float>(differs->exact), right);
  EXPECT_EQ(differs->psum, static_cast<double>(right + half));
}

TEST(ExactPsum, RefusesWhatItCannotJudge) {
  Chain chain{.k = 4};
  std::vector<Matmul<float>> calls = chain.calls();
  EXPECT_THROW(first_inexact_psum({}), InputError);
  EXPECT_THROW(first_inexact_psum({calls.data() + 1, 1}), InputError) << "adds to unknown values";
  calls[1].accumulate = false;
  EXPECT_THROW(first_inexact_psum(calls), InputError) << "overwrites";
  calls[1].accumulate = true;
  calls[1].n = 4;
  EXPECT_THROW(first_inexact_psum(calls), InputError) << "another shape";
  chain.moving[7] = 0x1p21f;
  EXPECT_THROW(first_inexact_psum({calls.data(), 1}), InputError) << "too large";
  chain.moving[7] = 0.5f;
  EXPECT_THROW(first_inexact_psum({calls.data(), 1}), InputError) << "no integer";
  chain.moving[7] = std::nanf("");
  EXPECT_THROW(first_inexact_psum({calls.data(), 1}), InputError) << "NaN";
}

TEST(SliceSums, OutsideRoundAsTheySay) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Wide exact(400), error(400);
  Judge fp64_judge(fp64, 400), fp32_judge(fp32, 400);
  constexpr std::size_t count = 37;
  for (int run = 0; run < 200; ++run) {
    std::vector<float> term(count);
    std::vector<double> units(count), sum64(count), carried(count);
    std::vector<FloatPair> pairs(count);
    const double row_unit = std::ldexp(1.0, static_cast<int>(random() % 20) - 10);
    for (std::size_t j = 0; j < count; ++j) {
      term[j] = static_cast<float>(static_cast<int>(random() % (2 << 24)) - (1 << 24));
      units[j] = std::ldexp(1.0, -static_cast<int>(random() % 60));
      sum64[j] = normal(random);
      carried[j] = static_cast<double>(static_cast<float>(normal(random)));
      pairs[j] = FloatPair(normal(random));
    }
    const std::vector<double> old64 = sum64, old_carried = carried;
    const std::vector<FloatPair> old_pairs = pairs;
    add_term(sum64.data(), term.data(), count, row_unit, units.data());
    add_term_in_fp32(carried.data(), term.data(), count, row_unit, units.data());
    add_term(pairs.data(), term.data(), count, row_unit, units.data());

    for (std::size_t j = 0; j < count; ++j) {
      const double scaled = static_cast<double>(term[j]) * row_unit * units[j];
      ASSERT_TRUE(
          same_value(sum64[j], fp64_judge(Operation::add, Rounding::rne, old64[j], scaled)));
      const double truth = fp32_judge(Operation::add, Rounding::rne, old_carried[j], scaled);
      ASSERT_TRUE(same_value(carried[j], truth));

      mpfr_set_d(exact.get(), static_cast<double>(old_pairs[j].high), MPFR_RNDN);
      mpfr_add_d(exact.get(), exact.get(), static_cast<double>(old_pairs[j].low), MPFR_RNDN);
      mpfr_add_d(exact.get(), exact.get(), scaled, MPFR_RNDN);
      mpfr_sub_d(error.get(), exact.get(), static_cast<double>(pairs[j].high), MPFR_RNDN);
      mpfr_sub_d(error.get(), error.get(), static_cast<double>(pairs[j].low), MPFR_RNDN);
      const double u = unit_roundoff(fp32);
      ASSERT_LE(std::fabs(mpfr_get_d(error.get(), MPFR_RNDA)),
                2 * u * u * std::fabs(mpfr_get_d(exact.get(), MPFR_RNDN)))
          << "run " << run << ", " << show(scaled);
      ASSERT_EQ(pairs[j].high, pairs[j].high + pairs[j].low) << "not normalised";
    }
  }
}

}  // namespace fftprec::testing
