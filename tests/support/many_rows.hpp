/// Rows of a sweep that was never run, as many as one asks for, in the order of results.csv: for
/// tests and benchmarks of what reads and shows rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec::testing {

/// A number in [0, 1) from the bits of a counter (Steele, Lea, Flood 2014, SplitMix64).
inline double uniform_of(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// As many as many_rows has with one seed: every algorithm in every mode, on every machine, ...
inline constexpr std::size_t many_rows_grid = 14 * 7 * 2 * 10 * 4;

/// 14 algorithms x 7 modes x 2 machines x 10 lengths x 4 inputs, and seeds until there are enough:
/// about one in eighty failed or skipped, errors to all digits, some of them 0.
inline std::vector<Row> many_rows(std::size_t count) {
  constexpr std::array algorithms = {"dft-gemm",    "direct",      "radix2-dit",     "radix2-dif",
                                     "recursive",   "split-radix", "stockham-r2",    "stockham-r4",
                                     "stockham-r8", "mixed-radix", "stockham-mixed", "four-step",
                                     "bluestein",   "auto"};
  constexpr std::array modes = {"fp32",         "kahan", "fp64",    "bf16",
                                "bf16_refined", "ozaki", "ozaki_hq"};
  constexpr std::array machines = {"trn", "trn-rz"};
  constexpr std::array inputs = {"gaussian", "tone", "cancelling", "wide:phi=4"};
  constexpr std::size_t lengths = 10;
  static_assert(many_rows_grid ==
                algorithms.size() * modes.size() * machines.size() * lengths * inputs.size());
  const std::size_t seeds = (count + many_rows_grid - 1) / many_rows_grid;
  std::vector<Row> rows;
  for (std::size_t a = 0; a < algorithms.size(); ++a)
    for (std::size_t m = 0; m < modes.size(); ++m)
      for (std::size_t h = 0; h < machines.size(); ++h)
        for (std::size_t k = 0; k < lengths; ++k)
          for (std::size_t i = 0; i < inputs.size(); ++i)
            for (std::size_t seed = 1; seed <= seeds && rows.size() < count; ++seed) {
              Row row;
              row.where = Case{"fft", algorithms[a], modes[m], machines[h], "exact", 8u << k,
                               1,     inputs[i],     seed};
              const std::uint64_t id = rows.size() * 8;
              if (id % 656 == 0) {
                row.status = id % 1312 == 0 ? Status::failed : Status::skipped;
                row.message = "no meaning, " + std::to_string(a);
                rows.push_back(row);
                continue;
              }
              const double scale = std::ldexp(1.0, -8 - 5 * static_cast<int>(m)) *
                                   (1 + 0.1 * static_cast<double>(k));
              const double error = id % 1000 == 0 ? 0 : scale * (0.5 + uniform_of(id));
              row.err_l2_rel = error;
              row.err_linf_rel = error * (1 + uniform_of(id + 1));
              row.err_l1_rel = error * (0.5 + uniform_of(id + 2));
              row.err_linf_abs = 3 * *row.err_linf_rel;
              row.err_mean_rel = 2 * *row.err_l1_rel;
              row.err_re_max_rel = scale * 100 * uniform_of(id + 3);
              row.err_im_max_rel = scale * 100 * uniform_of(id + 4);
              row.err_max_ulp = 1e6 * uniform_of(id + 5);
              row.err_rms_ulp = 1e3 * uniform_of(id + 6);
              row.err_roundtrip_l2_rel = error * (1 + uniform_of(id + 7));
              row.bits_l2 = -std::log2(error);
              row.snr_db = -20 * std::log10(error);
              row.snr_no_gain_db = *row.snr_db + uniform_of(id + 5);
              row.gain = 1 - error * (uniform_of(id + 8) - 0.5);
              row.bound_l2_rel = scale * (20 + static_cast<double>(a));
              row.bound_name = "stages";
              row.bound_prob_l2_rel = scale * 10;
              row.expected_l2_rel = scale * (1 + 0.01 * static_cast<double>(a));
              row.expected_gain = 1 - 0.1 * scale;
              row.bound_linf_abs = scale * 60;
              row.bound_prob_linf_abs = scale * 40;
              row.expected_linf_abs = scale * 4;
              row.failure_prob = scale * uniform_of(id + 2);
              row.wrong_coefficients = id % 5;
              row.coefficient_bits = 20 + id % 13;
              row.overflows = id % 7;
              row.underflows = id % 11;
              row.truth_bits = 105;
              row.truth_tier = truth::Tier::double_double;
              row.matmul_passes = (a + 1) << k;
              row.real_multiplications = (a + 3) * 8 << (2 * k);
              row.time_ns = 1000 + static_cast<std::uint64_t>(1e5 * uniform_of(id + 1));
              row.output_hash = "00000000000000aa";
              rows.push_back(row);
            }
  std::sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) { return x.where < y.where; });
  return rows;
}

}  // namespace fftprec::testing
