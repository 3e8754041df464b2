#include "experiments/claims/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "arith/support/error.hpp"
#include "experiments/support/names.hpp"

namespace fftprec::claims {

namespace {

constexpr std::string_view rulings[] = {"reproduced", "explained", "refuted", "undecidable"};
constexpr std::string_view roles[] = {"figure", "behaviour", "cause", "rival_cause"};

}  // namespace

std::string_view name_of(Ruling ruling) { return rulings[static_cast<std::size_t>(ruling)]; }

Ruling ruling_named(std::string_view name) {
  return static_cast<Ruling>(index_named(rulings, "verdict", name));
}

std::string_view name_of(Role role) { return roles[static_cast<std::size_t>(role)]; }

Role role_named(std::string_view name) {
  return static_cast<Role>(index_named(roles, "role", name));
}

void choose_seeds(Claim& claim, const SeedChoice& choice) {
  if (choice.seeds) claim.seeds = *choice.seeds;
  for (std::uint64_t& seed : claim.seeds) seed += choice.shift;
}

namespace {

/// The check of that name. Throws InputError for an unknown one.
const ClaimCheck& check_named(const Claim& claim, std::string_view name) {
  const auto name_of_check = [](const ClaimCheck& check) { return check.gate.name; };
  return claim.checks[index_named(names_by(claim.checks, name_of_check), "check", name)];
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether no combination of outcomes satisfies both.
bool disjoint(const VerdictRule& a, const VerdictRule& b) {
  const auto clash = [](const std::vector<std::string>& pass,
                        const std::vector<std::string>& fail) {
    return std::ranges::any_of(pass,
                               [&fail](const std::string& name) { return contains(fail, name); });
  };
  return clash(a.pass, b.fail) || clash(b.pass, a.fail);
}

bool flatters(Ruling ruling) { return ruling == Ruling::reproduced || ruling == Ruling::explained; }

std::string text_of(const VerdictRule& rule) {
  return fmt::format("{} (pass: {}; fail: {})", name_of(rule.ruling), fmt::join(rule.pass, ", "),
                     fmt::join(rule.fail, ", "));
}

void check_rule(const Claim& claim, const VerdictRule& rule) {
  for (const std::vector<std::string>* names : {&rule.pass, &rule.fail})
    for (const std::string& name : *names) check_named(claim, name);
  if (!contains(rule.pass, rule.decided_by) && !contains(rule.fail, rule.decided_by))
    throw InputError(fmt::format("{} cannot be decided by '{}', which it does not name",
                                 text_of(rule), rule.decided_by));
  if (!disjoint(rule, rule)) return;
  throw InputError(fmt::format("{} can never hold: a check cannot pass and fail", text_of(rule)));
}

}  // namespace

bool holds(const VerdictRule& rule, const Outcomes& outcomes) {
  const auto passes = [&outcomes](const std::string& name) { return outcomes.at(name); };
  return std::ranges::all_of(rule.pass, passes) && std::ranges::none_of(rule.fail, passes);
}

const VerdictRule& rule_for(const Claim& claim, const Outcomes& outcomes) {
  for (const VerdictRule& rule : claim.rules)
    if (holds(rule, outcomes)) return rule;
  return claim.otherwise;
}

void check_rules(const Claim& claim) {
  std::set<std::string> heard_of;
  const auto hear = [&](std::string_view text) {
    filled(text, [&](std::string_view name) {
      return *heard_of.insert(check_named(claim, name).gate.name).first;
    });
  };
  for (const VerdictRule& rule : claim.rules) {
    if (rule.pass.empty() && rule.fail.empty())
      throw InputError("a verdict names no check: it would always hold");
    check_rule(claim, rule);
    if (flatters(rule.ruling) && rule.pass.empty())
      throw InputError(text_of(rule) + ": needs a check that passes");
    heard_of.insert(rule.pass.begin(), rule.pass.end());
    heard_of.insert(rule.fail.begin(), rule.fail.end());
    hear(rule.because);
  }
  for (std::size_t i = 0; i < claim.rules.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!disjoint(claim.rules[i], claim.rules[j]))
        throw InputError(fmt::format("two verdicts could hold at once: {} and {}",
                                     text_of(claim.rules[j]), text_of(claim.rules[i])));
  if (flatters(claim.otherwise.ruling))
    throw InputError(
        fmt::format("[otherwise] says {}; what no rule foresees is refuted or "
                    "undecidable",
                    name_of(claim.otherwise.ruling)));
  hear(claim.otherwise.because);
  hear(claim.discussion);
  for (const ClaimCheck& check : claim.checks)
    if (!heard_of.contains(check.gate.name))
      throw InputError(
          fmt::format("the check '{}' is in no verdict and in no text", check.gate.name));
}

std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view)>& found) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("[[", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("]]", open);
    if (close == std::string_view::npos)
      throw InputError(fmt::format("'[[' without ']]' in '{}'", text.substr(open, 40)));
    result += found(text.substr(open + 2, close - open - 2));
    at = close + 2;
  }
  return result;
}

}  // namespace fftprec::claims
