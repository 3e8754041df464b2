#include "experiments/attribution/flow_errors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

namespace {

/// The factors of a graph in long double. Roots of unity are exact to 2^-70; what a plan computes,
/// such as the response of a convolution, comes from binary64.
std::vector<FlowValue> exact_factors(const FlowGraph& graph) {
  constexpr int fraction = 70;
  std::map<std::pair<std::uint64_t, std::uint64_t>, FlowValue> known;
  std::vector<FlowValue> factors;
  factors.reserve(graph.factors.size());
  for (const FlowFactor& factor : graph.factors) {
    if (!factor.root) {
      factors.emplace_back(factor.exact);
      continue;
    }
    const std::uint64_t exponent = factor.root->exponent() % factor.root->order;
    const std::uint64_t common = std::gcd(exponent, factor.root->order);
    const std::pair reduced(exponent / common, factor.root->order / common);
    const auto [root, is_new] = known.try_emplace(reduced);
    if (is_new) {
      const auto value = truth::root_of_unity(reduced.first, reduced.second, fraction);
      const auto part = [](const auto& of) {
        return static_cast<long double>(of.hi) + static_cast<long double>(of.lo);
      };
      root->second = {part(value.re), part(value.im)};
    }
    factors.push_back(factor.conjugated ? std::conj(root->second) : root->second);
  }
  return factors;
}

/// The cuts through which all data pass: the input, stages, and the result.
std::vector<std::size_t> passed_cuts(const CaseFlow& flow) {
  const std::size_t result = flow.cuts.size() - 1;
  std::vector<std::size_t> cuts{0};
  for (std::size_t cut = 1; cut < result; ++cut)
    if (flow.cuts[cut].stage != FlowCut::npos && is_made_of(flow, cuts.back(), cut) &&
        is_made_of(flow, cut, result))
      cuts.push_back(cut);
  cuts.push_back(result);
  return cuts;
}

FlowValues values_of(const ComplexArray<double>& x) {
  FlowValues values;
  values.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) values.emplace_back(x.re[i], x.im[i]);
  return values;
}

/// A region of every item of a batch.
FlowValues through(const FlowRegion& region, const FlowValues& data, const FlowChange& change) {
  if (data.empty()) return {};
  const std::size_t in = region.from().nodes.size();
  const std::size_t out = region.to().nodes.size();
  FlowValues results;
  results.reserve(data.size() / in * out);
  for (std::size_t first = 0; first < data.size(); first += in) {
    const auto begin = data.begin() + static_cast<std::ptrdiff_t>(first);
    const FlowEvaluation values(region, {begin, begin + static_cast<std::ptrdiff_t>(in)}, change);
    for (std::size_t i = 0; i < out; ++i) results.push_back(values.result(i));
  }
  return results;
}

/// x - y, empty if that is zero.
FlowValues change_from(const FlowValues& y, const FlowValues& x) {
  FlowValues change(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) change[i] = x[i] - y[i];
  if (std::ranges::all_of(change, [](const FlowValue& value) { return value == FlowValue(); }))
    return {};
  return change;
}

/// The case with more integer bits, which does the same but never leaves the range; none if it is
/// not fixed point, or has no room for them.
std::optional<Case> without_overflow(const CasePlan& plan, const Case& where) {
  const auto* fixed = plan.resolved().mode.as<FixedScheme>();
  if (fixed == nullptr || plan.resolved().arithmetic.shares_scales()) return std::nullopt;
  const int width = width_of(fixed->storage);
  const int fraction = -quantum_exponent(fixed->storage);
  const int more = static_cast<int>(std::bit_width(where.n)) + 2;
  if (width + more > most_fixed_bits) return std::nullopt;
  Case wide = where;
  wide.mode = to_string(fixed_format(width - fraction + more, fraction)) +
              ":table=" + to_string(fixed->table);
  if (!Session().plan(wide).inapplicable().empty()) return std::nullopt;
  return wide;
}

/// Scaled data rounded to the format without its range; nothing where that is not known: in blocks,
/// and by random bits.
FlowChange rounded_shifts(const ArithmeticSpec& arithmetic) {
  const Rounding casts = arithmetic.machine().casts;
  if (!arithmetic.on_integers() || arithmetic.shares_scales() || casts == Rounding::sr) return {};
  const Format& storage = arithmetic.storage_format();
  const int fraction = -quantum_exponent(storage);
  const Format unbounded = fixed_format(most_fixed_bits - fraction, fraction);
  const auto rounded = [unbounded, casts](long double part) {
    return static_cast<long double>(round(static_cast<double>(part), unbounded, casts));
  };
  return {.factor = {}, .node = {}, .added = {}, .scaled = [rounded](const FlowValue& value) {
            return FlowValue(rounded(value.real()), rounded(value.imag()));
          }};
}

/// Data that the mode stores as they are, as the input of the case.
ComplexArray<double> as_input(const Resolved& resolved, const ComplexArray<double>& stored) {
  return without_scale(stored, std::ldexp(1.0, resolved.arithmetic.scale().input));
}

/// The data of a case at the cuts that all data pass.
std::vector<FlowValues> data_at(const CaseFlow& flow, const std::vector<std::size_t>& cuts,
                                const EmulatedRun& run, double scale) {
  std::vector<FlowValues> data{values_of(run.input)};
  for (std::size_t i = 1; i + 1 < cuts.size(); ++i)
    data.push_back(values_of(run.stages[flow.cuts[cuts[i]].stage].values));
  FlowValues result = sum_of(values_of(run.output.values), values_of(run.output.rest));
  for (FlowValue& value : result) value *= static_cast<long double>(scale);
  data.push_back(std::move(result));
  return data;
}

}  // namespace

FlowValues sum_of(const FlowValues& x, const FlowValues& y) {
  if (x.empty()) return y;
  FlowValues sum = x;
  for (std::size_t i = 0; i < y.size(); ++i) sum[i] += y[i];
  return sum;
}

double norm_of(const FlowValues& x) {
  long double squares = 0;
  for (const FlowValue& value : x) squares += std::norm(value);
  return static_cast<double>(std::sqrt(squares));
}

Output output_of(const FlowValues& x) {
  Output output{ComplexArray<double>(x.size()), ComplexArray<double>(x.size()), {}, false, 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    output.values.re[i] = static_cast<double>(x[i].real());
    output.values.im[i] = static_cast<double>(x[i].imag());
    output.rest.re[i] = static_cast<double>(x[i].real() - output.values.re[i]);
    output.rest.im[i] = static_cast<double>(x[i].imag() - output.values.im[i]);
  }
  return output;
}

FlowValues FlowStageErrors::all() const {
  return sum_of(sum_of(tables, shifts), sum_of(operations, overflow));
}

FlowErrors flow_errors(const Case& where, const ComplexArray<double>& input, Isa isa) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  if (resolved.arithmetic.refinement_steps() > 0)
    throw NotApplicable("mode " + where.mode +
                        " refines: its later transforms have a flow graph each");
  const CaseFlow flow = flow_of(where);
  const std::vector<std::size_t> cuts = passed_cuts(flow);
  const double scale = result_scale(resolved, where.n);
  EmulatedRun run = emulated_run(where, input, {}, isa);
  const std::vector<FlowValues> data = data_at(flow, cuts, run, scale);
  std::vector<FlowValues> in_range;  // as `data`, each computed from `data` without overflow
  if (run.output.overflow_count > 0)
    if (const auto wide = without_overflow(plan, where)) {
      OwnData own;
      for (const StageData& stage : run.stages) own[stage.path] = stage.values;
      const EmulatedRun unbounded = emulated_run(*wide, as_input(resolved, run.input), own, isa);
      in_range = data_at(flow, cuts, unbounded, scale);
      in_range.front() = values_of(stored_input(*wide, input));
    }

  const std::vector<FlowValue> factors = exact_factors(flow.graph);
  const FlowChange exactly{
      .factor = [&](std::uint32_t number) { return factors[number]; }, .node = {}, .added = {}};
  const FlowChange shifts = rounded_shifts(resolved.arithmetic);
  FlowErrors errors;
  errors.exact = values_of(scaled_input(resolved, input));
  const auto part_of_overflow = [&](std::size_t i) {
    return in_range.empty() ? FlowValues{} : change_from(in_range[i], data[i]);
  };
  const auto in_range_at = [&](std::size_t i) -> const FlowValues& {
    return in_range.empty() ? data[i] : in_range[i];
  };
  errors.stages.push_back({.title = std::string(input_rounding),
                           .path = {{0, input_rounding}},
                           .tables = {},
                           .shifts = {},
                           .operations = change_from(errors.exact, in_range_at(0)),
                           .overflow = part_of_overflow(0)});
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const FlowRegion region(flow, cuts[i - 1], cuts[i]);
    errors.exact = through(region, errors.exact, exactly);
    for (FlowStageErrors& before : errors.stages)
      for (FlowValues* part : before.parts()) *part = through(region, *part, exactly);
    const FlowValues exact = through(region, data[i - 1], exactly);
    const FlowValues with_tables = through(region, data[i - 1], {});
    const FlowValues shifted = shifts.scaled ? through(region, data[i - 1], shifts) : with_tables;
    FlowStageErrors stage{.title = flow.cuts[cuts[i]].title,
                          .path = flow.cuts[cuts[i]].path,
                          .tables = change_from(exact, with_tables),
                          .shifts = change_from(with_tables, shifted),
                          .operations = change_from(shifted, in_range_at(i)),
                          .overflow = part_of_overflow(i)};
    // The result is the last stage's data in their order, unless something is done to them.
    if (i + 1 < cuts.size() || cuts.size() == 2 || !stage.all().empty())
      errors.stages.push_back(std::move(stage));
  }
  errors.output = std::move(run.output);
  const auto unscaled = [&](FlowValues& values) {
    for (FlowValue& value : values) value /= static_cast<long double>(scale);
  };
  unscaled(errors.exact);
  for (FlowStageErrors& stage : errors.stages)
    for (FlowValues* part : stage.parts()) unscaled(*part);
  return errors;
}

}  // namespace fftprec::attribution
