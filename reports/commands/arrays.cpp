#include "reports/commands/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "algorithms/transforms/separable.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/testing/measure_result.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::commands {

namespace {

constexpr std::string_view suffix = ".npy";

std::vector<std::size_t> shape_of(const ComplexArray<double>& values, const ArrayForm& form) {
  std::vector<std::size_t> shape;
  if (form.batch > 1) shape.push_back(form.batch);
  if (!form.item.empty() && form.batch * elements(form.item) == values.size())
    shape.insert(shape.end(), form.item.begin(), form.item.end());
  else if (values.size() % form.batch == 0)
    shape.push_back(values.size() / form.batch);
  else
    shape = {values.size()};  // operands that all items share
  return shape;
}

}  // namespace

void check_array_path(const std::string& path) {
  require(path.ends_with(suffix) && path.size() > suffix.size(), path,
          ": expected a name that ends in .npy");
  check_writable(path);
}

ArrayForm operands_form(const Case& where, const TransformEntry& transform) {
  return {.batch = static_cast<std::size_t>(where.batch),
          .item = transform.item_shape(where.n).input,
          .real = transform.real_input};
}

ArrayForm results_form(const Case& where, const TransformEntry& transform) {
  return {.batch = static_cast<std::size_t>(where.batch),
          .item = transform.item_shape(where.n).output,
          .real = transform.real_output};
}

void add_words(Command& command, NamedWords& words) {
  command.add("--words FORMAT", words.format,
              "Fixed point of words: qI.F; default that of the mode");
  command.add(
      "--layout", words.layout,
      "Of words: interleaved (default), packed, split into\nx_re.hex and x_im.hex, or real");
}

bool takes_words(const std::string& path, const std::string& dtype) {
  return is_word_file(path) || bytes_of_integer(dtype) > 0;
}

void check_has_words(const CasePlan& plan) {
  const std::string& mode = plan.where().mode();
  const ArithmeticSpec& arithmetic = plan.resolved().arithmetic;
  constexpr std::string_view which =
      "words are of fixed point, as q1.15, and of blocks of integers that are stored, as bfp16 "
      "with "
      "rounding_points=stage";
  require(word_format_of(mode).has_value(), "mode ", mode, " has no words: ", which);
  require(arithmetic.counts_overflows() || arithmetic.block_format(), "mode ", mode,
          " with rounding_points=", plan.where().rounding_points(), " keeps its data in ",
          to_string(arithmetic.storage_format()), ", which has no words: ", which);
}

void check_form(const std::string& path, const ArrayForm& form) {
  if (!takes_words(path, form.dtype)) return check_array_path(path);
  require(is_word_file(path) || path.ends_with(suffix), path,
          ": expected a name that ends in .npy, .hex, .mem or .csv");
  require(form.words.has_value(), path,
          ": words are of fixed point: name a mode such as q1.15, or their format by --words");
  for (const std::filesystem::path& file : files_of_words(path, form.words->layout))
    check_writable(file);
}

void write_words(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form) {
  require(form.words.has_value(), path, ": words are of fixed point, and its format is not known");
  write_word_files(values, path, *form.words, shape_of(values, form), bytes_of_integer(form.dtype));
}

void write_array(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form) {
  if (takes_words(path, form.dtype)) return write_words(path, values, form);
  std::string bytes;
  try {
    bytes = npy_bytes(values,
                      {.shape = shape_of(values, form), .real = form.real, .dtype = form.dtype});
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  replace_file(path, bytes);
}

void add_input_file(Command& command, InputFile& file) {
  command.add(
      "--input FILE", file.path,
      "In place of -a input=...; unless -a says otherwise, its last\naxis is n and the rest "
      "the batch");
  command.add("--input-dtype", file.dtype, "Type of the values in an input of plain bytes");
  add_words(command, file.words);
  command.add("--exponents FILE.csv", file.words.exponents, "Block exponents of the words");
}

Case case_on_file(OneCaseRequest request, const InputFile& file) {
  if (file.path.empty()) return one_case(request, check_names).where;
  std::vector<std::string>& axes = request.axes;
  const auto given = [&](const std::string& axis) {
    for (const std::string& text : axes)
      if (text.starts_with(axis + "=")) return text.substr(axis.size() + 1);
    return std::string();
  };
  require(given("input").empty(), "--input ", file.path, " and -a input=", given("input"),
          " name two inputs");
  const std::string asked = given("transform").empty() ? "fft" : given("transform");
  const std::optional<WordForm> words =
      input_words(file.words, given("mode"), transform_named(asked).real_input);
  if (!words && is_word_file(file.path)) one_case(request, check_names);  // names the wrong mode
  const Samples samples = read_samples(file.path, 0, {.dtype = file.dtype, .words = words});
  if (given("n").empty()) axes.push_back(fmt::format("n={}", length_of(asked, samples.shape)));
  const std::string transform =
      transform_of_shape(asked, parse_unsigned(given("n")).value_or(0), samples.shape);
  std::ranges::replace(axes, "transform=" + asked, "transform=" + transform);
  if (const auto n = parse_unsigned(given("n")); given("batch").empty() && n && *n > 0)
    axes.push_back(
        fmt::format("batch={}", batch_of(transform_named(transform), *n, samples.values.size())));
  const std::string keys = samples.format.is_fixed() ? word_keys(*words, file.words.exponents)
                           : file.dtype.empty()      ? ""
                                                     : "dtype=" + file.dtype;
  axes.push_back("input=" + file_input_name(file.path) + (keys.empty() ? "" : "?") + keys);
  return one_case(request, check_names).where;
}

std::string stage_file(std::size_t number, std::string_view ending) {
  return fmt::format("stage_{:02}{}", number, ending);
}

void write_overflows(const std::string& path, const std::vector<attribution::Overflow>& overflows) {
  std::string text = "stage,index,part,value,beyond\n";
  for (const attribution::Overflow& one : overflows)
    text += fmt::format("{},{},{},{},{}\n", results::csv_cell(one.stage),
                        one.place ? std::to_string(*one.place) : "", one.is_imaginary ? "im" : "re",
                        shortest(one.value), shortest(one.beyond));
  replace_file(path, text);
}

std::string axes_toml(const Case& where, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const std::string value = column_named(name).text(Row{.where = where});
    // A JSON string is a TOML string, too.
    const bool number = parse_unsigned(value).has_value();
    text += fmt::format("{} = {}\n", name, number ? value : nlohmann::json(value).dump());
  }
  return text;
}

std::string toml_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".toml").string();
}

}  // namespace fftprec::commands
