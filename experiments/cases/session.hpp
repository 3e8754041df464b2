/// What outlives a case: names that are looked up, inputs and their truths, and plans with their
/// tables and predictions, which many cases share.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "arith/formats/complex_array.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/isa.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

class FileMemory;
class TruthCache;

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

/// That reason, as a person reads it: where the algorithm cannot take the length, with those that
/// can.
std::string refusal(const Case& where, const Resolved& resolved);

/// Throws NotApplicable with that refusal if there is one.
void check_applicable(const Case& where, const Resolved& resolved);

/// Everything that is known of mode, machine and tables.
Predictor predictor(const Case& where, const Resolved& resolved);

/// What can be said of a whole transform, as `predictor` sees it.
ErrorModel predict_transform(const TransformEntry& transform, const Predictor& predictor,
                             const AlgorithmEntry& algorithm, std::size_t n, std::size_t batch);

/// What the transforms cost, and which format they end in, without a look at tables: no errors.
ErrorModel costs_alone(const Resolved& resolved, std::size_t n, std::size_t batch);

template <class Real>
using PlanOf = std::shared_ptr<const Transform<MachineArithmetic<Real>>>;

/// Plans by what decides them: each stands in memory once as long as somebody has it.
class SharedPlans;

/// What cases have in common that differ in batch, input and seed alone. Plans and predictions are
/// made when they are first asked for, and live as long as the setup. Safe to share between
/// threads.
class Setup {
 public:
  /// Requires: `resolved` is of `where`, but for the algorithm, which may be any; `inverse` is of
  /// its transform, or null.
  Setup(const Case& where, Resolved resolved, std::shared_ptr<const TransformEntry> inverse,
        std::shared_ptr<SharedPlans> shared);

  const Resolved& resolved() const { return resolved_; }
  const TransformEntry* inverse() const { return inverse_.get(); }  ///< null where there is none
  /// The arithmetic by which a refinement takes its residual.
  const ArithmeticSpec& residual() const { return residual_; }
  std::size_t n() const { return where_.n; }

  enum class Way { there, back };
  enum class Steps { own, residual };  ///< in whose arithmetic a refinement's residual is taken
  /// The plan of the transform, or of its inverse: null where there is none for this length.
  template <class Real>
  PlanOf<Real> plan(Way way, Steps steps, Isa isa) const;

  /// What can be said of `batch` transforms before they run.
  std::shared_ptr<const ErrorModel> prediction(std::size_t batch) const;
  std::shared_ptr<const ErrorModel> costs(std::size_t batch) const;  ///< of them, costs_alone
  /// The mean square of the means that fixed point gives the errors of an output, those of a
  /// rounded input included; NaN where stores by passes have such means, which nobody follows.
  double fixed_means(bool input_rounded) const;
  /// The same of the inverse by which a refinement takes its residual. Requires: there is one.
  std::shared_ptr<const ErrorModel> residual_prediction(std::size_t batch) const;

 private:
  Case where_;
  Resolved resolved_;
  std::shared_ptr<const TransformEntry> inverse_;
  ArithmeticSpec residual_;
  std::shared_ptr<SharedPlans> shared_;
  mutable std::array<std::mutex, 4> plan_mutex_;
  mutable std::array<std::shared_ptr<const void>, 4> plans_{};
  mutable std::mutex prediction_mutex_;
  mutable std::array<std::optional<double>, 2> fixed_means_{};
  enum class Of { transform, residual, costs };
  mutable std::map<std::pair<Of, std::size_t>, std::shared_ptr<const ErrorModel>> predictions_{};

  /// What predict() gives, which is asked once for each `batch`.
  template <class Predict>
  std::shared_ptr<const ErrorModel> kept(Of of, std::size_t batch, Predict predict) const;
};

/// Looks up each name of a Session once.
class CaseNames;

/// Owns what cases share. Whoever plans a sweep checks its names in the session that then runs it:
/// each name is looked up once, and kept while it is among the thousand of its axis that were used
/// last. Setups and plans go when nobody has them any more, so whoever runs many cases of a setup
/// holds it. Safe to share between threads.
class Session {
 public:
  Session();

  /// The case with its names looked up. Throws InputError for an unknown name, listing the known.
  Resolved resolve(const Case& where);
  std::shared_ptr<const TransformEntry> transform(const std::string& name);
  std::shared_ptr<const Input> input(const std::string& name);
  /// Throws InputError for an unknown name, n = 0 and batch = 0; computes nothing.
  void check_names(const Case& where);
  /// How often a name was looked up.
  std::uint64_t lookups() const;

  const std::shared_ptr<FileMemory>& files() const { return files_; }

  /// Makes the input and its truth, or takes the truth from `cache` where that has it: the same
  /// bits. Throws InputError for an unknown input or transform, or n = 0; truth::CertificateError
  /// (arith/truth/audit.hpp) for a truth that its own certificate refutes.
  Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options = {},
                       TruthCache* cache = nullptr);

  /// The setup of a case, the same one as long as somebody has it. Throws as resolve.
  std::shared_ptr<const Setup> setup(const Case& where);

  /// The setup of a case with that algorithm in place of the one named, for the caller alone.
  static std::shared_ptr<const Setup> setup(const Case& where, AlgorithmEntry algorithm);

 private:
  std::shared_ptr<FileMemory> files_;
  std::shared_ptr<CaseNames> names_;
  std::shared_ptr<SharedPlans> plans_;
  std::mutex mutex_;
  std::map<PlanKey, std::weak_ptr<const Setup>> setups_;
  std::size_t most_ = 0;  ///< setups until those that are gone are looked for
};

/// In a session of its own.
Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options = {},
                     TruthCache* cache = nullptr);

}  // namespace fftprec
