/// Somebody else's result: its error, by the same truths and metrics as that of a case; what theory
/// says of it, if its program did what a case does; and an FFT of one's own in a mode on a machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arith/formats/format.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

/// What a program was to compute: transform, n and batch of `where` are set, nothing else is known.
struct ForeignProblem {
  Case where;
  Problem problem;
  Norm norm = Norm::backward;  ///< that of the truth, unless the transform's name has one
};

/// The length that the last axis of a transform's input speaks of: of spectra of real data the even
/// length that they belong to.
std::uint64_t length_of(const std::string& transform, const std::vector<std::size_t>& shape);

/// The batch whose operands have `size` elements in all. Throws InputError for a size that is none
/// of n, saying which would be.
std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size);

/// The transform over the last axes of an array of that shape, where its name leaves them open: of
/// a 32 x 48 image "fft2" is "fft2:rows=32". "fftn" takes three, as far as there are so many. Where
/// the last axis is not that of n, the name as it is.
std::string transform_of_shape(const std::string& transform, std::uint64_t n,
                               const std::vector<std::size_t>& shape);

/// The transform of an input of `size` values, its name by transform_of_shape: its n, where 0
/// stands for length_of, and its batch. Throws InputError for an unknown transform, and a size that
/// is none of n (saying which would be).
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

/// The problem with its truth, which is that of Norm::backward, as it is under `norm`. Throws
/// InputError for a transform that is no discrete Fourier transform of known axes, and for one
/// whose name has another norm than backward already.
ForeignProblem in_norm(ForeignProblem asked, Norm norm);

/// Points of a discrete Fourier transform, all axes together; 0 of anything else.
std::size_t points_of(const TransformEntry& transform, std::size_t n);

/// The RMS of the results of operands like noise of RMS 1: sqrt(N) of a forward transform of N
/// points in `backward`. Throws InputError for a transform that is no discrete Fourier transform of
/// known axes.
double noise_gain(const Case& where, Norm norm);

/// What a result may be that errs by more than rounding to `format` does, in a sentence that begins
/// with "perhaps"; empty where nothing fits, and where a value is not finite (non_finite). Tried,
/// each times any factor: what suspects.cpp lists, at the cost that suspicion.cpp states.
std::string suspicion(const ForeignProblem& asked, const ComplexArray<double>& output,
                      const Format& format = fp32);

/// "2 values are infinite or NaN, the first at item 0, index 5"; empty where none is.
std::string non_finite(const ForeignProblem& asked, const ComplexArray<double>& output);

/// The case "AXIS=VALUE, AXIS=VALUE": algorithm, mode, machine and tables; those not given have the
/// defaults of a case. Throws InputError for an unknown axis or value, an axis given twice, and one
/// that the result itself decides.
Case claimed_case(std::string_view text);

/// Fills bound_l2_rel, bound_name and expected_l2_rel of a row of measure_result for the algorithm,
/// mode, machine and tables of `claimed`; they stand in row.where afterwards. A program whose input
/// is not on the grid of the mode's storage format is allowed to round it once.
/// Throws InputError if the case has no meaning for this transform and length, or no bound.
void predict_result(Row& row, const ForeignProblem& asked, const Case& claimed);

/// What the algorithm gives for the input of `where`, whose mode, machine and tables it runs in:
/// the result that a row of it would be measured by, the steps of modes that refine included.
/// Shapes: input holds the operands of where.batch items of where.n.
/// Throws InputError for an unknown name, for an input of another size, with a value that is
/// not finite (but for cgemm, which takes any), or not real where the transform takes real data;
/// NotApplicable, with the reason, for a combination without meaning.
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
