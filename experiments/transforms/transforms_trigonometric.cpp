/// dct1, dct4, dst1 to dst4, hartley, mdct and imdct.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "algorithms/transforms/lapped.hpp"
#include "algorithms/transforms/trigonometric.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/trigonometric.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

/// `per_n` n real values.
template <std::size_t per_n>
ComplexArray<double> real_values(const Input& input, std::size_t n, std::size_t batch,
                                 std::uint64_t seed) {
  ComplexArray<double> x = input(per_n * n, batch, seed);
  drop_imaginary(x);
  return x;
}

/// Real in and out, by Plan: without its shapes, its truth, and the reference of its bound.
template <template <class> class Plan, class... Options>
TransformEntry real_entry(Options... options) {
  using AnyPlan = Plan<MachineArithmetic<float>>;
  TransformEntry entry;
  entry.real_input = true;
  entry.real_output = true;
  entry.make = made_by_plan([=]<class A>(const A& arithmetic, std::size_t n,
                                         const SourceTables& tables, const MakeFft<A>& fft) {
    return std::make_shared<const Plan<A>>(arithmetic, n, tables.roots, fft, options...);
  });
  entry.unsupported = [](const AlgorithmEntry& algorithm, std::size_t n) {
    const std::size_t points = AnyPlan::points(n);
    if (points == 0) return fmt::format("needs {}, got {}", AnyPlan::needs, n);
    return algorithm.model.unsupported(points);
  };
  entry.predict = [=](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    return AnyPlan::predict(predictor, n, batch, algorithm.model, options...);
  };
  return entry;
}

/// Of n values into as many.
template <template <class> class Plan>
TransformEntry square_entry(const char* name,
                            truth::Evaluation (*evaluate)(const ComplexArray<double>&,
                                                          std::size_t)) {
  TransformEntry entry = real_entry<Plan>();
  entry.whole_name = name;
  entry.item_shape = [](std::size_t n) { return ItemShape{{n}, {n}}; };
  entry.make_input = real_values<1>;
  entry.truth = [evaluate](const auto& input, std::size_t n, auto, const auto& options) {
    return truth::certify(evaluate(input, n), options);
  };
  return entry;
}

/// sqrt(points) times the norm of an extension that holds every element twice, but the ends of an
/// item maybe once.
double extended_reference(const ComplexArray<double>& input, std::size_t n, std::size_t points,
                          bool ends_once) {
  double sum = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool is_end = ends_once && (i % n == 0 || i % n == n - 1);
    sum += (is_end ? 1 : 2) * input.re[i] * input.re[i];
  }
  return std::sqrt(static_cast<double>(points) * sum);
}

TransformEntry dct1(const std::vector<Key>&) {
  TransformEntry entry = square_entry<Dct1>("dct1", truth::evaluation::dct1);
  entry.most_reference = std::numbers::sqrt2;
  entry.reference_norm = [](const auto& input, std::size_t n, auto) {
    return extended_reference(input, n, 2 * (n - 1), true);
  };
  return entry;
}

TransformEntry dst1(const std::vector<Key>&) {
  TransformEntry entry = square_entry<Dst1>("dst1", truth::evaluation::dst1);
  entry.most_reference = std::numbers::sqrt2;
  entry.reference_norm = [](const auto& input, std::size_t n, auto) {
    return extended_reference(input, n, 2 * (n + 1), false);
  };
  return entry;
}

TransformEntry dst2(const std::vector<Key>&) {
  TransformEntry entry = square_entry<Dst2>("dst2", truth::evaluation::dst2);
  entry.most_reference = std::numbers::sqrt2;  // as dct2
  entry.reference_norm = [](const auto& input, std::size_t n, auto) {
    return 2 * std::sqrt(static_cast<double>(n)) * truth::l2_norm(input);
  };
  return entry;
}

TransformEntry hartley(const std::vector<Key>&) {
  TransformEntry entry = square_entry<Hartley>("hartley", truth::evaluation::hartley);
  entry.most_reference = std::numbers::sqrt2;
  entry.reference_norm = [](const auto& input, std::size_t n, auto) {
    return std::sqrt(2 * static_cast<double>(n)) * truth::l2_norm(input);
  };
  return entry;
}

TransformEntry dct4(const std::vector<Key>&) {
  return square_entry<Dct4>("dct4", truth::evaluation::dct4);
}
TransformEntry dst3(const std::vector<Key>&) {
  return square_entry<Dst3>("dst3", truth::evaluation::dst3);
}
TransformEntry dst4(const std::vector<Key>&) {
  return square_entry<Dst4>("dst4", truth::evaluation::dst4);
}

/// The key of both lapped transforms.
Key lapped_window_key() { return {"window", "sine", {"sine", "none"}}; }
bool is_windowed(const std::string& transform, const std::vector<Key>& keys) {
  return choice_of(keys[0], "transform " + transform) == 0;
}

TransformEntry mdct(const std::vector<Key>& keys) {
  const bool windowed = is_windowed("mdct", keys);
  TransformEntry entry = real_entry<Mdct>(windowed);
  entry.whole_name = windowed ? "" : "mdct";
  entry.item_shape = [](std::size_t n) { return ItemShape{{2 * n}, {n}}; };
  entry.make_input = real_values<2>;
  entry.truth = [windowed](const auto& input, std::size_t n, auto, const auto& options) {
    return truth::mdct(input, n, windowed, options);
  };
  entry.reference_norm = [windowed](const auto& input, std::size_t n, auto) {
    return std::sqrt(static_cast<double>(n) / (windowed ? 2 : 1)) * truth::l2_norm(input);
  };
  return entry;
}

TransformEntry imdct(const std::vector<Key>& keys) {
  const bool windowed = is_windowed("imdct", keys);
  TransformEntry entry = real_entry<Imdct>(windowed);
  entry.whole_name = windowed ? "" : "imdct";
  entry.item_shape = [](std::size_t n) { return ItemShape{{n}, {2 * n}}; };
  entry.make_input = real_values<1>;
  entry.truth = [windowed](const auto& input, std::size_t n, auto, const auto& options) {
    return truth::imdct(input, n, windowed, options);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> trigonometric_transforms() {
  return {
      {"dct1",
       "x_0 + (-1)^k x_(n-1) + 2 sum over 0 < j < n-1 of x_j cos(pi jk/(n-1)), x real",
       {},
       dct1},
      {"dct4", "2 sum over j of x_j cos(pi (2j+1)(2k+1)/(4n)), x real, n even", {}, dct4},
      {"dst1", "2 sum over j of x_j sin(pi (j+1)(k+1)/(n+1)), x real", {}, dst1},
      {"dst2", "2 sum over j of x_j sin(pi (2j+1)(k+1)/(2n)), x real", {}, dst2},
      {"dst3",
       "(-1)^k x_(n-1) + 2 sum over j < n-1 of x_j sin(pi (j+1)(2k+1)/(2n)), x real",
       {},
       dst3},
      {"dst4", "2 sum over j of x_j sin(pi (2j+1)(2k+1)/(4n)), x real, n even", {}, dst4},
      {"hartley", "sum over j of x_j (cos(2 pi jk/n) + sin(2 pi jk/n)), x real", {}, hartley},
      {"mdct",
       "n values of 2n: sum of w_j x_j cos(pi (2j+1+n)(2k+1)/(4n)), n even",
       {lapped_window_key()},
       mdct},
      {"imdct",
       "2n values of n: w_j sum of x_k cos(pi (2j+1+n)(2k+1)/(4n)), n even",
       {lapped_window_key()},
       imdct},
  };
}

}  // namespace fftprec
