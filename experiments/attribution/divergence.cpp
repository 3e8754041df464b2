#include "experiments/attribution/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/bit_reversal.hpp"
#include "arith/support/error.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::attribution {

namespace {

FlowValue value_at(const ComplexArray<double>& x, std::size_t i) { return {x.re[i], x.im[i]}; }

std::vector<FlowValue> item_of(const ComplexArray<double>& x, std::size_t item, std::size_t size) {
  std::vector<FlowValue> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = value_at(x, item * size + i);
  return values;
}

bool same_bits(const ComplexArray<double>& x, const ComplexArray<double>& y, std::size_t i) {
  return std::bit_cast<std::uint64_t>(x.re[i] + 0.0) ==
             std::bit_cast<std::uint64_t>(y.re[i] + 0.0) &&
         std::bit_cast<std::uint64_t>(x.im[i] + 0.0) == std::bit_cast<std::uint64_t>(y.im[i] + 0.0);
}

/// Standard deviations of the rounding errors of an item; never zero.
std::vector<double> deviations_of(const FlowEvaluation& expected, const RoundingModel& model,
                                  const RoundingModel& of_sums, double unit) {
  std::vector<double> deviations = expected.variances(model, of_sums);
  long double energy = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) energy += std::norm(expected.result(i));
  const double rms =
      static_cast<double>(std::sqrt(energy / static_cast<long double>(deviations.size())));
  // An exact result, such as a sum with zeros, may be inexact in a program that computes it
  // otherwise.
  const double least = 1e-3 * unit * rms + std::numeric_limits<double>::min();
  for (double& deviation : deviations) deviation = std::max(std::sqrt(deviation), least);
  return deviations;
}

/// Emulated data of the stages, each computed from the program's data before it, and the result
/// computed from the input.
struct EmulatedStages {
  std::vector<StageData> stages;
  ComplexArray<double> result;

  /// Of a cut whose data are computed from those of another; null where nothing is emulated.
  const ComplexArray<double>* of(const FlowCut& from, const FlowCut& to) const {
    if (to.title == result_title) return from.title == input_title ? &result : nullptr;
    const bool from_array = from.title == input_title || from.stage != FlowCut::npos;
    return from_array && to.stage < stages.size() ? &stages[to.stage].values : nullptr;
  }
};

EmulatedStages emulated_stages(const Case& where, const CaseFlow& flow,
                               const ComplexArray<double>& input,
                               const std::vector<OwnStage>& own) {
  std::size_t count = 0;
  for (const FlowCut& cut : flow.cuts)
    if (cut.stage != FlowCut::npos) count = std::max(count, cut.stage + 1);
  std::vector<ComplexArray<double>> given(count);
  for (const OwnStage& stage : own)
    if (flow.cuts[stage.cut].stage != FlowCut::npos)
      given[flow.cuts[stage.cut].stage] = stage.values;
  const CasePlan plan = Session().plan(where);
  EmulatedStages emulated{{}, run_case(plan, input, {.round_trip = false}).values};
  const double scale = result_scale(plan.resolved(), where.n);
  for (auto* parts : {&emulated.result.re, &emulated.result.im})
    for (double& part : *parts) part *= scale;
  if (count > 0) emulated.stages = stage_data(where, input, given);
  return emulated;
}

/// The region between two cuts, or, where that does not depend on the first alone, from the input.
FlowRegion region_between(const CaseFlow& flow, std::size_t& from, std::size_t to) {
  try {
    return FlowRegion(flow, from, to);
  } catch (const InputError&) {
    from = 0;
    return FlowRegion(flow, 0, to);
  }
}

/// The stages within a region.
std::vector<FlowRegion> stages_within(const CaseFlow& flow, std::size_t from, std::size_t to) {
  std::vector<FlowRegion> stages;
  for (std::size_t cut = from + 1; cut <= to; ++cut) {
    if (cut != to && flow.cuts[cut].stage == FlowCut::npos) continue;
    std::size_t first = from;
    FlowRegion stage = region_between(flow, first, cut);
    from = cut;
    const bool works = std::ranges::any_of(stage.nodes(), [&](std::uint32_t node) {
      return flow.graph.nodes[node].kind != FlowNode::Kind::moved;
    });
    if (works) stages.push_back(std::move(stage));
  }
  return stages;
}

/// The sum of all errors toward zero in standard deviations: near a normal deviate, if errors do
/// not depend on signs. Of `data`, or, for null, of the program's own.
double toward_zero(const std::vector<FaultySample>& samples,
                   const ComplexArray<double>* data = nullptr) {
  long double sum = 0;
  std::size_t count = 0;
  std::size_t at = 0;
  for (const FaultySample& sample : samples)
    for (std::size_t i = 0; i < sample.after.size(); ++i, ++at) {
      const FlowValue value = sample.expected.result(i);
      const FlowValue error = (data != nullptr ? value_at(*data, at) : sample.after[i]) - value;
      for (const auto& [part, of] :
           {std::pair(error.real(), value.real()), std::pair(error.imag(), value.imag())}) {
        if (of == 0 || !std::isfinite(part)) continue;
        sum -= (of > 0 ? part : -part) * std::numbers::sqrt2_v<long double> / sample.deviation[i];
        ++count;
      }
    }
  return count > 0 ? static_cast<double>(sum / std::sqrt(static_cast<long double>(count))) : 0;
}

FaultSearch search_in(const Resolved& resolved, const FlowRegion& region, double limit) {
  FaultSearch search{.region = &region,
                     .stages = {},
                     .samples = {},
                     .most_deviations = limit,
                     .format = resolved.arithmetic.operation_format(),
                     .table_format = resolved.arithmetic.table_format(),
                     .exact_roots = &resolved.exact.roots,
                     .sources = {}};
  return search;
}

/// The roots of other sources than the case's.
std::vector<std::pair<std::string, RootFunction>> other_sources(const Case& where) {
  std::vector<std::pair<std::string, RootFunction>> sources;
  Session session;
  for (const Named& source : table_candidates()) {
    Case other = where;
    other.tables = source.name;
    if (other.tables != where.tables)
      sources.emplace_back(source.name, session.plan(other).resolved().tables.roots);
  }
  return sources;
}

}  // namespace

ComplexArray<double> stored_input(const Case& where, const ComplexArray<double>& input) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  const ItemShape shape = resolved.transform.item_shape(where.n);
  return with_type(resolved.arithmetic.type(), [&]<class Real>(Real) {
    return converted<double>(
        MachineArithmetic<Real>(resolved.arithmetic)
            .stored(scaled_input(resolved, input), shape.input.empty() ? 0 : shape.input.back()));
  });
}

Divergence find_divergence(const Case& where, const CaseFlow& flow,
                           const ComplexArray<double>& input, const std::vector<OwnStage>& own,
                           const DivergenceOptions& options) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  const ComplexArray<double> stored = stored_input(where, input);
  const EmulatedStages emulated = emulated_stages(where, flow, input, own);
  const Format& format = resolved.arithmetic.operation_format();
  const RoundingModel model(format);
  // A tensor engine adds in a wider format; in fixed point sums of products are rounded once.
  const bool on_vector = resolved.arithmetic.gemm().as<VectorProducts>() != nullptr;
  const RoundingModel of_sums(on_vector ? format : resolved.arithmetic.wide());
  const double unit = unit_roundoff(format);
  std::size_t values = 0;
  for (const OwnStage& stage : own) {
    const std::size_t expected = where.batch * flow.cuts[stage.cut].nodes.size();
    require(stage.values.size() == expected, stage.name, ": ", stage.values.size(), " values, '",
            flow.cuts[stage.cut].title, "' has ", expected);
    values += stage.values.size();
  }
  Divergence found;
  // |error|^2 of a normal complex error of variance 1 is above t^2 with probability exp(-t^2).
  found.limit =
      options.factor *
      std::sqrt(std::log(std::max<double>(2, static_cast<double>(values)) / options.probability));
  std::size_t last = 0;
  const ComplexArray<double>* data = &stored;
  for (const OwnStage& stage : own) {
    std::size_t from = last;
    const FlowRegion region = region_between(flow, from, stage.cut);
    if (from == 0) data = &stored;
    const std::size_t size = region.to().nodes.size();
    StageVerdict verdict{
        .name = stage.name, .title = region.to().title, .size = stage.values.size()};
    const ComplexArray<double>* bits = emulated.of(region.from(), region.to());
    if (bits != nullptr) {
      std::set<std::size_t> places;
      std::size_t different = 0;
      for (std::size_t i = 0; i < stage.values.size(); ++i) {
        if (same_bits(stage.values, *bits, i)) continue;
        ++different;
        places.insert(i % size);
      }
      verdict.equal = stage.values.size() - different;
      if (different > 0)
        verdict.different = fmt::format("{} of {} values, {}", different, stage.values.size(),
                                        pattern_of({places.begin(), places.end()}, size));
    }
    std::vector<FaultySample> samples;
    long double squares = 0;           // of the program's errors in standard deviations
    long double emulated_squares = 0;  // of the emulation's
    double emulated_worst = 0;
    const std::size_t length = region.from().nodes.size();
    for (std::size_t item = 0; item < where.batch; ++item) {
      std::vector<FlowValue> before = item_of(*data, item, length);
      FlowEvaluation expected(region, before);
      std::vector<double> deviation = deviations_of(expected, model, of_sums, unit);
      for (std::size_t i = 0; bits != nullptr && i < size; ++i) {
        const auto error = static_cast<double>(
            std::abs(value_at(*bits, item * size + i) - expected.result(i)) / deviation[i]);
        emulated_squares += error * error;
        emulated_worst = std::max(emulated_worst, error);
      }
      samples.push_back({std::move(before),
                         item_of(stage.values, item, size),
                         std::move(expected),
                         std::move(deviation),
                         {}});
    }
    // Where the emulation errs more than the model, as when it truncates, the emulation counts.
    const double all = static_cast<double>(stage.values.size());
    constexpr double margin = 1.5;
    const double by_rms = static_cast<double>(std::sqrt(emulated_squares / all));
    const double wider =
        std::max({1.0, by_rms, margin * options.factor * emulated_worst / found.limit});
    verdict.worst = -1;
    for (std::size_t item = 0; item < samples.size(); ++item) {
      FaultySample& judged = samples[item];
      for (double& deviation : judged.deviation) deviation *= wider;
      for (std::size_t i = 0; i < size; ++i) {
        const auto error = static_cast<double>(
            std::abs(judged.after[i] - judged.expected.result(i)) / judged.deviation[i]);
        const bool is_number = std::isfinite(error);
        squares += is_number ? error * error : 0;
        if (!(error <= found.limit)) judged.outliers.push_back(i);
        if (!(error <= verdict.worst) && std::isfinite(verdict.worst)) {
          verdict.worst = error;
          verdict.worst_place = item * size + i;
          verdict.own = judged.after[i];
          verdict.expected = judged.expected.result(i);
        }
      }
      verdict.outliers += judged.outliers.size();
    }
    verdict.rms = static_cast<double>(std::sqrt(squares / all));
    verdict.is_faulty = verdict.outliers > 0;
    if (!verdict.has_same_bits() && !found.first_faulty) {
      FaultSearch search = search_in(resolved, region, found.limit);
      search.samples = std::move(samples);
      const std::vector<FlowRegion> parts = stages_within(flow, from, stage.cut);
      for (const FlowRegion& part : parts) search.stages.push_back(&part);
      if (verdict.is_faulty) {
        search.sources = other_sources(where);
        found.culprit = find_culprit(search);
      } else if (const double pull = bits != nullptr ? toward_zero(search.samples) : 0;
                 std::fabs(pull) > std::numbers::sqrt2 * found.limit &&
                 std::fabs(toward_zero(search.samples, bits)) < 0.5 * std::fabs(pull)) {
        verdict.is_faulty = true;
        found.culprit = {.says = pull > 0
                                     ? "the errors pull all values toward zero: the stage truncates"
                                     : "the errors push all values away from zero",
                         .pattern = "none alone; all together are improbable",
                         .is_named = true,
                         .kind = "truncation"};
      } else if (auto wrong = find_wrong_factor(search)) {
        verdict.is_faulty = true;
        found.culprit = *std::move(wrong);
      }
      if (verdict.is_faulty) found.first_faulty = found.stages.size();
    }
    found.stages.push_back(std::move(verdict));
    last = stage.cut;
    data = &stage.values;
  }
  return found;
}

std::optional<std::size_t> Divergence::only_other_bits() const {
  std::optional<std::size_t> other;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (stages[s].has_same_bits()) continue;
    if (other || !stages[s].equal || stages[s].is_faulty) return std::nullopt;
    other = s;
  }
  return other;
}

std::vector<std::size_t> places_in_order(const std::string& order, std::size_t n) {
  std::vector<std::size_t> places(n);
  if (order == "natural") {
    for (std::size_t i = 0; i < n; ++i) places[i] = i;
    return places;
  }
  if (order == "bit-reversed") {
    require(std::has_single_bit(n), "order bit-reversed needs 2^k elements, the array has ", n);
    for (std::size_t i = 0; i < n; ++i) places[i] = bit_reversed(i, n);
    return places;
  }
  const std::size_t cross = order.find('x');
  if (cross != order.npos) {
    const auto rows = parse_unsigned(order.substr(0, cross));
    const auto cols = parse_unsigned(order.substr(cross + 1));
    if (rows && cols) {
      require(*rows * *cols == n, "order ", order, ": the array has ", n, " elements");
      for (std::size_t i = 0; i < n; ++i) places[i] = i % *rows * *cols + i / *rows;
      return places;
    }
  }
  throw unknown_name("order of elements", order, {"natural", "bit-reversed", "RxC"});
}

std::optional<Placement> find_placement(const CaseFlow& flow, std::size_t from,
                                        const ComplexArray<double>& before,
                                        const ComplexArray<double>& values,
                                        const std::string& order, bool in_turn) {
  constexpr double nearly_all = 0.9;
  constexpr double hardly_any = 0.1;
  const double clearly = in_turn ? nearly_all : 0.25;
  const std::size_t batch = before.size() / flow.cuts[from].nodes.size();
  const auto agreement = [&](const FlowEvaluation& expected,
                             const std::vector<std::size_t>& places) {
    long double energy = 0;
    for (std::size_t i = 0; i < places.size(); ++i) energy += std::norm(expected.result(i));
    const long double near = 0.05L * std::sqrt(energy / static_cast<long double>(places.size()));
    std::size_t agree = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      agree += std::abs(value_at(values, places[i]) - expected.result(i)) <= near;
    return static_cast<double>(agree) / static_cast<double>(places.size());
  };
  const auto fits = [&](std::size_t cut) {
    return flow.cuts[cut].nodes.size() * batch == values.size();
  };
  /// The order in which a cut agrees best.
  const auto placed_at = [&](std::size_t cut) -> std::optional<Placement> {
    const std::size_t n = flow.cuts[cut].nodes.size();
    std::size_t first = from;
    const FlowRegion region = region_between(flow, first, cut);
    if (first != from) return std::nullopt;
    const FlowEvaluation expected(region, item_of(before, 0, flow.cuts[from].nodes.size()));
    std::vector<std::string> orders{order, "natural"};
    if (std::has_single_bit(n)) orders.emplace_back("bit-reversed");
    for (std::size_t rows = 2; rows < n; ++rows)
      if (n % rows == 0) orders.push_back(std::to_string(rows) + "x" + std::to_string(n / rows));
    std::optional<Placement> best;
    for (const std::string& of : orders) {
      std::vector<std::size_t> places;
      try {
        places = places_in_order(of, n);
      } catch (const InputError&) {
        continue;  // the order of an array of another size
      }
      const double part = agreement(expected, places);
      if (!best || part > best->agreement + (best->order == order ? clearly : 0))
        best = Placement{cut, of, std::move(places), part};
      if (best->agreement > nearly_all) break;
    }
    return best;
  };
  std::size_t next = from + 1;
  while (next < flow.cuts.size() && (flow.cuts[next].stage == FlowCut::npos || !fits(next))) ++next;
  std::optional<Placement> usual;
  if (next < flow.cuts.size()) usual = placed_at(next);
  if (usual && usual->agreement > (in_turn ? hardly_any : nearly_all)) return usual;
  for (std::size_t cut = from + 1; cut < flow.cuts.size(); ++cut) {
    if (!fits(cut) || cut == next) continue;
    if (auto placed = placed_at(cut); placed && placed->agreement > nearly_all) return placed;
  }
  return usual;
}

}  // namespace fftprec::attribution
