#include "experiments/attribution/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "algorithms/fft/bit_reversal.hpp"
#include "arith/support/error.hpp"
#include "experiments/attribution/other_bits.hpp"
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
  ComplexArray<double> input;  ///< as the mode stores it
  std::map<StagePath, ComplexArray<double>> stages;
  ComplexArray<double> result;

  /// Of a cut whose data are computed from those of another; null where nothing is emulated.
  const ComplexArray<double>* of(const FlowCut& from, const FlowCut& to) const {
    if (to.title == result_title) return from.title == input_title ? &result : nullptr;
    if (from.title != input_title && from.stage == FlowCut::npos) return nullptr;
    const auto stage = stages.find(to.path);
    return to.stage != FlowCut::npos && stage != stages.end() ? &stage->second : nullptr;
  }
};

/// The cut from which another is computed: `from`, or, where it does not depend on that alone, the
/// input.
std::size_t start_of(const CaseFlow& flow, std::size_t from, std::size_t to) {
  return is_made_of(flow, from, to) ? from : 0;
}

EmulatedStages emulated_stages(const Case& where, const CaseFlow& flow,
                               const ComplexArray<double>& input,
                               const std::vector<OwnStage>& own) {
  OwnData given;
  for (const OwnStage& stage : own)
    if (flow.cuts[stage.cut].stage != FlowCut::npos)
      given[flow.cuts[stage.cut].path] = stage.values;
  EmulatedRun run = emulated_run(where, input, given);
  EmulatedStages emulated{std::move(run.input), {}, {}};
  for (StageData& stage : run.stages) emulated.stages[stage.path] = std::move(stage.values);
  const CasePlan plan = Session().plan(where);
  const std::size_t last = flow.cuts.size() - 1;
  const std::size_t before = own.size() > 1 ? own[own.size() - 2].cut : 0;
  const bool is_asked = !own.empty() && own.back().cut == last && start_of(flow, before, last) == 0;
  const bool is_another =
      !given.empty() || plan.resolved().arithmetic.refinement_steps() > 0;  // run's result
  if (is_asked)
    emulated.result = as_stages_scale(
        is_another ? run_case(plan, input, {.round_trip = false}).values : run.output.values,
        result_scale(plan.resolved(), where.n));
  return emulated;
}

/// The stages within a region.
std::vector<FlowRegion> stages_within(const CaseFlow& flow, std::size_t from, std::size_t to) {
  std::vector<FlowRegion> stages;
  for (std::size_t cut = from + 1; cut <= to; ++cut) {
    if (cut != to && flow.cuts[cut].stage == FlowCut::npos) continue;
    FlowRegion stage(flow, start_of(flow, from, cut), cut);
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

/// How far a program's errors spread, by their medians.
struct Spread {
  double relative = 0;  ///< in standard deviations of rounding; 0: errors are not small
  double absolute = 0;  ///< a standard deviation
};

Spread spread_of(const std::vector<FaultySample>& samples) {
  std::vector<double> errors;
  std::vector<double> sizes;
  long double energy = 0;
  for (const FaultySample& sample : samples)
    for (std::size_t i = 0; i < sample.after.size(); ++i) {
      const FlowValue value = sample.expected.result(i);
      const auto error = static_cast<double>(std::abs(sample.after[i] - value));
      if (!std::isfinite(error)) continue;
      errors.push_back(error / sample.deviation[i]);
      sizes.push_back(error);
      energy += std::norm(value);
    }
  if (errors.empty() || energy == 0) return {};
  const auto median = [](std::vector<double>& of) {
    const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::ranges::nth_element(of, middle);
    return *middle;
  };
  constexpr double small = 1.0 / 16;
  const auto rms = static_cast<double>(std::sqrt(energy / static_cast<long double>(sizes.size())));
  // Half of normal complex errors of variance 1 are below sqrt(ln 2).
  const double normal = std::sqrt(std::numbers::ln2);
  const double absolute = median(sizes) / normal;
  if (absolute > small * rms) return {};
  return {median(errors) / normal, absolute};
}

FaultSearch search_in(const Resolved& resolved, const FlowRegion& region, double limit,
                      double factor) {
  FaultSearch search{.region = &region,
                     .stages = {},
                     .samples = {},
                     .most_deviations = limit,
                     .most_rms = 4.0 / 3.0 * factor,
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

namespace {

/// Judges the stages of a case one after the other.
class StageJudge {
 public:
  StageJudge(const Case& where, const CaseFlow& flow, const DivergenceOptions& options,
             std::size_t values)
      : where_(where),
        flow_(flow),
        options_(options),
        plan_(Session().plan(where)),
        format_(resolved().arithmetic.operation_format()),
        of_sums_(is_on_vector() ? format_ : resolved().arithmetic.wide()) {
    // |error|^2 of a normal complex error of variance 1 is above t^2 with probability exp(-t^2).
    found_.limit =
        options.factor *
        std::sqrt(std::log(std::max<double>(2, static_cast<double>(values)) / options.probability));
  }

  /// The next stage: `data` are the program's before it, `bits` the emulation's after it, or null.
  void next(const OwnStage& stage, const FlowRegion& region, std::size_t from,
            const ComplexArray<double>& data, const ComplexArray<double>* bits) {
    StageVerdict verdict{
        .name = stage.name, .title = region.to().title, .size = stage.values.size()};
    if (bits != nullptr) compare_bits(verdict, stage.values, *bits, region.to().nodes.size());
    std::vector<FaultySample> samples = samples_of(stage, region, data);
    widen(samples, bits);
    judge(verdict, samples);
    verdict.is_faulty = verdict.outliers > 0;
    if (!verdict.has_same_bits() && (!found_.first_faulty || found_.culprit.is_spread))
      if (auto culprit = culprit_in(verdict, region, from, stage.cut, std::move(samples), bits)) {
        verdict.is_faulty = true;
        if (!found_.first_faulty || !(culprit->is_spread || culprit->says.empty())) {
          found_.first_faulty = found_.stages.size();
          found_.culprit = *std::move(culprit);
        }
      }
    found_.stages.push_back(std::move(verdict));
  }

  Divergence take() { return std::move(found_); }

 private:
  const Resolved& resolved() const { return plan_.resolved(); }
  /// A tensor engine adds in a wider format; in fixed point sums of products are rounded once.
  bool is_on_vector() const { return resolved().arithmetic.gemm().as<VectorProducts>() != nullptr; }

  static void compare_bits(StageVerdict& verdict, const ComplexArray<double>& own,
                           const ComplexArray<double>& bits, std::size_t size) {
    std::set<std::size_t> places;
    std::size_t different = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (same_bits(own, bits, i)) continue;
      ++different;
      places.insert(i % size);
    }
    verdict.equal = own.size() - different;
    if (different > 0)
      verdict.different = fmt::format("{} of {} values, {}", different, own.size(),
                                      pattern_of({places.begin(), places.end()}, size));
  }

  std::vector<FaultySample> samples_of(const OwnStage& stage, const FlowRegion& region,
                                       const ComplexArray<double>& data) const {
    const std::size_t length = region.from().nodes.size();
    const std::size_t size = region.to().nodes.size();
    std::vector<FaultySample> samples;
    for (std::size_t item = 0; item < where_.batch; ++item) {
      std::vector<FlowValue> before = item_of(data, item, length);
      FlowEvaluation expected(region, before);
      std::vector<double> deviation = deviations_of(
          expected, RoundingModel(format_), RoundingModel(of_sums_), unit_roundoff(format_));
      samples.push_back({std::move(before),
                         item_of(stage.values, item, size),
                         std::move(expected),
                         std::move(deviation),
                         {}});
    }
    return samples;
  }

  /// Where the emulation errs more than the model, as when it truncates, the emulation counts.
  void widen(std::vector<FaultySample>& samples, const ComplexArray<double>* bits) const {
    if (bits == nullptr) return;
    long double squares = 0;
    double worst = 0;
    std::size_t at = 0;
    for (const FaultySample& sample : samples)
      for (std::size_t i = 0; i < sample.after.size(); ++i, ++at) {
        const auto error = static_cast<double>(
            std::abs(value_at(*bits, at) - sample.expected.result(i)) / sample.deviation[i]);
        squares += error * error;
        worst = std::max(worst, error);
      }
    constexpr double margin = 1.5;
    const auto by_rms = static_cast<double>(std::sqrt(squares / static_cast<double>(at)));
    const double wider = std::max({1.0, by_rms, margin * options_.factor * worst / found_.limit});
    for (FaultySample& sample : samples)
      for (double& deviation : sample.deviation) deviation *= wider;
  }

  void judge(StageVerdict& verdict, std::vector<FaultySample>& samples) const {
    long double squares = 0;
    verdict.worst = -1;
    std::size_t at = 0;
    for (FaultySample& judged : samples) {
      for (std::size_t i = 0; i < judged.after.size(); ++i, ++at) {
        const auto error = static_cast<double>(
            std::abs(judged.after[i] - judged.expected.result(i)) / judged.deviation[i]);
        const bool is_number = std::isfinite(error);
        squares += is_number ? error * error : 0;
        if (!(error <= found_.limit)) judged.outliers.push_back(i);
        if (!(error <= verdict.worst) && std::isfinite(verdict.worst)) {
          verdict.worst = error;
          verdict.worst_place = at;
          verdict.own = judged.after[i];
          verdict.expected = judged.expected.result(i);
        }
      }
      verdict.outliers += judged.outliers.size();
    }
    verdict.rms = static_cast<double>(std::sqrt(squares / static_cast<double>(verdict.size)));
  }

  std::optional<Culprit> culprit_in(const StageVerdict& verdict, const FlowRegion& region,
                                    std::size_t from, std::size_t to,
                                    std::vector<FaultySample> samples,
                                    const ComplexArray<double>* bits) const {
    FaultSearch search = search_in(resolved(), region, found_.limit, options_.factor);
    search.samples = std::move(samples);
    const std::vector<FlowRegion> parts = stages_within(flow_, from, to);
    for (const FlowRegion& part : parts) search.stages.push_back(&part);
    if (verdict.outliers > 0) {
      search.sources = other_sources(where_);
      Culprit found = find_culprit(search);
      if (!found.says.empty()) return found;
      if (auto wide = culprit_in_spread(search)) return wide;
      return found;
    }
    const double pull = bits != nullptr ? toward_zero(search.samples) : 0;
    if (std::fabs(pull) > std::numbers::sqrt2 * found_.limit &&
        std::fabs(toward_zero(search.samples, bits)) < 0.5 * std::fabs(pull))
      return Culprit{.says = pull > 0
                                 ? "the errors pull all values toward zero: the stage truncates"
                                 : "the errors push all values away from zero",
                     .pattern = "none alone; all together are improbable"};
    return find_wrong_factor(search);
  }

  /// Where all elements err alike, by more than the emulation rounds: that, and the fault of those
  /// that stand out of the program's own spread.
  std::optional<Culprit> culprit_in_spread(FaultSearch& search) const {
    const Spread spread = spread_of(search.samples);
    if (!(spread.relative > options_.factor)) return std::nullopt;
    std::size_t outliers = 0;
    double worst = 0;  // of the others, in standard deviations of rounding
    for (FaultySample& sample : search.samples) {
      sample.outliers.clear();
      for (std::size_t i = 0; i < sample.after.size(); ++i) {
        // Partial sums that are rounded leave errors that do not shrink with the result.
        const double rounding = sample.deviation[i];
        sample.deviation[i] = std::max(spread.relative * rounding, spread.absolute);
        const auto error =
            static_cast<double>(std::abs(sample.after[i] - sample.expected.result(i)));
        if (!(error <= found_.limit * sample.deviation[i]))
          sample.outliers.push_back(i);
        else
          worst = std::max(worst, error / rounding);
      }
      outliers += sample.outliers.size();
    }
    const std::size_t size = search.samples.size() * search.samples.front().after.size();
    if (4 * outliers > size) return std::nullopt;
    const double judging =
        std::ceil(std::max(spread.relative, worst * options_.factor / found_.limit));
    const std::string text = fmt::format(
        "elements err about {} times as much as the emulation rounds: does your program sum in "
        "fewer bits? --factor {} judges the rest",
        short_number(spread.relative, 2), judging);
    if (outliers == 0)
      return Culprit{
          .says = "all " + text, .pattern = "none alone; all are alike", .is_spread = true};
    Culprit found = find_culprit(search);
    found.says = (found.says.empty() ? "no single fault that fftprec knows gives the values that "
                                       "stand out"
                                     : found.says) +
                 ";\n  all other " + text;
    return found;
  }

  const Case& where_;
  const CaseFlow& flow_;
  const DivergenceOptions& options_;
  CasePlan plan_;
  Format format_;
  Format of_sums_;  ///< of sums of products
  Divergence found_{};
};

/// The name of the machine with other casts.
std::string with_casts(const std::string& machine, Rounding casts) {
  const std::string key = fmt::format("casts={}}}", name_of(casts));
  return machine.ends_with('}') ? machine.substr(0, machine.size() - 1) + "," + key
                                : machine + "{" + key;
}

/// Whether the emulation of a case has every bit of the program's stages.
bool has_all_bits(const Case& where, const CaseFlow& flow, const ComplexArray<double>& input,
                  const std::vector<OwnStage>& own) {
  const EmulatedStages emulated = emulated_stages(where, flow, input, own);
  for (std::size_t s = 0; s < own.size(); ++s) {
    const std::size_t from = start_of(flow, s == 0 ? 0 : own[s - 1].cut, own[s].cut);
    const ComplexArray<double>* bits = emulated.of(flow.cuts[from], flow.cuts[own[s].cut]);
    if (bits == nullptr) return false;
    for (std::size_t i = 0; i < own[s].values.size(); ++i)
      if (!same_bits(own[s].values, *bits, i)) return false;
  }
  return true;
}

/// The machine with other casts that has every bit of the program's stages, or empty.
std::string machine_of_bits(const Case& where, const CaseFlow& flow,
                            const ComplexArray<double>& input, const std::vector<OwnStage>& own) {
  for (const Rounding casts :
       {Rounding::rd, Rounding::rz, Rounding::rnu, Rounding::rna, Rounding::rne, Rounding::ru}) {
    Case other = where;
    other.machine = with_casts(where.machine, casts);
    try {
      if (has_all_bits(other, flow, input, own)) return other.machine;
    } catch (const InputError&) {
      continue;  // the machine has no such casts in this mode
    }
  }
  return {};
}

}  // namespace

Divergence find_divergence(const Case& where, const CaseFlow& flow,
                           const ComplexArray<double>& input, const std::vector<OwnStage>& own,
                           const DivergenceOptions& options) {
  std::size_t values = 0;
  for (const OwnStage& stage : own) {
    const std::size_t expected = where.batch * flow.cuts[stage.cut].nodes.size();
    require(stage.values.size() == expected, stage.name, ": ", stage.values.size(), " values, '",
            flow.cuts[stage.cut].title, "' has ", expected);
    values += stage.values.size();
  }
  const EmulatedStages emulated = emulated_stages(where, flow, input, own);
  StageJudge judge(where, flow, options, values);
  /// The cut before a stage and the data there.
  const auto before = [&](std::size_t i) {
    const std::size_t from = start_of(flow, i == 0 ? 0 : own[i - 1].cut, own[i].cut);
    return std::pair(from, from == 0 ? &emulated.input : &own[i - 1].values);
  };
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto [from, data] = before(i);
    const FlowRegion region(flow, from, own[i].cut);
    judge.next(own[i], region, from, *data, emulated.of(region.from(), region.to()));
  }
  Divergence found = judge.take();
  if (!found.first_faulty && !std::ranges::all_of(found.stages, &StageVerdict::has_same_bits))
    found.machine = machine_of_bits(where, flow, input, own);
  if (const auto only = found.only_other_bits(); only && found.machine.empty()) {
    const auto [from, data] = before(*only);
    const FlowRegion region(flow, from, own[*only].cut);
    found.way = way_of_bits(Session().plan(where).resolved(), region,
                            {*data, own[*only].values, *emulated.of(region.from(), region.to())});
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
  throw unknown_name("order of elements", order,
                     {"natural", "bit-reversed", "RxC", "a .npy file of places"});
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
    if (!is_made_of(flow, from, cut)) return std::nullopt;
    const FlowRegion region(flow, from, cut);
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
