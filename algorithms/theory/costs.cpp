#include "algorithms/theory/costs.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "algorithms/theory/schemes.hpp"

namespace fftprec {

namespace {

std::uint64_t blocks(std::uint64_t size, std::uint64_t tile) { return (size + tile - 1) / tile; }

/// The sizes into which tiles cut `size`, each with how often it occurs.
struct Tiling {
  std::uint64_t size;
  std::uint64_t count;
};
std::array<Tiling, 2> tilings(std::uint64_t size, std::uint64_t tile) {
  return {{{tile, size / tile}, {size % tile, size % tile == 0 ? 0u : 1u}}};
}

constexpr std::uint64_t shortest_instruction = 64;

/// One real matmul of K <= k_tile over all its tiles, and one copy of its result out of PSUM.
EngineCycles matmul_cycles(std::uint64_t outputs, std::uint64_t rows, const Machine& machine) {
  EngineCycles cycles;
  for (const Tiling& m : tilings(outputs, machine.m_tile))
    for (const Tiling& n : tilings(rows, machine.n_tile)) {
      const std::uint64_t count = m.count * n.count;
      cycles.tensor += count * std::max(std::min(shortest_instruction, m.size), n.size);
      cycles.vector += count * std::max(shortest_instruction, n.size);
    }
  return cycles;
}

}  // namespace

Cost on_vector_engine(Cost cost, std::uint64_t width) {
  constexpr std::uint64_t lanes = 128;
  const OperationCounts& all = cost.operations;
  const std::uint64_t operations = all.multiplications + all.additions + all.conversions;
  if (operations == 0) return cost;
  const std::uint64_t elements = blocks(width, lanes);
  cost.cycles.vector = operations * std::max(shortest_instruction, 2 * elements) / width;
  return cost;
}

/// Pairs: DWTimesDW1 and AccurateDWPlusDW (arith/formats/double_word.hpp).
Cost scaling_cost(const ArithmeticSpec& arithmetic) {
  return arithmetic.type() == ArithmeticType::pairs ? Cost{{9, 15, 0}, 0, 0}
                                                    : Cost{{1, 0, 0}, 0, 0};
}
Cost sum_cost(const ArithmeticSpec& arithmetic) {
  return {{0, arithmetic.type() == ArithmeticType::pairs ? 20u : 1u, 0}, 0, 0};
}

namespace {

/// `elements` sums of `depth` products each.
Cost sums_of_products_cost(std::uint64_t elements, std::uint64_t depth,
                           const ArithmeticSpec& arithmetic) {
  const SumCost cost = theory_of(arithmetic.product()).sum_cost(arithmetic);
  return on_vector_engine(elements * (depth * cost.step + cost.total), elements);
}

}  // namespace

Cost dot_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic) {
  return sums_of_products_cost(batch * n, n, arithmetic);
}

/// (n - 1)^2 products, each added to a sum, and n - 1 sums for the row of ones.
Cost dft_core_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic,
                   std::uint64_t calls) {
  const std::uint64_t elements = batch * (n - 1);
  return sums_of_products_cost(elements, n - 1, arithmetic) +
         on_vector_engine(
             (elements * (calls - 1)) * theory_of(arithmetic.product()).sum_cost(arithmetic).total +
                 (2 * elements) * sum_cost(arithmetic),
             elements);
}

/// One real matmul of every term per part and K-tile: K products and K sums per element, and one
/// sum per tile into a PSUM that is not empty. Terms, and K-tiles that leave PSUM by themselves,
/// are summed outside. Of residues every modulus is a term, and nothing is summed. Cutting operands
/// into words is not counted.
Cost gemm_cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows,
               const ArithmeticSpec& arithmetic) {
  const Machine& machine = arithmetic.machine();
  const GemmScheme& scheme = arithmetic.matrices();
  const std::uint64_t elements = outputs * rows;
  if (scheme.engine() == Engine::vector) return sums_of_products_cost(elements, depth, arithmetic);
  const bool host = scheme.engine() == Engine::host;
  const bool integer = scheme.engine() == Engine::integer;
  const std::uint64_t terms = integer ? scheme.moduli() : scheme.terms().size();
  const std::uint64_t matmuls = terms * (host || integer ? 1 : phases(machine.fidelity));
  const std::uint64_t products = 4 * matmuls * elements * depth;
  const std::uint64_t tiles = blocks(depth, machine.k_tile);
  const std::uint64_t matmuls_per_part = 2 * matmuls * tiles;
  const bool evicted = scheme.evict_each();
  const std::uint64_t evictions = evicted ? terms * (scheme.evict_tiles() ? tiles : 1) : 1;
  const bool separate = !host && !integer && machine.across_tiles == AcrossTiles::tile_then_add;
  const std::uint64_t into_psum = separate ? 2 * elements * (matmuls_per_part - evictions) : 0;
  const std::uint64_t term_sums = evicted ? 2 * elements * (evictions - 1) : 0;
  const bool rounded = product_roundoff(scheme) > 0 && !host && !integer;
  const std::uint64_t passes =
      4 * matmuls * tiles * blocks(outputs, machine.m_tile) * blocks(rows, machine.n_tile);
  Cost cost{{products, products + into_psum + term_sums, rounded ? products : 0},
            products,
            host ? 0 : passes};
  if (host) return cost;
  const EngineCycles once = matmul_cycles(outputs, rows, machine);
  cost.cycles = {4 * matmuls * tiles * once.tensor,
                 2 * evictions * once.vector +
                     on_vector_engine({{0, term_sums, 0}, 0, 0}, 2 * elements).cycles.vector};
  return cost;
}

Cost gemm_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic) {
  return gemm_cost(n, n, batch, arithmetic);
}

}  // namespace fftprec
