/// Predicts stages: every algorithm describes itself as a series of these, and its bound, expected
/// error and cost follow.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "algorithms/arithmetic/table_spec.hpp"
#include "algorithms/theory/prediction.hpp"
#include "algorithms/theory/table_statistics.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// What a prediction needs to know of a table source. An empty one takes tables as free of error:
/// for costs.
struct TableSource {
  RootFunction roots;     ///< the entries as the source gives them
  RootFunction exact;     ///< correctly rounded ones
  bool is_exact = false;  ///< the source gives correctly rounded entries, so 1, -1, i, -i are exact
  /// mu >= |w^ - w| over a table of that extent, rounded to a format.
  std::function<double(const TableExtent&, const Format&)> error_bound;
  WindowSource windows{};        ///< real tables as the source gives them
  WindowSource exact_windows{};  ///< correctly rounded ones
};

/// Stages of an arithmetic. `count`s are elements over the whole call, all transforms of a
/// batch together. `share` is the part of the stage's energy that passes through the operation.
class Predictor {
 public:
  Predictor(const ResolvedArithmetic& arithmetic, Direction direction, TableSource tables);

  const ResolvedArithmetic& arithmetic() const { return arithmetic_; }
  Direction direction() const { return direction_; }
  const TableSource& tables() const { return tables_; }

  /// The same for another direction: convolutions transform both ways.
  Predictor with_direction(Direction direction) const;

  /// The same, but of stages that `trace` takes as exact no error is expected. The trace must
  /// outlive it.
  Predictor traced(StageTrace& trace) const;
  bool is_traced() const { return trace_ != nullptr; }
  /// As of an arithmetic: what is predicted while it lives is of that stage.
  StageScope stage(std::string_view name, std::size_t index) const {
    return trace_ == nullptr ? StageScope(nullptr) : trace_->enter(name, index);
  }
  /// A prediction as the trace sees it here. Of its variance `tables` is that of tables and `words`
  /// that of words left out; the rest is of the sources `rest`, NaN if some of them are on and some
  /// are not.
  Prediction seen(Prediction prediction, ErrorSources rest, double tables = 0,
                  double words = 0) const;

  /// The input rounded to the storage format. Bound: u.
  Prediction input() const;

  /// `multiply` of `count` elements with a table of modulus 1. Bound: mu + rho (1 + mu), whatever
  /// the share; 0 if the table is exact and holds 1, -1, i, -i alone, unless data are split.
  Prediction product(const TableSpec& table, double share, std::uint64_t count) const;

  /// `values`: a table as data. Bound: mu. Costs nothing, since it happens once.
  Prediction values(const TableSpec& table) const;

  /// `multiply_wide`.
  Prediction wide_product(const TableSpec& table, std::uint64_t count) const;

  /// `multiply` with computed factors of any size, exact as given. Bound: rho, elementwise.
  Prediction computed_product(std::uint64_t count) const;

  /// `multiply` with the `entries` factors of a real table, each off by at most `error`: of itself,
  /// or of 1 for a result that is compared with the data before the product. Bound: (1 + error)(1 +
  /// rho) - 1.
  Prediction real_product(const TableStatistics& table, double error, std::size_t entries,
                          std::uint64_t count) const;

  /// gemm or gemm_columns with a computed depth x outputs matrix W, `rows` vectors x_i of length
  /// `depth`. Bound relative to ||x||_F ||W||_F, for all rows together; the proof stands in
  /// predictor.cpp.
  Prediction computed_gemm(std::size_t depth, std::size_t outputs, std::uint64_t rows) const;

  /// `multiply_eighth`. Bound: (1 + u)^2 (1 + mu) - 1.
  Prediction eighth(double share, std::uint64_t count) const;

  /// `depth` sums of two like terms in a row, `additions` real ones in all. Bound: (1 + u)^depth -
  /// 1.
  Prediction sums(std::size_t depth, std::uint64_t additions) const;

  /// gemm or gemm_columns with an r x r DFT matrix, `rows` vectors of length r.
  Prediction gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// The same by accumulate or accumulate_columns.
  Prediction dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// An r-point DFT on the vector engine without the products by its row and its column of ones: y0
  /// = x0 + x1 + ..., yj = x0 + w_j1 x1 + ..., from the left; `core` is the rest of the matrix.
  /// Bound: that of `dot`, of which this leaves out roundings. `one_call`: whether one call of
  /// accumulate adds all products, so that compensated sums carry what they lose from k to k.
  Prediction dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows,
                      bool one_call = true) const;

  /// Data put into another order: exact, but a kernel call.
  Prediction reorder() const { return {.calls = {.tensor = 0, .vector = 1}}; }

  /// `store` after a matrix product: one more rounding where the storage format is the narrower.
  Prediction store() const;

  /// The inverse's product with fl(1/n), `scale` and `scale_product`: two roundings unless n is a
  /// power of two. Nothing for the forward transform.
  Prediction inverse_scale(std::size_t n, std::uint64_t count) const;
  Prediction inverse_scale_product(std::size_t n, std::uint64_t count) const;

 private:
  double table_error(const TableSpec& table, const Format& format) const;
  TableStatistics statistics(const TableSpec& table, const Format& format,
                             const Format& word) const;
  double words_left_out(const TableStatistics& factors, std::size_t depth) const;
  KernelCalls gemm_calls() const;
  Prediction scaled(const ResolvedArithmetic& arithmetic, std::size_t n, std::uint64_t count,
                    Prediction::Output output) const;

  ResolvedArithmetic arithmetic_;
  Direction direction_;
  TableSource tables_;
  StageTrace* trace_ = nullptr;
};

}  // namespace fftprec
