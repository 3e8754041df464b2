/// The one place of run-time choice: names to algorithms, modes, machines, tables, inputs.
#pragma once

#include <string>
#include <vector>

namespace fftprec {

/// A name and one sentence about it, as `fftprec list` prints them.
struct Named {
  std::string name;
  std::string summary;
};

std::vector<Named> list_transforms();
std::vector<Named> list_algorithms();
std::vector<Named> list_modes();
std::vector<Named> list_machines();
std::vector<Named> list_tables();
std::vector<Named> list_inputs();

}  // namespace fftprec
