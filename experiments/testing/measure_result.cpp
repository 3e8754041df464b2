#include "experiments/testing/measure_result.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size) {
  const auto operands = [&](std::size_t batch) {
    return transform.make_input("dc", n, batch, 0).size();
  };
  const std::size_t one = operands(1);
  const std::size_t item = operands(2) - one;
  if (size >= one && (size - one) % item == 0) return 1 + (size - one) / item;
  throw InputError(transform.name + " of n = " + std::to_string(n) + " takes " +
                   std::to_string(one) + " values, and " + std::to_string(item) +
                   " for each further item; the input holds " + std::to_string(size));
}

// A spectrum of real data has n/2 + 1 elements for an even n and for the odd one above it; the even
// one is meant, as everywhere.
std::uint64_t length_of(const std::string& transform, const std::vector<std::size_t>& shape) {
  constexpr std::string_view of_spectra[] = {"irfft", "irfft2", "irfftn", "hfft"};
  const std::size_t last = shape.empty() ? 1 : shape.back();
  const std::string_view name = split_name(transform).name;
  const bool half =
      std::find(std::begin(of_spectra), std::end(of_spectra), name) != std::end(of_spectra);
  return half && last > 1 ? 2 * (last - 1) : last;
}

ForeignProblem foreign_problem(const std::string& transform_name, std::uint64_t n, Samples input,
                               const truth::TruthOptions& options) {
  const TransformEntry transform = transform_named(transform_name);
  ForeignProblem asked;
  asked.where.transform = transform_name;
  asked.where.n = n > 0 ? n : length_of(transform_name, input.shape);
  // A spectrum of n/2 + 1 elements is the smallest input of any transform.
  require(asked.where.n / 2 <= input.values.size(),
          transform_name + " of n = " + std::to_string(asked.where.n) + ": the input holds only " +
              std::to_string(input.values.size()) + " values");
  asked.where.batch = batch_of(transform, asked.where.n, input.values.size());
  asked.problem.input = std::move(input.values);
  asked.problem.truth =
      transform.truth(asked.problem.input, asked.where.n, asked.where.batch, options);
  return asked;
}

Row measure_result(const ForeignProblem& asked, const ComplexArray<double>& output,
                   const Format& format, Isa isa) {
  const truth::Truth& truth = asked.problem.truth;
  require(output.size() == truth.hi.size(),
          asked.where.transform + " of n = " + std::to_string(asked.where.n) + ", batch " +
              std::to_string(asked.where.batch) + ", gives " + std::to_string(truth.hi.size()) +
              " values; the output holds " + std::to_string(output.size()));
  Row row{.where = asked.where};
  set_errors(row, truth::measure(output, truth, format, isa));
  row.truth_bits = static_cast<std::uint64_t>(truth.bits);
  row.truth_tier = truth.tier;
  return row;
}

Row measure_result(const ForeignResult& result, const truth::TruthOptions& options) {
  return measure_result(foreign_problem(result.transform, result.n, result.input, options),
                        result.output.values, result.format, options.isa);
}

}  // namespace fftprec
