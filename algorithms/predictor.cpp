#include "algorithms/predictor.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "algorithms/variances.hpp"

namespace fftprec {

namespace {

/// The carrier's own format, in which wide products and the results of matrix products are.
Format wide_format(const Mode& mode) { return on_host(mode) ? fp64 : fp32; }

/// What two bf16 words are like of normal data, whose variance is 1: see variances.cpp.
TableStatistics computed_factors(const Mode& mode) {
  const double low = value_variance(0x1p-8);
  const double rest = low * 0x1p-16 / 7;
  return is_split(mode) ? TableStatistics{.low_square = low, .rest_square = rest}
                        : TableStatistics{};
}

}  // namespace

Format output_format(const Prediction& prediction, const Mode& mode) {
  return prediction.output == Prediction::Output::engine ? wide_format(mode) : mode.storage;
}

Predictor::Predictor(const Mode& mode, const Machine& machine, Direction direction,
                     TableSource tables)
    : mode_(mode), machine_(machine), direction_(direction), tables_(std::move(tables)) {}

Predictor Predictor::with_direction(Direction direction) const {
  Predictor other = *this;
  other.direction_ = direction;
  return other;
}

double Predictor::table_error(const TableSpec& table, const Format& format) const {
  return tables_.error_bound ? tables_.error_bound(table.extent, format) : 0;
}

TableStatistics Predictor::statistics(const TableSpec& table, const Format& format) const {
  if (!tables_.roots) return {};
  return table_statistics(table.size, table.index, tables_.roots, tables_.exact, format);
}

Prediction Predictor::input() const {
  const double u = unit_roundoff(mode_.storage);
  return {.bound = u, .variance = value_variance(u), .output = Prediction::Output::storage};
}

Prediction Predictor::product(const TableSpec& table, double share, std::uint64_t count) const {
  const TableStatistics entries = statistics(table, mode_.table);
  const bool trivial =
      tables_.is_exact && !is_split(mode_) && entries.whole && entries.nontrivial == 0;
  const double mu = trivial ? 0 : table_error(table, mode_.table);
  return {.bound = trivial ? 0 : compose(mu, product_error(mode_, machine_)),
          .variance = share * product_variance(mode_, machine_, entries),
          .shared_variance = share * share * table_variance(mode_, entries),
          .cost = count * product_cost(mode_, machine_),
          .tables_met = 1,
          .table_entries = table.size,
          .output = Prediction::Output::storage};
}

Prediction Predictor::values(const TableSpec& table) const {
  return {.bound = table_error(table, mode_.storage),
          .variance = statistics(table, mode_.storage).error_square,
          .tables_met = 1,
          .output = Prediction::Output::storage};
}

Prediction Predictor::wide_product(const TableSpec& table, std::uint64_t count) const {
  Mode wide = mode_;
  wide.storage = wide.table = wide_format(mode_);
  wide.product = ProductScheme::plain;
  Predictor host = *this;
  host.mode_ = wide;
  Prediction result = host.product(table, 1, count);
  result.output = Prediction::Output::engine;
  return result;
}

Prediction Predictor::computed_product(std::uint64_t count) const {
  return {.bound = product_error(mode_, machine_),
          .variance = product_variance(mode_, machine_, computed_factors(mode_)),
          .cost = count * product_cost(mode_, machine_),
          .output = Prediction::Output::storage};
}

Prediction Predictor::real_product(const TableStatistics& table, double error, std::size_t entries,
                                   std::uint64_t count) const {
  return {.bound = compose(error, product_error(mode_, machine_)),
          .variance = real_product_variance(mode_, machine_, table),
          .cost = count * product_cost(mode_, machine_),
          .table_entries = entries,
          .output = Prediction::Output::storage};
}

/// Proof of the bound: each output part errs by gamma sum_k |x_ik||w_kj| at most, gamma as in
/// gemm_error, both parts by sqrt(2) gamma ||x_i|| ||w_j||, all outputs by sqrt(2) gamma ||x||_F
/// ||W||_F; the parts that a split leaves out likewise, without the sqrt(2). An r x r DFT matrix
/// has ||W||_F = r and ||x W||_F = sqrt(r) ||x||_F: gemm_error is sqrt(r) times that.
Prediction Predictor::computed_gemm(std::size_t depth, std::size_t outputs,
                                    std::uint64_t rows) const {
  return {.bound = gemm_error(mode_, machine_, depth, 0) / std::sqrt(static_cast<double>(depth)),
          .variance = gemm_variance(mode_, machine_, computed_factors(mode_), depth),
          .drift = gemm_drift(mode_, machine_, depth),
          .cost = gemm_cost(depth, outputs, rows, mode_, machine_),
          .output = Prediction::Output::engine};
}

Prediction Predictor::eighth(double share, std::uint64_t count) const {
  const TableSpec table{1, [](std::size_t) { return RootIndex{1, 8}; }, {0.125, 1}};
  const TableStatistics entries = statistics(table, mode_.table);
  const double u = unit_roundoff(mode_.storage);
  Prediction result{.bound = repeated_error(u, 1),
                    .variance = share * sum_variance(u),
                    .cost = {{0, 2 * count, 0}, 0, 0},
                    .tables_met = 1,
                    .output = Prediction::Output::storage};
  if (is_split(mode_)) return result.then(product(table, share, count));
  const double mu = table_error(table, mode_.table);
  result.bound = compose(result.bound, compose(mu, u));
  result.variance += share * (entries.error_square + value_variance(u));
  result.cost = result.cost + Cost{{2 * count, 0, 0}, 2 * count, 0};
  return result;
}

Prediction Predictor::sums(std::size_t depth, std::uint64_t additions) const {
  const double u = unit_roundoff(mode_.storage);
  return {.bound = repeated_error(u, depth),
          .variance = static_cast<double>(depth) * sum_variance(u),
          .cost = {{0, additions, 0}, 0, 0},
          .output = Prediction::Output::storage};
}

Prediction Predictor::gemm(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  const TableStatistics entries = statistics(matrix, mode_.table);
  const double variance = gemm_variance(mode_, machine_, entries, r);
  const double drift = gemm_drift(mode_, machine_, r);
  return {.bound = gemm_error(mode_, machine_, r, table_error(matrix, mode_.table)),
          .variance = variance,
          .drift = drift,
          .spared_variance = variance - gemm_variance(mode_, machine_, entries, r, GemmData::real),
          .spared_drift = drift - gemm_drift(mode_, machine_, r, GemmData::real),
          .shared_variance = table_variance(mode_, entries) / static_cast<double>(r),
          .cost = gemm_cost(r, rows, mode_, machine_),
          .tables_met = 1,
          .table_entries = matrix.size,
          .output = Prediction::Output::engine};
}

Prediction Predictor::dot(const TableSpec& matrix, std::size_t r, std::uint64_t rows) const {
  const TableStatistics entries = statistics(matrix, mode_.table);
  return {.bound = dot_error(mode_, machine_, r, table_error(matrix, mode_.table)),
          .variance = dot_variance(mode_, machine_, entries, r),
          .shared_variance = table_variance(mode_, entries) / static_cast<double>(r),
          .cost = dot_cost(r, rows, mode_, machine_),
          .tables_met = 1,
          .table_entries = matrix.size,
          .output = Prediction::Output::storage};
}

Prediction Predictor::dft_core(const TableSpec& core, std::size_t r, std::uint64_t rows) const {
  return {.bound = dot_error(mode_, machine_, r, table_error(core, mode_.table)),
          .variance = dft_core_variance(mode_, machine_, statistics(core, mode_.table), r),
          .cost = dft_core_cost(r, rows, mode_, machine_),
          .tables_met = 1,
          .table_entries = core.size,
          .output = Prediction::Output::storage};
}

Prediction Predictor::store() const {
  if (mode_.storage == wide_format(mode_)) return {};
  return input();
}

Prediction Predictor::scaled(std::size_t n, std::uint64_t count, double u,
                             Prediction::Output output) const {
  if (direction_ == Direction::forward) return {};
  Prediction result{.cost = {{2 * count, 0, 0}, 0, 0}, .output = output};
  if (std::has_single_bit(n)) return result;
  result.bound = repeated_error(u, 2);
  result.variance = 2 * value_variance(u);
  return result;
}

Prediction Predictor::inverse_scale(std::size_t n, std::uint64_t count) const {
  return scaled(n, count, unit_roundoff(mode_.storage), Prediction::Output::storage);
}

Prediction Predictor::inverse_scale_product(std::size_t n, std::uint64_t count) const {
  return scaled(n, count, unit_roundoff(wide_format(mode_)), Prediction::Output::engine);
}

}  // namespace fftprec
