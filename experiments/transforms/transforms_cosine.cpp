/// dct2 and dct3.
#include <cmath>
#include <memory>

#include "algorithms/transforms/cosine.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

template <template <class> class Plan, class Arithmetic>
MakeTransformIn<Arithmetic> make_cosine() {
  return [](const Arithmetic& arithmetic, const AlgorithmEntry& algorithm, std::size_t n,
            const RootFunction& roots) -> Transform<Arithmetic> {
    const auto plan = std::make_shared<const Plan<Arithmetic>>(arithmetic, n, roots,
                                                               algorithm.make_in<Arithmetic>());
    return [plan](const Arithmetic& with, ComplexArray<typename Arithmetic::Real> x) {
      return plan->transform(with, std::move(x));
    };
  };
}

/// All of an entry but its truth and what its bound is relative to. There is no inverse: that of a
/// type is the other one divided by 2n, and its first element, or the last product, is another.
template <template <class> class Plan>
TransformEntry cosine_transform() {
  TransformEntry entry;
  entry.real_input = true;
  entry.real_output = true;
  entry.item_shape = [](std::size_t n) { return ItemShape{{n}, {n}}; };
  entry.make_input = [](std::string_view input, std::size_t n, std::size_t batch,
                        std::uint64_t seed) {
    ComplexArray<double> x = make_input(input, n, batch, seed);
    drop_imaginary(x);
    return x;
  };
  entry.unsupported = [](const AlgorithmEntry& algorithm, std::size_t n) {
    return algorithm.model.unsupported(n);
  };
  entry.make_float = make_cosine<Plan, MachineArithmetic<float>>();
  entry.make_double = make_cosine<Plan, MachineArithmetic<double>>();
  entry.make_pair = make_cosine<Plan, MachineArithmetic<FloatPair>>();
  entry.make_traced = make_cosine<Plan, TracedArithmetic>();
  entry.predict = [](const Predictor& predictor, const AlgorithmEntry& algorithm, std::size_t n,
                     std::size_t batch) {
    return Plan<MachineArithmetic<float>>::predict(predictor, n, batch, algorithm.model);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> cosine_transforms() {
  return {
      {"dct2",
       "2 sum over j of x_j cos(pi k (2j+1)/(2n)), x real",
       {},
       [](const auto&) {
         TransformEntry entry = cosine_transform<Dct2>();
         entry.truth = [](const ComplexArray<double>& input, std::size_t n, std::size_t,
                          const truth::TruthOptions& options) {
           return truth::dct2(input, n, options);
         };
         entry.reference_norm = [](const ComplexArray<double>& input, std::size_t n, std::size_t) {
           return 2 * std::sqrt(static_cast<double>(n)) * truth::l2_norm(input);
         };
         return entry;
       }},
      {"dct3",
       "x_0 + 2 sum over j >= 1 of x_j cos(pi j (2k+1)/(2n)), x real",
       {},
       [](const auto&) {
         TransformEntry entry = cosine_transform<Dct3>();
         entry.truth = [](const ComplexArray<double>& input, std::size_t n, std::size_t,
                          const truth::TruthOptions& options) {
           return truth::dct3(input, n, options);
         };
         return entry;
       }},
  };
}

}  // namespace fftprec
