/// Arrays that carry an error bound from step to step, in MPFR and in double-double: the workbench
/// for the truth of a transform.
///
/// Every step states its bound. x~ are stored values, x the exact ones, e = ||x~ - x||_2, and u is
/// 2^-precision or 2^-53. A linear step of operator norm L gives L e plus its own rounding, which
/// is measured at x~. Formulas are templates over the workbench; steps have equal names in both
/// arithmetics.
#pragma once

#include <cassert>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/fourier.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// One item's values: ||values - exact||_2 <= error.
struct Chain {
  ComplexReals values;
  Bound error{};

  std::size_t size() const { return values.size(); }
  std::size_t item_size() const { return size(); }
  mpfr_prec_t precision() const { return values.re.precision(); }
};

/// ||x||_2, rounded upward.
Bound norm(const ComplexReals& x);

/// x_first .. x_(first+count-1) without error. Requires: precision >= 53.
Chain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                   mpfr_prec_t precision);

/// A source that gathers a zero.
inline constexpr std::size_t npos = std::numeric_limits<std::size_t>::max();

/// y_i = x_(sources_i): selection, extension, padding.
/// Error: sqrt(r) e if no source is used more than r times, since each |x~_j - x_j|^2 then occurs
/// at most r times in ||y~ - y||^2.
Chain gathered(const Chain& x, std::span<const std::size_t> sources);

/// Unscaled transforms of every line of `length` elements `stride` apart; the inverse with
/// exp(+2 pi i jk/length).
/// Error: sqrt(length) (e + r ||x~||), with r the radius of Fourier, which is relative to the
/// transform of x~; a transform is sqrt(length) times a unitary map.
/// Requires: length * stride divides x.size().
void transform(Chain& x, std::size_t length, std::size_t stride, Direction direction, Plans& plans);

/// x_j <- x_j t_j, with t repeated if it is shorter. Each stored t_j is within `table_error` of the
/// exact one.
/// Error: (T + table_error) e + table_error ||x~|| + sqrt(5) u (1 + 8u) ||y~||, T = max |t~_j|:
/// |t~ x~ - t x| <= |t| |x~ - x| + |t~ - t| |x~|, and the rounding of the product, sqrt(5) u of the
/// exact product, is at most sqrt(5) u / (1 - sqrt(5) u) of the stored one. The last term is 0 if
/// every operation was exact.
/// Requires: t.size() divides x.size(); equal precisions, of at least 53 bits.
void multiply(Chain& x, const ComplexReals& t, const Bound& table_error);

/// As above, with t.error, a bound of the error of each value or of their norm.
void multiply(Chain& x, const Chain& t);

/// x_j <- x_j / divisor.
/// Error: e / divisor + u ||y~||; for a power of two e / divisor, as MPFR's exponents suffice.
/// Requires: divisor >= 1.
void divide(Chain& x, std::size_t divisor);

/// Drops the imaginary parts of values whose exact values are real. Error: e, since the projection
/// onto real vectors does not increase distances and leaves the exact vector.
void drop_imaginary(Chain& x);

/// As above, for one element.
void drop_imaginary(Chain& x, std::size_t i);

/// x_j <- conj x_j for `count` elements from `first` on. Error: e.
void conjugate(Chain& x, std::size_t first, std::size_t count);

/// x_j <- 2 x_j from `first` on, exact. Error: 2 e.
void times_two(Chain& x, std::size_t first);

/// A chain in double-double, for several items at once. Item i represents values 2^scale_i, with
/// ||values - exact 2^-scale_i||_2 <= error_i. Each item is scaled by a power of two, so that its
/// largest input lies in [1/2, 1) and no step overflows. Values below 2^-400 are set to zero, and
/// their errors count like others.
struct PairChain {
  ComplexPairs values;
  std::vector<Bound> error;
  std::vector<int> scale;
  Loops loops{};
  bool probed = false;  ///< whether random probes tested a transform in it

  std::size_t items() const { return error.size(); }
  std::size_t item_size() const { return values.size() / items(); }
};

/// ||x||_2 of each item, rounded upward; 0 only if all of the item is zero.
std::vector<Bound> norms(const PairChain& x);

/// x_first .. x_(first + items count - 1), each item scaled.
/// Error: 0, or sqrt(2 count) 2^-400 if a part below 2^-400 of the scale was set to zero.
PairChain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                       std::size_t items, const Loops& loops);

/// One item, a table of factors, each part rounded to a pair; not scaled.
/// Error, of each value: e + u^2 max |x_j| + 2^-1000.
PairChain rounded_to_pairs(const Chain& x, const Loops& loops);

/// Error: sqrt(r) e.
PairChain gathered(const PairChain& x, std::span<const std::size_t> sources);

/// Transforms of every line, and random probes of all of them (audit.hpp).
/// Error: sqrt(length) (e + r ||x~||), with r the radius of PairFourier, which bounds each line.
/// First, parts below 2^-400 are set to zero, which adds sqrt(2 count) 2^-400 to e. Length 1: e.
/// Throws CertificateError; InputError for lengths above PairFourier::longest.
void transform(PairChain& x, std::size_t length, std::size_t stride, Direction direction,
               Plans& plans);

/// x_j <- x_j t_j by items. t has as many items, or one for all; each is repeated if it is shorter.
/// Each stored t_j is within t.error of the exact one.
/// Error: (T + t.error) e + t.error ||x~|| + 20 u^2 ||y~|| + sqrt(2 count) 2^-1000, T >= max
/// |t~_j|: 14 sqrt(2) u^2 (1 + 20u) of the exact product (double_double.hpp) is at most 20 u^2 of
/// the stored one, and the last term is the error of products below 2^-960.
void multiply(PairChain& x, const PairChain& t);

/// Error: e / divisor + 10 u^2 ||y~|| + sqrt(2 count) 2^-1000, since the error of the reciprocal as
/// a pair is u^2 and of the product 8 u^2. For a power of two, which only changes the scale, e /
/// divisor.
void divide(PairChain& x, std::size_t divisor);

void drop_imaginary(PairChain& x);
void drop_imaginary(PairChain& x, std::size_t i);
void conjugate(PairChain& x, std::size_t first, std::size_t count);
void times_two(PairChain& x, std::size_t first);

/// MPFR, one item at a time.
struct MpfrBench {
  mpfr_prec_t precision;
  std::shared_ptr<Plans> plans = std::make_shared<Plans>();
};

/// Double-double, several items at once.
struct PairBench {
  Loops loops{};
  std::shared_ptr<Plans> plans = std::make_shared<Plans>();
};

/// `items` items of `count` elements from x_first on.
inline Chain exact_values(const MpfrBench& bench, const ComplexArray<double>& x, std::size_t first,
                          std::size_t count, [[maybe_unused]] std::size_t items) {
  assert(items == 1);
  return exact_values(x, first, count, bench.precision);
}
inline PairChain exact_values(const PairBench& bench, const ComplexArray<double>& x,
                              std::size_t first, std::size_t count, std::size_t items) {
  return exact_values(x, first, count, items, bench.loops);
}

/// The first `count` elements of each item, followed by zeros up to `size`. Error: e.
template <class AnyChain>
AnyChain resized(const AnyChain& x, std::size_t count, std::size_t size) {
  std::vector<std::size_t> sources(size, npos);
  for (std::size_t i = 0; i < count; ++i) sources[i] = i;
  return gathered(x, sources);
}

/// Bins of a one-sided spectrum.
inline std::size_t half_size(std::size_t n) { return n / 2 + 1; }

/// The first half_size(n) elements of each contiguous line of n. Error: e.
template <class AnyChain>
AnyChain one_sided(const AnyChain& x, std::size_t n) {
  assert(x.item_size() % n == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.item_size() / n * half_size(n));
  for (std::size_t line = 0; line < x.item_size(); line += n)
    for (std::size_t k = 0; k < half_size(n); ++k) sources.push_back(line + k);
  return gathered(x, sources);
}

/// Lines of n from lines of h = half_size(n): x_0 .. x_(h-1), then conj x_(n-k); the imaginary
/// parts at 0 and, for even n, at n/2 are dropped. Error: sqrt(2) e, since each element is used at
/// most twice, conjugation keeps norms and dropping is a projection. The map is linear over the
/// reals, which suffices for the bound.
template <class AnyChain>
AnyChain two_sided(const AnyChain& x, std::size_t n) {
  const std::size_t half = half_size(n);
  assert(x.item_size() % half == 0);
  std::vector<std::size_t> sources;
  sources.reserve(x.item_size() / half * n);
  for (std::size_t line = 0; line < x.item_size(); line += half)
    for (std::size_t k = 0; k < n; ++k) sources.push_back(line + (k < half ? k : n - k));
  AnyChain y = gathered(x, sources);
  for (std::size_t line = 0; line < y.item_size(); line += n) {
    conjugate(y, line + half, n - half);
    drop_imaginary(y, line);
    if (n % 2 == 0) drop_imaginary(y, line + n / 2);
  }
  return y;
}

/// A table of factors: make(precision) gives them in MPFR, as a Chain whose error bounds each
/// factor.
template <class Make>
Chain table(const MpfrBench& bench, Make make) {
  return make(bench.precision);
}
template <class Make>
PairChain table(const PairBench& bench, Make make) {
  constexpr mpfr_prec_t precision = 140;  // far below what rounding to pairs costs
  return rounded_to_pairs(make(precision), bench.loops);
}

/// The result of `make` on a workbench, made once for pairs and once for each precision of MPFR,
/// and kept while a copy of this object lives. For one thread.
template <class Make>
class OncePerBench {
 public:
  explicit OncePerBench(Make make) : make_(make), kept_(std::make_shared<Kept>()) {}

  const auto& operator()(const MpfrBench& bench) const {
    auto found = kept_->of_precision.find(bench.precision);
    if (found == kept_->of_precision.end())
      found = kept_->of_precision.emplace(bench.precision, make_(bench)).first;
    return found->second;
  }
  const auto& operator()(const PairBench& bench) const {
    if (!kept_->pairs) kept_->pairs.emplace(make_(bench));
    return *kept_->pairs;
  }

 private:
  struct Kept {
    std::map<mpfr_prec_t, std::invoke_result_t<Make, MpfrBench>> of_precision;
    std::optional<std::invoke_result_t<Make, PairBench>> pairs;
  };

  Make make_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace fftprec::truth
