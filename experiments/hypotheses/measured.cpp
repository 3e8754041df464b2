#include "experiments/hypotheses/measured.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec::hypotheses {

namespace {

std::vector<std::string> row_keys(const toml::table& table) {
  std::vector<std::string> keys = axis_keys(table);
  std::erase(keys, "machine");
  keys.insert(keys.end(), {"metric", "value", "digits", "alternatives"});
  return keys;
}

class MeasuredReader {
 public:
  MeasuredReader(std::string_view source, const CheckNames& check_names)
      : toml_(source), check_names_(check_names) {}

  Measured measured(std::string_view text) const {
    const toml::table document = toml_.parse(text);
    toml_.check_keys(document, {"name", "source", "what", "hypotheses", "defaults", "row"});
    Measured measured{toml_.text_or(document, "name", ""),
                      toml_.text_or(document, "source", ""),
                      toml_.text_or(document, "what", ""),
                      {},
                      {}};
    if (const toml::node* ids = document.get("hypotheses"))
      measured.hypotheses = toml_.located(*ids, [&] { return texts_from(*ids); });
    const toml::table none;
    // A copy would not know the places of its nodes.
    const toml::table& defaults =
        document.contains("defaults") ? toml_.table(document, "defaults") : none;
    check_row_keys(defaults);
    const std::vector<const toml::table*> tables = toml_.tables(document, "row");
    if (tables.empty()) throw toml_.error(document, "nothing was measured: no table [[row]]");
    for (const toml::table* table : tables) {
      check_row_keys(*table);
      measured.rows.push_back(row(defaults, *table));
      check_against_earlier(measured.rows, tables);
    }
    return measured;
  }

 private:
  void check_row_keys(const toml::table& table) const {
    if (const toml::node* machine = table.get("machine"))
      throw toml_.error(*machine,
                        "the command searches the machine; --machine NAME adds one to try");
    toml_.check_keys(table, row_keys(table));
  }

  MeasuredRow row(const toml::table& defaults, const toml::table& table) const {
    const auto find = [&](std::string_view key) {
      const toml::node* own = table.get(key);
      return own ? own : defaults.get(key);
    };
    for (const char* key : {"algorithm", "mode", "n", "input", "metric", "value"})
      if (!find(key)) throw toml_.error(table, fmt::format("the row says no '{}'", key));
    MeasuredRow row;
    row.tables_known = find("tables") != nullptr;
    row.seed_known = find("seed") != nullptr;
    Row holder;
    const std::vector<std::string> own_keys = axis_keys(table);
    const std::vector<std::string> default_keys = axis_keys(defaults);
    for (std::size_t axis = 0; axis < axis_columns().size(); ++axis) {
      const Column& column = axis_columns()[axis];
      const toml::node* node = table.get(own_keys[axis]);
      if (!node) node = defaults.get(default_keys[axis]);
      if (!node) continue;
      const std::string value =
          toml_.located(*node, column.name, [node] { return scalar_from(*node); });
      toml_.located(*node,
                    [&] { column.parse(holder, check_axis_value(axis, value, check_names_)); });
    }
    row.where = holder.where;
    row.metric = toml_.located(*find("metric"), [&] { return metric(*find("metric")); });
    row.values = values(*find("value"), find("digits"), find("alternatives"));
    return row;
  }

  const Column* metric(const toml::node& node) const {
    const std::string name = text_from(node);
    std::vector<std::string> known;
    for (const Column& column : columns())
      if (column.is_error || quantity_kind_of(column.name) == QuantityKind::gain)
        known.emplace_back(column.name);
    if (std::ranges::find(known, name) == known.end()) throw unknown_name("metric", name, known);
    return &column_named(name);
  }

  std::vector<PublishedValue> values(const toml::node& value, const toml::node* digits,
                                     const toml::node* alternatives) const {
    std::vector<PublishedValue> all = {
        toml_.located(value, [&] { return one_value(value, digits); })};
    if (!alternatives) return all;
    const toml::array* array = alternatives->as_array();
    if (!array) throw toml_.unexpected(*alternatives, "alternatives", "an array");
    for (const toml::node& other : *array)
      all.push_back(toml_.located(other, [&] { return one_value(other, digits); }));
    return all;
  }

  PublishedValue one_value(const toml::node& value, const toml::node* digits) const {
    const auto count = digits ? digits->value_exact<std::int64_t>() : std::nullopt;
    if (digits && (!count || *count < 1 || *count > 17))
      throw UnexpectedValue(*digits, "a whole number in 1..17");
    if (const auto text = value.value_exact<std::string>()) {
      const PublishedValue published = published_value(*text);
      if (count && *count != published.digits)
        throw InputError(
            fmt::format("'{}' has {} digits, but digits = {}", *text, published.digits, *count));
      return published;
    }
    if (!value.is_number()) throw UnexpectedValue(value, "a number, or one as a text, \"1.5e-3\"");
    if (!count)
      throw InputError(
          "a number does not say how many digits were published: add digits = 2, or write it as "
          "a text, \"1.5e-3\"");
    return published_value(*value.value<double>(), static_cast<int>(*count));
  }

  /// Checks that the last row is about a new case.
  void check_against_earlier(const std::vector<MeasuredRow>& rows,
                             const std::vector<const toml::table*>& tables) const {
    const MeasuredRow& last = rows.back();
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      const MeasuredRow& row = rows[i];
      if (row.where != last.where || row.metric != last.metric ||
          row.seed_known != last.seed_known || row.tables_known != last.tables_known)
        continue;
      const std::string both =
          fmt::format("{} {}: {} here and {} in line {}", label(last), last.metric->name,
                      last.values[0].text, row.values[0].text, tables[i]->source().begin.line);
      const bool meet = std::ranges::any_of(row.values, [&](const auto& a) {
        return std::ranges::any_of(
            last.values, [&](const auto& b) { return a.low <= b.high && b.low <= a.high; });
      });
      throw toml_.error(*tables[rows.size() - 1],
                        meet ? both + " give one case twice: keep the one with more digits"
                             : both +
                                   " contradict each other: keep one, and the other "
                                   "under its 'alternatives' if either may hold");
    }
  }

  TomlReader toml_;
  const CheckNames& check_names_;
};

}  // namespace

Measured parse_measured(std::string_view toml, std::string_view source,
                        const CheckNames& check_names) {
  Measured measured = MeasuredReader(source, check_names).measured(toml);
  if (measured.name.empty()) measured.name = std::filesystem::path(source).stem().string();
  return measured;
}

Measured measured_from(std::span<const Row> rows, const std::string& name,
                       const CheckNames& check_names, RowNames names) {
  const bool searched = names == RowNames::searched;
  constexpr int digits = 4;
  Measured measured{.name = name, .source = {}, .what = {}, .hypotheses = {}, .rows = {}};
  std::optional<std::string> machine;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.err_l2_rel) continue;
    const auto refused = [&](const std::string& reason) {
      return InputError(fmt::format("{}: {}: {}", name, command_of(row.where), reason));
    };
    if (searched && machine && *machine != row.where.machine())
      throw refused("rows of two machines, " + *machine + " and " + row.where.machine() +
                    ": explain looks for one that made them all; give a run of one machine");
    machine = row.where.machine();
    if (!std::isfinite(*row.err_l2_rel))
      throw refused("err_l2_rel = " + exact_number(*row.err_l2_rel) + " cannot be replayed");
    MeasuredRow replayed{.where = row.where,
                         .tables_known = searched && row.where.tables() != "own",
                         .seed_known = true,
                         .metric = &column_named("err_l2_rel"),
                         .values = {published_value(published_text(*row.err_l2_rel, digits))}};
    if (searched) replayed.where.machine = Case{}.machine;
    if (searched && !replayed.tables_known) replayed.where.tables = Case{}.tables;
    try {
      check_names(replayed.where);
    } catch (const InputError& unknown) {
      throw refused(std::string(unknown.what()) +
                    "; explain replays rows, so algorithm, mode and input must be names of "
                    "fftprec: say in a table, or by -a, which they stand for (docs/explain.md)");
    }
    measured.rows.push_back(std::move(replayed));
  }
  if (measured.rows.empty())
    throw InputError(name + ": nothing was measured: no row has err_l2_rel");
  return measured;
}

std::string label(const MeasuredRow& row) {
  const Case usual;
  const Case& where = row.where;
  std::string text = fmt::format("{} {} n={}", where.algorithm, where.mode, where.n);
  if (where.transform != usual.transform) text = where.transform + " " + text;
  if (where.batch != usual.batch) text += fmt::format(" batch={}", where.batch);
  if (row.tables_known) text += " tables=" + where.tables;
  for (const LaterAxis& axis : later_axes)
    if (!axis.is_default(where)) text += fmt::format(" {}={}", axis.name, where.*axis.value);
  return text;
}

std::string published_texts(const MeasuredRow& row) {
  std::string text;
  for (const PublishedValue& value : row.values) text += (text.empty() ? "" : " or ") + value.text;
  return text;
}

Measured load_measured(const std::string& name_or_path, const CheckNames& check_names) {
  for (const BuiltinMeasured& table : builtin_measured())
    if (table.name == name_or_path)
      return parse_measured(table.toml, std::string(table.name) + ".toml", check_names);
  if (!name_or_path.ends_with(".toml") && name_or_path.find('/') == std::string::npos &&
      !std::filesystem::exists(name_or_path))
    throw unknown_name("measured table (nor is it a file)", name_or_path,
                       names_by(builtin_measured(), &BuiltinMeasured::name));
  return parse_measured(read_file(name_or_path), name_or_path, check_names);
}

}  // namespace fftprec::hypotheses
