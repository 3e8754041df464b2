#include "arith/machines/machine.hpp"

#include "arith/accumulators/published.hpp"
#include "arith/support/error.hpp"
#include "arith/support/named.hpp"

namespace fftprec {

AccumulatorModel accumulator_for(const Machine& machine, const Format& operands) {
  const Format wanted = operands == half_fp32 ? fp32 : operands;
  std::string known;
  for (const AccumulatorModel& unit : machine.units) {
    if (unit.operands == wanted) {
      AccumulatorModel model = unit;
      model.operands = operands;
      model.flush_inputs |= machine.flush_inputs;
      model.flush_outputs |= machine.flush_outputs;
      return model;
    }
    known += (known.empty() ? "" : ", ") + to_string(unit.operands);
  }
  throw NotApplicable("machine " + machine.name + " multiplies no matrices of " +
                      to_string(operands) + "; it takes " + known);
}

}  // namespace fftprec
