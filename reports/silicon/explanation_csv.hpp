/// An explanation as CSV: a line for every variant and row. A pure function.
#pragma once

#include <string>

#include "experiments/silicon/explain.hpp"

namespace fftprec {

/// Columns: rank, tied, refuted, hypothesis, machine, tables, dispatch, alike, posterior,
/// log_likelihood, then of the row: row, the case that ran, seed_known, metric, published,
/// predicted, spread (of the logarithm), tail, miss (a factor), refutes, failure, and the options
/// that repeat the first replay with `fftprec run`. Best variant first; RFC 4180.
std::string explanation_csv(const silicon::Explanation& explanation);

}  // namespace fftprec
