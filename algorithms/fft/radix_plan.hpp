/// Plans of a Stockham FFT: the radices of a length, and how each small DFT is computed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fftprec {

/// How a stage does its r-point DFTs.
enum class SmallDft {
  sums,            ///< r = 2 and r = 4: sums, differences and exchanges of parts
  matrix_product,  ///< a product with the r x r DFT matrix
  vector_product   ///< that product by elementwise products and sequential sums
};

struct RadixStage {
  std::size_t radix;
  SmallDft dft;

  friend bool operator==(const RadixStage&, const RadixStage&) = default;
};

/// The stages in the order in which they are done; their radices multiply to n.
struct RadixPlan {
  std::vector<RadixStage> stages;
  std::string unsupported;  ///< why length n has no such plan, or empty
};

/// A plan for length n.
using PlanRadices = RadixPlan (*)(std::size_t n);

/// 2, 2, ... by sums: n = 2^k.
RadixPlan stockham_r2_plan(std::size_t n);

/// 4, 4, ... by sums: n = 4^k.
RadixPlan stockham_r4_plan(std::size_t n);

/// 8, 8, ... by matrix products: n = 8^k.
RadixPlan stockham_r8_plan(std::size_t n);

/// 8^a 4^b, 8 by matrix products first, then 4 by sums, with the largest a that leaves a power of
/// 4: n = 2^k, k >= 2. 1024 is 8, 8, 4, 4 and 2048 is 8, 8, 8, 4.
RadixPlan stockham_mixed_plan(std::size_t n);

/// 4, 4, ..., at most one 2, then odd primes ascending; 4 and 2 by sums, primes by vector products:
/// n >= 1 without a prime factor above 127.
RadixPlan mixed_radix_plan(std::size_t n);

/// As few factors as possible, each at most 128 and done as a matrix product, in ascending order.
/// Among plans with equally few, the one with the smallest largest factor, then with the smallest
/// second largest, and so on. n >= 1 without a prime factor above 128.
RadixPlan four_step_plan(std::size_t n);

}  // namespace fftprec
