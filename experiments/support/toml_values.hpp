/// What a TOML value must be: typed reading of one node, with an error that says what was expected
/// and what was found. Where in the file it is, TomlReader::located adds.
#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

/// "expected a number, not the text 'ten'", at the node that was found.
class UnexpectedValue : public InputError {
 public:
  UnexpectedValue(const toml::node& found, std::string_view expected);

  const toml::source_position& where() const { return where_; }

 private:
  toml::source_position where_;
};

// Each throws UnexpectedValue for a node of any other kind.

/// A text that is not empty.
std::string text_from(const toml::node& node);

/// A text, which may be empty, or a whole number as text: what stands for the value of an axis.
std::string scalar_from(const toml::node& node);

/// A finite number.
double number_from(const toml::node& node);

/// A whole number from 0 on.
std::uint64_t count_from(const toml::node& node);

bool truth_value_from(const toml::node& node);

/// A date without a time.
std::chrono::sys_days day_from(const toml::node& node);

/// One text that is not empty, or an array of them.
std::vector<std::string> texts_from(const toml::node& node);

/// One scalar, or an array of at least one.
std::vector<std::string> scalars_from(const toml::node& node);

}  // namespace fftprec
