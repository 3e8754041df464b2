/// Reduction over seeds: what a run keeps of a case instead of a row for each of its seeds.
///
/// A row with statistics stands for several seeds. Its other columns are the row of the worst seed,
/// so that a limit on err_l2_rel holds for it if and only if it holds for all of them, and its case
/// repeats the largest error.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/seed_statistics.hpp"

namespace fftprec {

/// The summarised metrics of a row; none of a row of one seed.
std::vector<const Column*> summarised_metrics(const Row& row);

/// The errors of these names, in the order of columns(). Throws InputError for other names and for
/// none.
std::vector<const Column*> summarised_metrics(const std::vector<std::string>& names);

/// The metrics that a run summarises unless it is given others.
std::vector<const Column*> default_summarised_metrics();

/// How many cases the row stands for.
inline std::uint64_t case_count(const Row& row) {
  return row.over_seeds ? row.over_seeds->seeds.size() : 1;
}

/// A value for each case without its seed. Fast where neighbours share their names.
template <class Value>
class BySeedlessCase {
 public:
  BySeedlessCase() = default;
  BySeedlessCase(BySeedlessCase&&) = default;  // not copied: it points to a value of its own
  BySeedlessCase& operator=(BySeedlessCase&&) = default;

  /// Made if it is not there.
  Value& at(const SharedCase& where) {
    if (!is_last(where)) last_ = &*values_.try_emplace(without_seed(where)).first;
    return last_->second;
  }

  /// Null if it is not there.
  Value* find(const SharedCase& where) {
    if (is_last(where)) return &last_->second;
    const auto found = values_.find(without_seed(where));
    if (found == values_.end()) return nullptr;
    last_ = &*found;
    return &last_->second;
  }

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  static SharedCase without_seed(SharedCase where) {
    where.set(&Case::seed, 0);
    return where;
  }

  bool is_last(const SharedCase& where) const {
    return last_ && where.shares_names(last_->first) && where.batch() == last_->first.batch();
  }

  std::map<SharedCase, Value> values_{};
  typename std::map<SharedCase, Value>::value_type* last_ = nullptr;
};

/// Reduces the rows of a case to one. Rows may come in any order and any parts: the result has the
/// same bits.
class SeedReduction {
 public:
  explicit SeedReduction(std::span<const Column* const> metrics);

  /// Adds the row of a seed, or a row with statistics. Throws InputError if a seed is there already
  /// or other metrics are summarised. Requires: the case of the other rows, but for the seed.
  void add(const Row& row);

  bool empty() const { return statistics_.seeds.empty(); }
  const SeedSet& seeds() const { return statistics_.seeds; }
  Status status() const { return worst_.status; }  ///< of the worst row

  /// The row with statistics. Requires: not empty.
  Row row() const;

 private:
  SeedStatistics statistics_{};
  Row worst_{};
};

/// The rows of a run, reduced as they come, in any order.
class RunReduction {
 public:
  explicit RunReduction(std::vector<const Column*> metrics) : metrics_(std::move(metrics)) {}

  void add(const Row& row);

  /// Hands over a row for each case, over the seeds that came since the last call. Of what `use`
  /// throws at, the row is lost and the others stay.
  void take(const std::function<void(Row)>& use);

 private:
  struct Reduced {
    SharedCase where;  ///< held, so that no others get the address of its names
    SeedReduction rows;
  };

  std::vector<const Column*> metrics_;
  std::map<std::pair<const void*, std::uint64_t>, Reduced> cases_{};  ///< by names and batch
};

}  // namespace fftprec
