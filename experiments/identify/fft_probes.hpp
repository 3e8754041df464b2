/// What a device's FFT computes, where the device offers no matrix product: inputs for a batched
/// FFT, and which algorithm, mode, tables and machine give the same bits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::identify {

/// The inputs of one length and what the device gave, a transform a row: n impulses, whose
/// transforms are the DFT matrix, then tones, then noise.
struct FftAnswer {
  std::size_t n = 0;
  ComplexArray<double> x{};
  ComplexArray<double> device{};
};

/// DIR/fft.toml names the lengths; DIR/n64/x.npy is complex64, of rows by n. Returns how many bytes
/// these take. Throws InputError for a directory that cannot be written, a length outside 4..1024
/// and one that is there twice.
std::size_t write_fft_probes(const std::filesystem::path& directory,
                             std::span<const std::size_t> lengths);

/// Whether write_fft_probes wrote the directory.
bool holds_fft_probes(const std::filesystem::path& directory);

/// The lengths with an X.npy beside x.npy. Throws InputError, naming the file, for one of another
/// shape or with infinities or NaN, and if there is none.
std::vector<FftAnswer> read_fft_probes(const std::filesystem::path& directory);

/// A case of this program beside the device.
struct FftVariant {
  Case where;                 ///< its algorithm, mode, machine and tables count
  std::vector<Case> alike{};  ///< others of the same algorithm, as far as two rows tell
  std::size_t equal = 0;      ///< parts of outputs
  double distance = 0;        ///< ||device - variant||_2 / ||device||_2
};

/// A table source beside the DFT matrix that the impulses read out.
struct TableReading {
  std::string source;
  std::size_t equal = 0;             ///< entries of which both parts are equal
  std::vector<std::string> alike{};  ///< sources of the same entries
};

struct FftIdentification {
  std::size_t n = 0;
  std::size_t rows = 0;
  int bits = 0;             ///< significant ones that no part of the device's outputs exceeds
  double error = 0;         ///< ||device - exact||_2 / ||exact||_2 of the noise
  std::string suspicion{};  ///< what outputs that are far off may be, or empty
  std::vector<TableReading> tables{};  ///< of n^2 entries; most equal ones first
  std::size_t tried = 0;               ///< variants
  bool fits = false;                   ///< `variants` give all parts of all rows; or are nearest
  std::vector<FftVariant> variants{};
};

FftIdentification identify_fft(const FftAnswer& answer);

}  // namespace fftprec::identify
