/// Fixed point against arithmetic in plain integers: rounding to every format, and the loops.
#include "arith/kernels/fixed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/kernels/dispatch.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "tests/support/element_operations.hpp"

namespace fftprec::testing {
namespace {

__extension__ using Digits = __int128;

constexpr std::array roundings = {Rounding::rne, Rounding::rna, Rounding::rz, Rounding::ru,
                                  Rounding::rd,  Rounding::odd, Rounding::rnu};

/// digits / 2^places as an integer.
Digits rounded(Digits digits, int places, Rounding rounding) {
  if (places == 0) return digits;
  const Digits unit = Digits{1} << places;
  const Digits floor = digits >> places;
  const Digits rest = digits - floor * unit;
  if (rest == 0) return floor;
  const Digits twice = 2 * rest;
  switch (rounding) {
    case Rounding::rne:
      return twice == unit ? floor + (floor & 1) : floor + (twice > unit ? 1 : 0);
    case Rounding::rna:
      return twice == unit ? floor + (digits > 0 ? 1 : 0) : floor + (twice > unit ? 1 : 0);
    case Rounding::rnu:
      return floor + (twice >= unit ? 1 : 0);
    case Rounding::rz:
      return floor + (digits < 0 ? 1 : 0);
    case Rounding::ru:
      return floor + 1;
    case Rounding::odd:
      return (floor & 1) != 0 ? floor : floor + 1;
    default:
      return floor;
  }
}

/// The same at random: the part that is cut off and the random bits carry, or they do not.
Digits rounded(Digits digits, int places, std::uint64_t random) {
  const Digits part = digits & ((Digits{1} << places) - 1);
  const Digits bits = random >> 11;  // of 53
  return (digits >> places) + (((part << 53) + (bits << places)) >> (places + 53));
}

/// Integers low .. high, that saturate or wrap.
struct Range {
  Digits low;
  Digits high;
  bool wraps;

  Digits operator()(Digits x) const {
    if (x >= low && x <= high) return x;
    if (!wraps) return x < low ? low : high;
    const Digits span = high - low + 1;
    const Digits rest = (x - low) % span;
    return low + (rest < 0 ? rest + span : rest);
  }
};

Range signed_range(int bits, bool wraps) {
  const Digits half = Digits{1} << (bits - 1);
  return {-half, half - 1, wraps};
}

struct Named {
  Format format;
  std::string name;
  int fraction;
  Range range;
};

std::vector<Named> formats_of(int bits) {
  std::vector<Named> all;
  for (const bool wraps : {false, true})
    for (const bool has_sign : {true, false})
      for (int integer = has_sign ? 1 : 0; integer <= bits; ++integer) {
        const std::string name = (has_sign ? "q" : "u") + std::to_string(integer) + "." +
                                 std::to_string(bits - integer) + (wraps ? ":wrap" : "");
        const Range range =
            has_sign ? signed_range(bits, wraps) : Range{0, (Digits{1} << bits) - 1, wraps};
        all.push_back({format_named(name), name, bits - integer, range});
      }
  return all;
}

template <class Real>
void expect_array(const std::vector<Real>& in, const std::vector<double>& expected,
                  const Format& format, Rounding rounding) {
  for (const Isa isa : available_isas()) {
    std::vector<Real> out(in.size());
    round_array(std::span<const Real>(in), std::span<Real>(out), format, rounding, isa);
    for (std::size_t i = 0; i < in.size(); ++i)
      ASSERT_EQ(static_cast<double>(out[i]), expected[i])
          << to_string(format) << " " << name_of(rounding) << " " << name_of(isa) << " of "
          << in[i];
  }
}

/// Sixteenths of a quantum: some over three spans to each side, more where the range ends, and
/// `all_codes` those around every value.
std::vector<std::int64_t> sixteenths(bool all_codes, const Range& range) {
  const auto low = static_cast<std::int64_t>(range.low);
  const auto span = static_cast<std::int64_t>(range.high - range.low) + 1;
  const std::int64_t step = span < 256 ? 1 : span / 61;
  std::vector<std::int64_t> all;
  for (std::int64_t x = 16 * low; all_codes && x < 16 * (low + span); ++x) all.push_back(x);
  for (std::int64_t q = low - 3 * span; q < low + 4 * span; q += step)
    for (int part = 0; part < 16; ++part) all.push_back(16 * q + part);
  for (const std::int64_t end : {low - span, low, low + span, low + 2 * span, std::int64_t{0}})
    for (std::int64_t part = -40; part <= 40; ++part) all.push_back(16 * end + part);
  return all;
}

TEST(FixedFormat, RoundsAsIntegersDo) {
  for (int bits = 2; bits <= 16; ++bits)
    for (const Named& named : formats_of(bits)) {
      const bool is_middle = named.fraction == bits / 2;
      const bool all_codes = is_middle && bits <= 12;
      const std::vector<std::int64_t> digits = sixteenths(all_codes, named.range);
      std::vector<double> in;
      std::vector<float> in_float;
      for (const std::int64_t x : digits) {
        in.push_back(std::ldexp(static_cast<double>(x), -4 - named.fraction));
        in_float.push_back(static_cast<float>(in.back()));
      }
      for (const Rounding rounding : roundings) {
        std::vector<double> expected;
        for (const std::int64_t x : digits) {
          const Digits code = named.range(rounded(x, 4, rounding));
          expected.push_back(std::ldexp(static_cast<double>(code), -named.fraction));
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
          const double value = round(in[i], named.format, rounding);
          ASSERT_EQ(value, expected[i]) << named.name << " " << name_of(rounding) << " " << in[i];
          ASSERT_FALSE(value == 0 && std::signbit(value)) << named.name << " " << in[i];
        }
        if (!is_middle) continue;
        ASSERT_NO_FATAL_FAILURE(expect_array(in, expected, named.format, rounding));
        ASSERT_NO_FATAL_FAILURE(expect_array(in_float, expected, named.format, rounding));
      }
    }
}

TEST(FixedFormat, HasNameWidthAndCodes) {
  for (int bits = 2; bits <= 12; ++bits)
    for (const Named& named : formats_of(bits)) {
      EXPECT_EQ(to_string(named.format), named.name);
      EXPECT_EQ(width_of(named.format), bits) << named.name;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << bits; ++code) {
        const auto digits = static_cast<std::int64_t>(code);
        const bool negative = named.range.low < 0 && (code >> (bits - 1)) != 0;
        const std::int64_t value = negative ? digits - (std::int64_t{1} << bits) : digits;
        const double expected = std::ldexp(static_cast<double>(value), -named.fraction);
        ASSERT_EQ(value_of_code(code, named.format), expected) << named.name << " " << code;
        ASSERT_EQ(code_of_value(expected, named.format), code) << named.name << " " << code;
      }
    }
  for (const char* name : {"q1.60", "q0.8", "q1.0", "u0.1", "q51.0", "q1", "q1.", "q.5", "q-1.8",
                           "q1.15:wraps", "q1.15x"})
    EXPECT_THROW(format_named(name), InputError) << name;
}

TEST(FixedFormat, KeepsNansAndSaturatesInfinities) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Format saturating = format_named("q2.6");
  const Format wrapping = format_named("q2.6:wrap");
  for (const Rounding rounding : roundings) {
    EXPECT_TRUE(std::isnan(round(std::nan(""), saturating, rounding)));
    EXPECT_TRUE(std::isnan(round(std::nan(""), wrapping, rounding)));
    EXPECT_EQ(round(infinite, saturating, rounding), 2 - 0x1p-6);
    EXPECT_EQ(round(-infinite, saturating, rounding), -2);
    EXPECT_TRUE(std::isnan(round(infinite, wrapping, rounding)));
    EXPECT_TRUE(std::isnan(round(-infinite, wrapping, rounding)));
  }
}

/// In units of 1/16 of the last place, where no binade ends between.
TEST(ToNearestTiesUp, AddsHalfAPlaceInFloatFormats) {
  for (const Format& format : {bf16, fp16, fp8_e4m3, fp32})
    for (int sign : {-1, 1})
      for (std::int64_t digits = 16 << (format.precision - 1), count = 0; count < 64; ++count) {
        const std::int64_t x = sign * (digits + count);
        const double expected = static_cast<double>(rounded(x, 4, Rounding::rnu));
        const double in = std::ldexp(static_cast<double>(x), -4 - format.precision);
        const double result = std::ldexp(round(in, format, Rounding::rnu), format.precision);
        EXPECT_EQ(result, expected) << to_string(format) << " " << in;
      }
}

TEST(FixedStochastic, GoesUpAsOftenAsThePartSaysAndKeepsValues) {
  for (const char* name : {"q1.7", "q1.7:wrap", "u1.7"}) {
    const Format format = format_named(name);
    for (const int part : {0, 1, 4, 8, 13, 15})
      for (const double base : {0.0, 0.5, -0.5}) {
        if (base < 0 && name[0] == 'u') continue;
        constexpr int count = 20000;
        const double x = base + part * 0x1p-11;
        int up = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
          const StochasticRounding random{.bits = 32, .seed = 3};
          const double y = round_stochastic(x, format, random, i);
          EXPECT_EQ(y, round_stochastic(x, format, random, i));
          ASSERT_TRUE(y == base || y == base + 0x1p-7) << x << " " << y;
          up += y > base ? 1 : 0;
        }
        const double p = part / 16.0;
        EXPECT_NEAR(up, count * p, 5 * std::sqrt(count * p * (1 - p))) << name << " " << x;
      }
  }
}

/// Counters of the random bits of a result's two parts; those of the four products of a term come
/// from the first.
struct Counters {
  std::uint64_t re = 0;
  std::uint64_t im = 0;

  /// Of a place in a matrix: its row's parts follow each other in runs of 256 columns.
  static Counters of(std::size_t row, std::size_t col, std::size_t cols) {
    const std::size_t first = col / 256 * 256;
    const std::uint64_t re = 2 * (row * cols + first) + (col - first);
    return {re, re + std::min<std::size_t>(256, cols - first)};
  }
  std::uint64_t of_product(std::uint64_t number) const { return re + (number << 60); }
  Counters of_term(std::uint64_t k) const { return {re + (k << 36), im}; }
};

/// Digits of data and factors, and what an integer unit makes of them.
struct IntegerUnit {
  int data_bits;
  int table_fraction;
  Rounding rounding;
  bool wraps;
  bool rounds_products;
  int accumulator_bits = 0;
  StochasticRounding random{};
  mutable Counters at{};  ///< of the result that is being made

  Range range() const { return signed_range(data_bits, wraps); }
  FixedPoint fixed() const {
    const Overflow overflow = wraps ? Overflow::wrap : Overflow::saturate;
    return {.data = fixed_format(1, data_bits - 1, overflow),
            .table = fixed_format(1, table_fraction),
            .rounding = rounding,
            .random = random,
            .rounds_products = rounds_products,
            .accumulator_bits = accumulator_bits};
  }
  /// What is beyond the range by half a quantum to nearest, else by a whole one, counts.
  Digits settle(Digits sum, int places, std::uint64_t& lost, std::uint64_t counter) const {
    const bool nearest =
        rounding == Rounding::rne || rounding == Rounding::rna || rounding == Rounding::rnu;
    const Digits margin = (Digits{2} << places) / (nearest ? 2 : 1);
    lost += 2 * sum >= 2 * (range().high << places) + margin ||
            2 * sum <= 2 * (range().low * (Digits{1} << places)) - margin;
    return range()(rounding == Rounding::sr ? rounded(sum, places, random_bits(random, counter))
                                            : rounded(sum, places, rounding));
  }
  Digits sum(Digits x, std::uint64_t& lost) const {
    lost += x > range().high || x < range().low ? 1 : 0;
    return range()(x);
  }
};

struct Pair {
  Digits re;
  Digits im;
};

Pair exact(Pair w, Pair x) { return {w.re * x.re - w.im * x.im, w.re * x.im + w.im * x.re}; }

/// w x in units of both quanta; of rounded products where the judge rounds them.
Pair product(const IntegerUnit& judge, Pair w, Pair x, std::uint64_t& lost) {
  if (!judge.rounds_products) return exact(w, x);
  const int places = judge.table_fraction;
  const auto one = [&](Digits a, Digits b, std::uint64_t number) {
    return judge.settle(a * b, places, lost, judge.at.of_product(number));
  };
  const Digits unit = Digits{1} << places;
  return {(one(w.re, x.re, 1) - one(w.im, x.im, 3)) * unit,
          (one(w.re, x.im, 2) + one(w.im, x.re, 4)) * unit};
}

/// What each_element_operation asks; `lost` counts values beyond the range.
struct ElementJudge {
  const IntegerUnit& unit;
  std::uint64_t lost = 0;

  Pair product(Pair w, Pair x) {
    const Pair all = testing::product(unit, w, x, lost);
    return {unit.settle(all.re, unit.table_fraction, lost, unit.at.re),
            unit.settle(all.im, unit.table_fraction, lost, unit.at.im)};
  }
  Pair add(Pair a, Pair b) { return {unit.sum(a.re + b.re, lost), unit.sum(a.im + b.im, lost)}; }
  Pair subtract(Pair a, Pair b) {
    return {unit.sum(a.re - b.re, lost), unit.sum(a.im - b.im, lost)};
  }
  Pair turned(Pair x) { return {x.im, -x.re}; }
  Pair scaled(Pair x) {
    return {unit.settle(13 * x.re, 4, lost, unit.at.re),
            unit.settle(13 * x.im, 4, lost, unit.at.im)};
  }
};

std::vector<Pair> digits(std::size_t count, int bits, std::mt19937_64& random) {
  const Range range = signed_range(bits, false);
  const auto one = [&]() -> Digits {
    const std::uint64_t kind = random() % 8;
    if (kind == 0) return range.low;
    if (kind == 1) return range.high;
    const Digits span = range.high - range.low + 1;
    const Digits x = range.low + static_cast<Digits>(random()) % span;
    return kind == 2 ? x >> (bits / 2) : x;
  };
  std::vector<Pair> all(count);
  for (Pair& x : all) {
    x.re = one();
    x.im = one();
  }
  return all;
}

/// digits * 2^-fraction, which Real holds.
template <class Real>
Real value_of(Digits digits, int fraction) {
  return static_cast<Real>(digits) * static_cast<Real>(std::ldexp(1.0, -fraction));
}

template <class Real>
struct Data {
  std::vector<Real> re, im;
  std::size_t rows, cols;

  Data(const std::vector<Pair>& x, int fraction, std::size_t rows_, std::size_t cols_)
      : rows(rows_), cols(cols_) {
    for (const Pair& value : x) {
      re.push_back(value_of<Real>(value.re, fraction));
      im.push_back(value_of<Real>(value.im, fraction));
    }
  }
  View<Real> view() { return {re.data(), im.data(), rows, cols, cols}; }
  FactorView<Real> factors() const { return {re.data(), im.data(), cols, 1, 0}; }
  void expect(const std::vector<Pair>& expected, int fraction, const std::string& what) const {
    ASSERT_EQ(expected.size(), re.size());
    for (std::size_t i = 0; i < re.size(); ++i) {
      ASSERT_TRUE(re[i] == value_of<Real>(expected[i].re, fraction)) << what << " " << i;
      ASSERT_TRUE(im[i] == value_of<Real>(expected[i].im, fraction)) << what << " " << i;
    }
  }
};

std::string describe(const IntegerUnit& judge, Isa isa) {
  return std::to_string(judge.data_bits) + " bits " + std::string(name_of(judge.rounding)) +
         (judge.wraps ? " wraps " : " saturates ") + (judge.rounds_products ? "products " : "") +
         std::to_string(judge.accumulator_bits) + " " + std::string(name_of(isa));
}

/// The loops of one instruction set in fixed point, as each_element_operation calls them.
template <class Real>
struct FixedCalls {
  FixedKernels<Real> loops;
  FixedPoint fixed;
  using V = View<Real>;
  using W = FactorView<Real>;

  auto multiply(V x, W w) { return loops.multiply(fixed, x, w); }
  auto butterfly(V x, V y, W w) { return loops.butterfly(fixed, x, y, w); }
  auto butterfly_dif(V x, V y, W w) { return loops.butterfly_dif(fixed, x, y, w); }
  auto add(V x, V y) { return loops.add(fixed, x, constant(x), constant(y)); }
  auto sum_difference(V x, V y) { return loops.sum_difference(fixed, x, y); }
  auto sum_difference_rotated(V x, V y) { return loops.sum_difference_rotated(fixed, x, y); }
  auto rotate_eighth(V x, bool conjugate) { return loops.rotate_eighth(fixed, x, conjugate); }
  auto scale(V x) { return loops.scale(fixed, x, 0.8125); }

  static View<const Real> constant(V x) { return {x.re, x.im, x.rows, x.cols, x.stride}; }
};

template <class Real>
void check_elements(const IntegerUnit& unit) {
  constexpr std::size_t rows = 3;
  const std::size_t cols = unit.rounding == Rounding::sr ? 300 : 37;
  std::mt19937_64 random(7);
  const std::vector<Pair> x = digits(rows * cols, unit.data_bits, random);
  const std::vector<Pair> y = digits(rows * cols, unit.data_bits, random);
  const std::vector<Pair> w = digits(rows * cols, unit.table_fraction + 1, random);
  const int fraction = unit.data_bits - 1;
  each_element_operation([&](const char* name, bool, auto call, auto element) {
    std::vector<Pair> expected_x = x, expected_y = y;
    ElementJudge judge{unit};
    for (std::size_t i = 0; i < x.size(); ++i) {
      unit.at = Counters::of(i / cols, i % cols, cols);
      element(judge, expected_x[i], expected_y[i], w[i]);
    }
    for (const Isa isa : available_isas()) {
      Data<Real> to(x, fraction, rows, cols), other(y, fraction, rows, cols);
      const Data<Real> factor(w, unit.table_fraction, rows, cols);
      FixedCalls<Real> calls{fixed_kernels<Real>(isa), unit.fixed()};
      const std::uint64_t lost = call(calls, to.view(), other.view(), factor.factors());
      const std::string what = name + (" " + describe(unit, isa));
      EXPECT_EQ(lost, judge.lost) << what;
      ASSERT_NO_FATAL_FAILURE(to.expect(expected_x, fraction, what));
      ASSERT_NO_FATAL_FAILURE(other.expect(expected_y, fraction, what));
    }
  });
}

template <class Check>
void in_every_way(Check check_judge) {
  for (const Rounding rounding : roundings)
    for (const bool wraps : {false, true})
      for (const bool products : {false, true})
        check_judge(IntegerUnit{16, 15, rounding, wraps, products});
}

TEST(FixedLoops, InFloatsAreThoseOfIntegers) {
  in_every_way([](IntegerUnit judge) {
    for (const int data : {8, 16, 22})
      for (const int table : {7, 15, 21}) {
        judge.data_bits = data;
        judge.table_fraction = table;
        check_elements<float>(judge);
      }
  });
}

/// Random bits follow from seed, stream and place.
TEST(FixedLoops, AtRandomAreThoseOfIntegersThatAddTheSameBits) {
  for (const StochasticRounding& random : {StochasticRounding{.bits = 32, .seed = 1, .stream = 3},
                                           {.bits = 53, .seed = 9},
                                           {.bits = 4, .stream = 1}})
    for (const bool wraps : {false, true})
      for (const bool products : {false, true}) {
        check_elements<float>({16, 15, Rounding::sr, wraps, products, 0, random});
        check_elements<float>({12, 9, Rounding::sr, wraps, products, 0, random});
        check_elements<double>({24, 23, Rounding::sr, wraps, products, 0, random});
      }
}

TEST(FixedLoops, InDoublesAreThoseOfIntegers) {
  in_every_way([](IntegerUnit judge) {
    for (const int data : {16, 24, 32, 50})
      for (const int table : {15, 31, 49}) {
        judge.data_bits = data;
        judge.table_fraction = table;
        check_elements<double>(judge);
      }
  });
}

/// Sums of 64 products. The accumulator is limited after each complex product: after both real
/// products of a part.
template <class Real>
void check_sums(const IntegerUnit& judge, std::uint64_t seed, bool by_columns) {
  constexpr std::size_t rows = 8, cols = 19, depth = 64;
  std::mt19937_64 random(seed);
  const std::vector<Pair> start = digits(rows * cols, judge.data_bits, random);
  const std::size_t x_size = by_columns ? depth * cols : rows * depth;
  const std::size_t w_size = by_columns ? depth * rows : depth * cols;
  std::vector<Pair> x = digits(x_size, judge.data_bits, random);
  const std::vector<Pair> w = digits(w_size, judge.table_fraction + 1, random);
  const Digits unit = Digits{1} << judge.table_fraction;
  std::vector<Pair> expected = start;
  std::uint64_t expected_lost = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const Counters at = Counters::of(i, j, cols);
      Pair& to = expected[i * cols + j];
      Pair total{to.re * unit, to.im * unit};
      for (std::size_t k = 0; k < depth; ++k) {
        judge.at = at.of_term(k);
        const Pair term = by_columns
                              ? product(judge, w[k * rows + i], x[k * cols + j], expected_lost)
                              : product(judge, w[k * cols + j], x[i * depth + k], expected_lost);
        total = {total.re + term.re, total.im + term.im};
        if (judge.accumulator_bits == 0) continue;
        const Range held = signed_range(judge.accumulator_bits, judge.wraps);
        for (Digits* part : {&total.re, &total.im}) {
          expected_lost += *part < held.low || *part > held.high ? 1 : 0;
          *part = held(*part);
        }
      }
      to = {judge.settle(total.re, judge.table_fraction, expected_lost, at.re),
            judge.settle(total.im, judge.table_fraction, expected_lost, at.im)};
    }
  const int fraction = judge.data_bits - 1;
  for (const Isa isa : available_isas()) {
    Data<Real> to(start, fraction, rows, cols);
    Data<Real> data(x, fraction, by_columns ? depth : rows, by_columns ? cols : depth);
    const Data<Real> factor(w, judge.table_fraction, depth, by_columns ? rows : cols);
    const FixedKernels<Real> kernels = fixed_kernels<Real>(isa);
    const std::uint64_t lost =
        by_columns
            ? kernels.accumulate_columns(judge.fixed(), to.view(), factor.factors(), data.view())
            : kernels.accumulate(judge.fixed(), to.view(), data.view(), factor.factors());
    const std::string what = describe(judge, isa) + (by_columns ? " columns" : " rows");
    EXPECT_EQ(lost, expected_lost) << what;
    ASSERT_NO_FATAL_FAILURE(to.expect(expected, fraction, what));
  }
}

/// 9728 complex products each time, four real ones in each: over 10^7.
TEST(FixedLoops, SumProductsInTheirAccumulator) {
  std::uint64_t seed = 0;
  for (const Rounding rounding :
       {Rounding::rne, Rounding::rd, Rounding::rnu, Rounding::odd, Rounding::sr})
    for (const bool wraps : {false, true})
      for (const bool products : {false, true})
        for (const int accumulator : {0, 32, 36, 40})
          for (const bool by_columns : {false, true}) {
            const IntegerUnit judge{16, 15, rounding, wraps, products, accumulator};
            check_sums<float>(judge, ++seed, by_columns);
            check_sums<double>(judge, seed, by_columns);
          }
  for (const int accumulator : {0, 62})
    for (const bool wraps : {false, true})
      check_sums<double>({32, 29, Rounding::rne, wraps, false, accumulator}, ++seed, true);
}

}  // namespace
}  // namespace fftprec::testing
