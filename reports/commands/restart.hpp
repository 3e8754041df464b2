/// The program begun anew in the place of this process.
#pragma once

#include <string>
#include <vector>

namespace fftprec {

/// The words of a command line without `--rerun WHICH`: what is to be run again is decided once.
std::vector<std::string> without_rerun(std::vector<std::string> argv);

/// Runs this program with these words in the same process, with its standard streams: all threads
/// end at once, whatever they are doing. Throws InputError if the system refuses.
[[noreturn]] void restart(std::vector<std::string> argv);

}  // namespace fftprec
