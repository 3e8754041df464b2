/// Finished rows in the order of results.csv, in bounded memory: sorted parts of them go to a file
/// without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec::results {

/// A text for each case; texts order as cases do.
std::string sort_key(const SharedCase& where);

class SortedRows {
 public:
  /// Rows in memory: some 120 MB.
  static constexpr std::size_t default_room = 1 << 17;

  /// `folder`: where the file lies; empty: that of temporary files. A part is written for each
  /// `room` rows.
  explicit SortedRows(std::filesystem::path folder = {}, std::size_t room = default_room);
  ~SortedRows();
  SortedRows(SortedRows&&) noexcept;
  SortedRows& operator=(SortedRows&&) noexcept;

  /// A row and its line of results.csv. Throws InputError if the file cannot be written; the rows
  /// are kept.
  void add(Row row, std::string line);

  bool empty() const { return added_ == 0; }

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
  };

  /// Visits the rows in order; of several rows of a case the one that was added last.
  void each(const std::function<void(const Entry&)>& visit);

  /// The same with whole rows, which are read from their lines unless they are in memory.
  void each_row(const std::function<void(const Row&)>& visit);

 private:
  struct Held {
    Row row;
    std::string line;
  };
  class File;
  class Source;

  void sort_held();
  void write_part();

  std::filesystem::path folder_;
  std::size_t room_;
  std::size_t added_ = 0;
  std::vector<Held> held_;
  std::unique_ptr<File> file_;
};

}  // namespace fftprec::results
