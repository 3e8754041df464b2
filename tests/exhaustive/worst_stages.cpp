/// The largest relative error of each stage of radix2-dit in bf16, over all data in bf16:
///
///     fftprec_worst_stages
///
/// prints for each stage this maximum and the bound of the theorem, and for each n the product of
/// both over its stages: no error of radix2-dit is above the first one, as long as nothing
/// overflows or is below the normal numbers. Exit code 1 if a maximum is above its bound or is not
/// the one that is kept here, or if one of 10^5 random butterflies is worse.
///
/// The butterflies of a stage are independent, so the stage errs by at most as much as its worst
/// butterfly (a, b) -> (a + w b, a - w b), relative to its norm sqrt(2 (|a|^2 + |b|^2)). The
/// largest ratio is the root L of max (error^2 - L norm^2) (Dinkelbach 1967). For given b the parts
/// of a are independent. With t the computed part of w b, d = t - the exact part, r and s the
/// rounding errors of a + t and a - t, the part contributes (r + d)^2 + (s - d)^2 - 2 L a^2, which
/// is linear in d but for 2 d^2: so of all a only the upper envelope of lines is needed, one for
/// each significand of t. All significands and differences of exponents are tried, up to 12
/// binades: farther apart the smaller number is lost (17 binades give the same maxima). Opposites,
/// exchanges of the parts and powers of two change no ratio: angles from 0 to pi/4 are enough.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

#include "arith/formats/round.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::exhaustive {

namespace {

constexpr int binades = 12;
constexpr double u = 0x1p-8;

double rounded(double x) { return round(x, bf16, Rounding::rne); }
double square(double x) { return x * x; }

/// The upper envelope of lines value + slope d.
class Envelope {
 public:
  struct Line {
    double slope, value, a;
  };

  void add(const Line& line) { lines_.push_back(line); }
  void finish() {
    std::ranges::sort(lines_, [](const Line& a, const Line& b) {
      return a.slope != b.slope ? a.slope < b.slope : a.value < b.value;
    });
    std::vector<Line> kept;
    for (const Line& line : lines_) {
      if (!kept.empty() && kept.back().slope == line.slope) kept.pop_back();
      while (kept.size() > 1 && is_below(kept[kept.size() - 2], kept.back(), line)) kept.pop_back();
      kept.push_back(line);
    }
    lines_ = std::move(kept);
  }
  /// The line that is highest at d.
  const Line& at(double d) const {
    std::size_t low = 0;
    for (std::size_t high = lines_.size() - 1; low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (of(middle, d) < of(middle + 1, d))
        low = middle + 1;
      else
        high = middle;
    }
    return lines_[low];
  }

 private:
  static bool is_below(const Line& a, const Line& b, const Line& c) {
    return (c.value - a.value) * (b.slope - a.slope) >= (b.value - a.value) * (c.slope - a.slope);
  }
  double of(std::size_t i, double d) const { return lines_[i].value + lines_[i].slope * d; }

  std::vector<Line> lines_{};
};

/// For t = (128 + i)/128, over all a.
std::vector<Envelope> envelopes(double ratio_square) {
  std::vector<Envelope> all(128);
  for (int i = 0; i < 128; ++i) {
    const double t = 1 + i / 128.0;
    const auto add = [&](double a) {
      const double r = rounded(a + t) - (a + t);
      const double s = rounded(a - t) - (a - t);
      all[static_cast<std::size_t>(i)].add(
          {2 * (r - s), square(r) + square(s) - 2 * ratio_square * square(a), a});
    };
    add(0);
    for (int exponent = -binades; exponent <= binades; ++exponent)
      for (int m = 128; m < 256; ++m)
        for (const int sign : {-1, 1}) add(sign * std::ldexp(m, exponent - 7));
    all[static_cast<std::size_t>(i)].finish();
  }
  return all;
}

struct Product {
  std::complex<double> computed, exact;
};

Product product_of(std::complex<double> w, std::complex<double> exact_w, std::complex<double> b) {
  const auto times = [](double x, double y) { return rounded(x * y); };
  return {{rounded(times(w.real(), b.real()) - times(w.imag(), b.imag())),
           rounded(times(w.real(), b.imag()) + times(w.imag(), b.real()))},
          exact_w * b};
}

/// The butterfly with the largest error^2 - ratio^2 norm^2, relative to the norm of b: its error^2
/// over its norm^2. Above ratio^2 if some butterfly has a larger ratio, else not.
double best_ratio_square(std::complex<double> w, std::complex<double> exact_w,
                         const std::vector<Envelope>& envelopes, double ratio_square) {
  double largest = -1, error_square = 0, norm_square = 1;
  const auto try_b = [&](std::complex<double> b) {
    const auto [computed, exact] = product_of(w, exact_w, b);
    double error = 0, norm = 2 * std::norm(b);
    for (const auto& [t, wb] :
         {std::array{computed.real(), exact.real()}, std::array{computed.imag(), exact.imag()}}) {
      const double d = t - wb;
      if (t == 0) {
        error += 2 * square(d);
        continue;
      }
      int exponent = 0;
      const double significand = 2 * std::frexp(std::abs(t), &exponent);
      const double unit = std::ldexp(1.0, exponent - 1);
      const double scaled = (t < 0 ? -d : d) / unit;
      const auto i = static_cast<std::size_t>(significand * 128) - 128;
      const Envelope::Line& line = envelopes[i].at(scaled);
      const double of_a = 2 * square(line.a);
      error += square(unit) *
               (line.value + ratio_square * of_a + line.slope * scaled + 2 * square(scaled));
      norm += square(unit) * of_a;
    }
    const double excess = (error - ratio_square * norm) / std::norm(b);
    if (excess <= largest) return;
    largest = excess;
    error_square = error;
    norm_square = norm;
  };
  for (int m = 128; m < 256; ++m) {
    const double first = m / 128.0;
    try_b({first, 0});
    try_b({0, first});
    for (int exponent = 0; exponent >= -binades; --exponent)
      for (int k = 128; k < 256; ++k)
        for (const int sign : {-1, 1}) {
          const double second = sign * std::ldexp(k, exponent - 7);
          try_b({first, second});
          try_b({second, first});
        }
  }
  return error_square / norm_square;
}

/// The largest relative error of a butterfly with exp(-2 pi i k/n), in u, if it is above `known`;
/// else `known`.
double worst_butterfly(double k, double n, double known) {
  const double angle = 2 * std::numbers::pi * k / n;
  const std::complex<double> exact(std::cos(angle), -std::sin(angle));
  const std::complex<double> w(rounded(exact.real()), rounded(exact.imag()));
  for (double square_so_far = square(known * u);;) {
    const double next = best_ratio_square(w, exact, envelopes(square_so_far), square_so_far);
    if (next <= square_so_far * (1 + 1e-12)) return std::sqrt(square_so_far) / u;
    square_so_far = next;
  }
}

/// Of random butterflies with that factor, in u.
double worst_of_random(double k, double n) {
  const double angle = 2 * std::numbers::pi * k / n;
  const std::complex<double> exact(std::cos(angle), -std::sin(angle));
  const std::complex<double> w(rounded(exact.real()), rounded(exact.imag()));
  std::mt19937_64 draws(1);
  const auto part = [&] {
    return std::ldexp(static_cast<double>(128 + draws() % 128), static_cast<int>(draws() % 6)) *
           (draws() % 2 == 0 ? 1 : -1);
  };
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::complex<double> a(part(), part()), b(part(), part());
    const auto [t, wb] = product_of(w, exact, b);
    double error = 0;
    for (const auto& [x, y, z] :
         {std::array{a.real(), t.real(), wb.real()}, std::array{a.imag(), t.imag(), wb.imag()}})
      error += square(rounded(x + y) - (x + z)) + square(rounded(x - y) - (x - z));
    worst = std::max(worst, std::sqrt(error / (2 * (std::norm(a) + std::norm(b)))));
  }
  return worst / u;
}

double bound_of(std::size_t n) {
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .machine = "ieee", .n = n};
  return Session().plan(where).prediction()->bound.worst;
}

constexpr double kept[] = {0.996101, 0.996101, 2.333617, 2.761902, 2.761902, 2.761902};

}  // namespace

int run() {
  std::puts("| n | last stage, largest, u | its bound, u | all stages, largest, u | bound, u |");
  std::puts("| ---: | ---: | ---: | ---: | ---: |");
  bool good = true;
  double all = 1;
  double before = 1;
  double worst = 0.5;
  for (std::size_t stage = 1; stage <= std::size(kept); ++stage) {
    const std::size_t n = std::size_t{1} << stage;
    double random = 0;
    // The factors of earlier stages are among those of this one.
    for (std::size_t k = 0; k <= n / 8; ++k) {
      if (k % 2 == 0 && k > 0) continue;
      const auto at = static_cast<double>(k);
      worst = worst_butterfly(at, static_cast<double>(n), worst);
      random = std::max(random, worst_of_random(at, static_cast<double>(n)));
    }
    all *= 1 + worst * u;
    const double bound = bound_of(n);
    std::printf("| %zu | %.6f | %.3f | %.3f | %.3f |\n", n, worst, ((1 + bound) / before - 1) / u,
                (all - 1) / u, bound / u);
    if (worst * u > (1 + bound) / before - 1 || random > worst) good = false;
    if (std::abs(worst - kept[stage - 1]) > 1e-5) {
      std::printf("  kept here: %.6f\n", kept[stage - 1]);
      good = false;
    }
    std::fflush(stdout);
    before = 1 + bound;
  }
  return good ? 0 : 1;
}

}  // namespace fftprec::exhaustive

int main() { return fftprec::exhaustive::run(); }
