/// How matmuls into one PSUM tile follow each other.
#pragma once

namespace fftprec {

/// Where the old PSUM value enters when a matmul accumulates.
enum class AcrossTiles {
  tile_then_add,  ///< psum := fl(psum + tile), the tile summed from zero by itself
  through,        ///< the sum starts from psum: one chain over all tiles
};

}  // namespace fftprec
