/// clFFT through OpenCL on the processor, in float and double: complex of one or two axes. Its
/// inverse divides.
#include "opencl.hpp"
//
#include <clFFT.h>

int main() {
  adapter::Device device;
  clfftSetupData setup;
  clfftInitSetupData(&setup);
  clfftSetup(&setup);
  return adapter::serve([&](const adapter::Request& request) {
    request.needs("fft", 2, {"fp32", "fp64"});
    adapter::needs_few_lengths(request);
    const std::vector<std::size_t> lengths(request.lengths.rbegin(), request.lengths.rend());
    clfftPlanHandle plan = 0;
    if (clfftCreateDefaultPlan(&plan, device.context, lengths.size() == 1 ? CLFFT_1D : CLFFT_2D,
                               lengths.data()) != CLFFT_SUCCESS)
      throw adapter::Refusal("only lengths with factors 2, 3, 5, 7, 11 and 13");
    clfftSetPlanPrecision(plan, request.format == "fp32" ? CLFFT_SINGLE : CLFFT_DOUBLE);
    clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED);
    clfftSetResultLocation(plan, CLFFT_INPLACE);
    if (clfftBakePlan(plan, 1, &device.queue, nullptr, nullptr) != CLFFT_SUCCESS)
      throw adapter::Refusal("no plan for this length");
    cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE,
                                   request.bytes.size() / request.batch, nullptr, nullptr);
    auto answer = request.each_item([&](auto x, auto y) {
      device.write(buffer, x);
      clfftEnqueueTransform(plan, request.inverse ? CLFFT_BACKWARD : CLFFT_FORWARD, 1,
                            &device.queue, 0, nullptr, nullptr, &buffer, nullptr, nullptr);
      device.read(buffer, y);
    });
    clReleaseMemObject(buffer);
    clfftDestroyPlan(&plan);
    return answer;
  });
}
