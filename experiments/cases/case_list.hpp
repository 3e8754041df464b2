/// The cases of a run, without a list of them in memory: the values of axes, which a walk combines
/// one case at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/filter.hpp"

namespace fftprec {

/// The most cases of a list in memory. They take about 1 GiB.
inline constexpr std::uint64_t most_cases = 4'000'000;

/// The most combinations of a CaseList.
inline constexpr std::uint64_t most_places = std::uint64_t{1} << 30;

enum class CaseOrder {
  results,   ///< of results.csv
  problems,  ///< by transform, n, batch, input and seed first: cases with one problem are together
};

/// A union of blocks. A block is all combinations of its axes, less those that its filters drop.
class CaseList {
 public:
  /// Adds a block of the cases for which `all` holds and none of `excluded`.
  /// Throws InputError if there are then more than most_places combinations.
  void add(const Axes& axes, const Filter& all = {}, const std::vector<Filter>& excluded = {});

  /// The number of combinations in all blocks, dropped ones too. Each case has a place below it.
  std::uint64_t places() const { return places_; }

  /// The seeds, ascending, of every combination of the other axes that has a case. Empty if some
  /// have other seeds, or a filter reads the seed.
  std::span<const std::uint64_t> common_seeds() const;

  /// Only the cases with one of the common seeds from number `first` on.
  CaseList of_seeds(std::size_t first, std::size_t count) const;

  /// All cases in the order of results.csv. Throws InputError for more than most_cases.
  std::vector<Case> all() const;

  class Walk;
  /// A walk over every case once. The list must outlive it.
  Walk walk(CaseOrder order) const;

 private:
  class Cursor;

  struct Block {
    /// Of each axis, ascending and without duplicates: names, or numbers.
    std::array<std::vector<std::string>, axis_count> names{};
    std::array<std::vector<std::uint64_t>, axis_count> numbers{};
    Filter all{};
    std::vector<Filter> excluded{};
    bool reads_seed = false;   ///< whether a filter does
    bool reads_batch = false;  ///< likewise
    std::uint64_t first_place = 0;

    std::uint64_t places() const;
    bool keeps(const SharedCase& where) const;
    std::size_t values(std::size_t axis) const {
      return names[axis].empty() ? numbers[axis].size() : names[axis].size();
    }
  };

  std::vector<Block> blocks_;
  std::uint64_t places_ = 0;
};

/// The kept cases of one block in order.
class CaseList::Cursor {
 public:
  Cursor(const Block& block, CaseOrder order);

  bool at_end() const { return at_end_; }
  const SharedCase& where() const { return where_; }
  std::uint64_t place() const { return place_; }
  /// Goes to the next kept case.
  void advance();

 private:
  /// Names that cases share, and whether a filter that reads nothing else keeps them.
  struct Known {
    std::shared_ptr<Case> names{};
    bool kept = true;
  };

  bool step();
  void settle();
  Known known() const;
  bool is_kept(const Known& known) const;

  const Block* block_;
  std::array<std::size_t, axis_count> axes_{};       ///< the slowest first
  std::array<std::size_t, axis_count> digits_{};     ///< the value of each axis
  std::array<std::uint64_t, axis_count> strides_{};  ///< of places, by axis
  std::unordered_map<std::uint64_t, Known> known_;   ///< by the place with the first batch and seed
  SharedCase where_;
  std::uint64_t place_ = 0;
  bool at_end_ = false;
};

/// Usage: `for (auto walk = list.walk(order); !walk.at_end(); walk.advance())`.
class CaseList::Walk {
 public:
  Walk(Walk&&) = default;  // not copied: it points to a cursor of its own
  Walk& operator=(Walk&&) = default;

  bool at_end() const { return !current_; }
  const SharedCase& where() const { return current_->where(); }
  /// A number below places() that is the case's own, whatever the order.
  std::uint64_t place() const { return current_->place(); }
  void advance();

 private:
  friend class CaseList;
  Walk(const CaseList& list, CaseOrder order);
  void choose();

  CaseOrder order_;
  std::vector<Cursor> cursors_;
  const Cursor* current_ = nullptr;
};

/// All combinations, sorted as in results.csv, without duplicates. Throws InputError for more than
/// most_cases.
std::vector<Case> expand(const Axes& axes);

}  // namespace fftprec
