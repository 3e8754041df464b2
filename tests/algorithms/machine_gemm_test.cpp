/// Complex matrix products on a tensor engine, in every mode and on every machine, against those by
/// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/algorithms/hand_product.hpp"
#include "tests/support/classic_machines.hpp"

namespace fftprec::testing {

namespace {

const std::vector<SplitTerm> three{{0, 0}, {1, 0}, {0, 1}};
const std::vector<SplitTerm> four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
const std::vector<SplitTerm> six{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
const std::vector<SplitTerm> nine{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1},
                                  {0, 2}, {2, 1}, {1, 2}, {2, 2}};
const std::vector<SplitTerm> hq{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};

/// How `fp32` multiplies fp32 operands: all passes into one PSUM.
HandScheme fast(Fp32Matmul how) {
  switch (how) {
    case Fp32Matmul::native:
      break;
    case Fp32Matmul::split_12_12:
      return {"fp32", half_fp32, 2, 2, four, 0, false, Rounding::rz, true};
    case Fp32Matmul::three_of_12:
      return {"fp32", half_fp32, 2, 2, three, 0, false, Rounding::rz, true};
    case Fp32Matmul::split_11_13:
      return {.mode = "fp32",
              .word = Format{13, -126, 127},
              .data_words = 2,
              .factor_words = 2,
              .terms = four,
              .rounding = Rounding::rz,
              .last_is_rest = true,
              .first_word = tf32};
    case Fp32Matmul::split_11_11:
      return {"fp32", tf32, 2, 2, four, 0, false, Rounding::rz};
    case Fp32Matmul::one_bf16:
      return {"fp32", bf16};
    case Fp32Matmul::one_tf32:
      return {"fp32", tf32};
    case Fp32Matmul::one_tf32_cut:
      return {.mode = "fp32", .word = tf32, .rounding = Rounding::rz};
    case Fp32Matmul::two_bf16:
      return {"fp32", bf16, 2, 2, three};
    case Fp32Matmul::three_bf16:
      return {"fp32", bf16, 3, 3, six};
  }
  return {"fp32", fp32};
}

std::vector<HandScheme> schemes_on(const Machine& machine) {
  return {fast(machine.fp32_matmul),
          {"bf16", bf16},
          {"fp16", fp16},
          {"tf32", tf32},
          {"fp8_e4m3", fp8_e4m3},
          {"fp8_e4m3fn", fp8_e4m3fn},
          {"fp8_e5m2", fp8_e5m2},
          {.mode = "fp8_e5m2:table=fp8_e4m3fn", .word = fp8_e5m2, .factor_word = fp8_e4m3fn},
          {.mode = "fp8_e4m3fn:table=fp8_e5m2", .word = fp8_e4m3fn, .factor_word = fp8_e5m2},
          {.mode = "fp8_e4m3:table=fp8_e5m2", .word = fp8_e4m3, .factor_word = fp8_e5m2},
          {"ozaki", bf16, 2, 2, three, 0, true},
          {"ozaki_hq", bf16, 3, 2, hq, 0, true},
          {"bf16x2:3", bf16, 2, 2, three, 0, true},
          {"bf16x2:4", bf16, 2, 2, four, 0, true},
          {"bf16x3:6", bf16, 3, 3, six, 0, true},
          {"bf16x3:9", bf16, 3, 3, nine, 0, true},
          {"fp16x2:3", fp16, 2, 2, three, 11, true},
          {"fp16x2:4", fp16, 2, 2, four, 11, true},
          {"tf32x2:3", tf32, 2, 2, three, 0, true},
          {"tf32x3:9", tf32, 3, 3, nine, 0, true},
          {.mode = "mxfp8_e4m3fn", .word = fp8_e4m3fn, .block_headroom = 1},
          {.mode = "mxfp8_e5m2:ocp", .word = fp8_e5m2, .block_headroom = 0},
          {.mode = "mxfp4_e2m1", .word = {2, 0, 2, true, Overflow::saturate}, .block_headroom = 1}};
}

bool takes(const Machine& machine, const HandScheme& scheme) {
  const auto has = [&](const Format& word) {
    return std::ranges::any_of(machine.units, [&](const AccumulatorModel& unit) {
      return unit.operands == unit_operands(word);
    });
  };
  return has(scheme.word) && has(scheme.factor_word.value_or(scheme.word));
}

/// Products in both forms, bit for bit. Returns whether the machine multiplies such words.
bool expect_product_by_hand(const HandScheme& scheme, const Machine& machine, ProductShape shape,
                            int exponent = 0, const Faults& faults = {}) {
  if (!takes(machine, scheme)) return false;
  const Mode mode = mode_named(scheme.mode);
  SCOPED_TRACE(::testing::Message() << scheme.mode << " on " << machine.name << ", seeds 3 and 4");
  auto x = scattered<float>(shape.b * shape.k, storage_format(mode), 3);
  const auto w = scattered<float>(shape.k * shape.n, storage_format(mode), 4);
  for (auto* part : {&x.re, &x.im})
    for (float& value : *part) value = std::ldexp(value, exponent);
  const HandProduct by_hand(scheme, machine, x, w, shape, faults);
  const MachineArithmetic<float> arithmetic(
      resolve(mode, machine, {}, {}, decorator_of(faults, machine)));
  const auto rows = product_by(arithmetic, x, w, shape, false);
  const auto columns = product_by(arithmetic, x, w, shape, true);
  for (std::size_t i = 0; i < shape.b; ++i)
    for (std::size_t j = 0; j < shape.n; ++j)
      for (const int part : {0, 1}) {
        const auto& of_rows = part == 0 ? rows.re : rows.im;
        const auto& of_columns = part == 0 ? columns.re : columns.im;
        const float truth = by_hand(i, j, part);
        EXPECT_EQ(of_rows[i * shape.n + j], truth) << "gemm, part " << part << i << ", " << j;
        EXPECT_EQ(of_columns[i * shape.n + j], truth) << "columns, part " << part << i << ", " << j;
        if (::testing::Test::HasFailure()) return true;
      }
  return true;
}

/// NVFP4 by hand: an element in halves and its scale in units of 2^-9, of one line along k.
struct ScaledElement {
  std::int64_t halves = 0;
  std::int64_t scale = 0;
};
std::vector<ScaledElement> nvfp4_line(const std::vector<float>& line) {
  constexpr std::int64_t elements[] = {0, 1, 2, 3, 4, 6, 8, 12};  // in halves, as codes go
  std::vector<ScaledElement> held(line.size());
  for (std::size_t first = 0; first < line.size(); first += 16) {
    const std::size_t end = std::min(first + 16, line.size());
    double amax = 0;
    for (std::size_t k = first; k < end; ++k)
      amax = std::max(amax, std::fabs(static_cast<double>(line[k])));
    std::vector<std::int64_t> scales;  // of e4m3, as codes go
    for (std::int64_t i = 0; i < 127; ++i) scales.push_back(i < 8 ? i : (8 + i % 8) << (i / 8 - 1));
    const auto next_to = [](const auto& values, std::size_t count, double x, double unit) {
      std::size_t i = 0;
      for (; i + 1 < count; ++i) {
        const double tie = static_cast<double>(values[i] + values[i + 1]) / 2 * unit;
        if (x < tie || (x == tie && i % 2 == 0)) break;
      }
      return values[i];
    };
    const std::int64_t scale = next_to(scales, scales.size(), amax, 6 * 0x1p-9);
    for (std::size_t k = first; k < end && scale > 0; ++k) {
      const double size = std::fabs(static_cast<double>(line[k]));
      const std::int64_t e = next_to(elements, 8, size, 0.5 * static_cast<double>(scale) * 0x1p-9);
      held[k] = {line[k] < 0 ? -e : e, scale};
    }
  }
  return held;
}

int exponent_of(std::int64_t units) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(units)))) - 1;
}

/// x in units of 2^-20 toward zero to multiples of 2^unit.
std::int64_t cut_below(std::int64_t x, int unit) {
  return unit <= -20 ? x : x / (std::int64_t{1} << (unit + 20)) * (std::int64_t{1} << (unit + 20));
}

/// c in units of 2^-20 and 64 products or fewer, by MMA-Sim's rule: exact sums of 16 elements times
/// both scales, cut with c 35 bits below the largest exponent, of scales, unless all products are
/// zero, or, with `cancelled_have_none`, their sum, or of c; then to 24 bits. `cuts` counts terms
/// that lost bits.
std::int64_t nvfp4_block(std::int64_t c, std::span<const ScaledElement> a,
                         std::span<const ScaledElement> b, bool negate, bool cancelled_have_none,
                         std::size_t& cuts) {
  std::vector<std::int64_t> terms{c};
  int largest = c == 0 ? -126 : exponent_of(c) - 20;
  for (std::size_t first = 0; first < a.size(); first += 16) {
    std::int64_t sum = 0, sizes = 0;  // in quarters
    for (std::size_t k = first; k < std::min(first + 16, a.size()); ++k) {
      sum += a[k].halves * b[k].halves;
      sizes += std::abs(a[k].halves * b[k].halves);
    }
    const std::int64_t sa = a[first].scale, sb = b[first].scale;
    terms.push_back((negate ? -sum : sum) * sa * sb);
    const auto of_scale = [](std::int64_t s) { return std::max(exponent_of(s) - 9, -6); };
    if ((cancelled_have_none ? sum : sizes) * sa * sb != 0)
      largest = std::max(largest, of_scale(sa) + of_scale(sb));
  }
  std::int64_t total = 0;
  for (const std::int64_t term : terms) {
    total += cut_below(term, largest - 35);
    cuts += cut_below(term, largest - 35) != term;
  }
  return total == 0 ? 0 : cut_below(total, exponent_of(total) - 20 - 23);
}

}  // namespace

TEST(MachineGemm, EveryModeIsTheProductByHandOnEveryPreset) {
  std::size_t checked = 0;
  for (const Machine& machine : machines()) {
    if (machine.casts != Rounding::rne) continue;
    for (const HandScheme& scheme : schemes_on(machine))
      checked += expect_product_by_hand(scheme, machine, {2, 37, 3}) ? 1 : 0;
  }
  EXPECT_GT(checked, 5 * machines().size());
}

/// Scales take blocks far below the range of their elements.
TEST(MachineGemm, BlocksOfSmallDataAreTheProductByHand) {
  for (const Machine& machine : machines()) {
    if (machine.casts != Rounding::rne) continue;
    for (const HandScheme& scheme : schemes_on(machine))
      if (scheme.block_headroom >= 0) expect_product_by_hand(scheme, machine, {2, 70, 3}, -40);
  }
}

/// Scales from 0 and the subnormal to 448 side by side, so that some groups lose bits to others.
TEST(MachineGemm, Nvfp4OperandsAreTheProductByHandInIntegers) {
  const MachineArithmetic<float> arithmetic(
      resolve(mode_named("nvfp4:ue4m3"), machine_named("nv-blackwell")));
  std::size_t cuts = 0, unseen = 0, of_cancelled = 0;
  for (const ProductShape shape :
       {ProductShape{3, 16, 2}, {2, 37, 3}, {4, 300, 5}, {5, 256, 4}, {9, 64, 40}}) {
    auto x = scattered<float>(shape.b * shape.k, fp32, 5),
         w = scattered<float>(shape.k * shape.n, fp32, 6);
    std::mt19937 random(7);
    // Scales are large in the first of four blocks and small in the next; the third takes the first
    // away again, which leaves what was cut beside it. The fifth of eight cancels by itself.
    const auto spread = [&](auto& m, std::size_t line_step, std::size_t k_step, float sign) {
      for (std::size_t line = 0; line < m.size() / shape.k; ++line)
        for (std::size_t k = 0, exponent = 0; k < shape.k; ++k) {
          const std::size_t at = line * line_step + k * k_step;
          const bool is_large = k / 16 % 4 == 0;
          if (k % 16 == 0) exponent = is_large ? 21 + random() % 4 : random() % 10;
          if (k / 16 % 8 >= 4) exponent = is_large ? 26 : 8 + k / 16 % 2;
          for (auto* part : {&m.re, &m.im}) {
            (*part)[at] = std::ldexp((*part)[at], static_cast<int>(exponent) - 15);
            if (k / 16 % 4 == 2) (*part)[at] = sign * (*part)[at - 32 * k_step];
            if (k / 16 % 8 == 4 && k % 16 >= 8) (*part)[at] = sign * (*part)[at - 8 * k_step];
          }
        }
    };
    spread(x, shape.k, 1, -1);
    spread(w, 1, shape.n, 1);
    const auto line = [&](const AlignedVector<float>& m, std::size_t first, std::size_t step) {
      std::vector<float> values(shape.k);
      for (std::size_t k = 0; k < shape.k; ++k) values[k] = m[first + k * step];
      return nvfp4_line(values);
    };
    const auto rows = product_by(arithmetic, x, w, shape, false);
    const auto columns = product_by(arithmetic, x, w, shape, true);
    for (std::size_t i = 0; i < shape.b; ++i)
      for (std::size_t j = 0; j < shape.n; ++j)
        for (const bool imaginary : {false, true}) {
          const auto xr = line(x.re, i * shape.k, 1), xi = line(x.im, i * shape.k, 1);
          auto wr = line(w.re, j, shape.n), wi = line(w.im, j, shape.n);
          if (imaginary) std::swap(wr, wi);
          std::int64_t c = 0, other = 0;
          for (std::size_t tile = 0; tile < shape.k; tile += 128)
            for (const bool of_imaginary : {false, true})
              for (std::size_t k = tile; k < std::min(shape.k, tile + 128); k += 64) {
                const std::size_t count = std::min(shape.k - k, std::size_t{64});
                const auto part = [&](const std::vector<ScaledElement>& of) {
                  return std::span(of).subspan(k, count);
                };
                const auto a = part(of_imaginary ? xi : xr), b = part(of_imaginary ? wi : wr);
                const bool negate = of_imaginary && !imaginary;
                c = nvfp4_block(c, a, b, negate, false, cuts);
                other = nvfp4_block(other, a, b, negate, true, unseen);
              }
          of_cancelled += c != other;
          const float truth = static_cast<float>(std::ldexp(static_cast<double>(c), -20));
          const std::size_t at = i * shape.n + j;
          ASSERT_EQ((imaginary ? rows.im : rows.re)[at], truth) << i << ", " << j;
          ASSERT_EQ((imaginary ? columns.im : columns.re)[at], truth) << i << ", " << j;
        }
  }
  EXPECT_GT(cuts, 20u);
  EXPECT_GT(of_cancelled, 10u);
}

TEST(MachineGemm, EveryModeIsTheProductByHandAcrossTiles) {
  for (const char* name : {"trn", "trn-rz", "trn3-bf16psum", "nv-hopper", "ieee"}) {
    Machine machine = with_small_tiles(machine_named(name));
    if (machine.name[0] != 'n') machine.eviction = bf16;
    for (const HandScheme& scheme : schemes_on(machine))
      expect_product_by_hand(scheme, machine, {3, 37, 9});
  }
}

TEST(MachineGemm, Fp32OperandsAreCutAsTheMachineSays) {
  for (const Fp32Matmul how : {Fp32Matmul::native, Fp32Matmul::split_12_12, Fp32Matmul::three_of_12,
                               Fp32Matmul::split_11_13, Fp32Matmul::split_11_11,
                               Fp32Matmul::one_bf16, Fp32Matmul::one_tf32, Fp32Matmul::one_tf32_cut,
                               Fp32Matmul::two_bf16, Fp32Matmul::three_bf16})
    for (const char* name :
         {"trn", "trn-rz", "nv-hopper", "trn{fp32_matmul=native,product=fp32}"}) {
      Machine machine = with_small_tiles(machine_named(name));
      machine.fp32_matmul = how;
      for (const Elision elided : {Elision::none, Elision::both})
        EXPECT_TRUE(expect_product_by_hand(fast(how), machine, {3, 37, 9}, 0, {.elided = elided}))
            << static_cast<int>(how) << ' ' << name;
    }
}

TEST(MachineGemm, FaultsOfSplitKernelsAreThoseByHand) {
  for (const Elision elided : {Elision::none, Elision::data, Elision::table, Elision::both})
    for (const Demotion demotion :
         {Demotion::none, Demotion::sum, Demotion::terms, Demotion::leading})
      for (const bool misread : {false, true}) {
        const Machine machine = with_small_tiles(machine_named("trn"));
        for (const HandScheme& scheme : schemes_on(machine))
          if (scheme.evicted || scheme.mode == std::string("fp32"))
            expect_product_by_hand(scheme, machine, {2, 21, 3}, 0, {elided, demotion, misread});
      }
}

TEST(MachineGemm, ADecoratorChangesSplitProductsAlone) {
  const auto twice = [](View<float> x) {
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) {
        x.re[i * x.stride + j] *= 2;
        x.im[i * x.stride + j] *= 2;
      }
  };
  const auto decorator = std::make_shared<const ProductDecorator>(ProductDecorator{
      .evicted = ProductDecorator::Evicted{
          .term = [=](View<float> x, std::size_t, std::uint64_t&, Isa) { twice(x); },
          .sum = [=](View<float> x, std::uint64_t&, Isa) { twice(x); }}});
  constexpr ProductShape shape{3, 37, 9};
  const Machine machine = with_small_tiles(machine_named("trn"));
  for (const auto& [name, factor] : {std::pair{"ozaki", 4}, std::pair{"kahan", 1}}) {
    const Mode mode = mode_named(name);
    const auto x = scattered<float>(shape.b * shape.k, storage_format(mode), 3);
    const auto w = scattered<float>(shape.k * shape.n, storage_format(mode), 4);
    const MachineArithmetic<float> plain(resolve(mode, machine));
    const MachineArithmetic<float> decorated(resolve(mode, machine, {}, {}, decorator));
    auto expected = product_by(plain, x, w, shape, false);
    for (auto* part : {&expected.re, &expected.im})
      for (float& value : *part) value *= static_cast<float>(factor);

    const auto result = product_by(decorated, x, w, shape, false);

    EXPECT_EQ(result.re, expected.re) << name;
    EXPECT_EQ(result.im, expected.im) << name;
  }
}

}  // namespace fftprec::testing
