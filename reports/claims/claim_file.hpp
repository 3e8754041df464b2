/// Claim files: one claim in TOML.
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

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "reports/claims/claim.hpp"

namespace fftprec {

/// Throws InputError("NAME:LINE:COLUMN: ...") for malformed TOML, an unknown key, name or kind, a
/// missing key, and for rules that check_rules refuses.
Claim parse_claim(std::string_view text, std::string_view name, const CheckNames& check_names);

/// "1..20" or "1,2,5", as the axis seed takes them, ascending and each once. Throws InputError for
/// what is no list of seeds, and for fewer than 3: they must show a spread.
std::vector<std::uint64_t> parse_seeds(std::string_view text);

/// parse_claim of a file. Throws InputError also if it cannot be read.
Claim read_claim(const std::filesystem::path& path, const CheckNames& check_names);

/// The claims that come with the program, in the order of their numbers.
std::vector<Claim> builtin_claims(const CheckNames& check_names);

/// Those with the given ids in the order given, all if none is. Throws InputError for an unknown
/// id.
std::vector<Claim> claims_with_ids(std::vector<Claim> claims, const std::vector<std::string>& ids);

}  // namespace fftprec
