/// A claim: a published statement as data, with the experiment that tests it and the rules that
/// turn outcomes into a verdict. All are fixed before a case is run.
///
/// A claim file holds one claim in TOML:
///
///     id = "C5"
///     title = "fp32 dft-gemm at N = 1024"
///     statement = "errs by 2.2e-2 because of PSUM accumulation"
///     source = "trnfft documentation"
///     discussion = "Markdown; [[angles]] becomes what the check angles found."
///
///     [experiment]                        # the keys of a sweep file except name and question,
///     published_seed = 42                 # and these three; no axis may be a seed
///     seeds = "1..20"
///     jitters = 8                         # default 0
///     axes = { input = "torch_randn" }
///     [[experiment.sweep]]
///     n = 1024
///
///     [[check]]                           # a gate of any kind but baseline and hash
///     name = "angles"
///     kind = "ratio"
///     source = "arithmetic without error leaves the error of the tables"
///     role = "rival_cause"                # figure, behaviour, cause, rival_cause
///     on = "seeds"                        # default; or "published"
///     absolute = false                    # default; true: err_linf_rel times max|t|
///     left = "mode=fp64"
///     right = "mode=fp32"
///     min_ratio = 0.9
///     max_ratio = 1.1
///
///     [[verdict]]                         # disjoint rules: see check_rules
///     is = "explained"                    # reproduced, explained, refuted, undecidable
///     pass = ["figure", "angles"]
///     fail = ["accumulation"]
///     decided_by = "angles"               # one of these; its number represents the verdict
///     because = "..."
///
///     [otherwise]
///     is = "refuted"                      # or undecidable
///     because = "..."
///
///     [figure]                            # title, y, x, series, panel, where, as `fftprec plot`;
///                                         # on = "published": only the published seed
///     series = "tables"
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"

namespace fftprec::claims {

enum class Ruling {
  reproduced,   ///< the claimed effect exists, for the claimed reason
  explained,    ///< the number is right, but has another cause, which the verdict names
  refuted,      ///< the claimed effect does not exist, or has another reason
  undecidable,  ///< more than one cause fits; only a measurement on silicon could decide
};

/// "reproduced", "explained", "refuted", "undecidable".
std::string_view name_of(Ruling ruling);

/// Throws InputError for any other name.
Ruling ruling_named(std::string_view name);

/// The subject of a check, only for readers.
enum class Role { figure, behaviour, cause, rival_cause };

std::string_view name_of(Role role);
Role role_named(std::string_view name);

/// Which rows a check looks at.
enum class Draws {
  published,  ///< the published input: one seed
  seeds,      ///< the seeds of the claim file
};

/// A rule on rows: a gate of any kind without kept rows. A failure is an outcome here, not a fault.
struct ClaimCheck {
  gates::Gate gate;  ///< its name is the check's; its source says why the check matters
  Role role = Role::behaviour;
  Draws draws = Draws::seeds;
  bool absolute = false;  ///< err_linf_rel is multiplied by max|t|: max|y - t|
};

/// A rule: outcomes of checks, and the verdict if they hold. Other checks may pass or fail.
struct VerdictRule {
  Ruling ruling = Ruling::refuted;
  std::vector<std::string> pass;
  std::vector<std::string> fail;
  std::string decided_by;  ///< the check whose number represents the verdict; empty: otherwise
  std::string because;     ///< in a sentence; [[NAME]] is replaced by the result of check NAME
};

struct Claim {
  std::string id;         ///< "C1"
  std::string title;      ///< a few words
  std::string statement;  ///< as it was published
  std::string source;     ///< where
  Sweep experiment;       ///< no block of it names a seed
  std::uint64_t published_seed = 0;
  std::vector<std::uint64_t> seeds;  ///< beside the published one, at least 3
  std::uint64_t jitters = 0;  ///< copies of the published input, each value off by up to one ulp
  std::vector<ClaimCheck> checks;
  std::vector<VerdictRule> rules;    ///< no two of them hold at once
  VerdictRule otherwise;             ///< refuted or undecidable, if none of them holds
  FigureRequest figure;              ///< of the claim's page
  bool published_seed_only = false;  ///< of the figure; else it shows all seeds as a band
  std::string discussion;            ///< Markdown for the page; [[NAME]] as above
};

/// Seeds that replace those of the claims.
struct SeedChoice {
  std::optional<std::vector<std::uint64_t>> seeds;  ///< --seeds
  std::uint64_t shift = 0;                          ///< --seed-shift, added to every seed
};

void choose_seeds(Claim& claim, const SeedChoice& choice);

/// Whether each check passed, by its name.
using Outcomes = std::map<std::string, bool>;

/// Whether every check in the rule has the outcome that the rule requires.
bool holds(const VerdictRule& rule, const Outcomes& outcomes);

/// The one rule that holds, or `otherwise`. Requires: an outcome for every check.
const VerdictRule& rule_for(const Claim& claim, const Outcomes& outcomes);

/// Throws InputError unless every combination of outcomes has exactly one verdict and the rules are
/// strict. Errors are: a rule without checks, with an unknown check, with one check both passed and
/// failed, or decided by a check that it does not name; two rules that could hold at once;
/// `reproduced` or `explained` in `otherwise` or without a check that must pass; a check that no
/// rule and no text uses.
void check_rules(const Claim& claim);

/// `text` with each [[NAME]] replaced by `found(NAME)`. Throws InputError for "[[" without "]]".
std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view)>& found);

/// Throws InputError("NAME:LINE:COLUMN: ...") for malformed TOML, an unknown key, name or kind, a
/// missing key, and for rules that check_rules refuses.
Claim parse_claim(std::string_view text, std::string_view name, const CheckNames& check_names);

/// Parses "1..20" or "1,2,5", as for the axis seed; ascending, each once. Throws InputError for
/// other texts, and for fewer than 3 seeds, which would show no spread.
std::vector<std::uint64_t> parse_seeds(std::string_view text);

/// parse_claim of a file. Throws InputError also if it cannot be read.
Claim read_claim(const std::filesystem::path& path, const CheckNames& check_names);

/// A claim file that comes with the program.
struct BuiltinClaim {
  std::string_view id;  ///< "C1", of the file C1.toml
  std::string_view toml;
};

/// The claim files that come with the program, in the order of their numbers.
std::span<const BuiltinClaim> builtin_claim_texts();

/// These files, parsed.
std::vector<Claim> builtin_claims(const CheckNames& check_names);

/// The claims with these ids, in this order; without ids all claims. Throws InputError for an
/// unknown id.
std::vector<Claim> claims_with_ids(std::vector<Claim> claims, const std::vector<std::string>& ids);

}  // namespace fftprec::claims
