/// The whole table of algorithms and modes, and which lengths each algorithm takes: nothing is
/// skipped by accident.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

namespace {

bool any(std::size_t) { return true; }
bool power_of(std::size_t base, std::size_t n) {
  while (n % base == 0) n /= base;
  return n == 1;
}
bool power_of_2(std::size_t n) { return power_of(2, n); }
std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return largest;
}
bool smooth(std::size_t n) { return largest_prime_factor(n) <= 127; }
bool prime(std::size_t n) { return n > 1 && largest_prime_factor(n) == n; }
bool power_of_4(std::size_t n) { return power_of(4, n); }

/// Of fused multiply-adds, and the modes whose products are no plain ones of floats.
const std::vector<std::string> fused{
    "radix2-dit:butterfly=linzer-feig",  "radix2-dit:butterfly=dual-select",
    "stockham-r4:butterfly=goedecker",   "stockham-r4:butterfly=dual-select",
    "split-radix:butterfly=linzer-feig", "split-radix:pair=conjugate:butterfly=dual-select"};
const std::set<std::string> not_plain{
    "kahan",    "ozaki",    "ozaki_hq", "rounded_once", "dot2",     "kahan-sum",  "neumaier",
    "bf16x2:3", "bf16x3:6", "fp16x2:3", "tf32x2:3",     "tf32x3:6", "doubleword", "q1.15"};

std::vector<std::string> with_fused() {
  std::vector<std::string> names = algorithm_names();
  names.insert(names.end(), fused.begin(), fused.end());
  return names;
}

}  // namespace

TEST(AlgorithmTable, LengthsAreThoseOfTheDefinition) {
  const std::map<std::string, bool (*)(std::size_t)> takes{
      {"dft-gemm", any},
      {"direct", any},
      {"radix2-dit", power_of_2},
      {"radix2-dif", power_of_2},
      {"recursive", power_of_2},
      {"split-radix", power_of_2},
      {"stockham-r2", power_of_2},
      {"stockham-r4", power_of_4},
      {"stockham-r8", [](std::size_t n) { return power_of(8, n); }},
      {"stockham-mixed", [](std::size_t n) { return n >= 4 && power_of_2(n); }},
      {"mixed-radix", smooth},
      {"four-step", smooth},
      {"bluestein", any},
      {"rader", [](std::size_t n) { return n > 2 && prime(n); }},
      {"good-thomas", [](std::size_t n) { return n > 1 && !power_of(largest_prime_factor(n), n); }},
      {"row-column", [](std::size_t n) { return n > 1 && !prime(n); }},
      {"batch-split", power_of_2},
      {"auto", any},
  };
  const MachineArithmetic<float> arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  for (const std::string& name : with_fused()) {
    const std::string base = name.substr(0, name.find(':'));
    ASSERT_TRUE(takes.contains(base)) << name << " has no line in this table";
    const AlgorithmEntry algorithm = algorithm_named(name);
    for (std::size_t n = 1; n <= 1100; ++n)
      EXPECT_EQ(algorithm.model.unsupported(n).empty(), takes.at(base)(n)) << name << ", n = " << n;
    EXPECT_FALSE(algorithm.model.unsupported(0).empty()) << name;
    EXPECT_TRUE(algorithm.is_predictable()) << name;
    for (const std::size_t n : {0u, 3u, 12u, 127u, 1000u})
      if (n == 0 || !takes.at(base)(n)) {
        EXPECT_THROW(algorithm.make.in<MachineArithmetic<float>>()(
                         arithmetic, n, Direction::forward, table_source("exact")),
                     InputError)
            << name << ", n = " << n;
      }
  }
}

/// The first machine that multiplies matrices in that mode; empty if none does.
std::string machine_for(const Mode& mode) {
  for (const Machine& machine : machines()) try {
      resolve(mode, machine).matrices();
      return machine.name;
    } catch (const NotApplicable&) {
    }
  return "";
}

TEST(AlgorithmTable, EveryModeRunsInEveryAlgorithm) {
  const std::set<std::string> stored_alone{"mxint8", "bfp16", "nvfp4"};
  for (const Named& mode : list_modes())
    EXPECT_EQ(machine_for(mode_named(mode.name)).empty(), stored_alone.contains(mode.name))
        << mode.name;
  for (const std::string& algorithm : with_fused())
    for (const Named& mode : list_modes()) {
      if (stored_alone.contains(mode.name)) continue;
      const bool plain = algorithm.find("butterfly") == std::string::npos;
      const bool runs = plain || !not_plain.contains(mode.name);
      // The first length from 64 on that the algorithm takes.
      Case where{.algorithm = algorithm,
                 .mode = mode.name,
                 .machine = machine_for(mode_named(mode.name)),
                 .n = 64};
      while (!algorithm_named(algorithm).model.unsupported(where.n).empty()) ++where.n;
      const Row row = evaluate(where);
      EXPECT_EQ(row.status, runs ? Status::ok : Status::skipped) << command_of(where);
      if (!runs) {
        EXPECT_FALSE(row.message.empty()) << command_of(where);
      }
      EXPECT_EQ(row.err_l2_rel.has_value(), runs) << command_of(where);
      EXPECT_EQ(row.err_roundtrip_l2_rel.has_value(), runs) << command_of(where);
    }
}

}  // namespace fftprec::testing
