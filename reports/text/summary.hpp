/// The Markdown summary of a run: its cases, its errors and their growth, the verdicts of rules,
/// rows that were not measured, and the plots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/results/fixed_axes.hpp"

namespace fftprec::text {

/// Rows that differ in n and seed only. An optional is empty if one of the lengths has no such
/// value; a growth also if the mode is unknown.
struct Scaling {
  Case where;  ///< with n and seed of the first row
  std::size_t lengths;
  std::size_t not_finite;  ///< lengths left out, since a row there is NaN or infinite
  std::uint64_t first_n;
  std::uint64_t last_n;
  double exponent;  ///< s of err_l2_rel ~ n^s
  std::optional<double> expected_exponent;
  std::optional<double> bound_exponent;
  std::optional<double> growth;  ///< of err_l2_rel^2 / u^2 per doubling of n
  std::optional<double> expected_growth;
  std::optional<double> first_ratio;  ///< err_l2_rel / expected_l2_rel at first_n
  std::optional<double> last_ratio;
};

/// The lengths below which nothing is fitted.
inline constexpr std::size_t least_lengths = 4;

/// One entry per group with at least `least_lengths` lengths, in the order of results.csv. At each
/// length stands the geometric mean over the seeds; a length at which a measured row has no error
/// that is finite and above 0 is left out. Exponents: log2 of the mean on log2 n. Growths: mean^2 /
/// u^2 on log2 n, u = 2^-p of the format in which the mode stores its data.
std::vector<Scaling> scalings(std::span<const Row> rows);

/// One line per scaling, in the order of `orders`, with a column for each axis that differs. Of
/// more than `most`, only those are shown that have on every axis beside algorithm and mode the
/// default of a case, or the first value that there is. Empty without a scaling.
std::string scaling_section(std::span<const Row> rows, const NameOrders& orders,
                            std::size_t most = 200);

/// A pure function. `gates` is the section on gates, in Markdown; if it is empty there is no
/// section. `plots` are links as they stand in the text; if files differ only in their ending, the
/// PNG is shown and the others are named. `made_by` is the command that made the rows, if known.
std::string markdown_summary(std::span<const Row> rows, std::string_view gates,
                             std::span<const std::string> plots, const NameOrders& orders = {},
                             const std::vector<std::string>& made_by = {});

/// Writes directory/summary.md, with the plots linked relative to the directory. Throws InputError
/// if it cannot be written.
void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::string_view gates, std::span<const std::filesystem::path> plots,
                   const std::vector<std::string>& made_by = {});

}  // namespace fftprec::text
