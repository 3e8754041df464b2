/// Ratios measured in one run: subject and reference take turns, so both see the same machine.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace fftprec::bench {

/// Best times of a subject and of what it is measured against.
struct Pair {
  double subject_seconds = std::numeric_limits<double>::infinity();
  double reference_seconds = std::numeric_limits<double>::infinity();
  double ratio() const { return subject_seconds / reference_seconds; }
};

template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  benchmark::ClobberMemory();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs both once per iteration of `state`, which reports the subject's times; each may repeat its
/// work `repeats` times.
template <class Subject, class Reference>
Pair measure(benchmark::State& state, double repeats, Subject subject, Reference reference) {
  Pair best;
  for (auto _ : state) {
    best.reference_seconds = std::min(best.reference_seconds, seconds(reference) / repeats);
    const double time = seconds(subject) / repeats;
    best.subject_seconds = std::min(best.subject_seconds, time);
    state.SetIterationTime(time);
  }
  return best;
}

/// Values in [-1, 1), the same in every run.
class Noise {
 public:
  double operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(static_cast<std::int32_t>(state_)) * 0x1p-31;
  }
  /// Fills all of the arrays.
  template <class... Arrays>
  void fill(Arrays&... arrays) {
    const auto one = [this]<class Array>(Array& array) {
      for (auto& value : array) value = static_cast<typename Array::value_type>((*this)());
    };
    (one(arrays), ...);
  }

 private:
  std::uint32_t state_ = 1;
};

template <class Run>
void add(const std::string& name, benchmark::TimeUnit unit, int iterations, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->UseManualTime()
      ->Unit(unit)
      ->Iterations(iterations);
}

}  // namespace fftprec::bench
