#include "experiments/identify/identify.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/real.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::identify {

namespace {

bool same_value(float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); }

bool same_bits(float x, float y) {
  return same_value(x, y) && (x != 0 || std::signbit(x) == std::signbit(y));
}

/// Whether these products can show the value of a parameter.
bool is_visible(ShownBy shown_by, const Operands& operands, const Format& results) {
  switch (shown_by) {
    case ShownBy::products:
      return true;
    case ShownBy::fp32_operands:
      return operands.a == fp32;
    case ShownBy::equal_operands:
      return operands.a == operands.b;
    case ShownBy::narrowed_results:
      return results != fp32;
    case ShownBy::nothing:
      return false;
  }
  return false;
}

/// Whole numbers of a range: all up to 64, then fewer and fewer.
std::vector<std::string> numbers_in(const WholeRange& range) {
  std::vector<std::string> numbers;
  const auto last = static_cast<std::int64_t>(std::min<std::uint64_t>(range.most, 4096));
  const auto step_at = [](std::int64_t number) {
    return number < 64 ? 1 : number < 128 ? 4 : number < 1024 ? 8 : 64;
  };
  for (std::int64_t number = range.least; number <= last; number += step_at(number))
    numbers.push_back(std::to_string(number));
  return numbers;
}

/// Named formats, and fp32's exponents with any number of significand bits up to fp32's.
std::vector<std::string> formats() {
  std::vector<std::string> names;
  for (const NamedFormat& named : named_formats())
    if (named.format.precision <= fp32.precision) names.emplace_back(named.name);
  for (int precision = 4; precision < fp32.precision; ++precision) {
    const std::string name = to_string(Format{precision, fp32.emin, fp32.emax});
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// The narrowest format that holds every output: to which the device rounds results, or its sums.
Format format_of_results(const std::vector<Answer>& answers) {
  Format narrowest = fp32;
  for (const std::string& name : formats()) {
    const Format format = format_named(name);
    const auto holds = [&](float d) {
      const double x = static_cast<double>(d);
      return std::isnan(x) || round(x, format, Rounding::rne) == x;
    };
    if (format.precision < narrowest.precision &&
        std::ranges::all_of(
            answers, [&](const Answer& answer) { return std::ranges::all_of(answer.d, holds); }))
      narrowest = format;
  }
  return narrowest;
}

/// What a parameter may be; random bits do not repeat.
std::vector<std::string> values_of(const MachineParameter& parameter) {
  std::vector<std::string> values = parameter.values.names;
  std::erase(values, name_of(Rounding::sr));
  const auto add = [&values](std::vector<std::string> more) {
    values.insert(values.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  };
  if (parameter.values.range) add(numbers_in(*parameter.values.range));
  if (parameter.values.any_format) add(formats());
  return values;
}

/// A parameter and what the search tries for it.
struct Axis {
  const MachineParameter* parameter;
  std::vector<std::string> values;
  std::vector<std::string> likely{};  ///< words, and numbers that a preset has
};

/// The machine's unit for the operands alone, or its units for each: its text has no list of units.
Machine one_unit(const Machine& machine, const Operands& operands) {
  const Format wanted =
      operands.a != fp32 ? operands.a : unit_operands(fp32_passes(machine.fp32_matmul).operands);
  Machine one = machine;
  std::erase_if(one.units, [&](const AccumulatorModel& unit) {
    return unit.operands != wanted && (operands.a == operands.b || unit.operands != operands.b);
  });
  return one;
}

bool takes(const Machine& machine, const Operands& operands) {
  if (operands.a == operands.b) return !one_unit(machine, operands).units.empty();
  try {
    accumulator_for(machine, operands.a, operands.b);
    return true;
  } catch (const NotApplicable&) {
    return false;
  }
}

/// The rules by which a machine multiplies these operands, as text.
std::string rules_text(const Machine& machine, const Operands& operands) {
  const Machine one = one_unit(machine, operands);
  std::string text;
  for (const MachineParameter& parameter : machine_parameters()) text += parameter.text(one) + '\n';
  return text;
}

/// Whether two machines multiply these operands by equal rules.
bool same_rules(const Machine& x, const Machine& y, const Operands& operands) {
  return one_unit(x, operands) == one_unit(y, operands);
}

std::vector<Axis> axes_for(const Operands& operands, const Format& results) {
  std::vector<Axis> axes;
  for (const MachineParameter& parameter : machine_parameters()) {
    if (!is_visible(parameter.shown_by, operands, results)) continue;
    Axis axis{&parameter, values_of(parameter)};
    if (axis.values.size() < 2) continue;
    std::set<std::string> used;
    for (const Machine& preset : machines())
      if (takes(preset, operands)) used.insert(parameter.text(one_unit(preset, operands)));
    for (const std::string& value : axis.values) {
      const bool is_word = value.find_first_of("(-0123456789") != 0 && !value.starts_with("custom");
      if (is_word || used.contains(value)) axis.likely.push_back(value);
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

using Settings = std::vector<std::pair<const MachineParameter*, std::string>>;

/// The machine with these parameters set, if that can be; some alone may be invalid: order=aligned
/// before block=8.
std::optional<Machine> with(const Machine& machine, const Settings& settings) {
  Machine made = machine;
  try {
    for (const auto& [parameter, value] : settings) parameter->set(made, value);
    validate(made);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return made;
}

/// With what every preset is tried as well, since it changes all outputs at once: every way of
/// passing fp32 operands, and every way of rounding results to that format, at the end or in every
/// sum.
std::vector<Settings> starting_settings(const std::vector<Axis>& axes, const Format& results) {
  std::vector<Settings> all;
  const auto axis_of = [&](std::string_view key) -> const Axis& {
    return *std::ranges::find_if(axes,
                                 [&](const Axis& axis) { return axis.parameter->key == key; });
  };
  for (const Axis& axis : axes)
    for (const std::string& value : axis.values)
      if (axis.parameter->key == "fp32_matmul") all.push_back({{axis.parameter, value}});
  if (results == fp32) return all;
  for (const auto& [format, rounding] :
       {std::pair{"eviction", "casts"}, {"accumulate.format", "accumulate.rounding"}})
    for (const std::string& value : axis_of(rounding).values)
      all.push_back(
          {{axis_of(format).parameter, to_string(results)}, {axis_of(rounding).parameter, value}});
  return all;
}

/// Which outputs are compared: a few of the smallest k; some of every k; all of the smallest k and
/// some of the others; all.
enum class Effort { shallow, light, wide, full };

/// Outputs that a machine misses: one value counts for more than any number of signs of zeros.
struct Count {
  std::size_t values = 0;
  std::size_t signs = 0;  ///< of zeros

  static constexpr Count all() { return {~std::size_t{0}, 0}; }
  void add(float machine, float device) {
    const bool same = same_value(machine, device);
    values += !same;
    signs += same && !same_bits(machine, device);
  }
  Count& operator+=(const Count& other) {
    values += other.values;
    signs += other.signs;
    return *this;
  }
  friend auto operator<=>(const Count&, const Count&) = default;
};

struct Missed {
  Count total{};
  std::vector<Count> by_answer{};  ///< of those that have been looked at
};

constexpr std::size_t most_counterexamples = 4;  ///< rows of a batch; probes have 8 at least

/// The answers, and how many of their outputs a machine misses.
class Judge {
 public:
  static constexpr std::array efforts = {Effort::shallow, Effort::light, Effort::full};
  using Limits = std::array<Count, efforts.size()>;

  Judge(const std::vector<Answer>& answers, const IdentifyOptions& options)
      : answers_(answers),
        operands_(options.operands),
        threads_(options.threads),
        most_products_(options.most_products) {
    smallest_ = answers.front().batch.k;
    for (const Answer& answer : answers) smallest_ = std::min(smallest_, answer.batch.k);
  }

  const Operands& operands() const { return operands_; }

  /// Whether the search, or what decides after it, has multiplied as much as it may. Same with any
  /// number of threads where no thread is at work.
  bool is_spent() const { return products_ > most_products_; }
  /// The same where so much is missed: signs of zeros are worth half of the work.
  bool is_spent_on(const Count& missed) const {
    return products_ > (missed.values == 0 ? most_products_ / 2 : most_products_);
  }
  bool is_done(const Count& missed) const { return missed == Count{} || is_spent_on(missed); }
  void begin_deciding() { products_ = 0; }

  /// work(i) for i < count, on all threads.
  template <class Work>
  void for_each(std::size_t count, Work work) const {
    truth::in_parallel(
        count, threads_, [] { return 0; }, [&](int, std::size_t i) { work(i); });
  }

  /// Stops counting at `limit`. Answers of which `before`, a machine much like this one, misses
  /// most for the products that they cost come first.
  Missed missed(const Machine& machine, Effort effort, Count limit = Count::all(),
                const Missed& before = {}) const {
    Missed missed{{}, std::vector<Count>(answers_.size())};
    for (const std::size_t at : order_after(before)) {
      const Answer& answer = answers_[at];
      const Batch& batch = answer.batch;
      const bool small = batch.k == smallest_;
      if (effort == Effort::shallow && !small) continue;
      Part part;
      if (effort < (small ? Effort::wide : Effort::full) && batch.m > most_counterexamples) {
        // Families repeat with even periods: an odd step meets all of them.
        const std::size_t rows = small || batch.m <= 8 ? 8 : 3;
        part.row_step = std::max<std::size_t>(batch.m / rows, 1) | 1;
        part.columns = std::min<std::size_t>(batch.n, effort == Effort::shallow ? 4 : 8);
      }
      const std::vector<float> d = product_on(machine, operands_, batch, part);
      products_ += d.size() * batch.k;
      const std::size_t columns = part.columns == 0 ? batch.n : part.columns;
      for (std::size_t i = 0; i < d.size(); ++i)
        missed.by_answer[at].add(d[i],
                                 answer.d[i / columns * part.row_step * batch.n + i % columns]);
      missed.total += missed.by_answer[at];
      if (missed.total >= limit) break;
    }
    return missed;
  }

  /// Where two machines differ in a batch.
  std::size_t differing(const Machine& x, const Machine& y, const Batch& batch) const {
    const std::vector<float> left = product_on(x, operands_, batch);
    const std::vector<float> right = product_on(y, operands_, batch);
    products_ += 2 * left.size() * batch.k;
    return static_cast<std::size_t>(std::transform_reduce(
        left.begin(), left.end(), right.begin(), std::ptrdiff_t{0}, std::plus<>(),
        [](float a, float b) { return std::ptrdiff_t{!same_bits(a, b)}; }));
  }

  /// Whether the machine misses nothing; or no value, and no more signs than `limits`.
  bool fits(const Machine& machine, Effort most = Effort::full, const Limits& limits = {}) const {
    for (std::size_t i = 0; i < efforts.size() && efforts[i] <= most; ++i)
      if (missed(machine, efforts[i], {0, limits[i].signs + 1}).total > limits[i]) return false;
    return true;
  }
  /// What the machine misses in each effort.
  Limits limits_of(const Machine& machine) const {
    Limits limits;
    for (std::size_t i = 0; i < efforts.size(); ++i) limits[i] = missed(machine, efforts[i]).total;
    return limits;
  }

 private:
  std::vector<std::size_t> order_after(const Missed& before) const {
    std::vector<std::size_t> order(answers_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto cost_of = [&](std::size_t missed_by, std::size_t other) {
      const Count& count = before.by_answer[missed_by];
      const std::size_t k = answers_[other].batch.k;
      return Count{count.values * k, count.signs * k};
    };
    if (!before.by_answer.empty())
      std::ranges::stable_sort(
          order, [&](std::size_t x, std::size_t y) { return cost_of(x, y) > cost_of(y, x); });
    return order;
  }

  const std::vector<Answer>& answers_;
  Operands operands_;
  unsigned threads_;
  std::uint64_t most_products_;
  std::size_t smallest_;
  mutable std::atomic<std::uint64_t> products_ = 0;
};

/// A machine on the way of the search.
struct State {
  Machine machine;
  Missed missed{};
  std::size_t settings = 0;
};

/// Looks for machines that miss nothing: climbs from every machine that it starts from, one setting
/// at a time; where no single setting helps, two at once. Signs of zeros decide between machines
/// that miss as many values.
class Search {
 public:
  Search(const Judge& judge, const std::vector<Axis>& axes) : judge_(judge), axes_(axes) {}

  /// The best machines: first those without a wrong output, then those with the fewest settings.
  std::vector<State> run(std::vector<State> states, Effort effort) {
    tried_.clear();
    expanded_.clear();
    for (State& state : states) state.missed = judge_.missed(state.machine, effort);
    std::ranges::stable_sort(states, is_better);
    // Presets that compute the same start one climb, and leave room for others.
    const auto same = [](const State& x, const State& y) {
      return x.missed.total > Count{} && x.missed.by_answer == y.missed.by_answer;
    };
    states.erase(std::unique(states.begin(), states.end(), same), states.end());
    if (states.size() > most_starts) states.resize(most_starts);
    std::vector<State> tops;
    for (State& state : states) {
      for (State& top : climbed({std::move(state)}, effort)) tops.push_back(std::move(top));
      keep_best(tops);
      if (judge_.is_done(tops.front().missed.total)) return tops;
    }
    if (std::vector<State> found = pairs(tops.front(), effort); !found.empty()) {
      keep_best(found);
      for (State& top : climbed(std::move(found), effort)) tops.push_back(std::move(top));
      keep_best(tops);
    }
    return tops;
  }

 private:
  static constexpr std::size_t most_starts = 10;
  static constexpr std::size_t width = 6;  ///< states that a climb keeps

  static bool is_better(const State& x, const State& y) {
    return std::pair(x.missed.total, x.settings) < std::pair(y.missed.total, y.settings);
  }

  std::vector<State> climbed(std::vector<State> states, Effort effort) {
    while (!judge_.is_done(states.front().missed.total)) {
      std::vector<State> found = singles(states, effort);
      if (found.empty()) break;
      states.insert(states.end(), std::make_move_iterator(found.begin()),
                    std::make_move_iterator(found.end()));
      keep_best(states);
    }
    return states;
  }

  static void keep_best(std::vector<State>& states) {
    std::ranges::stable_sort(states, is_better);
    // Machines that miss as much compute the same, most of the time: one of them is enough, unless
    // they miss nothing.
    std::vector<State> kept;
    std::size_t alike = 0;
    for (State& state : states) {
      alike = !kept.empty() && kept.back().missed.total == state.missed.total ? alike + 1 : 0;
      if (alike < (state.missed.total == Count{} ? width : 1) && kept.size() < width)
        kept.push_back(std::move(state));
    }
    states = std::move(kept);
  }

  /// The state with each of these settings that are better.
  std::vector<State> better(const State& from, const std::vector<Settings>& all, Effort effort) {
    std::vector<State> found;
    constexpr std::size_t at_a_time = 256;
    for (std::size_t first = 0; first < all.size() && !judge_.is_done(from.missed.total);
         first += at_a_time) {
      std::vector<std::optional<State>> results(std::min(at_a_time, all.size() - first));
      std::vector<std::string> rules(results.size());
      judge_.for_each(results.size(), [&](std::size_t i) {
        const Settings& settings = all[first + i];
        auto changed = with(from.machine, settings);
        if (!changed || same_rules(*changed, from.machine, judge_.operands())) return;
        rules[i] = rules_text(*changed, judge_.operands());
        const auto before = tried_.find(rules[i]);
        const bool is_known = before != tried_.end() && before->second >= from.missed.total;
        Missed missed = is_known ? Missed{before->second}
                                 : judge_.missed(*changed, effort, from.missed.total, from.missed);
        results[i] = State{std::move(*changed), std::move(missed), from.settings + settings.size()};
      });
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) continue;
        tried_.insert_or_assign(std::move(rules[i]), results[i]->missed.total);
        if (results[i]->missed.total < from.missed.total) found.push_back(std::move(*results[i]));
      }
    }
    return found;
  }

  /// The better neighbours of the best state that has any. A climb that reaches a state of another
  /// climb continues from its next best, since it would end at the same machine.
  std::vector<State> singles(const std::vector<State>& states, Effort effort) {
    std::vector<Settings> all;
    for (const Axis& axis : axes_)
      for (const std::string& value : axis.values) all.push_back({{axis.parameter, value}});
    for (const State& state : states) {
      if (!expanded_.insert(rules_text(state.machine, judge_.operands())).second) continue;
      if (std::vector<State> found = better(state, all, effort); !found.empty()) return found;
    }
    return {};
  }

  std::vector<State> pairs(const State& state, Effort effort) {
    std::vector<Settings> all;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      for (const std::string& value : axes_[i].likely)
        for (std::size_t j = i + 1;
             j < axes_.size() && axes_[i].parameter->text(state.machine) != value; ++j)
          for (const std::string& other : axes_[j].likely)
            all.push_back({{axes_[i].parameter, value}, {axes_[j].parameter, other}});
    return better(state, all, effort);
  }

  const Judge& judge_;
  const std::vector<Axis>& axes_;
  /// By the rules of machines: a lower limit of the number of outputs that they miss.
  std::unordered_map<std::string, Count> tried_{};
  std::unordered_set<std::string> expanded_{};  ///< the same, if their neighbours have been tried
};

/// The settings that a preset needs to be a machine.
Settings settings_between(const Machine& preset, const Machine& machine, const Operands& operands,
                          const std::vector<Axis>& axes) {
  const Machine from = one_unit(preset, operands), to = one_unit(machine, operands);
  Settings settings;
  for (const Axis& axis : axes) {
    const std::string value = axis.parameter->text(to);
    if (value != unread && value != axis.parameter->text(from))
      settings.emplace_back(axis.parameter, value);
  }
  return settings;
}

/// Descriptions by few settings of a machine that fits, but for signs of zeros perhaps.
class Simplifier {
 public:
  Simplifier(const Machine& machine, const Judge& judge, const std::vector<Axis>& axes)
      : machine_(machine), judge_(judge), axes_(axes), limits_(judge.limits_of(machine)) {}

  /// The machine that fits as well with the fewest settings, as far as these find it: what another
  /// preset needs less those that it does not need; one setting of any preset; one in the place of
  /// two.
  Machine simplest() const {
    const Machine* base = nullptr;
    Settings fewest;
    for (const Machine& preset : machines()) {
      if (!takes(preset, judge_.operands())) continue;
      Settings settings = settings_between(preset, machine_, judge_.operands(), axes_);
      if (!fits(preset, settings)) continue;
      drop_needless(preset, settings);
      if (base && settings.size() >= fewest.size()) continue;
      base = &preset;
      fewest = std::move(settings);
    }
    if (!base) return machine_;
    for (const Machine& preset : machines()) {
      if (fewest.size() < 2 || !takes(preset, judge_.operands())) continue;
      if (auto single = with_one_more(preset, {})) {
        base = &preset;
        fewest = std::move(*single);
      }
    }
    while (fewest.size() > 2 && replace_two(*base, fewest)) continue;
    const Machine simple = *with(*base, fewest);
    return judge_.fits(simple, Effort::full, limits_) ? simple : machine_;
  }

 private:
  bool fits(const Machine& preset, const Settings& settings) const {
    const auto made = with(preset, settings);
    return made && judge_.fits(*made, Effort::light, limits_);
  }

  static Settings without(Settings settings, std::size_t at) {
    settings.erase(settings.begin() + static_cast<std::ptrdiff_t>(at));
    return settings;
  }

  void drop_needless(const Machine& preset, Settings& settings) const {
    for (std::size_t i = settings.size(); i-- > 0;)
      if (Settings less = without(settings, i); fits(preset, less)) settings = std::move(less);
  }

  /// By the first setting in the order of the table that fits.
  std::optional<Settings> with_one_more(const Machine& preset, const Settings& some) const {
    for (const Axis& axis : axes_) {
      if (judge_.is_spent()) break;
      std::vector<char> fit(axis.values.size());
      const auto more = [&](std::size_t i) {
        Settings settings = some;
        settings.emplace_back(axis.parameter, axis.values[i]);
        return settings;
      };
      judge_.for_each(fit.size(), [&](std::size_t i) { fit[i] = fits(preset, more(i)); });
      if (const auto at = std::ranges::find(fit, 1); at != fit.end())
        return more(static_cast<std::size_t>(at - fit.begin()));
    }
    return std::nullopt;
  }

  bool replace_two(const Machine& preset, Settings& settings) const {
    for (std::size_t i = settings.size(); i-- > 1;)
      for (std::size_t j = i; j-- > 0;)
        if (auto other = with_one_more(preset, without(without(settings, i), j))) {
          settings = std::move(*other);
          return true;
        }
    return false;
  }

  const Machine& machine_;
  const Judge& judge_;
  const std::vector<Axis>& axes_;
  Judge::Limits limits_;
};

/// The machine with another value of one parameter, and what it misses.
struct Tried {
  std::string value;
  Machine machine;
  Missed missed{};
};

/// What decides the values of a machine's parameters.
class Decider {
 public:
  Decider(const Machine& machine, const Judge& judge, const std::vector<Answer>& answers,
          const std::vector<Batch>& unanswered, const std::vector<Batch>& deeper)
      : machine_(machine), judge_(judge), answers_(answers), deeper_(deeper) {
    for (const auto* batches : {&unanswered, &deeper})
      for (const Batch& batch : *batches) to_ask_.push_back(&batch);
  }

  Decision decision_of(const Axis& axis) const {
    Decision decision{.key = axis.parameter->key,
                      .value = axis.parameter->text(one_unit(machine_, judge_.operands()))};
    std::vector<Tried> others;
    for (const std::string& value : axis.values)
      if (value != decision.value)
        if (auto other = with(machine_, {{axis.parameter, value}});
            other && !same_rules(*other, machine_, judge_.operands()))
          others.push_back({value, std::move(*other)});
    const Tried* nearest = nullptr;
    constexpr std::size_t at_a_time = 16;
    for (std::size_t first = 0; first < others.size(); first += at_a_time) {
      decision.stopped = judge_.is_spent();
      if (decision.stopped) break;
      const std::span<Tried> some =
          std::span(others).subspan(first, std::min(at_a_time, others.size() - first));
      const Missed before = nearest ? nearest->missed : Missed{Count::all()};
      judge_.for_each(some.size(), [&](std::size_t i) { try_out(some[i], before); });
      for (const Tried& tried : some) {
        if (tried.missed.total == Count{})
          add_open(decision, tried);
        else if (!nearest || tried.missed.total < nearest->missed.total)
          nearest = &tried;
      }
    }
    if (nearest) tell_apart(decision, *nearest);
    return decision;
  }

 private:
  /// As far as it may be nearer than one that misses `before`.
  void try_out(Tried& tried, const Missed& before) const {
    for (const Effort effort : {Effort::light, Effort::wide}) {
      tried.missed = judge_.missed(tried.machine, effort, before.total, before);
      if (tried.missed.total > Count{}) return;
    }
  }

  /// The first of the open values are the ones that more batches are asked for.
  void add_open(Decision& decision, const Tried& tried) const {
    constexpr std::size_t most_asked = 16;
    decision.open.push_back(tried.value);
    if (!decision.next.empty() || decision.open.size() > most_asked) return;
    for (const Batch* batch : to_ask_) {
      if (judge_.differing(machine_, tried.machine, *batch) == 0) continue;
      decision.next = batch->name;
      const auto is_next = [&](const Batch& each) { return &each == batch; };
      if (std::ranges::any_of(deeper_, is_next)) decision.next_k = batch->k;
      return;
    }
  }

  void tell_apart(Decision& decision, const Tried& nearest) const {
    decision.nearest = nearest.value;
    std::vector<std::size_t> counts(answers_.size());
    judge_.for_each(counts.size(), [&](std::size_t i) {
      counts[i] = judge_.differing(machine_, nearest.machine, answers_[i].batch);
    });
    decision.outputs = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const auto most = std::ranges::max_element(counts) - counts.begin();
    decision.batch = answers_[static_cast<std::size_t>(most)].batch.name;
  }

  const Machine& machine_;
  const Judge& judge_;
  const std::vector<Answer>& answers_;
  const std::vector<Batch>& deeper_;
  std::vector<const Batch*> to_ask_{};
};

/// Sums of four times as many products as in any probe.
std::vector<Batch> deeper_batches(const std::vector<Answer>& answers,
                                  const IdentifyOptions& options) {
  std::size_t deepest = 0;
  for (const Answer& answer : answers) deepest = std::max(deepest, answer.batch.k);
  for (const Batch& batch : options.unanswered) deepest = std::max(deepest, batch.k);
  if (4 * deepest > largest_probe) return {};
  std::vector<Batch> batches =
      probe_batches({.operands = options.operands, .m = 8, .n = 8, .depths = {4, 4 * deepest}});
  std::erase_if(batches, [](const Batch& batch) { return batch.k == 4; });
  return batches;
}

/// What a machine misses though it misses none of the outputs that the search looks at: some of
/// those rows of each batch, as batches of their own, which are looked at whole. Values come first.
void add_counterexamples(std::vector<Answer>& answers, const Machine& machine,
                         const Operands& operands, const Count& missed) {
  const auto same = missed.values > 0 ? same_value : same_bits;
  const std::size_t count = answers.size();
  for (std::size_t at = 0; at < count; ++at) {
    const Batch& batch = answers[at].batch;
    const std::vector<float> d = product_on(machine, operands, batch);
    Answer few{{batch.name, batch.meaning, 0, batch.n, batch.k}, {}};
    const auto row_of = [](const std::vector<float>& x, std::size_t i, std::size_t width) {
      return std::span(x).subspan(i * width, width);
    };
    const auto add = [](std::vector<float>& to, std::span<const float> row) {
      to.insert(to.end(), row.begin(), row.end());
    };
    for (std::size_t i = 0; i < batch.m && few.batch.m < most_counterexamples; ++i) {
      const std::span<const float> device = row_of(answers[at].d, i, batch.n);
      if (std::ranges::equal(row_of(d, i, batch.n), device, same)) continue;
      ++few.batch.m;
      add(few.batch.a, row_of(batch.a, i, batch.k));
      if (!batch.c.empty()) add(few.batch.c, row_of(batch.c, i, batch.n));
      add(few.d, device);
    }
    if (few.batch.m == 0) continue;
    few.batch.b = batch.b;
    answers.push_back(std::move(few));
  }
}

BatchResult compare(const Machine& machine, const Operands& operands, const Answer& answer) {
  const std::vector<float> d = product_on(machine, operands, answer.batch);
  BatchResult result{answer.batch.name, d.size()};
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (same_bits(d[i], answer.d[i])) continue;
    ++(d[i] == answer.d[i] ? result.zero_signs : result.differ);
  }
  return result;
}

/// The output (row, column) of a batch.
Failure failure_at(const Batch& batch, std::size_t row, std::size_t column, float device,
                   float machine) {
  Failure failure{
      .batch = batch.name, .row = row, .column = column, .device = device, .machine = machine};
  for (std::size_t k = 0; k < batch.k; ++k) {
    const float a = batch.a[row * batch.k + k], b = batch.b[k * batch.n + column];
    if (a != 0 && b != 0) failure.products.push_back({k, a, b});
  }
  if (!batch.c.empty()) failure.c = batch.c[row * batch.n + column];
  return failure;
}

/// The output of the fewest products in which the machine errs.
std::optional<Failure> smallest_failure(const Machine& machine, const std::vector<Answer>& answers,
                                        const Operands& operands) {
  std::optional<Failure> smallest;
  for (const Answer& answer : answers) {
    const Batch& batch = answer.batch;
    const std::vector<float> d = product_on(machine, operands, batch);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (same_bits(d[i], answer.d[i])) continue;
      Failure failure = failure_at(batch, i / batch.n, i % batch.n, answer.d[i], d[i]);
      if (!smallest || failure.products.size() < smallest->products.size())
        smallest = std::move(failure);
    }
  }
  return smallest;
}

void validate(const std::vector<Answer>& answers, const Operands& operands) {
  require(!answers.empty(), "identify: no batch has an answer");
  for (const Answer& answer : answers)
    require(answer.d.size() == answer.batch.m * answer.batch.n, "batch ", answer.batch.name,
            ": D has ", answer.d.size(), " elements, not ", answer.batch.m, " x ", answer.batch.n);
  require(std::ranges::any_of(machines(),
                              [&](const Machine& preset) { return takes(preset, operands); }),
          "no preset takes operands ", to_string(operands));
}

}  // namespace

Identification identify(const std::vector<Answer>& answers, const IdentifyOptions& options) {
  validate(answers, options.operands);
  std::vector<Answer> judged = answers;  // and what the search adds
  Judge judge(judged, options);
  const Format results = format_of_results(answers);
  const std::vector<Axis> axes = axes_for(options.operands, results);
  Identification result;
  std::vector<State> states;
  for (const Machine& preset : machines()) {
    if (!takes(preset, options.operands)) continue;
    states.push_back({preset});
    for (const Settings& settings : starting_settings(axes, results))
      if (auto made = with(preset, settings); made && takes(*made, options.operands))
        states.push_back({std::move(*made), {}, settings.size()});
    if (!judge.fits(preset)) continue;
    if (result.presets.empty()) result.machine = preset;
    result.presets.push_back(preset.name);
  }
  result.fits = !result.presets.empty();
  if (!result.fits) {
    Search search(judge, axes);
    states = search.run(std::move(states), Effort::shallow);
    constexpr int most_rounds = 8;
    bool has_values = false;
    const auto seen = [&] { return states.front().missed.total; };
    for (int round = 0; round < most_rounds && seen().values == 0; ++round) {
      states = search.run(std::move(states), Effort::light);
      has_values = false;
      if (seen().values > 0) break;
      const Count missed = judge.missed(states.front().machine, Effort::full).total;
      result.fits = missed == Count{};
      has_values = missed.values == 0;
      if (result.fits || (has_values && seen().signs > 0)) break;
      add_counterexamples(judged, states.front().machine, options.operands, missed);
    }
    result.stopped = !result.fits && judge.is_spent_on({has_values ? 0u : 1u, 1});
    result.machine = states.front().machine;
    if (has_values) result.machine = Simplifier(states.front().machine, judge, axes).simplest();
    result.machine.name = canonical_name(result.machine);
    result.machine = machine_named(result.machine.name);
  }
  for (const Machine& preset : machines())
    if (result.presets.empty() && takes(preset, options.operands) &&
        std::ranges::all_of(answers, [&](const Answer& answer) {
          return compare(preset, options.operands, answer).differ == 0;
        }))
      result.up_to_sign.push_back(preset.name);
  for (const Answer& answer : answers)
    result.batches.push_back(compare(result.machine, options.operands, answer));
  if (!result.fits)
    result.failure = smallest_failure(result.machine, answers, options.operands);
  else if (options.decide) {
    const std::vector<Batch> deeper = deeper_batches(answers, options);
    judge.begin_deciding();
    const Decider decider(result.machine, judge, answers, options.unanswered, deeper);
    for (const Axis& axis : axes) result.decisions.push_back(decider.decision_of(axis));
    if (result.machine.eviction == fp32)
      std::erase_if(result.decisions, [](const Decision& each) { return each.key == "casts"; });
  }
  return result;
}

std::vector<std::vector<std::string>> preset_groups(const Operands& operands,
                                                    const std::vector<Batch>& batches) {
  std::vector<std::vector<std::string>> groups;
  std::vector<std::vector<std::uint32_t>> outputs;
  for (const Machine& preset : machines()) {
    if (!takes(preset, operands)) continue;
    std::vector<std::uint32_t> bits;
    for (const Batch& batch : batches)
      for (const float d : product_on(preset, operands, batch))
        bits.push_back(std::isnan(d) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(d));
    const auto found = std::ranges::find(outputs, bits);
    const auto at = static_cast<std::size_t>(found - outputs.begin());
    if (found == outputs.end()) {
      outputs.push_back(std::move(bits));
      groups.emplace_back();
    }
    groups[at].push_back(preset.name);
  }
  return groups;
}

namespace {

std::string binary_text(mpfr_srcptr x) {
  char* digits = nullptr;
  mpfr_asprintf(&digits, "%Rb", x);
  std::string text = digits;
  mpfr_free_str(digits);
  return text;
}

}  // namespace

std::string binary(double x) { return binary_text(truth::Real(x, 53)); }

std::string exact_sum(const Failure& failure) {
  constexpr mpfr_prec_t wide = 1024;  // products lie in 2^-298..2^256
  truth::Real sum(failure.c ? static_cast<double>(*failure.c) : 0.0, wide);
  for (const Failure::Product& each : failure.products)
    mpfr_add_d(sum, sum, static_cast<double>(each.a) * static_cast<double>(each.b), MPFR_RNDN);
  return binary_text(sum);
}

}  // namespace fftprec::identify
