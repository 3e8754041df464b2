/// Split-complex data: two contiguous real arrays, the layout of an accelerator without a complex
/// type. A batch of B transforms of length n is one array of B*n elements, one transform after the
/// other. Storage starts on a cache line, so that no vector load crosses one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace fftprec {

/// Memory that starts on a cache line. Long arrays ask for large pages if the system offers them on
/// request: fewer address translations then miss in a loop that strides through an array.
void* allocate_cache_lines(std::size_t bytes);
void deallocate_cache_lines(void* storage);

/// Storage that begins at a cache line.
template <class T>
struct CacheLineAllocator {
  using value_type = T;

  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_cache_lines(count * sizeof(T)));
  }
  void deallocate(T* storage, std::size_t) { deallocate_cache_lines(storage); }

  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

/// forward: exp(-2 pi i jk/n); inverse: exp(+2 pi i jk/n).
enum class Direction { forward, inverse };

/// The divisors of the forward and the inverse transform of n points: 1 and n (backward), sqrt n
/// and sqrt n (ortho), n and 1 (forward).
enum class Norm { backward, ortho, forward };

/// A discrete Fourier transform. A direction without a norm means Norm::backward.
struct Dft {
  Direction direction;
  Norm norm = Norm::backward;

  constexpr Dft(Direction of, Norm in = Norm::backward) : direction(of), norm(in) {}
  constexpr operator Direction() const { return direction; }

  /// Results of n points are divided by n to this power: 0, 1/2 or 1.
  constexpr double power() const {
    if (norm == Norm::ortho) return 0.5;
    return (direction == Direction::forward) == (norm == Norm::forward) ? 1 : 0;
  }
  /// The RMS of n results if the RMS of the data is 1.
  double gain(std::size_t n) const {
    if (norm == Norm::ortho) return 1;
    const double root = std::sqrt(static_cast<double>(n));
    return power() == 0 ? root : 1 / root;
  }
};

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

/// x with each part converted to To, which rounds once where To is narrower.
template <class To, class From>
ComplexArray<To> converted(const ComplexArray<From>& x) {
  ComplexArray<To> result(x.size());
  const auto convert = [](From value) { return static_cast<To>(value); };
  std::transform(x.re.begin(), x.re.end(), result.re.begin(), convert);
  std::transform(x.im.begin(), x.im.end(), result.im.begin(), convert);
  return result;
}

/// to[place] = from[at].
template <class Real>
void put(ComplexArray<Real>& to, std::size_t place, const ComplexArray<Real>& from,
         std::size_t at) {
  to.re[place] = from.re[at];
  to.im[place] = from.im[at];
}

/// The elements [first, first + count) of x. Requires: first + count <= x.size().
template <class Real>
ComplexArray<Real> part_of(const ComplexArray<Real>& x, std::size_t first, std::size_t count) {
  ComplexArray<Real> part(count);
  std::copy_n(x.re.data() + first, count, part.re.data());
  std::copy_n(x.im.data() + first, count, part.im.data());
  return part;
}

/// a - b, each part rounded once. Requires: equal sizes.
template <class Real>
ComplexArray<Real> difference(const ComplexArray<Real>& a, const ComplexArray<Real>& b) {
  ComplexArray<Real> result(a.size());
  std::transform(a.re.begin(), a.re.end(), b.re.begin(), result.re.begin(), std::minus<>());
  std::transform(a.im.begin(), a.im.end(), b.im.begin(), result.im.begin(), std::minus<>());
  return result;
}

}  // namespace fftprec
