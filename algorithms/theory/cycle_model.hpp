/// First-order time of a predicted transform on a Trainium core: engines by their cycles, kernel
/// calls by what a call takes.
///
/// Clocks, cycles and DMA rates are the vendor's. What a call takes is not documented beyond "0.7
/// to 1.2 ms": it comes from measured latencies (experiments/devices/latencies).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "algorithms/theory/prediction.hpp"

namespace fftprec {

/// A generation of NeuronCores. Source: AWS Neuron documentation, NKI architecture guides of
/// NeuronCore v2, v3 and v4.
struct Generation {
  std::string_view name;  ///< "trn1"
  std::string_view core;  ///< "NeuronCore v2"
  double tensor_ghz;
  double vector_ghz;
  double dma_bytes_per_ns;  ///< of all 16 engines together
  double dma_start_ns = 1300;
};

/// trn1, trn2 and trn3.
std::span<const Generation> generations();

/// Throws InputError for an unknown name, listing the known ones.
const Generation& generation_named(std::string_view name);

/// What a program on the host waits for beside the work itself.
struct LaunchTimes {
  double chain_ns = 0;   ///< once, where vector calls are among a transform's calls
  double tensor_ns = 0;  ///< per kernel call with a matrix product
  double vector_ns = 0;  ///< per other kernel call
};

struct DeviceTime {
  double tensor_ns = 0;
  double vector_ns = 0;
  double dma_ns = 0;
  double launch_ns = 0;

  /// Nothing overlaps: at most three times too long where one engine could hide behind another.
  double total_ns() const { return tensor_ns + vector_ns + dma_ns + launch_ns; }
};

/// Bytes of a real number of that format in memory: the next power of two.
std::uint64_t storage_bytes(const Format& format);

/// Time of `cost` for `batch` transforms of length n of a mode whose arrays are in `storage`.
///
/// tensor, vector = their cycles (costs.hpp) over their clocks;
/// dma = calls (start + 2 arrays / rate) + tables / rate: every call reads and writes the data.
/// Requires: the mode computes on the device (not on_host), and the cost is of one attempt.
DeviceTime device_time(const Prediction& prediction, std::uint64_t n, std::uint64_t batch,
                       const Format& storage, const Generation& generation,
                       const LaunchTimes& launch);

}  // namespace fftprec
