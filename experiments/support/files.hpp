/// Reads and writes whole files, with errors that name the file.
///
/// A new file is written beside the old one, under a name that no other thread, process or machine
/// uses, then synchronised to disk and renamed. So there is always a whole file, two writers do not
/// collide, and no link is followed. The writer holds a lock on the temporary until it ends. A
/// temporary without a lock was left by a killed process; the next writer in the folder removes it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "arith/support/error.hpp"

namespace fftprec {

/// The bytes of `path`. Throws InputError("PATH: cannot be read: reason").
std::string read_file(const std::filesystem::path& path);

/// The suffix of the name of a file that is being written.
inline constexpr std::string_view temporary_suffix = ".tmp";

/// After this many seconds without a write, a temporary of another machine, whose lock cannot be
/// seen here, counts as left by a killed process.
inline constexpr long abandoned_after_s = 3600;

/// A file that is being written.
class NewFile {
 public:
  /// Creates a temporary beside `path`.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();  ///< removes the temporary, unless it has been put in place
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int descriptor() const { return file_; }  ///< for a child process that writes it
  const std::filesystem::path& temporary() const { return temporary_; }
  int reason() const { return reason_; }  ///< 0, or the errno of the first failure

  /// Does nothing once something has failed.
  void write(const void* bytes, std::size_t count);

  /// Synchronises the file to disk and renames it. Returns reason().
  int put_in_place();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_{};
  int file_ = -1;
  int reason_ = 0;
};

/// A file that is written in pieces. It replaces `path` when it is finished, or is written directly
/// if that is a device or a pipe.
class OutputFile {
 public:
  /// Removes temporaries that killed processes left in the folder. Throws write_error.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();  ///< a file that is not finished leaves nothing behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  ///< throws write_error
  void finish();                       ///< once, after all bytes; throws write_error

 private:
  std::filesystem::path path_;
  int device_ = -1;                ///< open, of a device or a pipe
  std::optional<NewFile> file_{};  ///< of any other path
};

/// Replaces `path` by a file that holds `text`, as OutputFile does.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Throws the InputError of replace_file if it could not begin. Leaves no file behind.
void check_writable(const std::filesystem::path& path);

/// Makes the folder and its parents. Throws InputError("PATH: cannot be created: reason").
void create_folder(const std::filesystem::path& path);

/// create_folder, and throws write_error if no file can be made there.
void create_writable_folder(const std::filesystem::path& path);

/// Removes the temporaries in a folder (empty: the working directory) that no process holds: those
/// of this machine whose lock can be taken, and others without a write for abandoned_after_s.
void remove_abandoned(const std::filesystem::path& folder);

/// "PATH: cannot be written: reason".
InputError write_error(const std::filesystem::path& path, int reason);

/// Both return 0 or an errno. `synchronise` accepts files that cannot be synchronised, such as
/// pipes.
int write_all(int file, const void* bytes, std::size_t count);
int synchronise(int file);

}  // namespace fftprec
