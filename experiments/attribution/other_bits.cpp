#include "experiments/attribution/other_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"

namespace fftprec::attribution {

namespace {

using Value = std::complex<double>;

/// Operations in a format, each rounded once.
struct Rounded {
  Format format;
  Rounding casts;

  bool is_native() const { return format == fp64; }
  /// Of a value in double whose last bit is odd where it is inexact.
  double operator()(double odd) const { return is_native() ? odd : round(odd, format, casts); }
  double product(double a, double b) const {
    return is_native() ? a * b : (*this)(product_to_odd(a, b));
  }
  double sum(double a, double b) const { return is_native() ? a + b : (*this)(sum_to_odd(a, b)); }
  double fused(double a, double b, double c) const {
    return is_native() ? std::fma(a, b, c) : (*this)(product_sum_to_odd(a, b, c));
  }
};

/// How a part of w x, w = a + b i, x = c + d i, is formed: a sum of a first and a second product.
enum class PartOfProduct {
  each,    ///< both products are rounded
  first,   ///< the first product is fused into the sum
  second,  ///< the second is
  once,    ///< the sum of exact products is rounded
};

enum class IntoSum { no, first, second };  ///< the product fused last into u + w x

/// In which order a sum of several elements is formed.
enum class Order { own, ascending, descending, neighbours, halves };

/// In which order a long sum of products is formed.
struct DotOrder {
  std::size_t tile = 0;   ///< terms of which those with the real part of data come first; 0: all
  bool by_pairs = false;  ///< re and im of each element in turn
  bool is_reversed = false;
  std::size_t sums = 1;   ///< partial sums, each of every sums-th term; 0: pairwise
  bool is_fused = false;  ///< products are not rounded
  bool is_once = false;   ///< all is exact until the end
  bool is_stored = true;  ///< the sum is rounded to the format of data

  friend bool operator==(const DotOrder&, const DotOrder&) = default;
};

struct Way {
  std::string says;
  PartOfProduct re = PartOfProduct::each;
  PartOfProduct im = PartOfProduct::each;
  IntoSum into_sum = IntoSum::no;
  Order order = Order::own;
  DotOrder dot{};
};

bool are_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a + 0.0) == std::bit_cast<std::uint64_t>(b + 0.0);
}

class StageInFormat {
 public:
  StageInFormat(const Resolved& resolved, const FlowRegion& region, const StageBits& bits)
      : region_(region),
        graph_(region.graph()),
        bits_(bits),
        data_{resolved.arithmetic.operation_format(), resolved.arithmetic.machine().casts},
        wide_{resolved.arithmetic.wide(), resolved.arithmetic.machine().casts} {
    if (data_.format.is_fixed()) data_.format = wide_.format = resolved.arithmetic.storage_format();
    if (data_.format.is_fixed() && resolved.arithmetic.table_format().is_fixed())
      is_exact_ = width_of(data_.format) + width_of(resolved.arithmetic.table_format()) <= 52;
    for (const std::uint32_t number : region.nodes()) {
      const FlowNode::Kind kind = graph_.nodes[number].kind;
      has_products_ = has_products_ || kind == FlowNode::Kind::product;
      has_dots_ = has_dots_ || kind == FlowNode::Kind::dot;
      if (kind == FlowNode::Kind::dot)
        depth_ = std::max<std::size_t>(depth_, graph_.nodes[number].b);
    }
  }

  std::string way() const {
    if (data_.casts == Rounding::sr || !is_exact_) return {};
    if (std::string says = fewer_bits(); !says.empty()) return says;
    const std::optional<Way> own = own_way();
    if (!own) return {};
    for (const Way& way : ways_from(*own))
      if (gives(way, bits_.after)) return way.says;
    return {};
  }

 private:
  /// The way that gives the emulation's bits.
  std::optional<Way> own_way() const {
    std::vector<PartOfProduct> products{PartOfProduct::each};
    if (has_products_) products.push_back(PartOfProduct::once);
    std::vector<DotOrder> dots{DotOrder{}};
    if (has_dots_) {
      dots.clear();
      for (const std::size_t tile : {std::size_t{128}, std::size_t{0}})
        for (const bool fused : {false, true})
          for (const bool stored : {true, false})
            dots.push_back({.tile = tile, .is_fused = fused, .is_stored = stored});
      dots.push_back({.is_once = true});
    }
    for (const PartOfProduct product : products)
      for (const DotOrder& dot : dots) {
        const Way way{.says = "", .re = product, .im = product, .dot = dot};
        if (gives(way, bits_.emulated)) return way;
      }
    return std::nullopt;
  }

  std::vector<Way> ways_from(const Way& own) const {
    std::vector<Way> all;
    if (has_products_) add_products(own, all);
    for (const auto& [order, says] :
         {std::pair{Order::ascending, "from the first element to the last"},
          std::pair{Order::descending, "from the last element to the first"},
          std::pair{Order::neighbours, "in pairs of neighbours"},
          std::pair{Order::halves, "in pairs half the elements apart"}}) {
      Way way = own;
      way.order = order;
      way.says = fmt::format("its sums of several elements are formed {}", says);
      all.push_back(std::move(way));
    }
    if (has_dots_) add_dots(own, all);
    return all;
  }

  static void add_products(const Way& own, std::vector<Way>& all) {
    constexpr std::string_view of = "with twiddle a + b i and data c + d i, ";
    const auto add = [&](PartOfProduct re, PartOfProduct im, IntoSum into, std::string says) {
      if (re == own.re && im == own.im && into == own.into_sum) return;
      Way way = own;
      way.re = re;
      way.im = im;
      way.into_sum = into;
      way.says = std::move(says);
      all.push_back(std::move(way));
    };
    using enum PartOfProduct;
    add(each, each, IntoSum::no, "every real product is rounded before it is added");
    add(once, once, IntoSum::no, "complex products are rounded once, after their sum");
    for (const auto& [re, re_says] :
         {std::pair{first, "re = fma(a, c, -b d)"}, std::pair{second, "re = fma(-b, d, a c)"},
          std::pair{each, "re = a c - b d"}})
      for (const auto& [im, im_says] :
           {std::pair{first, "im = fma(a, d, b c)"}, std::pair{second, "im = fma(b, c, a d)"},
            std::pair{each, "im = a d + b c"}})
        add(re, im, IntoSum::no, fmt::format("products are fused: {}{}, {}", of, re_says, im_says));
    add(each, each, IntoSum::first,
        fmt::format("products are fused into the sums of the butterflies: {}u + w x is "
                    "fma(a, c, fma(-b, d, u)), fma(a, d, fma(b, c, v))",
                    of));
    add(each, each, IntoSum::second,
        fmt::format("products are fused into the sums of the butterflies: {}u + w x is "
                    "fma(-b, d, fma(a, c, u)), fma(b, c, fma(a, d, v))",
                    of));
  }

  void add_dots(const Way& own, std::vector<Way>& all) const {
    const auto add = [&](const DotOrder& dot, std::string says) {
      if (dot == own.dot) return;
      Way way = own;
      way.dot = dot;
      way.says = "its sums of products are formed " + std::move(says);
      all.push_back(std::move(way));
    };
    for (const bool fused : {own.dot.is_fused, !own.dot.is_fused}) {
      const std::string how = fused == own.dot.is_fused ? ""
                              : fused                   ? ", with fused products"
                                                        : ", with rounded products";
      for (const bool stored : {own.dot.is_stored, !own.dot.is_stored}) {
        const std::string end = how + (stored == own.dot.is_stored ? ""
                                       : stored ? ", and rounded to the format of data"
                                                : ", and left in the wide format");
        for (const bool reversed : {false, true}) {
          const std::string from = reversed ? "from the last term to the first" : "term by term";
          for (const std::size_t tile : {std::size_t{0}, std::size_t{128}})
            add({.tile = tile, .is_reversed = reversed, .is_fused = fused, .is_stored = stored},
                fmt::format("{}, first the real parts of the data{}{}", from,
                            tile == 0 || depth_ <= tile ? "" : fmt::format(" of each {}", tile),
                            end));
          add({.by_pairs = true, .is_reversed = reversed, .is_fused = fused, .is_stored = stored},
              from + ", re and im of each element in turn" + end);
        }
        for (const bool by_pairs : {false, true}) {
          const std::string terms = by_pairs ? " of re and im in turn" : "";
          for (const std::size_t sums : {std::size_t{2}, std::size_t{4}, std::size_t{8}})
            add({.by_pairs = by_pairs, .sums = sums, .is_fused = fused, .is_stored = stored},
                fmt::format("in {} partial sums{}{}", sums, terms, end));
          if (!fused)
            add({.by_pairs = by_pairs, .sums = 0, .is_fused = false, .is_stored = stored},
                "pairwise, as a tree" + terms + end);
        }
      }
    }
    add({.is_once = true}, "in a wide accumulator and rounded once");
  }

  /// The emulation's bits with fewer of them: where it leaves sums in a wider format, also with all
  /// that data have.
  std::string fewer_bits() const {
    const int most = data_.format.precision;
    for (const bool cut : {false, true})
      for (int bits = most; bits >= std::max(2, most - 12); --bits) {
        const auto narrow = [&](double part) {
          if (data_.format.is_fixed()) {
            const double quantum = std::ldexp(1.0, quantum_exponent(data_.format) + most - bits);
            const double steps = part / quantum;
            return quantum * (cut ? std::floor(steps) : std::nearbyint(steps));
          }
          return round(part, Format{bits, -1022, 1023}, cut ? Rounding::rz : Rounding::rne);
        };
        const auto fits = [&](const auto& own, const auto& emulated) {
          for (std::size_t i = 0; i < own.size(); ++i)
            if (!are_same(own[i], narrow(emulated[i]))) return false;
          return true;
        };
        if (fits(bits_.after.re, bits_.emulated.re) && fits(bits_.after.im, bits_.emulated.im))
          return fmt::format("its results are {} to {} bits{}", cut ? "cut" : "rounded", bits,
                             bits < most ? fmt::format(" in place of {}", most)
                                         : ", as data have, and the emulation leaves them wider");
      }
    return {};
  }

  bool gives(const Way& way, const ComplexArray<double>& expected) const {
    const std::size_t in = region_.from().nodes.size();
    const std::size_t out = region_.to().nodes.size();
    std::vector<Value> values(graph_.nodes.size());
    for (std::size_t item = 0; item * out < expected.size(); ++item) {
      for (std::size_t i = 0; i < in; ++i)
        values[region_.from().nodes[i]] = {bits_.before.re[item * in + i],
                                           bits_.before.im[item * in + i]};
      for (const std::uint32_t number : region_.nodes())
        values[number] = value(way, values, number);
      for (std::size_t i = 0; i < out; ++i) {
        const std::size_t at = item * out + i;
        const Value result = result_of(way, values, region_.to().nodes[i]);
        const bool is_as_expected =
            are_same(result.real(), expected.re[at]) && are_same(result.imag(), expected.im[at]);
        // In another order of sums some results keep theirs.
        const bool is_own = way.order != Order::own &&
                            are_same(expected.re[at], bits_.emulated.re[at]) &&
                            are_same(expected.im[at], bits_.emulated.im[at]);
        if (!is_as_expected && !is_own) return false;
      }
    }
    return true;
  }

  Value value(const Way& way, const std::vector<Value>& values, std::uint32_t number) const {
    const FlowNode& node = graph_.nodes[number];
    switch (node.kind) {
      case FlowNode::Kind::zero:
      case FlowNode::Kind::input:
        return values[number];
      case FlowNode::Kind::moved:
        return turned(values[node.a], node.turn);
      case FlowNode::Kind::scaled: {
        const double scale = graph_.scales[node.factor];
        const Value& x = values[node.a];
        return {data_.product(scale, x.real()), data_.product(scale, x.imag())};
      }
      case FlowNode::Kind::product:
        return product(way, graph_.factors[node.factor].given, values[node.a]);
      case FlowNode::Kind::sum:
        if (way.into_sum != IntoSum::no && graph_.nodes[node.b].kind == FlowNode::Kind::product)
          return fused_sum(way, values, node);
        return sum(values[node.a], turned(values[node.b], node.turn));
      case FlowNode::Kind::dot:
        return dot(way.dot, values, node);
    }
    return {};
  }

  Value sum(const Value& x, const Value& y) const {
    return {data_.sum(x.real(), y.real()), data_.sum(x.imag(), y.imag())};
  }

  /// p q + r s.
  double part(PartOfProduct how, double p, double q, double r, double s) const {
    switch (how) {
      case PartOfProduct::each:
        return data_.sum(data_.product(p, q), data_.product(r, s));
      case PartOfProduct::first:
        return data_.fused(p, q, data_.product(r, s));
      case PartOfProduct::second:
        return data_.fused(r, s, data_.product(p, q));
      case PartOfProduct::once:
        return data_(product_sum_to_odd(p, q, r * s));
    }
    return 0;
  }

  Value product(const Way& way, const Value& w, const Value& x) const {
    return {part(way.re, w.real(), x.real(), -w.imag(), x.imag()),
            part(way.im, w.real(), x.imag(), w.imag(), x.real())};
  }

  /// u + i^turn w x.
  Value fused_sum(const Way& way, const std::vector<Value>& values, const FlowNode& node) const {
    const FlowNode& product = graph_.nodes[node.b];
    const Value w = turned(graph_.factors[product.factor].given, node.turn);
    const Value& x = values[product.a];
    const Value& u = values[node.a];
    if (way.into_sum == IntoSum::first)
      return {data_.fused(w.real(), x.real(), data_.fused(-w.imag(), x.imag(), u.real())),
              data_.fused(w.real(), x.imag(), data_.fused(w.imag(), x.real(), u.imag()))};
    return {data_.fused(-w.imag(), x.imag(), data_.fused(w.real(), x.real(), u.real())),
            data_.fused(w.imag(), x.real(), data_.fused(w.real(), x.imag(), u.imag()))};
  }

  struct Leaf {
    std::uint32_t node;
    int turn;
  };

  /// The elements that a sum of sums adds up.
  void collect(std::uint32_t number, int turn, std::vector<Leaf>& leaves) const {
    const FlowNode& node = graph_.nodes[number];
    const bool is_inside = std::ranges::binary_search(region_.nodes(), number);
    if (is_inside && node.kind == FlowNode::Kind::moved)
      return collect(node.a, (turn + node.turn) % 4, leaves);
    if (is_inside && node.kind == FlowNode::Kind::sum) {
      collect(node.a, turn, leaves);
      return collect(node.b, (turn + node.turn) % 4, leaves);
    }
    leaves.push_back({number, turn});
  }

  Value result_of(const Way& way, const std::vector<Value>& values, std::uint32_t number) const {
    if (way.order == Order::own) return values[number];
    std::vector<Leaf> leaves;
    collect(number, 0, leaves);
    constexpr std::size_t least = 3;
    constexpr std::size_t most = 64;
    if (leaves.size() < least || leaves.size() > most) return values[number];
    std::ranges::sort(leaves, {}, &Leaf::node);
    std::vector<Value> terms;
    for (const Leaf& leaf : leaves) terms.push_back(turned(values[leaf.node], leaf.turn));
    if (way.order == Order::descending) std::ranges::reverse(terms);
    if (way.order == Order::ascending || way.order == Order::descending) {
      Value total = terms.front();
      for (std::size_t i = 1; i < terms.size(); ++i) total = sum(total, terms[i]);
      return total;
    }
    while (terms.size() > 1) {
      const std::size_t half = (terms.size() + 1) / 2;
      std::vector<Value> sums(half);
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t one = way.order == Order::neighbours ? 2 * i : i;
        const std::size_t other = way.order == Order::neighbours ? 2 * i + 1 : i + half;
        sums[i] = other < terms.size() ? sum(terms[one], terms[other]) : terms[one];
      }
      terms = std::move(sums);
    }
    return terms.front();
  }

  /// The places of the terms of a sum of 2 depth real products: first those with real parts.
  static std::vector<std::size_t> places_of_terms(const DotOrder& order, std::size_t depth) {
    std::vector<std::size_t> places;
    const std::size_t tile = order.by_pairs ? 1 : order.tile == 0 ? depth : order.tile;
    for (std::size_t first = 0; first < depth; first += tile)
      for (const std::size_t of : {std::size_t{0}, depth})
        for (std::size_t k = first; k < std::min(first + tile, depth); ++k)
          places.push_back(of + k);
    if (order.is_reversed) std::ranges::reverse(places);
    return places;
  }

  Value dot(const DotOrder& order, const std::vector<Value>& values, const FlowNode& node) const {
    const std::size_t depth = node.b;
    std::vector<double> w_re(2 * depth);
    std::vector<double> w_im(2 * depth);
    std::vector<double> x(2 * depth);
    for (std::size_t k = 0; k < depth; ++k) {
      const FlowTerm& term = graph_.terms[node.a + k];
      const Value w = graph_.factors[term.factor].given;
      const Value& of = values[term.node];
      w_re[k] = w.real();
      w_im[k] = w.imag();
      x[k] = of.real();
      w_re[depth + k] = -w.imag();
      w_im[depth + k] = w.real();
      x[depth + k] = of.imag();
    }
    const std::vector<std::size_t> places = places_of_terms(order, depth);
    const auto total = [&](const std::vector<double>& w) {
      const double sum = order.is_once ? exact_sum(w, x) : ordered_sum(order, places, w, x);
      return order.is_stored || order.is_once ? data_(sum) : sum;
    };
    return {total(w_re), total(w_im)};
  }

  /// Nearly exact: in long double.
  static double exact_sum(const std::vector<double>& w, const std::vector<double>& x) {
    long double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += static_cast<long double>(w[i]) * x[i];
    const auto near = static_cast<double>(sum);
    return to_odd(near, static_cast<double>(sum - near));
  }

  double ordered_sum(const DotOrder& order, const std::vector<std::size_t>& places,
                     const std::vector<double>& w, const std::vector<double>& x) const {
    if (order.sums == 0) {
      std::vector<double> terms;
      for (const std::size_t at : places) terms.push_back(wide_.product(w[at], x[at]));
      return tree(terms);
    }
    std::vector<double> sums(order.sums);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t at = places[i];
      double& sum = sums[i % order.sums];
      sum = order.is_fused ? wide_.fused(w[at], x[at], sum)
                           : wide_.sum(sum, wide_.product(w[at], x[at]));
    }
    return tree(sums);
  }

  double tree(std::vector<double> terms) const {
    while (terms.size() > 1) {
      std::vector<double> sums;
      for (std::size_t i = 0; i < terms.size(); i += 2)
        sums.push_back(i + 1 < terms.size() ? wide_.sum(terms[i], terms[i + 1]) : terms[i]);
      terms = std::move(sums);
    }
    return terms.front();
  }

  const FlowRegion& region_;
  const FlowGraph& graph_;
  const StageBits& bits_;
  Rounded data_;
  Rounded wide_;
  bool is_exact_ = true;  ///< of fixed point: a double holds products
  bool has_products_ = false;
  bool has_dots_ = false;
  std::size_t depth_ = 0;  ///< of the longest dot
};

}  // namespace

std::string way_of_bits(const Resolved& resolved, const FlowRegion& region, const StageBits& bits) {
  return StageInFormat(resolved, region, bits).way();
}

}  // namespace fftprec::attribution
