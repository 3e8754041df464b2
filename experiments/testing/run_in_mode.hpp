/// An FFT that the registry does not know, in a mode on a machine.
#pragma once

#include <string>
#include <string_view>

#include "experiments/cases/evaluate.hpp"
#include "experiments/testing/measure_result.hpp"

namespace fftprec {

/// What the algorithm gives for the input of `where`, whose mode, machine and tables it runs in:
/// the result that a row of it would be measured by, the steps of modes that refine included.
/// Shapes: input holds the operands of where.batch items of where.n.
/// Throws InputError for an unknown name, for an input of another size, with a value that is
/// not finite, or not real where the transform takes real data; NotApplicable, with the reason, for
/// a combination without meaning.
Output run_in_mode(const AlgorithmEntry& algorithm, const Case& where,
                   const ComplexArray<double>& input);

/// The same of a class template over an ArrayArithmetic, with exact tables.
template <template <class> class Algorithm>
Output run_in_mode(std::string_view mode, std::string_view machine, const ForeignProblem& asked) {
  Case where = asked.where;
  where.mode = mode;
  where.machine = machine;
  return run_in_mode(algorithm_entry<Algorithm>("own", ""), where, asked.problem.input);
}

/// The same, of the fft of x as one item: its values, rounded to double where the carrier is wider.
template <template <class> class Algorithm>
ComplexArray<double> run_in_mode(std::string_view mode, std::string_view machine,
                                 const ComplexArray<double>& x) {
  const Case where{.mode = std::string(mode), .machine = std::string(machine), .n = x.size()};
  return run_in_mode(algorithm_entry<Algorithm>("own", ""), where, x).values;
}

}  // namespace fftprec
