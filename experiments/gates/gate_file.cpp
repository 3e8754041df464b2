#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <string>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/gates/gate_table.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec::gates {

namespace {

double factor_from(const toml::node& node) {
  const double value = number_from(node);
  if (value < 1) throw UnexpectedValue(node, "a factor of at least 1");
  return value;
}

double positive_from(const toml::node& node) {
  const double value = number_from(node);
  if (value <= 0) throw UnexpectedValue(node, "a factor above 0");
  return value;
}

double probability_from(const toml::node& node) {
  const double value = number_from(node);
  if (!(value >= 0 && value < 1)) throw UnexpectedValue(node, "a probability from 0 to below 1");
  return value;
}

std::string_view kind_from(const toml::node& node) { return gate_kind_named(text_from(node)).name; }

std::string metric_from(const toml::node& node) {
  return std::string(metric_named(text_from(node)).name);
}

std::vector<std::string> axes_from(const toml::node& node) {
  std::vector<std::string> names = texts_from(node);
  for (std::string& name : names) name = axis_names()[axis_index(name)];
  return names;
}

/// Names are those of the rows: check_gate judges them.
Selection selection_from(const toml::node& node) { return select_rows(texts_from(node)); }

/// { "n=64" = "1.5e-3", ... }: the rows that a figure speaks of, and the figure.
std::vector<PublishedFigure> figures_from(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (!table || table->empty())
    throw UnexpectedValue(node, "figures by filter, { \"n=64\" = \"1.5e-3\" }");
  std::vector<PublishedFigure> figures;
  for (const auto& [filter, figure] : *table) {
    figures.push_back(figure_from(text_from(figure)));
    figures.back().where = select_rows({std::string(filter.str())});
  }
  return figures;
}

ExpectFail expectation_from(const toml::node& node) {
  const toml::table* table = node.as_table();
  const std::string form = "{ reason = \"...\", expires = 2026-12-31 }";
  if (!table) throw UnexpectedValue(node, form);
  for (const auto& [key, value] : *table)
    if (key.str() != "reason" && key.str() != "expires")
      throw unknown_name("key", key.str(), {"reason", "expires"});
  for (const char* name : {"reason", "expires"})
    if (!table->contains(name))
      throw InputError(fmt::format("expected {}; '{}' is missing", form, name));
  return {text_from(*table->get("reason")), day_from(*table->get("expires"))};
}

/// A key of [[gate]] and where its value goes.
struct Key {
  std::string_view name;
  void (*set)(Gate& gate, const toml::node& node);
};

/// Reads the node by `read` into the field.
template <auto field, auto read>
void into(Gate& gate, const toml::node& node) {
  gate.*field = read(node);
}

constexpr Key keys[] = {
    {"name", into<&Gate::name, text_from>},
    {"kind", into<&Gate::kind, kind_from>},
    {"source", into<&Gate::source, text_from>},
    {"reason", into<&Gate::source, text_from>},
    {"metric", into<&Gate::metric, metric_from>},
    {"where", into<&Gate::where, selection_from>},
    {"limit", into<&Gate::limit, number_from>},
    {"failure", into<&Gate::failure, probability_from>},
    {"baseline", into<&Gate::baseline, text_from>},
    {"worse", into<&Gate::worse, factor_from>},
    {"better", into<&Gate::better, factor_from>},
    {"complete", into<&Gate::complete, truth_value_from>},
    {"left", into<&Gate::left, selection_from>},
    {"right", into<&Gate::right, selection_from>},
    {"factor", into<&Gate::factor, positive_from>},
    {"over", into<&Gate::over, axes_from>},
    {"min", into<&Gate::min_slope, number_from>},
    {"max", into<&Gate::max_slope, number_from>},
    {"min_ratio", into<&Gate::min_ratio, number_from>},
    {"max_ratio", into<&Gate::max_ratio, number_from>},
    {"figures", into<&Gate::figures, figures_from>},
    {"within", into<&Gate::within, factor_from>},
    {"expect_fail", into<&Gate::expect_fail, expectation_from>},
};

/// The keys that a gate of this kind may have.
std::vector<std::string> keys_of(const GateKind& kind) {
  std::vector<std::string> names = {"name", "kind", "source", "reason", "expect_fail"};
  names.insert(names.end(), kind.required.begin(), kind.required.end());
  names.insert(names.end(), kind.optional.begin(), kind.optional.end());
  return names;
}

}  // namespace

PublishedFigure figure_from(std::string_view text) {
  const PublishedValue value = published_value(text);
  if (!(value.low > 0)) throw InputError(fmt::format("'{}' is not a figure to compare with", text));
  return {value, {}};
}

Gate gate_from(const toml::table& table, const TomlReader& toml,
               const std::vector<std::string>& others) {
  Gate gate;
  gate.file = toml.source();
  gate.line = table.source().begin.line;
  const auto set = [&](std::string_view name, const toml::node& node) {
    const Key* key = std::ranges::find(keys, name, &Key::name);
    toml.located(node, name, [&] { key->set(gate, node); });
  };
  if (!table.contains("kind")) throw toml.error(table, "a gate needs the key 'kind'");
  set("kind", *table.get("kind"));
  const GateKind& kind = gate_kind_named(gate.kind);
  gate.metric = kind.metric;
  const std::vector<std::string> known = keys_of(kind);
  for (const auto& [key, node] : table) {
    if (std::ranges::find(others, key.str()) != others.end()) continue;
    if (std::ranges::find(known, key.str()) == known.end())
      throw toml.error(
          key.source().begin,
          unknown_name(fmt::format("key of a {} gate", gate.kind), key.str(), known).what());
    set(key.str(), node);
  }
  std::vector<std::string_view> needed = kind.required;
  needed.push_back("name");
  for (const std::string_view name : needed)
    if (!table.contains(name))
      throw toml.error(table, fmt::format("a gate of kind {} needs the key '{}'", gate.kind, name));
  if (table.contains("source") == table.contains("reason"))
    throw toml.error(table, "a gate needs one of the keys 'source' and 'reason'");
  if (gate.kind == "slope" && !table.contains("min") && !table.contains("max"))
    throw toml.error(table, "a gate of kind slope needs one of the keys 'min' and 'max'");
  if (gate.min_slope > gate.max_slope)
    throw toml.error(table, "min is above max: no slope lies between");
  return gate;
}

std::vector<Gate> parse_gates(std::string_view text, std::string_view name) {
  const TomlReader toml(name);
  const toml::table document = toml.parse(text);
  toml.check_keys(document, {"gate"});
  std::vector<Gate> gates;
  std::set<std::string> names;
  for (const toml::table* table : toml.tables(document, "gate")) {
    gates.push_back(gate_from(*table, toml));
    if (!names.insert(gates.back().name).second)
      throw toml.error(*table, fmt::format("two gates have the name '{}'", gates.back().name));
  }
  if (gates.empty()) throw toml.error(document, "no [[gate]]");
  return gates;
}

std::vector<Gate> read_gates(const std::filesystem::path& path) {
  std::vector<Gate> gates = parse_gates(read_file(path), path.string());
  for (Gate& gate : gates)
    if (!gate.baseline.empty()) gate.baseline = (path.parent_path() / gate.baseline).string();
  return gates;
}

}  // namespace fftprec::gates
