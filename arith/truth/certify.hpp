/// From a way to compute each item with an error bound to a truth with its certificate.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "arith/complex_array.hpp"
#include "arith/truth/chain.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// How the items of a batch are computed. It refers to the input it was made from.
struct Evaluation {
  std::string method;         ///< "dft by axes"
  std::size_t items = 0;      ///< of the batch
  std::size_t item_size = 0;  ///< output elements of each
  /// Item `item` in arithmetic of `precision` bits, precision >= 53.
  std::function<Chain(std::size_t item, mpfr_prec_t precision)> evaluate;
};

/// Each item with at least `precision_bits`, and with more until its bound is 2^-110 of its norm,
/// so that the pair of doubles decides: radius_rel is then about 2^-106. An item that stays above,
/// because its exact values cancel wholly, is taken at 960 bits with the radius it has there, which
/// may be infinite: a zero that is not known to be exact has no relative error. Infinite too where
/// all of an item is below the smallest double.
/// Error: ||stored - exact|| <= bound of the item + ||stored - computed||, the latter taken from
/// the stored values themselves, so subnormal ones need no case of their own; divided by ||stored||
/// rounded downward. Zero without error: radius_rel = 0 and bits = exact_bits.
/// Throws InputError if a result is beyond the range of double or precision_bits not in 53..512.
Truth certify(const Evaluation& evaluation, int precision_bits);

/// Throws InputError, beginning with `name`, unless item_size >= 1 divides x.size(), re and im have
/// one size and every value is finite.
void check_items(std::string_view name, const ComplexArray<double>& x, std::size_t item_size);

/// Throws InputError, beginning with `name`, unless every imaginary part is zero.
void check_real(std::string_view name, const ComplexArray<double>& x);

/// make(precision), made once for each precision asked for and kept as long as a copy of what is
/// returned lives. For one thread.
template <class Make>
auto once_per_precision(Make make) {
  using Value = std::invoke_result_t<Make, mpfr_prec_t>;
  auto made = std::make_shared<std::map<mpfr_prec_t, Value>>();
  return [made, make](mpfr_prec_t precision) -> const Value& {
    auto found = made->find(precision);
    if (found == made->end()) found = made->emplace(precision, make(precision)).first;
    return found->second;
  };
}

}  // namespace fftprec::truth
