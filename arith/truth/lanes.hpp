/// As many doubles side by side as one register of the instruction set holds.
///
/// A loop written over a number type T runs with T = double and with T = Lanes and gives the same
/// bits: every operation is that of each lane.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>

namespace fftprec::truth {

#if defined(__AVX512F__)
constexpr std::size_t lane_count = 8;
#elif defined(__AVX2__)
constexpr std::size_t lane_count = 4;
#else
constexpr std::size_t lane_count = 2;
#endif

using Lanes = double __attribute__((vector_size(lane_count * sizeof(double))));

[[gnu::always_inline]] inline Lanes load_lanes(const double* from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

[[gnu::always_inline]] inline void store_lanes(double* to, Lanes lanes) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}

/// x in every lane.
[[gnu::always_inline]] inline Lanes all_lanes(double x) { return Lanes{} + x; }

/// fl(a b - product): the error of a product, where that is a double.
[[gnu::always_inline]] inline double fused_error(double a, double b, double product) {
  return __builtin_fma(a, b, -product);
}

[[gnu::always_inline]] inline Lanes fused_error(Lanes a, Lanes b, Lanes product) {
#if defined(__AVX512F__)
  return _mm512_fmsub_pd(a, b, product);
#elif defined(__AVX2__)
  return _mm256_fmsub_pd(a, b, product);
#else
  Lanes error;
  for (std::size_t i = 0; i < lane_count; ++i) error[i] = __builtin_fma(a[i], b[i], -product[i]);
  return error;
#endif
}

/// x where |size| >= smallest, else 0.
[[gnu::always_inline]] inline double zero_below(double size, double smallest, double x) {
  return size >= smallest || size <= -smallest ? x : 0.0;
}

[[gnu::always_inline]] inline Lanes zero_below(Lanes size, double smallest, Lanes x) {
  const Lanes zero{};
  const Lanes magnitude = size < zero ? -size : size;
  return magnitude >= all_lanes(smallest) ? x : zero;
}

}  // namespace fftprec::truth
