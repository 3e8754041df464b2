/// GStreamer's copies of KissFFT, for real data of even length, in float, double and fixed point of
/// 16 and 32 bits, which divides by n; there forward alone.
#include <gst/fft/gstfftf32.h>
#include <gst/fft/gstfftf64.h>
#include <gst/fft/gstffts16.h>
#include <gst/fft/gstffts32.h>

#include "adapter.hpp"

template <class Real, class Pair, auto make, auto forward, auto backward, auto end>
adapter::Answer answer(const adapter::Request& request) {
  const auto plan = make(static_cast<int>(request.n()), request.inverse);
  const auto n = static_cast<double>(request.n());
  const bool divides = std::is_integral_v<Real>;
  auto result =
      request.inverse
          ? request.each<Pair, Real>([&](auto x, auto y) { backward(plan, x.data(), y.data()); },
                                     divides ? 1 : n)
          : request.each<Real, Pair>([&](auto x, auto y) { forward(plan, x.data(), y.data()); },
                                     divides ? 1 / n : 1);
  end(plan);
  return result;
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("rfft", 1, {"fp32", "fp64", "q1.15", "q1.31"});
    request.needs(request.n() % 2 == 0, "an even n");
    request.needs(!request.inverse || request.format[0] == 'f',
                  "the forward transform in fixed point, whose inverse is another");
    if (request.format == "q1.15")
      return answer<gint16, GstFFTS16Complex, gst_fft_s16_new, gst_fft_s16_fft,
                    gst_fft_s16_inverse_fft, gst_fft_s16_free>(request);
    if (request.format == "q1.31")
      return answer<gint32, GstFFTS32Complex, gst_fft_s32_new, gst_fft_s32_fft,
                    gst_fft_s32_inverse_fft, gst_fft_s32_free>(request);
    if (request.format == "fp32")
      return answer<gfloat, GstFFTF32Complex, gst_fft_f32_new, gst_fft_f32_fft,
                    gst_fft_f32_inverse_fft, gst_fft_f32_free>(request);
    return answer<gdouble, GstFFTF64Complex, gst_fft_f64_new, gst_fft_f64_fft,
                  gst_fft_f64_inverse_fft, gst_fft_f64_free>(request);
  });
}
