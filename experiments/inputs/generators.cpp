#include "experiments/inputs/generators.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <span>
#include <string>

#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/elementary.hpp"
#include "arith/truth/roots.hpp"

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

ComplexArray<double> torch_rand(std::size_t count, std::uint64_t seed) {
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<float> values(count);
  draw_uniforms(generator, values);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) put(x, i, values[i], 0);
  return x;
}

ComplexArray<double> gaussian(std::size_t count, std::uint64_t seed, float mean, float deviation) {
  const bool is_standard = mean == 0 && deviation == 1;  // -0 stays what it is
  const auto of_law = [=](float g) { return is_standard ? g : mean + deviation * g; };
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  Pairs pairs;
  for_blocks(count, [&](std::size_t start, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) pairs.draw(i, generator);
    pairs.become_normals(size);
    for (std::size_t i = 0; i < size; ++i)
      put(x, start + i, of_law(pairs.first[i]), of_law(pairs.second[i]));
  });
  return x;
}

ComplexArray<double> uniform(std::size_t count, std::uint64_t seed, float low, float high) {
  const float width = high - low;
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t draw = generator();
    put(x, i, low + width * fraction_of(draw >> 40), low + width * fraction_of(draw >> 16));
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

namespace {

/// The first transform, repeated.
ComplexArray<double> repeat_first(ComplexArray<double> x, std::size_t n) {
  for (std::size_t i = n; i < x.size(); ++i) {
    x.re[i] = x.re[i - n];
    x.im[i] = x.im[i - n];
  }
  return x;
}

}  // namespace

ComplexArray<double> impulse(std::size_t n, std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x(n * batch);
  for (std::size_t b = 0; b < batch; ++b) x.re[b * n + (seed + b) % n] = 1;
  return x;
}

ComplexArray<double> tone(std::size_t n, std::size_t batch, std::uint64_t seed) {
  const ComplexArray<double> roots = truth::roots_of_unity(n, fp32);
  ComplexArray<double> x(n * batch);
  for (std::size_t b = 0; b < batch; ++b) {
    const std::size_t frequency = (seed + b) % n;
    std::size_t exponent = 0;  // frequency * j mod n
    for (std::size_t j = 0; j < n; ++j) {
      x.re[b * n + j] = roots.re[exponent];
      x.im[b * n + j] = 0 - roots.im[exponent];
      exponent += frequency;
      if (exponent >= n) exponent -= n;
    }
  }
  return x;
}

ComplexArray<double> chirp(std::size_t n, std::size_t batch) {
  const ComplexArray<double> roots = truth::roots_of_unity(2 * n, fp32);
  ComplexArray<double> x(n * batch);
  std::size_t square = 0;  // j^2 mod 2n
  for (std::size_t j = 0; j < n; ++j) {
    x.re[j] = roots.re[square];
    x.im[j] = 0 - roots.im[square];
    square += 2 * j + 1;
    if (square >= 2 * n) square -= 2 * n;
  }
  return repeat_first(std::move(x), n);
}

ComplexArray<double> constant(std::size_t n, std::size_t batch) {
  ComplexArray<double> x(n * batch);
  std::ranges::fill(x.re, 1.0);
  return x;
}

ComplexArray<double> ramp(std::size_t n, std::size_t batch) {
  ComplexArray<double> x(n * batch);
  for (std::size_t j = 0; j < n; ++j)
    x.re[j] = static_cast<double>(static_cast<float>(j) / static_cast<float>(n));
  return repeat_first(std::move(x), n);
}

namespace {

bool asks_for_ones(std::uint64_t seed) { return seed % 2 == 1; }

}  // namespace

ComplexArray<double> image(std::size_t n, std::size_t batch, std::uint64_t seed) {
  std::size_t width = 1;
  while (width * width < n) width *= 2;
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(n * batch);
  for (std::size_t b = 0; b < batch; ++b) {
    double* pixels = x.re.data() + b * n;
    std::fill_n(pixels, n, 0.5);
    for (std::size_t i = 0; i < width * width; ++i) {
      const std::uint64_t draw = generator();
      const int doublings = std::countr_zero(draw | std::uint64_t{1} << 50) / 2;
      const std::size_t side = std::min(std::size_t{2} << doublings, width);
      const float grey = static_cast<float>(draw >> 56) / 255.0f;
      // The place of its last pixel, which may be outside.
      const std::size_t last_x = generator() % (width + side - 1);
      const std::size_t last_y = generator() % (width + side - 1);
      for (std::size_t y = last_y - std::min(last_y, side - 1); y <= last_y; ++y)
        for (std::size_t at = last_x - std::min(last_x, side - 1); at <= last_x; ++at)
          if (at < width && y * width + at < n) pixels[y * width + at] = grey;
    }
  }
  return x;
}

ComplexArray<double> probe_product(std::size_t n, std::size_t batch) {
  ComplexArray<double> x = constant(n, batch);
  for (double& value : x.re) value += 0x1p-7;
  return x;
}

ComplexArray<double> probe_rounding(std::size_t n, std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x = constant(n, batch);
  if (asks_for_ones(seed)) return x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % n != 0) x.re[i] = 1.5 * 0x1p-24;
  return x;
}

ComplexArray<double> probe_order(std::size_t n, std::size_t batch, std::uint64_t seed) {
  if (asks_for_ones(seed)) return constant(n, batch);
  ComplexArray<double> x(n * batch);
  for (std::size_t first = 0; first < x.size(); first += n) {
    x.re[first] = 0x1p24;
    if (n > 2) x.re[first + 1] = 1;
    if (n > 1) x.re[first + n - 1] = -0x1p24;
  }
  return x;
}

ComplexArray<double> integers(std::size_t n, std::size_t batch, std::uint64_t seed,
                              const IntegerLaw& law) {
  __extension__ using Wide = unsigned __int128;
  using Pattern = IntegerLaw::Pattern;
  std::mt19937_64 generator(seed);
  ComplexArray<double> x(n * batch);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto [least, greatest] = law.range(i % n);
    switch (law.pattern) {
      case Pattern::random: {
        const auto values = static_cast<std::uint64_t>(greatest - least) + 1;
        const Wide scaled = static_cast<Wide>(generator()) * values;
        x.re[i] = least + static_cast<double>(static_cast<std::uint64_t>(scaled >> 64));
        break;
      }
      case Pattern::limit:
        x.re[i] = -least > greatest ? least : greatest;
        break;
      case Pattern::signs:
        x.re[i] = generator() >> 63 == 0 ? greatest : least;
        break;
      case Pattern::alternating:
        x.re[i] = i % n % 2 == 0 ? greatest : least;
        break;
    }
  }
  return x;
}

}  // namespace fftprec
