/// Finds the likely cause of a wrong result from a list of common mistakes.
///
/// Each suspect gives the result that its mistake would have, made from the truth or from the
/// input. It is named if the result is that, times one factor, up to a remainder like rounding: at
/// most `alike` and a quarter of the distance from the truth if this distance is more than `alike`;
/// else a sixteenth of it. Data with few different values may reach a sixteenth by chance, so they
/// are excluded (`DataEvidence`).
/// Cost: one or two passes over the data for results whose error is like rounding; else one pass
/// for each suspect made from the truth, and n log n for each made from the input, which are tried
/// last.
#include <algorithm>
#include <bitset>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/kernels/round_array.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/testing/suspects.hpp"

namespace fftprec {

namespace {

constexpr double alike = 0.1;  // fp8 errs by less
constexpr double explains = 16;

std::string suspected(const ForeignProblem& asked, const ComplexArray<double>& y,
                      const Format& format);

// ---- How well one fits

double factor_for(int exponent) { return std::ldexp(1.0, exponent); }

/// y = factor t plus a remainder, by least squares.
struct Fit {
  ComplexNumber factor;
  double rest;  ///< ||y - factor t|| / ||y||; 1 where nothing fits
};

/// Both arrays near 1 in size: `y_exponent` and `t_exponent` are theirs.
Fit fitted(const ComplexArray<double>& y, double y_scale, const ComplexArray<double>& t) {
  const double t_scale = factor_for(-exponent_of(t));
  ComplexNumber mixed = 0;
  double of_truth = 0;
  double of_result = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const ComplexNumber truth = element(t, i) * t_scale;
    const ComplexNumber value = element(y, i) * y_scale;
    mixed += std::conj(truth) * value;
    of_truth += std::norm(truth);
    of_result += std::norm(value);
  }
  if (!(of_truth > 0 && of_result > 0)) return {0, 1};
  const ComplexNumber factor = mixed / of_truth;
  double left = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    left += std::norm(element(y, i) * y_scale - factor * (element(t, i) * t_scale));
  return {factor * (t_scale / y_scale), std::sqrt(left / of_result)};
}

/// y = factor t with the truth's own digits; of a real factor the imaginary part is 0.
/// `error` is ||y - factor t|| / ||factor t||.
struct ExactFit {
  ComplexNumber factor;
  double error;
};

ExactFit exactly_fitted(const ComplexArray<double>& y, const truth::ComplexPairs& t,
                        ComplexNumber near, bool is_real) {
  const double y_scale = factor_for(-exponent_of(y));
  const double t_scale = factor_for(-exponent_of(t.hi));
  const ComplexNumber factor =
      ComplexNumber(near.real(), is_real ? 0 : near.imag()) * (y_scale / t_scale);
  const truth::ComplexDoubleDouble wide{{factor.real(), 0}, {factor.imag(), 0}};
  ComplexArray<double> left(y.size());
  ComplexNumber along = 0;
  double of_truth = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const ComplexNumber value = element(y, i) * y_scale;
    truth::ComplexDoubleDouble part = t.at(i);
    for (double* word : {&part.re.hi, &part.re.lo, &part.im.hi, &part.im.lo}) *word *= t_scale;
    const truth::ComplexDoubleDouble rest =
        truth::ComplexDoubleDouble{{value.real(), 0}, {value.imag(), 0}} - part * wide;
    set(left, i, {rest.re.hi, rest.im.hi});
    const ComplexNumber truth(part.re.hi, part.im.hi);
    along += std::conj(truth) * element(left, i);
    of_truth += std::norm(truth);
  }
  const ComplexNumber more = ComplexNumber(along.real(), is_real ? 0 : along.imag()) / of_truth;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    sum += std::norm(element(left, i) - more * (element(t.hi, i) * t_scale));
  return {(factor + more) * (t_scale / y_scale),
          std::sqrt(sum / of_truth) / std::abs(factor + more)};
}

/// Whether every part is a number of the format.
bool is_held(const Format& format, const ComplexArray<double>& y) {
  ComplexArray<double> rounded = y;
  round(std::span<double>(rounded.re), format);
  round(std::span<double>(rounded.im), format);
  return rounded == y;
}

/// Whether the data have enough different values that their rounding errors do not look like one
/// factor or a symmetry.
class DataEvidence {
 public:
  DataEvidence(const ComplexArray<double>& x, const ComplexArray<double>& t)
      : enough_((is_held(bf16, x) || is_diverse(x)) && is_diverse(t) && is_spread(t)) {}
  bool is_enough() const { return enough_; }

 private:
  static constexpr std::size_t values = 8;

  /// Whether significands fall in enough of the 64 parts of a binade.
  static bool is_diverse(const ComplexArray<double>& x) {
    std::bitset<64> seen;
    int exponent = 0;
    for (const auto* part : {&x.re, &x.im})
      for (const double value : *part)
        if (value != 0)
          seen.set(static_cast<std::size_t>(128 * std::frexp(std::fabs(value), &exponent)) - 64);
    return seen.count() >= values;
  }
  /// Whether enough elements have about the same size.
  static bool is_spread(const ComplexArray<double>& t) {
    const double scale = factor_for(-exponent_of(t));
    double squares = 0;
    double fourths = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double square = std::norm(element(t, i) * scale);
      squares += square;
      fourths += square * square;
    }
    return squares * squares >= static_cast<double>(values) * fourths;
  }

  bool enough_;
};

// ---- Sentences

/// A number with the digits that are known at the relative error `known`.
std::string known_number(double value, double known) {
  for (int digits = 1; digits < 17; ++digits) {
    const std::string text = short_number(value, digits);
    if (std::fabs(parse_double(text).value_or(0) - value) <= known * std::fabs(value)) return text;
  }
  return exact_number(value);
}

std::string known_number(ComplexNumber value, double known) {
  const double size = std::abs(value);
  const auto part = [&](double x) {
    return std::fabs(x) <= known * size ? "0" : known_number(x, known * size / std::fabs(x));
  };
  const std::string re = part(value.real());
  const std::string im = part(value.imag());
  if (im == "0") return re;
  if (re == "0") return im == "1" ? "i" : im == "-1" ? "-i" : im + " i";
  return re + (im.front() == '-' ? " - " + im.substr(1) : " + " + im) + " i";
}

/// A factor that programs forget or apply twice, of a transform of N points.
struct NamedFactor {
  const char* name;
  double (*value)(double N);
};
constexpr NamedFactor named_factors[] = {
    {"N", [](double N) { return N; }},
    {"1/N", [](double N) { return 1 / N; }},
    {"sqrt(N)", [](double N) { return std::sqrt(N); }},
    {"1/sqrt(N)", [](double N) { return 1 / std::sqrt(N); }},
    {"1/(N-1)", [](double N) { return 1 / (N - 1); }},
    {"(N-1)/N", [](double N) { return (N - 1) / N; }},
    {"N/(N-1)", [](double N) { return N / (N - 1); }},
    {"2/N", [](double N) { return 2 / N; }},
    {"N/2", [](double N) { return N / 2; }},
    {"1/(0.54 N), the sum of Hamming's window", [](double N) { return 1 / (0.54 * N); }},
    {"2 pi", [](double) { return 2 * std::numbers::pi; }},
    {"1/(2 pi)", [](double) { return 1 / (2 * std::numbers::pi); }},
    {"sqrt(2)", [](double) { return std::numbers::sqrt2; }},
    {"1/sqrt(2)", [](double) { return 1 / std::numbers::sqrt2; }}};

constexpr std::pair<const char*, Format> short_formats[] = {
    {"fp32", fp32}, {"fp16", fp16}, {"bf16", bf16}};

double rounded_to(const Format& format, double value) {
  double result = value;
  round(std::span(&result, 1), format);
  return result;
}

/// The number that rounds to a real factor: "1/N rounded to fp32"; or an empty text.
std::string rounding_text(double factor, double known, double points) {
  const auto is = [&](double value) {
    return std::fabs(factor - value) <= known * std::fabs(value);
  };
  for (const auto& [format_name, format] : short_formats) {
    // One that is of no use to tell rounds by less than is known.
    if (points > 1)
      for (const auto& [name, value] : std::span(named_factors).first(4)) {
        const double rounded = rounded_to(format, value(points)) / value(points);
        if (is(rounded) && std::fabs(rounded - 1) > 4 * known)
          return ": " + std::string(name) + " rounded to " + format_name + "?";
      }
    const double rounded = rounded_to(format, factor);
    if (!is(rounded)) continue;
    for (int digits = 1; digits <= 6; ++digits) {
      const std::string text = short_number(factor, digits);
      const double value = parse_double(text).value_or(0);
      if (rounded_to(format, value) == rounded &&
          std::fabs(rounded - value) > 4 * known * std::fabs(value))
        return ": " + text + " rounded to " + format_name + "?";
    }
  }
  return {};
}

/// "1/sqrt(N) of the truth: --norm ortho?" or "the truth times 1.1".
std::string factor_text(ComplexNumber factor, double known, const Suspect& suspect,
                        const Question& q) {
  const bool real = std::fabs(factor.imag()) <= known * std::abs(factor);
  if (real && q.points > 1) {
    const double value = factor.real();
    const auto is = [&](double named) { return std::fabs(value - named) <= known * named; };
    const bool forward = q.transform.dft->direction == Direction::forward;
    const bool plain = suspect.says.empty();
    if (plain && is(1 / std::sqrt(q.points)) && forward)
      return "1/sqrt(N) of the truth: --norm ortho?";
    if (plain && is(std::sqrt(q.points)) && !forward)
      return "sqrt(N) times the truth: --norm ortho?";
    if (plain && is(1 / q.points) && forward) return "1/N of the truth: --norm forward?";
    if (plain && is(q.points) && !forward) return "N times the truth: --norm forward?";
    if (suspect.window_sums) {
      const auto [sum, squares] = suspect.window_sums(q);
      if (is(1 / sum)) return "the truth over the window's sum";
      if (is(1 / std::sqrt(squares))) return "the truth over the root of the window's squares";
    }
    for (const NamedFactor& named : named_factors)
      if (is(named.value(q.points)) && std::fabs(value - std::round(value)) > 0)
        return "the truth times " + std::string(named.name);
    for (const NamedFactor& named : std::span(named_factors).first(4))
      if (is(named.value(q.points))) return "the truth times " + std::string(named.name);
  }
  std::string text = "the truth times " + known_number(factor, known);
  if (real) text += rounding_text(factor.real(), known, q.points);
  return text;
}

std::string in_quotes_of(const std::string& advice) {
  return advice.empty() ? "" : " (" + advice + ")";
}

// ---- What the whole result may be

struct Best {
  const Suspect* suspect = nullptr;
  Fit fit{0, 1};
};

/// Whether two arrays are one but for a factor.
bool is_multiple(const ComplexArray<double>& a, const ComplexArray<double>& b) {
  const Fit fit = fitted(a, factor_for(-exponent_of(a)), b);
  return fit.rest < 0.3;
}

std::string sentence(const Suspect& suspect, const ComplexArray<double>& y, ComplexNumber near,
                     const Question& q) {
  const truth::ComplexPairs values = *suspect.values(q);
  ExactFit fit = exactly_fitted(y, values, near, false);
  constexpr double rounding = 0x1p-50;
  double known = std::max(2 * fit.error, rounding);
  if (std::fabs(fit.factor.imag()) <= known * std::abs(fit.factor)) {
    fit = exactly_fitted(y, values, near, true);
    known = std::max(2 * fit.error, rounding);
  }
  const bool plain = suspect.says.empty();
  std::string text = "perhaps " + suspect.says + in_quotes_of(suspect.advice);
  if (plain || std::abs(fit.factor - 1.0) > known * explains / 2) {
    text += (plain ? "" : ", and ") + std::string("every value is ") +
            factor_text(fit.factor, known, suspect, q);
  } else {
    fit = exactly_fitted(y, values, 1, true);
  }
  return text + (plain ? "; without the factor err_l2_rel is " : "; against that err_l2_rel is ") +
         short_number(fit.error);
}

std::string whole_result(const Question& q, const ComplexArray<double>& y, const Format& format,
                         double error) {
  const DataEvidence evidence(q.input(), q.truth().hi);
  const bool gross = error > alike;
  if (!gross && !evidence.is_enough()) return {};
  const double y_scale = factor_for(-exponent_of(y));
  const double limit = gross ? std::min(alike, error / 4) : error / explains;
  Best best;
  const auto judge = [&](const Suspect& suspect) {
    const std::optional<truth::ComplexPairs> values = suspect.values(q);
    if (!values) return;
    const Fit fit = fitted(y, y_scale, values->hi);
    constexpr double same = 0x1p-48;
    const double rest = std::max(fit.rest, same);
    // Of several that fit alike the first is taken, but for one that needs no factor.
    const auto is_plain = [](const Fit& each) { return std::abs(each.factor - 1.0) < alike; };
    const bool better = rest < best.fit.rest / 2 ||
                        (rest < 2 * best.fit.rest && is_plain(fit) && !is_plain(best.fit));
    if (!(fit.rest < limit) || !better) return;
    if (suspect.says.empty()) {
      // Roundings of few different values look like a factor near 1.
      if (!evidence.is_enough() && std::abs(fit.factor - 1.0) < 0.5) return;
    } else if (q.n * q.items < 4 ||
               (!evidence.is_enough() && is_multiple(values->hi, q.truth().hi))) {
      return;
    }
    best = {&suspect, {fit.factor, rest}};
  };
  for (const Suspect& suspect : suspects_of_truth()) judge(suspect);
  if (best.suspect) return sentence(*best.suspect, y, best.fit.factor, q);
  const std::vector<Suspect> more = gross ? suspects_of_input(q) : suspects_of_rounding(format);
  for (const Suspect& suspect : more) judge(suspect);
  return best.suspect ? sentence(*best.suspect, y, best.fit.factor, q) : std::string();
}

// ---- What a part of it may be

/// What one wrong element may hold: made of its own true value, that before, and that behind.
struct Slip {
  const char* says;
  ComplexNumber (*value)(ComplexNumber own, ComplexNumber before, ComplexNumber behind);
};
constexpr Slip slips[] = {
    {"is 0", [](auto, auto, auto) { return ComplexNumber(); }},
    {"is twice the truth", [](auto own, auto, auto) { return 2.0 * own; }},
    {"is half the truth", [](auto own, auto, auto) { return 0.5 * own; }},
    {"is negated", [](auto own, auto, auto) { return -own; }},
    {"is conjugated", [](auto own, auto, auto) { return std::conj(own); }},
    {"holds the value of the element before", [](auto, auto before, auto) { return before; }},
    {"holds the value of the next element", [](auto, auto, auto next) { return next; }}};

/// One element of an item, or of every item, that errs by far more than all others.
std::string one_element(const Question& q, const ComplexArray<double>& y, double unit) {
  const ComplexArray<double>& t = q.truth().hi;
  const double scale = factor_for(-std::max(exponent_of(t), exponent_of(y)));
  const auto square_at = [&](std::size_t i) {
    return std::norm((element(y, i) - element(t, i)) * scale);
  };
  std::vector<double> energy(q.n);
  double largest = 0;
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    energy[i % q.n] += square_at(i);
    const double square = std::norm(element(t, i) * scale);
    largest = std::max(largest, square);
    squares += square;
  }
  const auto k = static_cast<std::size_t>(std::ranges::max_element(energy) - energy.begin());
  double others = 0;
  std::size_t inexact = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (i % q.n != k) {
      others += square_at(i);
      inexact += square_at(i) > 0;
    }
  const bool dominates = energy[k] > explains * explains * others;
  const std::size_t count = y.size() - q.items;
  constexpr std::size_t enough = 16;
  const bool noisy = count >= enough && 2 * inexact >= count;
  const double noise = count == 0 ? 0 : std::sqrt(others / static_cast<double>(count));
  const double typical = std::sqrt(squares / static_cast<double>(y.size()));
  constexpr double clearly = 64;
  const double rounding = unit * std::sqrt(largest);
  std::vector<std::size_t> wrong;
  for (std::size_t first = 0; first < y.size(); first += q.n) {
    const double own = std::abs(element(t, first + k) * scale);
    const double off = std::sqrt(square_at(first + k));
    if ((dominates && off > 0.3 * std::max(own, typical)) ||
        (noisy && off > 0.3 * own && off > clearly * std::max(noise, rounding)))
      wrong.push_back(first);
  }
  if (wrong.empty()) return {};
  std::string text = "perhaps only element " + std::to_string(k);
  if (q.items > 1 && wrong.size() == q.items)
    text += " of every item";
  else if (q.items > 1)
    text += " of item " + std::to_string(wrong.front() / q.n) +
            (wrong.size() > 1 ? " and " + std::to_string(wrong.size() - 1) + " more" : "");
  text += " is wrong";
  for (const Slip& slip : slips) {
    const bool fits = std::ranges::all_of(wrong, [&](std::size_t first) {
      const double off = std::sqrt(square_at(first + k));
      const ComplexNumber held =
          slip.value(element(t, first + k), element(t, first + (k + q.n - 1) % q.n),
                     element(t, first + (k + 1) % q.n));
      return std::abs((element(y, first + k) - held) * scale) < 0.05 * off;
    });
    if (!fits) continue;
    text += ": it " + std::string(slip.says);
    if (k == 0 && &slip == slips) text += ", as if the mean had been taken out";
    break;
  }
  const double rest = std::sqrt(others / std::max(squares, others));
  return text + "; without it err_l2_rel is " + short_number(rest);
}

/// Some items are right and others are not.
std::string some_items(const Question& q, const ComplexArray<double>& y, const Format& format) {
  if (q.items < 2 || !q.transform.dft || q.input().size() % q.items != 0) return {};
  const ComplexArray<double>& t = q.truth().hi;
  const double scale = factor_for(-std::max(exponent_of(t), exponent_of(y)));
  std::vector<std::size_t> wrong;
  double least_of_wrong = HUGE_VAL;
  double largest_of_right = 0;
  for (std::size_t item = 0; item < q.items; ++item) {
    double error = 0;
    double size = 0;
    for (std::size_t i = item * q.n; i < (item + 1) * q.n; ++i) {
      error += std::norm((element(y, i) - element(t, i)) * scale);
      size += std::norm(element(t, i) * scale);
    }
    if (error > 0.3 * 0.3 * size) {
      wrong.push_back(item);
      least_of_wrong = std::min(least_of_wrong, error);
    } else {
      if (error > alike * alike * size) return {};
      largest_of_right = std::max(largest_of_right, error);
    }
  }
  if (wrong.empty() || wrong.size() == q.items) return {};
  // Small items err by much where large ones err by little if their values underflow.
  if (!(least_of_wrong > explains * explains * largest_of_right)) return {};
  const std::size_t item = wrong.front();
  std::string text =
      "perhaps only item " + std::to_string(item) +
      (wrong.size() > 1 ? " and " + std::to_string(wrong.size() - 1) + " more" : "") + " of " +
      std::to_string(q.items) + (wrong.size() > 1 ? " are" : " is") + " wrong";
  const ComplexArray<double> own = part_of(y, item * q.n, q.n);
  for (std::size_t other = 0; other < q.items; ++other)
    if (other != item &&
        fitted(own, factor_for(-exponent_of(own)), part_of(t, other * q.n, q.n)).rest < alike &&
        !is_multiple(part_of(t, other * q.n, q.n), part_of(t, item * q.n, q.n)))
      return text + ": it is what item " + std::to_string(other) + " should be";
  const std::size_t in = q.input().size() / q.items;
  ForeignProblem alone{
      .where = q.asked.where, .problem = {.input = {}, .truth = {}}, .norm = q.asked.norm};
  alone.where.batch = 1;
  alone.problem.input = part_of(q.input(), item * in, in);
  alone.problem.truth.hi = part_of(t, item * q.n, q.n);
  alone.problem.truth.lo = part_of(q.truth().lo, item * q.n, q.n);
  alone.problem.truth.n = q.n;
  const std::string why = suspected(alone, own, format);
  constexpr std::string_view perhaps = "perhaps ";
  return why.empty() ? text : text + ": " + why.substr(perhaps.size());
}

/// Whether a result in fp64 has an intermediate step in a narrower type.
std::string narrower_type(const ComplexArray<double>& y, const Format& format, double error) {
  if (format != fp64) return {};
  for (const auto& [name, narrow] : {std::pair{"bf16", bf16}, {"fp16", fp16}, {"fp32", fp32}}) {
    if (is_held(narrow, y) && error > unit_roundoff(narrow) / 16)
      return "perhaps it is a result in " + std::string(name) + ": every value is one of " + name;
  }
  // Roundings of a transform add up to a few units, tables from bad angles to a thousand.
  struct Range {
    const char* name;
    double least, most;
  };
  for (const auto& [name, least, most] :
       {Range{"fp32", 0x1p-26, 0x1p-14}, Range{"fp16 or tf32", 0x1p-13, 0x1p-10},
        Range{"bf16", 0x1p-10, 0x1p-5}})
    if (error >= least && error < most)
      return "perhaps an intermediate step is in " + std::string(name) +
             ": an error of this size is typical of its roundings";
  return {};
}

/// The unit roundoff of the narrowest format that holds all values, whatever their type.
double unit_of(const ComplexArray<double>& y, const Format& format) {
  double unit = unit_roundoff(format);
  for (const Format& narrow : {fp32, fp16, bf16, fp8_e4m3, fp8_e5m2})
    if (unit_roundoff(narrow) > unit && is_held(narrow, y)) unit = unit_roundoff(narrow);
  return unit;
}

std::string suspected(const ForeignProblem& asked, const ComplexArray<double>& y,
                      const Format& format) {
  const Question q(asked);
  const truth::Errors errors = truth::measure(y, q.truth(), format);
  const double error = errors.l2_rel;
  if (!std::isfinite(error)) return {};
  constexpr double rounding = 64;
  if (errors.linf_rel <= rounding / 4 * unit_roundoff(format)) return {};
  const double unit = unit_of(y, format);
  if (std::string text = one_element(q, y, unit); !text.empty()) return text;
  if (!(error > alike || error > rounding * unit)) return narrower_type(y, format, error);
  if (std::string text = whole_result(q, y, format, error); !text.empty()) return text;
  if (std::string text = some_items(q, y, format); !text.empty()) return text;
  return narrower_type(y, format, error);
}

}  // namespace

std::string suspicion(const ForeignProblem& asked, const ComplexArray<double>& output,
                      const Format& format) {
  const truth::Truth& truth = asked.problem.truth;
  if (truth.n == 0 || output.size() != truth.hi.size() || !non_finite(asked, output).empty())
    return {};
  return suspected(asked, output, format);
}

}  // namespace fftprec
