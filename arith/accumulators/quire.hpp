/// The accumulator of posit arithmetic: sums of products without any rounding.
#pragma once

#include <memory>

namespace fftprec {

/// Of posits of so many bits: a fixed-point number of 16 times as many bits, those of sign and of
/// carries among them, in units of the least product, 2^(16 - 8 bits). It holds the sum of 2^31
/// products of any posits.
/// Source: Posit Standard (2022), section 3.3.
class Quire {
 public:
  /// Requires: 3 <= bits <= 32.
  explicit Quire(int bits);
  Quire(const Quire&) = delete;
  Quire& operator=(const Quire&) = delete;
  ~Quire();

  /// Requires: posits of so many bits, or NaN, which stays.
  void add_product(double a, double b);
  /// The sum, rounded to odd: a posit rounded from it is rounded once.
  double to_odd() const;
  void clear();

 private:
  struct Sum;
  std::unique_ptr<Sum> sum_;
};

}  // namespace fftprec
