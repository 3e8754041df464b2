/// Machines in files: a preset and its parameters, as `fftprec identify` writes them.
#pragma once

#include <string>

#include "arith/machines/machine.hpp"

namespace fftprec {

/// "file:PATH" as the name of the machine in that TOML file, which is all that is kept of it: there
/// is no second identity. Any other text as it is.
/// The file has preset = "NAME" and, if there are any, parameters by their names in a table
/// [parameters]. Throws InputError "PATH:LINE:COLUMN: ..." for what is not known there, listing
/// what is.
std::string machine_of_file(const std::string& name);

/// The text of such a file, `comment` before it, a line "# ..." for each of its lines.
std::string machine_file(const NamedMachine& machine, const std::string& comment);

}  // namespace fftprec
