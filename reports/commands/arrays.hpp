/// Arrays that commands exchange with other programs, and text files that describe them.
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

/// Shape and type of a .npy file.
struct ArrayForm {
  std::size_t batch = 1;
  std::vector<std::size_t> item{};  ///< axes of an item; empty: one axis, or all items share it
  bool real = false;
  std::string dtype{};  ///< empty: the narrowest of NumPy's own
};

/// The forms of the operands and the results of a case.
ArrayForm operands_form(const Case& where, const TransformEntry& transform);
ArrayForm results_form(const Case& where, const TransformEntry& transform);

/// Writes an array of shape (batch, item axes ...), or (item axes ...) for one item. Throws
/// InputError("PATH: ...") for values that the dtype cannot hold, and what replace_file throws.
void write_array(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form);

/// A file with the input of a case.
struct InputFile {
  std::string path{};   ///< empty: the case names its input
  std::string dtype{};  ///< type of a file of plain bytes
};

/// Options --input and --input-dtype.
void add_input_file(Command& command, InputFile& file);

/// one_case, with the file as input if one is given. Unless the request sets them, n is then the
/// last axis and the batch follows from the size. Throws what one_case throws, and InputError for
/// two inputs.
Case case_on_file(OneCaseRequest request, const InputFile& file);

/// "stage_01.npy", ...
std::string stage_file(std::size_t number);

/// The axes `names` of a case as lines of TOML, `input = "gaussian"`.
std::string axes_toml(const Case& where, const std::vector<std::string>& names);

/// `x.npy` -> `x.toml`. Requires: check_array_path.
std::string toml_beside(const std::string& path);

}  // namespace fftprec::commands
