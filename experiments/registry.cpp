#include "experiments/registry.hpp"

#include "algorithms/dft_gemm.hpp"
#include "algorithms/radix2.hpp"
#include "arith/named.hpp"
#include "experiments/algorithm_entry.hpp"

namespace fftprec {

namespace {

template <template <class> class Algorithm, class Real>
Plan<Real> make_plan(const MachineArithmetic<Real>& arithmetic, std::size_t n, Direction direction,
                     const RootFunction& roots) {
  auto algorithm =
      std::make_shared<const Algorithm<MachineArithmetic<Real>>>(arithmetic, n, direction, roots);
  return [algorithm](const MachineArithmetic<Real>& with, ComplexArray<Real>& x) {
    algorithm->transform(with, x);
  };
}

/// What every entry has from its template; the rest is filled in by name.
template <template <class> class Algorithm>
AlgorithmEntry entry() {
  AlgorithmEntry result{};
  result.unsupported = Algorithm<MachineArithmetic<float>>::unsupported;
  result.make_float = make_plan<Algorithm, float>;
  result.make_double = make_plan<Algorithm, double>;
  result.statistics = Algorithm<MachineArithmetic<float>>::statistics;
  return result;
}

AlgorithmEntry dft_gemm() {
  AlgorithmEntry result = entry<DftGemm>();
  result.name = "dft-gemm";
  result.summary = "one complex matrix product with the n x n DFT matrix; any n";
  result.table_extent = [](std::size_t n) {
    const double last = static_cast<double>(n - 1);
    return TableExtent{last * last / static_cast<double>(n), n - 1};
  };
  result.table_entries = [](std::size_t n) { return n * n; };
  // bf16 operands leave PSUM as fp32.
  result.output_format = [](const Mode& mode) { return on_host(mode) ? fp64 : fp32; };
  result.bound = dft_gemm_bound;
  result.expected = dft_gemm_expected;
  result.cost = dft_gemm_cost;
  return result;
}

AlgorithmEntry radix2_dit() {
  AlgorithmEntry result = entry<Radix2Dit>();
  result.name = "radix2-dit";
  result.summary = "decimation in time, bit reversal first; n = 2^k";
  result.table_extent = [](std::size_t n) { return TableExtent{0.5, n / 2}; };
  result.table_entries = [](std::size_t n) { return n; };
  result.output_format = [](const Mode& mode) { return mode.storage; };
  result.bound = radix2_dit_bound;
  result.expected = radix2_dit_expected;
  result.cost = radix2_dit_cost;
  return result;
}

template <class Items>
std::vector<Named> named(const Items& items) {
  std::vector<Named> names;
  for (const auto& item : items)
    names.push_back({std::string(item.name), std::string(item.summary)});
  return names;
}

}  // namespace

const std::vector<AlgorithmEntry>& algorithm_entries() {
  static const std::vector<AlgorithmEntry> entries = {dft_gemm(), radix2_dit()};
  return entries;
}

const AlgorithmEntry& algorithm_named(std::string_view name) {
  return item_named(algorithm_entries(), "algorithm", name);
}

std::vector<Named> list_algorithms() { return named(algorithm_entries()); }
std::vector<Named> list_modes() { return named(modes()); }
std::vector<Named> list_machines() { return named(machines()); }

}  // namespace fftprec
