#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <variant>

#include "arith/support/isa_tables.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t elements_at_once = std::size_t{1} << 16;
constexpr std::size_t longest_side_by_side = 4096;
constexpr std::size_t shortest_in_two_steps = column_step * column_step;
constexpr std::size_t cached_elements = std::size_t{1} << 14;  ///< of a block: half a MiB

/// How many lines of that length go side by side.
std::size_t block_width(std::size_t length) {
  return 2 * column_step * length <= cached_elements ? 2 * column_step : column_step;
}

/// Two arrays for blocks of `length` rows, `width` columns.
class Block {
 public:
  Block(std::size_t length, std::size_t width)
      : length_(length),
        width_(width),
        plane_(length * width + plane_gap),
        values_(2 * planes * plane_) {}

  PairView data() { return array(0); }
  std::size_t width() const { return width_; }

  /// Transforms the columns of data(); returns where they are then.
  PairView transform(const ComplexPairs& roots, Isa isa) {
    const bool moved = with_tables<PairTables>(isa, [&](auto tables) {
      return tables.transform(array(0), array(1), length_, width_, view(roots));
    });
    return array(moved ? 1 : 0);
  }

 private:
  /// Planes a power of two apart would meet in the same few places of a cache.
  static constexpr std::size_t plane_gap = 3 * column_step;

  static constexpr std::size_t planes = 4;

  PairView array(std::size_t i) {
    double* first = values_.data() + planes * plane_ * i;
    return {first, first + plane_, first + 2 * plane_, first + 3 * plane_};
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

/// Rows far apart: each is a miss that must not be waited for.
constexpr std::size_t rows_ahead = 16;

void prefetch_row(const double* row, std::size_t columns) {
  for (std::size_t column = 0; column < columns; column += column_step)
    __builtin_prefetch(row + column);
}

/// to(row, column) <- from(row, column), plane by plane, in tiles that stay within a few cache
/// lines whichever direction is contiguous.
template <class Pointer>
void copy(const PairPlanes<Pointer>& from, Steps from_steps, const PairView& to, Steps to_steps,
          std::size_t rows, std::size_t columns) {
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
void clear_columns(const PairView& x, std::size_t rows, std::size_t width, std::size_t first) {
  for_each_plane(x, [&](double* plane) {
    for (std::size_t row = 0; row < rows; ++row)
      std::fill(plane + row * width + first, plane + (row + 1) * width, 0.0);
  });
}

void multiply(const PairView& x, const ConstPairView& t, std::size_t count, Isa isa) {
  with_tables<PairTables>(isa, [&](auto tables) { tables.multiply(x, t, count); });
}

/// Length n = 2^t. Short lines go side by side through one array that a cache holds; a long one is
/// taken as n1 x n2 (Gentleman and Sande 1966): transforms of length n1 along its columns, products
/// with exp(-2 pi i j k/n), transforms of length n2 along its rows, each a few columns at a time,
/// so that the whole array moves through memory twice.
class Stockham {
 public:
  explicit Stockham(std::size_t n);

  /// y <- the transforms of the lines of x, which PairFourier describes. Requires: x and y do not
  /// overlap.
  void operator()(ConstPairView x, PairView y, std::size_t size, std::size_t stride,
                  const Loops& loops) const;
  /// t sums, and as many products as there are passes between steps on the way to each output.
  double radius() const;
  std::string name() const { return "stockham"; }

 private:
  void columns(ConstPairView x, PairView y, std::size_t size, std::size_t stride,
               const Loops& loops) const;
  void in_two_steps(ConstPairView x, PairView y, const Loops& loops) const;
  /// The products of `width` columns of n1 between both steps.
  void twiddle(PairView columns, std::size_t first, std::size_t width, Isa isa) const;

  std::size_t n_;
  int levels_;              ///< t
  std::size_t n1_;          ///< 2^floor(t/2)
  std::size_t n2_;          ///< 2^ceil(t/2)
  PairRoots roots_;         ///< of order n
  ComplexPairs all_roots_;  ///< of order n, while lines of n go side by side
  ComplexPairs twiddles_;   ///< then also exp(-2 pi i j k/n) at j n2 + k
  ComplexPairs roots1_;     ///< of order n1
  ComplexPairs roots2_;     ///< of order n2
};

Stockham::Stockham(std::size_t n)
    : n_(n),
      levels_(std::countr_zero(n)),
      n1_(std::size_t{1} << (levels_ / 2)),
      n2_(n / n1_),
      roots_(n),
      roots1_(all_roots(PairRoots(n1_))),
      roots2_(all_roots(PairRoots(n2_))) {
  assert(std::has_single_bit(n));
  if (n > longest_side_by_side) return;
  all_roots_ = all_roots(roots_);
  twiddles_ = ComplexPairs(n);
  for (std::size_t j = 0; j < n1_; ++j)
    for (std::size_t k = 0; k < n2_; ++k) twiddles_.set(j * n2_ + k, roots_(j * k));
}

double Stockham::radius() const {
  const int passes = (std::countr_zero(n1_) + 1) / 2 + (std::countr_zero(n2_) + 1) / 2;
  return pair_radius(levels_, std::max(passes - 1, 0));
}

void Stockham::operator()(ConstPairView x, PairView y, std::size_t size, std::size_t stride,
                          const Loops& loops) const {
  if (n_ == 1)
    return for_each_plane(x, y, [size](const double* source, double* target) {
      std::copy(source, source + size, target);
    });
  const std::size_t lines = size / n_;
  const bool long_lines = n_ > longest_side_by_side;
  if (!long_lines && (stride > 1 || lines >= column_step || n_ < shortest_in_two_steps))
    return columns(x, y, size, stride, loops);
  if (stride == 1) {
    for (std::size_t first = 0; first < size; first += n_)
      in_two_steps(from(x, first), from(y, first), loops);
    return;
  }
  ComplexPairs line(n_);
  ComplexPairs transformed(n_);
  for (std::size_t block = 0; block < size; block += n_ * stride)
    for (std::size_t s = block; s < block + stride; ++s) {
      copy(from(x, s), {stride, 1}, view(line), {1, 1}, n_, 1);
      in_two_steps(read_only(view(line)), view(transformed), loops);
      copy(view(transformed), {1, 1}, from(y, s), {stride, 1}, n_, 1);
    }
}

/// Line `l` starts at (l / stride) n stride + l % stride; a block does not cross lines with
/// different quotients unless the stride is 1.
void Stockham::columns(ConstPairView x, PairView y, std::size_t size, std::size_t stride,
                       const Loops& loops) const {
  const std::size_t side_by_side = stride == 1 ? size / n_ : stride;
  const std::size_t width = side_by_side == 1 ? 1 : block_width(n_);
  const std::size_t groups = size / (n_ * side_by_side);
  const std::size_t blocks = (side_by_side + width - 1) / width;
  const Steps steps = stride == 1 ? Steps{1, n_} : Steps{stride, 1};
  in_parallel(
      groups * blocks, loops.threads_for(size), [&] { return Block(n_, width); },
      [&](Block& block, std::size_t i) {
        const std::size_t column = i % blocks * width;
        const std::size_t count = std::min(width, side_by_side - column);
        const std::size_t first = i / blocks * n_ * side_by_side + column * steps.column;
        copy(from(x, first), steps, block.data(), {width, 1}, n_, count);
        clear_columns(block.data(), n_, width, count);
        copy(block.transform(all_roots_, loops.isa), {width, 1}, from(y, first), steps, n_, count);
      });
}

void Stockham::twiddle(PairView columns, std::size_t first, std::size_t width, Isa isa) const {
  if (n_ > longest_side_by_side)
    return with_tables<PairTables>(
        isa, [&](auto tables) { tables.twiddle(columns, n1_, width, first, view(roots_)); });
  for (std::size_t row = 1; row < n1_; ++row)
    multiply(from(columns, row * width), from(view(twiddles_), row * n2_ + first), width, isa);
}

void Stockham::in_two_steps(ConstPairView x, PairView y, const Loops& loops) const {
  const std::size_t width1 = std::min(block_width(n1_), n2_);
  in_parallel(
      n2_ / width1, loops.threads_for(n_), [&] { return Block(n1_, width1); },
      [&](Block& block, std::size_t i) {
        const std::size_t column = i * width1;
        copy(from(x, column), {n2_, 1}, block.data(), {width1, 1}, n1_, width1);
        const PairView z = block.transform(roots1_, loops.isa);
        twiddle(z, column, width1, loops.isa);
        copy(z, {width1, 1}, from(y, column * n1_), {1, n1_}, n1_, width1);
      });
  const std::size_t width2 = std::min(block_width(n2_), n1_);
  in_parallel(
      n1_ / width2, loops.threads_for(n_), [&] { return Block(n2_, width2); },
      [&](Block& block, std::size_t i) {
        const PairView lines = from(y, i * width2);  // of the first step; the second's go there
        copy(lines, {n1_, 1}, block.data(), {width2, 1}, n2_, width2);
        copy(block.transform(roots2_, loops.isa), {width2, 1}, lines, {n1_, 1}, n2_, width2);
      });
}

/// Any length, as in MPFR (fourier.cpp): three transforms of length m = 2^t >= 2n-1.
class PairBluestein {
 public:
  explicit PairBluestein(std::size_t n)
      : n_(n), m_(std::bit_ceil(2 * n - 1)), fft_(m_), chirp_(n), spectrum_(m_) {
    const PairRoots roots(2 * n);
    ComplexPairs conjugate(m_);
    std::size_t square = 0;  // j^2 mod 2n
    for (std::size_t j = 0; j < n; ++j) {
      const auto c = roots(square);
      chirp_.set(j, c);
      for (const std::size_t place : {j, (m_ - j) % m_}) conjugate.set(place, {c.re, -c.im});
      square = (square + 2 * j + 1) % (2 * n);
    }
    fft_(view(std::as_const(conjugate)), view(spectrum_), m_, 1, {});
    const double scale = 1 / static_cast<double>(m_);  // a power of two
    for_each_plane(view(spectrum_), [&](double* plane) {
      for (std::size_t k = 0; k < m_; ++k) plane[k] *= scale;
    });
  }

  void operator()(ConstPairView x, PairView y, std::size_t size, std::size_t stride,
                  const Loops& loops) const {
    const std::size_t lines = size / n_;
    const std::size_t together = std::clamp<std::size_t>(elements_at_once / m_, 1, lines);
    ComplexPairs padded(together * m_);
    ComplexPairs transformed(together * m_);
    const PairView z = view(padded);
    const PairView spectra = view(transformed);
    for (std::size_t first = 0; first < lines; first += together) {
      const std::size_t count = std::min(together, lines - first);
      for (std::size_t i = 0; i < count; ++i)
        load(from(x, start(first + i, stride)), stride, from(z, i * m_), loops);
      fft_(read_only(z), spectra, count * m_, 1, loops);
      for (std::size_t i = 0; i < count; ++i)
        multiply(from(spectra, i * m_), view(spectrum_), m_, loops.isa);
      fft_(exchanged(read_only(spectra)), exchanged(z), count * m_, 1, loops);
      for (std::size_t i = 0; i < count; ++i) {
        multiply(from(z, i * m_), view(chirp_), n_, loops.isa);
        copy(read_only(from(z, i * m_)), 1, from(y, start(first + i, stride)), stride);
      }
    }
  }

  double radius() const { return pair_bluestein_radius(n_, m_, fft_.radius()); }
  std::string name() const { return "bluestein over " + std::to_string(m_); }

 private:
  std::size_t start(std::size_t line, std::size_t stride) const {
    return line / stride * n_ * stride + line % stride;
  }

  void copy(ConstPairView in, std::size_t in_step, PairView out, std::size_t out_step) const {
    for_each_plane(in, out, [&](const double* source, double* target) {
      for (std::size_t j = 0; j < n_; ++j) target[j * out_step] = source[j * in_step];
    });
  }

  void load(ConstPairView line, std::size_t stride, PairView z, const Loops& loops) const {
    copy(line, stride, z, 1);
    for_each_plane(z, [&](double* plane) { std::fill(plane + n_, plane + m_, 0.0); });
    multiply(z, view(chirp_), n_, loops.isa);
  }

  std::size_t n_;
  std::size_t m_;
  Stockham fft_;
  ComplexPairs chirp_;     ///< exp(-pi i j^2/n), j < n
  ComplexPairs spectrum_;  ///< transform of its conjugate, divided by m
};

std::variant<Stockham, PairBluestein> engine_for(std::size_t n) {
  if (std::has_single_bit(n)) return Stockham(n);
  return PairBluestein(n);
}

}  // namespace

struct PairFourier::Engine {
  std::variant<Stockham, PairBluestein> of;
};

PairFourier::PairFourier(std::size_t n) : n_(n), engine_(new Engine{engine_for(n)}) {}

PairFourier::~PairFourier() = default;

ComplexPairs PairFourier::operator()(const ComplexPairs& x, std::size_t stride,
                                     const Loops& loops) const {
  assert(x.size() % (n_ * stride) == 0);
  ComplexPairs y(x.size());
  std::visit([&](const auto& engine) { engine(view(x), view(y), x.size(), stride, loops); },
             engine_->of);
  return y;
}

double PairFourier::radius() const {
  return std::visit([](const auto& engine) { return engine.radius(); }, engine_->of);
}

std::string PairFourier::name() const {
  return std::visit([](const auto& engine) { return engine.name(); }, engine_->of);
}

}  // namespace fftprec::truth
