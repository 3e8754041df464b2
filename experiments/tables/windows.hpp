/// Windows and overlap reciprocals by table source: the real tables of a short-time transform, and
/// their errors.
#pragma once

#include <memory>
#include <string_view>

#include "algorithms/arithmetic/roots.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {

/// The real tables of a table source (tables.hpp).
///
/// `exact`: the formula of arith/support/framing.hpp in 256 bits, rounded once to the format.
/// Window: an entry of at most 1 is off by u/2. Reciprocals: a relative error of u, plus less than
/// 2^-64.
///
/// Every other source: computed in fp32 as in torch, each operation rounded, then rounded to the
/// format; c = Re root(j, m), c' = Re root(2j, m) of the source in fp32:
///   rectangular  1
///   hann         0.5 - 0.5 c
///   hamming      fl(0.54) - fl(0.46) c
///   blackman     (fl(0.08) c' - 0.5 c) + fl(0.42)
///   bartlett     t = j fl(2/m), 2 - t for j > m/2
/// and the sum of the squares of these fp32 entries, frame by frame, its fp32 reciprocal, then
/// rounded to the format. The bounds of their errors are proven in windows.cpp.
///
/// Files and exact windows are looked up in `memory`. The functions are safe to call from several
/// threads. Throws InputError for an unknown name; the reciprocals throw it for frames without
/// overlap (short_time.hpp).
WindowSource window_source(std::string_view name, std::shared_ptr<TableMemory> memory = nullptr);

}  // namespace fftprec
