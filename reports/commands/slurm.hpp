/// What a task of a Slurm job array is told of itself.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "experiments/sweeps/shard.hpp"

namespace fftprec {

/// The value of an environment variable, or null.
using Variable = std::function<const char*(const char* name)>;

/// The shard that SLURM_ARRAY_TASK_ID stands for among SLURM_ARRAY_TASK_COUNT tasks, the first of
/// which is SLURM_ARRAY_TASK_MIN; nothing outside a job array.
/// Throws InputError if the tasks are not MIN, MIN + STEP, ..., MAX: after `--array=3`, say, the
/// third of four tasks once more, the count says 1.
std::optional<Shard> shard_of_array_task(const Variable& variable);

}  // namespace fftprec
