/// The experiment that would tell the remaining hypotheses apart.
///
/// Each candidate is a case that can be run on hardware. Under each hypothesis it would publish a
/// text of two digits with certain probabilities; what the text is expected to tell about which
/// hypothesis is true is their mutual information (Lindley 1956). The candidates are ranked by it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/silicon/explain.hpp"
#include "experiments/silicon/outcome.hpp"

namespace fftprec::silicon {

/// A case to run on hardware and the error to publish.
struct Experiment {
  MeasuredRow row;                      ///< without values
  std::vector<Predictive> predicted{};  ///< one per group; undefined: the hypothesis cannot run it
  double bits = 0;                      ///< expected information
};

/// Hypotheses that neither the measured rows nor any candidate tells apart, best first.
struct Group {
  std::vector<Judged> members;
  double posterior = 0;  ///< of all, among the groups
};

struct Design {
  std::vector<Group> groups;
  std::vector<Experiment> experiments;  ///< most telling first
  std::vector<Experiment> longer;       ///< what was measured, at twice and four times the length
  double open_bits = 0;                 ///< entropy over the groups: what there is to tell
};

struct DesignOptions {
  ReplayPlan replays{.count = 8};
  double further_spread = 0;
};

/// The candidates that come with the program: a sweep (experiments/sweeps/sweep.hpp), whose
/// machines do not count and whose `metrics` are those to publish, err_linf_rel if there are none.
std::string_view builtin_experiments();

/// The cases of a sweep as candidates. Throws what parse_sweep throws.
std::vector<MeasuredRow> candidates_from(std::string_view sweep_toml, std::string_view source,
                                         const CheckNames& check_names);

/// What was measured of each algorithm and mode, at twice and four times the largest length.
std::vector<MeasuredRow> longer_rows(const Measured& measured);

/// Groups `remaining`, predicts every candidate and ranks them; what was measured already is none.
Design design_experiments(const std::vector<Judged>& remaining, const Measured& measured,
                          const std::vector<MeasuredRow>& candidates, const DesignOptions& options,
                          Replayer& replayer);

}  // namespace fftprec::silicon
