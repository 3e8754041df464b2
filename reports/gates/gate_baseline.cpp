#include "reports/gates/gate_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
    const auto by_case = [](const Row& a, const Row& b) { return identity_of(a) < identity_of(b); };
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

/// One file, as it is going to be.
class BaselineWriter::File {
 public:
  File(std::string file, std::span<const Gate> gates, int rows_version)
      : gates_(gates), rows_version_(rows_version) {
    update_.file = std::move(file);
    Kept old_file;
    if (std::filesystem::exists(update_.file)) old_file = read_kept(update_.file);
    same_version_ = old_file.version.value_or(rows_version) == rows_version;
    for (Row& row : old_file.rows) kept_.emplace(identity_of(row), std::move(row));
  }

  void add(const Row& row) {
    const bool selected = std::ranges::any_of(gates_, [&](const Gate& gate) {
      return gate.baseline == update_.file && selects(gate.where, row);
    });
    if (!selected || row.status == Status::failed) return;
    Row now = row;
    now.where = names_.shared(row.where);
    now.time_ns.reset();
    const SharedCase identity = identity_of(now);
    if (!same_version_) measured_.insert(identity);
    const auto [old, added] = kept_.try_emplace(identity, now);
    const std::string moved = difference(old->second, now);
    if (added)
      ++update_.added;
    else if (moved.empty())
      ++update_.unchanged;
    else
      update_.changed.push_back(command_of(now.where) + ": " + moved);
    old->second = std::move(now);
  }

  BaselineUpdate finish() {
    if (!same_version_)
      update_.dropped = std::erase_if(
          kept_, [this](const auto& entry) { return !measured_.contains(entry.first); });
    replace_file(update_.file,
                 fmt::format("{}{}\n{}", version_key, rows_version_, results::csv_text(kept_)));
    return std::move(update_);
  }

 private:
  std::span<const Gate> gates_;
  int rows_version_;
  BaselineUpdate update_{};
  bool same_version_ = true;  ///< of the rows in the file and those of the run
  std::map<SharedCase, Row> kept_{};
  std::set<SharedCase> measured_{};  ///< unless same_version_
  NamePool names_{};
};

BaselineWriter::BaselineWriter(std::span<const Gate> gates, int rows_version) {
  for (const std::string& file : files_of(gates)) files_.emplace_back(file, gates, rows_version);
  if (files_.empty()) throw InputError("no gate names a baseline: there is nothing to update");
}
BaselineWriter::~BaselineWriter() = default;
BaselineWriter::BaselineWriter(BaselineWriter&&) noexcept = default;
BaselineWriter& BaselineWriter::operator=(BaselineWriter&&) noexcept = default;

void BaselineWriter::add(const Row& row) {
  for (File& file : files_) file.add(row);
}

std::vector<BaselineUpdate> BaselineWriter::finish() {
  std::vector<BaselineUpdate> updates;
  for (File& file : files_) updates.push_back(file.finish());
  return updates;
}

std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates, std::span<const Row> rows,
                                             int rows_version) {
  BaselineWriter writer(gates, rows_version);
  for (const Row& row : rows) writer.add(row);
  return writer.finish();
}

}  // namespace fftprec::gates
