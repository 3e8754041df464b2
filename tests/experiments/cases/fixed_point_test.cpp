/// Transforms in fixed point: against transcriptions in integers that share nothing with the
/// product but its tables and inputs, and against theory.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

namespace {

using ::testing::AnyOf;
__extension__ using Digits = __int128;

struct Value {
  Digits re = 0;
  Digits im = 0;
};
using Values = std::vector<Value>;

enum class Nearest { even, up, no };

/// An integer unit: data of `fraction` bits and one of sign, tables of as many.
struct Unit {
  int fraction = 15;
  Nearest nearest = Nearest::even;
  bool wraps = false;
  std::string_view shifts = "1";  ///< bits for each factor 2 of the radices, the last one for more

  /// For so many factors after others.
  int shift(int factors, int after) const {
    int bits = 0;
    for (int i = after; i < after + factors; ++i)
      bits += shifts[std::min<std::size_t>(static_cast<std::size_t>(i), shifts.size() - 1)] - '0';
    return bits;
  }
  /// digits / 2^places.
  Digits rounded(Digits digits, int places) const {
    if (places <= 0) return digits * (Digits{1} << -places);
    const Digits half = Digits{1} << (places - 1);
    const Digits floor = digits >> places;
    if (nearest == Nearest::no) return floor;
    const Digits up = (digits + half) >> places;
    const bool tie = (digits & (2 * half - 1)) == half;
    return nearest == Nearest::even && tie ? floor + (floor & 1) : up;
  }
  Digits held(Digits x) const {
    const Digits span = Digits{2} << fraction;
    const Digits low = -span / 2;
    if (wraps) return (((x - low) % span) + span) % span + low;
    return x < low ? low : x >= -low ? -low - 1 : x;
  }
  Digits digit(double x) const {
    // 40 more places than the data have hold all of x that a rounding looks at, but for its end.
    const double scaled = std::ldexp(x, fraction + 40);
    const auto digits = static_cast<Digits>(std::floor(scaled));
    const Digits sticky = static_cast<double>(digits) != scaled ? 1 : 0;
    return held(rounded(2 * digits + sticky, 41));
  }
  double value(Digits x) const { return std::ldexp(static_cast<double>(x), -fraction); }

  std::string machine() const {
    const char* casts = nearest == Nearest::even ? "rne" : nearest == Nearest::up ? "rnu" : "rd";
    return std::string("trn{casts=") + casts + (wraps ? ",fixed.overflow=wrap}" : "}");
  }
  Value product(Value w, Value x) const {
    return {held(rounded(w.re * x.re - w.im * x.im, fraction)),
            held(rounded(w.re * x.im + w.im * x.re, fraction))};
  }
  Value sum(Value a, Value b) const { return {held(a.re + b.re), held(a.im + b.im)}; }
  Value difference(Value a, Value b) const { return {held(a.re - b.re), held(a.im - b.im)}; }

  /// The table's entry by rounding the root of 53 bits to nearest, the largest below 1.
  Value root(std::size_t exponent, std::size_t order, bool conjugate = false) const {
    if (fraction > 40)
      return wide_root(exponent, order, conjugate);  // roots would be rounded twice
    static const RootFunction roots = table_source("exact");
    const std::complex<double> w = roots(exponent, order, fp64);
    Unit table = *this;
    table.nearest = Nearest::even;
    table.wraps = false;
    const Digits im = table.digit(w.imag());
    // Conjugates are rounded from conjugated roots: 1 has no code, -1 has.
    return {table.digit(w.real()), conjugate ? table.digit(-w.imag()) : im};
  }
  /// By MPFR alone.
  Value wide_root(std::size_t exponent, std::size_t order, bool conjugate) const {
    Turn wide = turn(exponent % order, order, 256);
    if (!conjugate) mpfr_neg(wide.sin.get(), wide.sin.get(), MPFR_RNDN);
    const auto digits = [&](mpfr_ptr part) {
      mpfr_mul_2si(part, part, fraction, MPFR_RNDN);
      mpfr_rint(part, part, MPFR_RNDN);
      const double high = mpfr_get_d(part, MPFR_RNDZ);
      mpfr_sub_d(part, part, high, MPFR_RNDN);
      const Digits whole =
          static_cast<Digits>(high) + static_cast<Digits>(mpfr_get_d(part, MPFR_RNDN));
      return std::min(whole, (Digits{1} << fraction) - 1);
    };
    return {digits(wide.cos.get()), digits(wide.sin.get())};
  }
};

/// What happens before a stage: nothing, a shift by the unit's bits, or a choice of the exponent
/// that all data share.
enum class Scaling { none, shifts, block };

/// Digits in units of 2^(exponent - fraction); the exponent is 0 but in block floating point.
struct Data {
  Values digits;
  int exponent = 0;

  double largest(const Unit& unit) const {
    Digits most = 0;
    for (const Value& x : digits)
      for (const Digits part : {x.re, x.im}) most = std::max(most, part < 0 ? -part : part);
    return std::ldexp(unit.value(most), exponent);
  }
};

const double sqrt_2 = std::sqrt(2.0);

/// The least with which a part of that size is in the range.
int exponent_for(double largest, const Unit& unit) {
  if (largest == 0) return 0;
  const double high = 1 - unit.value(1);
  int exponent = std::ilogb(largest) - 1;
  while (largest > std::ldexp(high, exponent)) ++exponent;
  return exponent;
}

/// The same numbers with that exponent.
Data with_exponent(Data x, int exponent, const Unit& unit) {
  const int places = exponent - x.exponent;
  for (Value& value : x.digits)
    value = {unit.held(unit.rounded(value.re, places)), unit.held(unit.rounded(value.im, places))};
  x.exponent = exponent;
  return x;
}

/// 2^bits is the stage's radix, 2^done that of all before it: of r terms all but the first take a
/// factor, which can turn them.
void before_stage(Data& x, int bits, int done, const Unit& unit, Scaling scaling) {
  if (scaling == Scaling::none) return;
  const double growth = 1 + sqrt_2 * static_cast<double>((1 << bits) - 1);
  const bool is_block = scaling == Scaling::block;
  x = with_exponent(
      x, is_block ? exponent_for(growth * x.largest(unit), unit) : unit.shift(bits, done), unit);
  if (!is_block) x.exponent = 0;
}

/// w x outside of stages: a block of its own.
Data product(const Data& w, const Data& x, const Unit& unit, Scaling scaling) {
  double factor = 0;
  for (const Value& value : w.digits)
    factor = std::max(factor, std::hypot(unit.value(value.re), unit.value(value.im)));
  Data y{x.digits};
  if (scaling == Scaling::block)
    y.exponent = exponent_for(sqrt_2 * std::ldexp(factor, w.exponent) * x.largest(unit), unit);
  const int places = unit.fraction + y.exponent - w.exponent - x.exponent;
  for (std::size_t i = 0; i < x.digits.size(); ++i) {
    const Value a = w.digits[i], b = x.digits[i];
    y.digits[i] = {unit.held(unit.rounded(a.re * b.re - a.im * b.im, places)),
                   unit.held(unit.rounded(a.re * b.im + a.im * b.re, places))};
  }
  return y;
}

Values reversed(const Values& x) {
  const std::size_t n = x.size();
  const int bits = std::countr_zero(n);
  Values y(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t j = 0;
    for (int b = 0; b < bits; ++b)
      if ((i >> b) & 1) j |= std::size_t{1} << (bits - 1 - b);
    y[j] = x[i];
  }
  return y;
}

/// An inverse leaves what is missing of its 1/n.
Data radix2(Data x, const Unit& unit, Scaling scaling, bool inverse = false) {
  Values& y = x.digits;
  y = reversed(y);
  for (std::size_t half = 1; half < y.size(); half *= 2) {
    before_stage(x, 1, std::countr_zero(half), unit, scaling);
    for (std::size_t top = 0; top < y.size(); ++top) {
      if ((top & half) != 0) continue;
      const Value t = unit.product(unit.root(top % half, 2 * half, inverse), y[top + half]);
      const Value e = y[top];
      y[top] = unit.sum(e, t);
      y[top + half] = unit.difference(e, t);
    }
  }
  return x;
}

/// Radices 8, then 4: W8 as sums of exact products, rounded once; by 4 as sums.
Data stockham_mixed(Data x, const std::vector<std::size_t>& radices, const Unit& unit,
                    Scaling scaling) {
  const std::size_t n = x.digits.size();
  std::size_t done = 1;
  for (const std::size_t r : radices) {
    before_stage(x, std::countr_zero(r), std::countr_zero(done), unit, scaling);
    const std::size_t rest = n / (done * r);
    Values next(n);
    for (std::size_t l = 0; l < done; ++l)
      for (std::size_t m = 0; m < rest; ++m) {
        Values a(r), y(r);
        for (std::size_t k = 0; k < r; ++k) {
          a[k] = x.digits[(l * r + k) * rest + m];
          if (done > 1 && k > 0) a[k] = unit.product(unit.root(l * k, done * r), a[k]);
        }
        if (r == 4) {
          const Value even = unit.sum(a[0], a[2]), apart = unit.difference(a[0], a[2]);
          const Value odd = unit.sum(a[1], a[3]), other = unit.difference(a[1], a[3]);
          const Value turned{other.im, -other.re};
          y = {unit.sum(even, odd), unit.sum(apart, turned), unit.difference(even, odd),
               unit.difference(apart, turned)};
        } else {
          for (std::size_t j = 0; j < r; ++j) {
            Value total;
            for (std::size_t k = 0; k < r; ++k) {
              const Value w = unit.root(k * j, r);
              total.re += w.re * a[k].re - w.im * a[k].im;
              total.im += w.re * a[k].im + w.im * a[k].re;
            }
            y[j] = {unit.held(unit.rounded(total.re, unit.fraction)),
                    unit.held(unit.rounded(total.im, unit.fraction))};
          }
        }
        for (std::size_t j = 0; j < r; ++j) next[(j * done + l) * rest + m] = y[j];
      }
    x.digits = std::move(next);
    done *= r;
  }
  return x;
}

/// Requires: stages that halve, whose inner inverse has nothing left to divide by, or blocks.
Data bluestein(const Data& x, const Unit& unit, Scaling scaling) {
  const std::size_t n = x.digits.size();
  const std::size_t length = std::bit_ceil(2 * n - 1);
  Data chirp{Values(n)}, response{Values(length)};
  for (std::size_t j = 0; j < n; ++j) {
    chirp.digits[j] = unit.root(j * j, 2 * n);
    response.digits[j] = response.digits[(length - j) % length] = unit.root(j * j, 2 * n, true);
  }
  Data a = product(chirp, x, unit, scaling);
  a.digits.resize(length);
  a = product(radix2(response, unit, scaling), radix2(a, unit, scaling), unit, scaling);
  a = radix2(a, unit, scaling, true);
  if (scaling == Scaling::block) {
    a.exponent -= std::countr_zero(length);
    a = with_exponent(a, exponent_for(sqrt_2 * a.largest(unit), unit), unit);
  }
  a.digits.resize(n);
  return product(chirp, a, unit, scaling);
}

/// The result, with the factors that stages left in it, is the transcription's.
template <class Transcription>
void expect_bits(const Case& where, const Unit& unit, Scaling scaling, double scale,
                 Transcription transcription) {
  const ComplexArray<double> input = make_input(where.input, where.n, 1, 1);
  const Output output = run_case(Session().plan(where), input, {.round_trip = false});
  double largest = 0;
  for (const auto* part : {&input.re, &input.im})
    for (const double value : *part) largest = std::max(largest, std::fabs(value));
  Data x{Values(where.n), scaling == Scaling::block ? exponent_for(largest, unit) : 0};
  for (std::size_t i = 0; i < where.n; ++i)
    x.digits[i] = {unit.digit(std::ldexp(input.re[i], -x.exponent)),
                   unit.digit(std::ldexp(input.im[i], -x.exponent))};
  const Data expected = transcription(x);
  const double quantum = std::ldexp(1.0, expected.exponent) / scale;
  for (std::size_t i = 0; i < where.n; ++i) {
    const auto& [re, im] = expected.digits[i];
    ASSERT_EQ(output.values.re[i], unit.value(re) * quantum) << command_of(where) << ", " << i;
    ASSERT_EQ(output.values.im[i], unit.value(im) * quantum) << command_of(where) << ", " << i;
  }
}

std::vector<Unit> units() {
  return {{15, Nearest::even},
          {15, Nearest::up},
          {15, Nearest::no},
          {31, Nearest::even},
          {49, Nearest::even}};
}

Case case_of(const std::string& algorithm, const Unit& unit, std::size_t n, const char* scale) {
  return {.algorithm = algorithm,
          .mode = "q1." + std::to_string(unit.fraction),
          .machine = unit.machine(),
          .n = n,
          .scale = scale};
}

}  // namespace

TEST(FixedPointTransform, Radix2HasTheBitsOfItsTranscription) {
  for (const Unit& unit : units())
    for (const std::size_t n : {8u, 32u, 64u, 256u})
      for (const bool inverse : {false, true}) {
        Case where = case_of("radix2-dit", unit, n, "stage:1/2");
        if (inverse) where.transform = "ifft";
        expect_bits(where, unit, Scaling::shifts, inverse ? 1 : 1.0 / static_cast<double>(n),
                    [&](const Data& x) { return radix2(x, unit, Scaling::shifts, inverse); });
      }
}

TEST(FixedPointTransform, Radix2WrapsAndSaturatesAsItsTranscription) {
  for (const bool wraps : {false, true})
    for (Unit unit : units())
      for (const std::size_t n : {8u, 64u, 256u}) {
        unit.wraps = wraps;
        expect_bits(case_of("radix2-dit", unit, n, "none"), unit, Scaling::none, 1,
                    [&](const Data& x) { return radix2(x, unit, Scaling::none); });
      }
}

const std::vector<std::vector<std::size_t>> stockham_plans = {
    {8}, {4, 4}, {8, 4}, {8, 8}, {8, 8, 4}};

std::size_t length_of(const std::vector<std::size_t>& plan) {
  std::size_t n = 1;
  for (const std::size_t radix : plan) n *= radix;
  return n;
}

TEST(FixedPointTransform, StockhamMixedHasTheBitsOfItsTranscription) {
  for (const Unit& unit : units())
    for (const std::vector<std::size_t>& plan : stockham_plans) {
      const std::size_t n = length_of(plan);
      expect_bits(case_of("stockham-mixed", unit, n, "stage:1/2"), unit, Scaling::shifts,
                  1.0 / static_cast<double>(n),
                  [&](const Data& x) { return stockham_mixed(x, plan, unit, Scaling::shifts); });
    }
}

/// Bits of radix 8 are those of its three levels; with a schedule no inverse divides.
TEST(FixedPointTransform, ShiftsByScheduleAsItsTranscription) {
  for (Unit unit : units())
    for (const char* shifts : {"0", "01", "2101", "0302", "1111"}) {
      unit.shifts = shifts;
      const std::string scale = std::string("shift:") + shifts;
      for (const std::vector<std::size_t>& plan : stockham_plans) {
        const std::size_t n = length_of(plan);
        const int levels = std::countr_zero(n);
        const double left = std::ldexp(1.0, -unit.shift(levels, 0));
        expect_bits(case_of("stockham-mixed", unit, n, scale.c_str()), unit, Scaling::shifts, left,
                    [&](const Data& x) { return stockham_mixed(x, plan, unit, Scaling::shifts); });
        for (const bool inverse : {false, true}) {
          Case where = case_of("radix2-dit", unit, n, scale.c_str());
          if (inverse) where.transform = "ifft";
          expect_bits(where, unit, Scaling::shifts, inverse ? left * static_cast<double>(n) : left,
                      [&](const Data& x) { return radix2(x, unit, Scaling::shifts, inverse); });
          where.algorithm = "recursive";
          expect_bits(where, unit, Scaling::shifts, inverse ? left * static_cast<double>(n) : left,
                      [&](const Data& x) { return radix2(x, unit, Scaling::shifts, inverse); });
        }
      }
    }
}

/// A bit a level in every algorithm is the shift by 1/2.
TEST(FixedPointTransform, OneBitALevelIsTheShiftByTheRadix) {
  for (const char* mode : {"q1.15", "fp16"})
    for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-r8",
                                  "four-step", "recursive", "dft-gemm", "direct", "bluestein"})
      for (const char* transform : {"fft", "ifft", "rfft"}) {
        Case where{.transform = transform, .algorithm = algorithm, .mode = mode, .n = 64};
        where.scale = "stage:1/2";
        const Row halved = evaluate(where);
        where.scale = "shift:1";
        const Row shifted = evaluate(where);
        ASSERT_EQ(halved.status, Status::ok) << halved.message;
        EXPECT_EQ(shifted.output_hash, halved.output_hash) << command_of(where);
        EXPECT_EQ(shifted.err_l2_rel, halved.err_l2_rel) << command_of(where);
        EXPECT_EQ(shifted.expected_l2_rel, halved.expected_l2_rel) << command_of(where);
        EXPECT_EQ(shifted.bound_l2_rel, halved.bound_l2_rel) << command_of(where);
      }
}

/// Both spectra are halved to 1/length of themselves.
TEST(FixedPointTransform, BluesteinHasTheBitsOfItsTranscription) {
  for (const Unit& unit : units())
    for (const std::size_t n : {1u, 3u, 8u, 11u, 18u}) {
      const double length = static_cast<double>(std::bit_ceil(2 * n - 1));
      expect_bits(case_of("bluestein", unit, n, "stage:1/2"), unit, Scaling::shifts,
                  1 / (length * length),
                  [&](const Data& x) { return bluestein(x, unit, Scaling::shifts); });
    }
}

/// Of up to 22 bits.
std::vector<Unit> block_units() {
  return {{15, Nearest::even}, {15, Nearest::no}, {11, Nearest::up}};
}

/// The last one's largest part ends the range.
constexpr const char* block_inputs[] = {"uniform", "gaussian", "wide:phi=4",
                                        "rounded:to=q1.15:inner=impulse"};

Case block_case(const char* algorithm, const Unit& unit, std::size_t n, const char* input) {
  Case where = case_of(algorithm, unit, n, "block");
  where.input = input;
  return where;
}

TEST(FixedPointBlocks, InRadix2HaveTheBitsOfTheirTranscription) {
  for (const Unit& unit : block_units())
    for (const std::size_t n : {8u, 64u, 512u})
      for (const char* input : block_inputs)
        expect_bits(block_case("radix2-dit", unit, n, input), unit, Scaling::block, 1,
                    [&](const Data& x) { return radix2(x, unit, Scaling::block); });
}

TEST(FixedPointBlocks, InStockhamMixedHaveTheBitsOfTheirTranscription) {
  for (const Unit& unit : block_units())
    for (const std::vector<std::size_t>& plan : stockham_plans)
      for (const char* input : block_inputs)
        expect_bits(block_case("stockham-mixed", unit, length_of(plan), input), unit,
                    Scaling::block, 1,
                    [&](const Data& x) { return stockham_mixed(x, plan, unit, Scaling::block); });
}

/// Data that do not fit into a second-level cache are worked on in parts, and are one block.
TEST(FixedPointBlocks, AreTheVectorHoweverLongItIs) {
  const Unit unit = block_units().front();
  const std::vector<std::size_t> plan = {8, 8, 8, 8, 8};
  const std::size_t n = length_of(plan);
  expect_bits(block_case("stockham-mixed", unit, n, "wide:phi=4"), unit, Scaling::block, 1,
              [&](const Data& x) { return stockham_mixed(x, plan, unit, Scaling::block); });
  expect_bits(block_case("radix2-dit", unit, n, "wide:phi=4"), unit, Scaling::block, 1,
              [&](const Data& x) { return radix2(x, unit, Scaling::block); });
}

TEST(FixedPointBlocks, InBluesteinHaveTheBitsOfTheirTranscription) {
  for (const Unit& unit : block_units())
    for (const std::size_t n : {1u, 3u, 8u, 11u, 18u, 100u})
      for (const char* input : block_inputs)
        expect_bits(block_case("bluestein", unit, n, input), unit, Scaling::block, 1,
                    [&](const Data& x) { return bluestein(x, unit, Scaling::block); });
}

TEST(FixedPointTransform, StaysBelowItsBoundUnlessItOverflows) {
  std::size_t bounded = 0;
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-mixed",
                                "mixed-radix", "four-step", "dft-gemm", "direct", "recursive"})
    for (const char* mode : {"q1.15", "q4.12", "q1.17:table=q1.11", "q1.31", "q1.49"})
      for (const char* machine :
           {"trn", "trn{casts=rna}", "trn{casts=rz}", "trn{casts=ru}", "trn{casts=rd}",
            "trn{casts=odd}", "trn{casts=sr}", "trn{casts=rnu}", "trn{fixed.rounds=products}"})
        for (const char* scale : {"none", "input:2^-3+stage:1/2"}) {
          const Row row = evaluate(
              {.algorithm = algorithm, .mode = mode, .machine = machine, .n = 64, .scale = scale});
          if (row.status == Status::skipped) continue;
          ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
          if (row.overflows.value() > 0) {
            EXPECT_FALSE(row.bound_l2_rel || row.expected_l2_rel) << command_of(row.where);
            EXPECT_THAT(row.message, holds("overflow")) << command_of(row.where);
          } else if (row.bound_l2_rel) {
            EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(row.where);
            ++bounded;
          }
        }
  EXPECT_GE(bounded, 350u);
}

TEST(FixedPointTransform, HasTheExpectedRatioOfSignalToNoise) {
  for (const char* machine :
       {"trn", "trn{casts=sr}", "trn{casts=odd}", "trn{casts=rnu}", "trn{casts=rna}",
        "trn{casts=rd}", "trn{casts=ru}", "trn{casts=rz}", "trn{fixed.rounds=products}"})
    for (const std::size_t n : {16u, 256u, 4096u, 16384u})
      for (const bool scaled : {true, false}) {
        double measured = 0, expected = 0;
        for (std::uint64_t seed = 1; seed <= (n < 256 ? 32 : 4); ++seed) {
          const Row row = evaluate({.mode = scaled ? "q1.15" : "q14.15",
                                    .machine = machine,
                                    .n = n,
                                    .seed = seed,
                                    .scale = scaled ? "input:2^-3+stage:1/2" : "none"});
          ASSERT_TRUE(row.expected_l2_rel) << command_of(row.where) << row.message;
          measured += std::pow(row.err_l2_rel.value(), 2);
          expected += std::pow(row.expected_l2_rel.value(), 2);
        }
        // A shift and the product by the number next to 1 cut the same value to zero, one after the
        // other, and the model takes them as independent. Of four stages that is much.
        const bool cuts_twice = machine == std::string("trn{casts=rz}") && n == 16;
        EXPECT_NEAR(10 * std::log10(measured / expected), 0, cuts_twice ? 1.25 : 1)
            << machine << " n " << n << (scaled ? " scaled" : "");
      }
}

TEST(FixedPointTransform, OfFiftyBitsHasItsExpectedErrorInEveryTransform) {
  for (const char* transform :
       {"fft", "ifft", "ifft:norm=ortho", "rfft", "irfft", "fft2:rows=8", "dct2", "stft", "hfft",
        "dct4", "dst3", "hartley", "mdct", "mdct:window=none", "imdct", "imdct:window=none"})
    for (const char* machine :
         {"trn", "trn{casts=rd}", "trn{casts=sr}", "trn{fixed.rounds=products}"}) {
      double measured = 0, expected = 0;
      Case where{.transform = transform,
                 .mode = "q1.31",
                 .machine = machine,
                 .n = 256,
                 .scale = "input:2^-9"};
      const bool has_expectation = evaluate(where).expected_l2_rel.has_value();
      where.mode = "q1.49";
      for (where.seed = 1; where.seed <= (has_expectation ? 8 : 1); ++where.seed) {
        const Row row = evaluate(where);
        ASSERT_EQ(row.status, Status::ok) << row.message;
        ASSERT_EQ(row.overflows, 0u) << command_of(where);
        ASSERT_EQ(row.expected_l2_rel.has_value(), has_expectation) << command_of(where);
        EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value_or(2e-15 * 0x1p14))
            << command_of(where);
        measured += std::pow(row.err_l2_rel.value(), 2);
        expected += std::pow(row.expected_l2_rel.value_or(*row.err_l2_rel), 2);
      }
      EXPECT_NEAR(10 * std::log10(measured / expected), 0, 1) << transform << " " << machine;
    }
}

TEST(FixedPointTransform, OfFiftyBitsRunsInEveryAlgorithm) {
  for (const std::string& algorithm : algorithm_names())
    for (const std::size_t n : {64u, 60u, 61u}) {
      const Row row = evaluate({.algorithm = algorithm, .mode = "q14.36", .n = n});
      if (row.status == Status::skipped) {
        EXPECT_THAT(row.message,
                    AnyOf(holds("needs"), holds("stands for mode"), holds("prime factor")));
        continue;
      }
      ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
      EXPECT_EQ(row.overflows, 0u) << command_of(row.where);
      EXPECT_LT(row.err_l2_rel.value(), 1e-13 * 0x1p14) << command_of(row.where);
    }
}

/// Sums without a product leave a bit or none to cut where a pass ends.
TEST(ExpectedFixedPoint, IsEmptyInFrequencyWhereDataAreStoredByPasses) {
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-mixed"})
    for (const char* store : {"op", "stage"}) {
      const Row row = evaluate({.algorithm = algorithm,
                                .mode = "q8.12",
                                .n = 64,
                                .input = "uniform",
                                .rounding_points = store});
      const bool in_frequency =
          algorithm == std::string("radix2-dif") || algorithm == std::string("split-radix");
      EXPECT_EQ(row.expected_l2_rel.has_value(), !in_frequency || store == std::string("op"))
          << algorithm << " " << store;
      EXPECT_TRUE(row.bound_l2_rel.has_value()) << algorithm << " " << store;
    }
}

/// Means go where twiddles carry them, and a cut to zero takes of the result's size.
TEST(FixedPointTransform, HasTheExpectedMeansAndGainInEveryAlgorithm) {
  for (const char* algorithm : {"radix2-dif", "stockham-r4", "split-radix", "four-step"})
    for (const char* machine :
         {"trn{casts=rd}", "trn{casts=ru}", "trn{casts=rz}", "trn{casts=rna}",
          "trn{casts=rd,fixed.rounds=products}", "trn{casts=rz,fixed.rounds=products}"}) {
      double measured = 0, expected = 0, gain = 0, expected_gain = 0;
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Row row = evaluate({.algorithm = algorithm,
                                  .mode = "q1.15",
                                  .machine = machine,
                                  .n = 1024,
                                  .seed = seed,
                                  .scale = "input:2^-3+stage:1/2"});
        ASSERT_TRUE(row.expected_l2_rel && row.expected_gain) << command_of(row.where);
        measured += std::pow(row.err_l2_rel.value(), 2);
        expected += std::pow(row.expected_l2_rel.value(), 2);
        gain += row.gain.value() / 4;
        expected_gain += row.expected_gain.value() / 4;
      }
      EXPECT_NEAR(10 * std::log10(measured / expected), 0, 1) << algorithm << " " << machine;
      // Entries next to 1 of a matrix whose products are rounded each are not followed.
      const bool follows_ones = algorithm != std::string("four-step") ||
                                std::string(machine).find("products") == std::string::npos;
      EXPECT_NEAR(gain, expected_gain, follows_ones ? 0.002 : 0.01) << algorithm << " " << machine;
    }
}

TEST(FixedPointTransform, HasAnExpectationOfStoresByPassesUnlessTheyCutOneWay) {
  for (const char* casts : {"rne", "rnu", "rna", "rz", "odd", "sr", "rd", "ru"}) {
    const Row row = evaluate({.mode = "q1.15",
                              .machine = std::string("trn{casts=") + casts + "}",
                              .n = 1024,
                              .rounding_points = "stage",
                              .scale = "input:2^-3+stage:1/2"});
    const bool one_way = casts == std::string("rd") || casts == std::string("ru");
    ASSERT_EQ(row.expected_l2_rel.has_value(), !one_way) << casts;
    if (one_way) continue;
    EXPECT_NEAR(20 * std::log10(*row.err_l2_rel / *row.expected_l2_rel), 0, 1) << casts;
    EXPECT_NEAR(*row.gain, *row.expected_gain, 0.002) << casts;
  }
}

/// No input overflows whose values are as small as those of one that has the certificate: an
/// impulse has it, and a tone or a constant, whose sums are as large as sums can be, overflows
/// first.
TEST(FixedPointTransform, IsOverflowFreeWhereItSaysSo) {
  std::size_t certified = 0, overflowing = 0;
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-mixed",
                                "direct", "mixed-radix", "dft-gemm", "four-step"})
    for (const char* scale : {"input:2^-1+stage:1/2", "stage:1/2", "input:2^-7", "input:2^-5"})
      for (const char* machine : {"trn", "trn{casts=rd}", "trn{fixed.rounds=products}"})
        for (const char* mode : {"q1.15", "q1.15:table=q1.6", "q2.9"}) {
          double free_to = 0, overflows_from = 1e9;
          for (const char* input : {"tone", "dc", "impulse", "uniform", "ramp"}) {
            const Case where{.algorithm = algorithm,
                             .mode = mode,
                             .machine = machine,
                             .n = 64,
                             .input = input,
                             .scale = scale};
            const Row row = evaluate(where);
            if (row.status != Status::ok) continue;
            const ComplexArray<double> x = make_input(input, where.n, 1, 1);
            double largest = 0;
            for (std::size_t i = 0; i < where.n; ++i)
              largest = std::max(largest, std::hypot(x.re[i], x.im[i]));
            if (row.overflows.value() > 0) overflows_from = std::min(overflows_from, largest);
            if (row.bound_name.ends_with("+overflow-free")) {
              free_to = std::max(free_to, largest);
              ++certified;
            }
          }
          overflowing += overflows_from < 1e9;
          EXPECT_LT(free_to, overflows_from) << algorithm << scale << machine << mode;
        }
  EXPECT_GE(certified, 200u);
  EXPECT_GE(overflowing, 50u);
}

TEST(FixedPointBlocks, NeverOverflow) {
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "stockham-mixed", "stockham-r4"})
    for (const char* mode : {"q1.15", "q4.12"})
      for (const char* scale : {"block", "input:2^-20+block", "input:2^20+block"}) {
        const Row row = evaluate({.algorithm = algorithm, .mode = mode, .n = 256, .scale = scale});
        ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
        EXPECT_EQ(row.overflows.value(), 0u) << command_of(row.where);
        EXPECT_LE(row.err_l2_rel.value(), 0.01) << command_of(row.where);
      }
}

TEST(FixedPoint, SaysWhatItCannotDo) {
  const auto message = [](const Case& where) -> std::string {
    try {
      return evaluate(where).message;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  expect_each<Case>(
      message,
      {{{.mode = "q1.15", .machine = "trn{fixed.overflow=error}", .n = 64},
        "results overflow q1.15, and machine"},
       {{.mode = "q1.15", .machine = "trn{fixed.accumulator=20}", .n = 64},
        "an accumulator of 20 bits does not hold"},
       {{.mode = "u8.8", .n = 16}, "u8.8 has no sign"},
       {{.mode = "q1.50", .n = 16}, "fixed point has 2 to 50 bits"},
       {{.mode = "q1.31:table=q1.63", .n = 16}, "fixed point has 2 to 50 bits"},
       {{.mode = "q1.15:table=bf16", .n = 16}, "tables are qI.F"},
       {{.algorithm = "split-radix", .mode = "q1.15", .n = 16, .scale = "block"},
        "exponents differ"},
       {{.mode = "fp16", .n = 16, .scale = "block"}, "mode fp16 stores them after every operation"},
       {{.mode = "bf16", .n = 16, .rounding_points = "stage", .scale = "block"},
        "bf16 has the range of fp32"},
       {{.mode = "q1.31", .n = 16, .scale = "block"}, "those of mode q1.31 are wider"},
       {{.algorithm = "rader", .mode = "q1.15", .n = 17, .scale = "block"},
        "adds nothing outside"}});
}

}  // namespace fftprec::testing
