/// Truths kept on disk by content: what took long to compute is read by the next run that needs it.
/// Each is a file: whole or not there, and checked in full whenever it is read.
///
/// Little-endian: the magic "fftTruth"; eight words: the lengths of key and method in bytes, the
/// elements of the truth, its n, the count of its element radii, radius_rel, bits, tier; the key,
/// the method; re and im of hi, re and im of lo, the element radii as doubles; the XXH3-128 of all
/// that, most significant byte first. The key is what the truth follows from, in full.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "arith/formats/complex_array.hpp"
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

/// A part of every key: bumped whenever the bits of a truth, or its certificate, may change.
inline constexpr int truth_version = 1;

/// All that a truth follows from, as lines of text: the versions, the transform with its keys, its
/// sizes, the XXH3-128 of the input's bytes, and the options but those that change no bit.
std::string truth_key(std::string_view transform, std::uint64_t n, std::uint64_t batch,
                      const ComplexArray<double>& input, const truth::TruthOptions& options);

/// A directory of truths, one file each, named by the XXH3-128 of its key. Threads
/// and processes may share it. Nothing that happens to it costs more than time: an entry that is
/// not whole is computed anew and replaced, and where none can be written, none is.
class TruthCache {
 public:
  struct Options {
    std::uint64_t limit_bytes = std::uint64_t{2} << 30;  ///< of all entries, see get
    /// Reading and writing a truth that takes less to compute gains nothing.
    std::chrono::nanoseconds least_time = std::chrono::milliseconds(5);
  };

  struct Counts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;   ///< truths that were made
    std::uint64_t damaged = 0;  ///< of these, where the entry was there and of no use
    std::uint64_t stored = 0;
  };

  /// The directory is made when a truth is first stored.
  TruthCache(std::filesystem::path directory, const Options& options);
  explicit TruthCache(std::filesystem::path directory) : TruthCache(std::move(directory), {}) {}

  /// The truth of that key, from the disk or by make(), whose exceptions pass through.
  /// One that is made and took long, or whose entry was damaged, is stored. While all entries are
  /// then above the limit, those go that were not used for longest, down to 15/16 of it. The
  /// directory is looked through once per 1/16 of the limit stored, so that processes which fill it
  /// together may be above the limit by that much each.
  truth::Truth get(const std::string& key, const std::function<truth::Truth()>& make);

  Counts counts() const;

  /// Why a truth could not be stored, beginning with the directory; none is stored from then on.
  /// Empty if all is well.
  std::string trouble() const;

  const std::filesystem::path& directory() const { return directory_; }

 private:
  void store(const std::filesystem::path& file, const std::string& key, const truth::Truth& truth);
  bool may_store(std::uint64_t size) const;
  void trim(const std::filesystem::path& newest) const;

  const std::filesystem::path directory_;
  const Options options_;
  mutable std::mutex mutex_;
  Counts counts_;
  std::string trouble_;
  bool looked_through_ = false;
  std::uint64_t stored_since_ = 0;  ///< bytes, since the directory was looked through
};

}  // namespace fftprec
