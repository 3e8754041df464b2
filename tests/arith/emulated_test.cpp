/// Emulated<Format, Rounding> for every format with a name, and for those at the edges of the
/// routes by which it rounds once: the widest products that fit, precisions that need error-free
/// pairs, missing subnormals, saturation. + - * / sqrt fma are judged by MPFR on operands sampled
/// by binade and on every combination of special ones.
#include "arith/formats/emulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "arith/formats/round.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// An emulated type without its type: what the check needs to call.
struct OperationsUnderTest {
  Format format;
  Rounding rounding;
  double (*add)(double, double);
  double (*subtract)(double, double);
  double (*multiply)(double, double);
  double (*divide)(double, double);
  double (*square_root)(double);
  double (*fused)(double, double, double);
};

template <class T>
OperationsUnderTest operations_of() {
  return {
      T::format,
      T::rounding,
      [](double a, double b) { return static_cast<double>(T(a) + T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) - T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) * T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) / T(b)); },
      [](double a) { return static_cast<double>(sqrt(T(a))); },
      [](double a, double b, double c) { return static_cast<double>(fma(T(a), T(b), T(c))); },
  };
}

constexpr Operation operations[] = {Operation::add,    Operation::subtract,    Operation::multiply,
                                    Operation::divide, Operation::square_root, Operation::fused};

class Check {
 public:
  Check(const OperationsUnderTest& type, std::uint64_t seed)
      : type_(type),
        format_(type.format),
        seed_(seed),
        random_(seed),
        judge_(format_, 4 * (format_.emax - format_.emin + 2 * format_.precision)),
        ieee_(format_),
        has_ieee_(IeeeJudge::knows(format_) && IeeeJudge::knows(type.rounding)) {}

  void operands(double a, double b, double c) {
    for (const Operation operation : operations) one(operation, a, b, c);
  }

  /// A value of the format, its exponent uniform over a window of binades about `exponent`; often
  /// with few significant bits or long runs of ones, so that sums and products tie or almost tie.
  double value(int exponent, int window) {
    const int e = exponent + pick(2 * window + 1) - window;
    double significand = 1 + std::ldexp(static_cast<double>(random_() >> 11), -53);
    const int kind = pick(4);
    const int place = 1 + pick(format_.precision - 1);
    if (kind == 0) significand = 1 + std::ldexp(1.0, -place);
    if (kind == 1) significand = 2 - std::ldexp(1.0, -place);
    const double x = std::ldexp(random_() % 2 ? significand : -significand, clamped(e));
    const double on_grid = round(x, format_, Rounding::rz);
    return std::isfinite(on_grid) ? on_grid : max_finite(format_);
  }

  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  int any_exponent() { return lowest() + pick(format_.emax - lowest() + 1); }
  int lowest() const { return format_.subnormals ? quantum_exponent(format_) : format_.emin; }

 private:
  int clamped(int exponent) const { return std::clamp(exponent, lowest(), format_.emax); }

  double apply(Operation operation, double a, double b, double c) const {
    switch (operation) {
      case Operation::add:
        return type_.add(a, b);
      case Operation::subtract:
        return type_.subtract(a, b);
      case Operation::multiply:
        return type_.multiply(a, b);
      case Operation::divide:
        return type_.divide(a, b);
      case Operation::square_root:
        return type_.square_root(a);
      default:
        return type_.fused(a, b, c);
    }
  }

  void one(Operation operation, double a, double b, double c) {
    int& failures = failures_[static_cast<int>(operation)];
    if (failures >= 10) return;
    const double actual = apply(operation, a, b, c);
    const double truth = judge_(operation, type_.rounding, a, b, c);
    const double other = has_ieee_ ? ieee_(operation, type_.rounding, a, b, c) : truth;
    if (same(actual, truth) && same(actual, other)) return;
    ++failures;
    ADD_FAILURE() << to_string(format_) << " " << name_of(type_.rounding) << " "
                  << name_of(operation) << " of " << show(a) << ", " << show(b) << ", " << show(c)
                  << ": got " << show(actual) << ", truth " << show(truth)
                  << ", by MPFR's rounding " << show(other) << ", seed " << seed_;
  }

  OperationsUnderTest type_;
  Format format_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  Judge judge_;
  IeeeJudge ieee_;
  bool has_ieee_;
  int failures_[7] = {};
};

/// Values at which something begins or ends; infinities where the format has them.
std::vector<double> special_values(const Format& format) {
  std::vector<double> values = {0,
                                1,
                                1.5,
                                std::numeric_limits<double>::quiet_NaN(),
                                max_finite(format),
                                max_finite(format) / 2,
                                min_normal(format),
                                min_subnormal(format)};
  if (format.subnormals) values.push_back(min_normal(format) - min_subnormal(format));
  if (format.overflow == Overflow::infinity)
    values.push_back(std::numeric_limits<double>::infinity());
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  for (double& value : values) value = round(value, format, Rounding::rz);
  return values;
}

/// 1/x modulo 2^bits, for odd x: each Newton step doubles the number of right bits.
std::uint64_t inverse(std::uint64_t x, int bits) {
  std::uint64_t result = x;
  for (int i = 0; i < 5; ++i) result *= 2 - x * result;
  return result & ((std::uint64_t{1} << bits) - 1);
}

double scaled(std::uint64_t x, int exponent) {
  return std::ldexp(static_cast<double>(x), exponent);
}

/// Subnormal results that miss a midpoint by as little as is possible: what a second rounding, in a
/// wider type that is itself at its subnormals, would take for ties. x and y are odd integers of at
/// most p bits.
void check_near_ties(Check& check, const Format& format) {
  const int p = format.precision;
  const std::uint64_t limit = std::uint64_t{1} << p;
  const int quantum = quantum_exponent(format);
  for (std::uint64_t x = limit / 2 + 1; x < limit; x += 2) {
    // x y = 2^(bits-1) +- 1 modulo 2^bits, and `bits` bits of the product lie below the quantum.
    for (int bits = p; bits <= 2 * p; ++bits)
      for (const int sign : {1, -1}) {
        const std::uint64_t half = std::uint64_t{1} << (bits - 1);
        const std::uint64_t rest = sign > 0 ? half + 1 : half - 1;
        const std::uint64_t y = (rest * inverse(x, bits)) & (2 * half - 1);
        const int exponent = (quantum - bits) / 2;
        if (y < limit) check.operands(scaled(x, exponent), scaled(y, quantum - bits - exponent), 0);
      }
    // y 2^bits = m x +- 1 with odd m: the quotient y/x is m half quanta, but for 1/x of one.
    for (int bits = 2; bits <= p; ++bits)
      for (const int sign : {1, -1}) {
        const std::uint64_t one_over_x = inverse(x, bits);
        const std::uint64_t m = sign > 0 ? (std::uint64_t{1} << bits) - one_over_x : one_over_x;
        const std::uint64_t y = (sign > 0 ? m * x + 1 : m * x - 1) >> bits;
        if (y != 0) check.operands(scaled(y, quantum), scaled(x, 1 - bits), 0);
      }
  }
}

/// Normal products that lie on, or by one in the last of 2p bits beside, a midpoint or a value.
void check_close_products(Check& check, const Format& format) {
  const int p = format.precision;
  const int place = 1 - p;
  for (int i = 0; i < 64; ++i)
    for (const int bits : {p - 1, p}) {
      const std::uint64_t modulus = std::uint64_t{1} << bits;
      const auto noise = static_cast<std::uint64_t>(check.pick(1 << 30));
      const std::uint64_t x = (modulus - 1 - (noise * noise) % (modulus / 2)) | 1;
      for (const std::uint64_t rest :
           {modulus / 2 + 1, modulus / 2 - 1, std::uint64_t{1}, modulus - 1}) {
        const std::uint64_t y = (rest * inverse(x, bits)) & (modulus - 1);
        check.operands(scaled(x, place), scaled(y, place), 0);
      }
    }
}

/// At most ten failures per operation, each with its operands, result, truth and seed.
void check_operations(const OperationsUnderTest& type, int samples, std::uint64_t seed) {
  Check check(type, seed);
  const Format& format = type.format;
  if (format.precision >= 4 && format.emin <= 2 - 2 * format.precision)
    check_close_products(check, format);
  if (format.subnormals && format.precision <= 11 &&
      2 * format.emax - 2 > -quantum_exponent(format))
    check_near_ties(check, format);

  const std::vector<double> special = special_values(format);
  for (const double a : special)
    for (const double b : special)
      for (const double c : {special[0], -special[0], special[1], b, -a, special[4], -special[7]})
        check.operands(a, b, c);

  for (int i = 0; i < samples; ++i) {
    const int p = format.precision;
    const int exponent = check.any_exponent();
    const double a = check.value(exponent, 0);
    switch (i % 4) {
      case 0: {  // anything
        check.operands(a, check.value(check.any_exponent(), 0),
                       check.value(check.any_exponent(), 0));
        break;
      }
      case 1: {  // sums that cancel, align or almost vanish; a product beside its addend
        const double b = check.value(exponent, p + 2);
        check.operands(a, b, check.value(2 * exponent, 2 * p + 3));
        break;
      }
      case 2: {  // products and quotients about the bottom
        const int target = check.lowest() + check.pick(2 * p);
        check.operands(a, check.value(target - exponent, 1), check.value(target, p));
        check.operands(a, check.value(exponent - target, 1), check.value(target, p));
        break;
      }
      default: {  // and about the top
        check.operands(a, check.value(format.emax - exponent, 1), check.value(format.emax, p));
        check.operands(a, check.value(exponent - format.emax, 1), check.value(format.emax, 1));
      }
    }
  }
}

constexpr std::uint64_t operands_seed = 1;

template <Format F>
void check_every_rounding(int samples) {
  check_operations(operations_of<Emulated<F, Rounding::rne>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rna>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rz>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::ru>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rd>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::odd>>(), samples, operands_seed);
}

TEST(Emulated, Bf16RoundsEveryOperationOnce) { check_every_rounding<bf16>(3000); }
TEST(Emulated, Fp16RoundsEveryOperationOnce) { check_every_rounding<fp16>(3000); }
TEST(Emulated, Tf32RoundsEveryOperationOnce) { check_every_rounding<tf32>(3000); }
TEST(Emulated, Fp32RoundsEveryOperationOnce) { check_every_rounding<fp32>(3000); }
TEST(Emulated, Fp64RoundsEveryOperationOnce) {
  check_operations(operations_of<Fp64>(), 500, operands_seed);
}
TEST(Emulated, Fp8RoundsEveryOperationOnce) {
  check_every_rounding<fp8_e4m3>(1000);
  check_every_rounding<fp8_e4m3fn>(1000);
  check_every_rounding<fp8_e5m2>(1000);
}

TEST(Emulated, Fma15Times19Plus2ToTheMinus60Is286InBf16) {
  static_assert(static_cast<double>(fma(Bf16(15), Bf16(19), Bf16(0x1p-60))) == 286);
  EXPECT_EQ(static_cast<double>(Bf16(std::fma(15.0, 19.0, 0x1p-60))), 284);  // rounded twice
}

TEST(Emulated, ConstructionFromDoubleDoesNotPassThroughFloat) {
  const double x = 1 + 0x1p-8 + 0x1p-40;  // a float would make a tie of it
  EXPECT_EQ(static_cast<double>(Bf16(x)), 1 + 0x1p-7);
  EXPECT_EQ(static_cast<double>(Bf16(static_cast<float>(x))), 1);
  EXPECT_EQ(static_cast<double>(Bf16((1 << 24) + (1 << 16) + 1)), 0x1p24 + 0x1p17);
  EXPECT_EQ(static_cast<double>(Bf16(Emulated<Format{50, -126, 127}>(x))), 1 + 0x1p-7);
}

TEST(Emulated, IsItsCarrierInMemory) {
  static_assert(std::is_trivial_v<Tf32> && sizeof(Tf32) == sizeof(float));
  static_assert(std::is_trivial_v<Fp8E4m3fn> && std::is_standard_layout_v<Fp8E4m3fn>);
  static_assert(std::is_same_v<Bf16::carrier_type, float>);
  static_assert(std::is_same_v<Emulated<Format{25, -126, 127}>::carrier_type, double>);
  static_assert(std::is_same_v<Emulated<fp32, Rounding::rz>::carrier_type, float>);
  EXPECT_EQ(Bf16::from_carrier(1.25f).carrier(), 1.25f);
}

TEST(Emulated, ComparesLikeNumbers) {
  const Bf16 one(1);
  const Bf16 two(2);
  const Bf16 nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(one < two && two > one && one <= one && one >= one && one == one && one != two);
  EXPECT_FALSE(nan == nan || nan < one || nan > one || nan <= one || nan >= one);
  EXPECT_TRUE(Bf16(0) == Bf16(-0.0));
}

TEST(Emulated, NegationAndAbsAreExactAndKeepToTheSign) {
  EXPECT_TRUE(same_value(static_cast<double>(-Bf16(0)), -0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Bf16(-0.0))), 0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Emulated<bf16, Rounding::rd>(-0.0))), 0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Fp16(-3))), 3));
  EXPECT_TRUE(same_value(static_cast<double>(+Fp16(-3)), -3));
}

TEST(Emulated, CompoundAssignmentsAreTheOperations) {
  Fp16 x(3);
  x += Fp16(0.1);
  x *= Fp16(7);
  x -= Fp16(1e-3);
  x /= Fp16(9);
  EXPECT_EQ(x, (((Fp16(3) + Fp16(0.1)) * Fp16(7)) - Fp16(1e-3)) / Fp16(9));
}

constexpr std::uint64_t custom_seed = 2;

template <Format F>
void check_three_roundings(int samples) {
  check_operations(operations_of<Emulated<F, Rounding::rne>>(), samples, custom_seed);
  check_operations(operations_of<Emulated<F, Rounding::rd>>(), samples, custom_seed);
  check_operations(operations_of<Emulated<F, Rounding::odd>>(), samples, custom_seed);
}

TEST(EmulatedCustom, PrecisionsAroundTheRoutesRoundOnce) {
  check_three_roundings<Format{2, -3, 3}>(500);
  check_three_roundings<Format{11, -116, 127}>(1500);  // the last product through float
  check_three_roundings<Format{12, -126, 127}>(1500);
  check_three_roundings<Format{25, -450, 450}>(1500);
  check_three_roundings<Format{26, -450, 450}>(1500);
}

TEST(EmulatedCustom, PrecisionsThatNeedPairsRoundOnce) {
  check_three_roundings<Format{27, -126, 127}>(1500);
  check_three_roundings<Format{37, -450, 450}>(1500);
  check_three_roundings<Format{50, -450, 450}>(1500);
}

TEST(EmulatedCustom, FormatsWithoutSubnormalsOrInfinitiesRoundOnce) {
  check_three_roundings<Format{8, -126, 127, false}>(2000);
  check_three_roundings<Format{8, -126, 127, true, Overflow::saturate}>(1000);
  check_three_roundings<Format{11, -126, 127, false, Overflow::nan}>(1000);
  check_three_roundings<Format{5, -14, 15, false, Overflow::saturate}>(1000);
  check_three_roundings<Format{24, -126, 127, false}>(1000);
}

}  // namespace

}  // namespace fftprec::testing
