/// The program as a function, for programs that bring algorithms of their own.
#pragma once

namespace fftprec {

/// Runs the command line, with every command of the program fftprec and the algorithms that were
/// registered before (experiments/algorithms/registry.hpp). Returns the exit code; throws nothing.
/// Sets what belongs to a process: GMP's allocator, the standard streams if they are closed, and
/// SIGXFSZ.
int main(int argc, char** argv);

}  // namespace fftprec
