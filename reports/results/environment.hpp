/// Everything except the case that a result may depend on: versions, compiler, processor.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fftprec::results {

/// Properties of the build that are known when it is configured.
struct BuildInfo {
  std::string_view version;
  std::string_view git_hash;  ///< empty outside a git checkout
  std::string_view compiler;
  std::string_view flags;
  std::string_view build_type;
  std::array<std::pair<std::string_view, std::string_view>, 4> libraries;  ///< name, version
};

const BuildInfo& build_info();

/// The version of the program that made rows: "0.1.0"; if it registers algorithms
/// "0.1.0+NAMES.HASH", since only the bytes of the program identify the results of these
/// algorithms.
std::string program_version();

struct Environment {
  std::string version;
  std::string git_hash;  ///< empty outside a git checkout
  int numerics_version;
  std::string compiler;
  std::string flags;
  std::string build_type;
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version
  std::string system;
  std::string cpu;
  unsigned cores;
  std::vector<std::string> isas;  ///< instruction sets that can run here, slowest first
  std::vector<std::string> floating_point_problems;
};

Environment environment();

/// One "name: value" line per entry.
std::string environment_text(const Environment& environment);

/// The environment as JSON, as in `manifest.json`.
std::string environment_json(const Environment& environment);

}  // namespace fftprec::results
