#include "reports/commands/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  return {.batch = where.batch,
          .item = transform.item_shape(where.n).input,
          .real = transform.real_input};
}

ArrayForm results_form(const Case& where, const TransformEntry& transform) {
  return {.batch = where.batch,
          .item = transform.item_shape(where.n).output,
          .real = transform.real_output};
}

void write_array(const std::string& path, const ComplexArray<double>& values,
                 const ArrayForm& form) {
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
      "--input FILE.npy", file.path,
      "In place of -a input=...; unless -a says otherwise, its last\naxis is n and the rest "
      "the batch");
  command.add("--input-dtype", file.dtype, "Type of the values in an input of plain bytes");
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
  const Samples samples = read_samples(file.path, 0, {.dtype = file.dtype});
  const std::string asked = given("transform").empty() ? "fft" : given("transform");
  if (given("n").empty()) axes.push_back(fmt::format("n={}", length_of(asked, samples.shape)));
  const std::string transform =
      transform_of_shape(asked, parse_unsigned(given("n")).value_or(0), samples.shape);
  std::ranges::replace(axes, "transform=" + asked, "transform=" + transform);
  if (const auto n = parse_unsigned(given("n")); given("batch").empty() && n && *n > 0)
    axes.push_back(
        fmt::format("batch={}", batch_of(transform_named(transform), *n, samples.values.size())));
  axes.push_back("input=" + file_input_name(file.path) +
                 (file.dtype.empty() ? "" : "?dtype=" + file.dtype));
  return one_case(request, check_names).where;
}

std::string stage_file(std::size_t number) { return fmt::format("stage_{:02}.npy", number); }

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
  return path.substr(0, path.size() - suffix.size()) + ".toml";
}

}  // namespace fftprec::commands
