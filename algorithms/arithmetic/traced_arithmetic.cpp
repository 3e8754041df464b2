#include "algorithms/arithmetic/traced_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "algorithms/arithmetic/root_entries.hpp"
#include "algorithms/arithmetic/words.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// Planes of a table: first what exact operations take. A table of roots holds the true entries
/// twice. Computed entries have errors of what they were computed by, but none of their own: planes
/// 1 and 2 hold them as stored.
constexpr std::size_t true_plane = 1;   ///< what errors of the entries are told from
constexpr std::size_t given_plane = 2;  ///< entries as the source gives them
constexpr std::size_t first_word = 3;   ///< of what the machine takes

FactorTable<double> joined(const ComplexArray<double>& exact, const ComplexArray<double>& truth,
                           const ComplexArray<float>& given, const FactorTable<float>& words) {
  const std::size_t size = exact.size();
  FactorTable<double> table{ComplexArray<double>(first_word * size + words.planes.size()), size};
  const auto put = [&](const auto& from, std::size_t plane) {
    const auto to = static_cast<std::ptrdiff_t>(plane * size);
    std::copy(from.re.begin(), from.re.end(), table.planes.re.begin() + to);
    std::copy(from.im.begin(), from.im.end(), table.planes.im.begin() + to);
  };
  put(exact, 0);
  put(truth, true_plane);
  put(given, given_plane);
  put(words.planes, first_word);
  return table;
}

/// `count` planes of the table from plane `first` on, as a table of its own.
template <class Real>
FactorTable<Real> planes_of(const FactorTable<double>& w, std::size_t first, std::size_t count) {
  return {converted<Real>(part_of(w.planes, first * w.size, count * w.size)), w.size};
}

/// A whole table as the factors of an operation.
struct TableFactors {
  const FactorTable<double>& w;

  const FactorTable<double>& exact() const { return w; }
  FactorTable<double> plane(std::size_t plane) const { return planes_of<double>(w, plane, 1); }
  FactorTable<float> words() const {
    return planes_of<float>(w, first_word, w.planes.size() / w.size - first_word);
  }
};

/// A view of a table as the factors of rows x cols elements, which the machine takes in `count`
/// words.
struct ViewedFactors {
  FactorView<double> w;
  std::size_t count;
  std::size_t rows;
  std::size_t cols;

  FactorView<double> exact() const { return w; }
  FactorView<double> plane(std::size_t plane) const {
    return {w.re + plane * w.plane, w.im + plane * w.plane, w.row_step, w.col_step, w.plane};
  }
  struct Words {
    ComplexArray<float> planes;
    FactorView<float> view;
    operator FactorView<float>() const { return view; }
  };
  Words words() const {
    const std::size_t height = w.row_step == 0 ? 1 : rows, width = w.col_step == 0 ? 1 : cols;
    Words floats{ComplexArray<float>(count * height * width), {}};
    std::size_t to = 0;
    for (std::size_t word = first_word; word < first_word + count; ++word)
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j, ++to) {
          const std::size_t from = word * w.plane + i * w.row_step + j * w.col_step;
          floats.planes.re[to] = static_cast<float>(w.re[from]);
          floats.planes.im[to] = static_cast<float>(w.im[from]);
        }
    floats.view = {floats.planes.re.data(), floats.planes.im.data(), height == 1 ? 0 : width,
                   width == 1 ? std::size_t{0} : std::size_t{1}, height * width};
    return floats;
  }
};

/// body(i, j) for every place of a view.
template <class Body>
void each(const View<double>& view, Body body) {
  for (std::size_t i = 0; i < view.rows; ++i)
    for (std::size_t j = 0; j < view.cols; ++j) body(i * view.stride + j);
}

/// What an operation overwrites and, if it is not in place, what it reads beside that.
struct Data {
  std::vector<View<double>> results;
  std::vector<View<double>> operands{};
  bool in_place = true;

  std::vector<View<double>> views() const {
    std::vector<View<double>> all = results;
    all.insert(all.end(), operands.begin(), operands.end());
    return all;
  }
};

/// Copies of the data of an operation in floats, packed one after the other.
class FloatData {
 public:
  /// Each value as `to_float` makes it one; what is only written stays zero.
  template <class ToFloat>
  FloatData(const Data& data, ToFloat to_float) : shapes_(data.views()) {
    std::size_t size = 0;
    for (const View<double>& view : shapes_) size += view.rows * view.cols;
    values_ = ComplexArray<float>(size);
    std::size_t to = 0;
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const View<double>& view = shapes_[k];
      if (!data.in_place && k < data.results.size())
        to += view.rows * view.cols;
      else
        each(view, [&](std::size_t from) {
          values_.re[to] = to_float(view.re[from]);
          values_.im[to++] = to_float(view.im[from]);
        });
    }
  }

  /// What `call` leaves in views of them in numbers of type Real.
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
  ComplexArray<float> values_{};
};

/// The values of an operation that has the errors of this source and of those before it.
struct Level {
  ErrorSource source;
  std::function<ComplexArray<double>(const FloatData&)> values;
};

/// op(arithmetic, views) in numbers of type Real.
template <class Real, class Arithmetic, class Op>
auto by(const Arithmetic& arithmetic, Op op) {
  return [&arithmetic, op](const FloatData& data) {
    return data.after<Real>([&](const auto& views) { op(arithmetic, views); });
  };
}
/// op(arithmetic, views, factors) with a plane of the factors, and with the machine's words.
template <class Factors, class Op>
auto with_plane(const ScalarArithmetic<double>& exact, std::size_t plane, Factors factors, Op op) {
  return [=, &exact](const FloatData& data) {
    return data.after<double>([&](const auto& views) { op(exact, views, factors.plane(plane)); });
  };
}
template <class Factors, class Op>
auto with_words(const MachineArithmetic<float>& machine, Factors factors, Op op) {
  return [=, &machine](const FloatData& data) {
    const auto words = factors.words();
    return data.after<float>([&](const auto& views) { op(machine, views, words); });
  };
}

const ResolvedArithmetic& checked(const ResolvedArithmetic& resolved) {
  if (resolved.storage.is_fixed())
    throw NotApplicable("mode " + resolved.mode +
                        " is fixed point: what its operations lose is not told apart by source");
  if (resolved.kept_blocks)
    throw NotApplicable(
        "mode " + resolved.mode +
        " stores blocks that share a scale: what an operation loses depends on others");
  if (resolved.carrier != DataCarrier::floats)
    throw NotApplicable("mode " + resolved.mode +
                        (resolved.carrier == DataCarrier::pairs
                             ? " keeps its data as pairs of floats, which a binary64 does not hold"
                             : " keeps its data in binary64") +
                        ": nothing finer is at hand to do the other stages in");
  return resolved;
}

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

/// The exact sum of the products of words that the scheme keeps, of the data of gemm or, in
/// `columns`, of gemm_columns.
ComplexArray<double> product_of_words(const ResolvedArithmetic& resolved, Isa isa, bool columns,
                                      View<float> out, View<float> x,
                                      const FactorTable<double>& w) {
  const ScalarArithmetic<double> exact(fp64);
  const GemmScheme& scheme = resolved.matrices();
  const WordShape shape =
      columns ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
  const CutWords words = cut_into_words(packed(x), shape, data_words(resolved, shape.depth), isa);
  ComplexArray<double> sum(out.rows * out.cols);
  for (const SplitTerm& term : scheme.terms) {
    ComplexArray<double> data =
        converted<double>(part_of(words.planes, term.data * shape.size(), shape.size()));
    const FactorTable<double> factors = planes_of<double>(w, first_word + term.factor, 1);
    ComplexArray<double> product(sum.size());
    const View<double> to = view_of(product, out.rows, out.cols);
    if (columns)
      exact.gemm_columns(to, factors, view_of(data, x.rows, x.cols));
    else
      exact.gemm(to, view_of(data, x.rows, x.cols), factors);
    const double unit =
        std::ldexp(1.0, -scheme.data.scale * static_cast<int>(term.factor + term.data));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum.re[i] += unit * product.re[i];
      sum.im[i] += unit * product.im[i];
    }
  }
  return sum;
}

}  // namespace

/// An operation: the machine's in the last of its levels, on operands of the format `grid`; the
/// first level is without errors.
struct TracedArithmetic::Operation {
  Data data;
  Format grid;
  std::function<void()> exact;  ///< on the data themselves
  std::vector<Level> levels;

  /// op(arithmetic, views), whose errors are all of one source.
  template <class Op>
  static Operation plain(const TracedArithmetic& in, const Data& data, const Format& grid,
                         ErrorSource source, Op op) {
    return {data,
            grid,
            [&in, op, own = data.views()] { op(in.exact_, own); },
            {{source, by<double>(in.exact_, op)}, {source, by<float>(in.machine(), op)}}};
  }
  /// op(arithmetic, views, factors); `levels` are those after the errors of the tables.
  template <class Factors, class Op>
  static Operation tabled(const TracedArithmetic& in, const Data& data, const Format& grid,
                          Factors factors, Op op, const std::vector<Level>& levels) {
    Operation result{data,
                     grid,
                     [=, &in, own = data.views()] { op(in.exact_, own, factors.exact()); },
                     {{ErrorSource::tables, with_plane(in.exact_, true_plane, factors, op)},
                      {ErrorSource::tables, with_plane(in.exact_, given_plane, factors, op)}}};
    result.levels.insert(result.levels.end(), levels.begin(), levels.end());
    return result;
  }
};

TracedArithmetic::TracedArithmetic(const ResolvedArithmetic& resolved, StageTrace& trace, Isa isa)
    : isa_(isa),
      machine_(checked(resolved), isa),
      bracketed_(resolved, isa),
      unevicted_(without_evictions(resolved), isa),
      exact_products_(with_exact_products(without_evictions(resolved)), isa),
      trace_(&trace) {}

void TracedArithmetic::apply(const Operation& operation) const {
  trace_->note();
  apply_noted(operation);
}

void TracedArithmetic::apply_noted(const Operation& operation) const {
  const Data& data = operation.data;
  const std::vector<Level>& levels = operation.levels;
  const auto each_result = [&data](auto put) {
    std::size_t at = 0;
    for (const View<double>& result : data.results)
      each(result, [&](std::size_t place) { put(result.re[place], result.im[place], at++); });
  };
  if (trace_->is_machine()) {
    bool rounded = false;
    const FloatData floats(data, [&rounded](double value) {
      const float mine = static_cast<float>(value);
      rounded = rounded || (static_cast<double>(mine) != value && value == value);
      return mine;
    });
    if (rounded) trace_->note_rounding();
    const ComplexArray<double> values = levels.back().values(floats);
    return each_result([&](double& re, double& im, std::size_t at) {
      re = values.re[at];
      im = values.im[at];
    });
  }
  const ErrorSources on = trace_->sources();
  if (on == ErrorSources{}) return operation.exact();
  const FloatData floats(data, [&operation](double value) {
    return static_cast<float>(round(value, operation.grid, Rounding::rne));
  });
  operation.exact();
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (!on.has(levels[i].source)) continue;
    const ComplexArray<double> to = levels[i].values(floats);
    const ComplexArray<double> from = levels[i - 1].values(floats);
    each_result([&](double& re, double& im, std::size_t at) {
      re += to.re[at] - from.re[at];
      im += to.im[at] - from.im[at];
    });
  }
}

template <class Words>
auto TracedArithmetic::from_roots(const TableSpec& spec, const Format& format, Direction direction,
                                  const RootFunction& roots, Words words) const -> Table {
  const auto given = root_entries<float>(spec, format, direction, roots);
  const auto exact = root_entries<double>(spec, fp64, direction, roots);
  return joined(exact, exact, given, words(given));
}

auto TracedArithmetic::factors(const TableSpec& spec, Direction direction,
                               const RootFunction& roots) const -> Table {
  return from_roots(spec, resolved().table, direction, roots,
                    [&](const auto& given) { return machine_.factors_of(given); });
}

auto TracedArithmetic::wide_factors(const TableSpec& spec, Direction direction,
                                    const RootFunction& roots) const -> Table {
  return from_roots(spec, fp32, direction, roots, [](const auto& given) {
    return FactorTable<float>{given, given.size()};
  });
}

auto TracedArithmetic::matrix(const TableSpec& spec, std::size_t depth, Direction direction,
                              const RootFunction& roots) const -> Table {
  return from_roots(spec, resolved().table, direction, roots,
                    [&](const auto& given) { return machine_.matrix_of(given, depth); });
}

ComplexArray<double> TracedArithmetic::values(const TableSpec& spec, Direction direction,
                                              const RootFunction& roots) const {
  trace_->note();
  const bool as_given = trace_->sources().has(ErrorSource::tables);
  return root_entries<double>(spec, as_given ? resolved().storage : fp64, direction, roots);
}

auto TracedArithmetic::real_factors(const RealTable& table) const -> Table {
  const std::vector<double> exact_values = table(fp64);
  const std::vector<double> given_values = table(resolved().table);
  ComplexArray<double> exact(exact_values.size());
  ComplexArray<float> given(given_values.size());
  std::copy(exact_values.begin(), exact_values.end(), exact.re.begin());
  std::transform(given_values.begin(), given_values.end(), given.re.begin(),
                 [](double value) { return static_cast<float>(value); });
  return joined(exact, exact, given, machine_.factors_of(given));
}

auto TracedArithmetic::factors_of(ComplexArray<double> values) const -> Table {
  const auto given = stored_values(values);
  return joined(values, converted<double>(given), given, machine_.factors_of(given));
}

auto TracedArithmetic::matrix_of(ComplexArray<double> values, std::size_t depth) const -> Table {
  const auto given = stored_values(values);
  return joined(values, converted<double>(given), given, machine_.matrix_of(given, depth));
}

/// Where they come from the machine, they are in the storage format as they are.
ComplexArray<float> TracedArithmetic::stored_values(const ComplexArray<double>& values) const {
  ComplexArray<float> result(values.size());
  const auto stored = [&](double value) {
    return static_cast<float>(round(value, resolved().storage, Rounding::rne));
  };
  std::transform(values.re.begin(), values.re.end(), result.re.begin(), stored);
  std::transform(values.im.begin(), values.im.end(), result.im.begin(), stored);
  return result;
}

auto TracedArithmetic::eighth_factor(const RootFunction& roots) const -> Table {
  ComplexArray<double> exact(1);
  ComplexArray<float> given(1);
  exact.re[0] = roots(1, 8, fp64).real();
  given.re[0] = static_cast<float>(roots(1, 8, resolved().table).real());
  return joined(exact, exact, given, machine_.eighth_factor(roots));
}

ComplexArray<double> TracedArithmetic::stored(const ComplexArray<double>& x) const {
  trace_->note();
  return trace_->sources().has(ErrorSource::input) ? converted<double>(machine_.stored(x)) : x;
}

void TracedArithmetic::store(View<double> x) const {
  if (resolved().stores.in_passes())
    end_stage(x, end_of_pass);
  else
    store_product(x);
}

void TracedArithmetic::store_product(View<double> x) const {
  if (resolved().storage == resolved().wide()) return;
  store_by(x, [](const auto& arithmetic, const auto& v) { arithmetic.store_product(v[0]); });
}

void TracedArithmetic::end_stage(View<double> x, std::size_t done) const {
  if (!resolved().stores.ends_after(done)) return;
  store_by(x, [done](const auto& arithmetic, const auto& v) { arithmetic.end_stage(v[0], done); });
}

template <class Store>
void TracedArithmetic::store_by(View<double> x, Store store) const {
  const ComplexArray<double> before = packed(x);
  apply_noted({{{x}},
               fp32,
               [] {},
               {{ErrorSource::storage, by<double>(exact_, store)},
                {ErrorSource::storage, by<float>(machine(), store)}}});
  // What is stored already, as after sums, is left alone.
  if (packed(x) != before) trace_->note();
}

void TracedArithmetic::multiply(View<double> x, FactorView<double> w) const {
  const ViewedFactors factors{w, factor_words(), x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.multiply(v[0], f); };
  apply(Operation::tabled(*this, {{x}}, resolved().storage, factors, op,
                          {{ErrorSource::products, with_words(machine(), factors, op)}}));
}

void TracedArithmetic::multiply_wide(View<double> x, FactorView<double> w) const {
  const ViewedFactors factors{w, 1, x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.multiply_wide(v[0], f); };
  apply(Operation::tabled(*this, {{x}}, fp32, factors, op,
                          {{ErrorSource::products, with_words(machine(), factors, op)}}));
}

/// Where some of its errors are left out, a butterfly is a product and sums.
void TracedArithmetic::butterfly(View<double> a, View<double> b, FactorView<double> w) const {
  if (!trace_->is_machine()) {
    multiply(b, w);
    return sum_difference(a, b);
  }
  const ViewedFactors factors{w, factor_words(), a.rows, a.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.butterfly(v[0], v[1], f); };
  apply({{{a, b}}, fp32, {}, {{ErrorSource::products, with_words(machine_, factors, op)}}});
}

void TracedArithmetic::butterfly_dif(View<double> a, View<double> b, FactorView<double> w) const {
  if (!trace_->is_machine()) {
    sum_difference(a, b);
    return multiply(b, w);
  }
  const ViewedFactors factors{w, factor_words(), a.rows, a.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) {
    in.butterfly_dif(v[0], v[1], f);
  };
  apply({{{a, b}}, fp32, {}, {{ErrorSource::products, with_words(machine_, factors, op)}}});
}

void TracedArithmetic::sum_difference(View<double> a, View<double> b) const {
  apply(Operation::plain(*this, {{a, b}}, resolved().storage, ErrorSource::additions,
                         [](const auto& in, const auto& v) { in.sum_difference(v[0], v[1]); }));
}

void TracedArithmetic::rotated(View<double> a, View<double> b, Direction direction) const {
  apply(
      Operation::plain(*this, {{a, b}}, resolved().storage, ErrorSource::additions,
                       [=](const auto& in, const auto& v) { in.rotated(v[0], v[1], direction); }));
}

void TracedArithmetic::multiply_eighth(View<double> x, const Table& w, bool odd,
                                       Direction direction) const {
  const TableFactors factors{w};
  const auto op = [=](const auto& in, const auto& v, const auto& f) {
    in.multiply_eighth(v[0], f, odd, direction);
  };
  apply(Operation::tabled(*this, {{x}}, resolved().storage, factors, op,
                          {{ErrorSource::products, with_words(machine(), factors, op)}}));
}

void TracedArithmetic::add(View<double> out, View<double> a, View<double> b) const {
  apply(Operation::plain(*this, {{out}, {a, b}, false}, resolved().storage, ErrorSource::additions,
                         [](const auto& in, const auto& v) { in.add(v[0], v[1], v[2]); }));
}

void TracedArithmetic::fused(View<double> x, View<double> a, FactorView<double> w) const {
  const ViewedFactors factors{w, factor_words(), x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.fused(v[0], v[1], f); };
  apply(Operation::tabled(*this, {{x}, {a}}, resolved().storage, factors, op,
                          {{ErrorSource::products, with_words(machine(), factors, op)}}));
}

void TracedArithmetic::accumulate(View<double> sum, View<double> x, FactorView<double> w) const {
  accumulate_in(false, sum, x, w);
}

void TracedArithmetic::accumulate_columns(View<double> sum, FactorView<double> w,
                                          View<double> x) const {
  accumulate_in(true, sum, x, w);
}

void TracedArithmetic::accumulate_in(bool columns, View<double> sum, View<double> x,
                                     FactorView<double> w) const {
  const ViewedFactors factors{w, factor_words(), columns ? x.rows : x.cols,
                              columns ? sum.rows : sum.cols};
  const auto op = [columns](const auto& in, const auto& v, const auto& f) {
    columns ? in.accumulate_columns(v[0], f, v[1]) : in.accumulate(v[0], v[1], f);
  };
  // Each product as the mode forms it, the sums exact.
  const auto by_products = [&](const FloatData& data) {
    if (resolved().product == ProductScheme::dot2)
      return with_plane(exact_, given_plane, factors, op)(data);
    const ViewedFactors::Words words = factors.words();
    return data.after<double>([&](const std::vector<View<double>>& v) {
      const View<double>& from = v[1];
      for (std::size_t k = 0; k < factors.rows; ++k) {
        ComplexArray<float> term(sum.rows * sum.cols);
        for (std::size_t at = 0; at < term.size(); ++at) {
          const std::size_t i = at / sum.cols, j = at % sum.cols;
          const std::size_t place = columns ? k * from.stride + j : i * from.stride + k;
          term.re[at] = static_cast<float>(from.re[place]);
          term.im[at] = static_cast<float>(from.im[place]);
        }
        // One factor for each row of the sums, or the same for each.
        FactorView<float> of_k = words.view.offset(k, 0);
        of_k.row_step = columns ? of_k.col_step : 0;
        if (columns) of_k.col_step = 0;
        machine().multiply(view_of(term, sum.rows, sum.cols), of_k);
        std::size_t at = 0;
        each(v[0], [&](std::size_t to) {
          v[0].re[to] += static_cast<double>(term.re[at]);
          v[0].im[to] += static_cast<double>(term.im[at++]);
        });
      }
    });
  };
  apply(Operation::tabled(*this, {{sum}, {x}}, resolved().storage, factors, op,
                          {{ErrorSource::products, by_products},
                           {ErrorSource::additions, with_words(machine(), factors, op)}}));
}

void TracedArithmetic::scale_by(View<double> x, double factor) const {
  apply(Operation::plain(*this, {{x}}, resolved().storage, ErrorSource::products,
                         [=](const auto& in, const auto& v) { in.scale_by(v[0], factor); }));
}

void TracedArithmetic::begin_stage(View<double> x, std::size_t radix, std::size_t before) const {
  const ScalePolicy& scale = resolved().scale;
  if (scale.scales_stage(radix, before)) scale_by(x, scale.before_stage(radix, before));
}

void TracedArithmetic::scale(View<double> x, Dft dft, std::size_t n) const {
  if (resolved().scale.divides_after(dft)) scale_by(x, resolved().scale.after_stages(dft, n));
}

void TracedArithmetic::scale_product(View<double> x, Dft dft, std::size_t n) const {
  if (!resolved().scale.divides_after(dft)) return;
  const double factor = resolved().scale.after_stages(dft, n);
  apply(Operation::plain(*this, {{x}}, fp32, ErrorSource::products,
                         [=](const auto& in, const auto& v) {
                           if constexpr (requires { in.resolved(); })
                             in.scale_product(v[0], dft, n);
                           else
                             in.scale_by(v[0], factor);
                         }));
}

void TracedArithmetic::modrelu(View<double> x, const double* bias) const {
  const std::vector<float> floats(bias, bias + x.cols);
  const std::vector<double> rounded(floats.begin(), floats.end());
  const auto with = [](const auto& biases) {
    return [&biases](const auto& in, const auto& v) { in.modrelu(v[0], biases.data()); };
  };
  apply({{{x}},
         resolved().storage,
         [&] { exact_.modrelu(x, bias); },
         {{ErrorSource::products, by<double>(exact_, with(rounded))},
          {ErrorSource::products, by<float>(machine(), with(floats))}}});
}

void TracedArithmetic::gemm(View<double> out, View<double> x, const Table& w) const {
  gemm_in(false, out, x, w);
}

void TracedArithmetic::gemm_columns(View<double> out, const Table& w, View<double> x) const {
  gemm_in(true, out, x, w);
}

/// On the vector engine a matrix product with some of its errors is elementwise products and sums.
void TracedArithmetic::gemm_in(bool columns, View<double> out, View<double> x,
                               const Table& w) const {
  if (resolved().gemm.engine == Engine::vector && !trace_->is_machine()) {
    fill_zero(out);
    return accumulate_in(columns, out, x, w.view(0, columns ? out.rows : out.cols, 1));
  }
  const TableFactors factors{w};
  const auto op = [columns](const auto& in, const auto& v, const auto& f) {
    columns ? in.gemm_columns(v[0], f, v[1]) : in.gemm(v[0], v[1], f);
  };
  const auto by_words = [&](const FloatData& data) {
    ComplexArray<double> sum;
    data.after<float>(
        [&](const auto& v) { sum = product_of_words(resolved(), isa_, columns, v[0], v[1], w); });
    return sum;
  };
  apply(Operation::tabled(*this, {{out}, {x}, false}, resolved().storage, factors, op,
                          {{ErrorSource::words, by_words},
                           {ErrorSource::accumulation, with_words(exact_products_, factors, op)},
                           {ErrorSource::matrix_products, with_words(unevicted_, factors, op)},
                           {ErrorSource::storage, with_words(machine(), factors, op)}}));
}

}  // namespace fftprec
