/// A claim: a published statement as data, with the experiment that settles it and the rule by
/// which outcomes become a verdict. All of it is fixed before a case is run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweeps/sweep.hpp"
#include "reports/gates/gate.hpp"

namespace fftprec {

enum class Ruling {
  reproduced,   ///< what is claimed is there, for the reason that is claimed
  explained,    ///< the figure is there, by another cause, which the verdict names
  refuted,      ///< what is claimed is not there, or not for the reason that is claimed
  undecidable,  ///< more than one cause fits; a measurement on silicon would have to tell
};

/// "reproduced", "explained", "refuted", "undecidable".
std::string_view name_of(Ruling ruling);

/// Throws InputError for any other name.
Ruling ruling_named(std::string_view name);

/// What a check is about; a reader's aid, nothing is decided by it.
enum class Role { figure, behaviour, cause, rival_cause };

std::string_view name_of(Role role);
Role role_named(std::string_view name);

/// Which rows a check looks at.
enum class Draws {
  published,  ///< the input that was published: one seed
  seeds,      ///< the draws of our own
};

/// A rule on rows: a gate of any kind that keeps no rows, which here passes or fails without
/// praise or blame.
struct ClaimCheck {
  Gate gate;  ///< its name is the check's, its source says why it bears on the claim
  Role role = Role::behaviour;
  Draws draws = Draws::seeds;
  bool absolute = false;  ///< err_linf_rel is taken times max|t|: max|y - t|
};

/// One way for the checks to come out. The checks that it does not name may come out either way.
struct VerdictRule {
  Ruling ruling = Ruling::refuted;
  std::vector<std::string> pass;
  std::vector<std::string> fail;
  std::string decided_by;  ///< one of them, whose number stands for the verdict; empty: otherwise
  std::string because;     ///< in a sentence; [[NAME]] stands for what the check NAME found
};

/// The figure of the claim's page.
struct ClaimFigure {
  std::string title;
  std::string y = "err_linf_rel";
  std::string x = "n";
  std::string series = "tables";
  std::string panel;  ///< empty: one panel
  std::vector<std::string> where;
  bool published_seed_only = false;  ///< else all seeds, as a band
};

struct Claim {
  std::string id;         ///< "C1"
  std::string title;      ///< a few words
  std::string statement;  ///< as it was published
  std::string source;     ///< where
  Sweep experiment;       ///< no block of it names a seed
  std::uint64_t published_seed = 0;
  std::vector<std::uint64_t> seeds;  ///< of our own, at least 3
  std::uint64_t jitters = 0;  ///< copies of the published input, each value off by up to one ulp
  std::vector<ClaimCheck> checks;
  std::vector<VerdictRule> rules;  ///< no two of them hold at once
  VerdictRule otherwise;           ///< refuted or undecidable, if none of them holds
  ClaimFigure figure;
  std::string discussion;  ///< Markdown for the page; [[NAME]] as above
};

/// The check of that name. Throws InputError for an unknown one.
const ClaimCheck& check_named(const Claim& claim, std::string_view name);

/// A set of seeds in place of a claim's own.
struct SeedChoice {
  std::optional<std::vector<std::uint64_t>> seeds;  ///< --seeds
  std::uint64_t shift = 0;                          ///< --seed-shift, added to every seed
};

void choose_seeds(Claim& claim, const SeedChoice& choice);

}  // namespace fftprec
