/// The arithmetic of a mode on a machine: every operation is one call of an inner loop that was
/// chosen when the arithmetic was made.
#pragma once

#include <functional>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/faults.hpp"
#include "algorithms/arithmetic/root_entries.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// An ArrayArithmetic (arithmetic.hpp). Real is what the carrier says: float, double or FloatPair.
template <class R>
class MachineArithmetic {
 public:
  using Real = R;
  using Table = FactorTable<Real>;

  /// Throws InputError if Real is not the carrier, NotApplicable if the mode has no meaning on the
  /// machine.
  MachineArithmetic(const ResolvedArithmetic& resolved, KernelSet<Real> kernels);
  explicit MachineArithmetic(const ResolvedArithmetic& resolved, Isa isa = best_isa())
      : MachineArithmetic(resolved, kernel_set<Real>(resolved, isa)) {}

  const ResolvedArithmetic& resolved() const { return resolved_; }

  static NoStage stage(std::string_view, std::size_t) { return {}; }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return factors_of(root_entries<Real>(spec, resolved_.table, direction, roots));
  }
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return {root_entries<Real>(spec, resolved_.wide(), direction, roots), spec.size};
  }
  Table matrix(const TableSpec& spec, std::size_t depth, Direction direction,
               const RootFunction& roots) const {
    return matrix_of(root_entries<Real>(spec, resolved_.table, direction, roots), depth);
  }
  ComplexArray<Real> values(const TableSpec& spec, Direction direction,
                            const RootFunction& roots) const {
    return root_entries<Real>(spec, resolved_.storage, direction, roots);
  }
  Table real_factors(const RealTable& table) const;
  Table factors_of(ComplexArray<Real> values) const;
  Table matrix_of(ComplexArray<Real> values, std::size_t depth) const;
  Table eighth_factor(const RootFunction& roots) const;

  /// x in the format that data are kept in, rounded once as the machine casts.
  ComplexArray<Real> stored(const ComplexArray<double>& x) const;
  /// x rounded once to that format, in place.
  void keep(ComplexArray<Real>& x) const { round_to(resolved_.kept, whole(x)); }
  void store(ComplexArray<Real>& x) const { store(whole(x)); }
  void store(View<Real> x) const {
    if (resolved_.stores.in_passes())
      end_stage(x, end_of_pass);
    else
      store_product(x);
  }
  void begin_stage(View<Real> x, std::size_t radix) const {
    if (resolved_.scale.scales_stages()) scale_by(x, resolved_.scale.before_stage(radix));
  }
  void store_product(View<Real> x) const { round_to(resolved_.storage, x); }
  void end_stage(View<Real> x, std::size_t done) const {
    if (resolved_.stores.ends_after(done)) round_to(resolved_.kept, x);
  }

  void multiply(View<Real> x, FactorView<Real> w) const {
    lose_residuals(x);
    element(&Kernels::multiply, &Reference::multiply, x, w);
  }
  void multiply_wide(View<Real> x, FactorView<Real> w) const { kernels_.wide.multiply(x, w); }
  void butterfly(View<Real> a, View<Real> b, FactorView<Real> w) const {
    lose_residuals(b);
    element(&Kernels::butterfly, &Reference::butterfly, a, b, w);
  }
  void butterfly_dif(View<Real> a, View<Real> b, FactorView<Real> w) const;
  void sum_difference(View<Real> a, View<Real> b) const {
    element(&Kernels::sum_difference, &Reference::sum_difference, a, b);
  }
  void rotated(View<Real> a, View<Real> b, Direction direction) const;
  void multiply_eighth(View<Real> x, const Table& w, bool odd, Direction direction) const;
  void add(View<Real> out, View<Real> a, View<Real> b) const {
    const auto add = [&](const auto& reference, auto&&...) { reference.add(out, a, b); };
    element(&Kernels::add, add, out, constant(a), constant(b));
  }
  void accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) const;
  void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) const;
  /// to <- from - to and to <- to + by in the carrier's own format.
  void subtract_wide(ComplexArray<Real>& from, ComplexArray<Real>& to) const {
    kernels_.wide.subtract(whole(to), constant(whole(from)), constant(whole(to)));
  }
  void add_wide(ComplexArray<Real>& to, ComplexArray<Real>& by) const {
    kernels_.wide.add(whole(to), constant(whole(to)), constant(whole(by)));
  }
  /// x <- x * fl(factor).
  void scale_by(View<Real> x, double factor) const;
  void scale(View<Real> x, std::size_t divisor) const {
    if (resolved_.scale.divides_inverse()) scale_by(x, resolved_.scale.after_inverse(divisor));
  }
  void scale_product(View<Real> x, std::size_t divisor) const;
  void modrelu(View<Real> x, const Real* bias) const;

  /// As MachineGemm says. Both forms give the same bits.
  void gemm(View<Real> out, View<Real> x, const Table& w) const { product(out, x, w, false); }
  void gemm_columns(View<Real> out, const Table& w, View<Real> x) const {
    product(out, x, w, true);
  }

 private:
  using Kernels = ComplexKernels<Real>;
  using Reference = ScalarArithmetic<float, CastStores>;

  /// One elementwise operation: by the loops, or where stores do not round to nearest even by
  /// `reference`, the same operation of the reference arithmetic.
  template <class Loop, class ByReference, class... Arguments>
  void element(Loop loop, ByReference reference, Arguments... arguments) const {
    if constexpr (std::is_same_v<Real, float>)
      if (casts_elements_) {
        const Format& storage = resolved_.storage;
        const Reference by(storage, CastStores(cast_of(resolved_.machine, step_++), storage));
        return std::invoke(reference, by, arguments...);
      }
    if (!kernels_.no_elements.empty()) throw NotApplicable(kernels_.no_elements);
    (kernels_.scheme.*loop)(arguments...);
  }

  /// x rounded once as the machine casts, in place.
  void round_to(const Format& format, View<Real> x) const;

  static View<Real> whole(ComplexArray<Real>& x) { return view_of(x, 1, x.size()); }

  /// Products as faults of software leave them; nothing but floats has such faults.
  FaultyProducts faulty() const { return FaultyProducts(resolved_, kernels_.isa); }
  void lose_residuals(View<Real> x) const {
    if constexpr (std::is_same_v<Real, float>)
      if (faulty().loses_residuals()) faulty().lose_residuals(x);
  }
  /// x itself, or where its residuals are lost a copy without them.
  View<Real> as_multiplied(View<Real> x, ComplexArray<Real>& copy) const;
  void product(View<Real> out, View<Real> x, const Table& w, bool data_moves) const {
    if constexpr (std::is_same_v<Real, float>)
      if (faulty().spoils_terms()) return faulty().multiply(gemm_, out, x, w, data_moves, step_);
    gemm_.multiply(out, x, w, data_moves, step_);
  }

  ResolvedArithmetic resolved_;
  KernelSet<Real> kernels_;
  bool casts_elements_;  ///< elementwise results are stored by another rounding than rne
  MachineGemm<Real> gemm_;
  mutable std::uint64_t step_ = 0;  ///< counts uses of random bits
};

extern template class MachineArithmetic<float>;
extern template class MachineArithmetic<double>;
extern template class MachineArithmetic<FloatPair>;

}  // namespace fftprec
