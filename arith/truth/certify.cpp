#include "arith/truth/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arith/error.hpp"
#include "arith/truth/dft.hpp"

namespace fftprec::truth {
namespace {

constexpr long wanted_bits = 110;
constexpr mpfr_prec_t precision_step = 32;
constexpr mpfr_prec_t most_precision = 960;  // 2^-960 squared is no longer needed in a double

/// A precision with which the bound is likely to suffice, or `precision` if it does already.
mpfr_prec_t sufficient_precision(const Chain& chain, mpfr_prec_t precision) {
  if (chain.error.is_zero()) return precision;
  const Bound size = norm(chain.values);
  if (size.is_zero()) return std::min(2 * precision, most_precision);
  Real wanted(Bound::precision);
  mpfr_div_2ui(wanted, size.get(), wanted_bits, MPFR_RNDD);
  if (mpfr_lessequal_p(chain.error.get(), mpfr_srcptr(wanted))) return precision;
  const auto missing = static_cast<mpfr_prec_t>(mpfr_get_exp(chain.error.get()) -
                                                mpfr_get_exp(mpfr_srcptr(wanted)) + 1);
  const mpfr_prec_t steps = (missing + precision_step - 1) / precision_step;
  return std::min(precision + steps * precision_step, most_precision);
}

/// Stores values as pairs and measures what that costs.
class Storage {
 public:
  explicit Storage(mpfr_prec_t precision) : rest_(precision) {}

  /// hi + lo nearest to x, then to what is left. At the precision of x both differences are exact:
  /// multiples of x's last bit that are not above x.
  void store(mpfr_srcptr x, double& hi, double& lo) {
    hi = mpfr_get_d(x, MPFR_RNDN);
    require(std::isfinite(hi), "truth: a result is beyond the range of double");
    mpfr_sub_d(rest_, x, hi, MPFR_RNDN);
    lo = mpfr_get_d(rest_, MPFR_RNDN);
    mpfr_sub_d(rest_, rest_, lo, MPFR_RNDN);
    mpfr_sqr(square_, rest_, MPFR_RNDU);
    mpfr_add(lost_, lost_, square_, MPFR_RNDU);
    mpfr_set_d(square_, std::fabs(hi), MPFR_RNDD);
    mpfr_add_d(square_, square_, std::copysign(lo, hi * lo), MPFR_RNDD);
    mpfr_sqr(square_, square_, MPFR_RNDD);
    mpfr_add(stored_, stored_, square_, MPFR_RNDD);
  }

  /// (error + ||lost||) / ||stored||, rounded upward.
  double radius(const Bound& error) {
    const Bound whole = error + sqrt(Bound(lost_));
    if (whole.is_zero()) return 0;
    mpfr_sqrt(stored_, stored_, MPFR_RNDD);
    if (mpfr_zero_p(mpfr_srcptr(stored_))) return std::numeric_limits<double>::infinity();
    return (whole / Bound(stored_)).to_double();
  }

 private:
  Real rest_;
  Real square_{Bound::precision};
  Real lost_{Bound::precision};
  Real stored_{Bound::precision};
};

}  // namespace

Truth certify(const Evaluation& evaluation, int precision_bits) {
  require(precision_bits >= 53 && precision_bits <= 512,
          "truth: precision_bits = " + std::to_string(precision_bits) + " is not in 53..512");
  const std::size_t n = evaluation.item_size;
  Truth truth;
  truth.hi = ComplexArray<double>(evaluation.items * n);
  truth.lo = ComplexArray<double>(evaluation.items * n);
  truth.n = n;
  mpfr_prec_t highest = precision_bits;
  for (std::size_t item = 0; item < evaluation.items; ++item) {
    mpfr_prec_t precision = precision_bits;
    Chain chain = evaluation.evaluate(item, precision);
    for (;;) {
      const mpfr_prec_t next = sufficient_precision(chain, precision);
      if (next == precision) break;
      precision = next;
      chain = evaluation.evaluate(item, precision);
    }
    highest = std::max(highest, precision);
    Storage storage(precision);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = item * n + k;
      storage.store(chain.values.re[k], truth.hi.re[i], truth.lo.re[i]);
      storage.store(chain.values.im[k], truth.hi.im[i], truth.lo.im[i]);
    }
    truth.radius_rel = std::max(truth.radius_rel, storage.radius(chain.error));
  }
  truth.bits = bits_of_radius(truth.radius_rel);
  truth.method = "mpfr " + evaluation.method + ", " + std::to_string(highest) + " bits";
  return truth;
}

void check_items(std::string_view name, const ComplexArray<double>& x, std::size_t item_size) {
  const std::string subject(name);
  require(item_size >= 1, subject + ": an item of size 0");
  require(x.re.size() == x.im.size(), subject + ": real and imaginary parts differ in size");
  require(x.size() % item_size == 0, subject + ": size " + std::to_string(x.size()) +
                                         " is no multiple of " + std::to_string(item_size));
  for (std::size_t i = 0; i < x.size(); ++i)
    require(std::isfinite(x.re[i]) && std::isfinite(x.im[i]),
            subject + ": input element " + std::to_string(i) + " is not finite");
}

void check_real(std::string_view name, const ComplexArray<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    require(x.im[i] == 0, std::string(name) + ": the imaginary part of element " +
                              std::to_string(i) + " is not zero");
}

}  // namespace fftprec::truth
