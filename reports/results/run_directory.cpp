#include "reports/results/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "arith/support/error.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/text_stream.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::results {

namespace {

/// Where the last whole line of a file of `size` bytes ends.
off_t end_of_lines(int file, off_t size) {
  std::array<char, 1 << 16> block;
  for (off_t end = size; end > 0;) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(block.size()));
    const ssize_t count = ::pread(file, block.data(), static_cast<std::size_t>(end - begin), begin);
    if (count <= 0) return size;  // whoever reads the file says why
    const std::string_view text(block.data(), static_cast<std::size_t>(count));
    if (const std::size_t at = text.rfind('\n'); at != text.npos)
      return begin + static_cast<off_t>(at) + 1;
    end = begin;
  }
  return 0;
}

}  // namespace

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
    const off_t whole = end_of_lines(file_, status.st_size);
    if (whole != status.st_size && ::ftruncate(file_, whole) != 0) throw write_error(path_, errno);
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

bool Journal::begins_with(std::string_view text) const {
  std::string first(text.size(), '\0');
  const ssize_t count = ::pread(file_, first.data(), first.size(), 0);
  return count == static_cast<ssize_t>(text.size()) && first == text;
}

bool Journal::empty() const { return ::lseek(file_, 0, SEEK_END) <= 0; }

void Journal::append(std::string_view lines) {
  const int reason = write_all(file_, lines.data(), lines.size());
  if (reason == 0) return;
  // Of a disk that fills up within a line, keep whole lines; if this fails too, the torn line is
  // dropped when the journal is opened again.
  const off_t size = ::lseek(file_, 0, SEEK_END);
  if (size >= 0 && ::ftruncate(file_, end_of_lines(file_, size)) != 0) errno = 0;
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

constexpr std::size_t csv_block_bytes = 1 << 16;
constexpr std::string_view seal_title = ",line_hash\n";

/// The names above the journal's lines.
std::string journal_header(const std::vector<const Column*>& summarised) {
  std::string header = csv_header(summarised, SeedColumns::least);
  header.pop_back();
  return header.append(seal_title);
}

/// Appends a line of the journal: that of a row, and its hash.
void append_sealed(std::string& text, std::string_view line) {
  line.remove_suffix(1);
  text += line;
  text += ',';
  text += text_hash(line);
  text += '\n';
}

template <class Visit>
void each_whole_line(const Path& path, Visit visit) {
  TextReader reader(path);
  std::string rest;
  for (std::string_view piece = reader.next(); !piece.empty(); piece = reader.next()) {
    rest += piece;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest.find('\n', begin)) != rest.npos; begin = end + 1)
      visit(std::string_view(rest).substr(begin, end - begin));
    rest.erase(0, begin);
  }
}

/// The line of a journal without its hash. Throws InputError if it is not as it was sealed.
std::string_view unsealed(std::string_view text, const Path& journal, std::size_t line) {
  const std::size_t end = text.rfind(',');
  const std::string_view row = text.substr(0, end);
  if (end == text.npos || text_hash(row) != text.substr(end + 1))
    throw InputError(journal.string() + ":" + std::to_string(line) +
                     ": was changed after it was written: remove the line, and its case runs "
                     "again");
  return row;
}

/// The rows of a journal in written order, without a line that is not whole.
template <class Visit>
void each_row_of_journal(const Path& journal, Visit visit) {
  constexpr std::size_t most_bytes = 1 << 20;
  std::string header, unread;
  std::size_t line = 0;
  bool is_sealed = false;
  const auto read = [&] {
    RowReader rows(unread, journal.string(), Duplicates::keep);
    while (const Row* row = rows.next()) visit(*row);
    unread = header;
  };
  each_whole_line(journal, [&](std::string_view text) {
    if (++line == 1) {
      is_sealed = (std::string(text) + "\n").ends_with(seal_title);
      header = std::string(text.substr(0, text.size() + 1 - (is_sealed ? seal_title.size() : 1)));
      unread = header += '\n';
      return;
    }
    unread += is_sealed ? unsealed(text, journal, line) : text;
    unread += '\n';
    if (unread.size() > most_bytes) read();
  });
  if (line > 0) read();
}

}  // namespace

std::string write_csv(SortedRows& rows, const std::function<void(std::string_view)>& write) {
  TextHash hash;
  const bool reduced = !rows.summarised().empty();
  std::string block = csv_header(rows.summarised());
  const auto flush = [&] {
    hash.add(block);
    write(block);
    block.clear();
  };
  rows.each([&](const SortedRows::Entry& entry) {
    block += reduced ? to_csv(entry.row()) : entry.line();
    if (block.size() >= csv_block_bytes) flush();
  });
  flush();
  return hash.digits();
}

RowCounts counts_of(SortedRows& rows) {
  RowCounts counts;
  rows.each(
      [&counts](const SortedRows::Entry& entry) { counts.add(entry.status(), entry.tier()); });
  return counts;
}

namespace {

bool holds_a_line(const Path& journal) {
  return std::filesystem::exists(journal) &&
         TextReader(journal).next().find('\n') != std::string_view::npos;
}

struct Finished {
  SortedRows rows;
  std::string results_hash{};  ///< of results.csv; empty if there is none
};

/// The finished rows in a directory, those of its journal last.
Finished read_finished(const Path& directory, const std::vector<const Column*>& summarised) {
  const Path results = directory / "results.csv";
  const Path journal = directory / "results.csv.part";
  const bool has_results = std::filesystem::exists(results);
  Finished finished{SortedRows(directory, summarised)};
  if (!has_results && !holds_a_line(journal)) return finished;
  check_version(directory / "manifest.json");
  const auto add = [&](const Row& row) {
    if (summarised_metrics(row) != summarised)
      throw InputError(directory.string() + ": holds rows with other statistics over seeds" +
                       remedy);
    finished.rows.add(row, to_csv(row, SeedColumns::least));
  };
  if (has_results) {
    RowReader rows(results);
    while (const Row* row = rows.next()) add(*row);
    finished.results_hash = rows.hash();
  }
  if (std::filesystem::exists(journal)) each_row_of_journal(journal, add);
  // Killed within finish(), a run leaves the manifest of the file that it was about to write.
  const std::optional<std::string> described = described_hash(directory);
  if (has_results && described && *described != finished.results_hash &&
      *described != write_csv(finished.rows, [](std::string_view) {}))
    throw changed(results);
  return finished;
}

SortedRows without_failed(SortedRows& rows, const Path& directory) {
  SortedRows left(directory, rows.summarised());
  rows.each_row([&left](const Row& row) {
    if (row.status != Status::failed) left.add(row, to_csv(row, SeedColumns::least));
  });
  return left;
}

/// Calls visit(place, entry) for each row; without a place if its case is not in the list.
template <class Visit>
void join(SortedRows& rows, const CaseList& cases, Visit visit) {
  if (rows.empty()) return;
  auto at = cases.walk(CaseOrder::results);
  std::string key = at.at_end() ? "" : sort_key(at.where());
  rows.each([&](const SortedRows::Entry& entry) {
    while (!at.at_end() && key.compare(entry.key()) < 0) {
      at.advance();
      if (!at.at_end()) key = sort_key(at.where());
    }
    const bool found = !at.at_end() && key == entry.key();
    visit(found ? std::optional(at.place()) : std::nullopt, entry);
  });
}

/// Of a row with statistics over seeds.
struct ReducedCase {
  SeedSet seeds{};
  SeedSet listed{};  ///< those whose cases a list holds
  Status status{};
  bool fits = true;
};
using ReducedCases = BySeedlessCase<ReducedCase>;

ReducedCases reduced_cases(SortedRows& rows) {
  ReducedCases cases;
  rows.each_row([&cases](const Row& row) {
    cases.at(row.where) = {.seeds = row.over_seeds->seeds, .status = row.status};
  });
  return cases;
}

/// Calls take(place, status) for each case of the list that is in the rows, and refuse(case) for
/// those of which it returns false and for seeds without a case in the list.
template <class Take, class Refuse>
void join_reduced(SortedRows& rows, const CaseList& cases, Take take, Refuse refuse) {
  if (rows.empty()) return;
  ReducedCases reduced = reduced_cases(rows);
  for (auto at = cases.walk(CaseOrder::results); !at.at_end(); at.advance()) {
    ReducedCase* found = reduced.find(at.where());
    if (!found || !found->seeds.contains(at.where().seed())) continue;
    found->listed.add(at.where().seed());
    if (!take(at.place(), found->status)) refuse(at.where());
  }
  for (const auto& [where, found] : reduced)
    if (const auto seed = found.seeds.first_beyond(found.listed)) {
      SharedCase unlisted = where;
      unlisted.set(&Case::seed, *seed);
      refuse(unlisted);
    }
}

/// Calls take(place, status) for each case of the list that has a row. Throws InputError, after the
/// last, for rows of other cases and for those of which take returns false.
template <class Take>
void take_rows(SortedRows& rows, const Path& directory, const CaseList& cases, Take take) {
  std::size_t foreign = 0;
  std::string first;
  const auto refuse = [&](const SharedCase& where) {
    if (foreign++ == 0) first = command_of(where);
  };
  if (rows.summarised().empty())
    join(rows, cases, [&](std::optional<std::uint64_t> place, const SortedRows::Entry& entry) {
      if (!place || !take(*place, entry.status())) refuse(entry.row().where);
    });
  else
    join_reduced(rows, cases, take, refuse);
  if (foreign > 0)
    throw InputError(directory.string() + ": holds " + std::to_string(foreign) +
                     (foreign == 1 ? " row of a case that is not in this run: "
                                   : " rows of cases that are not in this run, the first: ") +
                     first + remedy);
}

}  // namespace

RunDirectory::RunDirectory(const Path& directory, const CaseList& cases, CaseSet wanted,
                           std::size_t wanted_count, Rerun rerun,
                           std::vector<const Column*> summarised)
    : directory_(created(directory)),
      journal_(directory_ / "results.csv.part"),
      cases_(&cases),
      wanted_(std::move(wanted)),
      wanted_count_(wanted_count),
      rows_(directory_, std::move(summarised)),
      finished_(cases.places()) {
  if (rerun == Rerun::all) {
    journal_.clear();
    std::error_code none_to_move;
    std::filesystem::rename(directory_ / "results.csv", directory_ / "results.csv.old",
                            none_to_move);
    return;
  }
  Finished before = read_finished(directory_, rows_.summarised());
  results_hash_ = std::move(before.results_hash);
  rows_ = std::move(before.rows);
  // Of an earlier version: its lines lack columns that come.
  if (!journal_.empty() && !journal_.begins_with(journal_header(rows_.summarised()))) {
    journal_.clear();
    rows_.each([this](const SortedRows::Entry& entry) {
      std::string line;
      append_sealed(line, entry.line());
      write(line);
    });
  }
  const auto take = [&](std::uint64_t place, Status status) {
    if (!wants(place)) return false;
    if (rerun == Rerun::failed && status == Status::failed) return true;
    finished_[place] = true;
    ++finished_count_;
    return true;
  };
  take_rows(rows_, directory_, cases, take);
  if (rerun == Rerun::failed) rows_ = without_failed(rows_, directory_);
  if (rows_.summarised().empty()) counts_ = counts_of(rows_);
}

void RunDirectory::adopt(const Path& directory, const CaseList& all, Rerun rerun) {
  SortedRows rows = read_finished(directory, rows_.summarised()).rows;
  take_rows(rows, directory, all, [](std::uint64_t, Status) { return true; });
  if (!rows.summarised().empty()) return adopt_reduced(rows, rerun);
  join(rows, *cases_, [&](std::optional<std::uint64_t> place, const SortedRows::Entry& entry) {
    if (!place || !wants(*place) || finished_[*place]) return;
    if (rerun == Rerun::failed && entry.status() == Status::failed) return;
    append(entry.row());
    finished_[*place] = true;
  });
}

void RunDirectory::adopt_reduced(SortedRows& rows, Rerun rerun) {
  ReducedCases reduced = reduced_cases(rows);
  const auto each = [&](auto visit) {
    for (auto at = cases_->walk(CaseOrder::results); !at.at_end(); at.advance())
      if (ReducedCase* found = reduced.find(at.where());
          found && found->seeds.contains(at.where().seed()))
        visit(*found, at);
  };
  each([&](ReducedCase& found, const CaseList::Walk& at) {
    found.fits = found.fits && wants(at.place()) && !finished_[at.place()];
    found.listed.add(at.where().seed());
  });
  rows.each_row([&](const Row& row) {
    ReducedCase& found = reduced.at(row.where);
    if (found.seeds.first_beyond(found.listed)) found.fits = false;
    if (rerun == Rerun::failed && row.status == Status::failed) found.fits = false;
    if (found.fits) append(row);
  });
  each([&](const ReducedCase& found, const CaseList::Walk& at) {
    if (found.fits) finished_[at.place()] = true;
  });
}

bool RunDirectory::complete() const {
  return finished_count_ == wanted_count_ && journal_.empty() &&
         std::filesystem::exists(directory_ / "results.csv");
}

void RunDirectory::write(std::string_view lines) {
  if (journal_.empty()) journal_.append(journal_header(rows_.summarised()));
  journal_.append(lines);
}

void RunDirectory::append(Row row) {
  std::vector<Row> one;
  one.push_back(std::move(row));
  append(std::move(one));
}

void RunDirectory::append(std::vector<Row> rows) {
  std::vector<SortedRows::Held> held = with_lines(std::move(rows));
  std::string sealed;
  if (!held.empty()) sealed.reserve(held.size() * (held.front().line.size() + 64));
  for (const auto& [row, line] : held) append_sealed(sealed, line);
  {
    const std::scoped_lock lock(mutex_);
    write(sealed);
    for (const auto& [row, line] : held) {
      counts_.add(row.status, row.truth_tier);
      finished_count_ += case_count(row);
    }
  }
  rows_.add(std::move(held));
}

void RunDirectory::finish(const std::function<void(std::string results_hash)>& describe) {
  OutputFile file(directory_ / "results.csv");
  describe(write_csv(rows_, [&file](std::string_view piece) { file.write(piece); }));
  file.finish();
  journal_.clear();
}

}  // namespace fftprec::results
