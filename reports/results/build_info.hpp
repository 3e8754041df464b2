/// What is known of this build only when it is configured.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace fftprec {

struct BuildInfo {
  std::string_view version;
  std::string_view git_hash;  ///< empty outside a git checkout
  std::string_view compiler;
  std::string_view flags;
  std::string_view build_type;
  std::array<std::pair<std::string_view, std::string_view>, 4> libraries;  ///< name, version
};

const BuildInfo& build_info();

}  // namespace fftprec
