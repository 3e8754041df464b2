#include "arith/truth/triple_transform.hpp"

#include <utility>

namespace fftprec::truth {
namespace {

void round_to_pairs(const AlignedVector<double>& mid, const AlignedVector<double>& low,
                    AlignedVector<double>& hi, AlignedVector<double>& lo) {
  for (std::size_t j = 0; j < hi.size(); ++j) {
    const DoubleDouble high = two_sum(hi[j], mid[j]);
    const DoubleDouble pair = two_sum(high.hi, high.lo + low[j]);
    hi[j] = pair.hi;
    lo[j] = pair.lo;
  }
}

}  // namespace

void transform_in_triples(const TripleFourier& fourier, ComplexPairs& x, std::size_t stride,
                          const Loops& loops) {
  ComplexTriples y;
  y.hi = std::move(x.hi);
  y.mid = std::move(x.lo);
  y.lo = ComplexArray<double>(y.hi.size());
  fourier(y, stride, loops);
  x.hi = std::move(y.hi);
  x.lo = ComplexArray<double>(x.hi.size());
  round_to_pairs(y.mid.re, y.lo.re, x.hi.re, x.lo.re);
  round_to_pairs(y.mid.im, y.lo.im, x.hi.im, x.lo.im);
}

}  // namespace fftprec::truth
