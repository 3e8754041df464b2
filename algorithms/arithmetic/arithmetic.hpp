/// The operations of which FFTs consist: products with a table, sums, matrix products. Nothing else
/// touches the data, so mode and machine define how each is carried out.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// All of an array of rows x cols elements as a View.
template <class Real>
View<Real> view_of(ComplexArray<Real>& x, std::size_t rows, std::size_t cols) {
  return {x.re.data(), x.im.data(), rows, cols, cols};
}
template <class Real>
View<const Real> constant(View<Real> x) {
  return {x.re, x.im, x.rows, x.cols, x.stride};
}

template <class Real>
void fill_zero(View<Real> x) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::fill_n(x.re + i * x.stride, x.cols, Real(0));
    std::fill_n(x.im + i * x.stride, x.cols, Real(0));
  }
}

/// x without the gaps between its rows.
template <class Real>
ComplexArray<std::remove_const_t<Real>> packed(View<Real> x) {
  ComplexArray<std::remove_const_t<Real>> result(x.rows * x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::copy_n(x.re + i * x.stride, x.cols, result.re.data() + i * x.cols);
    std::copy_n(x.im + i * x.stride, x.cols, result.im.data() + i * x.cols);
  }
  return result;
}

/// x <- -i x forward, i x inverse. It costs nothing: it exchanges the parts and changes one sign.
template <class Real>
void turn(View<Real> x, Direction direction) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    Real* re = x.re + i * x.stride;
    Real* im = x.im + i * x.stride;
    for (std::size_t j = 0; j < x.cols; ++j) {
      const Real old = re[j];
      re[j] = direction == Direction::forward ? im[j] : -im[j];
      im[j] = direction == Direction::forward ? -old : old;
    }
  }
}

/// Places of the elements of a View in a batch of lines: element (r, c) is at (*this)(r, c). Rows
/// come in groups; a view of lines in order has the row_step of a line, and one group.
struct Places {
  std::size_t row_step;
  std::size_t col_step = 1;
  std::size_t first = 0;
  std::size_t group_rows = std::numeric_limits<std::size_t>::max();
  std::size_t group_step = 0;

  std::size_t operator()(std::size_t r, std::size_t c) const {
    return first + r / group_rows * group_step + r % group_rows * row_step + c * col_step;
  }
};

/// An arithmetic over whole arrays. Data are kept in a storage format; "rounds" below is per real
/// operation. Views of one call do not overlap.
///
/// Tables:
/// - `factors(spec, direction, roots)`: for the elementwise products and the vector-engine sums.
/// - `wide_factors(spec, direction, roots)`: for multiply_wide, in the type's own format.
/// - `matrix(spec, depth, direction, roots)`: for gemm and gemm_columns, row-major K x N, K =
/// depth.
/// - `values(spec, direction, roots)`: the entries as data, in the storage format.
/// - `real_factors(table)`: w + 0i for each w of the real table, as factors.
/// - `factors_of(values)`: computed values as factors.
/// - `matrix_of(values, depth)`: computed values, row-major K x N, as a matrix for gemm.
/// - `eighth_factor(roots)`: fl(cos pi/4), for multiply_eighth.
/// Elementwise, on the vector engine, each rounds to the storage format:
/// - `multiply(x, w)`: x <- w x.  `multiply_wide(x, w)`: the same with plain products in the
///   type's own format (fp32 or fp64).
/// - `butterfly(a, b, w)`: (a, b) <- (a + w b, a - w b).
/// - `butterfly_dif(a, b, w)`: (a, b) <- (a + b, w (a - b)).
/// - `sum_difference(a, b)`: (a, b) <- (a + b, a - b).
/// - `rotated(a, b, direction)`: (a, b) <- (a - i b, a + i b) forward, (a + i b, a - i b) inverse.
/// - `multiply_eighth(x, w, odd, direction)`: x <- exp(-i pi/4) x, or exp(-3 i pi/4) x if `odd`
///   (conjugates for the inverse): two sums, then a product of both parts with w = eighth_factor.
/// - `add(out, a, b)`: out <- a + b; out may be a or b.
/// - `fused(x, a, w)`: x <- x + w a, w real_factors, each part rounded once, as by an FMA. Plain
///   products of floats alone; others throw NotApplicable.
/// - `accumulate(sum, x, w)`: sum(i, j) += w(k, j) x(i, k), k ascending; `accumulate_columns(sum,
///   w, x)`: sum(i, j) += w(k, i) x(k, j), k ascending. Each product as the mode forms it, each sum
///   rounded.
/// - `scale(x, dft, n)`: x <- x * fl(1/d), d the divisor of a transform of n points (Dft), or what
///   scaling stages leave of it; nothing where it is 1.
/// - `scale_by(x, factor)`: x <- x * fl(factor).
/// - `modrelu(x, bias)`: x(i, j) <- max(|x| + bias(j), 0) x/|x|, 0 where x = 0: s = fl(fl(re^2) +
///   fl(im^2)), r = fl(sqrt s), t = max(fl(r + bias), 0), q = fl(t/r), then (fl(q re), fl(q im)).
///   No product with a table: the schemes that split or compensate products do not change it.
/// Matrix products, on the engine of mode and machine. The result is in the engine's output format
/// until `store_product(x)` rounds it to the storage format:
/// - `gemm(out, x, w)`: out (B x N) <- x (B x K) w (K x N).
/// - `gemm_columns(out, w, x)`: out (N x C) <- w^T x, w (K x N), x (K x C): the same sums with the
///   data's columns as the independent direction.
/// - `scale_product(x, dft, n)`: scale in the format that gemm delivers.
/// Scaling, and rounding of data that are stored in another format than operations use
/// (storage.hpp). Each function acts only where the policy asks for it.
/// - `begin_stage(x, radix, before)`: the scale of the policy, before a stage that adds up `radix`
///   values, each a sum of `before` values of the FFT's input (in frequency: n / before of them are
///   still to be added up).
/// - `end_stage(x, done)`: after `done` stages of an FFT, before others. The rows of x are lines of
///   data; `end_stage(x, done, n, places)` takes another order, in a batch of lines of n values.
///   Blocks share scales along lines, or across them.
/// - `stage_cols(all, usual)`, `stage_lines(all, usual)`: columns of data, and lines of a batch, on
///   which a stage must work at once: usual, a multiple of 64, or all where they share scales.
/// - `store(x)`: at the end of an FFT inside a transform; it equals store_product where data are
///   stored after every operation.
/// Beside the data:
/// - `stage(name, index)`: an object; operations during its life belong to stage `index` of the
///   scope around it. It takes the values that the stage leaves (stages.hpp).
template <class A>
concept ArrayArithmetic = requires(const A& a, typename A::Real r, View<typename A::Real> x,
                                   typename A::Table table, std::size_t size, const TableSpec& spec,
                                   Direction direction, const RootFunction& roots,
                                   const ComplexArray<typename A::Real>& values,
                                   const RealTable& reals, const typename A::Real* bias) {
  a.stage("", size);
  { a.factors(spec, direction, roots) } -> std::same_as<typename A::Table>;
  { a.wide_factors(spec, direction, roots) } -> std::same_as<typename A::Table>;
  { a.matrix(spec, size, direction, roots) } -> std::same_as<typename A::Table>;
  { a.values(spec, direction, roots) } -> std::same_as<ComplexArray<typename A::Real>>;
  { a.real_factors(reals) } -> std::same_as<typename A::Table>;
  { a.factors_of(values) } -> std::same_as<typename A::Table>;
  { a.matrix_of(values, size) } -> std::same_as<typename A::Table>;
  { a.eighth_factor(roots) } -> std::same_as<typename A::Table>;
  a.multiply(x, table.view(size, size, size));
  a.multiply_wide(x, table.view(size, size, size));
  a.butterfly(x, x, table.view(size, size, size));
  a.butterfly_dif(x, x, table.view(size, size, size));
  a.sum_difference(x, x);
  a.rotated(x, x, direction);
  a.multiply_eighth(x, table, true, direction);
  a.add(x, x, x);
  a.fused(x, x, table.view(size, size, size));
  a.accumulate(x, x, table.view(size, size, size));
  a.accumulate_columns(x, table.view(size, size, size), x);
  a.gemm(x, x, table);
  a.gemm_columns(x, table, x);
  a.store(x);
  a.store_product(x);
  { a.stage_cols(size, size) } -> std::same_as<std::size_t>;
  { a.stage_lines(size, size) } -> std::same_as<std::size_t>;
  a.begin_stage(x, size, size);
  a.end_stage(x, size);
  a.end_stage(x, size, size, Places{size});
  a.scale(x, Dft(direction), size);
  a.scale_by(x, 0.5);
  a.modrelu(x, bias);
  a.scale_product(x, Dft(direction), size);
};

}  // namespace fftprec
