/// A case with everything resolved, and the session that resolves cases: it looks each name up once
/// and owns what cases share.
#pragma once

#include <cstddef>
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
  ArithmeticSpec arithmetic;  ///< if refused, of data as they come, stored after every operation
  std::string refused;        ///< why data cannot be stored and scaled so, or an empty string
  SourceTables tables;
  SourceTables exact;  ///< correctly rounded ones, which `tables` are judged by
  TableErrorBound error_bound;
};

/// What a case computes: input and truth.
struct Problem {
  ComplexArray<double> input;  ///< the operands of the whole batch, unrounded as given
  truth::Truth truth;          ///< certified exact output
};

/// x as a case takes it: exact but for what leaves the range of double.
ComplexArray<double> scaled_input(const Resolved& resolved, ComplexArray<double> x);
/// What stages multiply the results of a transform of length n by, done as `resolved` says.
double stage_scale(const Resolved& resolved, const TransformEntry& transform, std::size_t n);
/// What its results are larger by than what they stand for: that, and the scale of its operands.
double result_scale(const Resolved& resolved, std::size_t n);
/// Results without their scale.
ComplexArray<double> without_scale(ComplexArray<double> y, double scale);

/// Why the case has no meaning, or an empty string.
std::string inapplicable(const Case& where, const Resolved& resolved);

/// Everything that is known of mode, machine and tables.
Predictor predictor(const Case& where, const Resolved& resolved);

/// What can be said of a whole transform, as `predictor` sees it.
ErrorModel predict_transform(const TransformEntry& transform, const Predictor& predictor,
                             const AlgorithmEntry& algorithm, std::size_t n, std::size_t batch);

/// What the transforms cost, and which format they end in, without a look at tables: no errors.
ErrorModel costs_alone(const Resolved& resolved, std::size_t n, std::size_t batch);

/// What it takes to emulate a case, in nanoseconds of one thread, roughly. It decides which process
/// or thread runs what, never a result.
struct EmulationCost {
  double run_ns;  ///< the transform and its measurement, with tables and truth at hand
  /// The tables of the transform and of its inverse, which all cases share that differ only in
  /// batch, input and seed.
  double tables_ns;
  /// The truth, in the tier that is chosen where none is named. Cases with one problem share it.
  double truth_ns;
  double least_bytes;  ///< of memory: input, truth and result, and the tables

  double whole_ns() const { return run_ns + tables_ns + truth_ns; }
};

template <class Real>
using TransformOf = std::shared_ptr<const Transform<MachineArithmetic<Real>>>;

/// The transforms of a plan with their tables, each made when it is first asked for.
class PlanTransforms;

/// A case with everything resolved. Cheap to copy: plans that differ only in batch, input and seed
/// share one object, which holds the names, what they stand for, error models and costs. Safe to
/// share between threads.
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
  /// The arithmetic by which a refinement takes its residual.
  const ArithmeticSpec& residual() const;
  /// Why the case has no meaning, or an empty string.
  const std::string& inapplicable() const;
  /// Equal for plans that share one object, and with it their tables.
  const Shared* shared() const { return shared_.get(); }

  enum class Way { forward, inverse };
  enum class Steps { own, residual };  ///< in whose arithmetic a refinement's residual is taken
  /// The transform or its inverse: null where there is none for this length. It lives as long as
  /// somebody holds it, or `transforms`.
  template <class Real>
  TransformOf<Real> transform(Way way, Steps steps, Isa isa) const;
  /// All transforms that this plan and those that share its tables make: who runs many of these
  /// cases holds it meanwhile.
  std::shared_ptr<PlanTransforms> transforms() const;

  /// What can be said of the transforms before they run.
  std::shared_ptr<const ErrorModel> prediction() const;
  std::shared_ptr<const ErrorModel> costs() const;  ///< costs_alone of them
  /// The prediction of the inverse by which a refinement takes its residual. Requires: there is
  /// one.
  std::shared_ptr<const ErrorModel> residual_prediction() const;
  /// The mean square of the means that fixed point gives the errors of an output, those of a
  /// rounded input included; NaN where stores by passes have such means, which nobody follows.
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

/// Why the case has no meaning, as a person reads it: where the algorithm cannot take the length,
/// with those that can.
std::string refusal(const CasePlan& plan);

/// Throws NotApplicable with that refusal if there is one.
void check_applicable(const CasePlan& plan);

/// Makes the input and its truth. Throws truth::CertificateError (arith/truth/audit.hpp) for a
/// truth that its own certificate refutes.
Problem make_problem(const CasePlan& plan, const truth::TruthOptions& options = {});

/// The same in a session of its own. Throws InputError for an unknown input or transform, or n = 0.
Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options = {});

/// Problems that several runs share.
using KeptProblems = LruCache<ProblemKey, Problem>;

/// Transforms by what decides them: each stands in memory once as long as somebody has it.
class SharedTransforms;

/// Looks up each name of a Session once.
class CaseNames;

/// Plans cases. Each name is looked up once, and kept while it is among the thousand of its axis
/// that were used last. What plans share goes when nobody has it any more. Safe to share between
/// threads.
class Session {
 public:
  Session();

  /// Throws InputError for an unknown name, listing the known ones, n = 0 and batch = 0. A
  /// combination without meaning has a plan that says why.
  CasePlan plan(const Case& where);
  std::vector<CasePlan> plan(std::span<const Case> cases);

  /// The plan of a case with that algorithm in place of the one named, in a session of its own.
  static CasePlan plan(const Case& where, AlgorithmEntry algorithm);

  /// Throws as `plan`, whether or not the names have a meaning together.
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
  std::map<PlanKey, std::weak_ptr<const CasePlan::Shared>> shared_;
  std::size_t most_ = 0;  ///< entries until those that are gone are looked for
};

}  // namespace fftprec
