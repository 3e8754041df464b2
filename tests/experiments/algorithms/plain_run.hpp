/// Cases as their arithmetic runs them, to hold traced runs against, and a batch against its items.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
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
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  if (!inapplicable(where, resolved).empty()) return std::nullopt;
  ComplexArray<double> input =
      resolved.transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  try {
    ComplexArray<double> result = run_case(plan, input).values;
    return PlainRun{std::move(input), std::move(result)};
  } catch (const NotApplicable&) {
    return std::nullopt;
  }
}

/// Expects all items of a batch at once to have the bits that each has alone. False where the case
/// has no meaning.
inline bool expect_bits_of_single_items(const Case& where) {
  const CasePlan plan = Session().plan(where);
  const TransformEntry& transform = plan.resolved().transform;
  if (!plan.inapplicable().empty()) return false;
  const ComplexArray<double> input =
      transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  const auto run = [&plan](const ComplexArray<double>& x) {
    return run_case(plan, x, {.round_trip = false}).values;
  };
  const ComplexArray<double> whole = run(input);
  // What all items share follows them.
  const bool shares = transform.item_shape(where.n).input.empty();
  const std::size_t in = shares ? where.n : input.size() / where.batch;
  const ComplexArray<double> shared =
      part_of(input, in * where.batch, input.size() - in * where.batch);
  const std::size_t out = whole.size() / where.batch;
  for (std::size_t item = 0; item < where.batch; ++item) {
    ComplexArray<double> one = part_of(input, item * in, in);
    one.re.insert(one.re.end(), shared.re.begin(), shared.re.end());
    one.im.insert(one.im.end(), shared.im.begin(), shared.im.end());
    EXPECT_EQ(run(one), part_of(whole, item * out, out)) << command_of(where) << ", item " << item;
  }
  return true;
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
