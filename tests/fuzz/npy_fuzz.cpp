/// What must hold of the .npy reader: it throws nothing but an InputError that names the file, and
/// returns finite values, as many as the shape says and the bytes can hold.
#include <cmath>

#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace fftprec::testing {
namespace {

void check(const Samples& samples, std::size_t size) {
  std::size_t count = 1;
  for (const std::size_t length : samples.shape)
    must(!__builtin_mul_overflow(count, length, &count), "the shape's product is a size");
  must(count == samples.values.size(), "as many values as the shape says");
  must(count >= 1 && count <= size / 4, "values, and no more than the bytes can hold");
  must(samples.values.im.size() == count, "as many imaginary as real parts");
  for (std::size_t i = 0; i < count; ++i)
    must(std::isfinite(samples.values.re[i]) && std::isfinite(samples.values.im[i]),
         "finite values");
}

}  // namespace
}  // namespace fftprec::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    fftprec::testing::check(fftprec::parse_npy(bytes, "fuzz.npy"), size);
  } catch (const fftprec::InputError& error) {
    fftprec::testing::must(std::string_view(error.what()).starts_with("fuzz.npy: "),
                           "an error names the file");
  }
  return 0;
}
