/// A case with all names resolved, and the session that resolves cases. A session looks each name
/// up once and owns what cases share.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/isa.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/lru_cache.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

class FileMemory;

/// A case with its names looked up.
struct Resolved {
  TransformEntry transform;
  AlgorithmEntry algorithm;
  Mode mode;
  ArithmeticSpec arithmetic;  ///< if refused, without scale and with a store after every operation
  std::string refused;        ///< why this storage and scale are impossible, or an empty string
  SourceTables tables;
  SourceTables exact;  ///< correctly rounded tables, to measure `tables` against
  TableErrorBound error_bound;
};

/// The input of a case and its truth.
struct Problem {
  ComplexArray<double> input;  ///< the operands of the whole batch, not yet rounded
  truth::Truth truth;          ///< certified exact output
};

/// x times the scale of the case: exact unless a value leaves the range of double.
ComplexArray<double> scaled_input(const Resolved& resolved, ComplexArray<double> x);
/// The factor by which the stages scale the results of a transform of length n.
double stage_scale(const Resolved& resolved, const TransformEntry& transform, std::size_t n);
/// The factor between results as computed and true results: stage_scale times the scale of the
/// operands.
double result_scale(const Resolved& resolved, std::size_t n);
/// y divided by `scale`.
ComplexArray<double> without_scale(ComplexArray<double> y, double scale);

/// Why the case has no meaning, or an empty string.
std::string inapplicable(const Case& where, const Resolved& resolved);

/// The predictor for mode, machine and tables.
Predictor predictor(const Case& where, const Resolved& resolved);

/// The model of a whole transform.
ErrorModel predict_transform(const TransformEntry& transform, const Predictor& predictor,
                             const AlgorithmEntry& algorithm, std::size_t n, std::size_t batch);

/// Costs and result format of the transforms, without errors. Reads no tables.
ErrorModel costs_alone(const Resolved& resolved, std::size_t n, std::size_t batch);

/// Rough time to emulate a case, in nanoseconds of one thread. It is used to share work between
/// processes and threads and never changes a result.
struct EmulationCost {
  double run_ns;  ///< the transform and its measurement, with tables and truth at hand
  /// The tables of the transform and of its inverse. Cases that differ only in batch, input and
  /// seed share them.
  double tables_ns;
  /// The truth, in the default tier. Cases with one problem share it.
  double truth_ns;
  double least_bytes;  ///< least memory: input, truth, result and tables

  double whole_ns() const { return run_ns + tables_ns + truth_ns; }
};

template <class Real>
using TransformOf = std::shared_ptr<const Transform<MachineArithmetic<Real>>>;

/// The transforms of a plan with their tables. Each is made on first use.
class PlanTransforms;

/// A case with everything resolved. Cheap to copy: plans that differ only in batch, input and seed
/// share one object with the names, the resolved values, error models and costs. Safe to share
/// between threads.
class CasePlan {
 public:
  /// State shared by cases that differ only in batch, input and seed.
  class Shared;

  const SharedCase& where() const { return where_; }
  std::size_t n() const { return where_.n(); }
  std::size_t batch() const { return where_.batch(); }
  const Input& input() const { return *input_; }
  const Resolved& resolved() const;
  const TransformEntry* inverse() const;  ///< null where there is none
  /// The arithmetic in which a refinement computes its residual.
  const ArithmeticSpec& residual() const;
  /// Why the case has no meaning, or an empty string.
  const std::string& inapplicable() const;
  /// Equal for plans that share one object, and so their tables.
  const Shared* shared() const { return shared_.get(); }

  enum class Way { forward, inverse };
  enum class Steps { own, residual };  ///< the arithmetic: the plan's, or that of residuals
  /// The transform or its inverse; null if there is none for this length. It lives while the result
  /// or `transforms()` is held.
  template <class Real>
  TransformOf<Real> transform(Way way, Steps steps, Isa isa) const;
  /// The arithmetic, before it has counted anything.
  template <class Real>
  MachineArithmetic<Real> arithmetic(Steps steps, Isa isa) const;
  /// All transforms of this plan and of plans that share its tables. Hold it while many of these
  /// cases run, so that tables are made once.
  std::shared_ptr<PlanTransforms> transforms() const;

  /// The error model of the transforms.
  std::shared_ptr<const ErrorModel> prediction() const;
  /// The model of the whole case, with or without the rounding of its input: what make() gives when
  /// it is first asked for.
  std::shared_ptr<const ErrorModel> whole_prediction(bool input_rounded,
                                                     const std::function<ErrorModel()>& make) const;
  std::shared_ptr<const ErrorModel> costs() const;  ///< costs_alone
  /// The prediction of the inverse with which a refinement computes its residual. Requires: there
  /// is an inverse.
  std::shared_ptr<const ErrorModel> residual_prediction() const;
  /// The mean square of the biases that fixed point gives the outputs, with `input_rounded` also
  /// from the rounding of the input. NaN if stores after passes have biases, which are not
  /// modelled.
  double fixed_means(bool input_rounded) const;

  EmulationCost cost() const;

 private:
  friend class Session;
  CasePlan(std::shared_ptr<const Shared> shared, std::shared_ptr<const Input> input,
           SharedCase where)
      : shared_(std::move(shared)), input_(std::move(input)), where_(std::move(where)) {}

  std::shared_ptr<const Shared> shared_;
  std::shared_ptr<const Input> input_;
  SharedCase where_;
};

/// Why the case has no meaning, as text for people. If the algorithm does not support the length,
/// it lists the algorithms that do.
std::string refusal(const CasePlan& plan);

/// Throws NotApplicable with that refusal if there is one.
void check_applicable(const CasePlan& plan);

/// Makes the input and its truth. Throws truth::CertificateError (arith/truth/audit.hpp) for a
/// truth that its own certificate refutes.
Problem make_problem(const CasePlan& plan, const truth::TruthOptions& options = {});

/// As above, in its own session. Throws InputError for an unknown input or transform, or n = 0.
Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options = {});

/// Problems that several runs share.
using ProblemCache = LruCache<ProblemKey, Problem>;

/// Transforms that are shared: each is in memory once while it is used.
class SharedTransforms;

/// Looks up each name of a Session once.
class CaseNames;

/// Plans cases. Each name is looked up once; the last thousand used names of each axis are kept.
/// State shared by plans lives as long as one of the plans. Safe to share between threads.
class Session {
 public:
  Session();

  /// Throws InputError for an unknown name, listing the known ones, n = 0 and batch = 0. The plan
  /// of a combination without meaning holds the reason.
  CasePlan plan(const Case& where);
  std::vector<CasePlan> plan(std::span<const Case> cases);

  /// The plan of the case of `other` with this batch and seed. Requires: batch >= 1.
  static CasePlan plan(CasePlan other, std::uint64_t batch, std::uint64_t seed);

  /// The plan of a case with `algorithm` instead of the named one, in its own session.
  static CasePlan plan(const Case& where, AlgorithmEntry algorithm);

  /// Throws what `plan` throws. The names need no meaning together.
  void check_names(const Case& where);
  std::shared_ptr<const TransformEntry> transform(const std::string& name);
  std::shared_ptr<const Input> input(const std::string& name);
  /// How often a name was looked up.
  std::uint64_t lookups() const;

  const std::shared_ptr<FileMemory>& files() const { return files_; }

 private:
  std::shared_ptr<const CasePlan::Shared> shared_of(const Case& where);

  std::shared_ptr<FileMemory> files_;
  std::shared_ptr<CaseNames> names_;
  std::shared_ptr<SharedTransforms> transforms_;
  std::mutex mutex_;
  std::map<Case, std::weak_ptr<const CasePlan::Shared>> shared_;
  std::size_t most_ = 0;  ///< entries at which expired ones are removed
};

}  // namespace fftprec
