/// How narrow data, tables and a machine's registers may be: widths that are free, goals that every
/// row must meet, and the smallest widths that meet them.
///
/// The search assumes that a choice that meets a goal still meets it if a width grows. Such choices
/// lie on and above a front of smallest ones. Bisecting one width after the other leads from a
/// choice that holds down to the front. Every choice that is not above the front found so far lies
/// below one of a few corners; a corner either fails or has another choice of the front below it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/case.hpp"
#include "experiments/cases/columns.hpp"

namespace fftprec::search {

/// A choice: a value for each free width.
using Widths = std::vector<int>;

/// Whether every width of `a` is at least the width of `b`.
bool covers(const Widths& a, const Widths& b);

/// The smallest choices in least..most that hold, sorted: none covers another, and `holds` is false
/// for every neighbour with one width one smaller. If `holds` is not monotone, there may be others.
/// Calls `holds` more than once for some choices.
std::vector<Widths> smallest_widths(const Widths& least, const Widths& most,
                                    const std::function<bool(const Widths&)>& holds);

struct FreeWidth {
  std::string name;
  int least;
  int most;
  bool unlimited;                       ///< `most` means no limit
  std::function<void(Case&, int)> set;  ///< throws InputError for a width that the case cannot have

  std::string text(int width) const;
};

/// A free width of `cases`, by its name, or as NAME=A..B:
///   data.bits       bits of fixed-point data, with unchanged integer bits, up to 50, or 22 with
///                   scale=block; in plain arithmetic of a format its precision, 2..24, with
///                   unchanged exponents
///   table.bits      bits of fixed-point tables; default: the format of the data
///   KEY             a machine parameter that is a range of whole numbers: fixed.accumulator
///   KEY.precision   significand bits of a machine parameter that is a format: psum.precision
/// Throws InputError for an unknown name, listing the known ones, for an impossible range, and for
/// a case whose mode or machine does not have this width.
FreeWidth free_width(const std::string& text, const std::vector<Case>& cases);

/// The names of all widths that may be free in some case.
std::vector<std::string> free_width_names();

/// A metric with its largest or least allowed value. NaN and unmeasured values miss every limit.
struct Goal {
  const Column* metric;
  bool at_most;
  double limit;
  bool relative;  ///< `limit` multiplies the worst row at the largest widths
};

/// From "METRIC=NUMBER", or "METRIC=1.04x": relative. Throws InputError for any other text, an
/// unknown metric, and a relative limit of a metric in decibels or bits.
Goal goal_from(const std::string& text, bool at_most);

/// The results of all cases with a choice.
struct JudgedWidths {
  bool holds = false;
  std::vector<double> worst{};        ///< by goal, NaN if a row has no number; empty: impossible
  std::string reason{};               ///< why the choice is impossible, or a row failed
  std::vector<std::string> hashes{};  ///< of the outputs, sorted
};

struct DesignRequest {
  std::vector<Case> cases;
  std::vector<FreeWidth> free;
  std::vector<Goal> goals;
  unsigned threads = 1;
  std::function<void(const Widths&, const JudgedWidths&)> on_judged{};
};

struct Design {
  Widths most;
  std::vector<Goal> goals;                ///< with relative limits worked out
  std::map<Widths, JudgedWidths> judged;  ///< all judged choices
  std::vector<Widths> front;              ///< the smallest, by their sum; may be empty
  /// Pairs of a choice that holds and a larger one that fails, among the judged choices, which
  /// include the neighbours of the front on either side.
  std::vector<std::pair<Widths, Widths>> contradictions;
  std::vector<std::string> idle;  ///< widths whose least value gives the bits of the largest
};

/// The cases with these widths, sorted. Throws InputError if they cannot have these widths.
std::vector<Case> cases_with(const DesignRequest& request, const Widths& widths);

/// Runs the cases with one choice after the other. Throws InputError if the cases cannot have the
/// largest widths, NotApplicable, with the reason, if these are impossible. Requires: cases, free
/// and goals.
Design design(const DesignRequest& request);

}  // namespace fftprec::search
