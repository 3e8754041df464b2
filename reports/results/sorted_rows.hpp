/// Finished rows in the order of results.csv, in bounded memory: sorted parts of them go to a file
/// without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/row.hpp"

namespace fftprec::results {

/// A text for each case; texts order as cases do. Rows with statistics over seeds are sorted by
/// identity_of.
std::string sort_key(const SharedCase& where);

class SortedRows {
 public:
  /// Rows in memory: some 60 MB, and as much again while they are written.
  static constexpr std::size_t default_room = 1 << 16;
  /// The same for rows with statistics over seeds.
  static constexpr std::size_t reduced_room = 1 << 11;

  /// `folder`: where the file lies; empty: that of temporary files. A part is written for each
  /// `room` rows or a few more.
  explicit SortedRows(std::filesystem::path folder = {}, std::size_t room = default_room);

  /// Of rows with statistics over seeds of these metrics; of other rows if there are none.
  SortedRows(std::filesystem::path folder, std::vector<const Column*> summarised,
             std::size_t room = reduced_room);
  ~SortedRows();
  SortedRows(SortedRows&&) noexcept;
  SortedRows& operator=(SortedRows&&) noexcept;

  /// A row and its line of results.csv; of rows with statistics over seeds, with the least columns.
  struct Held {
    Row row;
    std::string line;
  };

  /// Throws InputError if the file cannot be written; the rows are kept. Several threads may add
  /// rows at once; while one writes a part, the others go on.
  void add(std::vector<Held> rows);
  void add(Row row, std::string line);

  bool empty() const { return added_ == 0; }
  const std::vector<const Column*>& summarised() const { return summarised_; }

  /// A row as `each` shows it.
  class Entry {
   public:
    std::string_view key() const { return key_; }
    std::string_view line() const { return line_; }
    Status status() const { return status_; }
    std::optional<truth::Tier> tier() const { return tier_; }
    Row row() const;  ///< read from the line unless it is in memory

   private:
    friend class SortedRows;
    std::string_view key_{};
    std::string_view line_{};
    Status status_{};
    std::optional<truth::Tier> tier_{};
    const Row* row_ = nullptr;
    const std::string* header_ = nullptr;
  };

  /// Visits the rows in order; of several rows of a case the one that was added last. Rows with
  /// statistics over seeds are joined instead. One with seeds of a row before it replaces that row
  /// if a seed has failed there, as when failed cases run again; it is left out if that row has all
  /// of its seeds, as when a run ended after it had written results.csv; otherwise throws
  /// InputError.
  void each(const std::function<void(const Entry&)>& visit);

  /// The same with whole rows, which are read from their lines unless they are in memory.
  void each_row(const std::function<void(const Row&)>& visit);

 private:
  class File;
  class Source;
  struct Locks {
    std::mutex held;
    std::mutex file;  ///< locked before the other where both are
  };

  std::vector<const Held*> in_order(const std::vector<Held>& rows) const;
  void write_full_part();
  void write_part(const std::vector<const Held*>& rows);
  void each_added(const std::function<void(const Entry&, bool is_last)>& visit);

  std::filesystem::path folder_;
  std::vector<const Column*> summarised_{};
  std::string header_;  ///< of the lines
  std::size_t room_;
  std::size_t added_ = 0;
  std::vector<Held> held_;
  std::vector<Held> spare_;  ///< empty, kept for its memory
  std::unique_ptr<File> file_;
  std::unique_ptr<Locks> locks_ = std::make_unique<Locks>();
};

/// Each row with its line.
std::vector<SortedRows::Held> with_lines(std::vector<Row> rows);

}  // namespace fftprec::results
