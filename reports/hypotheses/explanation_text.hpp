/// An explanation of measured errors as text for a terminal, and as CSV. Pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/hypotheses/explain.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::hypotheses {

/// The measured rows; the variants that fit, or the nearest if none fits, at most `most`; every
/// hypothesis with its best variant and the rows that refute it; the tables and dispatches that
/// fit; and the weight of this evidence. Rows are called a, b, c, ... A '!' marks a predicted value
/// that a row refutes.
std::string explanation_text(const Explanation& explanation, std::size_t most = 12);

/// The groups of hypotheses that no experiment separates, their predictions for longer transforms,
/// and the most informative experiments; at most `most` of each.
std::string design_text(const Design& design, std::size_t most = 8);

/// Columns: rank, tied, refuted, hypothesis, machine, tables, dispatch, alike, posterior,
/// log_likelihood, then of the row: row, the case that ran, seed_known, metric, published,
/// predicted, spread (of the logarithm), tail, miss (a factor), refutes, failure, and the options
/// that repeat the first replay with `fftprec run`. Best variant first; RFC 4180.
std::string explanation_csv(const Explanation& explanation);

/// Predicted over published error of each row on a logarithmic axis, with 95 % prediction
/// intervals, for the first `most` variants that fit, or the nearest if none fits. The grey bar is
/// the interval of the published digits. Ratios are drawn, since errors are decades apart and
/// variants that fit differ in the second digit.
/// Requires: a ranked variant.
figures::Figure explanation_figure(const std::string& name,
                                   const hypotheses::Explanation& explanation,
                                   std::size_t most = 7);

}  // namespace fftprec::hypotheses
