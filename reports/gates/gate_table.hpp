/// A gate that is a table within a larger TOML document.
#pragma once

#include <toml++/toml.h>

#include <string_view>
#include <vector>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// The gate that a table states; its keys `others` are not looked at. Throws InputError as
/// parse_gates does, with the places that the nodes have in FILE.
Gate gate_from(const toml::table& table, std::string_view file,
               const std::vector<std::string_view>& others = {});

/// The figure that `text` prints (see silicon::published_value), of all rows. Throws InputError for
/// what is none, and for 0.
PublishedFigure figure_from(std::string_view text);

}  // namespace fftprec
