/// A claim: a published statement as data, with the experiment that tests it and the rules that
/// turn outcomes into a verdict. All of it is fixed before a case is run.
///
/// A claim file holds one claim in TOML:
///
///     id = "C5"
///     title = "fp32 dft-gemm at N = 1024"
///     statement = "errs by 2.2e-2 because of PSUM accumulation"
///     source = "trnfft documentation"
///     discussion = "Markdown; [[angles]] becomes what the check angles found."
///
///     [experiment]                        # the keys of a sweep file but for name and question:
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
///     left = "mode=double"
///     right = "mode=fast"
///     min_ratio = 0.9
///     max_ratio = 1.1
///
///     [[verdict]]                         # disjoint rules: see check_rules
///     is = "explained"                    # reproduced, explained, refuted, undecidable
///     pass = ["figure", "angles"]
///     fail = ["accumulation"]
///     decided_by = "angles"               # one of these: its number stands for the verdict
///     because = "..."
///
///     [otherwise]
///     is = "refuted"                      # or undecidable
///     because = "..."
///
///     [figure]                            # title, y, x, series, panel, where, as `fftprec plot`;
///                                         # on = "published": without the seeds of our own
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
  explained,    ///< the figure is right, but has another cause, which the verdict names
  refuted,      ///< the claimed effect does not exist, or has another reason
  undecidable,  ///< more than one cause fits; only a measurement on silicon could decide
};

/// "reproduced", "explained", "refuted", "undecidable".
std::string_view name_of(Ruling ruling);

/// Throws InputError for any other name.
Ruling ruling_named(std::string_view name);

/// The subject of a check; for readers only.
enum class Role { figure, behaviour, cause, rival_cause };

std::string_view name_of(Role role);
Role role_named(std::string_view name);

/// Which rows a check looks at.
enum class Draws {
  published,  ///< the published input: one seed
  seeds,      ///< our own draws
};

/// A rule on rows: a gate of any kind without kept rows. A failure is an outcome here, not a fault.
struct ClaimCheck {
  gates::Gate gate;  ///< its name is the check's; its source says why the check matters
  Role role = Role::behaviour;
  Draws draws = Draws::seeds;
  bool absolute = false;  ///< err_linf_rel is multiplied by max|t|: max|y - t|
};

/// One combination of outcomes. Checks that it does not name may pass or fail.
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
  std::vector<std::uint64_t> seeds;  ///< of our own, at least 3
  std::uint64_t jitters = 0;  ///< copies of the published input, each value off by up to one ulp
  std::vector<ClaimCheck> checks;
  std::vector<VerdictRule> rules;    ///< no two of them hold at once
  VerdictRule otherwise;             ///< refuted or undecidable, if none of them holds
  FigureRequest figure;              ///< of the claim's page
  bool published_seed_only = false;  ///< in it; else all seeds, as a band
  std::string discussion;            ///< Markdown for the page; [[NAME]] as above
};

/// Seeds in place of a claim's own.
struct SeedChoice {
  std::optional<std::vector<std::uint64_t>> seeds;  ///< --seeds
  std::uint64_t shift = 0;                          ///< --seed-shift, added to every seed
};

void choose_seeds(Claim& claim, const SeedChoice& choice);

/// Whether each check passed, by its name.
using Outcomes = std::map<std::string, bool>;

/// Whether every check named by the rule has the outcome that the rule asks for.
bool holds(const VerdictRule& rule, const Outcomes& outcomes);

/// The one rule that holds, or `otherwise`. Requires: an outcome for every check.
const VerdictRule& rule_for(const Claim& claim, const Outcomes& outcomes);

/// Throws InputError unless every combination of outcomes has exactly one verdict, and unless the
/// rules are strict. Refused are: a rule that names no check, an unknown check, one check both
/// ways, or is decided by a check that it does not name; two rules that could hold at once;
/// reproduced or explained without a check that must pass, or in `otherwise`; a check that no rule
/// and no text names.
void check_rules(const Claim& claim);

/// `text` with each [[NAME]] replaced by `found(NAME)`. Throws InputError for "[[" without "]]".
std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view)>& found);

/// Throws InputError("NAME:LINE:COLUMN: ...") for malformed TOML, an unknown key, name or kind, a
/// missing key, and for rules that check_rules refuses.
Claim parse_claim(std::string_view text, std::string_view name, const CheckNames& check_names);

/// "1..20" or "1,2,5", as on the axis seed, ascending and each once. Throws InputError for other
/// texts, and for fewer than 3 seeds: they must show a spread.
std::vector<std::uint64_t> parse_seeds(std::string_view text);

/// parse_claim of a file. Throws InputError also if it cannot be read.
Claim read_claim(const std::filesystem::path& path, const CheckNames& check_names);

/// A claim file that comes with the program.
struct BuiltinClaim {
  std::string_view id;  ///< "C1", of the file C1.toml
  std::string_view toml;
};

/// In the order of their numbers.
std::span<const BuiltinClaim> builtin_claim_texts();

/// The claims that come with the program, in the order of their numbers.
std::vector<Claim> builtin_claims(const CheckNames& check_names);

/// The claims with the given ids in the given order; without ids all. Throws InputError for an
/// unknown id.
std::vector<Claim> claims_with_ids(std::vector<Claim> claims, const std::vector<std::string>& ids);

}  // namespace fftprec::claims
