/// Values that a test of another project passes, in any container.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// float or double, which are exact in double.
template <class T>
concept SignalReal = std::same_as<T, float> || std::same_as<T, double>;

template <SignalReal Real>
std::complex<double> signal_value(Real value) {
  return {value, 0};
}
template <SignalReal Real>
std::complex<double> signal_value(const std::complex<Real>& value) {
  return {value.real(), value.imag()};
}
/// fftw_complex and fftwf_complex.
template <SignalReal Real>
std::complex<double> signal_value(const Real (&value)[2]) {
  return {value[0], value[1]};
}

/// A vector, array, span or Eigen vector of reals or complex numbers.
template <class Range>
concept SignalRange = std::ranges::input_range<const Range> &&
    requires(std::ranges::range_reference_t<const Range> value) {
  signal_value(value);
};

/// A range of real numbers.
template <class Range>
concept RealRange = SignalRange<Range> &&
    requires(std::ranges::range_reference_t<const Range> value) {
  static_cast<double>(value);
};

/// An exact copy of the values, and their original format.
class Signal {
 public:
  template <SignalRange Range>
  Signal(const Range& values) {
    if constexpr (std::ranges::sized_range<const Range>)
      reserve(static_cast<std::size_t>(std::ranges::size(values)));
    for (const auto& value : values) append(signal_value(value));
    using Element = std::remove_cvref_t<std::ranges::range_reference_t<const Range>>;
    constexpr bool single = std::is_same_v<Element, float> ||
                            std::is_same_v<Element, std::complex<float>> ||
                            std::is_same_v<Element, float[2]>;
    format_ = single ? fp32 : fp64;
  }

  template <SignalReal Real>
  Signal(const ComplexArray<Real>& values) : format_(std::same_as<Real, float> ? fp32 : fp64) {
    reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) append({values.re[i], values.im[i]});
  }

  const ComplexArray<double>& values() const& { return values_; }
  ComplexArray<double> values() && { return std::move(values_); }
  std::size_t size() const { return values_.size(); }
  const Format& format() const { return format_; }

  /// For GoogleTest.
  friend void PrintTo(const Signal& signal, std::ostream* out) {
    *out << signal.size() << " values";
  }

 private:
  void reserve(std::size_t size) {
    values_.re.reserve(size);
    values_.im.reserve(size);
  }
  void append(std::complex<double> value) {
    values_.re.push_back(value.real());
    values_.im.push_back(value.imag());
  }

  ComplexArray<double> values_;
  Format format_ = fp64;

  template <RealRange Range>
  friend Signal split(const Range& re, const Range& im);
};

/// The reverse: out[i] = values[i], each part rounded to nearest if Real is float.
/// Throws InputError if the sizes differ.
template <SignalReal Real>
void interleave(const ComplexArray<double>& values, std::span<std::complex<Real>> out) {
  require(out.size() == values.size(), "interleave: the sizes differ");
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {static_cast<Real>(values.re[i]), static_cast<Real>(values.im[i])};
}

/// Real and imaginary parts from two ranges of reals. Throws InputError if their sizes differ.
template <RealRange Range>
Signal split(const Range& re, const Range& im) {
  Signal signal(re);
  const Signal imaginary(im);
  require(imaginary.size() == signal.size(), "split: real and imaginary parts differ in size");
  signal.values_.im = imaginary.values_.re;
  return signal;
}

}  // namespace fftprec
