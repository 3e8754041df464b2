#include "experiments/testing/error_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/statistics.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {

namespace {

using DoubleArithmetic = MachineArithmetic<double>;

/// How an emulated error fits the measured one: measured = factor emulated + rest.
struct Agreement {
  double correlation = 0;
  double factor = 0;
};

Agreement agreement(const ComplexArray<double>& emulated, const ComplexArray<double>& measured) {
  double mixed = 0, of_emulated = 0, of_measured = 0;
  for (const auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const double a = (emulated.*part)[i], b = (measured.*part)[i];
      mixed += a * b;
      of_emulated += a * a;
      of_measured += b * b;
    }
  if (!(of_emulated > 0) || !(of_measured > 0)) return {};
  return {mixed / std::sqrt(of_emulated * of_measured), mixed / of_emulated};
}

/// y minus the truth.
ComplexArray<double> error_of(const ComplexArray<double>& y, const truth::Truth& truth) {
  ComplexArray<double> error(y.size());
  for (const auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
    for (std::size_t i = 0; i < y.size(); ++i)
      (error.*part)[i] = ((y.*part)[i] - (truth.hi.*part)[i]) - (truth.lo.*part)[i];
  return error;
}

/// The first items, as few as give `most` values, of a transform whose items are alike.
ForeignProblem first_items(const ForeignProblem& asked, std::size_t most) {
  const truth::Truth& truth = asked.problem.truth;
  const std::size_t items = truth.n == 0 ? 0 : truth.hi.size() / truth.n;
  const std::size_t size = asked.problem.input.size();
  if (items < 2 || items != asked.where.batch || size % items != 0 || truth.hi.size() <= most)
    return asked;
  const std::size_t count = std::max(std::size_t{1}, most / truth.n);
  ForeignProblem first{.where = asked.where, .problem = {}, .norm = asked.norm};
  first.where.batch = count;
  first.problem.input = part_of(asked.problem.input, 0, count * (size / items));
  first.problem.truth.n = truth.n;
  first.problem.truth.hi = part_of(truth.hi, 0, count * truth.n);
  first.problem.truth.lo = part_of(truth.lo, 0, count * truth.n);
  return first;
}

/// The algorithm with these roots in fp64 in place of those of the table source.
AlgorithmEntry with_roots(AlgorithmEntry entry, RootFunction roots) {
  MakeFft<DoubleArithmetic>& make = entry.make.in<DoubleArithmetic>();
  make = [make, roots = std::move(roots)](const DoubleArithmetic& arithmetic, std::size_t n,
                                          Dft dft, const RootFunction&) {
    return make(arithmetic, n, dft, roots);
  };
  return entry;
}

class CauseSearch {
 public:
  CauseSearch(const ForeignProblem& asked, const ComplexArray<double>& output, const Format& format,
              double error)
      : asked_(first_items(asked, most_values)),
        measured_(
            error_of(part_of(output, 0, asked_.problem.truth.hi.size()), asked_.problem.truth)),
        format_(format),
        error_(error),
        least_(std::max(0.5, 6 / std::sqrt(2 * static_cast<double>(
                                                   std::max<std::size_t>(1, measured_.size()))))) {
    find_algorithms();
  }

  /// Likely ones first.
  std::vector<ErrorCause> causes() {
    tables();
    chirps();
    wrong_entries();
    narrower_modes();
    std::ranges::stable_sort(found_, [](const ErrorCause& x, const ErrorCause& y) {
      return *x.correlation > *y.correlation;
    });
    std::set<std::string> said;
    std::erase_if(found_, [&](const ErrorCause& each) { return !said.insert(each.says).second; });
    constexpr std::size_t most = 5;
    if (found_.size() > most) found_.resize(most);
    // Others that explain much less are chance beside the first.
    constexpr double beside_the_first = 0.9;
    if (!found_.empty())
      std::erase_if(found_, [first = *found_.front().correlation](const ErrorCause& each) {
        return *each.correlation < beside_the_first * first;
      });
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most_values = std::size_t{1} << 14;

  Case case_of(const std::string& algorithm, const std::string& mode,
               const std::string& source) const {
    Case where = asked_.where;
    where.algorithm = algorithm;
    where.mode = mode;
    where.machine = "ieee";
    where.tables = source;
    if (asked_.norm != Norm::backward)
      where.transform += asked_.norm == Norm::ortho ? ":norm=ortho" : ":norm=forward";
    return where;
  }

  /// The error of that case, or nothing where it has no meaning.
  std::optional<ComplexArray<double>> error_in(const AlgorithmEntry& algorithm,
                                               const Case& where) const {
    try {
      const Output output = run_in_mode(algorithm, where, asked_.problem.input);
      for (const auto* part : {&output.values.re, &output.values.im})
        for (const double value : *part)
          if (!std::isfinite(value)) return std::nullopt;
      return error_of(output.values, asked_.problem.truth);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  void add_if_alike(const ComplexArray<double>& emulated, ErrorCause cause) {
    const Agreement fit = agreement(emulated, measured_);
    if (fit.correlation < least_ || fit.factor < 0.5 || fit.factor > 2) return;
    cause.correlation = fit.correlation;
    found_.push_back(std::move(cause));
  }

  void find_algorithms() {
    constexpr std::size_t most_entries = std::size_t{1} << 16;
    constexpr double most_operations = 2200;  // for each value; the definition of 256 points
    const auto values = static_cast<double>(asked_.problem.truth.hi.size());
    for (const std::string& name : algorithm_names()) {
      AlgorithmEntry entry = algorithm_named(name);
      if (entry.is_choice || entry.takes_cores || !entry.is_predictable()) continue;
      try {
        const CasePlan plan =
            Session::plan(case_of(name, "fp64", std::string(exact_tables)), entry);
        if (!plan.inapplicable().empty()) continue;
        const auto cost = plan.costs()->cost.operations;
        const auto operations = static_cast<double>(cost.multiplications + cost.additions);
        if (plan.costs()->table_entries <= most_entries && operations <= most_operations * values)
          algorithms_.push_back(std::move(entry));
      } catch (const InputError&) {
        return;  // no transform of that norm
      }
    }
  }

  /// Whether tables of the source may err by enough.
  bool is_bad_enough(const std::string& source) const {
    const double n = static_cast<double>(asked_.where.n);
    const double bound = table_error_bound(source)({n, asked_.where.n}, fp64);
    return 8 * bound * std::log2(2 * n) > error_;
  }

  void tables() {
    for (const Named& source : table_candidates()) {
      if (source.name == exact_tables || !is_bad_enough(source.name)) continue;
      std::optional<ErrorCause> best;
      const std::size_t before = found_.size();
      for (const AlgorithmEntry& algorithm : algorithms_) {
        const Case where = case_of(algorithm.name, "fp64", source.name);
        if (const auto emulated = error_in(with_roots(algorithm, roots_of(source.name)), where))
          add_if_alike(*emulated, {.says = fmt::format("the tables of {} are {}: {}",
                                                       algorithm.name, source.name, source.summary),
                                   .shown = where});
      }
      keep_best(before);
    }
  }

  /// Of the causes from `first` on, which differ only in the algorithm, the one that fits best; of
  /// those that fit alike the first.
  void keep_best(std::size_t first) {
    if (found_.size() <= first + 1) return;
    constexpr double alike = 0.999;
    double best = 0;
    for (std::size_t i = first; i < found_.size(); ++i)
      best = std::max(best, *found_[i].correlation);
    const auto chosen =
        std::find_if(found_.begin() + static_cast<std::ptrdiff_t>(first), found_.end(),
                     [best](const ErrorCause& each) { return *each.correlation >= alike * best; });
    ErrorCause kept = std::move(*chosen);
    found_.resize(first);
    found_.push_back(std::move(kept));
  }

  /// Bluestein's chirp from each source, the roots of its FFTs exact.
  void chirps() {
    for (const AlgorithmEntry& algorithm : algorithms_) {
      if (!has_chirp(algorithm)) continue;
      for (const Named& source : table_candidates()) {
        if (source.name == exact_tables || !is_bad_enough(source.name)) continue;
        Case where = case_of(algorithm.name, "fp64", std::string(exact_tables));
        const auto emulated = error_in(with_roots(algorithm, chirp_of(source.name)), where);
        where.tables = source.name;
        if (emulated)
          add_if_alike(*emulated, {.says = fmt::format("the chirp of {} alone is {}: {}",
                                                       algorithm.name, source.name, source.summary),
                                   .shown = where});
      }
    }
  }

  /// Roots of order 2n by the source, others as they are.
  RootFunction chirp_of(const std::string& source) const {
    const RootFunction chirp = roots_of(source);
    const RootFunction roots_alone(
        [exact = exact_, chirp, order = 2 * asked_.where.n](
            std::span<const RootIndex> roots, const Format& format, double* re, double* im) {
          for (std::size_t first = 0, last = 0; first < roots.size(); first = last) {
            const bool of_chirp = roots[first].order == order;
            while (last < roots.size() && (roots[last].order == order) == of_chirp) ++last;
            (of_chirp ? chirp : exact)
                .fill(roots.subspan(first, last - first), format, re + first, im + first);
          }
        });
    return chirp.reduces() ? roots_alone : roots_alone.not_reduced();
  }

  RootFunction roots_of(const std::string& source) const { return table_source(source, memory_); }

  /// Whether its tables have roots of the order 2n, as a chirp has.
  bool has_chirp(const AlgorithmEntry& algorithm) const {
    bool found = false;
    const RootFunction watched([this, &found](std::span<const RootIndex> roots,
                                              const Format& format, double* re, double* im) {
      found = found || std::ranges::any_of(roots, [order = 2 * asked_.where.n](const auto& root) {
                return root.order == order && root.two;
              });
      exact_.fill(roots, format, re, im);
    });
    error_in(with_roots(algorithm, watched),
             case_of(algorithm.name, "fp64", std::string(exact_tables)));
    return found;
  }

  /// One root whose entries are off, all of it that the algorithm uses.
  void wrong_entries() {
    constexpr std::uint64_t longest = 512;
    const std::uint64_t n = asked_.where.n;
    if (n > longest || measured_.size() < 8) return;
    const std::string usual = usual_case(asked_, fp64).algorithm;
    for (const AlgorithmEntry& algorithm : algorithms_) {
      if (algorithm.name != usual && algorithm.name != "direct") continue;
      const Case where = case_of(algorithm.name, "fp64", std::string(exact_tables));
      double best = 0;
      ErrorCause cause;
      for (std::uint64_t m = 1; m < n; ++m) {
        const auto along_re = error_of_entry(algorithm, where, m, {1, 0});
        const auto along_im = error_of_entry(algorithm, where, m, {0, 1});
        if (!along_re || !along_im) continue;
        const auto [share, off] = fit_entry(*along_re, *along_im);
        if (share <= best) continue;
        best = share;
        cause = {
            .says = fmt::format(
                "one entry of the table of {} is wrong: exp(-2 pi i {}/{}) is off by {} {} {}i",
                algorithm.name, m, n, short_number(off.real(), 3), off.imag() < 0 ? "-" : "+",
                short_number(std::fabs(off.imag()), 3)),
            .shown = where,
            .by_diverge = true,
            .correlation = std::sqrt(share)};
      }
      // Two free numbers and n entries fit more by chance than one error without any.
      constexpr double clear = 0.9;
      if (best > 0 && *cause.correlation > std::max(clear, least_)) found_.push_back(cause);
    }
  }

  static constexpr double step = 0x1p-20;  ///< of a derivative

  std::optional<ComplexArray<double>> error_of_entry(const AlgorithmEntry& algorithm,
                                                     const Case& where, std::uint64_t m,
                                                     std::complex<double> direction) const {
    const RootFunction changed(
        [exact = exact_, n = where.n, m, direction](std::span<const RootIndex> roots,
                                                    const Format& format, double* re, double* im) {
          exact.fill(roots, format, re, im);
          for (std::size_t i = 0; i < roots.size(); ++i)
            if (roots[i].exponent() % roots[i].order * n == m * roots[i].order) {
              re[i] += step * direction.real();
              im[i] += step * direction.imag();
            }
        });
    return error_in(with_roots(algorithm, changed), where);
  }

  /// The share of the measured error along two others, and the numbers that they are multiplied by.
  std::pair<double, std::complex<double>> fit_entry(const ComplexArray<double>& a,
                                                    const ComplexArray<double>& b) const {
    double aa = 0, ab = 0, bb = 0, ae = 0, be = 0, ee = 0;
    for (const auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
      for (std::size_t i = 0; i < measured_.size(); ++i) {
        const double x = (a.*part)[i] / step, y = (b.*part)[i] / step;
        const double e = (measured_.*part)[i];
        aa += x * x;
        ab += x * y;
        bb += y * y;
        ae += x * e;
        be += y * e;
        ee += e * e;
      }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 0x1p-40 * aa * bb) || !(ee > 0)) return {0, 0};
    const double along_a = (ae * bb - be * ab) / determinant;
    const double along_b = (be * aa - ae * ab) / determinant;
    return {(along_a * ae + along_b * be) / ee, {along_a, along_b}};
  }

  /// The bits of a whole computation in a narrower format.
  void narrower_modes() {
    for (const Format& narrow : {fp32, tf32, fp16, bf16}) {
      if (narrow.precision >= format_.precision && format_ != narrow) continue;
      const std::size_t before = found_.size();
      for (const AlgorithmEntry& algorithm : algorithms_) {
        const Case where = case_of(algorithm.name, to_string(narrow), std::string(exact_tables));
        if (const auto emulated = error_in(algorithm, where))
          add_if_alike(*emulated,
                       {.says = fmt::format("{} computes in {}", algorithm.name, to_string(narrow)),
                        .shown = where});
      }
      keep_best(before);
    }
  }

  const ForeignProblem asked_;
  const ComplexArray<double> measured_;
  const Format format_;
  const double error_;
  const double least_;  ///< correlation that chance does not give
  const std::shared_ptr<TableMemory> memory_ = std::make_shared<TableMemory>();
  const RootFunction exact_ = table_source(exact_tables, memory_);
  std::vector<AlgorithmEntry> algorithms_{};
  std::vector<ErrorCause> found_{};
};

/// Why values are infinite.
ErrorCause overflow(const ForeignProblem& asked, const ComplexArray<double>& output) {
  ErrorCause cause{.says = non_finite(asked, output)};
  for (const Format& format : {fp16, bf16, fp32}) {
    Case where = usual_case(asked, format);
    where.transform = asked.where.transform;
    where.n = asked.where.n;
    where.batch = asked.where.batch;
    try {
      const Output emulated =
          run_in_mode(algorithm_named(where.algorithm), where, asked.problem.input);
      if (non_finite(asked, emulated.values).empty()) continue;
      return {.says = fmt::format("{}; so are values in {}, whose largest number is {}", cause.says,
                                  to_string(format), short_number(max_finite(format), 6)),
              .shown = where};
    } catch (const InputError&) {
      continue;
    }
  }
  cause.says += "; numbers of fp16, bf16 and fp32 hold all results of this input";
  return cause;
}

/// Why the error is as it should be, or an empty text.
std::string expectation(const Row& row, const ForeignProblem& asked, const Format& format) {
  const Case usual = usual_case(asked, format);
  if (row.err_l2_rel == 0.0) return "every value is the truth, rounded";
  Row predicted = row;
  try {
    predict_result(predicted, asked, usual);
    const std::vector<TheoryVerdict> verdicts = theory_verdicts(predicted);
    if (!std::ranges::all_of(verdicts, &TheoryVerdict::holds)) return {};
    for (const TheoryVerdict& verdict : verdicts)
      if (verdict.theory)
        return fmt::format("the error is {} of {} of {} in {}",
                           short_number(ratio_of(verdict.error, *verdict.theory)), verdict.column,
                           usual.algorithm, usual.mode);
  } catch (const InputError&) {
  }
  return {};
}

}  // namespace

ErrorCauses error_causes(const ForeignProblem& asked, const ComplexArray<double>& output,
                         const Format& format) {
  ErrorCauses result{.row = measure_result(asked, output, format)};
  if (!non_finite(asked, output).empty()) {
    result.causes.push_back(overflow(asked, output));
    return result;
  }
  result.as_expected = expectation(result.row, asked, format);
  if (!result.as_expected.empty()) return result;
  result.causes = CauseSearch(asked, output, format, *result.row.err_l2_rel).causes();
  if (std::string says = suspicion(asked, output, format); !says.empty()) {
    // A sentence by size alone comes after errors that are alike.
    constexpr double clear = 0.9;
    const bool is_clear = !result.causes.empty() && *result.causes.front().correlation > clear;
    result.causes.insert(is_clear ? result.causes.end() : result.causes.begin(),
                         {.says = std::move(says)});
  }
  return result;
}

}  // namespace fftprec
