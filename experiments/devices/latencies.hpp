/// Published latencies, and the latency of a case: the only microseconds in any
/// output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/case.hpp"

namespace fftprec::devices {

/// One measured transform.
struct Latency {
  std::string hardware;
  std::string algorithm;
  std::string mode;
  std::uint64_t n = 0;
  std::uint64_t batch = 1;
  double time_us = 0;
  std::string note{};  ///< further remarks
};

/// The lines of a CSV file whose header names the columns hardware, algorithm,
/// mode, n, batch, time_us and note; lines that begin with # are comments.
/// Throws InputError "NAME:LINE: ...".
std::vector<Latency> parse_latencies(std::string_view csv, std::string_view name);

/// The latencies of the trnfft project (trnfft.csv beside this file, with its
/// source).
const std::vector<Latency>& published_latencies();

/// Throws InputError for an unknown name, listing the known ones.
void check_hardware(std::string_view name);

/// Whether the machine is a Trainium: latencies and engine cycles are known
/// only for Trainium.
bool is_trainium(std::string_view machine);

struct PublishedTime {
  double us;
  bool interpolated;  ///< between the nearest published lengths, else of this
                      ///< very length
  std::string note;   ///< of the latencies it is computed from
};

/// The published latency of a case on `hardware`; between two published lengths
/// of the algorithm, mode and batch, the straight line in log(time) over
/// log(n). Of two figures for one case the first counts. Empty if nothing is
/// published: beyond the published lengths, for a transform other than fft, and
/// for a machine that is no Trainium.
std::optional<PublishedTime> published_time(const Case& where, std::string_view hardware);

}  // namespace fftprec::devices
