/// Truths for tests of their storage: made up, each with something of its own in every field.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "arith/truth/truth.hpp"
#include "experiments/truths/truth_cache.hpp"

namespace fftprec::testing {

/// Two items of `n` elements with the values that are easily lost: -0, subnormals, inf, NaN.
inline truth::Truth made_up_truth(std::size_t n, int variant = 0) {
  truth::Truth truth;
  truth.hi = ComplexArray<double>(2 * n);
  truth.lo = ComplexArray<double>(2 * n);
  double next = 1 + variant;
  for (auto* values : {&truth.hi.re, &truth.hi.im, &truth.lo.re, &truth.lo.im})
    for (double& value : *values) value = next += 0.125;
  truth.hi.re[0] = -0.0;
  truth.hi.im[0] = std::numeric_limits<double>::denorm_min();
  truth.lo.re[0] = std::numeric_limits<double>::quiet_NaN();
  truth.lo.im[0] = -std::numeric_limits<double>::infinity();
  truth.n = n;
  truth.radius_rel = 0x1p-100 * (1 + variant);
  truth.element_radius = {0x1p-90, 0x1p-91 * (1 + variant)};
  truth.bits = 99 - variant;
  truth.tier = truth::Tier::double_double;
  truth.method = "method " + std::to_string(variant);
  return truth;
}

inline void append_bits(std::vector<std::uint64_t>& bits, const auto& values) {
  bits.push_back(values.size());
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
}

/// Every number of a truth as its bits: NaN equals NaN, and -0 is not 0.
inline std::vector<std::uint64_t> bits_of(const truth::Truth& truth) {
  std::vector<std::uint64_t> bits{truth.n, std::bit_cast<std::uint64_t>(truth.radius_rel),
                                  static_cast<std::uint64_t>(truth.bits),
                                  static_cast<std::uint64_t>(truth.tier)};
  for (const auto* values : {&truth.hi.re, &truth.hi.im, &truth.lo.re, &truth.lo.im})
    append_bits(bits, *values);
  append_bits(bits, truth.element_radius);
  return bits;
}

inline bool same(const truth::Truth& a, const truth::Truth& b) {
  return bits_of(a) == bits_of(b) && a.method == b.method;
}

inline ::testing::AssertionResult is_same(const truth::Truth& a, const truth::Truth& b) {
  if (same(a, b)) return ::testing::AssertionSuccess();
  const std::vector<std::uint64_t> ours = bits_of(a);
  const std::vector<std::uint64_t> theirs = bits_of(b);
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  failure << "'" << a.method << "' and '" << b.method << "', " << ours.size() << " and "
          << theirs.size() << " words";
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i)
    if (ours[i] != theirs[i])
      return failure << ", word " << i << ": " << ours[i] << ", " << theirs[i];
  return failure;
}

/// A cache that keeps whatever it is given.
inline constexpr TruthCache::Options keep_all{.least_time = std::chrono::nanoseconds(0)};

inline std::string name(int i) { return "key " + std::to_string(i); }

/// The truth of key i; they all have one size.
inline truth::Truth truth_of(int i, std::size_t n = 64) { return made_up_truth(n, i); }

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(directory))
    files.push_back(each.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace fftprec::testing
