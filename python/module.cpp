/// The extension module fftprec._core: passes NumPy arrays to and from the library, and offers its
/// commands as functions. Users see python/fftprec.
#include <pybind11/iostream.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <complex>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/programs.hpp"
#include "experiments/attribution/worst_output.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/words.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/testing/signal.hpp"
#include "reports/commands/cli.hpp"
#include "reports/commands/progress.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/results/environment.hpp"
#include "reports/results/run_reader.hpp"

namespace py = pybind11;

namespace fftprec::python {

namespace {

template <class Real>
using Reals = py::array_t<Real, py::array::c_style>;
template <class Real>
using Complexes = py::array_t<std::complex<Real>, py::array::c_style>;

std::vector<std::size_t> shape_of(const py::array& x) { return {x.shape(), x.shape() + x.ndim()}; }

/// The exact values of a contiguous array.
template <class Real>
ComplexArray<double> values_of(const Complexes<Real>& x) {
  return Signal(std::span(x.data(), static_cast<std::size_t>(x.size()))).values();
}

/// For arrays of complex64 or complex128; the package converts all others.
ComplexArray<double> values_of(const py::array& x) {
  return py::isinstance<Complexes<float>>(x) ? values_of<float>(Complexes<float>(x))
                                             : values_of<double>(Complexes<double>(x));
}

/// Returns one axis; the package reshapes it.
template <class Real>
py::array array_of(const ComplexArray<double>& values, bool real) {
  const auto size = static_cast<py::ssize_t>(values.size());
  if (real) {
    Reals<Real> out(size);
    for (std::size_t i = 0; i < values.size(); ++i)
      out.mutable_data()[i] = static_cast<Real>(values.re[i]);
    return out;
  }
  Complexes<Real> out(size);
  interleave(values, std::span(out.mutable_data(), values.size()));
  return out;
}

py::array array_of(const ComplexArray<double>& values, bool single, bool real) {
  return single ? array_of<float>(values, real) : array_of<double>(values, real);
}

template <class Real>
Reals<Real> rounded(const Reals<Real>& x, const std::string& format, const std::string& rounding,
                    int bits, std::uint64_t seed) {
  const Format to = format_named(format, read_list);
  const NamedRounding& how = rounding_entry(rounding);
  Reals<Real> out(shape_of(x));
  const std::span<const Real> in(x.data(), static_cast<std::size_t>(x.size()));
  const std::span<Real> result(out.mutable_data(), in.size());
  const py::gil_scoped_release others_run;
  round_array(in, result, to, how.rounding, best_isa(),
              StochasticRounding{.bits = bits, .seed = seed, .variant = how.variant});
  return out;
}

py::array input(const std::string& kind, std::size_t n, std::size_t batch, std::uint64_t seed,
                const std::string& transform) {
  const TransformEntry entry = transform_named(transform);
  return array_of(entry.make_input(input_named(kind), n, batch, seed), true, entry.real_input);
}

/// The axes of an item's input and output; no input axes if all items share an operand.
py::tuple items(const std::string& transform, std::size_t n) {
  const TransformEntry entry = transform_named(transform);
  const ItemShape shape = entry.item_shape(n);
  return py::make_tuple(shape.input, shape.output);
}

/// Values of axes by their names.
using AxisTexts = std::map<std::string, std::string>;

Case with_axes(const Case& where, const AxisTexts& axes) {
  Row row{.where = where};
  for (const auto& [name, value] : axes) {
    const Column& column = axis_columns()[axis_index(name)];
    column.parse(row, column.axis->of_file == nullptr ? value : column.axis->of_file(value));
  }
  return row.where;
}

py::tuple run(const py::array& x, const std::string& transform, std::size_t n,
              const AxisTexts& axes) {
  const TransformEntry entry = transform_named(transform);
  const Case where =
      with_axes(case_of(transform, n, shape_of(x), static_cast<std::size_t>(x.size())), axes);
  Output output;
  {
    const ComplexArray<double> input = values_of(x);
    const py::gil_scoped_release others_run;
    output = run_in_mode(algorithm_named(where.algorithm), where, input);
  }
  const bool single =
      resolve(mode_named(where.mode, read_list), faulty_machine_named(where.machine)).type() ==
      ArithmeticType::floats;
  py::array values = array_of(output.values, single, entry.real_output);
  return py::make_tuple(std::move(values), py::cpp_function([output = std::move(output)] {
                          return output_hash(output);
                        }));
}

/// Other Python threads may run meanwhile.
ForeignProblem problem_of(const py::array& x, const std::string& transform, std::size_t n) {
  Samples given{.values = values_of(x), .shape = shape_of(x)};
  const py::gil_scoped_release others_run;
  return foreign_problem(transform, n, std::move(given));
}

/// The predicted columns, for input that uses all bits of fp32, and the counts.
py::dict predict(std::size_t n, std::size_t batch, const AxisTexts& axes) {
  Row row{.where = with_axes({.n = n, .batch = batch}, axes)};
  const CasePlan plan = Session().plan(row.where);
  check_applicable(plan);
  require(plan.resolved().algorithm.is_predictable(), row.where.algorithm() + " has no model");
  ComplexArray<double> all_bits(1);
  all_bits.re[0] = 1 + 0x1p-23;
  const bool rounded = rounds_input(plan.resolved(), all_bits, best_isa());
  const ErrorModel whole = predict_into(row, plan, nullptr, rounded);
  py::dict result;
  result["expected_l2_rel"] = row.expected_l2_rel;
  result["expected_gain"] = row.expected_gain;
  result["bound_l2_rel"] = row.bound_l2_rel;
  result["bound_name"] = row.bound_name;
  result["bound_prob_l2_rel"] = row.bound_prob_l2_rel;
  result["matmul_passes"] = row.matmul_passes;
  result["real_multiplications"] = row.real_multiplications;
  result["operations"] = whole.cost.operations.multiplications + whole.cost.operations.additions;
  result["unit_roundoff"] = unit_roundoff(result_format(plan));
  result["conversions"] = whole.cost.operations.conversions;
  result["kernel_calls"] = whole.calls.tensor + whole.calls.vector;
  result["tensor_cycles"] = whole.cost.cycles.tensor;
  result["vector_cycles"] = whole.cost.cycles.vector;
  return result;
}

py::dict truth_of(const py::array& x, const std::string& transform, std::size_t n) {
  const truth::Truth truth = problem_of(x, transform, n).problem.truth;
  const bool real = transform_named(transform).real_output;
  py::dict result;
  result["value"] = array_of(truth.hi, false, real);
  result["lo"] = array_of(truth.lo, false, real);
  result["radius"] = truth.element_radius;
  result["bits"] = truth.bits;
  result["tier"] = std::string(truth::name_of(truth.tier));
  return result;
}

/// The words of reals of any shape.
py::array words_of(const Reals<double>& x, const std::string& format, int exponent) {
  const Format to = format_named(format);
  py::array_t<std::int64_t> words(shape_of(x));
  for (py::ssize_t i = 0; i < x.size(); ++i)
    words.mutable_data()[i] = word_of_value(x.data()[i], to, exponent);
  return words;
}

py::array values_of_words(const py::array_t<std::int64_t, py::array::c_style>& words,
                          const std::string& format, int exponent) {
  const Format from = format_named(format);
  Reals<double> x(shape_of(words));
  for (py::ssize_t i = 0; i < words.size(); ++i)
    x.mutable_data()[i] = value_of_word(words.data()[i], from, exponent);
  return x;
}

py::array read_words(const std::string& path, const std::string& format, const std::string& layout,
                     const std::string& exponents) {
  const Samples samples =
      read_samples(path, 0, {.words = word_form_named({format, layout, exponents})});
  Complexes<double> x(samples.shape);
  interleave(samples.values, std::span(x.mutable_data(), samples.values.size()));
  return x;
}

void write_words(const std::string& path, const py::array& x, const std::vector<std::size_t>& shape,
                 const std::string& format, const std::string& layout) {
  const std::optional<WordForm> form = word_form_named({format, layout});
  require(is_word_file(path) || path.ends_with(".npy"), path,
          ": expected a name that ends in .npy, .hex, .mem or .csv");
  write_word_files(values_of(x), path, *form, shape);
}

double noise_gain_of(const std::string& transform, std::size_t n, const std::string& norm) {
  return noise_gain({.transform = transform, .n = n}, norm_named(norm));
}

py::dict measure(const py::array& y, const py::array& x, const std::string& transform,
                 std::size_t n, const std::string& norm, const std::string& format, bool per_bin) {
  ForeignProblem asked = problem_of(x, transform, n);
  asked = in_norm(std::move(asked), norm_named(norm));
  const ComplexArray<double> output = values_of(y);
  const Format steps = format_named(format, read_list);
  const Row row = measure_result(asked, output, steps);
  py::dict result;
  for (const Column& column : columns())
    if (const auto value = column.metric ? column.number(row) : std::nullopt)
      result[py::str(std::string(column.name))] = *value;
  result["suspicion"] = suspicion(asked, output, steps);
  result["not_finite"] = non_finite(asked, output);
  if (per_bin)
    result["error"] = array_of(attribution::differences(output, asked.problem.truth), false,
                               transform_named(transform).real_output);
  return result;
}

/// A Python object that C++ threads hold, perhaps longer than Python runs.
std::shared_ptr<py::object> kept(py::object object) {
  return {new py::object(std::move(object)), [](py::object* last) {
            if (!Py_IsInitialized()) return;  // its memory ends with the process
            const py::gil_scoped_acquire python;
            delete last;
          }};
}

/// The whole transform that the Python function `result(transform, lengths, inverse, items)`
/// computes.
WholeFunction whole_of(const py::object& result) {
  return [result = kept(result)](const WholeTransform& asked, std::size_t batch,
                                 const ComplexArray<double>& items) {
    const py::gil_scoped_acquire python;
    try {
      std::vector<std::size_t> shape{batch};
      shape.insert(shape.end(), asked.lengths.begin(), asked.lengths.end());
      std::size_t others = 1;
      for (std::size_t i = 0; i + 1 < shape.size(); ++i) others *= shape[i];
      shape.back() = items.size() / others;
      py::array x = array_of(items, asked.format != fp64, asked.real_input).reshape(shape);
      const auto y = Complexes<double>::ensure((*result)(
          asked.name, asked.lengths, asked.direction == Direction::inverse, std::move(x)));
      if (!y) throw py::error_already_set();
      const auto size = static_cast<std::size_t>(y.size());
      require(size == batch * asked.output_size, "the function returns ", size,
              " values, expected ", batch * asked.output_size);
      ComplexArray<double> values = values_of<double>(y);
      for (auto* parts : {&values.re, &values.im})
        for (double& part : *parts) part = round(part, asked.format, Rounding::rne);
      return values;
    } catch (const py::error_already_set& error) {
      const std::string what = std::string(py::str(error.value()));
      if (error.matches(PyExc_NotImplementedError)) throw NotApplicable(what);
      throw InputError(std::string(py::str(error.type().attr("__name__"))) + ": " + what);
    }
  };
}

/// Runs a command of the program. Progress goes to the Python object `file`, if there is one, and
/// as a bar to standard error if that is a terminal.
py::tuple command(std::vector<std::string> words, const py::object& file) {
  words.insert(words.begin(), "fftprec");
  std::ostringstream out, err;
  int code = 0;
  py::detail::pythonbuf buffer(file.is_none() ? py::module_::import("io").attr("StringIO")()
                                              : file);
  std::ostream shown(&buffer);
  {
    const py::gil_scoped_release others_run;
    commands::Context context{out, err, std::move(words)};
    context.owns_process = false;
    context.progress = commands::is_terminal(std::cerr) ? &std::cerr : &shown;
    code = commands::run_cli(context);
  }
  return py::make_tuple(code, out.str(), err.str());
}

/// A cell of a row as a Python value; None where it is empty.
py::object cell_of(const Column& column, const std::string& text) {
  if (text.empty()) return py::none();
  if (!holds_numbers(column)) return py::str(text);
  if (const auto count = parse_unsigned(text)) return py::int_(*count);
  return py::float_(parse_double(text).value());
}

/// The rows of a run as dictionaries, one at a time.
class RowDictionaries {
 public:
  explicit RowDictionaries(const std::filesystem::path& run) : rows_(run) {}

  py::dict next() {
    const Row* row = rows_.next();
    if (row == nullptr) throw py::stop_iteration();
    if (cells_.empty()) read_names(*row);
    py::dict result;
    for (Cell& cell : cells_) {
      if (std::string text = cell.column->text(*row); text != cell.text) {
        cell.value = cell_of(*cell.column, text);
        cell.text = std::move(text);
      }
      result[cell.name] = cell.value;
    }
    return result;
  }

 private:
  struct Cell {
    const Column* column;
    py::str name;
    std::string text{};  ///< of the row above
    py::object value = py::none();
  };

  /// Rows of one file have the same columns.
  void read_names(const Row& row) {
    const auto add = [this](const Column& column) {
      cells_.push_back({&column, py::str(std::string(column.name))});
    };
    for (const Column& column : columns()) add(column);
    if (!row.over_seeds) return;
    add(statistics_columns().front());
    for (const Column* metric : summarised_metrics(row))
      for (const Column& column : statistics_of(*metric)) add(column);
  }

  results::RunReader rows_;
  std::vector<Cell> cells_{};
};

template <class Items>
py::dict summaries(const Items& items) {
  py::dict result;
  for (const auto& item : items)
    result[py::str(std::string(item.name))] = std::string(item.summary);
  return result;
}

}  // namespace

PYBIND11_MODULE(_core, core) {
  core.attr("version") = std::string(results::build_info().version);
  core.def("round", &rounded<float>);
  core.def("round", &rounded<double>);
  core.def("input", &input);
  core.def("items", &items);
  core.def("short_number", &short_number, py::arg("value"), py::arg("digits") = 3);
  core.def("axes", &axis_names);
  core.def("shown_name", &shown_name);
  core.def("length", &length_of);
  core.def("input_axes", &input_axes);
  core.def("transform_over", &transform_over);
  core.def("convert_image", &figures::convert_image);
  core.def("run", &run);
  core.def("predict", &predict);
  core.def("framed",
           [](const std::string& transform) { return transform_named(transform).framed; });
  core.def("real_output",
           [](const std::string& transform) { return transform_named(transform).real_output; });
  core.def("noise_gain", &noise_gain_of);
  core.def("words_of", &words_of);
  core.def("values_of_words", &values_of_words);
  core.def("format_bits", [](const std::string& format) { return width_of(format_named(format)); });
  core.def("read_words", &read_words);
  core.def("write_words", &write_words);
  core.def("truth", &truth_of);
  core.def("measure", &measure);
  core.def("command", &command);
  core.def("add_program",
           [](const std::string& name, const std::string& version, const py::object& result) {
             add_program(name, version, whole_of(result));
           });
  core.def("add_programs", &add_programs);
  core.def("name_programs", &add_programs_at);
  py::class_<RowDictionaries>(core, "RowDictionaries")
      .def(py::init<const std::filesystem::path&>())
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &RowDictionaries::next);
  core.def("formats", [] { return summaries(named_formats()); });
  core.def("roundings", [] { return summaries(named_roundings()); });
  core.def("modes", [] { return summaries(list_modes()); });
  core.def("machines", [] { return summaries(list_machines()); });
  core.def("algorithms", [] { return summaries(list_algorithms()); });
  core.def("transforms", [] { return summaries(list_transforms()); });
  core.def("inputs", [] { return summaries(list_inputs()); });
  core.def("tables", [] { return summaries(list_tables()); });
}

}  // namespace fftprec::python
