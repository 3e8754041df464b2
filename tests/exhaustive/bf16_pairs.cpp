#include "tests/support/bf16_pairs.hpp"

#include <map>
#include <memory>

#include "tests/exhaustive/sweep.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::exhaustive {

Outcome bf16_pairs(const std::string& operation, const Options& options) {
  using testing::Operation;
  static const std::map<std::string, Operation> operations = {{"add", Operation::add},
                                                              {"subtract", Operation::subtract},
                                                              {"multiply", Operation::multiply},
                                                              {"divide", Operation::divide}};
  const Operation chosen = operations.at(operation);
  const testing::Bf16Operands operands;
  return sweep("bf16 " + operation, options, [&]() -> CheckChunk {
    auto check = std::make_shared<testing::Bf16PairCheck>(operands, chosen);
    return [check, chosen](std::uint32_t a) {
      Outcome outcome;
      for (std::uint32_t b = 0; b < 1u << 16; ++b) {
        ++outcome.cases;
        if (check->agree(a, b)) continue;
        if (outcome.failures++ == 0)
          outcome.first_failure =
              testing::show(testing::bf16_of(a).carrier()) + " " + testing::name_of(chosen) + " " +
              testing::show(testing::bf16_of(b).carrier()) + ": got " +
              testing::show(check->actual(a, b)) + ", truth " + testing::show(check->truth(a, b));
      }
      return outcome;
    };
  });
}

}  // namespace fftprec::exhaustive
