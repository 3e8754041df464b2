#include "reports/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace fftprec {

namespace {

struct Cell {
  std::vector<double> errors;
  std::vector<double> ratios;
};

/// NaN above everything: what is not known to be small is not small.
double largest(const std::vector<double>& values) {
  double top = -std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (std::isnan(value)) return value;
    top = std::max(top, value);
  }
  return top;
}

double ratio(double error, double bound) { return error == 0 ? 0.0 : error / bound; }

std::string figure(const std::vector<double>& values, double value) {
  return values.empty() ? "" : fmt::format("{:.3g}", value);
}

std::string counts(std::span<const Row> rows) {
  std::array<std::size_t, 3> count{};
  const Row* failure = nullptr;
  for (const Row& row : rows) {
    ++count[static_cast<std::size_t>(row.status)];
    if (row.status == Status::failed && !failure) failure = &row;
  }
  std::string text = fmt::format("{} rows: {} ok, {} skipped, {} failed\n", rows.size(), count[0],
                                 count[1], count[2]);
  if (failure)
    text += fmt::format("first failure: {}\n  fftprec run {}\n", failure->message,
                        command_of(failure->where));
  return text;
}

}  // namespace

double median(std::vector<double> values) {
  const auto is_nan = [](double value) { return std::isnan(value); };
  if (values.empty() || std::any_of(values.begin(), values.end(), is_nan))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double low = values[(values.size() - 1) / 2];
  const double high = values[values.size() / 2];
  return low == high ? low : low + (high - low) / 2;
}

std::string run_table(std::span<const Row> rows) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, Cell> cells;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.err_l2_rel) continue;
    Cell& cell = cells[{row.where.algorithm, row.where.mode, row.where.n}];
    cell.errors.push_back(*row.err_l2_rel);
    if (row.bound_l2_rel) cell.ratios.push_back(ratio(*row.err_l2_rel, *row.bound_l2_rel));
  }
  std::size_t algorithm_width = 9;
  std::size_t mode_width = 4;
  for (const auto& [key, cell] : cells) {
    algorithm_width = std::max(algorithm_width, std::get<0>(key).size());
    mode_width = std::max(mode_width, std::get<1>(key).size());
  }
  const auto line = [&](auto algorithm, auto mode, auto n, auto count, auto error, auto worst) {
    std::string text = fmt::format("{:<{}}  {:<{}}  {:>8}  {:>5}  {:>17}  {:>15}", algorithm,
                                   algorithm_width, mode, mode_width, n, count, error, worst);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text;
  if (!cells.empty())
    text = line("algorithm", "mode", "n", "rows", "median err_l2_rel", "worst err/bound");
  for (const auto& [key, cell] : cells)
    text +=
        line(std::get<0>(key), std::get<1>(key), std::get<2>(key), cell.errors.size(),
             figure(cell.errors, median(cell.errors)), figure(cell.ratios, largest(cell.ratios)));
  return text + counts(rows);
}

}  // namespace fftprec
