/// Files read whole and written whole, with errors that name them.
///
/// A file is written beside the one whose place it takes, under a name that no other thread,
/// process or machine has, is brought to the disk and renamed: there is always a whole file, two
/// writers do not meet, and no link is followed. Its writer holds a lock on it, which ends with the
/// writer: what a killed process left has no lock, and the next that writes in the folder removes
/// it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "arith/support/error.hpp"

namespace fftprec {

/// The bytes of `path`. Throws InputError("PATH: cannot be read: reason").
std::string read_file(const std::filesystem::path& path);

/// What the name of a file that is being written ends in.
inline constexpr std::string_view temporary_suffix = ".tmp";

/// Seconds without a write after which a temporary whose lock cannot be seen from here, one of
/// another machine, is one of a process that was killed.
inline constexpr long abandoned_after_s = 3600;

/// A file on its way to its place.
class NewFile {
 public:
  /// Creates a temporary beside `path`.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();  ///< removes the temporary, unless it has been put in place
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int descriptor() const { return file_; }  ///< for a child process that writes it
  const std::filesystem::path& temporary() const { return temporary_; }
  int reason() const { return reason_; }  ///< 0, or the errno of the first thing that failed

  /// Does nothing once something has failed.
  void write(const void* bytes, std::size_t count);

  /// Brings it to the disk and renames it. Returns reason().
  int put_in_place();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_{};
  int file_ = -1;
  int reason_ = 0;
};

/// Replaces `path` by a file that holds `text`; a device or pipe is written directly. Temporaries
/// that killed processes have left in its folder go. Throws write_error.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Throws the InputError of replace_file if it could not begin; leaves nothing behind.
void check_writable(const std::filesystem::path& path);

/// Makes the folder and those above it. Throws InputError("PATH: cannot be created: reason").
void create_folder(const std::filesystem::path& path);

/// create_folder, and throws write_error if no file can be made there.
void create_writable_folder(const std::filesystem::path& path);

/// Removes the temporaries in a folder (empty: the working directory) that no process holds: those
/// of this machine whose lock can be taken, and others that nobody has written to for
/// abandoned_after_s.
void remove_abandoned(const std::filesystem::path& folder);

/// "PATH: cannot be written: reason".
InputError write_error(const std::filesystem::path& path, int reason);

/// Both return 0 or an errno. What cannot be synchronised, as a pipe, need not be.
int write_all(int file, const void* bytes, std::size_t count);
int synchronise(int file);

}  // namespace fftprec
