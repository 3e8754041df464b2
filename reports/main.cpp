#include "reports/main.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>

#include "reports/commands/cli.hpp"

namespace fftprec {

namespace {

/// Where a standard stream is closed, the next file to be opened would get its number, and what is
/// printed would go into that file. Opened for reading alone, a stream still fails on writing.
void occupy_standard_streams() {
  while (true) {
    const int file = ::open("/dev/null", O_RDONLY);
    if (file < 0 || file > STDERR_FILENO) {
      if (file > STDERR_FILENO) ::close(file);
      return;
    }
  }
}

void* allocated(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// GMP ends a process that has no memory left; of a run it is to end one case. Its functions are
/// those of the whole process, so a program may set them, and a library may not.
void let_gmp_throw() {
  mp_set_memory_functions(
      [](std::size_t size) { return allocated(std::malloc(size)); },
      [](void* old, std::size_t, std::size_t size) { return allocated(std::realloc(old, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
}

}  // namespace

int main(int argc, char** argv) {
  let_gmp_throw();
  occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error like a full disk, not a kill
  commands::Context context{std::cout, std::cerr, {argv, argv + argc}};
  const int code = run_cli(context);
  if (context.hung) {  // what a hung thread uses must not be taken from it
    std::cout.flush();
    std::_Exit(code);
  }
  return code;
}

}  // namespace fftprec
