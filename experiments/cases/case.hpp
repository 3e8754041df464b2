/// A case: one point of the grid that a sweep spans. Names are strings here and are looked up once,
/// in the registry.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace fftprec {

/// The axes, in the order of the CSV columns; the defaults are those of an axis not given.
struct Case {
  std::string transform = "fft";
  std::string algorithm = "radix2-dit";
  std::string mode = "fast";
  std::string machine = "trn";
  std::string tables = "exact";
  std::uint64_t n = 1024;   ///< transform length
  std::uint64_t batch = 1;  ///< transforms per call
  std::string input = "gaussian";
  std::uint64_t seed = 1;

  friend auto operator<=>(const Case&, const Case&) = default;  ///< the order of results.csv
};

/// The case as -a options that reproduce it: "-a transform=fft -a algorithm=radix2-dit ...".
std::string command_of(const Case& where);

/// 16 hexadecimal digits: XXH3-64 of command_of. Stable across versions and machines.
std::string case_id(const Case& where);

}  // namespace fftprec
