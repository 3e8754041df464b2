/// Reading TOML documents with errors that say where: what the files of sweeps, gates, claims,
/// measurements and hypotheses share.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/support/toml_values.hpp"

namespace fftprec {

/// An error that begins with its place, "SOURCE:LINE:COLUMN: ".
class LocatedError : public InputError {
 public:
  using InputError::InputError;
};

/// Of one document. All that it throws is a LocatedError.
class TomlReader {
 public:
  explicit TomlReader(std::string_view source) : source_(source) {}

  const std::string& source() const { return source_; }

  /// Throws for malformed TOML.
  toml::table parse(std::string_view text) const;

  LocatedError error(const toml::source_position& where, std::string_view message) const;
  LocatedError error(const toml::node& node, std::string_view message) const;

  /// Of the value of `key`, that it is not what was expected.
  LocatedError unexpected(const toml::node& node, std::string_view key,
                          std::string_view expected) const;

  /// Throws for a key that is not `known`, calling it an unknown `kind`.
  void check_keys(const toml::table& table, const std::vector<std::string>& known,
                  std::string_view kind = "key") const;

  /// The value at `key`. Throws if there is none.
  const toml::node& node(const toml::table& table, std::string_view key) const;

  /// The value at `key` as `read` takes it, one of toml_values.hpp. Throws if there is none.
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

  /// Calls `action`; of an InputError that does not know its place it says that it is at `node`, or
  /// at the value that was not expected.
  template <class Action>
  auto located(const toml::node& node, Action&& action) const {
    return located_as(node, "", action);
  }

  /// The same; the message begins with "KEY: ".
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
