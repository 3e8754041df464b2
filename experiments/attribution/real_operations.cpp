#include "experiments/attribution/real_operations.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/attribution/flow.hpp"
#include "experiments/attribution/vectors.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::attribution {

namespace {

/// Bits that hold every sum of a short transform exactly.
constexpr mpfr_prec_t sum_bits = 1024;

/// x rounded once.
double rounded(mpfr_srcptr x, const RealRounding& to) {
  if (to.format == fp64) return mpfr_get_d(x, MPFR_RNDN);
  const double cut = mpfr_get_d(x, MPFR_RNDZ);
  const bool is_exact = mpfr_cmp_d(x, cut) == 0;
  // To odd: 53 bits are two more than any other format has.
  const auto bits = std::bit_cast<std::uint64_t>(cut) | (is_exact ? 0u : 1u);
  return round(std::bit_cast<double>(bits), to.format, to.rounding);
}

/// Why an arithmetic is more than rounded sums, or an empty string.
std::string why_not_rounded_sums(const ArithmeticSpec& arithmetic) {
  const std::string mode = "mode " + arithmetic.mode();
  const bool is_plain = std::holds_alternative<FloatStorage>(arithmetic.storage()) ||
                        std::holds_alternative<FixedStorage>(arithmetic.storage());
  if (std::holds_alternative<WordStorage>(arithmetic.storage()))
    return mode + " keeps double words, whose parts depend on each other";
  if (arithmetic.shares_scales())
    return (arithmetic.scale().is_block() ? "scale=block" : mode) +
           " shares exponents, which depend on the data";
  if (!is_plain) return mode + " is a number system whose precision depends on the size of a value";
  if (arithmetic.refinement_steps() > 0) return mode + " refines its result";
  if (arithmetic.is_split()) return mode + " cuts data into words, which depend on the data";
  if (arithmetic.product() != ProductScheme::plain)
    return mode + " compensates its products or sums with errors that it computes";
  if (arithmetic.stores().in_passes()) return "rounding_points other than op are not written";
  if (arithmetic.scale().input != 0) return "scale=input: is not written; give another range";
  if (!arithmetic.operation_format().subnormals)
    return mode + " has no subnormals, and rounds to zero or to the smallest normal number there";
  if (arithmetic.machine().casts == Rounding::sr) return "casts=sr rounds at random";
  return "";
}

/// Why matrix products are more than chains of rounded products and sums, or an empty string.
std::string why_no_chain(const ArithmeticSpec& arithmetic) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  if (gemm.as<HostProducts>() != nullptr)
    return machine.fp64_matmul == Fp64Matmul::host ? "" : "fp64_matmul=fma is not written";
  const auto* tensor = gemm.as<TensorProducts>();
  if (tensor == nullptr) return "its matrix products run on no tensor engine";
  const AccumulatorModel& model = tensor->accumulate;
  if (tensor->words.data.total() > 1 || tensor->words.data.kind != WordKind::values ||
      tensor->words.terms.size() > 1)
    return "the tensor engine cuts operands into words, which depend on the data";
  if (model.sum != BlockSum::sequential || model.block != 0 || machine.psum != fp32 ||
      machine.eviction != fp32)
    return "the tensor engine of " + machine.name +
           " adds products in another way than one after the other; machine=ieee does not";
  return "";
}

/// The list of a graph, operation after operation.
class Builder {
 public:
  Builder(const FlowGraph& graph, const ArithmeticSpec& arithmetic, std::size_t inputs)
      : graph_(graph), arithmetic_(arithmetic) {
    const Rounding casts = arithmetic.machine().casts;
    const Format& data = arithmetic.operation_format();
    list_.inputs = inputs;
    list_.values.resize(2 * inputs);
    list_.roundings.push_back({data, is_exact_type() ? Rounding::rne : casts});
    list_.roundings.push_back(
        {is_exact_type() && !arithmetic.on_integers() ? data : fp32, Rounding::rne});
    parts_.resize(graph.nodes.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) parts_[node] = made(node);
  }

  RealOperations take(const std::vector<std::uint32_t>& results) {
    for (const std::uint32_t node : results)
      for (const Part& part : parts_[node]) list_.outputs.push_back(value_of(part));
    return std::move(list_);
  }

 private:
  /// A value of the list, its opposite, or zero.
  struct Part {
    std::uint32_t value = 0;
    int sign = 0;
    bool is_sum = false;  ///< of a matrix product, not yet in the format of data
  };
  using Pair = std::array<Part, 2>;

  /// Whether vector operations round to the type's own format, so that nothing is cast.
  bool is_exact_type() const {
    return arithmetic_.operation_format() == arithmetic_.wide() && !arithmetic_.on_integers();
  }

  Part add(std::vector<RealTerm> terms, std::size_t rounding) {
    list_.values.push_back({std::move(terms), rounding});
    return {static_cast<std::uint32_t>(list_.values.size() - 1), 1};
  }
  static RealTerm times(const Part& part, double factor, std::optional<RealRoot> root = {}) {
    return term_times({part.value, factor, root}, part.sign);
  }
  /// Whether the rounding of data takes opposites to opposites.
  bool is_symmetric() const {
    const Rounding rounding = list_.roundings[0].rounding;
    return rounding != Rounding::ru && rounding != Rounding::rd && rounding != Rounding::rnu;
  }
  static RealTerm term_times(RealTerm term, double sign) {
    term.factor *= sign;
    if (term.root && sign < 0) term.root->is_negative = !term.root->is_negative;
    return term;
  }
  /// One elementwise operation on data.
  Part rounded_sum(std::vector<RealTerm> terms) {
    if (terms.empty()) return {};
    if (terms.size() == 1 && std::abs(terms[0].factor) == 1 && !terms[0].root)
      return {terms[0].value, terms[0].factor < 0 ? -1 : 1};
    // A narrow result is rounded as it is stored; to nearest even that is one rounding.
    const RealRounding& data = list_.roundings[0];
    if (!arithmetic_.on_integers() && data.rounding != Rounding::rne)
      terms = {{add(std::move(terms), 1).value}};
    return add(std::move(terms), 0);
  }
  Part stored(const Part& part) {
    if (!part.is_sum || is_exact_type() || part.sign == 0) return part;
    const Part now = add({{part.value}}, 0);
    return {now.value, part.sign};
  }
  Pair stored(std::uint32_t node) { return {stored(parts_[node][0]), stored(parts_[node][1])}; }

  static Pair turned_parts(const Pair& x, int turn) {
    const auto minus = [](Part part) {
      part.sign = -part.sign;
      return part;
    };
    switch (turn) {
      case 1:
        return {minus(x[1]), x[0]};
      case 2:
        return {minus(x[0]), minus(x[1])};
      case 3:
        return {x[1], minus(x[0])};
      default:
        return x;
    }
  }

  /// The factors of one part of a product: as given, and exact.
  struct Factor {
    double given;
    RealRoot root;
    bool is_zero;  ///< exactly, in the table as well

    bool is_one() const { return root.exponent == 0 && std::abs(given) == 1; }
  };

  static RealRoot cosine(std::uint64_t numerator, std::uint64_t order, bool is_negative) {
    const std::uint64_t common = std::gcd(numerator, order);
    return {numerator / common, order / common, is_negative};
  }
  /// Of exp(-2 pi i k/n), or of its conjugate.
  static std::array<Factor, 2> factors_of(const FlowFactor& factor) {
    if (!factor.root) throw NotApplicable("the algorithm computes factors that are no roots");
    const std::uint64_t n = factor.root->order;
    const std::uint64_t k = factor.root->exponent() % n;
    // A quadrant and an angle 2 pi rest/(4 n) in it.
    const std::uint64_t quadrant = 4 * k / n;
    const std::uint64_t rest = 4 * k % n;
    const RealRoot cos = cosine(rest, 4 * n, false);
    const RealRoot sin = cosine(n - rest, 4 * n, false);
    const std::array<std::pair<RealRoot, bool>, 4> turns = {
        {{cos, false}, {sin, true}, {cos, true}, {sin, false}}};
    const auto at = [&](std::uint64_t quarter, bool opposite) {
      RealRoot root = turns[quarter % 4].first;
      root.is_negative = turns[quarter % 4].second != opposite;
      return root;
    };
    // The real part is cos(q pi/2 + t), the imaginary part minus its sine: cos(q pi/2 + t + pi/2).
    const std::array<RealRoot, 2> roots = {at(quadrant, false),
                                           at(quadrant + 1, factor.conjugated)};
    std::array<Factor, 2> all{};
    for (std::size_t i = 0; i < 2; ++i) {
      const double given = i == 0 ? factor.given.real() : factor.given.imag();
      const bool is_zero = 4 * roots[i].exponent == roots[i].order && given == 0;
      all[i] = {given, roots[i], is_zero};
    }
    return all;
  }
  /// A product in a sum, or in a difference.
  struct Product {
    RealTerm term;
    double sign = 1;  ///< after its rounding
  };

  /// factor times part, if it is not zero.
  static void append(std::vector<Product>& products, const Part& part, const Factor& factor,
                     double sign = 1) {
    if (part.sign == 0 || factor.is_zero) return;
    const bool is_one = factor.is_one() && (factor.given < 0) == factor.root.is_negative;
    products.push_back(
        {times(part, factor.given, is_one ? std::nullopt : std::optional(factor.root)), sign});
  }
  static std::vector<RealTerm> exact_terms(const std::vector<Product>& products) {
    std::vector<RealTerm> terms;
    for (const Product& product : products) terms.push_back(term_times(product.term, product.sign));
    return terms;
  }

  /// Each product rounded, unless an integer unit rounds sums alone; then their sum.
  Part product_sum(const std::vector<Product>& products) {
    const bool of_sums =
        arithmetic_.on_integers() && arithmetic_.machine().fixed_rounds == RoundedResults::sums;
    if (of_sums) return rounded_sum(exact_terms(products));
    std::vector<RealTerm> terms;
    for (const Product& product : products) {
      // Gappa compares factors of one sign.
      const double sign = is_symmetric() && product.term.factor < 0 ? -1 : 1;
      terms.push_back(times(rounded_sum({term_times(product.term, sign)}), sign * product.sign));
    }
    return rounded_sum(std::move(terms));
  }

  Pair product(const FlowFactor& factor, const Pair& x) {
    const std::array<Factor, 2> w = factors_of(factor);
    const bool by_eighth = factor.table == 0 && factor.root->order == 8;
    if (by_eighth) return times_eighth(factor, w[0], x);
    std::vector<Product> re;
    append(re, x[0], w[0]);
    append(re, x[1], w[1], -1);
    std::vector<Product> im;
    append(im, x[1], w[0]);
    append(im, x[0], w[1]);
    return {product_sum(re), product_sum(im)};
  }

  /// x (1 - i) or x (1 + i) first, then the turn, then the product with cos(pi/4).
  Pair times_eighth(const FlowFactor& factor, Factor part, const Pair& x) {
    part.given = std::abs(part.given);
    part.root.is_negative = false;
    const bool forward = !factor.conjugated;
    const Pair other = turned_parts(x, forward ? 3 : 1);
    Pair sum = {sum_of(x[0], other[0]), sum_of(x[1], other[1])};
    if (factor.root->exponent() == 3) sum = turned_parts(sum, forward ? 3 : 1);
    for (Part& each : sum) {
      std::vector<Product> products;
      append(products, each, part);
      each = rounded_sum(exact_terms(products));
    }
    return sum;
  }

  Part sum_of(const Part& a, const Part& b) {
    std::vector<RealTerm> terms;
    for (const Part& part : {a, b})
      if (part.sign != 0) terms.push_back(times(part, 1));
    return rounded_sum(std::move(terms));
  }

  /// All products by real parts of the data before those by imaginary parts, from zero.
  Pair dot(const FlowNode& node) {
    const bool on_integers = arithmetic_.on_integers();
    if (!on_integers)
      if (std::string reason = why_no_chain(arithmetic_); !reason.empty())
        throw NotApplicable(reason);
    std::array<std::vector<Product>, 2> products;
    for (const std::size_t part : {0u, 1u})
      for (std::uint32_t at = node.a; at < node.a + node.b; ++at) {
        const Pair x = stored(graph_.terms[at].node);
        const std::array<Factor, 2> w = factors_of(graph_.factors[graph_.terms[at].factor]);
        append(products[0], x[part], w[part], part == 1 ? -1 : 1);
        append(products[1], x[part], w[1 - part]);
      }
    if (on_integers) return {product_sum(products[0]), product_sum(products[1])};
    const auto* tensor = arithmetic_.matrices().as<TensorProducts>();
    const bool exact = tensor != nullptr && tensor->accumulate.product.exact;
    if (tensor != nullptr) {
      list_.roundings[1] = {tensor->accumulate.format, tensor->accumulate.rounding};
      const ProductModel& model = tensor->accumulate.product;
      const RealRounding of_product{model.format, model.rounding};
      if (!exact && of_product != list_.roundings[1])
        throw NotApplicable("products and sums of the tensor engine round differently");
    }
    Pair result{};
    for (std::size_t i = 0; i < 2; ++i) {
      std::optional<RealTerm> total;
      for (RealTerm term : exact_terms(products[i])) {
        const bool is_value = std::abs(term.factor) == 1 && !term.root;
        if (!exact && !is_value) {
          const double sign = term.factor < 0 ? -1 : 1;
          term = {add({term_times(term, sign)}, 1).value, sign};
        }
        if (!total && std::abs(term.factor) == 1 && !term.root)
          total = term;
        else
          total = RealTerm{add(total ? std::vector{*total, term} : std::vector{term}, 1).value};
      }
      if (total) result[i] = {total->value, total->factor < 0 ? -1 : 1, true};
    }
    return result;
  }

  Pair made(std::size_t number) {
    const FlowNode& node = graph_.nodes[number];
    switch (node.kind) {
      case FlowNode::Kind::zero:
        return {};
      case FlowNode::Kind::input:
        return {add({{2 * node.a}}, 0), add({{2 * node.a + 1}}, 0)};
      case FlowNode::Kind::moved:
        return turned_parts(parts_[node.a], node.turn);
      case FlowNode::Kind::product:
        return product(graph_.factors[node.factor], stored(node.a));
      case FlowNode::Kind::sum: {
        const Pair a = stored(node.a);
        const Pair b = turned_parts(stored(node.b), node.turn);
        return {sum_of(a[0], b[0]), sum_of(a[1], b[1])};
      }
      case FlowNode::Kind::scaled: {
        const double factor = graph_.scales[node.factor];
        if (stored_factor(arithmetic_, factor) != factor)
          throw NotApplicable("data are scaled by a factor that is no power of two");
        Pair x = stored(node.a);
        for (Part& part : x)
          if (part.sign != 0) part = rounded_sum({times(part, factor)});
        return x;
      }
      case FlowNode::Kind::dot:
        return dot(node);
    }
    return {};
  }

  /// A value of its own for what is turned, or zero.
  std::uint32_t value_of(const Part& part) {
    if (part.sign > 0) return part.value;
    const std::size_t rounding = part.is_sum ? 1 : 0;
    if (part.sign < 0) return add({{part.value, -1}}, rounding).value;
    return add({{0, 0}}, rounding).value;
  }

  const FlowGraph& graph_;
  const ArithmeticSpec& arithmetic_;
  RealOperations list_{};
  std::vector<Pair> parts_{};
};

/// Throws NotApplicable if the emulation gives another bit on an input that does not overflow, or
/// if all do.
void compare_with_emulation(const RealOperations& operations, const CasePlan& plan,
                            const Case& where, double range) {
  const Input uniform = input_named("uniform:low=" + shortest(-range) + ":high=" + shortest(range));
  const std::string parts =
      "with parts in [-" + short_number(range) + ", " + short_number(range) + "] ";
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 64 && compared < 16; ++seed) {
    const ComplexArray<double> x = plan.resolved().transform.make_input(uniform, where.n, 1, seed);
    const Output output = run_case(plan, x, {.round_trip = false});
    if (output.overflow_count > 0) continue;
    ++compared;
    const ComplexArray<double> y = with_scale(plan, output.values);
    const std::vector<double> own = results_of(operations, x);
    for (std::size_t i = 0; i < y.size(); ++i)
      if (own[2 * i] != y.re[i] || own[2 * i + 1] != y.im[i])
        throw NotApplicable("its operations are more than rounded sums: " + parts + "result " +
                            std::to_string(i) + " has other bits");
  }
  if (compared == 0) throw NotApplicable(parts + "every input overflows; a smaller range may not");
}

}  // namespace

RootEnclosure enclosure_of(const RealRoot& root) {
  const auto value = truth::root_of_unity(root.exponent, root.order, root_bits).re;
  const auto nearest = static_cast<std::int64_t>(std::ldexp(value.hi, root_bits)) +
                       static_cast<std::int64_t>(std::ldexp(value.lo, root_bits));
  const bool is_whole = root.exponent == 0 || 4 * root.exponent == root.order;
  const std::int64_t off = is_whole ? 0 : 1;  // `nearest` is off by half of it at most
  const std::int64_t sign = root.is_negative ? -1 : 1;
  return {sign * nearest - off, sign * nearest + off};
}

std::vector<double> results_of(const RealOperations& operations,
                               const ComplexArray<double>& input) {
  std::vector<double> values(operations.values.size());
  truth::Real sum(sum_bits);
  truth::Real product(sum_bits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const RealValue& value = operations.values[i];
    if (i < 2 * operations.inputs) {
      values[i] = i % 2 == 0 ? input.re[i / 2] : input.im[i / 2];
      continue;
    }
    mpfr_set_zero(sum, 1);
    for (const RealTerm& term : value.terms) {
      mpfr_set_d(product, values[term.value], MPFR_RNDN);
      mpfr_mul_d(product, product, term.factor, MPFR_RNDN);
      mpfr_add(sum, sum, product, MPFR_RNDN);
    }
    values[i] = rounded(sum, operations.roundings[value.rounding]);
  }
  std::vector<double> results;
  for (const std::uint32_t output : operations.outputs) results.push_back(values[output]);
  return results;
}

RealOperations real_operations(const Case& where, double range) {
  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  const ArithmeticSpec& arithmetic = plan.resolved().arithmetic;
  if (where.n > longest_real_operations)
    throw NotApplicable("n = " + std::to_string(where.n) + ": operations are listed up to n = " +
                        std::to_string(longest_real_operations));
  if (where.batch != 1) throw NotApplicable("operations are listed of batch = 1");
  if (std::string reason = why_not_rounded_sums(arithmetic); !reason.empty())
    throw NotApplicable(reason);
  const CaseFlow flow = flow_of(where);
  Builder builder(flow.graph, arithmetic, flow.cuts.front().nodes.size());
  RealOperations operations = builder.take(flow.cuts.back().nodes);
  compare_with_emulation(operations, plan, where, range);
  return operations;
}

std::optional<PartBound> bound_of_parts(const Case& where, const ComplexArray<double>& input) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  const Problem problem{.input = input, .truth = resolved.transform.truth(input, where.n, 1, {})};
  Row row{.where = where};
  predict_into(row, plan, &problem, true);
  if (!row.bound_l2_rel) return std::nullopt;
  const double norm = truth::l2_norm(problem.truth.hi) * result_scale(resolved, where.n);
  return PartBound{*row.bound_l2_rel * norm, row.bound_name};
}

}  // namespace fftprec::attribution
