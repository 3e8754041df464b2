/// The inner loops of fixed point of one instruction set, FFTPREC_ISA: products exact, rounded
/// once, and brought into the range.
#include <utility>

#include "arith/formats/eft.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/kernels/loops.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

template <Rounding R, bool wraps, class Out>
std::uint64_t rounded_row(FixedGrid<double> grid, Edges<double> edges, const double* x, Out* out,
                          std::size_t count) {
  if (!wraps) grid.span = 0;
  std::uint64_t lost = 0;
  for (std::size_t j = 0; j < count; ++j) {
    lost += edges.passed_by(x[j]);
    out[j] = static_cast<Out>(round_to_fixed<R>(x[j], grid));
  }
  return lost;
}

/// out <- x, rounded and in the range. Returns how many were beyond it by more than a rounding: to
/// nearest half a quantum, else a whole one.
template <class Out>
std::uint64_t settle_row(const FixedPoint& fixed, double* x, Out* out, std::size_t count,
                         std::uint64_t counter) {
  const FixedGrid<double> grid = fixed_grid<double>(fixed.data);
  const Edges<double> edges = edges_of(grid, fixed.rounding);
  if (fixed.lost != nullptr)
    for (std::size_t j = 0; j < count; ++j)
      if (edges.passed_by(x[j])) (*fixed.lost)(out + j, x[j]);
  return with_rounding(fixed.rounding, [&](auto as) -> std::uint64_t {
    if constexpr (as == Rounding::sr) {
      std::uint64_t lost = 0;
      for (std::size_t j = 0; j < count; ++j) lost += edges.passed_by(x[j]);
      RoundTables<isa::FFTPREC_ISA>::loop(as, double{})(x, x, count, fixed.data, fixed.random,
                                                        counter);
      for (std::size_t j = 0; j < count; ++j) out[j] = static_cast<Out>(x[j]);
      return lost;
    } else {
      return grid.span == 0 ? rounded_row<as(), false>(grid, edges, x, out, count)
                            : rounded_row<as(), true>(grid, edges, x, out, count);
    }
  });
}

/// Integers that hold sums of products of digits, exactly.
template <class Real>
struct Digits {
  using Sum = std::int64_t;
};
template <>
struct Digits<double> {
  __extension__ using Sum = __int128;
};

/// As kernels/fixed.hpp says; a block of a row at a time, through doubles, which hold exact results
/// or, for wide formats, those rounded to odd: at least two bits below the last place.
template <class Tag, class Real>
struct FixedLoops {
  using Row = BlockRow<double>;
  using Sum = typename Digits<Real>::Sum;

  static std::uint64_t multiply(const FixedPoint& fixed, View<Real> x, FactorView<Real> w) {
    return each(x, [&](std::size_t i, std::size_t first, std::size_t count) {
      return multiply_part(fixed, part(x, i, first, count), w.offset(i, first),
                           counter_of(x, i, first));
    });
  }

  static std::uint64_t butterfly(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                 FactorView<Real> w) {
    return each(top, [&](std::size_t i, std::size_t first, std::size_t count) {
      const View<Real> b = part(bottom, i, first, count);
      const std::uint64_t lost =
          multiply_part(fixed, b, w.offset(i, first), counter_of(top, i, first));
      return lost + sum_difference(fixed, part(top, i, first, count), b);
    });
  }

  static std::uint64_t butterfly_dif(const FixedPoint& fixed, View<Real> top, View<Real> bottom,
                                     FactorView<Real> w) {
    return each(top, [&](std::size_t i, std::size_t first, std::size_t count) {
      const View<Real> b = part(bottom, i, first, count);
      const std::uint64_t lost = sum_difference(fixed, part(top, i, first, count), b);
      return lost + multiply_part(fixed, b, w.offset(i, first), counter_of(top, i, first));
    });
  }

  static std::uint64_t accumulate(const FixedPoint& fixed, View<Real> sum, View<Real> x,
                                  FactorView<Real> w) {
    return sums<0, 1>(fixed, sum, x.cols, [&](std::size_t i, std::size_t first, std::size_t k) {
      return Term{x.re + i * x.stride + k, x.im + i * x.stride + k, w.offset(k, first)};
    });
  }

  static std::uint64_t accumulate_columns(const FixedPoint& fixed, View<Real> sum,
                                          FactorView<Real> w, View<Real> x) {
    return sums<1, 0>(fixed, sum, x.rows, [&](std::size_t i, std::size_t first, std::size_t k) {
      const std::size_t at = k * x.stride + first;
      return Term{x.re + at, x.im + at, w.offset(k, i)};
    });
  }

  static std::uint64_t add(const FixedPoint& fixed, View<Real> out, View<const Real> a,
                           View<const Real> b) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < out.rows; ++i) {
      lost += add_row(fixed, out.re + i * out.stride, a.re + i * a.stride, b.re + i * b.stride,
                      out.cols);
      lost += add_row(fixed, out.im + i * out.stride, a.im + i * a.stride, b.im + i * b.stride,
                      out.cols);
    }
    return lost;
  }

  static std::uint64_t sum_difference(const FixedPoint& fixed, View<Real> top, View<Real> bottom) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < top.rows; ++i) {
      const std::size_t t = i * top.stride;
      const std::size_t b = i * bottom.stride;
      lost += exchange(fixed, top.re + t, bottom.re + b, top.cols, top.re + t, bottom.re + b);
      lost += exchange(fixed, top.im + t, bottom.im + b, top.cols, top.im + t, bottom.im + b);
    }
    return lost;
  }

  /// (top, bottom) <- (top - i bottom, top + i bottom).
  static std::uint64_t sum_difference_rotated(const FixedPoint& fixed, View<Real> top,
                                              View<Real> bottom) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < top.rows; ++i) {
      const std::size_t t = i * top.stride;
      const std::size_t b = i * bottom.stride;
      // re +- b.im, then im -+ b.re: what the two differences leave changes places afterwards.
      lost += exchange(fixed, top.re + t, bottom.im + b, top.cols, top.re + t, bottom.re + b);
      lost += exchange(fixed, top.im + t, bottom.re + b, top.cols, bottom.im + b, top.im + t);
      rotate(top.im + t, bottom.re + b, bottom.im + b, top.cols);
    }
    return lost;
  }

  /// x <- (1 - i) x or, `conjugate`, (1 + i) x.
  static std::uint64_t rotate_eighth(const FixedPoint& fixed, View<Real> x, bool conjugate) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < x.rows; ++i) {
      Real* p = (conjugate ? x.im : x.re) + i * x.stride;
      Real* q = (conjugate ? x.re : x.im) + i * x.stride;
      lost += exchange(fixed, q, p, x.cols, p, q);  // q + p and q - p, which change places
      for (std::size_t j = 0; j < x.cols; ++j) {
        const Real sum = q[j];
        q[j] = p[j];
        p[j] = sum;
      }
    }
    return lost;
  }

  /// x <- factor * x, each part rounded once. Requires: a factor of the table's digits or fewer.
  static std::uint64_t scale(const FixedPoint& fixed, View<Real> x, Real factor) {
    Row row;
    return each(x, [&](std::size_t i, std::size_t first, std::size_t count) {
      const View<Real> to = part(x, i, first, count);
      scale_row(row.re, to.re, factor, count);
      scale_row(row.im, to.im, factor, count);
      return settle(fixed, to, row, counter_of(x, i, first));
    });
  }

 private:
  struct Term {
    const Real* re;
    const Real* im;
    FactorView<Real> w;
  };
  /// Sums of products of a block, in units of both quanta.
  struct SumRow {
    Sum re[Row::capacity];
    Sum im[Row::capacity];
  };

  /// The sum of work(row, first column, columns) over all blocks.
  template <class Work>
  [[gnu::always_inline]] static std::uint64_t each(View<Real> x, Work work) {
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < x.rows; ++i)
      each_block<Tag, Real>(
          x.cols, [&](std::size_t first, std::size_t count) { lost += work(i, first, count); });
    return lost;
  }
  [[gnu::always_inline]] static View<Real> part(View<Real> x, std::size_t i, std::size_t first,
                                                std::size_t count) {
    return x.middle_rows(i, 1).middle_cols(first, count);
  }

  /// A row of a block: x <- w x.
  static std::uint64_t multiply_part(const FixedPoint& fixed, View<Real> x, FactorView<Real> w,
                                     std::uint64_t counter) {
    Row row;
    std::uint64_t lost = 0;
    if (fixed.rounds_products)
      lost = rounded_products(fixed, row, {x.re, x.im, w}, x.cols, w.col_step, 1, counter);
    else if (w.col_step == 0)
      exact_products<0>(fixed, row.re, row.im, x.re, x.im, w.re, w.im, x.cols);
    else
      exact_products<1>(fixed, row.re, row.im, x.re, x.im, w.re, w.im, x.cols);
    return lost + settle(fixed, x, row, counter);
  }

  /// Whose multiples factors are: computed ones are data.
  [[gnu::always_inline]] static const Format& factor_format(const FixedPoint& fixed) {
    return quantum_exponent(fixed.table) < quantum_exponent(fixed.data) ? fixed.table : fixed.data;
  }

  template <std::size_t w_step>
  static void exact_products(const FixedPoint& fixed, double* __restrict re, double* __restrict im,
                             const Real* __restrict x_re, const Real* __restrict x_im,
                             const Real* __restrict w_re, const Real* __restrict w_im,
                             std::size_t count) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      for (std::size_t j = 0; j < count; ++j) {
        const double a = x_re[j];
        const double b = x_im[j];
        const double c = w_re[j * w_step];
        const double d = w_im[j * w_step];
        re[j] = c * a - d * b;
        im[j] = c * b + d * a;
      }
    } else {
      const Format& of_w = factor_format(fixed);
      for (std::size_t j = 0; j < count; ++j) {
        const Sum a = digits(x_re[j], fixed.data);
        const Sum b = digits(x_im[j], fixed.data);
        const Sum c = digits(w_re[j * w_step], of_w);
        const Sum d = digits(w_im[j * w_step], of_w);
        re[j] = value(c * a - d * b, fixed.data, of_w);
        im[j] = value(c * b + d * a, fixed.data, of_w);
      }
    }
  }

  /// Each of the four products rounded as data, then their two sums brought into the range.
  static std::uint64_t rounded_products(const FixedPoint& fixed, Row& row, const Term& term,
                                        std::size_t count, std::size_t w_step, std::size_t x_step,
                                        std::uint64_t counter) {
    Row straight;
    Row crossed;
    for (std::size_t j = 0; j < count; ++j) {
      const double a = term.re[j * x_step];
      const double b = term.im[j * x_step];
      const double c = term.w.re[j * w_step];
      const double d = term.w.im[j * w_step];
      straight.re[j] = product_to_odd(c, a);
      straight.im[j] = product_to_odd(c, b);
      crossed.re[j] = product_to_odd(d, b);
      crossed.im[j] = product_to_odd(d, a);
    }
    std::uint64_t lost = 0;
    for (double* products : {straight.re, straight.im, crossed.re, crossed.im})
      lost += settle_row(fixed, products, products, count, counter += products_apart);
    for (std::size_t j = 0; j < count; ++j) row.re[j] = straight.re[j] - crossed.re[j];
    for (std::size_t j = 0; j < count; ++j) row.im[j] = straight.im[j] + crossed.im[j];
    return lost;
  }

  /// sum + the products of all terms, in an accumulator, then rounded once.
  template <std::size_t x_step, std::size_t w_step, class TermOf>
  static std::uint64_t sums(const FixedPoint& fixed, View<Real> sum, std::size_t depth,
                            TermOf term_of) {
    SumRow total;
    Row row;
    const double unit = power_of_two(-quantum_exponent(fixed.data));
    const Format& of_w = factor_format(fixed);
    const double product_unit = power_of_two(-quantum_exponent(of_w));
    return each(sum, [&](std::size_t i, std::size_t first, std::size_t count) {
      std::uint64_t lost = 0;
      const View<Real> to = part(sum, i, first, count);
      for (std::size_t j = 0; j < count; ++j) {
        total.re[j] = static_cast<Sum>(to.re[j] * unit) * static_cast<Sum>(product_unit);
        total.im[j] = static_cast<Sum>(to.im[j] * unit) * static_cast<Sum>(product_unit);
      }
      for (std::size_t k = 0; k < depth; ++k) {
        const Term term = term_of(i, first, k);
        if (fixed.rounds_products) {
          lost += rounded_products(fixed, row, term, count, w_step, x_step,
                                   counter_of(sum, i, first) + terms_apart * k);
          for (std::size_t j = 0; j < count; ++j) {
            total.re[j] += static_cast<Sum>(row.re[j] * unit) * static_cast<Sum>(product_unit);
            total.im[j] += static_cast<Sum>(row.im[j] * unit) * static_cast<Sum>(product_unit);
          }
        } else {
          for (std::size_t j = 0; j < count; ++j) {
            const Sum a = static_cast<Sum>(term.re[j * x_step] * unit);
            const Sum b = static_cast<Sum>(term.im[j * x_step] * unit);
            const Sum c = static_cast<Sum>(term.w.re[j * w_step] * product_unit);
            const Sum d = static_cast<Sum>(term.w.im[j * w_step] * product_unit);
            total.re[j] += c * a - d * b;
            total.im[j] += c * b + d * a;
          }
        }
        if (fixed.accumulator_bits > 0) lost += hold(fixed, total, to);
      }
      for (std::size_t j = 0; j < count; ++j) row.re[j] = value(total.re[j], fixed.data, of_w);
      for (std::size_t j = 0; j < count; ++j) row.im[j] = value(total.im[j], fixed.data, of_w);
      return lost + settle(fixed, to, row, counter_of(sum, i, first));
    });
  }

  /// The sums as an accumulator of so many bits holds them: it saturates or wraps as data do.
  static std::uint64_t hold(const FixedPoint& fixed, SumRow& total, View<Real> to) {
    // The sums may be in units below those of both quanta.
    const int finer = quantum_exponent(fixed.table) - quantum_exponent(factor_format(fixed));
    constexpr int most = 8 * sizeof(Sum) - 2;
    if (fixed.accumulator_bits + finer > most) return 0;
    const Sum least = Sum{1} << finer;
    const Sum high = (Sum{1} << (fixed.accumulator_bits - 1 + finer)) - least;
    const Sum low = -high - least;
    const bool wraps = fixed.data.overflow == Overflow::wrap;
    std::uint64_t lost = 0;
    for (const auto& [sum, place] : {std::pair{total.re, to.re}, std::pair{total.im, to.im}})
      for (std::size_t j = 0; j < to.cols; ++j) {
        if (sum[j] >= low && sum[j] <= high) continue;
        ++lost;
        if (fixed.lost != nullptr)
          (*fixed.lost)(place + j, value(sum[j], fixed.data, factor_format(fixed)));
        const Sum span = high - low + least;
        const Sum rest = (sum[j] - low) % span;
        const Sum wrapped = low + (rest < 0 ? rest + span : rest);
        sum[j] = wraps ? wrapped : sum[j] > high ? high : low;
      }
    return lost;
  }

  [[gnu::always_inline]] static Sum digits(Real x, const Format& format) {
    return static_cast<Sum>(x * static_cast<Real>(power_of_two(-quantum_exponent(format))));
  }

  /// A sum of products as a double, to odd where it has more than 53 bits.
  [[gnu::always_inline]] static double value(Sum sum, const Format& data, const Format& factor) {
    const double unit =
        power_of_two(quantum_exponent(data)) * power_of_two(quantum_exponent(factor));
    const auto near = static_cast<double>(sum);
    return to_odd(near, static_cast<double>(sum - static_cast<Sum>(near))) * unit;
  }

  static void scale_row(double* __restrict out, const Real* __restrict x, double factor,
                        std::size_t count) {
    if constexpr (sizeof(Real) == sizeof(float))  // exact
      for (std::size_t j = 0; j < count; ++j) out[j] = factor * static_cast<double>(x[j]);
    else
      for (std::size_t j = 0; j < count; ++j) out[j] = product_to_odd(factor, x[j]);
  }

  // Counters of random bits: the places of results, then those of single products, for every term.
  static constexpr std::uint64_t products_apart = std::uint64_t{1} << 60;
  static constexpr std::uint64_t terms_apart = std::uint64_t{1} << 36;
  static std::uint64_t counter_of(View<Real> x, std::size_t i, std::size_t first) {
    return 2 * (i * x.cols + first);
  }

  /// out <- the row, as settle_row makes it.
  static std::uint64_t settle(const FixedPoint& fixed, View<Real> out, Row& row,
                              std::uint64_t counter) {
    return settle_row(fixed, row.re, out.re, out.cols, counter) +
           settle_row(fixed, row.im, out.im, out.cols, counter + out.cols);
  }

  // Sums of data are exact in Real, on the grid, and within two spans.

  template <bool wraps>
  [[gnu::always_inline]] static Real brought_in(Real x, const FixedGrid<Real>& grid) {
    return wraps ? after_rounding(x, grid) : saturated(x, grid);
  }

  static std::uint64_t add_row(const FixedPoint& fixed, Real* out, const Real* a, const Real* b,
                               std::size_t count) {
    const FixedGrid<Real> grid = fixed_grid<Real>(fixed.data);
    if (fixed.lost != nullptr)
      for (std::size_t j = 0; j < count; ++j) report(fixed, grid, out + j, a[j] + b[j]);
    return (grid.span == 0 ? sum_row<false> : sum_row<true>)(grid, out, a, b, count);
  }
  template <bool wraps>
  static std::uint64_t sum_row(const FixedGrid<Real> grid, Real* out, const Real* a, const Real* b,
                               std::size_t count) {
    std::uint64_t lost = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const Real sum = a[j] + b[j];
      out[j] = brought_in<wraps>(sum, grid);
      lost += out[j] != sum;
    }
    return lost;
  }

  static void report(const FixedPoint& fixed, const FixedGrid<Real>& grid, const Real* place,
                     Real sum) {
    if (sum > grid.high || sum < grid.low) (*fixed.lost)(place, static_cast<double>(sum));
  }

  /// (a, b) <- (a + b, a - b), which the caller moves to these places.
  static std::uint64_t exchange(const FixedPoint& fixed, Real* a, Real* b, std::size_t count,
                                const Real* sums_to, const Real* differences_to) {
    const FixedGrid<Real> grid = fixed_grid<Real>(fixed.data);
    if (fixed.lost != nullptr)
      for (std::size_t j = 0; j < count; ++j) {
        report(fixed, grid, sums_to + j, a[j] + b[j]);
        report(fixed, grid, differences_to + j, a[j] - b[j]);
      }
    return (grid.span == 0 ? exchange_row<false> : exchange_row<true>)(grid, a, b, count);
  }
  template <bool wraps>
  static std::uint64_t exchange_row(const FixedGrid<Real> grid, Real* __restrict a,
                                    Real* __restrict b, std::size_t count) {
    std::uint32_t lost = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const Real sum = a[j] + b[j];
      const Real difference = a[j] - b[j];
      const Real first = brought_in<wraps>(sum, grid);
      const Real second = brought_in<wraps>(difference, grid);
      lost += static_cast<std::uint32_t>(first != sum) +
              static_cast<std::uint32_t>(second != difference);
      a[j] = first;
      b[j] = second;
    }
    return lost;
  }

  /// (a, b, c) <- (b, c, a).
  static void rotate(Real* __restrict a, Real* __restrict b, Real* __restrict c,
                     std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      const Real first = a[j];
      a[j] = b[j];
      b[j] = c[j];
      c[j] = first;
    }
  }
};

}  // namespace

template <>
FixedKernels<float> KernelTables<isa::FFTPREC_ISA>::fixed_float() {
  return fixed_kernels_of<float, FixedLoops<isa::FFTPREC_ISA, float>>();
}

template <>
FixedKernels<double> KernelTables<isa::FFTPREC_ISA>::fixed_double() {
  return fixed_kernels_of<double, FixedLoops<isa::FFTPREC_ISA, double>>();
}

}  // namespace fftprec
