/// The matrix products of MachineArithmetic, against PSUM tiles filled by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "arith/accumulators/psum.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/support/error.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"

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

}  // namespace fftprec::testing
