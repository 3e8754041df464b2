/// What the manifest beside kept rows says of them, where a run is to go on from them.
#pragma once

#include <filesystem>
#include <string>

namespace fftprec {

/// Throws InputError if the manifest in `directory` is none, or belongs to another shard, or to
/// rows that have their times where this run leaves them out (or the other way round). Without a
/// manifest there is nothing to check.
void check_same_part(const std::filesystem::path& directory, const std::string& shard, bool times);

}  // namespace fftprec
