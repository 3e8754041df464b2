/// One of several parts of a sweep, each for a separate run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweeps/run.hpp"

namespace fftprec {

/// Part `index` of `count`, from 1.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Parses "2/4". Throws InputError for any other form, and unless 1 <= index <= count <= 100000.
Shard parse_shard(std::string_view text);

/// The text that parse_shard reads.
std::string text_of(const Shard& shard);

/// The cases of one shard, in order. Every case is in exactly one shard, which depends only on the
/// cases, their costs and `count`. Shards have nearly equal costs, which include their truths and
/// tables: cases that share a truth or tables form portions of at most about a quarter of a shard,
/// and each portion, the costly ones first, goes to the cheapest shard so far.
std::vector<CasePlan> plans_of_shard(std::span<const CasePlan> cases, const Shard& shard);

/// Some cases of a list.
struct CasesOfShard {
  CaseList cases;
  CaseSet wanted;  ///< empty: all of them
};

/// The fewest seeds of a shard that is a range of seeds.
inline constexpr std::size_t least_shard_seeds = 64;

/// The cases of one shard of a list of any length.
///
/// A list of at most one batch is parted as above. In a longer one whose cases all come with the
/// same seeds, at least 64 for each shard, a shard is a range of seeds: the other cases are not
/// even counted. Of any other list a bit a case is kept: the portions are cases in the order of
/// problems, about a 64th of a shard each; first the cases that are one each, then the others go to
/// the cheapest shard so far.
CasesOfShard cases_of_shard(const CaseList& cases, const Shard& shard, Session& session);

}  // namespace fftprec
