/// What is wrong with a command line, in words that help to mend it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace fftprec {

/// What CLI11 says, with the nearest known name where a command or an option is unknown, and the
/// meaning of what is missing.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& argv);

}  // namespace fftprec
