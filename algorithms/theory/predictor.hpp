/// Predicts stages: every algorithm describes itself as a series of stages, and its bound, expected
/// error and cost follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "algorithms/theory/engines.hpp"
#include "algorithms/theory/error_model.hpp"
#include "algorithms/theory/schemes.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "algorithms/theory/table_statistics.hpp"
#include "algorithms/theory/units.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// The facts about a table source that a prediction needs. With an empty source tables have no
/// error: for costs.
struct TableSource {
  RootFunction roots;     ///< the entries of the source
  RootFunction exact;     ///< correctly rounded ones
  bool is_exact = false;  ///< the source gives correctly rounded entries, so 1, -1, i, -i are exact
  /// mu >= |w^ - w| over a table of that extent, rounded to a format.
  std::function<double(const TableExtent&, const Format&)> error_bound;
  WindowSource windows{};        ///< the real tables of the source
  WindowSource exact_windows{};  ///< correctly rounded ones
};

/// Stages of an arithmetic. `count` is the number of elements in all transforms of a batch
/// together. `share` is the part of the stage's energy that passes through the operation.
class Predictor {
 public:
  Predictor(const ArithmeticSpec& arithmetic, Dft dft, TableSource tables);

  const ArithmeticSpec& arithmetic() const { return arithmetic_; }
  Dft dft() const { return dft_; }
  const TableSource& tables() const { return tables_; }

  /// Without tables the errors of matrix products, which take time, are left out.
  bool costs_alone() const { return !tables_.roots; }

  /// The same for another transform: convolutions need both directions.
  Predictor of(Dft dft) const;

  /// The same for data that are zero after their first `share`: then some sums of the first stage,
  /// of elements at equal distances, have no error.
  Predictor padded(double share) const;

  /// The same for stores of `lines` lines of n values, on which blocks may depend.
  Predictor on_lines(std::size_t n, std::size_t lines) const;

  /// The same for constants that are literals (RootFunction::literals).
  Predictor with_literals() const;

  /// The same without the expected errors of stages that are exact in `trace`. The trace must
  /// outlive the predictor.
  Predictor traced(StageTrace& trace) const;
  bool is_traced() const { return trace_ != nullptr; }
  /// As `stage` of an arithmetic: predictions during its life belong to that stage.
  StageScope stage(std::string_view name, std::size_t index) const {
    return trace_ == nullptr ? StageScope(nullptr) : trace_->enter(name, index);
  }
  /// The errors of a prediction from the sources that the trace has on here. The shares `tables`
  /// and `words` of its variance come from tables and from words left out, `loss` of its bias from
  /// tables. The rest comes from the sources `rest`, and is NaN if only some of them are on.
  ErrorModel seen(ErrorModel prediction, ErrorSources rest, double tables = 0, double words = 0,
                  double loss = 0) const;

  /// The input, or any other data, rounded to the storage format. Bound: u.
  ErrorModel input() const;

  /// `multiply` of `count` elements with a table of modulus 1. Bound: mu + rho (1 + mu), whatever
  /// the share; 0 if the table is exact and holds 1, -1, i, -i alone, unless data are split.
  ErrorModel product(const TableSpec& table, double share, std::uint64_t count) const;

  /// `count` butterflies of six fused operations, a +- w b with w b = f (p + r q), |f r| <= 1.
  /// `as_roots` gives f and f r as the root that they stand for. Bound: (1 + mu)(1 + rho)(1 + e) -
  /// 1, 1 + rho = (1 + e)(1 + u)(1 + u (1 + mu) + 2^-53), e of a sum, u of r and of f, mu of the
  /// source's roots in fp64 and, if `clamped`, u more.
  ErrorModel ratio_butterfly(const TableSpec& table, const RootFunction& as_roots, bool clamped,
                             std::uint64_t count) const;

  /// The brackets p + r q of `count` of these products, 1/f times the product. Later a factor f
  /// multiplies them, or f in `factors` factors, each of which errs by u. Bound: (1 + mu)(1 + rho)
  /// - 1.
  ErrorModel ratio_product(const TableSpec& table, const RootFunction& as_roots,
                           std::size_t factors, std::uint64_t count) const;

  /// `values`: a table as data, made once, so that it costs nothing. Bound: mu.
  ErrorModel values(const TableSpec& table) const;

  /// `multiply_wide`.
  ErrorModel wide_product(const TableSpec& table, std::uint64_t count) const;

  /// `multiply` with computed factors of any size, exact as given. Bound: rho, elementwise.
  ErrorModel computed_product(std::uint64_t count) const;

  /// `multiply` with the `entries` factors of a real table, each off by at most `error`: of itself,
  /// or of 1 for a result that is compared with the data before the product. Bound: (1 + error)(1 +
  /// rho) - 1.
  ErrorModel real_product(const TableStatistics& table, double error, std::size_t entries,
                          std::uint64_t count) const;

  /// gemm or gemm_columns with a computed depth x outputs matrix W, `rows` vectors x_i of length
  /// `depth`. Bound relative to ||x||_F ||W||_F, for all rows together; the proof stands in
  /// predictor.cpp.
  ErrorModel computed_gemm(std::size_t depth, std::size_t outputs, std::uint64_t rows) const;

  /// `multiply_eighth`. Bound: (1 + u)^2 (1 + mu) - 1.
  ErrorModel eighth(double share, std::uint64_t count) const;

  /// `depth` sums of two like terms in a row, `additions` real additions in all; `fused`: one term
  /// of a sum has a factor whose error is counted elsewhere. Bound: (1 + u)^depth - 1.
  ErrorModel sums(std::size_t depth, std::uint64_t additions, bool fused = false) const;

  /// gemm or gemm_columns with an r x r DFT matrix, `rows` vectors of length r.
  ErrorModel gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// The same by accumulate or accumulate_columns.
  ErrorModel dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// How small DFTs by pairs add up (SmallDft).
  enum class PairSums { in_turn, sums_first, products_first, golden };

  /// An r-point DFT by pairs, r odd, on plain floats; `core` has W(k, j), k, j <= h = (r-1)/2.
  /// Bound: sqrt(2r) [(1 + mu)(1 + p)(1 + s)^(h+2) - 1], p of a real product, s of a sum: an output
  /// is a sum of x_0 and of (|c| + |s|)(|x_k| + |x_(r-k)|), |c| + |s| <= sqrt(2); each passes a
  /// pair's sum, a product, at most h sums, and the last one. Golden pairs have 1.77 in place of
  /// sqrt(2), and one sum more.
  ErrorModel pairs(const TableSpec& core, std::size_t r, std::uint64_t rows, PairSums order) const;

  /// An r-point DFT on the vector engine without the products by its row and its column of ones: y0
  /// = x0 + x1 + ..., yj = x0 + w_j1 x1 + ..., from the left; `core` is the rest of the matrix.
  /// Bound: the bound of `dot`, since this rounds less often. `one_call`: whether one call of
  /// accumulate adds all products, so that compensated sums carry what they lose from k to k.
  ErrorModel dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows,
                      bool one_call = true) const;

  /// The stages of a transform in frequency. Half of its results are sums without a product. In
  /// fixed point stored by passes these sums have at most one bit to cut, and their error is
  /// unknown.
  ErrorModel in_frequency(ErrorModel stages) const;

  /// Data put into another order: exact, but a kernel call.
  ErrorModel reorder() const { return {.calls = {.tensor = 0, .vector = 1}}; }

  /// `begin_stage` of `count` elements: exact where the factor is a power of two. Bound: the errors
  /// of the factor and of a product.
  ErrorModel stage_begun(std::size_t radix, std::size_t before, std::uint64_t count) const;

  /// `transform`, unless it is empty, and the `store` of its result: one more rounding where data
  /// are stored by passes, or where the result is in the engine's format and the storage format is
  /// narrower.
  ErrorModel stored(const ErrorModel& transform) const;

  /// The same with the `end_stage` after `done` of its stages, or with the `store_product` of a
  /// matrix product where data are stored after every operation.
  ErrorModel stage_ended(const ErrorModel& stages, std::size_t done) const;
  ErrorModel stored_product(const ErrorModel& stages) const;

  /// A whole transform. Its input is in the storage format, but where a trace has it exact, and its
  /// result is rounded to it.
  ErrorModel whole(const ErrorModel& transform) const;

  /// As the functions of an arithmetic: two roundings unless the factor is a power of two.
  ErrorModel scale(std::size_t n, std::uint64_t count) const;
  ErrorModel scale_product(std::size_t n, std::uint64_t count) const;
  ErrorModel scale_by(double factor, std::uint64_t count) const;

 private:
  /// Whether errors of that source are on in this stage.
  bool is_on(ErrorSource source) const {
    return trace_ == nullptr || trace_->sources().has(source);
  }
  std::unique_ptr<const UnitTheory> unit() const { return unit_theory(arithmetic_); }
  std::unique_ptr<const SchemeTheory> scheme() const { return scheme_theory(arithmetic_); }
  std::unique_ptr<const StorageTheory> storage() const { return storage_theory(arithmetic_); }
  double table_error(const TableSpec& table, const Format& format) const;
  /// Of the source's table; `word`: see TableStatistics.
  TableStatistics statistics(const TableSpec& table, const Format& word) const;
  TableStatistics statistics_of(const RootFunction& roots, const TableSpec& table,
                                const Format& format, const Format& word) const;
  ErrorBound ratio_error(const TableSpec& table, bool clamped, std::size_t factors) const;
  /// Ratios have any size, so their products may leave any range of values, and their cosines may
  /// be below the normal numbers of a format with few exponents.
  double growth_by_ratios(double growth) const {
    const bool is_narrow =
        arithmetic_.least_error() > 0 || arithmetic_.table_format().emin > fp32.emin;
    return is_narrow && !arithmetic_.on_integers() ? unknown : growth;
  }
  /// Whether the engine's bounds hold sum by sum: no word depends on the largest of many values.
  bool has_elementwise_sums() const;
  double words_variance(const EngineTheory& engine, const TableStatistics& factors,
                        std::size_t depth) const;
  ErrorModel matrix_product(const EngineTheory& engine, const TableSpec& matrix,
                            const TableStatistics& entries, std::size_t r, std::uint64_t rows,
                            ErrorModel::Output output) const;
  /// A stage of that growth. In fixed point both parts of a share of its elements round `roundings`
  /// times.
  ErrorModel rounded_on_grid(ErrorModel stage, double growth, std::size_t roundings,
                             double share = 1) const;
  /// The same below the normal numbers: each part errs by `part` (SmallErrors).
  void round_small(ErrorModel& stage, double part, double share = 1) const;
  /// SmallErrors of each part of a sum of that many complex products on the vector engine.
  double sums_small_error(double products) const;
  /// Roundings of each part of a sum of that many complex products.
  std::size_t roundings_of(std::size_t products) const;
  ErrorModel scaled(const ArithmeticSpec& arithmetic, double factor, std::uint64_t count,
                    ErrorModel::Output output) const;
  ErrorModel divided(const ArithmeticSpec& arithmetic, std::size_t n, std::uint64_t count,
                     ErrorModel::Output output) const;

  std::size_t zeros_of(std::size_t r) const;  ///< at the end of r elements at equal distances

  ArithmeticSpec arithmetic_;
  Dft dft_;
  TableSource tables_;
  double filled_ = 1;  ///< share of data before the zeros at their end
  StageTrace* trace_ = nullptr;
  double store_variance_;  ///< takes a while in blocks
};

}  // namespace fftprec
