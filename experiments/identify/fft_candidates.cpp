#include "experiments/identify/fft_candidates.hpp"

#include <algorithm>
#include <ranges>

#include "algorithms/arithmetic/modes.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/support/names.hpp"

namespace fftprec::identify {

namespace {

/// The values of a key to try, its default first.
std::vector<std::string> values_of(const Key& key, std::span<const std::string> inner) {
  std::vector<std::string> values{key.value};
  const auto add = [&](const auto& more) {
    for (const std::string& value : more)
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  add(key.choices);
  if (key.name == "inner") add(inner);
  return values;
}

/// The plans of libraries, in place of all values of keys.
constexpr const char* library_plans[] = {
    ":radices=2-4",                                   // fft.js
    ":order=reversed:butterfly=kissfft",              // KissFFT in C, dlib, kissfft-js
    ":order=reversed:butterfly=kissfft-cpp",          // KissFFT's header for C++, Armadillo, Eigen
    ":radices=2-4:form=frequency:butterfly=fftpack",  // NumPy 1.24, PFFFT
    ":radices=2-3-4:form=frequency:butterfly=fftpack",
    ":radices=2-8-4:form=frequency:butterfly=fftpack",  // pocketfft for C++: SciPy, PyTorch
    ":radices=5-4-3-2:form=frequency:butterfly=gsl"};   // GSL

const std::string on_ieee = "ieee";

Case on(const std::string& mode, const std::string& machine,
        const std::string& rounding_points = Case{}.rounding_points) {
  return {.mode = mode, .machine = machine, .rounding_points = rounding_points};
}

/// The most significant bits that results of a mode may have: matrix products are in fp32.
int result_bits(const Mode& mode) {
  const int stored = storage_format(mode).precision;
  return mode.refinement || mode.as<PlainScheme>() ? std::max(stored, fp32.precision) : stored;
}

}  // namespace

std::vector<std::string> algorithm_candidates(std::span<const std::string> inner) {
  std::vector<std::string> all;
  for (const Named& algorithm : list_algorithms()) {
    const AlgorithmEntry entry = algorithm_named(algorithm.name);
    if (entry.kind != AlgorithmKind::fft || entry.takes_cores || entry.is_choice) continue;
    std::vector<std::string> names{algorithm.name};
    if (std::ranges::any_of(algorithm.keys, [](const Key& key) { return key.name == "radices"; })) {
      for (const char* plan : library_plans) names.push_back(algorithm.name + plan);
      all.insert(all.end(), names.begin(), names.end());
      continue;
    }
    for (const Key& key : algorithm.keys) {
      const std::size_t before = names.size();
      for (const std::string& value : values_of(key, inner))
        for (std::size_t i = 0; value != key.value && i < before; ++i)
          names.push_back(names[i] + ":" + key.name + "=" + value);
    }
    all.insert(all.end(), names.begin(), names.end());
  }
  return all;
}

ModeCandidates mode_candidates(const Format& result, const Format& table, int bits) {
  ModeCandidates found;
  const std::string own = to_string(result);
  const std::string fused = on_ieee + "{vector.fused=on}";
  found.own.push_back(on(own, on_ieee));
  if (result.precision < fp32.precision)
    for (const char* points : {"stage", "ends"}) found.own.push_back(on(own, on_ieee, points));
  if (result.precision <= fp32.precision) found.own.push_back(on(own, fused));
  if (table.precision < result.precision) found.own.push_back(on(to_string(table), on_ieee));
  if (result.precision < fp32.precision) {
    found.wider.push_back(on(to_string(fp32), on_ieee));
    found.wider.push_back(on(to_string(fp32), fused));
  }
  if (result == fp32)  // as JavaScript computes on Float32Array
    for (const char* points : {"ends", "stage"})
      found.wider.push_back(on(own + ":in=fp64", on_ieee, points));
  const auto is_listed = [&](const std::string& mode) {
    const auto is = [&](const Case& each) { return each.mode == mode; };
    return std::ranges::any_of(found.own, is) || std::ranges::any_of(found.wider, is);
  };
  for (const Mode& mode : modes())
    if (result_bits(mode) >= bits && !is_listed(mode.name))
      found.others.push_back(on(mode.name, on_ieee));
  return found;
}

int stored_bits(const std::string& mode) {
  const Mode named = mode_named(mode);
  return named.refinement ? fp32.precision : storage_format(named).precision;
}

bool is_wider(const std::string& mode, const Format& result) {
  return stored_bits(mode) > result.precision;
}

bool matters_to_matrices_alone(const std::string& mode) {
  const Mode named = mode_named(mode);
  if (const auto* blocks = named.as<BlockScheme>()) return blocks->block.is_operand();
  const auto* slices = named.as<SlicedScheme>();
  return named.as<ResidueScheme>() || (slices && slices->sum != TermSum::in_pairs);
}

std::size_t keys_in(const Case& where) {
  std::size_t keys = 0;
  for (const std::string* name : {&where.algorithm, &where.mode, &where.machine, &where.tables})
    keys += static_cast<std::size_t>(std::ranges::count(*name, '='));
  return keys + (where.rounding_points == Case{}.rounding_points ? 0 : 1);
}

}  // namespace fftprec::identify
