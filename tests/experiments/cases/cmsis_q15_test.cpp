/// A published FFT of 16-bit integers, arm_cfft_q15 of CMSIS-DSP without ARM_MATH_DSP, transcribed
/// from a description of what it computes: it has the signal-to-noise ratios that were published
/// for it, which fftprec's nearest case is measured beside.
///
/// No case has its bits. Its complex products are shifted by 16, which halves them, its sums are of
/// halves, each cut by itself, and its radix-2 stage cuts each real product: fftprec shifts data
/// before a stage, and rounds one product or all.
///
/// Sources: ARM-software/CMSIS_5, CMSIS/DSP/Source/TransformFunctions/arm_cfft_q15.c and
/// arm_cfft_radix4_q15.c, V1.6.0; the ratios: ARM-software/CMSIS_5, issue 789; inputs and
/// references: CMSIS_5, CMSIS/DSP/Testing/Patterns/DSP/Transform/TransformQ15, (c) Arm, Apache-2.0.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "arith/truth/transforms.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing::cmsis {

namespace {

struct Number {
  int re = 0;
  int im = 0;
};
using Numbers = std::vector<Number>;

int saturated(int x) { return std::min(std::max(x, -32768), 32767); }
Number saturated(Number x) { return {saturated(x.re), saturated(x.im)}; }
Number operator+(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
Number operator-(Number a, Number b) { return {a.re - b.re, a.im - b.im}; }
/// Toward -infinity.
Number operator>>(Number x, int places) { return {x.re >> places, x.im >> places}; }

/// One direction of one length: roots exp(-+2 pi i k/n), their parts cut toward -infinity.
class Fft {
 public:
  Fft(std::size_t n, bool inverse) : n_(n), inverse_(inverse) {}

  /// DFT / n in both directions.
  Numbers operator()(Numbers x) const {
    const int bits = std::countr_zero(n_);
    if (bits % 2 == 0) {
      radix4(x, 0, n_);
    } else {
      for (std::size_t i = 0; i < n_ / 2; ++i) {
        const Number a = x[i] >> 1, b = x[i + n_ / 2] >> 1;
        x[i] = (a + b) >> 1;
        x[i + n_ / 2] = product(i, a - b, /*cuts_each=*/true);
      }
      for (const std::size_t first : {std::size_t{0}, n_ / 2}) radix4(x, first, n_ / 2);
      for (Number& value : x) value = value + value;
    }
    Numbers y(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t j = 0;
      for (int b = 0; b < bits; ++b) j |= (i >> b & 1) << (bits - 1 - b);
      y[j] = x[i];
    }
    return y;
  }

 private:
  /// Half of root^k x: one shift by 16 for each part, or for each of its products.
  Number product(std::size_t k, Number x, bool cuts_each = false) const {
    static const RootFunction roots = table_source("exact");
    const std::complex<double> w = roots(k, n_, fp64);
    const auto digits = [](double part) {
      return saturated(static_cast<int>(std::floor(part * 0x1p15)));
    };
    const int c = digits(w.real()), s = digits(-w.imag());
    const int sign = inverse_ ? -1 : 1;
    if (cuts_each)
      return {(c * x.re >> 16) + sign * (s * x.im >> 16),
              (c * x.im >> 16) - sign * (s * x.re >> 16)};
    return {(c * x.re + sign * s * x.im) >> 16, (c * x.im - sign * s * x.re) >> 16};
  }

  /// -i x, or i x of the inverse.
  Number turned(Number x) const { return inverse_ ? Number{-x.im, x.re} : Number{x.im, -x.re}; }

  /// In place, in frequency. The first stage cuts two bits, then sums whole numbers; the others sum
  /// halves; products halve in all but the last stage.
  void radix4(Numbers& x, std::size_t first, std::size_t length) const {
    for (std::size_t span = length / 4; span > 0; span /= 4)
      for (std::size_t i = 0; i < length; ++i) {
        if (i / span % 4 != 0) continue;
        const bool is_first = span == length / 4, is_last = span == 1;
        Number* at[4];
        Number in[4];
        for (std::size_t k = 0; k < 4; ++k) {
          at[k] = &x[first + i + k * span];
          in[k] = *at[k] >> (is_first ? 2 : 0);
        }
        const Number r = saturated(in[0] + in[2]), s = saturated(in[0] - in[2]);
        const Number t = saturated(in[1] + in[3]), u = saturated(in[1] - in[3]);
        const int cut = is_first ? 0 : 1;
        const Number sum = (r >> 1) + (t >> 1);
        const Number rest[3] = {(r >> cut) - (t >> cut), (s >> cut) + turned(u >> cut),
                                (s >> cut) - turned(u >> cut)};
        *at[0] = is_first || is_last ? sum : sum >> 1;
        const std::size_t k = i % span * (n_ / (4 * span));
        const std::size_t factor[3] = {2 * k, k, 3 * k};
        for (std::size_t j = 0; j < 3; ++j)
          *at[j + 1] = is_last ? rest[j] : product(factor[j], saturated(rest[j]));
      }
  }

  std::size_t n_;
  bool inverse_;
};

/// In dB: the energy of all parts of y over that of its distance from the reference.
double snr_db(const Numbers& y, const Numbers& reference) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Number error = y[i] - reference[i];
    signal += y[i].re * y[i].re + y[i].im * y[i].im;
    noise += error.re * error.re + error.im * error.im;
  }
  return 10 * std::log10(signal / noise);
}

/// What was published has been summed in floats, 2n terms twice: each of as many roundings, and of
/// those of the terms, moves a sum by 2^-24 of itself at most.
double of_float_sums(std::size_t n) {
  return 10 / std::log(10.0) * 2 * (2 * static_cast<double>(n) + 3) * 0x1p-24;
}

std::vector<int> words(const std::string& hex) {
  std::istringstream in(hex);
  std::vector<int> all;
  for (unsigned word = 0; in >> std::hex >> word;)
    all.push_back(word < 0x8000 ? static_cast<int>(word) : static_cast<int>(word) - 0x10000);
  return all;
}

/// Of one length: the input's real parts, and the first n/2 + 1 numbers of DFT / n, that of the
/// input before it was rounded.
struct Pattern {
  std::string input;
  std::string reference;
  double forward_db;
  double inverse_db;

  Numbers signal() const {
    Numbers x;
    for (const int part : words(input)) x.push_back({part, 0});
    return x;
  }
  Numbers spectrum() const {
    const std::vector<int> half = words(reference);
    const std::size_t n = half.size() - 2;
    Numbers y(n);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      y[(n - k) % n] = {half[2 * k], -half[2 * k + 1]};
      y[k] = {half[2 * k], half[2 * k + 1]};
    }
    return y;
  }
};

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = {
      {"FA18 4183 6455 37A7 FB2A CAC1 97D7 C2A6 02F5 437F 5B79 325E 0556 B6E1 B467 C07A",
       "FFD6 0000 0083 000D 010B D31C FE89 00D3 FF18 FE68 FD0D 005B FE86 018E 01B0 FD09 015D 0000",
       68.607925, 56.335636},
      {"FD47 48D7 698F 3958 FCFF C615 A104 BED3 006A 412E 6127 4507 FC2A B0E5 A5B8 CC00 FDF5 4A7A "
       "569A 417E FC9D BE0B AE09 B816 0318 4714 5A2E 363C 0546 CE4A A7B6 BD57",
       "0138 0000 0091 0034 0099 000F 0008 005B 00E0 D217 FE4B FFE8 002E FFE1 FECB FDEE FF0F FEBC "
       "00DA FE8A FF2A 00A7 FF97 013F FF5B 0008 012A 0143 FF06 FFDB 008B FFB5 FFE4 0000",
       59.494591, 44.092136}};
  return all;
}

/// A signal of the kind that the patterns have: 0.7 of a sine of 8 samples, noise of 0.05, and its
/// DFT / n.
struct Draw {
  Numbers x;
  Numbers spectrum;
};

Number nearest(double re, double im) {
  const auto digits = [](double part) {
    return saturated(static_cast<int>(std::nearbyint(part * 0x1p15)));
  };
  return {digits(re), digits(im)};
}

Draw draw(std::size_t n, std::uint64_t seed) {
  const ComplexArray<double> noise = make_input("gaussian", n, 1, seed);
  const RootFunction roots = table_source("exact");
  ComplexArray<double> signal(n);
  for (std::size_t i = 0; i < n; ++i)
    signal.re[i] = 0.05 * noise.re[i] - 0.7 * roots(i, 8, fp64).imag();
  const ComplexArray<double> exact = truth::dft(signal, n, Direction::forward).hi;
  const double length = static_cast<double>(n);
  Draw result;
  for (std::size_t i = 0; i < n; ++i) {
    result.x.push_back(nearest(signal.re[i], 0));
    result.spectrum.push_back(nearest(exact.re[i] / length, exact.im[i] / length));
  }
  return result;
}

/// Of an inverse: the signal, divided by n once more and cut.
Numbers divided(Numbers x) {
  const int bits = std::countr_zero(x.size());
  for (Number& value : x) value = value >> bits;
  return x;
}

struct Statistics {
  double mean = 0;
  double deviation = 0;
};

/// ratio_of(draw) over 20 of them.
template <class Ratio>
Statistics over_draws(std::size_t n, Ratio ratio_of) {
  constexpr std::uint64_t count = 20;
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const double ratio = ratio_of(draw(n, seed));
    sum += ratio / count;
    squares += ratio * ratio / count;
  }
  return {sum, std::sqrt(squares - sum * sum)};
}

/// The ratio of a case with a shift before every stage, whose results are times n.
double snr_of_case(Session& session, const std::string& algorithm, const char* machine,
                   const Draw& drawn) {
  const std::size_t n = drawn.x.size();
  ComplexArray<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x.re[i] = drawn.x[i].re * 0x1p-15;
  const Case where{
      .algorithm = algorithm, .mode = "q1.15", .machine = machine, .n = n, .scale = "stage:1/2"};
  const ComplexArray<double> y = run_case(session.plan(where), x, {.round_trip = false}).values;
  Numbers digits;
  for (std::size_t i = 0; i < n; ++i)
    digits.push_back(nearest(y.re[i] / static_cast<double>(n), y.im[i] / static_cast<double>(n)));
  return snr_db(digits, drawn.spectrum);
}

}  // namespace

TEST(CmsisQ15, HasThePublishedRatiosOnThePublishedInputs) {
  for (const Pattern& pattern : patterns()) {
    const Numbers x = pattern.signal(), spectrum = pattern.spectrum();
    const std::size_t n = x.size();
    EXPECT_NEAR(snr_db(Fft(n, false)(x), spectrum), pattern.forward_db, of_float_sums(n)) << n;
    EXPECT_NEAR(snr_db(Fft(n, true)(spectrum), divided(x)), pattern.inverse_db, of_float_sums(n))
        << n;
  }
}

/// At lengths whose patterns are too long to stand here.
TEST(CmsisQ15, HasRatiosLikeThosePublishedOnOtherDraws) {
  const auto expect_like = [](double published, const Statistics& drawn) {
    EXPECT_NEAR(published, drawn.mean, 3 * drawn.deviation);
    EXPECT_LT(drawn.deviation, 1.5);
  };
  for (const auto& [n, published] :
       {std::pair<std::size_t, double>{64, 61.709412}, {128, 52.76899}})
    expect_like(published, over_draws(n, [&](const Draw& drawn) {
                  return snr_db(Fft(drawn.x.size(), false)(drawn.x), drawn.spectrum);
                }));
  expect_like(45.335495, over_draws(64, [&](const Draw& drawn) {
                return snr_db(Fft(64, true)(drawn.spectrum), divided(drawn.x));
              }));
}

/// Radix 4, cut, with shifts by two bits before a stage, adds up four cut parts where CMSIS adds
/// halves of two sums: 4 dB. Where n is no power of 4 CMSIS doubles its results, errors and all.
TEST(CmsisQ15, LiesBesideTheCasesThatItIsNearestTo) {
  Session session;
  const auto better_than = [&](std::size_t n, const char* algorithm, const char* machine) {
    return over_draws(n,
                      [&](const Draw& drawn) {
                        return snr_db(Fft(n, false)(drawn.x), drawn.spectrum) -
                               snr_of_case(session, algorithm, machine, drawn);
                      })
        .mean;
  };
  for (const std::size_t n : {64u, 256u}) {
    EXPECT_NEAR(better_than(n, "stockham-r4", "ieee{casts=rd}"), 4, 0.5) << n;
    EXPECT_NEAR(better_than(n, "stockham-r4", "ieee"), -2, 0.5) << n;
  }
  for (const std::size_t n : {32u, 128u})
    EXPECT_NEAR(better_than(n, "radix2-dif", "ieee{casts=rd}"), -4.5, 0.5) << n;
}

}  // namespace fftprec::testing::cmsis
