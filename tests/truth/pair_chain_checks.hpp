/// What tests of chains of pairs have in common.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "arith/truth/chain.hpp"

namespace fftprec::testing {

inline constexpr double u2 = 0x1p-106;

/// Items of x with errors that the caller states, as earlier steps would have left them.
inline truth::PairChain off_by(const ComplexArray<double>& x, const std::vector<double>& errors) {
  const std::size_t count = x.size() / errors.size();
  truth::PairChain chain = truth::exact_values(x, 0, count, errors.size(), {});
  for (std::size_t item = 0; item < errors.size(); ++item)
    chain.error[item] = truth::Bound(std::ldexp(errors[item], -chain.scale[item]));
  return chain;
}

inline ComplexArray<double> constant(std::size_t size, double value) {
  ComplexArray<double> x(size);
  for (double& part : x.re) part = value;
  return x;
}

/// The bound in units of the values that the item stands for.
inline double error_of(const truth::PairChain& x, std::size_t item) {
  return std::ldexp(x.error[item].to_double(), x.scale[item]);
}

inline std::complex<double> value(const truth::PairChain& x, std::size_t item, std::size_t j) {
  const std::size_t i = item * x.item_size() + j;
  return {std::ldexp(x.values.hi.re[i], x.scale[item]),
          std::ldexp(x.values.hi.im[i], x.scale[item])};
}

/// A little above `value`, as roundings upward and norms in double leave it.
inline void expect_just_above(double bound, double value) {
  EXPECT_GE(bound, value * (1 - 0x1p-50));
  EXPECT_LE(bound, value * (1 + 0x1p-18));
}

}  // namespace fftprec::testing
