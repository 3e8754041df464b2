/// Reading a whole file, with an error that names it.
#pragma once

#include <filesystem>
#include <string>

namespace fftprec {

/// The bytes of `path`. Throws InputError("PATH: cannot be read: reason").
std::string read_file(const std::filesystem::path& path);

}  // namespace fftprec
