#include "arith/truth/hermitian.hpp"

#include <cassert>
#include <vector>

namespace fftprec::truth {

Chain one_sided(const Chain& x, std::size_t n) {
  assert(x.size() % n == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.size() / n * half_size(n));
  for (std::size_t line = 0; line < x.size(); line += n)
    for (std::size_t k = 0; k < half_size(n); ++k) sources.push_back(line + k);
  return gathered(x, sources);
}

Chain two_sided(const Chain& x, std::size_t n) {
  const std::size_t half = half_size(n);
  assert(x.size() % half == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.size() / half * n);
  for (std::size_t line = 0; line < x.size(); line += half)
    for (std::size_t k = 0; k < n; ++k) sources.push_back(line + (k < half ? k : n - k));
  Chain y = gathered(x, sources);
  for (std::size_t line = 0; line < y.size(); line += n) {
    for (std::size_t k = half; k < n; ++k)
      mpfr_neg(y.values.im[line + k], y.values.im[line + k], MPFR_RNDN);
    drop_imaginary(y, line);
    if (n % 2 == 0) drop_imaginary(y, line + n / 2);
  }
  return y;
}

}  // namespace fftprec::truth
