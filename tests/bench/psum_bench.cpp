/// One full PSUM tile, 128 x 128 x 512, under every accumulator model, on one core.
///
/// Each is measured in turns with the fastest plain fp32 loop of the same instruction set, a float
/// multiplication and a float addition per product on operands that start on a cache line. What it
/// should show: aligned models at most 10 times the plain loop's time; truncating sums and rounded
/// products at most twice the plain loop's time. Every unit of every preset, on the operands that
/// the machine gives it, beside its definition: with AVX2 and AVX-512 at least 10 times faster.
///
/// The limits. Of the plain loop: two operations per product where Eigen's fused product has one,
/// so at most half of Eigen's speed. Of rounded products: three fused operations with AVX-512,
/// whatever the roundings of product and sum; without them five, and a sum that truncates takes the
/// exact error of every addition, some ten more.
#include <Eigen/Core>
#include <random>
#include <string>
#include <vector>

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/round.hpp"
#include "tests/bench/paired.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec {
namespace {

using namespace testing;  // the published models

constexpr std::size_t rows = 128, depth = 128, cols = 512;
constexpr double products = 128.0 * 128.0 * 512.0;

struct Subject {
  std::string name;
  AccumulatorModel model;
  AcrossTiles across = AcrossTiles::through;
  Format psum = fp32;
  Rounding psum_rounding = Rounding::rne;
};

AccumulatorModel changed(AccumulatorModel model, const ProductModel& product, Rounding rounding,
                         const Format& format = fp32) {
  model.product = product;
  model.rounding = rounding;
  model.format = format;
  return model;
}

constexpr ProductModel to_bf16{.exact = false},
    cut_to_bf16{.exact = false, .rounding = Rounding::rz};

const Subject plain{"plain", changed(trn_sequential, fp32_product, Rounding::rne)};

std::vector<Subject> subjects() {
  using enum Rounding;
  constexpr auto tiles = AcrossTiles::tile_then_add;
  AccumulatorModel of_fp32 = trn_sequential;
  of_fp32.operands = fp32;
  std::vector<Subject> all{
      {"trn", trn_sequential, tiles},
      {"rz", changed(trn_sequential, {}, rz), tiles},
      {"odd", changed(trn_sequential, {}, odd), tiles},
      {"bf16-products", changed(trn_sequential, to_bf16, rne), tiles},
      {"bf16-products-cut", changed(trn_sequential, cut_to_bf16, rne), tiles},
      {"bf16-products+rz", changed(trn_sequential, to_bf16, rz), tiles},
      {"bf16-products-cut+rz", changed(trn_sequential, cut_to_bf16, rz), tiles},
      {"p=12-products", changed(trn_sequential, {.exact = false, .format = {12, -126, 127}}, rne),
       tiles},
      {"bf16-sums", changed(trn_sequential, {}, rne, bf16), tiles},
      {"p=12-sums", changed(trn_sequential, {}, rne, {12, -126, 127}), tiles},
      {"fma-of-fp32", of_fp32},
      {"bf16-psum", trn_sequential, tiles, bf16},
      {"bf16-psum-sr", trn_sequential, tiles, bf16, sr},
      {"plain-tiles", plain.model, tiles},
  };
  for (const AccumulatorModel& model : published_accumulators())
    all.push_back({std::string(model.name), model});
  return all;
}

TensorUnit unit_of(const Subject& subject, Isa isa) {
  const Machine machine{.name = subject.name,
                        .summary = "",
                        .units = {subject.model},
                        .across_tiles = subject.across,
                        .psum = subject.psum,
                        .psum_rounding = subject.psum_rounding};
  return tensor_unit(machine, subject.model.operands, isa);
}

/// Standard normal operands on the grid of a model.
struct Operands {
  AlignedVector<float> stationary, moving, psum;

  explicit Operands(const Format& format)
      : stationary(depth * rows), moving(depth * cols), psum(rows * cols) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (AlignedVector<float>* side : {&stationary, &moving})
      for (float& x : *side) x = static_cast<float>(round(normal(random), format, Rounding::rne));
  }
  Matmul<float> call(std::size_t some_rows = rows, std::size_t some_cols = cols) {
    Matmul<float> view{};
    view.stationary = stationary.data();
    view.stationary_k = rows;
    view.stationary_m = 1;
    view.moving = moving.data();
    view.moving_stride = cols;
    view.psum = psum.data();
    view.psum_stride = cols;
    view.m = some_rows;
    view.n = some_cols;
    view.k = depth;
    view.accumulate = true;
    return view;
  }
};

void against_plain(benchmark::State& state, const Subject& subject, Isa isa) {
  const TensorUnit unit = unit_of(subject, isa), reference = unit_of(plain, isa);
  Operands of_unit(subject.model.operands), of_reference(bf16);
  const bench::Pair pair = bench::measure(
      state, 1,
      [&] {
        unit.matmul(of_unit.call());
        benchmark::DoNotOptimize(of_unit.psum.data());
      },
      [&] {
        reference.matmul(of_reference.call());
        benchmark::DoNotOptimize(of_reference.psum.data());
      });
  const double rate = products / pair.subject_seconds;
  state.counters["giga_products_per_second"] = rate * 1e-9;
  state.counters["times_plain"] = pair.ratio();
}

/// Operands as the machine gives them to its unit for these: fp32 in the words of its passes.
Format taken_by(const Machine& machine, const Format& operands) {
  return operands == fp32 ? fp32_passes(machine.fp32_matmul).operands : operands;
}

void against_definition(benchmark::State& state, const Machine& machine, const Format& operands,
                        Isa isa) {
  constexpr std::size_t few_rows = 2, few_cols = 32;
  const TensorUnit unit = tensor_unit(machine, operands, isa);
  Operands of_unit(operands), of_definition = of_unit;
  const bench::Pair pair = bench::measure(
      state, 1,
      [&] {
        unit.matmul(of_unit.call());
        benchmark::DoNotOptimize(of_unit.psum.data());
      },
      [&] { unit.matmul_by_definition(of_definition.call(few_rows, few_cols)); });
  const double rate = products / pair.subject_seconds;
  const double definition_rate = few_rows * few_cols * depth / pair.reference_seconds;
  state.counters["giga_products_per_second"] = rate * 1e-9;
  state.counters["times_faster_than_definition"] = rate / definition_rate;
}

void plain_against_eigen(benchmark::State& state, Isa isa) {
  Eigen::setNbThreads(1);
  using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr int repeats = 2;
  const TensorUnit unit = unit_of(plain, isa);
  Operands operands(bf16);
  const Eigen::Map<const RowMatrix> stationary(operands.stationary.data(), depth, rows);
  const Eigen::Map<const RowMatrix> moving(operands.moving.data(), depth, cols);
  RowMatrix product = RowMatrix::Zero(rows, cols);
  const bench::Pair pair = bench::measure(
      state, repeats,
      [&] {
        for (int i = 0; i < repeats; ++i) unit.matmul(operands.call());
        benchmark::DoNotOptimize(operands.psum.data());
      },
      [&] {
        for (int i = 0; i < repeats; ++i) product.noalias() += stationary.transpose() * moving;
        benchmark::DoNotOptimize(product.data());
      });
  state.counters["share_of_eigen"] = 1 / pair.ratio();
  state.counters["giga_products_per_second"] = products / pair.subject_seconds * 1e-9;
}

[[maybe_unused]] const int registered = [] {
  for (const Isa isa : available_isas()) {
    const std::string end = std::string("/").append(name_of(isa));
    const auto add = [&end](const std::string& name, auto run, int iterations = 50) {
      bench::add(name + end, benchmark::kMicrosecond, iterations, run);
    };
    add("psum_eigen_128x128x512/plain",
        [isa](benchmark::State& state) { plain_against_eigen(state, isa); });
    for (const Subject& subject : subjects())
      add("psum_128x128x512/" + subject.name,
          [subject, isa](benchmark::State& state) { against_plain(state, subject, isa); });
    for (const Machine& machine : machines())
      for (const AccumulatorModel& unit : machine.units) {
        const Format operands = taken_by(machine, unit.operands);
        if (unit_operands(operands) != unit.operands) continue;  // no pass takes the unit for fp32
        add(
            "preset_128x128x512/" + machine.name + "/" + to_string(operands),
            [&machine, operands, isa](benchmark::State& state) {
              against_definition(state, machine, operands, isa);
            },
            3);
      }
  }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
