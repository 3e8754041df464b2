/// Schemes of complex products: how w * x is formed when w comes from a table.
///
/// A scheme says into how many words the table splits each factor (`factor_words`) and multiplies
/// a factor by a value. Words of a split are bf16, each the rounded residual of those before, the
/// residual taken in fp32 (Henry, Tang, Heinecke, ARITH 2019).
#pragma once

#include "arith/accumulator.hpp"
#include "arith/split.hpp"

namespace fftprec {

/// One schoolbook product: 4 multiplications, 2 additions, each rounded once.
struct PlainProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& w, Complex<T> x) {
    return fftprec::multiply(w.word[0], x);
  }
};

/// 2Prod: each real product as a Dekker pair, heads and tails summed apart.
struct TwoProdProduct {
  static constexpr std::size_t factor_words = 1;
  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 1>& w, Complex<T> x) {
    return multiply_two_prod(w.word[0], x);
  }
};

/// One kept product of a split scheme: table word `factor` times data word `data`.
struct SplitTerm {
  std::size_t factor;
  std::size_t data;
};

/// trnfft's "ozaki": 2 x 2 words, three products, Wh xh + Wl xh + Wh xl.
struct SplitThree {
  static constexpr std::size_t data_words = 2;
  static constexpr SplitTerm terms[] = {{0, 0}, {1, 0}, {0, 1}};
};

/// trnfft's "ozaki_hq": 2 x 3 words, all six products, the leading table word first.
struct SplitSix {
  static constexpr std::size_t data_words = 3;
  static constexpr SplitTerm terms[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
};

/// Split products through the accumulator: every term is a complex product of bf16 words formed as
/// a tensor engine does with K = 1 (re: 0 + x.re w.re, then + x.im (-w.im)), evicted as fp32; the
/// terms are summed in fp32 in the order of Split::terms.
template <class Split, class Model>
struct SplitProduct {
  static constexpr std::size_t factor_words = 2;

  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> term(Complex<T> w, Complex<T> x) {
    const T zero = T(0.0);
    return {Model::add_product(Model::add_product(zero, x.re, w.re), x.im, -w.im),
            Model::add_product(Model::add_product(zero, x.re, w.im), x.im, w.re)};
  }

  template <Scalar T>
  [[gnu::always_inline]] static constexpr Complex<T> multiply(const Factor<T, 2>& w, Complex<T> x) {
    const auto data = split_bf16<Split::data_words>(x);
    Complex<T> sum = term(w.word[Split::terms[0].factor], data.word[Split::terms[0].data]);
    for (std::size_t i = 1; i < sizeof(Split::terms) / sizeof(SplitTerm); ++i)
      sum = sum + term(w.word[Split::terms[i].factor], data.word[Split::terms[i].data]);
    return sum;
  }
};

}  // namespace fftprec
