/// Identifies a device that only offers an FFT: inputs for a batched FFT, and the algorithm, mode,
/// tables and machine that give equal bits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::identify {

/// The inputs of one length and the device's outputs, one transform per row: n impulses, whose
/// transforms are the DFT matrix, then tones, then noise.
struct FftAnswer {
  std::size_t n = 0;
  ComplexArray<double> x{};
  ComplexArray<double> device{};
};

/// DIR/fft.toml names the lengths; DIR/n64/x.npy is complex64, rows by n. Returns their size in
/// bytes. Throws InputError for a directory that cannot be written, a length outside 4..1024 and a
/// repeated length.
std::size_t write_fft_probes(const std::filesystem::path& directory,
                             std::span<const std::size_t> lengths);

/// Whether write_fft_probes wrote the directory.
bool holds_fft_probes(const std::filesystem::path& directory);

/// The lengths with an X.npy beside x.npy. Throws InputError, naming the file, for a file of
/// another shape or with infinities or NaN, and if there is no X.npy.
std::vector<FftAnswer> read_fft_probes(const std::filesystem::path& directory);

/// A case of this program compared with the device.
struct FftVariant {
  Case where;                 ///< its algorithm, mode, machine and tables count
  std::vector<Case> alike{};  ///< cases of equal algorithm, judged by two rows
  std::size_t equal = 0;      ///< parts of outputs
  double distance = 0;        ///< ||device - variant||_2 / ||device||_2
};

/// A table source compared with the DFT matrix that the impulses reveal.
struct TableReading {
  std::string source;
  std::size_t equal = 0;             ///< entries with both parts equal
  std::vector<std::string> alike{};  ///< sources with equal entries
};

struct FftIdentification {
  std::size_t n = 0;
  std::size_t rows = 0;
  int bits = 0;             ///< most significant bits of the parts of the device's outputs
  double error = 0;         ///< ||device - exact||_2 / ||exact||_2 of the noise
  std::string suspicion{};  ///< the likely cause if outputs are far off, or empty
  std::vector<TableReading> tables{};  ///< of n^2 entries; most equal ones first
  std::size_t tried = 0;               ///< variants
  bool fits = false;  ///< true: `variants` give all parts of all rows; else they are the nearest
  std::vector<FftVariant> variants{};
};

FftIdentification identify_fft(const FftAnswer& answer);

}  // namespace fftprec::identify
