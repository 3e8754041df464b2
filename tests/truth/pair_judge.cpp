#include "tests/truth/pair_judge.hpp"

#include <bit>
#include <cmath>

namespace fftprec::testing {

using truth::ComplexPairs;
using truth::ComplexReals;
using truth::Real;

namespace {

constexpr std::uint64_t significand_bits = (std::uint64_t{1} << 52) - 1;

double signed_at_random(double x, std::mt19937_64& generator) {
  return generator() % 2 == 0 ? x : -x;
}

/// In [1, 2).
double leading_part(std::mt19937_64& generator) {
  const std::uint64_t bits = generator();
  const std::uint64_t few = generator() % 8;
  switch (generator() % 5) {
    case 0:
      return 1 + static_cast<double>(few) * 0x1p-52;
    case 1:
      return 2 - static_cast<double>(few + 1) * 0x1p-52;
    case 2:
      return 1 + static_cast<double>(few) * 0x1p-3;
    default:
      return 1 + static_cast<double>(bits & significand_bits) * 0x1p-52;
  }
}

double trailing_part(double hi, std::mt19937_64& generator) {
  const double fraction = static_cast<double>(generator() >> 11) * u;
  const double half_ulp = std::ldexp(u, std::ilogb(hi));
  double lo = 0;
  switch (generator() % 8) {
    case 0:
      break;
    case 1:
      lo = half_ulp;
      break;
    case 2:
      lo = u * std::fabs(hi);
      break;
    case 3:
      lo = std::nextafter(half_ulp, 0.0);
      break;
    case 4:
      lo = std::ldexp(half_ulp * fraction, -static_cast<int>(generator() % 100));
      break;
    default:
      lo = half_ulp * fraction;
  }
  return signed_at_random(lo, generator);
}

/// In [-1, 1), a multiple of 2^-52.
double fraction(std::mt19937_64& generator) {
  return static_cast<double>(static_cast<std::int64_t>(generator()) >> 11) * 0x1p-52;
}

}  // namespace

double any_double(std::mt19937_64& generator, int lowest, int highest) {
  if (generator() % 64 == 0) return signed_at_random(0.0, generator);
  const auto count = static_cast<std::uint64_t>(highest - lowest + 1);
  const int exponent = lowest + static_cast<int>(generator() % count);
  return std::ldexp(signed_at_random(leading_part(generator), generator), exponent);
}

void append_pair(std::vector<double>& operands, std::mt19937_64& generator, int spread) {
  const auto count = static_cast<std::uint64_t>(2 * spread + 1);
  const int exponent = static_cast<int>(generator() % count) - spread;
  const double hi = std::ldexp(signed_at_random(leading_part(generator), generator), exponent);
  operands.push_back(hi);
  operands.push_back(trailing_part(hi, generator));
}

void change_pair(std::vector<double>& operands, std::mt19937_64& generator) {
  const std::size_t i = generator() % (operands.size() / 2) * 2;
  double& hi = operands[i];
  double& lo = operands[i + 1];
  switch (generator() % 4) {
    case 0: {
      const std::uint64_t flip = std::uint64_t{1} << generator() % 52;
      const double changed = std::bit_cast<double>(std::bit_cast<std::uint64_t>(hi) ^ flip);
      hi = changed;
      break;
    }
    case 1:
      hi = std::ldexp(leading_part(generator), std::ilogb(hi));
      break;
    case 2:
      lo = -lo;
      break;
    default:
      lo = trailing_part(hi, generator);
  }
  if (std::fabs(lo) > u * std::fabs(hi)) lo = std::copysign(u * std::fabs(hi), lo);
}

const char* name_of(PairInput input) {
  constexpr const char* names[] = {"random", "full",     "impulse",     "tone",       "constant",
                                   "wide",   "integers", "alternating", "single huge"};
  return names[static_cast<int>(input)];
}

ComplexPairs pair_input(PairInput input, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ComplexPairs x(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double a = fraction(generator);
    const double b = fraction(generator);
    const auto scale = static_cast<int>(generator() % 601) - 300;
    const std::uint64_t bits = generator();
    switch (input) {
      case PairInput::random:
        x.set(j, {{a, 0}, {b, 0}});
        break;
      case PairInput::full:
        x.set(j, {{a, u * a * b}, {b, -u * b * a}});
        break;
      case PairInput::impulse:
        if (j == seed % size) x.set(j, {{1, 0}, {0.5, 0}});
        break;
      case PairInput::tone: {  // of a quarter of the sampling rate, with a second one beside it
        const double re[] = {1, 0, -1, 0};
        x.set(j, {{re[j % 4] + (j % 2 == 0 ? 0x1p-30 : -0x1p-30), 0}, {re[(j + 3) % 4], 0}});
        break;
      }
      case PairInput::constant:
        x.set(j, {{0.1, 0}, {-0.7, 0x1p-60}});
        break;
      case PairInput::wide:
        x.set(j, {{std::ldexp(a, scale), 0}, {std::ldexp(b, -scale), 0}});
        break;
      case PairInput::integers:
        x.set(j, {{static_cast<double>(bits % 2001) - 1000, 0},
                  {static_cast<double>(bits / 4096 % 2001) - 1000, 0}});
        break;
      case PairInput::alternating:
        x.set(j, {{j % 2 == 0 ? 0.3 : -0.3, 0}, {j % 2 == 0 ? -0x1p-20 : 0x1p-20, 0}});
        break;
      case PairInput::single_huge:
        x.set(j, {{a, 0}, {j == seed % size ? 0x1.8p300 : b, 0}});
        break;
    }
  }
  return x;
}

ComplexReals exact_line(const ComplexPairs& x, const Line& line, mpfr_prec_t precision) {
  ComplexReals z(line.n, precision);
  for (std::size_t j = 0; j < line.n; ++j) {
    const truth::ComplexDoubleDouble value = x.at(line.first + j * line.stride);
    mpfr_set_d(z.re[j], value.re.hi, MPFR_RNDN);
    mpfr_add_d(z.re[j], z.re[j], value.re.lo, MPFR_RNDN);
    mpfr_set_d(z.im[j], value.im.hi, MPFR_RNDN);
    mpfr_add_d(z.im[j], z.im[j], value.im.lo, MPFR_RNDN);
  }
  return z;
}

double relative_error(const ComplexPairs& y, const Line& line, const ComplexReals& exact,
                      const ComplexReals& x) {
  const mpfr_prec_t precision = exact.re.precision();
  Real difference(precision);
  Real errors(64);
  Real norm(64);
  const auto add = [&](const truth::DoubleDouble& found, mpfr_srcptr value, mpfr_srcptr input) {
    mpfr_sub_d(difference, value, found.hi, MPFR_RNDN);
    mpfr_sub_d(difference, difference, found.lo, MPFR_RNDN);
    mpfr_fma(errors, difference, difference, errors, MPFR_RNDU);
    mpfr_fma(norm, input, input, norm, MPFR_RNDD);
  };
  for (std::size_t k = 0; k < line.n; ++k) {
    const truth::ComplexDoubleDouble found = y.at(line.first + k * line.stride);
    add(found.re, exact.re[k], x.re[k]);
    add(found.im, exact.im[k], x.im[k]);
  }
  if (mpfr_zero_p(errors)) return 0;
  mpfr_mul_ui(norm, norm, line.n, MPFR_RNDD);
  mpfr_div(errors, errors, norm, MPFR_RNDU);
  mpfr_sqrt(errors, errors, MPFR_RNDU);
  return mpfr_get_d(errors, MPFR_RNDU);
}

double error_against(const truth::Fourier& fourier, const ComplexPairs& x, const ComplexPairs& y,
                     const Line& line) {
  const ComplexReals in = exact_line(x, line, fourier.precision());
  ComplexReals out = exact_line(x, line, fourier.precision());
  fourier(out);
  return relative_error(y, line, out, in);
}

double norm_of(const ComplexPairs& x) {
  const ComplexReals all = exact_line(x, {x.size()}, 192);
  Real sum(64);
  for (std::size_t j = 0; j < x.size(); ++j) {
    mpfr_fma(sum, all.re[j], all.re[j], sum, MPFR_RNDU);
    mpfr_fma(sum, all.im[j], all.im[j], sum, MPFR_RNDU);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  return mpfr_get_d(sum, MPFR_RNDU);
}

std::uint64_t bits_hash(const ComplexPairs& x) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto* part : {&x.hi.re, &x.lo.re, &x.hi.im, &x.lo.im})
    for (const double value : *part) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (int byte = 0; byte < 8; ++byte)
        hash = (hash ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3;
    }
  return hash;
}

bool same_bits(const ComplexPairs& x, const ComplexPairs& y) {
  const auto same = [](const AlignedVector<double>& a, const AlignedVector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
    return a.size() == b.size();
  };
  return same(x.hi.re, y.hi.re) && same(x.lo.re, y.lo.re) && same(x.hi.im, y.hi.im) &&
         same(x.lo.im, y.lo.im);
}

}  // namespace fftprec::testing
