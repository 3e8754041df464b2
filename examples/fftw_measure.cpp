/// Judges FFTW in float, in this process and through files:
///
///     fftw_measure DIRECTORY       prints a table; writes x.npy and y.npy of the last length
///     fftprec measure --input DIRECTORY/x.npy --output DIRECTORY/y.npy --max err_l2_rel=5e-7
#include <fftw3.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "experiments/inputs/inputs.hpp"
#include "experiments/testing/measure_result.hpp"

namespace {

struct Release {
  void operator()(fftwf_complex* buffer) const { fftwf_free(buffer); }
};
using Buffer = std::unique_ptr<fftwf_complex[], Release>;

Buffer transformed(const Buffer& x, int n) {
  Buffer y(fftwf_alloc_complex(static_cast<std::size_t>(n)));
  const fftwf_plan plan = fftwf_plan_dft_1d(n, x.get(), y.get(), FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  return y;
}

fftprec::ComplexArray<double> widened(const Buffer& x, std::size_t n) {
  fftprec::ComplexArray<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values.re[i] = x[i][0];
    values.im[i] = x[i][1];
  }
  return values;
}

/// Complex numbers as NumPy's format 1.0 has them, on a little-endian machine.
bool write_npy(const std::string& path, const Buffer& x, std::size_t n) {
  std::string header =
      "{'descr': '<c8', 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
  header.resize(128 - 10 - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char*>(x.get()),
             static_cast<std::streamsize>(n * sizeof(fftwf_complex)));
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fftw_measure DIRECTORY\n");
    return 2;
  }
  const std::string directory = argv[1];
  bool all_below = true;
  std::printf("%8s %12s %12s %16s\n", "n", "err_l2_rel", "err_max_ulp", "bound, radix 2");
  for (std::size_t n = 64; n <= std::size_t{1} << 20; n *= 4) {
    const fftprec::ComplexArray<double> input = fftprec::make_input("gaussian", n, 1, 1);
    Buffer x(fftwf_alloc_complex(n));
    for (std::size_t i = 0; i < n; ++i) {
      x[i][0] = static_cast<float>(input.re[i]);
      x[i][1] = static_cast<float>(input.im[i]);
    }
    const Buffer y = transformed(x, static_cast<int>(n));

    const fftprec::ForeignProblem asked = fftprec::foreign_problem("fft", n, {input, {n}});
    fftprec::Row row = fftprec::measure_result(asked, widened(y, n), fftprec::fp32);
    // FFTW's codelets differ from plain radix 2, and make fewer operations.
    fftprec::predict_result(row, asked,
                            fftprec::claimed_case("algorithm=radix2-dit, mode=fp32, machine=ieee"));
    std::printf("%8zu %12.3e %12.3g %16.3e\n", n, *row.err_l2_rel, *row.err_max_ulp,
                *row.bound_l2_rel);
    all_below = all_below && *row.err_l2_rel < *row.bound_l2_rel;
    if (!write_npy(directory + "/x.npy", x, n) || !write_npy(directory + "/y.npy", y, n)) {
      std::fprintf(stderr, "%s: cannot be written\n", directory.c_str());
      return 2;
    }
  }
  return all_below ? 0 : 1;
}
