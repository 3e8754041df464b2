/// How narrow data, tables and a machine's registers may be: widths that are free, goals that every
/// row must meet, and the smallest widths that meet them.
///
/// The search assumes that a choice that meets a goal still meets it if a width grows. Such choices
/// lie on and above a front of smallest ones. Bisecting one width after the other leads from a
/// choice that holds down to the front. Everything that is not above the front found so far lies
/// below a few corners; a corner either fails or has another choice of the front below it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cases/case.hpp"
#include "experiments/cases/columns.hpp"

namespace fftprec::search {

/// A choice: one of each free width.
using Widths = std::vector<int>;

/// Whether no width of `a` is smaller than that of `b`.
bool covers(const Widths& a, const Widths& b);

/// The smallest choices in least..most that hold, sorted: none covers another, and `holds` was
/// asked of every neighbour that has one width one smaller, and said no. Where `holds` is not
/// monotone, there may be others. Asks for some choices more than once.
std::vector<Widths> smallest_widths(const Widths& least, const Widths& most,
                                    const std::function<bool(const Widths&)>& holds);

struct FreeWidth {
  std::string name;
  int least;
  int most;
  bool unlimited;                       ///< `most` stands for no limit
  std::function<void(Case&, int)> set;  ///< throws InputError for what the case cannot have

  std::string text(int width) const;
};

/// What `cases` leave free, by its name, or as NAME=A..B:
///   data.bits       of fixed-point data, whose integer bits stay; in plain arithmetic of a format
///                   its precision, 2..24, whose exponents stay
///   table.bits      of fixed-point tables; where a mode names none, tables follow data
///   KEY             a parameter of machines that is a range of whole numbers: fixed.accumulator
///   KEY.precision   significand bits of one that is a format: psum.precision
/// Throws InputError for an unknown name, listing the known ones, for a range that it cannot have,
/// and for a case whose mode or machine has no such width.
FreeWidth free_width(const std::string& text, const std::vector<Case>& cases);

/// All that may be free in some case.
std::vector<std::string> free_width_names();

/// A metric that no row may have above a limit, or below it. NaN and what was not measured are
/// beyond any limit.
struct Goal {
  const Column* metric;
  bool at_most;
  double limit;
  bool relative;  ///< `limit` multiplies the worst row at the largest widths
};

/// From "METRIC=NUMBER", or "METRIC=1.04x": relative. Throws InputError for any other text, an
/// unknown metric, and a relative limit of a metric in decibels or bits.
Goal goal_from(const std::string& text, bool at_most);

/// What all cases made of a choice.
struct JudgedWidths {
  bool holds = false;
  std::vector<double> worst{};        ///< by goal, NaN where a row has no number; empty: no meaning
  std::string reason{};               ///< why there is no meaning, or a row failed
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
  std::map<Widths, JudgedWidths> judged;  ///< all that were looked at
  std::vector<Widths> front;              ///< the smallest, by their sum; may be empty
  /// A choice that holds and a larger one that fails, as far as they were seen: neighbours of the
  /// front on either side were.
  std::vector<std::pair<Widths, Widths>> contradictions;
  std::vector<std::string> idle;  ///< widths whose least value gives the bits of the largest
};

/// The cases with these widths, sorted. Throws InputError where they cannot have them.
std::vector<Case> cases_with(const DesignRequest& request, const Widths& widths);

/// Runs the cases with one choice after the other. Throws InputError where they cannot have the
/// largest widths, NotApplicable, with the reason, where these have no meaning. Requires: cases,
/// free and goals.
Design design(const DesignRequest& request);

}  // namespace fftprec::search
