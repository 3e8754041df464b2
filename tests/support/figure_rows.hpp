/// Rows that every kind of figure can draw.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/sample_rows.hpp"

namespace fftprec::testing {

/// Two modes, two algorithms, two lengths, costs, a bound, an expected value, two seeds and an
/// exact result.
inline std::vector<Row> figure_rows() {
  std::vector<Row> rows;
  for (const char* algorithm : {"dft-gemm", "radix2-dit"})
    for (const char* mode : {"fp32", "bf16"})
      for (const std::uint64_t n : {64u, 128u})
        for (const std::uint64_t seed : {1u, 2u}) {
          const bool exact = n == 64 && mode == std::string("fp32") && algorithm[0] == 'd';
          const double error = (mode[0] == 'b' ? 1e-3 : 1e-7) * static_cast<double>(seed);
          rows.push_back(made_up({.algorithm = algorithm,
                                  .mode = mode,
                                  .n = n,
                                  .seed = seed,
                                  .error = exact ? 0 : error,
                                  .bound = 10 * error}));
          rows.back().expected_l2_rel = error;
          rows.back().bits_l2 = exact ? std::numeric_limits<double>::infinity() : 20;
          rows.back().matmul_passes = algorithm[0] == 'd' ? n : 0;
          rows.back().real_multiplications = n * (algorithm[0] == 'd' ? n : 7);
        }
  return rows;
}

inline Row on_machine(const std::string& machine, const MadeUp& what) {
  Row row = made_up(what);
  row.where.set(&Case::machine, machine);
  return row;
}

/// The names of series or of requests.
template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& each : all) names.push_back(each.name);
  return names;
}

}  // namespace fftprec::testing
