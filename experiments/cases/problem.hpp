/// What all cases with the same (transform, n, batch, input, seed) share: the input and its truth.
#pragma once

#include <memory>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec {

class TruthCache;

/// What a case computes: input and truth.
struct Problem {
  ComplexArray<double> input;  ///< the operands of the whole batch, unrounded as given
  truth::Truth truth;          ///< certified exact output
};

/// The part of a case that decides its problem; equal keys share one.
struct ProblemKey {
  std::string transform;
  std::uint64_t n;
  std::uint64_t batch;
  std::string input;
  std::uint64_t seed;

  friend auto operator<=>(const ProblemKey&, const ProblemKey&) = default;
};

ProblemKey problem_key(const Case& where);

/// Makes the input and its truth, or takes the truth from `cache` where that has it: the same bits.
/// Throws InputError for an unknown input or transform, or n = 0; truth::CertificateError
/// (arith/truth/audit.hpp) for a truth that its own certificate refutes.
Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options = {},
                     TruthCache* cache = nullptr);

}  // namespace fftprec
