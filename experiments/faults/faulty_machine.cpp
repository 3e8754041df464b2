#include "experiments/faults/faulty_machine.hpp"

#include <algorithm>

namespace fftprec {

namespace {

using FaultyParameter = ParameterOf<FaultyMachine>;

/// A parameter whose values have these names, in the order of the type.
template <class Value>
FaultyParameter fault_parameter(std::string key, std::string meaning, std::string confidence,
                                Value Faults::*member, std::vector<std::string> names) {
  return {.key = key,
          .meaning = std::move(meaning),
          .values = {.names = names},
          .confidence = std::move(confidence),
          .shown_by = ShownBy::nothing,
          .text =
              [=](const FaultyMachine& machine) {
                return names[static_cast<std::size_t>(machine.faults.*member)];
              },
          .set =
              [=](FaultyMachine& machine, std::string_view text) {
                const auto found = std::find(names.begin(), names.end(), text);
                if (found == names.end()) throw unknown_name("value of " + key, text, names);
                machine.faults.*member = static_cast<Value>(found - names.begin());
              }};
}

std::vector<FaultyParameter> faulty_parameters() {
  std::vector<FaultyParameter> all;
  for (const MachineParameter& of : machine_parameters())
    all.push_back(
        {of.key, of.meaning, of.values, of.confidence, of.shown_by, of.needs, of.text, of.set});
  all.push_back(fault_parameter("elide", "whose residuals a compiler loses", "I", &Faults::elided,
                                {"none", "data", "table", "both"}));
  all.push_back(fault_parameter("demote",
                                "what a kernel rounds to bf16 between the products of a split", "U",
                                &Faults::demotion, {"none", "sum", "terms", "leading"}));
  all.push_back(fault_parameter("misread", "split products after the first read fp32 data as bf16",
                                "U", &Faults::misread, {"off", "on"}));
  return all;
}

FaultyMachine on_trn(std::string name, std::string summary, const Faults& faults) {
  FaultyMachine machine{machines().front(), faults};
  machine.name = std::move(name);
  machine.summary = std::move(summary);
  return machine;
}

std::vector<FaultyMachine> faulty_presets() {
  std::vector<FaultyMachine> all;
  for (const Machine& machine : machines()) {
    all.push_back({machine, {}});
    if (machine.name != "trn-autocast") continue;
    // Here, too, a compiler decides.
    all.push_back(on_trn("trn-elided",
                         "trn after a compiler that takes fp32 -> bf16 -> fp32 for the identity, "
                         "as XLA may: residuals of splits are zero (D that it may, U that it did)",
                         {.elided = Elision::both}));
    all.push_back(on_trn("trn-misread",
                         "trn with a kernel that reads the fp32 words of a split as bf16 in every "
                         "product after the first (U): a hypothesis about published figures",
                         {.misread = true}));
  }
  return all;
}

}  // namespace

const MachineNames<FaultyMachine>& faulty_machines() {
  static const MachineNames<FaultyMachine> names(faulty_presets(), faulty_parameters());
  return names;
}

}  // namespace fftprec
