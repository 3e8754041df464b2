#include "experiments/inputs_random.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "arith/error.hpp"
#include "arith/truth/elementary.hpp"

namespace fftprec {
namespace {

constexpr float two_pi = 0x1.921fb6p+2F;  // fl(2 pi)

/// The lowest 24 bits as a number in [0, 1).
float fraction_of(std::uint64_t bits) { return static_cast<float>(bits & 0xffffff) * 0x1p-24F; }

struct Pair {
  float first;
  float second;
};

/// Two independent normals from a uniform in (0, 1] and one in [0, 1).
Pair box_muller(float u1, float u2) {
  const float radius = std::sqrt(-2 * truth::log_rounded(u1));
  const truth::SinCos circle = truth::sin_cos_rounded(two_pi * u2);
  return {radius * circle.cos, radius * circle.sin};
}

Pair gaussian_pair(std::mt19937_64& generator) {
  const std::uint64_t draw = generator();
  const float u1 = static_cast<float>((draw >> 32) + 1) * 0x1p-32F;
  return box_muller(u1, fraction_of(draw >> 8));
}

void put(ComplexArray<double>& x, std::size_t i, Pair value) {
  x.re[i] = static_cast<double>(value.first);
  x.im[i] = static_cast<double>(value.second);
}

void draw_uniforms(std::mt19937& generator, float* first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) first[i] = fraction_of(generator());
}

void transform_block(float* block) {
  for (std::size_t j = 0; j < 8; ++j) {
    const Pair normals = box_muller(1 - block[j], block[j + 8]);
    block[j] = normals.first;
    block[j + 8] = normals.second;
  }
}

}  // namespace

ComplexArray<double> torch_randn(std::size_t count, std::uint64_t seed) {
  constexpr std::size_t block = 16;
  if (count < block)
    throw NotApplicable("torch_randn needs n * batch >= 16, got " + std::to_string(count));
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<float> values(count);
  draw_uniforms(generator, values.data(), count);
  for (std::size_t first = 0; first + block <= count; first += block)
    transform_block(values.data() + first);
  if (count % block != 0) {
    float* last = values.data() + (count - block);
    draw_uniforms(generator, last, block);
    transform_block(last);
  }
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) put(x, i, {values[i], 0});
  return x;
}

ComplexArray<double> gaussian(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) put(x, i, gaussian_pair(generator));
  return x;
}

ComplexArray<double> uniform(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t draw = generator();
    put(x, i, {2 * fraction_of(draw >> 40) - 1, 2 * fraction_of(draw >> 16) - 1});
  }
  return x;
}

ComplexArray<double> wide(std::size_t count, std::uint64_t seed, double phi) {
  require(phi >= 0 && phi <= 10, "wide: phi must lie in 0..10");
  const auto spread = static_cast<float>(phi);
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Pair normals = gaussian_pair(generator);
    const std::uint64_t draw = generator();
    put(x, i,
        {(fraction_of(draw >> 40) - 0.5F) * truth::exp_rounded(spread * normals.first),
         (fraction_of(draw >> 16) - 0.5F) * truth::exp_rounded(spread * normals.second)});
  }
  return x;
}

ComplexArray<double> cancelling(std::size_t count, std::uint64_t seed) {
  constexpr float noise = 0x1p-12F;
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Pair normals = gaussian_pair(generator);
    put(x, i, {1 + noise * normals.first, noise * normals.second});
  }
  return x;
}

}  // namespace fftprec
