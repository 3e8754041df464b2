/// Values from files: NumPy arrays, WAV recordings and words of fixed point, for inputs and tables.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "experiments/files/sample_files.hpp"

namespace fftprec {

/// The beginning of a name of a file; a locator follows (file_input).
inline constexpr std::string_view file_kind = "file:";

/// The values in `path`: a .npy array or one channel of a WAV recording (sample_files.hpp),
/// distinguished by the first bytes, or words, by the ending of the name or as integers of an
/// array; their form is how.words, with the exponents beside them (exponents_file) if it has none.
/// Throws InputError "PATH: ..." for a path that is no regular file
/// or cannot be read, a file of more than 2 GiB, another format, a channel of an array, and as the
/// two readers do.
Samples read_samples(const std::filesystem::path& path, std::size_t channel = 0,
                     const NpyReading& how = {});

/// Files that were read, for all cases of a run: the most recently used, about 128 MiB. A file is
/// read again if its size or time of change differs. Safe to share between threads.
class FileMemory;
std::shared_ptr<FileMemory> file_memory();

/// The n * batch values from `offset` on, in the file of `locator`:
///
///     PATH?offset=O&channel=C&dtype=D&words=Q&layout=L&exponents=E&hash=H
///
/// Each key may be left out, in any order. O and C are 0 by default; D is the type of an array of
/// plain bytes (NpyReading); Q is the format of words, L their layout (interleaved by default), E
/// the file of their exponents (exponents_file by default); H is the XXH3-64 of all bytes of the
/// file, or of its files one after the other, 16 hexadecimal digits. A relative path starts at the
/// working directory. In PATH, %XX is the byte with that hexadecimal number: %2C for a comma (which
/// separates the values of an axis), %3F for '?', %25 for '%'. The values keep all bits of the
/// file: they may be doubles that are not fp32 numbers. The file is looked up in `memory`, and read
/// anew if there is none. Throws what read_samples throws; InputError for a bad locator, an offset
/// at or beyond the end, and a file whose content does not have the hash H; NotApplicable if the
/// file holds less than n * batch values from `offset` on.
ComplexArray<double> file_input(std::string_view locator, std::size_t n, std::size_t batch,
                                FileMemory* memory = nullptr);

struct NamedSamples {
  std::string path;
  std::shared_ptr<const Samples> samples;
};

/// All values in the file of `locator`. Throws as file_input does, and InputError for the keys
/// offset and channel.
NamedSamples file_array(std::string_view locator, FileMemory* memory = nullptr);

/// "file:PATH" with the bytes that a locator or an axis would take for something else as %XX.
std::string file_input_name(const std::filesystem::path& path);

/// The keys of a locator for such words, with the file of their exponents if there is one:
/// "words=q1.15&layout=packed".
std::string word_keys(const WordForm& form, const std::filesystem::path& exponents = {});

/// PATH of "file:PATH?keys".
std::string path_of_file(std::string_view name);

/// Reads the file. Throws if file_input would throw for every n.
void check_file_input(std::string_view locator, FileMemory* memory = nullptr);

/// The name of an input or table with the hash of its file's content, so that a changed file has
/// another name. Names without a file, and names that have a hash, are returned unchanged. Throws
/// as check_file_input does.
std::string with_file_hash(const std::string& name, FileMemory* memory = nullptr);

/// The inverse of with_file_hash; reads no file.
std::string without_file_hash(const std::string& name);

}  // namespace fftprec
