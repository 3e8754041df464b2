#include "experiments/identify/own_tables.hpp"

#include <algorithm>
#include <utility>

#include "experiments/tables/tables.hpp"

namespace fftprec::identify {

/// A factor, and where it stands alone.
struct OwnTables::FactorPlace {
  std::size_t impulse;
  std::size_t output;
  std::size_t exponent;  ///< of order L r in time, r M in frequency
  std::size_t order;
};

std::vector<OwnTables::FactorPlace> OwnTables::factor_places(std::size_t n, const RadixPlan& plan) {
  std::vector<FactorPlace> places;
  const bool in_time = plan.decimation == Decimation::in_time;
  std::size_t done = 1;
  for (const auto& [radix, dft] : plan.stages) {
    const std::size_t left = n / (done * radix);
    const std::size_t circle = in_time ? done : left;
    for (std::size_t k = 1; k < radix && circle > 1; ++k)
      for (std::size_t i = 0; i < circle; ++i)
        places.push_back({in_time ? k * left : i, in_time ? i : k * done, i * k, circle * radix});
    // Constants that are twiddles: the impulse at k M has them in output L.
    if (dft == SmallDft::pairs_of_sums || dft == SmallDft::pairs_of_products)
      for (std::size_t k = 1; k <= radix / 2; ++k) places.push_back({k * left, done, k, radix});
    if (dft == SmallDft::vector_product)
      for (std::size_t k = 1; k < radix; ++k)
        for (std::size_t j = 1; j < radix; ++j)
          places.push_back({k * left, j * done, k * j % radix, radix});
    done *= radix;
  }
  return places;
}

OwnTables::OwnTables(std::size_t n, const Format& format, const std::vector<RadixPlan>& plans,
                     AskImpulses ask)
    : n_(n), exact_(n), ask_(std::move(ask)) {
  std::vector<RootIndex> roots;
  for (std::size_t i = 0; i < n; ++i) roots.emplace_back(i, n);
  table_source(exact_tables).fill(roots, format, exact_.re.data(), exact_.im.data());
  for (const RadixPlan& plan : plans)
    for (const FactorPlace& each : factor_places(n, plan)) read_[each.impulse][each.output];
}

void OwnTables::know(std::size_t place, const ComplexArray<double>& outputs, std::size_t row) {
  const auto read = read_.find(place);
  if (read == read_.end() || !known_.insert(place).second) return;
  for (auto& [output, value] : read->second)
    value = {outputs.re[row * n_ + output], outputs.im[row * n_ + output]};
}

bool OwnTables::know_all_of(const std::vector<FactorPlace>& places) {
  std::set<std::size_t> missing;
  for (const FactorPlace& each : places)
    if (!known_.contains(each.impulse)) missing.insert(each.impulse);
  if (missing.empty()) return true;
  if (!ask_) return false;
  constexpr std::size_t together = 64;
  const std::vector<std::size_t> all(missing.begin(), missing.end());
  for (std::size_t first = 0; first < all.size(); first += together) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = std::min(together, all.size() - first);
    const std::vector<std::size_t> some(begin, begin + static_cast<std::ptrdiff_t>(count));
    const ComplexArray<double> outputs = ask_(n_, some);
    for (std::size_t row = 0; row < count; ++row) know(some[row], outputs, row);
  }
  return true;
}

std::optional<ComplexArray<double>> OwnTables::of(const RadixPlan& plan) {
  const std::vector<FactorPlace> places = factor_places(n_, plan);
  if (!know_all_of(places)) return std::nullopt;
  const auto read = [&](const FactorPlace& each) { return read_.at(each.impulse).at(each.output); };

  constexpr double far = 0x1p-4;
  ComplexArray<double> circle = exact_;
  std::map<std::size_t, std::complex<double>> known;
  bool agree = true;
  for (const FactorPlace& each : places) {
    const std::size_t exponent = each.exponent * (n_ / each.order);
    const std::complex<double> entry = read(each);
    if (!(std::abs(entry - std::complex(exact_.re[exponent], exact_.im[exponent])) < far))
      return std::nullopt;
    agree = known.emplace(exponent, entry).first->second == entry && agree;
    circle.re[exponent] = entry.real();
    circle.im[exponent] = entry.imag();
  }
  if (agree) return circle;

  const auto is_two = [](const RadixStage& stage) { return stage.radix == 2; };
  if (!std::ranges::all_of(plan.stages, is_two)) return std::nullopt;
  ComplexArray<double> stages(n_ - 1);
  stages.re[0] = 1;
  for (const FactorPlace& each : places) {
    const std::size_t at = each.order / 2 - 1 + each.exponent;
    stages.re[at] = read(each).real();
    stages.im[at] = read(each).imag();
  }
  return stages;
}

}  // namespace fftprec::identify
