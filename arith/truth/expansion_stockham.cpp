#include "arith/truth/expansion_stockham.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "arith/truth/parallel.hpp"
#include "arith/truth/radius.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t longest_side_by_side = 4096;
constexpr std::size_t shortest_in_two_steps = column_step * column_step;
constexpr std::size_t cached_elements = std::size_t{1} << 14;  ///< of a block: half a MiB

/// How many lines of that length go side by side.
std::size_t block_width(std::size_t length) {
  return 2 * column_step * length <= cached_elements ? 2 * column_step : column_step;
}

/// Two arrays for blocks of `length` rows, `width` columns.
template <class Array>
class Block {
 public:
  Block(std::size_t length, std::size_t width)
      : length_(length),
        width_(width),
        plane_(length * width + plane_gap),
        values_(2 * planes * plane_) {}

  ViewOf<Array> data() { return array(0); }
  std::size_t width() const { return width_; }

  /// Transforms the columns of data(); returns where they are then.
  ViewOf<Array> transform(const Array& roots, Isa isa) {
    const bool moved = with_tables<ExpansionTables>(isa, [&](auto tables) {
      return tables.transform(array(0), array(1), length_, width_, view(roots));
    });
    return array(moved ? 1 : 0);
  }

 private:
  /// Planes a power of two apart would meet in the same few places of a cache.
  static constexpr std::size_t plane_gap = 3 * column_step;

  static constexpr std::size_t planes = sizeof(ViewOf<Array>) / sizeof(double*);

  ViewOf<Array> array(std::size_t i) {
    const Array* type = nullptr;
    return split_planes(values_.data() + planes * plane_ * i, plane_, type);
  }

  std::size_t length_;
  std::size_t width_;
  std::size_t plane_;
  AlignedVector<double> values_;
};

/// Where a matrix lies: element (row, column) at row * row_step + column * column_step.
struct Steps {
  std::size_t row;
  std::size_t column;
};

constexpr std::size_t rows_ahead =
    16;  ///< rows far apart: each is a miss that must not be waited for

void prefetch_row(const double* row, std::size_t columns) {
  for (std::size_t column = 0; column < columns; column += column_step)
    __builtin_prefetch(row + column);
}

/// to(row, column) <- from(row, column), plane by plane, in tiles that stay within a few cache
/// lines whichever direction is contiguous.
template <class View>
void copy(const View& from, Steps from_steps, const View& to, Steps to_steps, std::size_t rows,
          std::size_t columns) {
  for_each_plane(from, to, [&](const double* source, double* target) {
    if (from_steps.column == 1 && to_steps.column == 1) {
      for (std::size_t row = 0; row < rows; ++row) {
        prefetch_row(source + (row + rows_ahead) * from_steps.row, columns);
        prefetch_row(target + (row + rows_ahead) * to_steps.row, columns);
        for (std::size_t column = 0; column < columns; ++column)
          target[row * to_steps.row + column] = source[row * from_steps.row + column];
      }
      return;
    }
    constexpr std::size_t tile = 8;
    for (std::size_t first = 0; first < rows; first += tile)
      for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t row = first; row < std::min(first + tile, rows); ++row)
          target[row * to_steps.row + column * to_steps.column] =
              source[row * from_steps.row + column * from_steps.column];
  });
}

/// Columns that a block has beyond those of the data.
template <class View>
void clear_columns(const View& x, std::size_t rows, std::size_t width, std::size_t first) {
  for_each_plane(x, [&](double* plane) {
    for (std::size_t row = 0; row < rows; ++row)
      std::fill(plane + row * width + first, plane + (row + 1) * width, 0.0);
  });
}

template <class Array>
RootsView<ConstViewOf<Array>> view(const ExpansionRoots<Array>& roots) {
  return {truth::view(roots.coarse()), truth::view(roots.fine()), roots.fine_bits()};
}

}  // namespace

template <class Array>
ExpansionStockham<Array>::ExpansionStockham(std::size_t n)
    : n_(n),
      levels_(std::countr_zero(n)),
      n1_(std::size_t{1} << (levels_ / 2)),
      n2_(n / n1_),
      roots_(n),
      roots1_(all_roots(ExpansionRoots<Array>(n1_))),
      roots2_(all_roots(ExpansionRoots<Array>(n2_))) {
  assert(std::has_single_bit(n));
  if (n <= longest_side_by_side) all_roots_ = all_roots(roots_);
}

template <class Array>
double ExpansionStockham<Array>::radius() const {
  const int passes = (std::countr_zero(n1_) + 1) / 2 + (std::countr_zero(n2_) + 1) / 2;
  return radix4_radius<Array>(levels_, std::max(passes - 1, 0));
}

template <class Array>
void ExpansionStockham<Array>::operator()(ViewOf<Array> x, std::size_t size, std::size_t stride,
                                          const Loops& loops) const {
  if (n_ == 1) return;
  const std::size_t lines = size / n_;
  const bool long_lines = n_ > longest_side_by_side;
  if (!long_lines && (stride > 1 || lines >= column_step || n_ < shortest_in_two_steps))
    return columns(x, size, stride, loops);
  if (stride == 1) {
    for (std::size_t first = 0; first < size; first += n_) in_two_steps(from(x, first), loops);
    return;
  }
  Array line(n_);
  for (std::size_t block = 0; block < size; block += n_ * stride)
    for (std::size_t s = block; s < block + stride; ++s) {
      copy(from(x, s), {stride, 1}, truth::view(line), {1, 1}, n_, 1);
      in_two_steps(truth::view(line), loops);
      copy(truth::view(line), {1, 1}, from(x, s), {stride, 1}, n_, 1);
    }
}

/// Line `l` starts at (l / stride) n stride + l % stride; a block does not cross lines with
/// different quotients unless the stride is 1.
template <class Array>
void ExpansionStockham<Array>::columns(ViewOf<Array> x, std::size_t size, std::size_t stride,
                                       const Loops& loops) const {
  const std::size_t width = block_width(n_);
  const std::size_t side_by_side = stride == 1 ? size / n_ : stride;
  const std::size_t groups = size / (n_ * side_by_side);
  const std::size_t blocks = (side_by_side + width - 1) / width;
  const Steps steps = stride == 1 ? Steps{1, n_} : Steps{stride, 1};
  in_parallel(
      groups * blocks, loops.threads_for(size), [&] { return Block<Array>(n_, width); },
      [&](Block<Array>& block, std::size_t i) {
        const std::size_t column = i % blocks * width;
        const std::size_t count = std::min(width, side_by_side - column);
        const ViewOf<Array> lines = from(x, i / blocks * n_ * side_by_side + column * steps.column);
        copy(lines, steps, block.data(), {width, 1}, n_, count);
        clear_columns(block.data(), n_, width, count);
        copy(block.transform(all_roots_, loops.isa), {width, 1}, lines, steps, n_, count);
      });
}

template <class Array>
void ExpansionStockham<Array>::in_two_steps(ViewOf<Array> line, const Loops& loops) const {
  Array turned(n_);
  const ViewOf<Array> z = truth::view(turned);
  const std::size_t width1 = std::min(block_width(n1_), n2_);
  in_parallel(
      n2_ / width1, loops.threads_for(n_), [&] { return Block<Array>(n1_, width1); },
      [&](Block<Array>& block, std::size_t i) {
        const std::size_t column = i * width1;
        copy(from(line, column), {n2_, 1}, block.data(), {width1, 1}, n1_, width1);
        const ViewOf<Array> y = block.transform(roots1_, loops.isa);
        with_tables<ExpansionTables>(
            loops.isa, [&](auto tables) { tables.twiddle(y, n1_, width1, column, view(roots_)); });
        copy(y, {width1, 1}, from(z, column * n1_), {1, n1_}, n1_, width1);
      });
  const std::size_t width2 = std::min(block_width(n2_), n1_);
  in_parallel(
      n1_ / width2, loops.threads_for(n_), [&] { return Block<Array>(n2_, width2); },
      [&](Block<Array>& block, std::size_t i) {
        const std::size_t column = i * width2;
        copy(from(z, column), {n1_, 1}, block.data(), {width2, 1}, n2_, width2);
        copy(block.transform(roots2_, loops.isa), {width2, 1}, from(line, column), {n1_, 1}, n2_,
             width2);
      });
}

template class ExpansionStockham<ComplexPairs>;
template class ExpansionStockham<ComplexTriples>;

}  // namespace fftprec::truth
