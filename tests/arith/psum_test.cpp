/// PSUM tiles against a scalar judge in MPFR, bit for bit, on every instruction set.
#include "arith/accumulators/psum.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arith/accumulators/accumulator.hpp"
#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// What a matmul of a machine with plain fp32 chains should give, one element at a time, each
/// rounding done by MPFR.
class PsumJudge {
 public:
  PsumJudge(const Machine& machine, const Format& operands)
      : machine_(machine), model_(accumulator_for(machine, operands)) {}

  double add_product(double sum, double a, double b) {
    const ProductModel& product = model_.product;
    if (product.exact) return to_fp32_(Operation::fused, model_.rounding, a, b, sum);
    Judge& rounded = product.format == bf16 ? to_bf16_ : to_fp32_;
    return add(sum, rounded(Operation::multiply, product.rounding, a, b));
  }
  double add(double a, double b) { return to_fp32_(Operation::add, model_.rounding, a, b); }
  /// Column sums of products from `start` on, k ascending.
  double chain(double start, const RowMatrix& a, const RowMatrix& b, Eigen::Index i,
               Eigen::Index j) {
    double sum = start;
    for (Eigen::Index k = 0; k < a.rows(); ++k)
      sum = add_product(sum, static_cast<double>(a(k, i)), static_cast<double>(b(k, j)));
    return sum;
  }
  double element(double psum, bool accumulate, const RowMatrix& a, const RowMatrix& b,
                 Eigen::Index i, Eigen::Index j) {
    if (!accumulate) return chain(0, a, b, i, j);
    if (machine_.across_tiles == AcrossTiles::through) return chain(psum, a, b, i, j);
    return add(psum, chain(0, a, b, i, j));
  }

 private:
  Machine machine_;
  AccumulatorModel model_;
  Judge to_fp32_{fp32, 700};
  Judge to_bf16_{bf16, 700};
};

/// Random bf16 numbers: all bits, or normal values within a few binades, or small integers (ties
/// and cancellations).
RowMatrix random_operand(Eigen::Index rows, Eigen::Index cols, int kind, std::mt19937& random) {
  RowMatrix x(rows, cols);
  for (float& value : x.reshaped()) {
    if (kind == 0) {
      value = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()) & 0xffff0000u);
    } else if (kind == 1) {
      const std::uint32_t exponent = 120 + static_cast<std::uint32_t>(random()) % 12;
      value = __builtin_bit_cast(
          float, (static_cast<std::uint32_t>(random()) & 0x807f0000u) | exponent << 23);
    } else {
      value = static_cast<float>(static_cast<int>(random() % 17) - 8) * 0.125f;
    }
  }
  return x;
}

/// Presets with plain chains, and machines that join roundings as no preset does.
std::vector<Machine> plain_machines() {
  std::vector<Machine> all;
  for (const char* name : {"trn", "trn-claim", "trn-rz", "ieee"})
    all.push_back(machine_named(name));
  const auto add = [&all](std::string name, const ProductModel& product, Rounding rounding) {
    Machine machine = machine_named("trn");
    machine.name = std::move(name);
    for (AccumulatorModel& unit : machine.units) {
      if (unit.operands != fp32) unit.product = product;
      unit.rounding = rounding;
    }
    all.push_back(machine);
  };
  add("bf16 cut", {.exact = false, .rounding = Rounding::rz}, Rounding::rne);
  add("bf16 cut + rz", {.exact = false, .rounding = Rounding::rz}, Rounding::rz);
  add("bf16 + rz", {.exact = false}, Rounding::rz);
  add("rz through", {}, Rounding::rz);
  all.back().across_tiles = AcrossTiles::through;
  all.back().fp32_matmul = Fp32Matmul::native;
  return all;
}

}  // namespace

TEST(PsumTile, EqualsTheScalarJudgeOnPlainMachinesAndEveryInstructionSet) {
  std::mt19937 random(7);
  for (const Machine& machine : plain_machines())
    for (const Isa isa : available_isas())
      for (int kind = 0; kind < 3; ++kind)
        for (const Eigen::Index n : {1, 5, 64, 70}) {
          SCOPED_TRACE(::testing::Message() << machine.name << " " << name_of(isa) << " kind "
                                            << kind << " n " << n << " seed 7");
          const Eigen::Index m = 3, k = 1 + static_cast<Eigen::Index>(random() % 40);
          PsumTile tile(m, n, machine, isa);
          RowMatrix expected = RowMatrix::Zero(m, n);
          PsumJudge judge(machine, bf16);
          for (const bool accumulate : {false, true, true}) {
            const RowMatrix a = random_operand(k, m, kind, random);
            const RowMatrix b = random_operand(k, n, kind, random);
            tile.matmul(a, b, bf16, accumulate);
            for (Eigen::Index i = 0; i < m; ++i)
              for (Eigen::Index j = 0; j < n; ++j) {
                expected(i, j) = static_cast<float>(
                    judge.element(static_cast<double>(expected(i, j)), accumulate, a, b, i, j));
                ASSERT_TRUE(same_value(static_cast<double>(tile.values()(i, j)),
                                       static_cast<double>(expected(i, j))))
                    << "element " << i << ", " << j;
              }
          }
        }
}

/// Each way of multiplying fp32, against words made by shifts: the terms in order, the words of
/// stationary and of moving.
TEST(PsumTile, Fp32OperandsTakeThePassesOfTheMachine) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index cols) {
    return RowMatrix(RowMatrix::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  const auto cut = [](int dropped) {
    return [dropped](float x) {
      return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) >> dropped << dropped);
    };
  };
  const auto nearest = [](int dropped) {
    return [dropped](float x) {
      Judge judge(Format{24 - dropped, -126, 127}, 100);
      return static_cast<float>(judge(Operation::identity, Rounding::rne, static_cast<double>(x)));
    };
  };
  using Terms = std::vector<std::pair<std::size_t, std::size_t>>;
  struct Way {
    Fp32Matmul matmul;
    Format operands;
    std::function<float(float)> leading;
    Terms terms;
  };
  const Terms four{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const Way ways[] = {
      {Fp32Matmul::native, fp32, cut(0), {{0, 0}}},
      {Fp32Matmul::split_12_12, half_fp32, cut(12), four},
      {Fp32Matmul::three_of_12, half_fp32, cut(12), {{0, 0}, {0, 1}, {1, 0}}},
      {Fp32Matmul::split_11_11, tf32, cut(13), four},
      {Fp32Matmul::one_tf32_cut, tf32, cut(13), {{0, 0}}},
      {Fp32Matmul::one_tf32, tf32, nearest(13), {{0, 0}}},
      {Fp32Matmul::one_bf16, bf16, nearest(16), {{0, 0}}},
      {Fp32Matmul::two_bf16, bf16, nearest(16), {{0, 0}, {0, 1}, {1, 0}}},
      {Fp32Matmul::three_bf16, bf16, nearest(16), {{0, 0}, {0, 1}, {1, 0}, {0, 2}, {1, 1}, {2, 0}}},
  };
  for (const Way& way : ways) {
    SCOPED_TRACE(::testing::Message() << "way " << static_cast<int>(way.matmul) << " seed 11");
    Machine machine = machine_named("trn");
    machine.fp32_matmul = way.matmul;
    const RowMatrix a = draw(20, 2), b = draw(20, 9);
    PsumTile tile(2, 9, machine);
    PsumJudge judge(machine, way.operands);
    tile.matmul(b.leftCols(2), b, fp32, false);  // what the tile holds must not matter

    tile.matmul(a, b, fp32, false);

    const auto words = [&way](RowMatrix x) {
      std::vector<RowMatrix> all;
      for (int i = 0; i < 3; ++i) {
        all.push_back(x.unaryExpr([&way](float value) { return way.leading(value); }));
        x -= all.back();
      }
      return all;
    };
    const std::vector<RowMatrix> aw = words(a), bw = words(b);
    for (Eigen::Index i = 0; i < 2; ++i)
      for (Eigen::Index j = 0; j < 9; ++j) {
        double sum = 0;
        for (std::size_t t = 0; t < way.terms.size(); ++t)
          sum = judge.element(sum, t > 0, aw[way.terms[t].first], bw[way.terms[t].second], i, j);
        EXPECT_EQ(static_cast<double>(tile.values()(i, j)), sum) << i << ", " << j;
      }
  }
}

/// Two of a thousand pairs tell hi*lo, lo*hi from lo*hi, hi*lo; this is one.
TEST(PsumTile, Fp32PassesTakeTheLowPartOfMovingFirst) {
  RowMatrix a(1, 1), b(1, 1);
  a << -0x1.5d5886p-2f;
  b << 0x1.77435ap-1f;
  PsumTile tile(1, 1, machine_named("trn"));

  tile.matmul(a, b, fp32, false);

  EXPECT_EQ(tile.values()(0, 0), -0x1.000c4ap-2f);  // the other order gives -0x1.000c4cp-2
}

TEST(PsumTile, Fp16OperandsTakeOnePassWithTheProductRoundingOfTheMachine) {
  RowMatrix one(1, 1), x(1, 1);
  one << 1;
  x << 1 + 0x1p-10f;  // needs 11 bits
  PsumTile exact(1, 1, machine_named("trn")), rounded(1, 1, machine_named("trn-claim"));

  exact.matmul(x, x, fp16, false);
  rounded.matmul(x, x, fp16, false);

  EXPECT_EQ(exact.values()(0, 0), 1 + 0x1p-9f + 0x1p-20f);
  EXPECT_EQ(rounded.values()(0, 0), 1.0f);
}

TEST(AddTowardZero, EqualsTheJudgeAtEveryPairOfSpecialValues) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values{0,
                            0x1p-149f,
                            0x1.fffffcp-127f,
                            0x1p-126f,
                            0x1p-24f,
                            1,
                            0x1.000002p0f,
                            0x1p24f,
                            0x1.fffffcp127f,
                            0x1.fffffep127f,
                            infinity,
                            std::numeric_limits<float>::quiet_NaN()};
  for (std::size_t i = values.size(); i-- > 0;) values.push_back(-values[i]);
  Judge judge(fp32, 700);
  for (const float a : values)
    for (const float b : values)
      EXPECT_TRUE(same_value(
          static_cast<double>(add_toward_zero(a, b)),
          judge(Operation::add, Rounding::rz, static_cast<double>(a), static_cast<double>(b))))
          << show(static_cast<double>(a)) << " + " << show(static_cast<double>(b));
}

TEST(PsumTile, TruncationStopsAtTheLargestFiniteValue) {
  const float max = std::numeric_limits<float>::max();
  RowMatrix a(2, 1), b(2, 1);
  a << 0x1.fep127f, 0x1.fep127f;
  b << 1, 1;
  PsumTile nearest(1, 1, machine_named("trn")), truncated(1, 1, machine_named("trn-rz"));

  nearest.matmul(a, b, bf16, false);
  truncated.matmul(a, b, bf16, false);

  EXPECT_EQ(nearest.values()(0, 0), std::numeric_limits<float>::infinity());
  EXPECT_EQ(truncated.values()(0, 0), max);
}

TEST(PsumTile, EvictsInTheAskedFormat) {
  RowMatrix one(1, 1), x(1, 1);
  one << 1;
  x << 1 + 0x1p-7f;
  PsumTile tile(1, 1, machine_named("trn"));
  tile.matmul(x, x, bf16, false);

  EXPECT_EQ(tile.evicted()(0, 0), 1.01568603515625f);
  EXPECT_EQ(tile.evicted(bf16)(0, 0), 1.015625f);
}

TEST(PsumTile, RefusesShapesThatDoNotFit) {
  const Machine trn = machine_named("trn");
  EXPECT_THROW(PsumTile(129, 1, trn), InputError);
  EXPECT_THROW(PsumTile(1, 513, trn), InputError);
  EXPECT_THROW(PsumTile(0, 1, trn), InputError);
  PsumTile tile(2, 3, trn);
  EXPECT_THROW(tile.matmul(RowMatrix(4, 2), RowMatrix(5, 3), bf16, false), InputError);
  EXPECT_THROW(tile.matmul(RowMatrix(4, 3), RowMatrix(4, 3), bf16, false), InputError);
  EXPECT_THROW(tile.matmul(RowMatrix(129, 2), RowMatrix(129, 3), bf16, false), InputError);
}

}  // namespace fftprec::testing
