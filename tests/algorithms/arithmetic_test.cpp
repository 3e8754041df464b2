/// The operations of MachineArithmetic one by one, against the plain scalar arithmetic and against
/// PSUM tiles filled by hand.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "algorithms/machine_arithmetic.hpp"
#include "algorithms/scalar_arithmetic.hpp"
#include "arith/emulated.hpp"
#include "arith/error.hpp"
#include "arith/psum.hpp"
#include "arith/round.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

namespace {

/// Small tiles, so that every edge of a product falls inside; PSUM leaves in bf16.
Machine small_tiles() {
  Machine machine = machine_named("trn-rz");
  machine.name = "small tiles";
  machine.k_tile = 8;
  machine.m_tile = 2;
  machine.n_tile = 16;
  machine.eviction = bf16;
  return machine;
}

/// All that add products in an order of their own; what else a machine can do wrong is tested
/// elsewhere.
std::vector<Machine> presets_and_small_tiles() {
  std::vector<Machine> all;
  for (const Machine& machine : machines())
    if (machine.elided == Elision::none && !machine.misread && machine.casts == Rounding::rne &&
        machine.vector == VectorEngine{})
      all.push_back(machine);
  all.push_back(small_tiles());
  return all;
}

bool multiplies_matrices(const Mode& mode, const Machine& machine) {
  try {
    gemm_scheme(mode, machine);
    return true;
  } catch (const NotApplicable&) {
    return false;
  }
}

template <class Real>
ComplexArray<Real> gaussian(std::size_t size, const Format& format) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  ComplexArray<Real> x(size);
  for (auto* part : {&x.re, &x.im})
    for (Real& value : *part)
      value = static_cast<Real>(round(normal(random), format, Rounding::rne));
  return x;
}

/// What no result may start from.
template <class Real>
ComplexArray<Real> garbage(std::size_t size) {
  ComplexArray<Real> x(size);
  for (auto* part : {&x.re, &x.im})
    for (Real& value : *part) value = Real(1e6);
  return x;
}

RootIndex root_of_37(std::size_t i) { return {7 * i, 37}; }
RootIndex root_of_4(std::size_t i) { return {i * i + i / 3, 4}; }

/// multiply with a factor per element (col_step 1) or per row (0), on a window of a larger array.
template <class T>
void expect_same_products(const char* mode, std::size_t row_step, std::size_t col_step) {
  using Real = typename T::carrier_type;
  constexpr std::size_t rows = 3, cols = 37, stride = 50;
  const MachineArithmetic<Real> fast(mode_named(mode), machine_named("trn"));
  const ScalarArithmetic<T> plain(T::format);
  ComplexArray<Real> x = gaussian<Real>(rows * stride, T::format);
  ComplexArray<T> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.re[i] = T::from_carrier(x.re[i]);
    expected.im[i] = T::from_carrier(x.im[i]);
  }
  const auto table = fast.factors({rows * cols, root_of_37, {}}, Direction::inverse, exact_roots());
  const auto plain_table =
      plain.factors({rows * cols, root_of_37, {}}, Direction::inverse, exact_roots());

  fast.multiply({x.re.data(), x.im.data(), rows, cols, stride}, table.view(0, row_step, col_step));
  plain.multiply({expected.re.data(), expected.im.data(), rows, cols, stride},
                 plain_table.view(0, row_step, col_step));

  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x.re[i], expected.re[i].carrier()) << mode << ", element " << i << ", seed 23";
    ASSERT_EQ(x.im[i], expected.im[i].carrier()) << mode << ", element " << i << ", seed 23";
  }
}

RowMatrix matrix(const AlignedVector<float>& values, std::size_t rows, std::size_t cols) {
  return Eigen::Map<const RowMatrix>(values.data(), static_cast<Eigen::Index>(rows),
                                     static_cast<Eigen::Index>(cols));
}

/// The words of x: each the bf16 rounding of what those before leave.
std::vector<RowMatrix> bf16_words(RowMatrix x, std::size_t count) {
  std::vector<RowMatrix> words;
  for (; count > 0; --count) {
    words.push_back(x.unaryExpr([](float v) {
      return static_cast<float>(round(static_cast<double>(v), bf16, Rounding::rne));
    }));
    x -= words.back();
  }
  return words;
}

/// One term of a complex product, PSUM tile by PSUM tile, evicted.
class Term {
 public:
  Term(const Machine& machine, const Format& operands) : machine_(machine), operands_(operands) {}

  struct Parts {
    RowMatrix re, im;
  };
  Parts operator()(const Parts& x, const Parts& w) const {
    const RowMatrix minus = -w.im;
    return {sum(x.re, w.re, x.im, minus), sum(x.re, w.im, x.im, w.re)};
  }

 private:
  /// a b + c d: for each K-tile the first product, then the second.
  RowMatrix sum(const RowMatrix& a, const RowMatrix& b, const RowMatrix& c,
                const RowMatrix& d) const {
    const auto size = [](std::size_t tile, Eigen::Index rest) {
      return std::min(static_cast<Eigen::Index>(tile), rest);
    };
    RowMatrix out(a.rows(), b.cols());
    for (Eigen::Index i = 0, m = 0; i < a.rows(); i += m)
      for (Eigen::Index j = 0, n = 0; j < b.cols(); j += n) {
        m = size(machine_.m_tile, a.rows() - i);
        n = size(machine_.n_tile, b.cols() - j);
        PsumTile tile(m, n, machine_);
        for (Eigen::Index l = 0, k = 0; l < a.cols(); l += k) {
          k = size(machine_.k_tile, a.cols() - l);
          const RowMatrix first = a.block(i, l, m, k).transpose();
          const RowMatrix second = c.block(i, l, m, k).transpose();
          tile.matmul(first, b.block(l, j, k, n), operands_, l > 0);
          tile.matmul(second, d.block(l, j, k, n), operands_, true);
        }
        out.block(i, j, m, n) = tile.evicted();
      }
    return out;
  }

  Machine machine_;
  Format operands_;
};

/// The complex product as each mode says, from PSUM tiles.
Term::Parts by_tiles(const Mode& mode, const Machine& machine, const Term::Parts& x,
                     const Term::Parts& w) {
  if (!is_split(mode)) return Term(machine, mode.storage)(x, w);
  const SplitSpec& split = mode.split;
  const auto x_re = bf16_words(x.re, split.data_words), x_im = bf16_words(x.im, split.data_words);
  const auto w_re = bf16_words(w.re, 2), w_im = bf16_words(w.im, 2);
  const Term term(machine, bf16);
  const bool three = mode.name == "ozaki";
  const std::vector<std::pair<std::size_t, std::size_t>> order =
      three ? std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {1, 0}, {0, 1}}
            : std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {0, 1}, {0, 2},
                                                               {1, 0}, {1, 1}, {1, 2}};
  Term::Parts sum;
  for (const auto& [f, d] : order) {
    const Term::Parts next = term({x_re[d], x_im[d]}, {w_re[f], w_im[f]});
    if (sum.re.size() == 0) {
      sum = next;
      continue;
    }
    sum.re += next.re;
    sum.im += next.im;
  }
  return sum;
}

}  // namespace

TEST(MachineArithmetic, MultipliesLikeTheScalarDefinition) {
  for (const bool per_element : {true, false}) {
    const std::size_t row_step = per_element ? 37 : 1, col_step = per_element ? 1 : 0;
    expect_same_products<Bf16>("bf16", row_step, col_step);
    expect_same_products<Fp32>("fast", row_step, col_step);
    expect_same_products<Fp64>("double", row_step, col_step);
  }
}

TEST(MachineArithmetic, MatrixProductIsThatOfTilesFilledByHand) {
  constexpr std::size_t b = 3, k = 21, n = 70;
  for (const char* name : {"fast", "bf16", "ozaki", "ozaki_hq"})
    for (const Machine& machine : presets_and_small_tiles()) {
      SCOPED_TRACE(::testing::Message() << name << " on " << machine.name << ", seed 23");
      const Mode& mode = mode_named(name);
      if (!multiplies_matrices(mode, machine)) continue;
      const MachineArithmetic<float> arithmetic(mode, machine);
      ComplexArray<float> x = gaussian<float>(b * k, mode.storage), out = garbage<float>(b * n);
      const auto table =
          arithmetic.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());
      const ScalarArithmetic<Fp32> plain(mode.table);
      const auto entries =
          plain.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());
      AlignedVector<float> w_re, w_im;
      for (std::size_t i = 0; i < k * n; ++i) {
        w_re.push_back(entries.planes.re[i].carrier());
        w_im.push_back(entries.planes.im[i].carrier());
      }

      arithmetic.gemm(view_of(out, b, n), view_of(x, b, k), table);

      const Term::Parts expected = by_tiles(mode, machine, {matrix(x.re, b, k), matrix(x.im, b, k)},
                                            {matrix(w_re, k, n), matrix(w_im, k, n)});
      EXPECT_EQ(matrix(out.re, b, n), expected.re);
      EXPECT_EQ(matrix(out.im, b, n), expected.im);
    }
}

/// The transposed product has the columns of the data as its vector direction, and the same bits.
TEST(MachineArithmetic, ProductsOfColumnsAreThoseOfRows) {
  constexpr std::size_t b = 11, k = 21, n = 5;
  const auto check = [&]<class Real>(const Mode& mode, const Machine& machine) {
    SCOPED_TRACE(::testing::Message() << mode.name << " on " << machine.name << ", seed 23");
    const MachineArithmetic<Real> arithmetic(mode, machine);
    ComplexArray<Real> rows = gaussian<Real>(b * k, mode.storage), columns(k * b);
    for (std::size_t i = 0; i < b; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        columns.re[j * b + i] = rows.re[i * k + j];
        columns.im[j * b + i] = rows.im[i * k + j];
      }
    const TableSpec spec{k * n, root_of_37, {}};
    const auto matrix = arithmetic.matrix(spec, k, Direction::forward, exact_roots());
    const auto factors = arithmetic.factors(spec, Direction::forward, exact_roots());
    ComplexArray<Real> by_rows = garbage<Real>(b * n), by_columns = garbage<Real>(n * b);
    const auto expect_same = [&](const char* what) {
      for (std::size_t i = 0; i < b; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_EQ(by_columns.re[j * b + i], by_rows.re[i * n + j]) << what << i << ", " << j;
          ASSERT_EQ(by_columns.im[j * b + i], by_rows.im[i * n + j]) << what << i << ", " << j;
        }
    };
    arithmetic.gemm(view_of(by_rows, b, n), view_of(rows, b, k), matrix);
    arithmetic.gemm_columns(view_of(by_columns, n, b), matrix, view_of(columns, k, b));
    expect_same("gemm ");
    arithmetic.accumulate(view_of(by_rows, b, n), view_of(rows, b, k), factors.view(0, n, 1));
    arithmetic.accumulate_columns(view_of(by_columns, n, b), factors.view(0, n, 1),
                                  view_of(columns, k, b));
    expect_same("accumulate ");
  };
  for (const Mode& mode : trnfft_modes())
    for (const Machine& machine : presets_and_small_tiles())
      if (!multiplies_matrices(mode, machine))
        continue;
      else if (on_host(mode))
        check.operator()<double>(mode, machine);
      else
        check.operator()<float>(mode, machine);
}

/// What moves data between rows without a table, against the plain scalar arithmetic.
template <class T>
void expect_same_butterflies(const char* mode, Direction direction) {
  using Real = typename T::carrier_type;
  constexpr std::size_t rows = 3, cols = 37;
  const MachineArithmetic<Real> fast(mode_named(mode), machine_named("trn"));
  const ScalarArithmetic<T> plain(T::format);
  ComplexArray<Real> x = gaussian<Real>(2 * rows * cols, T::format);
  ComplexArray<T> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.re[i] = T::from_carrier(x.re[i]);
    expected.im[i] = T::from_carrier(x.im[i]);
  }
  const TableSpec spec{rows * cols, root_of_37, {}};
  const auto table = fast.factors(spec, direction, exact_roots());
  const auto plain_table = plain.factors(spec, direction, exact_roots());
  const auto each = [&](auto step) {
    step(fast, view_of(x, 2 * rows, cols), table);
    step(plain, view_of(expected, 2 * rows, cols), plain_table);
  };
  each([](const auto& arithmetic, auto all, const auto& w) {
    arithmetic.butterfly_dif(all.middle_rows(0, rows), all.middle_rows(rows, rows),
                             w.view(0, cols, 1));
  });
  each([](const auto& arithmetic, auto all, const auto& w) {
    arithmetic.butterfly_dif(all.middle_rows(0, rows), all.middle_rows(rows, rows),
                             w.view(0, 1, 0));
  });
  each([](const auto& arithmetic, auto all, const auto&) {
    arithmetic.sum_difference(all.middle_rows(1, 2), all.middle_rows(4, 2));
  });
  each([direction](const auto& arithmetic, auto all, const auto&) {
    arithmetic.rotated(all.middle_rows(0, 2), all.middle_rows(3, 2), direction);
  });
  each([](const auto& arithmetic, auto all, const auto&) {
    arithmetic.add(all.middle_rows(5, 1), all.middle_rows(5, 1), all.middle_rows(2, 1));
  });
  each([direction](const auto& arithmetic, auto all, const auto&) {
    const auto factor = arithmetic.eighth_factor(exact_roots());
    arithmetic.multiply_eighth(all.middle_rows(1, 1), factor, false, direction);
    arithmetic.multiply_eighth(all.middle_rows(2, 1), factor, true, direction);
  });
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x.re[i], expected.re[i].carrier()) << mode << ", element " << i << ", seed 23";
    ASSERT_EQ(x.im[i], expected.im[i].carrier()) << mode << ", element " << i << ", seed 23";
  }
}

TEST(MachineArithmetic, CombinesRowsLikeTheScalarDefinition) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    expect_same_butterflies<Bf16>("bf16", direction);
    expect_same_butterflies<Fp32>("fast", direction);
    expect_same_butterflies<Fp64>("double", direction);
  }
}

/// exp(-+i pi/4) x and exp(-+3 i pi/4) x in values where nothing rounds but the factor.
TEST(MachineArithmetic, TurnsByAnEighth) {
  const auto c = static_cast<float>(exact_roots()(1, 8, fp32).real());
  for (const char* mode : {"fast", "kahan", "ozaki_hq"})
    for (const bool odd : {false, true})
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const MachineArithmetic<float> arithmetic(mode_named(mode), machine_named("trn"));
        ComplexArray<float> x(1);
        x.re[0] = 1;
        arithmetic.multiply_eighth(view_of(x, 1, 1), arithmetic.eighth_factor(exact_roots()), odd,
                                   direction);
        // ozaki_hq keeps 17 bits of the factor.
        const float tolerance = std::string_view(mode) == "ozaki_hq" ? 0x1p-17f : 0;
        EXPECT_NEAR(x.re[0], odd ? -c : c, tolerance) << mode;
        EXPECT_NEAR(x.im[0], direction == Direction::forward ? -c : c, tolerance) << mode;
      }
}

TEST(MachineArithmetic, MatrixProductOfSmallIntegersIsExactInEveryMode) {
  constexpr std::size_t b = 5, k = 150, n = 70;
  const ScalarArithmetic<Fp64> exact(fp64);
  const auto exact_table =
      exact.matrix({k * n, root_of_4, {}}, k, Direction::forward, exact_roots());
  for (const Mode& mode : trnfft_modes())
    for (const Machine& machine : presets_and_small_tiles()) {
      if (on_host(mode) || !multiplies_matrices(mode, machine)) continue;
      if (machine.psum != fp32 || machine.eviction != fp32) continue;  // holds no such integers
      const MachineArithmetic<float> arithmetic(mode, machine);
      ComplexArray<float> x(b * k), out = garbage<float>(b * n);
      ComplexArray<Fp64> wide(b * k), expected(b * n);
      for (std::size_t i = 0; i < x.size(); ++i) {
        x.re[i] = static_cast<float>(i * i % 5) - 2;
        x.im[i] = static_cast<float>(i * 7 % 3) - 1;
        wide.re[i] = Fp64(x.re[i]);
        wide.im[i] = Fp64(x.im[i]);
      }
      exact.gemm(view_of(expected, b, n), view_of(wide, b, k), exact_table);

      arithmetic.gemm(
          view_of(out, b, n), view_of(x, b, k),
          arithmetic.matrix({k * n, root_of_4, {}}, k, Direction::forward, exact_roots()));

      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out.re[i], static_cast<double>(expected.re[i]))
            << mode.name << " on " << machine.name << ", element " << i;
        ASSERT_EQ(out.im[i], static_cast<double>(expected.im[i]))
            << mode.name << " on " << machine.name << ", element " << i;
      }
    }
}

TEST(MachineArithmetic, MatrixProductOnTheHostIsOneChainPerPart) {
  constexpr std::size_t b = 2, k = 150, n = 40;
  const MachineArithmetic<double> arithmetic(mode_named("double"), machine_named("trn"));
  const ScalarArithmetic<double> plain(fp64);  // all Xr Wr, then all Xi (-Wi), k ascending
  ComplexArray<double> x = gaussian<double>(b * k, fp64), out = garbage<double>(b * n);
  ComplexArray<double> expected(b * n);
  const auto table = plain.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());

  arithmetic.gemm(view_of(out, b, n), view_of(x, b, k), table);
  plain.gemm(view_of(expected, b, n), view_of(x, b, k), table);

  EXPECT_EQ(out, expected);
}

TEST(MachineArithmetic, MatrixProductOnTheVectorEngineSumsTwoProdsWithAscendingK) {
  constexpr std::size_t k = 30, n = 40;
  const MachineArithmetic<float> arithmetic(mode_named("kahan"), machine_named("trn"));
  ComplexArray<float> x = gaussian<float>(k, fp32), out = garbage<float>(n);
  const auto table =
      arithmetic.matrix({k * n, root_of_37, {}}, k, Direction::forward, exact_roots());

  arithmetic.gemm(view_of(out, 1, n), view_of(x, 1, k), table);

  for (std::size_t j = 0; j < n; ++j) {
    Complex<float> sum{0, 0};
    for (std::size_t i = 0; i < k; ++i) {
      const Complex<float> w{table.planes.re[i * n + j], table.planes.im[i * n + j]};
      sum = sum + multiply_two_prod(w, Complex<float>{x.re[i], x.im[i]});
    }
    EXPECT_EQ(out.re[j], sum.re) << "output " << j << ", seed 23";
    EXPECT_EQ(out.im[j], sum.im) << "output " << j << ", seed 23";
  }
}

TEST(MachineArithmetic, ScalesByTheRoundedReciprocal) {
  const Machine& trn = machine_named("trn");
  ComplexArray<float> x(1);
  const auto scaled = [&](const char* mode, auto scale) {
    x.re[0] = 5;
    x.im[0] = 7;
    (MachineArithmetic<float>(mode_named(mode), trn).*scale)(view_of(x, 1, 1), 3);
    return std::pair(x.re[0], x.im[0]);
  };
  using Arithmetic = MachineArithmetic<float>;
  // fl(1/3) is 0x1.56p-2 in bf16; each product rounds to bf16 too.
  EXPECT_EQ(scaled("bf16", &Arithmetic::scale), std::pair(0x1.acp0f, 0x1.2cp1f));
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(scaled("bf16", &Arithmetic::scale_product), std::pair(5 * third, 7 * third));
  EXPECT_EQ(scaled("fast", &Arithmetic::scale), std::pair(5 * third, 7 * third));
}

TEST(MachineArithmetic, TakesSumsOfResultsInTheCarriersOwnFormat) {
  const MachineArithmetic<float> bf16_arithmetic(mode_named("bf16_refined"), machine_named("trn"));
  ComplexArray<float> x(1), y(1);
  x.re[0] = 1;
  y.re[0] = 0x1p-20f;

  bf16_arithmetic.subtract_wide(x, y);
  EXPECT_EQ(y.re[0], 1 - 0x1p-20f);
  bf16_arithmetic.add_wide(x, y);
  EXPECT_EQ(x.re[0], 2 - 0x1p-20f);
}

}  // namespace fftprec::testing
