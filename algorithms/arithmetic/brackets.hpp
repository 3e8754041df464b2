/// Errors of an operation, source by source, as differences of its values on the same operands.
#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include "algorithms/arithmetic/error_sources.hpp"
#include "algorithms/arithmetic/float_tables.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

/// The operands of an operation, rounded to a format that floats hold, packed one after the other.
class RoundedOperands {
 public:
  /// Nothing is kept where no source is on.
  RoundedOperands(ErrorSources on, const Format& format,
                  std::initializer_list<View<double>> views) {
    if (on == ErrorSources{}) return;
    const auto put = [&format](double value, AlignedVector<float>& values) {
      values.push_back(static_cast<float>(round(value, format, Rounding::rne)));
    };
    for (const View<double>& view : views) {
      shapes_.push_back(view);
      for (std::size_t i = 0; i < view.rows; ++i)
        for (std::size_t j = 0; j < view.cols; ++j) {
          put(view.re[i * view.stride + j], values_.re);
          put(view.im[i * view.stride + j], values_.im);
        }
    }
  }

  /// What `call` leaves of them in numbers of type Real.
  template <class Real, class Call>
  ComplexArray<double> after(Call call) const {
    ComplexArray<Real> copy = converted<Real>(values_);
    std::vector<View<Real>> views;
    std::size_t first = 0;
    for (const View<double>& shape : shapes_) {
      views.push_back(
          {copy.re.data() + first, copy.im.data() + first, shape.rows, shape.cols, shape.cols});
      first += shape.rows * shape.cols;
    }
    call(views);
    return converted<double>(copy);
  }

 private:
  std::vector<View<double>> shapes_;
  ComplexArray<float> values_;
};

/// The value of an operation that has the errors of this source and of those before it.
struct Level {
  ErrorSource source;
  std::function<ComplexArray<double>()> value;
};

/// Adds the brackets of the sources that are on to exact results, which `results` hold; values are
/// packed as these are, one after the other.
inline void add_brackets(std::initializer_list<View<double>> results, ErrorSources on,
                         const std::function<ComplexArray<double>()>& exact,
                         const std::vector<Level>& levels) {
  const std::function<ComplexArray<double>()>* before = &exact;
  for (const auto& [source, value] : levels) {
    if (on.has(source)) {
      const ComplexArray<double> to = value();
      const ComplexArray<double> from = (*before)();
      std::size_t at = 0;
      for (const View<double>& result : results)
        for (std::size_t i = 0; i < result.rows; ++i)
          for (std::size_t j = 0; j < result.cols; ++j, ++at) {
            result.re[i * result.stride + j] += to.re[at] - from.re[at];
            result.im[i * result.stride + j] += to.im[at] - from.im[at];
          }
    }
    before = &value;
  }
}

}  // namespace fftprec
