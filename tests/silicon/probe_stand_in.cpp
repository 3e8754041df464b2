/// The model of Hopper in the place of the GPU, for the test of scripts/probe.
#include "scripts/probe/tiles.hpp"
#include "tests/silicon/hopper_model.hpp"

namespace fftprec::probe {

std::vector<std::uint32_t> run(const Instruction& what, const Tiles& tiles) {
  const hopper::Instruction instruction(what);
  const auto rows = static_cast<std::size_t>(what.rows());
  const auto words = static_cast<std::size_t>(what.words());
  const int bits = what.a.storage_bits;
  const auto operands = [&](const std::vector<std::uint32_t>& from, std::size_t vector) {
    std::vector<std::uint32_t> result;
    for (std::size_t word = 0; word < words; ++word)
      for (int first = 0; first < 32; first += bits)
        result.push_back(from[vector * words + word] >> first & (~0u >> (32 - bits)));
    return result;
  };
  std::vector<std::uint32_t> d = tiles.c;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const std::size_t tile = i / (rows * tile_columns);
    const std::size_t row_tile = tile / tiles.column_tiles;
    const std::size_t column_tile = tile % tiles.column_tiles;
    for (std::size_t step = 0; step < tiles.steps; ++step)
      d[i] = hopper::run_model(
          instruction,
          operands(tiles.a, (row_tile * tiles.steps + step) * rows + i / tile_columns % rows),
          operands(tiles.b, (column_tile * tiles.steps + step) * tile_columns + i % tile_columns),
          d[i]);
  }
  return d;
}

}  // namespace fftprec::probe
