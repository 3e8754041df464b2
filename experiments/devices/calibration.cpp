#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "arith/support/error.hpp"
#include "experiments/devices/case_time.hpp"
#include "experiments/devices/latencies.hpp"

namespace fftprec {

namespace {

/// time = fixed + launch times . counts, in microseconds.
struct Observation {
  Eigen::Vector3d counts;  ///< of LaunchTimes' fields
  double fixed_us;         ///< engines and DMA
  double measured_us;

  double predicted_us(const Eigen::Vector3d& launch_us) const {
    return fixed_us + counts.dot(launch_us);
  }
};

Observation observed(const Latency& latency, const Generation& generation) {
  const Case where{
      .algorithm = latency.algorithm, .mode = latency.mode, .n = latency.n, .batch = latency.batch};
  const Resolved resolved = resolve(where);
  const auto launched = [&](const LaunchTimes& launch) {
    return case_time(where, resolved, generation, launch).launch_ns;
  };
  const DeviceTime idle = case_time(where, resolved, generation, {});
  return {{launched({.chain_ns = 1}), launched({.tensor_ns = 1}), launched({.vector_ns = 1})},
          idle.total_ns() / 1e3,
          latency.time_us};
}

/// Minimises sum log^2(predicted / measured) over the exponentials of three numbers, so that no
/// launch time is negative.
/// Source: Marquardt, SIAM J. Appl. Math. 11 (1963), 431-441.
Eigen::Vector3d fitted(std::span<const Observation> rows) {
  constexpr int iterations = 200;
  constexpr double start_us = 500;
  Eigen::Vector3d logs = Eigen::Vector3d::Constant(std::log(start_us));
  const auto residuals = [rows](const Eigen::Vector3d& at) {
    Eigen::VectorXd result(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      result[static_cast<Eigen::Index>(i)] =
          std::log(rows[i].predicted_us(at.array().exp()) / rows[i].measured_us);
    return result;
  };
  Eigen::VectorXd residual = residuals(logs);
  double damping = 1e-2;
  for (int i = 0; i < iterations; ++i) {
    const Eigen::Vector3d times = logs.array().exp();
    Eigen::MatrixX3d jacobian(residual.size(), 3);
    for (Eigen::Index row = 0; row < residual.size(); ++row) {
      const Observation& at = rows[static_cast<std::size_t>(row)];
      jacobian.row(row) = at.counts.cwiseProduct(times).transpose() / at.predicted_us(times);
    }
    Eigen::Matrix3d normal = jacobian.transpose() * jacobian;
    normal.diagonal().array() += damping;
    const Eigen::Vector3d next = logs - normal.ldlt().solve(jacobian.transpose() * residual);
    const Eigen::VectorXd moved = residuals(next);
    const bool better = moved.squaredNorm() < residual.squaredNorm();
    damping *= better ? 0.25 : 4;
    if (!better) continue;
    logs = next;
    residual = moved;
  }
  return logs.array().exp();
}

}  // namespace

double LatencyCheck::factor() const {
  return std::max(left_out_us / measured.time_us, measured.time_us / left_out_us);
}

Calibration calibrate(std::span<const Latency> latencies, std::string_view name) {
  const Generation& generation = generation_named(name);
  Calibration result{.generation = generation.name};
  std::vector<Observation> rows;
  std::vector<Observation> all;
  for (const Latency& latency : latencies) {
    if (latency.generation != generation.name) continue;
    all.push_back(observed(latency, generation));
    if (latency.fitted) rows.push_back(all.back());
    result.checks.push_back({latency, 0, 0});
  }
  require(rows.size() >= 4, "calibrate: " + std::string(name) + " has " +
                                std::to_string(rows.size()) + " latencies to fit; 4 are needed");
  const Eigen::Vector3d launch_us = fitted(rows);
  result.launch = {1e3 * launch_us[0], 1e3 * launch_us[1], 1e3 * launch_us[2]};
  std::vector<double> factors;
  std::size_t row = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LatencyCheck& check = result.checks[i];
    check.predicted_us = check.left_out_us = all[i].predicted_us(launch_us);
    if (!check.measured.fitted) continue;
    std::vector<Observation> others = rows;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(row++));
    check.left_out_us = all[i].predicted_us(fitted(others));
    factors.push_back(check.factor());
  }
  std::sort(factors.begin(), factors.end());
  const std::size_t half = factors.size() / 2;
  result.median_factor = (factors[half] + factors[factors.size() - 1 - half]) / 2;
  result.largest_factor = factors.back();
  return result;
}

const Calibration& calibration_of(std::string_view generation) {
  static const Calibration trn1 = calibrate(published_latencies(), "trn1");
  static const Calibration trn2 = calibrate(published_latencies(), "trn2");
  return generation_named(generation).name == "trn1" ? trn1 : trn2;
}

}  // namespace fftprec
