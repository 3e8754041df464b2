/// Hypotheses about hardware, as data: which machine, which tables, and what ran in place of what
/// was called by a name.
///
///     tables = ["fp32-angle", "exact"]       # every hypothesis is tried with each of these
///
///     [[dispatch]]                           # ... and with each of these; none: as named
///     name = "stockham for fast"
///     statement = "mode fast ran stockham-mixed where radix2-dit was asked for"
///     [[dispatch.replace]]
///     when = "algorithm=radix2-dit and mode=fast"
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
///     tables = "others"                      # its own: a list, or all known that are not above
///     [[hypothesis.machines]]
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/hypotheses/measured.hpp"

namespace fftprec::hypotheses {

/// The cases of `when` ran with these values of the axes.
struct Replacement {
  Filter when;
  std::map<std::size_t, std::string> values;  ///< axis_index to value
};

/// What ran in place of the named algorithm or mode. The first replacement that applies is taken;
/// without one, everything ran as named.
struct Dispatch {
  std::string name = "as named";
  std::string statement;
  std::vector<Replacement> replace;
};

struct Hypothesis {
  std::string id;
  std::string statement;
  std::vector<std::string> machines;  ///< canonical names, each once
  std::vector<std::string> tables{};  ///< tried instead of those of the set, if there are any
};

struct HypothesisSet {
  std::vector<std::string> tables = {"fp32-angle"};
  std::vector<Dispatch> dispatches = {Dispatch{}};
  std::vector<Hypothesis> hypotheses;
};

/// One point of a set: all that a replay needs to be told.
struct Variant {
  std::string id;
  std::string machine;
  std::string tables;
  Dispatch dispatch;
  double prior = 0;  ///< probability before any measurement, see variants_of
};

/// Throws InputError("SOURCE:LINE:COLUMN: ...") for malformed TOML, unknown keys and names, an id
/// that stands twice, machines that cannot be.
HypothesisSet parse_hypotheses(std::string_view toml, std::string_view source,
                               const CheckNames& check_names);

/// The ones that come with the program.
std::string_view builtin_hypotheses();

/// Every variant of the set, in its order. A machine that two hypotheses name stands under both.
/// All hypotheses have the same prior probability, and all variants of one.
std::vector<Variant> variants_of(const HypothesisSet& set);

/// The case that ran, if the variant holds, where `row` was measured.
Case case_under(const Variant& variant, const MeasuredRow& row);

/// Adds the hypothesis that both hold: every machine of `first` with the parameters in which a
/// machine of `second` differs from the default machine set besides ("H5+H9"). Pairs that set the
/// same parameter differently, or what cannot be, are left out.
/// Throws InputError for an unknown id and if no pair is left.
void combine(HypothesisSet& set, const std::vector<std::string>& ids);

/// Leaves those of these ids. Throws InputError for an unknown id.
void keep(HypothesisSet& set, const std::vector<std::string>& ids);

/// Adds every preset of machines() as a hypothesis of its own, "preset NAME".
void add_presets(HypothesisSet& set);

}  // namespace fftprec::hypotheses
