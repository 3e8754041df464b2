/// The modes of trnfft, which tests of one mode of every scheme run over.
#pragma once

#include <span>

#include "algorithms/arithmetic/modes.hpp"

namespace fftprec::testing {

inline std::span<const Mode> trnfft_modes() { return std::span(modes()).first(7); }

}  // namespace fftprec::testing
