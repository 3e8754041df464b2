/// How far a gate's rows are from its threshold, and how much that scatters.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// The factor, at least 1, between the nearest comparison and its threshold: the largest ratio of a
/// gate that fails, the inverse of it for one that holds. Infinite where hashes are equal; 1 where
/// nothing was compared.
double margin_of(const Verdict& verdict);

/// value / threshold of the comparison that is nearest or farthest beyond. Of two thresholds the
/// upper one is taken, so that it grows with the value. Empty if it is no positive number.
std::optional<double> position(const Gate& gate, std::span<const Row> rows);

/// Standard deviation of the logarithms, n - 1 in the denominator; empty if a value is. Requires:
/// at least two values.
std::optional<double> deviation_of_logs(const std::vector<std::optional<double>>& values);

}  // namespace fftprec
