/// cgemm, cmul, cconv1d and cmodrelu. The second operand is drawn from the same input with the next
/// seed; where the input is a file, it continues in the file.
#include <cmath>

#include "algorithms/transforms/kernels.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/truth/kernels.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

/// A key's count, or `by_default` where the name does not say one.
std::size_t count_of(const std::string& owner, const Key& key, std::size_t by_default) {
  return key.value == "n" ? by_default : whole_number(key, owner);
}

/// `items` of n elements, then `second_items` of `second_n` as the second operand.
ComplexArray<double> operands(const Input& input, std::size_t n, std::size_t items,
                              std::size_t second_n, std::size_t second_items, std::uint64_t seed) {
  if (input.is_file) return input(n * items + second_n * second_items, 1, seed);
  ComplexArray<double> x = input(n, items, seed);
  const ComplexArray<double> second = input(second_n, second_items, seed + 1);
  x.re.insert(x.re.end(), second.re.begin(), second.re.end());
  x.im.insert(x.im.end(), second.im.begin(), second.im.end());
  return x;
}

/// The operands of a problem apart.
struct Split {
  ComplexArray<double> first;
  ComplexArray<double> second;
};

Split split(const ComplexArray<double>& input, std::size_t n, std::size_t batch) {
  return {part_of(input, 0, n * batch), part_of(input, n * batch, input.size() - n * batch)};
}

double product_of_norms(const ComplexArray<double>& input, std::size_t n, std::size_t batch) {
  const auto [first, second] = split(input, n, batch);
  return truth::l2_norm(first) * truth::l2_norm(second);
}

/// A transform that only kernel `kernel` computes, by `function(arithmetic, operands, n)`.
template <class Function>
TransformEntry kernel_entry(std::string kernel, Function function) {
  TransformEntry entry;
  entry.takes_fft = false;
  entry.kernel = std::move(kernel);
  entry.operands = 2;
  entry.degree = 2;
  entry.unsupported = [](const AlgorithmEntry&, std::size_t) { return std::string(); };
  entry.item_shape = [](std::size_t n) { return ItemShape{{}, {n}}; };
  entry.make = InEachArithmetic<MakeTransform>([&]<class A>() {
    return [function](const A&, const AlgorithmEntry&, std::size_t n, const SourceTables&) {
      return [function, n](const A& arithmetic, const ComplexArray<typename A::Real>& x) {
        return function(arithmetic, x, n);
      };
    };
  });
  return entry;
}

TransformEntry cgemm(const std::vector<Key>& keys) {
  count_of("transform cgemm", keys[0], 1);  // a bad value is an error at once
  const auto outputs = [key = keys[0]](std::size_t n) {
    return count_of("transform cgemm", key, n);
  };
  TransformEntry entry =
      kernel_entry("gemm", [outputs](const auto& arithmetic, const auto& x, std::size_t n) {
        return linear_layer(arithmetic, x, n, outputs(n));
      });
  entry.item_shape = [outputs](std::size_t n) { return ItemShape{{}, {outputs(n)}}; };
  entry.make_input = [outputs](const Input& input, auto n, auto batch, auto seed) {
    return operands(input, n, batch, n, outputs(n), seed);
  };
  entry.truth = [outputs](const auto& input, std::size_t n, std::size_t batch,
                          const auto& options) {
    const auto [x, w] = split(input, n, batch);
    return truth::cgemm(x, w, batch, n, outputs(n), options);
  };
  entry.reference_norm = product_of_norms;
  entry.predict = [outputs](const Predictor& predictor, const auto&, auto n, auto batch) {
    return predictor.computed_gemm(n, outputs(n), batch);
  };
  return entry;
}

TransformEntry cmul(const std::vector<Key>&) {
  TransformEntry entry =
      kernel_entry("elementwise", [](const auto& arithmetic, const auto& x, std::size_t n) {
        return masked(arithmetic, x, n);
      });
  entry.make_input = [](const Input& input, auto n, auto batch, auto seed) {
    return operands(input, n, batch, n, 1, seed);
  };
  entry.truth = [](const auto& input, std::size_t n, std::size_t batch, const auto& options) {
    const auto [x, mask] = split(input, n, batch);
    return truth::cmul(x, mask, n, options);
  };
  entry.predict = [](const Predictor& predictor, const auto&, auto n, auto batch) {
    ErrorModel product = predictor.computed_product(batch * n);
    product.absolute_bound = unknown;  // operands of any size
    return product;
  };
  return entry;
}

TransformEntry cmodrelu(const std::vector<Key>&) {
  TransformEntry entry =
      kernel_entry("elementwise", [](const auto& arithmetic, const auto& x, std::size_t n) {
        return modrelu(arithmetic, x, n);
      });
  entry.degree = 1;
  entry.make_input = [](const Input& input, auto n, auto batch, auto seed) {
    ComplexArray<double> x = operands(input, n, batch, n, 1, seed);
    std::fill_n(x.im.end() - static_cast<std::ptrdiff_t>(n), n, 0.0);
    return x;
  };
  entry.truth = [](const auto& input, std::size_t n, std::size_t batch, const auto& options) {
    const auto [z, bias] = split(input, n, batch);
    return truth::cmodrelu(z, bias, options);
  };
  entry.reference_norm = [](const ComplexArray<double>& input, std::size_t n, std::size_t batch) {
    auto [z, bias] = split(input, n, batch);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z.re[i] = std::sqrt(z.re[i] * z.re[i] + z.im[i] * z.im[i]) + std::abs(bias.re[i % n]);
      z.im[i] = 0;
    }
    return truth::l2_norm(z);
  };
  entry.predict = [](const Predictor& predictor, const auto&, auto n, auto batch) {
    return predict_modrelu(predictor, n, batch);
  };
  return entry;
}

template <class Arithmetic>
MakeTransform<Arithmetic> convolution(std::size_t taps) {
  using Real = typename Arithmetic::Real;
  return [taps](const Arithmetic& arithmetic, const AlgorithmEntry& algorithm, std::size_t n,
                const SourceTables& tables) -> Transform<Arithmetic> {
    const FilterShape shape{n, taps};
    if (algorithm.kind == AlgorithmKind::kernel)
      return [shape](const Arithmetic& with, const ComplexArray<Real>& x) {
        return direct_convolution(with, x, shape);
      };
    const auto plan = std::make_shared<const FftConvolution<Arithmetic>>(
        arithmetic, shape, tables.roots, algorithm.make.in<Arithmetic>());
    return [plan](const Arithmetic& with, ComplexArray<Real> x) {
      return plan->transform(with, std::move(x));
    };
  };
}

TransformEntry cconv1d(const std::vector<Key>& keys) {
  const std::size_t taps = count_of("transform cconv1d", keys[0], 16);
  TransformEntry entry;
  entry.kernel = "direct-conv";
  entry.operands = 2;
  entry.degree = 2;
  entry.item_shape = [taps](std::size_t n) { return ItemShape{{}, {n + taps - 1}}; };
  entry.make_input = [taps](const Input& input, auto n, auto batch, auto seed) {
    return operands(input, n, batch, taps, 1, seed);
  };
  entry.truth = [taps](const auto& input, std::size_t n, std::size_t batch, const auto& options) {
    const auto [x, h] = split(input, n, batch);
    return truth::cconv1d(x, h, n, taps, options);
  };
  entry.unsupported = [taps](const AlgorithmEntry& algorithm, std::size_t n) {
    const bool direct = algorithm.kind == AlgorithmKind::kernel;
    return direct ? std::string() : algorithm.model.unsupported(FilterShape{n, taps}.padded());
  };
  entry.make = InEachArithmetic<MakeTransform>([=]<class A>() { return convolution<A>(taps); });
  entry.reference_norm = product_of_norms;
  entry.predict = [taps](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    const FilterShape shape{n, taps};
    return algorithm.kind == AlgorithmKind::kernel
               ? predict_direct_convolution(predictor, shape, batch)
               : predict_fft_convolution(predictor, shape, batch, algorithm.model);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> kernel_transforms() {
  return {
      {"cgemm", "complex linear layer x W^T by gemm, W of `out` rows", {{"out", "n"}}, cgemm},
      {"cmul", "elementwise product with a mask", {}, cmul},
      {"cconv1d",
       "linear convolution with `taps` values, by direct-conv or by FFT",
       {{"taps", "16"}},
       cconv1d},
      {"cmodrelu", "max(|z| + b, 0) z/|z|", {}, cmodrelu},
  };
}

}  // namespace fftprec
