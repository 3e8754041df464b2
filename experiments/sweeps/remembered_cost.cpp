#include "experiments/sweeps/remembered_cost.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

namespace fftprec {

namespace {

using Key = std::tuple<std::string, std::string, std::string, std::string, std::string,
                       std::uint64_t, std::uint64_t>;

struct Memory {
  std::mutex mutex;
  std::map<Key, double> costs;
};

}  // namespace

EstimateCost remembered_cost(EstimateCost cost_of) {
  return [cost_of = std::move(cost_of), memory = std::make_shared<Memory>()](const Case& where) {
    const auto key = std::tie(where.transform, where.algorithm, where.mode, where.machine,
                              where.tables, where.n, where.batch);
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
