#include "algorithms/arithmetic/traced_brackets.hpp"

#include <vector>

#include "algorithms/arithmetic/brackets.hpp"
#include "algorithms/arithmetic/float_tables.hpp"

namespace fftprec {

namespace {

ResolvedArithmetic without_evictions(ResolvedArithmetic resolved) {
  resolved.machine.eviction = resolved.machine.psum = fp32;
  resolved.machine.psum_rounding = Rounding::rne;
  resolved.faults.demotion = Demotion::none;
  return resolved;
}

ResolvedArithmetic with_exact_products(ResolvedArithmetic resolved) {
  resolved.gemm.accumulate.product = {};
  return resolved;
}

/// sum(i, j) += t(i, j).
void add_exactly(View<double> sum, const ComplexArray<float>& t) {
  for (std::size_t i = 0; i < sum.rows; ++i)
    for (std::size_t j = 0; j < sum.cols; ++j) {
      sum.re[i * sum.stride + j] += static_cast<double>(t.re[i * sum.cols + j]);
      sum.im[i * sum.stride + j] += static_cast<double>(t.im[i * sum.cols + j]);
    }
}

}  // namespace

TracedBrackets::TracedBrackets(const ResolvedArithmetic& resolved, Isa isa)
    : isa_(isa),
      machine_(resolved, isa),
      unevicted_(without_evictions(resolved), isa),
      exact_products_(with_exact_products(without_evictions(resolved)), isa) {}

std::size_t TracedBrackets::factor_words() const {
  return machine_.resolved().is_split() ? machine_.resolved().split.factor_words : 1;
}

void TracedBrackets::store(View<double> x, ErrorSources on) const {
  const RoundedOperands rounded(on, fp32, {x});
  add_brackets({x}, on, [&] { return rounded.after<double>([](const auto&) {}); },
               {{ErrorSource::storage, [&] {
                   return rounded.after<float>([&](const auto& v) { machine_.store(v[0]); });
                 }}});
}

/// `format` is that of the data, `by_machine(x, factors)` the machine's product.
template <class ByMachine>
void TracedBrackets::product(View<double> x, FactorView<double> w, ErrorSources on,
                             const Format& format, std::size_t words, ByMachine by_machine) const {
  const RoundedOperands rounded(on, format, {x});
  const auto by_plane = [&](std::size_t plane) {
    return rounded.after<double>([&](const auto& v) { exact_.multiply(v[0], plane_of(w, plane)); });
  };
  exact_.multiply(x, w);
  add_brackets(
      {x}, on, [&] { return by_plane(true_plane); },
      {{ErrorSource::tables, [&] { return by_plane(given_plane); }},
       {ErrorSource::products, [&] {
          const FloatFactors factors(w, first_word, words, x.rows, x.cols);
          return rounded.after<float>([&](const auto& v) { by_machine(v[0], factors.view()); });
        }}});
}

void TracedBrackets::multiply(View<double> x, FactorView<double> w, ErrorSources on) const {
  product(x, w, on, machine_.resolved().storage, factor_words(),
          [&](View<float> data, FactorView<float> factors) { machine_.multiply(data, factors); });
}

void TracedBrackets::multiply_wide(View<double> x, FactorView<double> w, ErrorSources on) const {
  product(x, w, on, fp32, 1, [&](View<float> data, FactorView<float> factors) {
    machine_.multiply_wide(data, factors);
  });
}

void TracedBrackets::sum_difference(View<double> a, View<double> b, ErrorSources on) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {a, b});
  exact_.sum_difference(a, b);
  add_brackets(
      {a, b}, on,
      [&] {
        return rounded.after<double>([&](const auto& v) { exact_.sum_difference(v[0], v[1]); });
      },
      {{ErrorSource::additions, [&] {
          return rounded.after<float>([&](const auto& v) { machine_.sum_difference(v[0], v[1]); });
        }}});
}

void TracedBrackets::rotated(View<double> a, View<double> b, Direction direction,
                             ErrorSources on) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {a, b});
  exact_.rotated(a, b, direction);
  add_brackets(
      {a, b}, on,
      [&] {
        return rounded.after<double>([&](const auto& v) { exact_.rotated(v[0], v[1], direction); });
      },
      {{ErrorSource::additions, [&] {
          return rounded.after<float>(
              [&](const auto& v) { machine_.rotated(v[0], v[1], direction); });
        }}});
}

void TracedBrackets::multiply_eighth(View<double> x, const Table& w, bool odd, Direction direction,
                                     ErrorSources on) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {x});
  const auto by_plane = [&](std::size_t plane) {
    const Table factor = planes_of<double>(w, plane, 1);
    return rounded.after<double>(
        [&](const auto& v) { exact_.multiply_eighth(v[0], factor, odd, direction); });
  };
  exact_.multiply_eighth(x, w, odd, direction);
  add_brackets({x}, on, [&] { return by_plane(true_plane); },
               {{ErrorSource::tables, [&] { return by_plane(given_plane); }},
                {ErrorSource::products, [&] {
                   return rounded.after<float>([&](const auto& v) {
                     machine_.multiply_eighth(v[0], machine_table(w), odd, direction);
                   });
                 }}});
}

void TracedBrackets::add(View<double> out, View<double> a, View<double> b, ErrorSources on) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {a, b});
  exact_.add(out, a, b);
  add_brackets(
      {out}, on,
      [&] { return rounded.after<double>([&](const auto& v) { exact_.add(v[0], v[0], v[1]); }); },
      {{ErrorSource::additions, [&] {
          return rounded.after<float>([&](const auto& v) { machine_.add(v[0], v[0], v[1]); });
        }}});
}

/// sum += the products over k. `accumulate(arithmetic, sum, x, factors)` is the operation of an
/// arithmetic; `spread(x, k, term)` puts what the k-th factors of each element of the sum multiply
/// into term and gives the view of these factors.
template <class Accumulate, class Spread>
void TracedBrackets::sum_of_products(View<double> sum, View<double> x, FactorView<double> w,
                                     std::size_t depth, std::size_t width, ErrorSources on,
                                     Accumulate accumulate, Spread spread) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {sum, x});
  const auto words = [&] { return FloatFactors(w, first_word, factor_words(), depth, width); };
  const auto by_plane = [&](std::size_t plane) {
    return rounded.after<double>(
        [&](const auto& v) { accumulate(exact_, v[0], v[1], plane_of(w, plane)); });
  };
  // Each product as the mode forms it, the sums exact.
  const auto by_products = [&] {
    if (machine_.resolved().product == ProductScheme::dot2) return by_plane(given_plane);
    const FloatFactors factors = words();
    return rounded.after<double>([&](const auto& v) {
      for (std::size_t k = 0; k < depth; ++k) {
        ComplexArray<float> term(sum.rows * sum.cols);
        const FactorView<float> of_k = spread(v[1], k, factors.view().offset(k, 0), term);
        machine_.multiply(view_of(term, sum.rows, sum.cols), of_k);
        add_exactly(v[0], term);
      }
    });
  };
  accumulate(exact_, sum, x, w);
  add_brackets({sum}, on, [&] { return by_plane(true_plane); },
               {{ErrorSource::tables, [&] { return by_plane(given_plane); }},
                {ErrorSource::products, by_products},
                {ErrorSource::additions, [&] {
                   const FloatFactors factors = words();
                   return rounded.after<float>(
                       [&](const auto& v) { accumulate(machine_, v[0], v[1], factors.view()); });
                 }}});
}

void TracedBrackets::accumulate(View<double> sum, View<double> x, FactorView<double> w,
                                ErrorSources on) const {
  sum_of_products(
      sum, x, w, x.cols, sum.cols, on,
      [](const auto& arithmetic, auto to, auto data, auto factors) {
        arithmetic.accumulate(to, data, factors);
      },
      [&](View<double> data, std::size_t k, FactorView<float> factors, ComplexArray<float>& term) {
        for (std::size_t at = 0; at < term.size(); ++at) {
          const std::size_t from = at / sum.cols * data.stride + k;
          term.re[at] = static_cast<float>(data.re[from]);
          term.im[at] = static_cast<float>(data.im[from]);
        }
        factors.row_step = 0;  // the same for each row of the sums
        return factors;
      });
}

void TracedBrackets::accumulate_columns(View<double> sum, FactorView<double> w, View<double> x,
                                        ErrorSources on) const {
  sum_of_products(
      sum, x, w, x.rows, sum.rows, on,
      [](const auto& arithmetic, auto to, auto data, auto factors) {
        arithmetic.accumulate_columns(to, factors, data);
      },
      [&](View<double> data, std::size_t k, FactorView<float> factors, ComplexArray<float>& term) {
        for (std::size_t at = 0; at < term.size(); ++at) {
          const std::size_t from = k * data.stride + at % sum.cols;
          term.re[at] = static_cast<float>(data.re[from]);
          term.im[at] = static_cast<float>(data.im[from]);
        }
        factors.row_step = factors.col_step;  // one for each row of the sums
        factors.col_step = 0;
        return factors;
      });
}

template <class ByMachine>
void TracedBrackets::scaled(View<double> x, std::size_t divisor, ErrorSources on,
                            const Format& format, ByMachine by_machine) const {
  const RoundedOperands rounded(on, format, {x});
  exact_.scale(x, divisor);
  add_brackets(
      {x}, on,
      [&] { return rounded.after<double>([&](const auto& v) { exact_.scale(v[0], divisor); }); },
      {{ErrorSource::products,
        [&] { return rounded.after<float>([&](const auto& v) { by_machine(v[0]); }); }}});
}

void TracedBrackets::scale(View<double> x, std::size_t divisor, ErrorSources on) const {
  scaled(x, divisor, on, machine_.resolved().storage,
         [&](View<float> data) { machine_.scale(data, divisor); });
}

void TracedBrackets::scale_product(View<double> x, std::size_t divisor, ErrorSources on) const {
  scaled(x, divisor, on, fp32, [&](View<float> data) { machine_.scale_product(data, divisor); });
}

void TracedBrackets::modrelu(View<double> x, const double* bias, ErrorSources on) const {
  const RoundedOperands rounded(on, machine_.resolved().storage, {x});
  const std::vector<float> biases(bias, bias + x.cols);
  const std::vector<double> rounded_biases(biases.begin(), biases.end());
  exact_.modrelu(x, bias);
  add_brackets({x}, on,
               [&] {
                 return rounded.after<double>(
                     [&](const auto& v) { exact_.modrelu(v[0], rounded_biases.data()); });
               },
               {{ErrorSource::products, [&] {
                   return rounded.after<float>(
                       [&](const auto& v) { machine_.modrelu(v[0], biases.data()); });
                 }}});
}

}  // namespace fftprec
