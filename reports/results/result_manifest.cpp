#include "reports/results/result_manifest.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/toml_reader.hpp"
#include "experiments/testing/measure_result.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::results {

namespace {

/// Whether an input is a file: no name of an input ends so.
bool is_file(const std::string& input) {
  return input.ends_with(".npy") || input.ends_with(".wav") || is_word_file(input);
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys{"output", "output_dtype", "input_dtype", "norm",   "format",
                                "claims", "version",      "words",       "layout", "output_words"};
  keys.insert(keys.end(), axis_names().begin(), axis_names().end());
  return keys;
}

void check(const ListedResult& result) {
  require(!result.output.empty(), "no output: name the file that holds the result");
  require(!result.input_file.empty() || !result.where.input.empty(),
          "no input: name the file, or an input with n, batch and seed");
  require(!result.input_file.empty() || result.where.n > 0, "input ", result.where.input,
          " needs n");
}

/// A refusal, with its place in front.
template <class Action>
void at_place(const std::string& place, Action action) {
  try {
    action();
  } catch (const InputError& error) {
    throw InputError(place + ": " + error.what());
  }
}

/// A name that a filter would read as several, or cut.
void check_selectable(const std::string& key, const std::string& value) {
  require(
      split_list(value).size() == 1 && value.find(" and ") == std::string::npos &&
          trimmed(value) == value,
      key, " '", value,
      "': a comma outside brackets, ' and ', and blanks at its ends keep filters and gates from "
      "selecting a name");
}

/// Sets one of the keys above; names of mode and machine may be the result's own. Throws InputError
/// for an unknown key, listing the known, and for a value that it does not take.
void set_key(ListedResult& result, const std::string& given_key, const std::string& value,
             const std::filesystem::path& folder) {
  const std::string key = shown_name(given_key);
  require(!value.empty(), key, " is empty");
  index_named(known_keys(), "key of a result", key);
  if (key == "output") {
    result.output = folder / value;
  } else if (key == "input") {
    result.input_file = is_file(value) ? folder / value : std::filesystem::path();
    result.where.input = is_file(value) ? "" : canonical_value(axis_index("input"), value);
  } else if (key == "output_dtype") {
    result.output_dtype = value;
  } else if (key == "input_dtype") {
    result.input_dtype = value;
  } else if (key == "words") {
    result.words.format = value;
  } else if (key == "layout") {
    word_layout_named(value);
    result.words.layout = value;
  } else if (key == "output_words") {
    result.output_words = value;
  } else if (key == "norm") {
    result.norm = norm_named(value);
  } else if (key == "format") {
    result.format = format_named(value, read_list);
  } else if (key == "version") {
    result.version = value;
  } else if (key == "claims") {
    claimed_case(value);
    result.claims = value;
  } else {
    if (key == "transform") transform_named(value);
    check_selectable(key, value);
    const std::size_t axis = axis_index(key);
    const std::string name = canonical_value(axis, value);
    Row row{.where = result.where};
    at_place(key, [&] {
      axis_columns()[axis].parse(row, key == "tables" ? with_file_hash(name) : name);
    });
    result.where = row.where;
  }
}

/// A result without any keys: algorithm "mine", mode, machine and tables "own".
ListedResult unnamed_result() {
  ListedResult result;
  result.where.algorithm = "mine";
  for (std::string* name : {&result.where.mode, &result.where.machine, &result.where.tables})
    *name = own_name;
  result.where.input.clear();
  result.where.n = 0;
  return result;
}

std::vector<ListedResult> from_toml(std::string_view text, const std::filesystem::path& name) {
  const TomlReader toml(name.string());
  const toml::table document = toml.parse(text);
  toml.check_keys(document, {"defaults", "result"});
  const auto take = [&](ListedResult& result, const toml::table& table) {
    for (const auto& [key, node] : table)
      toml.located(node, [&, &key = key, &node = node] {
        set_key(result, std::string(key.str()), scalar_from(node), name.parent_path());
      });
  };
  ListedResult defaults = unnamed_result();
  if (document.contains("defaults")) take(defaults, toml.table(document, "defaults"));
  std::vector<ListedResult> results;
  for (const toml::table* table : toml.tables(document, "result")) {
    ListedResult result = defaults;
    result.place = fmt::format("{}:{}", name.string(), table->source().begin.line);
    take(result, *table);
    toml.located(*table, [&] { check(result); });
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<ListedResult> from_csv(std::string_view text, const std::filesystem::path& name) {
  const std::vector<Record> records = parse_records(text, name.string());
  std::vector<ListedResult> results;
  for (std::size_t i = 1; i < records.size(); ++i) {
    ListedResult result = unnamed_result();
    result.place = fmt::format("{}:{}", name.string(), records[i].line);
    at_place(result.place, [&] {
      for (std::size_t column = 0; column < records[i].cells.size(); ++column)
        if (const std::string& value = records[i].cells[column]; !value.empty())
          set_key(result, records.front().cells[column], value, name.parent_path());
      check(result);
    });
    results.push_back(std::move(result));
  }
  return results;
}

/// The words of the input, or of the output, if they are known.
std::optional<WordForm> words_in(const ListedResult& result, bool output) {
  NamedWords names = result.words;
  if (output && !result.output_words.empty()) names.format = result.output_words;
  const TransformEntry transform = transform_named(result.where.transform);
  return output ? result_words(names, result.where.mode, transform.real_output)
                : input_words(names, result.where.mode, transform.real_input);
}

/// The problem that the result is of; sets what only the input's file says of the case.
ForeignProblem problem_of(const ListedResult& result) {
  if (result.input_file.empty()) return {result.where, make_problem(problem_key(result.where))};
  const std::optional<WordForm> words = words_in(result, false);
  Samples input = read_samples(result.input_file, 0, {.dtype = result.input_dtype, .words = words});
  const std::string keys = input.format.is_fixed()      ? "?" + word_keys(*words)
                           : result.input_dtype.empty() ? ""
                                                        : "?dtype=" + result.input_dtype;
  ForeignProblem asked = foreign_problem(result.where.transform, result.where.n, std::move(input));
  Case where = result.where;
  where.transform = asked.where.transform;
  where.n = asked.where.n;
  where.batch = asked.where.batch;
  where.input = with_file_hash(file_input_name(result.input_file) + keys);
  asked.where = where;
  return asked;
}

/// Bound and expected error of the case that the result claims; empty cells if its names are its
/// own.
void predict(Row& row, const ForeignProblem& asked, const ListedResult& result) {
  Case claimed = result.where;
  const bool explicit_claim = !result.claims.empty();
  try {
    if (explicit_claim)
      claimed = claimed_case(result.claims);
    else
      check_names(asked.where);
    predict_result(row, asked, claimed);
  } catch (const InputError&) {
    if (explicit_claim) throw;
  }
  row.where = asked.where;
}

}  // namespace

std::vector<ListedResult> parse_result_list(std::string_view text,
                                            const std::filesystem::path& name) {
  std::vector<ListedResult> results =
      name.extension() == ".csv" ? from_csv(text, name) : from_toml(text, name);
  require(!results.empty(), name.string(), ": no result is listed");
  return results;
}

JudgedResult judge(const ListedResult& result) {
  JudgedResult judged{.row = {.where = result.where}, .remark = {}};
  Row& row = judged.row;
  try {
    ForeignProblem asked = problem_of(result);
    row.where = asked.where;
    asked = in_norm(std::move(asked), result.norm);
    const Samples output = read_samples(
        result.output, 0,
        {.dtype = result.output_dtype, .finite = false, .words = words_in(result, true)});
    const Format format = result.format.value_or(output.format);
    row = measure_result(asked, output.values, format);
    predict(row, asked, result);
    row.output_hash = array_hash(output.values);
    row.message = non_finite(asked, output.values);
    if (row.message.empty()) judged.remark = suspicion(asked, output.values, format);
  } catch (const InputError& error) {
    row.status = Status::failed;
    row.message = error.what();
  }
  return judged;
}

}  // namespace fftprec::results
