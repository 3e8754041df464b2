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

/// The same for a list of any length, in memory that does not grow with it beyond a bit a case. Of
/// a list of more than one batch the portions are cases in the order of problems, about a 64th of a
/// shard each; first the cases that are one each, then the others go to the cheapest shard so far.
CaseSet cases_of_shard(const CaseList& cases, const Shard& shard, Session& session);

}  // namespace fftprec
