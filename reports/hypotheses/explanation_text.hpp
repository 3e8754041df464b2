/// An explanation of measured errors as text for a terminal, and as CSV. Pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/hypotheses/explain.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::hypotheses {

/// What was measured; the variants that fit, or the nearest where none does, at most `most`; every
/// hypothesis with its best variant and the rows that refute it; which tables and dispatches fit;
/// and how much all that is worth. Rows are called a, b, c, ... A predicted value that a row
/// refutes is marked with '!'.
std::string explanation_text(const Explanation& explanation, std::size_t most = 12);

/// The groups that no experiment tells apart, what they predict of longer transforms, and the
/// experiments that tell most, at most `most` of either.
std::string design_text(const Design& design, std::size_t most = 8);

/// Columns: rank, tied, refuted, hypothesis, machine, tables, dispatch, alike, posterior,
/// log_likelihood, then of the row: row, the case that ran, seed_known, metric, published,
/// predicted, spread (of the logarithm), tail, miss (a factor), refutes, failure, and the options
/// that repeat the first replay with `fftprec run`. Best variant first; RFC 4180.
std::string explanation_csv(const Explanation& explanation);

/// Predicted over published error of each row on a logarithmic axis, with the interval that holds
/// 95 % of the prediction, for the first `most` variants that fit, or the nearest if none does; the
/// grey bar is what the published digits leave open. Ratios, since rows are decades apart and what
/// fits differs in the second digit.
/// Requires: a ranked variant.
figures::Figure explanation_figure(const std::string& name,
                                   const hypotheses::Explanation& explanation,
                                   std::size_t most = 7);

}  // namespace fftprec::hypotheses
