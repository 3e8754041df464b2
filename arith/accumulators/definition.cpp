#include "arith/accumulators/definition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// An exponent below and one above all that occur here: the range of an unbounded format.
constexpr int far = 900;

/// The exact sum of any number of doubles, as a growing expansion. Its parts do not overlap and
/// grow in magnitude. Requires: finite terms; no sum of them overflows or falls below double's
/// normal range; all lie between 2^-298 and 2^340, so that no more parts than bits do. Source:
/// Shewchuk, Discrete Comput. Geom. 18 (1997), theorem 10.
class ExactSum {
 public:
  void add(double term) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Pair<double> sum = two_sum(term, parts_[i]);
      if (sum.low != 0) parts_[kept++] = sum.low;
      term = sum.high;
    }
    count_ = kept;
    if (term != 0) parts_[count_++] = term;
  }

  /// The sum rounded to odd; +0 if it is zero. What lies below a part is smaller than its last
  /// place, so rounding it to odd first changes nothing above.
  double to_odd() const {
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum = sum_to_odd(parts_[i], sum);
    return sum;
  }

 private:
  std::array<double, 640> parts_;  // a dozen in use, as a rule
  std::size_t count_ = 0;
};

/// An exact product and the exponent to which alignment shifts it.
struct Term {
  double value;
  int exponent;
};

double flushed(double x, const Format& format) {
  return std::abs(x) < min_normal(format) ? std::copysign(0.0, x) : x;
}

/// The model's rounding of a value that is exact or rounded to odd.
double finished(const AccumulatorModel& model, double x) {
  Format format = model.format;
  if (model.flush_outputs) format.emin = -far;
  if (model.overflow_to_infinity) format.emax = far;
  double result = round(x, format, model.rounding);
  if (model.flush_outputs) result = flushed(result, model.format);
  if (model.overflow_to_infinity && std::abs(result) > max_finite(model.format))
    result = std::copysign(std::numeric_limits<double>::infinity(), x);
  return result;
}

double add(const AccumulatorModel& model, double a, double b) {
  return finished(model, sum_to_odd(a, b));
}

double rounded_product(const AccumulatorModel& model, double exact) {
  if (model.product.exact) return exact;
  Format format = model.product.format;
  if (model.flush_outputs) format.emin = -far;
  const double result = round(exact, format, model.product.rounding);
  return model.flush_outputs ? flushed(result, model.product.format) : result;
}

/// Requires: x is zero or normal, as a double; what is made of infinities and NaNs is not read.
int exponent_of(double x, const Format& format) {
  const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
  return x == 0 ? -far : std::max(field - 1023, format.emin);
}

Term product(const AccumulatorModel& model, double a, double b) {
  if (model.flush_inputs) {
    a = flushed(a, model.operands);
    b = flushed(b, operands_of_b(model));
  }
  double exact = a * b;  // 48 bits at most
  if (model.product_overflow && std::abs(exact) >= 0x1p128)
    exact = std::copysign(std::numeric_limits<double>::infinity(), exact);
  if (exact == 0 || !std::isfinite(exact)) return {exact, -far};
  if (model.sum != BlockSum::aligned) return {rounded_product(model, exact), -far};
  return {exact, exponent_of(a, model.operands) + exponent_of(b, operands_of_b(model))};
}

/// Gives products of scaled operands the exponents of their scales, group by group.
void align_by_scales(const AccumulatorModel& model, OperandColumn a, OperandColumn b,
                     std::span<Term> products) {
  const auto scale_exponent = [&](OperandColumn x, std::size_t first, std::size_t end) {
    double largest = 0;
    for (std::size_t k = first; k < end; ++k)
      largest = std::max(largest, std::abs(static_cast<double>(x.first[k * x.stride])));
    return exponent_of(largest / max_finite(*model.elements), fp8_e4m3fn);
  };
  for (std::size_t first = 0; first < products.size(); first += model.group) {
    const std::size_t end = std::min(first + model.group, products.size());
    const int exponent = scale_exponent(a, first, end) + scale_exponent(b, first, end);
    for (std::size_t k = first; k < end; ++k)
      if (products[k].exponent != -far) products[k].exponent = exponent;
  }
}

/// x in units of 2^unit, cut to an integer.
std::int64_t aligned(double x, int unit, Cut cut) {
  const double scaled = x * power_of_two(-unit);
  return static_cast<std::int64_t>(cut == Cut::floor ? std::floor(scaled) : std::trunc(scaled));
}

/// The exact sums of `group` products each, rounded to odd: what alignment cuts is decided by the
/// bits that are left, and by whether there were others.
std::vector<Term> grouped(const AccumulatorModel& model, std::span<const Term> products) {
  std::vector<Term> terms;
  for (std::size_t first = 0; first < products.size(); first += model.group) {
    ExactSum sum;
    int exponent = -far;
    const std::size_t count = std::min(model.group, products.size() - first);
    for (const Term& product : products.subspan(first, count)) {
      sum.add(product.value);
      exponent = std::max(exponent, product.exponent);
    }
    const bool by_scale = model.group_exponent == GroupExponent::scale && !model.elements;
    if (by_scale && exponent != -far) exponent = model.operands.emin + operands_of_b(model).emin;
    terms.push_back({sum.to_odd(), exponent});
  }
  return terms;
}

/// Each lane's sum and its exponent.
std::vector<Term> lane_sums(const AccumulatorModel& model, std::span<const Term> products) {
  std::vector<Term> sums;
  for (std::size_t lane = 0; lane < model.lanes; ++lane) {
    int exponent = model.lowest_exponent;
    for (std::size_t k = lane; k < products.size(); k += model.lanes)
      exponent = std::max(exponent, products[k].exponent);
    const int unit = exponent - model.fraction_bits;
    std::int64_t sum = 0;
    for (std::size_t k = lane; k < products.size(); k += model.lanes)
      sum += aligned(products[k].value, unit, model.cut);
    sums.push_back({static_cast<double>(sum) * power_of_two(unit), exponent});
  }
  return sums;
}

double aligned_sum(const AccumulatorModel& model, double c, std::span<const Term> products) {
  std::vector<Term> sums;
  if (model.group > 1) sums = grouped(model, products);
  if (model.lanes > 1) sums = lane_sums(model, products);
  const std::span<const Term> terms = sums.empty() ? products : std::span<const Term>(sums);
  const Cut cut = model.lanes > 1 ? model.late_cut : model.cut;
  const bool early = model.addend == AddendPosition::early;
  const int c_exponent = exponent_of(c, model.format);
  int exponent = model.lowest_exponent;
  for (const Term& term : terms) exponent = std::max(exponent, term.exponent);
  if (early) exponent = std::max(exponent, c_exponent);

  const int unit = exponent - model.fraction_bits;
  std::int64_t sum = early ? aligned(c, unit, cut) : 0;
  for (const Term& term : terms) sum += aligned(term.value, unit, cut);
  const double value = static_cast<double>(sum) * power_of_two(unit);
  if (early) return finished(model, value);

  const int of_c = std::max(c_exponent, model.format.emin);
  const int top = std::max(exponent, of_c);
  if (model.c_reach != 0 && top - of_c > model.c_reach) c = 0;
  const int fine = top - model.late_fraction_bits;
  const int coarse = top - model.fraction_bits;
  const std::int64_t both =
      aligned(value, fine, model.late_cut) +
      aligned(c, coarse, model.late_cut) * (std::int64_t{1} << (coarse - fine));
  const double joined = static_cast<double>(both) * power_of_two(fine);
  if (model.sum_bits == 0) return finished(model, joined);
  const Rounding down = model.late_cut == Cut::floor ? Rounding::rd : Rounding::rz;
  return finished(model, round(joined, sum_format(model), down));
}

double exact_sum(const AccumulatorModel& model, double c, std::span<const Term> terms) {
  ExactSum sum;
  for (const Term& term : terms) sum.add(term.value);
  if (model.addend == AddendPosition::late) return add(model, c, finished(model, sum.to_odd()));
  sum.add(c);
  return finished(model, sum.to_odd());
}

/// The chain over terms[first], terms[first + step], ... from `start`.
double chain(const AccumulatorModel& model, double start, std::span<const Term> terms,
             std::size_t first = 0, std::size_t step = 1) {
  for (std::size_t k = first; k < terms.size(); k += step)
    start = add(model, start, terms[k].value);
  return start;
}

double tree(const AccumulatorModel& model, std::vector<double> sums) {
  if (sums.size() == 1) return finished(model, sums[0]);
  while (sums.size() > 1) {
    std::size_t pairs = sums.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) sums[i] = add(model, sums[2 * i], sums[2 * i + 1]);
    if (sums.size() % 2 != 0) sums[pairs++] = sums.back();
    sums.resize(pairs);
  }
  return sums[0];
}

/// The sum of a block in the orders that round every addition; `start` is c or +0.
double ordered_sum(const AccumulatorModel& model, double start, std::span<const Term> terms) {
  std::vector<double> sums;
  switch (model.sum) {
    case BlockSum::even_odd:
      return add(model, chain(model, start, terms, 0, 2), chain(model, 0, terms, 1, 2));
    case BlockSum::segments:
      for (std::size_t k = 0; k < terms.size(); k += model.segment) {
        const std::size_t count = std::min(model.segment, terms.size() - k);
        sums.push_back(chain(model, k == 0 ? start : 0, terms.subspan(k, count)));
      }
      return tree(model, std::move(sums));
    case BlockSum::pairwise:
      if (model.addend == AddendPosition::early) sums.push_back(start);
      for (const Term& term : terms) sums.push_back(term.value);
      return tree(model, std::move(sums));
    case BlockSum::reversed:
      for (std::size_t k = terms.size(); k-- > 0;) start = add(model, start, terms[k].value);
      return start;
    default:
      return chain(model, start, terms);
  }
}

/// A whole block in the order in which its segments take it.
std::vector<Term> interleaved(const AccumulatorModel& model, std::span<const Term> terms) {
  std::vector<Term> ordered(model.block, Term{0, -far});
  for (std::size_t l = 0; l < terms.size(); ++l) ordered[interleaved_place(model, l)] = terms[l];
  return ordered;
}

double block_sum(const AccumulatorModel& model, double c, std::span<const Term> terms);

/// c plus, to nearest, the block's sum from +0.
double sum_before_c(AccumulatorModel model, double c, std::span<const Term> terms) {
  const std::size_t segment = model.segment;
  model.addend = AddendPosition::early;
  double sum = 0;
  for (std::size_t first = 0; first < terms.size(); first += segment) {
    sum = block_sum(model, sum, terms.subspan(first, std::min(segment, terms.size() - first)));
  }
  model.rounding = Rounding::rne;
  return add(model, c, sum);
}

double block_sum(const AccumulatorModel& model, double c, std::span<const Term> terms) {
  if (model.flush_inputs) c = flushed(c, model.format);
  if (model.addend == AddendPosition::after) return sum_before_c(model, c, terms);
  if (model.sum == BlockSum::exact || model.sum == BlockSum::aligned) {
    double plain = c;
    for (const Term& term : terms) plain += term.value;
    if (!std::isfinite(plain)) return finished(model, plain);
    if (model.sum == BlockSum::exact) return exact_sum(model, c, terms);
    return aligned_sum(model, c, terms) + 0.0;  // no -0
  }
  if (model.addend == AddendPosition::early) return ordered_sum(model, c, terms);
  return add(model, c, ordered_sum(model, 0, terms));
}

}  // namespace

float dot(const AccumulatorModel& model, float c, OperandColumn a, OperandColumn b, bool negate) {
  double sum = static_cast<double>(c);
  const std::size_t length = block_length(model, a.count);
  const std::size_t longest = std::min(length, a.count);
  std::array<Term, 64> few;
  std::vector<Term> many(longest > few.size() ? longest : 0);
  Term* const terms = many.empty() ? few.data() : many.data();
  for (std::size_t first = 0; first < a.count; first += length) {
    const std::span<Term> block(terms, std::min(length, a.count - first));
    for (std::size_t l = 0; l < block.size(); ++l) {
      const std::size_t k = first + l;
      const double factor = static_cast<double>(a.first[k * a.stride]);
      block[l] =
          product(model, negate ? -factor : factor, static_cast<double>(b.first[k * b.stride]));
    }
    if (model.elements)
      align_by_scales(model, {a.first + first * a.stride, a.stride, block.size()},
                      {b.first + first * b.stride, b.stride, block.size()}, block);
    sum = model.interleave == 0 ? block_sum(model, sum, block)
                                : block_sum(model, sum, interleaved(model, block));
  }
  return static_cast<float>(sum);
}

float dot(const AccumulatorModel& model, float c, std::span<const float> a,
          std::span<const float> b) {
  require(a.size() == b.size(), "dot: a has ", a.size(), " elements, b ", b.size());
  return dot(model, c, OperandColumn{a.data(), 1, a.size()}, OperandColumn{b.data(), 1, b.size()},
             false);
}

void sum_by_definition(const AccumulatorModel& model, const Matmul<float>& call) {
  for (std::size_t i = 0; i < call.m; ++i)
    for (std::size_t j = 0; j < call.n; ++j) {
      float& psum = call.psum[i * call.psum_stride + j];
      psum = dot(model, call.accumulate ? psum : 0.0f,
                 {call.stationary + i * call.stationary_m, call.stationary_k, call.k},
                 {call.moving + j, call.moving_stride, call.k}, call.negate);
    }
}

struct Quire::Sum {
  boost::multiprecision::int512_t units{};
  int unit_exponent;
  bool is_real = true;
};

Quire::Quire(int bits) : sum_(std::make_unique<Sum>()) { sum_->unit_exponent = 16 - 8 * bits; }
Quire::~Quire() = default;

void Quire::clear() {
  sum_->units = 0;
  sum_->is_real = true;
}

void Quire::add_product(double a, double b) {
  constexpr int digits = 28;  // of the widest posit
  const auto whole = [](double x, int& exponent) {
    return static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), digits));
  };
  int of_a = 0;
  int of_b = 0;
  sum_->is_real = sum_->is_real && std::isfinite(a) && std::isfinite(b);
  if (!sum_->is_real || a == 0 || b == 0) return;
  boost::multiprecision::int512_t product = whole(a, of_a) * whole(b, of_b);
  const int shift = of_a + of_b - 2 * digits - sum_->unit_exponent;
  sum_->units += shift < 0 ? product >> -shift : product << shift;
}

double Quire::to_odd() const {
  if (!sum_->is_real) return std::numeric_limits<double>::quiet_NaN();
  if (sum_->units == 0) return 0;
  const bool negative = sum_->units < 0;
  boost::multiprecision::int512_t size = negative ? -sum_->units : sum_->units;
  const int excess = static_cast<int>(msb(size)) - (std::numeric_limits<double>::digits - 1);
  int exponent = sum_->unit_exponent;
  if (excess > 0) {
    const bool sticky = static_cast<int>(lsb(size)) < excess;
    size >>= excess;
    if (sticky) bit_set(size, 0);
    exponent += excess;
  }
  const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(size)), exponent);
  return negative ? -value : value;
}

}  // namespace fftprec
