/// The true transform of a given input, with a certified radius.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"

namespace fftprec::truth {

/// The arithmetic of a truth: MPFR, which is trusted; vectorised double-double with a proven bound
/// and random probes that MPFR checks; or the integers of GMP, exact, for products of integers.
enum class Tier { mpfr, double_double, gmp };
inline constexpr Tier all_tiers[] = {Tier::mpfr, Tier::double_double, Tier::gmp};

/// "mpfr", "dd" or "gmp".
inline std::string_view name_of(Tier tier) {
  constexpr std::string_view names[] = {"mpfr", "dd", "gmp"};
  return names[static_cast<std::size_t>(tier)];
}

class Plans;  // fourier.hpp

/// An empty cache.
std::shared_ptr<Plans> new_plans();

/// How to compute a truth.
struct TruthOptions {
  /// Empty: double_double if its certificate reaches `needed_bits`, else mpfr; gmp for products of
  /// integers.
  std::optional<Tier> tier{};
  /// Certified bits that double_double must reach. 75 suffice for every mode: the finest output,
  /// fp64, has errors of 2^-54, or of 2^-65 if one exact element has most of the norm (input
  /// cancelling), and the radius should be 2^10 times smaller.
  int needed_bits = 75;
  int precision_bits = 128;  ///< of MPFR, at least; in 53..512
  unsigned threads = 1;      ///< for one long transform
  Isa isa = best_isa();      ///< same bits for all of them
  /// The cache that all copies of these options share.
  std::shared_ptr<Plans> plans = new_plans();
};

/// Exact values to about 106 bits: element j is (hi.re[j] + lo.re[j]) + i (hi.im[j] + lo.im[j]).
/// The array is a batch of hi.size() / n items one after the other: one item is the whole output
/// for one item of the input, whatever the transform (a spectrum, the spectrum of an image, all
/// frames of a signal, a row of a matrix product). A part that is not above its radius is zero.
struct Truth {
  ComplexArray<double> hi;
  ComplexArray<double> lo;
  std::size_t n = 0;      ///< output elements of one item
  double radius_rel = 0;  ///< certified: ||stored - exact||_2 <= radius_rel ||stored||_2 over each
                          ///< item as a whole, the worst item's
  std::vector<double> element_radius{};  ///< by item: |stored - exact| <= this in every element
  int bits = 0;                          ///< floor(-log2(radius_rel))
  Tier tier = Tier::mpfr;
  std::string method{};  ///< how it was certified
};

}  // namespace fftprec::truth
