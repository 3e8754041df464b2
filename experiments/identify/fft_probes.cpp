#include "experiments/identify/fft_probes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "algorithms/fft/number_theory.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec::identify {

namespace {

constexpr const char* fft_manifest = "fft.toml";
constexpr std::size_t tones = 4;

/// Where impulses stand.
std::vector<std::size_t> impulses(std::size_t n) {
  std::set<std::size_t> places{0, 1, 2, 3, n / 2 - 1, n / 2, n / 2 + 1, n - 2, n - 1};
  if (n <= longest_with_all_impulses)
    for (std::size_t j = 0; j < n; ++j) places.insert(j);
  // In time a stage of radix r = 2..8 multiplies the impulses at n/L, ..., (r - 1) n/L alone.
  for (std::size_t left = 1; left < n; ++left)
    for (std::size_t k = 1; n % left == 0 && k < std::min<std::size_t>(8, n / left); ++k)
      places.insert(k * left);
  for (const PrimePower& factor : prime_powers(n))
    for (std::size_t j = factor.prime; j < n; j *= factor.prime)
      for (const std::size_t place : {j - 1, j, j + 1, n - j}) places.insert(place % n);
  constexpr std::size_t others = 16;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  for (std::uint64_t i = 1; i <= others; ++i)
    places.insert(static_cast<std::size_t>(((i * golden) >> 32) % n));
  return {places.begin(), places.end()};
}

/// A number of modulus about 1, and one 2^-12 as large with many digits: a product of the small one
/// that is rounded before it is added differs from one that is not.
ComplexArray<double> pairs(std::size_t n) {
  const std::pair<std::size_t, std::size_t> places[] = {
      {0, 1}, {1, 0}, {0, n / 2 + 1}, {n / 2 + 1, 0}, {1, 2}, {2, 1}, {0, n - 1}, {n - 1, 1}};
  ComplexArray<double> x(std::size(places) * n);
  constexpr double small_re = 0x1.89d12ep-12, small_im = -0x1.2c6f5ap-13;
  std::size_t first = 0;
  for (const auto& [large, small] : places) {
    x.re[first + large] = 1;
    x.im[first + large] = 0x1p-1;
    x.re[first + small] = small_re;
    x.im[first + small] = small_im;
    first += n;
  }
  return x;
}

ComplexArray<double> inputs(std::size_t n) {
  const std::vector<std::size_t> places = impulses(n);
  ComplexArray<double> x(places.size() * n);
  for (std::size_t row = 0; row < places.size(); ++row) x.re[row * n + places[row]] = 1;
  for (const ComplexArray<double>& more :
       {pairs(n), make_input("tone", n, tones, 1), make_input("gaussian", n, noise_rows, 1)}) {
    x.re.insert(x.re.end(), more.re.begin(), more.re.end());
    x.im.insert(x.im.end(), more.im.begin(), more.im.end());
  }
  return x;
}

std::string outside(std::size_t n) { return fmt::format("n={} is not in 4..{}", n, longest_probe); }

}  // namespace

ComplexArray<double> fft_probe_rows(std::size_t n) {
  require(n >= 4 && n <= longest_probe, outside(n));
  ComplexArray<double> x = inputs(n);
  for (auto* part : {&x.re, &x.im})
    for (double& value : *part) value = static_cast<double>(static_cast<float>(value));
  return x;
}

std::size_t write_fft_probes(const std::filesystem::path& directory,
                             std::span<const std::size_t> lengths) {
  for (auto n = lengths.begin(); n != lengths.end(); ++n) {
    require(*n >= 4 && *n <= longest_probe, outside(*n));
    require(std::find(lengths.begin(), n, *n) == n, fmt::format("n={} is given twice", *n));
  }
  create_writable_folder(directory);
  std::size_t bytes = 0;
  for (const std::size_t n : lengths) {
    const std::filesystem::path folder = directory / fmt::format("n{}", n);
    create_folder(folder);
    const ComplexArray<double> x = fft_probe_rows(n);
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
    const std::uint64_t count = parse_count(length).value_or(0);
    require(count >= 4 && count <= longest_probe,
            fmt::format("{}: {}", printable(path.string()), outside(count)));
    const auto n = static_cast<std::size_t>(count);
    const std::filesystem::path folder = directory / fmt::format("n{}", n);
    if (!std::filesystem::exists(folder / "X.npy")) continue;
    const auto array = [&](const char* name) {
      return parse_npy(read_file(folder / name), (folder / name).string());
    };
    const auto check = [&](const char* name, const Samples& samples,
                           const std::vector<std::size_t>& shape) {
      require(samples.shape == shape,
              fmt::format("{}: shape ({}), not ({})", printable((folder / name).string()),
                          fmt::join(samples.shape, ", "), fmt::join(shape, ", ")));
    };
    Samples x = array("x.npy");
    const std::size_t rows = std::max(x.values.size() / n, noise_rows + 1);
    check("x.npy", x, {rows, n});
    Samples device = array("X.npy");
    check("X.npy", device, {rows, n});
    answers.push_back({n, std::move(x.values), std::move(device.values)});
  }
  require(!answers.empty(),
          printable(directory.string()) +
              ": no length has an answer; save the transforms as X.npy beside x.npy");
  std::ranges::sort(answers, {}, &FftAnswer::n);
  return answers;
}

}  // namespace fftprec::identify
