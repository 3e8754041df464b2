#include "experiments/identify/own_tables.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <set>

#include "experiments/tables/tables.hpp"

namespace fftprec::identify {

namespace {

/// A factor, and where it stands alone.
struct FactorPlace {
  std::size_t impulse;
  std::size_t output;
  std::size_t stage;
  std::size_t exponent;  ///< of order L r in time, r M in frequency
  std::size_t order;
};

std::vector<FactorPlace> factor_places(std::size_t n, const RadixPlan& plan) {
  std::vector<FactorPlace> places;
  const bool in_time = plan.decimation == Decimation::in_time;
  std::size_t done = 1;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    const auto [radix, dft] = plan.stages[stage];
    const std::size_t left = n / (done * radix);
    const std::size_t circle = in_time ? done : left;
    for (std::size_t k = 1; k < radix && circle > 1; ++k)
      for (std::size_t i = 0; i < circle; ++i)
        places.push_back(
            {in_time ? k * left : i, in_time ? i : k * done, stage, i * k, circle * radix});
    // Constants that are twiddles: the impulse at k M has them in output L.
    if (dft == SmallDft::pairs_of_sums || dft == SmallDft::pairs_of_products)
      for (std::size_t k = 1; k <= radix / 2; ++k)
        places.push_back({k * left, done, stage, k, radix});
    if (dft == SmallDft::vector_product)
      for (std::size_t k = 1; k < radix; ++k)
        for (std::size_t j = 1; j < radix; ++j)
          places.push_back({k * left, j * done, stage, k * j % radix, radix});
    done *= radix;
  }
  return places;
}

}  // namespace

std::optional<ComplexArray<double>> own_table(std::size_t n, const RadixPlan& plan,
                                              const Format& format, const ImpulseRows& rows) {
  const std::vector<FactorPlace> places = factor_places(n, plan);
  std::set<std::size_t> asked;
  for (const FactorPlace& each : places) asked.insert(each.impulse);
  const std::vector<std::size_t> impulses(asked.begin(), asked.end());
  const std::optional<ComplexArray<double>> outputs = rows(n, impulses);
  if (!outputs) return std::nullopt;
  const auto read = [&](const FactorPlace& each) {
    const auto row = std::ranges::lower_bound(impulses, each.impulse) - impulses.begin();
    const std::size_t at = static_cast<std::size_t>(row) * n + each.output;
    return std::complex<double>(outputs->re[at], outputs->im[at]);
  };

  ComplexArray<double> circle(n);
  std::vector<RootIndex> roots;
  for (std::size_t i = 0; i < n; ++i) roots.emplace_back(i, n);
  table_source(exact_tables).fill(roots, format, circle.re.data(), circle.im.data());
  constexpr double far = 0x1p-4;
  const ComplexArray<double> exact = circle;
  std::map<std::size_t, std::complex<double>> known;
  bool agree = true;
  for (const FactorPlace& each : places) {
    const std::size_t exponent = each.exponent * (n / each.order);
    const std::complex<double> entry = read(each);
    if (!(std::abs(entry - std::complex(exact.re[exponent], exact.im[exponent])) < far))
      return std::nullopt;
    agree = known.emplace(exponent, entry).first->second == entry && agree;
    circle.re[exponent] = entry.real();
    circle.im[exponent] = entry.imag();
  }
  if (agree) return circle;

  const auto is_two = [](const RadixStage& stage) { return stage.radix == 2; };
  if (!std::ranges::all_of(plan.stages, is_two)) return std::nullopt;
  ComplexArray<double> stages(n - 1);
  stages.re[0] = 1;
  for (const FactorPlace& each : places) {
    const std::size_t at = each.order / 2 - 1 + each.exponent;
    stages.re[at] = read(each).real();
    stages.im[at] = read(each).imag();
  }
  return stages;
}

}  // namespace fftprec::identify
