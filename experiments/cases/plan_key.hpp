/// What decides a plan and its tables.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "experiments/cases/case.hpp"

namespace fftprec {

/// Everything that a plan depends on.
using PlanKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                           std::size_t, std::size_t>;

PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch);

/// What cases have in common that share tables: all but input, seed and batch.
PlanKey tables_key(const Case& where);

}  // namespace fftprec
