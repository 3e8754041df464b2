/// The elementwise loops of every scheme, as a ratio to plain fp32, and of double words to fp64.
///
/// The limit: operations per complex product or butterfly beside the plain 6 or 10, as
/// tests/arith/operation_counts_test.cpp counts them. Data lie in the first cache.
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/kernels/dispatch.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

constexpr std::size_t cols = 512;

/// Loops with data of their own.
template <class Real>
class Work {
 public:
  Work(const ElementScheme& scheme, const VectorEngine& engine, Isa isa)
      : kernels_(complex_kernels<Real>(scheme, engine, isa)) {
    std::uint32_t state = 1;
    for (ComplexArray<Real>* x : {&top_, &bottom_, &w_})
      for (AlignedVector<Real>* part : {&x->re, &x->im})
        for (Real& value : *part) {
          state = state * 1664525u + 1013904223u;
          value = Real(static_cast<double>(static_cast<std::int8_t>(state >> 24)) * 0x1p-7);
        }
  }
  void multiply() {
    fresh();
    kernels_.multiply(row(bottom_), factors());
  }
  void butterfly() {
    fresh();
    kernels_.butterfly(row(top_), row(bottom_), factors());
  }
  void accumulate() {
    fresh();
    kernels_.multiply_accumulate(row(top_), {bottom_.re.data(), bottom_.im.data(), 1, 8, cols},
                                 {w_.re.data(), w_.im.data(), 0, 1, cols});
  }

 private:
  static View<Real> row(ComplexArray<Real>& x) { return {x.re.data(), x.im.data(), 1, cols, cols}; }
  FactorView<Real> factors() const { return {w_.re.data(), w_.im.data(), 0, 1, cols}; }
  /// Copies of the data, so that no value drifts off into subnormals; both sides of a ratio pay.
  void fresh() {
    for (std::size_t j = 0; j < cols; ++j) bottom_.re[j] = w_.re[cols + j];
    for (std::size_t j = 0; j < cols; ++j) top_.re[j] = w_.re[2 * cols + j];
    benchmark::ClobberMemory();
  }

  ComplexKernels<Real> kernels_;
  ComplexArray<Real> top_{cols}, bottom_{cols}, w_{3 * cols};  // three planes: words of a split
};

struct Subject {
  std::string name;
  ElementScheme scheme;
  VectorEngine engine{};
};

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const Format& storage : {bf16, fp16, tf32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2})
    list.push_back({to_string(storage), {.storage = storage}});
  using enum ProductScheme::Kind;
  list.push_back({"two_prod", {.product = two_prod}});
  list.push_back({"rounded_once", {.product = rounded_once}});
  list.push_back({"dot2", {.product = dot2}});
  list.push_back({"kahan_sum", {.product = kahan_sum}});
  list.push_back({"neumaier", {.product = neumaier}});
  for (const SplitSpec& spec : splits)
    list.push_back({to_string(spec.word) + "x" + std::to_string(spec.factor_words) + "x" +
                        std::to_string(spec.data_words) + ":" + std::to_string(spec.count),
                    {.product = ProductScheme(spec)}});
  for (const int bits : {24, 20})
    for (const Rounding rounding : {Rounding::rne, Rounding::rz})
      for (const Rounding sum : {Rounding::rne, Rounding::rz}) {
        const VectorEngine engine{bits, rounding, sum};
        if (engine == VectorEngine{}) continue;
        const std::string name =
            std::to_string(bits) + std::string(name_of(rounding)) + "+" + std::string(name_of(sum));
        list.push_back({name, {}, engine});
        list.push_back({name + "_two_prod", {.product = two_prod}, engine});
      }
  list.push_back({"fused", {}, {.fused = true}});
  list.push_back({"flush", {}, {.flush = true}});
  return list;
}

template <class Real, class Reference>
void run(benchmark::State& state, const Subject& subject, Isa isa, int what) {
  Work<Real> measured(subject.scheme, subject.engine, isa);
  Work<Reference> reference({}, {}, isa);
  constexpr std::size_t repeats = 500;
  const auto times = [what](auto& work) {
    return [what, &work] {
      for (std::size_t i = 0; i < repeats; ++i) {
        if (what == 0) work.multiply();
        if (what == 1) work.butterfly();
        if (what == 2) work.accumulate();
      }
    };
  };
  const bench::Pair pair =
      bench::measure(state, static_cast<double>(repeats), times(measured), times(reference));
  const double elements = static_cast<double>(what == 2 ? 8 * cols : cols);
  state.counters["ratio"] = pair.ratio();
  state.counters["elements_per_second"] = elements / pair.subject_seconds;
}

template <class Real, class Reference>
void add_to_list(const Subject& subject) {
  constexpr const char* names[] = {"multiply", "butterfly", "accumulate"};
  for (int what = 0; what < 3; ++what)
    for (const Isa isa : available_isas())
      benchmark::RegisterBenchmark(
          (names[what] + ("/" + subject.name) + "/" + std::string(name_of(isa))).c_str(),
          [subject, isa, what](benchmark::State& state) {
            run<Real, Reference>(state, subject, isa, what);
          })
          ->UseManualTime()
          ->Iterations(10);
}

[[maybe_unused]] const int registered = [] {
  for (const Subject& subject : subjects()) add_to_list<float, float>(subject);
  add_to_list<FloatPair, double>({"double_word", {}});
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
