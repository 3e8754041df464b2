#include "experiments/algorithms/ffmpeg.hpp"

#if FFTPREC_AVUTIL
extern "C" {
#include <libavutil/tx.h>
}
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

#if FFTPREC_AVUTIL
template <class Complex, AVTXType type, class Real>
MakeFft<MachineArithmetic<Real>> make_ffmpeg() {
  constexpr Real unit = type == AV_TX_INT32_FFT ? Real(0x1p-31) : 1;
  const auto take = [](Real x) {
    const Real k = x / unit;
    require(unit == 1 || (k >= -0x1p31 && k < 0x1p31 && k == std::trunc(k)), "ffmpeg-i32: ", x,
            " is no multiple of 2^-31 in [-1, 1)");
    return static_cast<decltype(Complex::re)>(k);
  };
  // No quotient by n lies so near to a tie that its own rounding reaches it.
  const auto give = [](auto y, Real n) {
    const Real k = static_cast<Real>(y) / n;
    return unit == 1 ? k : std::nearbyint(k) * unit;
  };
  return [=](const auto&, std::size_t n, Direction direction, const RootFunction&) {
    return [=](const auto&, ComplexArray<Real>& x) {
      const bool inverse = direction == Direction::inverse;
      AVTXContext* made = nullptr;
      av_tx_fn execute = nullptr;
      require(av_tx_init(&made, &execute, type, inverse, static_cast<int>(n), nullptr, 0) >= 0,
              "av_tx has no transform for n = ", n);
      const auto close = [](AVTXContext* context) { av_tx_uninit(&context); };
      const std::unique_ptr<AVTXContext, decltype(close)> context(made, close);
      AlignedVector<Complex> in(n), out(n);
      for (std::size_t row = 0; row < x.size(); row += n) {
        for (std::size_t j = 0; j < n; ++j) in[j] = {take(x.re[row + j]), take(x.im[row + j])};
        execute(made, out.data(), in.data(), sizeof(Complex));
        for (std::size_t k = 0; k < n; ++k) {
          x.re[row + k] = give(out[k].re, inverse ? static_cast<Real>(n) : 1);
          x.im[row + k] = give(out[k].im, inverse ? static_cast<Real>(n) : 1);
        }
      }
    };
  };
}
const auto in_float = make_ffmpeg<AVComplexFloat, AV_TX_FLOAT_FFT, float>;
const auto in_double = make_ffmpeg<AVComplexDouble, AV_TX_DOUBLE_FFT, double>;
const auto in_integers = make_ffmpeg<AVComplexInt32, AV_TX_INT32_FFT, double>;
#else
MakeFft<MachineArithmetic<float>> in_float() { return {}; }
MakeFft<MachineArithmetic<double>> in_double() { return {}; }
MakeFft<MachineArithmetic<double>> in_integers() { return {}; }
#endif

/// A peer that may not be built in, for the lengths for which libavutil 5.1 has a correct FFT. It
/// sums other lengths by the definition, and from 2^14 times an odd factor its index maps overflow.
template <class Make>
AlgorithmEntry ffmpeg_entry(const std::string& name, const std::string& numbers,
                            const std::string& mode, const std::vector<std::size_t>& odd,
                            const Make& make) {
  const std::string factors = fmt::format("{}", fmt::join(odd, ", "));
  AlgorithmEntry entry = peer_entry(name,
                                    "FFmpeg's av_tx in " + numbers + ", for mode " + mode +
                                        "; n = 2^k, or " + factors + " times 2^k",
                                    make, mode);
  entry.model.unsupported = [=](std::size_t n) {
    const std::size_t power = n & (~n + 1);
    const bool compound = power >= 2 && power <= 1u << 13 && std::ranges::count(odd, n / power) > 0;
    if (compound || (n == power && n >= 1 && n <= 1u << 17)) return std::string();
    return name + " needs n = 2^k, k <= 17, or " + factors + " times 2^k, 1 <= k <= 13, got " +
           std::to_string(n);
  };
  if (!make) entry.inapplicable = [](auto, auto) { return std::string("built without libavutil"); };
  return entry;
}

}  // namespace

AlgorithmEntry ffmpeg_f32() {
  return ffmpeg_entry("ffmpeg-f32", "float", "fp32", {3, 5, 7, 9, 15}, in_float());
}
AlgorithmEntry ffmpeg_f64() {
  return ffmpeg_entry("ffmpeg-f64", "double", "fp64", {3, 5, 7, 9, 15}, in_double());
}
/// Without 3 and 15: libavutil 5.1 turns the factor 3 the wrong way.
AlgorithmEntry ffmpeg_i32() {
  return ffmpeg_entry("ffmpeg-i32", "32-bit integers", "q1.31", {5, 7, 9}, in_integers());
}

}  // namespace fftprec
