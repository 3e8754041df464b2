#include "experiments/cases/session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/fixed_means.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/lru_cache.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/windows.hpp"
#include "experiments/truths/truth_cache.hpp"

namespace fftprec {

namespace {

/// Erases entries that nobody has any more, once there are twice as many as were left last time.
template <class Map, class Gone>
void forget(Map& map, std::size_t& most, Gone gone) {
  constexpr std::size_t few = 64;
  if (map.size() < most) return;
  std::erase_if(map, [gone](const auto& entry) { return gone(entry.second); });
  most = std::max(few, 2 * map.size());
}

}  // namespace

class SharedPlans {
 public:
  /// The plan under `key`, made by make() unless somebody has it. Who asks meanwhile waits.
  std::shared_ptr<const void> get(const PlanKey& key,
                                  const std::function<std::shared_ptr<const void>()>& make) {
    const std::shared_ptr<Place> place = place_of(key);
    const std::scoped_lock lock(place->mutex);
    if (auto plan = place->plan.lock()) return plan;
    std::shared_ptr<const void> plan = make();
    place->plan = plan;
    return plan;
  }

 private:
  struct Place {
    std::mutex mutex;
    std::weak_ptr<const void> plan;
  };

  std::shared_ptr<Place> place_of(const PlanKey& key) {
    const std::scoped_lock lock(mutex_);
    forget(places_, most_, [](const std::shared_ptr<Place>& place) {
      return place.use_count() == 1 && place->plan.expired();
    });
    std::shared_ptr<Place>& place = places_[key];
    if (!place) place = std::make_shared<Place>();
    return place;
  }

  std::mutex mutex_;
  std::map<PlanKey, std::shared_ptr<Place>> places_;
  std::size_t most_ = 0;
};

class CaseNames {
 public:
  explicit CaseNames(std::shared_ptr<FileMemory> files)
      : files_(std::move(files)), tables_(std::make_shared<TableMemory>(files_)) {}

  /// What a table source gives.
  struct Source {
    SourceTables tables;
    TableErrorBound error_bound;
  };

  auto transform(const std::string& name) { return get(transforms_, name, transform_named); }
  auto algorithm(const std::string& name) { return get(algorithms_, name, algorithm_named); }
  auto mode(const std::string& name) {
    return get(modes_, name, [](const std::string& text) { return mode_named(text, read_list); });
  }
  auto source(const std::string& name) {
    return get(sources_, name, [this](const std::string& text) {
      return Source{{table_source(text, tables_), window_source(text, tables_)},
                    table_error_bound(text, tables_)};
    });
  }
  auto input(const std::string& name) {
    return get(inputs_, name,
               [this](const std::string& text) { return input_named(text, files_); });
  }

  /// Of mode and machine, which are resolved together.
  auto arithmetic(const Case& where) {
    return arithmetics_.get({where.mode, where.machine, where.store, where.scale}, 1, [&] {
      const auto machine = get(machines_, where.machine, machine_named);
      ResolvedArithmetic arithmetic = stored_by(fftprec::resolve(*mode(where.mode), *machine),
                                                *get(stores_, where.store, store_policy_named));
      arithmetic.scale = *get(scales_, where.scale, scale_policy_named);
      return arithmetic;
    });
  }

  std::uint64_t lookups() const { return lookups_; }

 private:
  template <class Value>
  using ByName = LruCache<std::string, Value>;

  template <class Value, class LookUp>
  std::shared_ptr<const Value> get(ByName<Value>& kept, const std::string& name, LookUp look_up) {
    return kept.get(name, 1, [&] {
      ++lookups_;
      return look_up(name);
    });
  }

  static constexpr std::size_t most = 1000;
  static constexpr std::size_t most_sources = 64;  // which may hold the values of files

  std::shared_ptr<FileMemory> files_;
  std::shared_ptr<TableMemory> tables_;
  std::atomic<std::uint64_t> lookups_ = 0;
  ByName<TransformEntry> transforms_{most};
  ByName<AlgorithmEntry> algorithms_{most};
  ByName<Mode> modes_{most};
  ByName<NamedMachine> machines_{most};
  ByName<StorePolicy> stores_{most};
  ByName<ScalePolicy> scales_{most};
  ByName<Source> sources_{most_sources};
  ByName<Input> inputs_{most};
  LruCache<std::array<std::string, 4>, ResolvedArithmetic> arithmetics_{most};
};

namespace {

/// Why data cannot be kept as the case says, or an empty string.
std::string unkept(const Case& where, const Resolved& resolved) {
  const ResolvedArithmetic& arithmetic = resolved.arithmetic;
  if (arithmetic.kept_blocks) {
    if (resolved.algorithm.works_on_parts)
      return "algorithm " + std::string(split_name(where.algorithm).name) +
             " works on parts of blocks that share a scale";
    if (arithmetic.kept_blocks->joins_transforms() && !resolved.algorithm.cuts_batch.empty())
      return "algorithm " + where.algorithm + " " + resolved.algorithm.cuts_batch +
             ": transforms of a batch share no scales in it";
    return "";
  }
  if (arithmetic.stores.in_passes() && arithmetic.carrier == DataCarrier::quads)
    return "mode " + where.mode + " has more digits than the fp64 that store=" + where.store +
           " computes in";
  if (arithmetic.stores.in_passes() && arithmetic.kept == arithmetic.wide())
    return "mode " + where.mode + " computes in the format that it keeps its data in, " +
           to_string(arithmetic.kept) + ": store=" + where.store + " has nothing to round";
  return "";
}

/// Why data cannot share an exponent, or an empty string.
std::string without_exponent(const Case& where, const Resolved& resolved) {
  const ResolvedArithmetic& arithmetic = resolved.arithmetic;
  const Format& kept = arithmetic.kept;
  if (arithmetic.kept_blocks)
    return "mode " + where.mode + " keeps data in blocks that have scales of their own";
  if (arithmetic.carrier != DataCarrier::floats &&
      !(arithmetic.carrier == DataCarrier::doubles && kept.system))
    return "scale=" + where.scale + " is for data that a float holds; those of mode " + where.mode +
           " are wider";
  if (!arithmetic.storage.is_fixed() && !arithmetic.stores.in_passes())
    return "scale=" + where.scale + " gives data an exponent where they are stored, and mode " +
           where.mode + " stores them after every operation: store=stage, pass:K or ends";
  if (!kept.tapers() && kept.emax >= fp32.emax)
    return "scale=" + where.scale + " gives data an exponent, and " + to_string(kept) +
           " has the range of fp32";
  return resolved.algorithm.works_on_parts
             ? "algorithm " + std::string(split_name(where.algorithm).name) +
                   " works on parts of a block whose exponents differ"
             : "";
}

/// Why data cannot be scaled as the case says, or an empty string.
std::string unscaled(const Case& where, const Resolved& resolved) {
  const ResolvedArithmetic& arithmetic = resolved.arithmetic;
  if (arithmetic.scale.is_block()) return without_exponent(where, resolved);
  if (!arithmetic.scale.scales_stages()) return "";
  if (arithmetic.refinement_steps > 0)
    return "mode " + where.mode + " adds up transforms, which scale=" + where.scale +
           " leaves at other scales";
  if (arithmetic.carrier != DataCarrier::floats && !arithmetic.storage.is_fixed())
    return "scale=" + where.scale + " is for data that a float holds; those of mode " + where.mode +
           " are wider";
  if (!resolved.algorithm.is_predictable())
    return "algorithm " + where.algorithm + " does not say what its stages add up";
  return "";
}

}  // namespace

ComplexArray<double> scaled_input(const Resolved& resolved, ComplexArray<double> x) {
  return without_scale(std::move(x), std::ldexp(1.0, -resolved.arithmetic.scale.input));
}

double stage_scale(const Resolved& resolved, const TransformEntry& transform, std::size_t n) {
  if (!resolved.arithmetic.scale.scales_stages()) return 1;
  const Predictor without_tables(resolved.arithmetic, Direction::forward, {});
  return transform.predict(without_tables, resolved.algorithm, n, 1).scale();
}

double result_scale(const Resolved& resolved, std::size_t n) {
  return std::ldexp(stage_scale(resolved, resolved.transform, n),
                    resolved.transform.degree * resolved.arithmetic.scale.input);
}

ComplexArray<double> without_scale(ComplexArray<double> y, double scale) {
  if (scale == 1) return y;
  for (auto* part : {&y.re, &y.im})
    for (double& value : *part) value /= scale;
  return y;
}

std::string inapplicable(const Case& where, const Resolved& resolved) {
  const TransformEntry& transform = resolved.transform;
  const AlgorithmEntry& algorithm = resolved.algorithm;
  const bool is_fft = algorithm.kind == AlgorithmKind::fft;
  if (!(is_fft ? transform.takes_fft : algorithm.name == transform.kernel)) {
    std::string means = transform.takes_fft ? "an FFT" : "";
    if (!transform.kernel.empty())
      means += (means.empty() ? "algorithm " : " or algorithm ") + transform.kernel;
    return where.transform + " is carried out by " + means + ", not by " + where.algorithm;
  }
  if (resolved.arithmetic.refinement_steps > 0 && transform.inverse.empty())
    return where.transform + " has no inverse, and mode " + where.mode + " refines by it";
  if (resolved.arithmetic.refinement_steps > 0 && !transform.unrefined.empty())
    return transform.unrefined;
  if (std::string reason = algorithm.inapplicable(resolved.mode, where.tables); !reason.empty())
    return reason;
  if (std::string reason = unkept(where, resolved); !reason.empty()) return reason;
  if (std::string reason = unscaled(where, resolved); !reason.empty()) return reason;
  return transform.unsupported(algorithm, where.n);
}

std::string refusal(const Case& where, const Resolved& resolved) {
  const std::string reason = inapplicable(where, resolved);
  if (reason.empty() || reason != resolved.transform.unsupported(resolved.algorithm, where.n))
    return reason;
  std::string takers;
  Resolved other = resolved;
  for (const std::string& name : algorithm_names()) {
    other.algorithm = algorithm_named(name);
    if (inapplicable(where, other).empty()) takers += (takers.empty() ? "" : ", ") + name;
  }
  return takers.empty() ? reason
                        : reason + "; what takes n = " + std::to_string(where.n) + ": " + takers;
}

void check_applicable(const Case& where, const Resolved& resolved) {
  if (const std::string reason = refusal(where, resolved); !reason.empty())
    throw NotApplicable(reason);
}

Predictor predictor(const Case& where, const Resolved& resolved) {
  TableSource source{resolved.tables.roots, resolved.exact.roots,    where.tables == exact_tables,
                     resolved.error_bound,  resolved.tables.windows, resolved.exact.windows};
  return Predictor(resolved.arithmetic, Direction::forward, std::move(source));
}

Prediction predict_transform(const TransformEntry& transform, const Predictor& predictor,
                             const AlgorithmEntry& algorithm, std::size_t n, std::size_t batch) {
  const ResolvedArithmetic& arithmetic = predictor.arithmetic();
  if (!arithmetic.kept_blocks && !arithmetic.scale.is_block())
    return predictor.whole(transform.predict(predictor, algorithm, n, batch));
  const std::size_t line = transform.item_shape(n).output.back();
  return predictor.on_lines(line, batch * output_size(transform, n) / line)
      .whole(transform.predict(predictor, algorithm, n, batch));
}

Prediction costs_alone(const Resolved& resolved, std::size_t n, std::size_t batch) {
  return predict_transform(resolved.transform,
                           Predictor(resolved.arithmetic, Direction::forward, {}),
                           resolved.algorithm, n, batch);
}

namespace {

ResolvedArithmetic residual_arithmetic(const ResolvedArithmetic& arithmetic) {
  if (!arithmetic.accurate_residual) return arithmetic;
  return resolve(mode_named("fast"), arithmetic.machine, arithmetic.faults);
}

}  // namespace

Setup::Setup(const Case& where, Resolved resolved, std::shared_ptr<const TransformEntry> inverse,
             std::shared_ptr<SharedPlans> shared)
    : where_(where),
      resolved_(std::move(resolved)),
      inverse_(std::move(inverse)),
      residual_(residual_arithmetic(resolved_.arithmetic)),
      shared_(std::move(shared)) {}

template <class Real>
PlanOf<Real> Setup::plan(Way way, Steps steps, Isa isa) const {
  if (way == Way::back && (!inverse_ || !inverse_->unsupported(resolved_.algorithm, n()).empty()))
    return nullptr;
  const TransformEntry& transform = way == Way::there ? resolved_.transform : *inverse_;
  const bool own = steps == Steps::own;
  const std::size_t slot = (way == Way::there ? 0u : 1u) + (own ? 0u : 2u);
  const std::scoped_lock lock(plan_mutex_[slot]);
  std::shared_ptr<const void>& plan = plans_[slot];
  if (!plan) {
    Case decides = where_;
    if (!own) decides.mode = residual_.mode;
    plan = shared_->get(plan_key(decides, transform.name, 0), [&]() -> std::shared_ptr<const void> {
      // Random bits that the plan takes are its own: it is shared by cases that did not make it.
      const MachineArithmetic<Real> maker(own ? resolved_.arithmetic : residual_, isa);
      return std::make_shared<const Transform<MachineArithmetic<Real>>>(
          transform.make.in<MachineArithmetic<Real>>()(maker, resolved_.algorithm, n(),
                                                       resolved_.tables));
    });
  }
  return std::static_pointer_cast<const Transform<MachineArithmetic<Real>>>(plan);
}

template PlanOf<float> Setup::plan<float>(Way, Steps, Isa) const;
template PlanOf<double> Setup::plan<double>(Way, Steps, Isa) const;
template PlanOf<FloatPair> Setup::plan<FloatPair>(Way, Steps, Isa) const;
template PlanOf<Quad> Setup::plan<Quad>(Way, Steps, Isa) const;

template <class Predict>
std::shared_ptr<const Prediction> Setup::kept(Of of, std::size_t batch, Predict predict) const {
  const std::scoped_lock lock(prediction_mutex_);
  std::shared_ptr<const Prediction>& made = predictions_[{of, batch}];
  if (!made) made = std::make_shared<const Prediction>(predict());
  return made;
}

std::shared_ptr<const Prediction> Setup::prediction(std::size_t batch) const {
  return kept(Of::transform, batch, [&] {
    return predict_transform(resolved_.transform, predictor(where_, resolved_), resolved_.algorithm,
                             n(), batch);
  });
}

std::shared_ptr<const Prediction> Setup::costs(std::size_t batch) const {
  return kept(Of::costs, batch, [&] { return costs_alone(resolved_, n(), batch); });
}

std::shared_ptr<const Prediction> Setup::residual_prediction(std::size_t batch) const {
  return kept(Of::residual, batch, [&] {
    Resolved back = resolved_;
    back.arithmetic = residual_;
    return predict_transform(*inverse_, predictor(where_, back), resolved_.algorithm, n(), batch);
  });
}

double Setup::fixed_means(bool input_rounded) const {
  const ResolvedArithmetic& arithmetic = resolved_.arithmetic;
  const Rounding casts = arithmetic.machine.casts;
  const bool cuts = casts == Rounding::rd || casts == Rounding::ru;
  if (arithmetic.stores.in_passes()) return cuts ? unknown : 0;  // ties are rare there
  if (!cuts && casts != Rounding::rnu) return 0;
  const double of_input = fixed_errors(arithmetic).mean;
  const std::scoped_lock lock(prediction_mutex_);
  std::optional<double>& kept = fixed_means_[input_rounded ? 1 : 0];
  if (!kept)
    with_carrier(arithmetic.carrier, [&]<class Real>(Real) {
      if constexpr (!std::is_same_v<Real, FloatPair>) {
        const Isa isa = best_isa();
        const MachineArithmetic<Real> means(arithmetic,
                                            of_means(kernel_set<Real>(arithmetic, isa)));
        ComplexArray<Real> x(n());
        if (input_rounded)
          for (auto* part : {&x.re, &x.im})
            std::fill(part->begin(), part->end(), static_cast<Real>(of_input));
        const auto y = (*plan<Real>(Way::there, Steps::own, isa))(means, std::move(x));
        kept = square(truth::l2_norm(converted<double>(y))) / static_cast<double>(n());
      }
    });
  return *kept;
}

Session::Session()
    : files_(file_memory()),
      names_(std::make_shared<CaseNames>(files_)),
      plans_(std::make_shared<SharedPlans>()) {}

Resolved Session::resolve(const Case& where) {
  const auto source = names_->source(where.tables);
  return {*names_->transform(where.transform),
          *names_->algorithm(where.algorithm),
          *names_->mode(where.mode),
          *names_->arithmetic(where),
          source->tables,
          names_->source(std::string(exact_tables))->tables,
          source->error_bound};
}

std::shared_ptr<const TransformEntry> Session::transform(const std::string& name) {
  return name.empty() ? nullptr : names_->transform(name);
}

std::shared_ptr<const Input> Session::input(const std::string& name) { return names_->input(name); }

void Session::check_names(const Case& where) {
  names_->transform(where.transform);
  names_->algorithm(where.algorithm);
  names_->arithmetic(where);
  names_->source(where.tables);
  names_->input(where.input);
  require(where.n >= 1, "n = 0: a transform needs at least one element");
  require(where.batch >= 1, "batch = 0: a case needs at least one transform");
}

std::uint64_t Session::lookups() const { return names_->lookups(); }

Problem Session::make_problem(const ProblemKey& key, const truth::TruthOptions& options,
                              TruthCache* cache) {
  const auto transform = names_->transform(key.transform);
  require(key.n >= 1, "make_problem: n = 0");
  Problem problem;
  problem.input = transform->make_input(*names_->input(key.input), key.n, key.batch, key.seed);
  const auto make = [&] { return transform->truth(problem.input, key.n, key.batch, options); };
  problem.truth =
      cache ? cache->get(truth_key(key.transform, key.n, key.batch, problem.input, options), make)
            : make();
  return problem;
}

Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options, TruthCache* cache) {
  return Session().make_problem(key, options, cache);
}

std::shared_ptr<const Setup> Session::setup(const Case& where) {
  const PlanKey key = tables_key(where);
  const std::scoped_lock lock(mutex_);
  if (const auto found = setups_.find(key); found != setups_.end())
    if (auto setup = found->second.lock()) return setup;
  forget(setups_, most_, [](const std::weak_ptr<const Setup>& kept) { return kept.expired(); });
  // Not by make_shared: what only expired pointers remember takes no memory.
  Resolved resolved = resolve(where);
  auto inverse = transform(resolved.transform.inverse);
  const std::shared_ptr<const Setup> setup(
      new Setup(where, std::move(resolved), std::move(inverse), plans_));
  setups_[key] = setup;
  return setup;
}

std::shared_ptr<const Setup> Session::setup(const Case& where, AlgorithmEntry algorithm) {
  Session own;
  Resolved resolved = own.resolve(where);
  resolved.algorithm = std::move(algorithm);
  auto inverse = own.transform(resolved.transform.inverse);
  return std::make_shared<const Setup>(where, std::move(resolved), std::move(inverse),
                                       std::make_shared<SharedPlans>());
}

}  // namespace fftprec
