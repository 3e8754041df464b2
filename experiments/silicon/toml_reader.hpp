/// Reading TOML with errors that say where: what the files of measurements and of hypotheses share.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "arith/error.hpp"

namespace fftprec::silicon {

/// Of one document. Every error begins with "SOURCE:LINE:COLUMN: ".
class TomlReader {
 public:
  explicit TomlReader(std::string_view source) : source_(source) {}

  /// Throws InputError for malformed TOML.
  toml::table parse(std::string_view text) const;

  InputError error(const toml::source_region& where, std::string_view message) const;

  void check_keys(const toml::table& table, const std::vector<std::string>& known) const;

  /// The text at `key`, "" if there is none.
  std::string text(const toml::table& table, std::string_view key) const;

  /// A text or an integer as text.
  std::string scalar(const toml::node& node) const;

  /// One scalar, or an array of them.
  std::vector<std::string> list(const toml::node& node) const;

  const toml::table& table(const toml::node& node) const;

  /// The tables [[key]], none if there is no such key.
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const;

  /// Calls `action`; of an InputError it says that it is at `node`.
  template <class Action>
  auto located(const toml::node& node, Action&& action) const {
    try {
      return action();
    } catch (const InputError& problem) {
      throw error(node.source(), problem.what());
    }
  }

 private:
  std::string source_;
};

}  // namespace fftprec::silicon
