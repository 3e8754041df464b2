#include "experiments/sweeps/remembered_cost.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace fftprec {

namespace {

struct Memory {
  std::mutex mutex;
  std::map<PlanKey, double> costs;
};

}  // namespace

EstimateCost remembered_cost(EstimateCost cost_of) {
  return [cost_of = std::move(cost_of), memory = std::make_shared<Memory>()](const Case& where) {
    const PlanKey key = plan_key(where, where.transform, where.batch);
    {
      const std::scoped_lock lock(memory->mutex);
      if (const auto found = memory->costs.find(key); found != memory->costs.end())
        return found->second;
    }
    const double cost = cost_of(where);
    const std::scoped_lock lock(memory->mutex);
    memory->costs.emplace(key, cost);
    return cost;
  };
}

}  // namespace fftprec
