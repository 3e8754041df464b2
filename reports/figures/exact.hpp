/// The figure of `fftprec exact`: bits of a digit against length.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/cases/case.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// The bits of a case for each kind of evidence.
struct ExactPoint {
  Case where;
  std::optional<double> proven{};
  std::optional<double> probable{};
  std::optional<double> measured{};
};

/// One colour for each transform and mode: dashed what is proven, solid what fails with probability
/// `failure`, dotted with marks what was right in all runs. Parts: "proven", "probable",
/// "measured".
Figure exact_figure(std::span<const ExactPoint> points, const std::string& failure);

}  // namespace fftprec::figures
