/// A matrix product cut into the tiles of an instruction, and what runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "instructions.hpp"

namespace fftprec::probe {

/// Raw bits in 32-bit words, the lowest k in the lowest bits. C has one value a word.
struct Tiles {
  std::size_t row_tiles = 0;
  std::size_t column_tiles = 0;
  std::size_t steps = 0;         ///< instructions chained through one accumulator
  std::vector<std::uint32_t> a;  ///< [row_tiles][steps][rows][words]
  std::vector<std::uint32_t> b;  ///< [column_tiles][steps][8][words]
  std::vector<std::uint32_t> c;  ///< [row_tiles][column_tiles][rows][8]
};

/// C + A B, in the layout of c. device.cu runs it on the GPU.
/// Throws: std::runtime_error where the GPU does not have the instruction, or fails.
std::vector<std::uint32_t> run(const Instruction& instruction, const Tiles& tiles);

}  // namespace fftprec::probe
