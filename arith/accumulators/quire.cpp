#include "arith/accumulators/quire.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fftprec {

struct Quire::Sum {
  boost::multiprecision::int512_t units{};
  int unit_exponent;
  bool is_real = true;
};

Quire::Quire(int bits) : sum_(std::make_unique<Sum>()) { sum_->unit_exponent = 16 - 8 * bits; }
Quire::~Quire() = default;

void Quire::clear() {
  sum_->units = 0;
  sum_->is_real = true;
}

void Quire::add_product(double a, double b) {
  constexpr int digits = 28;  // of the widest posit
  const auto whole = [](double x, int& exponent) {
    return static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), digits));
  };
  int of_a = 0;
  int of_b = 0;
  sum_->is_real = sum_->is_real && std::isfinite(a) && std::isfinite(b);
  if (!sum_->is_real || a == 0 || b == 0) return;
  boost::multiprecision::int512_t product = whole(a, of_a) * whole(b, of_b);
  const int shift = of_a + of_b - 2 * digits - sum_->unit_exponent;
  sum_->units += shift < 0 ? product >> -shift : product << shift;
}

double Quire::to_odd() const {
  if (!sum_->is_real) return std::numeric_limits<double>::quiet_NaN();
  if (sum_->units == 0) return 0;
  const bool negative = sum_->units < 0;
  boost::multiprecision::int512_t size = negative ? -sum_->units : sum_->units;
  const int excess = static_cast<int>(msb(size)) - (std::numeric_limits<double>::digits - 1);
  int exponent = sum_->unit_exponent;
  if (excess > 0) {
    const bool sticky = static_cast<int>(lsb(size)) < excess;
    size >>= excess;
    if (sticky) bit_set(size, 0);
    exponent += excess;
  }
  const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(size)), exponent);
  return negative ? -value : value;
}

}  // namespace fftprec
