#include "reports/results/run_directory.hpp"

#include <algorithm>
#include <system_error>

#include "arith/support/error.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec {

namespace {

constexpr const char* way_out =
    "; choose another directory with -o, or start anew with --rerun all";

std::filesystem::path created(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(directory.string() + ": cannot be created: " + error.message());
  return directory;
}

void check_version(const std::filesystem::path& manifest) {
  if (!std::filesystem::exists(manifest))
    throw InputError(manifest.string() +
                     " is missing, so the rows there cannot be told from those of another version" +
                     way_out);
  const ManifestVersion theirs = read_manifest_version(manifest);
  const ManifestVersion ours = own_version();
  if (theirs == ours) return;
  const auto text = [](const ManifestVersion& v) {
    return v.version + " (numerics " + std::to_string(v.numerics_version) + ")";
  };
  throw InputError(manifest.string() + ": the rows there were made by version " + text(theirs) +
                   ", this is " + text(ours) + way_out);
}

}  // namespace

RunDirectory::RunDirectory(const std::filesystem::path& directory, std::span<const Case> cases,
                           Rerun rerun)
    : directory_(created(directory)),
      journal_(directory_ / "results.csv.part"),
      case_count_(cases.size()) {
  const std::filesystem::path results = directory_ / "results.csv";
  if (rerun == Rerun::all) {
    journal_.clear();
    std::error_code none_to_move;
    std::filesystem::rename(results, directory_ / "results.csv.old", none_to_move);
  } else if (!journal_.empty() || std::filesystem::exists(results)) {
    check_version(manifest_path());
    if (std::filesystem::exists(results)) read_finished(results, Duplicates::refuse);
    if (!journal_.empty()) read_finished(directory_ / "results.csv.part", Duplicates::keep);
  }
  const auto wanted = [cases](const Case& where) {
    return std::binary_search(cases.begin(), cases.end(), where);
  };
  const auto foreign = std::count_if(finished_.begin(), finished_.end(),
                                     [&](const auto& entry) { return !wanted(entry.first); });
  if (foreign != 0)
    throw InputError(directory_.string() + ": holds " + std::to_string(foreign) +
                     (foreign == 1 ? " row of a case that is" : " rows of cases that are") +
                     " not in this run" + way_out);
  if (rerun == Rerun::failed)
    std::erase_if(finished_, [](const auto& e) { return e.second.status == Status::failed; });
  for (const Case& where : cases)
    if (!finished_.contains(where)) missing_.push_back(where);
}

void RunDirectory::read_finished(const std::filesystem::path& path, Duplicates duplicates) {
  for (Row& row : read_csv(path, duplicates)) {
    const Case where = row.where;
    finished_.insert_or_assign(where, std::move(row));
  }
}

bool RunDirectory::complete() const {
  return finished_.size() == case_count_ && journal_.empty() &&
         std::filesystem::exists(directory_ / "results.csv");
}

void RunDirectory::append(const Row& row) {
  if (journal_.empty()) journal_.append(csv_header());
  journal_.append(to_csv(row));
  finished_.insert_or_assign(row.where, row);
}

std::vector<Row> RunDirectory::rows() const {
  std::vector<Row> rows;
  for (const auto& [where, row] : finished_) rows.push_back(row);
  return rows;
}

void RunDirectory::finish(const std::function<void(const std::string& csv)>& describe) {
  std::string text = csv_header();
  for (const auto& [where, row] : finished_) text += to_csv(row);
  replace_file(directory_ / "results.csv", text);
  if (describe) describe(text);
  journal_.clear();
}

}  // namespace fftprec
