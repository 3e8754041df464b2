/// Random accumulator models and random columns for them, with every kind of value that has a rule;
/// operands and PSUM of one matmul, and the unit that makes it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "arith/accumulators/model.hpp"
#include "arith/accumulators/tensor_unit.hpp"
#include "arith/kernels/dispatch.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

enum class Sample {
  any_bits,     ///< all exponents alike, infinities and NaNs among them
  near_one,     ///< normal values within a few binades
  ties,         ///< small multiples of 1/8, cancelling and tying
  cancelling,   ///< large terms that cancel, small ones between
  near_bottom,  ///< products around the smallest normal number and below
  near_top,     ///< products around the largest number
  low,          ///< normal products whose differences are not
  high,         ///< finite products whose sums are not
};
inline constexpr Sample samples[] = {Sample::any_bits,   Sample::near_one,    Sample::ties,
                                     Sample::cancelling, Sample::near_bottom, Sample::near_top,
                                     Sample::low,        Sample::high};

class Sampler {
 public:
  explicit Sampler(unsigned seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  int within(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int odds) { return below(odds) == 0; }
  template <class T, std::size_t size>
  T among(const T (&values)[size]) {
    return values[below(static_cast<int>(size))];
  }

  /// A value of the format whose exponent lies in [low, high] as far as the format has it.
  float value(const Format& format, int low, int high) {
    low = std::clamp(low, format.emin - 1, format.emax);
    high = std::clamp(high, low, format.emax);
    const int exponent = within(low, high);
    const int implicit = 1 << (format.precision - 1);
    const int top = format.overflow == Overflow::nan && exponent == format.emax ? 2 : 1;
    const int fraction = one_in(4) ? 0 : below(implicit - top + 1);
    const int significand = exponent < format.emin ? fraction : implicit + fraction;
    const int last = std::max(exponent, format.emin) - format.precision + 1;
    const float x = std::ldexp(static_cast<float>(significand), last);
    return one_in(2) ? -x : x;
  }

  float operand(const Format& format, Sample sample) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (sample) {
      case Sample::any_bits:
        if (one_in(60)) return one_in(2) ? 0.0f : -0.0f;
        if (one_in(100) && format.overflow == Overflow::infinity)
          return one_in(2) ? infinity : -infinity;
        if (one_in(300)) return std::numeric_limits<float>::quiet_NaN();
        return value(format, format.emin - 1, format.emax);
      case Sample::ties:
        return static_cast<float>(within(-8, 8)) * 0.125f;
      case Sample::cancelling:
        return one_in(3) ? value(format, -5, 0) : value(format, 4, 6);
      case Sample::near_bottom:
        return value(format, -80, -60);
      case Sample::near_top:
        return value(format, 61, 65);
      case Sample::low:
        return value(format, -63, -61);
      case Sample::high:
        return value(format, 60, 62);
      default:
        return value(format, -4, 3);
    }
  }

  /// a and b of one column; a cancelling one repeats products with the opposite sign.
  void column(const AccumulatorModel& model, Sample sample, std::vector<float>& a,
              std::vector<float>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      a[k] = operand(model.operands, sample);
      b[k] = operand(operands_of_b(model), sample);
      if (sample == Sample::cancelling && k > 0 && one_in(2)) {
        const auto earlier = static_cast<std::size_t>(below(static_cast<int>(k)));
        a[k] = -a[earlier];
        b[k] = b[earlier];
      }
    }
  }

  float accumulator(const AccumulatorModel& model, Sample sample) {
    if (one_in(4)) return 0;
    if (sample == Sample::any_bits) return operand(model.format, sample);
    if (sample == Sample::ties) return static_cast<float>(within(-64, 64)) * 0.125f;
    if (sample == Sample::near_bottom) return value(model.format, -150, -115);
    if (sample == Sample::near_top || sample == Sample::high) return value(model.format, 124, 127);
    if (sample == Sample::low) return value(model.format, -126, -122);
    return value(model.format, -6, 12);
  }

  /// A model that validate() accepts, every field drawn.
  AccumulatorModel model() {
    constexpr Format operands[] = {bf16, fp16, tf32, fp8_e4m3fn, fp8_e5m2, fp32};
    constexpr BlockSum sums[] = {BlockSum::sequential, BlockSum::reversed, BlockSum::pairwise,
                                 BlockSum::segments,   BlockSum::even_odd, BlockSum::exact,
                                 BlockSum::aligned,    BlockSum::aligned};
    constexpr Rounding roundings[] = {Rounding::rne, Rounding::rz, Rounding::odd};
    constexpr Format formats[] = {fp32, fp32, fp32, bf16, fp16, {14, -126, 127}, {9, -126, 127}};
    constexpr ProductModel products[] = {
        {},
        {},
        fp32_product,
        {.exact = false},
        {.exact = false, .rounding = Rounding::rz},
        {.exact = false, .format = {5, -126, 127}},
        {.exact = false, .format = {13, -100, 90}, .rounding = Rounding::rz},
        {.exact = false, .format = fp16}};
    AccumulatorModel drawn{.name = "drawn"};
    drawn.operands = among(operands);
    if (drawn.operands.precision <= 4 && one_in(2))
      drawn.operands_of_b = drawn.operands == fp8_e5m2 ? fp8_e4m3fn : fp8_e5m2;
    drawn.sum = among(sums);
    drawn.block = static_cast<std::size_t>(one_in(2) ? 0 : within(1, 20));
    drawn.addend = one_in(2) ? AddendPosition::late : AddendPosition::early;
    drawn.rounding = among(roundings);
    drawn.format = among(formats);
    drawn.overflow_to_infinity = one_in(2);
    drawn.product_overflow = one_in(3);
    drawn.flush_inputs = one_in(3);
    drawn.flush_outputs = one_in(3);
    if (drawn.sum == BlockSum::segments) drawn.segment = static_cast<std::size_t>(within(1, 9));
    if (drawn.sum != BlockSum::aligned) {
      drawn.product = among(products);
      return drawn;
    }
    drawn.block = static_cast<std::size_t>(within(1, 40));
    if (one_in(4)) {
      drawn.addend = AddendPosition::after;
      drawn.segment = static_cast<std::size_t>(within(1, 20));
      if (one_in(2)) {
        drawn.interleave = static_cast<std::size_t>(within(1, 4));
        drawn.segment = drawn.interleave * static_cast<std::size_t>(within(1, 5));
        drawn.block = drawn.segment * static_cast<std::size_t>(within(1, 3));
      }
    }
    drawn.fraction_bits = one_in(3) ? within(1, 40) : within(10, 29);
    drawn.cut = one_in(3) ? Cut::floor : Cut::toward_zero;
    drawn.lowest_exponent = one_in(2) ? within(-140, -100) : within(-298, 0);
    if (drawn.addend == AddendPosition::late) {
      drawn.late_fraction_bits = within(drawn.fraction_bits, 40);
      drawn.sum_bits = one_in(2) ? 0 : within(2, 50);
      drawn.c_reach = one_in(4) ? within(1, 100) : 0;
      const int most = static_cast<int>(drawn.block);
      drawn.lanes = one_in(3) ? static_cast<std::size_t>(within(1, std::min(5, most))) : 1;
      drawn.late_cut = one_in(3) ? Cut::toward_zero : Cut::floor;
    }
    return drawn;
  }

  std::mt19937& random() { return random_; }

 private:
  std::mt19937 random_;
};

/// The fields of a model that a failing test needs.
inline std::string show(const AccumulatorModel& model) {
  const auto number = [](auto x) { return std::to_string(static_cast<int>(x)); };
  return std::string(model.name) + ": operands " + to_string(model.operands) + " sum " +
         number(model.sum) + " block " + number(model.block) + " segment " + number(model.segment) +
         " interleave " + number(model.interleave) + " c " + number(model.addend) + " product " +
         (model.product.exact ? "exact" : to_string(model.product.format)) + " " +
         std::string(name_of(model.product.rounding)) + " rounding " +
         std::string(name_of(model.rounding)) + " format " + to_string(model.format) +
         " overflow " + number(model.overflow_to_infinity) + number(model.product_overflow) +
         " flush " + number(model.flush_inputs) + number(model.flush_outputs) + " F " +
         number(model.fraction_bits) + " " + number(model.late_fraction_bits) + " " +
         number(model.sum_bits) + " lanes " + number(model.lanes) + " reach " +
         number(model.c_reach) + " group " + number(model.group) + number(model.group_exponent) +
         " lowest " + number(model.lowest_exponent) + " cut " + number(model.cut) +
         number(model.late_cut);
}

inline std::string show(const std::vector<float>& values) {
  std::string text;
  for (const float x : values) text.append(" ").append(show(static_cast<double>(x)));
  return text;
}

struct Tile {
  std::size_t m, n, k;
  std::vector<float> stationary, moving, psum;
  bool transposed = false;  ///< stationary is m x k instead of k x m

  Matmul<float> call(bool negate, bool accumulate) {
    Matmul<float> view{};
    view.stationary = stationary.data();
    view.stationary_k = transposed ? 1 : m;
    view.stationary_m = transposed ? k : 1;
    view.moving = moving.data();
    view.moving_stride = n;
    view.psum = psum.data();
    view.psum_stride = n;
    view.m = m;
    view.n = n;
    view.k = k;
    view.negate = negate;
    view.accumulate = accumulate;
    return view;
  }

  /// The operands of element (i, j).
  std::vector<float> row(std::size_t i, bool negate) const {
    std::vector<float> values(k);
    for (std::size_t x = 0; x < k; ++x) {
      values[x] = stationary[transposed ? i * k + x : x * m + i];
      if (negate) values[x] = -values[x];
    }
    return values;
  }
  std::vector<float> column(std::size_t j) const {
    std::vector<float> values(k);
    for (std::size_t x = 0; x < k; ++x) values[x] = moving[x * n + j];
    return values;
  }
};

inline Tile random_tile(const AccumulatorModel& model, Sample sample, std::size_t m, std::size_t n,
                        std::size_t k, Sampler& sampler) {
  Tile tile{
      m, n, k, std::vector<float>(m * k), std::vector<float>(k * n), std::vector<float>(m * n)};
  std::vector<float> a(k), b(k);
  for (std::size_t j = 0; j < std::max(m, n); ++j) {
    sampler.column(model, sample, a, b);
    for (std::size_t x = 0; x < k; ++x) {
      if (j < m) tile.stationary[x * m + j] = a[x];
      if (j < n) tile.moving[x * n + j] = b[x];
    }
  }
  for (float& c : tile.psum) c = sampler.accumulator(model, sample);
  return tile;
}

/// One chain from PSUM through the whole column, the model and nothing else, or tile_then_add.
inline TensorUnit unit_of(const AccumulatorModel& model, Isa isa,
                          AcrossTiles across = AcrossTiles::through) {
  return {.model = model, .across_tiles = across, .loops = tensor_loops(isa)};
}

}  // namespace fftprec::testing
