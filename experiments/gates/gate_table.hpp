/// A gate as a table within a larger TOML document.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "experiments/gates/gate.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec::gates {

/// The gate in a table, except for its keys `others`. Throws InputError as parse_gates does.
Gate gate_from(const toml::table& table, const TomlReader& toml,
               const std::vector<std::string>& others = {});

/// The figure that `text` prints (see published_value), of all rows. Throws InputError for text
/// that prints none, and for 0.
PublishedFigure figure_from(std::string_view text);

}  // namespace fftprec::gates
