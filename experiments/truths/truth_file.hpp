/// One truth as a file: whole or not there, and checked in full whenever it is read.
///
/// Little-endian: the magic "fftTruth"; eight words: the lengths of key and method in bytes, the
/// elements of the truth, its n, the count of its element radii, radius_rel, bits, tier; the key,
/// the method; re and im of hi, re and im of lo, the element radii as doubles; the XXH3-128 of all
/// that, most significant byte first. The key is what the truth follows from, in full.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "arith/truth/truth.hpp"

namespace fftprec {

/// What reading found.
struct StoredTruth {
  enum class State {
    absent,   ///< or cannot be opened
    damaged,  ///< anything but a whole truth of the key asked for, and must not be used
    whole,
  };
  State state = State::absent;
  truth::Truth truth{};  ///< where whole
};

/// The truth in `file` if every byte of it is as it was written, under this very key. One that is
/// whole counts as used now.
StoredTruth read_truth(const std::filesystem::path& file, std::string_view key);

/// Replaces `file`: a temporary beside it with a name of its own, on the disk, then renamed, so
/// that any number of processes may read and write at once. Returns 0, or the errno of what failed;
/// nothing of the attempt is left then.
int write_truth(const std::filesystem::path& file, std::string_view key, const truth::Truth& truth);

/// The bytes that the file of this truth has.
std::uint64_t truth_file_size(std::string_view key, const truth::Truth& truth);

/// The last part of the name of every temporary, after that of the file it is to become.

}  // namespace fftprec
