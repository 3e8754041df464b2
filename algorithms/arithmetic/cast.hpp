/// Casts of arrays to narrower formats, as a machine does them.
#pragma once

#include <cstdint>

#include "arith/formats/round.hpp"
#include "arith/formats/views.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// How a value is rounded on its way into a narrower format.
struct Cast {
  Rounding rounding = Rounding::rne;
  StochasticRounding random{};  ///< for sr; the counter is the element's place
};

/// The machine's casts; each use of random bits has its own `stream`.
Cast cast_of(const Machine& machine, std::uint64_t stream);

/// x rounded once to the format.
double cast_to(double x, const Format& format, const Cast& cast, std::uint64_t counter);

/// x rounded once to the format, in place. Element (i, j) of re has the counter 2 (i * cols + j),
/// of im one more. Double words are not cast. The bits do not depend on `isa`.
template <class Real>
void round_rows(View<Real> x, const Format& format, const Cast& cast, Isa isa);

}  // namespace fftprec
