#include "algorithms/costs.hpp"

#include <algorithm>
#include <bit>

namespace fftprec {

namespace {

std::uint64_t blocks(std::uint64_t size, std::uint64_t tile) { return (size + tile - 1) / tile; }

bool rounds_products(const Machine& machine) {
  return machine.product == ProductRounding::bf16_rne ||
         machine.product == ProductRounding::bf16_rz;
}

}  // namespace

Cost operator*(std::uint64_t count, const Cost& cost) {
  return {{count * cost.operations.multiplications, count * cost.operations.additions,
           count * cost.operations.conversions},
          count * cost.mac_count,
          count * cost.matmul_passes};
}

Cost operator+(const Cost& a, const Cost& b) {
  return {{a.operations.multiplications + b.operations.multiplications,
           a.operations.additions + b.operations.additions,
           a.operations.conversions + b.operations.conversions},
          a.mac_count + b.mac_count,
          a.matmul_passes + b.matmul_passes};
}

/// Plain: 4 products, 2 sums. 2Prod: 4 pairs of 7 products and 10 sums, then 6 sums. Split into D
/// data words and T terms: 2 D roundings, 2 (D - 1) residuals; per term 4 products and 4 sums into
/// the accumulator; 2 (T - 1) sums of terms.
Cost product_cost(const Mode& mode, const Machine& machine) {
  if (mode.product == ProductScheme::two_prod) return {{28, 46, 0}, 4, 0};
  if (!is_split(mode)) return {{4, 2, 0}, 4, 0};
  const GemmScheme scheme = gemm_scheme(mode, machine);
  const std::uint64_t words = scheme.data_words;
  const std::uint64_t terms = scheme.terms.size();
  const std::uint64_t product_roundings = rounds_products(machine) ? 4 * terms : 0;
  return {{4 * terms, 2 * (words - 1) + 4 * terms + 2 * (terms - 1), 2 * words + product_roundings},
          4 * terms,
          0};
}

Cost dot_cost(std::uint64_t n, std::uint64_t batch, const Mode& mode, const Machine& machine) {
  return (batch * n * n) * (product_cost(mode, machine) + Cost{{0, 2, 0}, 0, 0});
}

/// (n - 1)^2 products, each added to a sum, and n - 1 sums for the row of ones.
Cost dft_core_cost(std::uint64_t n, std::uint64_t batch, const Mode& mode, const Machine& machine) {
  const Cost sum{{0, 2, 0}, 0, 0};
  return batch * ((n - 1) * (n - 1) * (product_cost(mode, machine) + sum) + (n - 1) * sum);
}

/// One real matmul of every term per part and K-tile: K products and K sums per element, and one
/// sum per tile into a PSUM that is not empty.
Cost gemm_cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows, const Mode& mode,
               const Machine& machine) {
  const GemmScheme scheme = gemm_scheme(mode, machine);
  const std::uint64_t elements = outputs * rows;
  if (scheme.engine == Engine::vector)
    return (elements * depth) * (product_cost(mode, machine) + Cost{{0, 2, 0}, 0, 0});
  const std::uint64_t terms = scheme.terms.size();
  const std::uint64_t products = 4 * terms * elements * depth;
  const bool host = scheme.engine == Engine::host;
  const std::uint64_t matmuls_per_part = 2 * terms * blocks(depth, machine.k_tile);
  const std::uint64_t groups = scheme.evict_each ? terms : 1;
  const bool separate = !host && machine.across_tiles == AcrossTiles::tile_then_add;
  const std::uint64_t into_psum = separate ? 2 * elements * (matmuls_per_part - groups) : 0;
  const std::uint64_t term_sums = scheme.evict_each ? 2 * elements * (terms - 1) : 0;
  const bool rounded = rounds_products(machine) && !scheme.wide_operands && !host;
  const std::uint64_t passes = 4 * terms * blocks(depth, machine.k_tile) *
                               blocks(outputs, machine.m_tile) * blocks(rows, machine.n_tile);
  return {{products, products + into_psum + term_sums, rounded ? products : 0},
          products,
          host ? 0 : passes};
}

Cost gemm_cost(std::uint64_t n, std::uint64_t batch, const Mode& mode, const Machine& machine) {
  return gemm_cost(n, n, batch, mode, machine);
}

}  // namespace fftprec
