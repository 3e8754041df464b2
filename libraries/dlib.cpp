/// dlib's FFT (a copy of KissFFT) in float and double: complex and real of one or two axes, real
/// ones of even length. Its inverse divides.
#include <dlib/matrix.h>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Real>;
  const auto n = static_cast<long>(request.n());
  const auto rows = static_cast<long>(request.points() / request.n());
  const auto of = [&]<class In, class Out>(long columns, auto compute) {
    return request.each<In, Out>([&](auto x, auto y) {
      dlib::matrix<In> in(rows, columns);
      std::copy(x.begin(), x.end(), in.begin());
      const dlib::matrix<Out> out = compute(in);
      std::copy(out.begin(), out.end(), y.begin());
    });
  };
  if (request.transform == "fft")
    return of.template operator()<Complex, Complex>(
        n, [&](const auto& in) { return request.inverse ? dlib::ifft(in) : dlib::fft(in); });
  if (request.inverse)
    return of.template operator()<Complex, Real>(n / 2 + 1,
                                                 [](const auto& in) { return dlib::ifftr(in); });
  return of.template operator()<Real, Complex>(n, [](const auto& in) { return dlib::fftr(in); });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs(request.transform == "rfft" ? "rfft" : "fft", 2, {"fp32", "fp64"});
    request.needs(request.transform == "fft" || request.n() % 2 == 0, "an even n");
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}
