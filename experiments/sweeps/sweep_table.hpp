/// A sweep as a table within a larger TOML document, with the keys of a sweep file.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "experiments/support/toml_reader.hpp"
#include "experiments/sweeps/sweep.hpp"

namespace fftprec {

/// The sweep in `document`, except for its keys `others`; its text stays empty. Throws InputError
/// as parse_sweep does.
Sweep sweep_from(const toml::table& document, const TomlReader& toml, const CheckNames& check_names,
                 const std::vector<std::string>& others = {});

}  // namespace fftprec
