#include "experiments/silicon/trial.hpp"

#include <algorithm>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec::silicon {

namespace {

constexpr std::uint64_t largest_seed = 1'000'000;
constexpr std::uint64_t first_draw = 100'000;  // of jitters: beyond those of replays

/// A number below `limit`, from the number of a trial and what it is for.
std::uint64_t drawn(std::uint64_t number, std::uint64_t use, std::uint64_t limit) {
  return (random_bits({.bits = 53, .seed = number, .stream = 1}, use) >> 32) % limit;
}

}  // namespace

Measured made_up(const Measured& cases, const Variant& truth, const TrialPlan& plan,
                 Replayer& replayer) {
  Measured measured = cases;
  std::vector<Case> ran;
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    MeasuredRow told = measured.rows[i];
    told.where.seed = 1 + drawn(plan.number, i + 1, largest_seed);
    ran.push_back(jittered_case(case_under(truth, told), first_draw + plan.number));
    if (told.seed_known) measured.rows[i].where.seed = told.where.seed;
  }
  replayer.run(ran);
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const Row& row = replayer.row(ran[i]);
    const std::optional<double> error = measured.rows[i].metric->number(row);
    require(error.has_value(), "made_up: " + label(measured.rows[i]) + ": " + row.message);
    measured.rows[i].values = {published_value(published_text(*error, plan.digits))};
  }
  return measured;
}

Variant chosen_variant(const HypothesisSet& set, std::uint64_t number) {
  const std::vector<Variant> variants = variants_of(set);
  return variants[drawn(number, 0, variants.size())];
}

const Judged& judged_as(const Explanation& explanation, const Variant& variant) {
  const auto same = [&variant](const Variant& other) {
    return other.id == variant.id && other.machine == variant.machine &&
           other.tables == variant.tables && other.dispatch.name == variant.dispatch.name;
  };
  const auto found = std::find_if(
      explanation.ranked.begin(), explanation.ranked.end(), [&same](const Judged& judged) {
        return same(judged.variant) || std::any_of(judged.alike.begin(), judged.alike.end(), same);
      });
  require(found != explanation.ranked.end(),
          "judged_as: " + variant.id + " " + variant.machine + " was not tried");
  return *found;
}

}  // namespace fftprec::silicon
