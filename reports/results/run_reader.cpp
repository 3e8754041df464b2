#include "reports/results/run_reader.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/support/files.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec::results {

namespace {

using Path = std::filesystem::path;

/// The file to read. Throws InputError for a directory whose run is not finished.
Path finished_results(const Path& where) {
  Path results = results_of(where);
  const Path journal = where / "results.csv.part";
  if (std::filesystem::is_directory(where) && !std::filesystem::exists(results) &&
      std::filesystem::exists(journal))
    throw InputError(results.string() +
                     " is missing: the run is not complete; the command that began it resumes it");
  return results;
}

bool is_of_a_run(const Path& results) {
  return results.filename() == "results.csv" || results.stem() == "results.csv";
}

}  // namespace

Path results_of(const Path& where) {
  if (!std::filesystem::is_directory(where)) return where;
  for (const char* name : {"results.csv", "results.csv.gz", "results.csv.zst"})
    if (std::filesystem::exists(where / name)) return where / name;
  return where / "results.csv";
}

std::optional<std::string> described_hash(const Path& directory) {
  const Path path = directory / "manifest.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto manifest = manifest_object(read_file(path), path.string());
  const auto hash = manifest.find("results_hash");
  std::string text = hash != manifest.end() && hash->is_string() ? hash->get<std::string>() : "";
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

InputError changed(const Path& results) {
  return InputError(
      results.string() +
      ": is not the file that manifest.json beside it describes: its rows were changed "
      "after the run, or the run is not finished; undo the change, go on with the "
      "command of the run, or make the rows anew with --rerun all");
}

RunReader::RunReader(const Path& where) : results_(finished_results(where)), rows_(results_) {
  if (is_of_a_run(results_)) described_ = described_hash(results_.parent_path());
}

const Row* RunReader::next() {
  try {
    const Row* row = rows_.next();
    if (row == nullptr) check_described();
    return row;
  } catch (const InputError&) {
    check_described();  // a change explains what is malformed
    throw;
  }
}

void RunReader::check_described() {
  if (described_ && *described_ != rows_.hash()) throw changed(results_);
}

bool reads_again(const Path& where) {
  return std::filesystem::is_directory(where) || std::filesystem::is_regular_file(where);
}

OrderedRun::OrderedRun(const Path& where, std::function<bool(const Row&)> wanted, Key key)
    : reader_(where), wanted_(std::move(wanted)), key_(std::move(key)) {
  advance();
}

bool OrderedRun::advance() {
  const bool is_first = row_ == nullptr;
  do row_ = reader_.next();
  while (row_ && wanted_ && !wanted_(*row_));
  if (!row_) return true;
  SharedCase next = key_(*row_);
  const bool in_order = is_first || key_of_row_ < next;
  key_of_row_ = std::move(next);
  return in_order;
}

std::vector<Row> read_run(const Path& where, const std::function<bool(const Row&)>& wanted) {
  std::vector<Row> rows;
  NamePool names;
  RunReader reader(where);
  while (const Row* row = reader.next()) {
    if (wanted && !wanted(*row)) continue;
    rows.push_back(*row);
    rows.back().where = names.shared(row->where);
  }
  return rows;
}

}  // namespace fftprec::results
