#include "reports/results/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::results {

Journal::Journal(const std::filesystem::path& path)
    : path_(path),
      file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (file_ < 0 && errno == ELOOP)
    throw InputError(path_.string() + ": is a symbolic link; a run keeps its rows in a file");
  if (file_ < 0) throw write_error(path_, errno);
  try {
    // A file without a link is one that another process was about to remove.
    struct stat status {};
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 || ::fstat(file_, &status) != 0 ||
        status.st_nlink == 0)
      throw InputError(path_.string() + ": another process is writing this run");
    if (!S_ISREG(status.st_mode)) throw InputError(path_.string() + ": is not a regular file");
    const std::string text = read_file(path_);
    const std::size_t end = text.rfind('\n');
    const std::size_t whole = end == std::string::npos ? 0 : end + 1;
    if (whole != text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
      throw write_error(path_, errno);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() {
  std::error_code already_gone;
  if (empty()) std::filesystem::remove(path_, already_gone);
  ::close(file_);
}

bool Journal::empty() const { return ::lseek(file_, 0, SEEK_END) <= 0; }

void Journal::append(std::string_view line) {
  const off_t whole = ::lseek(file_, 0, SEEK_END);
  const int reason = write_all(file_, line.data(), line.size());
  if (reason == 0) return;
  // Of a disk that fills up within the line, keep whole lines; if this fails too, the torn line is
  // dropped when the journal is opened again.
  if (whole >= 0 && ::ftruncate(file_, whole) != 0) errno = 0;
  throw write_error(path_, reason);
}

void Journal::clear() {
  if (::ftruncate(file_, 0) != 0) throw write_error(path_, errno);
}

namespace {

using Path = std::filesystem::path;

const Path& created(const Path& directory) {
  create_folder(directory);
  return directory;
}

void check_version(const Path& manifest) {
  if (!std::filesystem::exists(manifest))
    throw InputError(manifest.string() +
                     " is missing, so the version of the rows there is unknown" + remedy);
  if (const std::string other = other_version(manifest); !other.empty())
    throw InputError(manifest.string() + ": the rows there were " + other + remedy);
}

constexpr std::string_view seal_title = ",line_hash\n";

/// The names above the journal's lines.
std::string journal_header() {
  std::string header = csv_header();
  header.pop_back();
  return header.append(seal_title);
}

/// A line of the journal: of rows, and of their hash.
std::string sealed(std::string line) {
  line.pop_back();
  return line + "," + text_hash(line) + "\n";
}

/// The rows of a journal as CSV. Throws InputError for a line that is not as it was sealed.
std::string unsealed(std::string_view text, const Path& journal) {
  const std::size_t first = text.find('\n') + 1;
  if (!text.substr(0, first).ends_with(seal_title)) return std::string(text);
  std::string csv(text.substr(0, first - seal_title.size()));
  csv += '\n';
  for (std::size_t begin = first, line = 2; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view whole = text.substr(begin, end - begin);
    const std::string row(whole.substr(0, whole.rfind(',')));
    if (sealed(row + "\n") != std::string(whole) + "\n")
      throw InputError(journal.string() + ":" + std::to_string(line) +
                       ": was changed after it was written: remove the line, and its case runs "
                       "again");
    csv += row + "\n";
    begin = end + 1;
  }
  return csv;
}

}  // namespace

Finished read_finished(const Path& directory, std::span<const SharedCase> cases) {
  const Path results = directory / "results.csv";
  const Path journal = directory / "results.csv.part";
  const bool has_results = std::filesystem::exists(results);
  std::string appended = std::filesystem::exists(journal) ? read_file(journal) : "";
  appended.resize(appended.rfind('\n') + 1);  // to nothing where there is none
  Finished finished;
  if (appended.empty() && !has_results) return finished;
  check_version(directory / "manifest.json");
  const auto add = [&finished](std::vector<Row> rows) {
    for (Row& row : rows) {
      const SharedCase where = row.where;
      finished.rows.insert_or_assign(where, std::move(row));
    }
  };
  if (has_results) {
    const std::string text = read_file(results);
    finished.results_hash = text_hash(text);
    add(parse_csv(text, results.string()));
  }
  if (!appended.empty())
    add(parse_csv(unsealed(appended, journal), journal.string(), Duplicates::keep));
  // Killed within finish(), a run leaves the manifest of the file that it was about to write.
  const std::optional<std::string> described = described_hash(directory);
  if (has_results && described && *described != finished.results_hash &&
      *described != text_hash(csv_text(finished.rows)))
    throw changed(results);
  const auto is_foreign = [cases](const auto& entry) {
    return !std::ranges::binary_search(cases, entry.first);
  };
  if (const auto foreign = std::ranges::count_if(finished.rows, is_foreign); foreign != 0)
    throw InputError(directory.string() + ": holds " + std::to_string(foreign) +
                     (foreign == 1 ? " row of a case that is not in this run: "
                                   : " rows of cases that are not in this run, the first: ") +
                     command_of(std::ranges::find_if(finished.rows, is_foreign)->first) + remedy);
  return finished;
}

RunDirectory::RunDirectory(const Path& directory, std::span<const SharedCase> cases, Rerun rerun)
    : directory_(created(directory)),
      journal_(directory_ / "results.csv.part"),
      case_count_(cases.size()) {
  if (rerun == Rerun::all) {
    journal_.clear();
    std::error_code none_to_move;
    std::filesystem::rename(directory_ / "results.csv", directory_ / "results.csv.old",
                            none_to_move);
  } else {
    Finished before = read_finished(directory_, cases);
    finished_ = std::move(before.rows);
    results_hash_ = std::move(before.results_hash);
  }
  // Of an earlier version: its lines lack columns that come.
  if (!journal_.empty() &&
      !read_file(directory_ / "results.csv.part").starts_with(journal_header())) {
    journal_.clear();
    for (const auto& [where, row] : finished_) write(row);
  }
  if (rerun == Rerun::failed)
    std::erase_if(finished_, [](const auto& e) { return e.second.status == Status::failed; });
}

void RunDirectory::adopt(const std::map<SharedCase, Row>& rows, std::span<const SharedCase> cases) {
  for (const SharedCase& where : cases)
    if (const auto row = rows.find(where); row != rows.end() && !has(where)) append(row->second);
}

bool RunDirectory::complete() const {
  return finished_.size() == case_count_ && journal_.empty() &&
         std::filesystem::exists(directory_ / "results.csv");
}

void RunDirectory::write(const Row& row) {
  if (journal_.empty()) journal_.append(journal_header());
  journal_.append(sealed(to_csv(row)));
}

void RunDirectory::append(const Row& row) {
  write(row);
  finished_.insert_or_assign(row.where, row);
}

std::vector<Row> RunDirectory::rows() const {
  std::vector<Row> rows;
  for (const auto& [where, row] : finished_) rows.push_back(row);
  return rows;
}

void RunDirectory::finish(const std::function<void(const std::string& csv)>& describe) {
  const std::string text = csv_text(finished_);
  describe(text);
  replace_file(directory_ / "results.csv", text);
  journal_.clear();
}

}  // namespace fftprec::results
