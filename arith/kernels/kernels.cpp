/// The inner loops of one instruction set, FFTPREC_ISA, behind the tables of kernels/tables.hpp.
#include "arith/kernels/loops.hpp"
#include "arith/kernels/matmul.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

template <class T, class Product>
constexpr ComplexKernels<typename Carrier<T>::type> kernels() {
  using Complex = Loops<Tag, T, Product>;
  using Element = ElementLoops<Tag, T>;
  return {.multiply = Complex::multiply,
          .butterfly = Complex::butterfly,
          .butterfly_dif = Complex::butterfly_dif,
          .multiply_accumulate = Complex::multiply_accumulate,
          .accumulate_columns = Complex::accumulate_columns,
          .add = Element::add,
          .subtract = Element::subtract,
          .sum_difference = Element::sum_difference,
          .sum_difference_rotated = Element::sum_difference_rotated,
          .rotate_eighth = Element::rotate_eighth,
          .scale = Element::scale};
}

template <class Split, ProductRounding P, AccumulatorRounding R>
constexpr ComplexKernels<float> split_kernels() {
  return kernels<float, SplitProduct<Split, Accumulator<P, R>>>();
}

/// Calls choose.operator()<P, R>() for the machine's two roundings.
template <class Choose>
auto with_model(ProductRounding product, AccumulatorRounding accumulator, Choose choose) {
  using enum ProductRounding;
  constexpr auto rne = AccumulatorRounding::rne;
  constexpr auto rz = AccumulatorRounding::rz;
  const bool nearest = accumulator == rne;
  if (product == bf16_rne)
    return nearest ? choose.template operator()<bf16_rne, rne>()
                   : choose.template operator()<bf16_rne, rz>();
  if (product == bf16_rz)
    return nearest ? choose.template operator()<bf16_rz, rne>()
                   : choose.template operator()<bf16_rz, rz>();
  return nearest ? choose.template operator()<none, rne>() : choose.template operator()<none, rz>();
}

}  // namespace

template <>
ComplexKernels<float> KernelTables<Tag>::complex_float(ProductScheme scheme,
                                                       ProductRounding product,
                                                       AccumulatorRounding accumulator) {
  switch (scheme) {
    case ProductScheme::rounded_bf16:
      return kernels<Bf16, PlainProduct>();
    case ProductScheme::two_prod:
      return kernels<float, TwoProdProduct>();
    case ProductScheme::split3:
      return with_model(product, accumulator, []<ProductRounding P, AccumulatorRounding R>() {
        return split_kernels<SplitThree, P, R>();
      });
    case ProductScheme::split6:
      return with_model(product, accumulator, []<ProductRounding P, AccumulatorRounding R>() {
        return split_kernels<SplitSix, P, R>();
      });
    case ProductScheme::plain:
      break;
  }
  return kernels<float, PlainProduct>();
}

template <>
ComplexKernels<double> KernelTables<Tag>::complex_double() {
  return kernels<double, PlainProduct>();
}

template <>
MatmulKernel<float> KernelTables<Tag>::matmul_float(ProductRounding product,
                                                    AccumulatorRounding accumulator,
                                                    AcrossTiles across) {
  return with_model(product, accumulator,
                    [across]<ProductRounding P, AccumulatorRounding R>() -> MatmulKernel<float> {
                      using Model = Accumulator<P, R>;
                      if (across == AcrossTiles::through)
                        return TileLoops<Tag, float, Model, AcrossTiles::through>::matmul;
                      return TileLoops<Tag, float, Model, AcrossTiles::tile_then_add>::matmul;
                    });
}

template <>
MatmulKernel<double> KernelTables<Tag>::matmul_double() {
  using Model = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  return TileLoops<Tag, double, Model, AcrossTiles::through>::matmul;
}

}  // namespace fftprec
