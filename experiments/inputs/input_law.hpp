/// What an input's name says of the distribution of its values.
#pragma once

#include <string_view>

namespace fftprec {

/// Whether the values of a random input have a mean that is not 0: so much of the energy is in one
/// output that errors relative to the whole are not those of the RMS model. Of inputs that are not
/// random, from a file, or unknown, nothing is said. Throws InputError for an unknown key.
bool has_mean(std::string_view input);

}  // namespace fftprec
