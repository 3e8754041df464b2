#include "arith/truth/dft.hpp"

#include "arith/support/error.hpp"
#include "arith/truth/transforms.hpp"

namespace fftprec::truth {

Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction,
          const TruthOptions& options) {
  require(n >= 1, "dft: n = 0");
  const std::size_t shape[] = {n};
  return certify(evaluation::dft_nd(x, shape, direction), options);
}

}  // namespace fftprec::truth
