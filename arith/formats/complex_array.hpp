/// Split-complex data: two contiguous real arrays, as an accelerator without a complex type has
/// them. A batch of B transforms of length n is one array of B*n elements, one transform after the
/// other.
#pragma once

#include <cstddef>

#include "arith/formats/aligned.hpp"

namespace fftprec {

/// forward: exp(-2 pi i jk/n); inverse: exp(+2 pi i jk/n) and a division by n at the end.
enum class Direction { forward, inverse };

/// An owning split-complex array. `Real` is the carrier: float or double values that lie on the
/// grid of the emulated format.
template <class Real>
struct ComplexArray {
  AlignedVector<Real> re;
  AlignedVector<Real> im;

  ComplexArray() = default;
  explicit ComplexArray(std::size_t size) : re(size), im(size) {}
  std::size_t size() const { return re.size(); }

  friend bool operator==(const ComplexArray&, const ComplexArray&) = default;
};

}  // namespace fftprec
