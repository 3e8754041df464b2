/// From the words of a command line to one case, and its row where a run holds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/rows/row.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Either axes, or a run and the case_id of one of its rows.
struct OneCaseRequest {
  std::string id{};                 ///< a case_id or its beginning
  std::string run{};                ///< a run's directory, or a CSV file
  std::vector<std::string> axes{};  ///< "AXIS=VALUE"
};

/// Options --run and -a.
void add_one_case_options(CLI::App& command, OneCaseRequest& request);

struct OneCase {
  Case where;
  std::optional<Row> stored;  ///< as the run holds it
};

/// "fft, radix2-dit, bf16, trn, tables exact, n = 8, batch 1, gaussian, seed 1", for titles.
std::string short_text(const Case& where);

/// Throws InputError where the request names no case, or several, saying how many; for a run that
/// cannot be read; and for anything unknown.
OneCase one_case(const OneCaseRequest& request, const CheckNames& check_names);

}  // namespace fftprec
