#include "reports/results/run_directory.hpp"

#include <algorithm>
#include <system_error>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec::results {

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

std::map<Case, Row> finished_rows(const std::filesystem::path& directory,
                                  std::span<const Case> cases) {
  const std::filesystem::path results = directory / "results.csv";
  const std::filesystem::path journal = directory / "results.csv.part";
  std::string appended = std::filesystem::exists(journal) ? read_file(journal) : "";
  appended.resize(appended.rfind('\n') + 1);  // to nothing where there is none
  std::map<Case, Row> finished;
  if (appended.empty() && !std::filesystem::exists(results)) return finished;
  check_version(directory / "manifest.json");
  const auto add = [&finished](std::vector<Row> rows) {
    for (Row& row : rows) {
      const Case where = row.where;
      finished.insert_or_assign(where, std::move(row));
    }
  };
  if (std::filesystem::exists(results)) add(read_csv(results));
  if (!appended.empty()) add(parse_csv(appended, journal.string(), Duplicates::keep));
  const auto foreign = std::count_if(finished.begin(), finished.end(), [cases](const auto& entry) {
    return !std::binary_search(cases.begin(), cases.end(), entry.first);
  });
  if (foreign != 0)
    throw InputError(directory.string() + ": holds " + std::to_string(foreign) +
                     (foreign == 1 ? " row of a case that is" : " rows of cases that are") +
                     " not in this run" + way_out);
  return finished;
}

RunDirectory::RunDirectory(const std::filesystem::path& directory, std::span<const Case> cases,
                           Rerun rerun)
    : directory_(created(directory)),
      journal_(directory_ / "results.csv.part"),
      case_count_(cases.size()) {
  if (rerun == Rerun::all) {
    journal_.clear();
    std::error_code none_to_move;
    std::filesystem::rename(directory_ / "results.csv", directory_ / "results.csv.old",
                            none_to_move);
  } else {
    finished_ = finished_rows(directory_, cases);
  }
  if (rerun == Rerun::failed)
    std::erase_if(finished_, [](const auto& e) { return e.second.status == Status::failed; });
  for (const Case& where : cases)
    if (!finished_.contains(where)) missing_.push_back(where);
}

void RunDirectory::adopt(const std::map<Case, Row>& rows) {
  for (const Case& where : missing_)
    if (const auto row = rows.find(where); row != rows.end()) append(row->second);
  std::erase_if(missing_, [this](const Case& where) { return finished_.contains(where); });
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

}  // namespace fftprec::results
