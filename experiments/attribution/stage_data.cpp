#include "experiments/attribution/stage_data.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <span>
#include <utility>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/placed.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/files/words.hpp"

namespace fftprec::attribution {

std::optional<BlockExponents> noted_exponents(const std::vector<int>& noted, std::size_t size) {
  if (noted.empty() || size % noted.size() != 0) return std::nullopt;
  return BlockExponents{.size = size / noted.size(), .re = noted, .im = noted};
}

std::optional<BlockExponents> integer_exponents(const CasePlan& plan,
                                                const ComplexArray<double>& values,
                                                std::size_t line) {
  const BlockFormat* blocks = plan.resolved().arithmetic.block_format();
  if (blocks == nullptr || !word_format_of(plan.where().mode())) return std::nullopt;
  const std::size_t n = line == 0 ? values.size() : line;
  const std::size_t size = blocks->block_in(n, values.size() / n);
  if (blocks->axis == BlockAxis::batch || size == 0 || (n % size != 0 && size % n != 0))
    return std::nullopt;
  // An element is below 1 with headroom, below 2 without; the largest may have rounded up to 1.
  const int room = blocks->rule == ScaleRule::headroom ? 1 : 0;
  const int fraction = blocks->element.precision - 1;
  BlockExponents exponents{.size = size};
  for (std::size_t first = 0; first < values.size(); first += size)
    for (const auto& [part, of] :
         {std::pair{&values.re, &exponents.re}, std::pair{&values.im, &exponents.im}}) {
      const std::span<const double> block(part->data() + first,
                                          std::min(size, values.size() - first));
      double largest = 0;
      for (const double value : block) largest = std::max(largest, std::abs(value));
      int exponent = largest > 0 ? std::ilogb(largest) + room : 0;
      const auto is_word = [&](double value) {
        const double word = std::ldexp(value, fraction - exponent);
        return word == std::trunc(word);
      };
      if (!std::ranges::all_of(block, is_word)) --exponent;
      of->push_back(exponent);
    }
  return exponents;
}

ComplexArray<double> stored_input(const Case& where, const ComplexArray<double>& input) {
  const CasePlan plan = Session().plan(where);
  const Resolved& resolved = plan.resolved();
  const ItemShape shape = resolved.transform.item_shape(where.n);
  return with_type(resolved.arithmetic.type(), [&]<class Real>(Real) {
    return converted<double>(
        MachineArithmetic<Real>(resolved.arithmetic)
            .stored(scaled_input(resolved, input), shape.input.empty() ? 0 : shape.input.back()));
  });
}

ComplexArray<double> as_stages_scale(ComplexArray<double> results, double scale) {
  for (auto* parts : {&results.re, &results.im})
    for (double& part : *parts) part *= scale;
  return results;
}

EmulatedRun emulated_run(const Case& where, const ComplexArray<double>& input, const OwnData& own,
                         Isa isa) {
  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  std::map<StagePath, Placed<std::complex<double>>> placed;
  StageTrace trace([](const StagePath&) { return ErrorSources::all(); });
  trace.visit([&](const StagePath& path, std::size_t place, double& re, double& im) {
    placed[path].set(place, {re, im});
    const auto mine = own.find(path);
    if (mine == own.end()) return;
    require(place < mine->second.size(), title_of(path), ": own data of ", mine->second.size(),
            " values, the stage has more");
    re = mine->second.re[place];
    im = mine->second.im[place];
  });
  ExecutionOptions how{.isa = isa, .round_trip = false, .trace = &trace};
  if (plan.resolved().arithmetic.refinement_steps() > 0) how.refinement_steps = 0;
  EmulatedRun run{stored_input(where, input), {}, run_case(plan, input, how)};
  std::erase_if(placed, [](const auto& stage) { return !stage.second.is_whole(); });
  for (const auto& [path, values] : own) {
    const auto stage = placed.find(path);
    require(stage != placed.end(), title_of(path), ": own data of a stage without a whole array");
    require(values.size() == stage->second.size(), title_of(path), ": own data of ", values.size(),
            " values, the stage has ", stage->second.size());
  }
  std::vector<StagePath> paths;
  for (const auto& stage : placed) paths.push_back(stage.first);
  const std::vector<std::string> titles = titles_of(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<std::complex<double>> values = placed[paths[i]].take();
    StageData stage{titles[i], ComplexArray<double>(values.size()), std::nullopt, paths[i]};
    for (std::size_t j = 0; j < values.size(); ++j) {
      stage.values.re[j] = values[j].real();
      stage.values.im[j] = values[j].imag();
    }
    const auto noted = trace.exponents().find(paths[i]);
    if (plan.resolved().arithmetic.block_format())
      stage.exponents = integer_exponents(plan, stage.values, where.n);
    else if (noted != trace.exponents().end())
      stage.exponents = noted_exponents(noted->second, stage.values.size());
    run.stages.push_back(std::move(stage));
  }
  return run;
}

std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  const OwnData& own, Isa isa) {
  EmulatedRun run = emulated_run(where, input, own, isa);
  if (run.stages.empty())
    throw NotApplicable("algorithm " + where.algorithm + " of " + where.transform +
                        " leaves no complete array between its stages; direct, radix2-dit, "
                        "radix2-dif, recursive, the stockham algorithms, mixed-radix, four-step, "
                        "six-step, row-column, dft-gemm, bluestein and rader do");
  return std::move(run.stages);
}

}  // namespace fftprec::attribution
