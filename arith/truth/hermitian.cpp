#include "arith/truth/hermitian.hpp"

#include <cassert>
#include <vector>

namespace fftprec::truth {
namespace {

template <class AnyChain>
AnyChain first_halves(const AnyChain& x, std::size_t n) {
  assert(x.item_size() % n == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.item_size() / n * half_size(n));
  for (std::size_t line = 0; line < x.item_size(); line += n)
    for (std::size_t k = 0; k < half_size(n); ++k) sources.push_back(line + k);
  return gathered(x, sources);
}

template <class AnyChain>
AnyChain extended(const AnyChain& x, std::size_t n) {
  const std::size_t half = half_size(n);
  assert(x.item_size() % half == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.item_size() / half * n);
  for (std::size_t line = 0; line < x.item_size(); line += half)
    for (std::size_t k = 0; k < n; ++k) sources.push_back(line + (k < half ? k : n - k));
  AnyChain y = gathered(x, sources);
  for (std::size_t line = 0; line < y.item_size(); line += n) {
    conjugate(y, line + half, n - half);
    drop_imaginary(y, line);
    if (n % 2 == 0) drop_imaginary(y, line + n / 2);
  }
  return y;
}

}  // namespace

Chain one_sided(const Chain& x, std::size_t n) { return first_halves(x, n); }
PairChain one_sided(const PairChain& x, std::size_t n) { return first_halves(x, n); }

Chain two_sided(const Chain& x, std::size_t n) { return extended(x, n); }
PairChain two_sided(const PairChain& x, std::size_t n) { return extended(x, n); }

}  // namespace fftprec::truth
