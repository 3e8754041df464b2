/// How fftprec reports bad input: one check at the public call, one type of exception, a message
/// with place, value and known alternatives. Also lookup by name.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fftprec {

/// Bad input: an unknown name, a size that an algorithm cannot take, shapes that disagree.
class InputError : public std::invalid_argument {
 public:
  explicit InputError(const std::string& message, const char* file = "", int line = 0)
      : std::invalid_argument(message), file_(file), line_(line) {}

  /// "FILE:LINE" of the failed check, for callers of the library; empty if unknown.
  std::string place() const;

 private:
  const char* file_;
  int line_;
};

/// A combination that makes no sense although each part is valid. Its case is skipped, not failed,
/// with the message as the reason.
class NotApplicable : public InputError {
 public:
  using InputError::InputError;
};

/// A condition, and the place of the call that checks it.
struct Requirement {
  Requirement(bool condition, const char* in_file = __builtin_FILE(),
              int at_line = __builtin_LINE())
      : holds(condition), file(in_file), line(at_line) {}

  bool holds;
  const char* file;
  int line;
};

/// Throws InputError(message), with its place, unless `condition` holds.
void require(const Requirement& condition, std::string_view message);

/// A part of a message as text: a string, or a type that to_string takes.
template <class Part>
std::string text_of_part(const Part& part) {
  using std::to_string;
  if constexpr (std::is_convertible_v<const Part&, std::string_view>)
    return std::string(std::string_view(part));
  else
    return to_string(part);
}

/// As above. The message is joined from the parts, which become text only if the condition fails.
template <class First, class Second, class... Rest>
void require(const Requirement& condition, const First& first, const Second& second,
             const Rest&... rest) {
  if (!condition.holds)
    require(condition, ((text_of_part(first) + text_of_part(second)) + ... + text_of_part(rest)));
}

/// The error for a name that is not among `known`: suggests `suggestion`, or else the nearest name,
/// and lists the known names. If there are many, it lists only near ones and the command that lists
/// all.
InputError unknown_name(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known, std::string suggestion = {});

/// The known name nearest to `name`, or an empty string if none is near. A known name is near if it
/// differs only in capitals, begins with `name`, has it between its hyphens, or differs by edits of
/// at most a third of its length: letters inserted, omitted, replaced, or two neighbours swapped.
/// In a name of three letters the first may not be replaced; shorter names may differ only in
/// capitals.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// The index of `name` in `names`; `kind` names what was searched, for the error.
/// Throws InputError for an unknown name, listing the known ones.
template <class Names>
std::size_t index_named(const Names& names, std::string_view kind, std::string_view name) {
  std::size_t index = 0;
  for (const std::string_view known : names) {
    if (known == name) return index;
    ++index;
  }
  throw unknown_name(kind, name, std::vector<std::string>(std::begin(names), std::end(names)));
}

/// The item of `items` whose member `name` is `name`; for the error, `kind` names what was searched
/// and `others` lists what else is valid.
/// Throws InputError for an unknown name, listing the known ones.
template <class Items>
const auto& item_named(const Items& items, std::string_view kind, std::string_view name,
                       const std::vector<std::string>& others = {}) {
  std::vector<std::string> known;
  for (const auto& item : items) {
    if (item.name == name) return item;
    known.emplace_back(item.name);
  }
  known.insert(known.end(), others.begin(), others.end());
  throw unknown_name(kind, name, known);
}

}  // namespace fftprec
