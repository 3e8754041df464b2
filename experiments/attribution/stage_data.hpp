/// The data after each stage of a case, with the bits of its mode on its machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/files/sample_files.hpp"

namespace fftprec::attribution {

/// The data after a stage, in the order in which the algorithm stores them.
struct StageData {
  std::string title;
  ComplexArray<double> values;  ///< of the whole batch, scaled as the stages scale them
  /// Of the blocks of fixed point with scale=block, as the machine chose them; of blocks of
  /// integers that lie one after the other, those with
  /// which the largest word has its highest bit.
  std::optional<BlockExponents> exponents{};
};

/// The exponents that a trace noted for `size` values; nothing if it noted none, or none that share
/// the values evenly.
std::optional<BlockExponents> noted_exponents(const std::vector<int>& noted, std::size_t size);

/// The exponents of blocks of integers that the values are stored in; nothing if the arithmetic has
/// no such blocks, or they do not lie one after the other.
std::optional<BlockExponents> integer_exponents(const CasePlan& plan,
                                                const ComplexArray<double>& values,
                                                std::size_t line);

/// The data after each stage of the case's first transform. The order: for radix2-dit and recursive
/// after the bit reversal of the input, for radix2-dif before the bit reversal of the result, for
/// the stockham algorithms element (l, m) of n/M x M, which is the DFT of x[m], x[m + M], ... at
/// frequency l. The stages of a chirp are its products and those of its inner FFTs, each of the
/// length of its own data. Stages without a complete array are omitted.
///
/// Each stage continues from own[i], the data of another program after stage i, where that is given
/// and not empty: then the difference between stage i and own[i] arises in stage i alone.
/// Throws NotApplicable, with the reason, if the case has no meaning or no stage has an array;
/// InputError for unknown names and for `own` of another size.
std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  const std::vector<ComplexArray<double>>& own = {},
                                  Isa isa = best_isa());

}  // namespace fftprec::attribution
