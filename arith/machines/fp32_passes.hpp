/// The passes by which a tensor engine multiplies fp32 operands.
#pragma once

#include <vector>

#include "arith/machines/machine.hpp"
#include "arith/splitting/split_spec.hpp"

namespace fftprec {

/// Both operands are cut into `words` words: the value rounded to `operands`, then the rounded
/// residuals. Each term is one pass; all accumulate into the same PSUM, in order.
struct Fp32Passes {
  Format operands = fp32;
  Rounding rounding = Rounding::rne;  ///< rne, or rz for words that are cut
  std::size_t words = 1;
  std::vector<SplitTerm> terms{{0, 0}};
};

Fp32Passes fp32_passes(Fp32Matmul matmul);

}  // namespace fftprec
