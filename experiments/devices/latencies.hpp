/// Measured latencies, and what a kernel call takes by them: the cycle model's only fitted numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/theory/cycle_model.hpp"

namespace fftprec {

/// One measured transform.
struct Latency {
  std::string generation;
  std::string algorithm;
  std::string mode;
  std::uint64_t n = 0;
  std::uint64_t batch = 1;
  double time_us = 0;
  bool fitted = true;
  std::string note{};  ///< why not
};

/// The lines of a CSV file whose header names the columns generation, algorithm, mode, n, batch,
/// time_us, fitted (yes, no) and note; lines that begin with # are comments. Throws InputError
/// "NAME:LINE: ...".
std::vector<Latency> parse_latencies(std::string_view csv, std::string_view name);

/// Those of the trnfft project (trnfft.csv beside this file, with its source).
const std::vector<Latency>& published_latencies();

/// A measured latency beside what the model says of it.
struct LatencyCheck {
  Latency measured;
  double predicted_us;
  double left_out_us;  ///< predicted by a fit to all other rows; predicted_us for a row not fitted

  /// How far left_out_us is off, as a factor >= 1.
  double factor() const;
};

/// Launch times of a generation, fitted by least squares of log(predicted / measured).
struct Calibration {
  std::string_view generation;  ///< whose latencies these are
  LaunchTimes launch{};
  std::vector<LatencyCheck> checks{};  ///< in the order of the latencies, those not fitted included
  double median_factor = 0;            ///< of the fitted rows, each left out of its own fit
  double largest_factor = 0;
};

/// Levenberg-Marquardt in the logarithms of the launch times, from one fixed start. Requires: at
/// least four fitted rows of the generation. Throws InputError for fewer, and for names that are
/// not known.
Calibration calibrate(std::span<const Latency> latencies, std::string_view generation);

/// By the published latencies. trn3 has none and takes the launch times of trn2.
const Calibration& calibration_of(std::string_view generation);

}  // namespace fftprec
