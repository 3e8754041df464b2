/// `fftprec vectors`: the test vectors of a case as words for hardware and its simulation.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "arith/support/error.hpp"
#include "arith/support/version.hpp"
#include "experiments/attribution/vectors.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::commands {

namespace {

using nlohmann::ordered_json;

struct VectorsArguments {
  std::vector<std::string> axes;
  std::string directory;
  std::string format = "hex";
  std::string layout;
};

using Hashes = std::map<std::string, std::string>;

/// The files of the vectors that the folder holds, by its manifest, with their hashes. Throws
/// InputError for a manifest that `vectors` did not write.
Hashes earlier_files(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "manifest.json";
  if (!std::filesystem::exists(path)) return {};
  const ordered_json manifest = ordered_json::parse(read_file(path), nullptr, false);
  Hashes files;
  try {
    manifest.at("vectors");
    files = manifest.at("files").get<Hashes>();
  } catch (const ordered_json::exception&) {
    throw InputError(path.string() + ": is no manifest of vectors; choose another folder");
  }
  for (const auto& [name, hash] : files)
    for (const std::filesystem::path& part : std::filesystem::path(name))
      require(part != ".." && part != "/", path.string(), ": lists '", printable(name),
              "', which is outside the folder");
  return files;
}

/// A folder of vectors while it is written: every file with its hash.
class VectorFolder {
 public:
  VectorFolder(std::filesystem::path folder, std::string ending)
      : folder_(std::move(folder)), ending_(std::move(ending)), earlier_(earlier_files(folder_)) {}

  /// Writes an array as words, and its exponents; returns its entry of the manifest.
  ordered_json add(const std::string& name, const ComplexArray<double>& values,
                   const ArrayForm& form) {
    const std::filesystem::path path = folder_ / (name + ending_);
    write_words(path.string(), values, form);
    ordered_json entry;
    std::vector<std::string> files;
    for (const std::filesystem::path& each : files_of_words(path, form.words->layout))
      files.push_back(note(each));
    if (files.size() == 1)
      entry["file"] = files.front();
    else
      entry["files"] = files;
    entry["words"] = values.size();
    if (form.words->exponents) entry["exponents"] = note(exponents_beside(path));
    return entry;
  }

  /// Removes what the earlier manifest alone lists, then writes the new one. A file that has
  /// changed since it was written stays.
  void finish(ordered_json manifest) {
    for (const auto& [name, hash] : earlier_) {
      const std::filesystem::path path = folder_ / name;
      if (hashes_.contains(name) || !std::filesystem::is_regular_file(path)) continue;
      if (text_hash(read_file(path)) != hash) {
        changed_.push_back(path.string());
        continue;
      }
      std::filesystem::remove(path);
      ++removed_;
      const std::filesystem::path parent = path.parent_path();
      if (parent != folder_ && std::filesystem::is_empty(parent)) std::filesystem::remove(parent);
    }
    manifest["files"] = hashes_;
    replace_file(folder_ / "manifest.json", manifest.dump(2) + "\n");
  }

  std::size_t files() const { return hashes_.size(); }
  std::size_t removed() const { return removed_; }
  /// Files of earlier vectors that are not of these, but have changed.
  const std::vector<std::string>& changed() const { return changed_; }

 private:
  std::string note(const std::filesystem::path& path) {
    const std::string name = path.lexically_relative(folder_).generic_string();
    hashes_[name] = text_hash(read_file(path));
    return name;
  }

  std::filesystem::path folder_;
  std::string ending_;
  Hashes earlier_;
  ordered_json hashes_{};
  std::size_t removed_ = 0;
  std::vector<std::string> changed_{};
};

ordered_json axes_of(const Case& where) {
  ordered_json axes;
  for (const Column& axis : axis_columns())
    if (axis.name != "seed") axes[std::string(axis.name)] = axis.text(Row{.where = where});
  return axes;
}

ordered_json format_json(const Format& format) {
  return {{"format", to_string(format)},
          {"bits", width_of(format)},
          {"fraction_bits", -quantum_exponent(format)}};
}

std::string layout_text(WordLayout layout) {
  switch (layout) {
    case WordLayout::packed:
      return "one word {re, im} a value, re in the upper half";
    case WordLayout::split:
      return "real parts in *_re, imaginary parts in *_im, one word a value";
    case WordLayout::real:
      return "one word a value";
    case WordLayout::interleaved:
      break;
  }
  return "two words a value, re then im";
}

/// Throws InputError unless the cases are one but for their seeds.
std::vector<Case> cases_of(const VectorsArguments& arguments) {
  std::vector<Case> cases = arguments.axes.empty()
                                ? std::vector<Case>(1)
                                : plan_cases({{}, arguments.axes, {}}, check_names).cases.all();
  for (const Case& where : cases) {
    Case other = cases.front();
    other.seed = where.seed;
    require(other == where, "vectors are of one case, with one seed or several; these are ",
            short_text(cases.front()), " and ", short_text(where));
  }
  return cases;
}

ExitCode write_vectors(const VectorsArguments& arguments, Context& context) {
  const std::vector<Case> cases = cases_of(arguments);
  const Case& first = cases.front();
  require(!first.input.starts_with("file:") || cases.size() == 1,
          "an input from a file has one seed");
  const std::vector<std::string> endings{"hex", "mem", "npy", "csv"};
  index_named(endings, "format of vectors", arguments.format);
  Session session;
  const CasePlan plan = session.plan(first);
  check_applicable(plan);
  check_has_words(plan);
  const NamedWords names{.layout = arguments.layout};
  const WordForm words = *result_words(names, first.mode, false);
  create_writable_folder(arguments.directory);
  VectorFolder folder(arguments.directory, "." + arguments.format);

  const TransformEntry& transform = plan.resolved().transform;
  ordered_json manifest;
  manifest["program"] = "fftprec";
  manifest["version"] = results::program_version();
  manifest["git_hash"] = results::build_info().git_hash;
  manifest["numerics_version"] = numerics_version;
  manifest["case"] = axes_of(first);
  manifest["data"] = format_json(words.format);
  manifest["layout"] = name_of(words.layout);
  manifest["word_order"] = layout_text(words.layout);
  manifest["result_scale"] = result_scale(plan.resolved(), plan.n());
  try {
    const attribution::TableEntries tables = attribution::tables_of(plan);
    WordForm form = words;
    form.format = tables.format;
    if (form.format.is_fixed()) {
      ordered_json entry = format_json(tables.format);
      entry.update(folder.add("twiddles", tables.values, {.words = form}));
      entry["order"] =
          "as the algorithm keeps its tables; in radix2-dit and radix2-dif the stage with "
          "butterflies at distance h reads entries h .. 2h - 1, and none reads entry 0";
      manifest["twiddles"] = std::move(entry);
    } else {
      manifest["no_twiddles"] = "tables are in " + to_string(form.format) + ", which has no words";
    }
  } catch (const NotApplicable& reason) {
    manifest["no_twiddles"] = reason.what();
  }

  const auto form_of = [](ArrayForm form, const std::optional<WordForm>& own) {
    form.words = own;
    return form;
  };
  manifest["vectors"] = ordered_json::array();
  for (const Case& where : cases) {
    const CasePlan each = session.plan(where);
    const attribution::TestVectors vectors = attribution::vectors_of(
        each, transform.make_input(each.input(), where.n, where.batch, where.seed));
    const std::string name = fmt::format("seed_{}/", where.seed);
    create_writable_folder(arguments.directory + "/" + name);
    ordered_json entry;
    entry["seed"] = where.seed;
    const auto with_exponents = [](ArrayForm form, const std::optional<BlockExponents>& exponents) {
      form.words->exponents = exponents;
      return form;
    };
    entry["input"] =
        folder.add(name + "input", vectors.input,
                   with_exponents(form_of(operands_form(where, transform),
                                          input_words(names, where.mode, transform.real_input)),
                                  vectors.input_exponents));
    entry["stages"] = ordered_json::array();
    for (std::size_t i = 0; i < vectors.stages.size(); ++i) {
      const attribution::StageData& data = vectors.stages[i];
      ordered_json stage = {{"title", data.title}};
      try {
        stage.update(folder.add(
            name + fmt::format("stage_{:02}", i + 1), data.values,
            with_exponents(form_of(results_form(where, transform), words), data.exponents)));
      } catch (const InputError& reason) {  // the last stage, before the result is stored in blocks
        if (!plan.resolved().arithmetic.block_format()) throw;
        stage["no_words"] = reason.what();
      }
      entry["stages"].push_back(std::move(stage));
    }
    if (!vectors.no_stages.empty()) entry["no_stages"] = vectors.no_stages;
    entry["output"] =
        folder.add(name + "output", vectors.output,
                   with_exponents(form_of(results_form(where, transform),
                                          result_words(names, where.mode, transform.real_output)),
                                  vectors.output_exponents));
    entry["overflows"] = vectors.overflow_count;
    entry["output_hash"] = vectors.output_hash;
    manifest["vectors"].push_back(std::move(entry));
  }
  folder.finish(std::move(manifest));
  for (const std::string& file : folder.changed())
    context.err << "fftprec vectors: " << printable(file)
                << ": stays, although it is of earlier vectors, because it has changed\n";
  context.out << fmt::format(
      "{}: {} of vectors, {}{}\n", printable(arguments.directory), counted(cases.size(), "set"),
      counted(folder.files() + 1, "file"),
      folder.removed() > 0
          ? "; removed " + counted(folder.removed(), "file") + " of earlier vectors"
          : "");
  return ExitCode::ok;
}

}  // namespace

void add_vectors_command(CLI::App& app, Context& context) {
  Command command(
      app, "vectors", "Write the test vectors of a fixed-point case for hardware",
      "Examples:\n"
      "  fftprec vectors -a mode=q1.15 -a scale=stage:1/2 -a n=64 -a input=uniform -o vectors\n"
      "  fftprec vectors -a mode=q1.17:table=q1.15 -a 'machine=ieee{casts=rd}' -a n=1k \\\n"
      "      -a scale=shift:01 -a input=uniform -a seed=1..4 --format mem --layout packed -o v\n"
      "In DIR: twiddles, and for each seed S in seed_S the input as it is stored, the data after\n"
      "each stage and the output, as words in two's complement; manifest.json says what they are.\n"
      "Files of earlier vectors in DIR, by its manifest, are replaced or removed.\n"
      "Exit codes: 0, 2 names or files, 4 the case has no meaning.");
  const auto arguments = std::make_shared<VectorsArguments>();
  command.add_axes("AXIS=VALUES", arguments->axes, "Others at default");
  command.add("-o,--output DIR", arguments->directory, "Where to write them").required();
  command.add("--format", arguments->format, "hex (default), mem, npy or csv");
  command.add(
      "--layout", arguments->layout,
      "Of words: interleaved (default), packed, split into\nx_re.hex and x_im.hex, or real");
  command.run_if_applicable(context,
                            [arguments, &context] { return write_vectors(*arguments, context); });
}

}  // namespace fftprec::commands
