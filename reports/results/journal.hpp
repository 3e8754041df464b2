/// A journal that survives a kill and a full disk.
#pragma once

#include <filesystem>
#include <string_view>

namespace fftprec::results {

/// A file to which whole lines are appended, one write each, by one process at a time.
class Journal {
 public:
  /// Opens or creates the file and drops a last line without its end, left by a killed program.
  /// Throws InputError if it cannot be written, is a link, or another process is writing it.
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

}  // namespace fftprec::results
