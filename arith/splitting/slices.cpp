#include "arith/splitting/slices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::size_t line_length = 256;
constexpr std::size_t lanes = 8;  // partial maxima: one chain would wait for itself

/// The largest magnitude seen, and 0 or NaN: NaN as soon as a NaN or an infinity went by, which
/// comparisons alone would lose.
template <std::size_t width>
struct Largest {
  std::array<double, width> magnitude{};
  std::array<double, width> poison{};

  /// Takes in x[0 .. count), x[i] by lane i. Requires: count <= width.
  void take(const double* x, std::size_t step, std::size_t count) {
    if (step == 1) {
      for (std::size_t i = 0; i < count; ++i) take_one(x[i], i);
    } else {
      for (std::size_t i = 0; i < count; ++i) take_one(x[i * step], i);
    }
  }
  void take_one(double x, std::size_t lane) {
    const double size = x < 0 ? -x : x;
    magnitude[lane] = size > magnitude[lane] ? size : magnitude[lane];
    poison[lane] += x * 0;
  }
};

/// The exponent of the smallest power of two >= magnitude.
int exponent_above(double magnitude, double poison) {
  if (poison != 0) return no_exponent;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  if (bits == 0) return 0;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int field = static_cast<int>(bits >> 52);
  if (field == 0) return static_cast<int>(std::bit_width(bits - 1)) - 1074;
  return field - 1023 + (fraction != 0 ? 1 : 0);
}

/// How one slice of one group is cut off a rest r: q = (r + aligner) - aligner, whose last place
/// the aligner 1.5 * 2^(52 + grid) puts at the grid (Rump's and Ozaki's extraction), is worth
/// q * unit in the slice.
struct SliceCut {
  double aligner;
  double unit;
};

/// The numbers with which a group is cut. Its entries are first scaled (exactly, as far as any
/// slice sees them) to lie in [-1, 1] or near, so that neither aligner nor rest can leave the range
/// of double.
struct Group {
  double scale;
  int scaled_exponent;  ///< E of the scaled entries

  explicit Group(int exponent)
      : scale(power_of_two(std::min(-exponent, 1023))),
        scaled_exponent(exponent + std::min(-exponent, 1023)) {}

  SliceCut cut(std::size_t slice, int bits) const {
    const int grid = slice_grid(scaled_exponent, slice, bits);
    return {1.5 * power_of_two(52 + grid), power_of_two(-grid)};
  }
};

constexpr SliceCut cut_to_nan{std::numeric_limits<double>::quiet_NaN(), 1};

/// Entries of one line: `scale`, `aligner` and `unit` are one number for all (along k) or one per
/// entry (along the free index).
template <bool one_group>
void load_line(const double* in, std::size_t step, std::size_t count, const double* scale,
               double* __restrict rest) {
  if (step == 1) {
    for (std::size_t i = 0; i < count; ++i) rest[i] = in[i] * scale[one_group ? 0 : i];
  } else {
    for (std::size_t i = 0; i < count; ++i) rest[i] = in[i * step] * scale[one_group ? 0 : i];
  }
}

template <bool one_group>
void cut_line(double* __restrict rest, std::size_t count, const double* __restrict aligner,
              const double* __restrict unit, float* __restrict slice) {
  for (std::size_t i = 0; i < count; ++i) {
    const double align = aligner[one_group ? 0 : i];
    const double cut = (rest[i] + align) - align;
    slice[i] = static_cast<float>(cut * unit[one_group ? 0 : i]);
    rest[i] -= cut;
  }
}

/// The groups first .. first + size of a matrix, ready to be cut; size is 1 or at most line_length.
class GroupCuts {
 public:
  GroupCuts(const int* exponents, std::size_t size, std::size_t count, int bits)
      : scale_(size), aligner_(count * size), unit_(count * size), size_(size) {
    for (std::size_t i = 0; i < size; ++i) {
      const bool finite = exponents[i] != no_exponent;
      const Group group(finite ? exponents[i] : 0);
      scale_[i] = group.scale;
      for (std::size_t s = 0; s < count; ++s) {
        const SliceCut cut = finite ? group.cut(s, bits) : cut_to_nan;
        aligner_[s * size + i] = cut.aligner;
        unit_[s * size + i] = cut.unit;
      }
    }
  }

  /// One line of `length` entries, slice s to out + s * plane.
  template <bool one_group>
  void cut(const double* in, std::size_t step, std::size_t length, float* out, std::size_t plane,
           std::size_t out_step) const {
    std::array<double, line_length> rest;
    std::array<float, line_length> slice;
    load_line<one_group>(in, step, length, scale_.data(), rest.data());
    const std::size_t count = aligner_.size() / size_;
    for (std::size_t s = 0; s < count; ++s) {
      const double* aligner = aligner_.data() + s * size_;
      const double* unit = unit_.data() + s * size_;
      float* to = out + s * plane;
      if (out_step == 1) {
        cut_line<one_group>(rest.data(), length, aligner, unit, to);
        continue;
      }
      cut_line<one_group>(rest.data(), length, aligner, unit, slice.data());
      for (std::size_t i = 0; i < length; ++i) to[i * out_step] = slice[i];
    }
  }

 private:
  std::vector<double> scale_;
  std::vector<double> aligner_;
  std::vector<double> unit_;
  std::size_t size_;
};

void require_representable(std::size_t count, int bits, const Format& word) {
  require(count >= 1, "cut_into_slices: no slices");
  require(bits >= 1 && bits <= word.precision, "cut_into_slices: ", bits, " bits do not fit in ",
          word);
  require(count <= 900 && static_cast<int>(count) * (bits + 1) <= 900,
          "cut_into_slices: more than 900 bits");
  require(bits <= word.emax && quantum_exponent(word) <= 0, "cut_into_slices: ", word,
          " does not hold the integers up to 2^", bits);
}

int bit_length_of_ceiling(std::size_t terms) {  // the least e with terms <= 2^e
  return terms <= 1 ? 0 : static_cast<int>(std::bit_width(terms - 1));
}

}  // namespace

void group_exponents(const SliceSource& source, std::size_t depth, std::size_t free,
                     int* exponents) {
  if (source.k_step < source.free_step) {
    for (std::size_t i = 0; i < free; ++i) {
      Largest<lanes> largest;
      for (const double* part : {source.re, source.im})
        for (std::size_t k = 0; k < depth; k += lanes)
          largest.take(part + i * source.free_step + k * source.k_step, source.k_step,
                       std::min(lanes, depth - k));
      double poison = 0;
      for (const double lane : largest.poison) poison += lane;
      exponents[i] = exponent_above(
          *std::max_element(largest.magnitude.begin(), largest.magnitude.end()), poison);
    }
    return;
  }
  for (std::size_t first = 0; first < free; first += line_length) {
    const std::size_t length = std::min(line_length, free - first);
    Largest<line_length> largest;
    for (const double* part : {source.re, source.im})
      for (std::size_t k = 0; k < depth; ++k)
        largest.take(part + first * source.free_step + k * source.k_step, source.free_step, length);
    for (std::size_t i = 0; i < length; ++i)
      exponents[first + i] = exponent_above(largest.magnitude[i], largest.poison[i]);
  }
}

void cut_into_slices(const SliceSource& source, std::size_t depth, std::size_t free,
                     std::size_t count, int bits, const Format& word, float* re, float* im,
                     std::size_t plane, std::size_t k_step, std::size_t free_step, int* exponents) {
  require_representable(count, bits, word);
  group_exponents(source, depth, free, exponents);

  const std::array<const double*, 2> in{source.re, source.im};
  const std::array<float*, 2> out{re, im};
  // Along the lines of the slices, which are many; a source that runs the other way is one.
  const bool along_k = k_step < free_step;
  for (std::size_t first = 0; first < (along_k ? depth : free); first += line_length) {
    const std::size_t length = std::min(line_length, (along_k ? depth : free) - first);
    if (along_k) {
      for (std::size_t i = 0; i < free; ++i) {
        const GroupCuts cuts(exponents + i, 1, count, bits);
        for (std::size_t part = 0; part < 2; ++part)
          cuts.cut<true>(in[part] + i * source.free_step + first * source.k_step, source.k_step,
                         length, out[part] + i * free_step + first * k_step, plane, k_step);
      }
      continue;
    }
    const GroupCuts cuts(exponents + first, length, count, bits);
    for (std::size_t part = 0; part < 2; ++part)
      for (std::size_t k = 0; k < depth; ++k)
        cuts.cut<false>(in[part] + first * source.free_step + k * source.k_step, source.free_step,
                        length, out[part] + first * free_step + k * k_step, plane, free_step);
  }
  std::replace(exponents, exponents + free, no_exponent, 0);
}

double slice_truncation(std::size_t count, int bits) {
  return power_of_two(-static_cast<int>(count) * (bits + 1));
}

int exact_product_bits(std::size_t depth, std::size_t chained, int accumulator_bits) {
  return std::max(-1, accumulator_bits - bit_length_of_ceiling(depth * chained));
}

int exact_slice_bits(std::size_t depth, std::size_t chained, int accumulator_bits, bool of_factor,
                     const Format& word) {
  const int both = exact_product_bits(depth, chained, accumulator_bits);
  if (both < 2) return 0;
  return std::min(of_factor ? both - both / 2 : both / 2, word.precision);
}

bool slices_sum_exactly(std::size_t depth, std::size_t chained, int bits_factor, int bits_data,
                        int accumulator_bits) {
  return bits_factor + bits_data <= exact_product_bits(depth, chained, accumulator_bits);
}

std::vector<SplitTerm> kept_slice_products(std::size_t factor_slices, std::size_t data_slices) {
  std::vector<SplitTerm> kept;
  for (std::size_t order = 0; order < std::max(factor_slices, data_slices); ++order)
    for (std::size_t data = 0; data <= order; ++data)
      if (data < data_slices && order - data < factor_slices) kept.push_back({order - data, data});
  return kept;
}

namespace {

constexpr double largest_integer = 0x1p20;
constexpr std::size_t most_products = std::size_t{1} << 22;  // sums stay below 2^62

/// The value, checked to be an integer.
std::int64_t integer_of(float value) {
  const double steps = static_cast<double>(value);
  const bool small = steps >= -largest_integer && steps <= largest_integer;
  const auto integer = small ? static_cast<std::int64_t>(steps) : 0;
  if (!small || static_cast<double>(integer) != steps)  // no text is made for the many that pass
    throw InputError("first_inexact_psum: " + std::to_string(steps) +
                     " steps of 2^0 are no integer up to 2^20");
  return integer;
}

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

/// sum(j) += row i of the matmul's exact product.
void add_exact_row(const Matmul<float>& call, std::size_t i, std::span<const std::int64_t> moving,
                   std::vector<std::int64_t>& sum) {
  for (std::size_t k = 0; k < call.k; ++k) {
    const std::int64_t integer =
        integer_of(call.stationary[k * call.stationary_k + i * call.stationary_m]);
    const std::int64_t factor = call.negate ? -integer : integer;
    for (std::size_t j = 0; j < call.n; ++j) sum[j] += factor * moving[k * call.n + j];
  }
}

/// update(sum[j], term[j] scaled).
template <class Sum, class Update>
void for_each_term(Sum* sum, const float* term, std::size_t count, double row_unit,
                   const double* units, Update update) {
  for (std::size_t j = 0; j < count; ++j)
    sum[j] = update(sum[j], static_cast<double>(term[j]) * row_unit * units[j]);
}

}  // namespace

std::optional<InexactPsum> first_inexact_psum(std::span<const Matmul<float>> chained) {
  require_one_chain(chained);
  std::vector<std::vector<std::int64_t>> moving;
  for (const Matmul<float>& call : chained) {
    moving.emplace_back(call.k * call.n);
    for (std::size_t k = 0; k < call.k; ++k)
      for (std::size_t j = 0; j < call.n; ++j)
        moving.back()[k * call.n + j] = integer_of(call.moving[k * call.moving_stride + j]);
  }
  const Matmul<float>& tile = chained.front();
  std::vector<std::int64_t> exact(tile.n);
  for (std::size_t i = 0; i < tile.m; ++i) {
    std::fill(exact.begin(), exact.end(), 0);
    for (std::size_t call = 0; call < chained.size(); ++call)
      add_exact_row(chained[call], i, moving[call], exact);
    for (std::size_t j = 0; j < tile.n; ++j) {
      const auto psum = static_cast<double>(tile.psum[i * tile.psum_stride + j]);
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

void add_term_in_fp32(double* sum, const float* term, std::size_t count, double row_unit,
                      const double* units) {
  for_each_term(sum, term, count, row_unit, units, [](double x, double y) {
    return static_cast<double>(static_cast<float>(x) + static_cast<float>(y));
  });
}

}  // namespace fftprec
