/// Complex MPFR numbers of the run-time certificate, and their way into double-double.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/expansion_views.hpp"
#include "arith/truth/multiplier.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// A complex number of the precision that the certificate computes in.
struct ComplexReal {
  static constexpr mpfr_prec_t precision = 160;
  Real re{precision};
  Real im{precision};
};

/// exp(-2 pi i k/order).
ComplexReal exact_root(std::uint64_t k, std::uint64_t order);

ComplexReal product(const ComplexReal& a, const ComplexReal& b);

/// sum <- sum + term
void add(ComplexReal& sum, const ComplexReal& term);

/// sum <- sum + i^quarters x_j
void add_turned(ComplexReal& sum, const ComplexPairs& x, std::size_t j, unsigned quarters);

/// z, z w, z w^2, ... one after the other.
class Powers {
 public:
  Powers(ComplexReal z, ComplexReal w) : power_(std::move(z)), factor_(std::move(w)) {}

  const ComplexReal& current() const { return power_; }
  void advance() {
    multiply_(next_.re, next_.im, power_.re, power_.im, factor_.re, factor_.im);
    std::swap(power_, next_);
  }

 private:
  ComplexReal power_;
  ComplexReal factor_;
  ComplexReal next_;
  Multiplier multiply_{ComplexReal::precision};
};

using Factor = std::array<double, 4>;  ///< re hi, re lo, im hi, im lo

/// Both parts rounded to nearest. `rest` is of ComplexReal::precision.
Factor to_factor(const ComplexReal& z, Real& rest);

/// i^quarters z.
Factor turned(Factor z, unsigned quarters);

/// So many neighbours share a factor of double-double: about half the root of all, as the factors
/// of the neighbours and those that they share are MPFR's.
std::size_t columns_for(std::size_t n, std::size_t lines);

/// add(tables, first column, columns) for pieces of columns, on several threads.
template <template <class> class Tables, class Add>
void in_pieces(std::size_t columns, unsigned threads, Isa isa, Add add) {
  constexpr std::size_t piece = 256;
  struct Nothing {};
  in_parallel((columns + piece - 1) / piece, threads, [] { return Nothing{}; },
              [&](Nothing, std::size_t i) {
                const std::size_t first = i * piece;
                with_tables<Tables>(isa, [&](auto tables) {
                  add(tables, first, std::min(columns - first, piece));
                });
              });
}

}  // namespace fftprec::truth
