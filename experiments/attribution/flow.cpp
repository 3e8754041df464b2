#include "experiments/attribution/flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "algorithms/arithmetic/traced_arithmetic.hpp"
#include "algorithms/transforms/separable.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/attribution/placed.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

namespace {

/// The case that is recorded: one item, in an arithmetic that TracedArithmetic takes. It does the
/// same operations on other numbers.
Case recorded_case(const Case& where) {
  Case simple = where;
  simple.batch = 1;
  simple.input = Case{}.input;
  if (simple.scale == "block") simple.scale = Case{}.scale;
  if (why_not_traced(simple).empty()) return simple;
  simple.mode = "fp32";
  simple.machine = "ieee";
  simple.rounding_points = Case{}.rounding_points;
  return simple;
}

/// Entries of tables as the case has them: roots of unity from its source, computed ones rounded.
void set_given(FlowGraph& graph, const Resolved& resolved) {
  for (const bool is_wide : {false, true}) {
    const Format& format =
        is_wide ? resolved.arithmetic.wide_table() : resolved.arithmetic.table_format();
    std::vector<RootIndex> roots;
    for (const FlowFactor& factor : graph.factors)
      if (factor.root && factor.is_wide == is_wide) roots.push_back(*factor.root);
    std::vector<double> re(roots.size());
    std::vector<double> im(roots.size());
    resolved.tables.roots.fill(roots, format, re.data(), im.data());
    std::size_t at = 0;
    for (FlowFactor& factor : graph.factors) {
      if (factor.is_wide != is_wide) continue;
      if (!factor.root) {
        factor.given = {round(factor.exact.real(), format, Rounding::rne),
                        round(factor.exact.imag(), format, Rounding::rne)};
        continue;
      }
      factor.given = {re[at], factor.conjugated ? -im[at] : im[at]};
      ++at;
    }
  }
}

/// The products with twiddles of a stage that takes the data of `before` and leaves those of
/// `after`, as an array: element i is factor times element i, of `before` or under `after`. None
/// where the stage has no such products, or several for an element.
std::optional<FlowCut> twiddled(const FlowGraph& graph, const FlowCut& before,
                                const FlowCut& after) {
  const auto is_product = [&](std::uint32_t node) {
    return graph.nodes[node].kind == FlowNode::Kind::product;
  };
  const auto behind = [&](std::uint32_t node) {  // a moved node stands for its operand
    while (graph.nodes[node].kind == FlowNode::Kind::moved && graph.nodes[node].turn == 0)
      node = graph.nodes[node].a;
    return node;
  };
  FlowCut cut;
  std::vector<std::uint32_t> products(before.nodes.size());
  std::map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) places[before.nodes[i]] = i;
  std::size_t count = 0;
  const std::uint32_t last = *std::ranges::max_element(after.nodes);
  const std::uint32_t first = *std::ranges::min_element(before.nodes);
  for (std::uint32_t node = first; node <= last; ++node) {
    if (!is_product(node)) continue;
    const auto place = places.find(graph.nodes[node].a);
    if (place == places.end()) continue;
    if (products[place->second] != 0) return std::nullopt;
    products[place->second] = node;
    ++count;
  }
  if (count > 0) {
    cut.title = after.title + ", times twiddles";
    for (std::size_t i = 0; i < products.size(); ++i)
      cut.nodes.push_back(products[i] != 0 ? products[i] : before.nodes[i]);
    return cut;
  }
  for (const std::uint32_t node : after.nodes) {
    const std::uint32_t value = behind(node);
    count += is_product(value);
    cut.nodes.push_back(is_product(value) ? graph.nodes[value].a : value);
  }
  if (count == 0) return std::nullopt;
  cut.title = after.title + ", before the twiddles";
  return cut;
}

}  // namespace

std::string why_no_flow(const Case& where) {
  const Case simple = recorded_case(where);
  if (std::string reason = why_not_traced(simple); !reason.empty()) return reason;
  if (TracedCase(simple).resolved().transform.item_shape(where.n).input.empty())
    return "the items of a batch of " + where.transform +
           " share an operand, so they have no flow graph each";
  return "";
}

CaseFlow flow_of(const Case& where) {
  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  if (std::string reason = why_no_flow(where); !reason.empty()) throw NotApplicable(reason);
  const TracedCase traced(recorded_case(where));
  const Resolved& resolved = traced.resolved();
  StageTrace trace([](const StagePath&) { return ErrorSources{}; });
  FlowRecorder recorder;
  trace.record(&recorder);
  const TracedArithmetic arithmetic(resolved.arithmetic, trace, best_isa());
  const auto transform = resolved.transform.make.in<TracedArithmetic>()(
      arithmetic, resolved.algorithm, where.n, resolved.tables);
  recorder.start();
  std::map<StagePath, Placed<std::uint32_t>> stages;
  trace.visit([&](const StagePath& path, std::size_t place, double& re, double& im) {
    stages[path].set(place, recorder.renewed(recorder.node_of(re, im), re, im));
  });
  ComplexArray<double> x = recorder.inputs(elements(resolved.transform.item_shape(where.n).input));
  CaseFlow flow;
  FlowCut input{.title = std::string(input_title), .nodes = {}};
  for (std::size_t i = 0; i < x.size(); ++i)
    input.nodes.push_back(recorder.node_of(x.re[i], x.im[i]));
  const ComplexArray<double> y = transform(arithmetic, std::move(x));
  FlowCut result{.title = std::string(result_title), .nodes = {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    double re = y.re[i];
    double im = y.im[i];
    result.nodes.push_back(recorder.renewed(recorder.node_of(re, im), re, im));
  }
  flow.graph = recorder.take();
  set_given(flow.graph, plan.resolved());
  std::vector<StagePath> paths;
  std::erase_if(stages, [](const auto& stage) { return !stage.second.is_whole(); });
  for (const auto& [path, placed] : stages) paths.push_back(path);
  const std::vector<std::string> titles = titles_of(paths);
  flow.cuts.push_back(std::move(input));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    FlowCut stage{titles[i], stages[paths[i]].take(), i, paths[i]};
    if (auto cut = twiddled(flow.graph, flow.cuts.back(), stage))
      flow.cuts.push_back(*std::move(cut));
    flow.cuts.push_back(std::move(stage));
  }
  flow.cuts.push_back(std::move(result));
  return flow;
}

namespace {

/// use(operand) for each operand of a node.
template <class Use>
void each_operand(const FlowGraph& graph, const FlowNode& node, Use use) {
  switch (node.kind) {
    case FlowNode::Kind::zero:
    case FlowNode::Kind::input:
      return;
    case FlowNode::Kind::sum:
      use(node.a);
      use(node.b);
      return;
    case FlowNode::Kind::dot:
      for (std::uint32_t term = node.a; term < node.a + node.b; ++term) use(graph.terms[term].node);
      return;
    case FlowNode::Kind::moved:
    case FlowNode::Kind::product:
    case FlowNode::Kind::scaled:
      use(node.a);
      return;
  }
}

/// The nodes between two cuts, without an order; none if `to` is not made of `from` alone.
std::optional<std::vector<std::uint32_t>> nodes_between(const CaseFlow& flow, std::size_t from,
                                                        std::size_t to) {
  const FlowGraph& of = flow.graph;
  enum State : std::uint8_t { unseen, start, inside };
  std::vector<State> state(of.nodes.size(), unseen);
  for (const std::uint32_t node : flow.cuts[from].nodes) state[node] = start;
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node) {
    if (state[node] != unseen) return;
    state[node] = inside;
    nodes.push_back(node);
    open.push_back(node);
  };
  for (const std::uint32_t node : flow.cuts[to].nodes) reach(node);
  while (!open.empty()) {
    const FlowNode& node = of.nodes[open.back()];
    open.pop_back();
    if (node.kind == FlowNode::Kind::input) return std::nullopt;
    each_operand(of, node, reach);
  }
  return nodes;
}

}  // namespace

bool is_made_of(const CaseFlow& flow, std::size_t from, std::size_t to) {
  return nodes_between(flow, from, to).has_value();
}

FlowRegion::FlowRegion(const CaseFlow& flow, std::size_t from, std::size_t to)
    : flow_(&flow), from_(from), to_(to) {
  auto nodes = nodes_between(flow, from, to);
  require(nodes.has_value(), "the data of '", flow.cuts[to].title, "' are not made of those of '",
          flow.cuts[from].title, "' alone");
  nodes_ = *std::move(nodes);
  std::ranges::sort(nodes_);
}

RoundingModel::RoundingModel(const Format& format) : format_(format) {}

double RoundingModel::step(long double part) const {
  if (format_.is_fixed()) return std::ldexp(1.0, quantum_exponent(format_));
  if (part == 0) return 0;
  const double u = unit_roundoff(format_);
  if (format_.tapers()) return 2 * u * static_cast<double>(std::fabs(part));
  const int exponent = std::max(std::ilogb(part), format_.emin);
  return std::ldexp(2 * u, exponent);
}
double RoundingModel::variance(long double part) const {
  const double size = step(part);
  return size * size / 12;
}
double RoundingModel::largest(long double part) const { return step(part) / 2; }

FlowEvaluation::FlowEvaluation(const FlowRegion& region, const std::vector<FlowValue>& data,
                               const FlowChange& change)
    : region_(&region), values_(region.graph().nodes.size()) {
  const FlowGraph& graph = region.graph();
  const auto factor = [&](std::uint32_t number) -> FlowValue {
    if (change.factor) return change.factor(number);
    return FlowValue(graph.factors[number].given);
  };
  for (std::size_t i = 0; i < data.size(); ++i) values_[region.from().nodes[i]] = data[i];
  for (const std::uint32_t number : region.nodes()) {
    const FlowNode node = change.node ? change.node(number) : graph.nodes[number];
    FlowValue value;
    switch (node.kind) {
      case FlowNode::Kind::zero:
      case FlowNode::Kind::input:
        break;
      case FlowNode::Kind::moved:
        value = turned(values_[node.a], node.turn);
        break;
      case FlowNode::Kind::product:
        value = factor(node.factor) * values_[node.a];
        break;
      case FlowNode::Kind::sum:
        value = values_[node.a] + turned(values_[node.b], node.turn);
        break;
      case FlowNode::Kind::scaled:
        value = static_cast<long double>(graph.scales[node.factor]) * values_[node.a];
        if (change.scaled) value = change.scaled(value);
        break;
      case FlowNode::Kind::dot:
        for (std::uint32_t term = node.a; term < node.a + node.b; ++term)
          value += factor(graph.terms[term].factor) * values_[graph.terms[term].node];
        break;
    }
    if (change.added) value += change.added(number);
    values_[number] = value;
  }
}

std::vector<double> FlowEvaluation::variances(const RoundingModel& model,
                                              const RoundingModel& of_sums) const {
  const FlowGraph& graph = region_->graph();
  std::vector<double> variance(graph.nodes.size());
  const auto rounded_by = [](const RoundingModel& by, const FlowValue& x) {
    return by.variance(x.real()) + by.variance(x.imag());
  };
  const auto rounded = [&](const FlowValue& x) { return rounded_by(model, x); };
  /// Of w x by the schoolbook formula, with an entry that errs.
  const auto product = [&](const RoundingModel& by, const FlowFactor& factor, const FlowValue& x) {
    const FlowValue w(factor.given);
    double sum = 0;
    for (const long double a : {w.real(), w.imag()})
      for (const long double b : {x.real(), x.imag()}) sum += by.variance(a * b);
    return sum + rounded_by(by, w * x) + rounded_by(by, w) * static_cast<double>(std::norm(x));
  };
  for (const std::uint32_t number : region_->nodes()) {
    const FlowNode& node = graph.nodes[number];
    double& of = variance[number];
    switch (node.kind) {
      case FlowNode::Kind::zero:
      case FlowNode::Kind::input:
        break;
      case FlowNode::Kind::moved:
        of = variance[node.a];
        break;
      case FlowNode::Kind::product: {
        const FlowFactor& factor = graph.factors[node.factor];
        of = std::norm(factor.given) * variance[node.a] + product(model, factor, values_[node.a]);
        break;
      }
      case FlowNode::Kind::sum:
        of = variance[node.a] + variance[node.b] + rounded(values_[number]);
        break;
      case FlowNode::Kind::scaled: {
        const double scale = graph.scales[node.factor];
        of = scale * scale * variance[node.a] + rounded(values_[number]);
        break;
      }
      case FlowNode::Kind::dot: {
        FlowValue sum;
        for (std::uint32_t term = node.a; term < node.a + node.b; ++term) {
          const FlowFactor& factor = graph.factors[graph.terms[term].factor];
          const FlowValue& x = values_[graph.terms[term].node];
          sum += FlowValue(factor.given) * x;
          of += std::norm(factor.given) * variance[graph.terms[term].node] +
                product(of_sums, factor, x) + rounded_by(of_sums, sum);
        }
        of += rounded(sum);
        break;
      }
    }
  }
  std::vector<double> result;
  result.reserve(region_->to().nodes.size());
  for (const std::uint32_t node : region_->to().nodes) result.push_back(variance[node]);
  return result;
}

FlowAdjoint adjoint(const FlowEvaluation& evaluation, const std::vector<FlowValue>& errors,
                    const std::vector<double>& weights) {
  const FlowRegion& region = evaluation.region();
  const FlowGraph& graph = region.graph();
  FlowAdjoint of{std::vector<FlowValue>(graph.nodes.size()),
                 std::vector<long double>(graph.nodes.size())};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const std::uint32_t node = region.to().nodes[i];
    of.correlation[node] += static_cast<long double>(weights[i]) * errors[i];
    of.energy[node] += weights[i];
  }
  for (auto at = region.nodes().rbegin(); at != region.nodes().rend(); ++at) {
    const FlowNode& node = graph.nodes[*at];
    const FlowValue correlation = of.correlation[*at];
    const long double energy = of.energy[*at];
    const auto reaches = [&](std::uint32_t operand, const FlowValue& by) {
      of.correlation[operand] += std::conj(by) * correlation;
      of.energy[operand] += std::norm(by) * energy;
    };
    switch (node.kind) {
      case FlowNode::Kind::zero:
      case FlowNode::Kind::input:
        break;
      case FlowNode::Kind::moved:
        reaches(node.a, turned(FlowValue{1, 0}, node.turn));
        break;
      case FlowNode::Kind::product:
        reaches(node.a, FlowValue(graph.factors[node.factor].given));
        break;
      case FlowNode::Kind::sum:
        reaches(node.a, {1, 0});
        reaches(node.b, turned(FlowValue{1, 0}, node.turn));
        break;
      case FlowNode::Kind::scaled:
        reaches(node.a, {static_cast<long double>(graph.scales[node.factor]), 0});
        break;
      case FlowNode::Kind::dot:
        for (std::uint32_t term = node.a; term < node.a + node.b; ++term)
          reaches(graph.terms[term].node, FlowValue(graph.factors[graph.terms[term].factor].given));
        break;
    }
  }
  return of;
}

}  // namespace fftprec::attribution
