/// Results of users' programs: their errors, measured by the truths and metrics of cases; bound and
/// expected error if the program computes what a case does; and a user's FFT, run in a mode on a
/// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

/// The problem that a program solved. Only transform, n and batch of `where` are set.
struct ForeignProblem {
  Case where;
  Problem problem;
  Norm norm = Norm::backward;  ///< of the truth, unless the name of the transform has a norm
};

/// The length n of a transform whose input has this shape: the last axis, or for spectra of real
/// data the even length that they belong to.
std::uint64_t length_of(const std::string& transform, const std::vector<std::size_t>& shape);

/// The batch whose operands have `size` elements in total. Throws InputError for a size that does
/// not fit n, with sizes that do.
std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size);

/// The transform over the last axes of an array of that shape, if its name leaves them open: for a
/// 32 x 48 image "fft2" becomes "fft2:rows=32". "fftn" takes the last three axes, or all if there
/// are fewer. The name stays if the last axis does not have the length n.
std::string transform_of_shape(const std::string& transform, std::uint64_t n,
                               const std::vector<std::size_t>& shape);

/// The case for an input of `size` values: its transform (see transform_of_shape), its n, where 0
/// means length_of, and its batch. Throws InputError for an unknown transform, and for a size that
/// does not fit n, with sizes that do.
Case case_of(const std::string& transform, std::uint64_t n, const std::vector<std::size_t>& shape,
             std::size_t size);

/// The truth for `input`, the operands of all items, one item after the other; n = 0 as in case_of.
/// Throws InputError as case_of, and as the truth of the transform does.
ForeignProblem foreign_problem(const std::string& transform, std::uint64_t n, Samples input,
                               const truth::TruthOptions& options = {});

/// A row with transform, n and batch, the measures (ulp columns in steps of `format`), truth_bits
/// and truth_tier.
/// Throws InputError if the output is not of the truth's size.
Row measure_result(const ForeignProblem& asked, const ComplexArray<double>& output,
                   const Format& format, Isa isa = best_isa());

/// The problem under `norm`, from one under Norm::backward. Throws InputError for a transform that
/// is no discrete Fourier transform of known axes, and for one whose name has a norm other than
/// backward.
ForeignProblem in_norm(ForeignProblem asked, Norm norm);

/// Points of a discrete Fourier transform, all axes together; 0 for other transforms.
std::size_t points_of(const TransformEntry& transform, std::size_t n);

/// The RMS of the results for noise of RMS 1: sqrt(N) for a forward transform of N points under
/// `backward`. Throws InputError for a transform that is no discrete Fourier transform of known
/// axes.
double noise_gain(const Case& where, Norm norm);

/// The likely cause of an error larger than rounding to `format` explains, as a sentence that
/// begins with "perhaps". Empty if no cause fits, or if a value is not finite (see non_finite). It
/// tries the suspects of suspects.cpp, each times any factor; suspicion.cpp states the cost.
std::string suspicion(const ForeignProblem& asked, const ComplexArray<double>& output,
                      const Format& format = fp32);

/// "2 values are infinite or NaN, the first at item 0, index 5"; empty if all are finite.
std::string non_finite(const ForeignProblem& asked, const ComplexArray<double>& output);

/// Parses the case "AXIS=VALUE, AXIS=VALUE": algorithm, mode, machine and tables; default: those of
/// a case. Throws InputError for an unknown axis or value, an axis given twice, and an axis that
/// follows from the result.
Case claimed_case(std::string_view text);

/// Fills bound_l2_rel, bound_name and expected_l2_rel of a row of measure_result for the algorithm,
/// mode, machine and tables of `claimed`, and sets these in row.where. If the input is not on the
/// grid of the storage format, the program may round it once.
/// Throws InputError if the case has no meaning for this transform and length, or no bound.
void predict_result(Row& row, const ForeignProblem& asked, const Case& claimed);

/// err_l2_rel of a result beside what theory says of its case.
struct TheoryVerdict {
  std::string_view column;       ///< "expected_l2_rel" or "bound_l2_rel"
  std::optional<double> theory;  ///< its value; none if no model or no theorem applies
  double factor;                 ///< the error may be that many times the value
  double error;                  ///< err_l2_rel

  double limit() const { return factor * theory.value(); }
  /// False for NaN. Without a value there is nothing to break.
  bool holds() const { return !theory || error <= limit(); }
};

/// Throws InputError unless `factor` can multiply an expected error: a number above 0.
void check_factor(double factor);

/// The verdicts of a row of predict_result: err_l2_rel at most `factor` times the expected error,
/// and at most the bound. The expected error is that of noise-like data: where an FFT concentrates
/// its data in few numbers (an impulse, a tone, n below 16) chance may take an error beyond it.
/// Throws InputError if there is neither, and as check_factor.
std::vector<TheoryVerdict> theory_verdicts(const Row& row, double factor = expected_margin);

/// The algorithm that a library most likely has for axes of these lengths: radix2-dit for powers of
/// two, mixed-radix for prime factors up to 13, else bluestein.
std::string usual_algorithm(std::span<const std::size_t> lengths);

/// The case to compare a library's result with: usual_algorithm, the plain mode of that format, and
/// IEEE arithmetic.
Case usual_case(const ForeignProblem& asked, const Format& format);

/// The result of `algorithm` for `input`, with the mode, machine and tables of `where`, including
/// the steps of modes that refine. A row of this case measures this result.
/// Shapes: input holds the operands of where.batch items of where.n.
/// Throws InputError for an unknown name, for an input of another size, with a value that is
/// not finite (cgemm accepts them), or not real if the transform takes real data;
/// NotApplicable, with the reason, for a combination without meaning.
Output run_in_mode(const AlgorithmEntry& algorithm, const Case& where,
                   const ComplexArray<double>& input);

/// As above, for a class template over an ArrayArithmetic, with exact tables.
template <template <class> class Algorithm>
Output run_in_mode(std::string_view mode, std::string_view machine, const ForeignProblem& asked) {
  Case where = asked.where;
  where.mode = mode;
  where.machine = machine;
  return run_in_mode(algorithm_entry<Algorithm>("own", ""), where, asked.problem.input);
}

/// As above, for the fft of x as one item. Returns its values, rounded to double if the carrier is
/// wider.
template <template <class> class Algorithm>
ComplexArray<double> run_in_mode(std::string_view mode, std::string_view machine,
                                 const ComplexArray<double>& x) {
  const Case where{.mode = std::string(mode), .machine = std::string(machine), .n = x.size()};
  return run_in_mode(algorithm_entry<Algorithm>("own", ""), where, x).values;
}

}  // namespace fftprec
