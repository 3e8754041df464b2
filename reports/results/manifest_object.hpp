/// The text of a manifest.json as the JSON object that it must be.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace fftprec {

/// Throws InputError("NAME: is no manifest: ...") for text that is no JSON, for JSON that is no
/// object, and for one nested deeper than any manifest is: whoever walks it does so recursively.
nlohmann::ordered_json manifest_object(std::string_view text, std::string_view name);

}  // namespace fftprec
