#include "reports/results/manifest_object.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "arith/support/error.hpp"

namespace fftprec {

nlohmann::ordered_json manifest_object(std::string_view text, std::string_view name) {
  using Json = nlohmann::ordered_json;
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
    return object;
  } catch (const Json::exception& error) {
    throw InputError(refused + error.what());
  }
}

}  // namespace fftprec
