#include "experiments/testing/run_in_mode.hpp"

#include "arith/support/error.hpp"

namespace fftprec {

Output run_in_mode(const AlgorithmEntry& algorithm, const Case& where,
                   const ComplexArray<double>& input) {
  const std::shared_ptr<const Setup> setup = Session::setup(where, algorithm);
  const Resolved& resolved = setup->resolved();
  if (const std::string reason = inapplicable(where, resolved); !reason.empty())
    throw NotApplicable(reason);
  if (const std::uint64_t batch = batch_of(resolved.transform, where.n, input.size());
      batch != where.batch)
    throw InputError(where.transform + " of n = " + std::to_string(where.n) + ": the input holds " +
                     std::to_string(batch) + " items, and batch is " + std::to_string(where.batch));
  if (resolved.transform.real_input)
    for (std::size_t i = 0; i < input.size(); ++i)
      require(input.im[i] == 0, where.transform + ": the imaginary part of element " +
                                    std::to_string(i) + " is not zero");
  return run_case(*setup, input, {.round_trip = false});
}

}  // namespace fftprec
