/// Reads TOML documents, for the files of sweeps, gates, claims, measurements and hypotheses.
/// Errors have the place in the file.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

/// "expected a number, not the text 'ten'", with the node that was found.
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

/// A text that is not empty, of any number of lines, without other control characters.
std::string prose_from(const toml::node& node);

/// A value of an axis: a text, which may be empty, or a whole number as text.
std::string scalar_from(const toml::node& node);

/// A finite number.
double number_from(const toml::node& node);

/// A whole number, at least 0.
std::uint64_t count_from(const toml::node& node);

bool truth_value_from(const toml::node& node);

/// A date without a time.
std::chrono::sys_days day_from(const toml::node& node);

/// One text that is not empty, or an array of them.
std::vector<std::string> texts_from(const toml::node& node);

/// One scalar, or an array of at least one.
std::vector<std::string> scalars_from(const toml::node& node);

/// An error that begins with its place, "SOURCE:LINE:COLUMN: ".
class LocatedError : public InputError {
 public:
  using InputError::InputError;
};

/// How deep arrays, tables and the parts of a key may be nested.
inline constexpr std::size_t most_toml_levels = 64;

/// Reads one document. All of its errors are LocatedErrors.
class TomlReader {
 public:
  explicit TomlReader(std::string_view source) : source_(source) {}

  const std::string& source() const { return source_; }

  /// Throws for malformed TOML, and for nesting deeper than most_toml_levels.
  toml::table parse(std::string_view text) const;

  LocatedError error(const toml::source_position& where, std::string_view message) const;
  LocatedError error(const toml::node& node, std::string_view message) const;

  /// The error for a value of `key` that is not as expected.
  LocatedError unexpected(const toml::node& node, std::string_view key,
                          std::string_view expected) const;

  /// Throws for a key that is not `known`; the message calls it an unknown `kind`.
  void check_keys(const toml::table& table, const std::vector<std::string>& known,
                  std::string_view kind = "key") const;

  /// The value at `key`. Throws if there is none.
  const toml::node& node(const toml::table& table, std::string_view key) const;

  /// The value at `key`, read by `read`, one of the functions above. Throws if there is none.
  template <class Read>
  auto value(const toml::table& table, std::string_view key, Read&& read) const {
    const toml::node& found = node(table, key);
    return located(found, key, [&] { return read(found); });
  }

  /// The text at `key`, which must be there and must not be empty.
  std::string text(const toml::table& table, std::string_view key) const;

  /// The text at `key`, which may be empty, or `otherwise` if there is none.
  std::string text_or(const toml::table& table, std::string_view key,
                      std::string_view otherwise) const;

  /// The table [key]. Throws if there is none.
  const toml::table& table(const toml::table& table, std::string_view key) const;

  /// The tables [[key]], none if there is no such key.
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const;

  /// Calls `action`. To an InputError without a place it adds the place of `node`, or of the
  /// unexpected value.
  template <class Action>
  auto located(const toml::node& node, Action&& action) const {
    return located_as(node, "", action);
  }

  /// As above, with a message that begins with "KEY: ".
  template <class Action>
  auto located(const toml::node& node, std::string_view key, Action&& action) const {
    return located_as(node, fmt::format("{}: ", key), action);
  }

 private:
  template <class Action>
  auto located_as(const toml::node& node, const std::string& prefix, Action& action) const {
    try {
      return action();
    } catch (const LocatedError&) {
      throw;
    } catch (const UnexpectedValue& problem) {
      throw error(problem.where(), prefix + problem.what());
    } catch (const InputError& problem) {
      throw error(node, prefix + problem.what());
    }
  }

  std::string source_;
};

}  // namespace fftprec
