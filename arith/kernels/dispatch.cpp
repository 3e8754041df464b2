#include "arith/kernels/dispatch.hpp"

#include <algorithm>
#include <string>

#include "arith/kernels/round_array.hpp"
#include "arith/kernels/tables.hpp"
#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"

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
  if (const SplitSpec* words = scheme.product.words())
    return "products split into " + std::to_string(words->factor_words) + " and " +
           std::to_string(words->data_words) + " words of " + to_string(words->word) + ", " +
           std::to_string(words->count) + " terms, scale " + std::to_string(words->scale) +
           ", have no loops";
  return products + " have no loops for " + storage;
}

/// As round_array.hpp says.
template <class Real>
void rounded(std::span<const Real> in, std::span<Real> out, const Format& format, Rounding rounding,
             Isa isa, const std::optional<StochasticRounding>& random,
             std::uint64_t first_counter) {
  if (rounding == Rounding::sr) {
    require(random.has_value(), "round_array: sr needs a StochasticRounding and a counter");
    const int most = random->variant == Stochastic::a ? 53 : 52;
    require(random->bits >= 1 && random->bits <= most,
            "round_array: stochastic rounding takes 1 to ", most, " bits, not ", random->bits);
  }
  require(in.size() == out.size(), "round_array: in has ", in.size(), " elements, out has ",
          out.size());
  validate(format);
  if (format == fp64) {
    if (in.data() != out.data()) std::copy(in.begin(), in.end(), out.begin());
    return;
  }
  require(format.is_fixed() ? fits_fixed<Real>(format) : fits<Real>(format),
          "round_array: ", format, " is not within float's precision and exponents: use doubles");
  if (in.empty()) return;
  with_tables<RoundTables>(isa, [&](auto tables) {
    tables.loop(rounding, Real{})(in.data(), out.data(), in.size(), format,
                                  random.value_or(StochasticRounding{}), first_counter);
  });
}

}  // namespace

template <>
ComplexKernels<float> complex_kernels<float>(const ElementScheme& scheme,
                                             const VectorEngine& engine, Isa isa) {
  const ComplexKernels<float> kernels = with_tables<KernelTables>(
      isa, [&](auto tables) { return tables.complex_float(scheme, engine); });
  if (kernels.multiply == nullptr) throw NotApplicable(reason(scheme, engine));
  return kernels;
}

template <>
ComplexKernels<double> complex_kernels<double>(const ElementScheme& scheme, const VectorEngine&,
                                               Isa isa) {
  require(scheme.product == ProductScheme::plain,
          "complex_kernels: fp64 has the plain product only");
  if (scheme.storage.system) throw NotApplicable(reason(scheme, VectorEngine{}));
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.complex_double(); });
}

template <>
ComplexKernels<FloatPair> complex_kernels<FloatPair>(const ElementScheme& scheme,
                                                     const VectorEngine& engine, Isa isa) {
  require(scheme.product == ProductScheme::plain,
          "complex_kernels: double words have the plain product only");
  if (engine != VectorEngine{})
    throw NotApplicable("double words of fp32 have no loops on a vector engine with " +
                        differences(engine));
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.complex_pair(); });
}

template <>
FixedKernels<float> fixed_kernels<float>(Isa isa) {
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.fixed_float(); });
}

template <>
FixedKernels<double> fixed_kernels<double>(Isa isa) {
  return with_tables<KernelTables>(isa, [](auto tables) { return tables.fixed_double(); });
}

HostMatmul host_matmul(bool fused, Isa isa) {
  return with_tables<KernelTables>(isa, [=](auto tables) { return tables.host_matmul(fused); });
}

TensorLoops tensor_loops(Isa isa) {
  return with_tables<KernelTables>(isa,
                                   [](auto tables) -> TensorLoops { return tables.tensor_matmul; });
}

void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 Rounding rounding, Isa isa, const std::optional<StochasticRounding>& random,
                 std::uint64_t first_counter) {
  rounded(in, out, format, rounding, isa, random, first_counter);
}

void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 Rounding rounding, Isa isa, const std::optional<StochasticRounding>& random,
                 std::uint64_t first_counter) {
  rounded(in, out, format, rounding, isa, random, first_counter);
}

}  // namespace fftprec
