/// The twiddles of a program, read from its transforms of impulses.
///
/// In an FFT of mixed radices most impulses meet one factor alone on the way to some output. In
/// time the impulse at k M of a stage (L, r, M) has W_(L r)^(l k) in output l < L: earlier stages
/// find it at place 0, later ones in row 0. In frequency the impulse at m < M has W_(r M)^(j m) in
/// output j L. So the table is read entry by entry, whatever made it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/fft/radix_plan.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec::identify {

/// The transforms of impulses at these places, row by row; nothing if some are not known.
using ImpulseRows = std::function<std::optional<ComplexArray<double>>(
    std::size_t n, const std::vector<std::size_t>& places)>;

/// The table of an FFT of n points by that plan, as `tables=file:` reads it: the circle of order n,
/// exact, rounded to the format, where no factor is read, or, if stages have different entries for
/// a root and all radices are 2, the stages one after the other, L = 1, 2, ..., n/2. Nothing if
/// rows are missing, if what they hold are no roots, or if other stages differ.
std::optional<ComplexArray<double>> own_table(std::size_t n, const RadixPlan& plan,
                                              const Format& format, const ImpulseRows& rows);

}  // namespace fftprec::identify
