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

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return factors_of(entries(spec, mode_.table, direction, roots));
  }
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return {entries(spec, std::is_same_v<Real, double> ? fp64 : fp32, direction, roots), spec.size};
  }
  Table matrix(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return into_words(entries(spec, mode_.table, direction, roots), gemm_.words,
                      gemm_.factor_words);
  }
  ComplexArray<Real> values(const TableSpec& spec, Direction direction,
                            const RootFunction& roots) const {
    return entries(spec, mode_.storage, direction, roots);
  }
  Table real_factors(const RealTable& table) const;
  Table factors_of(ComplexArray<Real> values) const {
    const bool split = is_split(mode_);
    return into_words(std::move(values), split ? Words::bf16_words : Words::whole, split ? 2 : 1);
  }

  Table matrix_of(ComplexArray<Real> values) const {
    return into_words(std::move(values), gemm_.words, gemm_.factor_words);
  }

  Table eighth_factor(const RootFunction& roots) const;

  /// x in the storage format, rounded once (rne).
  ComplexArray<Real> stored(const ComplexArray<double>& x) const;
  /// x rounded once (rne) to the storage format, in place.
  void store(View<Real> x) const;
  void store(ComplexArray<Real>& x) const { store(whole(x)); }

  void multiply(View<Real> x, FactorView<Real> w) const { kernels_.scheme.multiply(x, w); }
  void multiply_wide(View<Real> x, FactorView<Real> w) const { kernels_.wide.multiply(x, w); }
  void butterfly(View<Real> a, View<Real> b, FactorView<Real> w) const {
    kernels_.scheme.butterfly(a, b, w);
  }
  void butterfly_dif(View<Real> a, View<Real> b, FactorView<Real> w) const {
    kernels_.scheme.butterfly_dif(a, b, w);
  }
  void sum_difference(View<Real> a, View<Real> b) const { kernels_.scheme.sum_difference(a, b); }
  void rotated(View<Real> a, View<Real> b, Direction direction) const;
  void multiply_eighth(View<Real> x, const Table& w, bool odd, Direction direction) const;
  void add(View<Real> out, View<Real> a, View<Real> b) const {
    kernels_.scheme.add(out, constant(a), constant(b));
  }
  void accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) const {
    kernels_.scheme.multiply_accumulate(sum, x, w);
  }
  void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) const {
    kernels_.scheme.accumulate_columns(sum, w, x);
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
  void modrelu(View<Real> x, const Real* bias) const;

  /// As gemm_scheme says. On a tensor engine, for each term and each K-tile: PSUM_re += Xr Wr,
  /// PSUM_re += Xi (-Wi), PSUM_im += Xr Wi, PSUM_im += Xi Wr, each in the passes that the operands
  /// need; PSUM is evicted in the machine's format. Both forms give the same bits.
  void gemm(View<Real> out, View<Real> x, const Table& w) const;
  void gemm_columns(View<Real> out, const Table& w, View<Real> x) const;

 private:
  /// The words of one side of a real matrix product: element (k, free) of word i is at
  /// i * plane + k * k_step + free * free_step.
  struct Operand {
    const Real* re;
    const Real* im;
    std::size_t plane;
    std::size_t k_step;
    std::size_t free_step;
  };

  static View<Real> whole(ComplexArray<Real>& x) { return view_of(x, 1, x.size()); }

  ComplexArray<Real> entries(const TableSpec& spec, const Format& format, Direction direction,
                             const RootFunction& roots) const;
  Table into_words(ComplexArray<Real> whole, Words words, std::size_t count) const;
  /// x as words for a matrix product, its rows packed; not called for whole words.
  Table data_words(View<Real> x) const;
  template <class Product>
  void sum_of_terms(View<Real> out, Product product) const;
  void tensor_product(View<Real> out, const Operand& stationary, const Operand& moving,
                      bool data_moves, std::size_t depth, std::span<const SplitTerm> terms) const;

  Mode mode_;
  Machine machine_;
  GemmScheme gemm_;
  KernelSet<Real> kernels_;
};

extern template class MachineArithmetic<float>;
extern template class MachineArithmetic<double>;

}  // namespace fftprec
