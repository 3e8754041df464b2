#include "reports/page/data.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/toml_reader.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/row_sample.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::page {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + text_of(item);
  return text;
}

void add_entries(ManifestView& manifest, const std::string& prefix, const Json& object) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object())
      add_entries(manifest, prefix + key + ".", value);
    else if (prefix.empty() && (key == "sweep_text" || key == "argv"))
      continue;  // shown in full
    else
      manifest.entries.emplace_back(prefix + key, text_of(value));
  }
}

std::string string_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool has_items(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_array() && !found->empty();
}

/// Question, gates and plots; the sweep was checked when it was run.
void read_sweep(ManifestView& manifest) {
  try {
    const toml::table table = TomlReader("sweep_text").parse(manifest.sweep_text);
    manifest.question = table["question"].value_or(std::string());
    manifest.gates = table["gates"].value_or(std::string());
    manifest.plots = plots_of(parse_sweep(manifest.sweep_text, "sweep_text", [](const Case&) {}));
  } catch (const InputError&) {
    manifest.plots.clear();  // of a sweep of another version, or of none
  }
}

/// The rules of the run's own sweep; empty, with the reason as note, if they do not apply.
std::vector<gates::Gate> own_gates(ReportData& data) {
  const ManifestView& manifest = data.manifest;
  if (manifest.sweep_text.empty()) {
    data.gates_note = "The run has no sweep that could name gates.";
    return {};
  }
  const auto builtin =
      std::ranges::find(builtin_sweeps(), manifest.sweep_text, &BuiltinSweep::toml);
  const bool is_builtin = builtin != builtin_sweeps().end();
  if (is_builtin ? builtin->gates.empty() : manifest.gates.empty()) {
    data.gates_note = "The sweep names no gates.";
    return {};
  }
  if (manifest.changed) {
    data.gates_note =
        "Not judged: -a or -f has changed what the sweep runs, and its gates are rules on all of "
        "its rows.";
    return {};
  }
  if (is_builtin) {
    data.gates_note = "By the built-in gates of " + std::string(builtin->name) + ".";
    return gates::parse_gates(builtin->gates, "built-in gates of " + std::string(builtin->name));
  }
  for (const std::string& word : manifest.argv) {
    std::error_code none;
    if (!word.ends_with(".toml") || !std::filesystem::is_regular_file(word, none) ||
        read_file(word) != manifest.sweep_text)
      continue;
    const std::filesystem::path file = std::filesystem::path(word).parent_path() / manifest.gates;
    data.gates_note = "By " + file.string() + ".";
    return gates::read_gates(file);
  }
  data.gates_note = "Not judged: the sweep names the gates " + manifest.gates +
                    ", but its file is not where it was, or has changed; -g names them.";
  return {};
}

/// The gates to judge by; says in the data which they are.
std::vector<gates::Gate> gates_for(ReportData& data, std::span<const std::string> gate_files) {
  if (gate_files.empty()) return own_gates(data);
  std::vector<gates::Gate> gates;
  for (const std::string& file : gate_files) {
    data.gates_note += (data.gates_note.empty() ? "By " : ", ") + file;
    for (const gates::Gate& gate : gates::read_gates(file)) gates.push_back(gate);
  }
  data.gates_note += ".";
  return gates;
}

/// All rows are judged, also those that are not shown.
void read_rows(ReportData& data, const std::filesystem::path& path,
               std::span<const std::string> gate_files, gates::GateOptions options) {
  const std::vector<gates::Gate> gates = gates_for(data, gate_files);
  const gates::KeptRows kept = read_baselines(gates, options.no_baseline);
  gates::GateRun judge(gates, kept, options);
  results::RowSample sample;
  results::RunReader reader(path);
  while (const Row* row = reader.next()) {
    sample.add(*row);
    judge.add(*row);
  }
  data.aggregated = sample.note();
  data.rows = sample.take();
  data.verdicts = judge.finish();
  for (const auto& [file, problem] : options.no_baseline) data.no_baseline.push_back(problem);
}

}  // namespace

std::string ManifestView::entry(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return value;
  return {};
}

ManifestView parse_manifest(std::string_view json, std::string_view name) {
  ManifestView manifest;
  const Json object = results::manifest_object(json, name);
  add_entries(manifest, "", object);
  if (has_items(object, "argv"))
    for (const Json& word : object["argv"]) manifest.argv.push_back(text_of(word));
  manifest.sweep_name = string_at(object, "sweep");
  manifest.sweep_text = string_at(object, "sweep_text");
  manifest.changed = has_items(object, "axes") || has_items(object, "filters");
  read_sweep(manifest);
  return manifest;
}

ReportData read_report_data(const std::string& run, std::span<const std::string> gate_files,
                            const gates::GateOptions& options) {
  ReportData data;
  data.source = run;
  const std::filesystem::path path = run;
  const std::filesystem::path manifest =
      (std::filesystem::is_directory(path) ? path : path.parent_path()) / "manifest.json";
  data.has_manifest = std::filesystem::exists(manifest);
  if (data.has_manifest) data.manifest = parse_manifest(read_file(manifest), manifest.string());
  gates::GateOptions own = options;
  if (data.manifest.argv.empty()) data.manifest.argv = options.made_by;
  own.made_by = data.manifest.argv;
  read_rows(data, path, gate_files, own);
  return data;
}

}  // namespace fftprec::page
