#include "arith/truth/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arith/support/error.hpp"
#include "arith/truth/nearest_pair.hpp"
#include "arith/truth/pair_storage.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t elements_at_once = std::size_t{1} << 20;  // of the output, in pairs
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
  /// Values computed within `error` of their item.
  explicit Storage(const Chain& chain) : error_(chain.error), rest_(chain.precision()) {}

  void store(mpfr_srcptr x, double& hi, double& lo) {
    if (mpfr_cmpabs(x, error_.get()) <= 0) {
      mpfr_set(rest_, x, MPFR_RNDN);
      hi = lo = 0;
    } else {
      const DoubleDouble pair = nearest_pair(x, rest_);
      hi = pair.hi;
      lo = pair.lo;
      require(std::isfinite(hi), "truth: a result is beyond the range of double");
    }
    mpfr_sqr(square_, rest_, MPFR_RNDU);
    mpfr_add(lost_, lost_, square_, MPFR_RNDU);
    mpfr_max(most_lost_, most_lost_, square_, MPFR_RNDU);
    mpfr_set_d(square_, std::fabs(hi), MPFR_RNDD);
    mpfr_add_d(square_, square_, std::copysign(lo, hi * lo), MPFR_RNDD);
    mpfr_sqr(square_, square_, MPFR_RNDD);
    mpfr_add(stored_, stored_, square_, MPFR_RNDD);
  }

  /// (error + ||lost||) / ||stored||, rounded upward.
  double radius() {
    const Bound whole = error_ + sqrt(Bound(lost_));
    if (whole.is_zero()) return 0;
    mpfr_sqrt(stored_, stored_, MPFR_RNDD);
    if (mpfr_zero_p(mpfr_srcptr(stored_))) return std::numeric_limits<double>::infinity();
    return (whole / Bound(stored_)).to_double();
  }

  /// Error and what one element lost in both parts.
  double of_element() const { return (error_ + sqrt(Bound(2) * Bound(most_lost_))).to_double(); }

 private:
  Bound error_;
  Real rest_;
  Real square_{Bound::precision};
  Real lost_{Bound::precision};
  Real most_lost_{Bound::precision};
  Real stored_{Bound::precision};
};

/// A truth of zeros with room for the evaluation.
Truth room_for(const Evaluation& evaluation, Tier tier) {
  Truth truth;
  truth.hi = ComplexArray<double>(evaluation.items * evaluation.item_size);
  truth.lo = ComplexArray<double>(evaluation.items * evaluation.item_size);
  truth.n = evaluation.item_size;
  truth.element_radius.resize(evaluation.items);
  truth.tier = tier;
  return truth;
}

Truth in_mpfr(const Evaluation& evaluation, int precision_bits) {
  const std::size_t n = evaluation.item_size;
  Truth truth = room_for(evaluation, Tier::mpfr);
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
    Storage storage(chain);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = item * n + k;
      storage.store(chain.values.re[k], truth.hi.re[i], truth.lo.re[i]);
      storage.store(chain.values.im[k], truth.hi.im[i], truth.lo.im[i]);
    }
    truth.radius_rel = std::max(truth.radius_rel, storage.radius());
    truth.element_radius[item] = storage.of_element();
  }
  truth.method = "mpfr " + evaluation.method + ", " + std::to_string(highest) + " bits";
  return truth;
}

std::string text(Tier tier) {
  return tier == Tier::triple_double ? "triple-double" : "double-double";
}

/// Stops early, with a radius above the one needed, where that is not reached; an infinite one
/// where parts are too near their radius while they `must_be_clear`.
Truth in_pairs(const Evaluation& evaluation, const TruthOptions& options, Tier tier,
               bool must_be_clear) {
  Truth truth = room_for(evaluation, tier);
  const PairBench bench{{.isa = options.isa, .threads = options.threads},
                        tier == Tier::triple_double};
  bool probed = false;
  const std::size_t together = std::max<std::size_t>(elements_at_once / evaluation.item_size, 1);
  const double needed = std::ldexp(1.0, -options.needed_bits);
  for (std::size_t first = 0; first < evaluation.items; first += together) {
    const PairChain chain =
        evaluation.evaluate_pairs(bench, first, std::min(together, evaluation.items - first));
    probed = probed || chain.probed;
    const bool clear = store_items(chain, first, truth);
    if (must_be_clear && !clear) truth.radius_rel = std::numeric_limits<double>::infinity();
    if (!(truth.radius_rel <= needed)) break;
  }
  truth.method = text(tier) + (" " + evaluation.method) + (probed ? ", probed" : "");
  return truth;
}

}  // namespace

int bits_of_radius(double radius_rel) {
  if (radius_rel == 0) return exact_bits;
  if (!(radius_rel < 1)) return 0;
  int exponent = 0;
  const double fraction = std::frexp(radius_rel, &exponent);  // radius = fraction * 2^exponent
  return std::min(exact_bits, fraction == 0.5 ? 1 - exponent : -exponent);
}

Truth certify(const Evaluation& evaluation, const TruthOptions& options) {
  require(
      options.precision_bits >= 53 && options.precision_bits <= 512,
      "truth: precision_bits = " + std::to_string(options.precision_bits) + " is not in 53..512");
  const auto with_bits = [](Truth truth) {
    truth.bits = bits_of_radius(truth.radius_rel);
    return truth;
  };
  const double needed = std::ldexp(1.0, -options.needed_bits);
  for (const Tier tier : {Tier::double_double, Tier::triple_double}) {
    const bool named = options.tier == tier;
    require(!named || evaluation.evaluate_pairs,
            "truth: " + evaluation.method + " has no way in " + text(tier));
    if (!evaluation.evaluate_pairs || (options.tier && !named)) continue;
    Truth truth = with_bits(in_pairs(evaluation, options, tier, !named));
    if (truth.radius_rel <= needed) return truth;
    require(!named, "truth: " + text(tier) + " certifies " + std::to_string(truth.bits) +
                        " bits of " + evaluation.method + ", not the " +
                        std::to_string(options.needed_bits) + " needed");
  }
  return with_bits(in_mpfr(evaluation, options.precision_bits));
}

void check_items(std::string_view name, const ComplexArray<double>& x, std::size_t item_size) {
  const std::string subject(name);
  require(item_size >= 1, subject + ": an item of size 0");
  require(x.re.size() == x.im.size(), subject + ": real and imaginary parts differ in size");
  require(x.size() % item_size == 0, subject + ": size " + std::to_string(x.size()) +
                                         " is no multiple of " + std::to_string(item_size));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x.re[i]) && std::isfinite(x.im[i])) continue;
    require(false, subject + ": input element " + std::to_string(i) + " is not finite");
  }
}

void check_real(std::string_view name, const ComplexArray<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x.im[i] == 0) continue;
    require(false, std::string(name) + ": the imaginary part of element " + std::to_string(i) +
                       " is not zero");
  }
}

}  // namespace fftprec::truth
