#include "reports/claims/claim_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>

#include "arith/error.hpp"
#include "experiments/claims/builtin_claims.hpp"
#include "experiments/rows/filter_names.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/split.hpp"
#include "experiments/sweeps/sweep_table.hpp"
#include "reports/claims/claim_rules.hpp"
#include "reports/gates/gate_table.hpp"
#include "reports/plots/plot_figure.hpp"

namespace fftprec {

namespace {

using Names = std::vector<std::string>;

/// All that a gate selects rows by.
std::vector<Selection> selections_of(const Gate& gate) {
  std::vector<Selection> selections = {gate.where, gate.left, gate.right};
  for (const PublishedFigure& figure : gate.figures) selections.push_back(figure.where);
  return selections;
}

/// Walks one document; every error says where in it.
class Reader {
 public:
  Reader(std::string_view file, const CheckNames& check_names)
      : file_(file), check_names_(check_names) {}

  Claim claim(const toml::table& document) const {
    check_keys(document, {"id", "title", "statement", "source", "discussion", "experiment", "check",
                          "verdict", "otherwise", "figure"});
    Claim claim;
    claim.id = text(document, "id");
    claim.title = text(document, "title");
    claim.statement = text(document, "statement");
    claim.source = text(document, "source");
    claim.discussion = text(document, "discussion");
    read_experiment(table(document, "experiment"), claim);
    std::set<std::string> names;
    for (const toml::table* block : tables(document, "check")) {
      claim.checks.push_back(check(*block));
      if (!names.insert(claim.checks.back().gate.name).second)
        throw error(*block,
                    fmt::format("two checks have the name '{}'", claim.checks.back().gate.name));
    }
    for (const toml::table* block : tables(document, "verdict"))
      claim.rules.push_back(rule(*block));
    const toml::table& otherwise = table(document, "otherwise");
    check_keys(otherwise, {"is", "because"});
    claim.otherwise.ruling = ruling(otherwise);
    claim.otherwise.because = text(otherwise, "because");
    claim.figure = figure(table(document, "figure"));
    at(document, [&] { check_rules(claim); });
    return claim;
  }

  InputError error(const toml::node& node, std::string_view message) const {
    return located(node.source(), message);
  }

  InputError located(const toml::source_region& region, std::string_view message) const {
    return InputError(
        fmt::format("{}:{}:{}: {}", file_, region.begin.line, region.begin.column, message));
  }

 private:
  void check_keys(const toml::table& table, const Names& known) const {
    for (const auto& [key, value] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        throw located(key.source(), unknown_name("key", key.str(), known).what());
  }

  /// Calls `action`; of an error it says that it is at `node`.
  template <class Action>
  void at(const toml::node& node, Action action) const {
    try {
      action();
    } catch (const InputError& problem) {
      throw error(node, problem.what());
    }
  }

  const toml::node& node(const toml::table& table, std::string_view key) const {
    const toml::node* found = table.get(key);
    if (!found) throw error(table, fmt::format("the key '{}' is missing", key));
    return *found;
  }

  std::string text(const toml::table& table, std::string_view key) const {
    const toml::node& found = node(table, key);
    const auto value = found.value_exact<std::string>();
    if (!value || value->empty())
      throw error(found, fmt::format("'{}' must be a text that is not empty", key));
    return *value;
  }

  std::string text_or(const toml::table& table, std::string_view key,
                      const std::string& none) const {
    return table.contains(key) ? text(table, key) : none;
  }

  const toml::table& table(const toml::table& document, std::string_view key) const {
    const toml::node& found = node(document, key);
    if (const toml::table* table = found.as_table()) return *table;
    throw error(found, fmt::format("'{0}' must be a table: [{0}]", key));
  }

  std::vector<const toml::table*> tables(const toml::table& document, std::string_view key) const {
    const toml::node& found = node(document, key);
    if (!found.is_array_of_tables())
      throw error(found, fmt::format("'{0}' must be tables: [[{0}]]", key));
    std::vector<const toml::table*> all;
    for (const toml::node& element : *found.as_array()) all.push_back(element.as_table());
    return all;
  }

  Names texts(const toml::table& table, std::string_view key) const {
    const toml::node* found = table.get(key);
    if (!found) return {};
    const toml::array* array = found->as_array();
    if (!array) throw error(*found, fmt::format("'{}' must be an array of texts", key));
    Names all;
    for (const toml::node& element : *array) {
      const auto value = element.value_exact<std::string>();
      if (!value) throw error(element, fmt::format("'{}' must be an array of texts", key));
      all.push_back(*value);
    }
    return all;
  }

  std::uint64_t count(const toml::table& table, std::string_view key) const {
    const toml::node& found = node(table, key);
    const auto value = found.value_exact<std::int64_t>();
    if (!value || *value < 0)
      throw error(found, fmt::format("'{}' must be a whole number from 0 on", key));
    return static_cast<std::uint64_t>(*value);
  }

  void read_experiment(const toml::table& block, Claim& claim) const {
    claim.published_seed = count(block, "published_seed");
    claim.jitters = block.contains("jitters") ? count(block, "jitters") : 0;
    const toml::node& seeds = node(block, "seeds");
    at(seeds, [&] { claim.seeds = parse_seeds(text(block, "seeds")); });
    claim.experiment =
        sweep_from(block, file_, check_names_, {"published_seed", "seeds", "jitters"});
    at(block, [&] {
      const std::size_t seed = axis_index("seed");
      for (const std::vector<Axes>* blocks : {&claim.experiment.blocks, &claim.experiment.include})
        for (const Axes& axes : *blocks)
          require(axes.values[seed].empty(), "an experiment's seeds are its keys, not an axis");
    });
  }

  Draws draws(const toml::table& block) const {
    const std::string name = text_or(block, "on", "seeds");
    if (name == "seeds") return Draws::seeds;
    if (name == "published") return Draws::published;
    throw error(node(block, "on"), unknown_name("draws", name, {"seeds", "published"}).what());
  }

  ClaimCheck check(const toml::table& block) const {
    ClaimCheck check;
    check.gate = gate_from(block, file_, {"role", "on", "absolute"});
    if (!check.gate.baseline.empty())
      throw error(block, "a claim has no kept rows: no check is of kind " + check.gate.kind);
    if (check.gate.expect_fail)
      throw error(block, "a check has no expect_fail: a verdict says what its failing means");
    at(block, [&] {
      for (const Selection& selection : selections_of(check.gate))
        check_filter_names(selection.filter, check_names_);
    });
    at(node(block, "role"), [&] { check.role = role_named(text(block, "role")); });
    check.draws = draws(block);
    if (const toml::node* absolute = block.get("absolute")) {
      const auto value = absolute->value_exact<bool>();
      if (!value) throw error(*absolute, "'absolute' must be true or false");
      check.absolute = *value;
    }
    if (check.absolute && check.gate.metric != "err_linf_rel")
      throw error(block, "absolute needs the metric err_linf_rel");
    return check;
  }

  Ruling ruling(const toml::table& block) const {
    Ruling ruling{};
    at(node(block, "is"), [&] { ruling = ruling_named(text(block, "is")); });
    return ruling;
  }

  VerdictRule rule(const toml::table& block) const {
    check_keys(block, {"is", "pass", "fail", "decided_by", "because"});
    return {ruling(block), texts(block, "pass"), texts(block, "fail"), text(block, "decided_by"),
            text(block, "because")};
  }

  ClaimFigure figure(const toml::table& block) const {
    check_keys(block, {"title", "y", "x", "series", "panel", "where", "on"});
    ClaimFigure figure;
    figure.title = text(block, "title");
    figure.y = text_or(block, "y", figure.y);
    figure.x = text_or(block, "x", figure.x);
    figure.series = text_or(block, "series", figure.series);
    figure.panel = text_or(block, "panel", figure.panel);
    figure.where = texts(block, "where");
    figure.published_seed_only = draws(block) == Draws::published;
    at(block, [&] {
      gather({}, {.name = "check",
                  .title = figure.title,
                  .y = figure.y,
                  .x = figure.x,
                  .series = figure.series,
                  .panel = figure.panel,
                  .where = select_rows(figure.where)});
    });
    return figure;
  }

  std::string_view file_;
  const CheckNames& check_names_;
};

}  // namespace

std::vector<std::uint64_t> parse_seeds(std::string_view text) {
  std::vector<std::uint64_t> seeds;
  const std::size_t axis = axis_index("seed");
  for (const std::string& item : split_list(text))
    for (const std::string& value : axis_values(axis, "", item))
      seeds.push_back(std::stoull(value));
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  if (seeds.size() < 3)
    throw InputError(
        fmt::format("'{}' is {} seeds; a spread needs at least 3", text, seeds.size()));
  return seeds;
}

Claim parse_claim(std::string_view text, std::string_view name, const CheckNames& check_names) {
  const Reader reader(name, check_names);
  try {
    return reader.claim(toml::parse(text, std::string(name)));
  } catch (const toml::parse_error& problem) {
    throw reader.located(problem.source(), problem.description());
  }
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
  std::vector<std::string> known;
  for (const Claim& claim : claims) known.push_back(claim.id);
  std::vector<Claim> chosen;
  for (const std::string& id : ids) {
    const auto found = std::find(known.begin(), known.end(), id);
    if (found == known.end()) throw unknown_name("claim", id, known);
    chosen.push_back(claims[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

}  // namespace fftprec
