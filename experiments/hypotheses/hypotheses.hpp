/// Hypotheses about hardware, as data: which machine, which tables, and which algorithm or mode ran
/// in place of the named one.
///
///     tables = ["fp32-angle", "exact"]       # every hypothesis is tried with each of these
///
///     [[dispatch]]                           # ... and with each of these; default: as named
///     name = "stockham for fp32"
///     statement = "mode fp32 ran stockham-mixed where radix2-dit was asked for"
///     [[dispatch.replace]]
///     when = "algorithm=radix2-dit and mode=fp32"
///     algorithm = "stockham-mixed"           # axes that change: algorithm, mode
///
///     [[hypothesis]]
///     id = "H3"
///     statement = "the accumulator is narrow"
///     [[hypothesis.machines]]                # machines to try: bases times every combination
///     base = ["trn", "trn-rz"]               # "trn" if left out
///     set = { "accumulate.format" = ["tf32", "bf16"], k_tile = 64 }
///
///     [[hypothesis]]
///     id = "H4"
///     statement = "tables come from elsewhere"
///     tables = "others"                      # instead: a list, or all known ones not listed above
///     [[hypothesis.machines]]
///     base = "named"                         # the machine that each row names; tables likewise
///
///     [[hypothesis]]
///     id = "H5"
///     statement = "another mode ran"
///     modes = ["bf16", "fp16"]               # in place of each row's; instead of the dispatches
///     [[hypothesis.machines]]
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/hypotheses/measured.hpp"

namespace fftprec::hypotheses {

/// Cases that match `when` ran with these values of the axes.
struct Replacement {
  Filter when;
  std::map<std::size_t, std::string> values;  ///< axis_index to value
};

/// Which algorithm or mode ran in place of the named one. The first replacement that matches
/// applies. If none matches, the case ran as named.
struct Dispatch {
  std::string name = "as named";
  std::string statement;
  std::vector<Replacement> replace;
};

/// In place of a machine or of tables: those that each row names.
inline constexpr std::string_view as_named = "named";

struct Hypothesis {
  std::string id;
  std::string statement;
  std::vector<std::string> machines;   ///< canonical names, each once
  std::vector<std::string> tables{};   ///< if not empty, tried instead of those of the set
  std::vector<Dispatch> dispatches{};  ///< likewise
};

struct HypothesisSet {
  std::vector<std::string> tables = {"fp32-angle"};
  std::vector<Dispatch> dispatches = {Dispatch{}};
  std::vector<Hypothesis> hypotheses;
};

/// One point of a set, with all that a replay needs.
struct Variant {
  std::string id;
  std::string machine;
  std::string tables;
  Dispatch dispatch;
  double prior = 0;  ///< probability before any measurement, see variants_of

  /// Whether every row ran as it says itself.
  bool is_as_named() const;
};

/// Throws InputError("SOURCE:LINE:COLUMN: ...") for malformed TOML, unknown keys and names, an id
/// that is given twice, and impossible machines.
HypothesisSet parse_hypotheses(std::string_view toml, std::string_view source,
                               const CheckNames& check_names);

/// The file of hypotheses that comes with the program.
std::string_view builtin_hypotheses();

/// The file of hypotheses about the rows of a run that comes with the program.
std::string_view builtin_run_hypotheses();

/// All variants of the set, in its order. A machine that two hypotheses name appears in both. All
/// hypotheses have equal prior probability, and so have all variants of one hypothesis.
std::vector<Variant> variants_of(const HypothesisSet& set);

/// The case that ran when `row` was measured, if the variant is true.
Case case_under(const Variant& variant, const MeasuredRow& row);

/// Adds a hypothesis that combines others ("H5+H9"): every machine of the first hypothesis, with
/// the parameters in which a machine of the next differs from the default machine. Pairs that set
/// one parameter to different values, and impossible machines, are omitted. Throws InputError for
/// an unknown id and if no pair is left.
void combine(HypothesisSet& set, const std::vector<std::string>& ids);

/// Keeps only the hypotheses with these ids. Throws InputError for an unknown id.
void keep(HypothesisSet& set, const std::vector<std::string>& ids);

/// Adds every preset of faulty_machines() as a hypothesis of its own, "preset NAME".
void add_presets(HypothesisSet& set);

}  // namespace fftprec::hypotheses
