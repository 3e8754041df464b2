#include "experiments/search/widths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "arith/formats/round.hpp"
#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::search {

namespace {

constexpr const char* data_bits = "data.bits";
constexpr const char* table_bits = "table.bits";

Widths with_width(Widths widths, std::size_t i, int width) {
  widths[i] = width;
  return widths;
}

/// One of the smallest that hold, below `at`. Requires: holds(at).
Widths descend(const Widths& least, Widths at, const std::function<bool(const Widths&)>& holds) {
  for (std::size_t i = 0; i < at.size(); ++i)
    for (int low = least[i]; low < at[i];) {
      const int middle = low + (at[i] - low) / 2;
      if (holds(with_width(at, i, middle)))
        at[i] = middle;
      else
        low = middle + 1;
    }
  // Where it is not monotone, a neighbour may hold after all.
  for (std::size_t i = 0; i < at.size();) {
    const bool smaller = at[i] > least[i] && holds(with_width(at, i, at[i] - 1));
    if (smaller) --at[i];
    i = smaller ? 0 : i + 1;
  }
  return at;
}

constexpr std::uint64_t largest_width = 1 << 24;

/// The numbers around the dots of "8..160".
std::optional<std::pair<int, int>> range_in(const std::string& text) {
  const std::size_t dots = std::min(text.find(".."), text.size());
  const auto first = parse_unsigned(text.substr(0, dots));
  const auto last = parse_unsigned(text.substr(std::min(dots + 2, text.size())));
  if (!first || !last || *last > largest_width || *first > *last) return std::nullopt;
  return std::pair(static_cast<int>(*first), static_cast<int>(*last));
}

// Widths of data and tables.

int integer_bits(const Format& fixed) { return width_of(fixed) + quantum_exponent(fixed); }

/// The mode with `bits` bits of data or tables; fixed point keeps its integer bits, floats their
/// exponents.
std::string mode_of_width(const std::string& name, bool of_table, int bits) {
  const Mode mode = mode_named(name);
  const auto* fixed = mode.as<FixedScheme>();
  if (fixed == nullptr) {
    Format data = storage_format(mode);
    data.precision = bits;
    return mode_named(to_string(data)).name;
  }
  const auto with_bits = [bits](const Format& format) {
    return fixed_format(integer_bits(format), bits - integer_bits(format));
  };
  std::string text = to_string(of_table ? fixed->storage : with_bits(fixed->storage));
  if (of_table || name.find(":table=") != std::string::npos)
    text += ":table=" + to_string(of_table ? with_bits(fixed->table) : fixed->table);
  return mode_named(text).name;
}

/// The most bits of fixed point that a float holds, which an exponent of a block needs.
constexpr int most_block_bits = [] {
  int bits = 2;
  while (fits_fixed<float>(fixed_format(1, bits))) ++bits;
  return bits;
}();

FreeWidth data_width(const std::string& name, const std::vector<Case>& cases) {
  const bool of_table = name == table_bits;
  FreeWidth width{.name = name, .least = 2, .most = most_fixed_bits, .unlimited = false, .set = {}};
  for (const Case& where : cases) {
    const Mode mode = mode_named(where.mode);
    const bool in_passes = rounding_points_named(where.rounding_points).in_passes();
    if (const auto* fixed = mode.as<FixedScheme>()) {
      const int integer = integer_bits(of_table ? fixed->table : fixed->storage);
      width.least = std::max(width.least, integer);
      if (scale_policy_named(where.scale).is_block())
        width.most = std::min(width.most, most_block_bits);
      continue;
    }
    const auto* plain = mode.as<PlainScheme>();
    require(!of_table && plain && !plain->table && !mode.refinement, "--free ", name, ": mode ",
            where.mode, " is not fixed point, as q1.15 is",
            of_table ? "" : ", nor plain arithmetic in a format, as bf16 is");
    // What is kept between passes is narrower than fp32, which they compute in.
    width.most = std::min(width.most, fp32.precision - (in_passes ? 1 : 0));
  }
  width.set = [of_table](Case& where, int bits) {
    where.mode = mode_of_width(where.mode, of_table, bits);
  };
  return width;
}

// Parameters of machines.

bool is_format(const MachineParameter& parameter) { return parameter.values.any_format; }

/// The widths that a parameter can have; nothing if it is no width.
std::optional<std::pair<int, int>> widths_of(const ParameterValues& values) {
  if (values.any_format) return std::pair(2, fp32.precision);
  if (!values.range || values.range->least < 0 || values.range->most > largest_width)
    return std::nullopt;
  return std::pair(static_cast<int>(values.range->least), static_cast<int>(values.range->most));
}

std::string width_name(const MachineParameter& parameter) {
  return parameter.key + (is_format(parameter) ? ".precision" : "");
}

/// The text that gives a machine such a parameter of that width.
std::string value_text(const MachineParameter& parameter, const Machine& machine, int width) {
  if (!is_format(parameter)) return std::to_string(width);
  const std::string text = parameter.text(machine);
  try {
    Format format = format_named(text);
    format.precision = width;
    return to_string(format);
  } catch (const InputError&) {
    throw InputError(parameter.key + " is '" + text + "', which is not one format");
  }
}

/// Nothing for a parameter that is no width. 0, where it is a value, sets no limit.
std::optional<FreeWidth> machine_width(const MachineParameter& parameter) {
  const auto range = widths_of(parameter.values);
  if (!range) return std::nullopt;
  const bool unlimited = parameter.values.holds_zero();
  const int most = range->second + (unlimited ? 1 : 0);
  const auto set = [&parameter, unlimited, most](Case& where, int width) {
    FaultyMachine machine = faulty_machine_named(where.machine);
    try {
      const std::string text =
          value_text(parameter, machine, unlimited && width == most ? 0 : width);
      parameter.set(machine, text);
      require(parameter.text(machine) == text, "nothing reads ", parameter.key,
              parameter.needs.empty() ? "" : "; it needs " + parameter.needs);
      validate(machine);
    } catch (const InputError& error) {
      throw InputError("--free " + width_name(parameter) + ": machine " + where.machine + ": " +
                       error.what());
    }
    where.machine = faulty_machines().canonical_name(machine);
  };
  return FreeWidth{width_name(parameter), std::max(range->first, 1), most, unlimited, set};
}

// Judging.

double worse(double a, double b, bool at_most) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return at_most ? std::max(a, b) : std::min(a, b);
}

/// Runs cases; truths are made once for all choices.
class Judge {
 public:
  explicit Judge(const DesignRequest& request) : request_(request) {}

  /// All but whether it holds. Throws InputError where the choice has no meaning.
  JudgedWidths measure(const Widths& widths) {
    std::vector<CasePlan> plans = session_.plan(cases_with(request_, widths));
    for (const CasePlan& plan : plans) check_applicable(plan);
    JudgedWidths seen;
    bool skipped = false;
    const auto add = [&](const FinishedCase& finished) {
      const Row& row = finished.row;
      for (std::size_t i = 0; i < request_.goals.size(); ++i) {
        const Goal& goal = request_.goals[i];
        const double value = goal.metric->number(row).value_or(std::nan(""));
        if (seen.worst.size() == i) seen.worst.push_back(value);
        seen.worst[i] = worse(seen.worst[i], value, goal.at_most);
      }
      seen.hashes.push_back(row.output_hash);
      if (row.status != Status::ok) seen.reason = row.message;
      skipped |= row.status == Status::skipped;
    };
    run_cases(std::move(plans), {.threads = request_.threads, .problems = &problems_}, add);
    if (skipped) throw NotApplicable(seen.reason);
    std::ranges::sort(seen.hashes);
    return seen;
  }

 private:
  const DesignRequest& request_;
  Session session_;
  ProblemCache problems_{std::size_t{1} << 30};
};

JudgedWidths measure_widest(Judge& judge, const DesignRequest& request, const Widths& most) {
  cases_with(request, most);  // what no width of these cases can be is bad input
  try {
    return judge.measure(most);
  } catch (const InputError& reason) {
    throw NotApplicable("the largest widths have no meaning: " + std::string(reason.what()) +
                        "; --free NAME=A..B sets others");
  }
}

bool meets(const std::vector<double>& worst, const std::vector<Goal>& goals) {
  return std::equal(worst.begin(), worst.end(), goals.begin(), [](double value, const Goal& goal) {
    return goal.at_most ? value <= goal.limit : value >= goal.limit;
  });
}

std::vector<std::pair<Widths, Widths>> contradictions_in(
    const std::map<Widths, JudgedWidths>& judged) {
  std::vector<std::pair<Widths, Widths>> pairs;
  for (const auto& [held, seen] : judged)
    for (auto larger = judged.upper_bound(held); seen.holds && larger != judged.end(); ++larger)
      if (!larger->second.holds && !larger->second.worst.empty() && covers(larger->first, held))
        pairs.emplace_back(held, larger->first);
  return pairs;
}

}  // namespace

bool covers(const Widths& a, const Widths& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), std::greater_equal<>());
}

std::vector<Widths> smallest_widths(const Widths& least, const Widths& most,
                                    const std::function<bool(const Widths&)>& holds) {
  std::set<Widths> front;
  std::set<Widths> corners{most};  // what is not above the front lies below one of them
  std::vector<Widths> failed;
  while (!corners.empty()) {
    const Widths corner = *corners.rbegin();  // no other one covers it
    const bool is_below_failed =
        std::ranges::any_of(failed, [&](const Widths& larger) { return covers(larger, corner); });
    if (is_below_failed || !holds(corner)) {
      failed.push_back(corner);
      corners.erase(corner);
      continue;
    }
    const Widths found = descend(least, corner, holds);
    front.insert(found);
    std::set<Widths> cut;
    for (const Widths& each : corners) {
      if (!covers(each, found)) cut.insert(each);
      for (std::size_t i = 0; i < found.size() && covers(each, found); ++i)
        if (found[i] > least[i]) cut.insert(with_width(each, i, found[i] - 1));
    }
    corners = std::move(cut);
  }
  std::vector<Widths> smallest;  // without monotony, one of the front may cover another
  std::ranges::copy_if(front, std::back_inserter(smallest), [&](const Widths& one) {
    return std::ranges::none_of(
        front, [&](const Widths& other) { return other != one && covers(one, other); });
  });
  return smallest;
}

std::string FreeWidth::text(int width) const {
  return unlimited && width == most ? "no limit" : std::to_string(width);
}

std::vector<std::string> free_width_names() {
  std::vector<std::string> names{data_bits, table_bits};
  for (const MachineParameter& parameter : machine_parameters())
    if (const auto width = machine_width(parameter)) names.push_back(width->name);
  return names;
}

FreeWidth free_width(const std::string& text, const std::vector<Case>& cases) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals);
  std::vector<FreeWidth> all;
  for (const char* data : {data_bits, table_bits})
    all.push_back(name == data ? data_width(name, cases) : FreeWidth{data, 0, 0, false, {}});
  for (const MachineParameter& parameter : machine_parameters())
    if (const auto width = machine_width(parameter)) all.push_back(*width);
  FreeWidth width = item_named(all, "free width", name);
  if (equals == text.size()) return width;
  const auto range = range_in(text.substr(equals + 1));
  require(range && range->first >= width.least && range->second <= width.most, "--free ", text,
          ": expected a range within ", width.least, "..", width.most);
  width.unlimited = width.unlimited && range->second == width.most;
  std::tie(width.least, width.most) = *range;
  return width;
}

Goal goal_from(const std::string& text, bool at_most) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const Column& metric = metric_named(text.substr(0, equals));
  const bool relative = text.ends_with('x');
  const std::size_t end = text.size() - (relative ? 1 : 0);
  const auto limit = parse_double(text.substr(std::min(equals + 1, end), end - equals - 1));
  require(limit && !std::isnan(*limit), "'", text,
          "' is not METRIC=NUMBER, as in err_l2_rel=1e-6, nor METRIC=1.04x");
  require(!relative || quantity_kind_of(metric.name) == QuantityKind::size, "'", text,
          "': ", metric.name, " is a logarithm or a gain, so its limit cannot be a multiple");
  return {&metric, at_most, *limit, relative};
}

std::vector<Case> cases_with(const DesignRequest& request, const Widths& widths) {
  std::vector<Case> cases = request.cases;
  for (Case& where : cases)
    for (std::size_t i = 0; i < widths.size(); ++i) request.free[i].set(where, widths[i]);
  normalise(cases);
  return cases;
}

Design design(const DesignRequest& request) {
  Design result{};
  Widths least;
  for (const FreeWidth& width : request.free) {
    least.push_back(width.least);
    result.most.push_back(width.most);
  }
  Judge judge(request);
  const auto keep = [&](const Widths& widths, JudgedWidths seen) {
    seen.holds = !seen.worst.empty() && meets(seen.worst, result.goals);
    const JudgedWidths& kept = result.judged[widths] = std::move(seen);
    if (request.on_judged) request.on_judged(widths, kept);
    return kept.holds;
  };
  const auto holds = [&](const Widths& widths) {
    const auto known = result.judged.find(widths);
    if (known != result.judged.end()) return known->second.holds;
    try {
      return keep(widths, judge.measure(widths));
    } catch (const InputError& error) {
      return keep(widths, {.reason = error.what()});
    }
  };
  JudgedWidths widest = measure_widest(judge, request, result.most);
  result.goals = request.goals;
  for (std::size_t i = 0; i < result.goals.size(); ++i)
    if (result.goals[i].relative) result.goals[i].limit *= widest.worst[i];
  keep(result.most, std::move(widest));
  result.front = smallest_widths(least, result.most, holds);
  std::ranges::stable_sort(result.front, [](const auto& a, const auto& b) {
    return std::accumulate(a.begin(), a.end(), 0) < std::accumulate(b.begin(), b.end(), 0);
  });
  // Neighbours above the front hold, too, unless it owes its goal to chance.
  for (const Widths& widths : result.front)
    for (std::size_t i = 0; i < least.size(); ++i)
      if (widths[i] < result.most[i]) holds(with_width(widths, i, widths[i] + 1));
  for (std::size_t i = 0; i < least.size(); ++i) {
    const Widths narrow = with_width(result.most, i, least[i]);
    holds(narrow);
    if (narrow != result.most && result.judged[narrow].hashes == result.judged[result.most].hashes)
      result.idle.push_back(request.free[i].name);
  }
  result.contradictions = contradictions_in(result.judged);
  return result;
}

}  // namespace fftprec::search
