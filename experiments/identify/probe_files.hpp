/// Probes as files: DIR/probes.toml says what there is; DIR/NAME/A.npy, B.npy and, in batches with
/// a C, C.npy are what to multiply, and DIR/NAME/D.npy is the device's answer.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/identify/identify.hpp"

namespace fftprec::identify {

/// Writes the batches of `options`; returns how many bytes they take. Throws as probe_batches, and
/// InputError for a directory that cannot be written.
std::size_t write_probes(const std::filesystem::path& directory, const ProbeOptions& options);

/// The probes of a directory.
struct ProbeFiles {
  Operands operands{};
  std::vector<Answer> answers{};    ///< batches with a D.npy
  std::vector<Batch> unanswered{};  ///< batches without one
};

/// Throws InputError, naming the file, for a directory without probes.toml, a manifest or an array
/// that is not what it should be (dtype, shape, values that are no operands), and if there is no
/// D.npy at all.
ProbeFiles read_probes(const std::filesystem::path& directory);

}  // namespace fftprec::identify
