#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/brackets.hpp"
#include "algorithms/arithmetic/float_tables.hpp"
#include "algorithms/arithmetic/traced_brackets.hpp"
#include "algorithms/arithmetic/words.hpp"

namespace fftprec {

namespace {

/// out <- the product of data and table, on the side that moves.
template <class Arithmetic, class Real>
void multiply_with(const Arithmetic& arithmetic, View<Real> out, View<Real> x,
                   const FactorTable<Real>& w, bool data_moves) {
  if (data_moves)
    arithmetic.gemm_columns(out, w, x);
  else
    arithmetic.gemm(out, x, w);
}

}  // namespace

ComplexArray<double> TracedBrackets::product_of_words(View<double> out, View<float> x,
                                                      const Table& w, bool data_moves) const {
  const ResolvedArithmetic& resolved = machine_.resolved();
  const GemmScheme& scheme = resolved.matrices();
  const WordShape shape =
      data_moves ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
  const CutWords words = cut_into_words(packed(x), shape, data_words(resolved, shape.depth), isa_);
  ComplexArray<double> sum(out.rows * out.cols);
  for (const SplitTerm& term : scheme.terms) {
    ComplexArray<double> data =
        converted<double>(part_of(words.planes, term.data * shape.size(), shape.size()));
    ComplexArray<double> product(sum.size());
    multiply_with(exact_, view_of(product, out.rows, out.cols), view_of(data, x.rows, x.cols),
                  planes_of<double>(w, first_word + term.factor, 1), data_moves);
    const double unit =
        std::ldexp(1.0, -scheme.data.scale * static_cast<int>(term.factor + term.data));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum.re[i] += unit * product.re[i];
      sum.im[i] += unit * product.im[i];
    }
  }
  return sum;
}

void TracedBrackets::gemm_of_elements(View<double> out, View<double> x, const Table& w,
                                      bool data_moves, ErrorSources on) const {
  for (std::size_t i = 0; i < out.rows; ++i) {
    std::fill_n(out.re + i * out.stride, out.cols, 0.0);
    std::fill_n(out.im + i * out.stride, out.cols, 0.0);
  }
  if (data_moves)
    accumulate_columns(out, w.view(0, out.rows, 1), x, on);
  else
    accumulate(out, x, w.view(0, out.cols, 1), on);
}

void TracedBrackets::gemm(View<double> out, View<double> x, const Table& w, bool data_moves,
                          ErrorSources on) const {
  if (machine_.resolved().gemm.engine == Engine::vector)
    return gemm_of_elements(out, x, w, data_moves, on);
  const RoundedOperands rounded(on, machine_.resolved().storage, {x});
  const auto exactly = [&](std::size_t plane) {
    ComplexArray<double> result(out.rows * out.cols);
    rounded.after<double>([&](const auto& v) {
      multiply_with(exact_, view_of(result, out.rows, out.cols), v[0],
                    planes_of<double>(w, plane, 1), data_moves);
    });
    return result;
  };
  const auto by = [&](const MachineArithmetic<float>& machine) {
    return [&] {
      ComplexArray<float> result(out.rows * out.cols);
      rounded.after<float>([&](const auto& v) {
        multiply_with(machine, view_of(result, out.rows, out.cols), v[0], machine_table(w),
                      data_moves);
      });
      return converted<double>(result);
    };
  };
  multiply_with(exact_, out, x, w, data_moves);
  add_brackets({out}, on, [&] { return exactly(true_plane); },
               {{ErrorSource::tables, [&] { return exactly(given_plane); }},
                {ErrorSource::words,
                 [&] {
                   ComplexArray<double> result;
                   rounded.after<float>(
                       [&](const auto& v) { result = product_of_words(out, v[0], w, data_moves); });
                   return result;
                 }},
                {ErrorSource::accumulation, by(exact_products_)},
                {ErrorSource::matrix_products, by(unevicted_)},
                {ErrorSource::storage, by(machine_)}});
}

}  // namespace fftprec
