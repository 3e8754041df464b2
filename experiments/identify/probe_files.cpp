#include "experiments/identify/probe_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec::identify {

namespace {

constexpr const char* manifest_name = "probes.toml";

std::size_t write_matrix(const std::filesystem::path& path, const std::vector<float>& x,
                         std::size_t rows, std::size_t columns) {
  ComplexArray<double> values(x.size());
  std::ranges::copy(x, values.re.begin());
  const std::string bytes =
      npy_bytes(values, {.shape = {rows, columns}, .real = true, .dtype = "f4"});
  replace_file(path, bytes);
  return bytes.size();
}

std::vector<float> read_matrix(const std::filesystem::path& path, std::size_t rows,
                               std::size_t columns) {
  const Samples samples = parse_npy(read_file(path), path.string(), {.finite = false});
  const auto shape_text = [](const std::vector<std::size_t>& shape) {
    return fmt::format("({})", fmt::join(shape, ", "));
  };
  const std::vector<std::size_t> shape{rows, columns};
  require(samples.shape == shape, fmt::format("{}: shape {}, not {}", printable(path.string()),
                                              shape_text(samples.shape), shape_text(shape)));
  std::vector<float> values(samples.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = samples.values.re[i];
    values[i] = static_cast<float>(value);
    const bool kept = std::isnan(value) || static_cast<double>(values[i]) == value;
    require(kept && samples.values.im[i] == 0,
            fmt::format("{}: element ({}, {}) = {} is no float32", printable(path.string()),
                        i / columns, i % columns, value));
  }
  return values;
}

void check_operands(const std::vector<float>& x, const Format& format, std::size_t columns,
                    const std::filesystem::path& path) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = static_cast<double>(x[i]);
    require(std::isnan(value) || round(value, format, Rounding::rne) == value,
            fmt::format("{}: element ({}, {}) = {} is no {}", printable(path.string()), i / columns,
                        i % columns, value, to_string(format)));
  }
}

Batch read_batch(const TomlReader& toml, const toml::table& table, const Operands& operands,
                 const std::filesystem::path& directory) {
  toml.check_keys(table, {"name", "meaning", "m", "n", "k", "c"});
  Batch batch;
  batch.name = toml.text(table, "name");
  batch.meaning = toml.text(table, "meaning");
  for (const auto& [key, size] : {std::pair{"m", &batch.m}, {"n", &batch.n}, {"k", &batch.k}}) {
    *size = toml.value(table, key, count_from);
    if (*size < 1 || *size > 65536)
      throw toml.error(toml.node(table, key), fmt::format("{}={} is not in 1..65536", key, *size));
  }
  const std::filesystem::path folder = directory / batch.name;
  batch.a = read_matrix(folder / "A.npy", batch.m, batch.k);
  check_operands(batch.a, operands.a, batch.k, folder / "A.npy");
  batch.b = read_matrix(folder / "B.npy", batch.k, batch.n);
  check_operands(batch.b, operands.b, batch.n, folder / "B.npy");
  if (toml.value(table, "c", truth_value_from))
    batch.c = read_matrix(folder / "C.npy", batch.m, batch.n);
  return batch;
}

}  // namespace

std::size_t write_probes(const std::filesystem::path& directory, const ProbeOptions& options) {
  const std::vector<Batch> batches = probe_batches(options);
  create_writable_folder(directory);
  std::string manifest = fmt::format(
      "# Products that tell machines apart, written by fftprec probe. For each batch: read A.npy,\n"
      "# B.npy and, if it is there, C.npy of the folder NAME; cast A and B to the operands' type\n"
      "# (exact), compute D = A B or D = C + A B on the device, save D.npy beside them as "
      "float32.\n"
      "# A device without C skips those batches. Then: fftprec identify {}\n"
      "operands = \"{}\"\n",
      printable(directory.string()), to_string(options.operands));
  std::size_t bytes = 0;
  for (const Batch& batch : batches) {
    const std::filesystem::path folder = directory / batch.name;
    create_folder(folder);
    bytes += write_matrix(folder / "A.npy", batch.a, batch.m, batch.k);
    bytes += write_matrix(folder / "B.npy", batch.b, batch.k, batch.n);
    if (!batch.c.empty()) bytes += write_matrix(folder / "C.npy", batch.c, batch.m, batch.n);
    // Another device's answer, or one to other probes.
    std::filesystem::remove(folder / "D.npy");
    manifest += fmt::format(
        "\n[[batch]]\nname = \"{}\"\nmeaning = \"{}\"\nm = {}\nn = {}\nk = {}\nc = {}\n",
        batch.name, batch.meaning, batch.m, batch.n, batch.k, !batch.c.empty());
  }
  replace_file(directory / manifest_name, manifest);
  return bytes + manifest.size();
}

ProbeFiles read_probes(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / manifest_name;
  if (!std::filesystem::exists(path))
    throw InputError(printable(directory.string()) +
                     ": holds no probes.toml; `fftprec probe -o DIR` writes one");
  const TomlReader toml(path.string());
  const toml::table manifest = toml.parse(read_file(path));
  toml.check_keys(manifest, {"operands", "batch"});
  ProbeFiles probes;
  probes.operands = toml.value(
      manifest, "operands", [](const toml::node& node) { return operands_named(text_from(node)); });
  std::string missing;
  for (const toml::table* table : toml.tables(manifest, "batch")) {
    Batch batch = read_batch(toml, *table, probes.operands, directory);
    const std::filesystem::path answer = directory / batch.name / "D.npy";
    if (!std::filesystem::exists(answer)) {
      if (missing.empty()) missing = answer.string();
      probes.unanswered.push_back(std::move(batch));
      continue;
    }
    std::vector<float> d = read_matrix(answer, batch.m, batch.n);
    probes.answers.push_back({std::move(batch), std::move(d)});
  }
  if (probes.answers.empty())
    throw InputError(printable(missing) +
                     ": no batch has an answer; save each product A B as D.npy beside its A.npy");
  return probes;
}

}  // namespace fftprec::identify
