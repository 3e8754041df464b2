/// Data that are kept in a narrow format between passes: against transcriptions in plain floats
/// that share nothing with the product but its tables and inputs, and against theory.
#include "algorithms/arithmetic/storage.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <barrier>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"

namespace fftprec::testing {

namespace {

struct Value {
  float re = 0;
  float im = 0;
};
using Values = std::vector<Value>;

/// bf16 by its definition: the upper half of the 32 bits, to nearest even or cut. Finite values.
float to_bf16(float x, bool cut) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if (!cut) bits += 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

/// q1.15 by its definition: an integer of 16 bits, to nearest even or cut toward -infinity.
float to_q15(float x, bool cut) {
  const double digits = static_cast<double>(x) * 0x1p15;
  const double floor = std::floor(digits);
  const double part = digits - floor;
  const bool is_odd = std::fmod(floor, 2) != 0;
  const double rounded = floor + (!cut && (part > 0.5 || (part == 0.5 && is_odd)) ? 1 : 0);
  return static_cast<float>(std::min(std::max(rounded, -0x1p15), 0x1p15 - 1) * 0x1p-15);
}

/// Values that share a power of two, or of NVFP4 a number of e4m3 times a factor of them all.
struct Shared {
  std::string mode;
  std::string scale;
  std::size_t size;  ///< values that share it; 0: all
  int digits;        ///< of an element
  int lowest;        ///< exponent of its smallest normal number
  double largest;    ///< element
  int exponent;      ///< of the largest value of a block, once it is scaled
  bool nvfp4 = false;
  bool across = false;  ///< blocks go along a batch

  /// To nearest even, below the smallest normal number as there; beyond the largest to that.
  double element(double v) const {
    const double unit = std::ldexp(1.0, std::max(std::ilogb(v), lowest) - digits + 1);
    return std::clamp(std::nearbyint(v / unit) * unit, -largest, largest);
  }
  static double largest_of(const Values& x, float Value::*part, std::size_t first,
                           std::size_t end) {
    double most = 0;
    for (std::size_t i = first; i < end; ++i)
      most = std::max(most, std::abs(static_cast<double>(x[i].*part)));
    return most;
  }
  /// In fp32 as NVIDIA's Transformer Engine: doubles hold each result, and floats round it.
  void keep_as_nvfp4(Values& x, float Value::*part, std::size_t first, std::size_t end,
                     double most) const {
    const auto fl = [](double v) { return static_cast<double>(static_cast<float>(v)); };
    const double into = fl(2688 / most);
    const double target = fl(largest_of(x, part, first, end) * fl(into * fl(1 / 6.0)));
    const double unit = std::ldexp(1.0, std::max(std::ilogb(target), -6) - 3);
    const double step = std::nearbyint(target / unit) * unit;
    const double before = fl(1 / fl(step * fl(1 / into)));
    const double after = fl(fl(step * most) * fl(1 / 2688.0));
    for (std::size_t i = first; i < end; ++i) {
      const double scaled = fl(static_cast<double>(x[i].*part) * before);
      if (scaled != 0) x[i].*part = static_cast<float>(element(scaled) * after);
    }
  }
  void keep(Values& x, float Value::*part) const {
    const std::size_t step = size == 0 ? x.size() : size;
    const double most_of_all = largest_of(x, part, 0, x.size());
    for (std::size_t first = 0; first < x.size(); first += step) {
      const std::size_t end = std::min(first + step, x.size());
      const double most = largest_of(x, part, first, end);
      if (most == 0) continue;
      if (nvfp4) {
        keep_as_nvfp4(x, part, first, end, most_of_all);
        continue;
      }
      const int by = size == 0 ? std::ilogb(most / largest) + 1 : std::ilogb(most) - exponent;
      for (std::size_t i = first; i < end; ++i) {
        const double scaled = std::ldexp(static_cast<double>(x[i].*part), -by);
        if (scaled != 0) x[i].*part = static_cast<float>(std::ldexp(element(scaled), by));
      }
    }
  }
};

/// Transcriptions of the transforms of a batch, each on a thread of its own, that keep their data
/// at the same time.
class Batch {
 public:
  Batch(const Shared& shared, std::size_t items)
      : shared_(shared), data_(items), all_here_(static_cast<std::ptrdiff_t>(items)) {}

  void keep(std::size_t item, Values& x) {
    data_[item] = &x;
    all_here_.arrive_and_wait();
    if (item == 0) keep_all();
    all_here_.arrive_and_wait();
  }

 private:
  /// Place by place, or one after the other.
  void keep_all() const {
    const std::size_t n = data_[0]->size(), lines = shared_.across ? n : 1;
    for (std::size_t line = 0; line < lines; ++line) {
      Values joined;
      const auto each = [&](auto visit) {
        for (Values* item : data_)
          for (std::size_t j = line; j < n; j += lines) visit((*item)[j]);
      };
      each([&](const Value& value) { joined.push_back(value); });
      shared_.keep(joined, &Value::re);
      shared_.keep(joined, &Value::im);
      auto next = joined.begin();
      each([&](Value& value) { value = *next++; });
    }
  }

  const Shared& shared_;
  std::vector<Values*> data_;
  std::barrier<> all_here_;
};

/// How the transcriptions keep their data.
struct Keeping {
  std::size_t stages;   ///< of a pass; 0: one pass
  bool cut;             ///< not to nearest even
  bool fixed = false;   ///< in q1.15, not bf16
  bool halves = false;  ///< times 1/r before a stage of radix r
  const Shared* shared = nullptr;
  Batch* batch = nullptr;
  std::size_t item = 0;  ///< of the batch

  float kept(float x) const { return fixed ? to_q15(x, cut) : to_bf16(x, cut); }
  void keep(Values& x) const {
    if (batch != nullptr) return batch->keep(item, x);
    if (shared != nullptr && shared->size == 0) {  // one exponent for both parts
      Values parts;
      for (const Value& value : x) parts.insert(parts.end(), {{value.re, 0}, {value.im, 0}});
      shared->keep(parts, &Value::re);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = {parts[2 * i].re, parts[2 * i + 1].re};
      return;
    }
    if (shared != nullptr) {
      shared->keep(x, &Value::re);
      return shared->keep(x, &Value::im);
    }
    for (Value& value : x) value = {kept(value.re), kept(value.im)};
  }
  void before(std::size_t radix, Values& x) const {
    const float factor = halves ? 1 / static_cast<float>(radix) : 1;
    for (Value& value : x) value = {value.re * factor, value.im * factor};
  }
  /// After `done` of an FFT's stages, not the last.
  void after(std::size_t done, Values& x) const {
    if (stages > 0 && done % stages == 0) keep(x);
  }
  /// At the end of an FFT or a product inside a transform.
  void end_of_part(Values& x) const {
    if (stages > 0) keep(x);
  }

  std::string store() const {
    return stages == 0 ? "ends" : stages == 1 ? "stage" : "pass:" + std::to_string(stages);
  }
  std::string mode() const { return shared != nullptr ? shared->mode : fixed ? "q1.15" : "bf16"; }
  std::string scale() const {
    return shared != nullptr ? shared->scale : halves ? "stage:1/2" : "none";
  }
  std::string machine() const {
    return !cut ? "ieee" : fixed ? "ieee{casts=rd}" : "ieee{casts=rz}";
  }
};

Value root(std::size_t exponent, std::size_t order, bool conjugate = false) {
  static const RootFunction roots = table_source("exact");
  const std::complex<double> w = roots(exponent, order, fp32);
  const auto im = static_cast<float>(w.imag());
  return {static_cast<float>(w.real()), conjugate ? -im : im};
}

Value product(Value w, Value x) { return {w.re * x.re - w.im * x.im, w.re * x.im + w.im * x.re}; }
Value sum(Value a, Value b) { return {a.re + b.re, a.im + b.im}; }
Value difference(Value a, Value b) { return {a.re - b.re, a.im - b.im}; }

/// The last stage's result is left in fp32.
Values radix2(const Values& x, const Keeping& keeping, bool inverse = false) {
  const std::size_t n = x.size();
  const int bits = std::countr_zero(n);
  Values y(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t j = 0;
    for (int b = 0; b < bits; ++b)
      if ((i >> b) & 1) j |= std::size_t{1} << (bits - 1 - b);
    y[j] = x[i];
  }
  std::size_t stage = 0;
  for (std::size_t half = 1; half < n; half *= 2) {
    keeping.before(2, y);
    for (std::size_t top = 0; top < n; ++top) {
      if ((top & half) != 0) continue;
      const Value t = product(root(top % half, 2 * half, inverse), y[top + half]);
      const Value e = y[top];
      y[top] = sum(e, t);
      y[top + half] = difference(e, t);
    }
    ++stage;
    if (2 * half < n) keeping.after(stage, y);
  }
  return y;
}

/// Radices 8, then 4: by 4 as sums; W8 as a matrix product in one fp32 chain, of operands in bf16,
/// or for fixed point of complex products, that the vector engine forms.
Values stockham_mixed(Values x, const std::vector<std::size_t>& radices, const Keeping& keeping) {
  const std::size_t n = x.size();
  std::size_t done = 1;
  for (std::size_t stage = 1; stage <= radices.size(); ++stage) {
    const std::size_t r = radices[stage - 1];
    keeping.before(r, x);
    const std::size_t rest = n / (done * r);
    Values next(n);
    for (std::size_t l = 0; l < done; ++l)
      for (std::size_t m = 0; m < rest; ++m) {
        Values a(r), y(r);
        for (std::size_t k = 0; k < r; ++k) {
          a[k] = x[(l * r + k) * rest + m];
          if (done > 1 && k > 0) a[k] = product(root(l * k, done * r), a[k]);
        }
        if (r == 4) {
          const Value even = sum(a[0], a[2]), apart = difference(a[0], a[2]);
          const Value odd = sum(a[1], a[3]), other = difference(a[1], a[3]);
          const Value turned{other.im, -other.re};
          y = {sum(even, odd), sum(apart, turned), difference(even, odd),
               difference(apart, turned)};
        } else if (keeping.fixed) {
          for (std::size_t j = 0; j < r; ++j)
            for (std::size_t k = 0; k < r; ++k) y[j] = sum(y[j], product(root(k * j, r), a[k]));
        } else {
          for (Value& operand : a)
            operand = {to_bf16(operand.re, false), to_bf16(operand.im, false)};
          for (std::size_t j = 0; j < r; ++j) {
            const auto w = [&](std::size_t k) {
              const Value entry = root(k * j, r);
              return Value{to_bf16(entry.re, false), to_bf16(entry.im, false)};
            };
            for (std::size_t k = 0; k < r; ++k)
              y[j] = {y[j].re + a[k].re * w(k).re, y[j].im + a[k].re * w(k).im};
            for (std::size_t k = 0; k < r; ++k)
              y[j] = {y[j].re + a[k].im * -w(k).im, y[j].im + a[k].im * w(k).re};
          }
        }
        for (std::size_t j = 0; j < r; ++j) next[(j * done + l) * rest + m] = y[j];
      }
    x = std::move(next);
    done *= r;
    if (done < n) keeping.after(stage, x);
  }
  return x;
}

Values bluestein(const Values& x, const Keeping& keeping) {
  const std::size_t n = x.size();
  const std::size_t length = std::bit_ceil(2 * n - 1);
  Values a(length), h(length);
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = product(root(j * j, 2 * n), x[j]);
    h[j] = h[(length - j) % length] = root(j * j, 2 * n, true);
  }
  keeping.end_of_part(a);
  a = radix2(a, keeping);
  keeping.end_of_part(a);
  h = radix2(h, keeping);
  keeping.end_of_part(h);
  for (std::size_t k = 0; k < length; ++k) a[k] = product(h[k], a[k]);
  keeping.end_of_part(a);
  a = radix2(a, keeping, true);
  const float scale = 1 / static_cast<float>(length);
  for (Value& value : a) value = {scale * value.re, scale * value.im};
  keeping.end_of_part(a);
  a.resize(n);
  for (std::size_t k = 0; k < n; ++k) a[k] = product(root(k * k, 2 * n), a[k]);
  return a;
}

/// The case's result against that of a transcription of what lies between input and result.
template <class Transcription>
void expect_bits(const std::string& algorithm, std::size_t n, const Keeping& keeping,
                 Transcription transcription) {
  const Case where{.algorithm = algorithm,
                   .mode = keeping.mode(),
                   .machine = keeping.machine(),
                   .n = n,
                   .rounding_points = keeping.store(),
                   .scale = keeping.scale()};
  const ComplexArray<double> input = make_input("gaussian", n, 1, 1);
  const ComplexArray<double> y =
      run_case(Session().plan(where), input, {.round_trip = false}).values;
  Values x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = {static_cast<float>(input.re[i]), static_cast<float>(input.im[i])};
  keeping.keep(x);
  Values expected = transcription(x);
  keeping.keep(expected);
  const double factor = keeping.halves ? static_cast<double>(n) : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Value& value = expected[i];
    ASSERT_EQ(y.re[i], static_cast<double>(value.re) * factor) << command_of(where) << ", " << i;
    ASSERT_EQ(y.im[i], static_cast<double>(value.im) * factor) << command_of(where) << ", " << i;
  }
}

/// The same of a batch whose transforms share scales.
template <class Transcription>
void expect_bits_of_batch(const std::string& algorithm, std::size_t n, const Shared& shared,
                          std::size_t stages, Transcription transcription) {
  constexpr std::size_t batch = 5;
  Keeping keeping{.stages = stages, .cut = false, .shared = &shared};
  const Case where{.algorithm = algorithm,
                   .mode = shared.mode,
                   .machine = "ieee",
                   .n = n,
                   .batch = batch,
                   .rounding_points = keeping.store()};
  const ComplexArray<double> input = make_input("gaussian", n, batch, 1);
  const ComplexArray<double> y =
      run_case(Session().plan(where), input, {.round_trip = false}).values;
  Batch together(shared, batch);
  keeping.batch = &together;
  std::vector<Values> expected(batch);
  std::vector<std::thread> threads;
  for (std::size_t item = 0; item < batch; ++item)
    threads.emplace_back([&, item, own = keeping]() mutable {
      own.item = item;
      Values x(n);
      for (std::size_t i = 0; i < n; ++i)
        x[i] = {static_cast<float>(input.re[item * n + i]),
                static_cast<float>(input.im[item * n + i])};
      own.keep(x);
      expected[item] = transcription(x, own);
      own.keep(expected[item]);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < batch * n; ++i) {
    const Value& value = expected[i / n][i % n];
    ASSERT_EQ(y.re[i], static_cast<double>(value.re)) << command_of(where) << ", " << i;
    ASSERT_EQ(y.im[i], static_cast<double>(value.im)) << command_of(where) << ", " << i;
  }
}

constexpr Keeping keepings[] = {{1, false}, {2, false}, {3, false}, {0, false},
                                {1, true},  {3, true},  {0, true}};
constexpr Keeping fixed_keepings[] = {{1, false, true, true}, {3, false, true, true},
                                      {3, true, true, true},  {0, false, true, true},
                                      {3, false, true},       {2, true, true}};

/// Rows of some seeds of a case; none if it has no meaning.
std::vector<Row> rows_of(Case where, std::size_t seeds) {
  Session session;
  const auto held = session.plan(where).transforms();
  std::vector<Row> rows;
  for (where.seed = 1; where.seed <= seeds; ++where.seed) {
    rows.push_back(evaluate(session.plan(where), make_problem(problem_key(where))));
    if (rows.back().status == Status::skipped) return {};
  }
  return rows;
}

/// Of which the model's means hold.
std::uint64_t long_enough_for(const std::string& algorithm) {
  return algorithm == "rader" ? 97 : algorithm == "good-thomas" ? 120 : 64;
}

}  // namespace

TEST(RoundingPoints, HasOneNameEach) {
  for (const char* name : {"op", "stage", "pass:2", "pass:64", "ends"})
    EXPECT_EQ(name_of(rounding_points_named(name)), name);
  EXPECT_EQ(name_of(rounding_points_named("pass:1")), "stage");
  for (const NamedPolicy& policy : all_rounding_points())
    EXPECT_EQ(name_of(rounding_points_named(policy.name)), policy.name);
  for (const NamedPolicy& policy : scale_policies())
    EXPECT_EQ(name_of(scale_policy_named(policy.name)), policy.name);
  EXPECT_EQ(name_of(scale_policy_named("input:2^0")), "none");
  EXPECT_EQ(scale_policy_named("input:2^-13").input, -13);
  for (const char* name : {"input:2^-3+stage:1/2", "input:2^5+stage:1/sqrt2", "input:2^2+block",
                           "shift:0", "shift:9", "shift:0121", "input:2^-1+shift:01"})
    EXPECT_EQ(name_of(scale_policy_named(name)), name);
  EXPECT_EQ(name_of(scale_policy_named("shift:0111")), "shift:01");
}

TEST(RoundingPoints, RefusesOtherNames) {
  const auto refusal = [](const auto& parse, const char* name) {
    return error_text([&] { parse(name); });
  };
  for (const char* name : {"pass:0", "pass:65", "pass:", "pass:3x", "pass:-1"})
    EXPECT_THAT(refusal(rounding_points_named, name), holds("1..64 stages")) << name;
  EXPECT_THAT(refusal(rounding_points_named, "stages"), holds("did you mean 'stage'"));
  for (const char* name : {"input:2^65", "input:2^", "input:2^1.5", "input:2^-65"})
    EXPECT_THAT(refusal(scale_policy_named, name), holds("2^-64 .. 2^64")) << name;
  for (const char* name : {"shift:", "shift:1x", "shift:-1", "shift:1.1", "shift:+1",
                           "shift:012345678901234567890123456789012"})
    EXPECT_THAT(refusal(scale_policy_named, name), holds("1..32 digits")) << name;
  EXPECT_THAT(refusal(scale_policy_named, "input:3"), holds("input:2^K"));
  EXPECT_THAT(refusal(scale_policy_named, "stage:1/3"), holds("did you mean 'stage:1/2'"));
}

TEST(StoreInPasses, Radix2HasTheBitsOfItsTranscription) {
  for (const Keeping& keeping : keepings)
    for (const std::size_t n : {1u, 2u, 4u, 8u, 64u, 1024u, 32768u})
      for (const char* algorithm : {"radix2-dit", "recursive"})
        expect_bits(algorithm, n, keeping, [&](const Values& x) { return radix2(x, keeping); });
}

const std::vector<std::vector<std::size_t>> stockham_plans = {
    {8}, {4, 4}, {8, 8}, {8, 8, 4}, {8, 8, 4, 4}, {8, 8, 8, 8}};

void expect_stockham_bits(const std::vector<std::size_t>& plan, const Keeping& keeping) {
  std::size_t n = 1;
  for (const std::size_t radix : plan) n *= radix;
  expect_bits("stockham-mixed", n, keeping,
              [&](const Values& x) { return stockham_mixed(x, plan, keeping); });
}

TEST(StoreInPasses, StockhamMixedHasTheBitsOfItsTranscription) {
  for (const Keeping& keeping : keepings)
    for (const std::vector<std::size_t>& plan : stockham_plans) expect_stockham_bits(plan, keeping);
}

/// Data saturate where they are stored, not before.
TEST(StoreInPasses, FixedPointHasTheBitsOfItsTranscription) {
  for (const Keeping& keeping : fixed_keepings) {
    for (const std::size_t n : {1u, 8u, 64u, 1024u})
      expect_bits("radix2-dit", n, keeping, [&](const Values& x) { return radix2(x, keeping); });
    for (const std::vector<std::size_t>& plan : stockham_plans) expect_stockham_bits(plan, keeping);
  }
}

TEST(StoreInPasses, BluesteinHasTheBitsOfItsTranscription) {
  for (const Keeping& keeping : keepings)
    for (const std::size_t n : {1u, 3u, 11u, 100u, 257u})
      expect_bits("bluestein", n, keeping, [&](const Values& x) { return bluestein(x, keeping); });
  for (const Keeping& keeping : fixed_keepings)
    for (const std::size_t n : {1u, 3u, 11u, 100u, 257u})
      if (!keeping.halves)  // what halves leaves of so long a transform is mostly zero
        expect_bits("bluestein", n, keeping,
                    [&](const Values& x) { return bluestein(x, keeping); });
}

/// Exponents of blocks: e4m3fn and e2m1 with room for the largest, the latter also by the rule of
/// the MX specification, integers, and a whole array of fp16 or fixed point.
TEST(StoreInBlocks, HasTheBitsOfItsTranscriptions) {
  constexpr std::size_t whole = std::size_t{1} << 20;
  const Shared all[] = {{"mxfp8_e4m3fn", "none", 32, 4, -6, 448, 7},
                        {"mxfp4_e2m1", "none", 32, 2, 0, 6, 1},
                        {"mxfp4_e2m1:ocp", "none", 32, 2, 0, 6, 2},
                        {"mxfp6_e3m2", "none", 32, 3, -2, 28, 3},
                        {"mxint8", "none", 32, 7, 0, 127.0 / 64, 0},
                        {"bfp16", "none", 8, 7, 0, 127.0 / 64, 0},
                        {"nvfp4", "none", 16, 2, 0, 6, 0, true},
                        {"block(element=e3m2,size=24,scale=ocp)", "none", 24, 3, -2, 28, 4},
                        {"block(element=int:12,size=line)", "none", whole, 11, 0, 2 - 0x1p-10, -1},
                        {"block(element=int:24,size=array)", "none", whole, 23, 0, 2 - 0x1p-22, -1},
                        {"fp16", "block", 0, 11, -14, 65504, 15},
                        {"q1.15", "block", 0, 15, -1, 1 - 0x1p-15, 0}};
  for (const Shared& shared : all)
    for (const std::size_t stages : {1u, 3u, 0u}) {
      const Keeping keeping{.stages = stages, .cut = false, .shared = &shared};
      for (const std::size_t n : {2u, 16u, 64u, 1024u, 32768u})
        expect_bits("radix2-dit", n, keeping, [&](const Values& x) { return radix2(x, keeping); });
      for (const std::size_t n : {64u, 1024u, 4096u}) {
        const std::vector<std::size_t> fours(static_cast<std::size_t>(std::countr_zero(n)) / 2, 4);
        expect_bits("stockham-r4", n, keeping,
                    [&](const Values& x) { return stockham_mixed(x, fours, keeping); });
      }
      for (const std::size_t n : {3u, 100u, 257u})
        if (shared.size > 0)
          expect_bits("bluestein", n, keeping,
                      [&](const Values& x) { return bluestein(x, keeping); });
    }
}

/// Blocks across a batch and over all of it, of algorithms that otherwise go item by item or part
/// by part.
TEST(StoreInBlocks, AcrossABatchHasTheBitsOfItsTranscriptions) {
  constexpr std::size_t whole = std::size_t{1} << 20;
  const Shared all[] = {
      {"block(element=e4m3fn,size=2,along=batch)", "none", 2, 4, -6, 448, 7, false, true},
      {"block(element=int:8,size=line,along=batch)", "none", whole, 7, 0, 127.0 / 64, -1, false,
       true},
      {"block(element=e2m1,size=3,scale=e4m3,along=batch)", "none", 3, 2, 0, 6, 0, true, true},
      {"block(element=int:10,size=array)", "none", whole, 9, 0, 511.0 / 256, -1}};
  for (const Shared& shared : all)
    for (const std::size_t stages : {1u, 3u, 0u}) {
      for (const std::size_t n : {2u, 64u, 4096u})
        expect_bits_of_batch("radix2-dit", n, shared, stages,
                             [](const Values& x, const Keeping& by) { return radix2(x, by); });
      for (const std::size_t n : {16u, 4096u})
        expect_bits_of_batch("stockham-r4", n, shared, stages,
                             [n](const Values& x, const Keeping& by) {
                               const auto fours = static_cast<std::size_t>(std::countr_zero(n)) / 2;
                               return stockham_mixed(x, std::vector<std::size_t>(fours, 4), by);
                             });
    }
}

TEST(StoreInBlocks, AcrossABatchIsRefusedWhereTheBatchIsCut) {
  for (const char* mode :
       {"block(element=e5m2,size=4,along=batch)", "block(element=e5m2,size=array)"})
    for (const char* algorithm : {"recursive", "recursive:base=8", "batch-split:cores=2",
                                  "bluestein:inner=recursive", "split-radix"}) {
      const Case where{
          .algorithm = algorithm, .mode = mode, .n = 64, .batch = 4, .rounding_points = "stage"};
      const Row row = evaluate(where);
      EXPECT_EQ(row.status, Status::skipped) << command_of(where);
      EXPECT_THAT(row.message, holds(algorithm[0] == 's'   ? "parts of blocks"
                                     : algorithm[2] == 't' ? "gives each core a part of a batch"
                                                           : "one after the other"));
    }
}

TEST(StoreInBlocks, LeavesNoBlockToACutOfColumns) {
  const auto columns = [](const char* mode, std::size_t all, std::size_t usual) {
    return MachineArithmetic<float>(
               resolve(mode_named(mode), machine_named("ieee"), rounding_points_named("stage")))
        .stage_cols(all, usual);
  };
  EXPECT_EQ(columns("mxfp8_e5m2", 256, 64), 64u);
  EXPECT_EQ(columns("mxfp8_e5m2", 243, 192), 243u) << "rows of no whole blocks";
  EXPECT_EQ(columns("mxfp8_e5m2", 256, 202), 256u);
  EXPECT_EQ(columns("block(element=e5m2,size=24)", 256, 64), 256u);
  EXPECT_EQ(columns("nvfp4", 256, 64), 256u) << "a line has a scale";
}

/// No item of a batch has a block with another's values.
TEST(StoreInBlocks, TakesABatchItemByItem) {
  for (const char* algorithm :
       {"radix2-dit", "stockham-r4", "stockham-r2", "good-thomas", "direct"})
    for (const char* transform : {"fft", "irfft", "rfft2", "dct2"})
      EXPECT_TRUE(
          expect_bits_of_single_items({.transform = transform,
                                       .algorithm = algorithm,
                                       .mode = algorithm[0] == 's' ? "nvfp4" : "mxfp8_e5m2",
                                       .n = algorithm == std::string("good-thomas") ? 12u : 16u,
                                       .batch = 3,
                                       .rounding_points = "stage"}))
          << algorithm << transform;
}

/// As programs compute whose variables are doubles and whose arrays are floats.
TEST(StoreOfDoubles, RoundsAtTheEndsOrAfterEveryStage) {
  constexpr std::size_t n = 256;
  for (const char* format : {"fp32", "fp16"}) {
    Case where{.algorithm = "radix2-dit",
               .mode = format + std::string(":in=fp64"),
               .machine = "ieee",
               .n = n,
               .rounding_points = "ends"};
    const ComplexArray<double> input = make_input("gaussian", n, 1, 1);
    const auto stored = [&](double x) { return round(x, format_named(format), Rounding::rne); };
    std::vector<std::complex<double>> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t j = 0;
      for (std::size_t b = 1; b < n; b *= 2) j = 2 * j + (i / b) % 2;
      x[j] = {stored(input.re[i]), stored(input.im[i])};
    }
    for (const bool every_stage : {false, true}) {
      where.rounding_points = every_stage ? "stage" : "ends";
      y = x;
      const RootFunction roots = table_source("exact");
      for (std::size_t half = 1; half < n; half *= 2) {
        for (std::size_t top = 0; top < n; ++top) {
          if ((top & half) != 0) continue;
          const std::complex<double> w = roots(top % half, 2 * half, fp64);
          const std::complex<double> b = y[top + half];
          const std::complex<double> p{w.real() * b.real() - w.imag() * b.imag(),
                                       w.real() * b.imag() + w.imag() * b.real()};
          y[top + half] = y[top] - p;
          y[top] += p;
        }
        for (auto& value : y)
          if (every_stage || 2 * half == n) value = {stored(value.real()), stored(value.imag())};
      }
      const ComplexArray<double> ours =
          run_case(Session().plan(where), input, {.round_trip = false}).values;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(ours.re[i], y[i].real()) << command_of(where) << ", " << i;
        ASSERT_EQ(ours.im[i], y[i].imag()) << command_of(where) << ", " << i;
      }
    }
  }
}

TEST(StoreOfDoubles, IsRefusedAfterEveryOperation) {
  for (const char* algorithm : {"radix2-dit", "dft-gemm", "radix2-dit:butterfly=linzer-feig"}) {
    const Case where{.algorithm = algorithm, .mode = "fp32:in=fp64", .machine = "ieee", .n = 16};
    const Row row = evaluate(where);
    EXPECT_EQ(row.status, Status::skipped) << algorithm;
    EXPECT_EQ(row.message,
              "mode fp32:in=fp64 computes in fp64 and rounds where data are stored: "
              "rounding_points=stage, pass:K or ends; mode fp32 rounds after every operation")
        << algorithm;
    Case stored = where;
    stored.rounding_points = "stage";
    EXPECT_EQ(evaluate(stored).status, Status::ok) << algorithm;
  }
}

/// Casts that do not round to nearest even go another way through the product.
TEST(CastsOfEveryOperation, CutEachResult) {
  constexpr std::size_t n = 64;
  const Case where{.mode = "bf16", .machine = "ieee{casts=rz}", .n = n};
  const ComplexArray<double> input = make_input("gaussian", n, 1, 1);
  const ComplexArray<double> y =
      run_case(Session().plan(where), input, {.round_trip = false}).values;
  const auto cut = [](float x) { return to_bf16(x, true); };
  const auto cut_sum = [&](Value a, Value b) { return Value{cut(a.re + b.re), cut(a.im + b.im)}; };
  Values x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = {cut(static_cast<float>(input.re[i])), cut(static_cast<float>(input.im[i]))};
  Values data(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t j = 0;
    for (int b = 0; b < 6; ++b) j |= ((i >> b) & 1) << (5 - b);
    data[j] = x[i];
  }
  const RootFunction roots = table_source("exact");
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t top = 0; top < n; ++top) {
      if ((top & half) != 0) continue;
      const std::complex<double> entry = roots(top % half, 2 * half, bf16);
      const Value w{static_cast<float>(entry.real()), static_cast<float>(entry.imag())};
      const Value b = data[top + half];
      const Value t{cut(cut(w.re * b.re) - cut(w.im * b.im)),
                    cut(cut(w.re * b.im) + cut(w.im * b.re))};
      const Value e = data[top];
      data[top] = cut_sum(e, t);
      data[top + half] = cut_sum(e, {-t.re, -t.im});
    }
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(y.re[i], static_cast<double>(data[i].re)) << i;
    ASSERT_EQ(y.im[i], static_cast<double>(data[i].im)) << i;
  }
}

class EveryAlgorithmInPasses : public PerAlgorithm {};

/// The same of data that share scales: as normal data in blocks err, and no worse than the bound.
TEST_P(EveryAlgorithmInPasses, ErrsAsExpectedInBlocks) {
  const std::string& algorithm = GetParam();
  std::size_t measured = 0;
  for (const auto& [mode, scale] : {std::pair{"mxfp8_e4m3fn", "none"},
                                    {"mxfp8_e5m2", "none"},
                                    {"mxfp8_e5m2:ocp", "none"},
                                    {"mxfp6_e2m3:ocp", "none"},
                                    {"mxint8", "none"},
                                    {"bfp16", "none"},
                                    {"nvfp4", "none"},
                                    {"block(element=e2m3,size=7,scale=e4m3)", "none"},
                                    {"block(element=int:12,size=line)", "none"},
                                    {"block(element=e4m3fn,size=array,scale=ocp)", "none"},
                                    {"block(element=int:6,size=3,along=batch)", "none"},
                                    {"fp16", "block"},
                                    {"fp8_e5m2", "block"},
                                    {"binary8p3se", "block"},
                                    {"posit16", "block"},
                                    {"takum16", "block"}})
    for (const char* store : {"stage", "pass:3", "ends"}) {
      const Case where{.algorithm = algorithm,
                       .mode = mode,
                       .n = long_enough_for(algorithm),
                       .batch = std::string(mode).find("batch") == std::string::npos ? 1u : 8u,
                       .rounding_points = store,
                       .scale = scale};
      Session session;
      if (evaluate(session.plan(where), make_problem(problem_key(where))).status != Status::ok)
        continue;
      const std::vector<Row> rows = rows_of(where, 20);
      measured += rows.size();
      expect_as_expected(rows);
    }
  EXPECT_TRUE(measured >= 100 || algorithm.starts_with("split-radix")) << algorithm;
}

/// Transforms whose lines are not the case's: each store is of lines of its own.
TEST(StoreInBlocks, ErrsAsExpectedInEveryTransform) {
  for (const char* transform : {"irfft", "rfft2", "fft2:rows=16", "dct2", "dct3", "stft", "istft"})
    for (const char* mode :
         {"nvfp4", "block(element=int:8,size=line)", "block(element=int:8,size=array,scale=e4m3)",
          "block(element=e4m3fn,size=3,along=batch)"}) {
      const std::vector<Row> rows = rows_of(
          {.transform = transform, .mode = mode, .n = 64, .batch = 4, .rounding_points = "stage"},
          20);
      ASSERT_EQ(rows.size(), 20u) << transform << mode;
      expect_as_expected(rows);
    }
}

/// Where all items share an operand the lines that are stored have no length of their own.
TEST(StoreInBlocks, ExpectsNothingOfLinesOfUnknownLength) {
  const auto row_in = [](const char* mode) {
    const Case where{.transform = "cmul",
                     .algorithm = "elementwise",
                     .mode = mode,
                     .n = 64,
                     .rounding_points = "stage"};
    return evaluate(where);
  };
  EXPECT_TRUE(row_in("mxint8").bound_l2_rel);
  EXPECT_FALSE(row_in("nvfp4").bound_l2_rel);
  EXPECT_FALSE(row_in("nvfp4").expected_l2_rel);
  EXPECT_EQ(row_in("nvfp4").status, Status::ok);
}

/// Of 20 seeds, in the root mean square, as the model of operations; no row above its bound.
TEST_P(EveryAlgorithmInPasses, ErrsAsExpectedAndWithinItsBound) {
  const std::string& algorithm = GetParam();
  for (const std::string machine : {"trn", "trn{casts=sr}", "trn{casts=odd}", "trn{casts=ru}"})
    for (const char* store : {"stage", "pass:3", "ends"}) {
      const std::vector<Row> rows = rows_of({.algorithm = algorithm,
                                             .mode = "bf16",
                                             .machine = machine,
                                             .n = long_enough_for(algorithm),
                                             .rounding_points = store},
                                            20);
      ASSERT_FALSE(rows.empty()) << algorithm << " " << store;
      // Toward an infinity every store moves the data one way: there is no closed form.
      if (machine == "trn{casts=ru}") {
        expect_below_their_bounds(rows);
        EXPECT_FALSE(rows.front().expected_l2_rel) << command_of(rows.front().where);
      } else {
        expect_as_expected(rows);
      }
    }
}

/// A store that truncates takes some 0.72 u of the signal: the gain says how many there were.
TEST_P(EveryAlgorithmInPasses, LosesWhatTruncationTakes) {
  const std::string& algorithm = GetParam();
  for (const char* store : {"pass:3", "ends"}) {
    const std::vector<Row> rows = rows_of({.algorithm = algorithm,
                                           .mode = "bf16",
                                           .machine = "trn{casts=rz}",
                                           .n = long_enough_for(algorithm),
                                           .rounding_points = store},
                                          20);
    ASSERT_FALSE(rows.empty()) << algorithm << " " << store;
    double loss = 0;
    for (const Row& row : rows) {
      EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(row.where);
      loss += (1 - row.gain.value()) / (1 - row.expected_gain.value()) / 20;
    }
    EXPECT_NEAR(loss, 1, 0.25) << command_of(rows.front().where);
  }
}

TEST_P(EveryAlgorithmInPasses, IsTracedBitForBit) {
  if (!algorithm_named(GetParam()).make.in<TracedArithmetic>()) return;
  for (const char* scale : {"input:2^-3", "stage:1/2", "stage:1/sqrt2"})
    for (const char* store : {"op", "stage", "pass:2", "ends"}) {
      const Case where{.algorithm = GetParam(),
                       .mode = "bf16",
                       .machine = store[0] == 's' ? "trn{casts=rz}" : "trn",
                       .n = long_enough_for(GetParam()),
                       .rounding_points = store,
                       .scale = scale};
      const auto plain = plain_run(where);
      if (GetParam() == "rader" && scale[0] == 's') continue;
      ASSERT_TRUE(plain) << command_of(where);
      StageTrace trace([](const StagePath&) { return ErrorSources::all(); });
      EXPECT_EQ(array_hash(attribution::TracedCase(where).run(plain->input, trace)),
                array_hash(plain->result))
          << command_of(where);
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithmInPasses, every_algorithm(), name_of_algorithm);

/// Each transform in each policy: measured within its bound, or skipped with a reason.
TEST(StoreInPasses, EveryTransformTakesEveryPolicy) {
  std::size_t measured = 0;
  for (const Case& given :
       short_cases_of_every_transform({"radix2-dit", "dft-gemm", "stockham-r8", "bluestein", "gemm",
                                       "elementwise", "direct-conv"},
                                      {"bf16", "fp16", "bf16_refined"}))
    for (const char* store : {"stage", "pass:3", "ends"})
      for (const char* scale : {"none", "input:2^-2"}) {
        Case where = given;
        where.rounding_points = store;
        where.scale = scale;
        Session session;
        const CasePlan plan = session.plan(where);
        if (!plan.inapplicable().empty()) continue;
        const Row row = evaluate(plan, make_problem(plan));
        ASSERT_NE(row.status, Status::failed) << command_of(where) << row.message;
        if (row.status == Status::skipped) continue;
        ++measured;
        EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(where);
        EXPECT_LE(row.err_l2_rel.value(), 0.2) << command_of(where);
      }
  EXPECT_GE(measured, 300u);
}

TEST(StoreInPasses, HasNothingToDoForDataInTheCarriersFormat) {
  for (const char* mode : {"fp32", "ozaki", "fp64", "doubleword"}) {
    const Case where{.mode = mode, .n = 16, .rounding_points = "stage"};
    const Row row = evaluate(where);
    EXPECT_EQ(row.status, Status::skipped) << mode;
    EXPECT_THAT(row.message, holds("has nothing to round")) << mode;
  }
}

/// A matrix product alone is one pass, whatever a pass is called.
TEST(StoreInPasses, OfAMatrixProductStoresInputAndResult) {
  const auto hash = [](const char* store) {
    const Case where{.algorithm = "dft-gemm", .mode = "bf16", .n = 96, .rounding_points = store};
    return evaluate(where).output_hash;
  };
  EXPECT_EQ(hash("stage"), hash("ends"));
  EXPECT_EQ(hash("pass:3"), hash("ends"));
  EXPECT_NE(hash("op"), hash("ends"));
}

TEST(StoreInPasses, LeaveTheFactorOfANormToTheLastPass) {
  const auto hash = [](const char* algorithm, const char* transform, const char* store) {
    return evaluate({.transform = transform,
                     .algorithm = algorithm,
                     .mode = "bf16",
                     .n = 8,
                     .rounding_points = store})
        .output_hash;
  };
  for (const char* algorithm : {"radix2-dit", "stockham-mixed"})
    for (const char* transform : {"fft:norm=ortho", "ifft:norm=ortho"}) {
      EXPECT_EQ(hash(algorithm, transform, "pass:3"), hash(algorithm, transform, "ends"));
      EXPECT_NE(hash(algorithm, transform, "op"), hash(algorithm, transform, "ends"));
    }
}

TEST(ScaledInput, MovesNoBitOfWhatTheFormatHolds) {
  for (const char* algorithm : {"radix2-dit", "dft-gemm", "bluestein"})
    for (const char* transform : {"fft", "ifft", "cconv1d"}) {
      Case where{.transform = transform,
                 .algorithm = transform[0] == 'c' ? "direct-conv" : algorithm,
                 .mode = "bf16",
                 .n = 64};
      const Problem problem = make_problem(problem_key(where));
      const Row plain = evaluate(where, problem);
      where.scale = "input:2^-6";
      const Row scaled = evaluate(where, problem);
      ASSERT_EQ(plain.status, Status::ok) << command_of(where) << plain.message;
      EXPECT_EQ(scaled.output_hash, plain.output_hash) << command_of(where);
      EXPECT_EQ(scaled.err_roundtrip_l2_rel, plain.err_roundtrip_l2_rel) << command_of(where);
    }
}

/// Halving moves no digit either, wherever it happens: every algorithm has the bits that it has
/// without, stage by stage and at the end.
TEST_P(EveryAlgorithmInPasses, HasTheSameBitsWithStagesHalved) {
  const std::string& algorithm = GetParam();
  if (algorithm == "rader" || algorithm == "good-thomas") return;  // other radices than 2^k
  std::size_t compared = 0;
  for (const char* transform :
       {"fft", "ifft", "rfft", "irfft", "fft2:rows=16", "dct2", "stft", "istft", "ihfft",
        "dct2:norm=forward", "dct3:norm=forward", "stft:norm=forward", "istft:norm=forward"})
    for (const char* store : {"op", "stage", "ends"}) {
      Case where{.transform = transform,
                 .algorithm = algorithm,
                 .mode = "bf16",
                 .machine = "ieee",
                 .n = 64,
                 .batch = 2,
                 .rounding_points = store};
      const Problem problem = make_problem(problem_key(where));
      const Row plain = evaluate(where, problem);
      if (plain.status == Status::skipped) continue;
      where.scale = "stage:1/2";
      const Row halved = evaluate(where, problem);
      EXPECT_EQ(halved.output_hash, plain.output_hash) << command_of(where) << halved.message;
      EXPECT_EQ(halved.err_roundtrip_l2_rel, plain.err_roundtrip_l2_rel) << command_of(where);
      ++compared;
    }
  EXPECT_GE(compared, 12u);
}

/// 1/sqrt 2 is no number of a format: a product more for each value and stage.
TEST_P(EveryAlgorithmInPasses, ErrsAsExpectedWithStagesScaled) {
  const std::string& algorithm = GetParam();
  for (const char* scale : {"stage:1/2", "stage:1/sqrt2", "shift:0120"})
    for (const char* store : {"op", "pass:3"})
      for (const char* transform : {"fft", "ifft"}) {
        const std::vector<Row> rows = rows_of({.transform = transform,
                                               .algorithm = algorithm,
                                               .mode = "bf16",
                                               .machine = "ieee",
                                               .n = long_enough_for(algorithm),
                                               .rounding_points = store,
                                               .scale = scale},
                                              20);
        EXPECT_EQ(rows.empty(), algorithm == "rader") << algorithm;
        if (rows.empty()) return;
        expect_as_expected(rows);
      }
}

TEST(ScaledStages, KeepASpectrumInTheRangeOfItsFormat) {
  Case where{.mode = "fp8_e4m3", .n = 1 << 14};
  const Problem problem = make_problem(problem_key(where));
  for (const char* scale : {"stage:1/2", "stage:1/sqrt2"}) {
    where.scale = scale;
    const Row row = evaluate(where, problem);
    EXPECT_EQ(row.overflows.value(), 0u) << scale;
    EXPECT_TRUE(std::isfinite(row.err_l2_rel.value())) << scale;
  }
}

TEST(ScaledStages, SayWhereTheyHaveNoMeaning) {
  const auto reason = [](Case where) {
    where.scale = "stage:1/2";
    const Row row = evaluate(where);
    EXPECT_EQ(row.status, Status::skipped) << command_of(where);
    return row.message;
  };
  expect_each<Case>(reason, {{{.algorithm = "rader", .n = 17}, "rader adds x_0"},
                             {{.mode = "bf16_refined", .n = 16}, "adds up transforms"},
                             {{.mode = "fp64", .n = 16}, "data that a float holds"},
                             {{.algorithm = peer(), .n = 16}, "does not define its stages"}});
}

/// 240 is the largest value of fp8_e4m3: the spectrum of 2^14 normal values passes it.
TEST(ScaledInput, KeepsASpectrumInTheRangeOfItsFormat) {
  Case where{.mode = "fp8_e4m3", .n = 1 << 14};
  const Problem problem = make_problem(problem_key(where));
  const Row lost = evaluate(where, problem);
  const ComplexArray<double> y = run_case(Session().plan(where), problem.input).values;
  std::size_t not_finite = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    not_finite += !std::isfinite(y.re[i]) + !std::isfinite(y.im[i]);
  EXPECT_GT(not_finite, 100u);
  EXPECT_EQ(lost.overflows.value(), not_finite);
  EXPECT_TRUE(std::isnan(lost.err_l2_rel.value()));
  EXPECT_THAT(lost.message, holds("overflow fp8_e4m3, which ends at 240"));
  where.scale = "input:2^-3";
  const Row kept = evaluate(where, problem);
  EXPECT_EQ(kept.overflows.value(), 0u);
  EXPECT_GT(kept.underflows.value(), 0u);
  EXPECT_TRUE(kept.message.empty()) << kept.message;
  EXPECT_GT(kept.snr_db.value(), 14);
}

TEST(RoundedInput, IsWhatTheFormatHolds) {
  const ComplexArray<double> plain = make_input("gaussian", 64, 2, 3);
  const ComplexArray<double> rounded = make_input("rounded:to=bf16:inner=gaussian", 64, 2, 3);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(rounded.re[i], static_cast<double>(to_bf16(static_cast<float>(plain.re[i]), false)));
    EXPECT_EQ(rounded.im[i], static_cast<double>(to_bf16(static_cast<float>(plain.im[i]), false)));
  }
  // A format's name with a colon ends at the next key.
  const ComplexArray<double> ended =
      make_input("rounded:to=binary3p1se:SatFinite:inner=gaussian", 64, 2, 3);
  const ComplexArray<double> by_keys =
      make_input("rounded:to=p3109(k=3,p=1,overflow=saturate):inner=gaussian", 64, 2, 3);
  EXPECT_EQ(ended, by_keys);
  EXPECT_EQ(*std::max_element(ended.re.begin(), ended.re.end()), 1);
  EXPECT_EQ(make_input("rounded:to=q1.3:wrap:inner=dc", 1, 1, 0).re[0], -1);
  EXPECT_THAT(error_text([] { input_named("rounded:to=binary3p1se:inf:inner=gaussian"); }),
              holds("format 'binary3p1se:inf'", "SatFinite"));
  EXPECT_THROW(input_named("rounded:to=bf17:inner=gaussian"), InputError);
  EXPECT_THROW(input_named("rounded:to=bf16"), InputError);
  EXPECT_THROW(input_named("rounded:to=bf16:inner=gauss"), InputError);
}

}  // namespace fftprec::testing
