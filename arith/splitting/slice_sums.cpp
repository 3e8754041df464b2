#include "arith/splitting/slice_sums.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr double largest_integer = 0x1p20;
constexpr std::size_t most_products = std::size_t{1} << 22;  // sums stay below 2^62

/// value / 2^grid, checked to be an integer.
std::int64_t integer_on_grid(float value, int grid) {
  const double steps = static_cast<double>(value) * power_of_two(-grid);
  const bool small = steps >= -largest_integer && steps <= largest_integer;
  const auto integer = small ? static_cast<std::int64_t>(steps) : 0;
  if (!small || static_cast<double>(integer) != steps)  // no text is made for the many that pass
    throw InputError("first_inexact_psum: " + std::to_string(steps) + " steps of 2^" +
                     std::to_string(grid) + " are no integer up to 2^20");
  return integer;
}

int grid_of(const int* grids, std::size_t index) { return grids == nullptr ? 0 : grids[index]; }

void require_one_chain(std::span<const Matmul<float>> chained) {
  require(!chained.empty(), "first_inexact_psum: no matmul");
  const Matmul<float>& first = chained.front();
  require(!first.accumulate, "first_inexact_psum: the first matmul adds to unknown values");
  std::size_t products = 0;
  for (const Matmul<float>& call : chained) {
    require(call.psum == first.psum && call.psum_stride == first.psum_stride && call.m == first.m &&
                call.n == first.n,
            "first_inexact_psum: the matmuls have different psum tiles");
    require(&call == &first || call.accumulate,
            "first_inexact_psum: a later matmul overwrites the sum");
    products += call.k;
  }
  require(products <= most_products, "first_inexact_psum: more than 2^22 products per element");
}

/// sum(j) += row i of the matmul's exact product, in units of the grids.
void add_exact_row(const Matmul<float>& call, std::size_t i, int stationary_grid,
                   std::span<const std::int64_t> moving, std::vector<std::int64_t>& sum) {
  for (std::size_t k = 0; k < call.k; ++k) {
    const float entry = call.stationary[k * call.stationary_k + i * call.stationary_m];
    const std::int64_t integer = integer_on_grid(entry, stationary_grid);
    const std::int64_t factor = call.negate ? -integer : integer;
    for (std::size_t j = 0; j < call.n; ++j) sum[j] += factor * moving[k * call.n + j];
  }
}

/// update(sum[j], term[j] scaled).
template <class Sum, class Update>
void for_each_term(Sum* sum, const float* term, std::size_t count, double row_unit,
                   const double* units, Update update) {
  if (units == nullptr) {
    for (std::size_t j = 0; j < count; ++j)
      sum[j] = update(sum[j], static_cast<double>(term[j]) * row_unit);
  } else {
    for (std::size_t j = 0; j < count; ++j)
      sum[j] = update(sum[j], static_cast<double>(term[j]) * row_unit * units[j]);
  }
}

}  // namespace

std::optional<InexactPsum> first_inexact_psum(std::span<const Matmul<float>> chained,
                                              const int* stationary_grid, const int* moving_grid) {
  require_one_chain(chained);
  std::vector<std::vector<std::int64_t>> moving;
  for (const Matmul<float>& call : chained) {
    moving.emplace_back(call.k * call.n);
    for (std::size_t k = 0; k < call.k; ++k)
      for (std::size_t j = 0; j < call.n; ++j)
        moving.back()[k * call.n + j] =
            integer_on_grid(call.moving[k * call.moving_stride + j], grid_of(moving_grid, j));
  }
  const Matmul<float>& tile = chained.front();
  std::vector<std::int64_t> exact(tile.n);
  for (std::size_t i = 0; i < tile.m; ++i) {
    const int row_grid = grid_of(stationary_grid, i);
    std::fill(exact.begin(), exact.end(), 0);
    for (std::size_t call = 0; call < chained.size(); ++call)
      add_exact_row(chained[call], i, row_grid, moving[call], exact);
    for (std::size_t j = 0; j < tile.n; ++j) {
      const double psum = static_cast<double>(tile.psum[i * tile.psum_stride + j]) *
                          power_of_two(-row_grid - grid_of(moving_grid, j));
      // Both sides are compared as integers: an exact sum beyond 2^53 is no double.
      const bool small = psum >= -0x1p62 && psum <= 0x1p62;
      const auto integer = small ? static_cast<std::int64_t>(psum) : 0;
      if (!small || integer != exact[j] || static_cast<double>(integer) != psum)
        return InexactPsum{i, j, psum, exact[j]};
    }
  }
  return std::nullopt;
}

void slice_units(const int* exponents, std::size_t free, std::size_t slice, int bits,
                 double* units) {
  for (std::size_t i = 0; i < free; ++i) {
    const int grid = slice_grid(exponents[i], slice, bits);
    units[i] = grid < -1074 ? 0 : power_of_two(grid);
  }
}

void add_term(double* sum, const float* term, std::size_t count, double row_unit,
              const double* units) {
  for_each_term(sum, term, count, row_unit, units, [](double x, double y) { return x + y; });
}

void add_term(FloatPair* sum, const float* term, std::size_t count, double row_unit,
              const double* units) {
  for_each_term(sum, term, count, row_unit, units, [](FloatPair x, double y) {
    const Pair<float> high = two_sum(x.high, static_cast<float>(y));
    const Pair<float> both = fast_two_sum(high.high, x.low + high.low);
    return FloatPair{both.high, both.low};
  });
}

void add_term(float* sum, const float* term, std::size_t count, double row_unit,
              const double* units) {
  for_each_term(sum, term, count, row_unit, units,
                [](float x, double y) { return x + static_cast<float>(y); });
}

void add_term_in_fp32(double* sum, const float* term, std::size_t count, double row_unit,
                      const double* units) {
  for_each_term(sum, term, count, row_unit, units, [](double x, double y) {
    return static_cast<double>(static_cast<float>(x) + static_cast<float>(y));
  });
}

}  // namespace fftprec
