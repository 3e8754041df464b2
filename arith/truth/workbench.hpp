/// The two arithmetics that the formula of a transform is carried out in: formulas are templates
/// over the workbench, on which the steps of chain.hpp and pair_chain.hpp have the same names.
#pragma once

#include <cassert>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "arith/truth/pair_chain.hpp"

namespace fftprec::truth {

/// MPFR, one item at a time.
struct MpfrBench {
  mpfr_prec_t precision;
};

/// Double-double, several items at once; transforms in triple-double if so wished.
struct PairBench {
  Loops loops;
  bool in_triples = false;
};

/// `items` items of `count` elements from x_first on.
inline Chain exact_values(const MpfrBench& bench, const ComplexArray<double>& x, std::size_t first,
                          std::size_t count, [[maybe_unused]] std::size_t items) {
  assert(items == 1);
  return exact_values(x, first, count, bench.precision);
}
inline PairChain exact_values(const PairBench& bench, const ComplexArray<double>& x,
                              std::size_t first, std::size_t count, std::size_t items) {
  PairChain values = exact_values(x, first, count, items, bench.loops);
  values.in_triples = bench.in_triples;
  return values;
}

/// The first `count` elements of each item, followed by zeros up to `size`. Error: e.
template <class AnyChain>
AnyChain resized(const AnyChain& x, std::size_t count, std::size_t size) {
  std::vector<std::size_t> sources(size, nothing);
  for (std::size_t i = 0; i < count; ++i) sources[i] = i;
  return gathered(x, sources);
}

/// A table of factors: make(precision) gives them in MPFR, as a Chain whose error is that of each.
template <class Make>
Chain table(const MpfrBench& bench, Make make) {
  return make(bench.precision);
}
template <class Make>
PairChain table(const PairBench& bench, Make make) {
  constexpr mpfr_prec_t precision = 140;  // far below what rounding to pairs costs
  return rounded_to_pairs(make(precision), bench.loops);
}

/// What `make` makes on a workbench, made once for pairs and once for each precision of MPFR that
/// is asked for, and kept as long as a copy of this lives. For one thread.
template <class Make>
class OncePerBench {
 public:
  explicit OncePerBench(Make make) : make_(make), kept_(std::make_shared<Kept>()) {}

  const auto& operator()(const MpfrBench& bench) const {
    auto found = kept_->of_precision.find(bench.precision);
    if (found == kept_->of_precision.end())
      found = kept_->of_precision.emplace(bench.precision, make_(bench)).first;
    return found->second;
  }
  const auto& operator()(const PairBench& bench) const {
    if (!kept_->pairs) kept_->pairs.emplace(make_(bench));
    return *kept_->pairs;
  }

 private:
  struct Kept {
    std::map<mpfr_prec_t, std::invoke_result_t<Make, MpfrBench>> of_precision;
    std::optional<std::invoke_result_t<Make, PairBench>> pairs;
  };

  Make make_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace fftprec::truth
