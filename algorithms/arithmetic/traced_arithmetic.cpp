#include "algorithms/arithmetic/traced_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>
#include <variant>
#include <vector>

#include "algorithms/arithmetic/flow_recorder.hpp"
#include "algorithms/arithmetic/machine_gemm.hpp"
#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// Planes of a table: first what exact operations take. A table of roots holds the true entries
/// twice. Computed entries have errors of what they were computed by, but none of their own: planes
/// 1 and 2 hold them as stored.
constexpr std::size_t true_plane = 1;  ///< what errors of the entries are told from
constexpr std::size_t given_plane = plane_of_given;
constexpr std::size_t first_word = 3;  ///< of what the machine takes

template <class Given, class Real>
FactorTable<double> joined(const ComplexArray<double>& exact, const ComplexArray<double>& truth,
                           const ComplexArray<Given>& given, const FactorTable<Real>& words) {
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
  table.exponents = words.exponents;
  return table;
}

/// `count` planes of the table from plane `first` on, as a table of its own.
template <class Real>
FactorTable<Real> planes_of(const FactorTable<double>& w, std::size_t first, std::size_t count) {
  return {converted<Real>(part_of(w.planes, first * w.size, count * w.size)),
          w.size,
          {},
          w.exponents,
          {}};
}

/// A whole table as the factors of an operation.
struct TableFactors {
  const FactorTable<double>& w;

  const FactorTable<double>& exact() const { return w; }
  FactorTable<double> plane(std::size_t plane) const { return planes_of<double>(w, plane, 1); }
  template <class Real>
  FactorTable<Real> words() const {
    return planes_of<Real>(w, first_word, w.planes.size() / w.size - first_word);
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
  template <class Real>
  struct Words {
    ComplexArray<Real> planes;
    FactorView<Real> view;
    operator FactorView<Real>() const { return view; }
  };
  template <class Real>
  Words<Real> words() const {
    const std::size_t height = w.row_step == 0 ? 1 : rows, width = w.col_step == 0 ? 1 : cols;
    Words<Real> taken{ComplexArray<Real>(count * height * width), {}};
    std::size_t to = 0;
    for (std::size_t word = first_word; word < first_word + count; ++word)
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j, ++to) {
          const std::size_t from = word * w.plane + i * w.row_step + j * w.col_step;
          taken.planes.re[to] = static_cast<Real>(w.re[from]);
          taken.planes.im[to] = static_cast<Real>(w.im[from]);
        }
    taken.view = {taken.planes.re.data(), taken.planes.im.data(), height == 1 ? 0 : width,
                  width == 1 ? std::size_t{0} : std::size_t{1}, height * width};
    return taken;
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

/// Copies of the data of an operation as the carrier holds them, packed one after the other.
class CarriedData {
 public:
  /// Each value as `carried` makes it one; what is only written stays zero.
  template <class Carried>
  CarriedData(const Data& data, Carried carried) : shapes_(data.views()) {
    std::size_t size = 0;
    for (const View<double>& view : shapes_) size += view.rows * view.cols;
    values_ = ComplexArray<double>(size);
    std::size_t to = 0;
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const View<double>& view = shapes_[k];
      if (!data.in_place && k < data.results.size())
        to += view.rows * view.cols;
      else
        each(view, [&](std::size_t from) {
          values_.re[to] = carried(view.re[from]);
          values_.im[to++] = carried(view.im[from]);
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
  ComplexArray<double> values_{};
};

/// The numbers that an arithmetic works on.
template <class Arithmetic>
using RealOf = typename std::remove_cvref_t<Arithmetic>::Real;

/// The values of an operation that has the errors of this source and of those before it.
struct Level {
  ErrorSource source;
  std::function<ComplexArray<double>(const CarriedData&)> values;
};

/// op(arithmetic, views) in the arithmetic's numbers.
template <class Arithmetic, class Op>
ComplexArray<double> done_by(const Arithmetic& arithmetic, const CarriedData& data, Op op) {
  return data.after<typename Arithmetic::Real>([&](const auto& views) { op(arithmetic, views); });
}
/// op(arithmetic, views, factors) with a plane of the factors.
template <class Factors, class Op>
auto with_plane(const ScalarArithmetic<double>& exact, std::size_t plane, Factors factors, Op op) {
  return [=, &exact](const CarriedData& data) {
    return data.after<double>([&](const auto& views) { op(exact, views, factors.plane(plane)); });
  };
}
const ArithmeticSpec& checked(const ArithmeticSpec& resolved) {
  if (resolved.on_integers())
    throw NotApplicable("mode " + resolved.mode() +
                        " is fixed point: what its operations lose is not told apart by source");
  if (resolved.block_format())
    throw NotApplicable(
        "mode " + resolved.mode() +
        " stores blocks that share a scale: what an operation loses depends on others");
  const bool is_exact_finer =
      resolved.type() == ArithmeticType::floats ||
      (resolved.type() == ArithmeticType::doubles && resolved.operation_format().system);
  if (!is_exact_finer)
    throw NotApplicable("mode " + resolved.mode() +
                        (resolved.type() == ArithmeticType::pairs
                             ? " keeps its data as pairs of floats, which a binary64 does not hold"
                             : " keeps its data in binary64") +
                        ": nothing finer is at hand to do the other stages in");
  return resolved;
}

/// The exact sum of the products of words that the scheme keeps, of the data of gemm or, in
/// `columns`, of gemm_columns.
ComplexArray<double> product_of_words(const ArithmeticSpec& resolved, Isa isa, bool columns,
                                      View<float> out, View<float> x,
                                      const FactorTable<double>& w) {
  const ScalarArithmetic<double> exact(fp64);
  const GemmScheme& scheme = resolved.matrices();
  const WordShape shape =
      columns ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
  ComplexArray<float> operand = packed(x);
  int exponent = 0;
  if (operands_share_exponent(resolved)) {
    exponent = operand_exponent(resolved, largest_part(constant(x)), shape.depth);
    scale_by_power(view_of(operand, x.rows, x.cols), -exponent);
    exponent += w.exponents[0];
  }
  const CutWords words = cut_into_words(operand, shape, data_words(resolved, shape.depth), isa);
  ComplexArray<double> sum(out.rows * out.cols);
  for (const SplitTerm& term : scheme.terms()) {
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
        std::ldexp(1.0, exponent - scheme.data().scale * static_cast<int>(term.factor + term.data));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum.re[i] += unit * product.re[i];
      sum.im[i] += unit * product.im[i];
    }
  }
  return sum;
}

/// The recorder that notes operations, if there is one and it is on.
FlowRecorder* recording(const StageTrace& trace) {
  return trace.recorder() && trace.recorder()->is_on() ? trace.recorder() : nullptr;
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
            {{source, in.by_exact(op)}, {source, in.by_machine(op)}}};
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

TracedArithmetic::TracedArithmetic(const ArithmeticSpec& resolved, StageTrace& trace, Isa isa)
    : isa_(isa), machines_(made_for(checked(resolved), isa)), trace_(&trace) {}

template <class Real>
TracedArithmetic::Machines<Real>::Machines(const ArithmeticSpec& resolved, Isa isa)
    : whole(resolved, isa),
      bracketed(resolved, isa),
      unevicted(resolved.without_evictions(), isa),
      exact_products(resolved.without_evictions().with_exact_products(), isa) {}

auto TracedArithmetic::made_for(const ArithmeticSpec& resolved, Isa isa) -> AnyMachines {
  if (resolved.type() == ArithmeticType::doubles) return Machines<double>(resolved, isa);
  return Machines<float>(resolved, isa);
}

const ArithmeticSpec& TracedArithmetic::resolved() const {
  return std::visit(
      [](const auto& of) -> const auto& { return of.whole.resolved(); }, machines_);
}

double TracedArithmetic::carried(double value) const {
  return resolved().type() == ArithmeticType::floats ? static_cast<float>(value) : value;
}

template <class Op>
auto TracedArithmetic::by_exact(Op op) const {
  return [this, op](const CarriedData& data) { return done_by(exact_, data, op); };
}

template <class Op>
auto TracedArithmetic::by_machine(Op op, Part part) const {
  return [this, op, part](const CarriedData& data) {
    return with_machine(part, [&](const auto& machine) { return done_by(machine, data, op); });
  };
}

template <class Factors, class Op>
auto TracedArithmetic::with_words(Factors factors, Op op, Part part) const {
  return [=, this](const CarriedData& data) {
    return with_machine(part, [&](const auto& machine) {
      const auto words = factors.template words<RealOf<decltype(machine)>>();
      return done_by(machine, data, [&](const auto& in, const auto& v) { op(in, v, words); });
    });
  };
}

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
    const CarriedData mine(data, [&](double value) {
      const double held = carried(value);
      rounded = rounded || (held != value && value == value);
      return held;
    });
    if (rounded) trace_->note_rounding();
    const ComplexArray<double> values = levels.back().values(mine);
    return each_result([&](double& re, double& im, std::size_t at) {
      re = values.re[at];
      im = values.im[at];
    });
  }
  const ErrorSources on = trace_->sources();
  if (on == ErrorSources{}) return operation.exact();
  const CarriedData rounded(
      data, [&](double value) { return carried(round(value, operation.grid, Rounding::rne)); });
  operation.exact();
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (!on.has(levels[i].source)) continue;
    const ComplexArray<double> to = levels[i].values(rounded);
    const ComplexArray<double> from = levels[i - 1].values(rounded);
    each_result([&](double& re, double& im, std::size_t at) {
      re += to.re[at] - from.re[at];
      im += to.im[at] - from.im[at];
    });
  }
}

template <class Words>
auto TracedArithmetic::joined_by_machine(const ComplexArray<double>& exact,
                                         const ComplexArray<double>& truth,
                                         const ComplexArray<double>& given, Words words) const
    -> Table {
  return with_machine(Part::whole, [&](const auto& machine) {
    return joined(exact, truth, given, words(machine, converted<RealOf<decltype(machine)>>(given)));
  });
}

template <class Words>
auto TracedArithmetic::from_roots(const TableSpec& spec, const Format& format, Direction direction,
                                  const RootFunction& roots, Words words) const -> Table {
  const auto exact = root_entries<double>(spec, fp64, direction, roots);
  Table table = with_machine(Part::whole, [&](const auto& machine) {
    const auto given = root_entries<RealOf<decltype(machine)>>(spec, format, direction, roots);
    return joined(exact, exact, given, words(machine, given));
  });
  if (FlowRecorder* flow = trace_->recorder())
    flow->note_table(table.planes.re.data(), spec, direction);
  return table;
}

auto TracedArithmetic::factors(const TableSpec& spec, Direction direction,
                               const RootFunction& roots) const -> Table {
  return from_roots(
      spec, resolved().table_format(), direction, roots,
      [](const auto& machine, const auto& given) { return machine.factors_of(given); });
}

auto TracedArithmetic::wide_factors(const TableSpec& spec, Direction direction,
                                    const RootFunction& roots) const -> Table {
  Table table = from_roots(spec, resolved().wide(), direction, roots,
                           [](const auto& machine, const auto& given) {
                             return FactorTable<RealOf<decltype(machine)>>{given, given.size()};
                           });
  if (FlowRecorder* flow = trace_->recorder()) flow->mark_wide(table.planes.re.data());
  return table;
}

auto TracedArithmetic::matrix(const TableSpec& spec, std::size_t depth, Direction direction,
                              const RootFunction& roots) const -> Table {
  return from_roots(
      spec, resolved().table_format(), direction, roots,
      [&](const auto& machine, const auto& given) { return machine.matrix_of(given, depth); });
}

ComplexArray<double> TracedArithmetic::values(const TableSpec& spec, Direction direction,
                                              const RootFunction& roots) const {
  trace_->note();
  const bool as_given = trace_->sources().has(ErrorSource::tables);
  return root_entries<double>(spec, as_given ? resolved().operation_format() : fp64, direction,
                              roots);
}

auto TracedArithmetic::real_factors(const RealTable& table) const -> Table {
  const std::vector<double> exact_values = table(fp64);
  const std::vector<double> given_values = table(resolved().table_format());
  ComplexArray<double> exact(exact_values.size());
  ComplexArray<double> given(given_values.size());
  std::copy(exact_values.begin(), exact_values.end(), exact.re.begin());
  std::copy(given_values.begin(), given_values.end(), given.re.begin());
  return joined_by_machine(exact, exact, given, [](const auto& machine, const auto& values) {
    return machine.factors_of(values);
  });
}

auto TracedArithmetic::factors_of(ComplexArray<double> values) const -> Table {
  const auto given = stored_values(values);
  return joined_by_machine(values, given, given, [](const auto& machine, const auto& taken) {
    return machine.factors_of(taken);
  });
}

auto TracedArithmetic::matrix_of(ComplexArray<double> values, std::size_t depth) const -> Table {
  const auto given = stored_values(values);
  return joined_by_machine(values, given, given, [&](const auto& machine, const auto& taken) {
    return machine.matrix_of(taken, depth);
  });
}

/// Where they come from the machine, they are in the storage format as they are.
ComplexArray<double> TracedArithmetic::stored_values(const ComplexArray<double>& values) const {
  ComplexArray<double> result(values.size());
  const auto stored = [&](double value) {
    return round(value, resolved().operation_format(), Rounding::rne);
  };
  std::transform(values.re.begin(), values.re.end(), result.re.begin(), stored);
  std::transform(values.im.begin(), values.im.end(), result.im.begin(), stored);
  return result;
}

auto TracedArithmetic::eighth_factor(const RootFunction& roots) const -> Table {
  ComplexArray<double> exact(1);
  ComplexArray<double> given(1);
  exact.re[0] = roots(1, 8, fp64).real();
  given.re[0] = roots(1, 8, resolved().table_format()).real();
  return joined_by_machine(exact, exact, given, [&](const auto& machine, const auto&) {
    return machine.eighth_factor(roots);
  });
}

ComplexArray<double> TracedArithmetic::stored(const ComplexArray<double>& x) const {
  trace_->note();
  if (!trace_->sources().has(ErrorSource::input)) return x;
  return with_machine(Part::whole,
                      [&](const auto& machine) { return converted<double>(machine.stored(x)); });
}

void TracedArithmetic::store(View<double> x) const {
  if (resolved().stores().in_passes())
    end_stage(x, end_of_pass);
  else
    store_product(x);
}

void TracedArithmetic::store_product(View<double> x) const {
  if (resolved().operation_format() == resolved().wide()) return;
  store_by(x, [](const auto& arithmetic, const auto& v) { arithmetic.store_product(v[0]); });
}

void TracedArithmetic::end_stage(View<double> x, std::size_t done) const {
  if (!resolved().stores().ends_after(done)) return;
  store_by(x, [done](const auto& arithmetic, const auto& v) { arithmetic.end_stage(v[0], done); });
}

template <class Store>
void TracedArithmetic::store_by(View<double> x, Store store) const {
  if (recording(*trace_)) return;
  const ComplexArray<double> before = packed(x);
  apply_noted(
      {{{x}},
       resolved().wide(),
       [] {},
       {{ErrorSource::storage, by_exact(store)}, {ErrorSource::storage, by_machine(store)}}});
  // What is stored already, as after sums, is left alone.
  if (packed(x) != before) trace_->note();
}

void TracedArithmetic::multiply(View<double> x, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->multiply(x, w);
  const ViewedFactors factors{w, factor_words(), x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.multiply(v[0], f); };
  apply(Operation::tabled(*this, {{x}}, resolved().operation_format(), factors, op,
                          {{ErrorSource::products, with_words(factors, op)}}));
}

void TracedArithmetic::multiply_wide(View<double> x, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->multiply(x, w);
  const ViewedFactors factors{w, 1, x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.multiply_wide(v[0], f); };
  apply(Operation::tabled(*this, {{x}}, resolved().wide(), factors, op,
                          {{ErrorSource::products, with_words(factors, op)}}));
}

/// Where some of its errors are left out, a butterfly is a product and sums.
void TracedArithmetic::butterfly(View<double> a, View<double> b, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->butterfly(a, b, w);
  if (!trace_->is_machine()) {
    multiply(b, w);
    return sum_difference(a, b);
  }
  const ViewedFactors factors{w, factor_words(), a.rows, a.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.butterfly(v[0], v[1], f); };
  apply({{{a, b}}, resolved().wide(), {}, {{ErrorSource::products, with_words(factors, op)}}});
}

void TracedArithmetic::butterfly_dif(View<double> a, View<double> b, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->butterfly_dif(a, b, w);
  if (!trace_->is_machine()) {
    sum_difference(a, b);
    return multiply(b, w);
  }
  const ViewedFactors factors{w, factor_words(), a.rows, a.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) {
    in.butterfly_dif(v[0], v[1], f);
  };
  apply({{{a, b}}, resolved().wide(), {}, {{ErrorSource::products, with_words(factors, op)}}});
}

void TracedArithmetic::sum_difference(View<double> a, View<double> b) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->sum_difference(a, b);
  apply(Operation::plain(*this, {{a, b}}, resolved().operation_format(), ErrorSource::additions,
                         [](const auto& in, const auto& v) { in.sum_difference(v[0], v[1]); }));
}

void TracedArithmetic::rotated(View<double> a, View<double> b, Direction direction) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->rotated(a, b, direction);
  apply(
      Operation::plain(*this, {{a, b}}, resolved().operation_format(), ErrorSource::additions,
                       [=](const auto& in, const auto& v) { in.rotated(v[0], v[1], direction); }));
}

void TracedArithmetic::multiply_eighth(View<double> x, const Table& w, bool odd,
                                       Direction direction) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->multiply_eighth(x, odd, direction);
  const TableFactors factors{w};
  const auto op = [=](const auto& in, const auto& v, const auto& f) {
    in.multiply_eighth(v[0], f, odd, direction);
  };
  apply(Operation::tabled(*this, {{x}}, resolved().operation_format(), factors, op,
                          {{ErrorSource::products, with_words(factors, op)}}));
}

void TracedArithmetic::add(View<double> out, View<double> a, View<double> b) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->add(out, a, b);
  apply(Operation::plain(*this, {{out}, {a, b}, false}, resolved().operation_format(),
                         ErrorSource::additions,
                         [](const auto& in, const auto& v) { in.add(v[0], v[1], v[2]); }));
}

void TracedArithmetic::fused(View<double> x, View<double> a, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->fused(x, a, w);
  const ViewedFactors factors{w, factor_words(), x.rows, x.cols};
  const auto op = [](const auto& in, const auto& v, const auto& f) { in.fused(v[0], v[1], f); };
  apply(Operation::tabled(*this, {{x}, {a}}, resolved().operation_format(), factors, op,
                          {{ErrorSource::products, with_words(factors, op)}}));
}

void TracedArithmetic::accumulate(View<double> sum, View<double> x, FactorView<double> w) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->accumulate(sum, x, w);
  accumulate_in(false, sum, x, w);
}

void TracedArithmetic::accumulate_columns(View<double> sum, FactorView<double> w,
                                          View<double> x) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->accumulate_columns(sum, w, x);
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
  const auto by_products = [&](const CarriedData& data) {
    if (resolved().product() == ProductScheme::dot2)
      return with_plane(exact_, given_plane, factors, op)(data);
    return with_machine(Part::here, [&](const auto& machine) {
      using Taken = RealOf<decltype(machine)>;
      const auto words = factors.template words<Taken>();
      return data.after<double>([&](const std::vector<View<double>>& v) {
        const View<double>& from = v[1];
        for (std::size_t k = 0; k < factors.rows; ++k) {
          ComplexArray<Taken> term(sum.rows * sum.cols);
          for (std::size_t at = 0; at < term.size(); ++at) {
            const std::size_t i = at / sum.cols, j = at % sum.cols;
            const std::size_t place = columns ? k * from.stride + j : i * from.stride + k;
            term.re[at] = static_cast<Taken>(from.re[place]);
            term.im[at] = static_cast<Taken>(from.im[place]);
          }
          // One factor for each row of the sums, or the same for each.
          FactorView<Taken> of_k = words.view.offset(k, 0);
          of_k.row_step = columns ? of_k.col_step : 0;
          if (columns) of_k.col_step = 0;
          machine.multiply(view_of(term, sum.rows, sum.cols), of_k);
          std::size_t at = 0;
          each(v[0], [&](std::size_t to) {
            v[0].re[to] += static_cast<double>(term.re[at]);
            v[0].im[to] += static_cast<double>(term.im[at++]);
          });
        }
      });
    });
  };
  apply(Operation::tabled(
      *this, {{sum}, {x}}, resolved().operation_format(), factors, op,
      {{ErrorSource::products, by_products}, {ErrorSource::additions, with_words(factors, op)}}));
}

void TracedArithmetic::scale_by(View<double> x, double factor) const {
  if (FlowRecorder* flow = recording(*trace_)) return flow->scale_by(x, factor);
  apply(Operation::plain(*this, {{x}}, resolved().operation_format(), ErrorSource::products,
                         [=](const auto& in, const auto& v) { in.scale_by(v[0], factor); }));
}

void TracedArithmetic::begin_stage(View<double> x, std::size_t radix, std::size_t before) const {
  const ScalePolicy& scale = resolved().scale();
  if (scale.scales_stage(radix, before)) scale_by(x, scale.before_stage(radix, before));
}

void TracedArithmetic::scale(View<double> x, Dft dft, std::size_t n) const {
  if (resolved().scale().divides_after(dft)) scale_by(x, resolved().scale().after_stages(dft, n));
}

void TracedArithmetic::scale_product(View<double> x, Dft dft, std::size_t n) const {
  if (!resolved().scale().divides_after(dft)) return;
  const double factor = resolved().scale().after_stages(dft, n);
  if (recording(*trace_)) return scale_by(x, factor);
  apply(Operation::plain(*this, {{x}}, resolved().wide(), ErrorSource::products,
                         [=](const auto& in, const auto& v) {
                           if constexpr (requires { in.resolved(); })
                             in.scale_product(v[0], dft, n);
                           else
                             in.scale_by(v[0], factor);
                         }));
}

void TracedArithmetic::modrelu(View<double> x, const double* bias) const {
  if (recording(*trace_)) throw NotApplicable("modReLU is no linear operation");
  std::vector<double> held(x.cols);
  std::transform(bias, bias + x.cols, held.begin(), [&](double value) { return carried(value); });
  const auto op = [&held](const auto& in, const auto& v) {
    const std::vector<RealOf<decltype(in)>> biases(held.begin(), held.end());
    in.modrelu(v[0], biases.data());
  };
  apply({{{x}},
         resolved().operation_format(),
         [&] { exact_.modrelu(x, bias); },
         {{ErrorSource::products, by_exact(op)}, {ErrorSource::products, by_machine(op)}}});
}

void TracedArithmetic::gemm(View<double> out, View<double> x, const Table& w) const {
  gemm_in(false, out, x, w);
}

void TracedArithmetic::gemm_columns(View<double> out, const Table& w, View<double> x) const {
  gemm_in(true, out, x, w);
}

/// On the vector engine a matrix product with some of its errors is elementwise products and sums.
/// From a quire each sum is rounded once, when it is stored.
void TracedArithmetic::gemm_in(bool columns, View<double> out, View<double> x,
                               const Table& w) const {
  if (FlowRecorder* flow = recording(*trace_))
    return columns ? flow->gemm_columns(out, w.view(0, out.rows, 1), x)
                   : flow->gemm(out, x, w.view(0, out.cols, 1));
  const auto* vector = resolved().gemm().as<VectorProducts>();
  const bool is_quire = vector && vector->quire;
  if (vector && !is_quire && !trace_->is_machine()) {
    fill_zero(out);
    return accumulate_in(columns, out, x, w.view(0, columns ? out.rows : out.cols, 1));
  }
  const TableFactors factors{w};
  const auto op = [columns](const auto& in, const auto& v, const auto& f) {
    columns ? in.gemm_columns(v[0], f, v[1]) : in.gemm(v[0], v[1], f);
  };
  const auto by_words = [&](const CarriedData& data) {
    ComplexArray<double> sum;
    data.after<float>(
        [&](const auto& v) { sum = product_of_words(resolved(), isa_, columns, v[0], v[1], w); });
    return sum;
  };
  std::vector<Level> levels = {{ErrorSource::storage, with_words(factors, op)}};
  if (!is_quire)
    levels.insert(levels.begin(),
                  {{ErrorSource::words, by_words},
                   {ErrorSource::accumulation, with_words(factors, op, Part::exact_products)},
                   {ErrorSource::matrix_products, with_words(factors, op, Part::unevicted)}});
  apply(Operation::tabled(*this, {{out}, {x}, false}, resolved().operation_format(), factors, op,
                          levels));
}

}  // namespace fftprec
