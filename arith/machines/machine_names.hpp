/// Machines by name: presets, and presets with parameters set. Hardware has names (machine.hpp),
/// and so has hardware with something around it, as a struct derived from Machine.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/machines/parameters.hpp"
#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

/// `Named`: Machine, or a struct derived from it that compares all its fields.
template <class Named>
class MachineNames {
 public:
  /// The first preset is trn.
  MachineNames(std::vector<Named> presets, std::vector<ParameterOf<Named>> parameters)
      : presets_(std::move(presets)), parameters_(std::move(parameters)) {}

  const std::vector<Named>& presets() const { return presets_; }
  /// In the order in which names list them.
  const std::vector<ParameterOf<Named>>& parameters() const { return parameters_; }

  /// As machine_named (machine.hpp).
  Named named(std::string_view text) const;
  /// As canonical_name (parameters.hpp).
  std::string canonical_name(const Named& machine) const;
  /// Every parameter of `machine`, in the order of the table.
  std::vector<MachineRow> describe(const Named& machine) const;

 private:
  /// A parameter that differs from a preset's.
  struct Setting {
    std::string key;
    std::string value;
  };

  void set_all(Named& machine, std::string_view list) const;
  /// The settings that make `preset` the machine, if they are fewer than `most`. `wanted`: the
  /// machine's values of all parameters.
  std::optional<std::vector<Setting>> difference(const Named& preset, const Named& machine,
                                                 const std::vector<std::string>& wanted,
                                                 std::size_t most) const;
  /// Equal but for names and summaries.
  static bool same(Named a, Named b) {
    for (Named* machine : {&a, &b}) {
      machine->name.clear();
      machine->summary.clear();
      for (AccumulatorModel& unit : machine->units) unit.name = {};
    }
    return a == b;
  }

  std::vector<Named> presets_;
  std::vector<ParameterOf<Named>> parameters_;
};

/// In the order of the table, so that a parameter finds those that it needs.
template <class Named>
void MachineNames<Named>::set_all(Named& machine, std::string_view list) const {
  if (list.empty()) return;
  std::vector<std::string> known;
  for (const auto& parameter : parameters_) known.push_back(parameter.key);
  const auto values = keyed_values(list, known, "parameter");
  for (const auto& parameter : parameters_) {
    const auto found = values.find(parameter.key);
    if (found == values.end()) continue;
    parameter.set(machine, found->second);
    if (parameter.text(machine) == unread)
      throw InputError("nothing reads '" + parameter.key + "'; it needs " + parameter.needs);
  }
}

template <class Named>
auto MachineNames<Named>::difference(const Named& preset, const Named& machine,
                                     const std::vector<std::string>& wanted, std::size_t most) const
    -> std::optional<std::vector<Setting>> {
  const bool same_operands =
      std::equal(preset.units.begin(), preset.units.end(), machine.units.begin(),
                 machine.units.end(), [](const AccumulatorModel& x, const AccumulatorModel& y) {
                   return x.operands == y.operands;
                 });
  if (!same_operands) return std::nullopt;
  Named changed = preset;
  std::vector<Setting> settings;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ParameterOf<Named>& parameter = parameters_[i];
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

template <class Named>
std::string MachineNames<Named>::canonical_name(const Named& machine) const {
  std::vector<std::string> wanted;
  for (const auto& parameter : parameters_) wanted.push_back(parameter.text(machine));
  const Named* nearest = nullptr;
  std::vector<Setting> settings;
  for (const Named& preset : presets_) {
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

template <class Named>
Named MachineNames<Named>::named(std::string_view text) const {
  std::string compact(text);
  std::erase_if(compact, [](char c) { return c == ' ' || c == '\t'; });
  const std::size_t open = std::min(compact.find('{'), compact.size());
  const std::string base = compact.substr(0, open);
  std::vector<std::string> known;
  for (const Named& preset : presets_) known.push_back(preset.name);
  const auto found = std::find(known.begin(), known.end(), base);
  if (found == known.end()) throw unknown_name("machine", base, known, preset_of_device(base));
  Named machine = presets_[static_cast<std::size_t>(found - known.begin())];
  if (open == compact.size()) return machine;
  try {
    if (!compact.ends_with('}')) throw InputError("the closing brace is missing");
    set_all(machine, std::string_view(compact).substr(open + 1, compact.size() - open - 2));
    validate(machine);
  } catch (const InputError& error) {
    throw InputError("machine '" + std::string(text) + "': " + error.what());
  }
  machine.name = canonical_name(machine);
  if (machine.name == base) return machine;
  if (machine.name.find('{') == std::string::npos)
    return item_named(presets_, "machine", machine.name);
  machine.summary = base + " with other parameters";
  return machine;
}

template <class Named>
std::vector<MachineRow> MachineNames<Named>::describe(const Named& machine) const {
  const bool derived = machine.name.starts_with("trn");
  std::vector<MachineRow> rows;
  for (const auto& parameter : parameters_) {
    const std::string value = parameter.text(machine);
    const bool as_trn = value == parameter.text(presets_.front());
    rows.push_back({parameter.key, value, parameter.meaning, parameter.values.text(),
                    derived && as_trn && value != unread ? parameter.confidence : "", as_trn});
  }
  return rows;
}

}  // namespace fftprec
