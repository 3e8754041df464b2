/// WAV recordings of PCM or floating-point samples, read by libsndfile.
#pragma once

#include <cstddef>
#include <string_view>

#include "experiments/inputs/samples.hpp"

namespace fftprec {

/// True for bytes that begin as a WAV file does.
bool is_wav(std::string_view bytes);

/// Channel `channel`, counted from 0, of the recording in `bytes`, the contents of the file `name`.
/// PCM of b bits becomes an integer in -2^(b-1) .. 2^(b-1) - 1 divided by 2^(b-1); floating-point
/// samples stay what they are.
/// Rounds: never.
/// Throws InputError "NAME: ...": cut short, of another kind (compressed, A-law), no such channel,
/// no samples, an infinity or NaN.
Samples parse_wav(std::string_view bytes, std::string_view name, std::size_t channel);

}  // namespace fftprec
