/// Files of tables as other programs save them, and exact roots to judge them by.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/mpfr_judge.hpp"
#include "tests/support/sample_files.hpp"

namespace fftprec::testing {

using Entries = std::vector<std::complex<double>>;

/// The bytes of a .npy file, "<c8" or "<c16", of that shape.
inline std::string table_bytes(const Entries& entries, const std::string& descr,
                               const std::string& shape) {
  std::string data;
  for (const std::complex<double>& entry : entries)
    for (const double part : {entry.real(), entry.imag()})
      data += descr == "<c8" ? little(static_cast<float>(part)) : little(part);
  return npy_file(npy_header(descr, shape), data);
}

inline std::string vector_bytes(const Entries& entries, const std::string& descr = "<c8") {
  return table_bytes(entries, descr, "(" + std::to_string(entries.size()) + ",)");
}

inline std::string matrix_bytes(const Entries& entries, const std::string& descr = "<c8") {
  const auto n = std::to_string(std::lround(std::sqrt(static_cast<double>(entries.size()))));
  return table_bytes(entries, descr, "(" + n + ", " + n + ")");
}

/// value - exp(-2 pi i exponent/order), by MPFR in 256 bits, each part rounded once.
inline std::complex<double> root_error(std::complex<double> value, std::uint64_t exponent,
                                       std::uint64_t order) {
  auto [cos, sin] = turn(exponent % order, order, 256);
  mpfr_d_sub(cos.get(), value.real(), cos.get(), MPFR_RNDN);
  mpfr_add_d(sin.get(), sin.get(), value.imag(), MPFR_RNDN);
  return {mpfr_get_d(cos.get(), MPFR_RNDN), mpfr_get_d(sin.get(), MPFR_RNDN)};
}

}  // namespace fftprec::testing
