/// Tests of own_fft.hpp, against the certified transform and what theory proves of radix 2.
#include "own_fft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fftprec/gtest.hpp>
#include <random>

namespace {

std::vector<std::complex<float>> noise(std::size_t n) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<std::complex<float>> x(n);
  for (auto& value : x) value = {uniform(generator), uniform(generator)};
  return x;
}

TEST(OwnFft, ErrsByAFewRoundings) {
  const auto x = noise(1024);
  EXPECT_FFT_ERROR_BELOW(own_fft(x), x, "err_l2_rel", 3e-7);
}

TEST(OwnFft, StaysBelowTheWorstCaseOfRadix2AtEveryLength) {
  for (std::size_t n = 2; n <= 4096; n *= 2) {
    const auto x = noise(n);
    EXPECT_THAT(own_fft(x), fftprec::IsFftOf(x)
                                .within("err_l2_rel", 5e-7)
                                .within_bound_of("algorithm=radix2-dit, mode=fp32, machine=ieee"));
  }
}

}  // namespace
