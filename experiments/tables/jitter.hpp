/// Numbers moved by up to one unit in the last place: what a function library may do that this
/// project evaluates correctly rounded.
#pragma once

#include <cstdint>
#include <string_view>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Tells the jitters of one run apart: draw k of a use of them.
struct Jitter {
  std::uint64_t k = 0;       ///< 0: nothing moves
  std::uint64_t stream = 0;  ///< what is jittered: a seed, a table
};

/// x, or one of its two neighbours in fp32, each with probability 1/3: a function of (k, stream,
/// counter). Zeros stay: no library makes anything else of them.
float jittered(float x, const Jitter& jitter, std::uint64_t counter);

/// n * batch values of the input that `keys` names, "k=K:inner=INPUT" (k from 1 to 2^24, 1 if not
/// given), rounded to fp32 and jittered; what follows `inner=` is a whole name. `seed` is the
/// input's and the jitter's stream. Throws what make_input would throw for INPUT; InputError for
/// another key, a bad k, and for an INPUT that is a file: its values are known.
ComplexArray<double> jittered_input(std::string_view keys, std::size_t n, std::size_t batch,
                                    std::uint64_t seed);

/// Throws what jittered_input would throw for a bad name, without making anything.
void check_jittered_input(std::string_view keys);

}  // namespace fftprec
