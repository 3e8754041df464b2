/// A list of results of other programs, each with its case, as TOML or CSV.
///
///     [defaults]                        # optional: for every result
///     transform = "rfft"
///
///     [[result]]
///     input = "x.npy"                   # or the name of an input with n, batch and seed
///     output = "y.npy"
///     norm = "ortho"                    # default: backward
///     algorithm = "mine"                # and any other axis; your own names are allowed
///     mode = "bf16"
///     words = "q1.15"                   # of words in .hex, .mem, .csv; layout, output_words
///     version = "1.2 (abc1234)"         # of the program: history and the page show it
///     claims = "algorithm=radix2-dit, mode=bf16"
///
/// A CSV file has the keys as column names; an empty cell counts as not given. Paths are relative
/// to the folder of the list.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/files/words.hpp"
#include "experiments/testing/measure_result.hpp"

namespace fftprec::results {

/// The name on an axis that a result does not give.
inline constexpr std::string_view own_name = "own";

struct ListedResult {
  std::string place{};  ///< "results.toml:3", for messages
  std::filesystem::path output{};
  std::string output_dtype{};          ///< type of a file of plain bytes
  std::filesystem::path input_file{};  ///< empty: where.input names it
  std::string input_dtype{};
  NamedWords words{};          ///< of integers; default those of the mode
  std::string output_words{};  ///< their format in the output, if it differs
  Norm norm = Norm::backward;
  std::optional<Format> format{};  ///< format of the ulp columns; empty: the output's
  std::string version{};           ///< version or commit of the program
  std::string claims{};  ///< the case whose bound and expected error hold; empty: from `where`
  Case where{};          ///< n = 0: the last axis of the input
};

/// Throws InputError("NAME:LINE: ...") for malformed text, a result without output or input, and an
/// input by name without n.
std::vector<ListedResult> parse_result_list(std::string_view text,
                                            const std::filesystem::path& name);

/// A result with its row.
struct JudgedResult {
  Row row;
  std::string remark{};  ///< the likely cause, if the result is far off
};

/// The row of a result. If its files have errors, it is a failed row with the reason.
JudgedResult judge(const ListedResult& result);

}  // namespace fftprec::results
