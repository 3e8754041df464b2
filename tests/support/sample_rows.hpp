/// Made-up rows for tests of gates, plots and summaries.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/gates/gate.hpp"

namespace fftprec {

/// A measured row; fields not named are those of a default case.
struct MadeUp {
  std::string algorithm = "radix2-dit";
  std::string mode = "fp32";
  std::uint64_t n = 64;
  std::string input = "gaussian";
  std::uint64_t seed = 1;
  double error = 1e-7;
  std::optional<double> bound = 1e-6;
};

inline Row made_up(const MadeUp& what) {
  Row row;
  row.where.set(&Case::algorithm, what.algorithm);
  row.where.set(&Case::mode, what.mode);
  row.where.set(&Case::n, what.n);
  row.where.set(&Case::input, what.input);
  row.where.set(&Case::seed, what.seed);
  row.err_l2_rel = what.error;
  row.bound_l2_rel = row.bound_prob_l2_rel = what.bound;
  if (what.bound) row.bound_name = "a theorem";
  row.wrong_coefficients = 0;
  row.output_hash = "00000000000000aa";
  return row;
}

inline Row skipped_row(const MadeUp& what, const std::string& reason) {
  Row row;
  row.where = made_up(what).where;
  row.status = Status::skipped;
  row.message = reason;
  return row;
}

inline Row failed_row(const MadeUp& what, const std::string& reason) {
  Row row = skipped_row(what, reason);
  row.status = Status::failed;
  return row;
}

}  // namespace fftprec

namespace fftprec::gates {

/// Failing tests print what a verdict says.
inline std::ostream& operator<<(std::ostream& stream, const gates::Verdict& verdict) {
  stream << verdict.gate.name << ": " << (verdict.passed() ? "passes" : "fails") << ", "
         << verdict.checked << " checked, " << verdict.skipped << " skipped";
  for (const gates::Finding& finding : verdict.failures)
    stream << "\n  " << command_of(finding.where) << ": " << finding.text;
  for (const std::string& error : verdict.errors) stream << "\n  error: " << error;
  for (const std::string& note : verdict.notes) stream << "\n  note: " << note;
  return stream;
}

}  // namespace fftprec::gates
