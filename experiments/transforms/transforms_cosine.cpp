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

/// An entry without the reference of its bound. Types II and III, A and B, are inverses up to the
/// factor B A = 2n, for which one of them must divide. Under norm=backward there is no round trip.
/// Growth: A / sqrt(2n) has singular values 1 and, once, sqrt(2). The bound is relative to ||V||,
/// and the result of type II may be sqrt(2) larger. So an error grows by at most 2.
template <template <class> class Plan>
TransformEntry cosine_transform(Norm norm, const std::string& other, decltype(truth::dct2)* truth) {
  TransformEntry entry;
  if (norm != Norm::backward) entry.inverse = other + (norm == Norm::ortho ? ":norm=ortho" : "");
  entry.growth = 2;
  entry.real_input = true;
  entry.real_output = true;
  entry.item_shape = [](std::size_t n) { return ItemShape{{n}, {n}}; };
  entry.make_input = [](const Input& input, auto n, auto batch, auto seed) {
    ComplexArray<double> x = input(n, batch, seed);
    drop_imaginary(x);
    return x;
  };
  entry.unsupported = [norm](const AlgorithmEntry& algorithm, std::size_t n) {
    const std::string reason = algorithm.model.unsupported(n);
    return reason.empty() ? unsupported_norm(algorithm, norm) : reason;
  };
  entry.truth = [=](const auto& input, std::size_t n, auto, const auto& options) {
    return truth(input, n, options, norm);
  };
  entry.make = made_by_plan([norm]<class A>(const A& arithmetic, std::size_t n,
                                            const SourceTables& tables, const MakeFft<A>& fft) {
    return std::make_shared<const Plan<A>>(arithmetic, n, norm, tables.roots, fft);
  });
  entry.predict = [norm](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    return Plan<MachineArithmetic<float>>::predict(predictor.of({Direction::forward, norm}), n,
                                                   batch, algorithm.model);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> cosine_transforms() {
  const std::vector<Key> keys{norm_key()};
  return {
      {"dct2", "2 sum over j of x_j cos(pi k (2j+1)/(2n)), x real", keys,
       [](const std::vector<Key>& values) {
         const Norm norm = norm_named(values.back().value);
         TransformEntry entry = cosine_transform<Dct2>(norm, "dct3", truth::dct2);
         entry.whole_name = "dct2";
         entry.reference_norm = [norm](const auto& input, std::size_t n, auto) {
           const double length = static_cast<double>(n);
           const double divisor = norm == Norm::ortho     ? std::sqrt(2 * length)
                                  : norm == Norm::forward ? 2 * length
                                                          : 1;
           return 2 * std::sqrt(length) * truth::l2_norm(input) / divisor;
         };
         entry.most_reference = std::sqrt(2.0);  // A stretches by sqrt(2n) at least
         return entry;
       }},
      {"dct3", "x_0 + 2 sum over j >= 1 of x_j cos(pi j (2k+1)/(2n)), x real", keys,
       [](const std::vector<Key>& values) {
         TransformEntry entry =
             cosine_transform<Dct3>(norm_named(values.back().value), "dct2", truth::dct3);
         entry.whole_name = "dct3";
         return entry;
       }},
  };
}

}  // namespace fftprec
