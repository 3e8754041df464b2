#include "arith/support/error.hpp"

#include <algorithm>
#include <numeric>

namespace fftprec {

namespace {

/// Levenshtein distance: insertions, deletions and substitutions that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

void require(bool condition, std::string_view message, const char* file, int line) {
  if (condition) return;
  const std::string_view path = file;
  const std::size_t slash = path.find_last_of('/');
  const std::string_view base = slash == std::string_view::npos ? path : path.substr(slash + 1);
  throw InputError(std::string(base) + ":" + std::to_string(line) + ": " + std::string(message));
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const bool prefix = name.size() >= 2 && candidate.starts_with(name);
    const std::size_t distance = prefix ? 1 : edit_distance(name, candidate);
    // One letter of one or two is no likeness.
    const std::size_t limit =
        candidate.size() < 3 ? 0 : std::max<std::size_t>(1, candidate.size() / 3);
    const bool near = distance <= limit;
    if (near && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

InputError unknown_name(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(kind) + " '" + std::string(name) + "'";
  if (const std::string near = nearest_name(name, known); !near.empty())
    message += "; did you mean '" + near + "'?";
  if (!known.empty()) message += "; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i ? ", " : "") + known[i];
  return InputError(message);
}

}  // namespace fftprec
