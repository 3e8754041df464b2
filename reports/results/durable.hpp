/// Files that survive a kill and a full disk: whole lines appended, whole files replaced.
#pragma once

#include <filesystem>
#include <string_view>

namespace fftprec::results {

/// A file to which whole lines are appended, one write each, by one process at a time.
class Journal {
 public:
  /// Opens or creates the file and drops a last line without its end, left by a killed program.
  /// Throws InputError if it cannot be written, or if another process is writing it.
  explicit Journal(const std::filesystem::path& path);
  ~Journal();  ///< an empty journal is removed
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  bool empty() const;

  /// Appends `line`, which ends in a newline, in one write. Throws InputError, and leaves no part
  /// of the line, if it does not fit.
  void append(std::string_view line);

  /// Waits until everything appended is on the disk.
  void sync();

  /// Forgets everything appended.
  void clear();

 private:
  std::filesystem::path path_;
  int file_;
};

/// Replaces `path` by a file that holds `text`: a temporary beside it, on the disk, then renamed,
/// so that there is always a whole file. A device or pipe is written directly.
/// Throws InputError("PATH: cannot be written: reason").
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Throws the InputError of replace_file if it could not begin; leaves nothing behind.
void check_writable(const std::filesystem::path& path);

}  // namespace fftprec::results
