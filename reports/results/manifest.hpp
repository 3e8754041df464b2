/// manifest.json: how results.csv was made, with all that is needed to repeat the run.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/algorithms/programs.hpp"
#include "experiments/cases/row.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::results {

/// The options for truths, and the number of rows by arithmetic of their truths.
struct ManifestTruth {
  std::string tier = "auto";
  int needed_bits = 0;
  int precision_bits = 0;
  std::map<std::string, std::size_t> rows;  ///< by tier
};

struct Manifest {
  Environment environment{};
  std::vector<std::string> argv{};
  std::string results_version{};  ///< of the programs whose results a list has, if it states one
  std::string sweep_name{};
  std::string sweep_text{};            ///< the TOML, empty without a sweep file
  std::vector<std::string> axes{};     ///< the -a options
  std::vector<std::string> filters{};  ///< the -f options
  std::vector<std::uint64_t> seeds{};
  std::vector<std::string> summarised{};  ///< metrics of statistics over seeds; empty: none
  std::string shard{};                    ///< "2/4", empty for the whole sweep
  bool times = true;                      ///< whether time_ns is kept
  std::string isa{};
  unsigned threads = 1;    ///< of each process
  unsigned processes = 1;  ///< started by mpirun, including the one that stores the rows
  ManifestTruth truth{};
  std::string started{};  ///< UTC, ISO 8601
  std::string ended{};    ///< empty while the run is not complete
  std::size_t cases = 0;
  std::size_t rows = 0;
  std::map<std::string, std::size_t> status_counts{};
  std::string results_hash{};               ///< XXH3-64 of results.csv, empty while there is none
  std::vector<ProgramIdentity> programs{};  ///< that computed rows
};

/// Fills cases and seeds.
void describe_cases(Manifest& manifest, std::span<const SharedCase> cases);

/// Rows by outcome.
struct RowCounts {
  std::size_t rows = 0;
  std::map<Status, std::size_t> by_status{};
  std::map<truth::Tier, std::size_t> by_tier{};

  void add(Status status, std::optional<truth::Tier> tier);
  std::size_t of(Status status) const;
};

RowCounts counts_of(std::span<const Row> rows);

/// Fills rows, status_counts, results_hash and truth.rows.
void describe_results(Manifest& manifest, const RowCounts& counts, std::string results_hash);
void describe_results(Manifest& manifest, std::span<const Row> rows, std::string_view results_csv);

std::string manifest_json(const Manifest& manifest);

/// The text of manifest.json: the object, indented, with the hash of the rest as its last value.
std::string sealed_manifest(nlohmann::ordered_json object);

/// The version that made the rows beside a manifest.
struct ManifestVersion {
  std::string version;
  int numerics_version = 0;

  friend bool operator==(const ManifestVersion&, const ManifestVersion&) = default;
};

/// The version of this program.
ManifestVersion own_version();

/// The version in the text of a manifest. Throws InputError("NAME: is no manifest: ...").
ManifestVersion parse_manifest_version(std::string_view text, std::string_view name);

/// parse_manifest_version of a file; also throws InputError if it cannot be read.
ManifestVersion read_manifest_version(const std::filesystem::path& path);

/// "made by version 1.2 (numerics 3), this is 1.3 (numerics 4)"; empty for the version of this
/// program. Throws as above.
std::string other_version(const std::filesystem::path& path);

/// The end of messages that refuse to continue a run in a directory.
inline constexpr const char* remedy =
    "; choose another directory with -o, or start anew with --rerun all";

/// The JSON object in the text of a manifest.json. Throws InputError("NAME: is no manifest: ...")
/// for text that is no JSON object, for an object nested deeper than manifests are (readers are
/// recursive), and for one that changed after it was sealed.
nlohmann::ordered_json manifest_object(std::string_view text, std::string_view name);

/// The metrics that the rows of a manifest summarise over seeds; none of other rows. Throws
/// InputError("NAME: is no manifest: ...").
std::vector<std::string> summarised_in(const nlohmann::ordered_json& manifest,
                                       std::string_view name);

/// Checks the manifest in `directory`, if there is one, before a run continues there. Throws
/// InputError if it is malformed, belongs to another shard, to rows with times if this run omits
/// them (or the reverse), to rows with other statistics over seeds, or to rows of another version
/// of one of the programs.
void check_same_part(const std::filesystem::path& directory, const std::string& shard, bool times,
                     const std::vector<std::string>& summarised,
                     const std::vector<ProgramIdentity>& programs);

/// The time now, UTC, as 2025-01-31T23:59:59Z.
std::string utc_now();

}  // namespace fftprec::results
