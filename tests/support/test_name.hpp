/// Any text as a test's name.
#pragma once

#include <cctype>
#include <string>

namespace fftprec::testing {

/// "fft2:rows=4" becomes fft2_rows_4.
inline std::string test_name(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

}  // namespace fftprec::testing
