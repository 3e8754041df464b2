#include "experiments/attribution/culprit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "arith/formats/round.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::attribution {

namespace {

std::string number_of(const FlowValue& x) {
  const auto part = [](long double value) { return short_number(static_cast<double>(value), 5); };
  return part(x.real()) + (std::signbit(x.imag()) ? " - " : " + ") + part(std::fabs(x.imag())) +
         "i";
}

/// "W_64^3", of two indices "W[17][23] = W_4096^391", conjugated "conj(W_64^3)".
std::string name_of(const FlowFactor& factor) {
  if (!factor.root) return fmt::format("entry {} of the table", factor.index);
  const RootIndex& root = *factor.root;
  std::string name = fmt::format("W_{}^{}", root.order, root.exponent() % root.order);
  if (factor.conjugated) name = "conj(" + name + ")";
  if (root.two) name = fmt::format("W[{}][{}] = {}", root.row, root.column, name);
  return name;
}

FlowValue exchanged(const FlowValue& x) { return {x.imag(), x.real()}; }
bool is_finite(const FlowValue& x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

/// A hypothesis without a free number.
struct Variant {
  std::string says;
  FlowChange change;
};

class Finder {
 public:
  explicit Finder(const FaultSearch& search) : search_(search), graph_(search.region->graph()) {
    std::size_t most = 0;
    for (const FaultySample& sample : search.samples)
      if (worst_ == nullptr || sample.outliers.size() > most) {
        most = sample.outliers.size();
        worst_ = &sample;
      }
  }

  /// A factor that many results together show to be wrong, though each of them may be rounding.
  std::optional<Culprit> wrong_factor() {
    const auto best = best_of(scores_of_factors());
    if (best.empty()) return std::nullopt;
    const Score& score = best.front().second;
    // Of normal errors, `explained` is above t^2 with probability exp(-t^2). Tables of other makers
    // differ by a few units of the last place.
    const double ulps = 8 * unit_roundoff(search_.table_format);
    if (score.explained() < search_.most_deviations * search_.most_deviations ||
        std::abs(score.value()) < ulps)
      return std::nullopt;
    Culprit found;
    if (!one_factor(found)) return std::nullopt;
    found.pattern = "none alone; all together are improbable";
    name_stage(found);
    return found;
  }

  Culprit find() {
    Culprit found{.says = "", .pattern = pattern(), .stage = search_.stages.size() - 1};
    for (auto test : {&Finder::not_finite, &Finder::missing_stage, &Finder::lost_elements,
                      &Finder::whole_stage, &Finder::wrong_products, &Finder::coarse_values,
                      &Finder::coarse_elements, &Finder::one_factor, &Finder::changed_elements,
                      &Finder::exchanged_operands, &Finder::exchanged_within, &Finder::one_operand,
                      &Finder::coarse_tables, &Finder::one_value})
      if ((this->*test)(found)) {
        name_stage(found);
        return found;
      }
    return found;
  }

 private:
  void name_stage(Culprit& found) const {
    if (search_.stages.size() > 1)
      found.says = search_.stages[found.stage]->to().title + ": " + found.says;
  }

  double limit(const FaultySample& sample, std::size_t i) const {
    return search_.most_deviations * sample.deviation[i];
  }
  static long double error(const FaultySample& sample, std::size_t i, const FlowValue& value) {
    return std::abs(sample.after[i] - value);
  }
  bool agrees(const FaultySample& sample, std::size_t i, const FlowValue& value) const {
    return error(sample, i, value) <= limit(sample, i);
  }

  /// Whether a computation gives the program's data of a sample.
  bool agrees_everywhere(const FaultySample& sample, const FlowEvaluation& computed) const {
    long double squares = 0;
    for (std::size_t i = 0; i < sample.after.size(); ++i) {
      const long double left = error(sample, i, computed.result(i)) / sample.deviation[i];
      if (!(left <= search_.most_deviations)) return false;
      squares += left * left;
    }
    return squares <=
           search_.most_rms * search_.most_rms * static_cast<double>(sample.after.size());
  }

  /// Whether the region with this change gives the program's data, in all samples.
  bool fits(const FlowChange& change) const {
    return std::ranges::all_of(search_.samples, [&](const FaultySample& sample) {
      return agrees_everywhere(sample, FlowEvaluation(*search_.region, sample.before, change));
    });
  }

  std::string pattern() const {
    const std::size_t n = worst_->after.size();
    const std::size_t count = worst_->outliers.size();
    if (count == n) return fmt::format("all {} values", n);
    return fmt::format("{} of {} values, {}", count, n, pattern_of(worst_->outliers, n));
  }

  // ---- Faults of elements

  bool not_finite(Culprit& found) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < worst_->after.size(); ++i)
      if (!is_finite(worst_->after[i])) places.push_back(i);
    if (places.empty()) return false;
    found.says = fmt::format("{} values are infinite or NaN, the first at index {}", places.size(),
                             places.front());
    return true;
  }

  bool missing_stage(Culprit& found) {
    if (search_.stages.size() != 1) return false;
    for (const FaultySample& sample : search_.samples)
      if (sample.before.size() != sample.after.size() || sample.before != sample.after)
        return false;
    found.says = "the data are those before the stage: the stage is missing";
    return true;
  }

  /// Each outlier by one rule, where `rule` gives what it would be.
  template <class Rule>
  bool all_outliers(Rule rule) const {
    for (const FaultySample& sample : search_.samples)
      for (const std::size_t i : sample.outliers) {
        const std::optional<FlowValue> value = rule(sample, i);
        if (!value || !agrees(sample, i, *value)) return false;
      }
    return true;
  }

  std::string element_text() const {
    const std::vector<std::size_t>& places = worst_->outliers;
    if (places.size() == 1) return fmt::format("element {}", places.front());
    return fmt::format("{} elements, {},", places.size(), pattern_of(places, worst_->after.size()));
  }
  std::string_view verb() const { return worst_->outliers.size() == 1 ? "is" : "are"; }

  bool lost_elements(Culprit& found) {
    if (all_outliers([](const FaultySample& sample, std::size_t i) -> std::optional<FlowValue> {
          if (sample.after[i] != FlowValue()) return std::nullopt;
          return FlowValue();
        })) {
      found.says = fmt::format("{} {} 0: not written, or lost", element_text(), verb());
      return true;
    }
    if (all_outliers([](const FaultySample& sample, std::size_t i) -> std::optional<FlowValue> {
          if (i >= sample.before.size() || sample.after[i] != sample.before[i]) return std::nullopt;
          return sample.after[i];
        })) {
      found.says = fmt::format("{} still {} the value from before the stage: not written",
                               element_text(), worst_->outliers.size() == 1 ? "has" : "have");
      return true;
    }
    return exchanged_elements(found);
  }

  /// Whether an outlier holds what element j should. Of n right elements some are near any value by
  /// chance, so a copy of one has its bits.
  bool holds_value_of(const FaultySample& sample, std::size_t i, std::size_t j) const {
    return agrees(sample, i, sample.expected.result(j)) &&
           (sample.after[i] == sample.after[j] || std::ranges::binary_search(sample.outliers, j));
  }

  /// ", its partner in the butterfly, ...", where the two are sum and difference of two values.
  std::string partner_text(std::size_t i, std::size_t j) const {
    const auto computed = [&](std::size_t place) {
      const FlowNode* node = &graph_.nodes[search_.region->to().nodes[place]];
      while (node->kind == FlowNode::Kind::moved && node->turn == 0) node = &graph_.nodes[node->a];
      return *node;
    };
    const FlowNode one = computed(i);
    const FlowNode other = computed(j);
    const bool are_partners = one.kind == FlowNode::Kind::sum && other.kind == one.kind &&
                              one.a == other.a && one.b == other.b &&
                              (one.turn + 2) % 4 == other.turn;
    return are_partners ? ", its partner in the butterfly: the sign of its sum is wrong" : "";
  }

  /// Few elements that hold what others should.
  bool exchanged_elements(Culprit& found) {
    constexpr std::size_t most = 16;
    if (worst_->outliers.size() > most) return false;
    std::map<std::size_t, std::size_t> from;
    for (const std::size_t i : worst_->outliers) {
      std::optional<std::size_t> match;
      for (std::size_t j = 0; j < worst_->after.size(); ++j)
        if (const FlowValue value = worst_->expected.result(j); holds_value_of(*worst_, i, j))
          if (!match ||
              error(*worst_, i, value) < error(*worst_, i, worst_->expected.result(*match)))
            match = j;
      if (!match) return false;
      from[i] = *match;
    }
    for (const FaultySample& sample : search_.samples)
      for (const std::size_t i : sample.outliers)
        if (!from.contains(i) || !holds_value_of(sample, i, from[i])) return false;
    const auto first = *from.begin();
    const auto back = from.find(first.second);
    if (from.size() == 2 && back != from.end() && back->second == first.first)
      found.says = fmt::format(
          "elements {} and {} are exchanged: the results of one butterfly, or the sign of its "
          "twiddle",
          first.first, first.second);
    else
      found.says =
          fmt::format("element {} holds the value of element {}{}", first.first, first.second,
                      from.size() > 1 ? fmt::format(", and {} more", from.size() - 1)
                                      : partner_text(first.first, first.second));
    return true;
  }

  bool changed_elements(Culprit& found) {
    struct Form {
      std::string_view says;
      FlowValue (*of)(const FlowValue&);
    };
    static constexpr Form forms[] = {
        {"negated", [](const FlowValue& x) { return -x; }},
        {"conjugated", [](const FlowValue& x) { return std::conj(x); }},
        {"with exchanged re and im", [](const FlowValue& x) { return exchanged(x); }},
        {"multiplied by i", [](const FlowValue& x) { return FlowValue(-x.imag(), x.real()); }},
        {"multiplied by -i", [](const FlowValue& x) { return FlowValue(x.imag(), -x.real()); }},
        {"twice as large", [](const FlowValue& x) { return 2.0L * x; }},
        {"half as large", [](const FlowValue& x) { return 0.5L * x; }}};
    for (const Form& form : forms)
      if (all_outliers([&](const FaultySample& sample, std::size_t i) -> std::optional<FlowValue> {
            return form.of(sample.expected.result(i));
          })) {
        found.says = fmt::format("{} {} {}", element_text(), verb(), form.says);
        return true;
      }
    return scaled_elements(found);
  }

  /// All outliers, several, are one multiple of what they should be.
  bool scaled_elements(Culprit& found) {
    FlowValue product;
    long double energy = 0;
    std::size_t count = 0;
    for (const FaultySample& sample : search_.samples)
      for (const std::size_t i : sample.outliers) {
        const FlowValue value = sample.expected.result(i);
        const long double weight = 1 / (sample.deviation[i] * sample.deviation[i]);
        product += weight * std::conj(value) * sample.after[i];
        energy += weight * std::norm(value);
        ++count;
      }
    constexpr std::size_t least = 4;
    if (count < least || energy == 0) return false;
    const FlowValue factor = product / energy;
    if (!all_outliers([&](const FaultySample& sample, std::size_t i) -> std::optional<FlowValue> {
          return factor * sample.expected.result(i);
        }))
      return false;
    const long double unsure = search_.most_deviations / std::sqrt(energy);
    found.says = fmt::format("{} are {} times what they should be", element_text(),
                             std::abs(factor.imag()) <= unsure
                                 ? short_number(static_cast<double>(factor.real()), 6)
                                 : number_of(factor));
    return true;
  }

  // ---- Faults of a whole stage

  /// The factors of a stage's products, or of its matrix products.
  std::set<std::uint32_t> factors_of(const FlowRegion& stage, FlowNode::Kind kind) const {
    std::set<std::uint32_t> factors;
    for (const std::uint32_t number : stage.nodes()) {
      const FlowNode& node = graph_.nodes[number];
      if (node.kind != kind) continue;
      if (kind == FlowNode::Kind::product) factors.insert(node.factor);
      if (kind == FlowNode::Kind::dot)
        for (std::uint32_t term = node.a; term < node.a + node.b; ++term)
          factors.insert(graph_.terms[term].factor);
    }
    return factors;
  }

  /// A change of some factors to these values.
  FlowChange with_values(std::map<std::uint32_t, FlowValue> values) const {
    return {.factor =
                [this, values = std::move(values)](std::uint32_t number) {
                  const auto value = values.find(number);
                  return value != values.end() ? value->second
                                               : FlowValue(graph_.factors[number].given);
                },
            .node = {},
            .added = {}};
  }

  /// A change of every factor of a set by a function of its value.
  template <class Of>
  FlowChange with_each(const std::set<std::uint32_t>& factors, Of of) const {
    std::map<std::uint32_t, FlowValue> values;
    for (const std::uint32_t number : factors)
      values[number] = of(FlowValue(graph_.factors[number].given));
    return with_values(std::move(values));
  }

  /// A change of every root of a set to other roots, from a source.
  template <class Of>
  std::optional<FlowChange> with_roots(const std::set<std::uint32_t>& factors,
                                       const RootFunction& source, Of of) const {
    std::vector<RootIndex> roots;
    for (const std::uint32_t number : factors) {
      const FlowFactor& factor = graph_.factors[number];
      if (!factor.root) return std::nullopt;
      roots.push_back(of(*factor.root));
    }
    std::vector<double> re(roots.size());
    std::vector<double> im(roots.size());
    source.fill(roots, search_.table_format, re.data(), im.data());
    std::map<std::uint32_t, FlowValue> values;
    std::size_t at = 0;
    for (const std::uint32_t number : factors) {
      values[number] = {re[at], graph_.factors[number].conjugated ? -im[at] : im[at]};
      ++at;
    }
    return with_values(std::move(values));
  }

  std::vector<Variant> variants_of(const FlowRegion& stage) const {
    std::vector<Variant> all;
    for (const FlowNode::Kind kind : {FlowNode::Kind::product, FlowNode::Kind::dot}) {
      const std::set<std::uint32_t> factors = factors_of(stage, kind);
      if (factors.empty()) continue;
      const bool matrix = kind == FlowNode::Kind::dot;
      const std::string what = matrix ? "the DFT matrix" : "the twiddles";
      const std::string are = matrix ? "the DFT matrix is " : "all twiddles of the stage are ";
      if (!matrix)
        all.push_back({"the product with the twiddles is missing",
                       with_each(factors, [](const FlowValue&) { return FlowValue(1); })});
      all.push_back({are + "conjugated: the sign of the exponent is wrong",
                     with_each(factors, [](const FlowValue& w) { return std::conj(w); })});
      all.push_back({are + "negated, or sums and differences are exchanged",
                     with_each(factors, [](const FlowValue& w) { return -w; })});
      all.push_back({are + "used with exchanged re and im",
                     with_each(factors, [](const FlowValue& w) { return exchanged(w); })});
      const auto shifted = [&](std::string says, auto of) {
        if (auto change = with_roots(factors, *search_.exact_roots, of))
          all.push_back({std::move(says), *std::move(change)});
      };
      for (const std::uint64_t by : {std::uint64_t{1}, std::uint64_t{2}}) {
        shifted(fmt::format("{} are read {} further: index off by {}", what, by, by),
                [by](const RootIndex& root) {
                  return RootIndex{root.exponent() + by, root.order};
                });
        shifted(fmt::format("{} are read {} before: index off by {}", what, by, by),
                [by](const RootIndex& root) {
                  return RootIndex{root.exponent() % root.order + root.order - by, root.order};
                });
      }
      const bool two = std::ranges::all_of(factors, [&](std::uint32_t number) {
        return graph_.factors[number].root && graph_.factors[number].root->two;
      });
      if (two) {
        shifted(what + " have a row index off by one", [](const RootIndex& root) {
          return RootIndex{(root.row + 1) * root.column, root.order};
        });
        shifted(what + " have a column index off by one", [](const RootIndex& root) {
          return RootIndex{root.row * (root.column + 1), root.order};
        });
      }
      for (const std::uint64_t by : {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{3}}) {
        shifted(fmt::format("{} are read with {} times the stride: W^({} k) in place of W^k", what,
                            by, by),
                [by](const RootIndex& root) {
                  return RootIndex{root.exponent() % root.order * by, root.order};
                });
        for (const std::uint64_t part : {std::uint64_t{2}, std::uint64_t{4}})
          shifted(
              fmt::format("{} are read with {} times the stride, and the index wraps: W_L^({} k "
                          "mod L/{}) in place of W_L^k",
                          what, by, by, part),
              [by, part](const RootIndex& root) {
                const std::uint64_t wrap = std::max<std::uint64_t>(1, root.order / part);
                return RootIndex{root.exponent() % root.order * by % wrap, root.order};
              });
        shifted(fmt::format("{} are read with 1/{} of the stride: W^(k/{}) in place of W^k", what,
                            by, by),
                [by](const RootIndex& root) {
                  return RootIndex{root.exponent(), root.order * by};
                });
        shifted(fmt::format("{} are read with 1/{} of the stride: W^floor(k/{}) in place of W^k",
                            what, by, by),
                [by](const RootIndex& root) {
                  return RootIndex{root.exponent() % root.order / by, root.order};
                });
      }
    }
    add_variants_of_sums(stage, all);
    return all;
  }

  /// Wrong signs and operands in the sums of a stage.
  void add_variants_of_sums(const FlowRegion& stage, std::vector<Variant>& all) const {
    const std::set<std::uint32_t> inside(stage.nodes().begin(), stage.nodes().end());
    const auto is_product = [&](std::uint32_t number) {
      return inside.contains(number) && graph_.nodes[number].kind == FlowNode::Kind::product;
    };
    std::map<std::uint32_t, FlowNode> exchanged_signs, other_turn, other_operands, no_scale;
    for (const std::uint32_t number : stage.nodes()) {
      const FlowNode& node = graph_.nodes[number];
      if (node.kind == FlowNode::Kind::scaled)
        no_scale[number] = {.kind = FlowNode::Kind::moved, .a = node.a};
      if (node.kind != FlowNode::Kind::sum) continue;
      FlowNode other = node;
      other.turn = static_cast<std::uint8_t>((node.turn + 2) % 4);
      exchanged_signs[number] = other;
      if (node.turn % 2 == 1) other_turn[number] = other;
      if (is_product(node.b) && !is_product(node.a)) {
        FlowNode product = graph_.nodes[node.b];
        FlowNode sum = node;
        sum.a = product.a;
        product.a = node.a;
        other_operands[node.b] = product;
        other_operands[number] = sum;
      }
    }
    const auto add = [&](std::string says, std::map<std::uint32_t, FlowNode> nodes) {
      if (nodes.empty()) return;
      all.push_back({std::move(says),
                     {.factor = {},
                      .node =
                          [this, nodes = std::move(nodes)](std::uint32_t number) {
                            const auto node = nodes.find(number);
                            return node != nodes.end() ? node->second : graph_.nodes[number];
                          },
                      .added = {}}});
    };
    if (search_.stages.size() > 1 && stage.from().nodes.size() == stage.to().nodes.size()) {
      std::map<std::uint32_t, FlowNode> copies;
      for (std::size_t i = 0; i < stage.to().nodes.size(); ++i)
        copies[stage.to().nodes[i]] = {.kind = FlowNode::Kind::moved, .a = stage.from().nodes[i]};
      add("the stage is missing", std::move(copies));
    }
    add("sums and differences of the stage are exchanged", std::move(exchanged_signs));
    add("the turn by i in the butterflies has the wrong sign", std::move(other_turn));
    add("the twiddles multiply the other operand of the butterflies", std::move(other_operands));
    add("the scaling of the stage is missing", std::move(no_scale));
  }

  bool whole_stage(Culprit& found) {
    for (std::size_t s = 0; s < search_.stages.size(); ++s)
      for (Variant& variant : variants_of(*search_.stages[s]))
        if (fits(variant.change)) {
          found.says = std::move(variant.says);
          found.stage = s;
          return true;
        }
    return false;
  }

  /// One of the four real products in the complex products of a stage has the wrong sign.
  bool wrong_products(Culprit& found) {
    struct Form {
      std::string_view says;
      FlowValue (*error)(const FlowValue& w, const FlowValue& x);
    };
    static constexpr Form forms[] = {
        {"the real part of products w x is w_re x_re + w_im x_im: the second term has the wrong "
         "sign",
         [](const FlowValue& w, const FlowValue& x) { return FlowValue(2 * w.imag() * x.imag()); }},
        {"the imaginary part of products w x is w_re x_im - w_im x_re: the second term has "
         "the wrong sign",
         [](const FlowValue& w, const FlowValue& x) {
           return FlowValue(0, -2 * w.imag() * x.real());
         }},
        {"the imaginary part of products w x is w_im x_re - w_re x_im: the second term has "
         "the wrong sign",
         [](const FlowValue& w, const FlowValue& x) {
           return FlowValue(0, -2 * w.real() * x.imag());
         }}};
    for (std::size_t s = 0; s < search_.stages.size(); ++s)
      for (const FlowNode::Kind kind : {FlowNode::Kind::product, FlowNode::Kind::dot}) {
        const FlowRegion& stage = *search_.stages[s];
        if (factors_of(stage, kind).empty()) continue;
        for (const Form& form : forms) {
          const bool all = std::ranges::all_of(search_.samples, [&](const FaultySample& sample) {
            const auto error = [&](std::uint32_t factor, std::uint32_t operand) {
              return form.error(FlowValue(graph_.factors[factor].given),
                                sample.expected.value(operand));
            };
            const auto added = [&](std::uint32_t number) {
              const FlowNode& node = graph_.nodes[number];
              if (node.kind != kind || !std::ranges::binary_search(stage.nodes(), number))
                return FlowValue();
              if (kind == FlowNode::Kind::product) return error(node.factor, node.a);
              FlowValue sum;
              for (std::uint32_t term = node.a; term < node.a + node.b; ++term)
                sum += error(graph_.terms[term].factor, graph_.terms[term].node);
              return sum;
            };
            return agrees_everywhere(sample,
                                     FlowEvaluation(*search_.region, sample.before,
                                                    {.factor = {}, .node = {}, .added = added}));
          });
          if (!all) continue;
          found.says = form.says;
          found.stage = s;
          return true;
        }
      }
    return false;
  }

  // ---- Tables and values in fewer bits

  /// w with that many bits, of a fixed-point format below its largest power of two.
  static FlowValue with_bits(const FlowValue& w, int bits, const Format& format) {
    const auto rounded = [&](long double part) {
      if (!format.is_fixed())
        return round(static_cast<double>(part), Format{bits, -1022, 1023}, Rounding::rne);
      const int cut = format.precision - bits;
      const double quantum = std::ldexp(1.0, quantum_exponent(format) + cut);
      return quantum * std::nearbyint(static_cast<double>(part) / quantum);
    };
    return {rounded(w.real()), rounded(w.imag())};
  }

  bool coarse_tables(Culprit& found) {
    for (std::size_t s = 0; s < search_.stages.size(); ++s)
      for (const FlowNode::Kind kind : {FlowNode::Kind::product, FlowNode::Kind::dot}) {
        const std::set<std::uint32_t> factors = factors_of(*search_.stages[s], kind);
        if (factors.empty()) continue;
        const std::string what =
            kind == FlowNode::Kind::dot ? "the DFT matrix" : "the table of twiddles";
        found.stage = s;
        for (int bits = search_.table_format.precision - 1; bits >= 2; --bits) {
          if (!fits(with_each(factors, [&](const FlowValue& w) {
                return with_bits(w, bits, search_.table_format);
              })))
            continue;
          found.says = fmt::format("{} has {} bits in place of {}", what, bits,
                                   search_.table_format.precision);
          return true;
        }
        for (const auto& [name, source] : search_.sources) {
          const auto change =
              with_roots(factors, source, [](const RootIndex& root) { return root; });
          if (!change || !fits(*change)) continue;
          found.says = fmt::format("{} is that of {}", what, name);
          return true;
        }
      }
    found.stage = search_.stages.size() - 1;
    return false;
  }

  /// The fewest significant bits that hold the number.
  static int bits_of(long double value) {
    if (value == 0) return 0;
    int exponent = 0;
    auto mantissa = static_cast<std::uint64_t>(std::fabs(std::frexp(value, &exponent)) * 0x1p63L);
    int zeros = 0;
    while ((mantissa & 1) == 0) {
      mantissa >>= 1;
      ++zeros;
    }
    return 63 - zeros;
  }

  /// The fewest bits of a number: significant ones, of fixed point those below the sign.
  int bits_of_part(long double part) const {
    if (!search_.format.is_fixed()) return bits_of(part);
    const auto quanta =
        static_cast<std::int64_t>(std::ldexp(part, -quantum_exponent(search_.format)));
    if (quanta == 0) return 0;
    int zeros = 0;
    while (quanta % (std::int64_t{2} << zeros) == 0) ++zeros;
    return search_.format.precision - zeros;
  }
  int bits_of_value(const FlowValue& value) const {
    return std::max(bits_of_part(value.real()), bits_of_part(value.imag()));
  }
  /// How far a value moves at most, if its parts are rounded or cut to that many bits.
  long double cut_of(const FlowValue& value, int bits) const {
    const Format& format = search_.format;
    if (format.is_fixed())
      return 1.5L * std::ldexp(1.0L, quantum_exponent(format) + format.precision - bits);
    const auto step = [&](long double part) {
      return part == 0 ? 0 : std::ldexp(1.0L, std::ilogb(part) + 1 - bits);
    };
    return std::hypot(step(value.real()), step(value.imag()));
  }

  /// A few elements are numbers of fewer bits.
  bool coarse_elements(Culprit& found) {
    constexpr std::size_t most = 4;
    constexpr int least_lost = 3;  // by chance 1 of 64 pairs of parts ends in three zeros
    if (worst_->outliers.size() > most) return false;
    int bits = 0;
    for (const FaultySample& sample : search_.samples)
      for (const std::size_t i : sample.outliers)
        bits = std::max(bits, bits_of_value(sample.after[i]));
    if (bits == 0 || bits + least_lost > search_.format.precision) return false;
    for (const FaultySample& sample : search_.samples)
      for (const std::size_t i : sample.outliers) {
        const FlowValue value = sample.expected.result(i);
        if (error(sample, i, value) > cut_of(value, bits) + limit(sample, i)) return false;
      }
    found.says =
        fmt::format("{} {} {} bits in place of {}", element_text(),
                    worst_->outliers.size() == 1 ? "has" : "have", bits, search_.format.precision);
    return true;
  }

  /// Every value of the stage is a number of fewer bits.
  bool coarse_values(Culprit& found) {
    int bits = 0;
    std::size_t parts = 0;
    for (const FaultySample& sample : search_.samples)
      for (const FlowValue& value : sample.after) {
        bits = std::max(bits, bits_of_value(value));
        parts += value != FlowValue();
      }
    constexpr std::size_t least_parts = 8;
    if (parts < least_parts || bits + 2 > search_.format.precision) return false;
    for (const FaultySample& sample : search_.samples)
      for (std::size_t i = 0; i < sample.after.size(); ++i) {
        const FlowValue value = sample.expected.result(i);
        if (error(sample, i, value) > cut_of(value, bits) + limit(sample, i)) return false;
      }
    found.says = fmt::format("every value has {} bits in place of {}: the stage is rounded early",
                             bits, search_.format.precision);
    return true;
  }

  // ---- One free number

  /// The sums that decide how well one more complex number fits: its value is correlation/energy.
  struct Score {
    FlowValue correlation;
    long double energy = 0;
    std::size_t uses = 0;

    FlowValue value() const { return energy > 0 ? correlation / energy : FlowValue(); }
    long double explained() const { return energy > 0 ? std::norm(correlation) / energy : 0; }
  };

  void make_scores() {
    if (!adjoints_.empty()) return;
    for (const FaultySample& sample : search_.samples) {
      std::vector<FlowValue> errors;
      std::vector<double> weights;
      for (std::size_t i = 0; i < sample.after.size(); ++i) {
        errors.push_back(sample.after[i] - sample.expected.result(i));
        weights.push_back(1 / (sample.deviation[i] * sample.deviation[i]));
      }
      adjoints_.push_back(adjoint(sample.expected, errors, weights));
    }
  }

  /// The exact sums for one sample and a number that `changed(sample, by)` adds, in the results of
  /// which it is linear.
  template <class Changed>
  void add_exactly(Score& score, const FaultySample& sample, Changed changed) const {
    const FlowEvaluation one = changed(sample, FlowValue(1));
    for (std::size_t i = 0; i < sample.after.size(); ++i) {
      const FlowValue effect = one.result(i) - sample.expected.result(i);
      const long double weight = 1 / (sample.deviation[i] * sample.deviation[i]);
      score.correlation +=
          weight * std::conj(effect) * (sample.after[i] - sample.expected.result(i));
      score.energy += weight * std::norm(effect);
    }
  }

  /// The number whose addition gives the data of the worst item, if there is one.
  template <class Changed>
  std::optional<Score> fitted_in_worst(Changed changed) const {
    Score score;
    add_exactly(score, *worst_, changed);
    const FlowEvaluation with = changed(*worst_, score.value());
    if (!agrees_everywhere(*worst_, with)) return std::nullopt;
    return score;
  }

  /// The candidates with the highest scores, best first.
  static std::vector<std::pair<std::uint32_t, Score>> best_of(
      const std::map<std::uint32_t, Score>& scores, std::size_t most = 24) {
    std::vector<std::pair<std::uint32_t, Score>> best(scores.begin(), scores.end());
    std::ranges::stable_sort(best, [](const auto& a, const auto& b) {
      return a.second.explained() > b.second.explained();
    });
    if (best.size() > most) best.resize(most);
    return best;
  }

  std::map<std::uint32_t, Score> scores_of_factors() {
    make_scores();
    std::map<std::uint32_t, Score> scores;
    for (std::size_t s = 0; s < search_.samples.size(); ++s) {
      const FlowEvaluation& expected = search_.samples[s].expected;
      const auto use = [&](std::uint32_t factor, std::uint32_t operand, std::uint32_t node) {
        const FlowValue x = expected.value(operand);
        Score& score = scores[factor];
        score.correlation += std::conj(x) * adjoints_[s].correlation[node];
        score.energy += std::norm(x) * adjoints_[s].energy[node];
        ++score.uses;
      };
      for (const std::uint32_t number : search_.region->nodes()) {
        const FlowNode& node = graph_.nodes[number];
        if (node.kind == FlowNode::Kind::product) use(node.factor, node.a, number);
        if (node.kind == FlowNode::Kind::dot)
          for (std::uint32_t term = node.a; term < node.a + node.b; ++term)
            use(graph_.terms[term].factor, graph_.terms[term].node, number);
      }
    }
    return scores;
  }

  /// The stage that uses a factor, or that computes a node.
  template <class Has>
  std::size_t stage_of(Has has) const {
    for (std::size_t s = 0; s < search_.stages.size(); ++s)
      if (has(*search_.stages[s])) return s;
    return 0;
  }

  bool one_factor(Culprit& found) {
    // A factor of one product explains its error whatever it is: then the form decides.
    const auto showing = std::ranges::count_if(
        search_.samples, [](const FaultySample& sample) { return !sample.outliers.empty(); });
    constexpr std::size_t most = 4096;
    constexpr std::size_t evaluated = 24;
    const auto best = best_of(scores_of_factors(), most);
    std::size_t tried = 0;
    for (const auto& candidate : best) {
      const std::uint32_t number = candidate.first;
      const Score& rough = candidate.second;
      if (rough.explained() < 0.5L * best.front().second.explained()) break;
      const FlowFactor& factor = graph_.factors[number];
      const bool once = showing < 2 && rough.uses <= search_.samples.size();
      if (once &&
          form_of(FlowValue(factor.given) + rough.value(), factor, unsure_of(rough)).empty())
        continue;
      if (++tried > evaluated) break;
      Score score{.correlation = {}, .energy = 0, .uses = rough.uses};
      for (const FaultySample& sample : search_.samples)
        add_exactly(score, sample, [&](const FaultySample& of, const FlowValue& by) {
          return FlowEvaluation(*search_.region, of.before,
                                with_values({{number, FlowValue(factor.given) + by}}));
        });
      const FlowValue now = FlowValue(factor.given) + score.value();
      if (std::abs(score.value()) <= unsure_of(score)) continue;
      if (!fits(with_values({{number, now}}))) continue;
      const std::string form = form_of(now, factor, unsure_of(score));
      // One value that is no root may as well be wrong data.
      if (form.empty() && score.uses == 1) continue;
      found.stage = stage_of([&](const FlowRegion& stage) {
        return factors_of(stage, FlowNode::Kind::product).contains(number) ||
               factors_of(stage, FlowNode::Kind::dot).contains(number);
      });
      found.says = fmt::format("twiddle {}, which should be {}, is {}", name_of(factor),
                               number_of(FlowValue(factor.exact)),
                               form.empty() ? about_text(now, factor) : form);
      return true;
    }
    return false;
  }

  long double unsure_of(const Score& score) const {
    return search_.most_deviations / std::sqrt(score.energy) + unit_roundoff(search_.table_format);
  }

  /// "about 0.5 - 0.5i, off by 3e-06 (50 ulp)", in steps of the table at the larger part.
  std::string about_text(const FlowValue& now, const FlowFactor& factor) const {
    const FlowValue exact(factor.exact);
    const auto off = static_cast<double>(std::abs(now - exact));
    const long double larger = std::max(std::fabs(exact.real()), std::fabs(exact.imag()));
    const double step =
        search_.table_format.is_fixed()
            ? std::ldexp(1.0, quantum_exponent(search_.table_format))
            : std::ldexp(2 * unit_roundoff(search_.table_format), std::ilogb(larger));
    return fmt::format("about {}, off by {} ({} ulp)", number_of(now), short_number(off, 2),
                       short_number(off < 10 * step ? off / step : std::round(off / step), 9));
  }

  /// What a factor was taken for, or empty.
  std::string form_of(const FlowValue& now, const FlowFactor& factor, long double unsure) const {
    const FlowValue w(factor.exact);
    const auto near = [&](const FlowValue& value) { return std::abs(now - value) <= unsure; };
    if (unsure > 0.5L) return "";
    if (near(0)) return "0";
    std::string form;
    if (near(std::conj(w)) && std::abs(w.imag()) > unsure)
      form = "its conjugate";
    else if (near(-w))
      form = "negated";
    else if (near(exchanged(w)))
      form = "used with exchanged re and im";
    else if (near(1) || near(-1))
      form = near(1) ? "1" : "-1";
    // Five points of the circle are within `unsure` of another root by chance.
    constexpr long double sure = 0.02L;
    if (!form.empty() && unsure <= sure) return form;
    const std::string root = root_of(now, factor, unsure);
    return form.empty() || root.empty() ? form + root : form + ", or " + root;
  }

  /// Which root a factor was taken for, or empty.
  static std::string root_of(const FlowValue& now, const FlowFactor& factor, long double unsure) {
    if (!factor.root || std::abs(std::abs(now) - 1) > unsure) return "";
    const auto order = static_cast<long double>(factor.root->order);
    const long double turns = -std::arg(now) / (2 * std::numbers::pi_v<long double>)*order;
    const auto nearest = static_cast<std::int64_t>(std::llround(turns));
    const auto n = static_cast<std::int64_t>(factor.root->order);
    const std::int64_t sign = factor.conjugated ? -1 : 1;
    const std::int64_t exponent = ((sign * nearest) % n + n) % n;
    const auto own = static_cast<std::int64_t>(factor.root->exponent() % factor.root->order);
    std::int64_t off = exponent - own;
    if (off > n / 2) off -= n;
    if (off < -n / 2) off += n;
    // The data determine the entry within so many steps.
    const double steps =
        static_cast<double>(unsure * order / (2 * std::numbers::pi_v<long double>));
    const std::string way = off > 0 ? "further" : "before";
    if (off == 0) return "";
    if (steps < 0.5)
      return fmt::format("W_{}^{}, {} {} {}", n, exponent, std::abs(off),
                         std::abs(off) == 1 ? "step" : "steps", way);
    if (steps > 0.5 * static_cast<double>(std::abs(off))) return "";
    return fmt::format("about {}: W_{}^{}, {} steps {}, give or take {}", number_of(now), n,
                       exponent, std::abs(off), way, std::ceil(steps));
  }

  /// The elements of the beginning that explain most, best first.
  std::vector<std::size_t> best_operands(std::size_t most) {
    make_scores();
    std::map<std::uint32_t, Score> scores;
    std::map<std::uint32_t, std::size_t> places;
    const FlowCut& cut = search_.region->from();
    for (std::size_t i = 0; i < cut.nodes.size(); ++i) {
      places[cut.nodes[i]] = i;
      scores[cut.nodes[i]] = {worst_adjoint().correlation[cut.nodes[i]],
                              worst_adjoint().energy[cut.nodes[i]], 1};
    }
    std::vector<std::size_t> operands;
    for (const auto& candidate : best_of(scores, most)) operands.push_back(places[candidate.first]);
    return operands;
  }

  /// Two elements of the beginning are read in each other's place.
  bool exchanged_operands(Culprit& found) {
    constexpr std::size_t most = 10;
    const std::vector<std::size_t> operands = best_operands(most);
    for (std::size_t a = 0; a < operands.size(); ++a)
      for (std::size_t b = a + 1; b < operands.size(); ++b) {
        const bool all = std::ranges::all_of(search_.samples, [&](const FaultySample& sample) {
          std::vector<FlowValue> data = sample.before;
          std::swap(data[operands[a]], data[operands[b]]);
          return agrees_everywhere(sample, FlowEvaluation(*search_.region, data));
        });
        if (!all) continue;
        found.says = fmt::format("elements {} and {} of '{}' are exchanged when they are read",
                                 std::min(operands[a], operands[b]),
                                 std::max(operands[a], operands[b]), search_.region->from().title);
        return true;
      }
    return false;
  }

  /// Two elements between stages of the region are in each other's place.
  bool exchanged_within(Culprit& found) {
    make_scores();
    constexpr std::size_t most = 6;
    for (std::size_t s = 0; s + 1 < search_.stages.size(); ++s) {
      const std::vector<std::uint32_t>& nodes = search_.stages[s]->to().nodes;
      std::map<std::uint32_t, Score> scores;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        scores[static_cast<std::uint32_t>(i)] = {worst_adjoint().correlation[nodes[i]],
                                                 worst_adjoint().energy[nodes[i]], 1};
      const auto best = best_of(scores, most);
      for (std::size_t a = 0; a < best.size(); ++a)
        for (std::size_t b = a + 1; b < best.size(); ++b) {
          const std::uint32_t one = best[a].first;
          const std::uint32_t other = best[b].first;
          const bool all = std::ranges::all_of(search_.samples, [&](const FaultySample& sample) {
            const FlowValue by =
                sample.expected.value(nodes[other]) - sample.expected.value(nodes[one]);
            const FlowChange change{
                .factor = {}, .node = {}, .added = [&](std::uint32_t node) {
                  return node == nodes[one] ? by : node == nodes[other] ? -by : FlowValue();
                }};
            return agrees_everywhere(sample,
                                     FlowEvaluation(*search_.region, sample.before, change));
          });
          if (!all) continue;
          found.stage = s;
          found.says = fmt::format(
              "elements {} and {} are exchanged after the stage, or when the next one reads them",
              std::min(one, other), std::max(one, other));
          return true;
        }
    }
    return false;
  }

  /// Element j of the stage's input was read as something else.
  bool one_operand(Culprit& found) {
    const FlowCut& cut = search_.region->from();
    constexpr std::size_t most = 24;
    for (const std::size_t place : best_operands(most)) {
      const auto score = fitted_in_worst([&](const FaultySample& of, const FlowValue& by) {
        std::vector<FlowValue> data = of.before;
        data[place] += by;
        return FlowEvaluation(*search_.region, data);
      });
      if (!score) continue;
      const FlowValue value = worst_->before[place] + score->value();
      const long double unsure = search_.most_deviations / std::sqrt(score->energy);
      std::vector<std::size_t> like;
      std::size_t around = 0;
      for (std::size_t j = 0; j < worst_->before.size(); ++j) {
        const long double distance = std::abs(worst_->before[j] - value);
        if (j != place && distance <= unsure) like.push_back(j);
        if (j != place && distance <= 10 * unsure) ++around;
      }
      // A hundredth of the elements around is near by chance.
      constexpr std::size_t most_around = 5;
      const std::string where = fmt::format("element {} of '{}'", place, cut.title);
      if (std::abs(value) <= unsure)
        found.says = where + " is read as 0";
      else if (like.size() == 1 && around <= most_around)
        found.says = fmt::format("element {} is read in place of {}", like.front(), where);
      else
        found.says = fmt::format("{} is read as about {}, it is {}", where, number_of(value),
                                 number_of(worst_->before[place]));
      return true;
    }
    return false;
  }

  const FlowAdjoint& worst_adjoint() const {
    return adjoints_[static_cast<std::size_t>(worst_ - search_.samples.data())];
  }

  /// One value within the stage is wrong.
  bool one_value(Culprit& found) {
    make_scores();
    std::map<std::uint32_t, Score> scores;
    for (const std::uint32_t node : search_.region->nodes())
      scores[node] = {worst_adjoint().correlation[node], worst_adjoint().energy[node], 1};
    for (const auto& candidate : best_of(scores)) {
      const std::uint32_t node = candidate.first;
      const auto score = fitted_in_worst([&](const FaultySample& of, const FlowValue& by) {
        return FlowEvaluation(*search_.region, of.before,
                              {.factor = {}, .node = {}, .added = [&](std::uint32_t at) {
                                 return at == node ? by : FlowValue();
                               }});
      });
      if (!score) continue;
      found.stage = stage_of(
          [&](const FlowRegion& stage) { return std::ranges::binary_search(stage.nodes(), node); });
      found.says = text_of_value(node, *search_.stages[found.stage], *score);
      return true;
    }
    return false;
  }

  /// What a node of a stage holds in place of its value.
  std::string text_of_value(std::uint32_t node, const FlowRegion& stage, const Score& score) const {
    const FlowNode& of = graph_.nodes[node];
    const FlowValue should = worst_->expected.value(node);
    const FlowValue now = should + score.value();
    const long double unsure = search_.most_deviations / std::sqrt(score.energy);
    std::string what = of.kind == FlowNode::Kind::product
                           ? "a product with " + name_of(graph_.factors[of.factor])
                           : std::string("a value within the stage");
    const std::vector<std::uint32_t>& results = stage.to().nodes;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const FlowNode& result = graph_.nodes[results[i]];
      const bool is_moved = result.kind == FlowNode::Kind::moved && result.turn == 0;
      if (results[i] != node && !(is_moved && result.a == node)) continue;
      what = fmt::format("element {}", i);
      const std::vector<std::uint32_t>& before = stage.from().nodes;
      if (std::abs(now) > unsure && i < before.size() &&
          std::abs(now - worst_->expected.value(before[i])) <= unsure)
        return what + " still has the value from before the stage: not written";
      break;
    }
    if (std::abs(now) <= unsure) return what + " is 0: not written, or lost";
    return fmt::format("{} should be {}, it is about {}", what, number_of(should), number_of(now));
  }

  const FaultSearch& search_;
  const FlowGraph& graph_;
  const FaultySample* worst_ = nullptr;
  std::vector<FlowAdjoint> adjoints_;  ///< of each sample; empty: not yet made
};

}  // namespace

std::string pattern_of(const std::vector<std::size_t>& indices, std::size_t n) {
  if (indices.empty()) return "none";
  if (indices.size() == 1) return fmt::format("index {}", indices.front());
  const std::size_t first = indices.front();
  const std::size_t last = indices.back();
  if (last - first + 1 == indices.size()) return fmt::format("{} to {}", first, last);
  std::size_t step = 0;
  for (const std::size_t i : indices) step = std::gcd(step, i - first);
  if (step > 1 && (indices.size() > 2 || 2 * step == n)) {
    const bool all = (last - first) / step + 1 == indices.size();
    const std::string modulo = fmt::format("all {} mod {}", first % step, step);
    if (all && first < step && last + step >= n) return modulo;
    return fmt::format("{}, from {} to {}", modulo, first, last);
  }
  constexpr std::size_t shown = 6;
  std::vector<std::size_t> some(
      indices.begin(),
      indices.begin() + static_cast<std::ptrdiff_t>(std::min(shown, indices.size())));
  return fmt::format("{}{}", fmt::join(some, ", "), indices.size() > shown ? ", ..." : "");
}

Culprit find_culprit(const FaultSearch& search) { return Finder(search).find(); }

std::optional<Culprit> find_wrong_factor(const FaultSearch& search) {
  return Finder(search).wrong_factor();
}

}  // namespace fftprec::attribution
