/// FFmpeg's av_tx in float, double and 32-bit integers, for the lengths for which libavutil 5.1 has
/// a correct FFT: it sums others by the definition, and index maps overflow from 2^14 times an odd
/// factor.
extern "C" {
#include <libavutil/tx.h>
}

#include "adapter.hpp"

template <class Real, AVTXType type>
adapter::Answer answer(const adapter::Request& request, std::initializer_list<std::size_t> odd) {
  const std::size_t n = request.n(), power = n & (~n + 1);
  const bool compound =
      power >= 2 && power <= 1u << 13 && std::find(odd.begin(), odd.end(), n / power) != odd.end();
  request.needs(compound || (n == power && n <= 1u << 17), "2^k or some multiples of it");
  AVTXContext* context = nullptr;
  av_tx_fn run = nullptr;
  if (av_tx_init(&context, &run, type, request.inverse, static_cast<int>(n), nullptr,
                 AV_TX_UNALIGNED) < 0)
    throw adapter::Refusal("no transform of this length");
  auto result = request.each<std::complex<Real>>(
      [&](auto x, auto y) { run(context, y.data(), x.data(), sizeof(std::complex<Real>)); },
      undivided(request));
  av_tx_uninit(&context);
  return result;
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp32", "fp64", "q1.31"});
    if (request.format == "q1.31")  // libavutil 5.1 turns the factor 3 the wrong way
      return answer<std::int32_t, AV_TX_INT32_FFT>(request, {5, 7, 9});
    return request.format == "fp32" ? answer<float, AV_TX_FLOAT_FFT>(request, {3, 5, 7, 9, 15})
                                    : answer<double, AV_TX_DOUBLE_FFT>(request, {3, 5, 7, 9, 15});
  });
}
