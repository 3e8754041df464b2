#include "arith/splitting/residues.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// a * 2^shift rounded (rne) to an integer. Requires: the result is at most 2^60.
std::int64_t scaled_integer(double a, int shift) {
  // In two steps: the first is exact, for a group's exponent is that of its largest entry, or loses
  // what is far below one half.
  const int first = std::clamp(shift, -1000, 1000);
  const double scaled = a * power_of_two(first) * power_of_two(shift - first);
  const double size = scaled < 0 ? -scaled : scaled;
  const double integer = size < 0x1p52 ? (size + 0x1p52) - 0x1p52 : size;
  return static_cast<std::int64_t>(scaled < 0 ? -integer : integer);
}

/// Symmetric residues modulo the l-th modulus, known at compile time: no division.
template <std::size_t l>
void take_residues(const std::int64_t* integers, std::size_t count, std::int8_t* out) {
  constexpr int modulus = residue_moduli[l];
  for (std::size_t i = 0; i < count; ++i) {
    int residue = static_cast<int>(integers[i] % modulus);
    residue -= residue > (modulus - 1) / 2 ? modulus : 0;
    residue += residue < -(modulus / 2) ? modulus : 0;
    out[i] = static_cast<std::int8_t>(residue);
  }
}

using TakeResidues = void (*)(const std::int64_t*, std::size_t, std::int8_t*);
constexpr auto take_residues_modulo = []<std::size_t... l>(std::index_sequence<l...>) {
  return std::array<TakeResidues, sizeof...(l)>{take_residues<l>...};
}
(std::make_index_sequence<most_moduli>());

constexpr std::size_t tile_rows = 2;
constexpr std::size_t tile_cols = 256;

/// Sums of one tile of the product, below 2^31.
struct TileSums {
  std::array<std::array<std::int32_t, tile_cols>, tile_rows> re;
  std::array<std::array<std::int32_t, tile_cols>, tile_rows> im;
};

/// One step of k: `rows` rows of data times one row of the table. `count` is tile_cols or the rest.
inline void add_outer_product(const std::int8_t* x_re, const std::int8_t* x_im, std::size_t rows,
                              const std::int8_t* w_re, const std::int8_t* w_im, std::size_t count,
                              TileSums& sums) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int16_t a = x_re[row];
    const std::int16_t b = x_im[row];
    std::int32_t* __restrict re = sums.re[row].data();
    std::int32_t* __restrict im = sums.im[row].data();
    for (std::size_t j = 0; j < count; ++j) {
      const std::int16_t c = w_re[j];
      const std::int16_t d = w_im[j];
      re[j] += a * c - b * d;
      im[j] += a * d + b * c;
    }
  }
}

void require_determined(const ResidueMatrix& data, const ResidueMatrix& factor) {
  require(data.depth() == factor.depth() && data.moduli() == factor.moduli(),
          "multiply: data has depth ", data.depth(), " and ", data.moduli(), " moduli, factor ",
          factor.depth(), " and ", factor.moduli());
  const std::size_t products = 2 * data.depth();
  require(products < std::size_t{1} << 17, "multiply: ", products,
          " products of int8 exceed an int32 accumulator");
  const int bits = data.bits() + factor.bits();
  require(bits < 127 && (modulus_product(data.moduli()) - 1) >> bits >= 2 * products,
          "multiply: ", data.moduli(), " moduli do not determine a sum of ", products,
          " products of ", data.bits(), " and ", factor.bits(), " bits");
}

double worth(Int128 integer, int data_exponent, int factor_exponent) {
  if (data_exponent == no_exponent || factor_exponent == no_exponent)
    return std::numeric_limits<double>::quiet_NaN();
  return round_scaled(integer, data_exponent + factor_exponent);
}

/// The product by tiles; all results are exact until the last rounding, so their order is free.
void multiply_tiles(const ResidueMatrix& outer, const ResidueMatrix& inner, double* out_re,
                    double* out_im, std::size_t row_step, std::size_t col_step) {
  const ChineseRemainder remainder(outer.moduli());
  TileSums sums;
  // Coefficients of the tile: [re, im][modulus][row][column].
  const std::size_t tile = tile_rows * tile_cols;
  const std::size_t part = outer.moduli() * tile;
  std::vector<std::uint8_t> coefficients(2 * part);
  for (std::size_t j0 = 0; j0 < inner.free(); j0 += tile_cols) {
    const std::size_t cols = std::min(tile_cols, inner.free() - j0);
    for (std::size_t i0 = 0; i0 < outer.free(); i0 += tile_rows) {
      const std::size_t rows = std::min(tile_rows, outer.free() - i0);
      for (std::size_t l = 0; l < outer.moduli(); ++l) {
        sums = {};
        for (std::size_t k = 0; k < outer.depth(); ++k) {
          const std::size_t x = k * outer.free() + i0;
          const std::size_t w = k * inner.free() + j0;
          add_outer_product(outer.re(l) + x, outer.im(l) + x, rows, inner.re(l) + w,
                            inner.im(l) + w, cols, sums);
        }
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t j = 0; j < cols; ++j) {
            const std::size_t at = l * tile + row * tile_cols + j;
            coefficients[at] = remainder.coefficient(l, sums.re[row][j]);
            coefficients[part + at] = remainder.coefficient(l, sums.im[row][j]);
          }
      }
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t j = 0; j < cols; ++j) {
          const std::uint8_t* re = coefficients.data() + row * tile_cols + j;
          const std::size_t out = (i0 + row) * row_step + (j0 + j) * col_step;
          const int row_exponent = outer.unit_exponent(i0 + row);
          const int col_exponent = inner.unit_exponent(j0 + j);
          out_re[out] = worth(remainder.integer(re, tile), row_exponent, col_exponent);
          out_im[out] = worth(remainder.integer(re + part, tile), row_exponent, col_exponent);
        }
    }
  }
}

}  // namespace

int residue_bits(std::size_t depth, std::size_t moduli) {
  int bits = 60;
  while (bits > 0 && (modulus_product(moduli) - 1) >> (2 * bits) < 4 * static_cast<Uint128>(depth))
    --bits;
  return bits;
}

ResidueMatrix::ResidueMatrix(const SliceSource& source, std::size_t depth, std::size_t free,
                             std::size_t moduli, int bits)
    : depth_(depth), free_(free), moduli_(moduli), bits_(bits), unit_exponents_(free) {
  require(moduli >= 1 && moduli <= most_moduli, "ResidueMatrix: ", moduli, " moduli, not 1 to 15");
  require(bits >= 1 && bits <= 60, "ResidueMatrix: ", bits, " bits, not 1 to 60");
  group_exponents(source, depth, free, unit_exponents_.data());
  for (int& exponent : unit_exponents_) exponent -= exponent == no_exponent ? 0 : bits;

  std::vector<std::int64_t> integers(free);
  for (const bool imaginary : {false, true}) {
    const double* in = imaginary ? source.im : source.re;
    AlignedVector<std::int8_t>& out = imaginary ? im_ : re_;
    out.resize(moduli * depth * free);
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t i = 0; i < free; ++i)
        integers[i] =
            unit_exponents_[i] == no_exponent
                ? 0
                : scaled_integer(in[k * source.k_step + i * source.free_step], -unit_exponents_[i]);
      for (std::size_t l = 0; l < moduli; ++l)
        take_residues_modulo[l](integers.data(), free, out.data() + (l * depth + k) * free);
    }
  }
}

void multiply(const ResidueMatrix& data, const ResidueMatrix& factor, double* out_re,
              double* out_im, std::size_t row_step, std::size_t col_step) {
  require_determined(data, factor);
  // Complex products commute: the longer side goes into the inner loop.
  if (data.free() <= factor.free())
    multiply_tiles(data, factor, out_re, out_im, row_step, col_step);
  else
    multiply_tiles(factor, data, out_re, out_im, col_step, row_step);
}

}  // namespace fftprec
