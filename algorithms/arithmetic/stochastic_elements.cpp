#include "algorithms/arithmetic/stochastic_elements.hpp"

#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

template <class Real>
Complex<float> at(View<Real> x, std::size_t i, std::size_t j) {
  return {x.re[i * x.stride + j], x.im[i * x.stride + j]};
}

void put(View<float> x, std::size_t i, std::size_t j, Complex<float> value) {
  x.re[i * x.stride + j] = value.re;
  x.im[i * x.stride + j] = value.im;
}

Complex<float> at(FactorView<float> w, std::size_t i, std::size_t j) {
  const FactorView<float> place = w.offset(i, j);
  return {*place.re, *place.im};
}

constexpr std::size_t operations_of_product = 6;

}  // namespace

class StochasticElements::Rounder {
 public:
  Rounder(const Format& format, const StochasticRounding& random, std::uint64_t first)
      : format_(format), random_(random), counter_(first) {}

  float operator()(float x) {
    return static_cast<float>(
        round_stochastic(static_cast<double>(x), format_, random_, counter_++));
  }
  Complex<float> sum(Complex<float> a, Complex<float> b) {
    const float re = (*this)(a.re + b.re);
    return {re, (*this)(a.im + b.im)};
  }
  Complex<float> difference(Complex<float> a, Complex<float> b) { return sum(a, {-b.re, -b.im}); }
  Complex<float> product(Complex<float> w, Complex<float> x) {
    const float rr = (*this)(w.re * x.re);
    const float ii = (*this)(w.im * x.im);
    const float ri = (*this)(w.re * x.im);
    const float ir = (*this)(w.im * x.re);
    const float re = (*this)(rr - ii);
    return {re, (*this)(ri + ir)};
  }

 private:
  const Format& format_;
  const StochasticRounding& random_;
  std::uint64_t counter_;
};

/// body(i, j, rounder) for every element of x, `operations` roundings each at most.
template <class Body>
void StochasticElements::each(View<float> x, std::uint64_t step, std::size_t operations,
                              Body body) const {
  StochasticRounding random = random_;
  random.stream = step;
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) {
      Rounder rounder(storage_, random, (i * x.cols + j) * operations);
      body(i, j, rounder);
    }
}

void StochasticElements::multiply(View<float> x, FactorView<float> w, std::uint64_t step) const {
  each(x, step, operations_of_product, [&](std::size_t i, std::size_t j, Rounder& round) {
    put(x, i, j, round.product(at(w, i, j), at(x, i, j)));
  });
}

void StochasticElements::butterfly(View<float> top, View<float> bottom, FactorView<float> w,
                                   std::uint64_t step) const {
  each(top, step, operations_of_product + 4, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> a = at(top, i, j);
    const Complex<float> t = round.product(at(w, i, j), at(bottom, i, j));
    put(top, i, j, round.sum(a, t));
    put(bottom, i, j, round.difference(a, t));
  });
}

void StochasticElements::butterfly_dif(View<float> top, View<float> bottom, FactorView<float> w,
                                       std::uint64_t step) const {
  each(top, step, operations_of_product + 4, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> a = at(top, i, j);
    const Complex<float> b = at(bottom, i, j);
    put(top, i, j, round.sum(a, b));
    put(bottom, i, j, round.product(at(w, i, j), round.difference(a, b)));
  });
}

void StochasticElements::multiply_accumulate(View<float> sum, View<float> x, FactorView<float> w,
                                             std::uint64_t step) const {
  const std::size_t operations = x.cols * (operations_of_product + 2);
  each(sum, step, operations, [&](std::size_t i, std::size_t j, Rounder& round) {
    for (std::size_t k = 0; k < x.cols; ++k)
      put(sum, i, j, round.sum(at(sum, i, j), round.product(at(w, k, j), at(x, i, k))));
  });
}

void StochasticElements::accumulate_columns(View<float> sum, FactorView<float> w, View<float> x,
                                            std::uint64_t step) const {
  const std::size_t operations = x.rows * (operations_of_product + 2);
  each(sum, step, operations, [&](std::size_t i, std::size_t j, Rounder& round) {
    for (std::size_t k = 0; k < x.rows; ++k)
      put(sum, i, j, round.sum(at(sum, i, j), round.product(at(w, k, i), at(x, k, j))));
  });
}

void StochasticElements::add(View<float> out, View<const float> a, View<const float> b,
                             std::uint64_t step) const {
  each(out, step, 2, [&](std::size_t i, std::size_t j, Rounder& round) {
    put(out, i, j, round.sum(at(a, i, j), at(b, i, j)));
  });
}

void StochasticElements::sum_difference(View<float> top, View<float> bottom,
                                        std::uint64_t step) const {
  each(top, step, 4, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> a = at(top, i, j);
    const Complex<float> b = at(bottom, i, j);
    put(top, i, j, round.sum(a, b));
    put(bottom, i, j, round.difference(a, b));
  });
}

void StochasticElements::sum_difference_rotated(View<float> top, View<float> bottom,
                                                std::uint64_t step) const {
  each(top, step, 4, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> a = at(top, i, j);
    const Complex<float> b = at(bottom, i, j);
    const Complex<float> turned{b.im, -b.re};  // -i b
    put(top, i, j, round.sum(a, turned));
    put(bottom, i, j, round.difference(a, turned));
  });
}

void StochasticElements::rotate_eighth(View<float> x, bool conjugate, std::uint64_t step) const {
  each(x, step, 2, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> value = at(x, i, j);
    const float sign = conjugate ? -1.0f : 1.0f;
    put(x, i, j, round.sum(value, {sign * value.im, -sign * value.re}));
  });
}

void StochasticElements::scale(View<float> x, float factor, std::uint64_t step) const {
  each(x, step, 2, [&](std::size_t i, std::size_t j, Rounder& round) {
    const Complex<float> value = at(x, i, j);
    const float re = round(factor * value.re);
    put(x, i, j, {re, round(factor * value.im)});
  });
}

}  // namespace fftprec
