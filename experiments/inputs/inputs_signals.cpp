#include "experiments/inputs/inputs_signals.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include "arith/formats/format.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec {

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
  std::fill(x.re.begin(), x.re.end(), 1.0);
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

}  // namespace fftprec
