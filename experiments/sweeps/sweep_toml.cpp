#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "arith/error.hpp"
#include "experiments/rows/filter_names.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/split.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "experiments/sweeps/sweep_table.hpp"

namespace fftprec {

namespace {

using Names = std::vector<std::string>;

/// Walks one document; every error says where in it.
class Reader {
 public:
  Reader(std::string_view source, const CheckNames& check_names)
      : source_(source), check_names_(check_names) {}

  Sweep sweep(const toml::table& document, const Names& others = {}) const {
    Sweep sweep;
    Names known = {"name", "question", "gates",   "metrics", "defaults",
                   "axes", "sweep",    "exclude", "include", "plot"};
    known.insert(known.end(), others.begin(), others.end());
    check_keys(document, known);
    sweep.name = text(document, "name");
    sweep.question = text(document, "question");
    sweep.gates = text(document, "gates");

    sweep.metrics = metrics(document);

    Axes shared = defaults(document);
    if (const toml::node* axes = document.get("axes")) shared = on_top_of(shared, table(*axes));
    for (const toml::table* block : tables(document, "sweep"))
      sweep.blocks.push_back(on_top_of(shared, *block));
    if (sweep.blocks.empty()) sweep.blocks.push_back(shared);
    for (const toml::table* block : tables(document, "include"))
      sweep.include.push_back(on_top_of(shared, *block));
    for (const toml::table* block : tables(document, "exclude"))
      sweep.exclude.push_back(exclusion(*block));
    for (const toml::table* block : tables(document, "plot")) sweep.plots.push_back(plot(*block));
    if (!document.contains("axes") && !document.contains("sweep") && !document.contains("include"))
      throw InputError(
          fmt::format("{}:1:1: nothing to run: a sweep needs [axes] or [[sweep]]", source_));
    return sweep;
  }

  InputError error(const toml::source_region& where, std::string_view message) const {
    return InputError(
        fmt::format("{}:{}:{}: {}", source_, where.begin.line, where.begin.column, message));
  }

 private:
  void check_keys(const toml::table& table, const Names& known) const {
    for (const auto& [key, value] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        throw error(key.source(), unknown_name("key", key.str(), known).what());
  }

  const toml::table& table(const toml::node& node) const {
    if (const toml::table* found = node.as_table()) return *found;
    throw error(node.source(), "expected a table");
  }

  /// The string at `key`, or "" if there is none.
  std::string text(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (!node) return "";
    if (const auto value = node->value_exact<std::string>()) return *value;
    throw error(node->source(), fmt::format("'{}' must be a string", key));
  }

  std::vector<const toml::table*> tables(const toml::table& document, std::string_view key) const {
    std::vector<const toml::table*> found;
    const toml::node* node = document.get(key);
    if (!node) return found;
    if (!node->is_array_of_tables())
      throw error(node->source(), fmt::format("'{0}' must be tables: [[{0}]]", key));
    for (const toml::node& element : *node->as_array()) found.push_back(element.as_table());
    return found;
  }

  Axes on_top_of(Axes axes, const toml::table& block) const {
    Names known;
    for (const Column& column : axis_columns()) known.emplace_back(column.name);
    check_keys(block, known);
    for (const auto& [key, value] : block) {
      const std::size_t axis = axis_index(key.str());
      axes.values[axis] = values(axis, value);
    }
    return axes;
  }

  Names metrics(const toml::table& document) const {
    Names names;
    const toml::node* node = document.get("metrics");
    if (!node) return names;
    if (!node->is_array()) throw error(node->source(), "'metrics' must be an array of names");
    for (const toml::node& element : *node->as_array()) {
      names.push_back(scalar(element));
      check_numbers(names.back(), "metrics", element);
    }
    return names;
  }

  /// As [axes], but one value each.
  Axes defaults(const toml::table& document) const {
    const toml::node* node = document.get("defaults");
    if (!node) return {};
    const Axes axes = on_top_of({}, table(*node));
    for (const auto& [key, value] : table(*node))
      if (axes.values[axis_index(key.str())].size() != 1)
        throw error(value.source(), "a default is one value; [axes] takes several");
    return axes;
  }

  /// An integer, a string as -a takes it, an array of both, { pow2 = [a, b] }, also with smooth and
  /// primes, or { range = [a, b, step] }.
  Names values(std::size_t axis, const toml::node& node) const {
    Names all;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) add_item(all, axis, "", scalar(element), element);
    } else if (const toml::table* range = node.as_table()) {
      Names kinds = axis_modifiers();
      kinds.push_back("range");
      check_keys(*range, kinds);
      if (range->size() != 1)
        throw error(node.source(), fmt::format("expected one of {}", fmt::join(kinds, ", ")));
      const std::string_view kind = range->begin()->first.str();
      const toml::node& limits = range->begin()->second;
      add_item(all, axis, kind == "range" ? "" : kind, range_text(limits), limits);
    } else {
      Names items;
      located(node, [&] { items = split_list(scalar(node)); });
      for (const std::string& item : items) add_item(all, axis, "", item, node);
    }
    if (all.empty()) throw error(node.source(), "an axis needs at least one value");
    return all;
  }

  void add_item(Names& all, std::size_t axis, std::string_view modifier, const std::string& item,
                const toml::node& node) const {
    located(node, [&] {
      for (std::string& value : axis_values(axis, modifier, item)) {
        if (value == item) value = check_axis_value(axis, value, check_names_);
        all.push_back(std::move(value));
      }
    });
  }

  std::string scalar(const toml::node& node) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
    throw error(node.source(), "expected a string or an integer");
  }

  std::string range_text(const toml::node& node) const {
    const toml::array* limits = node.as_array();
    if (!limits || limits->size() < 2 || limits->size() > 3)
      throw error(node.source(), "expected [first, last] or [first, last, step]");
    std::string text;
    for (const toml::node& limit : *limits) text += (text.empty() ? "[" : ":") + scalar(limit);
    return text + "]";
  }

  Filter exclusion(const toml::table& block) const {
    Names conditions;
    if (const std::string where = text(block, "where"); !where.empty()) conditions.push_back(where);
    toml::table axes_only = block;
    axes_only.erase("where");
    const Axes axes = on_top_of({}, axes_only);
    for (std::size_t axis = 0; axis < axes.values.size(); ++axis)
      if (!axes.values[axis].empty())
        conditions.push_back(
            fmt::format("{}={}", axis_columns()[axis].name, fmt::join(axes.values[axis], ",")));
    if (conditions.empty()) throw error(block.source(), "an exclusion needs a condition");
    const toml::node* where = block.get("where");
    Filter filter;
    located(where ? *where : block, [&] {
      filter = parse_filters(conditions);
      check_filter_names(filter, check_names_);
    });
    if (!decided_by_case(filter))
      throw error(block.source(), "an exclusion can only ask for axes, not for results");
    return filter;
  }

  PlotSpec plot(const toml::table& block) const {
    check_keys(block, {"kind", "title", "x", "y", "series", "filter"});
    PlotSpec plot;
    if (block.get("kind")) plot.kind = text(block, "kind");
    const Names kinds = {"lines", "heatmap", "cost", "histogram"};
    if (std::find(kinds.begin(), kinds.end(), plot.kind) == kinds.end())
      throw error(block.get("kind")->source(), unknown_name("plot kind", plot.kind, kinds).what());
    if (plot.kind == "heatmap") plot.series = "algorithm";
    if (plot.kind == "cost") plot.x = "matmul_passes";
    plot.title = text(block, "title");
    plot.filter = text(block, "filter");
    if (const toml::node* filter = block.get("filter"))
      located(*filter, [&] { check_filter_names(parse_filter(plot.filter), check_names_); });
    const auto column = [&](std::string_view key, std::string& name, bool numbers) {
      if (!block.get(key)) return;
      name = text(block, key);
      if (key == "y" && (name == err_over_bound || name == err_over_expected)) return;
      if (numbers)
        check_numbers(name, key, *block.get(key));
      else
        located(*block.get(key), [&] { column_named(name); });
    };
    column("x", plot.x, true);
    column("y", plot.y, true);
    column("series", plot.series, false);
    return plot;
  }

  void check_numbers(const std::string& column, std::string_view key,
                     const toml::node& node) const {
    located(node, [&] {
      if (!holds_numbers(column_named(column)))
        throw InputError(fmt::format("{} = {} is not a column of numbers", key, column));
    });
  }

  /// Calls `action`; of an error it says that it is at `node`.
  template <class Action>
  void located(const toml::node& node, Action&& action) const {
    try {
      action();
    } catch (const InputError& problem) {
      throw error(node.source(), problem.what());
    }
  }

  std::string_view source_;
  const CheckNames& check_names_;
};

}  // namespace

Sweep sweep_from(const toml::table& document, std::string_view source,
                 const CheckNames& check_names, const std::vector<std::string>& others) {
  return Reader(source, check_names).sweep(document, others);
}

Sweep parse_sweep(std::string_view toml, std::string_view source, const CheckNames& check_names) {
  const Reader reader(source, check_names);
  try {
    Sweep sweep = reader.sweep(toml::parse(toml, source));
    sweep.text = toml;
    return sweep;
  } catch (const toml::parse_error& problem) {
    throw reader.error(problem.source(), problem.description());
  }
}

Sweep load_sweep(const std::filesystem::path& path, const CheckNames& check_names) {
  return parse_sweep(read_file(path), path.string(), check_names);
}

}  // namespace fftprec
