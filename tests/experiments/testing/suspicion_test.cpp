/// What a result that is not the truth may be: each suspect on data with rounding errors of several
/// formats, and none on right results.
#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::holds;

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

Values values_of(const ComplexArray<double>& x) {
  Values values(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) values[i] = {x.re[i], x.im[i]};
  return values;
}
ComplexArray<double> array_of(const Values& values) {
  ComplexArray<double> x(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    x.re[i] = values[i].real();
    x.im[i] = values[i].imag();
  }
  return x;
}

ForeignProblem problem_of(const std::string& transform, std::size_t n, const Values& x) {
  return foreign_problem(transform, n, Samples{array_of(x), {x.size()}});
}

Values gaussian(std::size_t count, std::uint64_t seed, bool real = false) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Values x(count);
  for (Complex& value : x) {
    const double re = normal(generator);
    value = {re, real ? 0 : normal(generator)};
  }
  return x;
}

Values transform_of(const std::string& transform, std::size_t n, const Values& x) {
  return values_of(problem_of(transform, n, x).problem.truth.hi);
}

/// y with errors as they are of a transform in the format.
ComplexArray<double> computed(const Values& y, const Format& format, std::uint64_t seed = 9) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  double squares = 0;
  for (const Complex& value : y) squares += std::norm(value);
  const double size = unit_roundoff(format) * std::sqrt(squares / static_cast<double>(y.size()));
  ComplexArray<double> result = array_of(y);
  for (auto* part : {&result.re, &result.im}) {
    for (double& value : *part) value += size * normal(generator);
    round(std::span<double>(*part), format);
  }
  return result;
}

constexpr std::size_t n = 64;
constexpr std::size_t batch = 5;

/// y_k of every item is t at place(k).
Values moved(const Values& t, const std::function<std::size_t(std::size_t)>& place,
             std::size_t size = n) {
  Values y(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) y[i] = t[i - i % size + place(i % size)];
  return y;
}
Values changed(Values t, const std::function<Complex(Complex, std::size_t)>& change,
               std::size_t size = n) {
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = change(t[i], i % size);
  return t;
}
std::size_t reversed(std::size_t k, const std::vector<std::size_t>& radices) {
  std::size_t result = 0;
  for (const std::size_t radix : radices) {
    result = result * radix + k % radix;
    k /= radix;
  }
  return result;
}
double hann(std::size_t j, std::size_t period) {
  return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(j) /
                              static_cast<double>(period));
}

/// What somebody's program made of x, and what is to be said of it.
struct Fault {
  std::string says;
  std::string transform;
  std::size_t n;
  Values x;
  Values y;
};

std::vector<Fault> faults() {
  const Values x = gaussian(batch * n, 1);
  const Values real = gaussian(batch * n, 2, true);
  const Values t = transform_of("fft", n, x);
  const Values of_real = transform_of("fft", n, real);
  std::vector<Fault> all;
  const auto of_fft = [&](std::string says, Values y) {
    all.push_back({std::move(says), "fft", n, x, std::move(y)});
  };
  const auto at = [&](std::string says, std::size_t place, Complex value) {
    Values y = t;
    y[place] = value;
    of_fft(std::move(says), y);
  };
  of_fft("the exponent has the other sign", moved(t, [](std::size_t k) { return (n - k) % n; }));
  of_fft("the values are conjugated",
         changed(t, [](Complex v, std::size_t) { return std::conj(v); }));
  of_fft("real and imaginary parts are swapped",
         changed(t, [](Complex v, std::size_t) { return Complex(v.imag(), v.real()); }));
  of_fft("the imaginary parts are lost",
         changed(t, [](Complex v, std::size_t) { return Complex(v.real(), 0); }));
  of_fft("the values are magnitudes",
         changed(t, [](Complex v, std::size_t) { return Complex(std::abs(v), 0); }));
  of_fft("the truth times -1;", changed(t, [](Complex v, std::size_t) { return -v; }));
  of_fft("the truth times i;",
         changed(t, [](Complex v, std::size_t) { return Complex(0, 1) * v; }));
  of_fft("the truth times 1 + 2 i;",
         changed(t, [](Complex v, std::size_t) { return Complex(1, 2) * v; }));
  of_fft("the truth times 1.3;", changed(t, [](Complex v, std::size_t) { return 1.3 * v; }));
  of_fft("the truth times 2/N;", changed(t, [](Complex v, std::size_t) { return v / 32.0; }));
  of_fft("1/N of the truth: --norm forward?",
         changed(t, [](Complex v, std::size_t) { return v / 64.0; }));
  of_fft("1/sqrt(N) of the truth: --norm ortho?",
         changed(t, [](Complex v, std::size_t) { return v / 8.0; }));
  of_fft("the values are in bit-reversed order", moved(t, [](std::size_t k) {
           return reversed(k, {2, 2, 2, 2, 2, 2});
         }));
  of_fft("the order of reversed digits of base 4", moved(t, [](std::size_t k) {
           return reversed(k, {4, 4, 4});
         }));
  of_fft("the order of reversed digits of base 8", moved(t, [](std::size_t k) {
           return reversed(k, {8, 8});
         }));
  of_fft("zero frequency is in the middle",
         moved(t, [](std::size_t k) { return (k + n / 2) % n; }));
  of_fft("every second value is negated",
         changed(t, [](Complex v, std::size_t k) { return k % 2 == 0 ? v : -v; }));
  of_fft("the values are shifted up by one",
         moved(t, [](std::size_t k) { return (k + n - 1) % n; }));
  of_fft("the values are shifted down by one", moved(t, [](std::size_t k) { return (k + 1) % n; }));
  of_fft("the input is shifted up by one",
         transform_of("fft", n, moved(x, [](std::size_t j) { return (j + n - 1) % n; })));
  of_fft("the values are in reverse order", moved(t, [](std::size_t k) { return n - 1 - k; }));
  of_fft("each item is in the place of the next one",
         moved(
             t, [](std::size_t i) { return (i + batch * n - n) % (batch * n); }, batch * n));
  of_fft("the batch is along the last axis",
         moved(
             t, [](std::size_t i) { return i % batch * n + i / batch; }, batch * n));
  of_fft("the imaginary parts of the input are lost",
         transform_of("fft", n,
                      changed(x, [](Complex v, std::size_t) { return Complex(v.real(), 0); })));
  of_fft(
      "under a window, Hann's;",
      transform_of("fft", n, changed(x, [](Complex v, std::size_t j) { return hann(j, n) * v; })));
  of_fft("under a window, Hann's (symmetric), and every value is the truth over the window's sum",
         transform_of("fft", n, changed(x, [](Complex v, std::size_t j) {
                        return hann(j, n - 1) * v / 31.5;
                      })));
  of_fft("the transform runs along axes 0 and 1 of 5 x 64 (--transform fft2:rows=5)",
         transform_of("fft2:rows=5", n, x));
  of_fft("all items are one long transform", transform_of("fft", batch * n, x));
  at("only element 7 of item 3 is wrong: it is twice the truth", 3 * n + 7, 2.0 * t[3 * n + 7]);
  at("only element 9 of item 4 is wrong: it is 0;", 4 * n + 9, 0);
  at("only element 2 of item 0 is wrong;", 2, t[2] + Complex(90, -70));
  const Values offset = changed(x, [](Complex v, std::size_t) { return v + 3.0; });
  all.push_back(
      {"only element 0 of every item is wrong: it is 0, as if the mean had been taken out", "fft",
       n, offset, changed(transform_of("fft", n, offset), [](Complex v, std::size_t k) {
         return k == 0 ? 0 : v;
       })});
  Values item = t;
  for (std::size_t k = 0; k < n; ++k) item[2 * n + k] = t[2 * n + (k + n / 2) % n];
  of_fft("only item 2 of 5 is wrong: zero frequency is in the middle", item);
  for (std::size_t k = 0; k < n; ++k) item[2 * n + k] = t[3 * n + k];
  of_fft("only item 2 of 5 is wrong: it is what item 3 should be", item);
  const auto upper = [&](std::string says, const std::function<Complex(std::size_t)>& value) {
    Values y = of_real;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i % n > n / 2) y[i] = value(i);
    all.push_back({std::move(says), "fft", n, real, y});
  };
  upper("the upper half of the spectrum is not conjugated",
        [&](std::size_t i) { return std::conj(of_real[i]); });
  upper("the upper half of the spectrum is 0", [](std::size_t) { return Complex(); });
  upper("mirrored one element too early",
        [&](std::size_t i) { return of_real[i - i % n + (i + 1) % n]; });
  const Values image = gaussian(batch * n, 3);
  const Values of_axes = transform_of("fft2:rows=5", n, image);
  const auto of_image = [&](std::string says, Values y) {
    all.push_back({std::move(says), "fft2:rows=5", n, image, std::move(y)});
  };
  of_image("the transform runs along axis 1 of 5 x 64", transform_of("fft", n, image));
  of_image("the transform runs along axes 0 and 1 of 64 x 5",
           transform_of("fft2:rows=64", 5, image));
  of_image("the axes of the result are in reverse order",
           moved(
               of_axes, [](std::size_t i) { return i % batch * n + i / batch; }, batch * n));
  const Values half = transform_of("rfft", n, real);
  all.push_back({"all values but those of frequency 0 and n/2 are doubled", "rfft", n, real,
                 changed(
                     half, [](Complex v, std::size_t k) { return k % (n / 2) == 0 ? v : 2.0 * v; },
                     n / 2 + 1)});
  const Values mixed = gaussian(72, 4);
  all.push_back({"reversed digits, one for each prime factor", "fft", 72, mixed,
                 moved(
                     transform_of("fft", 72, mixed),
                     [](std::size_t k) {
                       return reversed(k, {3, 3, 2, 2, 2});
                     },
                     72)});
  return all;
}

TEST(Suspicion, NamesWhatAResultIsThroughTheRoundingsOfEveryFormat) {
  for (const Fault& fault : faults()) {
    const ForeignProblem asked = problem_of(fault.transform, fault.n, fault.x);
    for (const Format& format : {fp64, fp32, fp16})
      EXPECT_THAT(suspicion(asked, computed(fault.y, format), format), holds(fault.says))
          << to_string(format);
  }
}

TEST(Suspicion, SaysHowFarOffTheResultIsOtherwise) {
  const Values x = gaussian(n, 5);
  const ForeignProblem asked = problem_of("fft", n, x);
  Values y = transform_of("fft", n, x);
  for (Complex& value : y) value *= 4;
  for (const Format& format : {fp64, fp32}) {
    const ComplexArray<double> noisy = computed(y, format);
    ForeignProblem scaled = asked;
    for (auto* array : {&scaled.problem.truth.hi, &scaled.problem.truth.lo})
      for (auto* part : {&array->re, &array->im})
        for (double& value : *part) value *= 4;
    const double rest = *measure_result(scaled, noisy, format).err_l2_rel;
    const std::string text = suspicion(asked, noisy, format);
    const std::string key = "without the factor err_l2_rel is ";
    ASSERT_THAT(text, holds("the truth times 4; " + key));
    EXPECT_NEAR(std::stod(text.substr(text.find(key) + key.size())), rest, 0.02 * rest);
  }
}

TEST(Suspicion, GivesAFactorInTheDigitsThatAreKnown) {
  const Values x = gaussian(100, 6);
  const Values t = transform_of("ifft", 100, x);
  const auto said = [&](double factor, const Format& format) {
    Values y = t;
    for (Complex& value : y) value *= factor;
    return suspicion(problem_of("ifft", 100, x), computed(y, format), format);
  };
  constexpr double tenth = 1.1F;
  EXPECT_THAT(said(1.01, fp64), holds("perhaps every value is the truth times 1.01; without"));
  EXPECT_THAT(said(1.01, fp32), holds("perhaps every value is the truth times 1.01; without"));
  EXPECT_THAT(said(tenth, fp32), holds("the truth times 1.1;"));
  EXPECT_THAT(said(tenth, fp64), holds("the truth times 1.100000023841858: 1.1 rounded to fp32?"));
  EXPECT_THAT(said(100 * double{0.01F}, fp64), holds("1/N rounded to fp32?"));
  EXPECT_EQ(said(100 * double{0.01F}, fp32), "");  // lost in the roundings of fp32
  EXPECT_THAT(said(100, fp32), holds("N times the truth: --norm forward?"));
}

TEST(Suspicion, FindsTheSquaresOfAChirpThatOverflow) {
  constexpr std::size_t size = 70001;
  Values x(size);
  const Values few = gaussian(12, 7);
  std::vector<std::size_t> places;
  for (const Complex& value : few) {
    places.push_back((places.size() * 5801 + 3) % size);
    x[places.back()] = value;
  }
  const ForeignProblem asked = problem_of("fft", size, x);
  for (const bool is_signed : {true, false}) {
    std::vector<Complex> chirp(size);
    for (std::size_t k = 0; k < size; ++k) {
      const auto square = static_cast<std::uint32_t>(k * k);
      const std::int64_t seen =
          is_signed ? std::int64_t{static_cast<std::int32_t>(square)} : std::int64_t{square};
      const auto order = static_cast<std::int64_t>(2 * size);
      chirp[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(seen % order) /
                                     static_cast<double>(order));
    }
    Values y(size);
    for (std::size_t k = 0; k < size; ++k)
      for (const std::size_t j : places) {
        const std::size_t distance = k > j ? k - j : j - k;
        y[k] += x[j] * chirp[j] * std::conj(chirp[distance]) * chirp[k];
      }
    EXPECT_THAT(suspicion(asked, computed(y, fp32), fp32),
                holds(is_signed ? "chirp overflow 32 bits;" : "overflow 32 bits without a sign"));
  }
}

TEST(Suspicion, SeesAShorterTypeOnTheWayOfFp64) {
  const Values x = gaussian(batch * n, 8);
  const ForeignProblem asked = problem_of("fft", n, x);
  const Values t = transform_of("fft", n, x);
  for (const auto& [name, format] : {std::pair{"fp32", fp32}, {"fp16", fp16}, {"bf16", bf16}}) {
    EXPECT_THAT(suspicion(asked, computed(t, format), fp64),
                holds(std::string("a result in ") + name));
    EXPECT_EQ(suspicion(asked, computed(t, format), format), "");
    ComplexArray<double> rounded = array_of(x);
    round(std::span<double>(rounded.re), format);
    round(std::span<double>(rounded.im), format);
    EXPECT_THAT(suspicion(asked, computed(transform_of("fft", n, values_of(rounded)), fp64), fp64),
                holds(std::string("the input was rounded to ") + name));
    ComplexArray<double> later = computed(t, format);
    for (double& value : later.re) value *= 1 + 0x1p-50;
    EXPECT_THAT(suspicion(asked, later, fp64),
                holds(std::string("intermediate step is in ") + name));
  }
}

TEST(Suspicion, LeavesInfinitiesAndNanToTheirOwnSentence) {
  const Values x = gaussian(4, 9);
  const ForeignProblem asked = problem_of("fft", 4, x);
  ComplexArray<double> y(4);
  y.im[0] = HUGE_VAL;
  EXPECT_EQ(suspicion(asked, y), "");
  EXPECT_EQ(non_finite(asked, y),
            "1 of 4 values are infinite or NaN, the first at item 0, index 0");
}

/// Data of which many transforms coincide, and others.
std::vector<Values> kinds_of_data(std::size_t size, std::uint64_t seed) {
  std::vector<Values> all;
  const auto add = [&](const std::function<Complex(double)>& value) {
    Values x(size);
    for (std::size_t j = 0; j < size; ++j) x[j] = value(static_cast<double>(j));
    all.push_back(x);
  };
  const double turn = 2 * std::numbers::pi / static_cast<double>(size);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  const Values noise = gaussian(size, seed, true);
  add([](double) { return Complex(); });
  add([](double) { return Complex(1.1, 0); });
  add([](double j) { return j == 1 ? Complex(3.7, 0.3) : Complex(); });
  add([&](double j) { return std::polar(1.1, 3 * turn * j); });
  add([&](double j) { return Complex(0.3 * std::cos(2 * turn * j), 0); });
  add([&](double j) { return Complex(std::cos(2.3 * turn * j), 0); });
  add([&](double j) {
    const auto at = static_cast<std::size_t>(j);
    return noise[at] + noise[(size - at) % size];
  });
  add([&](double) { return Complex(1000 + normal(generator), 0); });
  add([](double j) { return Complex(j, 0); });
  add([&](double) { return Complex(static_cast<double>(generator() % 2), 0); });
  add([&](double) { return Complex(generator() % 2 == 0 ? 1.1 : -1.1, 0); });
  add([&](double j) { return std::polar(1.1, turn / 2 * j * j); });
  all.push_back(noise);
  all.push_back(gaussian(size, seed + 1));
  return all;
}

TEST(Suspicion, SaysNothingOfRightResults) {
  struct Program {
    const char* algorithm;
    const char* mode;
    const char* machine;
    Format format;
  };
  const Program programs[] = {
      {"radix2-dit", "fp64", "ieee", fp64},       {"radix2-dit", "fp32", "ieee", fp32},
      {"stockham-mixed", "fp32", "trn-rz", fp32}, {"dft-gemm", "fp32", "trn", fp32},
      {"dft-gemm", "bf16", "trn-rz", bf16},       {"stockham-mixed", "fp16", "nv-hopper", fp16},
      {"bluestein", "fp64", "ieee", fp64},        {"radix2-dit", "fp8_e4m3", "trn", fp8_e4m3}};
  std::size_t judged = 0;
  for (const Program& program : programs)
    for (const std::size_t size : {1u, 2u, 4u, 8u, 32u, 64u})
      for (const std::uint64_t seed : {1u, 2u}) {
        const std::vector<Values> kinds = kinds_of_data(size, 100 * seed + size);
        Values all;
        for (const Values& x : kinds) all.insert(all.end(), x.begin(), x.end());
        const Case where{.algorithm = program.algorithm,
                         .mode = program.mode,
                         .machine = program.machine,
                         .n = size,
                         .batch = kinds.size()};
        ForeignProblem asked = problem_of("fft", size, all);
        if (program.format == fp8_e4m3) {
          ComplexArray<double> small = asked.problem.input;
          for (auto* part : {&small.re, &small.im})
            for (double& value : *part) value = value > 4 ? 1 : value;
          asked = problem_of("fft", size, values_of(small));
        }
        Output output;
        try {
          output = run_in_mode(algorithm_named(where.algorithm), where, asked.problem.input);
        } catch (const NotApplicable&) {  // a length that the algorithm cannot do
          continue;
        }
        // Results are also kept in wider types than they are computed in. Then that the input was
        // rounded is no error of theirs, but true where nothing else rounds, as of n = 2 and 4.
        const auto judge = [&](const ForeignProblem& of, const ComplexArray<double>& y) {
          const std::string place = std::string(program.algorithm) + " " + program.mode +
                                    ", n = " + std::to_string(size) + ", batch " +
                                    std::to_string(of.where.batch);
          EXPECT_EQ(suspicion(of, y, program.format), "") << place;
          if (program.format.precision >= fp32.precision) return;
          const std::string text = suspicion(of, y, fp32);
          EXPECT_TRUE(text.empty() || (size <= 4 && text.find("was rounded") != text.npos))
              << place << ": " << text;
        };
        judge(asked, output.values);
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
          judge(problem_of("fft", size, values_of(part_of(asked.problem.input, kind * size, size))),
                part_of(output.values, kind * size, size));
          ++judged;
        }
      }
  EXPECT_GT(judged, 1000u);
}

}  // namespace
}  // namespace fftprec
