#include "experiments/cases/session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "algorithms/theory/fixed_means.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/lru_cache.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/windows.hpp"

namespace fftprec {

namespace {

/// Erases entries that are no longer used, once there are twice as many as after the last time.
template <class Map, class Gone>
void forget(Map& map, std::size_t& most, Gone gone) {
  constexpr std::size_t few = 64;
  if (map.size() < most) return;
  std::erase_if(map, [gone](const auto& entry) { return gone(entry.second); });
  most = std::max(few, 2 * map.size());
}

}  // namespace

class SharedTransforms {
 public:
  /// The transform under `key`, made by make() unless it exists. Other threads wait meanwhile.
  template <class Real, class Make>
  TransformOf<Real> get(const Case& key, Make make) {
    const std::shared_ptr<Place<Real>> place = std::get<Places<Real>>(places_).at(key);
    const std::scoped_lock lock(place->mutex);
    if (auto transform = place->transform.lock()) return transform;
    TransformOf<Real> transform = make();
    place->transform = transform;
    return transform;
  }

 private:
  template <class Real>
  struct Place {
    std::mutex mutex;
    std::weak_ptr<const Transform<MachineArithmetic<Real>>> transform;
  };

  template <class Real>
  class Places {
   public:
    std::shared_ptr<Place<Real>> at(const Case& key) {
      const std::scoped_lock lock(mutex_);
      forget(places_, most_, [](const std::shared_ptr<Place<Real>>& place) {
        return place.use_count() == 1 && place->transform.expired();
      });
      std::shared_ptr<Place<Real>>& place = places_[key];
      if (!place) place = std::make_shared<Place<Real>>();
      return place;
    }

   private:
    std::mutex mutex_;
    std::map<Case, std::shared_ptr<Place<Real>>> places_;
    std::size_t most_ = 0;
  };

  std::tuple<Places<float>, Places<double>, Places<FloatPair>> places_;
};

class PlanTransforms {
 public:
  template <class Real>
  struct Of {
    struct Slot {
      std::mutex mutex;
      TransformOf<Real> transform;
    };
    std::array<Slot, 4> slots;  ///< by way and steps
    std::mutex mutex;           ///< of the arithmetics
    std::map<std::pair<CasePlan::Steps, Isa>, MachineArithmetic<Real>> arithmetics;
  };

  template <class Real>
  explicit PlanTransforms(std::in_place_type_t<Of<Real>> carrier) : of_(carrier) {}

  template <class Real>
  typename Of<Real>::Slot& slot(CasePlan::Way way, CasePlan::Steps steps) {
    const std::size_t place =
        (way == CasePlan::Way::forward ? 0u : 1u) + (steps == CasePlan::Steps::own ? 0u : 2u);
    return std::get<Of<Real>>(of_).slots[place];
  }

  template <class Real>
  MachineArithmetic<Real> arithmetic(CasePlan::Steps steps, const ArithmeticSpec& spec, Isa isa) {
    Of<Real>& of = std::get<Of<Real>>(of_);
    const std::scoped_lock lock(of.mutex);
    const auto known = of.arithmetics.find({steps, isa});
    if (known != of.arithmetics.end()) return known->second;
    return of.arithmetics.try_emplace({steps, isa}, spec, isa).first->second;
  }

 private:
  std::variant<Of<float>, Of<double>, Of<FloatPair>> of_;
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

  /// The arithmetic of a case, or why there is none.
  struct Arithmetic {
    ArithmeticSpec spec;
    std::string refused;
  };
  auto arithmetic(const Case& where) {
    return arithmetics_.get(
        {where.mode, where.machine, where.rounding_points, where.scale}, 1, [&] {
          const auto named = mode(where.mode);
          const auto machine = get(machines_, where.machine, faulty_machine_named);
          const auto decorator = decorator_of(machine->faults, *machine);
          const auto made = ArithmeticSpec::make(
              *named, *machine, *get(stores_, where.rounding_points, rounding_points_named),
              *get(scales_, where.scale, scale_policy_named), decorator);
          if (const auto* refusal = std::get_if<Refusal>(&made))
            return Arithmetic{fftprec::resolve(*named, *machine, {}, {}, decorator),
                              refusal->reason};
          return Arithmetic{std::get<ArithmeticSpec>(made), ""};
        });
  }

  Resolved resolve(const Case& where) {
    const auto of_tables = source(where.tables);
    const auto of_data = arithmetic(where);
    return {*transform(where.transform),
            *algorithm(where.algorithm),
            *mode(where.mode),
            of_data->spec,
            of_data->refused,
            of_tables->tables,
            source(std::string(exact_tables))->tables,
            of_tables->error_bound};
  }

  /// Nanoseconds for the truth of a transform, a length and a batch.
  using TruthKey = std::tuple<std::string, std::size_t, std::size_t>;
  template <class Make>
  double truth_ns(const TruthKey& key, Make make) {
    return *truths_.get(key, 1, make);
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
  ByName<FaultyMachine> machines_{most};
  ByName<RoundingPoints> stores_{most};
  ByName<ScalePolicy> scales_{most};
  ByName<Source> sources_{most_sources};
  ByName<Input> inputs_{most};
  LruCache<std::array<std::string, 4>, Arithmetic> arithmetics_{most};
  LruCache<TruthKey, double> truths_{most};
};

namespace {

/// Why data of this mode cannot be stored so, or an empty string.
std::string refusal_of_mode(const Resolved& resolved) {
  const auto* host = resolved.mode.as<HostScheme>();
  if (!host || host->storage == fp64 || resolved.arithmetic.stores().in_passes()) return "";
  const std::string data = to_string(host->storage);
  const std::string each = host->storage.precision <= fp32.precision
                               ? "; mode " + data + " rounds after every operation"
                               : "";
  return "mode " + resolved.mode.name + " computes in fp64 and rounds where data are stored: " +
         "rounding_points=stage, pass:K or ends" + each;
}

/// Why the algorithm cannot work on data that are stored and scaled so, or an empty string.
std::string refusal_of_algorithm(const Case& where, const Resolved& resolved) {
  const ArithmeticSpec& arithmetic = resolved.arithmetic;
  const BlockFormat* blocks = arithmetic.block_format();
  if (blocks && resolved.algorithm.works_on_parts)
    return "algorithm " + std::string(split_name(where.algorithm).name) +
           " works on parts of blocks that share a scale";
  if (blocks && blocks->joins_transforms() && !resolved.algorithm.cuts_batch.empty())
    return "algorithm " + where.algorithm + " " + resolved.algorithm.cuts_batch +
           ", so transforms of a batch cannot share scales";
  if (arithmetic.scale().is_block() && resolved.algorithm.works_on_parts)
    return "algorithm " + std::string(split_name(where.algorithm).name) +
           " works on parts of a block whose exponents differ";
  if (arithmetic.scale().scales_stages() && !resolved.algorithm.is_predictable())
    return "algorithm " + where.algorithm + " does not define its stages, so they cannot be scaled";
  return "";
}

}  // namespace

ComplexArray<double> scaled_input(const Resolved& resolved, ComplexArray<double> x) {
  return without_scale(std::move(x), std::ldexp(1.0, -resolved.arithmetic.scale().input));
}

double stage_scale(const Resolved& resolved, const TransformEntry& transform, std::size_t n) {
  if (!resolved.arithmetic.scale().scales_stages()) return 1;
  const Predictor without_tables(resolved.arithmetic, Direction::forward, {});
  return transform.predict(without_tables, resolved.algorithm, n, 1).scale();
}

double result_scale(const Resolved& resolved, std::size_t n) {
  return std::ldexp(stage_scale(resolved, resolved.transform, n),
                    resolved.transform.degree * resolved.arithmetic.scale().input);
}

ComplexArray<double> without_scale(ComplexArray<double> y, double scale) {
  if (scale == 1) return y;
  for (auto* part : {&y.re, &y.im})
    for (double& value : *part) value /= scale;
  return y;
}

namespace {

/// The transform as an algorithm computes it that takes whole ones.
template <class Real>
Transform<MachineArithmetic<Real>> whole_transform(const TransformEntry& transform,
                                                   const Resolved& resolved, std::size_t n) {
  const ItemShape shape = transform.item_shape(n);
  WholeTransform asked{.name = transform.whole_name,
                       .lengths = transform.real_output ? shape.output : shape.input,
                       .direction = transform.dft ? transform.dft->direction : Direction::forward,
                       .real_input = transform.real_input,
                       .real_output = transform.real_output,
                       .output_size = output_size(transform, n),
                       .format = resolved.arithmetic.storage_format()};
  std::size_t input_size = 1;
  for (const std::size_t length : shape.input) input_size *= length;
  return [asked = std::move(asked), input_size, whole = resolved.algorithm.whole](
             const MachineArithmetic<Real>&, ComplexArray<Real> x) {
    return converted<Real>(whole(asked, x.size() / input_size, converted<double>(x)));
  };
}

}  // namespace

std::string inapplicable(const Case& where, const Resolved& resolved) {
  const TransformEntry& transform = resolved.transform;
  const AlgorithmEntry& algorithm = resolved.algorithm;
  if (algorithm.whole && transform.takes_fft && transform.whole_name.empty())
    return "programs are not asked for " + where.transform + ", which is made of FFTs";
  const bool is_fft = algorithm.kind == AlgorithmKind::fft;
  if (!(is_fft ? transform.takes_fft : algorithm.name == transform.kernel)) {
    std::string means = transform.takes_fft ? "an FFT" : "";
    if (!transform.kernel.empty())
      means += (means.empty() ? "algorithm " : " or algorithm ") + transform.kernel;
    return where.transform + " is carried out by " + means + ", not by " + where.algorithm;
  }
  if (resolved.arithmetic.refinement_steps() > 0 && transform.inverse.empty())
    return where.transform + " has no inverse, and mode " + where.mode + " refines by it";
  if (resolved.arithmetic.refinement_steps() > 0 && !transform.unrefined.empty())
    return transform.unrefined;
  if (std::string reason = algorithm.inapplicable(resolved.mode, where.tables); !reason.empty())
    return reason;
  if (!resolved.refused.empty()) return resolved.refused;
  if (std::string reason = refusal_of_mode(resolved); !reason.empty()) return reason;
  if (std::string reason = refusal_of_algorithm(where, resolved); !reason.empty()) return reason;
  return transform.unsupported(algorithm, where.n);
}

Predictor predictor(const Case& where, const Resolved& resolved) {
  TableSource source{resolved.tables.roots, resolved.exact.roots,    where.tables == exact_tables,
                     resolved.error_bound,  resolved.tables.windows, resolved.exact.windows};
  return Predictor(resolved.arithmetic, Direction::forward, std::move(source));
}

ErrorModel predict_transform(const TransformEntry& transform, const Predictor& predictor,
                             const AlgorithmEntry& algorithm, std::size_t n, std::size_t batch) {
  const ArithmeticSpec& arithmetic = predictor.arithmetic();
  if (!arithmetic.shares_scales())
    return predictor.whole(transform.predict(predictor, algorithm, n, batch));
  const std::size_t line = transform.item_shape(n).output.back();
  return predictor.on_lines(line, batch * output_size(transform, n) / line)
      .whole(transform.predict(predictor, algorithm, n, batch));
}

ErrorModel costs_alone(const Resolved& resolved, std::size_t n, std::size_t batch) {
  return predict_transform(resolved.transform,
                           Predictor(resolved.arithmetic, Direction::forward, {}),
                           resolved.algorithm, n, batch);
}

namespace {

ArithmeticSpec residual_arithmetic(const ArithmeticSpec& arithmetic) {
  if (!arithmetic.accurate_residual()) return arithmetic;
  return arithmetic.in_mode(mode_named("fp32"));
}

/// Why the case has no meaning, even if only its stages show it.
std::string reason_against(const Case& where, const Resolved& resolved) {
  try {
    return fftprec::inapplicable(where, resolved);
  } catch (const NotApplicable& reason) {
    return reason.what();
  }
}

double operations_of(const ErrorModel& prediction) {
  const OperationCounts operations = prediction.cost.operations;
  return static_cast<double>(operations.multiplications + operations.additions);
}

}  // namespace

class CasePlan::Shared {
 public:
  Shared(Case where, Resolved resolved, std::shared_ptr<CaseNames> names,
         std::shared_ptr<SharedTransforms> transforms)
      : where_(std::move(where)),
        resolved_(std::move(resolved)),
        inverse_(resolved_.transform.inverse.empty()
                     ? nullptr
                     : names->transform(resolved_.transform.inverse)),
        residual_(residual_arithmetic(resolved_.arithmetic)),
        inapplicable_(reason_against(where_, resolved_)),
        names_(std::move(names)),
        shared_transforms_(std::move(transforms)) {}

  const Case& where() const { return where_; }
  const Resolved& resolved() const { return resolved_; }
  const TransformEntry* inverse() const { return inverse_.get(); }
  const ArithmeticSpec& residual() const { return residual_; }
  const std::string& inapplicable() const { return inapplicable_; }

  struct OfInput {
    std::shared_ptr<Case> names;
    std::shared_ptr<const Input> input;
  };
  /// The names with this input. Cases that differ only in batch and seed share them.
  OfInput of_input(const std::string& name) const {
    const std::scoped_lock lock(mutex_);
    OfInput& of = inputs_[name];
    if (!of.names) {
      Case names = where_;
      names.input = name;
      of = {std::make_shared<Case>(std::move(names)), names_->input(name)};
    }
    return of;
  }

  std::shared_ptr<PlanTransforms> transforms() const {
    const std::scoped_lock lock(mutex_);
    if (auto held = transforms_.lock()) return held;
    auto made = with_type(resolved_.arithmetic.type(), []<class Real>(Real) {
      return std::make_shared<PlanTransforms>(std::in_place_type<PlanTransforms::Of<Real>>);
    });
    transforms_ = made;
    return made;
  }

  template <class Real>
  TransformOf<Real> transform(Way way, Steps steps, Isa isa) const {
    const bool inverse = way == Way::inverse;
    if (inverse && (!inverse_ || !inverse_->unsupported(resolved_.algorithm, where_.n).empty()))
      return nullptr;
    const TransformEntry& transform = inverse ? *inverse_ : resolved_.transform;
    const bool own = steps == Steps::own;
    const std::shared_ptr<PlanTransforms> held = transforms();
    auto& slot = held->slot<Real>(way, steps);
    const std::scoped_lock lock(slot.mutex);
    if (slot.transform) return slot.transform;
    Case decides = where_;
    decides.transform = transform.name;
    if (!own) decides.mode = residual_.mode();
    slot.transform = shared_transforms_->get<Real>(plan_key(decides), [&] {
      // Random bits that the tables take are their own: cases share them that did not make them.
      const MachineArithmetic<Real> maker(own ? resolved_.arithmetic : residual_, isa);
      return std::make_shared<const Transform<MachineArithmetic<Real>>>(
          resolved_.algorithm.whole ? whole_transform<Real>(transform, resolved_, where_.n)
                                    : transform.make.in<MachineArithmetic<Real>>()(
                                          maker, resolved_.algorithm, where_.n, resolved_.tables));
    });
    return slot.transform;
  }

  template <class Real>
  MachineArithmetic<Real> arithmetic(Steps steps, Isa isa) const {
    return transforms()->arithmetic<Real>(
        steps, steps == Steps::own ? resolved_.arithmetic : residual_, isa);
  }

  /// What depends on the batch alone.
  struct OfBatch {
    std::shared_ptr<const ErrorModel> prediction{};
    std::shared_ptr<const ErrorModel> whole{};  ///< without a rounding of the input
    std::shared_ptr<const ErrorModel> whole_of_rounded{};
    std::shared_ptr<const ErrorModel> costs{};
    std::shared_ptr<const ErrorModel> residual{};
    std::optional<EmulationCost> emulation{};
  };
  /// The member, made by make() when it is first asked for. make() may ask for others.
  template <class Member, class Make>
  Member kept(Member OfBatch::*member, std::size_t batch, Make make) const {
    std::unique_lock lock(model_mutex_);
    Member& value = batches_[batch].*member;
    if (value) return value;
    lock.unlock();
    Member made = make();
    lock.lock();
    if (!value) value = std::move(made);
    return value;
  }
  template <class Predict>
  std::shared_ptr<const ErrorModel> model(std::shared_ptr<const ErrorModel> OfBatch::*member,
                                          std::size_t batch, Predict predict) const {
    return kept(member, batch, [&] { return std::make_shared<const ErrorModel>(predict()); });
  }

  double fixed_means(bool input_rounded) const {
    const ArithmeticSpec& arithmetic = resolved_.arithmetic;
    const Rounding casts = arithmetic.machine().casts;
    const bool cuts = casts == Rounding::rd || casts == Rounding::ru;
    if (arithmetic.stores().in_passes()) return cuts ? unknown : 0;  // ties are rare there
    if (!cuts && casts != Rounding::rnu) return 0;
    const double of_input = storage_theory(arithmetic)->absolute(many_bits).mean;
    const std::scoped_lock lock(model_mutex_);
    std::optional<double>& kept = fixed_means_[input_rounded ? 1 : 0];
    if (!kept)
      with_type(arithmetic.type(), [&]<class Real>(Real) {
        if constexpr (!std::is_same_v<Real, FloatPair>) {
          const Isa isa = best_isa();
          const MachineArithmetic<Real> means(arithmetic,
                                              of_means(kernel_set<Real>(arithmetic, isa)));
          ComplexArray<Real> x(where_.n);
          if (input_rounded)
            for (auto* part : {&x.re, &x.im})
              std::fill(part->begin(), part->end(), static_cast<Real>(of_input));
          const auto y = (*transform<Real>(Way::forward, Steps::own, isa))(means, std::move(x));
          kept = square(truth::l2_norm(converted<double>(y))) / static_cast<double>(where_.n);
        }
      });
    return *kept;
  }

  EmulationCost emulation(std::size_t batch) const {
    constexpr double ns_to_skip =
        1e3;  // of a case that is told apart at once as one without meaning
    constexpr double ns_per_operation = 0.3;
    constexpr double ns_per_entry = 20;
    constexpr double bytes_per_element = 64;  // complex doubles: input, result, truth in two words
    constexpr double bytes_per_entry = 8;
    // Means of 54 programs, with their starts and what some compile for each length.
    constexpr double ns_per_request = 2e7;
    constexpr double ns_per_element_sent = 600;
    const double elements = static_cast<double>(where_.n) * static_cast<double>(batch);
    const EmulationCost without_tables{3e4 + 50 * elements, 0, truth_ns(batch),
                                       bytes_per_element * elements};
    EmulationCost skipped = without_tables;
    skipped.run_ns = ns_to_skip;
    if (!inapplicable_.empty()) return skipped;
    if (resolved_.algorithm.whole) {
      EmulationCost asked = without_tables;
      asked.run_ns += ns_per_request + ns_per_element_sent * elements;
      return asked;
    }
    if (!resolved_.algorithm.is_predictable()) return without_tables;
    const std::optional<ErrorModel> costs = costs_of(resolved_, batch);
    if (!costs) return skipped;
    const double transforms = inverse_ ? 2 : 1;
    const double entries = static_cast<double>(costs->table_entries);
    return {without_tables.run_ns + ns_per_operation * operations_of(*costs),
            transforms * ns_per_entry * entries, without_tables.truth_ns,
            without_tables.least_bytes + bytes_per_entry * entries};
  }

 private:
  /// Empty if the case has no meaning.
  std::optional<ErrorModel> costs_of(const Resolved& resolved, std::size_t batch) const {
    try {
      return costs_alone(resolved, where_.n, batch);
    } catch (const NotApplicable&) {
      return std::nullopt;
    }
  }

  double truth_ns(std::size_t batch) const {
    return names_->truth_ns({where_.transform, where_.n, batch},
                            [&] { return estimated_truth_ns(batch); });
  }

  /// A vectorised FFT in double-double, or a kernel.
  double estimated_truth_ns(std::size_t batch) const {
    constexpr double ns_for_any = 5e4;
    constexpr double ns_per_operation = 1.5;
    constexpr double ns_per_operation_of_kernel = 0.04;  // sums of products, without a transform
    const TransformEntry& transform = resolved_.transform;
    Case plain{.transform = where_.transform, .n = where_.n};
    plain.algorithm = !transform.takes_fft            ? transform.kernel
                      : std::has_single_bit(where_.n) ? "radix2-dit"
                                                      : "bluestein";
    const Resolved of_truth = names_->resolve(plain);
    if (!reason_against(plain, of_truth).empty()) return ns_for_any;
    const std::optional<ErrorModel> costs = costs_of(of_truth, batch);
    if (!costs) return ns_for_any;
    return ns_for_any + operations_of(*costs) *
                            (transform.takes_fft ? ns_per_operation : ns_per_operation_of_kernel);
  }

  const Case where_;  ///< its batch, input and seed are not read
  const Resolved resolved_;
  const std::shared_ptr<const TransformEntry> inverse_;
  const ArithmeticSpec residual_;
  const std::string inapplicable_;
  const std::shared_ptr<CaseNames> names_;
  const std::shared_ptr<SharedTransforms> shared_transforms_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, OfInput> inputs_;
  mutable std::weak_ptr<PlanTransforms> transforms_;
  mutable std::mutex model_mutex_;
  mutable std::map<std::size_t, OfBatch> batches_;
  mutable std::array<std::optional<double>, 2> fixed_means_{};
};

const Resolved& CasePlan::resolved() const { return shared_->resolved(); }
const TransformEntry* CasePlan::inverse() const { return shared_->inverse(); }
const ArithmeticSpec& CasePlan::residual() const { return shared_->residual(); }
const std::string& CasePlan::inapplicable() const { return shared_->inapplicable(); }
std::shared_ptr<PlanTransforms> CasePlan::transforms() const { return shared_->transforms(); }

template <class Real>
TransformOf<Real> CasePlan::transform(Way way, Steps steps, Isa isa) const {
  return shared_->transform<Real>(way, steps, isa);
}

template <class Real>
MachineArithmetic<Real> CasePlan::arithmetic(Steps steps, Isa isa) const {
  return shared_->arithmetic<Real>(steps, isa);
}

template MachineArithmetic<float> CasePlan::arithmetic<float>(Steps, Isa) const;
template MachineArithmetic<double> CasePlan::arithmetic<double>(Steps, Isa) const;
template MachineArithmetic<FloatPair> CasePlan::arithmetic<FloatPair>(Steps, Isa) const;
template TransformOf<float> CasePlan::transform<float>(Way, Steps, Isa) const;
template TransformOf<double> CasePlan::transform<double>(Way, Steps, Isa) const;
template TransformOf<FloatPair> CasePlan::transform<FloatPair>(Way, Steps, Isa) const;

std::shared_ptr<const ErrorModel> CasePlan::prediction() const {
  return shared_->model(&Shared::OfBatch::prediction, batch(), [&] {
    return predict_transform(resolved().transform, predictor(shared_->where(), resolved()),
                             resolved().algorithm, n(), batch());
  });
}

std::shared_ptr<const ErrorModel> CasePlan::whole_prediction(
    bool input_rounded, const std::function<ErrorModel()>& make) const {
  return shared_->model(
      input_rounded ? &Shared::OfBatch::whole_of_rounded : &Shared::OfBatch::whole, batch(), make);
}

std::shared_ptr<const ErrorModel> CasePlan::costs() const {
  return shared_->model(&Shared::OfBatch::costs, batch(),
                        [&] { return costs_alone(resolved(), n(), batch()); });
}

std::shared_ptr<const ErrorModel> CasePlan::residual_prediction() const {
  return shared_->model(&Shared::OfBatch::residual, batch(), [&] {
    Resolved back = resolved();
    back.arithmetic = residual();
    return predict_transform(*inverse(), predictor(shared_->where(), back), resolved().algorithm,
                             n(), batch());
  });
}

double CasePlan::fixed_means(bool input_rounded) const {
  return shared_->fixed_means(input_rounded);
}

EmulationCost CasePlan::cost() const {
  return *shared_->kept(&Shared::OfBatch::emulation, batch(),
                        [&] { return std::optional(shared_->emulation(batch())); });
}

std::string refusal(const CasePlan& plan) {
  const std::string& reason = plan.inapplicable();
  const Resolved& resolved = plan.resolved();
  if (reason.empty() || reason != resolved.transform.unsupported(resolved.algorithm, plan.n()))
    return reason;
  std::string takers;
  Resolved other = resolved;
  for (const std::string& name : algorithm_names()) {
    other.algorithm = algorithm_named(name);
    if (inapplicable(plan.where(), other).empty()) takers += (takers.empty() ? "" : ", ") + name;
  }
  return takers.empty() ? reason
                        : reason + "; what takes n = " + std::to_string(plan.n()) + ": " + takers;
}

void check_applicable(const CasePlan& plan) {
  if (const std::string reason = refusal(plan); !reason.empty()) throw NotApplicable(reason);
}

namespace {

Problem problem_of(const TransformEntry& transform, const Input& input, std::size_t n,
                   std::size_t batch, std::uint64_t seed, const truth::TruthOptions& options) {
  Problem problem;
  problem.input = transform.make_input(input, n, batch, seed);
  problem.truth = transform.truth(problem.input, n, batch, options);
  return problem;
}

void check_numbers(const Case& where) {
  require(where.n >= 1, "n = 0: a transform needs at least one element");
  require(where.batch >= 1, "batch = 0: a case needs at least one transform");
}

}  // namespace

Problem make_problem(const CasePlan& plan, const truth::TruthOptions& options) {
  return problem_of(plan.resolved().transform, plan.input(), plan.n(), plan.batch(),
                    plan.where().seed(), options);
}

Problem make_problem(const ProblemKey& key, const truth::TruthOptions& options) {
  Session session;
  const auto transform = session.transform(key.transform);
  require(key.n >= 1, "make_problem: n = 0");
  return problem_of(*transform, *session.input(key.input), key.n, key.batch, key.seed, options);
}

Session::Session()
    : files_(file_memory()),
      names_(std::make_shared<CaseNames>(files_)),
      transforms_(std::make_shared<SharedTransforms>()) {}

std::shared_ptr<const TransformEntry> Session::transform(const std::string& name) {
  return names_->transform(name);
}

std::shared_ptr<const Input> Session::input(const std::string& name) { return names_->input(name); }

void Session::check_names(const Case& where) {
  names_->transform(where.transform);
  names_->algorithm(where.algorithm);
  names_->arithmetic(where);
  names_->source(where.tables);
  names_->input(where.input);
  check_numbers(where);
}

std::uint64_t Session::lookups() const { return names_->lookups(); }

std::shared_ptr<const CasePlan::Shared> Session::shared_of(const Case& where) {
  const std::scoped_lock lock(mutex_);
  forget(shared_, most_, [](const auto& kept) { return kept.expired(); });
  std::weak_ptr<const CasePlan::Shared>& kept = shared_[plan_key(where)];
  if (auto shared = kept.lock()) return shared;
  // Not by make_shared: what only expired pointers remember takes no memory.
  const std::shared_ptr<const CasePlan::Shared> made(
      new CasePlan::Shared(where, names_->resolve(where), names_, transforms_));
  kept = made;
  return made;
}

CasePlan Session::plan(const Case& where) {
  check_numbers(where);
  auto shared = shared_of(where);
  auto of = shared->of_input(where.input);
  return {std::move(shared), std::move(of.input),
          SharedCase(std::move(of.names), where.batch, where.seed)};
}

std::vector<CasePlan> Session::plan(std::span<const Case> cases) {
  std::vector<CasePlan> plans;
  plans.reserve(cases.size());
  for (const Case& where : cases) {
    const bool same = &where != cases.data() && same_names(where, *(&where - 1));
    plans.push_back(same && where.batch >= 1 ? plan(plans.back(), where.batch, where.seed)
                                             : plan(where));
  }
  return plans;
}

CasePlan Session::plan(CasePlan other, std::uint64_t batch, std::uint64_t seed) {
  other.where_.set(&Case::batch, batch);
  other.where_.set(&Case::seed, seed);
  return other;
}

CasePlan Session::plan(const Case& where, AlgorithmEntry algorithm) {
  check_numbers(where);
  Session own;
  Case known = where;
  known.algorithm = Case{}.algorithm;
  Resolved resolved = own.names_->resolve(known);
  resolved.algorithm = std::move(algorithm);
  const auto shared = std::make_shared<const CasePlan::Shared>(where, std::move(resolved),
                                                               own.names_, own.transforms_);
  auto of = shared->of_input(where.input);
  return {shared, std::move(of.input), SharedCase(std::move(of.names), where.batch, where.seed)};
}

}  // namespace fftprec
