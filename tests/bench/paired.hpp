/// Ratios measured in one run: subject and reference take turns, so both see the same machine.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>

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

}  // namespace fftprec::bench
