#include "reports/text/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/table.hpp"

namespace fftprec::text {

namespace {

using AxisColumns = std::vector<const Column*>;

/// A row, and its identity_of with the ignored axes as they are in every case.
struct Keyed {
  SharedCase key;
  const Row* row;
};

/// The error for several rows of one key: names the values of the ignored axes in which they
/// differ, and how to choose.
InputError several_rows(std::span<const Keyed> rows, const AxisColumns& ignored, bool first) {
  constexpr std::size_t most_values = 8;
  std::vector<std::string> conditions;
  std::vector<std::string> choice;
  for (const Column* axis : ignored) {
    std::set<std::string> found;
    for (const Keyed& each : rows) found.insert(axis->text(*each.row));
    if (found.size() == 1) continue;
    choice.push_back(fmt::format("{}={}", axis->name, *found.begin()));
    const bool cut = found.size() > most_values;
    if (cut) found.erase(std::next(found.begin(), most_values), found.end());
    conditions.push_back(
        fmt::format("{}={}{}", axis->name, fmt::join(found, ","), cut ? ",..." : ""));
  }
  return InputError(fmt::format(
      "the {} run has {} rows that differ only in {}, the first {}; choose, for example by "
      "--filter-{} "
      "\"{}\"",
      first ? "first" : "second", rows.size(), fmt::join(conditions, " and "),
      command_of(rows.front().row->where), first ? "before" : "after", fmt::join(choice, " and ")));
}

/// By key.
std::vector<Keyed> sorted(std::span<const Row> rows, const AxisColumns& ignored, bool first) {
  std::vector<Keyed> order;
  for (const Row& row : rows) {
    order.push_back({pairing_key(row, ignored), &row});
  }
  std::ranges::sort(order, [](const Keyed& a, const Keyed& b) {
    return std::tie(a.key, a.row->where) < std::tie(b.key, b.row->where);
  });
  const auto same_key = [](const Keyed& a, const Keyed& b) { return a.key == b.key; };
  const auto twice = std::ranges::adjacent_find(
      order, [](const Keyed& a, const Keyed& b) { return a.row->where == b.row->where; });
  if (twice != order.end())
    throw InputError(fmt::format("the {} run has two rows of {}", first ? "first" : "second",
                                 command_of(twice->row->where)));
  const auto several = std::ranges::adjacent_find(order, same_key);
  if (several == order.end()) return order;
  const auto end = std::find_if_not(several, order.end(),
                                    [&](const Keyed& each) { return same_key(*several, each); });
  throw several_rows({&*several, static_cast<std::size_t>(end - several)}, ignored, first);
}

/// "trn1 -> trn2", or the value of both.
std::string change_text(const Column& axis, const MovedCase& moved) {
  const std::string before = axis.text(Row{.where = moved.where});
  const std::string after = axis.text(Row{.where = moved.partner});
  return before == after ? before : before + " -> " + after;
}

/// By what the cases are summed up.
AxisColumns group_axes(const AxisColumns& ignored) {
  AxisColumns axes = {&column_named("algorithm"), &column_named("mode")};
  for (const Column* axis : ignored)
    if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
  return axes;
}

std::optional<double> factor_between(std::optional<double> before, std::optional<double> after) {
  if (!before && !after) return 1.0;
  if (!before || !after || std::isnan(*before) || std::isnan(*after)) return std::nullopt;
  if (*before == *after) return 1.0;  // also 0 and 0, inf and inf
  return *after / *before;            // after 0: inf
}

MovedCase difference(const Row& before, const Row& after, const Column& metric) {
  MovedCase moved{before.where, after.where, {}, metric.number(before), metric.number(after), {}};
  for (const Column& column : columns().subspan(1 + axis_columns().size()))
    if (column.repeats && differ(column, before, after)) moved.columns.push_back(&column);
  if (before.over_seeds || after.over_seeds)
    for (const Column& column : statistics_columns())
      if (follows_from_summary(column) && differ(column, before, after))
        moved.columns.push_back(&column);
  const bool both_nan =
      moved.before && moved.after && std::isnan(*moved.before) && std::isnan(*moved.after);
  moved.ratio = both_nan ? 1.0 : factor_between(moved.before, moved.after);
  // A failed row has no number on either side to compare.
  if (moved.has("status")) moved.ratio.reset();
  return moved;
}

/// Sums up one group's ratios.
class Group {
 public:
  void add(const MovedCase* moved) {
    ++group_.cases;
    const std::optional<double> ratio = moved ? moved->ratio : 1.0;
    if (moved) {
      ++group_.moved;
      if (moved->has("output_hash")) ++group_.hashes;
      if (!ratio) ++group_.unrated;
    }
    if (!ratio) return;
    group_.worst = rated_ ? std::max(group_.worst, *ratio) : *ratio;
    group_.best = rated_ ? std::min(group_.best, *ratio) : *ratio;
    rated_ = true;
    if (!(*ratio > 0) || std::isinf(*ratio)) return;
    log_sum_ += std::log(*ratio);
    ++finite_;
  }

  MovedGroup result(const std::vector<std::string>& names) const {
    MovedGroup group = group_;
    group.names = names;
    group.mean = finite_ == 0 ? 1 : std::exp(log_sum_ / static_cast<double>(finite_));
    return group;
  }

 private:
  MovedGroup group_;
  bool rated_ = false;
  double log_sum_ = 0;
  std::size_t finite_ = 0;
};

bool worse(const MovedCase& a, const MovedCase& b) {
  if (a.ratio.has_value() != b.ratio.has_value()) return !a.ratio;
  return a.ratio && *a.ratio > *b.ratio;
}

std::string indented(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += "  " + line + "\n";
  return result;
}

std::string value_text(std::optional<double> value, const Column& metric) {
  const int digits = quantity_kind_of(metric.name) == QuantityKind::gain ? gain_digits : 4;
  return value ? short_number(*value, digits) : "-";
}

std::string ratio_text(std::optional<double> ratio) {
  return ratio ? short_number(*ratio, 6) : "-";
}

/// The columns that differ.
std::string columns_text(const MovedCase& moved) {
  std::string text;
  for (const Column* column : moved.columns)
    text += (text.empty() ? "" : " ") + std::string(column->name);
  return text;
}

std::string more(std::size_t count, std::size_t shown) {
  return count > shown ? fmt::format("  and {} more\n", count - shown) : "";
}

std::string case_list(std::string_view title, const std::vector<Case>& cases, std::size_t count) {
  if (count == 0) return {};
  std::string text = fmt::format("\n{}:\n", title);
  for (const Case& where : cases) text += "  " + command_of(where) + "\n";
  return text + more(count, cases.size());
}

std::string group_table(const RunComparison& comparison, const Column& metric) {
  std::vector<std::string> names;
  for (const Column* axis : group_axes(comparison.ignored)) names.emplace_back(axis->name);
  std::vector<TextCells> lines = {names};
  const auto add = [](TextCells& line, const TextCells& cells) {
    line.insert(line.end(), cells.begin(), cells.end());
  };
  add(lines[0], {"cases", "moved", "hashes", "worst", "mean", "best", "no ratio"});
  for (const MovedGroup& group : comparison.groups) {
    if (group.moved == 0) continue;
    lines.push_back(group.names);
    add(lines.back(),
        {std::to_string(group.cases), std::to_string(group.moved), std::to_string(group.hashes),
         ratio_text(group.worst), ratio_text(group.mean), ratio_text(group.best),
         std::to_string(group.unrated)});
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("\n{} after / before, by {} and {} (mean: geometric):\n", metric.name,
                     fmt::join(names, ", "), last) +
         indented(terminal_table({lines, names.size() + 1, 7}));
}

/// The axes by which the cases are named in a table: algorithm, mode, n, and where they differ.
AxisColumns axes_naming(const RunComparison& comparison) {
  AxisColumns axes;
  for (const Column& axis : axis_columns()) {
    const bool differs =
        std::ranges::find(comparison.moved_axes, &axis) != comparison.moved_axes.end();
    const bool always = axis.name == "algorithm" || axis.name == "mode" || axis.name == "n";
    if ((differs || always) &&
        std::ranges::find(comparison.ignored, &axis) == comparison.ignored.end())
      axes.push_back(&axis);
  }
  return axes;
}

std::string case_text(const Case& where, const AxisColumns& axes) {
  std::string text;
  for (const Column* axis : axes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis->name,
                        axis->text(Row{.where = where}));
  return text;
}

/// Of the columns that moved, the metric aside, those that did not move in every case.
std::vector<std::string> others_of(const MovedCase& moved, const RunComparison& comparison,
                                   const Column& metric) {
  std::vector<std::string> names;
  for (const Column* column : moved.columns)
    if (column != &metric &&
        comparison.columns.at(std::string(column->name)) < comparison.moved_cases)
      names.emplace_back(column->name);
  return names;
}

/// The words in lines of at most `width` characters; at least one line.
std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

/// A line per case, with the axes in which cases differ; the common axes are above the table.
std::string case_table(const RunComparison& comparison, const Column& metric) {
  constexpr std::size_t others_width = 36;
  const AxisColumns naming = axes_naming(comparison);
  std::vector<TextCells> lines = {{"case", "before", "after", "ratio"}};
  for (const Column* axis : comparison.ignored) lines[0].emplace_back(axis->name);
  // Between rows of two machines or algorithms every column moves.
  const bool pairs_alike = comparison.ignored.empty();
  if (pairs_alike) lines[0].emplace_back("also moved");
  for (const MovedCase& moved : comparison.moved) {
    lines.push_back({case_text(moved.where, naming), value_text(moved.before, metric),
                     value_text(moved.after, metric), ratio_text(moved.ratio)});
    for (const Column* axis : comparison.ignored) lines.back().push_back(change_text(*axis, moved));
    if (!pairs_alike) continue;
    const std::vector<std::string> others =
        wrapped(others_of(moved, comparison, metric), others_width);
    lines.back().push_back(others.front());
    for (std::size_t k = 1; k < others.size(); ++k) lines.push_back({"", "", "", "", others[k]});
  }
  AxisColumns shared;
  for (const Column& axis : axis_columns()) {
    const auto is_in = [&axis](const AxisColumns& axes) {
      return std::ranges::find(axes, &axis) != axes.end();
    };
    const Row first{.where = comparison.moved.front().where};
    const bool unsaid = axis.later && axis.text(first) == axis.text(Row{});
    if (!is_in(naming) && !is_in(comparison.ignored) && !unsaid) shared.push_back(&axis);
  }
  return fmt::format("\n{}, worst first; of all: {}\n", metric.name,
                     case_text(comparison.moved.front().where, shared)) +
         indented(terminal_table({lines, 1, 3})) +
         more(comparison.moved_cases, comparison.moved.size());
}

}  // namespace

bool MovedCase::has(std::string_view column) const {
  return std::ranges::any_of(columns,
                             [column](const Column* each) { return each->name == column; });
}

SharedCase pairing_key(const Row& row, const std::vector<const Column*>& ignored) {
  Row keyed{.where = identity_of(row)};
  for (const Column* axis : ignored) axis->parse(keyed, axis->text(Row{}));
  return keyed.where;
}

namespace {

/// Lines by how bad their cases are, in a file without a name; their order takes 16 bytes each.
class SortedLines {
 public:
  SortedLines() : file_(std::tmpfile()) {
    if (!file_) throw InputError("no temporary file can be made for the lines of --csv");
  }
  ~SortedLines() { std::fclose(file_); }
  SortedLines(const SortedLines&) = delete;
  SortedLines& operator=(const SortedLines&) = delete;

  /// Lines with a larger `rank` come first.
  void add(double rank, const std::string& line) {
    order_.push_back({rank, size_});
    size_ += line.size();
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size()) throw cannot("written");
  }

  void write(const std::function<void(std::string_view)>& sink) {
    std::ranges::stable_sort(order_, std::greater<>(), &Line::rank);
    std::string line;
    for (const Line& each : order_) {
      if (std::fseek(file_, static_cast<long>(each.begin), SEEK_SET) != 0) throw cannot("read");
      line.clear();
      for (int c = 0; c != '\n'; line += static_cast<char>(c))
        if ((c = std::getc(file_)) == EOF) throw cannot("read");
      sink(line);
    }
  }

 private:
  struct Line {
    double rank;
    std::uint64_t begin;
  };

  static InputError cannot(const char* what) {
    return InputError(fmt::format("the temporary file for the lines of --csv cannot be {}", what));
  }

  std::FILE* file_;
  std::uint64_t size_ = 0;
  std::vector<Line> order_{};
};

}  // namespace

class RunComparer::State {
 public:
  State(const Column& metric, AxisColumns ignored, std::size_t most)
      : metric_(metric), grouped_(group_axes(ignored)), most_(most) {
    result_.ignored = std::move(ignored);
  }

  void add(const Row& before, const Row& after) {
    ++result_.cases;
    const MovedCase moved = difference(before, after, metric_);
    const bool differs = !moved.columns.empty();
    group_of(before, after).add(differs ? &moved : nullptr);
    if (!differs) return;
    for (const Column* column : moved.columns) ++result_.columns[std::string(column->name)];
    count_axes(moved.where);
    if (lines_) lines_->add(rank(moved), csv_line_of(moved));
    if (result_.moved.size() == most_ && (most_ == 0 || !worse(moved, result_.moved.back())))
      return;
    result_.moved.insert(std::ranges::upper_bound(result_.moved, moved, worse), moved);
    if (result_.moved.size() > most_) result_.moved.pop_back();
  }

  void add_alone(const Row& row, bool is_missing) {
    ++(is_missing ? result_.missing : result_.added);
    std::vector<Case>& cases = is_missing ? result_.only_before : result_.only_after;
    if (cases.size() < most_) cases.push_back(row.where);
    if (!lines_) return;
    const std::string nothing(4 + result_.ignored.size(), ',');
    lines_->add(is_missing ? -1.5e308 : -1.6e308,
                csv_start(row.where) + (is_missing ? "missing," : "new,") + nothing + "\n");
  }

  void keep_csv() { lines_.emplace(); }

  void write_csv(const std::function<void(std::string_view)>& sink) {
    std::string titles = "case_id";
    for (const Column& axis : axis_columns()) titles += "," + std::string(axis.name);
    titles += ",what,metric,before,after,ratio,columns";
    for (const Column* axis : result_.ignored) titles += fmt::format(",{}_after", axis->name);
    sink(titles + "\n");
    lines_->write(sink);
  }

  RunComparison finish() {
    for (std::size_t axis = 0; axis < axis_count; ++axis)
      if (axis_moves_[axis]) result_.moved_axes.push_back(&axis_columns()[axis]);
    for (const auto& [names, group] : groups_) result_.groups.push_back(group.result(names));
    return std::move(result_);
  }

 private:
  /// Those without a ratio first; missing and new cases come after all moved ones.
  static double rank(const MovedCase& moved) {
    if (!moved.ratio) return std::numeric_limits<double>::infinity();
    return std::isnan(*moved.ratio) ? 0 : std::clamp(*moved.ratio, -1e308, 1e308);
  }

  Group& group_of(const Row& before, const Row& after) {
    const bool again =
        last_group_ && result_.ignored.empty() && before.where.shares_names(last_names_);
    if (again) return *last_group_;
    const MovedCase pair{before.where, after.where, {}, {}, {}, {}};
    std::vector<std::string> names;
    for (const Column* axis : grouped_) names.push_back(change_text(*axis, pair));
    last_names_ = before.where;
    return *(last_group_ = &groups_[names]);
  }

  void count_axes(const Case& where) {
    if (result_.moved_cases++ == 0) first_moved_ = where;
    const Row row{.where = where};
    const Row first{.where = first_moved_};
    for (std::size_t axis = 0; axis < axis_count; ++axis) {
      const Column& column = axis_columns()[axis];
      axis_moves_[axis] = axis_moves_[axis] || column.text(row) != column.text(first);
    }
  }

  static std::string csv_start(const SharedCase& where) {
    std::string text = case_id(where);
    for (const Column& axis : axis_columns())
      text += "," + results::csv_cell(axis.text(Row{.where = where}));
    return text + ",";
  }

  std::string csv_line_of(const MovedCase& moved) const {
    const auto number = [](std::optional<double> value) { return value ? shortest(*value) : ""; };
    std::string line = csv_start(moved.where) +
                       fmt::format("moved,{},{},{},{},{}", metric_.name, number(moved.before),
                                   number(moved.after), number(moved.ratio), columns_text(moved));
    for (const Column* axis : result_.ignored)
      line += "," + results::csv_cell(axis->text(Row{.where = moved.partner}));
    return line + "\n";
  }

  const Column& metric_;
  AxisColumns grouped_;
  std::size_t most_;
  RunComparison result_{};
  std::map<std::vector<std::string>, Group> groups_{};
  Group* last_group_ = nullptr;
  SharedCase last_names_{};
  SharedCase first_moved_{};
  std::array<bool, axis_count> axis_moves_{};
  std::optional<SortedLines> lines_{};
};

RunComparer::RunComparer(const Column& metric, std::vector<const Column*> ignored, std::size_t most)
    : state_(std::make_unique<State>(metric, std::move(ignored), most)) {}
RunComparer::~RunComparer() = default;
RunComparer::RunComparer(RunComparer&&) noexcept = default;
RunComparer& RunComparer::operator=(RunComparer&&) noexcept = default;
void RunComparer::add(const Row& before, const Row& after) { state_->add(before, after); }
void RunComparer::add_missing(const Row& before) { state_->add_alone(before, true); }
void RunComparer::add_new(const Row& after) { state_->add_alone(after, false); }
void RunComparer::keep_csv() { state_->keep_csv(); }
void RunComparer::write_csv(const std::function<void(std::string_view)>& sink) {
  state_->write_csv(sink);
}
RunComparison RunComparer::finish() { return state_->finish(); }

void compare_rows(std::span<const Row> before, std::span<const Row> after,
                  const std::vector<const Column*>& ignored, RunComparer& comparer) {
  const std::vector<Keyed> left = sorted(before, ignored, true);
  const std::vector<Keyed> right = sorted(after, ignored, false);
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();)
    if (j == right.size() || (i < left.size() && left[i].key < right[j].key))
      comparer.add_missing(*left[i++].row);
    else if (i == left.size() || right[j].key < left[i].key)
      comparer.add_new(*right[j++].row);
    else
      comparer.add(*left[i++].row, *right[j++].row);
}

RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric, const std::vector<const Column*>& ignored) {
  RunComparer comparer(metric, ignored);
  compare_rows(before, after, ignored, comparer);
  return comparer.finish();
}

std::string comparison_text(const RunComparison& comparison, const Column& metric) {
  std::string ignored;
  for (const Column* axis : comparison.ignored) ignored += fmt::format(", any {}", axis->name);
  std::string text = fmt::format("{} in both runs{}: {} moved; {} missing, {} new\n",
                                 counted(comparison.cases, "case"), ignored, comparison.moved_cases,
                                 comparison.missing, comparison.added);
  if (comparison.moved_cases > 0) {
    std::vector<std::string> differing = {"rows that differ in"};
    for (const std::span<const Column> list : {columns(), statistics_columns()})
      for (const Column& column : list)
        if (const auto found = comparison.columns.find(std::string(column.name));
            found != comparison.columns.end())
          differing.push_back(fmt::format("{}: {}", found->first, found->second));
    constexpr std::size_t width = 110;
    text += fmt::format("{}\n", fmt::join(wrapped(differing, width), "\n  ")) +
            group_table(comparison, metric) + case_table(comparison, metric);
  }
  return text +
         case_list("missing, in the first run only", comparison.only_before, comparison.missing) +
         case_list("new, in the second run only", comparison.only_after, comparison.added);
}

}  // namespace fftprec::text
