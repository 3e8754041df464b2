/// From a way to compute each item with an error bound to a truth with its certificate.
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

/// How the items of a batch are computed. It refers to the input it was made from.
struct Evaluation {
  std::string method;         ///< "dft by axes"
  std::size_t items = 0;      ///< of the batch
  std::size_t item_size = 0;  ///< output elements of each
  /// Item `item` in MPFR, of at least 53 bits.
  std::function<Chain(const MpfrBench& bench, std::size_t item)> evaluate;
  /// Items `first` .. `first + items - 1` in double-double; empty where there is no such way.
  std::function<PairChain(const PairBench& bench, std::size_t first, std::size_t items)>
      evaluate_pairs{};
};

/// In both tiers by one formula(bench, first, items), bench a workbench (chain.hpp).
template <class Formula>
Evaluation evaluation_of(std::string method, std::size_t items, std::size_t item_size,
                         Formula formula) {
  return {std::move(method), items, item_size,
          [formula](const MpfrBench& bench, std::size_t item) { return formula(bench, item, 1); },
          [formula](const PairBench& bench, std::size_t first, std::size_t count) {
            return formula(bench, first, count);
          }};
}

/// The truth in the tier that `options` name.
///
/// MPFR: each item with at least `precision_bits`, and with more until its bound is 2^-110 of its
/// norm, so that the pair of doubles decides: radius_rel is then about 2^-106. An item that stays
/// above, because its exact values cancel wholly, is taken at 960 bits with the radius it has
/// there, which may be infinite: a zero that is not known to be exact has no relative error.
/// Infinite too where all of an item is below the smallest double.
///
/// Double-double: what chain.hpp gives. Where no tier is named it is tried first, and taken if the
/// radius is at most 2^-needed_bits for every item and each part is either zero or 2^10 times as
/// large as its item's element radius; else all items are computed in MPFR.
///
/// A part that is not above the bound of its item's computation is stored as zero in both tiers.
/// Error: ||stored - exact|| <= bound of the item + ||stored - computed||, the latter, with what
/// was replaced by zero, taken from the stored values themselves, so subnormal ones need no case of
/// their own; divided by ||stored|| rounded downward. For one element the largest of it instead of
/// its norm. Zero without error: radius_rel = 0 and bits = exact_bits.
///
/// Throws InputError if a result is beyond the range of double, precision_bits is not in 53..512,
/// or double-double is named and there is no such way or its radius is too large;
/// CertificateError if a probe refutes the result.
Truth certify(const Evaluation& evaluation, const TruthOptions& options);

/// What a way to compute certifies: its arguments, then options.
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
