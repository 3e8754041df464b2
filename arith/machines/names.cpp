#include <algorithm>
#include <optional>
#include <utility>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

namespace {

/// One parameter that differs from a preset's.
struct Setting {
  std::string key;
  std::string value;
};

/// In the order of the table, so that a parameter finds those that it needs.
void set_all(NamedMachine& machine, std::string_view list) {
  if (list.empty()) return;
  std::vector<std::string> known;
  for (const MachineParameter& parameter : machine_parameters()) known.push_back(parameter.key);
  const auto values = keyed_values(list, known, "parameter");
  for (const MachineParameter& parameter : machine_parameters()) {
    const auto found = values.find(parameter.key);
    if (found == values.end()) continue;
    parameter.set(machine, found->second);
    if (parameter.text(machine) == unread)
      throw InputError("nothing reads '" + parameter.key + "'; it needs " + parameter.needs);
  }
}

/// Equal but for names and summaries.
bool same(NamedMachine a, NamedMachine b) {
  for (NamedMachine* machine : {&a, &b}) {
    machine->name.clear();
    machine->summary.clear();
    for (AccumulatorModel& unit : machine->units) unit.name = {};
  }
  return a == b;
}

bool same_operands(const Machine& a, const Machine& b) {
  return std::equal(a.units.begin(), a.units.end(), b.units.begin(), b.units.end(),
                    [](const auto& x, const auto& y) { return x.operands == y.operands; });
}

/// What makes `preset` the machine, if it takes fewer than `most` settings.
std::optional<std::vector<Setting>> difference(const NamedMachine& preset,
                                               const NamedMachine& machine,
                                               const std::vector<std::string>& wanted,
                                               std::size_t most) {
  if (!same_operands(preset, machine)) return std::nullopt;
  NamedMachine changed = preset;
  std::vector<Setting> settings;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const MachineParameter& parameter = machine_parameters()[i];
    if (parameter.text(changed) == wanted[i]) continue;
    // Values that differ between units cannot be set.
    const bool can_be_set = wanted[i] != unread && wanted[i].find(';') == std::string::npos;
    if (!can_be_set || settings.size() + 1 >= most) return std::nullopt;
    parameter.set(changed, wanted[i]);
    if (parameter.text(changed) == unread) continue;  // one after it in the table makes it read
    settings.push_back({parameter.key, wanted[i]});
  }
  if (!same(changed, machine)) return std::nullopt;
  return settings;
}

/// Everything but spaces and tabs.
std::string without_spaces(std::string_view text) {
  std::string compact(text);
  std::erase_if(compact, [](char c) { return c == ' ' || c == '\t'; });
  return compact;
}

}  // namespace

std::string preset_of_device(std::string_view name) {
  if (name.find_first_of("0123456789") == std::string_view::npos) return {};
  std::string device(name);
  for (char& c : device)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  constexpr std::string_view ends = " ,:;()";
  for (const NamedMachine& preset : machines()) {
    const std::string text = " " + preset.summary + " ";
    for (std::size_t at = text.find(device); at != std::string::npos;
         at = text.find(device, at + 1))
      if (ends.find(text[at - 1]) != ends.npos && ends.find(text[at + device.size()]) != ends.npos)
        return preset.name;
  }
  return {};
}

std::string canonical_name(const NamedMachine& machine) {
  std::vector<std::string> wanted;
  for (const MachineParameter& parameter : machine_parameters())
    wanted.push_back(parameter.text(machine));
  const NamedMachine* nearest = nullptr;
  std::vector<Setting> settings;
  for (const NamedMachine& preset : machines()) {
    const std::size_t most = nearest ? settings.size() : wanted.size() + 1;
    if (auto found = difference(preset, machine, wanted, most)) {
      nearest = &preset;
      settings = std::move(*found);
    }
  }
  if (!nearest) throw InputError("machine " + machine.name + " is no preset with parameters set");
  std::string list;
  for (const auto& [key, value] : settings) list += (list.empty() ? "" : ",") + key + "=" + value;
  return nearest->name + (list.empty() ? "" : "{" + list + "}");
}

NamedMachine machine_named(std::string_view text) {
  const std::string compact = without_spaces(text);
  const std::size_t open = std::min(compact.find('{'), compact.size());
  const std::string base = compact.substr(0, open);
  std::vector<std::string> known;
  for (const NamedMachine& preset : machines()) known.push_back(preset.name);
  const auto found = std::find(known.begin(), known.end(), base);
  if (found == known.end()) throw unknown_name("machine", base, known, preset_of_device(base));
  NamedMachine machine = machines()[static_cast<std::size_t>(found - known.begin())];
  if (open == compact.size()) return machine;
  try {
    if (!compact.ends_with('}')) throw InputError("the closing brace is missing");
    set_all(machine, std::string_view(compact).substr(open + 1, compact.size() - open - 2));
    validate(machine);
  } catch (const InputError& error) {
    throw InputError("machine '" + std::string(text) + "': " + error.what());
  }
  const std::string preset = machine.name;
  machine.name = canonical_name(machine);
  if (machine.name == preset) return machine;
  if (machine.name.find('{') == std::string::npos)
    return item_named(machines(), "machine", machine.name);
  machine.summary = preset + " with other parameters";
  return machine;
}

}  // namespace fftprec
