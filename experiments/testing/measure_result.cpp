#include "experiments/testing/measure_result.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/fft/number_theory.hpp"
#include "algorithms/transforms/half_spectrum.hpp"
#include "algorithms/transforms/separable.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size) {
  require(n >= 1, transform.name, " of n = 0: a transform needs at least one element");
  const auto operands = [&](std::size_t batch) {
    return transform.make_input(input_named("dc"), n, batch, 0).size();
  };
  const std::size_t one = operands(1);
  const std::size_t item = operands(2) - one;
  if (size >= one && (size - one) % item == 0) return 1 + (size - one) / item;
  throw InputError(transform.name + " of n = " + std::to_string(n) + " takes " +
                   std::to_string(one) + " values, and " + std::to_string(item) +
                   " for each further item; the input holds " + std::to_string(size));
}

// Axes of the input grow with n, so the least n that gives this one is found by halving. A spectrum
// of real data has n/2 + 1 elements for an even n and for the odd one above it; the even one is
// meant, as everywhere.
std::uint64_t length_of(const std::string& transform, const std::vector<std::size_t>& shape) {
  const std::size_t last = shape.empty() ? 1 : shape.back();
  const TransformEntry entry = transform_named(transform);
  if (entry.framed) return last;
  const auto axis = [&](std::size_t n) {
    const std::vector<std::size_t> axes = entry.item_shape(n).input;
    return axes.empty() ? n : axes.back();
  };
  std::size_t least = 1, enough = std::max(2 * last, least);
  while (least < enough) {
    const std::size_t middle = least + (enough - least) / 2;
    if (axis(middle) < last)
      least = middle + 1;
    else
      enough = middle;
  }
  return axis(least) == last ? least : last;
}

std::string transform_of_shape(const std::string& transform, std::uint64_t n,
                               const std::vector<std::size_t>& shape) {
  const std::size_t axes = input_axes(transform).value_or(std::min(shape.size(), std::size_t{3}));
  if (axes < 2 || shape.size() < axes) return transform;
  std::vector<std::size_t> lengths(shape.end() - static_cast<std::ptrdiff_t>(axes), shape.end());
  if (lengths.back() != n && lengths.back() != half_length(n)) return transform;
  lengths.back() = n;
  return transform_over(transform, lengths);
}

Case case_of(const std::string& transform, std::uint64_t n, const std::vector<std::size_t>& shape,
             std::size_t size) {
  const std::uint64_t length = n > 0 ? n : length_of(transform, shape);
  const TransformEntry entry = transform_named(transform_of_shape(transform, length, shape));
  Case where{.transform = entry.name, .n = length};
  // A spectrum of n/2 + 1 elements is the smallest input of any transform.
  require(where.n / 2 <= size, transform, " of n = ", where.n, ": the input holds only ", size,
          " values");
  where.batch = batch_of(entry, where.n, size);
  return where;
}

ForeignProblem foreign_problem(const std::string& transform, std::uint64_t n, Samples input,
                               const truth::TruthOptions& options) {
  ForeignProblem asked{.where = case_of(transform, n, input.shape, input.values.size()),
                       .problem = {.input = std::move(input.values), .truth = {}}};
  asked.problem.truth = transform_named(asked.where.transform)
                            .truth(asked.problem.input, asked.where.n, asked.where.batch, options);
  return asked;
}

namespace {

/// Which transforms of this n and batch give that many values: "; perhaps --transform rfft", or
/// nothing.
std::string transforms_of_size(const Case& where, std::size_t size) {
  std::string names;
  for (const Named& named : list_transforms()) {
    const TransformEntry transform = transform_named(named.name);
    if (named.name == where.transform || !transform.kernel.empty()) continue;
    if (where.n > std::size_t{1} << 20) continue;  // of images, larger than any
    if (where.batch * output_size(transform, where.n) == size)
      names += (names.empty() ? "" : ", ") + named.name;
  }
  return names.empty() ? "" : "; that many have: " + names;
}

/// The transform under `norm`, where its name says nothing else.
Dft dft_in(const TransformEntry& transform, Norm norm) {
  if (norm == Norm::backward) return *transform.dft;
  require(transform.dft->norm == Norm::backward, transform.name, " has a norm of its own");
  return {transform.dft->direction, norm};
}

}  // namespace

std::size_t points_of(const TransformEntry& transform, std::size_t n) {
  if (!transform.dft) return 0;
  const ItemShape shape = transform.item_shape(n);
  return std::max(elements(shape.input), elements(shape.output));
}

Row measure_result(const ForeignProblem& asked, const ComplexArray<double>& output,
                   const Format& format, Isa isa) {
  const truth::Truth& truth = asked.problem.truth;
  require(output.size() == truth.hi.size(), asked.where.transform, " of n = ", asked.where.n,
          ", batch ", asked.where.batch, ", gives ", truth.hi.size(), " values; the output holds ",
          output.size(), transforms_of_size(asked.where, output.size()));
  Row row{.where = asked.where};
  set_errors(row, truth::measure(output, truth, format, isa));
  if (transform_named(asked.where.transform).integers) set_wrong_coefficients(row, output, truth);
  set_truth(row, truth);
  return row;
}

double noise_gain(const Case& where, Norm norm) {
  const TransformEntry transform = transform_named(where.transform);
  const std::size_t points = points_of(transform, where.n);
  require(points > 0, where.transform,
          " is no Fourier transform: the size of its results depends "
          "on more than n");
  return dft_in(transform, norm).gain(points);
}

ForeignProblem in_norm(ForeignProblem asked, Norm norm) {
  asked.norm = norm;
  if (norm == Norm::backward) return asked;
  const TransformEntry transform = transform_named(asked.where.transform);
  const std::size_t points = points_of(transform, asked.where.n);
  require(points > 0, asked.where.transform,
          " has its norm, if any, in its name, as dct2:norm=ortho");
  asked.problem.truth =
      truth::in_norm(std::move(asked.problem.truth), dft_in(transform, norm), points);
  return asked;
}

std::string non_finite(const ForeignProblem& asked, const ComplexArray<double>& output) {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = output.size(); i-- > 0;)
    if (!std::isfinite(output.re[i]) || !std::isfinite(output.im[i])) {
      ++count;
      first = i;
    }
  if (count == 0) return {};
  const std::size_t n = asked.problem.truth.n;
  return std::to_string(count) + " of " + std::to_string(output.size()) +
         " values are infinite or NaN, the first at item " + std::to_string(first / n) +
         ", index " + std::to_string(first % n);
}

Case claimed_case(std::string_view text) {
  const std::vector<std::string> free = {"algorithm", "mode", "machine", "tables"};
  Axes axes;
  std::vector<std::string> named;
  for (const std::string& piece : split_list(text)) {
    const std::string axis(trimmed(std::string_view(piece).substr(0, piece.find('='))));
    if (std::ranges::find(free, axis) == free.end())
      throw unknown_name("axis of a bound", axis, free);
    require(std::ranges::find(named, axis) == named.end(), "bound of '", text, "': ", axis,
            " is given twice");
    named.push_back(axis);
    set_axis(axes, piece, check_names);
  }
  return expand(axes).front();
}

void predict_result(Row& row, const ForeignProblem& asked, const Case& claimed) {
  Case where = claimed;
  where.transform = asked.where.transform;
  where.n = asked.where.n;
  where.batch = asked.where.batch;
  Case known = where;
  known.input = Case{}.input;  // whatever the input was
  if (asked.norm != Norm::backward)
    known.transform += ":norm=" + norm_key().choices[static_cast<std::size_t>(asked.norm)];
  const CasePlan plan = Session().plan(known);
  const Resolved& resolved = plan.resolved();
  if (const std::string reason = refusal(plan); !reason.empty())
    throw InputError("no bound: " + reason);
  require(resolved.algorithm.is_predictable(), "no bound: ", where.algorithm, " has no model");
  row.where = where;
  predict_into(row, plan, &asked.problem, rounds_input(resolved, asked.problem.input, best_isa()));
  unmark_overflow(row);
}

void check_factor(double factor) {
  require(factor > 0 && std::isfinite(factor), "factor ", exact_number(factor),
          " of the expected error: expected a number above 0");
}

std::vector<TheoryVerdict> theory_verdicts(const Row& row, double factor) {
  check_factor(factor);
  const double error = row.err_l2_rel.value();
  if (!row.expected_l2_rel && !row.bound_l2_rel)
    throw InputError("theory says nothing of this case: it has no expected error and no bound");
  return {{"expected_l2_rel", row.expected_l2_rel, factor, error},
          {"bound_l2_rel", row.bound_l2_rel, 1, error}};
}

std::string usual_algorithm(std::span<const std::size_t> lengths) {
  constexpr std::uint64_t convolved_from = 17;  // libraries take Bluestein for larger factors
  std::uint64_t largest = 1;
  for (const std::size_t n : lengths)
    for (const PrimePower& factor : prime_powers(n)) largest = std::max(largest, factor.prime);
  if (largest <= 2) return "radix2-dit";
  return largest < convolved_from ? "mixed-radix" : "bluestein";
}

Case usual_case(const ForeignProblem& asked, const Format& format) {
  std::vector<std::size_t> lengths = {static_cast<std::size_t>(asked.where.n)};
  if (const TransformEntry transform = transform_named(asked.where.transform); transform.dft) {
    const ItemShape shape = transform.item_shape(asked.where.n);
    const bool from_half = elements(shape.input) < elements(shape.output);
    lengths = from_half ? shape.output : shape.input;
    lengths.back() = asked.where.n;
  }
  return {.algorithm = usual_algorithm(lengths), .mode = to_string(format), .machine = "ieee"};
}

Output run_in_mode(const AlgorithmEntry& algorithm, const Case& where,
                   const ComplexArray<double>& input) {
  Case known = where;
  known.input = Case{}.input;  // whatever the input was
  const CasePlan plan = Session::plan(known, algorithm);
  const Resolved& resolved = plan.resolved();
  check_applicable(plan);
  if (const std::uint64_t batch = batch_of(resolved.transform, where.n, input.size());
      batch != where.batch)
    throw InputError(where.transform + " of n = " + std::to_string(where.n) + ": the input holds " +
                     std::to_string(batch) + " items, and batch is " + std::to_string(where.batch));
  // A product of matrices passes infinities on, as the unit does.
  if (!where.transform.starts_with("cgemm")) truth::check_finite(where.transform, input);
  if (resolved.transform.real_input) truth::check_real(where.transform, input);
  return run_case(plan, input, {.round_trip = false});
}

}  // namespace fftprec
