#include "algorithms/arithmetic/traced_arithmetic.hpp"

#include <algorithm>

#include "algorithms/arithmetic/float_tables.hpp"
#include "algorithms/arithmetic/root_entries.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

const ResolvedArithmetic& checked(const ResolvedArithmetic& resolved) {
  if (resolved.carrier != DataCarrier::floats)
    throw NotApplicable("mode " + resolved.mode +
                        (resolved.carrier == DataCarrier::pairs
                             ? " keeps its data as pairs of floats, which a binary64 does not hold"
                             : " keeps its data in binary64") +
                        ": nothing finer is at hand to do the other stages in");
  return resolved;
}

/// call(each view in floats); what it leaves in them goes back.
template <class Call, class... Views>
void in_floats(StageTrace& trace, Call call, Views... homes) {
  const auto run = [&call](auto&&... operands) {
    call(operands.view()...);
    (operands.put_back(), ...);
  };
  run(FloatOperand(homes, trace)...);
}

}  // namespace

TracedArithmetic::TracedArithmetic(const ResolvedArithmetic& resolved, StageTrace& trace, Isa isa)
    : machine_(checked(resolved), isa), brackets_(resolved, isa), trace_(&trace) {}

bool TracedArithmetic::by_machine() const {
  trace_->note();
  return trace_->is_machine();
}

std::size_t TracedArithmetic::factor_words() const {
  return resolved().is_split() ? resolved().split.factor_words : 1;
}

auto TracedArithmetic::joined(const ComplexArray<double>& exact, const ComplexArray<double>& truth,
                              const ComplexArray<float>& given,
                              const FactorTable<float>& words) const -> Table {
  const std::size_t size = exact.size();
  Table table{ComplexArray<double>(first_word * size + words.planes.size()), size};
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

auto TracedArithmetic::factors(const TableSpec& spec, Direction direction,
                               const RootFunction& roots) const -> Table {
  const auto given = root_entries<float>(spec, resolved().table, direction, roots);
  const auto exact = root_entries<double>(spec, fp64, direction, roots);
  return joined(exact, exact, given, machine_.factors_of(given));
}

auto TracedArithmetic::wide_factors(const TableSpec& spec, Direction direction,
                                    const RootFunction& roots) const -> Table {
  const auto given = root_entries<float>(spec, fp32, direction, roots);
  const auto exact = root_entries<double>(spec, fp64, direction, roots);
  return joined(exact, exact, given, {given, given.size()});
}

auto TracedArithmetic::matrix(const TableSpec& spec, std::size_t depth, Direction direction,
                              const RootFunction& roots) const -> Table {
  const auto given = root_entries<float>(spec, resolved().table, direction, roots);
  const auto exact = root_entries<double>(spec, fp64, direction, roots);
  return joined(exact, exact, given, machine_.matrix_of(given, depth));
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
  if (resolved().storage == resolved().wide()) return;
  const ComplexArray<double> before = packed(x);
  if (trace_->is_machine())
    in_floats(
        *trace_, [&](View<float> data) { machine_.store(data); }, x);
  else
    brackets_.store(x, trace_->sources());
  // What is stored already, as after sums, is left alone.
  if (packed(x) != before) trace_->note();
}

void TracedArithmetic::multiply(View<double> x, FactorView<double> w) const {
  if (!by_machine()) return brackets_.multiply(x, w, trace_->sources());
  const FloatFactors factors(w, first_word, factor_words(), x.rows, x.cols);
  in_floats(
      *trace_, [&](View<float> data) { machine_.multiply(data, factors.view()); }, x);
}

void TracedArithmetic::multiply_wide(View<double> x, FactorView<double> w) const {
  if (!by_machine()) return brackets_.multiply_wide(x, w, trace_->sources());
  const FloatFactors factors(w, first_word, 1, x.rows, x.cols);
  in_floats(
      *trace_, [&](View<float> data) { machine_.multiply_wide(data, factors.view()); }, x);
}

void TracedArithmetic::butterfly(View<double> a, View<double> b, FactorView<double> w) const {
  if (!by_machine()) {
    brackets_.multiply(b, w, trace_->sources());
    return brackets_.sum_difference(a, b, trace_->sources());
  }
  const FloatFactors factors(w, first_word, factor_words(), a.rows, a.cols);
  in_floats(
      *trace_, [&](auto top, auto bottom) { machine_.butterfly(top, bottom, factors.view()); }, a,
      b);
}

void TracedArithmetic::butterfly_dif(View<double> a, View<double> b, FactorView<double> w) const {
  if (!by_machine()) {
    brackets_.sum_difference(a, b, trace_->sources());
    return brackets_.multiply(b, w, trace_->sources());
  }
  const FloatFactors factors(w, first_word, factor_words(), a.rows, a.cols);
  in_floats(
      *trace_, [&](auto top, auto bottom) { machine_.butterfly_dif(top, bottom, factors.view()); },
      a, b);
}

void TracedArithmetic::sum_difference(View<double> a, View<double> b) const {
  if (!by_machine()) return brackets_.sum_difference(a, b, trace_->sources());
  in_floats(
      *trace_, [&](auto top, auto bottom) { machine_.sum_difference(top, bottom); }, a, b);
}

void TracedArithmetic::rotated(View<double> a, View<double> b, Direction direction) const {
  if (!by_machine()) return brackets_.rotated(a, b, direction, trace_->sources());
  in_floats(
      *trace_, [&](auto top, auto bottom) { machine_.rotated(top, bottom, direction); }, a, b);
}

void TracedArithmetic::multiply_eighth(View<double> x, const Table& w, bool odd,
                                       Direction direction) const {
  if (!by_machine()) return brackets_.multiply_eighth(x, w, odd, direction, trace_->sources());
  const FactorTable<float> factor = machine_table(w);
  in_floats(
      *trace_, [&](auto data) { machine_.multiply_eighth(data, factor, odd, direction); }, x);
}

void TracedArithmetic::add(View<double> out, View<double> a, View<double> b) const {
  if (!by_machine()) return brackets_.add(out, a, b, trace_->sources());
  FloatOperand left(a, *trace_);
  FloatOperand right(b, *trace_);
  FloatOperand sum(out);
  machine_.add(sum.view(), left.view(), right.view());
  sum.put_back();
}

void TracedArithmetic::accumulate(View<double> sum, View<double> x, FactorView<double> w) const {
  if (!by_machine()) return brackets_.accumulate(sum, x, w, trace_->sources());
  FloatOperand data(x, *trace_);
  const FloatFactors factors(w, first_word, factor_words(), x.cols, sum.cols);
  in_floats(
      *trace_, [&](auto total) { machine_.accumulate(total, data.view(), factors.view()); }, sum);
}

void TracedArithmetic::accumulate_columns(View<double> sum, FactorView<double> w,
                                          View<double> x) const {
  if (!by_machine()) return brackets_.accumulate_columns(sum, w, x, trace_->sources());
  FloatOperand data(x, *trace_);
  const FloatFactors factors(w, first_word, factor_words(), x.rows, sum.rows);
  in_floats(
      *trace_, [&](auto total) { machine_.accumulate_columns(total, factors.view(), data.view()); },
      sum);
}

void TracedArithmetic::scale(View<double> x, std::size_t divisor) const {
  if (!by_machine()) return brackets_.scale(x, divisor, trace_->sources());
  in_floats(
      *trace_, [&](auto data) { machine_.scale(data, divisor); }, x);
}

void TracedArithmetic::scale_product(View<double> x, std::size_t divisor) const {
  if (!by_machine()) return brackets_.scale_product(x, divisor, trace_->sources());
  in_floats(
      *trace_, [&](auto data) { machine_.scale_product(data, divisor); }, x);
}

void TracedArithmetic::modrelu(View<double> x, const double* bias) const {
  if (!by_machine()) return brackets_.modrelu(x, bias, trace_->sources());
  const std::vector<float> biases(bias, bias + x.cols);
  in_floats(
      *trace_, [&](auto data) { machine_.modrelu(data, biases.data()); }, x);
}

void TracedArithmetic::gemm(View<double> out, View<double> x, const Table& w) const {
  if (!by_machine()) return brackets_.gemm(out, x, w, false, trace_->sources());
  FloatOperand data(x, *trace_);
  FloatOperand result(out);
  machine_.gemm(result.view(), data.view(), machine_table(w));
  result.put_back();
}

void TracedArithmetic::gemm_columns(View<double> out, const Table& w, View<double> x) const {
  if (!by_machine()) return brackets_.gemm(out, x, w, true, trace_->sources());
  FloatOperand data(x, *trace_);
  FloatOperand result(out);
  machine_.gemm_columns(result.view(), machine_table(w), data.view());
  result.put_back();
}

}  // namespace fftprec
