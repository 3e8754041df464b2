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

/// "2/4". Throws InputError for anything else, and unless 1 <= index <= count <= 100000.
Shard parse_shard(std::string_view text);

/// The text that parse_shard reads.
std::string text_of(const Shard& shard);

/// The cases of one shard, in their order. Every case is in exactly one shard; which one follows
/// from the cases, their costs and `count` alone. The shards cost about the same: portions of cases
/// that share a truth or tables, none of much more than a quarter of a shard, costly
/// ones first, each go to the shard that has least so far; each shard pays for its truths and
/// tables.
std::vector<CasePlan> plans_of_shard(std::span<const CasePlan> cases, const Shard& shard);

}  // namespace fftprec
