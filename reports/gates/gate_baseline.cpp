#include "reports/gates/gate_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::gates {

namespace {

constexpr std::string_view version_key = "# numerics_version = ";

struct Kept {
  std::optional<int> version;  ///< of its numbers; empty if the file does not say
  std::vector<Row> rows;       ///< by case
};

/// The version in the first line of a baseline.
std::optional<int> version_in(std::string_view text) {
  if (!text.starts_with(version_key)) return {};
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const auto version = parse_unsigned(line.substr(version_key.size()));
  if (!version) throw InputError("'" + std::string(line) + "' has no version");
  return static_cast<int>(*version);
}

Kept read_kept(const std::string& file) {
  if (!std::filesystem::exists(file))
    throw BaselineError(file + ": no such baseline; make it with --update-baseline");
  try {
    const std::string text = read_file(file);
    Kept kept{version_in(text), results::parse_csv(text, file)};
    const auto by_case = [](const Row& a, const Row& b) { return a.where < b.where; };
    if (!std::ranges::is_sorted(kept.rows, by_case)) std::ranges::sort(kept.rows, by_case);
    return kept;
  } catch (const InputError& error) {
    throw BaselineError(std::string("baseline not readable: ") + error.what());
  }
}

/// The files that the gates name, each once.
std::vector<std::string> files_of(std::span<const Gate> gates) {
  std::vector<std::string> files;
  for (const Gate& gate : gates)
    if (!gate.baseline.empty() && std::ranges::find(files, gate.baseline) == files.end())
      files.push_back(gate.baseline);
  return files;
}

/// "err_l2_rel 0.1 -> 0.2, ..." for every column that differs; empty if none does.
std::string difference(const Row& old, const Row& now) {
  std::string text;
  for (const Column& column : columns()) {
    if (!differ(column, old, now)) continue;
    text += (text.empty() ? "" : ", ") + std::string(column.name) + " " +
            printable(read_text(column, old)) + " -> " + printable(read_text(column, now));
  }
  return text;
}

}  // namespace

KeptRows read_baselines(std::span<const Gate> gates, std::map<std::string, std::string>& problems,
                        int rows_version) {
  KeptRows all;
  for (const std::string& file : files_of(gates)) try {
      Kept kept = read_kept(file);
      if (kept.version.value_or(rows_version) != rows_version)
        throw BaselineError(fmt::format(
            "{}: its rows have numerics_version {}, the run's {}: their bits are not comparable; "
            "--update-baseline keeps the run's",
            file, *kept.version, rows_version));
      all[file] = std::move(kept.rows);
    } catch (const BaselineError& problem) {
      problems[file] = problem.what();
    }
  return all;
}

std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates, std::span<const Row> rows,
                                             int rows_version) {
  std::vector<BaselineUpdate> updates;
  const std::vector<std::string> files = files_of(gates);
  if (files.empty()) throw InputError("no gate names a baseline: there is nothing to update");
  for (const std::string& file : files) {
    Kept old_file;
    if (std::filesystem::exists(file)) old_file = read_kept(file);
    const bool same_version = old_file.version.value_or(rows_version) == rows_version;
    std::map<SharedCase, Row> kept;
    for (const Row& row : old_file.rows) kept.emplace(row.where, row);
    std::set<SharedCase> measured;
    BaselineUpdate update;
    update.file = file;
    for (const Row& row : rows) {
      const bool selected = std::ranges::any_of(gates, [&](const Gate& gate) {
        return gate.baseline == file && selects(gate.where, row);
      });
      if (!selected || row.status == Status::failed) continue;
      measured.insert(row.where);
      Row now = row;
      now.time_ns.reset();
      const auto [old, added] = kept.try_emplace(now.where, now);
      const std::string moved = difference(old->second, now);
      if (added)
        ++update.added;
      else if (moved.empty())
        ++update.unchanged;
      else
        update.changed.push_back(command_of(now.where) + ": " + moved);
      old->second = now;
    }
    if (!same_version)
      update.dropped = std::erase_if(
          kept, [&measured](const auto& entry) { return !measured.contains(entry.first); });
    replace_file(file, fmt::format("{}{}\n{}", version_key, rows_version, results::csv_text(kept)));
    updates.push_back(update);
  }
  return updates;
}

}  // namespace fftprec::gates
