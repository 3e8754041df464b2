/// An arithmetic that has the errors of a machine in some stages, or from some sources, and is
/// exact elsewhere.
#pragma once

#include <variant>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/arithmetic/stages.hpp"

namespace fftprec {

/// An ArrayArithmetic (arithmetic.hpp) over doubles. The trace chooses the sources of error of each
/// operation by its stage. With all sources the machine's arithmetic carries it out; with none
/// binary64, with tables rounded to it; with some binary64, plus the brackets of those sources. A
/// machine's operation converts its operands to the mode's type and back. Results of earlier
/// machine operations are on the grid of the storage format, so the bits are those of
/// MachineArithmetic.
///
/// Brackets: the error of an operation as a telescoping sum of differences, each on the same
/// operands, rounded to what the type holds: with exact tables -> with tables as given ->
/// (elementwise) with products as the mode forms them -> as the machine does it; of a matrix
/// product: -> with operands cut to words, the kept products summed exactly -> accumulated, its
/// products exact -> products as the machine rounds them -> with its evictions; in a quire only
/// stored. With all brackets, on operands that the type holds, the result is the machine's.
/// Sources that cannot be separated in an operation count as one: the two sums of multiply_eighth,
/// fused operations and all of modrelu are products; under dot2, whose products are exact, every
/// error comes from additions.
///
/// Roots and windows in fp64 count as exact: no mode that TracedArithmetic takes has tables in
/// fp64. Error: an exact stage adds the roundings of binary64, about 1e-16; a sum of K products,
/// one by one, adds about sqrt(K) times 1e-16.
class TracedArithmetic {
 public:
  using Real = double;
  using Table = FactorTable<double>;

  /// `trace` must outlive the arithmetic and every copy of it.
  /// Throws NotApplicable for a mode whose type is neither float nor, for a number system of 32
  /// bits at most, double; and as MachineArithmetic.
  TracedArithmetic(const ArithmeticSpec& resolved, StageTrace& trace, Isa isa = best_isa());

  const ArithmeticSpec& resolved() const;

  StageScope stage(std::string_view name, std::size_t index) const {
    return trace_->enter(name, index);
  }

  Table factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const;
  Table wide_factors(const TableSpec& spec, Direction direction, const RootFunction& roots) const;
  Table matrix(const TableSpec& spec, std::size_t depth, Direction direction,
               const RootFunction& roots) const;
  ComplexArray<double> values(const TableSpec& spec, Direction direction,
                              const RootFunction& roots) const;
  Table real_factors(const RealTable& table) const;
  Table factors_of(ComplexArray<double> values) const;
  Table matrix_of(ComplexArray<double> values, std::size_t depth) const;
  Table eighth_factor(const RootFunction& roots) const;

  /// The input: rounded to the storage format, or as it is.
  ComplexArray<double> stored(const ComplexArray<double>& x) const;
  void store(View<double> x) const;
  void store_product(View<double> x) const;
  std::size_t stage_cols(std::size_t all, std::size_t usual) const { return std::min(all, usual); }
  std::size_t stage_lines(std::size_t all, std::size_t usual) const { return std::min(all, usual); }
  void begin_stage(View<double> x, std::size_t radix, std::size_t before) const;
  void end_stage(View<double> x, std::size_t done) const;
  void end_stage(View<double> x, std::size_t done, std::size_t, const Places&) const {
    end_stage(x, done);
  }

  void multiply(View<double> x, FactorView<double> w) const;
  void multiply_wide(View<double> x, FactorView<double> w) const;
  void butterfly(View<double> a, View<double> b, FactorView<double> w) const;
  void butterfly_dif(View<double> a, View<double> b, FactorView<double> w) const;
  void sum_difference(View<double> a, View<double> b) const;
  void rotated(View<double> a, View<double> b, Direction direction) const;
  void multiply_eighth(View<double> x, const Table& w, bool odd, Direction direction) const;
  void add(View<double> out, View<double> a, View<double> b) const;
  void fused(View<double> x, View<double> a, FactorView<double> w) const;
  void accumulate(View<double> sum, View<double> x, FactorView<double> w) const;
  void accumulate_columns(View<double> sum, FactorView<double> w, View<double> x) const;
  void scale_by(View<double> x, double factor) const;
  void scale(View<double> x, Dft dft, std::size_t n) const;
  void scale_product(View<double> x, Dft dft, std::size_t n) const;
  void modrelu(View<double> x, const double* bias) const;
  void gemm(View<double> out, View<double> x, const Table& w) const;
  void gemm_columns(View<double> out, const Table& w, View<double> x) const;

 private:
  struct Operation;
  /// Carries out an operation as the trace says, on the views' own data.
  void apply(const Operation& operation) const;
  void apply_noted(const Operation& operation) const;
  /// store(machine) done by the machine where storage is inexact.
  template <class Store>
  void store_by(View<double> x, Store store) const;
  void accumulate_in(bool columns, View<double> sum, View<double> x, FactorView<double> w) const;
  void gemm_in(bool columns, View<double> out, View<double> x, const Table& w) const;
  template <class Words>
  Table from_roots(const TableSpec& spec, const Format& format, Direction direction,
                   const RootFunction& roots, Words words) const;
  /// words(machine, given) as the machine's words of a table.
  template <class Words>
  Table joined_by_machine(const ComplexArray<double>& exact, const ComplexArray<double>& truth,
                          const ComplexArray<double>& given, Words words) const;
  ComplexArray<double> stored_values(const ComplexArray<double>& values) const;
  std::size_t factor_words() const {
    const SplitSpec* split = resolved().product().words();
    return split ? split->factor_words : 1;
  }
  /// The machine, and the machine without some of its errors.
  template <class Real>
  struct Machines {
    Machines(const ArithmeticSpec& resolved, Isa isa);

    MachineArithmetic<Real> whole;
    MachineArithmetic<Real> bracketed;       ///< brackets take random bits of their own
    MachineArithmetic<Real> unevicted;       ///< without evictions to narrower formats
    MachineArithmetic<Real> exact_products;  ///< and with products that nothing rounds
  };
  using AnyMachines = std::variant<Machines<float>, Machines<double>>;
  static AnyMachines made_for(const ArithmeticSpec& resolved, Isa isa);
  enum class Part { here, whole, unevicted, exact_products };  ///< here: as the trace says
  template <class What>
  auto with_machine(Part part, What what) const {
    return std::visit(
        [&](const auto& of) {
          if (part == Part::unevicted) return what(of.unevicted);
          if (part == Part::exact_products) return what(of.exact_products);
          return what(part == Part::whole || trace_->is_machine() ? of.whole : of.bracketed);
        },
        machines_);
  }
  template <class Op>
  auto by_exact(Op op) const;
  template <class Op>
  auto by_machine(Op op, Part part = Part::here) const;
  /// op(machine, views, factors) with the words that the machine takes.
  template <class Factors, class Op>
  auto with_words(Factors factors, Op op, Part part = Part::here) const;
  /// value as the type holds it.
  double carried(double value) const;

  Isa isa_;
  AnyMachines machines_;
  ScalarArithmetic<double> exact_{fp64};
  StageTrace* trace_;
};

}  // namespace fftprec
