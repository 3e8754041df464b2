/// Options that several commands have, so that they are the same in all of them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fftprec {

struct CaseRequest;

/// A validator: an empty text, most often a shell variable that is not set, names no file.
std::string not_empty(const std::string& text);

/// An option that may be given again and again and takes one value each time.
void add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
              const std::string& help);

/// A sweep, -a and -f, with the help on axes and filters.
void add_case_options(CLI::App& command, CaseRequest& request);

/// Throws InputError if `csv` (a file, "-" or nothing) or `directory` (made if missing; or nothing)
/// cannot be written: to be asked before long work.
void check_outputs(const std::string& csv, const std::string& directory);

/// -j. Sets `threads` to one per core, which it stays unless another number is given.
void add_threads_option(CLI::App& command, unsigned& threads);

}  // namespace fftprec
