/// What double-double truths cost, as ratios measured in one run: the transform beside the same in
/// MPFR, its certificate, its tables, its threads and its instruction sets.
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "arith/truth/audit.hpp"
#include "arith/truth/fourier.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

using truth::ComplexPairs;
using truth::ComplexReals;
using truth::Loops;
using truth::PairFourier;

ComplexPairs pairs_input(std::size_t n) {
  ComplexPairs x(n);
  bench::Noise().fill(x.hi.re, x.hi.im);
  return x;
}

std::size_t repeats_for(std::size_t n) {
  return std::max<std::size_t>(1, (std::size_t{1} << 16) / n);
}

/// A double-double transform of length n, with its input and its result for the certificate.
class PairTransform {
 public:
  explicit PairTransform(std::size_t n)
      : fourier_(n),
        audit_(n, 1, n),
        input_(pairs_input(n)),
        output_(fourier_(input_, 1, {})),
        work_(input_) {
    double squares = 0;
    for (const auto* part : {&input_.hi.re, &input_.hi.im})
      for (const double value : *part) squares += value * value;
    allowed_ = fourier_.radius() * std::sqrt(static_cast<double>(n) * squares) * (1 + 0x1p-20);
  }

  /// Of its own result: that grows, so now and then it starts again from the input.
  void transform(const Loops& loops) {
    if (++runs_ % 16 == 0) work_ = input_;
    work_ = fourier_(work_, 1, loops);
    benchmark::DoNotOptimize(work_.hi.re.data());
  }
  void audit(const Loops& loops) const { audit_(input_, output_, allowed_, loops); }

 private:
  PairFourier fourier_;
  truth::Audit audit_;
  ComplexPairs input_;
  ComplexPairs output_;
  ComplexPairs work_;
  double allowed_ = 0;
  unsigned runs_ = 0;
};

/// The plain transform that truths had before: radix 2, 128 bits, its tables made beforehand.
class MpfrTransform {
 public:
  explicit MpfrTransform(std::size_t n) : fourier_(n, precision), data_(n, precision) {
    const ComplexPairs x = pairs_input(n);
    for (std::size_t j = 0; j < n; ++j) {
      mpfr_set_d(data_.re[j], x.hi.re[j], MPFR_RNDN);
      mpfr_set_d(data_.im[j], x.hi.im[j], MPFR_RNDN);
    }
  }
  void operator()() { fourier_(data_); }

 private:
  static constexpr mpfr_prec_t precision = 128;
  truth::Fourier fourier_;
  ComplexReals data_;
};

using Work = std::function<void()>;

/// Reports how often the subject's time is the reference's.
void compare(benchmark::State& state, const char* name, std::size_t repeats, const Work& subject,
             const Work& reference) {
  const auto repeated = [repeats](const Work& work) {
    return [repeats, &work] {
      for (std::size_t i = 0; i < repeats; ++i) work();
    };
  };
  subject();
  reference();
  const bench::Pair pair =
      bench::measure(state, static_cast<double>(repeats), repeated(subject), repeated(reference));
  state.counters[name] = pair.ratio();
  state.counters["ms"] = 1e3 * pair.subject_seconds;
}

void against_mpfr(benchmark::State& state, std::size_t n, bool audited) {
  PairTransform pairs(n);
  MpfrTransform mpfr(n);
  compare(
      state, "ratio_to_mpfr", 1,
      [&] {
        pairs.transform({});
        if (audited) pairs.audit({});
      },
      [&] { mpfr(); });
}

void audit_share(benchmark::State& state, std::size_t n) {
  PairTransform pairs(n);
  compare(
      state, "ratio_to_transform", repeats_for(n), [&] { pairs.audit({}); },
      [&] { pairs.transform({}); });
}

void tables_share(benchmark::State& state, std::size_t n) {
  PairTransform pairs(n);
  compare(
      state, "ratio_to_transform", repeats_for(n),
      [n] { benchmark::DoNotOptimize(PairFourier(n).radius()); }, [&] { pairs.transform({}); });
}

void two_threads(benchmark::State& state, std::size_t n) {
  PairTransform pairs(n);
  compare(
      state, "ratio_to_one_thread", 1,
      [&] {
        pairs.transform({best_isa(), 2});
      },
      [&] {
        pairs.transform({best_isa(), 1});
      });
}

void instruction_set(benchmark::State& state, std::size_t n, Isa isa) {
  PairTransform pairs(n);
  compare(
      state, "ratio_to_best", repeats_for(n),
      [&] {
        pairs.transform({isa, 1});
      },
      [&] { pairs.transform({}); });
  const double steps = static_cast<double>(n) * std::countr_zero(n);
  state.counters["ns_per_n_log2_n"] = 1e6 * state.counters["ms"].value / steps;
}

/// Lengths that are no power of two beside the nearest one.
void other_length(benchmark::State& state, std::size_t n) {
  PairTransform pairs(n);
  PairTransform power(std::bit_floor(n + n / 3));
  compare(
      state, "ratio_to_power_of_two", 1, [&] { pairs.transform({}); },
      [&] { power.transform({}); });
}

template <class Run>
void add(const std::string& name, int iterations, Run run) {
  bench::add(name, benchmark::kMillisecond, iterations, run);
}

[[maybe_unused]] const int registered = [] {
  for (const unsigned log2_n : {10u, 12u, 14u, 16u, 18u, 20u}) {
    const std::size_t n = std::size_t{1} << log2_n;
    const std::string size = "/" + std::to_string(n);
    const int slow = log2_n >= 18 ? 3 : 10;
    add("transform" + size, slow, [n](benchmark::State& s) { against_mpfr(s, n, false); });
    add("transform and audit" + size, slow, [n](benchmark::State& s) { against_mpfr(s, n, true); });
    add("audit" + size, 10, [n](benchmark::State& s) { audit_share(s, n); });
    add("tables" + size, 10, [n](benchmark::State& s) { tables_share(s, n); });
    for (const Isa isa : available_isas())
      add(std::string(name_of(isa)) + size, 10,
          [n, isa](benchmark::State& s) { instruction_set(s, n, isa); });
  }
  for (const std::size_t n : {std::size_t{1} << 20, std::size_t{1} << 22})
    add("two threads/" + std::to_string(n), 10, [n](benchmark::State& s) { two_threads(s, n); });
  for (const std::size_t n : {std::size_t{65537}, std::size_t{3} << 18, std::size_t{1000003}})
    add("length/" + std::to_string(n), 5, [n](benchmark::State& s) { other_length(s, n); });
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
