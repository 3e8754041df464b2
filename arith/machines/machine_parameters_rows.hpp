/// How rows of the table of parameters are made; for the files that hold the rows.
#pragma once

#include <algorithm>
#include <utility>

#include "arith/machines/machine_parameters.hpp"
#include "arith/machines/machine_parameters_text.hpp"

namespace fftprec {

/// Rows of the tensor engine's units.
std::vector<MachineParameter> product_parameters();
std::vector<MachineParameter> sum_parameters();
std::vector<MachineParameter> flush_parameters();

/// What no unit reads goes back to its default, so that machines which compute the same are equal.
void forget_unread_of_units(Machine& machine);

using Names = std::vector<std::string>;

inline constexpr const char* any_format = "a format";

/// "rne, rz".
inline std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

template <class Value>
std::string known_values() {
  return joined({value_names<Value>.begin(), value_names<Value>.end()});
}

/// A parameter of the whole machine.
template <class Access>
MachineParameter of_machine(MachineParameter parameter, Access access, const Names& known = {},
                            bool (*reads)(const Machine&) = nullptr) {
  parameter.text = [=](const Machine& machine) {
    return reads && !reads(machine) ? std::string(unread) : value_text(access(machine));
  };
  parameter.set = [=, key = parameter.key](Machine& machine, std::string_view text) {
    parse_value(access(machine), key, text, known);
  };
  return parameter;
}

}  // namespace fftprec
