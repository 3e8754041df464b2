#include "experiments/testing/run_in_mode.hpp"

#include "arith/support/error.hpp"
#include "arith/truth/certify.hpp"

namespace fftprec {

Output run_in_mode(const AlgorithmEntry& algorithm, const Case& where,
                   const ComplexArray<double>& input) {
  const std::shared_ptr<const Setup> setup = Session::setup(where, algorithm);
  const Resolved& resolved = setup->resolved();
  check_applicable(where, resolved);
  if (const std::uint64_t batch = batch_of(resolved.transform, where.n, input.size());
      batch != where.batch)
    throw InputError(where.transform + " of n = " + std::to_string(where.n) + ": the input holds " +
                     std::to_string(batch) + " items, and batch is " + std::to_string(where.batch));
  truth::check_finite(where.transform, input);
  if (resolved.transform.real_input) truth::check_real(where.transform, input);
  return run_case(*setup, input, {.round_trip = false});
}

}  // namespace fftprec
