/// A processor as an OpenCL device, for libraries of OpenCL: a context, a queue and a buffer.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <span>

#include "adapter.hpp"

namespace adapter {

/// Refuses most lengths: kernels of each take seconds to compile.
inline void needs_few_lengths(const Request& request) {
  for (const std::size_t n : {64, 256, 1000, 1024, 4096})
    if (request.n() == n && request.points() <= 65536) return;
  throw Refusal("only some lengths, since kernels of each take seconds to compile");
}

struct Device {
  Device() {
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS)
      throw std::runtime_error("OpenCL finds no processor");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, 0, nullptr);
  }

  template <class Value>
  void write(cl_mem buffer, std::span<Value> x) const {
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, x.size_bytes(), x.data(), 0, nullptr, nullptr);
  }
  template <class Value>
  void read(cl_mem buffer, std::span<Value> y) const {
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, y.size_bytes(), y.data(), 0, nullptr, nullptr);
  }

  cl_platform_id platform{};
  cl_device_id device{};
  cl_context context{};
  cl_command_queue queue{};
};

}  // namespace adapter
