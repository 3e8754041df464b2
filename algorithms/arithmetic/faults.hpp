/// Products with what software does wrong around them: a decorator of an arithmetic's products of
/// split operands.
#pragma once

#include "algorithms/arithmetic/machine_gemm.hpp"

namespace fftprec {

/// Faults of a compiler lose residuals: words that are zero from the start, which `resolve` says of
/// both operands of matrix products and of tables. The rest happens here.
class FaultyProducts {
 public:
  explicit FaultyProducts(const ResolvedArithmetic& arithmetic, Isa isa)
      : arithmetic_(arithmetic), isa_(isa) {}

  /// Whether elementwise products lose the residuals of their data.
  bool loses_residuals() const {
    return arithmetic_.is_split() && (arithmetic_.faults.elided == Elision::data ||
                                      arithmetic_.faults.elided == Elision::both);
  }
  /// x <- its first word. Requires: loses_residuals().
  void lose_residuals(View<float> x) const;

  /// Whether matrix products demote or misread a term.
  bool spoils_terms() const {
    return arithmetic_.is_split() &&
           (arithmetic_.faults.demotion != Demotion::none || arithmetic_.faults.misread);
  }
  /// The product of `gemm` with such terms. Requires: spoils_terms().
  void multiply(const MachineGemm<float>& gemm, View<float> out, View<float> x,
                const FactorTable<float>& w, bool data_moves, std::uint64_t& step) const;

 private:
  bool demotes(std::size_t term) const {
    return arithmetic_.faults.demotion == Demotion::terms ||
           (arithmetic_.faults.demotion == Demotion::leading && term == 0);
  }
  void demote(View<float> x, std::uint64_t& step) const;

  const ResolvedArithmetic& arithmetic_;
  Isa isa_;
};

/// Words as a kernel sees them that takes fp32 buffers for bf16: element k of each line along k is
/// 0 for even k, and element (k - 1) / 2 of the line for odd k.
ComplexArray<float> misread_words(const ComplexArray<float>& planes, const WordShape& shape);

}  // namespace fftprec
