#include "experiments/cases/measured_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

/// The columns that measuring a result fills.
const std::vector<const Column*>& measured_columns() {
  static const std::vector<const Column*> all = [] {
    Row measured;
    set_errors(measured, truth::Errors{});
    std::vector<const Column*> found;
    for (const Column& column : columns())
      if (column.metric && column.number(measured)) found.push_back(&column);
    return found;
  }();
  return all;
}

}  // namespace

MeasuredLimit measured_limit(std::string_view metric, double largest) {
  const std::vector<const Column*>& measured = measured_columns();
  const auto found =
      std::ranges::find_if(measured, [&](const Column* each) { return each->name == metric; });
  if (found == measured.end()) {
    const std::vector<std::string> known = names_by(measured, &Column::name);
    for (const Column& column : columns())
      if (column.name == metric)
        throw InputError(fmt::format("limit on {}: it is not measured of a result; what is: {}",
                                     metric, fmt::join(known, " ")));
    throw unknown_name("measure of a result", metric, known);
  }
  const Column& column = **found;
  const std::string text = std::string(metric) + "=" + exact_number(largest);
  if (const QuantityKind quantity_kind = quantity_kind_of(metric);
      quantity_kind != QuantityKind::size)
    throw InputError(fmt::format("limit {}: {} {}", text, metric,
                                 quantity_kind == QuantityKind::gain
                                     ? "may lie below 1; limit err_l2_rel, at least |gain - 1|"
                                     : "grows as the error falls; limit err_l2_rel"));
  if (!(largest >= 0)) throw InputError("limit " + text + ": expected a number from 0 on");
  return {&column, largest};
}

MeasuredLimit parse_measured_limit(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::optional<double> largest =
      equals == text.size() ? std::nullopt : parse_double(text.substr(equals + 1));
  require(largest.has_value(),
          "'" + std::string(text) + "' is not METRIC=NUMBER, as in err_l2_rel=1e-6");
  return measured_limit(text.substr(0, equals), *largest);
}

double measured_value(const Row& row, const Column& metric) {
  const std::optional<double> value = metric.number(row);
  require(value.has_value(), std::string(metric.name) + " is not measured of a result");
  return *value;
}

bool holds(const MeasuredLimit& limit, const Row& row) {
  return measured_value(row, *limit.metric) <= limit.largest;
}

}  // namespace fftprec
