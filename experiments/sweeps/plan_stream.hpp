/// Plans of a list of cases of any length, a batch at a time in the order of problems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "experiments/cases/case_list.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// Some cases of a CaseList, by their places; empty: all.
using CaseSet = std::vector<bool>;

/// What cases cost together.
struct Workload {
  std::size_t cases = 0;
  std::size_t truths = 0;
  double cost_ns = 0;                  ///< of one thread
  std::vector<std::uint64_t> seeds{};  ///< ascending
  std::optional<CasePlan> largest{};   ///< the first that needs most memory
  /// How many cases need each amount of memory, in bytes; only the most_sizes largest amounts.
  std::map<double, std::size_t, std::greater<>> by_bytes{};
};

/// Whether the cases have one truth.
bool same_problem(const SharedCase& a, const SharedCase& b);

/// Sizes of cases that a Workload tells apart.
inline constexpr std::size_t most_sizes = 1024;

class PlanStream {
 public:
  /// Cases of a batch. Cases with one problem may be in two batches, which then make it twice.
  static constexpr std::size_t batch_cases = 1 << 15;

  /// The list and the session must outlive the stream.
  PlanStream(const CaseList& cases, CaseSet wanted, Session& session);

  /// Visits the plans and places of all cases that are not yet taken, in a walk of its own.
  void each(const std::function<void(const CasePlan& plan, std::uint64_t place)>& visit) const;

  /// What the same cases cost together.
  Workload workload() const;

  /// Leaves out these cases. Requires: none was taken.
  void drop(const CaseSet& finished);

  /// Takes the next batch; empty at the end.
  std::vector<CasePlan> next();

 private:
  struct Placed {
    std::vector<CasePlan> plans{};
    std::vector<std::uint64_t> places{};
  };
  /// Plans of the cases of a walk. Cases that share names share what they resolve to.
  class Planner {
   public:
    explicit Planner(Session& session) : session_(&session) {}
    CasePlan plan(const SharedCase& where);

   private:
    struct Known {
      SharedCase names;  ///< held, so that no others get their address
      CasePlan plan;
    };
    Session* session_;
    std::unordered_map<const void*, Known> known_{};
  };

  bool wants(std::uint64_t place) const { return wanted_.empty() || wanted_[place]; }
  Placed taken();

  const CaseList* cases_;
  CaseSet wanted_;
  Planner planner_;
  std::optional<CaseList::Walk> walk_;
  std::optional<Placed> all_;  ///< a list that is one batch is planned once
};

}  // namespace fftprec
