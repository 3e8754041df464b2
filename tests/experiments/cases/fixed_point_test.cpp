/// Transforms in fixed point: against transcriptions in integers that share nothing with the
/// product but its tables and inputs, and against theory.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/errors/budget.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

namespace {

using ::testing::HasSubstr;
__extension__ using Wide = __int128;

struct Value {
  Wide re = 0;
  Wide im = 0;
};
using Values = std::vector<Value>;

enum class Nearest { even, up, no };

/// An integer unit: data of `fraction` bits and one of sign, tables of as many.
struct Unit {
  int fraction = 15;
  Nearest nearest = Nearest::even;
  bool wraps = false;

  /// digits / 2^places.
  Wide rounded(Wide digits, int places) const {
    if (places <= 0) return digits * (Wide{1} << -places);
    const Wide half = Wide{1} << (places - 1);
    const Wide floor = digits >> places;
    if (nearest == Nearest::no) return floor;
    const Wide up = (digits + half) >> places;
    const bool tie = (digits & (2 * half - 1)) == half;
    return nearest == Nearest::even && tie ? floor + (floor & 1) : up;
  }
  Wide held(Wide x) const {
    const Wide span = Wide{2} << fraction;
    const Wide low = -span / 2;
    if (wraps) return (((x - low) % span) + span) % span + low;
    return x < low ? low : x >= -low ? -low - 1 : x;
  }
  Wide digit(double x) const {
    // 40 more places than the data have hold all of x that a rounding looks at, but for its end.
    const double scaled = std::ldexp(x, fraction + 40);
    const auto digits = static_cast<Wide>(std::floor(scaled));
    const Wide sticky = static_cast<double>(digits) != scaled ? 1 : 0;
    return held(rounded(2 * digits + sticky, 41));
  }
  double value(Wide x) const { return std::ldexp(static_cast<double>(x), -fraction); }

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
  void halve(Values& x, int times) const {
    for (Value& value : x) value = {rounded(value.re, times), rounded(value.im, times)};
  }

  /// The table's entry by rounding the root of 53 bits to nearest, the largest below 1.
  Value root(std::size_t exponent, std::size_t order, bool conjugate = false) const {
    static const RootFunction roots = table_source("exact");
    const std::complex<double> w = roots(exponent, order, fp64);
    Unit table = *this;
    table.nearest = Nearest::even;
    table.wraps = false;
    const Wide im = table.digit(w.imag());
    // Conjugates are rounded from conjugated roots: 1 has no code, -1 has.
    return {table.digit(w.real()), conjugate ? table.digit(-w.imag()) : im};
  }
};

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

Values radix2(const Values& x, const Unit& unit, bool halves, bool inverse = false) {
  Values y = reversed(x);
  for (std::size_t half = 1; half < y.size(); half *= 2) {
    if (halves) unit.halve(y, 1);
    for (std::size_t top = 0; top < y.size(); ++top) {
      if ((top & half) != 0) continue;
      const Value t = unit.product(unit.root(top % half, 2 * half, inverse), y[top + half]);
      const Value e = y[top];
      y[top] = unit.sum(e, t);
      y[top + half] = unit.difference(e, t);
    }
  }
  return y;
}

/// Radices 8, then 4: W8 as sums of exact products, rounded once; by 4 as sums.
Values stockham_mixed(Values x, const std::vector<std::size_t>& radices, const Unit& unit) {
  const std::size_t n = x.size();
  std::size_t done = 1;
  for (const std::size_t r : radices) {
    unit.halve(x, std::countr_zero(r));
    const std::size_t rest = n / (done * r);
    Values next(n);
    for (std::size_t l = 0; l < done; ++l)
      for (std::size_t m = 0; m < rest; ++m) {
        Values a(r), y(r);
        for (std::size_t k = 0; k < r; ++k) {
          a[k] = x[(l * r + k) * rest + m];
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
    x = std::move(next);
    done *= r;
  }
  return x;
}

/// The result, with the factors that stages left in it, is the transcription's.
template <class Transcription>
void expect_bits(const Case& where, const Unit& unit, double scale, Transcription transcription) {
  const ComplexArray<double> input = make_input(where.input, where.n, 1, 1);
  const ComplexArray<double> y =
      run_case(*Session().setup(where), input, {.round_trip = false}).values;
  Values x(where.n);
  for (std::size_t i = 0; i < where.n; ++i)
    x[i] = {unit.digit(input.re[i]), unit.digit(input.im[i])};
  const Values expected = transcription(x);
  for (std::size_t i = 0; i < where.n; ++i) {
    ASSERT_EQ(y.re[i], unit.value(expected[i].re) / scale) << command_of(where) << ", " << i;
    ASSERT_EQ(y.im[i], unit.value(expected[i].im) / scale) << command_of(where) << ", " << i;
  }
}

std::vector<Unit> units() {
  return {{15, Nearest::even}, {15, Nearest::up}, {15, Nearest::no}, {31, Nearest::even}};
}

Case case_of(const std::string& algorithm, const Unit& unit, std::size_t n, const char* scale) {
  return {.algorithm = algorithm,
          .mode = "q1." + std::to_string(unit.fraction),
          .machine = unit.machine(),
          .n = n,
          .scale = scale};
}

Row row_of(const Case& where) { return evaluate(where, make_problem(problem_key(where))); }

}  // namespace

TEST(FixedPointTransform, Radix2HasTheBitsOfItsTranscription) {
  for (const Unit& unit : units())
    for (const std::size_t n : {8u, 32u, 64u, 256u})
      expect_bits(case_of("radix2-dit", unit, n, "stage:1/2"), unit, 1.0 / static_cast<double>(n),
                  [&](const Values& x) { return radix2(x, unit, true); });
}

TEST(FixedPointTransform, Radix2WrapsAndSaturatesAsItsTranscription) {
  for (const bool wraps : {false, true})
    for (Unit unit : units())
      for (const std::size_t n : {8u, 64u, 256u}) {
        unit.wraps = wraps;
        expect_bits(case_of("radix2-dit", unit, n, "none"), unit, 1,
                    [&](const Values& x) { return radix2(x, unit, false); });
      }
}

TEST(FixedPointTransform, StockhamMixedHasTheBitsOfItsTranscription) {
  const std::vector<std::vector<std::size_t>> plans = {{8}, {4, 4}, {8, 4}, {8, 8}, {8, 8, 4}};
  for (const Unit& unit : units())
    for (const std::vector<std::size_t>& plan : plans) {
      std::size_t n = 1;
      for (const std::size_t radix : plan) n *= radix;
      expect_bits(case_of("stockham-mixed", unit, n, "stage:1/2"), unit,
                  1.0 / static_cast<double>(n),
                  [&](const Values& x) { return stockham_mixed(x, plan, unit); });
    }
}

TEST(FixedPointTransform, StaysBelowItsBoundUnlessItOverflows) {
  std::size_t bounded = 0;
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-mixed",
                                "mixed-radix", "four-step", "dft-gemm", "direct", "recursive"})
    for (const char* mode : {"q1.15", "q4.12", "q1.17:table=q1.11", "q1.31"})
      for (const char* machine :
           {"trn", "trn{casts=rna}", "trn{casts=rz}", "trn{casts=ru}", "trn{casts=rd}",
            "trn{casts=odd}", "trn{casts=sr}", "trn{casts=rnu}", "trn{fixed.rounds=products}"})
        for (const char* scale : {"none", "input:2^-3+stage:1/2"}) {
          const Row row = row_of(
              {.algorithm = algorithm, .mode = mode, .machine = machine, .n = 64, .scale = scale});
          if (row.status == Status::skipped) continue;
          ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
          if (row.overflows.value() > 0) {
            EXPECT_FALSE(row.bound_l2_rel || row.expected_l2_rel) << command_of(row.where);
            EXPECT_THAT(row.message, HasSubstr("overflow")) << command_of(row.where);
          } else if (row.bound_l2_rel) {
            EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(row.where);
            ++bounded;
          }
        }
  EXPECT_GE(bounded, 200u);
}

TEST(FixedPointTransform, HasTheExpectedRatioOfSignalToNoise) {
  for (const char* machine :
       {"trn", "trn{casts=sr}", "trn{casts=odd}", "trn{fixed.rounds=products}"})
    for (const std::size_t n : {16u, 256u, 4096u, 16384u})
      for (const bool scaled : {true, false}) {
        double measured = 0, expected = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          const Row row = row_of({.mode = scaled ? "q1.15" : "q14.15",
                                  .machine = machine,
                                  .n = n,
                                  .seed = seed,
                                  .scale = scaled ? "input:2^-3+stage:1/2" : "none"});
          ASSERT_TRUE(row.expected_l2_rel) << command_of(row.where) << row.message;
          measured += std::pow(row.err_l2_rel.value(), 2);
          expected += std::pow(row.expected_l2_rel.value(), 2);
        }
        EXPECT_NEAR(10 * std::log10(measured / expected), 0, 1)
            << machine << " n " << n << (scaled ? " scaled" : "");
      }
}

TEST(FixedPointBlocks, NeverOverflow) {
  for (const char* algorithm : {"radix2-dit", "radix2-dif", "stockham-mixed", "stockham-r4"})
    for (const char* mode : {"q1.15", "q4.12"})
      for (const char* scale : {"block", "input:2^-20+block", "input:2^20+block"}) {
        const Row row = row_of({.algorithm = algorithm, .mode = mode, .n = 256, .scale = scale});
        ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
        EXPECT_EQ(row.overflows.value(), 0u) << command_of(row.where);
        EXPECT_LE(row.err_l2_rel.value(), 0.01) << command_of(row.where);
      }
}

TEST(FixedPoint, SaysWhatItCannotDo) {
  const auto message = [](const Case& where) -> std::string {
    try {
      return row_of(where).message;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(message({.mode = "q1.15", .machine = "trn{fixed.overflow=error}", .n = 64}),
              HasSubstr("results overflow q1.15, and machine"));
  EXPECT_THAT(message({.mode = "q1.15", .machine = "trn{fixed.accumulator=20}", .n = 64}),
              HasSubstr("an accumulator of 20 bits does not hold"));
  EXPECT_THAT(message({.mode = "u8.8", .n = 16}), HasSubstr("unknown mode 'u8.8'"));
  EXPECT_THAT(message({.mode = "q1.60", .n = 16}), HasSubstr("2 to 50 bits"));
  EXPECT_THAT(message({.mode = "q1.15:table=bf16", .n = 16}), HasSubstr("tables are qI.F"));
  EXPECT_THAT(message({.algorithm = "split-radix", .mode = "q1.15", .n = 16, .scale = "block"}),
              HasSubstr("exponents differ"));
  EXPECT_THAT(message({.algorithm = "rader", .mode = "q1.15", .n = 17, .scale = "block"}),
              HasSubstr("adds nothing outside"));
  const Case attributed{.mode = "q1.15", .n = 16};
  try {
    errors::error_budget(attributed, make_problem(problem_key(attributed)));
    ADD_FAILURE() << "has a budget";
  } catch (const NotApplicable& reason) {
    EXPECT_THAT(reason.what(), HasSubstr("not told apart by source"));
  }
}

}  // namespace fftprec::testing
