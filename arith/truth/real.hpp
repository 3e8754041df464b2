/// MPFR numbers that free themselves, and arrays of them in one block of memory.
///
/// A thin wrapper: arithmetic is written as calls of MPFR, whose last argument is the rounding, so
/// that no operator hides a rounding or an allocation.
#pragma once

#include <mpfr.h>

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace fftprec::truth {

/// One MPFR number of explicit precision; it passes as an mpfr_ptr or mpfr_srcptr.
class Real {
 public:
  /// Zero.
  explicit Real(mpfr_prec_t precision) {
    mpfr_init2(value_, precision);
    mpfr_set_zero(value_, 1);
  }
  /// Rounds: once (rne), and not at all if precision >= 53.
  Real(double value, mpfr_prec_t precision) : Real(precision) {
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Real(const Real& other) : Real(mpfr_get_prec(other.value_)) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real(Real&& other) noexcept : Real(MPFR_PREC_MIN) { mpfr_swap(value_, other.value_); }
  Real& operator=(Real other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }
  mpfr_ptr operator->() { return value_; }  ///< MPFR's macros read fields
  mpfr_srcptr operator->() const { return value_; }

 private:
  mpfr_t value_;
};

/// One MPFR number of a fixed precision without memory of its own on the heap: for numbers that are
/// made by the thousand. It passes as an mpfr_ptr or mpfr_srcptr. It may not be swapped, cleared or
/// given another precision.
template <mpfr_prec_t bits>
class FixedReal {
 public:
  /// Zero.
  FixedReal() { mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, bits, limbs_); }
  FixedReal(const FixedReal& other) : FixedReal() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  FixedReal& operator=(const FixedReal& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }

  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }
  mpfr_ptr operator->() { return value_; }
  mpfr_srcptr operator->() const { return value_; }

 private:
  mp_limb_t limbs_[(bits - 1) / GMP_NUMB_BITS + 1];
  mpfr_t value_;
};

/// An array of MPFR numbers of one precision, all zero at first. The significands are contiguous,
/// which makes an FFT faster. Elements of one array may be swapped with each other, but with no
/// other numbers, since mpfr_swap exchanges memory. No element may be cleared or get another
/// precision.
class RealArray {
 public:
  RealArray(std::size_t size, mpfr_prec_t precision) : precision_(precision) {
    const std::size_t limbs = mpfr_custom_get_size(precision) / sizeof(mp_limb_t);
    limbs_.resize(size * limbs);
    values_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      mpfr_custom_init_set(&values_[i], MPFR_ZERO_KIND, 0, precision, limbs_.data() + i * limbs);
  }
  RealArray(RealArray&&) = default;
  RealArray& operator=(RealArray&&) = default;
  RealArray(const RealArray&) = delete;
  RealArray& operator=(const RealArray&) = delete;

  std::size_t size() const { return values_.size(); }
  mpfr_prec_t precision() const { return precision_; }
  mpfr_ptr operator[](std::size_t i) {
    assert(i < size());
    return &values_[i];
  }
  mpfr_srcptr operator[](std::size_t i) const {
    assert(i < size());
    return &values_[i];
  }

 private:
  mpfr_prec_t precision_;
  std::vector<mp_limb_t> limbs_;
  std::vector<std::remove_pointer_t<mpfr_ptr>> values_;
};

/// Split-complex MPFR numbers.
struct ComplexReals {
  ComplexReals(std::size_t size, mpfr_prec_t precision)
      : re(size, precision), im(size, precision) {}
  std::size_t size() const { return re.size(); }

  RealArray re;
  RealArray im;
};

/// (re, im) = a * b by four products and two sums, each rounded once.
/// Error: sqrt(5) u |ab| (Brent, Percival, Zimmermann 2007, Thm 1).
class Multiplier {
 public:
  explicit Multiplier(mpfr_prec_t precision) : first_(precision), second_(precision) {}

  /// Requires: re and im are none of the operands.
  void operator()(mpfr_ptr re, mpfr_ptr im, mpfr_srcptr a_re, mpfr_srcptr a_im, mpfr_srcptr b_re,
                  mpfr_srcptr b_im) {
    mpfr_mul(first_, a_re, b_re, MPFR_RNDN);
    mpfr_mul(second_, a_im, b_im, MPFR_RNDN);
    mpfr_sub(re, first_, second_, MPFR_RNDN);
    mpfr_mul(first_, a_re, b_im, MPFR_RNDN);
    mpfr_mul(second_, a_im, b_re, MPFR_RNDN);
    mpfr_add(im, first_, second_, MPFR_RNDN);
  }

 private:
  Real first_;
  Real second_;
};

/// Frees MPFR's caches of the thread (pi, log 2, number pools) at the end of a scope; they would
/// leak when the thread ends.
struct MpfrCacheScope {
  MpfrCacheScope() = default;
  MpfrCacheScope(const MpfrCacheScope&) = delete;
  MpfrCacheScope& operator=(const MpfrCacheScope&) = delete;
  ~MpfrCacheScope() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

}  // namespace fftprec::truth
