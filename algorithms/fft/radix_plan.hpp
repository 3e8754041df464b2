/// Plans of a Stockham FFT: the radices of a length, and how each small DFT is computed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/fft/fft.hpp"

namespace fftprec {

/// How a stage does its r-point DFTs.
enum class SmallDft {
  sums,            ///< r = 2, 4 and 8: sums, differences, exchanges of parts, eighth turns
  matrix_product,  ///< a product with the r x r DFT matrix
  vector_product,  ///< that product by elementwise products and sequential sums
  // Odd r: sums and differences of x_k and x_(r-k), products with real factors (StockhamStage).
  pairs,              ///< constants are literals
  pairs_of_sums,      ///< constants are twiddles, y_0 adds up the sums of pairs first
  pairs_of_products,  ///< constants are twiddles, the products by cosines are added up first
  golden_pairs        ///< r = 5: sqrt(5)/4 takes the place of two cosines; literals
};

struct RadixStage {
  std::size_t radix;
  SmallDft dft;

  friend bool operator==(const RadixStage&, const RadixStage&) = default;
};

/// The stages in the order in which they are done; their radices multiply to n.
struct RadixPlan {
  std::vector<RadixStage> stages;
  std::string unsupported{};  ///< why length n has no such plan, or empty
  Decimation decimation = Decimation::in_time;
};

/// A plan for length n.
using PlanRadices = RadixPlan (*)(std::size_t n);
/// The same with options that are known at run time.
using PlanAnyRadices = std::function<RadixPlan(std::size_t n)>;

/// 2, 2, ... by sums: n = 2^k.
RadixPlan stockham_r2_plan(std::size_t n);

/// 4, 4, ... by sums: n = 4^k.
RadixPlan stockham_r4_plan(std::size_t n);

/// 8, 8, ... by matrix products: n = 8^k.
RadixPlan stockham_r8_plan(std::size_t n);

/// 8^a 4^b, 8 by matrix products first, then 4 by sums, with the largest a that leaves a power of
/// 4: n = 2^k, k >= 2. 1024 is 8, 8, 4, 4 and 2048 is 8, 8, 8, 4.
RadixPlan stockham_mixed_plan(std::size_t n);

/// How the odd radices of mixed-radix are done, after the libraries that do them so.
enum class OddRadices {
  products,     ///< by vector products
  fftpack,      ///< by pairs; pocketfft, of NumPy and SciPy, has them from FFTPACK
  kissfft,      ///< 3 and 5 by pairs_of_sums, larger ones by vector products
  kissfft_cpp,  ///< its header for C++, and Eigen: 3 and 5 by pairs_of_products, the same others
  gsl           ///< 3 by pairs, 5 by golden_pairs; no others
};

/// What libraries of mixed radices choose in different ways.
struct MixedRadices {
  /// Of 8, 4, 2 and odd primes. The largest is taken out of n as often as it divides it, then the
  /// next; stages come in the order of this list, then primes that it lacks, ascending.
  std::vector<std::size_t> radices{4, 2};
  bool reversed = false;  ///< the order of all stages
  Decimation decimation = Decimation::in_time;
  OddRadices odd = OddRadices::products;
};

/// Radices from text like "8-4-2". Throws InputError for anything else, and unless 2 is one.
std::vector<std::size_t> parse_radices(std::string_view text);

/// The default is 4, 4, ..., at most one 2, then odd primes ascending. 8, 4 and 2 are done by sums.
/// n >= 1 without a prime factor above 127.
RadixPlan mixed_radix_plan(std::size_t n, const MixedRadices& choice);
RadixPlan mixed_radix_plan(std::size_t n);

/// As few factors as possible, each at most 128 and done as a matrix product, in ascending order.
/// Among plans with equally few, the one with the smallest largest factor, then with the smallest
/// second largest, and so on. n >= 1 without a prime factor above 128.
RadixPlan four_step_plan(std::size_t n);

}  // namespace fftprec
