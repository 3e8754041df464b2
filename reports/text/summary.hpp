/// The Markdown summary of a run: what was run, how large the errors are and how they grow, which
/// rules hold, what was not measured, and the plots.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec::text {

/// A pure function. `gates` is the section on gates, in Markdown; if it is empty there is no
/// section. `plots` are links as they stand in the text; if files differ only in their ending, the
/// PNG is shown and the others are named.
std::string markdown_summary(std::span<const Row> rows, std::string_view gates,
                             std::span<const std::string> plots, const NameOrders& orders = {});

/// Writes directory/summary.md, with the plots linked relative to the directory. Throws InputError
/// if it cannot be written.
void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::string_view gates, std::span<const std::filesystem::path> plots);

}  // namespace fftprec::text
