#include "experiments/identify/fft_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/identify/fft_candidates.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/testing/measure_result.hpp"

namespace fftprec::identify {

namespace {

constexpr double no_meaning = std::numeric_limits<double>::infinity();

/// Rows `first` to first + count - 1.
ComplexArray<double> rows_of(const ComplexArray<double>& x, std::size_t n, std::size_t first,
                             std::size_t count) {
  return part_of(x, first * n, count * n);
}

/// Of the shortest significand that holds x.
int significant_bits(double x) {
  int exponent = 0;
  const auto significand =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  return significand == 0 ? 0 : 53 - std::countr_zero(significand);
}

int bits_of(const ComplexArray<double>& y) {
  int bits = 0;
  for (const auto* part : {&y.re, &y.im})
    for (const double value : *part) bits = std::max(bits, significant_bits(value));
  return bits;
}

void round_to(const Format& format, ComplexArray<double>& y) {
  for (auto* part : {&y.re, &y.im}) round(std::span<double>(*part), format);
}

/// The narrowest of the usual formats that holds all numbers.
Format format_of(std::span<const ComplexArray<double>> arrays) {
  const auto holds_all = [&](const Format& format) {
    return std::ranges::all_of(arrays, [&](const ComplexArray<double>& array) {
      ComplexArray<double> rounded = array;
      round_to(format, rounded);
      return rounded == array;
    });
  };
  for (const Format& format : {bf16, fp16, tf32, fp32})
    if (holds_all(format)) return format;
  return fp64;
}

/// The index of the only element that is not 0, if it is 1.
std::optional<std::size_t> impulse_in(const ComplexArray<double>& x, std::size_t first,
                                      std::size_t n) {
  std::optional<std::size_t> place;
  for (std::size_t j = 0; j < n; ++j) {
    if (x.re[first + j] == 0 && x.im[first + j] == 0) continue;
    if (place || x.re[first + j] != 1 || x.im[first + j] != 0) return std::nullopt;
    place = j;
  }
  return place;
}

/// The rows of impulses, by their places; of several at a place the first.
std::map<std::size_t, std::size_t> impulses_in(const FftAnswer& answer) {
  std::map<std::size_t, std::size_t> rows;
  for (std::size_t row = 0; row < answer.rows(); ++row)
    if (const auto place = impulse_in(answer.x, row * answer.n, answer.n))
      rows.emplace(*place, row);
  return rows;
}

/// Those rows, one after the other.
ComplexArray<double> picked(const ComplexArray<double>& x, std::size_t n,
                            const std::vector<std::size_t>& rows) {
  ComplexArray<double> some;
  for (const std::size_t row : rows) {
    const ComplexArray<double> one = rows_of(x, n, row, 1);
    some.re.insert(some.re.end(), one.re.begin(), one.re.end());
    some.im.insert(some.im.end(), one.im.begin(), one.im.end());
  }
  return some;
}

// ---- Tables

/// Reads the table from the outputs of impulses: all of the impulse at 1, output 1 of all, and some
/// of the others.
void read_tables(const FftAnswer& answer, const Format& format, FftEvidence& evidence) {
  constexpr std::size_t most_others = 2048;
  const std::size_t n = answer.n;
  struct Entry {
    std::size_t at, row, column;
  };
  std::vector<Entry> entries, others;
  for (const auto& [place, row] : impulses_in(answer))
    for (std::size_t k = 0; k < n; ++k)
      (place == 1 || k == 1 ? entries : others).push_back({row * n + k, place, k});
  const std::size_t step = others.size() / most_others + 1;
  for (std::size_t i = 0; i < others.size(); i += step) entries.push_back(others[i]);
  std::vector<RootIndex> roots;
  for (const Entry& each : entries) {
    roots.emplace_back(each.row, each.column, n, AngleOrder::product);
    evidence.row_entries += each.row == 1;
    evidence.column_entries += each.column == 1;
  }
  evidence.entries = entries.size();
  std::map<std::string, std::size_t> known;  // by the entries
  ComplexArray<double> table(roots.size());
  const auto memory = std::make_shared<TableMemory>();
  std::vector<TableReading>& readings = evidence.tables;
  for (const Named& source : table_candidates()) {
    table_source(source.name, memory).fill(roots, format, table.re.data(), table.im.data());
    const auto [place, is_new] = known.emplace(array_hash(table), readings.size());
    if (!is_new) {
      readings[place->second].alike.push_back(source.name);
      continue;
    }
    TableReading reading{source.name};
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::size_t at = entries[i].at;
      if (table.re[i] != answer.device.re[at] || table.im[i] != answer.device.im[at]) continue;
      ++reading.equal;
      reading.row += entries[i].row == 1;
      reading.column += entries[i].column == 1;
    }
    readings.push_back(std::move(reading));
  }
  std::ranges::stable_sort(readings, [&](const TableReading& x, const TableReading& y) {
    return std::tuple(evidence.share(x), x.equal) > std::tuple(evidence.share(y), y.equal);
  });
}

FftEvidence evidence_of(const FftAnswer& answer, const Format& table) {
  FftEvidence evidence{.n = answer.n, .rows = answer.rows(), .bits = bits_of(answer.device)};
  const std::size_t first = answer.rows() - noise_rows;
  const ForeignProblem asked = foreign_problem(
      "fft", answer.n, {rows_of(answer.x, answer.n, first, noise_rows), {noise_rows, answer.n}});
  const ComplexArray<double> noise = rows_of(answer.device, answer.n, first, noise_rows);
  evidence.error = *measure_result(asked, noise, fp64).err_l2_rel;
  evidence.suspicion = suspicion(asked, noise);
  read_tables(answer, table, evidence);
  return evidence;
}

// ---- Candidates beside the outputs

/// Outputs of cases beside those of one length.
class FftBench {
 public:
  FftBench(const FftAnswer& answer, const Format& result)
      : answer_(answer),
        result_(result),
        noise_(last_rows(answer, 1)),
        last_(last_rows(answer, std::min(answer.rows(), few_rows))),
        sample_(spread_rows(answer)) {}

  std::size_t n() const { return answer_.n; }

  struct Distance {
    std::size_t rows = 0;          ///< equal in every part
    std::size_t equal = 0;         ///< parts
    double relative = no_meaning;  ///< or infinite: the case has no meaning
  };
  /// In the last row of noise.
  Distance in_noise(Session& session, const Case& where) const {
    return between(session, where, noise_.x, noise_.device);
  }
  /// In rows of every kind: impulses show the stages and their table, noise the order of sums.
  Distance in_sample(Session& session, const Case& where) const {
    return between(session, where, sample_.x, sample_.device);
  }
  Distance in_all_rows(Session& session, const Case& where) const {
    return between(session, where, answer_.x, answer_.device);
  }
  /// Whether all parts of all rows are equal.
  bool agrees(Session& session, const Case& where) const {
    return between(session, where, last_.x, last_.device).relative == 0 &&
           in_all_rows(session, where).relative == 0;
  }
  std::size_t parts() const { return 2 * answer_.device.size(); }

 private:
  static constexpr std::size_t few_rows = 16;
  static constexpr std::size_t sample_rows = 32;

  struct Rows {
    ComplexArray<double> x, device;
  };
  static Rows last_rows(const FftAnswer& of, std::size_t count) {
    return {rows_of(of.x, of.n, of.rows() - count, count),
            rows_of(of.device, of.n, of.rows() - count, count)};
  }
  /// About `sample_rows`, equally far apart, and all of noise.
  static Rows spread_rows(const FftAnswer& of) {
    const std::size_t noise = of.rows() - noise_rows, step = (noise / sample_rows) | 1;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < noise; row += step) rows.push_back(row);
    for (std::size_t row = noise; row < of.rows(); ++row) rows.push_back(row);
    return {picked(of.x, of.n, rows), picked(of.device, of.n, rows)};
  }

  Distance between(Session& session, Case where, const ComplexArray<double>& x,
                   const ComplexArray<double>& device) const {
    where.n = n();
    where.batch = x.size() / n();
    try {
      const CasePlan plan = session.plan(where);
      if (!plan.inapplicable().empty()) return {};
      Output output = run_case(plan, x, {.round_trip = false});
      round_to(result_, output.values);  // as the device would hand it over
      return compare(output.values, device, n());
    } catch (const InputError&) {  // a unit that the machine has not
      return {};
    }
  }

  static Distance compare(const ComplexArray<double>& y, const ComplexArray<double>& device,
                          std::size_t n) {
    double difference = 0, size = 0;
    Distance distance;
    for (std::size_t first = 0; first < y.size(); first += n) {
      const std::size_t before = distance.equal;
      for (const auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
        for (std::size_t i = first; i < first + n; ++i) {
          const double d = (device.*part)[i];
          distance.equal += (y.*part)[i] == d;
          difference += std::pow((y.*part)[i] - d, 2);
          size += d * d;
        }
      distance.rows += distance.equal - before == 2 * n;
    }
    distance.relative = distance.equal == 2 * y.size() ? 0 : std::sqrt(difference / size);
    if (!std::isfinite(distance.relative)) distance.relative = no_meaning;
    return distance;
  }

  const FftAnswer& answer_;
  Format result_;
  Rows noise_, last_, sample_;
};

class FftSearch {
 public:
  FftSearch(std::span<const FftAnswer> answers, const OwnTableAccess& own,
            FftIdentification& result)
      : result_(result), own_(own), candidates_(table_candidates()) {
    for (const FftAnswer& answer : answers) {
      lengths_.push_back({.bench = {answer, result.result}, .left_out = {.n = answer.n}});
      if (is_long(lengths_.size() - 1)) lengths_.back().left = most_work_of_long;
    }
    int bits = 0;
    for (const FftEvidence& each : result.lengths) bits = std::max(bits, each.bits);
    modes_ = mode_candidates(result.result, result.table, bits);
    bits_ = bits;
    parts_ = parts_of_convolutions();
    algorithms_ = algorithm_candidates(parts_);
    for (const std::string& algorithm : algorithms_)
      if (algorithm_named(algorithm).plan_radices) own_algorithms_.push_back(algorithm);
    for (std::size_t i = 0; own_.file && i < lengths_.size(); ++i)
      read_impulses(answers[i], lengths_[i]);
  }

  void run() {
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      for (const Case& each : fitting_somewhere()) fits(each, i);
      if (!fitting(i).empty()) continue;
      // What has twiddles of its own at one length has them at others.
      const auto has_own = [](const Length& length) {
        return length.own_fitting && !length.own_fitting->empty();
      };
      if (std::ranges::any_of(lengths_, has_own) && !own_fitting(i).empty()) continue;
      std::vector<std::string> inner = found_algorithms();
      inner.insert(inner.end(), parts_.begin(), parts_.end());
      algorithms_ = algorithm_candidates(inner);
      search(i);
    }
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      for (const Case& each : fitting_somewhere()) fits(each, i);
    name();
    if (own_.file && std::ranges::any_of(lengths_, [this](const Length& length) {
          return !is_named(length.bench.n());
        }))
      name_with_own_tables();
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      if (!is_named(lengths_[i].bench.n()))
        result_.unnamed.push_back({lengths_[i].bench.n(), nearest(i)});
    tell_apart();
    for (Length& length : lengths_) {
      length.left_out.candidates = length.beyond_bound.size();
      if (length.left_out != FftLeftOut{.n = length.bench.n()})
        result_.left_out.push_back(length.left_out);
    }
  }

 private:
  /// A length of the outputs, and what was compared with them.
  struct Length {
    FftBench bench;
    FftLeftOut left_out{};
    std::set<Case> beyond_bound{};                   ///< candidates after `left` was spent
    std::map<Case, FftBench::Distance> distances{};  ///< in a row of noise
    std::map<Case, bool> fits{};                     ///< in all rows
    std::map<std::string, double> work{};            ///< of one run, by algorithm
    std::map<std::string, bool> engine{};            ///< whether it forms matrix products
    double left = most_work;
    std::optional<OwnTables> own_tables{};
    std::map<std::string, std::optional<std::string>> own_files{};  ///< bytes, by the plan
    std::map<Case, FftBench::Distance> own_distances{};             ///< in a row of noise
    std::optional<std::vector<Case>> own_fitting{};
  };

  static constexpr std::size_t most_on_all_machines = 60;
  static constexpr double most_work = 0x1p25;  ///< elements and table entries, at each length
  static constexpr double most_work_of_long = 0x1p22;
  static constexpr std::size_t most_shown = 5;
  static constexpr double likely_share = 0.95;  ///< of the entries that the best table has

  /// Elements and table entries of one transform; infinite if the algorithm does not take n. One
  /// that forms n^2 complex products may need an entry for each: some sources have others for equal
  /// roots.
  double work_at(const std::string& algorithm, std::size_t n) {
    const AlgorithmEntry entry = algorithm_named(algorithm);
    if (!entry.model.unsupported(n).empty()) return no_meaning;
    const CasePlan plan =
        session_.plan({.algorithm = algorithm, .machine = "ieee", .n = n, .batch = 1});
    if (!plan.inapplicable().empty() || !entry.is_predictable()) return static_cast<double>(n);
    const auto costs = plan.costs();
    const std::size_t entries = costs->cost.real_multiplications >= 3 * n * n
                                    ? std::max(costs->table_entries, n * n)
                                    : costs->table_entries;
    return static_cast<double>(n + entries);
  }
  static bool is_slow(double work, std::size_t n) {
    constexpr double entries_for_each = 64;
    return std::isfinite(work) && work > entries_for_each * static_cast<double>(n);
  }

  /// Whether a length is too long for all tables and for the algorithms whose tables grow as n^2:
  /// entries of some sources take 10 us each.
  bool is_long(std::size_t at) const {
    constexpr std::size_t longest = 512;
    return lengths_[at].bench.n() > longest;
  }

  /// work_at, of a length of the outputs.
  double work_of(const std::string& algorithm, Length& length) {
    const auto known = length.work.find(algorithm);
    if (known != length.work.end()) return known->second;
    return length.work[algorithm] = work_at(algorithm, length.bench.n());
  }

  /// Whether the case gives every part of all rows.
  bool fits(const Case& where, std::size_t at) {
    Length& length = lengths_[at];
    if (const auto known = length.fits.find(where); known != length.fits.end())
      return known->second;
    bool& fit = length.fits[where];
    const double work = work_of(where.algorithm, length);
    if (work == no_meaning) return false;
    const bool is_too_slow = is_long(at) && is_slow(work, length.bench.n());
    if (is_too_slow || work > length.left) {
      if (is_too_slow)
        length.left_out.algorithms.insert(where.algorithm);
      else
        length.beyond_bound.insert(where);
      length.fits.erase(where);  // nobody knows
      return false;
    }
    length.left -= work;
    ++result_.tried;
    const FftBench::Distance distance = length.bench.in_noise(session_, where);
    length.distances[where] = distance;
    return fit = distance.relative == 0 && length.bench.agrees(session_, where);
  }

  std::vector<Case> fitting(std::size_t at) const {
    std::vector<Case> cases;
    for (const auto& [where, fit] : lengths_[at].fits)
      if (fit) cases.push_back(where);
    return cases;
  }
  std::vector<Case> fitting_somewhere() const {
    std::set<Case> all;
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      for (const Case& each : fitting(i)) all.insert(each);
    return {all.begin(), all.end()};
  }

  /// Plain algorithms that take powers of two, with less work than n^2: what libraries make
  /// convolutions of.
  std::vector<std::string> parts_of_convolutions() {
    constexpr std::size_t n = 512;
    std::vector<std::string> names;
    for (const Named& named : list_algorithms()) {
      const AlgorithmEntry entry = algorithm_named(named.name);
      const bool is_nested =
          std::ranges::any_of(named.keys, [](const Key& key) { return key.name == "inner"; });
      if (is_nested || entry.is_choice || !entry.model.predict ||
          !entry.model.unsupported(n).empty())
        continue;
      const CasePlan plan = session_.plan({.algorithm = named.name, .machine = "ieee", .n = n});
      if (plan.inapplicable().empty() && plan.costs()->table_entries < n * n / 8 &&
          plan.costs()->cost.real_multiplications < n * n)
        names.push_back(named.name);
    }
    return names;
  }

  /// The plainest algorithms that fit some length: what a convolution may be made of.
  std::vector<std::string> found_algorithms() const {
    constexpr std::size_t most = 3;
    std::vector<Case> cases = fitting_somewhere();
    std::ranges::sort(cases, [this](const Case& x, const Case& y) { return is_plainer(x, y); });
    std::vector<std::string> names;
    for (const Case& each : cases)
      if (names.size() < most && each.algorithm.find("inner=") == std::string::npos &&
          std::ranges::find(names, each.algorithm) == names.end())
        names.push_back(each.algorithm);
    return names;
  }

  /// All candidates, likely ones first; it ends after a group in which some fit. Algorithms whose
  /// tables grow as n^2 take only tables that the evidence names, beyond 256 points one of several
  /// with equal entries.
  void search(std::size_t at) {
    const FftEvidence& evidence = result_.lengths[at];
    std::vector<std::string> likely, rest, few{std::string(exact_tables)};
    const auto group = [&](const std::vector<Case>& modes, const std::vector<std::string>& tables,
                           bool are_likely) {
      for (const Case& mode : modes)
        for (const std::string& algorithm : algorithms_) {
          const double work = work_of(algorithm, lengths_[at]);
          if (work == no_meaning) continue;
          if (is_slow(work, evidence.n) && (!are_likely || is_long(at))) {
            FftLeftOut& left_out = lengths_[at].left_out;
            (is_long(at) ? left_out.algorithms : left_out.few_tables).insert(algorithm);
            continue;
          }
          if (!calls_engine(with(mode, algorithm), at) &&
              (matters_to_matrices_alone(mode.mode) || stored_bits(mode.mode) < bits_))
            continue;
          const bool takes_few =
              is_slow(work, evidence.n) && evidence.n > longest_with_all_impulses;
          for (const std::string& source : takes_few ? few : tables)
            fits(with(mode, algorithm, source), at);
        }
      return !fitting(at).empty();
    };
    for (const TableReading& each : evidence.best_tables(likely_share)) {
      likely.push_back(each.source);
      likely.insert(likely.end(), each.alike.begin(), each.alike.end());
      if (each.source != few.front()) few.push_back(each.source);
    }
    if (std::ranges::find(likely, exact_tables) == likely.end()) likely.emplace_back(exact_tables);
    for (const Named& source : candidates_)
      if (std::ranges::find(likely, source.name) == likely.end()) rest.push_back(source.name);
    // Each list with the other's tables only after the likely ones of both.
    const auto &first = rounded_alone(evidence) ? modes_.wider : modes_.own,
               &second = rounded_alone(evidence) ? modes_.own : modes_.wider;
    // In double, tables of angles take long, and outputs of fewer digits do not tell them apart.
    const auto tables_for = [&](const std::vector<Case>& modes) {
      return is_long(at) && &modes == &modes_.wider ? few : likely;
    };
    if (group(first, tables_for(first), true) || group(second, tables_for(second), true) ||
        !own_fitting(at).empty())
      return;
    if (is_long(at)) {
      lengths_[at].left_out.tables = rest.size();
      lengths_[at].left_out.modes = true;
      return;
    }
    if (group(first, rest, false)) return;
    if (rounded_alone(evidence) || group(second, rest, false) || on_all_machines(at)) return;
    if (!group(modes_.others, few, true)) on_all_machines(at);
  }

  /// Whether the error is that of one rounding.
  bool rounded_alone(const FftEvidence& evidence) const {
    return !modes_.wider.empty() && evidence.error < unit_roundoff(result_.result) / 2;
  }

  static Case with(Case mode, const std::string& algorithm,
                   const std::string& tables = std::string(exact_tables)) {
    mode.algorithm = algorithm;
    mode.tables = tables;
    return mode;
  }

  /// Whether the algorithm forms matrix products.
  bool calls_engine(const Case& where, std::size_t at) {
    Length& length = lengths_[at];
    const auto [place, is_new] = length.engine.emplace(where.algorithm, false);
    if (!is_new || work_of(where.algorithm, length) == no_meaning) return place->second;
    const CasePlan plan = session_.plan(
        {.algorithm = where.algorithm, .machine = "ieee", .n = length.bench.n(), .batch = 1});
    return place->second = plan.inapplicable().empty() &&
                           plan.resolved().algorithm.is_predictable() &&
                           plan.prediction()->calls.tensor > 0;
  }

  /// The nearest cases to which a machine matters, on all machines.
  bool on_all_machines(std::size_t at) {
    std::vector<Case> nearest;
    for (const Case& where : by_distance(at))
      if (nearest.size() < most_on_all_machines && calls_engine(where, at))
        nearest.push_back(where);
    for (Case each : nearest)
      for (const FaultyMachine& preset : faulty_machines().presets()) {
        each.machine = preset.name;
        fits(each, at);
      }
    return !fitting(at).empty();
  }

  /// Cases that have a meaning, the nearest to a row of noise first.
  std::vector<Case> by_distance(std::size_t at) const {
    const std::map<Case, FftBench::Distance>& distances = lengths_[at].distances;
    std::vector<Case> sorted;
    for (const auto& [where, distance] : distances)
      if (std::isfinite(distance.relative)) sorted.push_back(where);
    std::ranges::stable_sort(sorted, [&](const Case& x, const Case& y) {
      const double of_x = distances.at(x).relative, of_y = distances.at(y).relative;
      return of_x != of_y ? of_x < of_y : is_plainer(x, y);
    });
    return sorted;
  }

  template <class Names>
  static std::size_t place_in(const Names& names, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  }
  std::size_t place_of_mode(const Case& where) const {
    std::size_t place = 0;
    for (const auto* list : {&modes_.own, &modes_.wider, &modes_.others})
      for (const Case& each : *list) {
        if (each.mode == where.mode && each.rounding_points == where.rounding_points) return place;
        ++place;
      }
    return place;
  }
  auto rank_of(const Case& where) const {
    const auto source = std::ranges::find(candidates_, where.tables, &Named::name);
    const std::vector<FaultyMachine>& presets = faulty_machines().presets();
    return std::tuple(
        is_wider(where.mode, result_.result), keys_in(where), where.machine != "ieee",
        place_of_mode(where), place_in(algorithms_, where.algorithm), source - candidates_.begin(),
        std::ranges::find(presets, where.machine, &FaultyMachine::name) - presets.begin());
  }
  bool is_plainer(const Case& x, const Case& y) const { return rank_of(x) < rank_of(y); }

  /// Cases that differ from this one in one name.
  std::vector<Case> neighbours(const Case& where, std::size_t at) {
    std::vector<Case> all;
    Length& length = lengths_[at];
    for (const std::string& algorithm : algorithms_)
      if (!is_slow(work_of(algorithm, length), length.bench.n()) || !is_long(at))
        all.push_back(with(where, algorithm, where.tables));
    for (const Named& source : candidates_)
      all.push_back(with(where, where.algorithm, source.name));
    for (const auto* list : {&modes_.own, &modes_.wider, &modes_.others})
      for (const Case& mode : *list)
        if (calls_engine(where, at) || !matters_to_matrices_alone(mode.mode))
          all.push_back(with(mode, where.algorithm, where.tables));
    if (calls_engine(where, at))
      for (const FaultyMachine& preset : faulty_machines().presets()) {
        all.push_back(where);
        all.back().machine = preset.name;
      }
    return all;
  }

  std::vector<std::size_t> lengths_of(const Case& where) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      if (const auto known = lengths_[i].fits.find(where);
          known != lengths_[i].fits.end() && known->second)
        places.push_back(i);
    return places;
  }

  /// Names for all lengths that something fits: the case that fits most, then the one that fits
  /// most of the others.
  void name() {
    std::set<std::size_t> open;
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      if (!fitting(i).empty()) open.insert(i);
    while (!open.empty()) {
      const auto gains = [&](const Case& where) {
        const std::vector<std::size_t> places = lengths_of(where);
        return std::ranges::count_if(places, [&](std::size_t i) { return open.contains(i); });
      };
      const auto is_better = [&](const Case& x, const Case& y) {
        return std::tuple(gains(x), lengths_of(x).size()) >
               std::tuple(gains(y), lengths_of(y).size());
      };
      std::vector<Case> all = fitting_somewhere();
      Case best = *std::ranges::min_element(all, is_better);
      const std::vector<std::size_t> places = lengths_of(best);
      for (const Case& each : neighbours(best, places.front()))
        std::ranges::all_of(places, [&](std::size_t i) { return fits(each, i); });
      FftName named{best};
      for (const std::size_t i : places) {
        named.lengths.push_back(lengths_[i].bench.n());
        open.erase(i);
      }
      for (const Case& each : fitting_somewhere())
        if (std::ranges::includes(lengths_of(each), places)) named.twins.push_back(each);
      drop_idle_keys(named.twins);
      std::ranges::sort(named.twins,
                        [this](const Case& x, const Case& y) { return is_plainer(x, y); });
      named.where = named.twins.front();
      named.twins.erase(named.twins.begin());
      named.wider = is_wider(named.where.mode, result_.result);
      result_.names.push_back(std::move(named));
    }
  }

  bool is_named(std::size_t n) const {
    return std::ranges::any_of(result_.names, [&](const FftName& named) {
      return std::ranges::find(named.lengths, n) != named.lengths.end();
    });
  }

  /// Algorithms of mixed radices with the program's own twiddles: the one that fits most lengths.
  void name_with_own_tables() {
    std::map<Case, std::vector<std::size_t>> fitting;
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      for (const Case& where : own_fitting(i)) fitting[where].push_back(i);
    if (fitting.empty()) return;
    const auto is_better = [&](const auto& x, const auto& y) {
      if (x.second.size() != y.second.size()) return x.second.size() > y.second.size();
      return is_plainer(x.first, y.first);
    };
    const auto& [best, places] = *std::ranges::min_element(fitting, is_better);
    FftName named{best};
    for (const std::size_t i : places) {
      const std::size_t n = lengths_[i].bench.n();
      named.lengths.push_back(n);
      const std::filesystem::path file = own_.file(n);
      replace_file(file, *own_file(best.algorithm, i));
      named.own_tables[n] = "file:" + file.string();
    }
    for (const auto& [where, others] : fitting)
      if (where != best && others == places) named.twins.push_back(where);
    std::erase_if(result_.names, [&](const FftName& each) {
      return std::ranges::includes(named.lengths, each.lengths);
    });
    result_.names.push_back(std::move(named));
    std::ranges::stable_sort(result_.names, std::ranges::greater{},
                             [](const FftName& each) { return each.lengths.size(); });
  }

  RadixPlan plan_of(const std::string& algorithm, std::size_t at) const {
    return algorithm_named(algorithm).plan_radices(lengths_[at].bench.n());
  }
  bool is_planned(const std::string& algorithm, std::size_t at) const {
    return plan_of(algorithm, at).unsupported.empty();
  }
  bool is_in_time(const std::string& algorithm, std::size_t at) const {
    return plan_of(algorithm, at).decimation == Decimation::in_time;
  }

  /// What the answers show of the program's own twiddles; the program shows the rest.
  void read_impulses(const FftAnswer& answer, Length& length) {
    std::vector<RadixPlan> plans;
    for (const std::string& algorithm : own_algorithms_)
      if (RadixPlan plan = algorithm_named(algorithm).plan_radices(answer.n);
          plan.unsupported.empty())
        plans.push_back(std::move(plan));
    const Format& format = result_.result.precision <= fp32.precision ? fp32 : fp64;
    length.own_tables.emplace(answer.n, format, plans, own_.ask);
    for (const auto& [place, row] : impulses_in(answer))
      length.own_tables->know(place, answer.device, row);
  }

  /// The file of the program's own twiddles by the algorithm's plan, if there are any.
  const std::optional<std::string>& own_file(const std::string& algorithm, std::size_t at) {
    const RadixPlan plan = plan_of(algorithm, at);
    std::string key = plan.decimation == Decimation::in_time ? "time" : "frequency";
    for (const auto& [radix, dft] : plan.stages)
      key += fmt::format(" {}:{}", radix, static_cast<int>(dft));
    const auto [place, is_new] = lengths_[at].own_files.emplace(key, std::nullopt);
    if (is_new)
      if (const auto entries = lengths_[at].own_tables->of(plan)) {
        const bool narrow = result_.result.precision <= fp32.precision;
        place->second =
            npy_bytes(*entries, {.shape = {entries->size()}, .dtype = narrow ? "c8" : "c16"});
      }
    return place->second;
  }

  /// Those that fit with the program's own twiddles. Up to `longest_with_all_impulses` the answers
  /// show them all. Beyond it the program is asked, for what fits a shorter length, then for plans
  /// in time, of which a few impulses show all, then for plans in frequency, which need n/2 of
  /// them; what fits none of the shorter lengths is left out.
  const std::vector<Case>& own_fitting(std::size_t at) {
    Length& length = lengths_[at];
    if (length.own_fitting) return *length.own_fitting;
    length.own_fitting.emplace();
    if (!own_.file) return *length.own_fitting;
    std::vector<Case> cases;
    for (const auto* list : {&modes_.own, &modes_.wider})
      for (const Case& mode : *list)
        for (const std::string& algorithm : own_algorithms_)
          if (is_planned(algorithm, at)) cases.push_back(with(mode, algorithm));
    if (length.bench.n() <= longest_with_all_impulses) {
      try_with_own_tables(cases, at);
      return *length.own_fitting;
    }
    std::vector<std::vector<Case>> groups(3);
    std::set<std::string> left_out;
    for (const Case& each : cases) {
      if (fits_shorter(each, at))
        groups[0].push_back(each);
      else if (is_ruled_out(each, at))
        left_out.insert(each.algorithm);
      else
        groups[is_in_time(each.algorithm, at) ? 1 : 2].push_back(each);
    }
    for (const std::vector<Case>& group : groups)
      if (length.own_fitting->empty()) try_with_own_tables(group, at);
    length.left_out.own_tables = left_out.size();
    return *length.own_fitting;
  }

  /// Whether the case fits some shorter length with the program's own twiddles there.
  bool fits_shorter(const Case& where, std::size_t at) {
    for (std::size_t i = 0; i < at; ++i)
      if ((lengths_[i].own_fitting || lengths_[i].bench.n() <= longest_with_all_impulses) &&
          std::ranges::find(own_fitting(i), where) != own_fitting(i).end())
        return true;
    return false;
  }

  /// Whether it does not, though a shorter length with several stages would show it: many libraries
  /// have code of its own for each length up to 16 or 32.
  bool is_ruled_out(const Case& where, std::size_t at) const {
    constexpr std::size_t several_stages = 64;
    for (std::size_t i = 0; i < at; ++i)
      if (lengths_[i].bench.n() >= several_stages && lengths_[i].own_fitting &&
          is_planned(where.algorithm, i))
        return true;
    return false;
  }

  /// A table that is tried; the file goes with it.
  struct Draft {
    std::filesystem::path file;
    bool is_there = false;

    explicit Draft(std::filesystem::path of) : file(std::move(of)) { file += ".draft.npy"; }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
      std::error_code ignored;
      if (is_there) std::filesystem::remove(file, ignored);
    }
  };

  /// Calls what(case) for each with a file of the table that its plan reads in place of its tables.
  template <class What>
  void with_own_tables(const std::vector<Case>& cases, std::size_t at, What what) {
    Draft draft(own_.file(lengths_[at].bench.n()));
    for (const Case& each : cases) {
      const std::optional<std::string>& file = own_file(each.algorithm, at);
      if (!file) continue;
      replace_file(draft.file, *file);
      draft.is_there = true;
      Case where = each;
      where.tables = with_file_hash("file:" + draft.file.string());
      what(each, where);
    }
  }

  /// Adds those that fit to own_fitting.
  void try_with_own_tables(const std::vector<Case>& cases, std::size_t at) {
    Length& length = lengths_[at];
    with_own_tables(cases, at, [&](const Case& each, const Case& where) {
      ++result_.tried;
      const FftBench::Distance distance = length.bench.in_noise(session_, where);
      length.own_distances[each] = distance;
      if (distance.relative == 0 && length.bench.agrees(session_, where))
        length.own_fitting->push_back(each);
    });
  }

  /// Removes names of algorithms with an inner one that also fit without it.
  static void drop_idle_keys(std::vector<Case>& cases) {
    const std::set<Case> all(cases.begin(), cases.end());
    std::erase_if(cases, [&](Case each) {
      const std::size_t inner = each.algorithm.find(":inner=");
      if (inner == std::string::npos) return false;
      each.algorithm.resize(inner);
      return all.contains(each);
    });
  }

  /// What explains the outputs best. Few of what equal noise gives are equal in whole rows: of an
  /// impulse, which meets no sum, where stages and table are the program's; of noise, where the
  /// order of sums is, too. So whole rows count first, then equal parts. The distance counts last:
  /// arithmetic that is more exact than the program's is near to it whatever its stages are.
  std::vector<FftNear> nearest(std::size_t at) {
    Length& length = lengths_[at];
    std::vector<FftNear> near = shortlist(at);
    const auto measure = [&](auto in_rows) {
      for (FftNear& each : near) {
        const auto set = [&](const Case&, const Case& where) {
          const FftBench::Distance found = (length.bench.*in_rows)(session_, where);
          each.rows = found.rows;
          each.equal = found.equal;
          each.distance = found.relative;
        };
        if (each.own_table)
          with_own_tables({each.where}, at, set);
        else
          set(each.where, each.where);
      }
      std::ranges::stable_sort(near, [this](const FftNear& x, const FftNear& y) {
        const auto before = std::tuple(y.rows, y.equal, x.distance, x.own_table);
        const auto after = std::tuple(x.rows, x.equal, y.distance, y.own_table);
        return before != after ? before < after : is_plainer(x.where, y.where);
      });
    };
    measure(&FftBench::in_sample);
    // One of each algorithm and mode, and of those that seem to have equal bits the plainest.
    std::vector<FftNear> shown;
    for (const FftNear& each : near) {
      const auto is_like = [&](const FftNear& other) {
        return (other.where.algorithm == each.where.algorithm &&
                other.where.mode == each.where.mode) ||
               std::tuple(other.rows, other.equal, other.distance) ==
                   std::tuple(each.rows, each.equal, each.distance);
      };
      if (shown.size() < most_shown && std::ranges::none_of(shown, is_like)) shown.push_back(each);
    }
    near = std::move(shown);
    measure(&FftBench::in_all_rows);
    for (FftNear& each : near) each.parts = length.bench.parts();
    return near;
  }

  /// Some of each algorithm: those with the table that the impulses show, those with most equal
  /// parts in a row of noise, and the nearest to it.
  std::vector<FftNear> shortlist(std::size_t at) const {
    constexpr std::size_t most_of_each = 3;
    const std::size_t most_by_table = is_long(at) ? 16 : 96, most_by_noise = 16;
    std::set<std::string> shown;
    for (const TableReading& each : result_.lengths[at].best_tables()) shown.insert(each.source);
    struct Entry {
      FftNear near;
      FftBench::Distance noise;
      bool has_shown_table;
    };
    std::vector<Entry> entries;
    for (const auto& [where, noise] : lengths_[at].own_distances)
      if (std::isfinite(noise.relative)) entries.push_back({{where, true}, noise, true});
    for (const Case& where : by_distance(at))
      entries.push_back(
          {{where, false}, lengths_[at].distances.at(where), shown.contains(where.tables)});
    std::vector<FftNear> listed;
    const auto add = [&](std::size_t most, auto order) {
      std::ranges::stable_sort(entries, order);
      std::map<std::string, std::size_t> of_each;
      std::size_t added = 0;
      for (const auto& [near, noise, has_shown_table] : entries) {
        if (added == most) return;
        if (of_each[near.where.algorithm]++ >= most_of_each) continue;
        ++added;
        const auto is_it = [&near = near](const FftNear& other) {
          return std::tie(other.where, other.own_table) == std::tie(near.where, near.own_table);
        };
        if (std::ranges::none_of(listed, is_it)) listed.push_back(near);
      }
    };
    add(most_by_table, [](const Entry& x, const Entry& y) {
      return std::tuple(x.has_shown_table, x.noise.equal) >
             std::tuple(y.has_shown_table, y.noise.equal);
    });
    add(most_by_noise,
        [](const Entry& x, const Entry& y) { return x.noise.equal > y.noise.equal; });
    add(most_by_noise,
        [](const Entry& x, const Entry& y) { return x.noise.relative < y.noise.relative; });
    return listed;
  }

  /// The output_hash of noise of n points, or an empty text for a length that the case does not
  /// take.
  std::string noise_hash(Case where, std::size_t n) {
    where.n = n;
    where.batch = 1;
    try {
      const CasePlan plan = session_.plan(where);
      if (!plan.inapplicable().empty()) return {};
      Output output = run_case(plan, make_input("gaussian", n, 1, 1), {.round_trip = false});
      round_to(result_.result, output.values);
      return array_hash(output.values);
    } catch (const InputError&) {
      return {};
    }
  }

  /// Looks for the length that tells most twins of the first name from it.
  void tell_apart() {
    if (result_.names.empty() || result_.names.front().twins.empty()) return;
    const FftName& named = result_.names.front();
    if (!named.own_tables.empty()) return;  // those of another length are not known
    constexpr std::size_t most = 200;
    for (const std::size_t n : {32u, 64u, 128u, 256u, 512u, 1000u, 1024u}) {
      if (std::ranges::find(named.lengths, n) != named.lengths.end() ||
          is_slow(work_at(named.where.algorithm, n), n))
        continue;
      const std::string own = noise_hash(named.where, n);
      if (own.empty()) continue;
      std::size_t differ = 0;
      for (std::size_t i = 0; i < std::min(most, named.twins.size()); ++i)
        if (!is_slow(work_at(named.twins[i].algorithm, n), n))
          differ += noise_hash(named.twins[i], n) != own;
      if (differ > result_.told_apart) {
        result_.told_apart = differ;
        result_.telling_length = n;
      }
    }
  }

  FftIdentification& result_;
  const OwnTableAccess& own_;
  std::vector<Named> candidates_;  ///< tables
  ModeCandidates modes_{};
  int bits_ = 0;
  std::vector<std::string> parts_{};  ///< of convolutions
  std::vector<std::string> algorithms_{};
  std::vector<std::string> own_algorithms_{};  ///< of mixed radices
  std::vector<Length> lengths_{};
  Session session_{};
};

}  // namespace

double FftEvidence::share(const TableReading& of) const {
  const auto part = [](std::size_t equal, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(all);
  };
  return std::max(part(of.row, row_entries), part(of.column, column_entries));
}

std::vector<TableReading> FftEvidence::best_tables(double of_best) const {
  std::vector<TableReading> best;
  for (const TableReading& each : tables)
    if (share(each) > 0 && share(each) >= of_best * share(tables.front())) best.push_back(each);
  return best;
}

FftIdentification identify_fft(std::span<const FftAnswer> answers,
                               const OwnTableAccess& own_tables) {
  std::vector<ComplexArray<double>> outputs, entries;
  for (const FftAnswer& answer : answers) {
    outputs.push_back(answer.device);
    std::vector<std::size_t> rows;
    for (const auto& [place, row] : impulses_in(answer)) rows.push_back(row);
    entries.push_back(picked(answer.device, answer.n, rows));
  }
  FftIdentification result{.result = format_of(outputs), .table = format_of(entries)};
  for (const FftAnswer& answer : answers)
    result.lengths.push_back(evidence_of(answer, result.table));
  FftSearch(answers, own_tables, result).run();
  return result;
}

}  // namespace fftprec::identify
