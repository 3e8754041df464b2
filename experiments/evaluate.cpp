#include "experiments/evaluate.hpp"

#include <chrono>
#include <tuple>

#include "algorithms/refinement.hpp"
#include "arith/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/algorithm_entry.hpp"
#include "experiments/hash.hpp"
#include "experiments/inputs.hpp"
#include "experiments/lru_cache.hpp"
#include "experiments/tables.hpp"

namespace fftprec {

namespace {

/// A case with its names looked up.
struct Resolved {
  const AlgorithmEntry& algorithm;
  const Mode& mode;
  const Machine& machine;
  RootFunction roots;
  Direction direction;
};

Resolved resolve(const Case& where) {
  return {algorithm_named(where.algorithm), mode_named(where.mode), machine_named(where.machine),
          table_source(where.tables), direction_of(where.transform)};
}

Direction reversed(Direction direction) {
  return direction == Direction::forward ? Direction::inverse : Direction::forward;
}

/// Everything that the tables of a plan depend on.
using PlanKey =
    std::tuple<std::string, std::string, std::string, std::string, std::size_t, Direction>;

/// The plan of a case, its tables kept for the next case that needs the same.
template <class Real>
std::shared_ptr<const Plan<Real>> plan_for(const Case& where, const Resolved& resolved,
                                           const MachineArithmetic<Real>& arithmetic,
                                           MakePlan<Real> make, Direction direction) {
  constexpr std::size_t capacity_bytes = std::size_t{1} << 30;
  static LruCache<PlanKey, Plan<Real>> cache(capacity_bytes);
  // A machine decides how the matrix of a matrix product is cut into words.
  const PlanKey key{where.algorithm, where.mode, where.machine, where.tables, where.n, direction};
  const std::size_t words = 2;
  const std::size_t bytes = 2 * words * sizeof(Real) * resolved.algorithm.table_entries(where.n);
  return cache.get(key, bytes,
                   [&] { return make(arithmetic, where.n, direction, resolved.roots); });
}

/// The statistics of a case's tables, kept likewise.
std::shared_ptr<const std::vector<TableStatistics>> statistics_for(const Case& where,
                                                                   const Resolved& resolved) {
  using Key = std::tuple<std::string, std::string, std::string, std::size_t>;
  constexpr std::size_t capacity = 4096;
  static LruCache<Key, std::vector<TableStatistics>> cache(capacity);
  return cache.get(Key{where.algorithm, where.mode, where.tables, where.n}, 1, [&] {
    return resolved.algorithm.statistics(where.n, resolved.roots, table_source("exact"),
                                         resolved.mode.table);
  });
}

/// A result with what only its computation can tell.
struct Output {
  ComplexArray<double> values;
  bool input_rounded;
  std::uint64_t time_ns;
};

template <class Real>
ComplexArray<double> widened(const ComplexArray<Real>& x) {
  ComplexArray<double> result(x.size());
  std::copy(x.re.begin(), x.re.end(), result.re.begin());
  std::copy(x.im.begin(), x.im.end(), result.im.begin());
  return result;
}

/// x rounded to fp32: the input of a refinement, whose residual is formed in fp32.
ComplexArray<float> in_fp32(const ComplexArray<double>& x) {
  ComplexArray<float> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.re[i] = static_cast<float>(x.re[i]);
    result.im[i] = static_cast<float>(x.im[i]);
  }
  return result;
}

template <class Real>
Output run(const Case& where, const Resolved& resolved, MakePlan<Real> make,
           const ComplexArray<double>& input, Isa isa) {
  const MachineArithmetic<Real> arithmetic(resolved.mode, resolved.machine, isa);
  const auto forward = plan_for(where, resolved, arithmetic, make, resolved.direction);
  const bool refined = resolved.mode.refinement_steps > 0;
  const auto backward =
      refined ? plan_for(where, resolved, arithmetic, make, reversed(resolved.direction)) : nullptr;

  const auto start = std::chrono::steady_clock::now();
  ComplexArray<Real> x = arithmetic.stored(input);
  const bool input_rounded = widened(x) != input;
  if constexpr (std::is_same_v<Real, float>) {
    if (refined)
      x = refine(arithmetic, *forward, *backward, in_fp32(input), resolved.mode.refinement_steps);
  }
  if (!refined) (*forward)(arithmetic, x);
  const auto time = std::chrono::steady_clock::now() - start;
  // A refinement rounds what it hands to each transform, whatever the input was.
  return {widened(x), input_rounded || refined,
          static_cast<std::uint64_t>(
              std::chrono::duration_cast<std::chrono::nanoseconds>(time).count())};
}

void measure_into(Row& row, const Output& output, const Problem& problem, const Format& format) {
  const truth::Errors errors = truth::measure(output.values, problem.truth, format);
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
  row.truth_bits = static_cast<std::uint64_t>(problem.truth.bits);
  row.time_ns = output.time_ns;
  row.output_hash = array_hash(output.values);
}

void predict_into(Row& row, const Resolved& resolved, bool input_rounded) {
  const AlgorithmEntry& algorithm = resolved.algorithm;
  const TableExtent extent = algorithm.table_extent(row.where.n);
  const BoundCase bound_case{
      .n = row.where.n,
      .mode = resolved.mode,
      .machine = resolved.machine,
      .direction = resolved.direction,
      .table_error = table_error_bound(row.where.tables, extent, resolved.mode.table),
      .exact_tables = row.where.tables == "exact",
      .input_rounded = input_rounded};
  const Bound bound = algorithm.bound(bound_case);
  row.bound_l2_rel = bound.l2_rel;
  row.bound_name = bound.name;
  const auto tables = statistics_for(row.where, resolved);
  // The model adds independent errors. Those of an inexact angle are the same in every stage and
  // in every transform of a refinement, so it holds only where data meet such a table once.
  const bool once = tables->size() == 1 && resolved.mode.refinement_steps == 0;
  if (bound_case.exact_tables || once)
    row.expected_l2_rel = algorithm.expected(bound_case, *tables);
}

Cost total_cost(const Case& where, const Resolved& resolved) {
  const Cost once = resolved.algorithm.cost(where.n, where.batch, resolved.mode, resolved.machine);
  return (1 + 2 * static_cast<std::uint64_t>(resolved.mode.refinement_steps)) * once;
}

}  // namespace

Row evaluate(const Case& where, const Problem& problem, Isa isa) {
  const Resolved resolved = resolve(where);
  Row row{.where = where};
  if (const std::string reason = resolved.algorithm.unsupported(where.n); !reason.empty()) {
    row.status = Status::skipped;
    row.message = reason;
    return row;
  }
  const bool host = on_host(resolved.mode);
  const Output output =
      host ? run<double>(where, resolved, resolved.algorithm.make_double, problem.input, isa)
           : run<float>(where, resolved, resolved.algorithm.make_float, problem.input, isa);
  const bool refined = resolved.mode.refinement_steps > 0;
  measure_into(row, output, problem,
               refined ? fp32 : resolved.algorithm.output_format(resolved.mode));
  predict_into(row, resolved, output.input_rounded);
  const Cost cost = total_cost(where, resolved);
  row.mac_count = cost.mac_count;
  row.matmul_passes = cost.matmul_passes;
  return row;
}

void check_names(const Case& where) {
  resolve(where);
  check_input_name(where.input);
  require(where.n >= 1, "n = 0: a transform needs at least one element");
  require(where.batch >= 1, "batch = 0: a case needs at least one transform");
}

double estimated_cost_ns(const Case& where) {
  const Resolved resolved = resolve(where);
  if (!resolved.algorithm.unsupported(where.n).empty()) return 1e3;
  constexpr double ns_per_operation = 0.3;
  constexpr double ns_per_table_entry = 20;
  const OperationCounts operations = total_cost(where, resolved).operations;
  return ns_per_operation * static_cast<double>(operations.multiplications + operations.additions) +
         ns_per_table_entry * static_cast<double>(resolved.algorithm.table_entries(where.n));
}

}  // namespace fftprec
