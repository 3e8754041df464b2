/// The same workbench as chain.hpp in double-double arithmetic, for several items at once.
///
/// Every step states what becomes of each item's bound, in the words of chain.hpp, with u = 2^-53.
/// An item is held scaled by a power of two, so that its largest input lies in [1/2, 1): no step
/// overflows, and what is set to zero for being below 2^-400 is charged like any error.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "arith/truth/chain.hpp"
#include "arith/truth/expansion_fourier.hpp"

namespace fftprec::truth {

/// Item i stands for values 2^scale_i, ||values - exact 2^-scale_i||_2 <= error_i.
struct PairChain {
  ComplexPairs values;
  std::vector<Bound> error;
  std::vector<int> scale;
  Loops loops{};
  bool probed = false;      ///< whether random probes tested a transform in it
  bool in_triples = false;  ///< whether its transforms are triple-double, rounded to pairs

  std::size_t items() const { return error.size(); }
  std::size_t item_size() const { return values.size() / items(); }
};

/// ||x||_2 of each item, rounded upward; 0 only where all of it is zero.
std::vector<Bound> norms(const PairChain& x);

/// x_first .. x_(first + items count - 1), each item scaled.
/// Error: 0, or sqrt(2 count) 2^-400 where a part below 2^-400 of the scale was set to zero.
PairChain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                       std::size_t items, const Loops& loops);

/// One item, a table of factors, each part rounded to a pair; not scaled.
/// Error, of each value: e + u^2 max |x_j| + 2^-1000.
PairChain rounded_to_pairs(const Chain& x, const Loops& loops);

/// Error: sqrt(r) e.
PairChain gathered(const PairChain& x, std::span<const std::size_t> sources);

/// Transforms of every line, and random probes of all of them (audit.hpp).
/// Error: sqrt(length) (e + r ||x~||), r the radius of PairFourier, which bounds each line, or in
/// triple-double that of transform_in_triples (triple_transform.hpp); before,
/// parts below 2^-400 are set to zero, which adds sqrt(2 count) 2^-400 to e. Length 1: e.
/// Throws CertificateError; InputError for lengths above 2^25.
void transform(PairChain& x, std::size_t length, std::size_t stride, Direction direction);

/// x_j <- x_j t_j by items; t has one item for all or as many, each repeated where it is shorter.
/// The t_j stored are each within t.error of those meant.
/// Error: (T + t.error) e + t.error ||x~|| + 20 u^2 ||y~|| + sqrt(2 count) 2^-1000, T >= max
/// |t~_j|: 14 sqrt(2) u^2 (1 + 20u) of the exact product (double_double.hpp) are at most 20 u^2 of
/// the one stored, and the last term is what products below 2^-960 lose.
void multiply(PairChain& x, const PairChain& t);

/// Error: e / divisor + 10 u^2 ||y~|| + sqrt(2 count) 2^-1000: the reciprocal as a pair errs by
/// u^2, the product by 8 u^2; e / divisor alone for a power of two, which only moves the scale.
void divide(PairChain& x, std::size_t divisor);

void drop_imaginary(PairChain& x);
void drop_imaginary(PairChain& x, std::size_t i);
void conjugate(PairChain& x, std::size_t first, std::size_t count);
void times_two(PairChain& x, std::size_t first);

}  // namespace fftprec::truth
