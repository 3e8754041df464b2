#include "reports/claims/claim_figure.hpp"

#include <algorithm>

#include "experiments/cases/columns.hpp"
#include "reports/figures/curves.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec::claims {

namespace {

/// The rows of the seeds that the figure shows, without the jittered.
std::vector<Row> drawn_rows(const Claim& claim, const Evidence& evidence) {
  std::vector<Row> rows = evidence_rows(claim, evidence);
  std::erase_if(rows, [&claim](const Row& row) {
    return row.where.input.starts_with("jitter:") ||
           (claim.figure.published_seed_only && row.where.seed != claim.published_seed);
  });
  return rows;
}

/// What was published, as a row like the first that the figure speaks of, once for every seed: a
/// series is compared on the seeds that all have. Its name sorts last, so that it is drawn on top.
void add_published(std::vector<Row>& rows, const ClaimCheck& check, const ClaimFigure& figure) {
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
  const ClaimFigure& asked = claim.figure;
  std::vector<Row> rows = drawn_rows(claim, evidence);
  const Selection where = select_rows(asked.where);
  std::erase_if(rows, [&where](const Row& row) { return !selects(where, row); });
  for (const ClaimCheck& check : claim.checks) add_published(rows, check, asked);
  const figures::Curves curves = figures::gather_curves(rows,
                                                        {.name = claim.id,
                                                         .title = claim.id + ": " + asked.title,
                                                         .y = asked.y,
                                                         .x = asked.x,
                                                         .series = asked.series,
                                                         .panel = asked.panel},
                                                        registry_orders());
  if (curves.panels.empty()) return {};
  return curves_figure(curves);
}

}  // namespace fftprec::claims
