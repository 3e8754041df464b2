/// Machines in files: a preset and its parameters, as `fftprec identify` writes them.
#pragma once

#include <string>

#include "arith/machines/machine.hpp"

namespace fftprec {

/// Replaces "file:PATH" by the name of the machine in this TOML file. Only this name is kept, so
/// that a machine has one name. Any other text is returned unchanged.
/// The file has preset = "NAME" and, if there are any, parameters by their names in a table
/// [parameters]. Throws InputError "PATH:LINE:COLUMN: ..." for unknown names, listing the known
/// ones.
std::string machine_of_file(const std::string& name);

/// The text of a machine file, after `comment`, each of whose lines becomes "# ...".
std::string machine_file(const Machine& machine, const std::string& comment);

}  // namespace fftprec
