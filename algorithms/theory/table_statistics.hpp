/// Statistics of table entries: their errors, and what words leave of them.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// Means over the entries of a table, |w| = 1: the part of an error that does not depend on the
/// input.
struct TableStatistics {
  double error_square = 0;  ///< |w^ - w|^2: rounding, and the angle's error if there is one
  double low_square = 0;    ///< |w^ - first word|^2
  double rest_square = 0;   ///< |w^ - first two words|^2
  double nontrivial = 1;    ///< share of entries other than 1, -1, i, -i
  bool complete = true;     ///< all entries were looked at
  double last_square = 0;   ///< |w^ - first three words|^2
  double next_to_one = 0;   ///< share of entries that fixed point holds as the number next to 1
  double low_loss = 0;      ///< loss of size by first words in blocks; low_square is the rest
  bool are_data = false;    ///< no table: computed factors, normal values
  double loss = 0;          ///< loss of size by the table: the mean of Re((w - w^)/w)
  double fp64_loss = 0;     ///< the same in fp64: part of error_square, not of loss

  /// Of errors beside the loss of size.
  double variance() const { return error_square - loss * loss; }
};

/// Statistics of the `size` entries given by index(i), read from `roots` in `format`; `exact` gives
/// the true roots in fp64. Words are rounded residuals in the format `word`, nothing is
/// left of narrower entries. Of a table with more than 2^14 entries it takes a fixed sample of that
/// many. The rounding of an fp64 table cannot be seen against fp64 roots: for exact tables it is
/// the mean for a uniform phase, 0.119 u^2 (table_statistics.cpp), times the nontrivial share, and
/// only the loss is known, as (1 - |w^|^2)/2; for fixed point of more digits q^2/12 for each part.
TableStatistics table_statistics(std::size_t size, const RootIndices& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word = bf16);

/// Sets what first words in blocks along the columns leave of a DFT matrix of order r. Of more than
/// 2^14 entries it takes a fixed sample of about that size in whole blocks.
void add_blocks(TableStatistics& entries, const BlockFormat& blocks, const RootIndices& matrix,
                std::size_t r, const RootFunction& roots, const Format& format);

/// Means over the entries of a real table: squares relative to the squares of the exact entries,
/// each weighted with the mean `power` of the data that it multiplies; `nontrivial` is the weight
/// of entries other than 0 and powers of two. Entries that are exact only to fp64 do not show how
/// an fp64 table rounds: it counts as rounded normal data.
/// Shapes: three arrays of one size.
TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format);

}  // namespace fftprec
