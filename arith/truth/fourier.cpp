#include "arith/truth/fourier.hpp"

#include <bit>
#include <cassert>
#include <list>
#include <mutex>
#include <numeric>

#include "arith/truth/multiplier.hpp"
#include "arith/truth/radius.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t longest_direct_sum = 32;  // beyond it three radix-2 transforms cost less
constexpr std::size_t transforms_kept = 12;
constexpr mpfr_prec_t guard_bits = 24;

std::size_t bluestein_length(std::size_t n) { return std::bit_ceil(2 * n - 1); }

int log2_of(std::size_t power_of_two) { return std::countr_zero(power_of_two); }

/// (x, y) <- (x + t, x - t) for one part.
void sum_and_difference(mpfr_ptr x, mpfr_ptr y, mpfr_srcptr t) {
  mpfr_sub(y, x, t, MPFR_RNDN);
  mpfr_add(x, x, t, MPFR_RNDN);
}

/// The elements in bit-reversed order, copied: exchanging them would scatter their significands.
ComplexReals bit_reversed(const ComplexReals& x) {
  ComplexReals y(x.size(), x.re.precision());
  std::size_t reversed = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mpfr_set(y.re[reversed], x.re[i], MPFR_RNDN);
    mpfr_set(y.im[reversed], x.im[i], MPFR_RNDN);
    std::size_t bit = x.size() / 2;
    for (; reversed & bit; bit /= 2) reversed ^= bit;
    reversed ^= bit;
  }
  return y;
}

/// x_j <- x_j * table_j.
void multiply_by(ComplexReals& x, const ComplexReals& table, std::size_t count) {
  Multiplier multiply(x.re.precision());
  Real re(x.re.precision());
  Real im(x.re.precision());
  for (std::size_t j = 0; j < count; ++j) {
    multiply(re, im, x.re[j], x.im[j], table.re[j], table.im[j]);
    mpfr_set(x.re[j], re, MPFR_RNDN);
    mpfr_set(x.im[j], im, MPFR_RNDN);
  }
}

}  // namespace

/// What butterflies compute in.
struct Radix2::Scratch {
  explicit Scratch(mpfr_prec_t precision) : multiply(precision), re(precision), im(precision) {}
  Multiplier multiply;
  Real re;
  Real im;
};

ComplexReals table_of_roots(std::size_t count, std::size_t order, mpfr_prec_t precision) {
  const MpfrCacheScope scope;
  const std::size_t step = std::gcd(order, std::size_t{4});  // of the numerators that occur
  ComplexReals octant(order / 2 / step + 1, precision);
  Real cos(precision + guard_bits);
  Real sin(precision + guard_bits);
  for (std::size_t i = 0; i < octant.size(); ++i) {
    octant_cos_sin(cos, sin, i * step, order);
    mpfr_set(octant.re[i], cos, MPFR_RNDN);
    mpfr_set(octant.im[i], sin, MPFR_RNDN);
  }
  ComplexReals table(count, precision);
  for (std::size_t k = 0; k < count; ++k) {
    const OctantAngle angle = octant_angle(k, order);
    const std::size_t i = angle.numerator / step;
    constexpr int cos_label = 1;
    constexpr int sin_label = 2;
    const auto place = [&](mpfr_ptr part, int label) {
      mpfr_srcptr value = label * label == 1 ? octant.re[i] : octant.im[i];
      if (label > 0)
        mpfr_set(part, value, MPFR_RNDN);
      else
        mpfr_neg(part, value, MPFR_RNDN);
    };
    const auto [re, im] = unfold(angle, cos_label, sin_label);
    place(table.re[k], re);
    place(table.im[k], im);
  }
  return table;
}

Radix2::Radix2(std::size_t n, mpfr_prec_t precision) : n_(n), twiddles_(n, precision) {
  assert(std::has_single_bit(n));
  const ComplexReals roots = table_of_roots(n / 2, n, precision);
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      mpfr_set(twiddles_.re[half + k], roots.re[k * (n / 2 / half)], MPFR_RNDN);
      mpfr_set(twiddles_.im[half + k], roots.im[k * (n / 2 / half)], MPFR_RNDN);
    }
}

double Radix2::radius() const {
  return radix2_radius(log2_of(n_), static_cast<int>(twiddles_.re.precision()));
}

void Radix2::operator()(ComplexReals& x) const {
  ComplexReals y = bit_reversed(x);
  Scratch scratch(x.re.precision());
  transform(y, 0, n_, scratch);
  std::swap(x, y);
}

void Radix2::transform(ComplexReals& x, std::size_t first, std::size_t length,
                       Scratch& scratch) const {
  if (length == 1) return;
  const std::size_t half = length / 2;
  transform(x, first, half, scratch);
  transform(x, first + half, half, scratch);
  auto& [multiply, re, im] = scratch;
  for (std::size_t k = 0; k < half; ++k) {
    const std::size_t even = first + k;
    const std::size_t odd = even + half;
    if (k == 0) {
      mpfr_set(re, x.re[odd], MPFR_RNDN);
      mpfr_set(im, x.im[odd], MPFR_RNDN);
    } else if (2 * k == half) {  // times -i
      mpfr_set(re, x.im[odd], MPFR_RNDN);
      mpfr_neg(im, x.re[odd], MPFR_RNDN);
    } else {
      multiply(re, im, x.re[odd], x.im[odd], twiddles_.re[half + k], twiddles_.im[half + k]);
    }
    sum_and_difference(x.re[even], x.re[odd], re);
    sum_and_difference(x.im[even], x.im[odd], im);
  }
}

DirectSum::DirectSum(std::size_t n, mpfr_prec_t precision)
    : n_(n), roots_(table_of_roots(n, n, precision)) {}

double DirectSum::radius() const {
  return direct_radius(n_, static_cast<int>(roots_.re.precision()));
}

void DirectSum::operator()(ComplexReals& x) const {
  const mpfr_prec_t precision = x.re.precision();
  Multiplier multiply(precision);
  Real re(precision);
  Real im(precision);
  ComplexReals y(n_, precision);
  for (std::size_t k = 0; k < n_; ++k)
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t i = j * k % n_;
      multiply(re, im, x.re[j], x.im[j], roots_.re[i], roots_.im[i]);
      mpfr_add(y.re[k], y.re[k], re, MPFR_RNDN);
      mpfr_add(y.im[k], y.im[k], im, MPFR_RNDN);
    }
  std::swap(x, y);
}

Bluestein::Bluestein(std::size_t n, mpfr_prec_t precision)
    : n_(n),
      fft_(bluestein_length(n), precision),
      m_(bluestein_length(n)),
      chirp_(n, precision),
      spectrum_(m_, precision) {
  const ComplexReals roots = table_of_roots(2 * n, 2 * n, precision);
  std::size_t square = 0;  // j^2 mod 2n
  for (std::size_t j = 0; j < n; ++j) {
    mpfr_set(chirp_.re[j], roots.re[square], MPFR_RNDN);
    mpfr_set(chirp_.im[j], roots.im[square], MPFR_RNDN);
    for (const std::size_t place : {j, (m_ - j) % m_}) {
      mpfr_set(spectrum_.re[place], roots.re[square], MPFR_RNDN);
      mpfr_neg(spectrum_.im[place], roots.im[square], MPFR_RNDN);
    }
    square = (square + 2 * j + 1) % (2 * n);
  }
  fft_(spectrum_);
  const auto shift = static_cast<unsigned long>(log2_of(m_));
  for (std::size_t k = 0; k < m_; ++k) {
    mpfr_div_2ui(spectrum_.re[k], spectrum_.re[k], shift, MPFR_RNDN);
    mpfr_div_2ui(spectrum_.im[k], spectrum_.im[k], shift, MPFR_RNDN);
  }
}

double Bluestein::radius() const {
  return bluestein_radius(n_, m_, static_cast<int>(chirp_.re.precision()));
}

std::string Bluestein::name() const { return "bluestein over " + std::to_string(m_); }

void Bluestein::operator()(ComplexReals& x) const {
  multiply_by(x, chirp_, n_);
  ComplexReals padded(m_, x.re.precision());
  for (std::size_t j = 0; j < n_; ++j) {
    mpfr_set(padded.re[j], x.re[j], MPFR_RNDN);
    mpfr_set(padded.im[j], x.im[j], MPFR_RNDN);
  }
  fft_(padded);
  multiply_by(padded, spectrum_, m_);
  std::swap(padded.re, padded.im);  // the inverse is the forward transform with parts exchanged
  fft_(padded);
  std::swap(padded.re, padded.im);
  multiply_by(padded, chirp_, n_);
  for (std::size_t j = 0; j < n_; ++j) {
    mpfr_set(x.re[j], padded.re[j], MPFR_RNDN);
    mpfr_set(x.im[j], padded.im[j], MPFR_RNDN);
  }
}

namespace {

std::variant<Radix2, DirectSum, Bluestein> engine_for(std::size_t n, mpfr_prec_t precision) {
  if (std::has_single_bit(n)) return Radix2(n, precision);
  if (n <= longest_direct_sum) return DirectSum(n, precision);
  return Bluestein(n, precision);
}

}  // namespace

Fourier::Fourier(std::size_t n, mpfr_prec_t precision)
    : precision_(precision), engine_(engine_for(n, precision)) {}

void Fourier::operator()(ComplexReals& x) const {
  std::visit([&](const auto& engine) { engine(x); }, engine_);
}

double Fourier::radius() const {
  return std::visit([](const auto& engine) { return engine.radius(); }, engine_);
}

double Fourier::radius(std::size_t n, mpfr_prec_t precision) {
  const auto bits = static_cast<int>(precision);
  if (std::has_single_bit(n)) return radix2_radius(log2_of(n), bits);
  if (n <= longest_direct_sum) return direct_radius(n, bits);
  return bluestein_radius(n, bluestein_length(n), bits);
}

std::string Fourier::name() const {
  return std::visit([](const auto& engine) { return engine.name(); }, engine_);
}

std::shared_ptr<const Fourier> cached_fourier(std::size_t n, mpfr_prec_t precision) {
  struct Entry {
    std::size_t n;
    mpfr_prec_t precision;
    std::shared_ptr<const Fourier> fourier;
  };
  static std::mutex mutex;
  static std::list<Entry> entries;  // latest use first

  const std::lock_guard lock(mutex);
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    if (entry->n == n && entry->precision == precision) {
      entries.splice(entries.begin(), entries, entry);
      return entry->fourier;
    }
  entries.push_front({n, precision, std::make_shared<const Fourier>(n, precision)});
  if (entries.size() > transforms_kept) entries.pop_back();
  return entries.front().fourier;
}

}  // namespace fftprec::truth
