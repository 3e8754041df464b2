#include "reports/commands/kept_manifest.hpp"

#include <nlohmann/json.hpp>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/manifest_object.hpp"

namespace fftprec {

namespace {

std::string part_named(const std::string& shard) {
  return shard.empty() ? "the whole sweep" : "shard " + shard;
}

}  // namespace

void check_same_part(const std::filesystem::path& directory, const std::string& shard, bool times) {
  const std::filesystem::path path = directory / "manifest.json";
  if (!std::filesystem::exists(path)) return;
  constexpr const char* way_out =
      "; choose another directory with -o, or start anew with --rerun all";
  const std::string text = read_file(path);
  try {
    parse_manifest_version(text, path.string());
  } catch (const InputError& error) {  // somebody else's file: not to be replaced
    throw InputError(error.what() + std::string(way_out));
  }
  const auto json = manifest_object(text, path.string());
  std::string theirs;
  bool their_times = true;
  try {
    theirs = json.value("shard", "");
    their_times = json.value("times", true);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path.string() + ": is no manifest: " + error.what());
  }
  if (theirs != shard)
    throw InputError(path.string() + ": " + part_named(theirs) + " is kept there, this is " +
                     part_named(shard) + way_out);
  if (their_times != times)
    throw InputError(path.string() + ": the rows there were made " + (times ? "with" : "without") +
                     " --no-times" + way_out);
}

}  // namespace fftprec
