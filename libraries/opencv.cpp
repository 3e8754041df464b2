/// OpenCV in float and double: complex of one or two axes.
#include <opencv2/core.hpp>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Real>;
  const int rows = request.lengths.size() == 2 ? static_cast<int>(request.lengths[0]) : 1;
  return request.each<Complex>([&](auto x, auto y) {
    const int type = sizeof(Real) == 4 ? CV_32FC2 : CV_64FC2;
    const cv::Mat in(rows, static_cast<int>(request.n()), type, x.data());
    cv::Mat out(rows, static_cast<int>(request.n()), type, y.data());
    cv::dft(in, out, request.inverse ? cv::DFT_INVERSE | cv::DFT_SCALE : 0);
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 2, {"fp32", "fp64"});
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}
