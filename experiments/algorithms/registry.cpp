#include "experiments/algorithms/registry.hpp"

#include <algorithm>
#include <cctype>

#include "algorithms/fft/batch_split.hpp"
#include "algorithms/fft/bluestein.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/direct.hpp"
#include "algorithms/fft/good_thomas.hpp"
#include "algorithms/fft/rader.hpp"
#include "algorithms/fft/rader_brenner.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/radix2_fused.hpp"
#include "algorithms/fft/radix4_fused.hpp"
#include "algorithms/fft/recursive.hpp"
#include "algorithms/fft/row_column.hpp"
#include "algorithms/fft/split_radix.hpp"
#include "algorithms/fft/stockham.hpp"
#include "algorithms/fft/trnfft_choice.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/programs.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

using FloatArithmetic = MachineArithmetic<float>;
using DoubleArithmetic = MachineArithmetic<double>;

/// An algorithm with the keys that its name may carry; `make` gets one value for each of them.
struct Family {
  std::string name;
  std::string summary;
  std::vector<Key> keys;
  std::function<AlgorithmEntry(const Family&, const std::vector<Key>&)> make;
  bool is_registered = false;  ///< by the program that uses the library
};

/// An algorithm built from a smaller FFT, which the key `inner` names. Its class takes the inner
/// FFT's maker and then `parameters` as last arguments of its constructor, and the inner FFT's
/// model and the same parameters as last arguments of `unsupported` and `predict`.
template <template <class> class Algorithm, class... Parameters>
AlgorithmEntry around(std::string name, std::string summary, const AlgorithmEntry& inner,
                      Parameters... parameters) {
  if (inner.kind != AlgorithmKind::fft || !inner.model.predict)
    throw InputError("algorithm " + name + ": inner=" + inner.name +
                     " is not an FFT that can be nested");
  AlgorithmEntry entry{.name = std::move(name), .summary = std::move(summary)};
  entry.model.unsupported = [model = inner.model, parameters...](std::size_t n) {
    return Algorithm<FloatArithmetic>::unsupported(n, model, parameters...);
  };
  entry.model.predict = [model = inner.model, parameters...](const Predictor& predictor,
                                                             std::size_t n, std::size_t batch) {
    return Algorithm<FloatArithmetic>::predict(predictor.on_lines(n, batch), n, batch, model,
                                               parameters...);
  };
  entry.make = InEachArithmetic<MakeFft>(
      [&]<class A>() { return make_fft<Algorithm, A>(inner.make.in<A>(), parameters...); });
  entry.inapplicable = inner.inapplicable;
  entry.cuts_batch = inner.cuts_batch;
  return entry;
}

/// The entry of an algorithm that does not work on all transforms of a batch at once.
AlgorithmEntry cutting(AlgorithmEntry entry, const char* reason) {
  entry.cuts_batch = reason;
  return entry;
}
constexpr const char* one_by_one = "works on parts of a transform, one after the other";

template <template <class> class Algorithm>
Family nested(std::string name, std::string summary, std::string inner) {
  return {std::move(name),
          std::move(summary),
          {{"inner", std::move(inner)}},
          [](const Family& self, const std::vector<Key>& keys) {
            return around<Algorithm>(self.name, self.summary, algorithm_named(keys[0].value));
          }};
}

template <template <class> class Algorithm>
Family family(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), {}, [](const Family& self, const auto&) {
            return algorithm_entry<Algorithm>(self.name, self.summary);
          }};
}

Family recursive() {
  return {"recursive",
          "radix2-dit depth first, the same bits; n = 2^k, or base 2^k over FFTs of `base` points",
          {{"base", "1"}, {"inner", "dft-gemm"}},
          [](const Family& self, const std::vector<Key>& keys) {
            const std::size_t base = whole_number(keys[0], "algorithm " + self.name);
            return cutting(base == 1
                               ? algorithm_entry<Recursive>(self.name, self.summary)
                               : around<RecursiveOverBase>(self.name, self.summary,
                                                           algorithm_named(keys[1].value), base),
                           one_by_one);
          }};
}

/// The entry of butterflies that form their own products.
AlgorithmEntry in_plain_floats(AlgorithmEntry entry) {
  entry.inapplicable = [ieee = machine_named("ieee")](const Mode& mode,
                                                      std::string_view) -> std::string {
    const ArithmeticSpec arithmetic = resolve(mode, ieee);
    const bool plain = arithmetic.product() == ProductScheme::plain && !arithmetic.on_integers() &&
                       arithmetic.type() != ArithmeticType::pairs;
    return plain ? ""
                 : "these butterflies need plain products of floats, not the products of mode " +
                       mode.name;
  };
  return entry;
}
template <template <class> class Algorithm>
AlgorithmEntry with_ratios(std::string name, std::string summary) {
  return in_plain_floats(algorithm_entry<Algorithm, MachineArithmetic<FloatPair>>(
      std::move(name), std::move(summary)));
}

/// An algorithm whose butterflies have a key of their own, the first the plain ones.
template <template <class> class Plain, template <class> class... Others>
AlgorithmEntry by_butterfly(const Family& self, const Key& key) {
  AlgorithmEntry (*const make[])(std::string, std::string) = {algorithm_entry<Plain>,
                                                              with_ratios<Others>...};
  return make[choice_of(key, "algorithm " + self.name)](self.name, self.summary);
}

/// The radix 2 alone.
PlanAnyRadices twos(Decimation decimation) {
  return [decimation](std::size_t n) {
    RadixPlan plan = stockham_r2_plan(n);
    plan.decimation = decimation;
    return plan;
  };
}

Family radix2_dif() {
  return {"radix2-dif",
          "decimation in frequency, bit reversal last; n = 2^k",
          {},
          [](const Family& self, const auto&) {
            AlgorithmEntry entry = algorithm_entry<Radix2Dif>(self.name, self.summary);
            entry.plan_radices = twos(Decimation::in_frequency);
            return entry;
          }};
}

Family radix2_dit() {
  return {"radix2-dit",
          "decimation in time, bit reversal first; n = 2^k",
          {{"butterfly",
            "plain",
            {"plain", "linzer-feig", "clamped", "sine", "dual-select", "rader-brenner"}}},
          [](const Family& self, const std::vector<Key>& keys) {
            AlgorithmEntry entry =
                by_butterfly<Radix2Dit, LinzerFeig, LinzerFeigClamped, LinzerFeigSine, DualSelect,
                             RaderBrenner>(self, keys[0]);
            if (keys[0].value == "plain") entry.plan_radices = twos(Decimation::in_time);
            return entry;
          }};
}

Family stockham_r4() {
  return {"stockham-r4",
          "autosort, radix 4 by sums; n = 4^k",
          {{"butterfly", "plain", {"plain", "goedecker", "dual-select"}}},
          [](const Family& self, const std::vector<Key>& keys) {
            return by_butterfly<StockhamR4, Radix4Goedecker, Radix4DualSelect>(self, keys[0]);
          }};
}

Family mixed_radix() {
  return {
      "mixed-radix",
      "autosort, radices 8, 4, 2 by sums, odd primes <= 127 by products on the vector engine",
      {{"radices", "4-2"},
       {"order", "listed", {"listed", "reversed"}},
       {"form", "time", {"time", "frequency"}},
       {"butterfly", "products", {"products", "fftpack", "kissfft", "kissfft-cpp", "gsl"}}},
      [](const Family& self, const std::vector<Key>& keys) {
        const std::string owner = "algorithm " + self.name;
        const MixedRadices choice{.radices = parse_radices(keys[0].value),
                                  .reversed = choice_of(keys[1], owner) == 1,
                                  .decimation = static_cast<Decimation>(choice_of(keys[2], owner)),
                                  .odd = static_cast<OddRadices>(choice_of(keys[3], owner))};
        const PlanAnyRadices plan = [choice](std::size_t n) { return mixed_radix_plan(n, choice); };
        AlgorithmEntry entry{.name = self.name, .summary = self.summary};
        entry.plan_radices = plan;
        entry.model.unsupported = [plan](std::size_t n) { return plan(n).unsupported; };
        entry.model.predict = [plan](const Predictor& predictor, std::size_t n, std::size_t batch) {
          return Stockham<FloatArithmetic>::predict(predictor.on_lines(n, batch), n, batch, plan);
        };
        entry.make =
            InEachArithmetic<MakeFft>([&]<class A>() { return make_fft<Stockham, A>(plan); });
        return choice.odd == OddRadices::products ? entry : in_plain_floats(std::move(entry));
      }};
}

Family split_radix() {
  return {"split-radix",
          "radices 2 and 4, 4n log2 n - 6n + 8 operations; n = 2^k",
          {{"pair", "cubed", {"cubed", "conjugate"}},
           {"butterfly", "plain", {"plain", "linzer-feig", "dual-select"}}},
          [](const Family& self, const std::vector<Key>& keys) {
            const bool conjugate = choice_of(keys[0], "algorithm " + self.name) == 1;
            AlgorithmEntry entry = cutting(
                conjugate
                    ? by_butterfly<ConjugatePair, ConjugateLinzerFeig, ConjugateDualSelect>(self,
                                                                                            keys[1])
                    : by_butterfly<SplitRadix, SplitLinzerFeig, SplitDualSelect>(self, keys[1]),
                one_by_one);
            entry.works_on_parts = true;
            return entry;
          }};
}

Family batch_split() {
  return {"batch-split",
          "a batch over several cores, each with its share; n as the inner FFT takes it",
          {{"cores", "4"}, {"inner", "radix2-dit"}},
          [](const Family& self, const std::vector<Key>& keys) {
            AlgorithmEntry entry =
                cutting(around<BatchSplit>(self.name, self.summary, algorithm_named(keys[1].value),
                                           whole_number(keys[0], "algorithm " + self.name)),
                        "gives each core a part of a batch");
            entry.takes_cores = true;
            return entry;
          }};
}

Family auto_choice() {
  return {
      "auto", "trnfft's own choice for n and mode; any n", {}, [](const Family& self, const auto&) {
        std::vector<AlgorithmEntry> in_order;  // of TrnfftChoice
        for (const char* name : {"dft-gemm", "radix2-dit", "stockham-r4", "stockham-r8",
                                 "stockham-mixed", "bluestein"})
          in_order.push_back(algorithm_named(name));
        const auto chosen =
            [all = std::make_shared<const std::vector<AlgorithmEntry>>(std::move(in_order))](
                std::size_t n, ProductScheme product) -> const AlgorithmEntry& {
          return (*all)[static_cast<std::size_t>(trnfft_choice(n, product))];
        };
        AlgorithmEntry entry{.name = self.name, .summary = self.summary, .is_choice = true};
        entry.model.unsupported = [](std::size_t n) { return n >= 1 ? "" : "auto needs n >= 1"; };
        entry.model.predict = [chosen](const Predictor& predictor, std::size_t n,
                                       std::size_t batch) {
          return chosen(n, predictor.arithmetic().product()).model.predict(predictor, n, batch);
        };
        entry.make = InEachArithmetic<MakeFft>([&]<class A>() {
          return [chosen](const A& arithmetic, std::size_t n, Dft dft, const RootFunction& roots) {
            return chosen(n, arithmetic.resolved().product())
                .make.template in<A>()(arithmetic, n, dft, roots);
          };
        });
        return entry;
      }};
}

/// The family of an existing entry.
Family family_of(const AlgorithmEntry& entry) {
  return {entry.name, entry.summary, {}, [entry](const auto&, const auto&) { return entry; }};
}

/// A kernel, which only the transform that names it runs.
Family kernel(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), {}, [](const Family& self, const auto&) {
            AlgorithmEntry entry{.name = self.name, .summary = self.summary};
            entry.kind = AlgorithmKind::kernel;
            entry.model.unsupported = [name = self.name](std::size_t) {
              return name + " is no FFT";
            };
            return entry;
          }};
}

/// The families of this library, then those that register_algorithm added before the first look-up.
std::vector<Family>& families() {
  static std::vector<Family> all{
      family<DftGemm>("dft-gemm", "one complex matrix product with the n x n DFT matrix; any n"),
      family<Direct>("direct", "the definition, n sums of n products on the vector engine; any n"),
      radix2_dit(),
      radix2_dif(),
      recursive(),
      split_radix(),
      family<StockhamR2>("stockham-r2", "autosort, radix 2; n = 2^k"),
      stockham_r4(),
      family<StockhamR8>("stockham-r8", "autosort, radix 8 by matrix products; n = 8^k"),
      family<StockhamMixed>(
          "stockham-mixed",
          "autosort, radix 8 by matrix products, then 4 by sums; n = 2^k, k >= 2"),
      mixed_radix(),
      family<FourStep>("four-step", "autosort, the fewest factors <= 128, each a matrix product"),
      nested<Bluestein>("bluestein", "chirp-z: a convolution in 2^m >= 2n - 1 points; any n",
                        "radix2-dit"),
      nested<Rader>("rader", "a convolution of length n - 1; n prime", "radix2-dit"),
      nested<GoodThomas>("good-thomas", "prime-factor: one axis per prime power, no twiddles",
                         "dft-gemm"),
      nested<RowColumn>("row-column", "n1 x n2 with the twiddles on the host; n composite",
                        "dft-gemm"),
      batch_split(),
      auto_choice(),
      kernel("gemm", "a complex matrix product; for cgemm"),
      kernel("elementwise", "operations on single elements; for cmul and cmodrelu"),
      kernel("direct-conv", "a matrix product with K = taps; for cconv1d"),
  };
  return all;
}

template <class Real>
MakeFft<MachineArithmetic<Real>> make_from(FftFunction<Real> fft) {
  using Arithmetic = MachineArithmetic<Real>;
  return [fft = std::move(fft)](const Arithmetic&, std::size_t n, Direction direction,
                                const RootFunction&) -> Fft<Arithmetic> {
    return [fft, n, direction](const Arithmetic&, ComplexArray<Real>& x) {
      std::vector<std::complex<Real>> row(n);
      for (std::size_t first = 0; first < x.size(); first += n) {
        for (std::size_t j = 0; j < n; ++j) row[j] = {x.re[first + j], x.im[first + j]};
        fft(row, direction);
        for (std::size_t k = 0; k < n; ++k) {
          x.re[first + k] = row[k].real();
          x.im[first + k] = row[k].imag();
        }
      }
    };
  };
}

}  // namespace

void register_algorithm(AlgorithmEntry entry) {
  const std::string& name = entry.name;
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  };
  if (name.empty() || !std::ranges::all_of(name, is_plain))
    throw InputError("algorithm '" + name + "': a name has letters, digits, '-', '_' and '.'");
  for (const Family& family : families())
    if (family.name == name) throw InputError("algorithm '" + name + "' exists already");
  if (entry.cuts_batch.empty()) entry.cuts_batch = "may work on one transform after the other";
  Family own = family_of(entry);
  own.is_registered = true;
  families().push_back(std::move(own));
}

void register_algorithm(std::string name, std::string summary, FftFunction<float> fft) {
  register_algorithm(peer_entry(std::move(name), std::move(summary), make_from(std::move(fft))));
}
void register_algorithm(std::string name, std::string summary, FftFunction<double> fft) {
  register_algorithm(peer_entry(std::move(name), std::move(summary), make_from(std::move(fft))));
}

std::vector<std::string> registered_algorithms() {
  std::vector<std::string> names;
  for (const Family& family : families())
    if (family.is_registered) names.push_back(family.name);
  return names;
}

AlgorithmEntry algorithm_named(std::string_view name) {
  if (name.starts_with(program_kind)) return program_algorithm(name);
  std::size_t inner = 0;
  for (std::size_t at = 0; (at = name.find(":inner=", at)) != name.npos; ++at) ++inner;
  if (inner > most_inner_algorithms)
    throw InputError("algorithm " + std::string(split_name(name).name) + ": " +
                     std::to_string(inner) + " nested algorithms; at most " +
                     std::to_string(most_inner_algorithms) + " are allowed");
  const auto [base, keys] = split_name(name);
  const Family& family = item_named(families(), "algorithm", base);
  AlgorithmEntry entry =
      family.make(family, with_values(family.keys, keys, "algorithm " + family.name));
  entry.name = name;
  return entry;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Family& family : families())
    if (family.make(family, family.keys).kind == AlgorithmKind::fft) names.push_back(family.name);
  return names;
}

std::vector<Named> list_algorithms() { return named(families()); }
std::vector<Named> list_modes() { return named(modes()); }
std::vector<Named> list_machines() { return named(faulty_machines().presets()); }

}  // namespace fftprec
