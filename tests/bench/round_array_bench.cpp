/// Rounding an array to every format, of floats or, where they do not hold its values, of doubles,
/// as a ratio to memcpy of the same bytes.
///
/// Each iteration copies, then rounds, so that both see the same machine; the counter memcpy_ratio
/// is the median of the iterations' quotients. The arrays (1 GiB each) exceed any cache.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "arith/kernels/round_array.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

constexpr std::size_t array_bytes = std::size_t{1} << 30;

/// Numbers of both signs over the exponents -20 to 19 about 1, subnormals of the small formats and
/// overflows included.
template <class Real>
const std::vector<Real>& values() {
  static const std::vector<Real> all = [] {
    std::vector<Real> made(array_bytes / sizeof(Real));
    std::uint32_t state = 1;
    for (Real& value : made) {
      state = state * 1664525 + 1013904223;
      const std::uint32_t exponent = 107 + (state >> 8) % 40;
      value = __builtin_bit_cast(  // exact in a double
          float, (state & 0x80000000u) | (exponent << 23) | ((state * 2654435761u) & 0x7fffffu));
    }
    return made;
  }();
  return all;
}

template <class Real>
void round_array_to(benchmark::State& state, Format format, Rounding rounding, Isa isa) {
  const std::vector<Real>& in = values<Real>();
  static std::vector<Real> out(in.size());
  std::vector<double> ratios;
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double copied = bench::seconds([&] { std::memcpy(out.data(), in.data(), array_bytes); });
    const double rounded = bench::seconds([&] { round_array(in, out, format, rounding, isa); });
    ratios.push_back(rounded / copied);
    best = std::min(best, rounded);
    state.SetIterationTime(rounded);
  }
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  state.counters["memcpy_ratio"] = *middle;
  state.counters["gigabytes_per_second"] = 2 * static_cast<double>(array_bytes) / best * 1e-9;
}

[[maybe_unused]] const int registered = [] {
  std::vector<Format> formats;
  for (const NamedFormat& named : named_formats()) formats.push_back(named.format);
  for (const char* name :
       {"posit8", "posit16", "posit32", "takum8", "takum16", "takum32", "binary8p3se",
        "binary8p4se", "binary16p8se", "binary8p3se:propagate", "binary8p3ue"})
    formats.push_back(format_named(name));
  for (const Format& format : formats) {
    if (format == fp64) continue;
    const auto measure = fits<float>(format) ? round_array_to<float> : round_array_to<double>;
    for (const Rounding rounding : {Rounding::rne, Rounding::rz})
      for (const Isa isa : available_isas()) {
        const std::string name = "round_array/" + to_string(format) + "/" +
                                 std::string(name_of(rounding)) + "/" + std::string(name_of(isa));
        bench::add(name, benchmark::kMillisecond, 5,
                   [=](benchmark::State& state) { measure(state, format, rounding, isa); });
      }
  }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
