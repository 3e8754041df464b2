#include "reports/claims/claim_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/cases/columns.hpp"
#include "experiments/claims/claim.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/figures/curves.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/text/table.hpp"

namespace fftprec::claims {

namespace {

std::string factor_text(double margin) {
  if (std::isinf(margin)) return "exact";
  return short_number(margin);
}

std::string spreads_text(const CheckResult& result) {
  const std::optional<double> spreads = margin_in_spreads(result);
  return spreads ? short_number(*spreads, 2) : "";
}

std::string percent_text(const std::optional<double>& share) {
  return share ? short_number(100 * *share, 2) + " %" : "";
}

std::string alike_text(std::size_t alike, std::size_t of) {
  return of == 0 ? "" : fmt::format("{}/{}", alike, of);
}

const CheckResult& nearest(const ClaimVerdict& judged) { return judged.checks.at(judged.nearest); }

/// "reproduced", or "unsettled" where there are problems.
std::string verdict_text(const ClaimVerdict& judged) {
  return judged.is_decided() ? std::string(name_of(judged.rule.ruling)) : "unsettled";
}

/// "factor 145, 33 spreads" (or jitters, see margin_over_uncertainty); of a check that compares
/// hashes "exact".
std::string margin_text(const ClaimCheck& check, const CheckResult& result) {
  if (std::isinf(result.margin)) return "exact";
  const double units = margin_over_uncertainty(check, result);
  const bool jittered = check.draws == Draws::published && result.jitter;
  return fmt::format("factor {}{}", factor_text(result.margin),
                     std::isinf(units) ? ""
                                       : fmt::format(", {} {}", short_number(units, 2),
                                                     jittered ? "jitters" : "spreads"));
}

std::string nearest_margin(const ClaimVerdict& judged) {
  return margin_text(judged.claim.checks.at(judged.nearest), nearest(judged));
}

/// The value that was found, without the allowed one.
std::string finding_by(const ClaimVerdict& judged, std::string_view check) {
  std::string text = found_by(judged, check);
  if (text.starts_with("median ")) text.erase(0, 7);
  return text.substr(0, std::min(text.find(", allowed "), text.find(", factor ")));
}

std::string decided_text(const ClaimVerdict& judged) {
  if (!judged.is_decided()) return judged.problems.front();
  const std::string& name = judged.rule.decided_by;
  return name.empty() ? "no rule foresees this combination" : finding_by(judged, name);
}

/// How many digits the figures of a check have; empty where there are none.
std::string digits_text(const ClaimCheck& check) {
  int fewest = 0;
  int most = 0;
  for (const gates::PublishedFigure& figure : check.gate.figures) {
    fewest = fewest == 0 ? figure.value.digits : std::min(fewest, figure.value.digits);
    most = std::max(most, figure.value.digits);
  }
  if (most == 0) return "";
  return fewest == most ? std::to_string(most) : fmt::format("{}-{}", fewest, most);
}

std::string texts_filled(const ClaimVerdict& judged, const std::string& text) {
  return filled(text, [&judged](std::string_view name) { return finding_by(judged, name); });
}

/// With a full stop, whether the file has one or not.
std::string as_sentence(std::string text) {
  return text.ends_with('.') || text.ends_with(".)") ? text : text + ".";
}

/// The number of single seeds with this verdict; empty if no rule uses seeds.
std::string seeds_alike_text(const ClaimVerdict& judged) {
  return rests_on(judged.claim, Draws::seeds)
             ? alike_text(judged.seeds_alike, judged.claim.seeds.size())
             : "";
}

std::string jitters_alike_text(const ClaimVerdict& judged) {
  return rests_on(judged.claim, Draws::published)
             ? alike_text(judged.jitters_alike, judged.claim.jitters)
             : "";
}

std::string checks_table(const ClaimVerdict& judged) {
  text::Table table{{{"check", "role", "draws", "outcome", "nearest comparison", "margin",
                      "in spreads", "seeds alike", "jitter", "jitters alike", "digits"}},
                    5};
  const Claim& claim = judged.claim;
  for (std::size_t i = 0; i < claim.checks.size(); ++i) {
    const ClaimCheck& check = claim.checks[i];
    const CheckResult& result = judged.checks[i];
    table.lines.push_back(
        {check.gate.name, std::string(name_of(check.role)),
         check.draws == Draws::published ? "published" : "seeds", result.passed ? "pass" : "fail",
         found_by(judged, check.gate.name), factor_text(result.margin), spreads_text(result),
         alike_text(result.seeds_alike, claim.seeds.size()), percent_text(result.jitter),
         alike_text(result.jitters_alike, claim.jitters), digits_text(check)});
  }
  return text::markdown_table(table);
}

std::string check_list(const ClaimVerdict& judged) {
  std::string text;
  for (std::size_t i = 0; i < judged.claim.checks.size(); ++i) {
    const gates::Gate& gate = judged.claim.checks[i].gate;
    text += fmt::format("- **{}** ({}): {}.", text::markdown_cell(gate.name), gate.kind,
                        text::markdown_cell(gate.source));
    if (const auto& worst = judged.checks[i].verdict.worst)
      text += " Its nearest case: " + text::markdown_code(text::reproduce_command(worst->where));
    text += '\n';
  }
  return text;
}

std::string rules_table(const Claim& claim) {
  text::Table table{{{"verdict", "if these pass", "and these fail"}}, 3};
  for (const VerdictRule& rule : claim.rules)
    table.lines.push_back({std::string(name_of(rule.ruling)),
                           fmt::format("{}", fmt::join(rule.pass, ", ")),
                           fmt::format("{}", fmt::join(rule.fail, ", "))});
  table.lines.push_back({std::string(name_of(claim.otherwise.ruling)), "otherwise", ""});
  return text::markdown_table(table);
}

std::string seeds_text(const Claim& claim) {
  return fmt::format("{} ({} to {}), the published seed {}, {} of its input",
                     counted(claim.seeds.size(), "seed"), claim.seeds.front(), claim.seeds.back(),
                     claim.published_seed, counted(claim.jitters, "jitter"));
}

}  // namespace

std::string claims_table(std::span<const ClaimVerdict> claims) {
  std::size_t width = 0;
  for (const ClaimVerdict& judged : claims) width = std::max(width, judged.claim.title.size());
  std::string text;
  for (const ClaimVerdict& judged : claims) {
    text += fmt::format("{:<4} {:<12} {:<{}}", judged.claim.id, verdict_text(judged),
                        judged.claim.title, width);
    if (judged.is_decided())
      text += fmt::format("  {} ({})", nearest_margin(judged),
                          judged.claim.checks[judged.nearest].gate.name);
    text += fmt::format("\n     {}\n", decided_text(judged));
  }
  const auto count = std::ranges::count_if(claims, &ClaimVerdict::is_decided);
  return text + fmt::format(
                    "{} of {} claims are settled; margin: of the check nearest to its "
                    "threshold,\nin spreads of single seeds or in moves by one-ulp jitter "
                    "of the published input\n",
                    count, claims.size());
}

std::string claim_page(const ClaimVerdict& judged, const std::string& figure) {
  const Claim& claim = judged.claim;
  std::string text =
      fmt::format("# {}: {}\n\n> {}\n\nSource: {}.\n\n", claim.id, text::markdown_cell(claim.title),
                  text::markdown_cell(claim.statement), text::markdown_cell(claim.source));
  text += fmt::format("**Verdict: {}.** ", verdict_text(judged));
  if (judged.is_decided()) {
    text += as_sentence(texts_filled(judged, judged.rule.because)) + "\n\n";
    text += fmt::format(
        "Decided by: {}. Nearest threshold: {} ({}).", text::markdown_cell(decided_text(judged)),
        text::markdown_cell(claim.checks[judged.nearest].gate.name), nearest_margin(judged));
    if (const std::string alike = seeds_alike_text(judged); !alike.empty())
      text += " The same verdict by a single seed: " + alike + ".";
    if (const std::string alike = jitters_alike_text(judged); !alike.empty())
      text += " By a jitter of the published input: " + alike + ".";
    text += "\n\n";
  } else {
    text += "\n\n";
    for (const std::string& problem : judged.problems)
      text += "- " + text::markdown_cell(problem) + "\n";
    text += '\n';
  }
  if (!figure.empty())
    text += fmt::format("![{}]({})\n\n", text::markdown_cell(claim.figure.title), figure);
  text += texts_filled(judged, claim.discussion) + "\n\n## Checks\n\n" + checks_table(judged);
  text +=
      "\nMargin: the factor between the nearest comparison and its threshold (of the growth per "
      "doubling of n for a slope). Spread: standard deviation of ln(value) over single seeds. "
      "Jitter: how far a change of the published input by up to one unit in the last place of "
      "fp32 moves the value. Digits: of the published figures.\n\n";
  text += check_list(judged) + "\n## Decision rule\n\n" + rules_table(claim);
  text += fmt::format("\nDraws: {}. `fftprec claims {}` repeats all of it.\n", seeds_text(claim),
                      claim.id);
  return text;
}

std::string claims_index(std::span<const ClaimVerdict> claims, const std::string& folder) {
  text::Table table{
      {{"claim", "what", "verdict", "decided by", "margin", "single seeds", "jitters"}}, 5};
  for (const ClaimVerdict& judged : claims)
    table.lines.push_back({fmt::format("[{0}]({1}{0}.md)", judged.claim.id, folder),
                           judged.claim.title, verdict_text(judged), decided_text(judged),
                           judged.is_decided() ? nearest_margin(judged) : "",
                           seeds_alike_text(judged), jitters_alike_text(judged)});
  return text::markdown_table(table);
}

std::string claims_csv(std::span<const ClaimVerdict> claims) {
  std::string text =
      "claim,title,verdict,because,decided_by,found,nearest,margin,margin_text,seeds_alike,seeds,"
      "jitters_alike,jitters\n";
  for (const ClaimVerdict& judged : claims) {
    const Claim& claim = judged.claim;
    const auto count = [&claim](Draws draws, std::size_t alike) {
      return rests_on(claim, draws) ? std::to_string(alike) : "";
    };
    text += results::csv_line(
        {claim.id, claim.title, verdict_text(judged), texts_filled(judged, judged.rule.because),
         judged.rule.decided_by, decided_text(judged), claim.checks[judged.nearest].gate.name,
         fmt::format("{:.6g}", nearest(judged).margin), nearest_margin(judged),
         count(Draws::seeds, judged.seeds_alike), std::to_string(claim.seeds.size()),
         count(Draws::published, judged.jitters_alike), std::to_string(claim.jitters)});
  }
  return text;
}

std::string evidence_csv(std::span<const ClaimVerdict> claims, const Evidence& evidence) {
  std::string text = "claim,checks," + results::csv_header();
  for (const ClaimVerdict& judged : claims)
    for (Row row : evidence_rows(judged.claim, evidence)) {
      row.time_ns.reset();
      text += fmt::format(
          "{},{},{}", judged.claim.id,
          results::csv_cell(fmt::format("{}", fmt::join(checks_on(judged.claim, row.where), " "))),
          results::to_csv(row));
    }
  return text;
}

namespace {

/// The rows of the seeds that the figure shows, without the jittered.
std::vector<Row> drawn_rows(const Claim& claim, const Evidence& evidence) {
  std::vector<Row> rows = evidence_rows(claim, evidence);
  std::erase_if(rows, [&claim](const Row& row) {
    return row.where.input().starts_with("jitter:") ||
           (claim.published_seed_only && row.where.seed() != claim.published_seed);
  });
  return rows;
}

/// Adds the published value as rows like the first row of the figure, one for each seed, since
/// series are compared on common seeds. Its name sorts last, so that it is drawn on top.
void add_published(std::vector<Row>& rows, const ClaimCheck& check, const FigureRequest& figure) {
  const gates::Gate& gate = check.gate;
  if (check.absolute || gate.metric != figure.y) return;
  const std::vector<Row> measured = rows;
  for (const gates::PublishedFigure& published : gate.figures) {
    std::optional<Case> first;
    for (const Row& row : measured) {
      if (!selects(gate.where, row) || !selects(published.where, row)) continue;
      Case alike = row.where;
      if (!first) first = alike;
      alike.seed = first->seed;
      if (alike != *first) continue;
      Row printed{.where = row.where};
      column_named(figure.series).parse(printed, "was published");
      column_named(gate.metric).parse(printed, published.value.text);
      rows.push_back(std::move(printed));
    }
  }
}

}  // namespace

std::optional<figures::Figure> claim_drawing(const Claim& claim, const Evidence& evidence) {
  FigureRequest asked = claim.figure;
  asked.name = claim.id;
  asked.title = claim.id + ": " + asked.title;
  std::vector<Row> rows = drawn_rows(claim, evidence);
  std::erase_if(rows, [&asked](const Row& row) { return !selects(asked.where, row); });
  for (const ClaimCheck& check : claim.checks) add_published(rows, check, asked);
  asked.where = {};
  const figures::Curves curves = figures::gather_curves(rows, asked, registry_orders());
  if (curves.panels.empty()) return {};
  return curves_figure(curves);
}

}  // namespace fftprec::claims
