/// The Markdown summary of a run: cases, errors and their growth, verdicts of gates, rows that were
/// not measured, and plots.
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

/// Rows that differ only in n and seed. An optional is empty if one of the lengths lacks the value;
/// `growth` also if the mode is unknown.
struct Scaling {
  Case where;  ///< with n and seed of the first row
  std::size_t lengths;
  std::size_t not_finite;  ///< lengths omitted because a row there is NaN or infinite
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

/// The least number of lengths for a fit.
inline constexpr std::size_t least_lengths = 4;

/// One entry per group with at least `least_lengths` lengths, in the order of results.csv. The
/// value at a length is the geometric mean over the seeds. Lengths where the error of a measured
/// row is 0 or not finite are omitted. Exponents: the slope of log2 of the mean over log2 n.
/// Growths: the slope of mean^2 / u^2 over log2 n, u = 2^-p of the format in which the mode stores
/// its data.
std::vector<Scaling> scalings(std::span<const Row> rows);

/// One line per scaling, in the order of `orders`, with a column for each axis that differs. If
/// there are more than `most`, only those at the default of a case, or else at the first value, on
/// every axis except algorithm and mode. Empty without a scaling.
std::string scaling_section(std::span<const Row> rows, const NameOrders& orders,
                            std::size_t most = 200);

/// A pure function. `gates` is the section on gates, in Markdown, or empty. `plots` are links for
/// the text; of files that differ only in their ending, the PNG is shown and the others are named.
/// `made_by` is the command that made the rows, if known.
std::string markdown_summary(std::span<const Row> rows, std::string_view gates,
                             std::span<const std::string> plots, const NameOrders& orders = {},
                             const std::vector<std::string>& made_by = {});

/// Writes directory/summary.md, with the plots linked relative to the directory. Throws InputError
/// if it cannot be written.
void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::string_view gates, std::span<const std::filesystem::path> plots,
                   const std::vector<std::string>& made_by = {});

}  // namespace fftprec::text
