/// The program fftprec as a function.
#pragma once

#include <iosfwd>

#include "reports/commands/case_functions.hpp"

namespace fftprec {

/// Runs one command line. Returns the exit code (reports/commands/exit_code.hpp); throws nothing.
int run_cli(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
            const CaseFunctions& functions = real_case_functions());

}  // namespace fftprec
