#include <fmt/format.h>
#include <toml++/toml.h>

#include "arith/support/error.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "experiments/sweeps/sweep_table.hpp"

namespace fftprec {

namespace {

using Names = std::vector<std::string>;

/// Walks one document.
class SweepReader {
 public:
  SweepReader(const TomlReader& toml, const CheckNames& check_names)
      : toml_(toml), check_names_(check_names) {}

  Sweep sweep(const toml::table& document, const Names& others = {}) const {
    Sweep sweep;
    Names known = {"name", "question", "gates",   "metrics", "defaults",
                   "axes", "sweep",    "exclude", "include", "plot"};
    known.insert(known.end(), others.begin(), others.end());
    toml_.check_keys(document, known);
    sweep.name = toml_.text_or(document, "name", "");
    if (document.contains("question"))
      sweep.question = toml_.value(document, "question", prose_from);
    sweep.gates = toml_.text_or(document, "gates", "");

    sweep.metrics = metrics(document);

    Axes shared = defaults(document);
    if (document.contains("axes")) shared = on_top_of(shared, toml_.table(document, "axes"));
    for (const toml::table* block : toml_.tables(document, "sweep"))
      sweep.blocks.push_back(on_top_of(shared, *block));
    if (sweep.blocks.empty()) sweep.blocks.push_back(shared);
    for (const toml::table* block : toml_.tables(document, "include"))
      sweep.include.push_back(on_top_of(shared, *block));
    for (const toml::table* block : toml_.tables(document, "exclude"))
      sweep.exclude.push_back(exclusion(*block));
    for (const toml::table* block : toml_.tables(document, "plot"))
      sweep.plots.push_back(plot(*block));
    if (!document.contains("axes") && !document.contains("sweep") && !document.contains("include"))
      throw toml_.error(document, "nothing to run: a sweep needs [axes] or [[sweep]]");
    return sweep;
  }

 private:
  /// The keys of `block` but for `other` are axes.
  Axes on_top_of(Axes axes, const toml::table& block, std::string_view other = "") const {
    Names known = axis_keys(block);
    if (!other.empty()) known.emplace_back(other);
    toml_.check_keys(block, known);
    for (const auto& [key, value] : block) {
      if (key == other) continue;
      const std::size_t axis = axis_index(key.str());
      axes.values[axis] = values(axis, value);
    }
    return axes;
  }

  Names metrics(const toml::table& document) const {
    Names names;
    const toml::node* node = document.get("metrics");
    if (!node) return names;
    if (!node->is_array()) throw toml_.unexpected(*node, "metrics", "an array of names");
    names = toml_.value(document, "metrics", texts_from);
    for (std::size_t i = 0; i < names.size(); ++i)
      check_numbers(names[i] = shown_name(names[i]), "metrics", (*node->as_array())[i]);
    return names;
  }

  /// As [axes], but one value each.
  Axes defaults(const toml::table& document) const {
    if (!document.contains("defaults")) return {};
    const toml::table& defaults = toml_.table(document, "defaults");
    const Axes axes = on_top_of({}, defaults);
    for (const auto& [key, value] : defaults)
      if (axes.values[axis_index(key.str())].size() != 1)
        throw toml_.error(value, "a default is one value; [axes] takes several");
    return axes;
  }

  /// An integer, a string as -a takes it, an array of both, { pow2 = [a, b] }, also with smooth and
  /// primes, or { range = [a, b, step] }.
  Names values(std::size_t axis, const toml::node& node) const {
    Names all;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array)
        add_item(all, axis, "", scalar(axis, element), element);
    } else if (const toml::table* range = node.as_table()) {
      Names kinds = axis_modifiers();
      kinds.push_back("range");
      toml_.check_keys(*range, kinds);
      if (range->size() != 1)
        throw toml_.error(node, fmt::format("expected one of {}", fmt::join(kinds, ", ")));
      const std::string_view kind = range->begin()->first.str();
      const toml::node& limits = range->begin()->second;
      add_item(all, axis, kind == "range" ? "" : kind, range_text(axis, limits), limits);
    } else {
      for (const std::string& item :
           toml_.located(node, [&] { return split_list(scalar(axis, node)); }))
        add_item(all, axis, "", item, node);
    }
    if (all.empty()) throw toml_.error(node, "an axis needs at least one value");
    return all;
  }

  void add_item(Names& all, std::size_t axis, std::string_view modifier, const std::string& item,
                const toml::node& node) const {
    toml_.located(node, [&] {
      for (std::string& value : axis_values(axis, modifier, item)) {
        if (value == item) value = check_axis_value(axis, value, check_names_);
        all.push_back(std::move(value));
      }
    });
  }

  std::string scalar(std::size_t axis, const toml::node& node) const {
    return toml_.located(node, axis_columns()[axis].name, [&] { return scalar_from(node); });
  }

  std::string range_text(std::size_t axis, const toml::node& node) const {
    const toml::array* limits = node.as_array();
    if (!limits || limits->size() < 2 || limits->size() > 3)
      throw toml_.unexpected(node, axis_columns()[axis].name,
                             "[first, last] or [first, last, step]");
    std::string text;
    for (const toml::node& limit : *limits)
      text += (text.empty() ? "[" : ":") + scalar(axis, limit);
    return text + "]";
  }

  Filter exclusion(const toml::table& block) const {
    Names conditions;
    if (block.contains("where")) conditions.push_back(toml_.text(block, "where"));
    const Axes axes = on_top_of({}, block, "where");
    for (std::size_t axis = 0; axis < axes.values.size(); ++axis)
      if (!axes.values[axis].empty())
        conditions.push_back(
            fmt::format("{}={}", axis_columns()[axis].name, fmt::join(axes.values[axis], ",")));
    if (conditions.empty()) throw toml_.error(block, "an exclusion needs a condition");
    const toml::node* where = block.get("where");
    Filter filter;
    toml_.located(where ? *where : block, [&] {
      filter = parse_filters(conditions);
      check_filter_names(filter, check_names_);
    });
    if (!decided_by_case(filter))
      throw toml_.error(block, "an exclusion selects by axes only, not by results");
    return filter;
  }

  FigureRequest plot(const toml::table& block) const {
    toml_.check_keys(block, {"kind", "title", "x", "y", "series", "panel", "scale", "filter"});
    FigureRequest plot;
    plot.kind = toml_.text_or(block, "kind", plot.kind);
    if (const toml::node* kind = block.get("kind")) plot.place = toml_.error(*kind, "").what();
    plot.title = toml_.text_or(block, "title", "");
    if (const toml::node* filter = block.get("filter"))
      toml_.located(*filter, [&] {
        plot.where = select_rows({toml_.text(block, "filter")});
        check_filter_names(plot.where.filter, check_names_);
      });
    const auto column = [&](std::string_view key, std::string& name, bool numbers) {
      if (!block.get(key)) return;
      name = shown_name(toml_.text(block, key));
      // Across a heat map stand names, and those of a computed number are in no column.
      if (numbers && is_computed(name) && (key == "y" || plot.kind != "heatmap")) return;
      if (numbers)
        check_numbers(name, key, *block.get(key));
      else
        toml_.located(*block.get(key), [&] { column_named(name); });
    };
    column("x", plot.x, true);
    column("y", plot.y, true);
    column("series", plot.series, false);
    if (toml_.text_or(block, "panel", "") == "none")
      plot.panel = "none";
    else
      column("panel", plot.panel, false);
    if (const toml::node* scale = block.get("scale"))
      toml_.located(*scale,
                    [&] { plot.own_y_range = own_scale_named(toml_.text(block, "scale")); });
    return plot;
  }

  void check_numbers(const std::string& column, std::string_view key,
                     const toml::node& node) const {
    toml_.located(node, [&] {
      if (key != "x") metric_named(column);
      if (!holds_numbers(column_named(column)))
        throw InputError(fmt::format("{} = {} is not a column of numbers", key, column));
    });
  }

  const TomlReader& toml_;
  const CheckNames& check_names_;
};

}  // namespace

Sweep sweep_from(const toml::table& document, const TomlReader& toml, const CheckNames& check_names,
                 const std::vector<std::string>& others) {
  return SweepReader(toml, check_names).sweep(document, others);
}

Sweep parse_sweep(std::string_view toml, std::string_view source, const CheckNames& check_names) {
  const TomlReader reader(source);
  Sweep sweep = sweep_from(reader.parse(toml), reader, check_names);
  sweep.text = toml;
  return sweep;
}

Sweep load_sweep(const std::filesystem::path& path, const CheckNames& check_names) {
  return parse_sweep(read_file(path), path.string(), check_names);
}

}  // namespace fftprec
