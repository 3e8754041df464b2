/// What the tables of an algorithm are like on average: the part of its error that no input
/// changes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/table_spec.hpp"

namespace fftprec {

/// Means over the entries of one table, |w| = 1.
struct TableStatistics {
  double error_square = 0;  ///< |w^ - w|^2: rounding, and the angle's error if there is one
  double low_square = 0;    ///< |w^ - first word|^2
  double rest_square = 0;   ///< |w^ - first two words|^2
  double nontrivial = 1;    ///< share of entries other than 1, -1, i, -i
  bool whole = true;        ///< all entries were looked at
  double last_square = 0;   ///< |w^ - first three words|^2
};

/// Statistics of the `size` entries given by index(i), read from `roots` in `format`; `exact` gives
/// the true roots in fp64. Words are rounded residuals in the format `word`, nothing is
/// left of narrower entries. Of a table with more than 2^14 entries it takes a fixed sample of that
/// many. The rounding of an fp64 table cannot be seen against fp64 roots: for exact tables it is
/// the mean for a uniform phase, 0.119 u^2 (table_statistics.cpp), times the nontrivial share.
TableStatistics table_statistics(std::size_t size,
                                 const std::function<RootIndex(std::size_t)>& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word = bf16);

/// What the entries of a real table are like on average: squares relative to those of the exact
/// entries, each weighted with the mean `power` of the data that it multiplies; `nontrivial` is the
/// weight of entries other than 0 and powers of two. The rounding of an fp64 table cannot be seen
/// against fp64 entries: it counts as that of normal data.
/// Shapes: three arrays of one size.
TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format);

}  // namespace fftprec
