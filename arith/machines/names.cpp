#include "arith/machines/machine_names.hpp"

namespace fftprec {

namespace {

const MachineNames<Machine>& hardware() {
  static const MachineNames<Machine> names(machines(), machine_parameters());
  return names;
}

}  // namespace

std::string preset_of_device(std::string_view name) {
  if (name.find_first_of("0123456789") == std::string_view::npos) return {};
  std::string device(name);
  for (char& c : device)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  constexpr std::string_view ends = " ,:;()";
  for (const Machine& preset : machines()) {
    const std::string text = " " + preset.summary + " ";
    for (std::size_t at = text.find(device); at != std::string::npos;
         at = text.find(device, at + 1))
      if (ends.find(text[at - 1]) != ends.npos && ends.find(text[at + device.size()]) != ends.npos)
        return preset.name;
  }
  return {};
}

std::string canonical_name(const Machine& machine) { return hardware().canonical_name(machine); }

Machine machine_named(std::string_view text) { return hardware().named(text); }

std::vector<MachineRow> describe(const Machine& machine) { return hardware().describe(machine); }

}  // namespace fftprec
