/// Matmuls into PSUM against the judge in wide integers, bit for bit, on every instruction set.
#include "arith/accumulators/tensor_unit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "arith/formats/round.hpp"
#include "tests/arith/accumulators_judge.hpp"
#include "tests/arith/accumulators_samples.hpp"
#include "tests/arith/probes.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

/// One element: the model's sum in integers, the addition into PSUM likewise, the write by MPFR.
class UnitJudge {
 public:
  explicit UnitJudge(const TensorUnit& unit)
      : unit_(unit),
        chain_(unit.model),
        adder_(joining(unit.model)),
        write_(unit.psum, 300),
        before_(unit.psum_via, 300) {}

  float operator()(float psum, bool accumulate, const std::vector<float>& a,
                   const std::vector<float>& b, std::uint64_t step, std::uint64_t counter) {
    const bool through = unit_.across_tiles == AcrossTiles::through;
    const float start = accumulate && through ? psum : 0.0f;
    float sum = chain_(start, a, b);
    if (accumulate && !through) {
      const float one = 1;
      sum = adder_(psum, {&sum, 1}, {&one, 1});
    }
    const double written = static_cast<double>(sum);
    if (unit_.psum == fp32) return sum;
    if (unit_.psum_rounding == Rounding::sr)
      return static_cast<float>(round_stochastic(
          written, unit_.psum,
          {unit_.stochastic_bits, unit_.stochastic_seed, step, unit_.stochastic_variant}, counter));
    const Rounding rounding = unit_.psum_rounding;
    return static_cast<float>(
        write_(Operation::identity, rounding, before_(Operation::identity, rounding, written)));
  }

 private:
  TensorUnit unit_;
  AccumulatorJudge chain_;
  AccumulatorJudge adder_;
  Judge write_;
  Judge before_;
};

/// Three matmuls into one PSUM, the first overwriting it, for every sample, on every instruction
/// set and by definition.
void compare(TensorUnit unit, Sampler& sampler, std::size_t m, std::size_t n) {
  for (const Sample sample : samples) {
    const auto k = static_cast<std::size_t>(sampler.within(1, 30));
    std::vector<Tile> tiles;
    for (int i = 0; i < 3; ++i) tiles.push_back(random_tile(unit.model, sample, m, n, k, sampler));
    const bool negate = sampler.one_in(2);
    UnitJudge judge(unit);
    std::vector<float> expected(m * n);
    std::vector<std::vector<float>> actual(available_isas().size() + 1, tiles[0].psum);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      Tile& tile = tiles[t];
      tile.transposed = sampler.one_in(2);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t at = i * n + j;
          expected[at] =
              judge(expected[at], t > 0, tile.row(i, negate), tile.column(j), 7 + t, 1000 + at);
        }
      for (std::size_t s = 0; s < actual.size(); ++s) {
        Matmul<float> call = tile.call(negate, t > 0);
        call.psum = actual[s].data();
        call.step = 7 + t;
        call.element = 1000;
        const bool by_definition = s == available_isas().size();
        if (by_definition) {
          unit.matmul_by_definition(call);
        } else {
          unit.loops = unit_of(unit.model, available_isas()[s]).loops;
          unit.matmul(call);
        }
        for (std::size_t x = 0; x < m * n; ++x)
          ASSERT_TRUE(
              same_value(static_cast<double>(actual[s][x]), static_cast<double>(expected[x])))
              << show(unit.model) << "\npsum " << to_string(unit.psum) << " across "
              << static_cast<int>(unit.across_tiles) << " "
              << (by_definition ? "definition" : name_of(available_isas()[s])) << " matmul " << t
              << " element " << x / n << ", " << x % n << " k " << k << " sample "
              << static_cast<int>(sample) << " negate " << negate;
      }
    }
  }
}

/// The published accumulators, and some that join parameters as none of them does.
std::vector<AccumulatorModel> rounded_models() {
  std::vector<AccumulatorModel> all = published_accumulators();
  const auto add = [&all](AccumulatorModel base, auto change) {
    change(base);
    all.push_back(base);
  };
  for (const Rounding rounding : {Rounding::rne, Rounding::rz, Rounding::odd})
    for (const BlockSum sum : {BlockSum::sequential, BlockSum::reversed, BlockSum::even_odd}) {
      add(trn_sequential, [&](AccumulatorModel& m) {
        m.rounding = rounding;
        m.sum = sum;
      });
      add(all.back(), [](AccumulatorModel& m) { m.operands = fp32; });
      add(all.back(), [](AccumulatorModel& m) { m.product = fp32_product; });
      add(all.back(), [](AccumulatorModel& m) {
        m.operands = bf16;
        m.product = {.exact = false};
      });
      add(all.back(), [](AccumulatorModel& m) { m.product.rounding = Rounding::rz; });
      add(all.back(), [](AccumulatorModel& m) { m.product.format = {12, -126, 127}; });
    }
  add(trn_sequential, [](AccumulatorModel& m) { m.flush_inputs = m.flush_outputs = true; });
  add(trn_sequential, [](AccumulatorModel& m) { m.format = {12, -126, 127}; });
  add(trn_tree, [](AccumulatorModel& m) { m.format = bf16; });
  return all;
}

}  // namespace

TEST(TensorUnit, AddsFinishedTilesIntoPsumOrChainsThroughItAsTheJudgeDoes) {
  Sampler sampler(21);
  for (const AccumulatorModel& model : rounded_models())
    for (const AcrossTiles across : {AcrossTiles::tile_then_add, AcrossTiles::through})
      compare(unit_of(model, best_isa(), across), sampler, 2, 5);
}

TEST(TensorUnit, WritesToANarrowerPsumAsTheJudgeDoes) {
  Sampler sampler(23);
  for (const AccumulatorModel& model : rounded_models())
    for (const AcrossTiles across : {AcrossTiles::tile_then_add, AcrossTiles::through})
      for (const Rounding rounding : {Rounding::rne, Rounding::rna, Rounding::sr}) {
        if (model.format.precision < fp32.precision) continue;
        TensorUnit unit = unit_of(model, best_isa(), across);
        unit.psum = sampler.one_in(3) ? fp16 : bf16;
        unit.psum_rounding = rounding;
        if (rounding != Rounding::sr && sampler.one_in(2)) unit.psum_via = tf32;
        unit.stochastic_seed = 5;
        unit.stochastic_bits = sampler.one_in(2) ? 8 : 32;
        if (sampler.one_in(2)) unit.stochastic_variant = Stochastic::b;
        compare(unit, sampler, 1, 3);
      }
}

TEST(TensorUnit, EqualsTheJudgeForRandomModelsAndSizesOfSeveralBlocks) {
  Sampler sampler(24);
  for (int i = 0; i < 60 && !HasFatalFailure(); ++i)
    compare(unit_of(sampler.model(), best_isa(), AcrossTiles::tile_then_add), sampler, 2, 4);
  compare(unit_of(trn_sequential, best_isa(), AcrossTiles::tile_then_add), sampler, 35, 3);
  compare(unit_of(nv_hopper_bf16, best_isa(), AcrossTiles::tile_then_add), sampler, 1, 260);
  // Random bits follow from seed, step and the place of an element, in blocks as elsewhere.
  TensorUnit stochastic = unit_of(trn_sequential, best_isa(), AcrossTiles::tile_then_add);
  stochastic.psum = bf16;
  stochastic.psum_rounding = Rounding::sr;
  stochastic.stochastic_seed = 3;
  compare(stochastic, sampler, 3, 300);
}

}  // namespace fftprec::testing
