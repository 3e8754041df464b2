/// Machines that identify recovers from their products, and devices that are none.
#include "experiments/identify/identify.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>
#include <stdexcept>

#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/machines/parameters.hpp"
#include "arith/splitting/block_scaling.hpp"
#include "arith/support/error.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::identify {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::holds;

const std::vector<Batch>& batches() {
  static const std::vector<Batch> all = probe_batches({});
  return all;
}

/// Multiplies: returns D of a batch.
using Device = std::function<std::vector<float>(const Batch&)>;

std::vector<Answer> answers_of(const Device& device, const std::vector<Batch>& asked = batches()) {
  std::vector<Answer> answers;
  for (const Batch& batch : asked) answers.push_back({batch, device(batch)});
  return answers;
}

/// The answer, in the time of one minute of two cores.
Identification identified(const std::vector<Answer>& answers, const IdentifyOptions& options) {
  const std::clock_t begin = std::clock();
  Identification found = identify(answers, options);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 120.0);
  return found;
}

Identification identified(const Device& device) {
  return identified(answers_of(device), {.decide = false});
}

Device device_of(const Machine& machine) {
  return [machine](const Batch& batch) { return product_on(machine, bf16, batch); };
}

bool same_bits(const std::vector<float>& x, const std::vector<float>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](float a, float b) {
    return (std::isnan(a) && std::isnan(b)) ||
           __builtin_bit_cast(std::uint32_t, a) == __builtin_bit_cast(std::uint32_t, b);
  });
}

/// True if two machines give the same bits in 10^5 more random sums of 160 products and a c.
bool same_in_random_sums(const Machine& x, const Machine& y) {
  Batch batch{"sums", "", 320, 320, 160};
  std::mt19937_64 random(5);
  const auto fill = [&](std::vector<float>& values, std::size_t count, int spread) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value = std::ldexp(static_cast<double>(random() % 511) - 255.0,
                                      -static_cast<int>(random() % static_cast<unsigned>(spread)));
      values.push_back(static_cast<float>(round(value, bf16, Rounding::rz)));
    }
  };
  fill(batch.a, 320 * 160, 24);
  fill(batch.b, 160 * 320, 6);
  fill(batch.c, 320 * 320, 20);
  return same_bits(product_on(x, bf16, batch), product_on(y, bf16, batch));
}

/// A machine with one to four random parameters that its products can show.
class RandomMachines {
 public:
  explicit RandomMachines(unsigned seed) : random_(seed) {}

  Machine next() {
    while (true) {
      std::string settings;
      for (std::size_t count = 1 + below(4), i = 0; i < count; ++i) {
        const auto& [key, value] = setting();
        settings += (i == 0 ? "" : ",") + key + "=" + value;
      }
      const std::string& preset = machines()[below(machines().size())].name;
      try {
        Machine machine = machine_named(preset + "{" + settings + "}");
        accumulator_for(machine, bf16);
        if (machine.psum_rounding != Rounding::sr && machine.casts != Rounding::sr) return machine;
      } catch (const InputError&) {  // settings that contradict each other or the preset
      }
    }
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string number(int least, int most) {
    return std::to_string(least +
                          static_cast<int>(below(static_cast<std::size_t>(most - least + 1))));
  }
  std::string of(std::initializer_list<const char*> values) {
    return values.begin()[below(values.size())];
  }
  std::string format() { return "custom(p=" + number(7, 23) + ",emin=-126,emax=127)"; }

  std::pair<std::string, std::string> setting() {
    switch (below(21)) {
      case 0:
        return {"product", format()};
      case 1:
        return {"product.rounding", of({"rne", "rz"})};
      case 2:
        return {"product.overflow", of({"on", "off"})};
      case 3:
        return {"accumulate.order", of({"sequential", "reversed", "pairwise", "segments",
                                        "even_odd", "exact", "aligned"})};
      case 4:
        return {"accumulate.block", number(0, 64)};
      case 5:
        return {"accumulate.segment", number(1, 64)};
      case 6:
        return {"accumulate.c", of({"early", "late"})};
      case 7:
        return {"accumulate.rounding", of({"rne", "rz", "odd"})};
      case 8:
        return {"accumulate.format", format()};
      case 9:
        return {"accumulate.overflow", of({"on", "off"})};
      case 10:
        return {"accumulate.group", of({"1", "2", "4"})};
      case 11:
        return {"accumulate.fraction_bits", number(8, 32)};
      case 12:
        return {"accumulate.late_fraction_bits", number(20, 36)};
      case 13:
        return {"accumulate.lowest_exponent", number(-140, -110)};
      case 14:
        return {"accumulate.cut", of({"toward_zero", "floor"})};
      case 15:
        return {"accumulate.late_cut", of({"toward_zero", "floor"})};
      case 16:
        return {"tiles", of({"tile_then_add", "through"})};
      case 17:
        return {"k_tile", number(8, 64)};
      case 18:
        return {of({"psum", "eviction"}), of({"bf16", "tf32", "fp32"})};
      case 19:
        return {of({"eviction=bf16,casts", "eviction=tf32,casts"}),
                of({"rne", "rna", "rz", "ru", "rd", "odd", "rnu"})};
      default:
        return {of({"flush.inputs", "flush.outputs"}), of({"on", "off"})};
    }
  }

  std::mt19937_64 random_;
};

class IdentifyRandom : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, IdentifyRandom, ::testing::Range(0u, 10u));

TEST_P(IdentifyRandom, RecoversMachinesOrEquivalentOnes) {
  RandomMachines random(GetParam());
  for (int i = 0; i < 5; ++i) {
    const Machine machine = random.next();

    const Identification found = identified(device_of(machine));

    EXPECT_TRUE(found.fits) << machine.name << ": nearest " << found.machine.name;
    const bool same = !found.fits || found.machine.name == machine.name ||
                      same_in_random_sums(machine, found.machine);
    EXPECT_TRUE(same) << machine.name << " taken for " << found.machine.name;
  }
}

/// A device whose arithmetic no parameter describes: `sum` adds the k-th product to a sum.
Device chain_of(std::function<double(double, double, std::size_t)> add) {
  return [add](const Batch& batch) {
    std::vector<float> d;
    for (std::size_t i = 0; i < batch.m; ++i)
      for (std::size_t j = 0; j < batch.n; ++j) {
        double sum = batch.c.empty() ? 0 : static_cast<double>(batch.c[i * batch.n + j]);
        for (std::size_t k = 0; k < batch.k; ++k)
          sum = add(sum,
                    static_cast<double>(batch.a[i * batch.k + k]) *
                        static_cast<double>(batch.b[k * batch.n + j]),
                    k);
        d.push_back(static_cast<float>(round(sum, fp32, Rounding::rne)));
      }
    return d;
  };
}

Device rounding_by(Rounding rounding) {
  return chain_of([rounding](double sum, double product, std::size_t) {
    return round(sum_to_odd(sum, product), fp32, rounding);
  });
}

/// `lanes` chains of strided products, then their sum in order.
Device in_lanes(std::size_t lanes) {
  return [lanes](const Batch& batch) {
    std::vector<float> d;
    for (std::size_t i = 0; i < batch.m; ++i)
      for (std::size_t j = 0; j < batch.n; ++j) {
        std::vector<float> sums(lanes);
        for (std::size_t k = 0; k < batch.k; ++k)
          sums[k % lanes] += batch.a[i * batch.k + k] * batch.b[k * batch.n + j];
        float sum = batch.c.empty() ? 0 : batch.c[i * batch.n + j];
        for (const float lane : sums) sum += lane;
        d.push_back(sum);
      }
    return d;
  };
}

struct Foreign {
  const char* name;
  Device device;
};

const std::vector<Foreign>& foreign_devices() {
  static const std::vector<Foreign> all{
      {"ties_away", rounding_by(Rounding::rna)},
      {"upwards", rounding_by(Rounding::ru)},
      {"downwards", rounding_by(Rounding::rd)},
      {"in_fp64", chain_of([](double sum, double product, std::size_t) { return sum + product; })},
      {"four_lanes", in_lanes(4)},
      {"an_error_at_k_9", chain_of([](double sum, double product, std::size_t k) {
         const double next = round(sum_to_odd(sum, product), fp32, Rounding::rne);
         return k == 9 && next > 1 ? next * (1 + 0x1p-23) : next;
       })},
      {"products_rounded_by_turns", chain_of([](double sum, double product, std::size_t k) {
         const Format narrow{12, -126, 127};
         product = round(product, narrow, k % 2 == 0 ? Rounding::rne : Rounding::rz);
         return round(sum_to_odd(sum, product), fp32, Rounding::rne);
       })},
      {"rounded_twice", chain_of([](double sum, double product, std::size_t) {
         const double once = round(sum_to_odd(sum, product), {27, -126, 127}, Rounding::rne);
         return round(once, fp32, Rounding::rz);
       })},
      {"sums_rounded_by_turns", chain_of([](double sum, double product, std::size_t k) {
         return round(sum_to_odd(sum, product), fp32, k % 2 == 0 ? Rounding::rne : Rounding::rz);
       })},
      {"first_product_twice", chain_of([](double sum, double product, std::size_t k) {
         return round(sum_to_odd(sum, k == 0 ? 2 * product : product), fp32, Rounding::rne);
       })},
  };
  return all;
}

class IdentifyForeign : public ::testing::TestWithParam<Foreign> {};
INSTANTIATE_TEST_SUITE_P(Devices, IdentifyForeign, ::testing::ValuesIn(foreign_devices()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(IdentifyForeign, FitsNoMachine) {
  const Identification found = identified(GetParam().device);

  EXPECT_FALSE(found.fits) << found.machine.name;
  ASSERT_TRUE(found.failure.has_value());
  EXPECT_TRUE(found.failure->c || !found.failure->products.empty());
  EXPECT_FALSE(same_bits({found.failure->device}, {found.failure->machine}));
}

/// A tree of pairs over fp32 products whose empty sums are -0, as no machine's are.
TEST(Identify, CountsSignsOfZerosForLessThanAnyValue) {
  const Machine machine = machine_named("trn-tree{product=fp32,tiles=through,k_tile=512}");
  const auto device = [&](const Batch& batch) {
    std::vector<float> d = product_on(machine, bf16, batch);
    for (std::size_t i = 0; i < d.size(); ++i) {
      bool empty = batch.c.empty();
      for (std::size_t k = 0; k < batch.k && empty; ++k)
        empty = batch.a[i / batch.n * batch.k + k] * batch.b[k * batch.n + i % batch.n] == 0;
      if (empty) d[i] = -0.0f;
    }
    return d;
  };
  const std::vector<Batch> asked = probe_batches({.depths = {16, 256, 512}});

  const Identification found = identified(answers_of(device, asked), {.decide = false});

  std::size_t values = 0, signs = 0, without = 0;
  for (const BatchResult& batch : found.batches) {
    values += batch.differ;
    signs += batch.zero_signs;
  }
  for (const Batch& batch : asked) {
    const std::vector<float> d = device(batch), same = product_on(machine, bf16, batch);
    for (std::size_t i = 0; i < d.size(); ++i)
      without += std::signbit(d[i]) != std::signbit(same[i]) && d[i] == 0;
  }
  EXPECT_FALSE(found.fits);
  EXPECT_EQ(values, 0u) << found.machine.name;
  EXPECT_GT(signs, 0u);
  EXPECT_LE(signs, without);
  EXPECT_EQ(found.machine.name, machine.name);
  ASSERT_TRUE(found.failure.has_value());
  EXPECT_EQ(found.failure->device, found.failure->machine);
}

TEST(Identify, FindsADstThatRoundsTwice) {
  const std::string writes = "psum=bf16,psum.rounding=rna,psum.via=tf32";
  for (const std::string preset : {"tt-wormhole{", "trn{"}) {
    const Machine machine = machine_named(preset + writes + "}");
    const Identification found = identified(device_of(machine));
    EXPECT_TRUE(found.fits) << machine.name << ": nearest " << found.machine.name;
    EXPECT_EQ(found.machine.psum_via, tf32) << found.machine.name;
  }
}

/// Results in the narrow format that a framework's own type is, however they are cut to it.
TEST(Identify, FindsHowResultsAreRounded) {
  for (const std::string rounding : {"rz", "rna", "ru", "rd", "odd", "rnu"}) {
    const std::string name = "nv-hopper{eviction=bf16,casts=" + rounding + "}";
    const Identification found = identified(device_of(machine_named(name)));

    EXPECT_TRUE(found.fits) << name << ": nearest " << found.machine.name;
    EXPECT_EQ(found.machine.name, name);
  }
}

/// Units that have no preset of their own, as docs/machines.md gives them, by their own operands.
TEST(Identify, FindsUnitsByTheirParameters) {
  const std::string half = "accumulate.rounding=rne,accumulate.format=fp16}";
  const std::string e2m1 = "custom(p=2,emin=0,emax=2,overflow=saturate)";
  for (const auto& [operands, name] : std::vector<std::pair<std::string, std::string>>{
           {"fp16", "nv-volta{" + half},
           {"fp16", "nv-turing{" + half},
           {"fp16", "nv-hopper{" + half},
           {"fp16",
            "nv-hopper{accumulate.rounding=rne,accumulate.format=fp16,"
            "accumulate.lowest_exponent=-21}"},
           {"fp8_e4m3fn", "nv-hopper-mma{" + half},
           {"fp32", "nv-hopper{fp32_matmul=tf32}"},
           {"bf16", "amd-cdna2{accumulate.block=2}"},
           {"fp8_e5m2", "nv-hopper-mma{accumulate.interleave=4}"},
           {"fp32", "trn{fp32_matmul=split_11_13}"},
           {"fp8_e4m3fn,fp8_e5m2", "nv-blackwell{accumulate.fraction_bits=20}"},
           {"fp8_e4m3fn," + e2m1, "trn3-bf16psum{psum=tf32}"},
           {e2m1,
            "nv-blackwell{accumulate.block=32,accumulate.group=1,accumulate.group_exponent=product,"
            "accumulate.fraction_bits=25}"}}) {
    const Operands format = operands_named(operands);
    const Machine machine = machine_named(name);
    const std::vector<Batch> asked = probe_batches({.operands = format});

    const Identification found = identified(
        answers_of([&](const Batch& batch) { return product_on(machine, format, batch); }, asked),
        {.operands = format, .decide = operands == "fp16"});

    EXPECT_TRUE(found.fits) << name << ": nearest " << found.machine.name;
    EXPECT_TRUE(found.presets.empty()) << name << " is " << found.presets.front();
    if (operands == "fp16" || operands == "fp32") EXPECT_EQ(found.machine.name, machine.name);
  }
}

/// A unit that takes e4m3 and e5m2 by one set of rules, and one for e4m3 alone.
TEST(Identify, TakesOperandsOfTwoFormats) {
  const Operands both(fp8_e4m3fn, fp8_e5m2);
  const std::vector<Batch> asked = probe_batches({.operands = both});
  for (const Batch& batch : asked)
    for (const auto& [values, format] : {std::pair{&batch.a, both.a}, {&batch.b, both.b}})
      for (const float x : *values)
        ASSERT_TRUE(std::isnan(x) ||
                    round(static_cast<double>(x), format, Rounding::rne) == static_cast<double>(x))
            << batch.name;
  EXPECT_GT(static_cast<double>(*std::ranges::max_element(asked.front().b)), max_finite(both.a));
  const auto device = [&](const Batch& batch) {
    return product_on(machine_named("nv-blackwell"), both, batch);
  };

  const Identification found = identified(answers_of(device, asked), {.operands = both});

  EXPECT_THAT(found.presets, ElementsAre("nv-blackwell"));
  EXPECT_EQ(to_string(both), "fp8_e4m3fn,fp8_e5m2");
  EXPECT_THROW(operands_named("bf16,fp16,tf32"), InputError);
  EXPECT_THROW(identify(answers_of(device, asked), {.operands = {bf16, fp16}}), InputError);
}

TEST(Identify, AsksForSubnormalOperandsOfBothFormats) {
  const Operands both(fp8_e4m3fn, fp8_e5m2);
  const Machine machine = machine_named("nv-blackwell");
  const auto flushed = [](std::vector<float> values, const Format& format) {
    for (float& x : values)
      if (static_cast<double>(std::fabs(x)) < min_normal(format)) x = 0;
    return values;
  };
  std::vector<std::string> by_a, by_b;
  for (const Batch& batch : probe_batches({.operands = both})) {
    const std::vector<float> d = product_on(machine, both, batch);
    Batch other = batch;
    other.a = flushed(batch.a, both.a);
    if (!same_bits(product_on(machine, both, other), d)) by_a.push_back(batch.name);
    other = batch;
    other.b = flushed(batch.b, both.b);
    if (!same_bits(product_on(machine, both, other), d)) by_b.push_back(batch.name);
  }

  EXPECT_THAT(by_a, Contains("subnormal_operands_k16"));
  EXPECT_THAT(by_b, ElementsAre("subnormal_operands_b_k16"));
}

TEST(Identify, AsksForInfinitiesAndNanWhereTheFormatsHaveThem) {
  const auto of = [](const Operands& operands) {
    for (const Batch& batch : probe_batches({.operands = operands}))
      if (batch.name == "special_k16") return batch;
    throw std::logic_error("no batch special_k16");
  };
  const auto has_nan = [](const std::vector<float>& values) {
    return std::ranges::any_of(values, [](float x) { return std::isnan(x); });
  };
  const auto has_infinity = [](const std::vector<float>& values) {
    return std::ranges::any_of(values, [](float x) { return std::isinf(x); });
  };
  const Batch nan_alone = of(fp8_e4m3fn), both = of(fp8_e5m2);
  EXPECT_TRUE(has_nan(nan_alone.a) && !has_infinity(nan_alone.a) && !has_nan(nan_alone.b));
  EXPECT_TRUE(has_nan(both.a) && has_infinity(both.a) && !has_nan(both.b));
  const Batch mixed = of({fp8_e4m3fn, fp8_e5m2});
  EXPECT_TRUE(has_nan(mixed.a) && !has_infinity(mixed.a));
  EXPECT_TRUE(has_nan(mixed.b) && has_infinity(mixed.b));
  const Batch none = of({fp8_e4m3fn, fp4_e2m1});
  EXPECT_TRUE(has_nan(none.a) && !has_nan(none.b) && !has_infinity(none.b));
}

TEST(Identify, AnswersTheSameOnAnyNumberOfThreads) {
  const std::vector<Answer> answers =
      answers_of(device_of(machine_named("trn{accumulate.rounding=odd,accumulate.block=24}")));
  const Identification alone = identify(answers, {.threads = 1});
  const Identification together = identify(answers, {.threads = 3});

  EXPECT_EQ(alone.machine.name, together.machine.name);
  ASSERT_EQ(alone.decisions.size(), together.decisions.size());
  for (std::size_t i = 0; i < alone.decisions.size(); ++i) {
    EXPECT_EQ(alone.decisions[i].key, together.decisions[i].key);
    EXPECT_EQ(alone.decisions[i].nearest, together.decisions[i].nearest);
    EXPECT_EQ(alone.decisions[i].open, together.decisions[i].open);
  }
}

TEST(Identify, SaysThatItEndedAtItsBound) {
  const std::vector<Answer> answers = answers_of(rounding_by(Rounding::ru));
  const std::clock_t begin = std::clock();

  const Identification found = identify(answers, {.most_products = 1'000'000});

  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5.0);
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.fits);
}

TEST(Identify, SaysWhichParametersItDidNotDecide) {
  const std::vector<Answer> answers = answers_of(device_of(machine_named("trn-tree")));

  const Identification found = identify(answers, {.most_products = 100'000'000});

  EXPECT_TRUE(found.fits);
  std::vector<std::string> stopped;
  for (const Decision& each : found.decisions)
    if (each.stopped) stopped.push_back(each.key);
  EXPECT_THAT(stopped, Contains("psum"));
  EXPECT_THAT(stopped, ::testing::Not(Contains("fidelity")));
}

TEST(Identify, TellsWhatDecidesAParameterAndWhichProbeWouldTellMore) {
  const Machine machine = machine_named("trn");
  std::vector<Answer> answers;
  std::vector<Batch> unanswered;
  for (const Batch& batch : batches()) {
    if (batch.k == 16 && batch.c.empty())
      answers.push_back({batch, product_on(machine, bf16, batch)});
    else
      unanswered.push_back(batch);
  }

  Identification found = identify(answers, {.unanswered = unanswered});

  const auto decision = [&](std::string_view key) {
    return *std::find_if(found.decisions.begin(), found.decisions.end(),
                         [&](const Decision& each) { return each.key == key; });
  };
  EXPECT_EQ(decision("accumulate.rounding").value, "rne");
  EXPECT_NE(decision("accumulate.rounding").batch, "");
  EXPECT_THAT(decision("accumulate.rounding").open, ElementsAre());
  EXPECT_THAT(decision("tiles").open, ElementsAre("through"));
  EXPECT_THAT(decision("tiles").next, holds("c_"));
  EXPECT_THAT(decision("k_tile").open, Contains("16"));
  EXPECT_EQ(decision("k_tile").next_k, 0u);

  found = identify(answers, {});

  EXPECT_THAT(decision("k_tile").next, holds("_k64"));
  EXPECT_EQ(decision("k_tile").next_k, 64u);
}

TEST(Identify, PutsPresetsTogetherThatNoProbeTellsApart) {
  for (const std::vector<std::string>& group : preset_groups(bf16, batches()))
    for (const std::string& name : group)
      EXPECT_TRUE(same_in_random_sums(machine_named(group.front()), machine_named(name))) << name;
}

TEST(Identify, RefusesAnswersOfAnotherSize) {
  Answer answer{batches().front(), {1, 2, 3}};
  EXPECT_THROW(identify({answer}, {}), InputError);
  EXPECT_THROW(identify({}, {}), InputError);
}

TEST(IdentifyText, ShowsExactSumsInBinary) {
  Failure failure;
  failure.products = {{0, 1.5f, 0x1p100f}, {3, -1, 0x1p-100f}};

  EXPECT_EQ(binary(-1.375 / 8), "-1.011p-3");
  EXPECT_EQ(exact_sum(failure), "1.0" + std::string(199, '1') + "p+100");
}

}  // namespace
}  // namespace fftprec::identify
