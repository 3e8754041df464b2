/// FFmpeg's av_tx in float, double and 32-bit integers: complex FFTs, and the MDCT both ways
/// without a window. For the lengths for which libavutil 5.1 has a correct FFT: it sums others by
/// the definition, and index maps overflow from 2^14 times an odd factor.
extern "C" {
#include <libavutil/tx.h>
}

#include <type_traits>

#include "adapter.hpp"

/// The type of a transform, lapped or not, in the numbers of `Real`.
template <class Real>
constexpr AVTXType type_of(bool lapped) {
  if constexpr (std::is_same_v<Real, float>) return lapped ? AV_TX_FLOAT_MDCT : AV_TX_FLOAT_FFT;
  if constexpr (std::is_same_v<Real, double>) return lapped ? AV_TX_DOUBLE_MDCT : AV_TX_DOUBLE_FFT;
  return lapped ? AV_TX_INT32_MDCT : AV_TX_INT32_FFT;
}

/// By an FFT of `points`; run(av_tx_fn, context) gives the answer.
template <class Real, class Run>
adapter::Answer answer(const adapter::Request& request, std::size_t points,
                       std::initializer_list<std::size_t> odd, bool lapped, bool inverse,
                       std::size_t length, Run run) {
  const std::size_t power = points & (~points + 1);
  const bool compound = power >= 2 && power <= 1u << 13 &&
                        std::find(odd.begin(), odd.end(), points / power) != odd.end();
  request.needs(compound || (points == power && points <= 1u << 17), "2^k or some multiples of it");
  AVTXContext* context = nullptr;
  av_tx_fn function = nullptr;
  if (av_tx_init(&context, &function, type_of<Real>(lapped), inverse, static_cast<int>(length),
                 nullptr, AV_TX_UNALIGNED | (lapped && inverse ? AV_TX_FULL_IMDCT : 0)) < 0)
    throw adapter::Refusal("no transform of this length");
  auto result = run(function, context);
  av_tx_uninit(&context);
  return result;
}

template <class Real>
adapter::Answer answer(const adapter::Request& request, std::initializer_list<std::size_t> odd) {
  const std::size_t n = request.n();
  if (request.transform == "fft")
    return answer<Real>(
        request, n, odd, false, request.inverse, n, [&](av_tx_fn run, auto* context) {
          return request.each<std::complex<Real>>(
              [&](auto x, auto y) { run(context, y.data(), x.data(), sizeof(std::complex<Real>)); },
              undivided(request));
        });
  const bool inverse = request.transform == "imdct";
  const std::size_t frame = inverse ? n / 2 : n;
  // Integers are divided by 64 where the frame folds.
  const double scale = !inverse && std::is_same_v<Real, std::int32_t> ? 1.0 / 64 : 1;
  return answer<Real>(request, frame / 2, odd, true, inverse, frame,
                      [&](av_tx_fn run, auto* context) {
                        return request.each<Real>(
                            [&](auto x, auto y) {
                              run(context, y.data(), x.data(), sizeof(Real));
                              if (inverse)  // with the other sign
                                for (Real& value : y) value = -value;
                            },
                            scale);
                      });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    const bool lapped = request.transform == "mdct" || request.transform == "imdct";
    request.needs(lapped ? request.transform : "fft", 1, {"fp32", "fp64", "q1.31"});
    if (request.format == "q1.31")  // libavutil 5.1 turns the factor 3 the wrong way
      return answer<std::int32_t>(request, {5, 7, 9});
    return request.format == "fp32" ? answer<float>(request, {3, 5, 7, 9, 15})
                                    : answer<double>(request, {3, 5, 7, 9, 15});
  });
}
