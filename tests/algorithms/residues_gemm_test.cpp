/// Matrix products by residues, against the exact product of rounded operands in MPFR.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/algorithms/complex_product.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/truncations.hpp"

namespace fftprec::testing {

namespace {

constexpr double moduli_by_hand[] = {256, 255, 253, 251, 247, 241, 239, 233,
                                     229, 227, 223, 217, 211, 199, 197};

/// The most bits for which the sum of 2 K products, with its sign, is below the moduli's product:
/// 4 K 2^(2 bits) < P.
int bits_by_hand(std::size_t depth, std::size_t moduli) {
  double product = 1;
  for (std::size_t l = 0; l < moduli; ++l) product *= moduli_by_hand[l];
  int bits = 0;
  while (std::ldexp(4 * static_cast<double>(depth), 2 * (bits + 1)) < product) ++bits;
  return bits;
}

/// Every line's entries rounded to multiples of 2^(E - bits).
ComplexArray<double> rounded_lines(ComplexArray<double> x, std::size_t lines, std::size_t line_step,
                                   std::size_t depth, std::size_t k_step, int bits) {
  for (std::size_t line = 0; line < lines; ++line) {
    const int grid = line_exponent(x, line * line_step, k_step, depth) - bits;
    for (std::size_t k = 0; k < depth; ++k)
      for (auto* part : {&x.re, &x.im}) {
        double& value = (*part)[line * line_step + k * k_step];
        value = std::ldexp(std::nearbyint(std::ldexp(value, -grid)), grid);
      }
  }
  return x;
}

}  // namespace

TEST(ResidueGemm, IsTheExactProductOfRoundedOperandsRoundedOnce) {
  for (const std::size_t depth : {37u, 300u})
    for (const std::size_t moduli : {3u, 6u, 14u, 15u}) {
      const ProductShape shape{2, depth, 3};
      const auto x = scattered<double>(shape.b * depth, fp64, 3);
      const auto w = scattered<double>(depth * shape.n, fp64, 4);
      const int bits = bits_by_hand(depth, moduli);
      const auto rounded_x = rounded_lines(x, shape.b, depth, depth, 1, bits);
      const auto rounded_w = rounded_lines(w, shape.n, 1, depth, shape.n, bits);
      const std::string mode = "ozaki2:" + std::to_string(moduli);
      for (const char* machine : {"trn{integer.bits=32}", "nv-ampere"})
        for (const bool columns : {false, true}) {
          const MachineArithmetic<double> arithmetic(
              resolve(mode_named(mode), machine_named(machine)));
          const auto out = product_by(arithmetic, x, w, shape, columns);
          for (std::size_t i = 0; i < shape.b; ++i)
            for (std::size_t j = 0; j < shape.n; ++j)
              for (const bool imaginary : {false, true}) {
                const double part = (imaginary ? out.im : out.re)[i * shape.n + j];
                EXPECT_EQ(part, exact_part(rounded_x, rounded_w, shape, i, j, imaginary).value())
                    << mode << " on " << machine << ", K = " << depth << ", " << i << ", " << j;
                const int exponents =
                    line_exponent(x, i * depth, 1, depth) + line_exponent(w, j, shape.n, depth);
                const double bound = std::ldexp(residue_truncation(depth, bits, bits), exponents) +
                                     unit_roundoff(fp64) * std::fabs(part);
                const double error = exact_part(x, w, shape, i, j, imaginary).distance(part);
                EXPECT_LE(error, bound) << mode << ", K = " << depth << ", " << i << ", " << j;
              }
        }
    }
}

TEST(ResidueGemm, NeedsAnIntegerAccumulator) {
  const MachineArithmetic<double> arithmetic(
      resolve(mode_named("ozaki2:14"), machine_named("trn")));
  std::string reason;
  try {
    arithmetic.matrix_of(ComplexArray<double>(64), 8);
  } catch (const NotApplicable& refusal) {
    reason = refusal.what();
  }
  EXPECT_THAT(reason, holds("integer.bits=32"));
}

/// One modulus cannot tell a sum of 2 * 64 products of one-bit integers from another.
TEST(ResidueGemm, TooFewModuliOrTooManyProductsMakeNone) {
  const MachineArithmetic<double> arithmetic(
      resolve(mode_named("ozaki2:1"), machine_named("trn{integer.bits=32}")));
  EXPECT_EQ(bits_by_hand(64, 1), 0);
  EXPECT_THROW(arithmetic.matrix_of(ComplexArray<double>(64), 64), NotApplicable);
  const MachineArithmetic<double> most(
      resolve(mode_named("ozaki2:15"), machine_named("trn{integer.bits=32}")));
  constexpr std::size_t deep = std::size_t{1} << 16;  // 2 * 2^16 products of up to 2^14
  EXPECT_NO_THROW(most.matrix_of(ComplexArray<double>(deep - 1), deep - 1));
  EXPECT_THROW(most.matrix_of(ComplexArray<double>(deep), deep), NotApplicable);
}

}  // namespace fftprec::testing
