#include "experiments/hypotheses/hypotheses.hpp"

#include <algorithm>
#include <set>

#include "arith/machines/parameters.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/toml_reader.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::hypotheses {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;  // parameter, value

/// The canonical name of `base` with further parameters set.
std::string with_settings(const std::string& base, const Settings& settings) {
  if (base == as_named) {
    require(settings.empty(), "'", as_named, "' takes no parameters: it is each row's own machine");
    return base;
  }
  std::string keys;
  for (const auto& [key, value] : settings) keys += (keys.empty() ? "" : ",") + key + "=" + value;
  if (keys.empty()) return faulty_machine_named(base).name;
  const bool has_keys = base.ends_with('}');
  return faulty_machine_named(has_keys ? base.substr(0, base.size() - 1) + "," + keys + "}"
                                       : base + "{" + keys + "}")
      .name;
}

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

class HypothesisReader {
 public:
  HypothesisReader(std::string_view source, const CheckNames& check_names)
      : toml_(source), check_names_(check_names) {}

  HypothesisSet set(std::string_view text) const {
    const toml::table document = toml_.parse(text);
    toml_.check_keys(document, {"tables", "dispatch", "hypothesis"});
    HypothesisSet set;
    if (document.contains("tables")) set.tables = tables(document);
    if (document.contains("dispatch")) set.dispatches.clear();
    for (const toml::table* block : toml_.tables(document, "dispatch"))
      set.dispatches.push_back(dispatch(*block));
    std::set<std::string> ids;
    for (const toml::table* block : toml_.tables(document, "hypothesis")) {
      set.hypotheses.push_back(hypothesis(*block, set.tables));
      if (!ids.insert(set.hypotheses.back().id).second)
        throw toml_.error(*block, "hypothesis '" + set.hypotheses.back().id + "' stands twice");
    }
    if (set.hypotheses.empty())
      throw toml_.error(document, "no hypothesis: no table [[hypothesis]]");
    return set;
  }

 private:
  std::string checked(const toml::node& node, std::size_t axis, const std::string& value) const {
    return toml_.located(node, [&] { return check_axis_value(axis, value, check_names_); });
  }

  std::vector<std::string> tables(const toml::table& block) const {
    std::vector<std::string> names = toml_.value(block, "tables", scalars_from);
    for (const std::string& name : names)
      if (name != as_named) checked(*block.get("tables"), axis_index("tables"), name);
    return names;
  }

  Dispatch dispatch(const toml::table& block) const {
    toml_.check_keys(block, {"name", "statement", "replace"});
    Dispatch dispatch{toml_.text(block, "name"), toml_.text_or(block, "statement", ""), {}};
    for (const toml::table* table : toml_.tables(block, "replace")) {
      toml_.check_keys(*table, {"when", "algorithm", "mode"});
      Replacement replacement;
      const std::string when = toml_.text(*table, "when");
      toml_.located(*table->get("when"), [&] {
        replacement.when = parse_filter(when);
        check_filter_names(replacement.when, check_names_);
        if (!decided_by_case(replacement.when))
          throw InputError("'when' selects by axes only, not by results");
      });
      for (const char* key : {"algorithm", "mode"})
        if (const toml::node* node = table->get(key))
          replacement.values[axis_index(key)] =
              checked(*node, axis_index(key), toml_.value(*table, key, scalar_from));
      dispatch.replace.push_back(std::move(replacement));
    }
    return dispatch;
  }

  Hypothesis hypothesis(const toml::table& block, const std::vector<std::string>& usual) const {
    toml_.check_keys(block, {"id", "statement", "tables", "modes", "machines"});
    Hypothesis hypothesis{toml_.text(block, "id"), toml_.text(block, "statement"), {}};
    if (block["tables"].value_or(std::string_view{}) == "others") {
      for (const Named& each : table_candidates())
        if (std::ranges::find(usual, each.name) == usual.end())
          hypothesis.tables.push_back(each.name);
    } else if (block.contains("tables")) {
      hypothesis.tables = tables(block);
    }
    if (const toml::node* modes = block.get("modes"))
      for (const std::string& mode : toml_.value(block, "modes", scalars_from))
        hypothesis.dispatches.push_back(
            {"mode " + mode,
             "mode " + mode + " ran",
             {{{}, {{axis_index("mode"), checked(*modes, axis_index("mode"), mode)}}}}});
    for (const toml::table* family : toml_.tables(block, "machines")) {
      toml_.check_keys(*family, {"base", "set"});
      std::vector<std::string> bases = {"trn"};
      if (const toml::node* base = family->get("base")) {
        bases = toml_.value(*family, "base", scalars_from);
        for (const std::string& name : bases)
          if (name != as_named) toml_.located(*base, [&] { faulty_machine_named(name); });
      }
      const toml::table none;
      const toml::table& set = family->contains("set") ? toml_.table(*family, "set") : none;
      for (const std::string& base : bases) add_machines(hypothesis.machines, base, set);
    }
    if (hypothesis.machines.empty())
      throw toml_.error(block, "hypothesis '" + hypothesis.id +
                                   "' has no machine: no table [[hypothesis.machines]]");
    return hypothesis;
  }

  /// Every combination of the values in `set`, the last key fastest.
  void add_machines(std::vector<std::string>& machines, const std::string& base,
                    const toml::table& set) const {
    std::vector<Settings> all(1);
    for (const auto& [key, node] : set) {
      const auto values = toml_.located(node, key, [&node = node] { return scalars_from(node); });
      std::vector<Settings> longer;
      for (const Settings& settings : all)
        for (const std::string& value : values) {
          longer.push_back(settings);
          longer.back().emplace_back(key.str(), value);
        }
      all = std::move(longer);
    }
    for (const Settings& settings : all)
      toml_.located(set, [&] { add_once(machines, with_settings(base, settings)); });
  }

  TomlReader toml_;
  const CheckNames& check_names_;
};

/// The parameters in which the machine differs from the default one.
Settings settings_of(const std::string& name) {
  Settings settings;
  for (const MachineRow& row : faulty_machines().describe(faulty_machine_named(name)))
    if (row.value != unread && !row.as_trn) settings.emplace_back(row.key, row.value);
  return settings;
}

const Hypothesis& hypothesis_named(const HypothesisSet& set, const std::string& id) {
  return set.hypotheses[index_named(names_by(set.hypotheses, &Hypothesis::id), "hypothesis", id)];
}

/// Both machines at once, or nothing where they contradict each other.
std::string both(const std::string& first, const std::string& second) {
  Settings settings = settings_of(first);
  for (const auto& [key, value] : settings_of(second)) {
    const auto same = std::ranges::find(settings, key, &Settings::value_type::first);
    if (same == settings.end())
      settings.emplace_back(key, value);
    else if (same->second != value)
      return {};
  }
  try {
    return with_settings(machines().front().name, settings);
  } catch (const InputError&) {  // parameters that cannot be set together
    return {};
  }
}

}  // namespace

HypothesisSet parse_hypotheses(std::string_view toml, std::string_view source,
                               const CheckNames& check_names) {
  return HypothesisReader(source, check_names).set(toml);
}

std::vector<Variant> variants_of(const HypothesisSet& set) {
  std::vector<Variant> variants;
  for (const Hypothesis& hypothesis : set.hypotheses) {
    const std::vector<std::string>& all_tables =
        hypothesis.tables.empty() ? set.tables : hypothesis.tables;
    const std::vector<Dispatch>& dispatches =
        hypothesis.dispatches.empty() ? set.dispatches : hypothesis.dispatches;
    const double prior =
        1 / static_cast<double>(set.hypotheses.size() * hypothesis.machines.size() *
                                dispatches.size() * all_tables.size());
    for (const std::string& machine : hypothesis.machines)
      for (const Dispatch& dispatch : dispatches)
        for (const std::string& tables : all_tables)
          variants.push_back({hypothesis.id, machine, tables, dispatch, prior});
  }
  return variants;
}

bool Variant::is_as_named() const {
  return machine == as_named && tables == as_named && dispatch.replace.empty();
}

Case case_under(const Variant& variant, const MeasuredRow& row) {
  Row ran;
  ran.where = row.where;
  for (const Replacement& replacement : variant.dispatch.replace) {
    if (!matches(replacement.when, ran)) continue;
    for (const auto& [axis, value] : replacement.values) axis_columns()[axis].parse(ran, value);
    break;
  }
  if (variant.machine != as_named) ran.where.set(&Case::machine, variant.machine);
  if (!row.tables_known && variant.tables != as_named) ran.where.set(&Case::tables, variant.tables);
  return ran.where;
}

void combine(HypothesisSet& set, const std::vector<std::string>& ids) {
  require(ids.size() >= 2, "a combination needs two hypotheses, as in H5+H9");
  Hypothesis all = hypothesis_named(set, ids[0]);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const Hypothesis& next = hypothesis_named(set, ids[i]);
    Hypothesis joined{all.id + "+" + next.id,
                      all.statement + "; and " + next.statement,
                      {},
                      all.tables.empty() ? next.tables : all.tables,
                      all.dispatches.empty() ? next.dispatches : all.dispatches};
    for (const std::string& first : all.machines)
      for (const std::string& second : next.machines)
        if (std::string name = both(first, second); !name.empty())
          add_once(joined.machines, std::move(name));
    all = std::move(joined);
  }
  require(!all.machines.empty(), all.id, ": no machine can be both");
  set.hypotheses.push_back(std::move(all));
}

void keep(HypothesisSet& set, const std::vector<std::string>& ids) {
  std::vector<Hypothesis> kept;
  for (const std::string& id : ids) kept.push_back(hypothesis_named(set, id));
  set.hypotheses = std::move(kept);
}

void add_presets(HypothesisSet& set) {
  for (const FaultyMachine& machine : faulty_machines().presets())
    set.hypotheses.push_back({"preset " + machine.name, machine.summary, {machine.name}});
}

}  // namespace fftprec::hypotheses
