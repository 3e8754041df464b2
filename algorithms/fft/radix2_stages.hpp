/// What the radix-2 transforms share: the factors of their stages, and the order in which these
/// visit the data.
#pragma once

#include <algorithm>
#include <bit>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"

namespace fftprec {

/// The factors of the stage that combines elements at distance `half`: of place j in its group
/// exp(-2 pi i j / (2 half)).
inline TableSpec radix2_stage(std::size_t half) {
  return {half, [half](std::size_t j) { return RootIndex{j, 2 * half}; }, {0.5, half}};
}

/// The factors of all stages of length n: those at distance h stand at [h, 2h); entry 0 is not
/// used.
inline TableSpec radix2_factors(std::size_t n) {
  return {n,
          [](std::size_t i) {
            const std::size_t half = std::bit_floor(std::max<std::size_t>(i, 1));
            return RootIndex{i == 0 ? 0 : i - half, 2 * half};
          },
          {0.5, n / 2}};
}

/// The mark of stages.
inline constexpr std::string_view radix2_butterflies = "butterflies, stage #";
/// The number of the stage in time with butterflies at that distance; n stands for what follows.
inline std::size_t radix2_number(std::size_t half) {
  return static_cast<std::size_t>(std::countr_zero(half)) + 1;
}

/// Stages with n/2 butterflies each, in time or in frequency: half of a stage's inputs, or of its
/// outputs, take a product.
inline Prediction predict_radix2(const Predictor& predictor, std::size_t n, std::size_t batch) {
  Prediction result{.theorem = "radix2-stages"};
  for (std::size_t half = 1; half < n; half *= 2) {
    const auto mark = predictor.stage(radix2_butterflies, radix2_number(half));
    result = result.then(predictor.product(radix2_stage(half), 0.5, batch * (n / 2)))
                 .then(predictor.sums(1, 2 * batch * n));
  }
  const auto mark = predictor.stage(inverse_scaling, radix2_number(n));
  return result.then(predictor.reorder()).then(predictor.inverse_scale(n, batch * n));
}

/// In time: (a, b) <- (a + w b, a - w b), distances ascending. In frequency: (a, b) <- (a + b,
/// w (a - b)), distances descending.
enum class Decimation { in_time, in_frequency };

/// All stages that combine whole rows of x; their distance in the data is that of their rows times
/// `spacing`. Element (j, c) of a group's upper half takes the factor of place j * spacing + c *
/// col_step.
///
/// The stages run to their end in one block of columns before the next: no operand of any butterfly
/// changes, and the block stays in cache.
template <Decimation decimation, ArrayArithmetic Arithmetic>
void combine_rows(const Arithmetic& arithmetic, View<typename Arithmetic::Real> x,
                  const typename Arithmetic::Table& factors, std::size_t spacing,
                  std::size_t col_step) {
  // 64 columns of 1024 rows stay in a second-level cache of 1 MiB.
  constexpr std::size_t block_cols = 64;
  const std::size_t n = x.rows * x.cols;
  const auto stage = [&](auto block, std::size_t half, std::size_t col) {
    const std::size_t distance = half * spacing;
    const auto mark =
        arithmetic.stage(radix2_butterflies, decimation == Decimation::in_time
                                                 ? radix2_number(distance)
                                                 : radix2_number(n) - radix2_number(distance));
    const auto w = factors.view(half * spacing + col * col_step, spacing, col_step);
    for (std::size_t group = 0; group < x.rows; group += 2 * half) {
      const auto top = block.middle_rows(group, half);
      const auto bottom = block.middle_rows(group + half, half);
      if constexpr (decimation == Decimation::in_time)
        arithmetic.butterfly(top, bottom, w);
      else
        arithmetic.butterfly_dif(top, bottom, w);
    }
  };
  for (std::size_t col = 0; col < x.cols; col += block_cols) {
    const auto block = x.middle_cols(col, std::min(block_cols, x.cols - col));
    if constexpr (decimation == Decimation::in_time)
      for (std::size_t half = 1; half < x.rows; half *= 2) stage(block, half, col);
    else
      for (std::size_t half = x.rows / 2; half > 0; half /= 2) stage(block, half, col);
  }
}

/// Rows in memory this many elements apart or more, a power of two, compete for the same few places
/// of every cache; `row_gap` elements between them end that.
constexpr std::size_t crowded_cols = 512;
constexpr std::size_t row_gap = 16;

}  // namespace fftprec
