/// radix2-dit in every fp32-based mode and in fixed point, as a ratio to the same template in
/// native fp32.
///
/// The limit: a butterfly in native fp32 is 10 operations, one in bf16 is 10 with 5 integer
/// operations each. So the ratio is at most 6 where arithmetic is the limit, and sinks to 1 where
/// memory is. In fixed point the products and their rounding are in double, half as many at a time,
/// and every sum has two comparisons; a shift and a block's exponent are passes over the data.
#include <bit>
#include <string>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/radix2.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/bench/paired.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec {
namespace {

using Arithmetic = MachineArithmetic<float>;

/// A transform of length n in a mode, with data of its own.
class Transform {
 public:
  Transform(const std::string& mode, const std::string& scale, std::size_t n, Isa isa)
      : arithmetic_(scaled(mode, scale), isa),
        algorithm_(arithmetic_, n, Direction::forward, table_source("exact")),
        input_(n),
        data_(n) {
    bench::Noise().fill(input_.re, input_.im);
    arithmetic_.store(input_);
  }
  void operator()() {
    data_ = input_;
    algorithm_.transform(arithmetic_, data_);
    benchmark::DoNotOptimize(data_.re.data());
  }

 private:
  static ArithmeticSpec scaled(const std::string& mode, const std::string& scale) {
    return resolve(mode_named(mode), machine_named("trn"), {}, scale_policy_named(scale));
  }

  Arithmetic arithmetic_;
  Radix2Dit<Arithmetic> algorithm_;
  ComplexArray<float> input_;
  ComplexArray<float> data_;
};

struct Subject {
  std::string mode;
  std::string scale = "none";
};

void against_native_fp32(benchmark::State& state, const Subject& of, std::size_t n, Isa isa) {
  Transform subject(of.mode, of.scale, n, isa);
  Transform reference("fp32", "none", n, isa);
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 18) / n);
  const auto times = [repeats](Transform& transform) {
    return [repeats, &transform] {
      for (std::size_t i = 0; i < repeats; ++i) transform();
    };
  };
  const bench::Pair pair =
      bench::measure(state, static_cast<double>(repeats), times(subject), times(reference));
  const double butterflies = static_cast<double>(n / 2) * std::countr_zero(n);
  state.counters["ratio_to_fp32"] = pair.ratio();
  state.counters["ns_per_butterfly"] = 1e9 * pair.subject_seconds / butterflies;
}

[[maybe_unused]] const int registered = [] {
  std::vector<Subject> subjects{{"q1.15"}, {"q1.15", "stage:1/2"}, {"q1.15", "block"}};
  for (const Mode& mode : testing::trnfft_modes())
    if (!on_host(mode) && !mode.refinement && mode.name != "fp32") subjects.push_back({mode.name});
  for (const Subject& subject : subjects)
    for (const std::size_t n : {std::size_t{1} << 10, std::size_t{1} << 16, std::size_t{1} << 20})
      for (const Isa isa : available_isas()) {
        const std::string scale = subject.scale == "none" ? "" : subject.scale + "/";
        const std::string name = "radix2-dit/" + subject.mode + "/" + scale + std::to_string(n) +
                                 "/" + std::string(name_of(isa));
        bench::add(name, benchmark::kMicrosecond, 10, [subject, n, isa](benchmark::State& state) {
          against_native_fp32(state, subject, n, isa);
        });
      }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
