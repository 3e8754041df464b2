#include "reports/commands/slurm.hpp"

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

std::uint64_t number(const Variable& variable, const char* name, std::uint64_t otherwise) {
  const char* text = variable(name);
  if (text == nullptr) return otherwise;
  if (const auto value = parse_unsigned(text)) return *value;
  throw InputError(std::string(name) + "='" + text + "' is no number; --shard I/N says which part");
}

}  // namespace

std::optional<Shard> shard_of_array_task(const Variable& variable) {
  if (!variable("SLURM_ARRAY_TASK_ID")) return std::nullopt;
  const std::uint64_t id = number(variable, "SLURM_ARRAY_TASK_ID", 0);
  const std::uint64_t first = number(variable, "SLURM_ARRAY_TASK_MIN", 0);
  const std::uint64_t last = number(variable, "SLURM_ARRAY_TASK_MAX", id);
  const std::uint64_t step = number(variable, "SLURM_ARRAY_TASK_STEP", 1);
  const std::uint64_t count = number(variable, "SLURM_ARRAY_TASK_COUNT", 0);
  // First and step are those of an array that numbers its tasks in the usual ways, from 0 or 1.
  const bool regular = step >= 1 && first <= 1 && first <= id && id <= last &&
                       (id - first) % step == 0 && (last - first) % step == 0 &&
                       (last - first) / step + 1 == count;
  if (!regular)
    throw InputError(
        "the tasks of this job array are not FIRST-LAST with FIRST 0 or 1, so which part of the "
        "sweep task " +
        std::to_string(id) + " is to run cannot be told; say it with --shard I/N");
  return parse_shard(std::to_string((id - first) / step + 1) + "/" + std::to_string(count));
}

}  // namespace fftprec
