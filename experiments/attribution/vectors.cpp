#include "experiments/attribution/vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::attribution {

namespace {

/// A run whose trace lists results that leave the range, and exponents.
Output traced_run(const CasePlan& plan, const ComplexArray<double>& input, StageTrace& trace) {
  ExecutionOptions how{.round_trip = false, .trace = &trace};
  trace.list_lost();
  return run_case(plan, input, how);
}

StageTrace own_trace() {
  return StageTrace([](const StagePath&) { return ErrorSources::all(); });
}

/// The mode of 50 bits whose range holds what stages of n points make of data in `mode`.
std::string wide_mode(const CasePlan& plan) {
  const auto* fixed = plan.resolved().mode.as<FixedScheme>();
  if (fixed == nullptr) throw NotApplicable("mode " + plan.where().mode() + " is not fixed point");
  const int integer = width_of(fixed->storage) + quantum_exponent(fixed->storage);
  const int wide = integer + static_cast<int>(std::bit_width(plan.n())) + 1;
  constexpr int least_fraction = 8;
  if (most_fixed_bits - wide + quantum_exponent(fixed->storage) < least_fraction)
    throw NotApplicable("data of mode " + plan.where().mode() + " and " + std::to_string(plan.n()) +
                        " points need more than " + std::to_string(most_fixed_bits) +
                        " bits to be compared with");
  return to_string(fixed_format(wide, most_fixed_bits - wide)) +
         ":table=" + to_string(fixed_format(2, most_fixed_bits - 2));
}

}  // namespace

std::vector<Overflow> overflows_of(const CasePlan& plan, const ComplexArray<double>& input) {
  check_applicable(plan);
  if (!plan.resolved().arithmetic.counts_overflows())
    throw NotApplicable("mode " + plan.where().mode() + " is not fixed point");
  StageTrace trace = own_trace();
  traced_run(plan, input, trace);
  const Format& format = plan.resolved().arithmetic.storage_format();
  std::set<StagePath> seen;
  for (const StageTrace::Lost& lost : trace.lost()) seen.insert(lost.path);
  const std::vector<StagePath> paths(seen.begin(), seen.end());
  const std::vector<std::string> titles = titles_of(paths);
  std::vector<Overflow> overflows;
  for (const StageTrace::Lost& lost : trace.lost()) {
    const auto at = std::ranges::lower_bound(paths, lost.path) - paths.begin();
    Overflow overflow{.stage = titles[static_cast<std::size_t>(at)],
                      .is_imaginary = lost.is_imaginary,
                      .value = lost.value};
    if (lost.place != StageTrace::nowhere) overflow.place = lost.place;
    overflow.beyond =
        lost.value > 0 ? lost.value - max_finite(format) : min_finite(format) - lost.value;
    overflows.push_back(std::move(overflow));
  }
  return overflows;
}

std::vector<FixedStage> fixed_stages(const CasePlan& plan, const ComplexArray<double>& input) {
  Case exact = plan.where();
  exact.mode = wide_mode(plan);
  exact.machine = Case{}.machine;
  exact.tables = std::string(exact_tables);
  if (plan.resolved().arithmetic.scale().is_block()) {
    ScalePolicy whole = plan.resolved().arithmetic.scale();
    whole.stages = ScalePolicy::Stages::whole;
    exact.scale = name_of(whole);
  }
  const std::vector<StageData> own = stage_data(plan.where(), input);
  const std::vector<StageData> wide = stage_data(exact, input);
  std::map<std::string, std::size_t> overflows;
  for (const Overflow& overflow : overflows_of(plan, input)) ++overflows[overflow.stage];
  std::vector<FixedStage> stages;
  for (std::size_t i = 0; i < own.size() && i < wide.size(); ++i) {
    truth::Truth truth;
    truth.hi = wide[i].values;
    truth.lo = ComplexArray<double>(truth.hi.size());
    truth.n = truth.hi.size();
    const truth::Errors errors =
        truth::measure(own[i].values, truth, plan.resolved().arithmetic.storage_format());
    FixedStage stage{.title = own[i].title,
                     .snr_db = errors.snr_db,
                     .gain = errors.gain,
                     .overflows = overflows[own[i].title]};
    if (own[i].exponents) {
      const auto [least, largest] = std::ranges::minmax(own[i].exponents->re);
      stage.exponents = std::pair(least, largest);
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

ComplexArray<double> with_scale(const CasePlan& plan, const ComplexArray<double>& results) {
  const Resolved& resolved = plan.resolved();
  const double scale = result_scale(resolved, plan.n());
  ComplexArray<double> values = without_scale(results, 1 / scale);
  int exponent = 0;
  if (std::frexp(scale, &exponent) == 0.5 || !resolved.arithmetic.counts_overflows()) return values;
  for (auto* part : {&values.re, &values.im})
    for (double& value : *part)
      value = round(value, resolved.arithmetic.storage_format(), Rounding::rne);
  return values;
}

TestVectors vectors_of(const CasePlan& plan, const ComplexArray<double>& input) {
  check_applicable(plan);
  TestVectors vectors{.input = stored_input(plan.where(), input)};
  try {
    vectors.stages = stage_data(plan.where(), input);
  } catch (const NotApplicable& reason) {
    vectors.no_stages = reason.what();
  }
  StageTrace trace = own_trace();
  const Output output = traced_run(plan, input, trace);
  vectors.output = with_scale(plan, output.values);
  vectors.overflow_count = output.overflow_count;
  vectors.output_hash = output_hash(output);
  const ItemShape shape = plan.resolved().transform.item_shape(plan.n());
  const auto exponents_of = [&](const ComplexArray<double>& values, std::size_t line,
                                const std::vector<int>& noted) {
    return plan.resolved().arithmetic.block_format() ? integer_exponents(plan, values, line)
                                                     : noted_exponents(noted, values.size());
  };
  const std::map<StagePath, std::vector<int>>& noted = trace.exponents();
  const auto stored = noted.find(StagePath{});
  vectors.input_exponents =
      exponents_of(vectors.input, shape.input.empty() ? 0 : shape.input.back(),
                   stored == noted.end() ? std::vector<int>{} : stored->second);
  vectors.output_exponents =
      exponents_of(vectors.output, shape.output.back(),
                   noted.empty() ? std::vector<int>{} : noted.rbegin()->second);
  return vectors;
}

TableEntries tables_of(const CasePlan& plan) {
  check_applicable(plan);
  const Resolved& resolved = plan.resolved();
  if (!resolved.transform.one_fft || !resolved.transform.dft)
    throw NotApplicable("transform " + resolved.transform.name +
                        " is not one FFT per item: its tables have no one direction");
  TableEntries tables{.format = resolved.arithmetic.table_format()};
  ComplexArray<double>& values = tables.values;
  const RootFunction recorded = [&values, &own = resolved.tables.roots](
                                    std::span<const RootIndex> roots, const Format& format,
                                    double* re, double* im) {
    own.fill(roots, format, re, im);
    values.re.insert(values.re.end(), re, re + roots.size());
    values.im.insert(values.im.end(), im, im + roots.size());
  };
  const bool reduces = resolved.tables.roots.reduces();
  const SourceTables source(reduces ? recorded : recorded.not_reduced(), resolved.tables.windows);
  with_type(resolved.arithmetic.type(), [&]<class Real>(Real) {
    const MachineArithmetic<Real> arithmetic(resolved.arithmetic);
    resolved.transform.make.template in<MachineArithmetic<Real>>()(arithmetic, resolved.algorithm,
                                                                   plan.n(), source);
  });
  if (resolved.transform.dft->direction == Direction::forward) return tables;
  const bool has_negative = tables.format.grid == Grid::fixed;  // -1, but no 1
  const double largest =
      has_negative ? max_finite(tables.format) : std::numeric_limits<double>::infinity();
  for (double& im : values.im) im = std::min(-im, largest);
  return tables;
}

}  // namespace fftprec::attribution
