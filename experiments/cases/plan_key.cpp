#include "experiments/cases/plan_key.hpp"

namespace fftprec {

PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch) {
  return {transform, where.algorithm, where.mode, where.machine, where.tables, where.n, batch};
}

PlanKey tables_key(const Case& where) { return plan_key(where, where.transform, 0); }

}  // namespace fftprec
