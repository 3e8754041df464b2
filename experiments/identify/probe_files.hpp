/// Probes as files: DIR/probes.toml lists the batches; DIR/NAME/A.npy, B.npy and, in batches with a
/// C, C.npy are the operands, and DIR/NAME/D.npy is the device's answer.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/identify/identify.hpp"

namespace fftprec::identify {

/// Writes the batches of `options`; returns their size in bytes. Throws as probe_batches does, and
/// InputError for a directory that cannot be written.
std::size_t write_probes(const std::filesystem::path& directory, const ProbeOptions& options);

/// The probes of a directory.
struct ProbeFiles {
  Operands operands{};
  std::vector<Answer> answers{};    ///< batches with a D.npy
  std::vector<Batch> unanswered{};  ///< batches without one
};

/// Throws InputError, naming the file, for a directory without probes.toml, a manifest or an array
/// with a wrong dtype or shape, or with values that are not operands, and if there is no D.npy at
/// all.
ProbeFiles read_probes(const std::filesystem::path& directory);

}  // namespace fftprec::identify
