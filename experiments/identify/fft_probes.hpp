/// Inputs for a program that only offers an FFT, and the files that hold them and its answers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "arith/formats/complex_array.hpp"

namespace fftprec::identify {

inline constexpr std::size_t longest_probe = 4096;
inline constexpr std::size_t noise_rows = 4;  ///< the last ones

/// The inputs of one length and the device's outputs, one transform per row: impulses, whose
/// transforms are rows of the DFT matrix, then pairs of a large and a small number, tones and
/// noise.
struct FftAnswer {
  std::size_t n = 0;
  ComplexArray<double> x{};
  ComplexArray<double> device{};

  std::size_t rows() const { return x.size() / n; }
};

/// Up to this length there is an impulse at every index; beyond it at 0, at the powers of the prime
/// factors and beside them, near n/2 and n, and at some others.
inline constexpr std::size_t longest_with_all_impulses = 256;

/// The inputs of n points, row by row; each is a value of fp32. Throws InputError for a length
/// outside 4..longest_probe.
ComplexArray<double> fft_probe_rows(std::size_t n);

/// DIR/fft.toml names the lengths; DIR/n64/x.npy is complex64, rows by n. Returns their size in
/// bytes. Throws InputError for a directory that cannot be written, a length outside
/// 4..longest_probe and a repeated length.
std::size_t write_fft_probes(const std::filesystem::path& directory,
                             std::span<const std::size_t> lengths);

/// Whether write_fft_probes wrote the directory.
bool holds_fft_probes(const std::filesystem::path& directory);

/// The lengths with an X.npy beside x.npy, ascending. Any rows will do if the last are noise.
/// Throws InputError, naming the file, for a file of another shape or with infinities or NaN, and
/// if there is no X.npy.
std::vector<FftAnswer> read_fft_probes(const std::filesystem::path& directory);

}  // namespace fftprec::identify
