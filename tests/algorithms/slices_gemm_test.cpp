/// Matrix products of error-free slices, against slices cut here and summed in 64-bit integers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/algorithms/complex_product.hpp"
#include "tests/support/classic_machines.hpp"

namespace fftprec::testing {

namespace {

/// The slices of one value, as integers, with the grid of slice s at 2^(E - bits - s (bits + 1)).
std::vector<std::int64_t> slices_of(double value, int exponent, std::size_t count, int bits) {
  std::vector<std::int64_t> slices;
  for (std::size_t s = 0; s < count; ++s) {
    const int grid = exponent - bits - static_cast<int>(s) * (bits + 1);
    const double steps = std::nearbyint(std::ldexp(value, -grid));
    slices.push_back(static_cast<std::int64_t>(steps));
    value -= std::ldexp(steps, grid);
  }
  return slices;
}

/// How a mode is to slice a contraction, by hand.
struct Slicing {
  const char* mode;
  std::size_t table, data;
  int table_bits, data_bits;
  std::size_t stretch;  ///< of the contraction, that leaves PSUM at a time
  bool apart = false;   ///< products of the real and the imaginary data leave it apart
};

/// All values that make up one part of element (i, j), in the order in which they leave PSUM.
std::vector<double> leaving(const Slicing& how, const ComplexArray<double>& x,
                            const ComplexArray<double>& w, ProductShape shape, std::size_t i,
                            std::size_t j, bool imaginary) {
  const int of_x = line_exponent(x, i * shape.k, 1, shape.k);
  const int of_w = line_exponent(w, j, shape.n, shape.k);
  const auto exact = [&](std::size_t f, std::size_t d, std::size_t k, bool of_imaginary) {
    const double a = of_imaginary ? x.im[i * shape.k + k] : x.re[i * shape.k + k];
    const bool table_imaginary = imaginary != of_imaginary;
    const double b = table_imaginary ? w.im[k * shape.n + j] : w.re[k * shape.n + j];
    const std::int64_t product = slices_of(a, of_x, how.data, how.data_bits)[d] *
                                 slices_of(b, of_w, how.table, how.table_bits)[f];
    return of_imaginary && table_imaginary ? -product : product;
  };
  std::vector<double> all;
  const std::size_t most = std::max(how.table, how.data);
  for (std::size_t order = most; order-- > 0;)
    for (std::size_t d = order + 1; d-- > 0;) {
      const std::size_t f = order - d;
      if (d >= how.data || f >= how.table) continue;
      const int unit = of_x + of_w - how.data_bits - how.table_bits -
                       static_cast<int>(d) * (how.data_bits + 1) -
                       static_cast<int>(f) * (how.table_bits + 1);
      for (std::size_t first = 0; first < shape.k; first += how.stretch) {
        std::int64_t sums[2] = {0, 0};
        for (std::size_t k = first; k < std::min(shape.k, first + how.stretch); ++k)
          for (const bool part : {false, true})
            sums[part && how.apart ? 1 : 0] += exact(f, d, k, part);
        for (int part = 0; part < (how.apart ? 2 : 1); ++part)
          all.push_back(std::ldexp(static_cast<double>(sums[part]), unit));
      }
    }
  return all;
}

double sum_in_fp64(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}
double sum_in_fp32(const std::vector<double>& values) {
  float sum = 0;
  for (const double value : values) sum += static_cast<float>(value);
  return static_cast<double>(sum);
}

/// Body(i, j, imaginary, computed part) for every part of the product in both forms.
template <class Real, class Body>
void each_part(const char* mode, const Machine& machine, const ComplexArray<Real>& x,
               const ComplexArray<Real>& w, ProductShape shape, Body body) {
  const MachineArithmetic<Real> arithmetic(resolve(mode_named(mode), machine));
  for (const bool columns : {false, true}) {
    SCOPED_TRACE(::testing::Message() << mode << " on " << machine.name << ", K = " << shape.k
                                      << (columns ? ", columns" : "") << ", seeds 3 and 4");
    const auto out = product_by(arithmetic, x, w, shape, columns);
    for (std::size_t i = 0; i < shape.b; ++i)
      for (std::size_t j = 0; j < shape.n; ++j) {
        body(i, j, false, out.re[i * shape.n + j]);
        body(i, j, true, out.im[i * shape.n + j]);
        if (::testing::Test::HasFailure()) return;
      }
  }
}

ComplexArray<double> as_doubles(const ComplexArray<FloatPair>& x) {
  ComplexArray<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.re[i] = static_cast<double>(x.re[i]);
    result.im[i] = static_cast<double>(x.im[i]);
  }
  return result;
}

}  // namespace

TEST(SlicedGemm, IsTheSumInFp64OfExactProducts) {
  const ProductShape shape{3, 37, 5};
  const auto x = scattered<double>(shape.b * shape.k, fp64, 3);
  const auto w = scattered<double>(shape.k * shape.n, fp64, 4);
  for (const Slicing& how : {Slicing{"slices:3x3", 3, 3, 8, 8, 37},
                             {"slices:2x4", 2, 4, 8, 8, 37},
                             {"slices:4x2", 4, 2, 8, 8, 37},
                             {"slices:3x3:6", 3, 3, 6, 6, 37},
                             {"slices:3x3:fp16", 3, 3, 9, 9, 37, true},
                             {"slices:6x6:check", 6, 6, 8, 8, 37},
                             {"slices:7x7", 7, 7, 8, 8, 37},
                             {"slices:1x1", 1, 1, 8, 8, 37}})
    for (const char* machine : {"trn", "trn-rz", "trn-tree", "trn-exact", "ieee", "nv-ampere"}) {
      each_part(how.mode, machine_named(machine), x, w, shape,
                [&](std::size_t i, std::size_t j, bool imaginary, double part) {
                  const auto values = leaving(how, x, w, shape, i, j, imaginary);
                  EXPECT_EQ(part, sum_in_fp64(values)) << i << ", " << j << imaginary;
                });
    }
}

TEST(SlicedGemm, StretchesLeavePsumOneByOne) {
  const ProductShape shape{3, 37, 5}, longer{1, 300, 2};
  const auto expect = [](const Slicing& how, const Machine& machine, ProductShape of) {
    const auto x = scattered<double>(of.b * of.k, fp64, 3);
    const auto w = scattered<double>(of.k * of.n, fp64, 4);
    each_part(how.mode, machine, x, w, of,
              [&](std::size_t i, std::size_t j, bool imaginary, double part) {
                const auto values = leaving(how, x, w, of, i, j, imaginary);
                const bool narrow = std::string(how.mode).find(":fp32") != std::string::npos;
                EXPECT_EQ(part, narrow ? sum_in_fp32(values) : sum_in_fp64(values))
                    << i << ", " << j << imaginary;
              });
  };
  const Machine small = with_small_tiles(machine_named("trn"));
  expect({"slices:3x3:tiles", 3, 3, 8, 8, 8}, small, shape);
  expect({"slices:3x3", 3, 3, 8, 8, 37}, small, shape);
  expect({"slices:3x3:fp32", 3, 3, 8, 8, 37}, small, shape);
  expect({"slices:2x3:fp32:tiles", 2, 3, 8, 8, 8}, small, shape);
  expect({"slices:3x3:tiles", 3, 3, 8, 8, 128}, machine_named("trn"), longer);
  expect({"slices:3x3", 3, 3, 8, 7, 300, true}, machine_named("trn"), longer);
  expect({"slices:3x3:fp32", 3, 3, 8, 7, 300, true}, machine_named("trn"), longer);
  expect({"slices:2x2:7:check", 2, 2, 7, 7, 300}, machine_named("trn"), longer);
}

TEST(SlicedGemm, PairsHoldTheSumOfExactProducts) {
  const ProductShape shape{3, 37, 5};
  const auto x = scattered<FloatPair>(shape.b * shape.k, fp32_pair, 3);
  const auto w = scattered<FloatPair>(shape.k * shape.n, fp32_pair, 4);
  const auto wide_x = as_doubles(x), wide_w = as_doubles(w);
  for (const Slicing& how : {Slicing{"slices:5x5:pair", 5, 5, 8, 8, 37},
                             {"slices:7x7:pair", 7, 7, 8, 8, 37},
                             {"slices:3x4:pair:tiles", 3, 4, 8, 8, 8}})
    each_part(how.mode, with_small_tiles(machine_named("trn")), x, w, shape,
              [&](std::size_t i, std::size_t j, bool imaginary, FloatPair part) {
                ExactSum sum;
                double magnitudes = 0;
                const auto values = leaving(how, wide_x, wide_w, shape, i, j, imaginary);
                for (const double value : values) {
                  sum.add(value, 1);
                  magnitudes += std::fabs(value);
                }
                const double bound = static_cast<double>(values.size()) * 2 * u * u * magnitudes;
                const double error =
                    sum.distance(static_cast<double>(part.high), static_cast<double>(part.low));
                EXPECT_LE(error, bound) << i << ", " << j << imaginary << " of " << sum.value();
              });
}

}  // namespace fftprec::testing
