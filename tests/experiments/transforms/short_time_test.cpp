/// stft and istft: against their truth, below their bounds, near their expectation, exactly as many
/// operations as predicted, and clear about what cannot be done.
#include "algorithms/transforms/short_time.hpp"

#include <cmath>
#include <numbers>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/tables/windows.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/experiments/transforms/transform_counts.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

/// A row that ran is below its bound; a skipped one says why.
void expect_sound(const Row& row) {
  if (row.status == Status::skipped) {
    EXPECT_FALSE(row.message.empty()) << command_of(row.where);
    return;
  }
  ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << ": " << row.message;
  if (row.bound_l2_rel) {
    EXPECT_LE(row.err_l2_rel.value(), *row.bound_l2_rel) << command_of(row.where);
  }
}

/// In the first two, frames reach every sample: the inverse takes those back.
const char* const framings[] = {"",
                                ":hop=3:length=70",
                                ":window=hamming:center=0:length=50",
                                ":window=blackman:win=5:pad=constant:length=40",
                                ":window=bartlett:pad=replicate:hop=2:length=33",
                                ":window=rectangular:pad=circular:length=45:hop=5",
                                ":hop=40:length=100",
                                ":hop=3:length=40:norm=ortho",
                                ":hop=3:length=40:norm=forward"};

}  // namespace

class EveryShortTime : public PerAlgorithm {};

TEST_P(EveryShortTime, IsTheDefinitionForEveryFramingAndLength) {
  const AlgorithmEntry algorithm = algorithm_named(GetParam());
  std::size_t done = 0;
  for (const std::string transform : {"stft", "istft"})
    for (const char* keys : framings)
      for (const std::uint64_t n : {1u, 2u, 5u, 8u, 13u, 16u, 30u, 64u}) {
        const Case where{.transform = transform + keys,
                         .algorithm = GetParam(),
                         .mode = "fp64",
                         .n = n,
                         .batch = 2};
        Problem problem;
        try {
          problem = make_problem(problem_key(where));
        } catch (const NotApplicable&) {
          continue;
        }
        const Row row = evaluate(where, problem);
        expect_sound(row);
        if (row.status == Status::skipped) continue;
        ++done;
        EXPECT_LE(row.err_l2_rel.value(), 1e3 * unit_roundoff(fp64)) << command_of(where);
        const bool reached = keys == framings[0] || std::string_view(keys).starts_with(":hop=3");
        if (row.err_roundtrip_l2_rel && reached) {
          EXPECT_LE(*row.err_roundtrip_l2_rel, 1e3 * unit_roundoff(fp64)) << command_of(where);
        }
      }
  if (algorithm.inapplicable(mode_named("fp64"), "exact").empty()) {
    EXPECT_GE(done, 10u);
  }
}

TEST_P(EveryShortTime, StaysBelowItsBoundInEveryModeOnEveryMachineWithEveryTable) {
  const std::uint64_t n = algorithm_named(GetParam()).model.unsupported(64).empty() ? 64 : 7;
  if (!algorithm_named(GetParam()).model.predict) return;
  Session session;
  for (const std::string transform :
       {"stft", "istft", "stft:norm=ortho", "istft:norm=ortho", "istft:norm=forward"})
    for (const char* input : {"gaussian", "tone", "wide:phi=4", "cancelling", "dc"}) {
      Case where{.transform = transform + ":length=256", .n = n, .input = input};
      where.algorithm = GetParam();
      Problem problem;
      try {
        problem = make_problem(problem_key(where));
      } catch (const NotApplicable&) {
        continue;
      }
      for (const char* tables : {"exact", "fp32-angle", "bf16-angle"})
        for (const Mode& mode : trnfft_modes())
          for (const char* machine : {"trn", "trn-claim", "trn-rz"}) {
            where.tables = tables;
            where.mode = mode.name;
            where.machine = machine;
            expect_sound(evaluate(session.plan(where), problem));
          }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryShortTime, every_algorithm(), name_of_algorithm);

TEST(ShortTimeError, IsWithinAQuarterOfItsExpectation) {
  for (const std::string transform : {"stft", "istft", "stft:norm=ortho", "istft:norm=ortho"})
    for (const char* algorithm : {"radix2-dit", "split-radix", "dft-gemm", "four-step"})
      for (const Mode& mode : trnfft_modes())
        for (const char* machine : {"trn", "ieee", "trn-claim"}) {
          std::vector<Row> rows;
          Case where{.transform = transform, .mode = mode.name, .n = 64};
          where.algorithm = algorithm;
          where.machine = machine;
          Session session;
          const auto held = session.plan(where).transforms();
          for (where.seed = 1; where.seed <= 5; ++where.seed) {
            const Row row = evaluate(session.plan(where), make_problem(problem_key(where)));
            // Of a real result nothing is expected where table entries make most of the error.
            const bool silent = transform.starts_with("istft") &&
                                where.algorithm == "split-radix" && where.mode == "ozaki_hq";
            if (row.status == Status::skipped) continue;
            ASSERT_NE(row.expected_l2_rel.has_value(), silent) << command_of(where);
            if (silent) continue;
            rows.push_back(row);
          }
          if (!rows.empty()) expect_as_expected(rows);
        }
}

/// torch.stft and istft by plain sums in double: normalized=True divides each spectrum by sqrt(n)
/// and multiplies back; norm=forward divides by n.
TEST(ShortTimeNorms, AreThoseOfDirectSums) {
  constexpr std::size_t n = 6, hop = 2, length = 17;
  constexpr std::size_t frames = length / hop + 1, bins = n / 2 + 1;
  const double turn = 2 * std::numbers::pi / n;
  const auto window = [&](std::size_t j) { return 0.5 - 0.5 * std::cos(turn * double(j)); };
  for (const auto& [name, d] : std::vector<std::pair<std::string, double>>{
           {"backward", 1}, {"ortho", std::sqrt(double(n))}, {"forward", n}}) {
    const std::string keys = ":hop=2:length=17:pad=circular:norm=" + name;
    const ComplexArray<double> x =
        transform_named("stft" + keys).make_input(input_named("gaussian"), n, 1, 1);
    ComplexArray<double> spectra(frames * bins);
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t k = 0; k < bins; ++k)
        for (std::size_t j = 0; j < n; ++j) {
          const double value = x.re[(f * hop + j + length - n / 2) % length] * window(j) / d;
          spectra.re[f * bins + k] += value * std::cos(turn * double(j * k));
          spectra.im[f * bins + k] -= value * std::sin(turn * double(j * k));
        }
    std::vector<double> sums(length + n), weights(length + n);
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < bins; ++k) {
          const double both = k == 0 || 2 * k == n ? 1 : 2;
          const double angle = turn * double(j * k);
          sums[f * hop + j] += both * window(j) * d / n *
                               (spectra.re[f * bins + k] * std::cos(angle) -
                                spectra.im[f * bins + k] * std::sin(angle));
        }
        weights[f * hop + j] += window(j) * window(j);
      }
    const truth::Truth forward = transform_named("stft" + keys).truth(x, n, 1, {});
    const truth::Truth back = transform_named("istft" + keys).truth(spectra, n, 1, {});
    ASSERT_EQ(forward.hi.size(), spectra.size());
    for (std::size_t i = 0; i < spectra.size(); ++i) {
      EXPECT_NEAR(forward.hi.re[i], spectra.re[i], 0x1p-48) << keys << ", " << i;
      EXPECT_NEAR(forward.hi.im[i], spectra.im[i], 0x1p-48) << keys << ", " << i;
    }
    for (std::size_t i = 0; i < length; ++i)
      EXPECT_NEAR(back.hi.re[i], sums[i + n / 2] / weights[i + n / 2], 0x1p-46)
          << keys << ", " << i;
  }
}

TEST(ShortTime, BatchGivesTheBitsOfSingles) {
  for (const char* transform : {"stft:length=90", "istft:length=90"})
    for (const char* mode : {"fp32", "bf16", "ozaki"})
      EXPECT_TRUE(expect_bits_of_single_items(
          {.transform = transform, .algorithm = "dft-gemm", .mode = mode, .n = 16, .batch = 3}));
}

TEST(ShortTime, ImpulsesAtEveryPositionComeBack) {
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  for (const std::size_t n : {4u, 7u, 16u}) {
    const std::string keys = ":length=40:hop=2";
    const SourceTables tables{table_source("exact"), window_source("exact")};
    const AlgorithmEntry fft = algorithm_named("dft-gemm");
    const auto forward = transform_named("stft" + keys)
                             .make.in<MachineArithmetic<double>>()(arithmetic, fft, n, tables);
    const auto backward = transform_named("istft" + keys)
                              .make.in<MachineArithmetic<double>>()(arithmetic, fft, n, tables);
    const ComplexArray<double> x = impulses(40);

    const ComplexArray<double> back = backward(arithmetic, forward(arithmetic, x));

    ASSERT_EQ(back.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(back.re[i], x.re[i], 100 * unit_roundoff(fp64)) << "n = " << n << ", i = " << i;
      EXPECT_EQ(back.im[i], 0) << "n = " << n << ", i = " << i;
    }
  }
}

TEST(ShortTimeCounts, EqualTheirPrediction) {
  for (const char* name : {"stft:length=50", "istft:length=50", "istft:hop=3:win=5:length=44",
                           "stft:length=50:norm=ortho", "istft:length=50:norm=ortho"})
    for (const char* algorithm : {"dft-gemm", "radix2-dit"})
      for (const Mode& mode : trnfft_modes())
        for (const Machine& machine : classic_machines())
          expect_predicted_counts(name, algorithm, 8, mode, machine);
}

TEST(ShortTimeKeys, ABadValueIsAnError) {
  for (const char* name :
       {"stft:hop=0", "stft:hop=x", "stft:length=0", "stft:win=-1", "stft:center=2",
        "stft:window=hanning", "istft:pad=zero", "istft:length=1.5", "stft:bogus=1", "stft:hop"})
    EXPECT_THROW(transform_named(name), InputError) << name;
}

TEST(ShortTimeKeys, WhatOneLengthMakesImpossibleIsSkippedWithTheReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"stft:win=32", "longer than n = 16"},
      {"stft:center=0:length=10", "no frame of n = 16 fits"},
      {"stft:length=8", "asks for more than the 8"},
      {"stft:pad=circular:length=7", "asks for more than the 7"},
      {"istft:center=0", "less than 1e-11 at sample 0"},
      {"istft:hop=20", "less than 1e-11 at sample"},
  };
  for (const auto& [transform, reason] : cases) {
    const Case where{.transform = transform, .n = 16};
    try {
      make_problem(problem_key(where));
      ADD_FAILURE() << transform << " was made";
    } catch (const NotApplicable& exception) {
      EXPECT_NE(std::string(exception.what()).find(reason), std::string::npos)
          << transform << ": " << exception.what();
    }
    const TransformEntry entry = transform_named(transform);
    EXPECT_NE(entry.unsupported(algorithm_named("radix2-dit"), 16).find(reason), std::string::npos)
        << transform;
  }
  EXPECT_FALSE(evaluate({.transform = "stft:hop=20", .n = 16}).err_roundtrip_l2_rel);
}

}  // namespace fftprec::testing
