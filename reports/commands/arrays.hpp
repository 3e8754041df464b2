/// Arrays that commands exchange with other programs, and text files that describe them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/attribution/vectors.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/files/words.hpp"
#include "experiments/transforms/registry.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

/// Throws InputError unless `path` ends in .npy and can be written.
void check_array_path(const std::string& path);

/// Shape and type of an array in a file.
struct ArrayForm {
  std::size_t batch = 1;
  std::vector<std::size_t> item{};  ///< axes of an item; empty: one axis, or all items share it
  bool real = false;
  std::string dtype{};              ///< int8 .. int64: words; empty: the narrowest of NumPy's own
  std::optional<WordForm> words{};  ///< of files of words, and of integers
};

/// Options --words and --layout.
void add_words(Command& command, NamedWords& words);

/// Whether the file, or the type of its values, holds words.
bool takes_words(const std::string& path, const std::string& dtype);

/// Throws InputError unless the array can be written: a .npy file, or words of a known format.
void check_form(const std::string& path, const ArrayForm& form);

/// Throws InputError, which names modes that have words, if the data of the case have none.
void check_has_words(const CasePlan& plan);

/// The forms of the operands and the results of a case.
ArrayForm operands_form(const Case& where, const TransformEntry& transform);
ArrayForm results_form(const Case& where, const TransformEntry& transform);

/// Writes an array of shape (batch, item axes ...), or (item axes ...) for one item, or words, with
/// their exponents in a file beside them. Throws InputError("PATH: ...") for values that the dtype
/// or the words cannot hold, and what replace_file throws.
void write_array(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form);

/// Writes words by the ending of `path`, .npy among them, and their exponents beside them. Throws
/// InputError as above, and for an unknown format.
void write_words(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form);

/// A file with the input of a case.
struct InputFile {
  std::string path{};   ///< empty: the case names its input
  std::string dtype{};  ///< type of a file of plain bytes
  NamedWords words{};
};

/// Options --input, --input-dtype, --words, --layout and --exponents.
void add_input_file(Command& command, InputFile& file);

/// one_case, with the file as input if one is given. Unless the request sets them, n is then the
/// last axis and the batch follows from the size. Throws what one_case throws, and InputError for
/// two inputs.
Case case_on_file(OneCaseRequest request, const InputFile& file);

/// "stage_01.npy", ..., or another ending.
std::string stage_file(std::size_t number, std::string_view ending = ".npy");

/// Writes the results of a case that leave the range of fixed point,
/// "stage,index,part,value,beyond" a line; the index is that in the stage's array of the whole
/// batch.
void write_overflows(const std::string& path, const std::vector<attribution::Overflow>& overflows);

/// The axes `names` of a case as lines of TOML, `input = "gaussian"`.
std::string axes_toml(const Case& where, const std::vector<std::string>& names);

/// `x.npy` -> `x.toml`.
std::string toml_beside(const std::string& path);

}  // namespace fftprec::commands
