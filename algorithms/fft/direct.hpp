/// direct: the DFT by its definition, any n. It is the baseline for every fast algorithm.
#pragma once

#include <algorithm>
#include <string>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// X_j = x_0 + w^j x_1 + w^(2j) x_2 + ... + w^((n-1)j) x_{n-1}, w = exp(-+2 pi i / n), on the
/// vector engine, terms added in order of ascending k. The factors come from one table of the n
/// roots, w^(jk) at jk mod n. If the source does not reduce angles, the table has all (n-1)^2.
///
/// Rounds: for k, j >= 1 the product as the arithmetic forms it, also where jk mod n = 0. Neither
/// x_0 nor the terms of X_0 are multiplied. Each sum starts from x_0 and rounds once per k. The
/// inverse ends with one product by fl(1/n) per part. (n-1)^2 complex products, n (n-1) complex
/// sums.
template <ArrayArithmetic Arithmetic>
class Direct {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) { return n > 0 ? "" : "direct needs n >= 1"; }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    ErrorModel result{.output = ErrorModel::Output::storage, .theorem = "sums-of-products"};
    const bool reduces = predictor.tables().roots.reduces();
    if (n > 1) {
      const auto mark = predictor.stage(products, 1);
      result = result.compose(predictor.stage_begun(n, 1, batch * n))
                   .compose(predictor.dft_core(core_spec(n, reduces), n, batch, false));
    }
    result.table_entries = reduces ? n : (n - 1) * (n - 1);
    const auto mark = predictor.stage(norm_scaling, 2);
    return result.compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError for n = 0.
  Direct(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : n_(n), dft_(dft) {
    require(unsupported(n).empty(), unsupported(n));
    is_circle_ = roots.reduces();
    roots_ = arithmetic.factors(is_circle_ ? circle_spec(n) : core_spec(n, false), dft, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    const View<Real> data = view_of(x, batch, n_);
    ComplexArray<Real> out(x.size());
    const View<Real> sums = view_of(out, batch, n_);
    sum_products(arithmetic, data, sums);
    const auto mark = arithmetic.stage(norm_scaling, 2);
    arithmetic.scale(sums, dft_, n_);
    x = std::move(out);
  }

 private:
  static constexpr std::string_view products = "sums of products";

  void sum_products(const Arithmetic& arithmetic, View<Real> data, View<Real> sums) const {
    const auto mark = arithmetic.stage(products, 1);
    arithmetic.begin_stage(data, n_, 1);
    for (std::size_t j = 0; j < n_; ++j) copy(data.middle_cols(0, 1), sums.middle_cols(j, 1));
    const View<Real> first = sums.middle_cols(0, 1);
    for (std::size_t k = 1; k < n_; ++k) arithmetic.add(first, first, data.middle_cols(k, 1));
    const std::size_t words = roots_.planes.size() / std::max<std::size_t>(1, roots_.size);
    typename Arithmetic::Table factors{ComplexArray<Real>(words * block_cols), block_cols};
    for (std::size_t j = 1; j < n_; j += block_cols) {
      const std::size_t count = std::min(block_cols, n_ - j);
      for (std::size_t k = 1; k < n_; ++k) {
        for (std::size_t word = 0; is_circle_ && word < words; ++word)
          gather(k, j, count, word, factors);
        arithmetic.accumulate(sums.middle_cols(j, count), data.middle_cols(k, 1),
                              is_circle_ ? factors.view(0, block_cols, 1)
                                         : roots_.view((k - 1) * (n_ - 1) + j - 1, n_ - 1, 1));
      }
    }
    mark.leaves(sums, Places{n_});
  }

  /// Outputs summed at a time: they and their factors stay in the first-level cache.
  static constexpr std::size_t block_cols = 1024;

  static TableSpec circle_spec(std::size_t n) {
    return {n, [n](std::size_t i) { return RootIndex{i, n}; }, {1, n - 1}};
  }

  /// The factors of all products, for k, then j = 1..n-1, with exponents reduced or not.
  static TableSpec core_spec(std::size_t n, bool reduces) {
    const std::size_t size = n - 1;
    const double last = static_cast<double>(size);
    return {size * size,
            [=](std::size_t i) {
              const std::size_t k = i / size + 1;
              const std::size_t j = i % size + 1;
              return reduces ? RootIndex{k * j % n, n} : RootIndex{k, j, n, AngleOrder::product};
            },
            {reduces ? 1 : last * last / static_cast<double>(n), size}};
  }

  /// One word of `count` factors of this k, from j on.
  void gather(std::size_t k, std::size_t j, std::size_t count, std::size_t word,
              typename Arithmetic::Table& factors) const {
    const Real* re = roots_.planes.re.data() + word * n_;
    const Real* im = roots_.planes.im.data() + word * n_;
    const std::size_t to = word * block_cols;
    for (std::size_t i = 0, from = k * j % n_; i < count; ++i) {
      factors.planes.re[to + i] = re[from];
      factors.planes.im[to + i] = im[from];
      from += k;
      if (from >= n_) from -= n_;
    }
  }

  std::size_t n_;
  Dft dft_;
  bool is_circle_ = true;  ///< roots_ has the n roots, not one for each product
  typename Arithmetic::Table roots_;
};

}  // namespace fftprec
