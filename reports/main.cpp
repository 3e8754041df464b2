#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "reports/commands/cli.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error like a full disk, not a kill
  fftprec::commands::Context context{std::cout, std::cerr, {argv, argv + argc}};
  return run_cli(context);
}
