/// A path on which no program is found, above all not the converter of figures.
#pragma once

#include <cstdlib>
#include <string>

namespace fftprec::testing {

/// While one exists, no program is found.
class NoPrograms {
 public:
  NoPrograms() : path_(std::getenv("PATH")) { ::setenv("PATH", "/nonexistent", 1); }
  ~NoPrograms() { ::setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

}  // namespace fftprec::testing
