/// Values that stand in files: NumPy arrays and WAV recordings, for inputs and for tables.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "experiments/files/sample_files.hpp"

namespace fftprec {

/// A name that begins so names a file; a locator follows (file_input).
inline constexpr std::string_view file_kind = "file:";

/// What `path` holds: a .npy array or one channel of a WAV recording (sample_files.hpp), told
/// apart by their first bytes. Throws InputError "PATH: ..." for a path that is no regular file or
/// cannot be read, a file of more than 2 GiB, another format, a channel of an array, and for what
/// the two readers throw for.
Samples read_samples(const std::filesystem::path& path, std::size_t channel = 0,
                     const NpyReading& how = {});

/// What was read of files, for all cases of a run that name them: some 128 MiB, those used last. A
/// file is read again when its size or time of change differ. Safe to share between threads.
class FileMemory;
std::shared_ptr<FileMemory> file_memory();

/// The n * batch values from `offset` on of the file that `locator` names:
///
///     PATH?offset=O&channel=C&dtype=D&hash=H    each key may be left out, in any order
///
/// O and C are 0 then; D names what an array of bytes alone holds (NpyReading); H is the XXH3-64 of
/// all bytes of the file, 16 hexadecimal digits.
/// A relative path starts at the working directory. In PATH, %XX is the byte with that hexadecimal
/// number: %2C for a comma (which separates the values of an axis), %3F for '?', %25 for '%'.
/// The values keep all bits that they have in the file: they may be doubles that no fp32 equals.
/// The file is looked up in `memory`, and read anew where there is none.
/// Throws what read_samples throws; InputError for a bad locator, an offset at or beyond the end,
/// and a file whose content does not have the hash H; NotApplicable if the file holds less than n *
/// batch values from `offset` on.
ComplexArray<double> file_input(std::string_view locator, std::size_t n, std::size_t batch,
                                FileMemory* memory = nullptr);

struct NamedSamples {
  std::string path;
  std::shared_ptr<const Samples> samples;
};

/// All of the file that `locator` names. Throws what file_input throws, and
/// InputError for a key other than `hash`.
NamedSamples file_array(std::string_view locator, FileMemory* memory = nullptr);

/// "file:PATH" with the bytes that a locator or an axis would take for something else as %XX.
std::string file_input_name(const std::filesystem::path& path);

/// PATH of "file:PATH?keys".
std::string path_of_file(std::string_view name);

/// Throws what file_input would throw for every n; reads the file for it.
void check_file_input(std::string_view locator, FileMemory* memory = nullptr);

/// The name of an input or table with the hash of its file's content, which makes a changed file
/// another one; names of no file and those that have a hash as they are. Throws what
/// check_file_input throws.
std::string with_file_hash(const std::string& name, FileMemory* memory = nullptr);

/// The name as it is before with_file_hash; reads no file.
std::string without_file_hash(const std::string& name);

}  // namespace fftprec
