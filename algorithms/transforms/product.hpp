/// Products of integer sequences, or of polynomials, by FFT: c = a b, linear, cyclic (modulo
/// x^n - 1) or negacyclic (modulo x^n + 1).
///
/// The result is exact once each value is rounded to the nearest integer, if no value errs by 1/2.
/// Digits that are too large for one product are cut into parts before; then c_s is the sum of the
/// products of parts i and j with i + j = s, and every c_s is a result of its own. Products of
/// several pairs of sequences may be summed, as in vectors of polynomials.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"

namespace fftprec {

/// What a product is reduced by: nothing, x^n - 1 or x^n + 1.
enum class ProductRing { linear, cyclic, negacyclic };

/// How real sequences meet a complex FFT.
/// - complex: one FFT each, imaginary parts 0.
/// - half: one FFT of half the length each. Cyclic and linear: z_j = a_2j + i a_(2j+1), with one
///   more stage on each side of the product. Negacyclic: z_j = a_j - i a_(j+n/2), which needs none,
///   since x^n + 1 = (x^(n/2) + i)(x^(n/2) - i) and the second factor gives the conjugates.
/// - pair: one FFT of a + i b, from whose squares the product follows.
enum class ProductForm { complex, half, pair };

struct ProductShape {
  std::size_t n = 0;  ///< values of each sequence
  ProductRing ring = ProductRing::linear;
  ProductForm form = ProductForm::complex;
  bool square = false;         ///< one sequence, times itself
  std::size_t parts = 1;       ///< of each sequence
  std::size_t terms = 1;       ///< pairs of sequences, whose products are summed
  std::uint64_t exponent = 0;  ///< E of the weights 2^(ceil(E j/n) - E j/n); 0: no weights

  std::size_t factors() const { return parts * terms; }  ///< sequences of an operand
  std::size_t sequences() const { return (square ? 1 : 2) * factors(); }  ///< of an item
  std::size_t products() const { return 2 * parts - 1; }                  ///< results of an item
  std::size_t outputs() const { return ring == ProductRing::linear ? 2 * n - 1 : n; }
  std::size_t length() const { return ring == ProductRing::linear ? std::bit_ceil(outputs()) : n; }
  std::size_t points() const { return form == ProductForm::half ? length() / 2 : length(); }
  std::size_t spectra() const { return form == ProductForm::pair ? 1 : sequences(); }
  bool is_twisted() const { return ring == ProductRing::negacyclic; }
  /// Whether spectra of half length are taken apart before the product and put together after it.
  bool is_unpacked() const { return form == ProductForm::half && !is_twisted(); }
  /// take(i, j) for the sequences i and j of an item whose products sum up to result s.
  template <class Take>
  void for_pairs(std::size_t s, Take take) const {
    const std::size_t of_b = square ? 0 : factors();
    if (terms > 1)
      for (std::size_t t = 0; t < terms; ++t) take(t, of_b + t);
    else
      for (std::size_t i = s < parts ? 0 : s - parts + 1; i < parts && i <= s; ++i)
        take(i, of_b + s - i);
  }

  /// What the steps leave to be divided out: powers of two.
  double last_factor() const {
    return form == ProductForm::pair ? 0.25 : is_unpacked() ? 0.125 : 1;
  }

  /// exp(-2 pi i j/(2n)): a negacyclic product of a is a cyclic one of a_j exp(-2 pi i j/(2n)).
  TableSpec twist() const {
    return {points(),
            [n = n](std::size_t j) {
              return RootIndex{j, 2 * n};
            },
            {static_cast<double>(points() - 1) / static_cast<double>(2 * n), points() - 1}};
  }
  /// -i exp(-2 pi i k/length), k <= length/2.
  TableSpec unpacking() const {
    const std::size_t half = points();
    return {half + 1,
            [half](std::size_t k) {
              return RootIndex{2 * k + half, 4 * half};
            },
            {0.75, 3 * half}};
  }
};

/// Why there is no such product, or an empty string.
std::string unsupported(const ProductShape& shape);

/// The stages of a product.
namespace product_stages {
struct Stage {
  std::string_view name;
  std::size_t number;
};
inline constexpr Stage weights{"weights", 1};
inline constexpr Stage twist{"twist", 2};
inline constexpr Stage forward{"forward FFTs", 3};
inline constexpr Stage unpacked{"spectra of real sequences", 4};
inline constexpr Stage product{"product of the spectra", 5};
inline constexpr Stage packed{"spectrum of pairs", 6};
inline constexpr Stage inverse{"inverse FFT", 7};
inline constexpr Stage untwist{"twist back", 8};
inline constexpr Stage unweight{"weights taken off", 9};
}  // namespace product_stages

/// Shapes: items of `sequences` rows of n real values (im = 0), all parts of a, the lowest first,
/// then all of b, or all terms of a, then all of b; items of `products` rows of `outputs` real
/// values.
/// Order: weights; packing; twist; forward FFT, rounded to the storage format; the product of the
/// spectra, sums over i + j = s with i ascending, or over the terms; inverse FFT; twist back;
/// weights taken off.
/// - half, not negacyclic, w = exp(-2 pi i/length), h = length/2: 2 A_k = (Z_k + Z'_k) - i w^k (Z_k
///   - Z'_k), Z'_k = conj(Z_(h-k)), k <= h; 8 Z_k = (C_k + C'_k) + i w^-k (C_k - C'_k) of the
///   product C = 2A 2B. The result is multiplied by 1/8.
/// - pair: 4i C_k = Z_k^2 - conj(Z_-k)^2, Z_(n-1-k) for Z_-k if negacyclic. The result is
///   multiplied by 1/4.
/// Rounds: in each of these steps; the last factors are powers of two.
/// Source: Crandall, Fagin, Math. Comp. 62 (1994) 305 for weights and the negacyclic form of half
/// length.
template <ArrayArithmetic Arithmetic>
class Product {
 public:
  using Real = typename Arithmetic::Real;

  /// `weights`: 2^(ceil(E j/n) - E j/n), and their inverses. Requires: unsupported(shape) is empty.
  Product(const Arithmetic& arithmetic, const ProductShape& shape, const RootFunction& roots,
          const RealTable& weights, const RealTable& inverses, const MakeFft<Arithmetic>& make)
      : shape_(shape),
        forward_(made(arithmetic, product_stages::forward, shape, Direction::forward, roots, make)),
        inverse_(
            made(arithmetic, product_stages::inverse, shape, Direction::inverse, roots, make)) {
    if (shape.exponent > 0) {
      weights_ = arithmetic.real_factors(weights);
      inverses_ = arithmetic.real_factors(inverses);
    }
    if (shape.is_twisted()) {
      twist_ = arithmetic.factors(shape.twist(), Direction::forward, roots);
      untwist_ = arithmetic.factors(shape.twist(), Direction::inverse, roots);
    }
    if (shape.is_unpacked()) {
      unpacking_ = arithmetic.factors(shape.unpacking(), Direction::forward, roots);
      packing_ = arithmetic.factors(shape.unpacking(), Direction::inverse, roots);
    }
  }

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> operands) const {
    if (shape_.exponent > 0)
      multiply(arithmetic, product_stages::weights, operands, shape_.n, weights_);
    ComplexArray<Real> spectra = packed_rows(operands);
    operands = {};
    if (shape_.is_twisted())
      multiply(arithmetic, product_stages::twist, spectra, shape_.points(), twist_);
    {
      const auto mark = begin(arithmetic, product_stages::forward);
      forward_(arithmetic, spectra);
      arithmetic.store(rows_of(spectra, shape_.points()));
    }
    const std::size_t half = shape_.points();
    if (shape_.is_unpacked())
      spectra =
          recombined(arithmetic, product_stages::unpacked, spectra, half, half + 1, unpacking_);
    ComplexArray<Real> results = shape_.form == ProductForm::pair
                                     ? product_of_pair(arithmetic, std::move(spectra))
                                     : products_of(arithmetic, spectra);
    if (shape_.is_unpacked())
      results = recombined(arithmetic, product_stages::packed, results, half + 1, half, packing_);
    {
      const auto mark = begin(arithmetic, product_stages::inverse);
      inverse_(arithmetic, results);
    }
    if (shape_.is_twisted()) {
      arithmetic.store(rows_of(results, shape_.points()));
      multiply(arithmetic, product_stages::untwist, results, shape_.points(), untwist_);
    }
    ComplexArray<Real> y = real_rows(results);
    if (shape_.exponent > 0) {
      arithmetic.store(rows_of(y, shape_.n));
      multiply(arithmetic, product_stages::unweight, y, shape_.n, inverses_);
    }
    if (const double factor = shape_.last_factor(); factor != 1)
      arithmetic.scale_by(rows_of(y, shape_.outputs()), factor);
    return y;
  }

 private:
  using Table = typename Arithmetic::Table;
  using Array = ComplexArray<Real>;

  static View<Real> rows_of(Array& x, std::size_t length) {
    return view_of(x, x.size() / length, length);
  }
  static auto begin(const Arithmetic& arithmetic, const product_stages::Stage& stage) {
    return arithmetic.stage(stage.name, stage.number);
  }
  static Fft<Arithmetic> made(const Arithmetic& arithmetic, const product_stages::Stage& stage,
                              const ProductShape& shape, Direction direction,
                              const RootFunction& roots, const MakeFft<Arithmetic>& make) {
    return in_stage(arithmetic, stage.name, stage.number,
                    [&] { return make(arithmetic, shape.points(), direction, roots); });
  }

  /// The rows of `length` times the factors.
  static void multiply(const Arithmetic& arithmetic, const product_stages::Stage& stage, Array& x,
                       std::size_t length, const Table& factors) {
    const auto mark = begin(arithmetic, stage);
    const View<Real> rows = rows_of(x, length);
    arithmetic.multiply(rows, factors.view(0, 0, 1));
    arithmetic.end_stage(rows, end_of_pass);
  }

  /// The rows that are transformed.
  Array packed_rows(const Array& operands) const {
    const std::size_t n = shape_.n;
    const std::size_t points = shape_.points();
    const bool is_pair = shape_.form == ProductForm::pair;
    const std::size_t rows = operands.size() / n / (is_pair ? 2 : 1);
    Array packed(rows * points);
    for (std::size_t row = 0; row < rows; ++row) {
      const Real* from = operands.re.data() + row * n * (is_pair ? 2 : 1);
      Real* re = packed.re.data() + row * points;
      Real* im = packed.im.data() + row * points;
      if (shape_.is_unpacked()) {
        for (std::size_t j = 0; j < n; ++j) (j % 2 == 0 ? re : im)[j / 2] = from[j];
      } else if (shape_.form == ProductForm::half) {
        for (std::size_t j = 0; j < points; ++j) {
          re[j] = from[j];
          im[j] = -from[j + points];
        }
      } else {
        std::copy_n(from, n, re);
        if (is_pair) std::copy_n(from + n, n, im);
      }
    }
    return packed;
  }

  /// The real results of the last rows.
  Array real_rows(const Array& packed) const {
    const std::size_t points = shape_.points();
    const std::size_t outputs = shape_.outputs();
    const std::size_t rows = packed.size() / points;
    Array y(rows * outputs);
    for (std::size_t row = 0; row < rows; ++row) {
      const Real* re = packed.re.data() + row * points;
      const Real* im = packed.im.data() + row * points;
      Real* to = y.re.data() + row * outputs;
      if (shape_.is_unpacked()) {
        for (std::size_t k = 0; k < outputs; ++k) to[k] = (k % 2 == 0 ? re : im)[k / 2];
      } else if (shape_.form == ProductForm::half) {
        for (std::size_t k = 0; k < points; ++k) {
          to[k] = re[k];
          to[k + points] = -im[k];
        }
      } else {
        std::copy_n(re, outputs, to);
      }
    }
    return y;
  }

  /// Row r of `to` <- conjugates of row r of `from`, element k from place(k).
  template <class Place>
  static void put_conjugates(const Array& from, std::size_t from_length, Array& to,
                             std::size_t length, Place place) {
    for (std::size_t row = 0; row < to.size() / length; ++row)
      for (std::size_t k = 0; k < length; ++k) {
        const std::size_t source = row * from_length + place(k);
        to.re[row * length + k] = from.re[source];
        to.im[row * length + k] = -from.im[source];
      }
  }

  /// Twice the spectra of sequences, elements 0 .. h, from the spectra of their pairs, or back:
  /// with a mirrored copy b of a, (a + b) + w (a - b).
  Array recombined(const Arithmetic& arithmetic, const product_stages::Stage& stage,
                   const Array& from, std::size_t from_length, std::size_t length,
                   const Table& w) const {
    const auto mark = begin(arithmetic, stage);
    const std::size_t rows = from.size() / from_length;
    Array a(rows * length);
    Array mirrored(a.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < length; ++k)
        put(a, row * length + k, from, row * from_length + k % from_length);
    put_conjugates(from, from_length, mirrored, length,
                   [=, half = shape_.points()](std::size_t k) { return (half - k) % from_length; });
    const View<Real> sums = rows_of(a, length);
    const View<Real> differences = rows_of(mirrored, length);
    arithmetic.sum_difference(sums, differences);
    arithmetic.multiply(differences, w.view(0, 0, 1));
    arithmetic.add(sums, sums, differences);
    arithmetic.end_stage(sums, end_of_pass);
    return a;
  }

  /// Item by item the sums of A_i B_j over the pairs of each result.
  Array products_of(const Arithmetic& arithmetic, const Array& spectra) const {
    const auto mark = begin(arithmetic, product_stages::product);
    const std::size_t length = shape_.points() + (shape_.is_unpacked() ? 1 : 0);
    const std::size_t item = shape_.spectra() * length;
    const std::size_t items = spectra.size() / item;
    const Table factors = arithmetic.factors_of(spectra);
    Array results(items * shape_.products() * length);
    for (std::size_t first = 0; first < items; ++first)
      for (std::size_t s = 0; s < shape_.products(); ++s) {
        const View<Real> sum = view_of(results, items * shape_.products(), length)
                                   .middle_rows(first * shape_.products() + s, 1);
        bool is_first = true;
        shape_.for_pairs(s, [&](std::size_t i, std::size_t j) {
          Array term = part_of(spectra, first * item + i * length, length);
          const View<Real> row = view_of(term, 1, length);
          arithmetic.multiply(row, factors.view(first * item + j * length, 0, 1));
          is_first ? copy(row, sum) : arithmetic.add(sum, sum, row);
          is_first = false;
        });
      }
    arithmetic.end_stage(rows_of(results, length), end_of_pass);
    return results;
  }

  Array product_of_pair(const Arithmetic& arithmetic, Array z) const {
    const auto mark = begin(arithmetic, product_stages::product);
    const std::size_t length = shape_.points();
    const Table factors = arithmetic.factors_of(z);
    const View<Real> rows = rows_of(z, length);
    arithmetic.multiply(rows, factors.view(0, length, 1));
    Array mirrored(z.size());
    const std::size_t last = shape_.is_twisted() ? length - 1 : length;
    put_conjugates(z, length, mirrored, length, [=](std::size_t k) { return (last - k) % length; });
    for (std::size_t i = 0; i < mirrored.size(); ++i) {
      mirrored.re[i] = -mirrored.re[i];
      mirrored.im[i] = -mirrored.im[i];
    }
    arithmetic.add(rows, rows, rows_of(mirrored, length));
    turn(rows, Direction::forward);
    arithmetic.end_stage(rows, end_of_pass);
    return z;
  }

  ProductShape shape_;
  Fft<Arithmetic> forward_;
  Fft<Arithmetic> inverse_;
  Table weights_{};
  Table inverses_{};
  Table twist_{};
  Table untwist_{};
  Table unpacking_{};
  Table packing_{};
};

/// Errors of the weights and of their inverses: statistics of the tables, and the largest relative
/// error of an entry.
struct WeightErrors {
  TableStatistics weights{};
  TableStatistics inverses{};
  double largest = 0;
};

/// The model of `batch` items. The bound is of each single result: |error| <= bound R, R the sum
/// over its pairs of ||a_i||_2 ||b_j||_2, of weighted sequences; of a pair (||a||^2 + ||b||^2)/2.
/// Proof and expectation: product.cpp.
ErrorModel predict_product(const Predictor& predictor, const ProductShape& shape,
                           const WeightErrors& weights, std::size_t batch, const FftModel& fft);

}  // namespace fftprec
