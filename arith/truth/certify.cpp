#include "arith/truth/certify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"
#include "arith/truth/storage.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t outputs_at_once = std::size_t{1} << 20;  // of the output, in pairs
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

/// A truth of the evaluation, with values of zero if it `has_room`, else without values.
Truth truth_for(const Evaluation& evaluation, Tier tier, bool has_room) {
  Truth truth;
  const std::size_t size = has_room ? evaluation.items * evaluation.item_size : 0;
  truth.hi = ComplexArray<double>(size);
  truth.lo = ComplexArray<double>(size);
  truth.n = evaluation.item_size;
  truth.element_radius.resize(evaluation.items);
  truth.tier = tier;
  return truth;
}

Truth in_mpfr(const Evaluation& evaluation, const TruthOptions& options) {
  const std::size_t n = evaluation.item_size;
  Truth truth = truth_for(evaluation, Tier::mpfr, true);
  mpfr_prec_t highest = options.precision_bits;
  for (std::size_t item = 0; item < evaluation.items; ++item) {
    MpfrBench bench{options.precision_bits, options.plans};
    Chain chain = evaluation.evaluate(bench, item);
    for (;;) {
      const mpfr_prec_t next = sufficient_precision(chain, bench.precision);
      if (next == bench.precision) break;
      bench.precision = next;
      chain = evaluation.evaluate(bench, item);
    }
    highest = std::max(highest, bench.precision);
    Storage storage(chain.error, chain.precision());
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

constexpr int largest_scale = 2000;  // two factors that double holds
constexpr double clear_of_radius = 0x1p10;

Bound root_of_twice(double x) { return sqrt(Bound(2) * Bound(x)); }

PairView values_of(Truth& truth) {
  return {truth.hi.re.data(), truth.lo.re.data(), truth.hi.im.data(), truth.lo.im.data()};
}

/// What storing x, one item divided by 2^scale, did: both parts together. x may be `out` itself.
StoredParts store(ConstPairView x, int scale, std::size_t n, double threshold, PairView out,
                  Isa isa) {
  const int half = scale / 2;  // 2^scale may lie beyond double
  const double factor = std::ldexp(1.0, half);
  const double rest = std::ldexp(1.0, scale - half);
  const auto plane = [&](const double* hi, const double* lo, double* out_hi, double* out_lo) {
    return with_tables<PairTables>(isa, [&](auto steps) {
      return steps.store(hi, lo, out_hi, out_lo, n, threshold, factor, rest);
    });
  };
  const StoredParts re = plane(x.re_hi, x.re_lo, out.re_hi, out.re_lo);
  const StoredParts im = plane(x.im_hi, x.im_lo, out.im_hi, out.im_lo);
  const StoredParts all{both(re.kept, im.kept), both(re.dropped, im.dropped)};
  require(std::isfinite(all.kept.largest * factor * rest),
          "truth: a result is beyond the range of double");
  return all;
}

/// At least sqrt(squares) (1 - 2^-20) 2^scale - less.
Real norm_at_least(double squares, int scale, const Bound& less) {
  Real norm(Bound::precision);
  mpfr_set_d(norm, squares, MPFR_RNDD);
  mpfr_sqrt(norm, norm, MPFR_RNDD);
  mpfr_mul_d(norm, norm, 1 - 0x1p-20, MPFR_RNDD);
  mpfr_mul_2si(norm, norm, scale, MPFR_RNDD);
  mpfr_sub(norm, norm, less.get(), MPFR_RNDD);
  return norm;
}

/// bound 2^scale
Bound scaled(const Bound& bound, int scale) {
  Real value(Bound::precision);
  mpfr_mul_2si(value, bound.get(), scale, MPFR_RNDU);
  return Bound(value);
}

/// Stores the items of `chain` as those of `truth` from item `first` on, raises its radius_rel to
/// theirs and sets their element_radius. `values` are the chain's, or moved into the truth. A part
/// not above the error of its item is stored as zero. Returns whether every other part is at least
/// 2^10 times as large as the element radius. Error: (e + what was replaced by zero) 2^scale, and
/// sqrt(2n) 2^-1073 where values are scaled down, since hi and lo may each lose half a last place
/// of the smallest doubles. radius_rel is infinite for scales beyond 2^+-2000. Throws InputError if
/// a result is beyond the range of double.
bool store_items(const PairChain& chain, ConstPairView values, std::size_t first, Truth& truth) {
  const std::size_t n = truth.n;
  bool clear = true;
  for (std::size_t item = 0; item < chain.items(); ++item) {
    const int scale = chain.scale[item];
    double& element_radius = truth.element_radius[first + item];
    if (std::abs(scale) > largest_scale) {
      truth.radius_rel = element_radius = std::numeric_limits<double>::infinity();
      continue;
    }
    const Bound& error = chain.error[item];
    const auto [kept, dropped] = store(from(values, item * n), scale, n, error.to_double(),
                                       from(values_of(truth), (first + item) * n), chain.loops.isa);
    const auto count = static_cast<double>(n);
    const Bound underflow(scale < 0 ? 0x1p-1073 : 0);
    const Bound all_underflow = root_of_twice(count) * underflow;
    Bound lost = error;
    Bound of_element = error;
    if (dropped.largest > 0) {
      const Bound whole(1 + 0x1p-20);  // of hi, and of squares that may underflow
      lost = lost + whole * sqrt(Bound(dropped.squares)) + root_of_twice(count) * Bound(0x1p-511);
      of_element = of_element + whole * sqrt(Bound(2)) * Bound(dropped.largest);
    }
    clear = clear && kept.least >= clear_of_radius * of_element.to_double();
    element_radius = (scaled(of_element, scale) + Bound(2) * underflow).to_double();
    const Bound radius = scaled(lost, scale) + all_underflow;
    if (radius.is_zero()) continue;
    const Real norm = norm_at_least(kept.squares, scale, all_underflow);
    truth.radius_rel = std::max(truth.radius_rel, mpfr_sgn(mpfr_srcptr(norm)) > 0
                                                      ? (radius / Bound(norm)).to_double()
                                                      : std::numeric_limits<double>::infinity());
  }
  return clear;
}

/// Stops early, with a radius above the one needed, where that is not reached; an infinite one
/// where parts are too near their radius while they `must_be_clear`.
Truth in_pairs(const Evaluation& evaluation, const TruthOptions& options, bool must_be_clear) {
  const std::size_t together = std::max<std::size_t>(outputs_at_once / evaluation.item_size, 1);
  const bool all_at_once = together >= evaluation.items;
  Truth truth = truth_for(evaluation, Tier::double_double, !all_at_once);
  const PairBench bench{{.isa = options.isa, .threads = options.threads}, options.plans};
  bool probed = false;
  const double needed = std::ldexp(1.0, -options.needed_bits);
  for (std::size_t first = 0; first < evaluation.items; first += together) {
    PairChain chain =
        evaluation.evaluate_pairs(bench, first, std::min(together, evaluation.items - first));
    probed = probed || chain.probed;
    ConstPairView values = read_only(view(chain.values));
    if (all_at_once) {  // a copy of a long truth would take more memory than all else
      truth.hi = std::move(chain.values.hi);
      truth.lo = std::move(chain.values.lo);
      values = read_only(values_of(truth));
    }
    const bool clear = store_items(chain, values, first, truth);
    if (must_be_clear && !clear) truth.radius_rel = std::numeric_limits<double>::infinity();
    if (!(truth.radius_rel <= needed)) break;
  }
  truth.method = "double-double " + evaluation.method + (probed ? ", probed" : "");
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
  require(options.precision_bits >= 53 && options.precision_bits <= 512,
          "truth: precision_bits = ", options.precision_bits, " is not in 53..512");
  require(options.tier != Tier::gmp, "truth: ", evaluation.method,
          " has no way in gmp, which computes products of integers alone");
  const auto with_bits = [](Truth truth) {
    truth.bits = bits_of_radius(truth.radius_rel);
    return truth;
  };
  const bool named = options.tier == Tier::double_double;
  require(!named || evaluation.evaluate_pairs, "truth: ", evaluation.method,
          " has no way in double-double");
  if (named || (!options.tier && evaluation.evaluate_pairs)) {
    Truth truth = with_bits(in_pairs(evaluation, options, !named));
    if (truth.radius_rel <= std::ldexp(1.0, -options.needed_bits)) return truth;
    require(!named, "truth: double-double certifies ", truth.bits, " bits of ", evaluation.method,
            ", not the ", options.needed_bits, " needed");
  }
  return with_bits(in_mpfr(evaluation, options));
}

void check_items(std::string_view name, const ComplexArray<double>& x, std::size_t item_size) {
  require(item_size >= 1, name, ": an item of size 0");
  require(x.re.size() == x.im.size(), name, ": real and imaginary parts differ in size");
  require(x.size() % item_size == 0, name, ": size ", x.size(), " is no multiple of ", item_size);
  check_finite(name, x);
}

void check_finite(std::string_view name, const ComplexArray<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x.re[i]) && std::isfinite(x.im[i])) continue;
    require(false, name, ": input element ", i, " is not finite");
  }
}

void check_real(std::string_view name, const ComplexArray<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x.im[i] == 0) continue;
    require(false, name, ": the imaginary part of element ", i, " is not zero");
  }
}

}  // namespace fftprec::truth
