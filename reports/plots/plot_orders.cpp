#include "reports/plots/plot_orders.hpp"

#include "experiments/cases/registry.hpp"

namespace fftprec {

namespace {

std::vector<std::string> names_of(const std::vector<Named>& listed) {
  std::vector<std::string> names;
  for (const Named& named : listed) names.push_back(named.name);
  return names;
}

}  // namespace

NameOrders registry_orders() {
  return {{"algorithm", names_of(list_algorithms())},
          {"mode", names_of(list_modes())},
          {"machine", names_of(list_machines())},
          {"tables", names_of(list_tables())},
          {"input", names_of(list_inputs())}};
}

}  // namespace fftprec
