#include "arith/kernels/dispatch.hpp"

#include "arith/kernels/tables.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

const char* text(ProductScheme product) {
  constexpr const char* texts[] = {"plain",     "two_prod", "rounded_once", "dot2",
                                   "kahan_sum", "neumaier", "split"};
  return texts[static_cast<int>(product)];
}

/// The fields in which an engine is not the default one, as "product_bits=20, sum_rounding=rz".
std::string differences(const VectorEngine& engine) {
  const VectorEngine usual{};
  std::string result;
  const auto note = [&result](bool differs, const std::string& field) {
    if (differs) result += (result.empty() ? "" : ", ") + field;
  };
  note(engine.product_bits != usual.product_bits,
       "product_bits=" + std::to_string(engine.product_bits));
  note(engine.product_rounding != usual.product_rounding,
       "product_rounding=" + std::string(name_of(engine.product_rounding)));
  note(engine.sum_rounding != usual.sum_rounding,
       "sum_rounding=" + std::string(name_of(engine.sum_rounding)));
  note(engine.fused, "fused");
  note(engine.flush, "flush");
  return result;
}

/// Why complex_float has no loops for the two.
std::string reason(const ElementScheme& scheme, const VectorEngine& engine) {
  const std::string products = std::string(text(scheme.product)) + " products";
  const std::string storage = "data stored as " + to_string(scheme.storage);
  if (scheme.product != ProductScheme::plain && scheme.storage != fp32)
    return products + " need data stored as fp32, not " + to_string(scheme.storage);
  if (engine != VectorEngine{})
    return products + " of " + storage + " have no loops on a vector engine with " +
           differences(engine);
  if (scheme.product == ProductScheme::split)
    return "products split into " + std::to_string(scheme.split.factor_words) + " and " +
           std::to_string(scheme.split.data_words) + " words of " + to_string(scheme.split.word) +
           ", " + std::to_string(scheme.split.count) + " terms, scale " +
           std::to_string(scheme.split.scale) + ", have no loops";
  return products + " have no loops for " + storage;
}

}  // namespace

template <>
ComplexKernels<float> complex_kernels<float>(const ElementScheme& scheme, const Machine& machine,
                                             Isa isa) {
  const ComplexKernels<float> kernels = with_tables<KernelTables>(
      isa, [&](auto tables) { return tables.complex_float(scheme, machine.vector); });
  if (kernels.multiply == nullptr)
    throw NotApplicable(reason(scheme, machine.vector) + " (machine " + machine.name + ")");
  return kernels;
}

template <>
ComplexKernels<double> complex_kernels<double>(const ElementScheme& scheme, const Machine&,
                                               Isa isa) {
  require(scheme.product == ProductScheme::plain,
          "complex_kernels: fp64 has the plain product only");
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.complex_double(); });
}

template <>
ComplexKernels<FloatPair> complex_kernels<FloatPair>(const ElementScheme& scheme,
                                                     const Machine& machine, Isa isa) {
  require(scheme.product == ProductScheme::plain,
          "complex_kernels: double words have the plain product only");
  if (machine.vector != VectorEngine{})
    throw NotApplicable("double words of fp32 have no loops on a vector engine with " +
                        differences(machine.vector) + " (machine " + machine.name + ")");
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.complex_pair(); });
}

HostMatmul host_matmul(Isa isa) {
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.host_matmul(); });
}

TensorUnit tensor_unit(const Machine& machine, const Format& operands, Isa isa) {
  return tensor_unit(machine, accumulator_for(machine, operands), isa);
}

TensorUnit tensor_unit(const Machine& machine, const AccumulatorModel& model, Isa isa) {
  TensorUnit unit{.model = model,
                  .across_tiles = machine.across_tiles,
                  .psum = machine.psum,
                  .psum_rounding = machine.psum_rounding,
                  .stochastic_bits = machine.stochastic_bits,
                  .stochastic_seed = machine.stochastic_seed};
  with_tables<KernelTables>(isa, [&](auto tables) { tables.choose_loops(unit); });
  return unit;
}

}  // namespace fftprec
