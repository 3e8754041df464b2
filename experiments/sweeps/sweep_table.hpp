/// A sweep that is a table within a larger TOML document, with the keys of a sweep file.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweeps/sweep.hpp"

namespace fftprec {

/// The sweep that `document` holds; its text stays empty, and its keys `others` are not looked at.
/// Throws InputError as parse_sweep does,
/// with the places that the nodes have in SOURCE.
Sweep sweep_from(const toml::table& document, std::string_view source,
                 const CheckNames& check_names, const std::vector<std::string>& others = {});

}  // namespace fftprec
