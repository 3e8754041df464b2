#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/claims/claim.hpp"
#include "experiments/gates/gate_table.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/toml_reader.hpp"
#include "experiments/sweeps/sweep_table.hpp"

namespace fftprec::claims {

namespace {

using Names = std::vector<std::string>;

/// All that a gate selects rows by.
std::vector<Selection> selections_of(const gates::Gate& gate) {
  std::vector<Selection> selections = {gate.where, gate.left, gate.right};
  for (const gates::PublishedFigure& figure : gate.figures) selections.push_back(figure.where);
  return selections;
}

/// Pages are named by ids.
void check_id(const std::string& id) {
  constexpr const char* allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (id == "index" || id.find_first_not_of(allowed) != std::string::npos)
    throw InputError(
        "id '" + id +
        "' is the name of a page: it has letters, digits, - and _, and is not 'index'");
}

/// Walks one document.
class ClaimReader {
 public:
  ClaimReader(std::string_view source, const CheckNames& check_names)
      : toml_(source), check_names_(check_names) {}

  Claim claim(std::string_view text) const {
    const toml::table document = toml_.parse(text);
    toml_.check_keys(document, {"id", "title", "statement", "source", "discussion", "experiment",
                                "check", "verdict", "otherwise", "figure"});
    Claim claim;
    claim.id = toml_.text(document, "id");
    toml_.located(*document.get("id"), [&] { check_id(claim.id); });
    claim.title = toml_.text(document, "title");
    claim.statement = toml_.text(document, "statement");
    claim.source = toml_.text(document, "source");
    claim.discussion = toml_.value(document, "discussion", prose_from);
    read_experiment(toml_.table(document, "experiment"), claim);
    std::set<std::string> names;
    for (const toml::table* block : blocks(document, "check")) {
      claim.checks.push_back(check(*block));
      if (!names.insert(claim.checks.back().gate.name).second)
        throw toml_.error(
            *block, fmt::format("two checks have the name '{}'", claim.checks.back().gate.name));
    }
    for (const toml::table* block : blocks(document, "verdict"))
      claim.rules.push_back(rule(*block));
    const toml::table& otherwise = toml_.table(document, "otherwise");
    toml_.check_keys(otherwise, {"is", "because"});
    claim.otherwise.ruling = ruling(otherwise);
    claim.otherwise.because = toml_.text(otherwise, "because");
    claim.figure = figure(toml_.table(document, "figure"));
    claim.published_seed_only = draws(toml_.table(document, "figure")) == Draws::published;
    toml_.located(document, [&] { check_rules(claim); });
    return claim;
  }

 private:
  /// The tables [[key]], of which there is at least one.
  std::vector<const toml::table*> blocks(const toml::table& document, std::string_view key) const {
    toml_.node(document, key);
    return toml_.tables(document, key);
  }

  void read_experiment(const toml::table& block, Claim& claim) const {
    claim.published_seed = toml_.value(block, "published_seed", count_from);
    if (block.contains("jitters")) claim.jitters = toml_.value(block, "jitters", count_from);
    claim.seeds = toml_.value(block, "seeds",
                              [](const toml::node& node) { return parse_seeds(text_from(node)); });
    claim.experiment =
        sweep_from(block, toml_, check_names_, {"published_seed", "seeds", "jitters"});
    toml_.located(block, [&] {
      const std::size_t seed = axis_index("seed");
      for (const std::vector<Axes>* blocks : {&claim.experiment.blocks, &claim.experiment.include})
        for (const Axes& axes : *blocks)
          require(axes.values[seed].empty(),
                  "the seeds of an experiment come from its keys, not from an axis");
    });
  }

  Draws draws(const toml::table& block) const {
    const std::string name = toml_.text_or(block, "on", "seeds");
    if (name == "seeds") return Draws::seeds;
    if (name == "published") return Draws::published;
    throw toml_.error(*block.get("on"), unknown_name("draws", name, {"seeds", "published"}).what());
  }

  ClaimCheck check(const toml::table& block) const {
    ClaimCheck check;
    check.gate = gates::gate_from(block, toml_, {"role", "on", "absolute"});
    if (!check.gate.baseline.empty())
      throw toml_.error(block, "a claim has no kept rows: no check is of kind " + check.gate.kind);
    if (check.gate.expect_fail)
      throw toml_.error(block, "a check has no expect_fail: a verdict says what its failing means");
    toml_.located(block, [&] {
      for (const Selection& selection : selections_of(check.gate))
        check_filter_names(selection.filter, check_names_);
    });
    check.role = toml_.value(block, "role",
                             [](const toml::node& node) { return role_named(text_from(node)); });
    check.draws = draws(block);
    if (block.contains("absolute"))
      check.absolute = toml_.value(block, "absolute", truth_value_from);
    if (check.absolute && check.gate.metric != "err_linf_rel")
      throw toml_.error(block, "absolute needs the metric err_linf_rel");
    return check;
  }

  Ruling ruling(const toml::table& block) const {
    return toml_.value(block, "is",
                       [](const toml::node& node) { return ruling_named(text_from(node)); });
  }

  Names texts(const toml::table& table, std::string_view key) const {
    return table.contains(key) ? toml_.value(table, key, texts_from) : Names{};
  }

  VerdictRule rule(const toml::table& block) const {
    toml_.check_keys(block, {"is", "pass", "fail", "decided_by", "because"});
    return {ruling(block), texts(block, "pass"), texts(block, "fail"),
            toml_.text(block, "decided_by"), toml_.text(block, "because")};
  }

  FigureRequest figure(const toml::table& block) const {
    toml_.check_keys(block, {"title", "y", "x", "series", "panel", "where", "on"});
    FigureRequest figure = in_shown_names({.title = toml_.text(block, "title"),
                                           .y = toml_.text_or(block, "y", "err_linf_rel"),
                                           .x = toml_.text_or(block, "x", "n"),
                                           .series = toml_.text_or(block, "series", "tables"),
                                           .panel = toml_.text_or(block, "panel", "none")});
    toml_.located(block, [&] {
      for (const std::string& name : {figure.x, figure.y})
        if (!is_computed(name) && !holds_numbers(column_named(name)))
          throw InputError(name + " is not a column of numbers");
      column_named(figure.series);
      if (figure.panel != "none") column_named(figure.panel);
      figure.where = select_rows(texts(block, "where"));
    });
    return figure;
  }

  TomlReader toml_;
  const CheckNames& check_names_;
};

}  // namespace

std::vector<std::uint64_t> parse_seeds(std::string_view text) {
  std::vector<std::uint64_t> seeds;
  const std::size_t axis = axis_index("seed");
  for (const std::string& item : split_list(text))
    for (const std::string& value : axis_values(axis, "", item))
      seeds.push_back(std::stoull(value));
  std::ranges::sort(seeds);
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  if (seeds.size() < 3)
    throw InputError(
        fmt::format("'{}' is {} seeds; a spread needs at least 3", text, seeds.size()));
  return seeds;
}

Claim parse_claim(std::string_view text, std::string_view name, const CheckNames& check_names) {
  return ClaimReader(name, check_names).claim(text);
}

Claim read_claim(const std::filesystem::path& path, const CheckNames& check_names) {
  return parse_claim(read_file(path), path.string(), check_names);
}

std::vector<Claim> builtin_claims(const CheckNames& check_names) {
  std::vector<Claim> claims;
  for (const BuiltinClaim& builtin : builtin_claim_texts())
    claims.push_back(
        parse_claim(builtin.toml, fmt::format("claims/{}.toml", builtin.id), check_names));
  return claims;
}

std::vector<Claim> claims_with_ids(std::vector<Claim> claims, const std::vector<std::string>& ids) {
  if (ids.empty()) return claims;
  const std::vector<std::string> known = names_by(claims, &Claim::id);
  std::vector<Claim> chosen;
  for (const std::string& id : ids) chosen.push_back(claims[index_named(known, "claim", id)]);
  return chosen;
}

}  // namespace fftprec::claims
