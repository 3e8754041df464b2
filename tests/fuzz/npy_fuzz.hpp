/// What must hold of the .npy reader for all bytes whatever; the fuzzer and a test call it.
#pragma once

#include <cstddef>
#include <cstdint>

/// Reads `size` bytes as a .npy file. The process aborts if the reader throws anything but an
/// InputError, or returns other than finite values as many as the shape says and the bytes can
/// hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
