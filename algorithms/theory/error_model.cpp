#include "algorithms/theory/error_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <type_traits>

#include "algorithms/theory/members.hpp"

namespace fftprec {

namespace model_terms {

using Model = ErrorModel;

/// One member of the model and what it becomes where b follows a, `compose(a, b, member)`, and
/// where a and b have orthogonal parts of the data, `mix(a, b, member, share of b)`.
template <class Value, class Compose, class Mix>
struct Term {
  Value Model::*member;
  Compose compose;
  Mix mix;
  Value Model::*of = nullptr;  ///< this term is a share of, which vanishes for the input `unless`
  InputKind unless{};
};
template <class Value, class Compose, class Mix, class... Share>
Term(Value Model::*, Compose, Mix, Share...) -> Term<Value, Compose, Mix>;

// Rules.
constexpr auto first = [](const Model& a, const Model&, auto x, auto...) { return a.*x; };
constexpr auto add = [](const Model& a, const Model& b, auto x, auto...) { return a.*x + b.*x; };
constexpr auto multiply = [](const Model& a, const Model& b, auto x) { return a.*x * b.*x; };
constexpr auto either = [](const Model& a, const Model& b, auto x, auto...) {
  return a.*x || b.*x;
};
constexpr auto both = [](const Model& a, const Model& b, auto x, auto...) { return a.*x && b.*x; };
constexpr auto largest = [](const Model& a, const Model& b, auto x, auto...) {
  return std::max(a.*x, b.*x);
};
constexpr auto mean = [](const Model& a, const Model& b, auto x, double share) {
  return (1 - share) * a.*x + share * b.*x;
};
/// The term of b where a does not change the input.
constexpr auto before_errors = [](const Model& a, const Model& b, auto x) {
  return a.variance == 0 ? b.*x : a.*x;
};
constexpr auto before_tables = [](const Model& a, const Model& b, auto x) {
  return a.variance == 0 && a.tables_met == 0 ? b.*x : a.*x;
};
/// The term of b, too, where a neither changes nor stores the input.
constexpr auto before_store = [](const Model& a, const Model& b, auto x) {
  return a.is_stored ? a.*x : before_tables(a, b, x);
};
constexpr auto variance_of_both = [](const Model& a, const Model& b, auto) {
  return a.variance + (a.is_stored ? b.variance - b.variance_unless_stored : b.variance);
};
/// Sums of exact sums are exact as well.
constexpr auto while_sums_are_exact = [](const Model& a, const Model& b, auto x) {
  if (a.variance == 0) return b.*x;
  return a.variance == a.*x && b.variance == b.*x ? a.*x + b.*x : a.*x;
};
constexpr auto last_written = [](const Model& a, const Model& b, auto x) {
  return b.output != Model::Output::unchanged ? b.*x : a.*x;
};
constexpr auto first_written = [](const Model& a, const Model& b, auto x, auto...) {
  return a.output != Model::Output::unchanged ? a.*x : b.*x;
};

/// All terms: member, in sequence, side by side.
constexpr std::tuple terms{
    Term{&Model::bound,
         [](const Model& a, const Model& b, auto) { return compose(a.bound, b.bound); },
         [](const Model& a, const Model& b, auto, auto) { return larger(a.bound, b.bound); }},
    Term{&Model::variance, variance_of_both, mean},
    Term{&Model::bias, add, mean},
    Term{&Model::variance_unless_real, before_tables, mean, &Model::variance, InputKind::real},
    Term{&Model::bias_unless_real, before_tables, mean, &Model::bias, InputKind::real},
    Term{&Model::variance_unless_fp32, while_sums_are_exact, mean, &Model::variance,
         InputKind::exact_in_fp32},
    Term{&Model::variance_unless_padded, before_errors, mean, &Model::variance, InputKind::padded},
    Term{&Model::variance_unless_stored, before_store, mean, &Model::variance, InputKind::stored},
    Term{&Model::sums_variance, add, mean},
    Term{&Model::shared_variance, add, mean},
    Term{&Model::imaginary_variance, add, mean},
    Term{&Model::local_variance,
         [](const Model& a, const Model& b, auto x) { return a.*x / b.spread + b.*x; }, mean},
    Term{&Model::fp64_loss, add, mean},
    Term{&Model::spread, multiply, largest},
    Term{&Model::elementwise, both, both},
    Term{&Model::is_stored, last_written, both},
    Term{&Model::mixes_phases, either, either},
    Term{&Model::multiplies_matrices, either, either},
    Term{&Model::sums_products, either, either},
    Term{&Model::is_mirrored, both, both},
    Term{&Model::scale_square, multiply, first},
    Term{&Model::growth, multiply, mean},
    Term{&Model::absolute_variance,
         [](const Model& a, const Model& b, auto x) { return a.*x * b.growth + b.*x; }, mean},
    Term{&Model::absolute_bias,
         [](const Model& a, const Model& b, auto x) { return a.*x * std::sqrt(b.growth) + b.*x; },
         mean},
    Term{&Model::absolute_bound,
         [](const Model& a, const Model& b, auto x) {
           return a.*x * std::sqrt(b.growth) * (1 + b.bound.worst) + b.*x;
         },
         largest},
    Term{&Model::result_range, multiply, largest},
    Term{&Model::result_error,
         [](const Model& a, const Model& b, auto x) { return a.*x * b.result_range + b.*x; },
         largest},
    Term{&Model::peak_range,
         [](const Model& a, const Model& b, auto x) {
           return std::max(
               {a.*x, a.result_range, a.result_range * b.*x, multiply(a, b, &Model::result_range)});
         },
         largest},
    Term{&Model::peak_error,
         [](const Model& a, const Model& b, auto x) {
           return std::max({a.*x, a.result_error * b.peak_range + b.*x,
                            a.result_error * b.result_range + b.result_error});
         },
         largest},
    Term{&Model::cost, add, add},
    Term{&Model::calls, add,
         [](const Model& a, const Model& b, auto, auto) {
           return KernelCalls{std::max(a.calls.tensor, b.calls.tensor),
                              std::max(a.calls.vector, b.calls.vector)};
         }},
    Term{&Model::tables_met, add, largest},
    Term{&Model::table_entries, add, add},
    Term{&Model::output, last_written, first_written},
    Term{&Model::theorem, first, first},
};
static_assert(std::apply([](auto... all) { return lists_all_members(all.member...); }, terms));

template <class What>
Model with_terms(Model model, What what) {
  std::apply([&](const auto&... all) { (what(model, all), ...); }, terms);
  return model;
}

}  // namespace model_terms

ErrorModel ErrorModel::compose(const ErrorModel& next) const {
  return model_terms::with_terms(*this, [&](ErrorModel& result, const auto& term) {
    result.*term.member = term.compose(*this, next, term.member);
  });
}

ErrorModel ErrorModel::mix(const ErrorModel& other, double share) const {
  return model_terms::with_terms(*this, [&](ErrorModel& result, const auto& term) {
    result.*term.member = term.mix(*this, other, term.member, share);
  });
}

ErrorModel ErrorModel::given(InputKind input) const {
  return model_terms::with_terms(*this, [&](ErrorModel& result, const auto& term) {
    if constexpr (std::is_same_v<decltype(term.of), double ErrorModel::*>)
      if (term.of != nullptr && term.unless == input) {
        result.*term.of -= result.*term.member;
        result.*term.member = 0;
      }
  });
}

ErrorModel ErrorModel::from_padded() const {
  ErrorModel result = given(InputKind::padded);
  result.variance_unless_fp32 = std::min(variance_unless_fp32, result.variance);
  return result;
}

ErrorModel ErrorModel::to_real() const {
  ErrorModel result = *this;
  const double kept = tables_met <= 1 ? 1 : mixes_phases ? 0.5 : 0.75;
  result.variance *= kept;
  result.local_variance *= kept;
  if (tables_met <= 1) result.variance -= imaginary_variance;
  if (tables_met > 1 && shared_variance > variance / 2) result.variance = unknown;
  result.imaginary_variance = 0;
  result.variance_unless_fp32 *= kept;
  result.variance_unless_padded *= kept;
  result.variance_unless_real = result.bias_unless_real = 0;
  return result;
}

std::optional<double> ErrorModel::expected() const {
  const double square_sum = variance + bias * bias;
  if (std::isnan(square_sum)) return std::nullopt;
  return std::sqrt(std::max(square_sum, 0.0));
}

void ErrorModel::round_parts(const AbsoluteErrors& once, double times, double share) {
  constexpr double pi = std::numbers::pi;
  const double along = times > 1 ? 4 / pi * std::sqrt(times / 2) : 1;
  absolute_bias = -std::sqrt(2 / pi) * along * once.outwards;
  absolute_variance =
      share * 2 * (times * (once.variance + square(once.outwards)) - square(absolute_bias));
  absolute_bias *= share;
  absolute_bound = std::sqrt(share / 2) * 2 * times * once.largest;
  result_error = peak_error = std::numbers::sqrt2 * times * once.largest;
}

Format output_format(const ErrorModel& model, const ArithmeticSpec& arithmetic) {
  if (arithmetic.stores().in_passes()) return arithmetic.storage_format();
  return model.output == ErrorModel::Output::engine ? arithmetic.wide()
                                                    : arithmetic.operation_format();
}

}  // namespace fftprec
