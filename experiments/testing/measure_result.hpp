/// The error of somebody else's result, by the same truths and metrics as that of a case.
#pragma once

#include <cstdint>
#include <string>

#include "arith/formats/format.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/problem.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

/// What a program was given and what it gave.
struct ForeignResult {
  std::string transform = "fft";  ///< with its keys, as in a case
  std::uint64_t n = 0;            ///< 0: the last axis of the input; of spectra of real data the
                                  ///< even length that they belong to
  Format format = fp32;           ///< whose steps the ulp columns count
  Samples input;                  ///< the operands of all items, one item after the other
  Samples output;                 ///< the results likewise, as the transform orders them
};

/// What a program was to compute: transform, n and batch of `where` are set, nothing else is known.
struct ForeignProblem {
  Case where;
  Problem problem;
};

/// The length that the last axis of a transform's input speaks of: of spectra of real data the even
/// length that they belong to.
std::uint64_t length_of(const std::string& transform, const std::vector<std::size_t>& shape);

/// The batch whose operands have `size` elements in all. Throws InputError for a size that is none
/// of n, saying which would be.
std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size);

/// The transform of an input of `size` values: its n, where 0 stands for length_of, and its batch.
/// Throws InputError for an unknown transform, and a size that is none of n (saying which would
/// be).
Case case_of(const std::string& transform, std::uint64_t n, const std::vector<std::size_t>& shape,
             std::size_t size);

/// The truth for `input`; n = 0 as in ForeignResult.
/// Throws InputError as case_of, and as the truth of the transform does.
ForeignProblem foreign_problem(const std::string& transform, std::uint64_t n, Samples input,
                               const truth::TruthOptions& options = {});

/// A row with transform, n and batch, the measures, truth_bits and truth_tier.
/// Throws InputError if the output is not of the truth's size.
Row measure_result(const ForeignProblem& asked, const ComplexArray<double>& output,
                   const Format& format, Isa isa = best_isa());

/// The truth as it is under `norm`. Throws InputError for a transform that is no discrete Fourier
/// transform of known axes, and for one whose name has another norm than backward already.
truth::Truth in_norm(truth::Truth truth, const Case& where, Norm norm);

/// The RMS of the results of operands like noise of RMS 1: sqrt(N) of a forward transform of N
/// points in `backward`. Throws InputError for a transform that is no discrete Fourier transform of
/// known axes.
double noise_gain(const Case& where, Norm norm);

/// What a result that is far off may be, in a sentence that begins with "perhaps"; empty where
/// nothing fits. Tried: one factor for all values, the other sign of the exponent, conjugation, bit
/// reversal, and zero frequency in the middle.
std::string suspicion(const ForeignProblem& asked, const ComplexArray<double>& output);

/// Which transforms of this n and batch give that many values: "; perhaps --transform rfft", or
/// nothing.
std::string transforms_of_size(const Case& where, std::size_t size);

/// "2 values are infinite or NaN, the first at item 0, index 5"; empty where none is.
std::string non_finite(const ForeignProblem& asked, const ComplexArray<double>& output);

/// Both in one. Throws what they throw.
Row measure_result(const ForeignResult& result, const truth::TruthOptions& options = {});

}  // namespace fftprec
