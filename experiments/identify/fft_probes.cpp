#include "experiments/identify/fft_probes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/toml_reader.hpp"
#include "experiments/testing/measure_result.hpp"

namespace fftprec::identify {

namespace {

constexpr const char* fft_manifest = "fft.toml";
constexpr std::size_t longest = 1024;
constexpr std::size_t tones = 4;
constexpr std::size_t noises = 4;

/// Rows `first` to first + count - 1.
ComplexArray<double> rows_of(const ComplexArray<double>& x, std::size_t n, std::size_t first,
                             std::size_t count) {
  return part_of(x, first * n, count * n);
}

ComplexArray<double> inputs(std::size_t n) {
  ComplexArray<double> x(n * n);
  for (std::size_t j = 0; j < n; ++j) x.re[j * n + j] = 1;
  for (const auto& [name, count] : {std::pair{"tone", tones}, {"gaussian", noises}}) {
    const ComplexArray<double> more = make_input(name, n, count, 1);
    x.re.insert(x.re.end(), more.re.begin(), more.re.end());
    x.im.insert(x.im.end(), more.im.begin(), more.im.end());
  }
  return x;
}

/// Of the shortest significand that holds x.
int significant_bits(double x) {
  int exponent = 0;
  const auto significand =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  return significand == 0 ? 0 : 53 - std::countr_zero(significand);
}

/// What the device's matrix has in common with each source.
std::vector<TableReading> read_tables(const FftAnswer& answer, const Format& format) {
  const std::size_t n = answer.n;
  std::vector<RootIndex> roots;
  for (std::size_t i = 0; i < n * n; ++i) roots.emplace_back(i / n, i % n, n, AngleOrder::product);
  std::vector<TableReading> readings;
  std::map<std::string, std::size_t> known;  // by the entries
  ComplexArray<double> table(roots.size());
  const auto memory = std::make_shared<TableMemory>();
  for (const Named& source : table_candidates()) {
    table_source(source.name, memory).fill(roots, format, table.re.data(), table.im.data());
    const auto [place, is_new] = known.emplace(array_hash(table), readings.size());
    if (!is_new) {
      readings[place->second].alike.push_back(source.name);
      continue;
    }
    TableReading reading{source.name};
    for (std::size_t i = 0; i < roots.size(); ++i)
      reading.equal += table.re[i] == answer.device.re[i] && table.im[i] == answer.device.im[i];
    readings.push_back(std::move(reading));
  }
  std::ranges::stable_sort(readings,
                           [](const auto& x, const auto& y) { return x.equal > y.equal; });
  return readings;
}

bool is_nearer(const FftVariant& x, const FftVariant& y) { return x.distance < y.distance; }

/// Variants of one length, on the last rows of noise.
class FftSearch {
 public:
  /// Of a device whose outputs are floats, if `single`.
  FftSearch(const FftAnswer& answer, bool single)
      : answer_(answer),
        single_(single),
        x_(rows_of(answer.x, answer.n, answer.x.size() / answer.n - sampled, sampled)),
        device_(rows_of(answer.device, answer.n, answer.x.size() / answer.n - sampled, sampled)) {}

  std::size_t tried() const { return tried_; }

  /// Nearest first: all on one machine; then the nearest that a machine matters to on the others.
  std::vector<FftVariant> nearest() {
    const std::vector<Named> candidates = table_candidates();
    for (const Named& algorithm : list_algorithms())
      for (const Named& mode : list_modes())
        for (const Named& tables : candidates)
          add({.algorithm = algorithm.name,
               .mode = mode.name,
               .tables = tables.name,
               .n = answer_.n,
               .batch = sampled});
    std::vector<FftVariant> nearest;
    for (const FftVariant& each : found())
      if (nearest.size() < most_on_all_machines && calls_engine(each.where))
        nearest.push_back(each);
    for (const FftVariant& each : nearest)
      for (const FaultyMachine& preset : faulty_machines().presets()) {
        const auto on_preset = [&](Case where) {
          where.machine = preset.name;
          return add(where);
        };
        if (preset.name == Case().machine || on_preset(each.where) != 0) continue;
        for (const Case& other : each.alike)
          if (other.mode == each.where.mode) on_preset(other);  // with other tables
      }
    return found();
  }

  /// The nearest variant in all rows, among those of this mode and machine: two rows may not
  /// separate their tables. `alike` are the equally near ones.
  FftVariant in_all_rows(const FftVariant& variant) {
    std::vector<FftVariant> of_tables{{variant.where}};
    for (const Case& each : variant.alike)
      if (each.mode == variant.where.mode && each.machine == variant.where.machine)
        of_tables.push_back({each});
    for (FftVariant& each : of_tables) compare_in_all_rows(each);
    FftVariant best = *std::ranges::min_element(of_tables, is_nearer);
    for (const FftVariant& each : of_tables)
      if (each.distance == best.distance && each.where.tables != best.where.tables)
        best.alike.push_back(each.where);
    for (const Case& each : variant.alike)
      if (each.tables == best.where.tables &&
          (each.mode != best.where.mode || each.machine != best.where.machine))
        best.alike.push_back(each);
    return best;
  }

 private:
  static constexpr std::size_t sampled = 2;
  static constexpr std::size_t most_on_all_machines = 60;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// As the device would hand it over.
  ComplexArray<double> stored(const Output& output) const {
    return single_ ? converted<double>(converted<float>(output.values)) : output.values;
  }

  bool calls_engine(const Case& where) {
    Case counted = where;
    counted.batch = sampled;
    const CasePlan plan = session_.plan(counted);
    return !plan.resolved().algorithm.is_predictable() || plan.prediction()->calls.tensor > 0;
  }

  /// The distance from the device, or infinity.
  double add(const Case& where) {
    try {
      const CasePlan plan = session_.plan(where);
      if (!plan.inapplicable().empty()) return infinity;
      FftVariant variant{where};
      compare(variant, stored(run_case(plan, x_, {.round_trip = false})), device_);
      ++tried_;
      // The same difference from the device is the same result.
      const auto [place, is_new] =
          places_.emplace(std::pair(where.algorithm, variant.distance), found_.size());
      if (is_new)
        found_.push_back(variant);
      else
        found_[place->second].alike.push_back(where);
      return variant.distance;
    } catch (const InputError&) {  // a unit that the machine has not
      return infinity;
    }
  }

  /// Nearest first.
  std::vector<FftVariant> found() const {
    std::vector<FftVariant> sorted = found_;
    std::ranges::stable_sort(sorted, is_nearer);
    return sorted;
  }

  void compare_in_all_rows(FftVariant& variant) {
    const Output output = run_case(session_.plan(variant.where), answer_.x, {.round_trip = false});
    compare(variant, stored(output), answer_.device);
  }

  static void compare(FftVariant& variant, const ComplexArray<double>& y,
                      const ComplexArray<double>& device) {
    double difference = 0, size = 0;
    variant.equal = 0;
    for (const auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double d = (device.*part)[i];
        variant.equal += (y.*part)[i] == d;
        difference += std::pow((y.*part)[i] - d, 2);
        size += d * d;
      }
    variant.distance = std::sqrt(difference / size);
    if (!std::isfinite(variant.distance)) variant.distance = infinity;
  }

  const FftAnswer& answer_;
  bool single_;
  ComplexArray<double> x_, device_;
  Session session_{};
  std::vector<FftVariant> found_{};
  std::map<std::pair<std::string, double>, std::size_t> places_{};  ///< by algorithm and distance
  std::size_t tried_ = 0;
};

}  // namespace

std::size_t write_fft_probes(const std::filesystem::path& directory,
                             std::span<const std::size_t> lengths) {
  for (auto n = lengths.begin(); n != lengths.end(); ++n) {
    require(*n >= 4 && *n <= longest, fmt::format("n={} is not in 4..{}", *n, longest));
    require(std::find(lengths.begin(), n, *n) == n, fmt::format("n={} is given twice", *n));
  }
  create_writable_folder(directory);
  std::size_t bytes = 0;
  for (const std::size_t n : lengths) {
    const std::filesystem::path folder = directory / fmt::format("n{}", n);
    create_folder(folder);
    const ComplexArray<double> x = inputs(n);
    const std::string text = npy_bytes(x, {.shape = {x.size() / n, n}, .dtype = "c8"});
    replace_file(folder / "x.npy", text);
    std::filesystem::remove(folder / "X.npy");  // another device's answer
    bytes += text.size();
  }
  replace_file(
      directory / fft_manifest,
      fmt::format(
          "# Written by fftprec probe --fft. For each length: read nN/x.npy, transform its rows "
          "by a\n# forward FFT without a factor, save nN/X.npy. Then: fftprec identify {}\n"
          "lengths = [{}]\n",
          printable(directory.string()), fmt::join(lengths, ", ")));
  return bytes;
}

bool holds_fft_probes(const std::filesystem::path& directory) {
  return std::filesystem::exists(directory / fft_manifest);
}

std::vector<FftAnswer> read_fft_probes(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / fft_manifest;
  const TomlReader toml(path.string());
  const toml::table manifest = toml.parse(read_file(path));
  toml.check_keys(manifest, {"lengths"});
  std::vector<FftAnswer> answers;
  for (const std::string& length : toml.value(manifest, "lengths", scalars_from)) {
    const std::uint64_t n = parse_count(length).value_or(0);
    require(n >= 4 && n <= longest,
            fmt::format("{}: n={} is not in 4..{}", printable(path.string()), length, longest));
    const std::filesystem::path folder = directory / fmt::format("n{}", n);
    const auto array = [&](const char* name) {
      const std::filesystem::path file = folder / name;
      Samples samples = parse_npy(read_file(file), file.string());
      const std::vector<std::size_t> shape{n + tones + noises, n};
      require(samples.shape == shape,
              fmt::format("{}: shape ({}), not ({})", printable(file.string()),
                          fmt::join(samples.shape, ", "), fmt::join(shape, ", ")));
      return std::move(samples.values);
    };
    if (std::filesystem::exists(folder / "X.npy"))
      answers.push_back({n, array("x.npy"), array("X.npy")});
  }
  require(!answers.empty(),
          printable(directory.string()) +
              ": no length has an answer; save the transforms as X.npy beside x.npy");
  return answers;
}

FftIdentification identify_fft(const FftAnswer& answer) {
  const std::size_t n = answer.n;
  const std::size_t rows = answer.x.size() / n;
  FftIdentification result{.n = n, .rows = rows};
  for (const auto* part : {&answer.device.re, &answer.device.im})
    for (const double value : *part) result.bits = std::max(result.bits, significant_bits(value));
  const std::size_t first = rows - noises;
  const ForeignProblem asked =
      foreign_problem("fft", n, {rows_of(answer.x, n, first, noises), {noises, n}});
  const ComplexArray<double> noise = rows_of(answer.device, n, first, noises);
  result.error = *measure_result(asked, noise, fp64).err_l2_rel;
  result.suspicion = suspicion(asked, noise);
  result.tables = read_tables(answer, result.bits <= bf16.precision   ? bf16
                                      : result.bits <= fp16.precision ? fp16
                                      : result.bits <= fp32.precision ? fp32
                                                                      : fp64);
  FftSearch search(answer, result.bits <= fp32.precision);
  result.variants = search.nearest();
  result.tried = search.tried();
  constexpr std::size_t shown = 5;
  std::vector<FftVariant>& variants = result.variants;
  std::erase_if(variants, [&, count = std::size_t{0}](const FftVariant& each) mutable {
    return ++count > shown && each.distance > 0;
  });
  for (FftVariant& each : variants) each = search.in_all_rows(each);
  std::ranges::stable_sort(variants, is_nearer);
  result.fits = variants.front().distance == 0;
  if (result.fits)
    std::erase_if(variants, [](const FftVariant& each) { return each.distance > 0; });
  else
    variants.resize(std::min(shown, variants.size()));
  return result;
}

}  // namespace fftprec::identify
