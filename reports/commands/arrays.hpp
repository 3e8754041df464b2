/// Arrays that commands read and write for programs of others, and the text that says what they
/// are.
#pragma once

#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/transforms/registry.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

/// Throws InputError unless `path` ends in .npy and can be written.
void check_array_path(const std::string& path);

/// What a .npy file gets beside its values.
struct ArrayForm {
  std::size_t batch = 1;
  std::vector<std::size_t> item{};  ///< axes of an item; empty: one, or none that all items share
  bool real = false;
  std::string dtype{};  ///< empty: the narrowest of NumPy's own
};

/// Of the operands, or the results, of a case.
ArrayForm operands_form(const Case& where, const TransformEntry& transform);
ArrayForm results_form(const Case& where, const TransformEntry& transform);

/// Writes shape (batch, item axes ...), of one item without the first. Throws InputError("PATH:
/// ...") for values that the dtype does not hold, and as replace_file.
void write_array(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form);

/// A file that a command takes for the input of its case.
struct InputFile {
  std::string path{};   ///< empty: the case names its input
  std::string dtype{};  ///< of bytes alone
};

/// Options --input and --input-dtype.
void add_input_file(Command& command, InputFile& file);

/// one_case, on the file if one is given; n is then its last axis and the batch what is left, where
/// the request does not say. Throws as one_case, and InputError for two inputs.
Case case_on_file(OneCaseRequest request, const InputFile& file);

/// "stage_01.npy", ...
std::string stage_file(std::size_t number);

/// The axes `names` of a case as lines of TOML, `input = "gaussian"`.
std::string axes_toml(const Case& where, const std::vector<std::string>& names);

/// `x.npy` -> `x.toml`. Requires: check_array_path.
std::string text_beside(const std::string& path);

}  // namespace fftprec::commands
