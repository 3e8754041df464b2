#include "experiments/inputs/inputs_random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <string>

#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"

namespace fftprec {
namespace {

constexpr float two_pi = 0x1.921fb6p+2F;  // fl(2 pi)

/// Numbers are drawn in plain order and transformed in blocks that stay in the nearest cache.
constexpr std::size_t block_size = 1024;
using Block = std::array<float, block_size>;

/// use(first, size) for one block of 0 .. count-1 after the other.
template <class Use>
void for_blocks(std::size_t count, Use use) {
  for (std::size_t first = 0; first < count; first += block_size)
    use(first, std::min(block_size, count - first));
}

/// The lowest 24 bits as a number in [0, 1).
float fraction_of(std::uint64_t bits) { return static_cast<float>(bits & 0xffffff) * 0x1p-24F; }

/// Pairs of uniforms, one in (0, 1] and one in [0, 1), that become pairs of independent normals.
struct Pairs {
  Block first;
  Block second;

  void draw(std::size_t i, std::mt19937_64& generator) {
    const std::uint64_t draw = generator();
    first[i] = static_cast<float>((draw >> 32) + 1) * 0x1p-32F;
    second[i] = fraction_of(draw >> 8);
  }

  void become_normals(std::size_t size) {
    Block radius;
    Block cosine;
    truth::log_rounded(std::span(first).first(size), std::span(radius).first(size));
    for (std::size_t i = 0; i < size; ++i) radius[i] = std::sqrt(-2 * radius[i]);
    Block& angle = first;
    for (std::size_t i = 0; i < size; ++i) angle[i] = two_pi * second[i];
    truth::sin_cos_rounded(std::span(angle).first(size), std::span(second).first(size),
                           std::span(cosine).first(size));
    for (std::size_t i = 0; i < size; ++i) {
      first[i] = radius[i] * cosine[i];
      second[i] = radius[i] * second[i];
    }
  }
};

void put(ComplexArray<double>& x, std::size_t i, float re, float im) {
  x.re[i] = static_cast<double>(re);
  x.im[i] = static_cast<double>(im);
}

void draw_uniforms(std::mt19937& generator, std::span<float> values) {
  for (float& value : values) value = fraction_of(generator());
}

/// torch_randn's blocks of 16: uniforms become normals.
constexpr std::size_t torch_block = 16;
constexpr std::size_t half_block = torch_block / 2;

void to_torch_normals(std::span<float> values) {
  Pairs pairs;
  for_blocks(values.size() / 2, [&](std::size_t start, std::size_t size) {
    const auto of_block = [&](std::size_t i) -> float& {
      return values[2 * start + i / half_block * torch_block + i % half_block];
    };
    for (std::size_t i = 0; i < size; ++i) {
      pairs.first[i] = 1 - of_block(i);
      pairs.second[i] = (&of_block(i))[half_block];
    }
    pairs.become_normals(size);
    for (std::size_t i = 0; i < size; ++i) {
      of_block(i) = pairs.first[i];
      (&of_block(i))[half_block] = pairs.second[i];
    }
  });
}

}  // namespace

ComplexArray<double> torch_randn(std::size_t count, std::uint64_t seed) {
  if (count < torch_block)
    throw NotApplicable("torch_randn needs n * batch >= 16, got " + std::to_string(count));
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<float> values(count);
  draw_uniforms(generator, values);
  to_torch_normals(std::span(values).first(count - count % torch_block));
  if (count % torch_block != 0) {
    const auto last = std::span(values).last(torch_block);
    draw_uniforms(generator, last);
    to_torch_normals(last);
  }
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) put(x, i, values[i], 0);
  return x;
}

ComplexArray<double> gaussian(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  Pairs pairs;
  for_blocks(count, [&](std::size_t start, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) pairs.draw(i, generator);
    pairs.become_normals(size);
    for (std::size_t i = 0; i < size; ++i) put(x, start + i, pairs.first[i], pairs.second[i]);
  });
  return x;
}

ComplexArray<double> uniform(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t draw = generator();
    put(x, i, 2 * fraction_of(draw >> 40) - 1, 2 * fraction_of(draw >> 16) - 1);
  }
  return x;
}

ComplexArray<double> wide(std::size_t count, std::uint64_t seed, double phi) {
  require(phi >= 0 && phi <= 10, "wide: phi must lie in 0..10");
  const auto spread = static_cast<float>(phi);
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  Pairs pairs;
  Block re;
  Block im;
  const auto scale_by_exp = [&](Block& factor, Block& normal, std::size_t size) {
    Block magnitude;
    for (std::size_t i = 0; i < size; ++i) normal[i] *= spread;
    truth::exp_rounded(std::span(normal).first(size), std::span(magnitude).first(size));
    for (std::size_t i = 0; i < size; ++i) factor[i] *= magnitude[i];
  };
  for_blocks(count, [&](std::size_t start, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      pairs.draw(i, generator);
      const std::uint64_t draw = generator();
      re[i] = fraction_of(draw >> 40) - 0.5F;
      im[i] = fraction_of(draw >> 16) - 0.5F;
    }
    pairs.become_normals(size);
    scale_by_exp(re, pairs.first, size);
    scale_by_exp(im, pairs.second, size);
    for (std::size_t i = 0; i < size; ++i) put(x, start + i, re[i], im[i]);
  });
  return x;
}

ComplexArray<double> cancelling(std::size_t count, std::uint64_t seed) {
  constexpr float noise = 0x1p-12F;
  ComplexArray<double> x = gaussian(count, seed);
  for (double& value : x.re) value = static_cast<double>(1 + noise * static_cast<float>(value));
  for (double& value : x.im) value = static_cast<double>(noise * static_cast<float>(value));
  return x;
}

}  // namespace fftprec
