#include "algorithms/theory/predictor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/schemes.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "algorithms/theory/units.hpp"
#include "algorithms/theory/words.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

/// Of computed factors, which have any size.
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Predictor::Predictor(const ArithmeticSpec& arithmetic, Dft dft, TableSource tables)
    : arithmetic_(arithmetic),
      dft_(dft),
      tables_(std::move(tables)),
      store_variance_(storage()->variance()) {}

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
  if (arithmetic_.depends_on_lines()) other.store_variance_ = other.storage()->variance();
  return other;
}

Predictor Predictor::with_literals() const {
  Predictor literal = *this;
  if (costs_alone()) return literal;
  literal.tables_.roots = tables_.roots.literals();
  // A source that is its own literals keeps its error.
  if (&tables_.roots.literals() == &tables_.roots) return literal;
  literal.tables_.is_exact = true;
  literal.tables_.error_bound = [](const TableExtent&, const Format& format) {
    return rounded_table_error(format);
  };
  return literal;
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

TableStatistics Predictor::statistics(const TableSpec& table, const Format& word) const {
  return statistics_of(tables_.roots, table, arithmetic_.table_format(), word);
}

TableStatistics Predictor::statistics_of(const RootFunction& roots, const TableSpec& table,
                                         const Format& format, const Format& word) const {
  if (!roots) return {};
  return table_statistics(table.size, table.index, roots, tables_.exact, format, word);
}

ErrorModel Predictor::rounded_on_grid(ErrorModel stage, double growth, std::size_t roundings,
                                      double share) const {
  stage.growth = growth;
  stage.result_range = growth * (1 + stage.bound.worst);
  round_small(stage, sums_small_error(growth), share);
  if (arithmetic_.on_integers())
    stage.round_parts(storage()->absolute(many_bits), static_cast<double>(roundings), share);
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
  const SmallErrors small = scheme()->small_errors();
  return 2 * products * (small.product + small.sum);
}

std::size_t Predictor::roundings_of(std::size_t products) const {
  return arithmetic_.machine().fixed_rounds == RoundedResults::products ? 2 * products : 1;
}

ErrorModel Predictor::input() const {
  ErrorModel result{.bound = storage()->bound(),
                    .variance = store_variance_,
                    .bias = storage()->bias(),
                    .local_variance = store_variance_,
                    .elementwise = !arithmetic_.shares_scales(),
                    .is_stored = is_on(ErrorSource::storage),
                    .output = ErrorModel::Output::storage};
  result.round_parts(storage()->absolute(many_bits));
  return seen(result, ErrorSources::only(ErrorSource::storage));
}

ErrorModel Predictor::product(const TableSpec& table, double share, std::uint64_t count) const {
  const TableStatistics entries = statistics(table, unit()->table_word());
  const bool trivial = tables_.is_exact && !arithmetic_.is_split() && entries.complete &&
                       entries.nontrivial == 0 && !unit()->narrows_products() &&
                       max_finite(arithmetic_.table_format()) >= 1;
  const double mu = trivial ? 0 : table_error(table, arithmetic_.table_format());
  const ErrorBound bound = trivial ? 0 : compose(ErrorBound(mu), scheme()->product_error());
  const bool exact = trivial && !arithmetic_.machine().vector.flush;
  // Only a share of the results shrinks: all lose the mean, and the rest adds to the variance.
  const double loss = share * entries.loss;
  const double apart = share * (1 - share) * square(entries.loss);
  const double variance = share * scheme()->product_variance(entries) + apart;
  ErrorModel result = rounded_on_grid(
      seen({.bound = bound,
            .variance = variance,
            .bias = loss,
            .variance_unless_fp32 = share * (scheme()->product_variance(entries) -
                                             scheme()->product_variance(entries, fp32.precision)),
            .shared_variance = share * share * scheme()->table_variance(entries),
            // Of a result a c - b d with any phase, the difference is rounded as it is large, 3/4
            // of the errors of both products is, and half of the table's errors.
            .local_variance = 0.75 * variance,
            .fp64_loss = share * entries.fp64_loss,
            .cost = on_vector_engine(count * scheme()->product_cost(), count),
            .tables_met = 1,
            .table_entries = table.size,
            .output = ErrorModel::Output::storage},
           ErrorSources::only(ErrorSource::products), share * entries.error_square - square(loss),
           0, loss),
      1, roundings_of(1), exact ? 0 : share);
  result.absolute_variance *= entries.nontrivial;
  result.absolute_bias *= entries.nontrivial;
  ErrorModel next_to_one;
  next_to_one.round_parts(storage()->next_to_one(), 1, share * entries.next_to_one);
  result.absolute_variance += next_to_one.absolute_variance;
  result.absolute_bias += next_to_one.absolute_bias;
  return result;
}

/// |f| |r^ - r| <= u |f r|, f^ errs by u of itself, and u^ = p + r q by e of |b|/|f|, which f
/// divides out: each counts with |b| once.
ErrorBound Predictor::ratio_error(const TableSpec& table, bool clamped, std::size_t factors) const {
  const double u = unit_roundoff(arithmetic_.table_format());
  const double parts =
      arithmetic_.table_format() == fp64 ? 0 : 0x1p-50;  // they are rounded to 50 digits
  const double mu = table_error(table, fp64) + parts + (clamped ? u : 0);
  ErrorBound rho = unit()->errors().sum;
  for (std::size_t i = 0; i < factors; ++i) rho = compose(rho, ErrorBound(u));
  rho = compose(rho, ErrorBound(u * (1 + mu) + static_cast<double>(factors) * 0x1p-53));
  return compose(ErrorBound(mu), rho);
}

/// The product errs as ratio_error has it; then the sums round.
ErrorModel Predictor::ratio_butterfly(const TableSpec& table, const RootFunction& as_roots,
                                      bool clamped, std::uint64_t count) const {
  const TableStatistics entries =
      statistics_of(as_roots, table, arithmetic_.table_format(), arithmetic_.table_format());
  const bool trivial = tables_.is_exact && !clamped && entries.complete && entries.nontrivial == 0;
  const ErrorBound product = trivial ? ErrorBound(0) : ratio_error(table, clamped, 1);
  const double met = 0.5 * entries.nontrivial;
  const double loss = 0.5 * entries.loss;
  const double of_table = 0.5 * entries.error_square - square(loss);
  const Cost each = 6 * (unit()->scaling_cost() + unit()->sum_cost());
  ErrorModel result{.bound = compose(product, unit()->errors().sum),
                    .variance = of_table + (1 + met) * unit()->roundings().sum,
                    .bias = loss,
                    .shared_variance = 0.25 * entries.error_square - square(loss),
                    .local_variance = unit()->roundings().sum,
                    .spread = 2,
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
  const TableStatistics entries =
      statistics_of(as_roots, table, arithmetic_.table_format(), arithmetic_.table_format());
  const Cost each = 2 * (unit()->scaling_cost() + unit()->sum_cost());
  const double of_table = entries.variance();
  ErrorModel result{.bound = ratio_error(table, false, factors),
                    .variance = of_table + entries.nontrivial * unit()->roundings().sum,
                    .bias = entries.loss,
                    .shared_variance = of_table,
                    .local_variance = (of_table + entries.nontrivial * unit()->roundings().sum) / 2,
                    .growth = growth_by_ratios(1),
                    .cost = on_vector_engine(count * each, count),
                    .tables_met = 1,
                    .table_entries = 2 * table.size,
                    .output = ErrorModel::Output::storage};
  round_small(result, sums_small_error(1));
  return seen(result, ErrorSources::only(ErrorSource::products), of_table, 0, entries.loss);
}

ErrorModel Predictor::values(const TableSpec& table) const {
  const Format& format = arithmetic_.operation_format();
  const TableStatistics entries = statistics_of(tables_.roots, table, format, format);
  return seen({.bound = table_error(table, format),
               .variance = entries.variance(),
               .bias = entries.loss,
               .tables_met = 1,
               .output = ErrorModel::Output::storage},
              ErrorSources::only(ErrorSource::tables));
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
  const double variance = scheme()->product_variance(factors);
  ErrorModel result{
      .bound = scheme()->product_error(),
      .variance = variance,
      .variance_unless_fp32 = variance - scheme()->product_variance(factors, fp32.precision),
      .growth = unknown,
      .peak_range = infinite,
      .cost = on_vector_engine(count * scheme()->product_cost(), count),
      .output = ErrorModel::Output::storage};
  round_small(result, sums_small_error(1));
  return seen(result, ErrorSources::only(ErrorSource::products));
}

ErrorModel Predictor::real_product(const TableStatistics& table, double error, std::size_t entries,
                                   std::uint64_t count) const {
  ErrorModel result{.bound = compose(ErrorBound(error), scheme()->product_error()),
                    .variance = scheme()->real_product_variance(table),
                    .local_variance = scheme()->real_product_variance(table),
                    .growth = unknown,
                    .peak_range = infinite,
                    .cost = on_vector_engine(count * scheme()->product_cost(), count),
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
  const auto engine = engine_theory(arithmetic_);
  if (costs_alone())
    return {.multiplies_matrices = true,
            .sums_products = true,
            .cost = engine->cost(depth, outputs, rows),
            .calls = engine->calls(),
            .output = ErrorModel::Output::engine};
  const TableStatistics factors = normal_factors(arithmetic_.matrices(), depth);
  const double variance = engine->variance(factors, depth);
  return seen({.bound = engine->computed_bound(depth),
               .variance = variance,
               .bias = engine->bias(factors, depth),
               .variance_unless_fp32 =
                   variance - engine->variance(factors, depth, {.bits = fp32.precision}),
               .variance_unless_stored = engine->variance_unless_stored(),
               .multiplies_matrices = true,
               .sums_products = true,
               .growth = unknown,
               .absolute_bound = unknown,
               .peak_range = infinite,
               .cost = engine->cost(depth, outputs, rows),
               .calls = engine->calls(),
               .output = ErrorModel::Output::engine},
              engine->sources(), 0, words_variance(*engine, factors, depth));
}

/// Only a trace asks for it.
double Predictor::words_variance(const EngineTheory& engine, const TableStatistics& factors,
                                 std::size_t depth) const {
  return is_traced() ? engine.words_variance(factors, depth) : 0;
}

ErrorModel Predictor::eighth(double share, std::uint64_t count) const {
  const TableSpec table{1, [](std::size_t) { return RootIndex{1, 8}; }, {0.125, 1}};
  const TableStatistics entries = statistics(table, unit()->table_word());
  const RealErrors errors = unit()->errors();
  ErrorModel result{.bound = errors.sum,
                    .variance = share * unit()->roundings().sum,
                    .cost = on_vector_engine((2 * count) * unit()->sum_cost(), count),
                    .calls = {.tensor = 0, .vector = 1},
                    .tables_met = 1,
                    .output = ErrorModel::Output::storage};
  if (arithmetic_.is_split()) return result.compose(product(table, share, count));
  const double mu = table_error(table, arithmetic_.table_format());
  result.bound = compose(result.bound, compose(ErrorBound(mu), errors.product));
  const double loss = share * entries.loss;
  const double of_table = share * entries.error_square - square(loss);
  result.variance += of_table + share * unit()->roundings().product;
  result.bias = loss;
  result.cost = result.cost + on_vector_engine((2 * count) * unit()->scaling_cost(), count);
  result = rounded_on_grid(result, 1, 1, share);
  result.peak_range = std::numbers::sqrt2;  // of the sum, before its product
  return seen(result, ErrorSources::only(ErrorSource::products), of_table, 0, loss);
}

ErrorModel Predictor::sums(std::size_t depth, std::uint64_t additions, bool fused) const {
  // Sums and differences of real and of imaginary parts are instructions of their own.
  const std::uint64_t instructions = std::max<std::uint64_t>(1, 4 * depth);
  const Cost each = fused ? unit()->scaling_cost() + unit()->sum_cost() : unit()->sum_cost();
  const ErrorBound bound = repeated_error(unit()->errors().sum, depth);
  const double growth = std::ldexp(1.0, static_cast<int>(depth));
  const double variance = static_cast<double>(depth) * unit()->roundings().sum;
  // Of the first sums of all, of elements that are half of the data apart.
  const double alone = std::min(1.0, (1 - filled_) / filled_);
  ErrorModel result{.bound = bound,
                    .variance = variance,
                    .variance_unless_fp32 = unit()->holds_sums_of(fp32.precision) ? variance : 0,
                    .variance_unless_padded = alone * unit()->roundings().sum,
                    .sums_variance = variance,
                    .local_variance = variance,
                    .spread = growth,
                    .growth = fused ? growth_by_ratios(growth) : growth,
                    .result_range = growth * (1 + bound.worst),
                    .cost = on_vector_engine(additions * each,
                                             std::max<std::uint64_t>(1, additions / instructions)),
                    .calls = {.tensor = 0, .vector = 1},
                    .output = ErrorModel::Output::storage};
  const SmallErrors small = scheme()->small_errors();  // of every sum, each carried by later ones
  round_small(result, growth * (small.sum + (fused ? small.product : 0)));
  return seen(result, ErrorSources::only(fused ? ErrorSource::products : ErrorSource::additions));
}

bool Predictor::has_elementwise_sums() const {
  const GemmScheme& gemm = arithmetic_.gemm();
  const auto is_alone = [](const OperandWords& words) { return words.kind == WordKind::values; };
  return !gemm.shares_grids() && is_alone(gemm.data()) && is_alone(gemm.factor()) &&
         !operands_share_exponent(arithmetic_);
}

ErrorModel Predictor::matrix_product(const EngineTheory& engine, const TableSpec& matrix,
                                     const TableStatistics& entries, std::size_t r,
                                     std::uint64_t rows, ErrorModel::Output output) const {
  if (costs_alone())
    return {.sums_products = true,
            .cost = engine.cost(r, r, rows),
            .calls = engine.calls(),
            .tables_met = 1,
            .table_entries = matrix.size,
            .output = output};
  const double variance = engine.variance(entries, r);
  const double bias = engine.bias(entries, r);
  const auto variance_unless = [&](const SumData& data) {
    return variance - engine.variance(entries, r, data);
  };
  ErrorModel result = rounded_on_grid(
      seen({.bound = engine.bound(r, table_error(matrix, arithmetic_.table_format())),
            .variance = variance,
            .bias = bias,
            .variance_unless_real = variance_unless({.parts = GemmData::real}),
            .bias_unless_real = bias - engine.bias(entries, r, {.parts = GemmData::real}),
            .variance_unless_fp32 = variance_unless({.bits = fp32.precision}),
            .variance_unless_padded = filled_ == 1 ? 0 : variance_unless({.zeros = zeros_of(r)}),
            .variance_unless_stored = engine.variance_unless_stored(),
            .shared_variance = engine.table_variance(entries, r) / static_cast<double>(r),
            .imaginary_variance = engine.imaginary_variance(r),
            // A sum that ends at y is about j y/r after j of r terms. So 2/3 of the errors of one
            // sum are in proportion to y^2, and 1/3 if two sums are added at the end.
            .local_variance = (variance - engine.table_variance(entries, r)) / 2,
            .spread = static_cast<double>(r),
            .elementwise = output == ErrorModel::Output::storage || has_elementwise_sums(),
            .sums_products = true,
            .cost = engine.cost(r, r, rows),
            .calls = engine.calls(),
            .tables_met = 1,
            .table_entries = matrix.size,
            .output = output},
           engine.sources(), entries.variance(), words_variance(engine, entries, r), entries.loss),
      static_cast<double>(r), roundings_of(r));
  round_small(result, engine.small_error(r));
  return result;
}

ErrorModel Predictor::gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  const auto engine = engine_theory(arithmetic_);
  TableStatistics entries = statistics(matrix, engine->table_word());
  const OperandWords& words = arithmetic_.matrices().factor();
  if (words.kind == WordKind::blocks && !costs_alone())
    add_blocks(entries, words.block, matrix.index, r, tables_.roots, arithmetic_.table_format());
  ErrorModel result = matrix_product(*engine, matrix, entries, r, rows, ErrorModel::Output::engine);
  result.multiplies_matrices = true;
  return result;
}

ErrorModel Predictor::dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  return matrix_product(*vector_engine_theory(arithmetic_), matrix,
                        statistics(matrix, unit()->table_word()), r, rows,
                        ErrorModel::Output::storage);
}

/// A compensated sum of two is its rounded value: term by term, sums are plain ones, but for u^2.
ErrorModel Predictor::dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows,
                               bool one_call) const {
  const TableStatistics entries = statistics(core, unit()->table_word());
  ArithmeticSpec sums = arithmetic_;
  const auto own = scheme();
  const bool replaced = !one_call && own->compensates_sums();
  if (replaced) sums = arithmetic_.with_products(own->term_by_term());
  const auto scheme = scheme_theory(sums);
  const double met = static_cast<double>(r - 1) / static_cast<double>(r);  // by terms and outputs
  const std::size_t roundings = one_call ? roundings_of(r - 1) : (r - 1) * roundings_of(1);
  const double loss = met * met * entries.loss;
  const double apart = square(entries.loss) * square(met) * (1 - square(met));
  const double variance = scheme->dft_core_variance(entries, r) + apart;
  const ErrorBound once = scheme->dft_core_error(r, table_error(core, arithmetic_.table_format()));
  return rounded_on_grid(
      seen({.bound = replaced ? (1 + 0x1p-20) * once : once,
            .variance = variance,
            .bias = loss,
            .variance_unless_fp32 =
                variance - apart - scheme->dft_core_variance(entries, r, {.bits = fp32.precision}),
            .variance_unless_padded =
                variance - apart - scheme->dft_core_variance(entries, r, {.zeros = zeros_of(r)}),
            .imaginary_variance = scheme->dot_imaginary_variance(r),
            .spread = static_cast<double>(r),
            .sums_products = one_call,
            .cost = own->dft_core_cost(r, rows, one_call ? 1 : r - 1),
            .calls = {.tensor = 0, .vector = 1},
            .tables_met = 1,
            .table_entries = core.size,
            .output = ErrorModel::Output::storage},
           vector_engine_theory(arithmetic_)->sources(),
           met * met * entries.error_square - square(loss), 0, loss),
      static_cast<double>(r), roundings);
}

/// Errors in units of the mean square of an x_k; the r results have r^2 together. Sums and
/// differences of a pair have 2 and meet c^2 + s^2 = 1 over h pairs. The squares of h cosines add
/// up to h/2 - 1/4, of sines to h/2 + 1/4; partial sums take equal shares of them.
ErrorModel Predictor::pairs(const TableSpec& core, std::size_t r, std::uint64_t rows,
                            PairSums order) const {
  const TableStatistics entries = statistics(core, unit()->table_word());
  const RealErrors errors = unit()->errors();
  const Roundings once = unit()->roundings();
  const auto size = static_cast<double>(r);
  const double h = (size - 1) / 2;
  const double met = (size - 1) / size;
  const double triangle = h * (h + 1) / 2;  // 1 + .. + h
  const double cosines = 2 * (h / 2 - 0.25);
  const double sines = 2 * (h / 2 + 0.25);
  const bool golden = order == PairSums::golden;
  // Of y_0, after the sums of pairs.
  const bool sums_first = golden || order == PairSums::sums_first;
  const double first = sums_first ? 2 * triangle - 2 + size : h + 2 * triangle;
  // Of each other output. Golden: of u = s_1 + s_2 and v, t = x_0 - u/4 and g v, t + g v.
  const double cosine_sums = golden ? 0.25 + 1.25 + 1.25 + 2.5
                             : order == PairSums::products_first
                                 ? cosines / h * (triangle - 1) + 1 + cosines
                                 : h + cosines / h * triangle;
  const double sine_sums = sines / h * (triangle - 1);
  const double halves = r == 3 ? cosines : 0;  // products by 1/2 are exact
  const double products = golden ? 1.25 + sines : cosines + sines - halves;
  const double rounded = (cosine_sums + sine_sums) * once.sum + products * once.product;
  const double loss = met * met * entries.loss;
  const double of_table = met * met * entries.error_square - square(loss);

  const double mu = table_error(core, arithmetic_.table_format());
  const ErrorBound path =
      compose(compose(ErrorBound(mu), errors.product),
              repeated_error(errors.sum, static_cast<std::size_t>(h) + (golden ? 3 : 2)));
  const auto pairs_in = static_cast<std::uint64_t>(h);
  const auto sums_of = [&](double variance, std::uint64_t additions) {
    return seen({.variance = variance,
                 .cost = on_vector_engine(additions * unit()->sum_cost(), additions / 2),
                 .calls = {.tensor = 0, .vector = 1},
                 .output = ErrorModel::Output::storage},
                ErrorSources::only(ErrorSource::additions));
  };
  const std::uint64_t inner = 4 * pairs_in * pairs_in * rows;
  const ErrorModel inner_sums =
      rounded_on_grid(seen({.bound = (golden ? 1.77 : std::numbers::sqrt2) * std::sqrt(size) * path,
                            .variance = rounded * (size - 1) / (size * size) + of_table,
                            .bias = loss,
                            .spread = size,
                            .cost = on_vector_engine(
                                inner * (unit()->scaling_cost() + unit()->sum_cost()), inner / 2),
                            .calls = {.tensor = 0, .vector = 1},
                            .tables_met = 1,
                            .table_entries = 2 * core.size,
                            .output = ErrorModel::Output::storage},
                           vector_engine_theory(arithmetic_)->sources(), of_table, 0, loss),
                      size, 1);
  return sums_of(met * once.sum, 4 * pairs_in * rows)
      .compose(inner_sums)
      .compose(sums_of((met + first / (size * size)) * once.sum, 6 * pairs_in * rows));
}

ErrorModel Predictor::stored(const ErrorModel& transform) const {
  return transform.output == ErrorModel::Output::unchanged ? transform
                                                           : stage_ended(transform, end_of_pass);
}

ErrorModel Predictor::in_frequency(ErrorModel stages) const {
  if (arithmetic_.has_absolute_errors() && arithmetic_.stores().in_passes())
    stages.absolute_variance = unknown;
  stages.is_mirrored = false;
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

ErrorModel Predictor::whole(const ErrorModel& transform) const {
  if (!arithmetic_.stores().in_passes()) return transform;
  const bool stores_input = [&] {
    const auto mark = stage(input_rounding, 0);
    return is_on(ErrorSource::input);
  }();
  const auto mark = stage(result_rounding, last_stage);
  return stage_ended(stores_input ? transform.given(InputKind::stored) : transform,
                     end_of_transform);
}

/// x fl(factor), the factor rounded to double first; exact for powers of two that the format holds,
/// but for what is below its normal numbers, and unless every product is rounded. A small factor
/// errs as small values do: in a zone by u of its lowest one, a power of two as well.
ErrorModel Predictor::scaled(const ArithmeticSpec& arithmetic, double factor, std::uint64_t count,
                             ErrorModel::Output output) const {
  const auto unit = unit_theory(arithmetic);
  ErrorModel result{.cost = on_vector_engine((2 * count) * unit->scaling_cost(), count),
                    .output = output};
  int exponent = 0;
  // What the stored factor is off by: a power of two that is too small for the format is not exact.
  const double off = 1 - stored_factor(arithmetic, factor) / factor;
  const bool is_power = std::frexp(factor, &exponent) == 0.5;
  result.growth = square(factor);
  if (arithmetic.on_integers()) {
    result.round_parts(storage_theory(arithmetic)->absolute(is_power ? 1 - exponent : many_bits));
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
  result.round_parts({.largest = scheme_theory(arithmetic)->small_errors().product}, 2);
  if (exact && !unit->narrows_products() && !in_zone) return result;
  const double in_double = arithmetic.operation_format() == fp64 ? 0 : unit_roundoff(fp64);
  const double error = exact ? 0 : compose(std::max(u, smallest / factor), in_double);
  result.bound = compose(ErrorBound(error), unit->errors().product);
  result.variance = result.local_variance = unit->roundings().product;
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
  result.variance = unit()->roundings().product;  // and a bias
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
