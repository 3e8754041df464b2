/// The largest error of any real input of four points in a format of 8 bits, by trying all 2^32:
///
///     fftprec_worst_of_all
///
/// prints, for each format and algorithm, the largest err_l2_rel, its share of the bound and an
/// input that has it. Inputs whose results overflow are left out. Exit code 1 if the largest error
/// is above its bound or is not the one that is kept here, if the emulation gives this input
/// another error, or if one of 4096 inputs drawn at random is worse.
///
/// Symmetries of the arithmetic spare inputs. Rounding to nearest even takes opposites to
/// opposites, and sums commute, so four changes of x keep the 2-norm of the error:
/// 1. -x for x.
/// 2. In radix 2 and in exact sums x2 and x0 exchanged: x0 - x2, a part of results 1 and 3, changes
///    its sign.
/// 3. (-x1, -x3) for (x1, x3): results 0 and 2 exchange, and so do 1 and 3.
/// 4. In radix 2 and in exact sums (x1, x3) exchanged with (x0, x2): result 2 changes its sign, and
///    the parts of results 1 and 3 exchange.
/// Powers of two are no symmetry: large values overflow, and small sums are exact.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "arith/formats/round.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/search/worst_input.hpp"

namespace fftprec::exhaustive {

namespace {

using Four = std::array<double, 4>;

/// The largest relative square so far.
struct Worst {
  double square = 0;  ///< of the relative error
  Four input{};

  void note(double error_square, double energy, const Four& x) {
    const double relative = error_square / (4 * energy);
    if (!(relative > square) || std::isinf(error_square)) return;  // inf - inf is NaN
    square = relative;
    input = x;
  }
};

double square(double x) { return x * x; }

/// The finite values of a format of 8 bits, ascending, and its rounding.
class Values {
 public:
  explicit Values(const Format& format) : format_(format) {
    for (std::uint64_t code = 0; code < 256; ++code) {
      const double value = value_of_code(code, format);
      if (std::isfinite(value) && !(value == 0 && std::signbit(value))) finite_.push_back(value);
    }
    std::ranges::sort(finite_);
  }
  const std::vector<double>& finite() const { return finite_; }
  double rounded(double x) const { return round(x, format_, Rounding::rne); }

 private:
  Format format_;
  std::vector<double> finite_{};
};

/// Two of the inputs, a >= |b|, and what both kinds of transforms take from them.
struct Pair {
  double a, b;
  double sum, rounded_sum;
  double difference_square;  ///< of the error of a - b
  double energy;
};

std::vector<Pair> pairs_of(const Values& values) {
  std::vector<Pair> pairs;
  for (const double a : values.finite())
    for (const double b : values.finite())
      if (a >= std::abs(b))
        pairs.push_back({a, b, a + b, values.rounded(a + b),
                         square(values.rounded(a - b) - (a - b)), square(a) + square(b)});
  return pairs;
}

/// Pairs (x0, x2) and (x1, x3). `first` is the sum of a pair as results 0 and 2 take it.
Worst worst_of_pairs(const Values& values, double Pair::*first) {
  Worst worst;
  const std::vector<Pair> pairs = pairs_of(values);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const Pair& p = pairs[i];
      const Pair& q = pairs[j];
      const double sum = values.rounded(p.*first + q.*first) - (p.sum + q.sum);
      const double difference = values.rounded(p.*first - q.*first) - (p.sum - q.sum);
      const double apart = 2 * (p.difference_square + q.difference_square);
      worst.note(square(sum) + square(difference) + apart, p.energy + q.energy,
                 {p.a, q.a, p.b, q.b});
    }
  return worst;
}

Worst worst_radix2(const Values& values) { return worst_of_pairs(values, &Pair::rounded_sum); }
/// A matrix product whose exact sums are rounded once.
Worst worst_sums(const Values& values) { return worst_of_pairs(values, &Pair::sum); }

/// A matrix product whose every sum is rounded, one after the other.
Worst worst_chain(const Values& values) {
  Worst worst;
  const std::vector<double>& all = values.finite();
  const std::size_t count = all.size();
  std::vector<double> sums(count * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) sums[i * count + j] = values.rounded(all[i] + all[j]);
  for (const double x0 : all)
    for (std::size_t j = 0; j < count; ++j) {
      const double x1 = all[j];
      if (x0 < 0 || x1 < 0) continue;
      const double up = values.rounded(x0 + x1);
      const double down = values.rounded(x0 - x1);
      if (std::isinf(up) || std::isinf(down)) continue;
      for (std::size_t k = 0; k < count; ++k) {
        const double x2 = all[k];
        const double high = values.rounded(up + x2);
        const double low = values.rounded(down + x2);
        const double apart = 2 * square(values.rounded(x0 - x2) - (x0 - x2));
        if (std::isinf(high) || std::isinf(low) || std::isinf(apart)) continue;
        const auto at = [&](double value) {
          return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), value) -
                                          all.begin());
        };
        const double* of_high = &sums[at(high) * count];
        const double* of_low = &sums[at(low) * count];
        const double* of_minus = &sums[at(-x1) * count];
        const double energy = square(x0) + square(x1) + square(x2);
        for (std::size_t l = 0; l < count; ++l) {
          const double x3 = all[l];
          const double first = of_high[l] - (x0 + x1 + x2 + x3);
          const double third = of_low[count - 1 - l] - (x0 - x1 + x2 - x3);
          const double error = of_minus[l] - (x3 - x1);
          worst.note(square(first) + square(third) + apart + 2 * square(error), energy + square(x3),
                     {x0, x1, x2, x3});
        }
      }
    }
  return worst;
}

struct Space {
  const char* algorithm;
  const char* format;
  const char* machine;
  Worst (*find)(const Values& values);
  double kept;  ///< the largest err_l2_rel
};

constexpr Space spaces[] = {
    {"radix2-dit", "fp8_e4m3", "ieee", worst_radix2, 0.098475580099193979},
    {"radix2-dit", "fp8_e5m2", "ieee", worst_radix2, 0.17806548535067299},
    {"dft-gemm", "fp8_e4m3", "ieee{eviction=fp8_e4m3}", worst_sums, 0.058822752550726082},
    {"dft-gemm", "fp8_e5m2", "ieee{eviction=fp8_e5m2}", worst_sums, 0.11109151997790565},
    {"dft-gemm", "fp8_e4m3", "ieee{accumulate.format=fp8_e4m3}", worst_chain, 0.13835613322812138},
    {"dft-gemm", "fp8_e5m2", "ieee{accumulate.format=fp8_e5m2}", worst_chain, 0.2469323991623974},
};

ComplexArray<double> input_of(const Four& x) {
  ComplexArray<double> input(4);
  for (std::size_t i = 0; i < 4; ++i) input.re[i] = x[i];
  return input;
}

bool near(double x, double y) { return std::abs(x - y) <= 1e-12 * std::max(x, y); }

bool judged(const Space& space) {
  const Format format = format_named(space.format);
  const Values values(format);
  const Worst worst = space.find(values);
  const double largest = std::sqrt(worst.square);
  const Case where{
      .algorithm = space.algorithm, .mode = space.format, .machine = space.machine, .n = 4};
  const ComplexArray<double> input = input_of(worst.input);
  const double error = search::InputJudge(where, "err_l2_rel", 1).scores({&input, 1}).front();
  const double share =
      search::InputJudge(where, std::string(err_over_bound), 1).scores({&input, 1}).front();
  bool good = near(error, largest) && near(space.kept, largest) && share <= 1;
  std::printf("| %s | %s | %s | %.5f | %.4f | %g %g %g %g |\n", space.algorithm, space.format,
              space.machine, largest, share, worst.input[0], worst.input[1], worst.input[2],
              worst.input[3]);
  if (!near(error, largest)) std::printf("  the emulation has %.17g\n", error);
  if (!near(space.kept, largest))
    std::printf("  it is %.17g, kept here: %.17g\n", largest, space.kept);
  // No input may be worse by the emulation.
  std::mt19937_64 draws(1);
  std::vector<ComplexArray<double>> others;
  for (std::size_t i = 0; i < 4096; ++i) {
    Four x{};
    for (double& part : x) part = values.finite()[draws() % values.finite().size()];
    others.push_back(input_of(x));
  }
  std::size_t compared = 0;
  for (const double score : search::InputJudge(where, "err_l2_rel", 1).scores(others)) {
    if (!std::isfinite(score)) continue;  // overflow
    ++compared;
    if (score <= largest * (1 + 1e-12)) continue;
    std::printf("  the emulation finds a worse one: %.17g\n", score);
    good = false;
  }
  if (compared < 1000) good = false;
  return good;
}

}  // namespace

int run() {
  std::puts("| algorithm | format | machine | largest error | of its bound | input |");
  std::puts("| --- | --- | --- | ---: | ---: | --- |");
  bool good = true;
  for (const Space& space : spaces) good = judged(space) && good;
  return good ? 0 : 1;
}

}  // namespace fftprec::exhaustive

int main() { return fftprec::exhaustive::run(); }
