#include "experiments/files/machine_file.hpp"

#include <fmt/format.h>

#include <sstream>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec {

namespace {

/// `parameters` with the keys of its tables in full: accumulate.block = 8 is accumulate's block.
toml::table with_whole_keys(const toml::table& parameters, const TomlReader& toml) {
  toml::table whole;
  const auto add = [&](const std::string& name, const toml::key& key, const toml::node& value) {
    if (!whole.insert(toml::key(name, key.source()), value).second)
      throw toml.error(key.source().begin, fmt::format("'{}' is set twice", name));
  };
  for (const auto& [key, value] : parameters)
    if (const toml::table* inner = value.as_table())
      for (const auto& [last, each] : *inner)
        add(fmt::format("{}.{}", key.str(), last.str()), last, each);
    else
      add(std::string(key.str()), key, value);
  return whole;
}

std::string name_in(const toml::table& file, const TomlReader& toml) {
  toml.check_keys(file, {"preset", "parameters"});
  const toml::node& preset = toml.node(file, "preset");
  std::string name = toml.text(file, "preset");
  FaultyMachine machine =
      toml.located(preset, [&] { return item_named(faulty_machines().presets(), "preset", name); });
  if (!file.contains("parameters")) return name;
  const toml::table parameters = with_whole_keys(toml.table(file, "parameters"), toml);
  std::vector<std::string> known;
  for (const auto& parameter : faulty_machines().parameters()) known.push_back(parameter.key);
  toml.check_keys(parameters, known, "parameter");
  std::string settings;
  for (const auto& parameter : faulty_machines().parameters()) {
    if (!parameters.contains(parameter.key)) continue;
    const std::string value = toml.value(parameters, parameter.key, [&](const toml::node& node) {
      std::string text = scalar_from(node);
      parameter.set(machine, text);
      return text;
    });
    settings += (settings.empty() ? "" : ",") + parameter.key + "=" + value;
  }
  if (settings.empty()) return name;
  return toml.located(preset,
                      [&] { return faulty_machine_named(name + "{" + settings + "}").name; });
}

}  // namespace

std::string machine_of_file(const std::string& name) {
  if (!name.starts_with(file_kind)) return name;
  const std::string path = name.substr(file_kind.size());
  const TomlReader toml(path);
  return name_in(toml.parse(read_file(path)), toml);
}

std::string machine_file(const Machine& machine, const std::string& comment) {
  const std::string name = canonical_name(machine);
  const std::string preset = name.substr(0, name.find('{'));
  std::string text;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  text += fmt::format("preset = \"{}\"\n", preset);
  if (preset == name) return text;
  text += "\n[parameters]\n";
  Machine changed = machine_named(preset);
  for (const MachineParameter& parameter : machine_parameters()) {
    const std::string value = parameter.text(machine);
    if (value == parameter.text(changed) || value == unread) continue;
    text += fmt::format("\"{}\" = \"{}\"\n", parameter.key, value);
    parameter.set(changed, value);
  }
  return text;
}

}  // namespace fftprec
