/// PSUM tiles against a scalar judge in MPFR, bit for bit, on every machine and instruction set.
#include "arith/psum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "arith/accumulator.hpp"
#include "arith/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

/// What a matmul should give, one element at a time, each rounding done by MPFR.
class PsumJudge {
 public:
  explicit PsumJudge(const Machine& machine) : machine_(machine) {}

  double product(double a, double b, bool wide) {
    if (!wide && machine_.product == ProductRounding::bf16_rne)
      return to_bf16_(Operation::multiply, Rounding::rne, a, b);
    if (!wide && machine_.product == ProductRounding::bf16_rz)
      return to_bf16_(Operation::multiply, Rounding::rz, a, b);
    return to_fp32_(Operation::multiply, Rounding::rne, a, b);
  }
  double add(double a, double b) {
    const bool truncates = machine_.accumulator == AccumulatorRounding::rz;
    return to_fp32_(Operation::add, truncates ? Rounding::rz : Rounding::rne, a, b);
  }
  /// Column sums of products from `start` on, k ascending.
  double chain(double start, const RowMatrix& a, const RowMatrix& b, Eigen::Index i, Eigen::Index j,
               bool wide) {
    double sum = start;
    for (Eigen::Index k = 0; k < a.rows(); ++k)
      sum = add(sum, product(static_cast<double>(a(k, i)), static_cast<double>(b(k, j)), wide));
    return sum;
  }
  double element(double psum, bool accumulate, const RowMatrix& a, const RowMatrix& b,
                 Eigen::Index i, Eigen::Index j, bool wide) {
    if (!accumulate) return chain(0, a, b, i, j, wide);
    if (machine_.across_tiles == AcrossTiles::through) return chain(psum, a, b, i, j, wide);
    return add(psum, chain(0, a, b, i, j, wide));
  }

 private:
  Machine machine_;
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

/// The presets, and machines that join roundings as no preset does.
std::vector<Machine> presets_and_others() {
  std::vector<Machine> all = machines();
  const auto add = [&all](std::string_view name, ProductRounding product) -> Machine& {
    all.push_back(machine_named("trn-rz"));
    all.back().name = name;
    all.back().product = product;
    return all.back();
  };
  add("bf16_rz", ProductRounding::bf16_rz).accumulator = AccumulatorRounding::rne;
  add("bf16_rz + rz", ProductRounding::bf16_rz);
  add("bf16_rne + rz", ProductRounding::bf16_rne);
  Machine& through = add("rz through", ProductRounding::none);
  through.across_tiles = AcrossTiles::through;
  through.fp32_matmul = Fp32Matmul::native;
  return all;
}

}  // namespace

TEST(PsumTile, EqualsTheScalarJudgeOnEveryMachineAndInstructionSet) {
  std::mt19937 random(7);
  for (const Machine& machine : presets_and_others())
    for (const Isa isa : available_isas())
      // A product beyond fp32's range is infinite, or a subnormal rounded to nearest, before a
      // truncation to bf16 sees it: there the model promises nothing.
      for (int kind = machine.product == ProductRounding::bf16_rz ? 1 : 0; kind < 3; ++kind)
        for (const Eigen::Index n : {1, 5, 64, 70}) {
          SCOPED_TRACE(::testing::Message() << machine.name << " " << name_of(isa) << " kind "
                                            << kind << " n " << n << " seed 7");
          const Eigen::Index m = 3, k = 1 + static_cast<Eigen::Index>(random() % 40);
          PsumTile tile(m, n, machine, isa);
          RowMatrix expected = RowMatrix::Zero(m, n);
          PsumJudge judge(machine);
          for (const bool accumulate : {false, true, true}) {
            const RowMatrix a = random_operand(k, m, kind, random);
            const RowMatrix b = random_operand(k, n, kind, random);
            tile.matmul(a, b, bf16, accumulate);
            for (Eigen::Index i = 0; i < m; ++i)
              for (Eigen::Index j = 0; j < n; ++j) {
                expected(i, j) = static_cast<float>(judge.element(
                    static_cast<double>(expected(i, j)), accumulate, a, b, i, j, false));
                ASSERT_TRUE(same_value(tile.values()(i, j), expected(i, j)))
                    << "element " << i << ", " << j << ": " << tile.values()(i, j) << ", not "
                    << expected(i, j);
              }
          }
        }
}

TEST(PsumTile, Fp32OperandsTakeFourExactPassesUnlessTheMachineIsNative) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index cols) {
    return RowMatrix(RowMatrix::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  const auto high = [](float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) >> 12 << 12);
  };
  for (const Machine& machine : presets_and_others()) {
    const RowMatrix a = draw(20, 2), b = draw(20, 9);
    PsumTile tile(2, 9, machine);
    PsumJudge judge(machine);
    tile.matmul(b.leftCols(2), b, fp32, false);  // what the tile holds must not matter

    tile.matmul(a, b, fp32, false);

    const RowMatrix ah = a.unaryExpr(high), bh = b.unaryExpr(high);
    const RowMatrix al = a - ah, bl = b - bh;
    for (Eigen::Index i = 0; i < 2; ++i)
      for (Eigen::Index j = 0; j < 9; ++j) {
        double sum = 0;
        if (machine.fp32_matmul == Fp32Matmul::native) {
          sum = judge.element(0, false, a, b, i, j, true);
        } else {
          sum = judge.element(0, false, ah, bh, i, j, true);
          sum = judge.element(sum, true, ah, bl, i, j, true);
          sum = judge.element(sum, true, al, bh, i, j, true);
          sum = judge.element(sum, true, al, bl, i, j, true);
        }
        EXPECT_EQ(static_cast<double>(tile.values()(i, j)), sum) << machine.name;
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

TEST(PsumTile, AnswersTheKnownProbes) {
  const auto run = [](const char* machine, std::vector<float> a, std::vector<float> b) {
    const auto size = static_cast<Eigen::Index>(a.size());
    PsumTile tile(1, 1, machine_named(machine));
    tile.matmul(Eigen::Map<RowMatrix>(a.data(), size, 1), Eigen::Map<RowMatrix>(b.data(), size, 1),
                bf16, false);
    return tile.values()(0, 0);
  };
  const float x = 1 + 0x1p-7f;
  // (1 + 2^-7)^2 needs 15 bits: exact, or rounded to bf16.
  EXPECT_EQ(run("trn", {x}, {x}), 1.01568603515625f);
  EXPECT_EQ(run("trn-claim", {x}, {x}), 1.015625f);
  // 1 and 127 terms just above half a unit: nearest grows, truncation stays.
  std::vector<float> terms(128, 0x1p-24f * x), ones(128, 1.0f);
  terms[0] = 1;
  EXPECT_GT(run("trn", terms, ones), 1.0f);
  EXPECT_EQ(run("trn-rz", terms, ones), 1.0f);
  // The place of a 1 between 2^24 and -2^24 shows that k ascends.
  EXPECT_EQ(run("trn", {0x1p24f, 1, -0x1p24f}, {1, 1, 1}), 0.0f);
  EXPECT_EQ(run("trn", {0x1p24f, -0x1p24f, 1}, {1, 1, 1}), 1.0f);
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
  const Machine& trn = machine_named("trn");
  EXPECT_THROW(PsumTile(129, 1, trn), InputError);
  EXPECT_THROW(PsumTile(1, 513, trn), InputError);
  EXPECT_THROW(PsumTile(0, 1, trn), InputError);
  PsumTile tile(2, 3, trn);
  EXPECT_THROW(tile.matmul(RowMatrix(4, 2), RowMatrix(5, 3), bf16, false), InputError);
  EXPECT_THROW(tile.matmul(RowMatrix(4, 3), RowMatrix(4, 3), bf16, false), InputError);
  EXPECT_THROW(tile.matmul(RowMatrix(129, 2), RowMatrix(129, 3), bf16, false), InputError);
}

TEST(Machines, Fp32TakesOnePassOrFour) {
  EXPECT_EQ(fp32_passes(machine_named("trn")), 4u);
  EXPECT_EQ(fp32_passes(machine_named("ieee")), 1u);
}

TEST(Machines, AnUnknownNameListsTheKnownOnes) {
  try {
    machine_named("trm");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'trn'?"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("trn-claim"), std::string::npos);
  }
}

}  // namespace fftprec::testing
