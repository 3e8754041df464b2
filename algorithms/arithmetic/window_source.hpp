/// Real tables of short-time transforms, described once: the arithmetic fills them, the predictor
/// judges them.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/theory/table_statistics.hpp"
#include "arith/formats/format.hpp"
#include "arith/support/framing.hpp"

namespace fftprec {

/// A real table, its entries rounded to a format.
using RealTable = std::function<std::vector<double>(const Format&)>;

/// Windows and what undoes them, as a table source gives them. An empty one serves for costs alone.
struct WindowSource {
  /// The window as it stands in a frame: n values, 0 outside of its own window_length.
  std::function<std::vector<double>(const Framing&, const Format&)> window;
  /// 1/s_i for each of `length` samples, s_i the sum of the squared windows over it; 0 where no
  /// frame reaches.
  std::function<std::vector<double>(const Framing&, const Format&)> reciprocals;
  /// mu >= |w^_j - w_j|.
  std::function<double(const Framing&, const Format&)> window_error;
  /// delta >= |r^_i - r_i| / r_i.
  std::function<double(const Framing&, const Format&)> reciprocal_error;
};

/// What the entries of such a table are like on average: squares relative to those of the exact
/// entries, each weighted with the mean `power` of the data that it multiplies; `nontrivial` is the
/// weight of entries other than 0 and powers of two. The rounding of an fp64 table cannot be seen
/// against fp64 entries: it counts as that of normal data.
/// Shapes: three arrays of one size.
TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format);

}  // namespace fftprec
