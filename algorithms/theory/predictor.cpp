#include "algorithms/theory/predictor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/theory/expectation.hpp"
#include "algorithms/theory/schemes.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

/// What the model does not tell apart: of products and sums on the vector engine, and of a matrix
/// product.
constexpr ErrorSources multiplying =
    ErrorSources::of({ErrorSource::products, ErrorSource::additions});
constexpr ErrorSources accumulating = ErrorSources::only(ErrorSource::accumulation);

/// Of computed factors, which have any size.
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Predictor::Predictor(const ArithmeticSpec& arithmetic, Dft dft, TableSource tables)
    : arithmetic_(arithmetic),
      dft_(dft),
      tables_(std::move(tables)),
      store_variance_(store_variance(arithmetic)) {}

Predictor Predictor::of(Dft dft) const {
  Predictor other = *this;
  other.dft_ = dft;
  return other;
}

Predictor Predictor::padded(double share) const {
  Predictor other = *this;
  other.filled_ = share;
  return other;
}

std::size_t Predictor::zeros_of(std::size_t r) const {
  const double filled = std::ceil(filled_ * static_cast<double>(r));
  return r - std::min(r, static_cast<std::size_t>(std::max(1.0, filled)));
}

Predictor Predictor::on_lines(std::size_t n, std::size_t lines) const {
  Predictor other = *this;
  other.arithmetic_ = arithmetic_.on_lines({.batch = lines, .n = n});
  if (arithmetic_.scale().is_block() ||
      (arithmetic_.block_format() && arithmetic_.block_format()->depends_on_lines()))
    other.store_variance_ = store_variance(other.arithmetic_);
  return other;
}

Predictor Predictor::traced(StageTrace& trace) const {
  Predictor other = *this;
  other.trace_ = &trace;
  return other;
}

ErrorModel Predictor::seen(ErrorModel prediction, ErrorSources rest, double tables, double words,
                           double loss) const {
  if (trace_ == nullptr) return prediction;
  trace_->note();
  const ErrorSources on = trace_->sources();
  if (on == ErrorSources::all()) return prediction;
  double other = prediction.variance - tables - words;
  prediction.bias -= loss;
  if (!on.has_all(rest)) {
    other = prediction.bias = prediction.imaginary_variance = on.has_any(rest) ? unknown : 0;
    prediction.variance_unless_real = prediction.bias_unless_real = 0;
    prediction.variance_unless_padded = prediction.sums_variance = 0;
    if (words == 0) prediction.variance_unless_fp32 = 0;
  }
  prediction.variance =
      other + (on.has(ErrorSource::tables) ? tables : 0) + (on.has(ErrorSource::words) ? words : 0);
  if (on.has(ErrorSource::tables)) prediction.bias += loss;
  if (!on.has(ErrorSource::tables)) prediction.shared_variance = 0;
  if (!on.has(ErrorSource::words))
    prediction.variance_unless_fp32 = prediction.variance_unless_stored = 0;
  return prediction;
}

double Predictor::table_error(const TableSpec& table, const Format& format) const {
  return tables_.error_bound ? tables_.error_bound(table.extent, format) : 0;
}

double Predictor::words_left_out(const TableStatistics& factors, std::size_t depth) const {
  if (trace_ == nullptr) return 0;  // nobody asks
  const LeftOut words =
      left_out(arithmetic_.matrices(), arithmetic_, factors, depth, fp64.precision);
  return words.factor + words.rest;
}

TableStatistics Predictor::statistics(const TableSpec& table, const Format& format,
                                      const Format& word) const {
  if (!tables_.roots) return {};
  return table_statistics(table.size, table.index, tables_.roots, tables_.exact, format, word);
}

ErrorModel Predictor::rounded_on_grid(ErrorModel stage, double growth, std::size_t roundings,
                                      double share) const {
  stage.growth = growth;
  stage.result_range = growth * (1 + stage.bound.worst);
  round_small(stage, sums_small_error(growth), share);
  if (arithmetic_.on_integers())
    stage.round_parts(fixed_errors(arithmetic_), static_cast<double>(roundings), share);
  return stage;
}

/// Later operations enlarge the error of an earlier one by their own relative errors.
void Predictor::round_small(ErrorModel& stage, double part, double share) const {
  if (arithmetic_.on_integers() || part == 0) return;
  const double grown = square(1 + stage.bound.worst);
  stage.round_parts({.largest = part}, grown, share);
}

/// A part of r complex products is a sum of 2r real ones.
double Predictor::sums_small_error(double products) const {
  const SmallErrors small = small_errors(arithmetic_);
  return 2 * products * (small.product + small.sum);
}

std::size_t Predictor::roundings_of(std::size_t products) const {
  return arithmetic_.machine().fixed_rounds == RoundedResults::products ? 2 * products : 1;
}

ErrorModel Predictor::input() const {
  ErrorModel result{.bound = real_errors(arithmetic_).store,
                    .variance = store_variance_,
                    .bias = store_bias(arithmetic_),
                    .is_stored = true,
                    .output = ErrorModel::Output::storage};
  result.round_parts(fixed_errors(arithmetic_));
  return seen(result, ErrorSources::only(ErrorSource::storage));
}

ErrorModel Predictor::product(const TableSpec& table, double share, std::uint64_t count) const {
  const TableStatistics entries =
      statistics(table, arithmetic_.table_format(), product_word(arithmetic_));
  const bool trivial = tables_.is_exact && !arithmetic_.is_split() && entries.whole &&
                       entries.nontrivial == 0 && !products_are_narrow(arithmetic_) &&
                       max_finite(arithmetic_.table_format()) >= 1;
  const double mu = trivial ? 0 : table_error(table, arithmetic_.table_format());
  const ErrorBound bound = trivial ? 0 : compose(ErrorBound(mu), product_error(arithmetic_));
  const bool exact = trivial && !arithmetic_.machine().vector.flush;
  ErrorModel on_grid = rounded_on_grid({.bound = bound}, 1, roundings_of(1), exact ? 0 : share);
  on_grid.absolute_variance *= entries.nontrivial;
  on_grid.absolute_bias *= entries.nontrivial;
  if (arithmetic_.on_integers()) {
    ErrorModel next_to_one;
    next_to_one.round_parts(errors_next_to_one(arithmetic_), 1, share * entries.beyond);
    on_grid.absolute_variance += next_to_one.absolute_variance;
    on_grid.absolute_bias += next_to_one.absolute_bias;
  }
  // Only a share of the results shrinks: all lose the mean, and the rest adds to the variance.
  const double loss = share * entries.loss;
  const double apart = share * (1 - share) * square(entries.loss);
  const double variance = share * product_variance(arithmetic_, entries) + apart;
  return seen(
      {.bound = bound,
       .variance = variance,
       .bias = loss,
       .variance_unless_fp32 = share * (product_variance(arithmetic_, entries) -
                                        product_variance(arithmetic_, entries, fp32.precision)),
       .shared_variance = share * share * table_variance(arithmetic_, entries),
       .absolute_variance = on_grid.absolute_variance,
       .absolute_bias = on_grid.absolute_bias,
       .absolute_bound = on_grid.absolute_bound,
       .result_range = 1 + bound.worst,
       .result_error = on_grid.result_error,
       .peak_error = on_grid.result_error,
       .cost = on_vector_engine(count * product_cost(arithmetic_), count),
       .tables_met = 1,
       .table_entries = table.size,
       .output = ErrorModel::Output::storage},
      ErrorSources::only(ErrorSource::products), share * entries.error_square - square(loss), 0,
      loss);
}

TableStatistics Predictor::ratio_statistics(const TableSpec& table,
                                            const RootFunction& as_roots) const {
  const Format& format = arithmetic_.table_format();
  if (!as_roots) return {};
  return table_statistics(table.size, table.index, as_roots, tables_.exact, format, format);
}

/// |f| |r^ - r| <= u |f r|, f^ errs by u of itself, and u^ = p + r q by e of |b|/|f|, which f
/// divides out: each counts with |b| once.
ErrorBound Predictor::ratio_error(const TableSpec& table, bool clamped, std::size_t factors) const {
  const double u = unit_roundoff(arithmetic_.table_format());
  const double parts =
      arithmetic_.table_format() == fp64 ? 0 : 0x1p-50;  // they are rounded to 50 digits
  const double mu = table_error(table, fp64) + parts + (clamped ? u : 0);
  ErrorBound rho = real_errors(arithmetic_).sum;
  for (std::size_t i = 0; i < factors; ++i) rho = compose(rho, ErrorBound(u));
  rho = compose(rho, ErrorBound(u * (1 + mu) + static_cast<double>(factors) * 0x1p-53));
  return compose(ErrorBound(mu), rho);
}

/// The product errs as ratio_error has it; then the sums round.
ErrorModel Predictor::ratio_butterfly(const TableSpec& table, const RootFunction& as_roots,
                                      bool clamped, std::uint64_t count) const {
  const TableStatistics entries = ratio_statistics(table, as_roots);
  const bool trivial = tables_.is_exact && !clamped && entries.whole && entries.nontrivial == 0;
  const ErrorBound product = trivial ? ErrorBound(0) : ratio_error(table, clamped, 1);
  const double met = 0.5 * entries.nontrivial;
  const double loss = 0.5 * entries.loss;
  const double of_table = 0.5 * entries.error_square - square(loss);
  const Cost each = 6 * (scaling_cost(arithmetic_) + sum_cost(arithmetic_));
  ErrorModel result{.bound = compose(product, real_errors(arithmetic_).sum),
                    .variance = of_table + (1 + met) * sum_variance(arithmetic_),
                    .bias = loss,
                    .shared_variance = 0.25 * entries.error_square - square(loss),
                    .growth = growth_by_ratios(2),
                    .result_range = 2,
                    .cost = on_vector_engine(count * each, count),
                    .calls = {.tensor = 0, .vector = 1},
                    .tables_met = 1,
                    .table_entries = 2 * table.size,
                    .output = ErrorModel::Output::storage};
  round_small(result, 2 * sums_small_error(1));  // p + r q, of which |f| <= 1 is taken, and the sum
  return seen(result, ErrorSources::only(ErrorSource::products), of_table, 0, loss);
}

ErrorModel Predictor::ratio_product(const TableSpec& table, const RootFunction& as_roots,
                                    std::size_t factors, std::uint64_t count) const {
  const TableStatistics entries = ratio_statistics(table, as_roots);
  const Cost each = 2 * (scaling_cost(arithmetic_) + sum_cost(arithmetic_));
  const double of_table = entries.error_square - square(entries.loss);
  ErrorModel result{.bound = ratio_error(table, false, factors),
                    .variance = of_table + entries.nontrivial * sum_variance(arithmetic_),
                    .bias = entries.loss,
                    .shared_variance = of_table,
                    .growth = growth_by_ratios(1),
                    .cost = on_vector_engine(count * each, count),
                    .tables_met = 1,
                    .table_entries = 2 * table.size,
                    .output = ErrorModel::Output::storage};
  round_small(result, sums_small_error(1));
  return seen(result, ErrorSources::only(ErrorSource::products), of_table, 0, entries.loss);
}

ErrorModel Predictor::values(const TableSpec& table) const {
  const TableStatistics entries =
      statistics(table, arithmetic_.operation_format(), arithmetic_.operation_format());
  return seen({.bound = table_error(table, arithmetic_.operation_format()),
               .variance = entries.error_square - square(entries.loss),
               .bias = entries.loss,
               .tables_met = 1,
               .output = ErrorModel::Output::storage},
              ErrorSources::only(ErrorSource::tables));
}

/// Every term that leaves PSUM by itself is a call, however many tiles it has.
KernelCalls Predictor::gemm_calls() const {
  const GemmScheme& scheme = arithmetic_.matrices();
  if (scheme.engine() == Engine::vector) return {.tensor = 0, .vector = 1};
  return {.tensor = scheme.evict_each() ? scheme.terms().size() : 1, .vector = 0};
}

ErrorModel Predictor::wide_product(const TableSpec& table, std::uint64_t count) const {
  Predictor host = *this;
  host.arithmetic_ = arithmetic_.in_wide_format();
  ErrorModel result = host.product(table, 1, count);
  result.output = ErrorModel::Output::engine;
  return result;
}

ErrorModel Predictor::computed_product(std::uint64_t count) const {
  const TableStatistics factors = normal_factors(element_words(arithmetic_), 1);
  const double variance = product_variance(arithmetic_, factors);
  ErrorModel result{
      .bound = product_error(arithmetic_),
      .variance = variance,
      .variance_unless_fp32 = variance - product_variance(arithmetic_, factors, fp32.precision),
      .growth = unknown,
      .peak_range = infinite,
      .cost = on_vector_engine(count * product_cost(arithmetic_), count),
      .output = ErrorModel::Output::storage};
  round_small(result, sums_small_error(1));
  return seen(result, ErrorSources::only(ErrorSource::products));
}

ErrorModel Predictor::real_product(const TableStatistics& table, double error, std::size_t entries,
                                   std::uint64_t count) const {
  ErrorModel result{.bound = compose(ErrorBound(error), product_error(arithmetic_)),
                    .variance = real_product_variance(arithmetic_, table),
                    .growth = unknown,
                    .peak_range = infinite,
                    .cost = on_vector_engine(count * product_cost(arithmetic_), count),
                    .table_entries = entries,
                    .output = ErrorModel::Output::storage};
  round_small(result, sums_small_error(1));
  return seen(result, ErrorSources::only(ErrorSource::products), table.error_square);
}

ErrorModel Predictor::computed_gemm(std::size_t depth, std::size_t outputs,
                                    std::uint64_t rows) const {
  // What stands in a table's place are data, rounded to the table's format.
  if (arithmetic_.table_format() != arithmetic_.operation_format() && !arithmetic_.on_integers()) {
    Predictor of_data = *this;
    of_data.arithmetic_ = arithmetic_.with_data_as_tables();
    return of_data.computed_gemm(depth, outputs, rows);
  }
  if (costs_alone())
    return {.cost = gemm_cost(depth, outputs, rows, arithmetic_),
            .calls = gemm_calls(),
            .output = ErrorModel::Output::engine};
  const TableStatistics factors = normal_factors(arithmetic_.matrices(), depth);
  const bool vector = arithmetic_.gemm().engine() == Engine::vector;
  const double variance = gemm_variance(arithmetic_, factors, depth);
  return seen({.bound = computed_gemm_error(arithmetic_, depth),
               .variance = variance,
               .bias = gemm_bias(arithmetic_, factors, depth),
               .variance_unless_fp32 =
                   variance - gemm_variance(arithmetic_, factors, depth, {.bits = fp32.precision}),
               .variance_unless_stored = gemm_variance_unless_stored(arithmetic_),
               .growth = unknown,
               .absolute_bound = unknown,
               .peak_range = infinite,
               .cost = gemm_cost(depth, outputs, rows, arithmetic_),
               .calls = gemm_calls(),
               .output = ErrorModel::Output::engine},
              vector ? multiplying : accumulating, 0, vector ? 0 : words_left_out(factors, depth));
}

ErrorModel Predictor::eighth(double share, std::uint64_t count) const {
  const TableSpec table{1, [](std::size_t) { return RootIndex{1, 8}; }, {0.125, 1}};
  const TableStatistics entries =
      statistics(table, arithmetic_.table_format(), product_word(arithmetic_));
  const RealErrors errors = real_errors(arithmetic_);
  ErrorModel result{.bound = errors.sum,
                    .variance = share * sum_variance(arithmetic_),
                    .cost = on_vector_engine((2 * count) * sum_cost(arithmetic_), count),
                    .calls = {.tensor = 0, .vector = 1},
                    .tables_met = 1,
                    .output = ErrorModel::Output::storage};
  if (arithmetic_.is_split()) return result.compose(product(table, share, count));
  const double mu = table_error(table, arithmetic_.table_format());
  result.bound = compose(result.bound, compose(ErrorBound(mu), errors.product));
  const double loss = share * entries.loss;
  const double of_table = share * entries.error_square - square(loss);
  result.variance += of_table + share * scaling_variance(arithmetic_);
  result.bias = loss;
  result.cost = result.cost + on_vector_engine((2 * count) * scaling_cost(arithmetic_), count);
  result = rounded_on_grid(result, 1, 1, share);
  result.peak_range = std::numbers::sqrt2;  // of the sum, before its product
  return seen(result, ErrorSources::only(ErrorSource::products), of_table, 0, loss);
}

ErrorModel Predictor::sums(std::size_t depth, std::uint64_t additions, bool fused) const {
  // Sums and differences of real and of imaginary parts are instructions of their own.
  const std::uint64_t instructions = std::max<std::uint64_t>(1, 4 * depth);
  const Cost each =
      fused ? scaling_cost(arithmetic_) + sum_cost(arithmetic_) : sum_cost(arithmetic_);
  const ErrorBound bound = repeated_error(real_errors(arithmetic_).sum, depth);
  const double growth = std::ldexp(1.0, static_cast<int>(depth));
  const double variance = static_cast<double>(depth) * sum_variance(arithmetic_);
  // Of the first sums of all, of elements that are half of the data apart.
  const double alone = std::min(1.0, (1 - filled_) / filled_);
  ErrorModel result{
      .bound = bound,
      .variance = variance,
      .variance_unless_fp32 = sums_are_exact(arithmetic_, fp32.precision) ? variance : 0,
      .variance_unless_padded = alone * sum_variance(arithmetic_),
      .sums_variance = variance,
      .growth = fused ? growth_by_ratios(growth) : growth,
      .result_range = growth * (1 + bound.worst),
      .cost =
          on_vector_engine(additions * each, std::max<std::uint64_t>(1, additions / instructions)),
      .calls = {.tensor = 0, .vector = 1},
      .output = ErrorModel::Output::storage};
  const SmallErrors small = small_errors(arithmetic_);  // of every sum, each carried by later ones
  round_small(result, growth * (small.sum + (fused ? small.product : 0)));
  return seen(result, ErrorSources::only(fused ? ErrorSource::products : ErrorSource::additions));
}

ErrorModel Predictor::gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  if (costs_alone())
    return {.cost = gemm_cost(r, rows, arithmetic_),
            .calls = gemm_calls(),
            .tables_met = 1,
            .table_entries = matrix.size,
            .output = ErrorModel::Output::engine};
  TableStatistics entries = statistics(matrix, arithmetic_.table_format(), gemm_word(arithmetic_));
  if (const OperandWords& words = arithmetic_.matrices().factor(); words.kind == WordKind::blocks)
    add_blocks(entries, words.block, matrix.index, r, tables_.roots, arithmetic_.table_format());
  const double variance = gemm_variance(arithmetic_, entries, r);
  const double bias = gemm_bias(arithmetic_, entries, r);
  const bool vector = arithmetic_.gemm().engine() == Engine::vector;
  ErrorModel result = rounded_on_grid(
      seen(
          {.bound = gemm_error(arithmetic_, r, table_error(matrix, arithmetic_.table_format())),
           .variance = variance,
           .bias = bias,
           .variance_unless_real =
               variance - gemm_variance(arithmetic_, entries, r, {.parts = GemmData::real}),
           .bias_unless_real = bias - gemm_bias(arithmetic_, entries, r, {.parts = GemmData::real}),
           .variance_unless_fp32 =
               variance - gemm_variance(arithmetic_, entries, r, {.bits = fp32.precision}),
           .variance_unless_padded =
               filled_ == 1
                   ? 0
                   : variance - gemm_variance(arithmetic_, entries, r, {.zeros = zeros_of(r)}),
           .variance_unless_stored = gemm_variance_unless_stored(arithmetic_),
           .shared_variance = gemm_table_variance(arithmetic_, entries, r) / static_cast<double>(r),
           .imaginary_variance = gemm_imaginary_variance(arithmetic_, r),
           .cost = gemm_cost(r, rows, arithmetic_),
           .calls = gemm_calls(),
           .tables_met = 1,
           .table_entries = matrix.size,
           .output = ErrorModel::Output::engine},
          vector ? multiplying : accumulating, entries.error_square - square(entries.loss),
          vector ? 0 : words_left_out(entries, r), entries.loss),
      static_cast<double>(r), roundings_of(r));
  round_small(result, gemm_small_error(arithmetic_, r));
  return result;
}

ErrorModel Predictor::dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  const TableStatistics entries =
      statistics(matrix, arithmetic_.table_format(), product_word(arithmetic_));
  const double variance = dot_variance(arithmetic_, entries, r);
  return rounded_on_grid(
      seen({.bound = dot_error(arithmetic_, r, table_error(matrix, arithmetic_.table_format())),
            .variance = variance,
            .bias = entries.loss,
            .variance_unless_fp32 =
                variance - dot_variance(arithmetic_, entries, r, {.bits = fp32.precision}),
            .variance_unless_padded =
                variance - dot_variance(arithmetic_, entries, r, {.zeros = zeros_of(r)}),
            .shared_variance = table_variance(arithmetic_, entries) / static_cast<double>(r),
            .imaginary_variance = dot_imaginary_variance(arithmetic_, r),
            .cost = dot_cost(r, rows, arithmetic_),
            .calls = {.tensor = 0, .vector = 1},
            .tables_met = 1,
            .table_entries = matrix.size,
            .output = ErrorModel::Output::storage},
           multiplying, entries.error_square - square(entries.loss), 0, entries.loss),
      static_cast<double>(r), roundings_of(r));
}

/// A compensated sum of two is its rounded value: term by term, sums are plain ones, but for u^2.
ErrorModel Predictor::dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows,
                               bool one_call) const {
  const TableStatistics entries =
      statistics(core, arithmetic_.table_format(), product_word(arithmetic_));
  ArithmeticSpec sums = arithmetic_;
  const SchemeTheory& scheme = theory_of(arithmetic_.product());
  const bool replaced = !one_call && scheme.compensates_sums();
  if (replaced) sums = arithmetic_.with_products(scheme.term_by_term());
  const double met = static_cast<double>(r - 1) / static_cast<double>(r);  // by terms and outputs
  const std::size_t roundings = one_call ? roundings_of(r - 1) : (r - 1) * roundings_of(1);
  const double loss = met * met * entries.loss;
  const double apart = square(entries.loss) * square(met) * (1 - square(met));
  const double variance = dft_core_variance(sums, entries, r) + apart;
  const ErrorBound once = dft_core_error(sums, r, table_error(core, arithmetic_.table_format()));
  return rounded_on_grid(
      seen({.bound = replaced ? (1 + 0x1p-20) * once : once,
            .variance = variance,
            .bias = loss,
            .variance_unless_fp32 =
                variance - apart - dft_core_variance(sums, entries, r, {.bits = fp32.precision}),
            .variance_unless_padded =
                variance - apart - dft_core_variance(sums, entries, r, {.zeros = zeros_of(r)}),
            .imaginary_variance = dot_imaginary_variance(sums, r),
            .cost = dft_core_cost(r, rows, arithmetic_, one_call ? 1 : r - 1),
            .calls = {.tensor = 0, .vector = 1},
            .tables_met = 1,
            .table_entries = core.size,
            .output = ErrorModel::Output::storage},
           multiplying, met * met * entries.error_square - square(loss), 0, loss),
      static_cast<double>(r), roundings);
}

ErrorModel Predictor::stored(const ErrorModel& transform) const {
  return transform.output == ErrorModel::Output::unchanged ? transform
                                                           : stage_ended(transform, end_of_pass);
}

ErrorModel Predictor::in_frequency(ErrorModel stages) const {
  if (arithmetic_.storage_format().is_fixed() && arithmetic_.stores().in_passes())
    stages.absolute_variance = unknown;
  return stages;
}

ErrorModel Predictor::stage_ended(const ErrorModel& stages, std::size_t done) const {
  if (!arithmetic_.stores().in_passes()) return stored_product(stages);
  return arithmetic_.stores().ends_after(done) ? stages.compose(input()) : stages;
}

ErrorModel Predictor::stored_product(const ErrorModel& stages) const {
  const bool rounds = stages.output == ErrorModel::Output::engine &&
                      !arithmetic_.stores().in_passes() &&
                      arithmetic_.operation_format() != arithmetic_.wide();
  return rounds ? stages.compose(input()) : stages;
}

ErrorModel Predictor::whole(ErrorModel transform) const {
  if (!arithmetic_.stores().in_passes()) return transform;
  transform.variance -= transform.variance_unless_stored;
  const auto mark = stage(result_rounding, last_stage);
  return stage_ended(transform, end_of_transform);
}

/// x fl(factor), the factor rounded to double first; exact for powers of two that the format holds,
/// but for what is below its normal numbers, and unless every product is rounded. A small factor
/// errs as small values do: in a zone by u of its lowest one, a power of two as well.
ErrorModel Predictor::scaled(const ArithmeticSpec& arithmetic, double factor, std::uint64_t count,
                             ErrorModel::Output output) const {
  ErrorModel result{.cost = on_vector_engine((2 * count) * scaling_cost(arithmetic), count),
                    .output = output};
  int exponent = 0;
  // What the stored factor is off by: a power of two that is too small for the format is not exact.
  const double off = 1 - stored_factor(arithmetic, factor) / factor;
  const bool is_power = std::frexp(factor, &exponent) == 0.5;
  result.growth = square(factor);
  if (arithmetic.on_integers()) {
    result.round_parts(is_power ? fixed_errors(arithmetic, 1 - exponent)
                                : fixed_errors(arithmetic));
    const double error = std::abs(1 - stored_factor(arithmetic, factor) / factor) * (1 + 0x1p-50);
    result.bound = error;
    result.variance = square(error);
    result.result_range = factor * (1 + error);
    return seen(result, ErrorSources::only(ErrorSource::products));
  }
  const double u = unit_roundoff(arithmetic.operation_format());
  const bool in_zone = arithmetic.least_error() > 0;
  const double smallest = in_zone ? u * min_normal(arithmetic.operation_format())
                                  : small_error(arithmetic.operation_format(), Rounding::rne);
  const bool exact = is_power && (in_zone ? factor >= min_normal(arithmetic.operation_format())
                                          : stored_factor(arithmetic, factor) == factor);
  result.round_parts({.largest = small_errors(arithmetic).product}, 2);
  if (exact && !products_are_narrow(arithmetic) && !in_zone) return result;
  const double in_double = arithmetic.operation_format() == fp64 ? 0 : unit_roundoff(fp64);
  const double error = exact ? 0 : compose(std::max(u, smallest / factor), in_double);
  result.bound = compose(ErrorBound(error), real_errors(arithmetic).product);
  result.variance = scaling_variance(arithmetic);
  // What the factor is off by, all results lose; in fp64 it is off by what rounded it to double.
  if (arithmetic.operation_format() == fp64) result.variance += exact ? 0 : value_variance(0x1p-53);
  result.bias = off;
  result.result_range = factor * (1 + result.bound.worst);
  return seen(result, ErrorSources::only(ErrorSource::products));
}

/// The factor of a stage is the same in every stage: what it is off by is a loss of size, or a
/// gain.
ErrorModel Predictor::stage_begun(std::size_t radix, std::size_t before,
                                  std::uint64_t count) const {
  const ScalePolicy& scale = arithmetic_.scale();
  if (!scale.scales_stage(radix, before)) return {};
  const double factor = scale.before_stage(radix, before);
  ErrorModel result = scaled(arithmetic_, factor, count, ErrorModel::Output::storage);
  result.scale_square = scale.square_before_stage(radix, before);
  if (result.bound.worst == 0) return result;
  result.variance = scaling_variance(arithmetic_);  // and a bias
  result.bias = 1 - stored_factor(arithmetic_, factor) / factor;
  return seen(result, ErrorSources::only(ErrorSource::products));
}

ErrorModel Predictor::divided(const ArithmeticSpec& arithmetic, std::size_t n, std::uint64_t count,
                              ErrorModel::Output output) const {
  const ScalePolicy& scale = arithmetic.scale();
  ErrorModel result;
  if (scale.divides_after(dft_))
    result = scaled(arithmetic, scale.after_stages(dft_, n), count, output);
  const double by_stages = std::min(dft_.power(), scale.power());
  if (by_stages > 0) {
    const double length = static_cast<double>(n);
    result.scale_square = by_stages < 1 ? length : length * length;
  }
  return result;
}

ErrorModel Predictor::scale(std::size_t n, std::uint64_t count) const {
  return divided(arithmetic_, n, count, ErrorModel::Output::storage);
}

ErrorModel Predictor::scale_by(double factor, std::uint64_t count) const {
  return scaled(arithmetic_, factor, count, ErrorModel::Output::storage);
}

ErrorModel Predictor::scale_product(std::size_t n, std::uint64_t count) const {
  return divided(arithmetic_.in_wide_format(), n, count, ErrorModel::Output::engine);
}

}  // namespace fftprec
