/// The message of the InputError that a call throws, for tests of messages.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

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

/// What `text_of` says of each input holds the text beside the input.
template <class TextOf>
void expect_each(TextOf text_of,
                 std::initializer_list<std::pair<const char*, const char*>> inputs_and_texts) {
  for (const auto& [input, text] : inputs_and_texts)
    EXPECT_THAT(text_of(input), ::testing::HasSubstr(text)) << "of '" << input << "'";
}

}  // namespace fftprec::testing
