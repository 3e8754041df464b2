#include "experiments/inputs/inputs_probes.hpp"

#include "experiments/inputs/inputs_signals.hpp"

namespace fftprec {

namespace {

bool asks_for_ones(std::uint64_t seed) { return seed % 2 == 1; }

}  // namespace

ComplexArray<double> probe_product(std::size_t n, std::size_t batch) {
  ComplexArray<double> x = constant(n, batch);
  for (double& value : x.re) value += 0x1p-7;
  return x;
}

ComplexArray<double> probe_rounding(std::size_t n, std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x = constant(n, batch);
  if (asks_for_ones(seed)) return x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % n != 0) x.re[i] = 1.5 * 0x1p-24;
  return x;
}

ComplexArray<double> probe_order(std::size_t n, std::size_t batch, std::uint64_t seed) {
  if (asks_for_ones(seed)) return constant(n, batch);
  ComplexArray<double> x(n * batch);
  for (std::size_t first = 0; first < x.size(); first += n) {
    x.re[first] = 0x1p24;
    if (n > 2) x.re[first + 1] = 1;
    if (n > 1) x.re[first + n - 1] = -0x1p24;
  }
  return x;
}

}  // namespace fftprec
