/// Files of words of fixed point, in two's complement as hardware keeps them.
/// Source of .hex and .mem: $readmemh of IEEE 1800-2017, 21.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/files/sample_files.hpp"

namespace fftprec {

/// "interleaved", "packed", "split" or "real"; throws InputError for another name, listing these.
WordLayout word_layout_named(std::string_view name);
std::string_view name_of(WordLayout layout);

/// The word of a value. Throws InputError, with the range of the format, for a value that is not a
/// multiple of 2^(exponent-F) within it.
std::int64_t word_of_value(double value, const Format& format, int exponent = 0);

/// The value of a word. Throws InputError for a word beyond the format.
double value_of_word(std::int64_t word, const Format& format, int exponent = 0);

/// Whether the name ends in .hex, .mem or .csv.
bool is_word_file(const std::filesystem::path& path);

/// The type of integers in an array: int8, int16, int32 or int64; else 0.
std::size_t bytes_of_integer(std::string_view dtype);

/// The files that the name means: itself, or those of the two parts.
std::vector<std::filesystem::path> files_of_words(const std::filesystem::path& name,
                                                  WordLayout layout);

/// The values in the contents of files_of_words(name, form.layout), by the ending of the name:
/// - .hex and .mem: hexadecimal words in two's complement, between blanks and line ends. As
///   $readmemh reads them: comments, digits parted by '_', addresses that leave nothing out. Digits
///   above the bits of a word are 0, or continue its sign.
/// - .csv: whole numbers, "re,im" a line, or one number a line; the first line may hold names.
/// - .npy: whole numbers of 1, 2, 4 or 8 bytes.
/// Throws InputError "NAME:LINE: ..." for anything else, undefined digits (x, z), words beyond the
/// format, an odd number of interleaved words, parts of different lengths, exponents for another
/// number of values.
Samples parse_words(const std::vector<std::string>& contents, const std::filesystem::path& name,
                    const WordForm& form);

/// The contents of files_of_words(name, form.layout), which parse_words reads; in a .npy file
/// integers of `bytes` bytes, 0: the fewest. Throws InputError, without the name, as word_of_value
/// does, for imaginary parts of real numbers, and for words that the type or a .csv file of packed
/// words cannot hold.
std::vector<std::string> word_contents(const ComplexArray<double>& values,
                                       const std::filesystem::path& name, const WordForm& form,
                                       const std::vector<std::size_t>& shape,
                                       std::size_t bytes = 0);

/// Writes word_contents and, beside them, their exponents. If they have none, a file of exponents
/// beside them is of earlier words and is removed. Throws InputError "NAME: ..." as word_contents
/// does, and what replace_file throws.
void write_word_files(const ComplexArray<double>& values, const std::filesystem::path& name,
                      const WordForm& form, const std::vector<std::size_t>& shape,
                      std::size_t bytes = 0);

/// A form of words by its names, as options and lists give them. An empty layout is interleaved.
struct NamedWords {
  std::string format{};
  std::string layout{};
  std::string exponents{};  ///< their file; empty: none
};

/// The form, with its exponents. Without a format it is that of the data of `mode`; nothing if the
/// mode is unknown or has no integers. Throws InputError for unknown names, a format that is no
/// fixed point, and what parse_exponents throws.
std::optional<WordForm> word_form_named(const NamedWords& names, std::string_view mode = {});

/// word_form_named for the input of a transform. Without a layout, real values are in layout real.
std::optional<WordForm> input_words(const NamedWords& names, std::string_view mode, bool is_real);

/// word_form_named for data after the input. Without a layout, real values are in layout real. The
/// layout real of a complex transform is that of its input alone: then these are interleaved.
std::optional<WordForm> result_words(const NamedWords& names, std::string_view mode, bool is_real);

/// The words of the data of a mode: of fixed point, and of blocks of integers their q2.(B-2), which
/// the block's exponent scales. Nothing for other modes and unknown names.
std::optional<Format> word_format_of(std::string_view mode);

/// "x.exponents.csv" beside "x.hex".
std::filesystem::path exponents_beside(const std::filesystem::path& name);

/// The file of the exponents of words: `named`, or if that is empty the one beside them, or if
/// there is none "".
std::string exponents_file(const std::filesystem::path& name, const std::string& named = {});

/// Exponents as lines "first,re,im": the index of the first value of a block, its two exponents.
std::string exponents_csv(const BlockExponents& exponents);
BlockExponents parse_exponents(std::string_view csv, std::string_view name);

/// Whole numbers in a .npy file.
struct IntegerArray {
  std::vector<std::int64_t> numbers{};
  std::vector<std::size_t> shape{};
};
bool is_integer_npy(std::string_view npy, std::string_view name);
IntegerArray parse_integer_npy(std::string_view bytes, std::string_view name);
std::string integer_npy_bytes(const IntegerArray& array, std::size_t bytes);

}  // namespace fftprec
