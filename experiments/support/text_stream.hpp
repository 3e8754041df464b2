/// Text in pieces, from and to files, as it is or compressed by gzip or zstd.
///
/// Memory does not grow with the text. A reader recognises compression by the first bytes, not by
/// the name; several compressed parts in a row are one text, as for gzip and zstd. A writer goes by
/// the end of the name.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/support/files.hpp"

namespace fftprec {

enum class Compression { none, gzip, zstd };

/// gzip for a name that ends in .gz, zstd for .zst, none for any other.
Compression compression_of(const std::filesystem::path& path);

/// Compresses text that comes in pieces, at the usual level (gzip 6, zstd 3), with a checksum.
class Compressor {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  Compressor(Compression compression, Sink sink);
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  void write(std::string_view text);
  void finish();  ///< once, after all text

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file that is written in pieces and compressed by its name. It replaces `path` when it is
/// finished; until then the file there stays as it is.
class TextWriter {
 public:
  /// Throws write_error if the file cannot be made.
  explicit TextWriter(const std::filesystem::path& path);

  /// Throws write_error.
  void write(std::string_view text) { compressor_.write(text); }

  /// Once, after all text. Throws write_error.
  void finish();

 private:
  std::unique_ptr<OutputFile> file_;
  Compressor compressor_;
};

/// Replaces `path` by a text, as TextWriter does.
void replace_text(const std::filesystem::path& path, std::string_view text);

/// Reads text in pieces.
class TextReader {
 public:
  /// Throws InputError("PATH: cannot be read: reason").
  explicit TextReader(const std::filesystem::path& path);

  /// Of bytes in memory, which must stay there. `name` stands for the path in errors.
  TextReader(std::string_view bytes, std::string_view name);

  ~TextReader();
  TextReader(TextReader&&) noexcept;
  TextReader& operator=(TextReader&&) noexcept;

  /// The next piece, valid until the next call; empty at the end. Throws InputError("NAME: ...") if
  /// the file cannot be read, or if its compressed data are damaged or cut off, with the byte where
  /// this shows.
  std::string_view next();

  /// A reader of the whole text once more; none for a pipe.
  std::optional<TextReader> again() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole text of a file, as TextReader reads it.
std::string read_text(const std::filesystem::path& path);

}  // namespace fftprec
