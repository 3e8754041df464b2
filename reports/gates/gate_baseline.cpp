#include "reports/gates/gate_baseline.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "experiments/columns.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/durable.hpp"

namespace fftprec {

namespace {

std::vector<Row> read_kept(const std::string& file) {
  if (!std::filesystem::exists(file))
    throw BaselineError(file + ": no such baseline; make it with --update-baseline");
  try {
    return read_csv(file);
  } catch (const InputError& error) {
    throw BaselineError(std::string("baseline not readable: ") + error.what());
  }
}

/// The files that the gates name, each once.
std::vector<std::string> files_of(std::span<const Gate> gates) {
  std::vector<std::string> files;
  for (const Gate& gate : gates)
    if (!gate.baseline.empty() &&
        std::find(files.begin(), files.end(), gate.baseline) == files.end())
      files.push_back(gate.baseline);
  return files;
}

/// "err_l2_rel 0.1 -> 0.2, ..." for every column that differs; empty if none does.
std::string difference(const Row& old, const Row& now) {
  std::string text;
  for (const Column& column : columns()) {
    const std::string before = column.text(old);
    const std::string after = column.text(now);
    if (before == after) continue;
    text += (text.empty() ? "" : ", ") + std::string(column.name) + " " + before + " -> " + after;
  }
  return text;
}

std::string csv_of(const std::map<Case, Row>& rows) {
  std::string text = csv_header();
  for (const auto& [where, row] : rows) text += to_csv(row);
  return text;
}

}  // namespace

KeptRows read_baselines(std::span<const Gate> gates) {
  KeptRows kept;
  for (const std::string& file : files_of(gates)) kept[file] = read_kept(file);
  return kept;
}

std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates,
                                             std::span<const Row> rows) {
  std::vector<BaselineUpdate> updates;
  for (const std::string& file : files_of(gates)) {
    std::map<Case, Row> kept;
    if (std::filesystem::exists(file))
      for (const Row& row : read_kept(file)) kept[row.where] = row;
    BaselineUpdate update{file, 0, 0, {}};
    for (const Row& row : rows) {
      const bool selected = std::any_of(gates.begin(), gates.end(), [&](const Gate& gate) {
        return gate.baseline == file && selects(gate.where, row);
      });
      if (!selected || row.status != Status::ok) continue;
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
    replace_file(file, csv_of(kept));
    updates.push_back(update);
  }
  return updates;
}

}  // namespace fftprec
