/// The arithmetic of a mode on a machine: every operation is one call of an inner loop that was
/// chosen when the arithmetic was made.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/machine_gemm.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// An ArrayArithmetic (arithmetic.hpp). Real is the type of the arithmetic: float, double or
/// FloatPair. Cheap to copy: copies share all but what they count.
template <class R>
class MachineArithmetic {
 public:
  using Real = R;
  using Table = FactorTable<Real>;

  /// Throws InputError if Real is not its type, NotApplicable if the mode has no meaning on the
  /// machine.
  MachineArithmetic(const ArithmeticSpec& resolved, KernelSet<Real> kernels);
  explicit MachineArithmetic(const ArithmeticSpec& resolved, Isa isa = best_isa())
      : MachineArithmetic(resolved, kernel_set<Real>(resolved, isa)) {}

  const ArithmeticSpec& resolved() const { return resolved_; }

  StageScope stage(std::string_view name, std::size_t index) const {
    return trace_ == nullptr ? StageScope(nullptr) : trace_->enter(name, index);
  }
  /// `trace` follows what this object computes from now on, and must outlive it and its copies.
  void follow(StageTrace* trace) { trace_ = trace; }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return factors_of(root_entries<Real>(spec, resolved_.table_format(), direction, roots));
  }
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const {
    return {root_entries<Real>(spec, resolved_.wide_table(), direction, roots), spec.size};
  }
  Table matrix(const TableSpec& spec, std::size_t depth, Direction direction,
               const RootFunction& roots) const {
    return matrix_of(root_entries<Real>(spec, resolved_.table_format(), direction, roots), depth);
  }
  ComplexArray<Real> values(const TableSpec& spec, Direction direction,
                            const RootFunction& roots) const {
    return root_entries<Real>(spec, resolved_.operation_format(), direction, roots);
  }
  Table real_factors(const RealTable& table) const;
  Table factors_of(ComplexArray<Real> values) const;
  Table matrix_of(ComplexArray<Real> values, std::size_t depth) const;
  Table eighth_factor(const RootFunction& roots) const;

  /// Number of real fixed-point results beyond the range so far.
  std::uint64_t overflow_count() const { return overflow_count_; }

  /// x, lines of `line` values (0: one line), in the storage format, rounded once as the machine
  /// casts.
  ComplexArray<Real> stored(const ComplexArray<double>& x, std::size_t line = 0) const;
  /// x rounded once to the storage format, in place; with scale=block the range follows the largest
  /// part.
  void keep(View<Real> x) const;
  void keep(ComplexArray<Real>& x) const { keep(whole(x)); }
  void store(ComplexArray<Real>& x) const { store(whole(x)); }
  void store(View<Real> x) const {
    exponent_.reset();
    if (resolved_.stores().in_passes())
      end_stage(x, end_of_pass);
    else
      store_product(x);
  }
  /// Of one exponent all columns, and of blocks that a cut of them might cut.
  std::size_t stage_cols(std::size_t all, std::size_t usual) const {
    return resolved_.scale().is_block() || cuts_blocks(all, usual) ? all : std::min(all, usual);
  }
  std::size_t stage_lines(std::size_t all, std::size_t usual) const {
    const BlockFormat* blocks = resolved_.block_format();
    return blocks && blocks->joins_transforms() ? all : std::min(all, usual);
  }
  void begin_stage(View<Real> x, std::size_t radix, std::size_t before) const {
    if (shares_exponents()) return open_block(x, radix);
    if (resolved_.scale().scales_stage(radix, before))
      scale_by(x, resolved_.scale().before_stage(radix, before));
  }
  void store_product(View<Real> x) const { round_to(resolved_.operation_format(), x); }
  void end_stage(View<Real> x, std::size_t done) const {
    end_stage(x, done, x.cols, Places{x.cols});
  }
  void end_stage(View<Real> x, std::size_t done, std::size_t n, const Places& places) const {
    if (done == end_of_pass) exponent_.reset();
    if (!resolved_.stores().ends_after(done)) return;
    if (const BlockFormat* blocks = resolved_.block_format())
      return keep_in_blocks(*blocks, x, n, places);
    keep(x);
  }

  void multiply(View<Real> x, FactorView<Real> w) const {
    decorate(x);
    const OwnBlock block(*this, largest(w, x));
    element(
        &Kernels::multiply, &Fixed::multiply,
        [](const auto& by, auto... of) { by.multiply(of...); }, x, w);
  }
  void multiply_wide(View<Real> x, FactorView<Real> w) const {
    if (kernels_.fixed) return multiply(x, w);
    kernels_.wide.multiply(x, w);
  }
  void butterfly(View<Real> a, View<Real> b, FactorView<Real> w) const {
    decorate(b);
    element(
        &Kernels::butterfly, &Fixed::butterfly,
        [](const auto& by, auto... of) { by.butterfly(of...); }, a, b, w);
  }
  void butterfly_dif(View<Real> a, View<Real> b, FactorView<Real> w) const;
  void sum_difference(View<Real> a, View<Real> b) const {
    element(
        &Kernels::sum_difference, &Fixed::sum_difference,
        [](const auto& by, auto... of) { by.sum_difference(of...); }, a, b);
  }
  void rotated(View<Real> a, View<Real> b, Direction direction) const;
  void multiply_eighth(View<Real> x, const Table& w, bool odd, Direction direction) const;
  void add(View<Real> out, View<Real> a, View<Real> b) const {
    const auto add = [&](const auto& by, auto&&...) { by.add(out, a, b); };
    element(&Kernels::add, &Fixed::add, add, out, constant(a), constant(b));
  }
  void fused(View<Real> x, View<Real> a, FactorView<Real> w) const;
  void accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) const;
  void accumulate_columns(View<Real> sum, FactorView<Real> w, View<Real> x) const;
  /// to <- from - to and to <- to + by in the type's own format.
  void subtract_wide(ComplexArray<Real>& from, ComplexArray<Real>& to) const {
    kernels_.wide.subtract(whole(to), constant(whole(from)), constant(whole(to)));
  }
  void add_wide(ComplexArray<Real>& to, ComplexArray<Real>& by) const {
    kernels_.wide.add(whole(to), constant(whole(to)), constant(whole(by)));
  }
  /// x <- x * fl(factor).
  void scale_by(View<Real> x, double factor) const;
  void scale(View<Real> x, Dft dft, std::size_t n) const {
    if (resolved_.scale().divides_after(dft)) scale_by(x, resolved_.scale().after_stages(dft, n));
  }
  void scale_product(View<Real> x, Dft dft, std::size_t n) const;
  void modrelu(View<Real> x, const Real* bias) const;

  /// As MachineGemm says. Both forms give the same bits.
  void gemm(View<Real> out, View<Real> x, const Table& w) const { product(out, x, w, false); }
  void gemm_columns(View<Real> out, const Table& w, View<Real> x) const {
    product(out, x, w, true);
  }

 private:
  using Kernels = ComplexKernels<Real>;
  using Fixed = FixedKernels<Real>;
  /// Data that no float holds may have more than half the digits of a double.
  using Exact = std::conditional_t<std::is_same_v<Real, double>, OddDouble, double>;
  using Reference = ScalarArithmetic<Lanes<Exact>, CastStores, Real>;
  static constexpr bool has_reference = std::is_same_v<Real, float> || std::is_same_v<Real, double>;

  /// Whether the results of each fixed-point operation share an exponent.
  bool shares_exponents() const {
    return resolved_.shared_exponent() == SharedExponent::of_operations;
  }
  /// For the next fixed-point operation.
  FixedPoint fixed() const;
  /// The format of data in a block with that exponent.
  Format block_format(int exponent) const;
  /// The least exponent of a block whose results have at most this magnitude.
  int exponent_for(double largest) const;
  /// The largest part of w x in an operation outside of stages, up to a factor of sqrt 2; else 0.
  double largest(FactorView<Real> w, View<Real> x) const;
  /// x with the exponent that a stage of that radix needs.
  void open_block(View<Real> x, std::size_t radix) const;
  /// By how much a rotation of a number may enlarge a part: sqrt 2, and a little.
  static constexpr double turned = 1.4143;
  /// An operation outside of stages has a block of its own; else nothing.
  class OwnBlock;

  /// One elementwise operation: by `loop`, of fixed point by `fixed_loop`, or by `reference`, the
  /// same operation of the reference arithmetic where stores do not round to nearest even or no
  /// loops know their format.
  template <class Loop, class FixedLoop, class ByReference, class... Arguments>
  void element(Loop loop, FixedLoop fixed_loop, ByReference reference,
               Arguments... arguments) const {
    if constexpr (!std::is_same_v<Real, FloatPair>)
      if (kernels_.fixed) {
        const FixedPoint fixed_point = fixed();
        overflow_count_ += ((*kernels_.fixed).*fixed_loop)(fixed_point, arguments...);
        return;
      }
    if constexpr (has_reference)
      if (casts_elements_) return reference(stored_by_reference(), arguments...);
    if (!kernels_.no_elements.empty()) throw NotApplicable(kernels_.no_elements);
    (kernels_.scheme.*loop)(arguments...);
  }

  /// The reference arithmetic whose results are stored as the machine casts.
  Reference stored_by_reference() const {
    const Format& storage = resolved_.operation_format();
    return Reference(storage,
                     CastStores(cast_of(resolved_.machine(), step_++), storage, kernels_.isa));
  }

  /// x rounded once as the machine casts, in place.
  void round_to(const Format& format, View<Real> x) const;
  void keep_in_blocks(const BlockFormat& format, View<Real> x, std::size_t n,
                      const Places& places) const;
  /// Whether blocks may not end where a line is cut at multiples of `usual` of `all` columns.
  bool cuts_blocks(std::size_t all, std::size_t usual) const {
    const BlockFormat* blocks = resolved_.block_format();
    constexpr std::size_t least = 64;
    return blocks && (blocks->joins_transforms() || blocks->rule == ScaleRule::e4m3 ||
                      least % blocks->block != 0 || all % least != 0 || usual % least != 0);
  }

  static View<Real> whole(ComplexArray<Real>& x) { return view_of(x, 1, x.size()); }

  /// Whether a decorator changes the data of elementwise products. Split data are floats.
  bool decorates_data() const {
    return resolved_.decorator() && resolved_.decorator()->element_data;
  }
  void decorate(View<Real> x) const {
    if constexpr (std::is_same_v<Real, float>)
      if (decorates_data())
        resolved_.decorator()->element_data(x, resolved_.product().words()->word, kernels_.isa);
  }
  /// x itself, or a changed copy if a decorator changes it.
  View<Real> as_multiplied(View<Real> x, ComplexArray<Real>& copy) const;
  void product(View<Real> out, View<Real> x, const Table& w, bool data_moves) const {
    if (const auto* vector = resolved_.gemm().template as<VectorProducts>())
      return on_vector(vector->quire, out, x, w, data_moves);
    gemm_.multiply(out, x, w, data_moves, step_);
  }

  /// Sums on the vector engine, or in a quire.
  void on_vector(bool quire, View<Real> out, View<Real> x, const Table& w, bool data_moves) const;

  /// What copies share.
  struct Shared {
    Shared(const ArithmeticSpec& arithmetic, KernelSet<Real> loops)
        : resolved(arithmetic), kernels(std::move(loops)), gemm(resolved, kernels) {}
    Shared(const Shared&) = delete;  // gemm refers to its neighbours
    Shared& operator=(const Shared&) = delete;

    ArithmeticSpec resolved;
    KernelSet<Real> kernels;
    MachineGemm<Real> gemm;
  };

  std::shared_ptr<const Shared> shared_;
  const ArithmeticSpec& resolved_;  ///< these three are of shared_
  const KernelSet<Real>& kernels_;
  const MachineGemm<Real>& gemm_;
  bool casts_elements_;  ///< elementwise results are rounded by the reference arithmetic
  StageTrace* trace_ = nullptr;
  mutable std::uint64_t step_ = 0;            ///< counts uses of random bits
  mutable std::optional<int> exponent_{};     ///< of the block that a stage works on
  mutable std::uint64_t overflow_count_ = 0;  ///< counts results of fixed point beyond their range
};

/// Until its end.
template <class Real>
class MachineArithmetic<Real>::OwnBlock {
 public:
  /// Of `results` of that size at most, before they are turned.
  OwnBlock(const MachineArithmetic& arithmetic, double results)
      : arithmetic_(arithmetic), is_own_(arithmetic.shares_exponents() && !arithmetic.exponent_) {
    if (!is_own_) return;
    arithmetic.exponent_ = arithmetic.exponent_for(turned * results);
    if (arithmetic.trace_ != nullptr) arithmetic.trace_->note_exponent(*arithmetic.exponent_);
  }
  OwnBlock(const OwnBlock&) = delete;
  OwnBlock& operator=(const OwnBlock&) = delete;
  ~OwnBlock() {
    if (is_own_) arithmetic_.exponent_.reset();
  }

 private:
  const MachineArithmetic& arithmetic_;
  bool is_own_;
};

extern template class MachineArithmetic<float>;
extern template class MachineArithmetic<double>;
extern template class MachineArithmetic<FloatPair>;

}  // namespace fftprec
