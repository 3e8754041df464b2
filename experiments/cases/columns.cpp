#include "experiments/cases/columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/seed_statistics.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

InputError not_a(std::string_view what, std::string_view text) {
  return InputError("'" + std::string(text) + "' is not " + std::string(what));
}

std::uint64_t unsigned_from(std::string_view text) {
  if (const auto value = parse_unsigned(text)) return *value;
  throw not_a("an unsigned integer", text);
}

std::optional<double> no_number(const Row&) { return std::nullopt; }

template <std::string Case::*field>
constexpr Column name_axis(std::string_view name, std::string_view meaning, const Axis& axis) {
  return {.name = name,
          .meaning = meaning,
          .metric = false,
          .append = [](std::string& text, const Row& row) { text += row.where.get(field); },
          .number = no_number,
          .parse =
              [](Row& row, std::string_view text) {
                if (text.empty() || holds_control(text)) throw not_a("a name", text);
                row.where.set(field, text);
              },
          .axis = axis};
}

/// An axis that files of earlier versions do not have: their cases are at its default.
template <std::string Case::*field>
constexpr Column later_axis(std::string_view name, std::string_view meaning, const Axis& axis) {
  Column column = name_axis<field>(name, meaning, axis);
  column.later = true;
  column.axis->hidden_at_default = true;
  column.parse = [](Row& row, std::string_view text) {
    if (holds_control(text)) throw not_a("a name", text);
    const Case defaults;
    row.where.set(field, text.empty() ? std::string_view(defaults.*field) : text);
  };
  return column;
}

template <std::uint64_t Case::*field, std::uint64_t least_value>
constexpr Column number_axis(std::string_view name, std::string_view meaning,
                             std::string_view label = {}, bool hidden_at_default = false) {
  return {
      .name = name,
      .meaning = meaning,
      .metric = false,
      .append = [](std::string& text,
                   const Row& row) { append_number(text, row.where.get(field)); },
      .number =
          [](const Row& row) { return std::optional(static_cast<double>(row.where.get(field))); },
      .parse =
          [](Row& row, std::string_view text) {
            const std::uint64_t value = unsigned_from(text);
            if (value < least_value) throw not_a("a number from 1 on", text);
            row.where.set(field, value);
          },
      .label = label,
      .axis = Axis{.least = least_value, .hidden_at_default = hidden_at_default}};
}

template <auto field>
void append_measured(std::string& text, const Row& row) {
  if (row.*field) append_number(text, *(row.*field));
}

template <std::optional<double> Row::*field>
constexpr Column real_metric(std::string_view name, std::string_view meaning,
                             std::string_view label = {},
                             QuantityKind quantity_kind = QuantityKind::size) {
  return {.name = name,
          .meaning = meaning,
          .metric = true,
          .append = append_measured<field>,
          .number = [](const Row& row) { return row.*field; },
          .parse =
              [](Row& row, std::string_view text) {
                row.*field = std::nullopt;
                if (text.empty()) return;
                row.*field = parse_double(text);
                if (!(row.*field)) throw not_a("a number", text);
              },
          .label = label,
          .quantity_kind = quantity_kind};
}

/// A measured error.
template <std::optional<double> Row::*field>
constexpr Column error_metric(std::string_view name, std::string_view meaning,
                              std::string_view label = {}) {
  Column column = real_metric<field>(name, meaning, label);
  column.is_error = true;
  return column;
}

template <std::optional<std::uint64_t> Row::*field>
constexpr Column count_metric(std::string_view name, std::string_view meaning,
                              std::string_view label = {}, bool repeats = true) {
  return {.name = name,
          .meaning = meaning,
          .metric = true,
          .append = append_measured<field>,
          .number =
              [](const Row& row) {
                return row.*field ? std::optional(static_cast<double>(*(row.*field)))
                                  : std::nullopt;
              },
          .parse =
              [](Row& row, std::string_view text) {
                row.*field = std::nullopt;
                if (!text.empty()) row.*field = unsigned_from(text);
              },
          .label = label,
          .repeats = repeats};
}

/// `column`, which files of earlier versions do not have.
constexpr Column later(Column column) {
  column.later = true;
  return column;
}

constexpr Column also_called(std::string_view alias, Column column) {
  column.aliases[0] = alias;
  return column;
}

template <std::string Row::*field>
constexpr Column note(std::string_view name, std::string_view meaning) {
  return {name,      meaning,
          false,     [](std::string& text, const Row& row) { text += row.*field; },
          no_number, [](Row& row, std::string_view text) { row.*field = text; }};
}

/// `column`; a mode with two names is stored by the shown one.
constexpr Column mode_axis(Column column) {
  column.parse = [](Row& row, std::string_view text) {
    if (text.empty() || holds_control(text)) throw not_a("a name", text);
    row.where.set(&Case::mode, shown_mode(text));
  };
  return column;
}

constexpr std::array all_columns = {
    Column{"case_id", "x and 16 hexadecimal digits that name the case in every run", false,
           [](std::string& text, const Row& row) { text += case_id(row.where); }, no_number,
           [](Row&, std::string_view) {}},
    name_axis<&Case::transform>(
        "transform", "what is computed: fft, ifft, ...",
        {.list = list_transforms,
         .canonical = [](const auto& name) { return canonical_transform(name); }}),
    name_axis<&Case::algorithm>("algorithm", "in which order: dft-gemm, radix2-dit, ...",
                                {.list = list_algorithms}),
    mode_axis(name_axis<&Case::mode>(
        "mode", "how products, sums and matrix products are carried out",
        {.list = list_modes,
         .canonical = [](const auto& name) { return mode_named(name, read_list).name; },
         .adds_hash = false})),
    name_axis<&Case::machine>(
        "machine", "hardware model",
        {.list = list_machines,
         .canonical = [](const auto& name) { return faulty_machine_named(name).name; },
         .of_file = machine_of_file}),
    name_axis<&Case::tables>("tables", "where twiddles and DFT matrices come from",
                             {.list = list_tables}),
    number_axis<&Case::n, 1>("n", "transform length", "transform length n"),
    number_axis<&Case::batch, 1>("batch", "transforms per call", {}, true),
    name_axis<&Case::input>(
        "input", "input generator",
        {.list = list_inputs, .canonical = [](const auto& name) { return canonical_input(name); }}),
    number_axis<&Case::seed, 0>("seed", "seed of the input generator"),
    also_called(
        "store",
        later_axis<&Case::rounding_points>(
            "rounding_points", "when data are rounded to the mode's format: op, stage, ...",
            {.list = [] { return named(all_rounding_points()); },
             .canonical = [](const auto& name) { return name_of(rounding_points_named(name)); }})),
    later_axis<&Case::scale>(
        "scale", "by which power of two data are scaled: none, input:2^K",
        {.list = [] { return named(scale_policies()); },
         .canonical = [](const auto& name) { return name_of(scale_policy_named(name)); }}),
    error_metric<&Row::err_l2_rel>("err_l2_rel", "||y-t||_2 / ||t||_2, y the output, t the truth",
                                   "relative error, 2-norm"),
    error_metric<&Row::err_linf_rel>("err_linf_rel", "max|y-t| / max|t|, complex magnitudes",
                                     "relative error, max-norm"),
    error_metric<&Row::err_l1_rel>("err_l1_rel", "||y-t||_1 / ||t||_1", "relative error, 1-norm"),
    later(error_metric<&Row::err_linf_abs>(
        "err_linf_abs", "max|y-t|, complex magnitudes, in the units of the result",
        "largest absolute error")),
    later(error_metric<&Row::err_mean_rel>(
        "err_mean_rel", "mean over all elements of |y-t| / |t|, complex magnitudes",
        "mean relative error of an element")),
    error_metric<&Row::err_re_max_rel>("err_re_max_rel",
                                       "largest elementwise relative error of the real parts",
                                       "largest relative error of the real parts"),
    error_metric<&Row::err_im_max_rel>("err_im_max_rel",
                                       "largest elementwise relative error of the imaginary parts",
                                       "largest relative error of the imaginary parts"),
    error_metric<&Row::err_max_ulp>("err_max_ulp",
                                    "largest error in ulp of the output format at the true value",
                                    "largest error, ulp"),
    error_metric<&Row::err_rms_ulp>("err_rms_ulp", "root mean square error in ulp, likewise",
                                    "root mean square error, ulp"),
    error_metric<&Row::err_roundtrip_l2_rel>(
        "err_roundtrip_l2_rel", "||z-x||_2 / ||x||_2, z the inverse transform of y, x the input"),
    real_metric<&Row::bits_l2>("bits_l2", "-log2(err_l2_rel): bits correct", "bits correct, 2-norm",
                               QuantityKind::level),
    later(real_metric<&Row::snr_db>("snr_db", "-20 log10(err_l2_rel): signal-to-noise ratio in dB",
                                    "signal-to-noise ratio, dB", QuantityKind::level)),
    later(real_metric<&Row::snr_no_gain_db>(
        "snr_no_gain_db",
        "-20 log10(||y-gt||_2 / ||gt||_2), g the gain: signal-to-noise ratio in dB "
        "of a result whose scale does not matter",
        "signal-to-noise ratio without the gain, dB", QuantityKind::level)),
    later(real_metric<&Row::gain>("gain", "Re <y,t> / <t,t>: 1 unless results are biased", "gain",
                                  QuantityKind::gain)),
    real_metric<&Row::bound_l2_rel>("bound_l2_rel", "worst case of err_l2_rel by a theorem"),
    note<&Row::bound_name>(
        "bound_name",
        "which theorem gives bound_l2_rel; +machine-checked: proven in Coq, number and all; "
        "+overflow-free: nothing can overflow; +golden-zone:P: no value can leave the range where "
        "numbers have P bits"),
    later(real_metric<&Row::bound_prob_l2_rel>(
        "bound_prob_l2_rel",
        "err_l2_rel that random roundings exceed with probability 1e-6 at most")),
    real_metric<&Row::expected_l2_rel>("expected_l2_rel",
                                       "err_l2_rel expected for random input (RMS model)"),
    later(real_metric<&Row::expected_gain>("expected_gain",
                                           "gain expected for random input: 1 less what truncation "
                                           "and tables lose (RMS model)",
                                           {}, QuantityKind::gain)),
    later(real_metric<&Row::bound_linf_abs>(
        "bound_linf_abs", "worst case of err_linf_abs by a theorem; of products alone")),
    later(real_metric<&Row::bound_prob_linf_abs>(
        "bound_prob_linf_abs",
        "err_linf_abs that random roundings exceed with probability 1e-6 at most")),
    later(real_metric<&Row::expected_linf_abs>(
        "expected_linf_abs", "err_linf_abs expected for random digits: the mean of the largest")),
    later(real_metric<&Row::failure_prob>(
        "failure_prob",
        "probability that a result errs by 1/2 or more, for random digits: then a coefficient is "
        "wrong")),
    later(count_metric<&Row::wrong_coefficients>(
        "wrong_coefficients", "results that err by 1/2 or more", "wrong coefficients")),
    later(count_metric<&Row::coefficient_bits>(
        "coefficient_bits", "bits of the largest exact coefficient, without its sign",
        "bits of a coefficient")),
    later(count_metric<&Row::overflows>(
        "overflows", "parts of results beyond the format: not finite, or at its largest value")),
    later(count_metric<&Row::underflows>(
        "underflows", "parts rounded below the normal numbers of the format, of input and result")),
    count_metric<&Row::truth_bits>("truth_bits", "certified bits of the truth"),
    Column{"truth_tier", "arithmetic of the truth: mpfr, dd (double-double), or gmp (integers)",
           false,
           [](std::string& text, const Row& row) {
             if (row.truth_tier) text += name_of(*row.truth_tier);
           },
           no_number,
           [](Row& row, std::string_view text) {
             row.truth_tier = std::nullopt;
             if (!text.empty()) row.truth_tier = tier_named(text);
           }},
    count_metric<&Row::matmul_passes>(
        "matmul_passes", "tensor-engine passes: 128 x 128 table blocks, 512 columns each",
        "tensor-engine passes"),
    also_called("mac_count",
                count_metric<&Row::real_multiplications>(
                    "real_multiplications", "real products of a data word with a table word",
                    "real multiplications")),
    count_metric<&Row::time_ns>("time_ns", "wall time of the emulated transform, nanoseconds",
                                "time, ns", false),
    note<&Row::output_hash>("output_hash", "XXH3-64 of the output bits, NaNs made canonical"),
    Column{"status", "ok, skipped (no meaning) or failed (an error); message says why", false,
           [](std::string& text, const Row& row) { text += name_of(row.status); }, no_number,
           [](Row& row, std::string_view text) { row.status = status_named(text); }},
    note<&Row::message>("message",
                        "why the row is skipped or failed; a remark on a row that is ok"),
};

/// The statistics of a row, copied first if another row shares them.
SeedStatistics& own_statistics(Row& row) {
  if (row.over_seeds.use_count() != 1)
    row.over_seeds = row.over_seeds ? std::make_shared<SeedStatistics>(*row.over_seeds)
                                    : std::make_shared<SeedStatistics>();
  return const_cast<SeedStatistics&>(*row.over_seeds);
}

/// A number that follows from the errors over seeds; empty if too few were measured.
struct Statistic {
  std::string_view name;
  std::string_view meaning;
  std::optional<double> (*number)(const ErrorSummary&);
  std::string (*text)(const ErrorSummary&);
};

/// NaN is a value only where an error is infinite.
template <auto value>
std::optional<double> real_value(const ErrorSummary& errors) {
  if (errors.count() == 0) return std::nullopt;
  const double number = value(errors);
  return std::isnan(number) && errors.infinite() == 0 ? std::nullopt : std::optional(number);
}

template <auto value>
constexpr Statistic real(std::string_view name, std::string_view meaning) {
  return {name, meaning, real_value<value>, [](const ErrorSummary& errors) {
            const std::optional<double> number = real_value<value>(errors);
            return number ? shortest(*number) : std::string();
          }};
}

/// Empty for fewer than `least` errors.
template <auto value, std::uint64_t least>
constexpr Statistic whole(std::string_view name, std::string_view meaning) {
  return {name, meaning,
          [](const ErrorSummary& errors) {
            return errors.count() >= least ? std::optional(static_cast<double>(value(errors)))
                                           : std::nullopt;
          },
          [](const ErrorSummary& errors) {
            return errors.count() >= least ? std::to_string(value(errors)) : std::string();
          }};
}

std::uint64_t count_of(const ErrorSummary& errors) { return errors.count(); }
double mean_of(const ErrorSummary& errors) { return errors.mean(); }
double deviation_of(const ErrorSummary& errors) { return errors.deviation(); }
double mean_low(const ErrorSummary& errors) {
  return errors.mean_interval(statistics_confidence).low;
}
double mean_high(const ErrorSummary& errors) {
  return errors.mean_interval(statistics_confidence).high;
}
double largest_of(const ErrorSummary& errors) { return errors.largest()->error; }
std::uint64_t seed_of_largest(const ErrorSummary& errors) { return errors.largest()->seed; }

template <unsigned per_mille>
double quantile_of(const ErrorSummary& errors) {
  return errors.quantile(per_mille).high;
}
template <unsigned per_mille>
double quantile_low(const ErrorSummary& errors) {
  return errors.quantile_interval(per_mille, statistics_confidence).low;
}
template <unsigned per_mille>
double quantile_high(const ErrorSummary& errors) {
  return errors.quantile_interval(per_mille, statistics_confidence).high;
}

constexpr std::array statistics = {
    whole<count_of, 0>("count", "how many seeds were measured"),
    real<mean_of>("mean", "mean over seeds"),
    real<deviation_of>("deviation", "standard deviation over seeds"),
    real<mean_low>("mean_low", "lower end of the 95 % interval of the mean"),
    real<mean_high>("mean_high", "upper end of the 95 % interval of the mean"),
    real<quantile_of<500>>("p50", "median over seeds, the upper end of its bin"),
    real<quantile_low<500>>("p50_low", "lower end of the 95 % interval of p50"),
    real<quantile_high<500>>("p50_high", "upper end of the 95 % interval of p50"),
    real<quantile_of<900>>("p90", "0.9 quantile over seeds, the upper end of its bin"),
    real<quantile_low<900>>("p90_low", "lower end of the 95 % interval of p90"),
    real<quantile_high<900>>("p90_high", "upper end of the 95 % interval of p90"),
    real<quantile_of<990>>("p99", "0.99 quantile over seeds, the upper end of its bin"),
    real<quantile_low<990>>("p99_low", "lower end of the 95 % interval of p99"),
    real<quantile_high<990>>("p99_high", "upper end of the 95 % interval of p99"),
    real<quantile_of<999>>("p999", "0.999 quantile over seeds, the upper end of its bin"),
    real<quantile_low<999>>("p999_low", "lower end of the 95 % interval of p999"),
    real<quantile_high<999>>("p999_high", "upper end of the 95 % interval of p999"),
    real<largest_of>("max", "largest over seeds"),
    whole<seed_of_largest, 1>("max_seed", "the first seed with the largest"),
};
constexpr std::string_view summary_name = "summary";
constexpr std::size_t statistics_per_error = statistics.size() + 1;  // the summary is the last

/// Their places in all_columns.
constexpr auto error_places = [] {
  constexpr std::size_t count = [] {
    std::size_t errors = 0;
    for (const Column& column : all_columns) errors += column.is_error;
    return errors;
  }();
  std::array<std::size_t, count> places{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < all_columns.size(); ++i)
    if (all_columns[i].is_error) places[next++] = i;
  return places;
}();

constexpr std::string_view statistic_name(std::size_t statistic) {
  return statistic < statistics.size() ? statistics[statistic].name : summary_name;
}

template <std::size_t error, std::size_t statistic>
constexpr auto joined_name = [] {
  constexpr std::string_view metric = all_columns[error_places[error]].name;
  constexpr std::string_view name = statistic_name(statistic);
  std::array<char, metric.size() + 1 + name.size()> text{};
  std::size_t next = 0;
  for (const char c : metric) text[next++] = c;
  text[next++] = '.';
  for (const char c : name) text[next++] = c;
  return text;
}();

template <std::size_t error>
const ErrorSummary* summary_in(const Row& row) {
  return row.over_seeds ? row.over_seeds->of(all_columns[error_places[error]]) : nullptr;
}

template <std::size_t error, std::size_t statistic>
constexpr Column statistic_column() {
  constexpr auto& name = joined_name<error, statistic>;
  if constexpr (statistic < statistics.size())
    return {.name = {name.data(), name.size()},
            .meaning = statistics[statistic].meaning,
            .metric = true,
            .append =
                [](std::string& text, const Row& row) {
                  if (const ErrorSummary* errors = summary_in<error>(row))
                    text += statistics[statistic].text(*errors);
                },
            .number =
                [](const Row& row) {
                  const ErrorSummary* errors = summary_in<error>(row);
                  return errors ? statistics[statistic].number(*errors) : std::nullopt;
                },
            .parse =
                [](Row&, std::string_view text) {
                  if (!text.empty() && !parse_double(text)) throw not_a("a number", text);
                },
            .later = true};
  else
    return {.name = {name.data(), name.size()},
            .meaning = "histogram and exact sums over seeds, which fftprec merge joins",
            .metric = false,
            .append =
                [](std::string& text, const Row& row) {
                  if (const ErrorSummary* errors = summary_in<error>(row))
                    text += errors->to_text();
                },
            .number = no_number,
            .parse =
                [](Row& row, std::string_view text) {
                  if (!text.empty())
                    own_statistics(row).make(all_columns[error_places[error]]) =
                        ErrorSummary::from_text(text);
                },
            .later = true};
}

constexpr Column seeds_column{
    .name = "seeds",
    .meaning = "the seeds that the row stands for, of which its other columns show the worst",
    .metric = false,
    .append =
        [](std::string& text, const Row& row) {
          if (row.over_seeds) text += row.over_seeds->seeds.to_text();
        },
    .number = no_number,
    .parse =
        [](Row& row, std::string_view text) {
          if (!text.empty()) own_statistics(row).seeds = SeedSet::from_text(text);
        },
    .later = true};

template <std::size_t... i>
constexpr std::array<Column, 1 + sizeof...(i)> statistics_table(std::index_sequence<i...>) {
  return {seeds_column, statistic_column<i / statistics_per_error, i % statistics_per_error>()...};
}

constexpr auto all_statistics =
    statistics_table(std::make_index_sequence<error_places.size() * statistics_per_error>());

/// Null for an unknown name.
const Column* found_column(std::string_view name) {
  for (const std::span<const Column> list : {columns(), statistics_columns()})
    for (const Column& column : list)
      if (is_called(column, name)) return &column;
  return nullptr;
}

}  // namespace

std::span<const Column> statistics_columns() { return all_statistics; }

std::span<const Column> statistics_of(const Column& error) {
  const auto place =
      std::ranges::find(error_places, static_cast<std::size_t>(&error - all_columns.data()));
  assert(place != error_places.end());
  return statistics_columns().subspan(
      1 + static_cast<std::size_t>(place - error_places.begin()) * statistics_per_error,
      statistics_per_error);
}

bool is_statistics_column(const Column& column) {
  return &column >= all_statistics.data() &&
         &column < all_statistics.data() + all_statistics.size();
}

bool follows_from_summary(const Column& column) {
  return is_statistics_column(column) && column.metric;
}

std::span<const Column> columns() { return all_columns; }

QuantityKind quantity_kind_of(std::string_view name) {
  const Column* found = found_column(name);
  return found == nullptr ? QuantityKind::size : found->quantity_kind;
}

namespace {

/// Whether both are the same number below 2^53, whose text is then the same, too.
bool is_same_number(std::optional<double> a, std::optional<double> b) {
  return a && b && std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b) &&
         std::abs(*a) < 0x1p53;
}

}  // namespace

bool differ(const Column& column, const Row& a, const Row& b) {
  if (is_same_number(column.number(a), column.number(b))) return false;
  const std::string left = column.text(a);
  const std::string right = column.text(b);
  return left != right && !(column.later && (left.empty() || right.empty()));
}

bool is_computed(std::string_view name) {
  return name == err_over_bound || name == err_over_expected || name == published_us ||
         name == input_scale;
}

std::string read_text(const Column& column, const Row& row) {
  std::string text = column.text(row);
  const std::optional<double> number = column.number(row);
  return number && !parse_unsigned(text) ? exact_number(*number) : text;
}

bool holds_numbers(const Column& column) {
  return column.metric || (column.axis && column.axis->list == nullptr);
}

bool is_called(const Column& column, std::string_view name) {
  return column.name == name ||
         (!name.empty() && std::ranges::find(column.aliases, name) != column.aliases.end());
}

std::string shown_name(std::string_view name) {
  const Column* found = found_column(name);
  return std::string(found == nullptr ? name : found->name);
}

namespace {

/// Throws InputError with `kind` and the names of those that are `wanted`; of an error with an
/// unknown statistic, the names of statistics.
const Column& column_among(std::string_view kind, std::string_view name,
                           bool is_wanted(const Column&)) {
  if (const Column* found = found_column(name); found && is_wanted(*found)) return *found;
  const std::size_t point = std::min(name.find('.'), name.size());
  if (const Column* error = found_column(name.substr(0, point));
      point < name.size() && error && error->is_error) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < statistics_per_error; ++i) known.emplace_back(statistic_name(i));
    throw unknown_name("statistic of " + std::string(error->name), name.substr(point + 1), known);
  }
  std::vector<std::string> known;
  for (const Column& column : all_columns)
    if (is_wanted(column)) known.emplace_back(column.name);
  throw unknown_name(kind, name, known);
}

}  // namespace

const Column& metric_named(std::string_view name) {
  return column_among("metric", name, [](const Column& column) { return column.metric; });
}

const Column& column_named(std::string_view name) {
  return column_among("column", name, [](const Column&) { return true; });
}

}  // namespace fftprec
