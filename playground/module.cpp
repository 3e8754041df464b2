/// The module of the playground: the program's own commands, for a page that has no process to
/// start. Files are in memory; one session lasts as long as the page, so that what one answer
/// resolved and made serves the next.
#include <spawn.h>

#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "reports/commands/cli.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

extern "C" {

/// Which emscripten only declares: a page starts no programs.
int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                 char* const*, char* const*) {
  return ENOSYS;
}

/// Runs a command line, one word a line, the first that of the program. Returns JSON, valid until
/// the next call: the exit code, what went to standard output, and what went to standard error.
const char* fftprec_run(const char* words) {
  static const auto session = std::make_shared<fftprec::Session>();
  static std::string answer;
  std::ostringstream out;
  std::ostringstream err;
  fftprec::commands::Context context{out, err, lines_of(words), session};
  const int code = fftprec::commands::run_cli(context);
  using Json = nlohmann::json;
  answer = Json{{"code", code}, {"out", out.str()}, {"err", err.str()}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
  return answer.c_str();
}

}  // extern "C"
