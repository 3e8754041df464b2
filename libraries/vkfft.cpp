/// VkFFT through OpenCL on the processor, in float and double: complex of up to three
/// axes. Its half needs a device with halves.
#include "opencl.hpp"
//
#include <vkFFT.h>

int main() {
  adapter::Device device;
  return adapter::serve([&](const adapter::Request& request) {
    request.needs("fft", 3, {"fp32", "fp64"});
    adapter::needs_few_lengths(request);
    VkFFTConfiguration plan = {};
    plan.FFTdim = request.lengths.size();
    for (std::size_t axis = 0; axis < plan.FFTdim; ++axis)
      plan.size[axis] = request.lengths[plan.FFTdim - 1 - axis];
    plan.doublePrecision = request.format == "fp64";
    std::uint64_t bytes = request.bytes.size() / request.batch;
    cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
    plan.device = &device.device;
    plan.context = &device.context;
    plan.buffer = &buffer;
    plan.bufferSize = &bytes;
    VkFFTApplication application = {};
    if (initializeVkFFT(&application, plan) != VKFFT_SUCCESS)
      throw adapter::Refusal("no plan for this length");
    VkFFTLaunchParams launch = {};
    launch.commandQueue = &device.queue;
    launch.buffer = &buffer;
    auto answer = request.each_item(
        [&](auto x, auto y) {
          device.write(buffer, x);
          VkFFTAppend(&application, request.inverse ? 1 : -1, &launch);
          device.read(buffer, y);
        },
        undivided(request));
    deleteVkFFT(&application);
    clReleaseMemObject(buffer);
    return answer;
  });
}
