#include "arith/support/error.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace fftprec {

namespace {

/// Edits that turn a into b: insertions, deletions, swaps of neighbours, and substitutions;
/// that of the first letter counts `first` (the optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t first) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replacement = i == 1 && j == 1 ? first : 1;
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : replacement);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

/// ASCII capitals as small letters.
std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

/// How far `name` is from a name that it may stand for; empty if it is not near. Both in small
/// letters.
std::optional<std::size_t> distance_if_near(std::string_view name, std::string_view candidate) {
  if (name == candidate) return 0;
  const bool begins = name.size() >= 2 && candidate.starts_with(name);
  const bool part =
      name.size() >= 3 &&
      ("-" + std::string(candidate) + "-").find("-" + std::string(name) + "-") != std::string::npos;
  if (begins || part) return 1;
  if (candidate.size() < 3) return std::nullopt;
  const std::size_t distance = edit_distance(name, candidate, candidate.size() == 3 ? 2 : 1);
  if (distance > candidate.size() / 3) return std::nullopt;
  return distance;
}

}  // namespace

void require(const Requirement& condition, std::string_view message) {
  if (!condition.holds) throw InputError(std::string(message), condition.file, condition.line);
}

std::string InputError::place() const {
  const std::string_view path = file_;
  if (path.empty()) return {};
  return std::string(path.substr(path.find_last_of('/') + 1)) + ":" + std::to_string(line_);
}

namespace {

/// A list of more names is not shown whole.
constexpr std::size_t most_shown = 12;
constexpr std::size_t nearest_shown = 5;

/// Where all names of a kind are: what `fftprec list` has under the kind's plural, and the rest.
std::string place_of(std::string_view kind) {
  constexpr std::string_view subjects[] = {
      "transforms",      "algorithms", "modes",  "machines", "formats", "roundings", "tables",
      "rounding_points", "scales",     "inputs", "metrics",  "columns", "sweeps",    "claims"};
  for (const std::string_view subject : subjects)
    if (kind == subject || std::string(kind) + "s" == subject)
      return "fftprec list " + std::string(subject);
  return kind == "parameter" ? "fftprec show machine:trn" : "";
}

/// The known names near `name`, the nearest first.
std::vector<std::string> names_near(std::string_view name, const std::vector<std::string>& known) {
  const std::string small = small_letters(name);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known)
    if (const auto distance = distance_if_near(small, small_letters(candidate)))
      ranked.emplace_back(*distance, candidate);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> near;
  for (auto& [distance, candidate] : ranked) near.push_back(std::move(candidate));
  return near;
}

std::string listed_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i ? ", " : "") + names[i];
  return text;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = names_near(name, known);
  return near.empty() ? "" : near.front();
}

InputError unknown_name(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known, std::string suggestion) {
  std::string message = "unknown " + std::string(kind) + " '" + std::string(name) + "'";
  const std::vector<std::string> near = names_near(name, known);
  if (suggestion.empty() && !near.empty()) suggestion = near.front();
  if (!suggestion.empty()) message += "; did you mean '" + suggestion + "'?";
  if (known.empty()) return InputError(message);
  const std::string place = place_of(kind);
  if (known.size() <= most_shown || place.empty())
    return InputError(message + "; known: " + listed_names(known, known.size()));
  if (near.size() > 1) message += "; near it: " + listed_names(near, nearest_shown);
  return InputError(message + "; all: " + place);
}

}  // namespace fftprec
