/// What `show` calls a name by, and the names of each kind that are listed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fftprec::commands {

/// "machine" with "trn", "trn-rz", ...; in the order of the help.
std::vector<std::pair<std::string, std::vector<std::string>>> names_by_kind();

}  // namespace fftprec::commands
