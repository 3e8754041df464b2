#include "reports/results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
#include "experiments/sweeps/shard.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::results {

namespace {

using Json = nlohmann::ordered_json;
using Path = std::filesystem::path;

/// One run to be merged.
struct Source {
  Path directory;
  Json manifest;
  std::string csv;

  Path manifest_path() const { return directory / "manifest.json"; }
  Path csv_path() const { return directory / "results.csv"; }
  std::string shard() const { return manifest.value("shard", ""); }
};

/// Throws InputError unless what is read of the manifest has the types that a manifest has.
void check_types(const Source& source) {
  try {
    for (const char* key : {"shard", "results_hash", "started", "ended", "sweep_text"})
      source.manifest.value(key, std::string());
    for (const char* key : {"axes", "filters"})
      source.manifest.value(key, std::vector<std::string>());
  } catch (const Json::exception& error) {
    throw InputError(source.manifest_path().string() + ": is no manifest: " + error.what());
  }
}

Source read_source(const Path& directory) {
  Source source{directory, {}, {}};
  read_manifest_version(source.manifest_path());  // throws if it is no manifest
  source.manifest =
      manifest_object(read_file(source.manifest_path()), source.manifest_path().string());
  check_types(source);
  const Path journal = directory / "results.csv.part";
  const bool has_journal =
      std::filesystem::exists(journal) && std::filesystem::file_size(journal) > 0;
  if (!std::filesystem::exists(source.csv_path()) || has_journal ||
      source.manifest.value("results_hash", "").empty())
    throw InputError(directory.string() +
                     ": this run is not finished; the command in its manifest.json goes on");
  source.csv = read_text(source.csv_path());
  if (described_hash(directory) != text_hash(source.csv)) throw changed(source.csv_path());
  return source;
}

/// Keys of a manifest that may differ between the parts of one sweep.
bool may_differ(const std::string& key) {
  static const std::set<std::string> keys = {
      "argv",      "seeds",         "shard",        "isa",         "threads",
      "processes", "started",       "ended",        "cases",       "rows",
      "merged",    "status_counts", "results_hash", "environment", "manifest_hash"};
  return keys.contains(key);
}

InputError differ(const Source& a, const Source& b, const std::string& key, const Json& left,
                  const Json& right) {
  const bool short_enough = left.dump().size() + right.dump().size() < 200;
  return InputError(
      fmt::format("{} and {} differ in {}{}: these are not parts of one run",
                  a.manifest_path().string(), b.manifest_path().string(), key,
                  short_enough ? fmt::format(" ({} and {})", left.dump(), right.dump()) : ""));
}

Json value(const Json& json, const std::string& key) {
  return json.contains(key) ? json.at(key) : Json();
}

/// The value at `key` of the manifest, as far as it decides results; for truths, only their
/// options.
Json deciding(const Json& manifest, const std::string& key) {
  Json json = value(manifest, key);
  if (key != "truth" || !json.is_object()) return json;
  Json asked = Json::object();
  for (const char* part : {"tier", "needed_bits", "precision_bits"})
    asked[part] = value(json, part);
  return asked;
}

void check_manifests(const Source& a, const Source& b) {
  std::set<std::string> keys;
  for (const Source* source : {&a, &b})
    for (const auto& [key, value] : source->manifest.items()) keys.insert(key);
  for (const std::string& key : keys)
    if (!may_differ(key) && deciding(a.manifest, key) != deciding(b.manifest, key))
      throw differ(a, b, key, deciding(a.manifest, key), deciding(b.manifest, key));
  const Json left = value(value(a.manifest, "environment"), "git_hash");
  const Json right = value(value(b.manifest, "environment"), "git_hash");
  if (left != right) throw differ(a, b, "git_hash", left, right);
  if (!a.shard().empty() && !b.shard().empty() &&
      parse_shard(a.shard()).count != parse_shard(b.shard()).count)
    throw differ(a, b, "shard", a.shard(), b.shard());
}

struct Kept {
  Row row;
  const Source* source;
};

/// The first column in which the rows differ, times apart; null if they agree.
const Column* first_difference(const Row& a, const Row& b) {
  const auto column = std::ranges::find_if(
      columns(), [&](const Column& each) { return each.repeats && differ(each, a, b); });
  return column == columns().end() ? nullptr : &*column;
}

std::map<SharedCase, Kept> rows_of(std::span<const Source> sources) {
  std::map<SharedCase, Kept> all;
  for (const Source& source : sources)
    for (Row& row : parse_csv(source.csv, source.csv_path().string())) {
      const SharedCase where = row.where;
      const auto [kept, is_new] = all.try_emplace(where, Kept{row, &source});
      if (is_new) continue;
      const Row& first = kept->second.row;
      if (const Column* column = first_difference(first, row))
        throw InputError(fmt::format("{} and {} disagree on {}: {} is '{}' and '{}'",
                                     kept->second.source->csv_path().string(),
                                     source.csv_path().string(), command_of(where), column->name,
                                     column->text(first), column->text(row)));
    }
  return all;
}

/// Every case that the manifest's command names, of all shards.
std::vector<SharedCase> all_cases(const Source& source, const CheckNames& check_names) {
  const Json& manifest = source.manifest;
  const auto texts = [&manifest](const char* key) {
    return manifest.value(key, std::vector<std::string>());
  };
  Sweep sweep;
  sweep.blocks.resize(1);
  if (const std::string text = manifest.value("sweep_text", ""); !text.empty())
    sweep = parse_sweep(text, source.manifest_path().string() + ": sweep_text", check_names);
  const Plan plan = plan_cases(std::move(sweep), texts("axes"), texts("filters"), check_names);
  return {plan.cases.begin(), plan.cases.end()};
}

/// ", and no directory is shard 2/4 or 3/4", or nothing.
std::string missing_shards(std::span<const Source> sources) {
  std::set<std::string> given;
  std::uint64_t count = 0;
  for (const Source& source : sources)
    if (!source.shard().empty()) {
      given.insert(source.shard());
      count = parse_shard(source.shard()).count;
    }
  std::vector<std::string> missing;
  for (std::uint64_t i = 1; i <= count; ++i)
    if (std::string name = text_of({i, count}); !given.contains(name))
      missing.push_back(std::move(name));
  if (missing.empty()) return {};
  const std::size_t shown = std::min<std::size_t>(missing.size(), 8);
  return fmt::format("; no directory is shard {}{}",
                     fmt::join(missing.begin(), missing.begin() + static_cast<long>(shown), ", "),
                     shown < missing.size() ? ", ..." : "");
}

void check_complete(std::span<const Source> sources, const std::map<SharedCase, Kept>& rows,
                    const CheckNames& check_names) {
  const std::vector<SharedCase> cases = all_cases(sources.front(), check_names);
  for (const auto& [where, kept] : rows)
    if (!std::ranges::binary_search(cases, where))
      throw InputError(kept.source->csv_path().string() +
                       ": holds a case that its sweep does not: " + command_of(where));
  if (rows.size() == cases.size()) return;
  const auto first = std::ranges::find_if(
      cases, [&rows](const SharedCase& where) { return !rows.contains(where); });
  throw InputError(fmt::format("{} of {} without a row, the first {}{}", cases.size() - rows.size(),
                               counted(cases.size(), "case"), command_of(*first),
                               missing_shards(sources)));
}

std::string merged_manifest(std::span<const Source> sources, const MergedRun& run,
                            const std::vector<std::string>& argv) {
  Json json = sources.front().manifest;
  std::vector<SharedCase> cases;
  for (const Row& row : run.rows) cases.push_back(row.where);
  Manifest whole;
  describe_cases(whole, cases);
  describe_results(whole, run.rows, run.csv);
  json["argv"] = argv;
  json["shard"] = "";
  json["seeds"] = whole.seeds;
  json["cases"] = whole.cases;
  json["rows"] = whole.rows;
  json["status_counts"] = whole.status_counts;
  json["results_hash"] = whole.results_hash;
  json["truth"] = deciding(sources.front().manifest, "truth");
  json["truth"]["rows"] = whole.truth.rows;
  Json parts = Json::array();
  for (const Source& source : sources) {
    json["started"] = std::min(json.value("started", ""), source.manifest.value("started", ""));
    json["ended"] = std::max(json.value("ended", ""), source.manifest.value("ended", ""));
    Json part = {{"directory", source.directory.string()}};
    for (const char* key : {"shard", "argv", "isa", "threads", "processes", "truth", "started",
                            "ended", "rows", "results_hash", "environment"})
      part[key] = source.manifest.contains(key) ? source.manifest.at(key) : Json();
    parts.push_back(std::move(part));
  }
  json["merged"] = std::move(parts);
  return sealed_manifest(std::move(json));
}

}  // namespace

MergedRun merge_runs(std::span<const std::filesystem::path> directories,
                     const std::vector<std::string>& argv, const CheckNames& check_names) {
  std::vector<Source> sources;
  for (const Path& directory : directories) {
    sources.push_back(read_source(directory));
    check_manifests(sources.front(), sources.back());
  }
  const Path manifest = sources.front().manifest_path();
  if (const std::string other = other_version(manifest); !other.empty())
    throw InputError(manifest.string() + ": " + other);
  const std::map<SharedCase, Kept> rows = rows_of(sources);
  check_complete(sources, rows, check_names);
  MergedRun run;
  for (const auto& [where, kept] : rows) run.rows.push_back(kept.row);
  run.csv = csv_text(run.rows);
  run.manifest = merged_manifest(sources, run, argv);
  return run;
}

void write_run(const MergedRun& run, const Path& directory) {
  std::error_code none;  // rows of another run, which the manifest would not describe
  std::filesystem::remove(directory / "results.csv", none);
  replace_file(directory / "manifest.json", run.manifest);
  replace_file(directory / "results.csv", run.csv);
}

}  // namespace fftprec::results
