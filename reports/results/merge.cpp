#include "reports/results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/seed_reduction.hpp"
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

  Path manifest_path() const { return directory / "manifest.json"; }
  Path csv_path() const { return results_of(directory); }
  std::string shard() const { return manifest.value("shard", ""); }
  std::vector<std::string> summarised() const {
    return summarised_in(manifest, manifest_path().string());
  }
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
  Source source{directory, {}};
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

/// The first column in which the rows differ, times apart; null if they agree.
const Column* first_difference(const Row& a, const Row& b) {
  const auto column = std::ranges::find_if(
      columns(), [&](const Column& each) { return each.repeats && differ(each, a, b); });
  return column == columns().end() ? nullptr : &*column;
}

/// The rows of one source, in order.
class SourceRows {
 public:
  explicit SourceRows(const Source& source) : path_(source.csv_path()), reader_(source.directory) {
    advance();
  }

  const Row* row() const { return row_; }  ///< null after the last
  const Path& path() const { return path_; }

  void advance() {
    row_ = reader_.next();
    if (row_ == nullptr) return;
    SharedCase where = identity_of(*row_);
    if (!is_first_ && !(last_ < where))
      throw InputError(path_.string() + ": its rows are not sorted: " + command_of(last_) +
                       " is above " + command_of(where));
    is_first_ = false;
    last_ = std::move(where);
  }

  /// identity_of the row.
  const SharedCase& identity() const { return last_; }

  /// Throws InputError if the manifest describes other rows.
  void check_described() { reader_.check_described(); }

 private:
  Path path_;
  RunReader reader_;
  const Row* row_ = nullptr;
  bool is_first_ = true;
  SharedCase last_{};
};

/// The rows of several sources in the order of one run. A row that several have is given once, as
/// the first of them has it; rows with statistics over seeds are joined. Memory does not grow with
/// the rows.
class MergedRows {
 public:
  MergedRows(std::span<const Source> sources, std::vector<const Column*> summarised)
      : summarised_(std::move(summarised)) {
    for (const Source& source : sources) {
      rows_.emplace_back(source);
      push(rows_.size() - 1);
    }
  }

  bool at_end() const { return heap_.empty(); }

  /// Calls use(row, path of its file) for the next row. Throws InputError if sources disagree on
  /// it.
  template <class Use>
  void take(Use use) {
    const std::size_t first = pop();
    const Row& row = *rows_[first].row();
    std::optional<SeedReduction> joined;
    while (!heap_.empty() && rows_[heap_.front()].identity() == rows_[first].identity()) {
      const std::size_t other = pop();
      if (summarised_.empty())
        check_agree(rows_[first], rows_[other]);
      else
        join(joined, rows_[first], rows_[other]);
      advance(other);
    }
    if (joined)
      use(joined->row(), rows_[first].path());
    else
      use(row, rows_[first].path());
    advance(first);
  }

  void check_described() {
    for (SourceRows& rows : rows_) rows.check_described();
  }

 private:
  static void check_agree(const SourceRows& a, const SourceRows& b) {
    if (const Column* column = first_difference(*a.row(), *b.row()))
      throw InputError(fmt::format("{} and {} disagree on {}: {} is '{}' and '{}'",
                                   a.path().string(), b.path().string(), command_of(a.row()->where),
                                   column->name, column->text(*a.row()), column->text(*b.row())));
  }

  void join(std::optional<SeedReduction>& joined, const SourceRows& first,
            const SourceRows& other) const {
    if (!joined) {
      joined.emplace(summarised_);
      joined->add(*first.row());
    }
    try {
      joined->add(*other.row());
    } catch (const InputError& error) {
      throw InputError(other.path().string() + ": " + error.what());
    }
  }

  /// Whether a's row comes after b's: the heap has the first row on top.
  auto later() const {
    return [this](std::size_t a, std::size_t b) {
      const std::strong_ordering order = rows_[a].identity() <=> rows_[b].identity();
      return order == 0 ? a > b : order > 0;
    };
  }

  void push(std::size_t source) {
    if (rows_[source].row() == nullptr) return;
    heap_.push_back(source);
    std::ranges::push_heap(heap_, later());
  }

  std::size_t pop() {
    std::ranges::pop_heap(heap_, later());
    const std::size_t source = heap_.back();
    heap_.pop_back();
    return source;
  }

  void advance(std::size_t source) {
    rows_[source].advance();
    push(source);
  }

  std::vector<const Column*> summarised_;
  std::deque<SourceRows> rows_{};
  std::vector<std::size_t> heap_{};  ///< of those that have rows left
};

/// The cases that the manifest's command names, of all shards.
Plan plan_of(const Source& source, const CheckNames& check_names) {
  const Json& manifest = source.manifest;
  const auto texts = [&manifest](const char* key) {
    return manifest.value(key, std::vector<std::string>());
  };
  Sweep sweep;
  sweep.blocks.resize(1);
  if (const std::string text = manifest.value("sweep_text", ""); !text.empty())
    sweep = parse_sweep(text, source.manifest_path().string() + ": sweep_text", check_names);
  return plan_cases(std::move(sweep), texts("axes"), texts("filters"), check_names);
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

InputError missing_rows(std::uint64_t missing, std::uint64_t count, const SharedCase& first,
                        std::span<const Source> sources) {
  return InputError(fmt::format("{} of {} without a row, the first {}{}", missing,
                                counted(count, "case"), command_of(first),
                                missing_shards(sources)));
}

/// Checks that rows in order are those of the cases.
class CaseCheck {
 public:
  /// The plan must outlive the check.
  explicit CaseCheck(const Plan& plan)
      : count_(plan.count), next_(plan.cases.walk(CaseOrder::results)) {}

  void add(const Row& row, const Path& file) {
    const SharedCase& where = row.where;
    for (; !next_.at_end() && next_.where() < where; next_.advance()) miss(next_.where());
    if (next_.at_end() || next_.where() != where)
      throw InputError(file.string() +
                       ": holds a case that its sweep does not: " + command_of(where));
    next_.advance();
  }

  /// After the last row.
  void finish(std::span<const Source> sources) {
    for (; !next_.at_end(); next_.advance()) miss(next_.where());
    if (missing_ > 0) throw missing_rows(missing_, count_, first_missing_, sources);
  }

 private:
  void miss(const SharedCase& where) {
    if (missing_++ == 0) first_missing_ = where;
  }

  std::uint64_t count_;
  CaseList::Walk next_;
  std::size_t missing_ = 0;
  SharedCase first_missing_{};
};

/// Checks that rows with statistics over seeds are those of the cases. Keeps the seeds of each
/// case.
class SeedCheck {
 public:
  explicit SeedCheck(const Plan& plan) : count_(plan.count) {
    for (auto at = plan.cases.walk(CaseOrder::results); !at.at_end(); at.advance())
      cases_.at(at.where()).planned.add(at.where().seed());
  }

  void add(const Row& row, const Path& file) {
    const SeedSet& seeds = row.over_seeds->seeds;
    Seeds* const found = cases_.find(row.where);
    if (const auto foreign = seeds.first_beyond(found ? found->planned : SeedSet()))
      throw InputError(file.string() + ": holds a case that its sweep does not: " +
                       command_of(with_seed(row.where, *foreign)));
    found->merged = seeds;
  }

  /// After the last row.
  void finish(std::span<const Source> sources) const {
    std::uint64_t missing = 0;
    SharedCase first;
    for (const auto& [where, seeds] : cases_) {
      const auto seed = seeds.planned.first_beyond(seeds.merged);
      if (seed && missing == 0) first = with_seed(where, *seed);
      missing += seeds.planned.size() - seeds.merged.size();
    }
    if (missing > 0) throw missing_rows(missing, count_, first, sources);
  }

 private:
  struct Seeds {
    SeedSet planned{};
    SeedSet merged{};
  };

  static SharedCase with_seed(SharedCase where, std::uint64_t seed) {
    where.set(&Case::seed, seed);
    return where;
  }

  std::uint64_t count_;
  BySeedlessCase<Seeds> cases_{};
};

/// What the manifest says of the rows.
struct Totals {
  std::set<std::uint64_t> seeds{};
  SeedSet reduced_seeds{};
  std::uint64_t cases = 0;
  RowCounts counts{};
  TextHash hash{};

  void add(const Row& row, std::string_view line) {
    if (row.over_seeds)
      reduced_seeds.add(row.over_seeds->seeds);
    else if (seeds.empty() || row.where.seed() != *seeds.rbegin())
      seeds.insert(row.where.seed());
    cases += case_count(row);
    counts.add(row.status, row.truth_tier);
    hash.add(line);
  }
};

std::string merged_manifest(std::span<const Source> sources, const Totals& totals,
                            const std::vector<std::string>& argv) {
  Json json = sources.front().manifest;
  Manifest whole;
  describe_results(whole, totals.counts, totals.hash.digits());
  json["argv"] = argv;
  json["shard"] = "";
  json["seeds"] = totals.seeds;
  if (!totals.reduced_seeds.empty()) json["seeds"] = totals.reduced_seeds.to_text();
  json["cases"] = totals.cases;
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

/// Removes the rows of another run, which the manifest would not describe.
void replace_manifest(const Path& directory, std::string_view manifest) {
  std::error_code none;
  std::filesystem::remove(directory / "results.csv", none);
  replace_file(directory / "manifest.json", manifest);
}

template <class Check>
void write_rows(std::span<const Source> sources, const std::vector<const Column*>& summarised,
                Check check, TextWriter& csv, Totals& totals) {
  MergedRows rows(sources, summarised);
  try {
    const std::string header = csv_header(summarised);
    csv.write(header);
    totals.hash.add(header);
    while (!rows.at_end())
      rows.take([&](const Row& row, const Path& file) {
        if (summarised_metrics(row) != summarised)
          throw InputError(file.string() + ": its manifest describes other statistics over seeds");
        check.add(row, file);
        const std::string line = to_csv(row);
        csv.write(line);
        totals.add(row, line);
      });
    check.finish(sources);
  } catch (const InputError&) {
    rows.check_described();  // a change of a file explains the rest
    throw;
  }
}

}  // namespace

RowCounts merge_runs(std::span<const std::filesystem::path> directories, const Path& output,
                     const std::vector<std::string>& argv, const CheckNames& check_names) {
  std::vector<Source> sources;
  for (const Path& directory : directories) {
    sources.push_back(read_source(directory));
    check_manifests(sources.front(), sources.back());
  }
  const Path manifest = sources.front().manifest_path();
  if (const std::string other = other_version(manifest); !other.empty())
    throw InputError(manifest.string() + ": " + other);
  Totals totals;
  TextWriter csv(output / "results.csv");
  const Plan plan = plan_of(sources.front(), check_names);
  if (const auto metrics = sources.front().summarised(); metrics.empty())
    write_rows(sources, {}, CaseCheck(plan), csv, totals);
  else
    write_rows(sources, summarised_metrics(metrics), SeedCheck(plan), csv, totals);
  replace_manifest(output, merged_manifest(sources, totals, argv));
  csv.finish();
  return totals.counts;
}

void write_run(const Path& directory, std::string_view csv, std::string_view manifest) {
  replace_manifest(directory, manifest);
  replace_file(directory / "results.csv", csv);
}

}  // namespace fftprec::results
