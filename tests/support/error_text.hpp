/// The message of the InputError that a call throws, for tests of messages.
#pragma once

#include <string>

#include "arith/support/error.hpp"

namespace fftprec::testing {

/// "no error" if the call throws none.
template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace fftprec::testing
