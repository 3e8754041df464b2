#include "arith/support/error.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

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

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const std::string small = small_letters(name);
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const auto distance = distance_if_near(small, small_letters(candidate));
    if (!distance || (!best.empty() && *distance >= best_distance)) continue;
    best = candidate;
    best_distance = *distance;
  }
  return best;
}

InputError unknown_name(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known, std::string suggestion) {
  std::string message = "unknown " + std::string(kind) + " '" + std::string(name) + "'";
  if (suggestion.empty()) suggestion = nearest_name(name, known);
  if (!suggestion.empty()) message += "; did you mean '" + suggestion + "'?";
  if (!known.empty()) message += "; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i ? ", " : "") + known[i];
  return InputError(message);
}

}  // namespace fftprec
