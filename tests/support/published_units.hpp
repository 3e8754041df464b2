/// The published accumulator models, as the presets have them: one for each name.
#pragma once

#include <string_view>
#include <vector>

#include "arith/machines/machine.hpp"
#include "arith/support/error.hpp"

namespace fftprec::testing {

/// The units of all presets, the first of each name.
inline const std::vector<AccumulatorModel>& published_accumulators() {
  static const std::vector<AccumulatorModel> models = [] {
    std::vector<AccumulatorModel> all;
    for (const Machine& machine : machines())
      for (const AccumulatorModel& unit : machine.units) {
        bool known = false;
        for (const AccumulatorModel& other : all) known = known || other.name == unit.name;
        if (!known) all.push_back(unit);
      }
    return all;
  }();
  return models;
}

inline const AccumulatorModel& published(std::string_view name) {
  return item_named(published_accumulators(), "accumulator", name);
}

inline const AccumulatorModel amd_cdna3_bf16 = published("amd-cdna3-bf16");
inline const AccumulatorModel amd_cdna3_fp16 = published("amd-cdna3-fp16");
inline const AccumulatorModel nv_blackwell_fp4 = published("nv-blackwell-fp4");
inline const AccumulatorModel nv_blackwell_fp8 = published("nv-blackwell-fp8");
inline const AccumulatorModel nv_hopper_bf16 = published("nv-hopper-bf16");
inline const AccumulatorModel trn_exact = published("trn-exact");
inline const AccumulatorModel trn_segments = published("trn-segments");
inline const AccumulatorModel trn_sequential = published("trn-sequential");
inline const AccumulatorModel trn_tree = published("trn-tree");

}  // namespace fftprec::testing
