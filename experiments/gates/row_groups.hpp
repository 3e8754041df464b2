/// Values of rows in groups: rows that differ only in named axes belong together.
///
/// A row costs little more than its value, 8 bytes of a number, where it follows a row of the same
/// names with the next seed. Any other row costs 40 bytes more.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/axes.hpp"

namespace fftprec::gates {

/// The case with these axes at their defaults.
inline SharedCase without(const SharedCase& where, const std::vector<std::string>& axes) {
  Row row{.where = where};
  for (const Column& axis : axis_columns())
    if (std::ranges::find(axes, axis.name) != axes.end()) axis.parse(row, axis.text(Row{}));
  return row.where;
}

template <class Value>
class RowGroups {
 public:
  /// Rows of a group differ only in the axes `left_out`; those that differ only in `pooled`, some
  /// of these axes, are a part of it.
  RowGroups(std::vector<std::string> left_out, std::vector<std::string> pooled)
      : left_out_(std::move(left_out)), pooled_(std::move(pooled)) {
    const auto has_seed = [](const auto& axes) {
      return std::ranges::find(axes, "seed") != axes.end();
    };
    by_seed_ = !has_seed(left_out_);
    seeds_share_part_ = by_seed_ || has_seed(pooled_);
    if (!by_seed_) return;
    left_out_.emplace_back("seed");  // until the groups are visited
    pooled_.emplace_back("seed");
  }

  void add(const SharedCase& where, const Value& value) {
    if (!in_last_part(where)) {
      last_ = where;
      last_part_ = &classes_[without(where, left_out_)][without(where, pooled_)];
      last_seed_.reset();
    }
    if (!last_seed_ || where.seed() != *last_seed_ + 1)
      last_part_->runs.push_back({names_.shared(where), last_part_->values.size()});
    last_seed_ = where.seed();
    last_part_->values.push_back(value);
  }

  bool empty() const { return classes_.empty(); }

 private:
  /// Rows with the same names and batch, and seeds that follow one another.
  struct Run {
    SharedCase first;
    std::size_t begin;  ///< among the values of the part
  };

  struct Part {
    std::deque<Value> values{};
    std::vector<Run> runs{};

    SharedCase where(std::size_t index) const {
      const auto after = std::ranges::upper_bound(runs, index, {}, &Run::begin);
      SharedCase where = std::prev(after)->first;
      where.set(&Case::seed, where.seed() + (index - std::prev(after)->begin));
      return where;
    }
  };

  using Parts = std::map<SharedCase, Part>;

  struct Member {
    std::uint64_t seed;  ///< 0 where groups pool seeds
    std::uint32_t part;
    std::uint32_t index;
  };

 public:
  /// The rows of a part of a group, in the order in which they came.
  struct Pool {
    SharedCase first;
    std::vector<Value> values;
  };

  /// The groups in the order of the axes that their rows share, and then of seeds.
  class Cursor {
   public:
    explicit Cursor(const RowGroups& groups)
        : next_(groups.classes_.begin()), end_(groups.classes_.end()), by_seed_(groups.by_seed_) {
      next_class();
    }
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    bool at_end() const { return group_.empty(); }

    void advance() {
      const std::size_t next =
          static_cast<std::size_t>(group_.data() - members_.data()) + group_.size();
      next == members_.size() ? next_class() : cut(next);
    }

    /// Groups of two collections with equal keys differ only in the axes left out.
    std::strong_ordering operator<=>(const Cursor& other) const {
      if (const auto keys = *key_ <=> *other.key_; keys != 0) return keys;
      return group_.front().seed <=> other.group_.front().seed;
    }

    SharedCase first() const { return where(group_.front()); }
    std::size_t size() const { return group_.size(); }

    bool has_several_parts() const {
      return std::ranges::any_of(
          group_, [&](const Member& member) { return member.part != group_.front().part; });
    }

    std::vector<Value> values() const {
      std::vector<Value> values;
      values.reserve(group_.size());
      for (const Member& member : group_) values.push_back(value(member));
      return values;
    }

    std::vector<Pool> parts() const {
      std::map<std::uint32_t, Pool> pools;
      for (const Member& member : group_) {
        Pool& pool = pools[member.part];
        if (pool.values.empty()) pool.first = where(member);
        pool.values.push_back(value(member));
      }
      std::vector<Pool> result;
      for (auto& [part, pool] : pools) result.push_back(std::move(pool));
      return result;
    }

   private:
    SharedCase where(const Member& member) const {
      return parts_[member.part]->where(member.index);
    }
    const Value& value(const Member& member) const {
      return parts_[member.part]->values[member.index];
    }

    void cut(std::size_t begin) {
      std::size_t end = begin + 1;
      while (end < members_.size() && members_[end].seed == members_[begin].seed) ++end;
      group_ = std::span(members_).subspan(begin, end - begin);
    }

    void next_class() {
      members_.clear();
      parts_.clear();
      group_ = {};
      if (next_ == end_) return;
      key_ = &next_->first;
      std::size_t count = 0;
      for (const auto& [key, part] : next_->second) count += part.values.size();
      members_.reserve(count);
      for (const auto& [key, part] : next_->second) add_part(part);
      if (!std::ranges::is_sorted(members_, {}, &Member::seed))
        std::ranges::stable_sort(members_, {}, &Member::seed);
      ++next_;
      cut(0);
    }

    void add_part(const Part& part) {
      const auto number = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back(&part);
      std::size_t run = 0;
      for (std::size_t i = 0; i < part.values.size(); ++i) {
        if (run + 1 < part.runs.size() && part.runs[run + 1].begin == i) ++run;
        const std::uint64_t seed = part.runs[run].first.seed() + (i - part.runs[run].begin);
        members_.push_back({by_seed_ ? seed : 0, number, static_cast<std::uint32_t>(i)});
      }
    }

    typename std::map<SharedCase, Parts>::const_iterator next_;
    typename std::map<SharedCase, Parts>::const_iterator end_;
    bool by_seed_;
    const SharedCase* key_ = nullptr;
    std::vector<const Part*> parts_{};
    std::vector<Member> members_{};  ///< of one class, by seed
    std::span<const Member> group_{};
  };

  Cursor groups() const { return Cursor(*this); }

 private:
  bool in_last_part(const SharedCase& where) const {
    return last_part_ && seeds_share_part_ && where.shares_names(last_) &&
           where.batch() == last_.batch();
  }

  std::vector<std::string> left_out_;
  std::vector<std::string> pooled_;
  bool by_seed_ = false;           ///< rows of different seeds are in different groups
  bool seeds_share_part_ = false;  ///< or in the same part
  std::map<SharedCase, Parts> classes_{};
  NamePool names_{};
  SharedCase last_{};  ///< a row of the last part, as it came
  Part* last_part_ = nullptr;
  std::optional<std::uint64_t> last_seed_{};
};

}  // namespace fftprec::gates
