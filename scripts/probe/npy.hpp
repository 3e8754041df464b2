/// Matrices of float32 as .npy files: what `fftprec probe` writes and `fftprec identify` reads.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace fftprec::probe {

static_assert(std::endian::native == std::endian::little);

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values;  ///< row-major
};

inline Matrix read_npy(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto refuse = [&] {
    return std::runtime_error(path + ": no .npy file of a matrix of '<f4'");
  };
  if (bytes.size() < 10 || bytes.compare(0, 7, "\x93NUMPY\x01") != 0) throw refuse();
  const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) +
                            std::size_t{256} * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < start) throw refuse();
  const std::string header = bytes.substr(10, start - 10);
  const std::size_t shape = header.find("'shape': (");
  Matrix matrix;
  if (header.find("'<f4'") == std::string::npos || header.find("False") == std::string::npos ||
      shape == std::string::npos ||
      std::sscanf(header.c_str() + shape, "'shape': (%zu, %zu)", &matrix.rows, &matrix.columns) !=
          2)
    throw refuse();
  const std::size_t count = (bytes.size() - start) / sizeof(float);
  if (matrix.rows == 0 || matrix.columns == 0 || count % matrix.columns != 0 ||
      count / matrix.columns != matrix.rows)
    throw refuse();
  matrix.values.resize(count);
  bytes.copy(reinterpret_cast<char*>(matrix.values.data()), count * sizeof(float), start);
  return matrix;
}

inline void write_npy(const std::string& path, const Matrix& matrix) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) + "), }";
  header.resize(117, ' ');  // the data start at a multiple of 64
  header += '\n';
  std::ofstream out(path, std::ios::binary);
  out << "\x93NUMPY\x01" << '\0' << static_cast<char>(header.size()) << '\0' << header;
  out.write(reinterpret_cast<const char*>(matrix.values.data()),
            static_cast<std::streamsize>(matrix.values.size() * sizeof(float)));
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace fftprec::probe
