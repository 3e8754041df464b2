/// Makes truths with certificates, from functions that compute items with error bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/chain.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// How the items of a batch are computed. It refers to its input, which must outlive it.
struct Evaluation {
  std::string method;         ///< "dft by axes"
  std::size_t items = 0;      ///< of the batch
  std::size_t item_size = 0;  ///< output elements of each
  /// Item `item` in MPFR, with at least 53 bits.
  std::function<Chain(const MpfrBench& bench, std::size_t item)> evaluate;
  /// Items `first` .. `first + items - 1` in double-double; empty if this is not possible.
  std::function<PairChain(const PairBench& bench, std::size_t first, std::size_t items)>
      evaluate_pairs{};
};

/// An evaluation in both tiers by one formula(bench, first, items), with a workbench (chain.hpp).
template <class Formula>
Evaluation evaluation_of(std::string method, std::size_t items, std::size_t item_size,
                         Formula formula) {
  return {std::move(method), items, item_size,
          [formula](const MpfrBench& bench, std::size_t item) { return formula(bench, item, 1); },
          [formula](const PairBench& bench, std::size_t first, std::size_t count) {
            return formula(bench, first, count);
          }};
}

/// The truth in the tier of `options`.
///
/// MPFR: each item has at least `precision_bits`, and more until its bound is 2^-110 of its norm.
/// The pair of doubles then determines radius_rel, about 2^-106. If the exact values of an item
/// cancel completely, its bound stays above; it is then computed with 960 bits and has the radius
/// found there. This may be infinite, since a zero that is not known to be exact has no relative
/// error. The radius is also infinite if all of an item is below the smallest double.
///
/// Double-double: as in chain.hpp. By default it is tried first, and used if the radius is at most
/// 2^-needed_bits for every item and each part is either zero or at least 2^10 times the element
/// radius of its item. Otherwise all items are computed in MPFR.
///
/// In both tiers a part that is not above the error bound of its item is stored as zero.
/// Error: ||stored - exact|| <= bound of the item + ||stored - computed||, divided by ||stored||
/// rounded downward. The second term includes parts replaced by zero and is computed from the
/// stored values, so subnormal values need no special case. For one element, the largest element
/// instead of the norm. A zero without error has radius_rel = 0 and bits = exact_bits.
///
/// Throws InputError if a result is beyond the range of double, if precision_bits is not in
/// 53..512, if double-double is requested but impossible or has too large a radius, or if gmp is
/// requested; CertificateError if a probe refutes the result.
Truth certify(const Evaluation& evaluation, const TruthOptions& options);

/// A function that certifies an evaluation: takes the arguments of `evaluate`, then options.
template <auto evaluate>
struct Certified;
template <class... Args, Evaluation (*evaluate)(Args...)>
struct Certified<evaluate> {
  Truth operator()(Args... args, const TruthOptions& options = {}) const {
    return certify(evaluate(args...), options);
  }
};

/// Truth::bits of a truth without error.
inline constexpr int exact_bits = 1074;

/// floor(-log2(radius_rel)), between 0 and exact_bits.
int bits_of_radius(double radius_rel);

/// Throws InputError, beginning with `name`, unless item_size >= 1 divides x.size(), re and im have
/// one size and every value is finite.
void check_items(std::string_view name, const ComplexArray<double>& x, std::size_t item_size);

/// Throws InputError, beginning with `name`, unless every value is finite.
void check_finite(std::string_view name, const ComplexArray<double>& x);

/// Throws InputError, beginning with `name`, unless every imaginary part is zero.
void check_real(std::string_view name, const ComplexArray<double>& x);

}  // namespace fftprec::truth
