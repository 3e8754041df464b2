/// Operations with some of their sources of error: exact results plus the brackets of the sources.
#pragma once

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/arithmetic/stages.hpp"

namespace fftprec {

/// The error of an operation as a telescoping sum of brackets, each on the same operands, rounded
/// to what floats hold: with exact tables -> with tables as given -> (elementwise) with products as
/// the mode forms them -> as the machine does it; of a matrix product: -> with operands cut to
/// words, the kept products summed exactly -> accumulated, its products exact -> products as the
/// machine rounds them -> with its evictions. The result of an operation is the exact one plus the
/// brackets of those sources that are on: with all of them, on operands that floats hold, the
/// machine's.
///
/// Sources that an operation mixes beyond telling count as one: the two sums of multiply_eighth and
/// all of modrelu are products; under dot2, whose products are exact, all is additions.
/// Operations overwrite their data like those of an arithmetic (arithmetic.hpp).
class TracedBrackets {
 public:
  using Table = FactorTable<double>;

  TracedBrackets(const ResolvedArithmetic& resolved, Isa isa);

  void store(View<double> x, ErrorSources on) const;
  void multiply(View<double> x, FactorView<double> w, ErrorSources on) const;
  void multiply_wide(View<double> x, FactorView<double> w, ErrorSources on) const;
  void sum_difference(View<double> a, View<double> b, ErrorSources on) const;
  void rotated(View<double> a, View<double> b, Direction direction, ErrorSources on) const;
  void multiply_eighth(View<double> x, const Table& w, bool odd, Direction direction,
                       ErrorSources on) const;
  void add(View<double> out, View<double> a, View<double> b, ErrorSources on) const;
  void accumulate(View<double> sum, View<double> x, FactorView<double> w, ErrorSources on) const;
  void accumulate_columns(View<double> sum, FactorView<double> w, View<double> x,
                          ErrorSources on) const;
  void scale(View<double> x, std::size_t divisor, ErrorSources on) const;
  void scale_product(View<double> x, std::size_t divisor, ErrorSources on) const;
  void modrelu(View<double> x, const double* bias, ErrorSources on) const;
  /// gemm, or gemm_columns where `data_moves`.
  void gemm(View<double> out, View<double> x, const Table& w, bool data_moves,
            ErrorSources on) const;

 private:
  template <class ByMachine>
  void product(View<double> x, FactorView<double> w, ErrorSources on, const Format& format,
               std::size_t words, ByMachine by_machine) const;
  template <class ByMachine>
  void scaled(View<double> x, std::size_t divisor, ErrorSources on, const Format& format,
              ByMachine by_machine) const;
  template <class Accumulate, class Spread>
  void sum_of_products(View<double> sum, View<double> x, FactorView<double> w, std::size_t depth,
                       std::size_t width, ErrorSources on, Accumulate accumulate,
                       Spread spread) const;
  /// gemm on the vector engine.
  void gemm_of_elements(View<double> out, View<double> x, const Table& w, bool data_moves,
                        ErrorSources on) const;
  /// The exact sum of the kept products of words.
  ComplexArray<double> product_of_words(View<double> out, View<float> x, const Table& w,
                                        bool data_moves) const;
  std::size_t factor_words() const;

  Isa isa_;
  MachineArithmetic<float> machine_;
  MachineArithmetic<float> unevicted_;       ///< without evictions to narrower formats
  MachineArithmetic<float> exact_products_;  ///< and with products that nothing rounds
  ScalarArithmetic<double> exact_{fp64};
};

}  // namespace fftprec
