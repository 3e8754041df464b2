/// The array roundings of one instruction set, FFTPREC_ISA.
#include <type_traits>

#include "arith/kernels/tables.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "arith/formats/round.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

/// From this size on an output leaves the caches before anyone reads it: it is written around them,
/// which saves reading it first. Smaller ones stay, since the next step wants them.
constexpr std::size_t streaming_bytes = std::size_t{64} << 20;

/// Streaming goes through several pages at once, a few cache lines of each in turn, and asks for
/// the next pages in time: one page after the other leaves memory waiting (1.5 times slower).
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t pages_at_once = 4;
constexpr std::size_t chunk_bytes = 256;
constexpr std::size_t line_bytes = 64;

/// Rounds one value to a grid.
template <Rounding R, bool Flat, class Real>
struct GridRounder {
  RoundingGrid<Real> grid;
  [[gnu::always_inline]] Real operator()(Real x) const { return round_to_grid<R, Flat>(x, grid); }
};

/// The same, where what lies beyond the ends becomes something else. With one significant bit
/// values are powers of two, whose codes have the parity of the next exponent's field: then the
/// grid is that of twice the values.
template <Rounding R, bool Flat, bool powers, class Real>
struct EndsRounder {
  RoundingGrid<Real> grid;  ///< whose infinity_becomes is what an overflow becomes
  Real infinity_becomes;
  bool is_signed;
  [[gnu::always_inline]] Real operator()(Real x) const {
    constexpr Real infinity = static_cast<Real>(__builtin_inf());
    constexpr Real most = static_cast<Real>(max_finite(Layout<Real>::format));
    Real rounded = x;
    if constexpr (powers) {
      const Real twice = x + x;
      const Real not_above = twice > most ? most : twice;
      rounded = round_to_grid<R, Flat>(not_above < -most ? -most : not_above, grid) / 2;
    } else {
      rounded = round_to_grid<R, Flat>(x, grid);
    }
    rounded = x == infinity ? infinity_becomes : rounded;
    rounded = x == -infinity ? -infinity_becomes : rounded;
    return x < 0 && !is_signed ? -Real(0) : rounded;
  }
};

/// Rounds one value to a number system.
template <Rounding R, class Real>
struct CodeRounder {
  const NumberSystem::Binades* binades;
  NumberSystem::Ends ends;
  [[gnu::always_inline]] Real operator()(Real x) const {
    return static_cast<Real>(round_to_system<R>(x, *binades, ends, std::is_same_v<Real, float>));
  }
};

template <class Round, class Real>
void round_in_place(Real* values, std::size_t size, const Round& hoisted) {
  const Round round = hoisted;  // a copy that no store can change
  for (std::size_t i = 0; i < size; ++i) values[i] = round(values[i]);
}

template <class Round, class Real>
void round_apart(const Real* __restrict in, Real* __restrict out, std::size_t size,
                 const Round& hoisted) {
  const Round round = hoisted;
  for (std::size_t i = 0; i < size; ++i) out[i] = round(in[i]);
}

#if defined(__x86_64__)
/// out[0..chunk) = in[0..chunk) rounded, through a buffer in the nearest cache and then around the
/// caches; asks for the lines of `next`.
/// Requires: out is 16-byte aligned.
template <class Round, class Real>
[[gnu::always_inline]] inline void stream_chunk(const Real* in, Real* out, const Real* next,
                                                const Round& round) {
  constexpr std::size_t chunk = chunk_bytes / sizeof(Real);
  alignas(line_bytes) Real rounded[chunk];
  for (std::size_t j = 0; j < chunk; j += line_bytes / sizeof(Real)) __builtin_prefetch(next + j);
  for (std::size_t j = 0; j < chunk; ++j) rounded[j] = round(in[j]);
  const auto* from = reinterpret_cast<const __m128i*>(rounded);
  auto* to = reinterpret_cast<__m128i*>(out);
  for (std::size_t j = 0; j < chunk_bytes / sizeof(__m128i); ++j)
    _mm_stream_si128(to + j, _mm_load_si128(from + j));
}

template <class Round, class Real>
void round_streaming(const Real* in, Real* out, std::size_t size, const Round& hoisted) {
  constexpr std::size_t page = page_bytes / sizeof(Real);
  constexpr std::size_t chunk = chunk_bytes / sizeof(Real);
  constexpr std::size_t group = pages_at_once * page;
  const Round round = hoisted;
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(out) % line_bytes;
  std::size_t i = misaligned == 0 ? 0 : (line_bytes - misaligned) / sizeof(Real);
  round_apart(in, out, i, round);
  for (; i + group <= size; i += group) {
    const std::size_t ahead = i + 2 * group <= size ? group : 0;
    for (std::size_t offset = i; offset < i + page; offset += chunk)
      for (std::size_t at = offset; at < offset + group; at += page)
        stream_chunk(in + at, out + at, in + at + ahead, round);
  }
  _mm_sfence();
  round_apart(in + i, out + i, size - i, round);
}
#else
template <class Round, class Real>
void round_streaming(const Real* in, Real* out, std::size_t size, const Round& round) {
  round_apart(in, out, size, round);
}
#endif

template <class Round, class Real>
void round_all(const Real* in, Real* out, std::size_t size, const Round& round) {
  if (in == out)
    round_in_place(out, size, round);
  else if (size >= streaming_bytes / sizeof(Real))
    round_streaming(in, out, size, round);
  else
    round_apart(in, out, size, round);
}

/// Through a buffer, which shares memory with nobody: one loop where round_all has three.
template <class Round, class Real>
void round_by_chunks(const Real* in, Real* out, std::size_t size, const Round& hoisted) {
  constexpr std::size_t chunk = 64;
  const Round round = hoisted;
  for (std::size_t first = 0; first < size; first += chunk) {
    const std::size_t count = size - first < chunk ? size - first : chunk;
    Real rounded[chunk];
    for (std::size_t i = 0; i < count; ++i) rounded[i] = round(in[first + i]);
    __builtin_memcpy(out + first, rounded, count * sizeof(Real));
  }
}

template <Rounding R, bool Flat, class Real>
void round_to_binary(const Real* in, Real* out, std::size_t size, const Format& format) {
  if (!format.system || rounds_as_binary<R>(*format.system))
    return round_all(in, out, size, GridRounder<R, Flat, Real>{rounding_grid<Real>(format)});
  const NumberSystem::Ends& ends = format.system->ends;
  const auto by_ends = [&](auto powers) {
    constexpr int more = powers ? 1 : 0;
    RoundingGrid<Real> grid = rounding_grid<Real>(
        {format.precision, format.emin + more, format.emax + more, true, format.overflow});
    const auto bits = [](double value) {
      return __builtin_bit_cast(typename Layout<Real>::Bits, static_cast<Real>(value));
    };
    grid.max_finite = bits((1 + more) * ends.largest);
    grid.infinity_becomes = bits((1 + more) * ends.overflow_becomes);
    grid.nan_kept = ~typename Layout<Real>::Bits{0};
    using Rounder = EndsRounder<R, (Flat && !powers), powers, Real>;
    round_by_chunks(in, out, size,
                    Rounder{grid, static_cast<Real>(ends.infinity_becomes), ends.is_signed});
  };
  return format.precision > 1 ? by_ends(std::false_type{}) : by_ends(std::true_type{});
}

template <class Real>
void round_stochastically(const Real* in, Real* out, std::size_t size, const Format& format,
                          const StochasticRounding& random, std::uint64_t first_counter) {
  if (format.is_fixed() || format.system) {
    for (std::size_t i = 0; i < size; ++i)
      out[i] = static_cast<Real>(round_stochastic(in[i], format, random, first_counter + i));
    return;
  }
  const RoundingGrid<double> grid = rounding_grid<double>(format);
  for (std::size_t i = 0; i < size; ++i)
    out[i] =
        static_cast<Real>(round_with_bits(in[i], grid, random_bits(random, first_counter + i)));
}

template <Rounding R, class Real>
void round_to_format(const Real* in, Real* out, std::size_t size, const Format& format,
                     const StochasticRounding&, std::uint64_t) {
  if (format.system && format.system->is_listed) {
    for (std::size_t i = 0; i < size; ++i)
      out[i] = static_cast<Real>(round_to_system<R>(in[i], format.system->sides));
    return;
  }
  if (format.system && !has_binary_steps<R>(*format.system))
    return round_by_chunks(in, out, size,
                           CodeRounder<R, Real>{&format.system->binades, format.system->ends});
  if (format.is_fixed()) {
    const FixedGrid<Real> fixed = fixed_grid<Real>(format);
    for (std::size_t i = 0; i < size; ++i) out[i] = round_to_fixed<R>(in[i], fixed);
    return;
  }
  if (is_flat<Real>(format))
    round_to_binary<R, true>(in, out, size, format);
  else
    round_to_binary<R, false>(in, out, size, format);
}

template <class Real>
RoundKernel<Real> kernel(Rounding rounding) {
  return with_rounding(rounding, [](auto as) -> RoundKernel<Real> {
    if constexpr (as == Rounding::sr)
      return round_stochastically<Real>;
    else
      return round_to_format<as(), Real>;
  });
}

}  // namespace

template <>
RoundKernel<float> RoundTables<Tag>::loop(Rounding rounding, float) {
  return kernel<float>(rounding);
}

template <>
RoundKernel<double> RoundTables<Tag>::loop(Rounding rounding, double) {
  return kernel<double>(rounding);
}

}  // namespace fftprec
