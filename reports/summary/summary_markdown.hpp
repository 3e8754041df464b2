/// Texts made fit for a cell of a Markdown table.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

/// `text` on one line, with the bar escaped.
std::string markdown_cell(std::string_view text);

}  // namespace fftprec
