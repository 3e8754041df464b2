/// The data after each stage of a case, with the bits of its mode on its machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::attribution {

/// The data after a stage, in the order in which the algorithm stores them.
struct StageData {
  std::string title;
  ComplexArray<double> values;  ///< of the whole batch, scaled as the stages scale them
};

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
