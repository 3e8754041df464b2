#include "algorithms/theory/cycle_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::array<Generation, 3> all_generations{{
    {"trn1", "NeuronCore v2", 2.8, 1.12, 16 * 17.0},
    {"trn2", "NeuronCore v3", 2.4, 0.96, 16 * 23.0},
    {"trn3", "NeuronCore v4", 2.4, 1.2, 16 * 33.0},
}};

}  // namespace

std::span<const Generation> generations() { return all_generations; }

const Generation& generation_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Generation& generation : all_generations) {
    if (generation.name == name) return generation;
    known.emplace_back(generation.name);
  }
  throw unknown_name("generation", name, known);
}

std::uint64_t storage_bytes(const Format& format) {
  const auto exponents = static_cast<unsigned>(format.emax - format.emin + 1);
  const unsigned bits = static_cast<unsigned>(format.precision) + std::bit_width(exponents);
  return std::bit_ceil((bits + 7) / 8);
}

DeviceTime device_time(const Prediction& prediction, std::uint64_t n, std::uint64_t batch,
                       const Format& storage, const Generation& generation,
                       const LaunchTimes& launch) {
  const KernelCalls calls = prediction.calls;
  const auto tensor_calls = static_cast<double>(calls.tensor);
  const auto vector_calls = static_cast<double>(calls.vector);
  const double kernel_calls = std::max(1.0, tensor_calls + vector_calls);
  const auto complex_bytes = static_cast<double>(2 * storage_bytes(storage));
  const double array_bytes = complex_bytes * static_cast<double>(n * batch);
  const double table_bytes = complex_bytes * static_cast<double>(prediction.table_entries);
  const EngineCycles& cycles = prediction.cost.cycles;
  return {.tensor_ns = static_cast<double>(cycles.tensor) / generation.tensor_ghz,
          .vector_ns = static_cast<double>(cycles.vector) / generation.vector_ghz,
          .dma_ns = kernel_calls *
                        (generation.dma_start_ns + 2 * array_bytes / generation.dma_bytes_per_ns) +
                    table_bytes / generation.dma_bytes_per_ns,
          .launch_ns = (vector_calls > 0 ? launch.chain_ns : 0) + launch.tensor_ns * tensor_calls +
                       launch.vector_ns * (kernel_calls - tensor_calls)};
}

}  // namespace fftprec
