/// The arithmetic of a mode on a machine: every operation is one call of an inner loop that was
/// chosen when the arithmetic was made.
#pragma once

#include "algorithms/arithmetic.hpp"
#include "algorithms/modes.hpp"

namespace fftprec {

/// The inner loops that an arithmetic calls.
template <class Real>
struct KernelSet {
  ComplexKernels<Real> scheme;  ///< in the mode's storage format and product scheme
  ComplexKernels<Real> wide;    ///< in the carrier's own format: sums of terms, residuals
  MatmulKernel<Real> matmul;    ///< one real matmul into PSUM
};

/// The loops of `mode` on `machine`, compiled for `isa`.
template <class Real>
KernelSet<Real> kernel_set(const Mode& mode, const Machine& machine, Isa isa);

/// An ArrayArithmetic (arithmetic.hpp). Real is float, or double for a mode on_host.
template <class R>
class MachineArithmetic {
 public:
  using Real = R;
  using Table = FactorTable<Real>;

  /// Throws InputError if Real is not the mode's carrier.
  MachineArithmetic(const Mode& mode, const Machine& machine, KernelSet<Real> kernels);
  MachineArithmetic(const Mode& mode, const Machine& machine, Isa isa = best_isa())
      : MachineArithmetic(mode, machine, kernel_set<Real>(mode, machine, isa)) {}

  const Mode& mode() const { return mode_; }

  template <class Index>
  Table factors(std::size_t size, Index index, Direction direction,
                const RootFunction& roots) const {
    const bool split = is_split(mode_);
    return into_words(entries(size, index, direction, roots),
                      split ? Words::bf16_words : Words::whole, split ? 2 : 1);
  }
  template <class Index>
  Table matrix(std::size_t size, Index index, Direction direction,
               const RootFunction& roots) const {
    return into_words(entries(size, index, direction, roots), gemm_.words, gemm_.factor_words);
  }

  /// x in the storage format, rounded once (rne).
  ComplexArray<Real> stored(const ComplexArray<double>& x) const;
  /// x rounded once (rne) to the storage format, in place.
  void store(ComplexArray<Real>& x) const;

  void multiply(View<Real> x, FactorView<Real> w) const { kernels_.scheme.multiply(x, w); }
  void butterfly(View<Real> a, View<Real> b, FactorView<Real> w) const {
    kernels_.scheme.butterfly(a, b, w);
  }
  /// to <- from - to and to <- to + by in the carrier's own format.
  void subtract_wide(ComplexArray<Real>& from, ComplexArray<Real>& to) const {
    kernels_.wide.subtract(whole(to), constant(whole(from)), constant(whole(to)));
  }
  void add_wide(ComplexArray<Real>& to, ComplexArray<Real>& by) const {
    kernels_.wide.add(whole(to), constant(whole(to)), constant(whole(by)));
  }
  void scale(View<Real> x, std::size_t divisor) const;
  void scale_product(View<Real> x, std::size_t divisor) const;

  /// out (B x N) <- x (B x K) times w (K x N), as gemm_scheme says. On a tensor engine, for each
  /// term and each K-tile: PSUM_re += Xr Wr, PSUM_re += Xi (-Wi), PSUM_im += Xr Wi, PSUM_im += Xi
  /// Wr, each in the passes that the operands need; PSUM is evicted in the machine's format.
  void gemm(View<Real> out, View<Real> x, const Table& w) const;

 private:
  static View<Real> whole(ComplexArray<Real>& x) { return view_of(x, 1, x.size()); }

  template <class Index>
  ComplexArray<Real> entries(std::size_t size, Index index, Direction direction,
                             const RootFunction& roots) const {
    ComplexArray<Real> table(size);
    for (std::size_t i = 0; i < size; ++i) {
      const RootIndex root = index(i);
      const std::complex<double> value = roots(root.exponent, root.order, mode_.table);
      table.re[i] = static_cast<Real>(value.real());
      table.im[i] =
          static_cast<Real>(direction == Direction::forward ? value.imag() : -value.imag());
    }
    return table;
  }

  Table into_words(ComplexArray<Real> whole, Words words, std::size_t count) const;
  void tensor_gemm(View<Real> out, const Table& x, std::size_t x_cols, const Table& w,
                   std::span<const SplitTerm> terms) const;

  Mode mode_;
  Machine machine_;
  GemmScheme gemm_;
  KernelSet<Real> kernels_;
};

extern template class MachineArithmetic<float>;
extern template class MachineArithmetic<double>;

}  // namespace fftprec
