/// The distribution of an input's values, by its name.
#pragma once

#include <string_view>

namespace fftprec {

/// Whether the values of a random input have a nonzero mean: then one output has most of the
/// energy, and the RMS model does not predict errors relative to the whole. False for inputs that
/// are not random, from a file, or unknown. Throws InputError for an unknown key.
bool has_mean(std::string_view input);

}  // namespace fftprec
