#include "algorithms/arithmetic/tensor_product.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/cast.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

/// Fills every PSUM tile of out, one after the other; all terms accumulate into the same tile.
void TensorProduct::run(View<float> out, const WordPlanes& stationary, const WordPlanes& moving,
                        bool data_moves, Depth depth, std::span<const SplitTerm> terms,
                        std::uint64_t step) const {
  Matmul<float> call{};
  call.stationary_k = stationary.k_step;
  call.stationary_m = stationary.free_step;
  call.moving_stride = moving.k_step;
  call.psum_stride = out.stride;
  call.data_moves = data_moves;
  const std::size_t end = depth.first + depth.count;
  // Apart from the steps of casts, which count from 0.
  std::uint64_t write = (step + 1) << 32;
  for (std::size_t row = 0; row < out.rows; row += machine_.m_tile)
    for (std::size_t col = 0; col < out.cols; col += machine_.n_tile)
      for (std::size_t k = depth.first; k < end; k += machine_.k_tile) {
        call.m = std::min(machine_.m_tile, out.rows - row);
        call.n = std::min(machine_.n_tile, out.cols - col);
        call.k = std::min(machine_.k_tile, end - k);
        // `data` and `factor` name the part of x and of w; negating either gives the same product.
        using Part = const float* WordPlanes::*;
        const auto real_matmul = [&](Part data, Part factor, bool negate, float* psum, bool first) {
          call.negate = negate;
          call.psum = psum + row * out.stride + col;
          call.element = row * out.stride + col;
          for (const SplitTerm& term : terms) {
            const std::size_t still = data_moves ? term.factor : term.data;
            const std::size_t moved = data_moves ? term.data : term.factor;
            call.stationary = stationary.*(data_moves ? factor : data) + still * stationary.plane +
                              row * stationary.free_step + k * stationary.k_step;
            call.moving = moving.*(data_moves ? data : factor) + moved * moving.plane +
                          k * moving.k_step + col;
            call.step = write++;
            call.accumulate = !first || &term != terms.data();
            unit_.matmul(call);
          }
        };
        const bool first = k == depth.first && !depth.onto;
        const bool alone = first && !depth.real;
        if (depth.real) real_matmul(&WordPlanes::re, &WordPlanes::re, false, out.re, first);
        if (depth.imaginary) real_matmul(&WordPlanes::im, &WordPlanes::im, true, out.re, alone);
        if (depth.real) real_matmul(&WordPlanes::re, &WordPlanes::im, false, out.im, first);
        if (depth.imaginary) real_matmul(&WordPlanes::im, &WordPlanes::re, false, out.im, alone);
      }
  if (machine_.eviction != fp32) round_rows(out, machine_.eviction, cast_of(machine_, write), isa_);
}

std::vector<TensorProduct::Depth> stretches(const ResolvedArithmetic& arithmetic,
                                            std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const std::size_t length = gemm.evict_tiles ? arithmetic.machine.k_tile : depth;
  const bool apart =
      gemm.data.kind == WordKind::slices && slice_bits(arithmetic, depth).chained == 1;
  std::vector<TensorProduct::Depth> all;
  for (std::size_t first = 0; first < depth; first += length) {
    const std::size_t count = std::min(length, depth - first);
    all.push_back({first, count, true, !apart});
    if (apart) all.push_back({first, count, false, true});
  }
  return all;
}

std::optional<std::string> inexact_psum(View<float> out, const WordPlanes& stationary,
                                        const WordPlanes& moving, bool data_moves,
                                        TensorProduct::Depth depth, SplitTerm term) {
  const std::size_t still = data_moves ? term.factor : term.data;
  const std::size_t moved = data_moves ? term.data : term.factor;
  using Part = const float* WordPlanes::*;
  const auto matmul = [&](Part data, Part factor, bool negate, float* psum, bool first) {
    Matmul<float> call{};
    call.stationary = stationary.*(data_moves ? factor : data) + still * stationary.plane +
                      depth.first * stationary.k_step;
    call.stationary_k = stationary.k_step;
    call.stationary_m = stationary.free_step;
    call.moving =
        moving.*(data_moves ? data : factor) + moved * moving.plane + depth.first * moving.k_step;
    call.moving_stride = moving.k_step;
    call.psum = psum;
    call.psum_stride = out.stride;
    call.m = out.rows;
    call.n = out.cols;
    call.k = depth.count;
    call.negate = negate;
    call.accumulate = !first;
    return call;
  };
  std::vector<Matmul<float>> re, im;
  if (depth.real) {
    re.push_back(matmul(&WordPlanes::re, &WordPlanes::re, false, out.re, true));
    im.push_back(matmul(&WordPlanes::re, &WordPlanes::im, false, out.im, true));
  }
  if (depth.imaginary) {
    re.push_back(matmul(&WordPlanes::im, &WordPlanes::im, true, out.re, re.empty()));
    im.push_back(matmul(&WordPlanes::im, &WordPlanes::re, false, out.im, im.empty()));
  }
  for (const auto& [chained, part] : {std::pair{&re, "re"}, std::pair{&im, "im"}})
    if (const auto wrong = first_inexact_psum(*chained))
      return "PSUM " + std::string(part) + "(" + std::to_string(wrong->row) + ", " +
             std::to_string(wrong->col) + ") of slices " + std::to_string(term.factor) + " and " +
             std::to_string(term.data) + " holds " + std::to_string(wrong->psum) + ", exact is " +
             std::to_string(wrong->exact);
  return std::nullopt;
}

}  // namespace fftprec
