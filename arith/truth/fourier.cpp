#include "arith/truth/fourier.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <variant>

#include "arith/truth/bound.hpp"
#include "arith/truth/roots.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t longest_direct_sum = 32;  // beyond it three radix-2 transforms cost less

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

/// Length 2^t, decimation in time, depth first, so that a part fits a cache before it is combined;
/// products with 1 and -i are left out.
class Radix2 {
 public:
  Radix2(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  std::string name() const { return "radix-2"; }

 private:
  /// What butterflies compute in.
  struct Scratch {
    explicit Scratch(mpfr_prec_t precision) : multiply(precision), re(precision), im(precision) {}
    Multiplier multiply;
    Real re;
    Real im;
  };
  /// Transforms `length` elements from `first` on, which lie in bit-reversed order.
  void transform(ComplexReals& x, std::size_t first, std::size_t length, Scratch& scratch) const;

  std::size_t n_;
  ComplexReals twiddles_;  ///< stage by stage: exp(-pi i k/half) at half + k, k < half
};

/// The definition; for short lengths.
class DirectSum {
 public:
  DirectSum(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  std::string name() const { return "direct sum"; }

 private:
  std::size_t n_;
  ComplexReals roots_;  ///< exp(-2 pi i k/n), k < n
};

/// Chirp-z: y_k = c_k sum_j (x_j c_j) conj(c_(k-j)), c_j = exp(-pi i j^2/n) with j^2 reduced modulo
/// 2n exactly, the sum as a circular convolution of length m = 2^t >= 2n-1.
class Bluestein {
 public:
  Bluestein(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  std::string name() const;

 private:
  std::size_t n_;
  Radix2 fft_;
  std::size_t m_;
  ComplexReals chirp_;     ///< c_j, j < n
  ComplexReals spectrum_;  ///< transform of conj(c), divided by m
};

Radix2::Radix2(std::size_t n, mpfr_prec_t precision) : n_(n), twiddles_(n, precision) {
  assert(std::has_single_bit(n));
  const ComplexReals roots = table_of_roots(n / 2, n, precision);
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      mpfr_set(twiddles_.re[half + k], roots.re[k * (n / 2 / half)], MPFR_RNDN);
      mpfr_set(twiddles_.im[half + k], roots.im[k * (n / 2 / half)], MPFR_RNDN);
    }
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

std::variant<Radix2, DirectSum, Bluestein> engine_for(std::size_t n, mpfr_prec_t precision) {
  if (std::has_single_bit(n)) return Radix2(n, precision);
  if (n <= longest_direct_sum) return DirectSum(n, precision);
  return Bluestein(n, precision);
}

/// The element of `kept` that `is_wanted`, or make(), counted in `made`, put first.
template <class Kept, class Is, class Make>
auto latest(Kept& kept, std::atomic<std::size_t>& made, Is is_wanted, Make make) {
  const auto found = std::find_if(kept.begin(), kept.end(), is_wanted);
  if (found == kept.end()) {
    kept.push_front(make());
    ++made;
  } else {
    kept.splice(kept.begin(), kept, found);
  }
  return kept.front();
}

/// Keeps the entries that were used last and fit within the limit; always the very last.
template <class Kept, class Size>
void keep_latest(Kept& kept, std::size_t most, std::size_t most_elements, Size size_of) {
  std::size_t elements = 0;
  std::size_t count = 0;
  std::erase_if(kept, [&](const auto& value) {
    elements += size_of(*value);
    return count++ > 0 && (count > most || elements > most_elements);
  });
}

}  // namespace

struct Fourier::Engine {
  std::variant<Radix2, DirectSum, Bluestein> of;
};

Fourier::Fourier(std::size_t n, mpfr_prec_t precision)
    : n_(n), precision_(precision), engine_(new Engine{engine_for(n, precision)}) {}

Fourier::~Fourier() = default;

void Fourier::operator()(ComplexReals& x) const {
  std::visit([&](const auto& engine) { engine(x); }, engine_->of);
}

double Fourier::radius() const { return radius(n_, precision_); }

double Fourier::radius(std::size_t n, mpfr_prec_t precision) {
  const auto bits = static_cast<int>(precision);
  if (std::has_single_bit(n)) return radix2_radius(log2_of(n), bits);
  if (n <= longest_direct_sum) return direct_radius(n, bits);
  return bluestein_radius(n, bluestein_length(n), bits);
}

std::string Fourier::name() const {
  return std::visit([](const auto& engine) { return engine.name(); }, engine_->of);
}

std::shared_ptr<Plans> new_plans() { return std::make_shared<Plans>(); }

std::shared_ptr<const Fourier> Plans::in_mpfr(std::size_t n, mpfr_prec_t precision) {
  constexpr std::size_t transforms_kept = 12;
  const std::scoped_lock lock(mpfr_mutex_);
  auto plan = latest(
      mpfr_, made_,
      [&](const auto& kept) { return kept->size() == n && kept->precision() == precision; },
      [&] { return std::make_shared<const Fourier>(n, precision); });
  if (mpfr_.size() > transforms_kept) mpfr_.pop_back();
  return plan;
}

std::shared_ptr<const PairFourier> Plans::in_pairs(std::size_t n) {
  constexpr std::size_t transforms_kept = 32;
  constexpr std::size_t elements_kept = std::size_t{1} << 22;
  const std::scoped_lock lock(pairs_mutex_);
  auto plan = latest(
      pairs_, made_, [n](const auto& kept) { return kept->size() == n; },
      [n] { return std::make_shared<const PairFourier>(n); });
  keep_latest(pairs_, transforms_kept, elements_kept,
              [](const PairFourier& transform) { return transform.size(); });
  return plan;
}

std::shared_ptr<const Audit> Plans::audit(std::size_t n, std::size_t stride, std::size_t size) {
  constexpr std::size_t audits_kept = 32;
  constexpr std::size_t elements_kept = std::size_t{1} << 17;
  const std::scoped_lock lock(audits_mutex_);
  auto audit = latest(
      audits_, made_, [&](const auto& kept) { return kept->is_of(n, stride, size); },
      [&] { return std::make_shared<const Audit>(n, stride, size); });
  keep_latest(audits_, audits_kept, elements_kept,
              [](const Audit& kept) { return kept.elements(); });
  return audit;
}

}  // namespace fftprec::truth
