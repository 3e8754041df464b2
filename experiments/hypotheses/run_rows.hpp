/// Rows of a run as measured errors whose cause is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/session.hpp"
#include "experiments/hypotheses/measured.hpp"

namespace fftprec::hypotheses {

/// Names on axes, by axis_index, that stand for names that only another program knows.
using StandIns = std::map<std::size_t, std::string>;

/// "AXIS=VALUE" of algorithm, mode, machine and tables. Throws InputError for other axes, unknown
/// values, and an axis given twice.
StandIns parse_stand_ins(std::span<const std::string> texts, const CheckNames& check_names);

/// As measured_from, with machine and tables as each row names them, so that rows of several
/// machines are allowed, and hypotheses may leave both (`as_named`). A name that fftprec does not
/// know becomes its stand-in; without one, machines become ieee and tables exact.
/// Throws InputError for an unknown algorithm or mode without a stand-in, and as measured_from.
Measured measured_as_named(std::span<const Row> rows, const std::string& name,
                           const StandIns& stand_ins, const CheckNames& check_names);

/// Rows to replay, and how many were left.
struct ChosenRows {
  std::vector<Row> rows{};
  std::size_t too_long = 0;             ///< left because a replay would take too long
  std::uint64_t shortest_too_long = 0;  ///< the least n of these
  std::size_t others = 0;               ///< left because `most` were enough
};

/// The first `most` of `rows`, which stand in the order in which they are wanted, without those
/// that take more than `most_ns` to emulate.
ChosenRows rows_to_replay(std::span<const Row> rows, std::size_t most, double most_ns,
                          Session& session);

/// The measured rows, those farthest above their expected error first: err_l2_rel over
/// expected_l2_rel, or, of rows without that, over bound_l2_rel; the rows without both come last.
std::vector<Row> farthest_first(std::vector<Row> rows);

}  // namespace fftprec::hypotheses
