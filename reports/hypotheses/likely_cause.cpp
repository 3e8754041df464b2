#include "reports/hypotheses/likely_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/support/decimal.hpp"

namespace fftprec::hypotheses {

namespace {

bool holds_as_named(const JudgedVariant& judged) {
  return judged.variant.is_as_named() || std::ranges::any_of(judged.alike, &Variant::is_as_named);
}

/// The arithmetic as named, among the variants with its predictions; null if it was not tried.
const JudgedVariant* as_named_of(const Explanation& explanation) {
  const auto found = std::ranges::find_if(explanation.ranked, holds_as_named);
  return found == explanation.ranked.end() ? nullptr : &*found;
}

/// The variant that fits best or, if all are refuted, the nearest.
const JudgedVariant& best_of(const Explanation& explanation) {
  const JudgedVariant* named = as_named_of(explanation);
  return named && named->rank == 1 ? *named : explanation.ranked.front();
}

/// "4 %" or "x 20": how far the worst row is off.
std::string off_text(double miss) {
  const double factor = std::exp(miss);
  return factor < 2 ? fmt::format("{:.0f} %", 100 * (factor - 1))
                    : fmt::format("x {}", short_number(factor));
}

std::size_t worst_row(const JudgedVariant& judged) {
  const auto worst = std::ranges::max_element(judged.rows, {}, &RowVerdict::miss);
  return static_cast<std::size_t>(worst - judged.rows.begin());
}

std::string predicted_of(const RowVerdict& row) {
  return row.predicted.defined() ? short_number(predicted_error(row.predicted))
                                 : "no result (" + row.failure + ")";
}

/// "radix2-dit fp32 n=1024 with exact tables on trn".
std::string case_text(const MeasuredRow& row) {
  return fmt::format("{} with {} tables on {}", label(row), row.where.tables, row.where.machine);
}

/// What the arithmetic as named gives in the row that it misses most.
std::string named_line(const Explanation& explanation) {
  const JudgedVariant* named = as_named_of(explanation);
  if (named == nullptr) return "the arithmetic as named was not tried";
  const std::size_t i = worst_row(*named);
  const MeasuredRow& row = explanation.measured.rows[i];
  const std::string measured = published_texts(row);
  const RowVerdict& verdict = named->rows[i];
  if (verdict.repeats)
    return fmt::format("as named, {} has {} = {} to the last digit", case_text(row),
                       row.metric->name, measured);
  const bool is_off = verdict.predicted.defined() && verdict.miss > std::log(1.005);
  const std::string off = is_off ? ": off by " + off_text(verdict.miss) : "";
  return fmt::format("as named, {}, {} would be {}, measured {}{}", case_text(row),
                     row.metric->name, predicted_of(verdict), measured, off);
}

/// Another variant as near as `best`, if it ties.
std::string tied_text(const Explanation& explanation, const JudgedVariant& best) {
  std::string text;
  for (const JudgedVariant& other : explanation.ranked)
    if (&other != &best && other.rank == best.rank && text.size() < 60)
      text += (text.empty() ? "; as likely: " : ", ") + phrase_of(other.variant);
  return text;
}

}  // namespace

std::string phrase_of(const Variant& variant) {
  if (variant.is_as_named()) return "as named";
  std::string text;
  if (variant.dispatch.name != Dispatch().name) text = variant.dispatch.name;
  if (variant.machine != as_named) text += (text.empty() ? "machine " : " on ") + variant.machine;
  if (variant.tables != as_named)
    text += (text.empty() ? "" : " with ") + variant.tables + " tables";
  return text;
}

std::string what_fits(const Explanation& explanation) {
  if (explanation.ranked.empty()) return "nothing was tried";
  const JudgedVariant& best = best_of(explanation);
  const std::string phrase = holds_as_named(best) ? "as named" : phrase_of(best.variant);
  if (explanation.none_fits())
    return fmt::format("none of {} variants fits; the nearest: {}, off by {}", explanation.tried,
                       phrase, off_text(best.worst_miss));
  return fmt::format("{}{}, P = {:.3f}{}", holds_as_named(best) ? "" : "like ", phrase,
                     best.posterior, tied_text(explanation, best));
}

std::vector<std::string> likely_cause(const Explanation& explanation) {
  std::vector<std::string> lines = {"likely cause: " + what_fits(explanation)};
  if (explanation.ranked.empty()) return lines;
  const JudgedVariant& best = best_of(explanation);
  if (explanation.none_fits()) {
    lines.push_back(named_line(explanation));
    lines.emplace_back(
        "not a matter of rounding, perhaps: fftprec measure names wrong factors, orders and types; "
        "explain --hypotheses silicon tries faults of one device");
  } else if (holds_as_named(best)) {
    lines.push_back(named_line(explanation));
    lines.emplace_back(
        "so this is the error of the case itself: the limit asks for another mode, algorithm or "
        "input; fftprec recommend names what meets it");
  } else {
    lines.push_back(named_line(explanation));
    const JudgedVariant* named = as_named_of(explanation);
    const Case& ran = best.rows[worst_row(named ? *named : best)].ran;
    lines.push_back("to see it: fftprec run " + command_of(ran) + " --csv -");
  }
  return lines;
}

}  // namespace fftprec::hypotheses
