/// The cases of a run, without a list of them in memory: the values of axes, which a walk combines
/// one case at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec {

/// The most cases of a list in memory. They take about 1 GiB.
inline constexpr std::uint64_t most_cases = 4'000'000;

/// The most combinations of a CaseList.
inline constexpr std::uint64_t most_places = std::uint64_t{1} << 30;

/// Whether a case belongs to a list; empty: every case does.
using KeepCase = std::function<bool(const SharedCase&)>;

enum class CaseOrder {
  results,   ///< of results.csv
  problems,  ///< by transform, n, batch, input and seed first: cases with one problem are together
};

/// A union of blocks. A block is all combinations of its axes, less those that its filter drops.
class CaseList {
 public:
  /// Adds a block. Throws InputError if there are then more than most_places combinations.
  void add(const Axes& axes, KeepCase keep = {});

  /// The number of combinations in all blocks, dropped ones too. Each case has a place below it.
  std::uint64_t places() const { return places_; }

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
    KeepCase keep{};
    std::uint64_t first_place = 0;

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
  bool step();
  void settle();
  std::shared_ptr<Case> names() const;

  const Block* block_;
  std::array<std::size_t, axis_count> axes_{};       ///< the slowest first
  std::array<std::size_t, axis_count> digits_{};     ///< the value of each axis
  std::array<std::uint64_t, axis_count> strides_{};  ///< of places, by axis
  /// Names that cases share, by their place with the first batch and seed.
  std::unordered_map<std::uint64_t, std::shared_ptr<Case>> known_;
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
