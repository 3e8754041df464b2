/// Predicts stages: every algorithm describes itself as a series of these, and its bound, expected
/// error and cost follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <string_view>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/expectation.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Kernel calls, one after the other: matrix products that leave PSUM by themselves; butterflies,
/// sums and reorderings of data. Elementwise products with a table ride along with what comes next.
struct KernelCalls {
  std::uint64_t tensor = 0;
  std::uint64_t vector = 0;
  friend bool operator==(const KernelCalls&, const KernelCalls&) = default;
};

/// Of one stage, or of stages in series. Errors are relative to the 2-norm of the result.
struct Prediction {
  ErrorBound bound{};  ///< worst case, a theorem, and its random part
  /// Expected square of the error for random data (RMS model); NaN where there is no closed form.
  double variance = 0;
  double drift = 0;  ///< expected loss of size: every truncating accumulator shrinks the result
  double spared_variance = 0;  ///< the parts of both that real data spare the first stage
  double spared_drift = 0;
  double fine_variance = 0;  ///< the part that input of no more than fp32's bits spares it
  double padding_variance =
      0;                     ///< the part that zeros at the end of the data spare the first stage
  double sums_variance = 0;  ///< the part that butterflies' sums make
  /// The part that data in the format that they are kept in between passes spare the first stage.
  double kept_variance = 0;
  bool is_kept = false;       ///< the result is in that format
  bool mixes_phases = false;  ///< of Hermitian data what is on the way is not real up to a phase
  /// The square of what stages multiply the result by beside what they compute: a power of two for
  /// radices that are.
  double scale_square = 1;

  double scale() const { return std::sqrt(scale_square); }

  // Roundings whose size does not depend on the data's: all of fixed point, elsewhere those of what
  // is below the normal numbers, of which the worst case alone counts.
  double growth = 1;       ///< of the mean square of an element, or of an error's; NaN: not known
  double noise = 0;        ///< expected square of an element's error less its mean, absolute
  double shrinkage = 0;    ///< expected loss of size times the RMS of a part
  double noise_bound = 0;  ///< worst case of the root mean square of these errors

  // Of data of modulus 1 at most, in fixed point: results have at most `reach` and are off by at
  // most `slip`, values on the way by at most `peak` and `peak_slip`.
  double reach = 1;
  double slip = 0;
  double peak = 1;
  double peak_slip = 0;

  /// Both parts of a share of the elements are rounded `times` times, by `once` each time: once for
  /// all, or every product of a sum. Of an error that moves normal data outwards sqrt(2/pi) goes
  /// along with the data; for r pairs of products by factors of modulus 1 it is that times 4/pi
  /// sqrt r. The rest is noise.
  void round_parts(const FixedErrors& once, double times = 1, double share = 1) {
    constexpr double pi = std::numbers::pi;
    const double along = times > 1 ? 4 / pi * std::sqrt(times / 2) : 1;
    shrinkage = -std::sqrt(2 / pi) * along * once.outwards;
    noise = share * 2 * (times * (once.variance + square(once.outwards)) - square(shrinkage));
    shrinkage *= share;
    noise_bound = std::sqrt(share / 2) * 2 * times * once.largest;
    slip = peak_slip = std::numbers::sqrt2 * times * once.largest;
  }
  /// The part of `variance` by which tables give each output a factor of its own, whatever the
  /// data: transforms by the same tables have it in common.
  double shared_variance = 0;
  double imaginary_variance =
      0;  ///< the part that is dropped with the imaginary part of a real result
  Cost cost{};
  KernelCalls calls{};
  std::size_t tables_met = 0;     ///< products with a table that the data pass through, one by one
  std::size_t table_entries = 0;  ///< of all tables together

  /// Which format the result is in.
  enum class Output {
    unchanged,  ///< that of the stage before
    storage,    ///< the storage format of the mode
    engine      ///< what a matrix product delivers
  } output = Output::unchanged;

  std::string_view theorem = "stages";  ///< the name of `bound` in results

  /// The expected error, if there is a closed form: losses of size all point the same way, the rest
  /// does not. `of_fp32`: the input has no more than fp32's bits.
  std::optional<double> expected(bool of_fp32 = false) const {
    const double square = variance - (of_fp32 ? fine_variance : 0) + drift * drift;
    if (std::isnan(square)) return std::nullopt;
    return std::sqrt(std::max(square, 0.0));
  }

  /// This stage, then `next` on its result: bounds compose, variances, drifts and costs add.
  Prediction then(const Prediction& next) const {
    Prediction result = *this;
    result.bound = compose(bound, next.bound);
    result.variance += is_kept ? next.variance - next.kept_variance : next.variance;
    result.shared_variance += next.shared_variance;
    result.sums_variance += next.sums_variance;
    result.mixes_phases = mixes_phases || next.mixes_phases;
    result.imaginary_variance += next.imaginary_variance;
    if (variance == 0 && tables_met == 0) {
      result.spared_variance = next.spared_variance;
      result.spared_drift = next.spared_drift;
      result.kept_variance = next.kept_variance;
    }
    if (variance == 0) {
      result.fine_variance = next.fine_variance;
      result.padding_variance = next.padding_variance;
    } else if (variance == fine_variance && next.variance == next.fine_variance) {
      result.fine_variance += next.fine_variance;  // sums of sums that leave nothing to round
    }
    if (next.output != Output::unchanged) result.is_kept = next.is_kept;
    result.drift += next.drift;
    result.scale_square *= next.scale_square;
    result.growth *= next.growth;
    result.noise = noise * next.growth + next.noise;
    result.shrinkage = shrinkage * std::sqrt(next.growth) + next.shrinkage;
    result.reach = reach * next.reach;
    result.slip = slip * next.reach + next.slip;
    result.peak = std::max({peak, reach, reach * next.peak, result.reach});
    result.peak_slip = std::max({peak_slip, slip * next.peak + next.peak_slip, result.slip});
    result.noise_bound =
        noise_bound * std::sqrt(next.growth) * (1 + next.bound.worst) + next.noise_bound;
    result.cost = cost + next.cost;
    result.calls = {calls.tensor + next.calls.tensor, calls.vector + next.calls.vector};
    result.tables_met += next.tables_met;
    result.table_entries += next.table_entries;
    if (next.output != Output::unchanged) result.output = next.output;
    return result;
  }

  /// This and `other` on two orthogonal parts of the data, that of `other` with `share` of the
  /// energy: ||e||^2 = ||e_1||^2 + ||e_2||^2 <= max(b_1, b_2)^2 ||y||^2.
  Prediction beside(const Prediction& other, double share) const {
    Prediction result = *this;
    result.bound = larger(bound, other.bound);
    result.variance = (1 - share) * variance + share * other.variance;
    result.shared_variance = (1 - share) * shared_variance + share * other.shared_variance;
    result.imaginary_variance = (1 - share) * imaginary_variance + share * other.imaginary_variance;
    result.spared_variance = (1 - share) * spared_variance + share * other.spared_variance;
    result.spared_drift = (1 - share) * spared_drift + share * other.spared_drift;
    result.drift = (1 - share) * drift + share * other.drift;
    result.fine_variance = (1 - share) * fine_variance + share * other.fine_variance;
    result.padding_variance = (1 - share) * padding_variance + share * other.padding_variance;
    result.sums_variance = (1 - share) * sums_variance + share * other.sums_variance;
    result.kept_variance = (1 - share) * kept_variance + share * other.kept_variance;
    result.is_kept = is_kept && other.is_kept;
    result.mixes_phases = mixes_phases || other.mixes_phases;
    result.growth = (1 - share) * growth + share * other.growth;
    result.noise = (1 - share) * noise + share * other.noise;
    result.shrinkage = (1 - share) * shrinkage + share * other.shrinkage;
    result.reach = std::max(reach, other.reach);
    result.slip = std::max(slip, other.slip);
    result.peak = std::max(peak, other.peak);
    result.peak_slip = std::max(peak_slip, other.peak_slip);
    result.noise_bound = std::max(noise_bound, other.noise_bound);
    result.cost = cost + other.cost;
    result.calls = {std::max(calls.tensor, other.calls.tensor),
                    std::max(calls.vector, other.calls.vector)};
    result.tables_met = std::max(tables_met, other.tables_met);
    result.table_entries += other.table_entries;
    if (output == Output::unchanged) result.output = other.output;
    return result;
  }

  /// For real data. Only a first stage that is a matrix product differs much: its sums have
  /// products with zeros.
  Prediction from_real() const {
    Prediction result = *this;
    result.variance -= spared_variance;
    result.drift -= spared_drift;
    result.spared_variance = result.spared_drift = 0;
    return result;
  }

  /// For data that are padded as the predictor was told.
  Prediction from_padded() const {
    Prediction result = *this;
    result.variance -= padding_variance;
    result.fine_variance = std::min(fine_variance, result.variance);
    result.padding_variance = 0;
    return result;
  }

  /// For Hermitian data, so that the exact result is real, and with the imaginary part of the
  /// computed result dropped: the expected error keeps the share in the direction of the data.
  /// Intermediate results of an FFT are real up to a known phase; a rounding of both parts has
  /// (cos^4 + sin^4) of its square along that phase, 3/4 in the mean; those between
  /// two chirps are not, and half of their errors is real. For errors of table entries
  /// the share depends on their phases, so nothing is expected where they are most of the error.
  /// For a transform by a single matrix the dropped part is known.
  Prediction to_real() const {
    Prediction result = *this;
    const double kept = tables_met <= 1 ? 1 : mixes_phases ? 0.5 : 0.75;
    result.variance *= kept;
    if (tables_met <= 1) result.variance -= imaginary_variance;
    if (tables_met > 1 && shared_variance > variance / 2) result.variance = unknown;
    result.imaginary_variance = 0;
    result.fine_variance *= kept;
    result.padding_variance *= kept;
    result.spared_variance = result.spared_drift = 0;
    return result;
  }
};

/// The format of a result. Requires: some stage wrote it.
Format output_format(const Prediction& prediction, const ArithmeticSpec& arithmetic);

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
  Predictor(const ArithmeticSpec& arithmetic, Dft dft, TableSource tables);

  const ArithmeticSpec& arithmetic() const { return arithmetic_; }
  Dft dft() const { return dft_; }
  const TableSource& tables() const { return tables_; }

  /// Without tables nobody asks for the errors of matrix products, which take time with their
  /// depth.
  bool costs_alone() const { return !tables_.roots; }

  /// The same for another transform: convolutions go both ways.
  Predictor of(Dft dft) const;

  /// The same for data that are zero but for their first `share`: it spares sums of the first
  /// stage, which take elements at equal distances.
  Predictor padded(double share) const;

  /// The same for stores of so many lines of n values, on which blocks may depend.
  Predictor on_lines(std::size_t n, std::size_t lines) const;

  /// The same, but of stages that `trace` takes as exact no error is expected. The trace must
  /// outlive it.
  Predictor traced(StageTrace& trace) const;
  bool is_traced() const { return trace_ != nullptr; }
  /// As of an arithmetic: what is predicted while it lives is of that stage.
  StageScope stage(std::string_view name, std::size_t index) const {
    return trace_ == nullptr ? StageScope(nullptr) : trace_->enter(name, index);
  }
  /// A prediction as the trace sees it here. Of its variance `tables` comes from tables and `words`
  /// from words left out, of its drift `loss` from tables. The rest comes from the sources `rest`,
  /// and is NaN if only some of them are on.
  Prediction seen(Prediction prediction, ErrorSources rest, double tables = 0, double words = 0,
                  double loss = 0) const;

  /// The input rounded to the format that data are kept in, and any other data. Bound: u.
  Prediction input() const;

  /// `multiply` of `count` elements with a table of modulus 1. Bound: mu + rho (1 + mu), whatever
  /// the share; 0 if the table is exact and holds 1, -1, i, -i alone, unless data are split.
  Prediction product(const TableSpec& table, double share, std::uint64_t count) const;

  /// `count` butterflies of six fused operations, a +- w b with w b = f (p + r q), |f r| <= 1.
  /// `as_roots` gives f and f r as the root that they stand for. Bound: (1 + mu)(1 + rho)(1 + e) -
  /// 1, 1 + rho = (1 + e)(1 + u)(1 + u (1 + mu) + 2^-53), e of a sum, u of r and of f, mu of the
  /// source's roots in fp64 and, if `clamped`, u more.
  Prediction ratio_butterfly(const TableSpec& table, const RootFunction& as_roots, bool clamped,
                             std::uint64_t count) const;

  /// The brackets p + r q of `count` of these products, 1/f times the product. What multiplies them
  /// later is f, or f in `factors` factors, each of which errs by u. Bound: (1 + mu)(1 + rho) - 1.
  Prediction ratio_product(const TableSpec& table, const RootFunction& as_roots,
                           std::size_t factors, std::uint64_t count) const;

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

  /// `depth` sums of two like terms in a row, `additions` real ones in all; `fused`: of which one
  /// takes a factor whose error is counted elsewhere. Bound: (1 + u)^depth - 1.
  Prediction sums(std::size_t depth, std::uint64_t additions, bool fused = false) const;

  /// gemm or gemm_columns with an r x r DFT matrix, `rows` vectors of length r.
  Prediction gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// The same by accumulate or accumulate_columns.
  Prediction dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const;

  /// An r-point DFT on the vector engine without the products by its row and its column of ones: y0
  /// = x0 + x1 + ..., yj = x0 + w_j1 x1 + ..., from the left; `core` is the rest of the matrix.
  /// Bound: the bound of `dot`, since this rounds less often. `one_call`: whether one call of
  /// accumulate adds all products, so that compensated sums carry what they lose from k to k.
  Prediction dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows,
                      bool one_call = true) const;

  /// The stages of a transform in frequency, half of whose results are sums without a product. In
  /// fixed point stored by passes these sums leave a bit or none to cut, and their error is
  /// unknown.
  Prediction in_frequency(Prediction stages) const;

  /// Data put into another order: exact, but a kernel call.
  Prediction reorder() const { return {.calls = {.tensor = 0, .vector = 1}}; }

  /// `begin_stage` of `count` elements: nothing but a factor where that is a power of two. Bound:
  /// the error of the factor and a product's.
  Prediction stage_begun(std::size_t radix, std::size_t before, std::uint64_t count) const;

  /// `transform`, if there is any, and the `store` of its result: one more rounding where data are
  /// kept in passes, or where the result is in the engine's format and the storage format is
  /// narrower.
  Prediction stored(const Prediction& transform) const;

  /// The same with the `end_stage` after `done` of its stages, or with the `store_product` that
  /// matrix products need where data are stored after every operation.
  Prediction stage_ended(const Prediction& stages, std::size_t done) const;
  Prediction stored_product(const Prediction& stages) const;

  /// A whole transform, whose input is in the format that data are kept in, as its result will be.
  Prediction whole(Prediction transform) const;

  /// As of an arithmetic: two roundings unless the factor is a power of two.
  Prediction scale(std::size_t n, std::uint64_t count) const;
  Prediction scale_product(std::size_t n, std::uint64_t count) const;
  Prediction scale_by(double factor, std::uint64_t count) const;

 private:
  double table_error(const TableSpec& table, const Format& format) const;
  TableStatistics statistics(const TableSpec& table, const Format& format,
                             const Format& word) const;
  TableStatistics ratio_statistics(const TableSpec& table, const RootFunction& as_roots) const;
  ErrorBound ratio_error(const TableSpec& table, bool clamped, std::size_t factors) const;
  /// Ratios have any size, so what they multiply may leave any range of values, and their cosines
  /// may be below the normal numbers of a format with few exponents.
  double growth_by_ratios(double growth) const {
    const bool is_narrow =
        arithmetic_.least_error() > 0 || arithmetic_.table_format().emin > fp32.emin;
    return is_narrow && !arithmetic_.table_format().is_fixed() ? unknown : growth;
  }
  double words_left_out(const TableStatistics& factors, std::size_t depth) const;
  KernelCalls gemm_calls() const;
  /// A stage of that growth, a share of whose elements rounds to fixed point, each part so often.
  Prediction rounded_on_grid(Prediction stage, double growth, std::size_t roundings,
                             double share = 1) const;
  /// The same of what is below the normal numbers, which each part errs by so much (SmallErrors).
  void round_small(Prediction& stage, double part, double share = 1) const;
  /// Of each part of a sum of so many complex products on the vector engine.
  double sums_small_error(double products) const;
  /// Roundings of each part of a sum of so many complex products.
  std::size_t roundings_of(std::size_t products) const;
  Prediction scaled(const ArithmeticSpec& arithmetic, double factor, std::uint64_t count,
                    Prediction::Output output) const;
  Prediction divided(const ArithmeticSpec& arithmetic, std::size_t n, std::uint64_t count,
                     Prediction::Output output) const;

  std::size_t zeros_of(std::size_t r) const;  ///< at the end of r elements at equal distances

  ArithmeticSpec arithmetic_;
  Dft dft_;
  TableSource tables_;
  double filled_ = 1;  ///< share of data before the zeros at their end
  StageTrace* trace_ = nullptr;
  double store_variance_;  ///< takes a while in blocks
};

}  // namespace fftprec
