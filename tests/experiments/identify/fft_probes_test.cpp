/// FFTs of this program and others in the place of a device.
#include "experiments/identify/fft_probes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/identify/fft_search.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::identify {
namespace {

using fftprec::testing::error_text;
using fftprec::testing::TemporaryDirectory;
using fftprec::testing::write_text;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::holds;
using ::testing::IsSupersetOf;

/// Probes, and what identify_fft says of answers.
class FftProbes : public ::testing::Test {
 protected:
  void write(const std::vector<std::size_t>& lengths) const {
    write_fft_probes(directory.path(), lengths);
  }

  std::string folder(std::size_t n) const { return "n" + std::to_string(n); }
  ComplexArray<double> inputs(std::size_t n) const {
    return parse_npy(testing::text_of(directory / (folder(n) + "/x.npy")), "x").values;
  }

  /// What a case of this program makes of the probes.
  ComplexArray<double> run(Case where, std::size_t n) const {
    const ComplexArray<double> x = inputs(n);
    where.n = n;
    where.batch = x.size() / n;
    return run_in_mode(algorithm_named(where.algorithm), where, x).values;
  }

  void answer(std::size_t n, const ComplexArray<double>& device) const {
    write_text(directory / (folder(n) + "/X.npy"),
               npy_bytes(device, {.shape = {device.size() / n, n}}));
  }

  FftIdentification identified() const { return identify_fft(read_fft_probes(directory.path())); }
  FftIdentification identified(const Case& where, const std::vector<std::size_t>& lengths) const {
    write(lengths);
    for (const std::size_t n : lengths) answer(n, run(where, n));
    return identified();
  }

  TemporaryDirectory directory;
};

/// "radix2-dit fp32 exact on ieee" of the first answer and its twins.
std::vector<std::string> names_in(const FftIdentification& found) {
  std::vector<std::string> names;
  if (found.names.empty()) return names;
  std::vector<Case> cases = found.names.front().twins;
  cases.push_back(found.names.front().where);
  for (const Case& where : cases)
    names.push_back(where.algorithm + " " + where.mode + " " + where.tables + " on " +
                    where.machine);
  return names;
}
std::string name_of(const Case& where) {
  return where.algorithm + " " + where.mode + " " + where.tables + " on " + where.machine;
}

/// A variant, and lengths that it takes.
struct Variant {
  Case where;
  std::vector<std::size_t> lengths{16, 64, 256};
};

class NamedFft : public FftProbes, public ::testing::WithParamInterface<Variant> {};

void PrintTo(const Variant& variant, std::ostream* out) { *out << name_of(variant.where); }

TEST_P(NamedFft, IsNamedOrATwinIs) {
  const auto& [where, lengths] = GetParam();

  const FftIdentification found = identified(where, lengths);

  EXPECT_TRUE(found.fits());
  ASSERT_EQ(found.names.size(), 1u);
  EXPECT_EQ(found.names.front().lengths, lengths);
  EXPECT_THAT(names_in(found), Contains(name_of(where)));
  EXPECT_LE(found.tried, 30000u);
}

std::vector<Variant> variants() {
  const auto on_ieee = [](const char* algorithm, const char* mode, const char* tables) {
    return Case{.algorithm = algorithm, .mode = mode, .machine = "ieee", .tables = tables};
  };
  return {
      {on_ieee("radix2-dit", "fp32", "exact")},
      {on_ieee("radix2-dit:butterfly=dual-select", "fp32", "fp32-angle:order=product")},
      {on_ieee("radix2-dit:butterfly=linzer-feig", "fp64", "exact")},
      {on_ieee("radix2-dit:butterfly=rader-brenner", "fp32", "fp32-reduced")},
      {on_ieee("radix2-dif", "fp32", "recurrence:by=chebyshev:in=bf16")},
      {on_ieee("radix2-dif", "fp64", "fp64-angle")},
      {on_ieee("split-radix", "fp64", "recurrence:by=singleton:in=fp64")},
      {on_ieee("split-radix:pair=conjugate", "fp32", "recurrence:by=numerical-recipes")},
      {on_ieee("split-radix:pair=conjugate:butterfly=linzer-feig", "fp32", "exact")},
      {on_ieee("stockham-r2", "rounded_once", "exact")},
      {on_ieee("stockham-r2", "fp64", "exact:in=fp32")},
      {on_ieee("stockham-r4:butterfly=goedecker", "fp64", "recurrence:by=logarithmic:in=fp64")},
      {on_ieee("stockham-r4", "bf16", "fp32-angle:order=row-column")},
      {on_ieee("stockham-mixed", "fp16", "exact")},
      {on_ieee("four-step", "fp32", "fp32-reduced")},
      {on_ieee("direct", "fp32", "exact"), {16, 64}},
      {on_ieee("mixed-radix", "fp32", "exact"), {64, 1000}},
      {on_ieee("bluestein:inner=split-radix", "fp64", "exact"), {64, 1000}},
      {on_ieee("good-thomas", "fp64", "exact"), {60, 1000}},
      {on_ieee("radix2-dif", "fp32", "recurrence:by=subvector"), {4096}},
      {{.algorithm = "dft-gemm", .mode = "bf16", .machine = "nv-hopper"}, {16, 64}},
      {{.algorithm = "dft-gemm", .mode = "fp64", .tables = "fp64-angle:order=column-row"},
       {16, 64}},
      {{.algorithm = "radix2-dit", .machine = "ieee{vector.fused=on}"}},
  };
}
INSTANTIATE_TEST_SUITE_P(Variants, NamedFft, ::testing::ValuesIn(variants()));

/// Roots that err in a way of their own: a circle of order n, or the stages of radix 2.
std::string odd_roots(std::size_t n, bool by_stage) {
  const RootFunction exact = table_source("exact");
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t half = 1; by_stage && half < n; half *= 2)
    for (std::size_t j = 0; j < half; ++j) places.emplace_back(j, 2 * half);
  for (std::size_t j = 0; !by_stage && j < n; ++j) places.emplace_back(j, n);
  ComplexArray<double> roots(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::complex<double> w = exact(places[i].first, places[i].second, fp64);
    const double off = 0x1p-50 * static_cast<double>(places[i].first * 37 % 11);
    roots.re[i] = w.real() * (1 + off * static_cast<double>(places[i].second));
    roots.im[i] = w.imag() * (1 - off);
  }
  return npy_bytes(roots, {.shape = {roots.size()}, .dtype = "c16"});
}

/// A program whose twiddles no source has is named with these, read from its impulses.
class OwnTwiddles : public FftProbes {
 protected:
  FftIdentification identified() const {
    const std::vector<FftAnswer> answers = read_fft_probes(directory.path());
    return identify_fft(answers, {.file = [this](std::size_t n) {
                          return directory / (folder(n) + "/twiddles.npy");
                        }});
  }
};

class OwnTwiddlesOf : public OwnTwiddles, public ::testing::WithParamInterface<const char*> {};

TEST_P(OwnTwiddlesOf, AreReadFromImpulses) {
  const std::string algorithm = GetParam();
  const bool by_stage = algorithm.starts_with("radix2");
  const std::vector<std::size_t> lengths{16, 128, by_stage ? 256u : 225u};
  write(lengths);
  Case where{.algorithm = algorithm, .mode = "fp64", .machine = "ieee"};
  for (const std::size_t n : lengths) {
    write_text(directory / (folder(n) + "/odd.npy"), odd_roots(n, by_stage));
    where.tables = "file:" + (directory / (folder(n) + "/odd.npy")).string();
    answer(n, run(where, n));
  }

  const FftIdentification found = identified();

  EXPECT_TRUE(found.fits());
  ASSERT_EQ(found.names.size(), 1u);
  const FftName& named = found.names.front();
  EXPECT_EQ(named.lengths, lengths);
  std::vector<std::string> algorithms{named.where.algorithm};
  for (const Case& twin : named.twins) algorithms.push_back(twin.algorithm);
  EXPECT_THAT(algorithms, Contains(algorithm));
  for (const std::size_t n : lengths) {
    where = named.where;
    where.tables = named.own_tables.at(n);
    EXPECT_EQ(run(where, n),
              parse_npy(testing::text_of(directory / (folder(n) + "/X.npy")), "X").values);
    EXPECT_FALSE(std::filesystem::exists(directory / (folder(n) + "/twiddles.npy.draft.npy")));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Libraries, OwnTwiddlesOf,
    ::testing::Values("radix2-dit", "radix2-dif",
                      "mixed-radix:radices=2-8-4:form=frequency:butterfly=fftpack",
                      "mixed-radix:radices=2-4:form=frequency:butterfly=fftpack",
                      "mixed-radix:order=reversed:butterfly=kissfft",
                      "mixed-radix:order=reversed:butterfly=kissfft-cpp",
                      "mixed-radix:radices=5-4-3-2:form=frequency:butterfly=gsl"));

/// A program in place of files, with twiddles of its own: what it is asked for.
class AskedProgram : public FftProbes {
 protected:
  void answer_with(const std::string& algorithm, bool by_stage,
                   const std::vector<std::size_t>& lengths) {
    where = {.algorithm = algorithm, .mode = "fp64", .machine = "ieee"};
    std::vector<FftAnswer> answers;
    for (const std::size_t n : lengths) {
      write_text(directory / ("odd_" + std::to_string(n)), odd_roots(n, by_stage));
      const ComplexArray<double> x = fft_probe_rows(n);
      answers.push_back({n, x, transform(n, x)});
    }
    found =
        identify_fft(answers, {.ask =
                                   [&](std::size_t n, const std::vector<std::size_t>& places) {
                                     for (const std::size_t place : places) ++asked[{n, place}];
                                     ++requests;
                                     ComplexArray<double> x(places.size() * n);
                                     for (std::size_t i = 0; i < places.size(); ++i)
                                       x.re[i * n + places[i]] = 1;
                                     return transform(n, x);
                                   },
                               .file =
                                   [&](std::size_t n) {
                                     return directory / ("twiddles_" + std::to_string(n) + ".npy");
                                   }});
  }

  ComplexArray<double> transform(std::size_t n, const ComplexArray<double>& x) const {
    Case one = where;
    one.n = n;
    one.batch = x.size() / n;
    one.tables = "file:" + (directory / ("odd_" + std::to_string(n))).string();
    return run_in_mode(algorithm_named(one.algorithm), one, x).values;
  }

  Case where{};
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> asked{};
  std::size_t requests = 0;
  FftIdentification found{};
};

TEST_F(AskedProgram, IsAskedForNothingThatProbesOfAPlanInTimeShow) {
  answer_with("radix2-dit", true, {16, 64, 1024, 4096});

  ASSERT_TRUE(found.fits());
  EXPECT_THAT(found.names.front().lengths, ElementsAre(16, 64, 1024, 4096));
  EXPECT_EQ(requests, 0u);
}

TEST_F(AskedProgram, IsAskedOnceForEachImpulseOfItsPlanInFrequency) {
  answer_with("radix2-dif", true, {64, 1024});

  ASSERT_TRUE(found.fits());
  EXPECT_THAT(found.names.front().lengths, ElementsAre(64, 1024));
  EXPECT_LE(requests, 1024u / 2 / 64);
  for (const auto& [place, times] : asked) {
    EXPECT_EQ(times, 1u) << "n = " << place.first << ", impulse at " << place.second;
    EXPECT_EQ(place.first, 1024u);
    EXPECT_LT(place.second, 512u);
  }
}

TEST_F(AskedProgram, IsNotAskedForPlansThatFitNoShorterLength) {
  answer_with("split-radix", false, {64, 1024});

  EXPECT_FALSE(found.fits());
  EXPECT_EQ(requests, 0u);
  ASSERT_EQ(found.left_out.back().n, 1024u);
  EXPECT_GT(found.left_out.back().own_tables, 4u);
}

TEST_F(AskedProgram, IsAskedForAllPlansWhereNoShorterLengthIsKnown) {
  answer_with("radix2-dif", true, {1024});

  EXPECT_TRUE(found.fits());
  for (const auto& [place, times] : asked) EXPECT_EQ(times, 1u) << place.second;
}

TEST_F(FftProbes, LeaveOutWhatTakesLongAndSayWhat) {
  write({1024});
  write_text(directory / "odd.npy", odd_roots(1024, false));
  const Case where{.algorithm = "split-radix",
                   .mode = "fp64",
                   .machine = "ieee",
                   .tables = "file:" + (directory / "odd.npy").string()};
  answer(1024, converted<double>(converted<float>(run(where, 1024))));

  const FftIdentification found = identified();

  EXPECT_FALSE(found.fits());
  ASSERT_EQ(found.left_out.size(), 1u);
  const FftLeftOut& left_out = found.left_out.front();
  EXPECT_EQ(left_out.n, 1024u);
  // A product of matrices has n^2 entries, and so has the definition where a table has others for
  // equal roots.
  EXPECT_THAT(left_out.algorithms, IsSupersetOf({"dft-gemm", "direct"}));
  EXPECT_FALSE(left_out.algorithms.contains("four-step"));
  EXPECT_GT(left_out.tables, 10u);
  EXPECT_TRUE(left_out.modes);
  for (const FftNear& each : found.unnamed.front().nearest)
    EXPECT_NE(each.where.algorithm, "direct");
}

TEST_F(FftProbes, RankFirstWhatGivesWholeRows) {
  // Impulses, which meet no sum, by one algorithm and table; all others by another one.
  constexpr std::size_t n = 64;
  write({n});
  const Case stages{.algorithm = "radix2-dif", .machine = "ieee", .tables = "fp32-angle"};
  ComplexArray<double> device = run(stages, n);
  const ComplexArray<double> sums = run({.algorithm = "stockham-r4", .machine = "ieee"}, n);
  for (std::size_t i = n * n; i < device.size(); ++i) {
    device.re[i] = sums.re[i];
    device.im[i] = sums.im[i];
  }
  answer(n, device);

  const FftIdentification found = identified();

  ASSERT_FALSE(found.fits());
  const std::vector<FftNear>& nearest = found.unnamed.front().nearest;
  EXPECT_EQ(nearest.front().where.algorithm, stages.algorithm);
  EXPECT_EQ(nearest.front().where.tables, stages.tables);
  EXPECT_GE(nearest.front().rows, n);
  // Its noise is not the nearest.
  EXPECT_GT(nearest.front().distance, nearest.back().distance);
  for (std::size_t i = 1; i < nearest.size(); ++i) EXPECT_GE(nearest[i - 1].rows, nearest[i].rows);
}

TEST_F(OwnTwiddles, StandAmongTheNearest) {
  constexpr std::size_t n = 64;
  write({n});
  write_text(directory / "odd.npy", odd_roots(n, true));
  ComplexArray<double> device = run({.algorithm = "radix2-dit",
                                     .mode = "fp64",
                                     .machine = "ieee",
                                     .tables = "file:" + (directory / "odd.npy").string()},
                                    n);
  device.re.back() = std::nextafter(device.re.back(), 10);
  answer(n, device);

  const FftIdentification found = identified();

  ASSERT_FALSE(found.fits());
  const FftNear& nearest = found.unnamed.front().nearest.front();
  EXPECT_TRUE(nearest.own_table);
  EXPECT_EQ(nearest.where.algorithm, "radix2-dit");
  EXPECT_EQ(nearest.equal, nearest.parts - 1);
  EXPECT_EQ(nearest.rows, device.size() / n - 1);
  EXPECT_FALSE(std::filesystem::exists(directory / "n64/twiddles.npy"));
}

TEST_F(FftProbes, DoNotNameOwnTwiddlesOfAnotherOrderOfSums) {
  write({64});
  write_text(directory / "n64/odd.npy", odd_roots(64, false));
  const Case where{.algorithm = "split-radix",
                   .mode = "fp64",
                   .machine = "ieee",
                   .tables = "file:" + (directory / "n64/odd.npy").string()};
  answer(64, run(where, 64));
  const std::vector<FftAnswer> answers = read_fft_probes(directory.path());

  const FftIdentification found = identify_fft(
      answers, {.file = [this](std::size_t) { return directory / "n64/twiddles.npy"; }});

  EXPECT_FALSE(found.fits());
  EXPECT_FALSE(std::filesystem::exists(directory / "n64/twiddles.npy"));
}

TEST_F(FftProbes, NameNothingThatDiffersInOneDigit) {
  for (const std::size_t part : {0u, 1u, 2u}) {
    SCOPED_TRACE(part);
    write({16, 64});
    const Case where{.algorithm = "radix2-dit", .machine = "ieee"};
    answer(16, run(where, 16));
    ComplexArray<double> device = run(where, 64);
    auto& values = part == 1 ? device.im : device.re;
    const std::size_t at = part == 2 ? 64 * 7 + 3 : values.size() - 17;
    values[at] = static_cast<double>(std::nextafter(static_cast<float>(values[at]), 10.0F));
    answer(64, device);

    const FftIdentification found = identified();

    EXPECT_FALSE(found.fits());
    EXPECT_THAT(found.names.front().lengths, ElementsAre(16));
    ASSERT_EQ(found.unnamed.size(), 1u);
    EXPECT_EQ(found.unnamed[0].n, 64u);
    EXPECT_EQ(found.unnamed[0].nearest.front().where.algorithm, "radix2-dit");
    EXPECT_EQ(found.unnamed[0].nearest.front().equal, 2 * device.size() - 1);
  }
}

TEST_F(FftProbes, NameAnAlgorithmForEachLengthWhereOneDoesNotDo) {
  write({16, 64, 100});
  const Case short_one{.algorithm = "stockham-r4", .machine = "ieee"};
  answer(16, run(short_one, 16));
  answer(64, run(short_one, 64));
  answer(100, run({.algorithm = "bluestein", .machine = "ieee"}, 100));

  const FftIdentification found = identified();

  EXPECT_TRUE(found.fits());
  ASSERT_EQ(found.names.size(), 2u);
  EXPECT_THAT(found.names[0].lengths, ElementsAre(16, 64));
  EXPECT_THAT(found.names[1].lengths, ElementsAre(100));
  EXPECT_EQ(found.names[1].where.algorithm, "bluestein");
}

TEST_F(FftProbes, SeeThatOnlyResultsAreRounded) {
  write({16, 64});
  for (const std::size_t n : {16u, 64u})
    answer(n, converted<double>(converted<float>(
                  run({.algorithm = "radix2-dif", .mode = "fp64", .machine = "ieee"}, n))));

  const FftIdentification found = identified();

  ASSERT_TRUE(found.fits());
  EXPECT_EQ(found.result, fp32);
  EXPECT_THAT(names_in(found), Contains("radix2-dif fp32:in=fp64 exact on ieee"));
  EXPECT_EQ(found.names.front().where.rounding_points, "ends");
}

TEST_F(FftProbes, PutThePlainestTwinFirst) {
  const FftName named =
      identified({.algorithm = "recursive", .machine = "ieee", .tables = "exact:in=fp32"}, {16, 64})
          .names.front();

  EXPECT_EQ(name_of(named.where), "radix2-dit fp32 exact on ieee");
  EXPECT_EQ(name_of(named.twins.front()), "recursive fp32 exact on ieee");
  EXPECT_FALSE(named.wider);
}

TEST_F(FftProbes, TellWhichLengthDecides) {
  const Case where{.algorithm = "stockham-r4", .machine = "ieee"};
  const FftIdentification found = identified(where, {16});

  EXPECT_THAT(names_in(found), Contains("mixed-radix fp32 exact on ieee"));
  EXPECT_GT(found.told_apart, 0u);
  EXPECT_EQ(found.telling_length, 64u);
  // A length that the first name does not take may be none of the program's.
  EXPECT_EQ(identified(where, {16, 64}).told_apart, 0u);
}

TEST_F(FftProbes, ReadTheTableOfAMatrixProduct) {
  constexpr std::size_t n = 16;
  const FftEvidence of_angles =
      identified({.algorithm = "dft-gemm", .tables = "fp32-angle:order=row-column"}, {n})
          .lengths.front();

  EXPECT_EQ(of_angles.entries, n * n);
  EXPECT_EQ(of_angles.tables.front().source, "fp32-angle:order=row-column");
  EXPECT_EQ(of_angles.tables.front().equal, n * n);
  EXPECT_LT(of_angles.tables[1].equal, n * n);

  const FftEvidence of_exact = identified({.algorithm = "dft-gemm"}, {n}).lengths.front();
  std::size_t sources = 0;
  for (const TableReading& each : of_exact.tables) sources += 1 + each.alike.size();
  EXPECT_EQ(sources, table_candidates().size());
  EXPECT_EQ(of_exact.tables.front().source, "exact");
  EXPECT_THAT(of_exact.tables.front().alike, Contains("exact:in=fp32"));
  EXPECT_EQ(of_exact.best_tables().front().source, "exact");
  EXPECT_EQ(of_exact.share(of_exact.tables.front()), 1);
}

TEST_F(FftProbes, SayThatNoneFits) {
  // Each part loses its last four bits: no arithmetic here truncates what it stores.
  write({16});
  ComplexArray<double> device = run({.algorithm = "radix2-dit"}, 16);
  for (auto* part : {&device.re, &device.im})
    for (double& value : *part) value = round(value, {20, -126, 127}, Rounding::rz);
  answer(16, device);

  const FftIdentification found = identified();

  EXPECT_FALSE(found.fits());
  EXPECT_TRUE(found.names.empty());
  EXPECT_EQ(found.lengths.front().bits, 20);
  const std::vector<FftNear>& nearest = found.unnamed.front().nearest;
  ASSERT_EQ(nearest.size(), 5u);
  EXPECT_LT(nearest.front().equal, nearest.front().parts);
  EXPECT_LT(nearest.front().distance, 2e-6);
  EXPECT_NEAR(found.lengths.front().error, nearest.front().distance, 1e-6);
  EXPECT_EQ(found.lengths.front().suspicion, "");
}

TEST_F(FftProbes, SuspectTheInverse) {
  constexpr std::size_t n = 16;
  write({n});
  ComplexArray<double> device = run({.algorithm = "radix2-dit"}, n);
  for (std::size_t i = 0; i < device.size(); i += n)
    for (auto* part : {&device.re, &device.im})
      std::reverse(part->begin() + static_cast<std::ptrdiff_t>(i + 1),
                   part->begin() + static_cast<std::ptrdiff_t>(i + n));
  answer(n, device);

  EXPECT_THAT(identified().lengths.front().suspicion, holds("perhaps"));
}

TEST_F(FftProbes, TakeFewRowsOfLongTransforms) {
  write({256, 4096});

  EXPECT_GE(inputs(256).size() / 256, 256u + noise_rows);
  EXPECT_LE(inputs(4096).size() / 4096, 130u);
}

TEST_F(FftProbes, ReadOtherRows) {
  constexpr std::size_t n = 16;
  write({n});
  const ComplexArray<double> all = inputs(n);
  // As earlier versions wrote them: impulses, tones and noise.
  ComplexArray<double> x = part_of(all, 0, n * n);
  const ComplexArray<double> last = part_of(all, all.size() - 8 * n, 8 * n);
  x.re.insert(x.re.end(), last.re.begin(), last.re.end());
  x.im.insert(x.im.end(), last.im.begin(), last.im.end());
  write_text(directory / "n16/x.npy", npy_bytes(x, {.shape = {n + 8, n}, .dtype = "c8"}));
  answer(n, run({.algorithm = "radix2-dit", .machine = "ieee"}, n));

  EXPECT_THAT(names_in(identified()), Contains("radix2-dit fp32 exact on ieee"));
}

TEST_F(FftProbes, RefuseOtherFiles) {
  write({16});
  const auto refusal = [&] { return error_text([&] { read_fft_probes(directory.path()); }); };
  EXPECT_THAT(refusal(), holds("no length has an answer"));
  const ComplexArray<double> x = inputs(16);
  write_text(directory / "n16/X.npy", npy_bytes(x));
  EXPECT_THAT(refusal(), holds("X.npy: shape (" + std::to_string(x.size()) + "), not (" +
                               std::to_string(x.size() / 16) + ", 16)"));
  write_text(directory / "n16/x.npy", npy_bytes(x));
  EXPECT_THAT(refusal(), holds("x.npy: shape ("));
  write_text(directory / "fft.toml", "lengths = [3]\n");
  EXPECT_THAT(refusal(), holds("n=3 is not in 4..4096"));
  EXPECT_THAT(error_text([&] {
                write_fft_probes(directory.path(), std::vector<std::size_t>{8, 16, 8});
              }),
              holds("n=8 is given twice"));
}

}  // namespace
}  // namespace fftprec::identify
