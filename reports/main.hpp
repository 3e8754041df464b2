/// The program as a function, for programs with their own algorithms.
#pragma once

namespace fftprec {

/// Runs the command line, with all commands of fftprec and the algorithms that were registered
/// before (experiments/algorithms/registry.hpp). Returns the exit code; never throws. Changes state
/// of the process: GMP's allocator, the standard streams if they are closed, and SIGXFSZ.
int main(int argc, char** argv);

}  // namespace fftprec
