/// FFmpeg's older FFT in libavcodec, in float, of powers of two: complex; and real, whose spectrum
/// has its last value, which is real, as the imaginary part of the first.
extern "C" {
#include <libavcodec/avfft.h>
#include <libavutil/mem.h>
}

#include <bit>
#include <memory>

#include "adapter.hpp"

using Complex = std::complex<float>;

int main() {
  return adapter::serve([](const adapter::Request& request) {
    const std::size_t n = request.n();
    const int bits = std::countr_zero(n);
    if (!request.is("rfft", "fp32")) request.needs("fft", 1, {"fp32"});
    request.needs(request.lengths.size() == 1 && std::has_single_bit(n) && n >= 16 && n <= 65536,
                  "2^4 <= n = 2^k <= 2^16");
    const std::unique_ptr<void, decltype(&av_free)> memory(av_malloc(2 * sizeof(float) * n),
                                                           av_free);
    auto* const work = static_cast<float*>(memory.get());
    auto* const pairs = reinterpret_cast<FFTComplex*>(work);
    if (request.transform == "fft") {
      const auto plan = av_fft_init(bits, request.inverse);
      auto answer = request.each<Complex>(
          [&](auto x, auto y) {
            std::memcpy(work, x.data(), x.size_bytes());
            av_fft_permute(plan, pairs);
            av_fft_calc(plan, pairs);
            std::memcpy(static_cast<void*>(y.data()), work, y.size_bytes());
          },
          undivided(request));
      av_fft_end(plan);
      return answer;
    }
    request.needs(!request.inverse, "the forward transform");
    const auto plan = av_rdft_init(bits, DFT_R2C);
    auto answer = request.each<float, Complex>([&](auto x, auto y) {
      std::memcpy(work, x.data(), x.size_bytes());
      av_rdft_calc(plan, work);
      for (std::size_t k = 0; k <= n / 2; ++k) y[k] = {work[2 * k % n], work[2 * k % n + 1]};
      y[n / 2] = work[1];
      y[0] = work[0];
    });
    av_rdft_end(plan);
    return answer;
  });
}
