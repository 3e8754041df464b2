/// The kinds of names that `show` knows, and the listed names of each kind.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fftprec::commands {

/// "machine" with "trn", "trn-rz", ...; in the order of the help.
std::vector<std::pair<std::string, std::vector<std::string>>> names_by_kind();

}  // namespace fftprec::commands
