#include "reports/results/manifest.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/version.hpp"
#include "experiments/cases/seed_statistics.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec::results {

namespace {

constexpr const char* own_hash = "manifest_hash";

/// Keeps the keys in the order given, so that a manifest reads from top to bottom.
using Json = nlohmann::ordered_json;

Json to_json(const Environment& environment) {
  Json json = {
      {"version", environment.version},
      {"git_hash", environment.git_hash},
      {"numerics_version", environment.numerics_version},
      {"compiler", environment.compiler},
      {"flags", environment.flags},
      {"build_type", environment.build_type},
  };
  Json libraries = Json::object();
  for (const auto& [name, version] : environment.libraries) libraries[name] = version;
  json["libraries"] = std::move(libraries);
  json["system"] = environment.system;
  json["cpu"] = environment.cpu;
  json["cores"] = environment.cores;
  json["isas"] = environment.isas;
  json["floating_point_problems"] = environment.floating_point_problems;
  return json;
}

Json to_json(const ManifestTruth& truth) {
  return {
      {"tier", truth.tier},
      {"needed_bits", truth.needed_bits},
      {"precision_bits", truth.precision_bits},
      {"rows", truth.rows},
  };
}

/// Bytes that are no UTF-8 (in a path, say) are replaced: a manifest is always written.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// As ranges: a run over a million seeds must not list them.
std::string seeds_text(std::span<const std::uint64_t> seeds) {
  SeedSet ranges;
  for (const std::uint64_t seed : seeds) ranges.add(seed);
  return ranges.to_text();
}

std::string kept_rows_named(const std::vector<std::string>& summarised) {
  return summarised.empty()
             ? "a row for each case"
             : fmt::format("statistics over seeds of {}", fmt::join(summarised, ", "));
}

std::string part_named(const std::string& shard) {
  return shard.empty() ? "the whole sweep" : "shard " + shard;
}

}  // namespace

void describe_cases(Manifest& manifest, std::span<const SharedCase> cases) {
  std::set<std::uint64_t> seeds;
  for (const SharedCase& where : cases) seeds.insert(where.seed());
  manifest.cases = cases.size();
  manifest.seeds.assign(seeds.begin(), seeds.end());
}

void RowCounts::add(Status status, std::optional<truth::Tier> tier) {
  ++rows;
  ++by_status[status];
  if (tier) ++by_tier[*tier];
}

std::size_t RowCounts::of(Status status) const {
  const auto found = by_status.find(status);
  return found == by_status.end() ? 0 : found->second;
}

RowCounts counts_of(std::span<const Row> rows) {
  RowCounts counts;
  for (const Row& row : rows) counts.add(row.status, row.truth_tier);
  return counts;
}

void describe_results(Manifest& manifest, const RowCounts& counts, std::string results_hash) {
  manifest.rows = counts.rows;
  manifest.status_counts.clear();
  for (const Status status : {Status::ok, Status::skipped, Status::failed})
    manifest.status_counts[std::string(name_of(status))] = 0;
  for (const auto& [status, count] : counts.by_status)
    manifest.status_counts[std::string(name_of(status))] = count;
  manifest.truth.rows.clear();
  for (const auto& [tier, count] : counts.by_tier)
    manifest.truth.rows[std::string(name_of(tier))] = count;
  manifest.results_hash = std::move(results_hash);
}

void describe_results(Manifest& manifest, std::span<const Row> rows, std::string_view results_csv) {
  describe_results(manifest, counts_of(rows), text_hash(results_csv));
}

std::string environment_json(const Environment& environment) { return dump(to_json(environment)); }

std::string manifest_json(const Manifest& manifest) {
  Json json = {
      {"version", manifest.environment.version},
      {"numerics_version", manifest.environment.numerics_version},
      {"argv", manifest.argv},
      {"sweep", manifest.sweep_name},
      {"axes", manifest.axes},
      {"filters", manifest.filters},
      {"seeds", manifest.seeds},
      {"shard", manifest.shard},
      {"times", manifest.times},
      {"isa", manifest.isa},
      {"threads", manifest.threads},
      {"processes", manifest.processes},
      {"truth", to_json(manifest.truth)},
      {"started", manifest.started},
      {"ended", manifest.ended},
      {"cases", manifest.cases},
      {"rows", manifest.rows},
      {"status_counts", manifest.status_counts},
      {"results_hash", manifest.results_hash},
      {"environment", to_json(manifest.environment)},
      {"sweep_text", manifest.sweep_text},
  };
  if (!manifest.summarised.empty()) {
    json["reduce"] = {{"axis", "seed"}, {"metrics", manifest.summarised}};
    json["seeds"] = seeds_text(manifest.seeds);
  }
  if (!manifest.programs.empty()) {
    json["programs"] = Json::array();
    for (const ProgramIdentity& program : manifest.programs)
      json["programs"].push_back({{"name", program.name},
                                  {"version", program.version},
                                  {"command", program.command},
                                  {"hash", program.hash}});
  }
  if (!manifest.results_version.empty()) json["results_version"] = manifest.results_version;
  return sealed_manifest(std::move(json));
}

std::string sealed_manifest(Json object) {
  object.erase(own_hash);
  std::string hash = text_hash(dump(object));
  object[own_hash] = std::move(hash);
  return dump(object);
}

Json manifest_object(std::string_view text, std::string_view name) {
  constexpr int deepest = 32;  // ours have 4 levels, a merged one of merged ones 2 more each
  const std::string refused = std::string(name) + ": is no manifest: ";
  const auto shallow = [&refused](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest)
      throw InputError(refused + "nested deeper than " + std::to_string(deepest) + " levels");
    return true;
  };
  // For the parser it ends the text, whatever follows.
  if (const std::size_t at = text.find('\0'); at != text.npos)
    throw InputError(refused + "byte " + std::to_string(at + 1) + " is 0");
  try {
    Json object = Json::parse(text, shallow);
    if (!object.is_object()) throw InputError(refused + "no JSON object");
    if (object.contains(own_hash) && sealed_manifest(object) != dump(object))
      throw InputError(std::string(name) + ": was changed after it was written; undo that, or " +
                       "make the rows anew with --rerun all");
    return object;
  } catch (const Json::exception& error) {
    throw InputError(refused + error.what());
  }
}

ManifestVersion own_version() { return {program_version(), numerics_version}; }

ManifestVersion parse_manifest_version(std::string_view text, std::string_view name) {
  const Json json = manifest_object(text, name);
  const auto version = json.find("version");
  const auto numerics = json.find("numerics_version");
  // get<int>() takes true for 1, 1.5 for 1, and 2^32 + 1 for 1.
  if (version == json.end() || !version->is_string() || numerics == json.end() ||
      !numerics->is_number_integer() || *numerics != numerics->get<int>())
    throw InputError(std::string(name) +
                     ": is no manifest: it needs a text 'version' and an integer "
                     "'numerics_version'");
  return {version->get<std::string>(), numerics->get<int>()};
}

ManifestVersion read_manifest_version(const std::filesystem::path& path) {
  return parse_manifest_version(read_file(path), path.string());
}

std::string other_version(const std::filesystem::path& path) {
  const ManifestVersion theirs = read_manifest_version(path);
  const ManifestVersion ours = own_version();
  if (theirs == ours) return {};
  return fmt::format("made by version {} (numerics {}), this is {} (numerics {})", theirs.version,
                     theirs.numerics_version, ours.version, ours.numerics_version);
}

std::vector<std::string> summarised_in(const Json& manifest, std::string_view name) {
  const auto reduce = manifest.find("reduce");
  if (reduce == manifest.end()) return {};
  try {
    return reduce->at("metrics").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string(name) + ": is no manifest: " + error.what());
  }
}

void check_same_part(const std::filesystem::path& directory, const std::string& shard, bool times,
                     const std::vector<std::string>& summarised,
                     const std::vector<ProgramIdentity>& programs) {
  const std::filesystem::path path = directory / "manifest.json";
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  try {
    parse_manifest_version(text, path.string());
  } catch (const InputError& error) {  // somebody else's file: not to be replaced
    throw InputError(error.what() + std::string(remedy));
  }
  const auto json = manifest_object(text, path.string());
  std::string theirs;
  bool their_times = true;
  std::string other_program;
  try {
    theirs = json.value("shard", "");
    their_times = json.value("times", true);
    for (const auto& kept : json.value("programs", Json::array()))
      for (const ProgramIdentity& own : programs)
        if (own.name == kept.at("name") &&
            (own.version != kept.at("version") || own.hash != kept.at("hash")))
          other_program =
              fmt::format("rows of {} are of {}, file {}; this is {}, file {}", own.name,
                          printable(kept.at("version").get<std::string>()),
                          printable(kept.at("hash").get<std::string>()), own.version, own.hash);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path.string() + ": is no manifest: " + error.what());
  }
  if (theirs != shard)
    throw InputError(path.string() + ": " + part_named(theirs) + " is kept there, this is " +
                     part_named(shard) + remedy);
  if (their_times != times)
    throw InputError(path.string() + ": the rows there were made " + (times ? "with" : "without") +
                     " --no-times" + remedy);
  if (!other_program.empty()) throw InputError(path.string() + ": " + other_program + remedy);
  if (const auto their_metrics = summarised_in(json, path.string()); their_metrics != summarised)
    throw InputError(path.string() + ": " + kept_rows_named(their_metrics) +
                     " is kept there, this run keeps " + kept_rows_named(summarised) + remedy);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text;
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace fftprec::results
