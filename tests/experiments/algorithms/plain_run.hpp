/// Cases as their arithmetic runs them, to hold traced runs against.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec::testing {

/// A case that has a meaning, its input and its plain result.
struct PlainRun {
  ComplexArray<double> input;
  ComplexArray<double> result;
};

/// Empty where the case has no meaning.
inline std::optional<PlainRun> plain_run(const Case& where) {
  const std::shared_ptr<const Setup> setup = Session().setup(where);
  const Resolved& resolved = setup->resolved();
  if (!inapplicable(where, resolved).empty()) return std::nullopt;
  ComplexArray<double> input =
      resolved.transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  try {
    ComplexArray<double> result = run_case(*setup, input).values;
    return PlainRun{std::move(input), std::move(result)};
  } catch (const NotApplicable&) {
    return std::nullopt;
  }
}

/// Every transform on short data, each by these algorithms in these modes; not all have a meaning.
inline std::vector<Case> short_cases_of_every_transform(const std::vector<std::string>& algorithms,
                                                        const std::vector<std::string>& modes) {
  std::vector<Case> cases;
  for (const Named& transform : list_transforms()) {
    const bool is_cubic = transform.name == "fftn" || transform.name == "ifftn";
    for (const std::string& algorithm : algorithms)
      for (const std::string& mode : modes)
        cases.push_back({.transform = transform.name,
                         .algorithm = algorithm,
                         .mode = mode,
                         .tables = "fp32-reduced",
                         .n = is_cubic ? 4u : 16u});
  }
  return cases;
}

/// A length that the algorithm takes, not a power of two where it can be avoided.
inline std::uint64_t length_for(const std::string& algorithm) {
  for (const std::uint64_t n : {13u, 12u, 16u, 64u})
    if (algorithm_named(algorithm).model.unsupported(n).empty()) return n;
  return 0;
}

}  // namespace fftprec::testing
