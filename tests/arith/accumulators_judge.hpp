/// What an accumulator model should give, in integers of any length: the judge of
/// arith/accumulators, which shares nothing with it but the fields of AccumulatorModel.
///
/// Every number is an integer times 2^-800. Products, alignments, sums and roundings are shifts and
/// additions of such integers.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/accumulators/model.hpp"

namespace fftprec::testing {

/// How a finished tile of the model's sums joins PSUM: by one addition of the same rules.
inline AccumulatorModel joining(const AccumulatorModel& model) {
  AccumulatorModel sum{.name = "adder", .operands = fp32};
  sum.rounding = model.rounding;
  sum.flush_inputs = model.flush_inputs;
  sum.flush_outputs = model.flush_outputs;
  sum.overflow_to_infinity = model.overflow_to_infinity;
  return sum;
}

class AccumulatorJudge {
 public:
  explicit AccumulatorJudge(const AccumulatorModel& model) : model_(model) {}

  float operator()(float c, std::span<const float> a, std::span<const float> b) const {
    Number sum = number(c);
    const std::size_t length = model_.block == 0 ? a.size() : model_.block;
    for (std::size_t first = 0; first < a.size(); first += length) {
      std::vector<Number> factors[2];
      for (std::size_t k = first; k < a.size() && k < first + length; ++k) {
        factors[0].push_back(operand(a[k], model_.operands));
        factors[1].push_back(operand(b[k], format_of_b()));
      }
      if (model_.flush_inputs) sum = without_subnormals(sum, model_.format);
      sum = block(sum, factors[0], factors[1]);
    }
    return to_float(sum);
  }

 private:
  using Integer = boost::multiprecision::cpp_int;
  static constexpr int unit = 800;  ///< numbers are magnitude * 2^-unit

  struct Number {
    enum Kind { finite, infinite, nan } kind = finite;
    bool negative = false;
    Integer magnitude = 0;
  };

  static Integer power(int exponent) { return Integer(1) << (exponent + unit); }
  /// floor(log2 |x|) of a finite x other than zero.
  static int log2(const Number& x) { return static_cast<int>(msb(x.magnitude)) - unit; }
  static Integer signed_value(const Number& x) {
    return x.negative ? Integer(-x.magnitude) : x.magnitude;
  }

  static Number number(float x) {
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    Number result;
    result.negative = (bits >> 31) != 0;
    const int field = static_cast<int>(bits >> 23 & 255);
    const std::uint32_t fraction = bits & 0x7fffff;
    if (field == 255) {
      result.kind = fraction != 0 ? Number::nan : Number::infinite;
    } else {
      const std::uint32_t significand = field == 0 ? fraction : fraction | 0x800000;
      result.magnitude = Integer(significand) << (unit + (field == 0 ? 1 : field) - 150);
    }
    return result;
  }

  static float to_float(const Number& x) {
    std::uint32_t bits = x.negative ? 0x80000000u : 0u;
    if (x.kind == Number::nan) {
      bits |= 0x7fc00000u;
    } else if (x.kind == Number::infinite) {
      bits |= 0x7f800000u;
    } else if (x.magnitude != 0) {
      const int exponent = log2(x);
      const int last = (exponent < -126 ? -126 : exponent) - 23;
      const auto significand = static_cast<std::uint32_t>(x.magnitude >> (last + unit));
      bits |= exponent < -126
                  ? significand
                  : (significand & 0x7fffff) | static_cast<std::uint32_t>(exponent + 127) << 23;
    }
    return __builtin_bit_cast(float, bits);
  }

  static Number without_subnormals(Number x, const Format& format) {
    if (x.kind == Number::finite && x.magnitude < power(format.emin)) x.magnitude = 0;
    return x;
  }

  Format format_of_b() const { return model_.operands_of_b.value_or(model_.operands); }

  Number operand(float x, const Format& format) const {
    return model_.flush_inputs ? without_subnormals(number(x), format) : number(x);
  }

  /// x rounded to a format, with the model's rules for both ends of its range.
  Number rounded(Number x, const Format& format, Rounding rounding, bool top_is_infinity) const {
    if (x.kind != Number::finite || x.magnitude == 0) return x;
    int exponent = log2(x);
    if (!model_.flush_outputs && exponent < format.emin) exponent = format.emin;
    const int shift = exponent - format.precision + 1 + unit;
    Integer kept = x.magnitude >> shift;
    const Integer rest = x.magnitude - (kept << shift);
    const Integer twice = rest * 2;
    const Integer place = Integer(1) << shift;
    const bool odd = bit_test(kept, 0);
    if (rounding == Rounding::rne && (twice > place || (twice == place && odd))) ++kept;
    if (rounding == Rounding::odd && rest != 0 && !odd) ++kept;
    x.magnitude = kept << shift;
    if (model_.flush_outputs && x.magnitude < power(format.emin)) x.magnitude = 0;
    const Integer top = power(format.emax + 1) - power(format.emax + 1 - format.precision);
    if (x.magnitude > top) {
      x.magnitude = top;
      if (top_is_infinity || rounding == Rounding::rne) x.kind = Number::infinite;
    }
    return x;
  }

  Number rounded(const Number& x) const {
    return rounded(x, model_.format, model_.rounding, model_.overflow_to_infinity);
  }

  Number product(const Number& a, const Number& b) const {
    Number p;
    p.negative = a.negative != b.negative;
    const auto zero = [](const Number& x) { return x.kind == Number::finite && x.magnitude == 0; };
    if (a.kind == Number::nan || b.kind == Number::nan || (a.kind == Number::infinite && zero(b)) ||
        (b.kind == Number::infinite && zero(a))) {
      p.kind = Number::nan;
    } else if (a.kind == Number::infinite || b.kind == Number::infinite) {
      p.kind = Number::infinite;
    } else {
      p.magnitude = (a.magnitude * b.magnitude) >> unit;
      if (model_.product_overflow && p.magnitude >= power(128)) p.kind = Number::infinite;
    }
    if (model_.product.exact) return p;
    return rounded(p, model_.product.format, model_.product.rounding, false);
  }

  /// The exact sum; a zero sum is -0 only if all terms are.
  static Number exact(const std::vector<Number>& terms) {
    Number sum;
    Integer total = 0;
    bool all_negative = true, plus = false, minus = false, nan = false;
    for (const Number& term : terms) {
      nan = nan || term.kind == Number::nan;
      if (term.kind == Number::infinite) (term.negative ? minus : plus) = true;
      all_negative = all_negative && term.negative;
      total += signed_value(term);
    }
    sum.negative = total < 0 || (total == 0 && all_negative);
    sum.magnitude = abs(total);
    if (plus || minus) {
      sum.kind = Number::infinite;
      sum.negative = minus;
    }
    if (nan || (plus && minus)) sum.kind = Number::nan;
    return sum;
  }

  Number add(const Number& a, const Number& b) const { return rounded(exact({a, b})); }

  Number block(const Number& c, const std::vector<Number>& a, const std::vector<Number>& b) const {
    std::vector<Number> terms;
    for (std::size_t k = 0; k < a.size(); ++k) terms.push_back(product(a[k], b[k]));
    const bool early = model_.addend == AddendPosition::early;
    if (model_.addend == AddendPosition::after) return after(c, a, b);
    if (model_.sum == BlockSum::exact || model_.sum == BlockSum::aligned) {
      std::vector<Number> all = terms;
      all.push_back(c);
      const Number special = exact(all);
      if (special.kind != Number::finite) return special;
      if (model_.sum == BlockSum::aligned) return positive_zero(rounded(aligned(c, terms, a, b)));
      if (early) return rounded(positive_zero(special));
      return add(c, rounded(positive_zero(exact(terms))));
    }
    if (early) return ordered(c, terms);
    return add(c, ordered(Number{}, terms));
  }

  /// c plus what the segments give from zero, to nearest.
  Number after(const Number& c, const std::vector<Number>& a, const std::vector<Number>& b) const {
    AccumulatorModel before = model_;
    before.addend = AddendPosition::early;
    const AccumulatorJudge judge(before);
    const bool turns = model_.interleave != 0;
    const std::size_t segments =
        (turns ? model_.block : a.size() + model_.segment - 1) / model_.segment;
    std::vector<std::vector<Number>> as(segments), bs(segments);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const std::size_t to = turns ? k / model_.interleave % segments : k / model_.segment;
      as[to].push_back(a[k]);
      bs[to].push_back(b[k]);
    }
    Number sum;
    for (std::size_t s = 0; s < segments; ++s) {
      if (model_.flush_inputs) sum = without_subnormals(sum, model_.format);
      sum = judge.block(sum, as[s], bs[s]);
    }
    return rounded(exact({c, sum}), model_.format, Rounding::rne, model_.overflow_to_infinity);
  }

  static Number positive_zero(Number x) {
    if (x.magnitude == 0) x.negative = false;
    return x;
  }

  /// x cut to a multiple of 2^last.
  static Integer cut(const Integer& x, int last, Cut how) {
    const Integer place = power(last);
    Integer quotient = x / place;
    if (how == Cut::floor && x < 0 && quotient * place != x) --quotient;
    return quotient * place;
  }

  Number aligned(const Number& c, const std::vector<Number>& terms, const std::vector<Number>& a,
                 const std::vector<Number>& b) const {
    const auto exponent = [](const Number& x, const Format& format) {
      return log2(x) < format.emin ? format.emin : log2(x);
    };
    const bool early = model_.addend == AddendPosition::early;
    int top = model_.lowest_exponent;
    const auto of_product = [&](std::size_t k) {
      if (terms[k].magnitude == 0) return -unit;
      return exponent(a[k], model_.operands) + exponent(b[k], format_of_b());
    };
    const bool by_scale = model_.group_exponent == GroupExponent::scale;
    for (std::size_t k = 0; k < terms.size() && !by_scale; ++k) top = std::max(top, of_product(k));
    const int of_c = c.magnitude == 0 ? -unit : exponent(c, model_.format);
    if (early) top = std::max(top, of_c);
    Integer total = 0;
    for (std::size_t first = 0; first < terms.size() && by_scale; first += model_.group) {
      bool is_empty = true;
      for (std::size_t k = first; k < std::min(first + model_.group, terms.size()); ++k)
        is_empty = is_empty && terms[k].magnitude == 0;
      if (!is_empty) top = std::max(top, model_.operands.emin + format_of_b().emin);
    }
    for (std::size_t lane = 0; lane < model_.lanes && model_.lanes > 1; ++lane) {
      int own = model_.lowest_exponent;
      Integer of_lane = 0;
      for (std::size_t k = lane; k < terms.size(); k += model_.lanes)
        own = std::max(own, of_product(k));
      for (std::size_t k = lane; k < terms.size(); k += model_.lanes)
        of_lane += cut(signed_value(terms[k]), own - model_.fraction_bits, model_.cut);
      total += cut(of_lane, top - model_.fraction_bits, model_.late_cut);
    }
    for (std::size_t first = 0; first < terms.size() && model_.lanes == 1; first += model_.group) {
      Integer of_group = 0;
      for (std::size_t k = first; k < std::min(first + model_.group, terms.size()); ++k)
        of_group += signed_value(terms[k]);
      total += cut(of_group, top - model_.fraction_bits, model_.cut);
    }
    if (early) {
      total += cut(signed_value(c), top - model_.fraction_bits, model_.cut);
    } else {
      const int late = std::max(of_c, model_.format.emin);
      const bool reaches = model_.c_reach == 0 || top - late <= model_.c_reach;
      top = std::max(top, late);
      total = cut(total, top - model_.late_fraction_bits, model_.late_cut);
      if (reaches) total += cut(signed_value(c), top - model_.fraction_bits, model_.late_cut);
      if (model_.sum_bits != 0 && total != 0) {
        const int leading = static_cast<int>(msb(Integer(abs(total)))) - unit;
        total = cut(total, std::max(leading, model_.format.emin) - model_.sum_bits + 1,
                    model_.late_cut);
      }
    }
    return {Number::finite, total < 0, abs(total)};
  }

  Number ordered(const Number& start, const std::vector<Number>& terms) const {
    const std::size_t n = terms.size();
    Number sum = start;
    switch (model_.sum) {
      case BlockSum::sequential:
        for (std::size_t k = 0; k < n; ++k) sum = add(sum, terms[k]);
        return sum;
      case BlockSum::reversed:
        for (std::size_t k = n; k-- > 0;) sum = add(sum, terms[k]);
        return sum;
      case BlockSum::even_odd: {
        Number odd;
        for (std::size_t k = 0; k < n; ++k)
          (k % 2 == 0 ? sum : odd) = add(k % 2 == 0 ? sum : odd, terms[k]);
        return add(sum, odd);
      }
      case BlockSum::segments: {
        std::vector<Number> sums;
        for (std::size_t k = 0; k < n; ++k) {
          if (k % model_.segment == 0) sums.push_back(k == 0 ? start : Number{});
          sums.back() = add(sums.back(), terms[k]);
        }
        return rounded(tree(sums, 0, sums.size()));
      }
      default: {
        std::vector<Number> leaves = terms;
        if (model_.addend == AddendPosition::early) leaves.insert(leaves.begin(), start);
        return rounded(tree(leaves, 0, leaves.size()));
      }
    }
  }

  /// The left half is the largest power of two below the number of leaves.
  Number tree(const std::vector<Number>& leaves, std::size_t first, std::size_t count) const {
    if (count == 1) return leaves[first];
    std::size_t left = 1;
    while (2 * left < count) left *= 2;
    return add(tree(leaves, first, left), tree(leaves, first + left, count - left));
  }

  AccumulatorModel model_;
};

}  // namespace fftprec::testing
