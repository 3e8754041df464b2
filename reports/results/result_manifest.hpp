/// A list of results of other programs, each with its case, as TOML or CSV.
///
///     [defaults]                        # optional: for every result
///     transform = "rfft"
///
///     [[result]]
///     input = "x.npy"                   # or the name of an input with n, batch and seed
///     output = "y.npy"
///     norm = "ortho"                    # backward if not given
///     algorithm = "mine"                # and any other axis; names of your own, too
///     mode = "bf16"
///     version = "1.2 (abc1234)"         # of what gave it: history and the page show it
///     claims = "algorithm=radix2-dit, mode=bf16"
///
/// A CSV file has the keys as its column names; an empty cell is not given. Paths begin at the
/// folder of the list.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/testing/measure_result.hpp"

namespace fftprec::results {

/// The name of an axis of which nothing is said.
inline constexpr std::string_view own_name = "own";

struct ListedResult {
  std::string place{};  ///< "results.toml:3", for messages
  std::filesystem::path output{};
  std::string output_dtype{};          ///< of plain bytes
  std::filesystem::path input_file{};  ///< empty: where.input names it
  std::string input_dtype{};
  Norm norm = Norm::backward;
  std::optional<Format> format{};  ///< format of the ulp columns; empty: the output's
  std::string version{};           ///< of the program that gave it, or its commit
  std::string claims{};  ///< the case whose bound and expected error hold; empty: the names' own
  Case where{};          ///< n = 0: the last axis of the input
};

/// Throws InputError("NAME:LINE: ...") for what is malformed, a result without output or input, and
/// an input by name without n.
std::vector<ListedResult> parse_result_list(std::string_view text,
                                            const std::filesystem::path& name);

/// A result with its row.
struct JudgedResult {
  Row row;
  std::string remark{};  ///< the likely cause, if the result is far off
};

/// The row of a result. What is wrong with its files makes it a failed row with the reason.
JudgedResult judge(const ListedResult& result);

}  // namespace fftprec::results
