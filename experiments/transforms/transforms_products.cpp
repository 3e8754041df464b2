/// product: products of integer sequences.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "algorithms/transforms/product.hpp"
#include "arith/support/error.hpp"
#include "arith/support/portable_math.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/products.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/tables/weights.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

constexpr const char* product_owner = "transform product";

/// The keys, in the order of their values in a name.
enum ProductKey { of_ring, of_form, of_operands, of_terms, of_parts, of_base, of_cut, of_exponent };

/// How values are cut into parts: digits of `base`, the lowest first; the last part has the rest.
struct Cut {
  std::size_t parts;
  double base;
  bool to_nearest;  ///< digits about 0, else from 0 on
};

/// Appends the parts of each value, part by part.
void append_parts(ComplexArray<double>& all, const ComplexArray<double>& x, const Cut& cut) {
  auto rest = x.re;
  for (std::size_t part = 0; part < cut.parts; ++part)
    for (double& value : rest) {
      const double quotient = value / cut.base;
      const double next = part + 1 == cut.parts
                              ? 0
                              : (cut.to_nearest ? std::nearbyint(quotient) : std::floor(quotient));
      all.re.push_back(value - next * cut.base);
      value = next;
    }
  all.im.resize(all.re.size());
}

ComplexArray<double> product_operands(const Input& input, const ProductShape& shape, const Cut& cut,
                                      std::size_t batch, std::uint64_t seed) {
  const std::size_t n = shape.n;
  const std::size_t given = (shape.square ? 1 : 2) * shape.terms;  // sequences, before they are cut
  ComplexArray<double> first = input(n, (input.is_file ? given : shape.terms) * batch, seed);
  ComplexArray<double> second;
  if (!shape.square && !input.is_file)
    second = (input.second ? *input.second : input)(n, shape.terms * batch, seed + 1);
  if (shape.parts > 1 && std::ranges::any_of(first.re, [](double x) { return x != std::rint(x); }))
    throw NotApplicable("only whole numbers are cut into parts");
  ComplexArray<double> all;
  for (std::size_t item = 0; item < batch; ++item)
    for (std::size_t row = 0; row < given; ++row) {
      const bool is_second = row >= shape.terms && !input.is_file;
      const std::size_t at =
          input.is_file ? given * item + row : shape.terms * item + row % shape.terms;
      append_parts(all, part_of(is_second ? second : first, at * n, n), cut);
    }
  return all;
}

/// ||a_i||_2 of each part of each operand of an item, weighted.
std::vector<double> norms(const ComplexArray<double>& x, const ProductShape& shape,
                          std::size_t item) {
  std::vector<double> result;
  for (std::size_t row = 0; row < shape.sequences(); ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < shape.n; ++j) {
      double value = x.re[(item * shape.sequences() + row) * shape.n + j];
      if (shape.exponent > 0) {
        const auto begin = static_cast<double>(first_bit(shape.exponent, shape.n, j));
        const double step = static_cast<double>(shape.exponent) / static_cast<double>(shape.n);
        value *= portable::exp2(begin - step * static_cast<double>(j));
      }
      sum += value * value;
    }
    result.push_back(std::sqrt(sum) * (1 + 0x1p-20));  // more than all roundings of this sum
  }
  return result;
}

/// R of predict_product, for result s of an item.
double reference(const std::vector<double>& norm, const ProductShape& shape, std::size_t s) {
  if (shape.form == ProductForm::pair) return (norm[0] * norm[0] + norm[1] * norm[1]) / 2;
  double sum = 0;
  shape.for_pairs(s, [&](std::size_t i, std::size_t j) { sum += norm[i] * norm[j]; });
  return sum;
}

/// take(R) of every result of every item.
template <class Take>
void for_references(const ComplexArray<double>& x, const ProductShape& shape, Take take) {
  for (std::size_t item = 0; item * shape.sequences() * shape.n < x.size(); ++item) {
    const std::vector<double> norm = norms(x, shape, item);
    for (std::size_t s = 0; s < shape.products(); ++s) take(reference(norm, shape, s));
  }
}

WeightErrors weight_errors(const ProductShape& shape, const Format& format) {
  if (shape.exponent == 0) return {};
  constexpr std::size_t sample = 4096;
  const std::size_t stride = shape.n / sample | 1;  // odd: E may be a multiple of a large 2^k
  const auto errors_of = [&](bool inverse) {
    const auto in = [&](const Format& of) {
      return irrational_base_weights(shape.exponent, shape.n, inverse, of, stride);
    };
    const std::vector<double> exact = in(fp64);
    return real_table_statistics(in(format), exact, std::vector<double>(exact.size(), 1.0), format);
  };
  return {errors_of(false), errors_of(true), unit_roundoff(format)};
}

truth::Wrap wrap_of(ProductRing ring) {
  return ring == ProductRing::linear   ? truth::Wrap::linear
         : ring == ProductRing::cyclic ? truth::Wrap::cyclic
                                       : truth::Wrap::negacyclic;
}

TransformEntry product(const std::vector<Key>& keys) {
  ProductShape any;
  any.ring = static_cast<ProductRing>(choice_of(keys[of_ring], product_owner));
  any.form = static_cast<ProductForm>(choice_of(keys[of_form], product_owner));
  any.square = choice_of(keys[of_operands], product_owner) == 1;
  any.terms = whole_number(keys[of_terms], product_owner, 256);
  any.parts = whole_number(keys[of_parts], product_owner, 8);
  if (keys[of_exponent].value != "none")
    any.exponent =
        whole_number(keys[of_exponent], product_owner, std::uint64_t{1} << 40, "nor none");
  const Cut cut{
      any.parts,
      static_cast<double>(whole_number(keys[of_base], product_owner, std::uint64_t{1} << 52)),
      choice_of(keys[of_cut], product_owner) == 0};
  require(cut.base >= 2, product_owner, ": base=", keys[of_base].value, " is below 2");
  const auto shape_of = [any](std::size_t n) {
    ProductShape shape = any;
    shape.n = n;
    return shape;
  };

  TransformEntry entry;
  entry.operands = 2;
  entry.degree = 2;
  entry.real_input = true;
  entry.real_output = true;
  entry.integers = true;
  entry.result_sizes = any.exponent > 0                  ? ResultSizes::weighted
                       : any.ring == ProductRing::linear ? ResultSizes::linear
                                                         : ResultSizes::equal;
  entry.item_shape = [shape_of](std::size_t n) {
    const ProductShape shape = shape_of(n);
    return ItemShape{{shape.sequences(), n}, {shape.products(), shape.outputs()}};
  };
  entry.unsupported = [shape_of](const AlgorithmEntry& algorithm, std::size_t n) {
    const ProductShape shape = shape_of(n);
    const std::string reason = unsupported(shape);
    return reason.empty() ? algorithm.model.unsupported(shape.points()) : reason;
  };
  entry.make_input = [shape_of, cut](const Input& input, auto n, auto batch, auto seed) {
    return product_operands(input, shape_of(n), cut, batch, seed);
  };
  entry.truth = [shape_of](const auto& input, std::size_t n, auto, const auto& options) {
    const ProductShape shape = shape_of(n);
    return truth::product(input,
                          {.n = n,
                           .wrap = wrap_of(shape.ring),
                           .square = shape.square,
                           .parts = shape.parts,
                           .terms = shape.terms,
                           .exponent = shape.exponent},
                          options);
  };
  entry.make = made_by_plan([shape_of]<class A>(const A& arithmetic, std::size_t n,
                                                const SourceTables& tables, const MakeFft<A>& fft) {
    const ProductShape shape = shape_of(n);
    const auto weights = [shape](bool inverse) -> RealTable {
      return [shape, inverse](const Format& format) {
        return irrational_base_weights(shape.exponent, shape.n, inverse, format);
      };
    };
    return std::make_shared<const Product<A>>(arithmetic, shape, tables.roots, weights(false),
                                              weights(true), fft);
  });
  entry.reference_norm = [shape_of](const auto& input, std::size_t n, auto) {
    const ProductShape shape = shape_of(n);
    double sum = 0;
    for_references(input, shape, [&](double r) { sum += r * r; });
    return std::sqrt(sum * static_cast<double>(shape.outputs()));
  };
  entry.element_reference = [shape_of](const auto& input, std::size_t n, auto) {
    double largest = 0;
    for_references(input, shape_of(n), [&](double r) { largest = std::max(largest, r); });
    return largest;
  };
  entry.predict = [shape_of](const Predictor& predictor, const auto& algorithm, auto n,
                             auto batch) {
    const ProductShape shape = shape_of(n);
    const WeightErrors weights = predictor.costs_alone()
                                     ? WeightErrors{}
                                     : weight_errors(shape, predictor.arithmetic().table_format());
    return predict_product(predictor, shape, weights, batch, algorithm.model);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> product_transforms() {
  return {{"product",
           "products of integer sequences of n values: linear, modulo x^n - 1 (cyclic) or x^n + 1 "
           "(negacyclic)",
           {{"ring", "linear", {"linear", "cyclic", "negacyclic"}, "", true},
            {"form", "complex", {"complex", "half", "pair"}, "", true},
            {"operands", "two", {"two", "square"}, "", true},
            {"terms", "1", {}, "1 to 256 pairs, whose products are summed"},
            {"parts", "1", {}, "1 to 8"},
            {"base", "32768", {}, "of the parts, from 2 on"},
            {"cut", "nearest", {"nearest", "floor"}},
            {"exponent", "none", {}, "none, or E of weights for digits modulo 2^E - 1"}},
           product}};
}

}  // namespace fftprec
