/// As many rows of a run as figures, tables and pages can show.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec::results {

/// The most rows that are shown.
inline constexpr std::size_t most_shown_rows = 200'000;

/// Keeps all rows of a run of at most `most`. Of a larger run it keeps, of the rows that differ in
/// seed alone, those at evenly spaced ranks of err_l2_rel: the smallest, the median and the largest
/// stay, and every quantile stays within a step of the ranks. Where that is too much, rows that
/// differ in n and seed, and at last all rows of an algorithm in a mode, are taken together. The
/// row with the largest err_l2_rel / bound_l2_rel stays. Memory does not grow with the rows.
class RowSample {
 public:
  explicit RowSample(std::size_t most = most_shown_rows) : most_(most), ranks_(most) {}

  void add(const Row& row);

  /// The rows that are kept, in the order in which they came. Nothing may be added after that.
  std::vector<Row> take();

  /// What take() leaves out, in a sentence; empty if nothing.
  std::string note() const;

 private:
  struct Kept {
    Row row;
    std::size_t index;  ///< among all rows
    double weight;      ///< of how many rows it is one
  };
  using Group = std::vector<Kept>;
  /// A case without what the rows of a group differ in, and why they were not measured.
  using Key = std::pair<SharedCase, std::string>;

  Key key_of(const Row& row) const;
  std::size_t ranks_for(std::size_t most) const;
  void shrink();
  void take_more_together();

  std::size_t most_;
  std::size_t ranks_;      ///< the most rows that a group keeps
  std::size_t level_ = 0;  ///< 0: groups differ in seed, 1: in n and seed, 2: in all but two axes
  std::map<Key, Group> groups_{};
  Group* last_group_ = nullptr;  ///< into which the row before this one went
  SharedCase last_where_{};
  NamePool names_{};
  std::size_t kept_ = 0;
  std::size_t all_ = 0;
  std::map<Status, std::size_t> by_status_{};
  double worst_ratio_ = -1;
  std::optional<Kept> worst_{};
};

struct ShownRows {
  std::vector<Row> rows;
  std::string note;  ///< RowSample::note
};

/// The rows of read_run that are `wanted` (by default all), as RowSample keeps them.
ShownRows read_shown_rows(const std::filesystem::path& where,
                          const std::function<bool(const Row&)>& wanted = {});

}  // namespace fftprec::results
