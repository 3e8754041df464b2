#include "experiments/attribution/stage_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "algorithms/arithmetic/stages.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/words.hpp"

namespace fftprec::attribution {

namespace {

/// An array whose elements arrive in any order.
class Gathered {
 public:
  void set(std::size_t place, double re, double im) {
    if (place >= seen_.size()) {
      seen_.resize(place + 1);
      values_.re.resize(place + 1);
      values_.im.resize(place + 1);
    }
    twice_ = twice_ || seen_[place];
    seen_[place] = true;
    values_.re[place] = re;
    values_.im[place] = im;
  }

  /// Whether every element arrived once.
  bool is_whole() const { return !twice_ && std::ranges::find(seen_, false) == seen_.end(); }
  std::size_t size() const { return values_.size(); }
  /// An element that has arrived before.
  void replace(std::size_t place, double re, double im) {
    values_.re[place] = re;
    values_.im[place] = im;
  }
  ComplexArray<double> take() { return std::move(values_); }

 private:
  ComplexArray<double> values_{};
  std::vector<bool> seen_{};
  bool twice_ = false;
};

using NotedExponents = std::map<StagePath, std::vector<int>>;

/// Runs the first transform of a case and shows every result of a stage to `visit`.
NotedExponents visit_stages(const CasePlan& plan, const ComplexArray<double>& input, Isa isa,
                            StageTrace::Visit visit) {
  StageTrace trace([](const StagePath&) { return ErrorSources::all(); });
  trace.visit(std::move(visit));
  ExecutionOptions how{.isa = isa, .round_trip = false, .trace = &trace};
  if (plan.resolved().arithmetic.refinement_steps() > 0) how.refinement_steps = 0;
  run_case(plan, input, how);
  return trace.exponents();
}

std::map<StagePath, Gathered> gathered_stages(const CasePlan& plan,
                                              const ComplexArray<double>& input, Isa isa,
                                              NotedExponents& exponents) {
  std::map<StagePath, Gathered> gathered;
  exponents = visit_stages(plan, input, isa,
                           [&](const StagePath& path, std::size_t place, double& re, double& im) {
                             gathered[path].set(place, re, im);
                           });
  std::erase_if(gathered, [](const auto& stage) { return !stage.second.is_whole(); });
  return gathered;
}

}  // namespace

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

std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  const std::vector<ComplexArray<double>>& own, Isa isa) {
  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  NotedExponents noted;
  std::map<StagePath, Gathered> gathered = gathered_stages(plan, input, isa, noted);
  if (gathered.empty())
    throw NotApplicable("algorithm " + where.algorithm + " of " + where.transform +
                        " leaves no complete array between its stages; direct, radix2-dit, "
                        "radix2-dif, recursive, the stockham algorithms, mixed-radix, four-step, "
                        "six-step, row-column, dft-gemm, bluestein and rader do");
  std::vector<StagePath> paths;
  for (const auto& [path, values] : gathered) paths.push_back(path);
  require(own.size() <= paths.size(), "stage_data: data of ", own.size(), " stages, the case has ",
          paths.size());
  if (std::ranges::any_of(own, [](const ComplexArray<double>& x) { return x.size() > 0; })) {
    std::map<StagePath, const ComplexArray<double>*> given;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].size() == 0) continue;
      const std::size_t size = gathered[paths[i]].size();
      require(own[i].size() == size, "stage_data: stage ", i + 1, " has ", own[i].size(),
              " values, expected ", size);
      given[paths[i]] = &own[i];
    }
    visit_stages(plan, input, isa,
                 [&](const StagePath& path, std::size_t place, double& re, double& im) {
                   const auto stage = gathered.find(path);
                   if (stage == gathered.end()) return;
                   stage->second.replace(place, re, im);
                   const auto mine = given.find(path);
                   if (mine == given.end()) return;
                   re = mine->second->re[place];
                   im = mine->second->im[place];
                 });
  }
  const std::vector<std::string> titles = titles_of(paths);
  std::vector<StageData> stages;
  for (std::size_t i = 0; i < paths.size(); ++i)
    stages.push_back({titles[i], gathered[paths[i]].take()});
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const ComplexArray<double>& values = stages[i].values;
    stages[i].exponents = plan.resolved().arithmetic.block_format()
                              ? integer_exponents(plan, values, where.n)
                              : noted_exponents(noted[paths[i]], values.size());
  }
  return stages;
}

}  // namespace fftprec::attribution
