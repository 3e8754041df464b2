#include "algorithms/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace fftprec {

namespace {

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

/// Unit roundoff of the product of two bf16 words on its way into the accumulator.
double bf16_product_roundoff(const Machine& machine) {
  switch (machine.product) {
    case ProductRounding::bf16_rne:
      return 0x1p-8;
    case ProductRounding::bf16_rz:
      return 0x1p-7;
    case ProductRounding::none:
    case ProductRounding::fp32_rne:
      break;
  }
  return 0;  // 8 + 8 bits fit into fp32's 24
}

/// c_i with |word i of v| <= c_i |v| and r with |v - sum of words| <= r |v|, for bf16 words of fp32
/// data: word 0 is off by 2^-8 |v|, the first two by 2^-17 |v|, three not at all (split.hpp).
struct SplitNorms {
  double word[3] = {1 + 0x1p-8, 0x1p-8 + 0x1p-17, 0x1p-17 + 0x1p-26};
  std::size_t words;
  double rest;
  explicit SplitNorms(std::size_t count) : words(count), rest(rest_of[count]) {}

 private:
  static constexpr double rest_of[] = {1, 0x1p-8, 0x1p-17, 0};
};

/// What a split scheme leaves out and rounds, relative to |w| |x| for single products.
struct SplitScheme {
  std::span<const SplitTerm> terms;
  SplitNorms data;
  SplitNorms factor{2};

  SplitScheme(std::span<const SplitTerm> kept, std::size_t data_words)
      : terms(kept), data(data_words) {}

  /// Sum of c_f c_d over the kept products.
  double kept() const {
    double sum = 0;
    for (const SplitTerm& term : terms) sum += factor.word[term.factor] * data.word[term.data];
    return sum;
  }
  /// Sum of c_f c_d over the products of words that are not kept.
  double dropped() const {
    double sum = 0;
    for (std::size_t f = 0; f < factor.words; ++f)
      for (std::size_t d = 0; d < data.words; ++d) {
        bool is_kept = false;
        for (const SplitTerm& term : terms) is_kept |= term.factor == f && term.data == d;
        if (!is_kept) sum += factor.word[f] * data.word[d];
      }
    return sum;
  }
};

SplitScheme split_scheme(const Mode& mode) {
  if (mode.product == ProductScheme::split3) return {SplitThree::terms, SplitThree::data_words};
  return {SplitSix::terms, SplitSix::data_words};
}

/// Roundings of a sum that one product can meet on its way through PSUM: those of its own tile (the
/// first addition, to zero, is exact), and one per later matmul into the same PSUM tile.
std::size_t accumulation_depth(const GemmScheme& gemm, const Machine& machine, std::size_t n) {
  const bool chain = gemm.engine == Engine::host || machine.across_tiles == AcrossTiles::through;
  const std::size_t passes = gemm.evict_each ? 1 : gemm.terms.size();
  if (chain) return 2 * n * passes - 1;
  const std::size_t tiles = (n + machine.k_tile - 1) / machine.k_tile;
  return std::min(n, machine.k_tile) - 1 + 2 * tiles * passes - 1;
}

double accumulation_roundoff(const GemmScheme& gemm, const Machine& machine) {
  return gemm.engine == Engine::host ? 0x1p-53 : accumulator_roundoff(machine);
}

}  // namespace

double repeated_error(double error, std::size_t count) {
  double result = 0;
  for (double power = error; count > 0; count /= 2, power = compose(power, power))
    if (count % 2 == 1) result = compose(result, power);
  return result;
}

double rounded_table_error(const Format& format) { return unit_roundoff(format) / std::sqrt(2.0); }

/// Plain: sqrt(5) u (Brent, Percival, Zimmermann 2007).
/// 2Prod: re = fl(fl(H) + fl(L)), H + L exact, |L| <= u M with M = |rr| + |ii| <= |w||x|: the error
/// is at most (u + u^2)(|H| + |L|) + u |re| <= (2u + u^2) |re| + 2 u^2 (1 + u) M; over both parts
/// (2u + 4u^2) |w||x|.
/// Split: words not kept, words not there, then for each kept term two products (u_p: sqrt(2) u_p
/// over both parts) and one sum in the accumulator, and one fp32 sum per further term.
double product_error(const Mode& mode, const Machine& machine) {
  const double u = unit_roundoff(mode.storage);
  if (mode.product == ProductScheme::two_prod) return 2 * u + 4 * u * u;
  if (!is_split(mode)) return std::sqrt(5.0) * u;
  const SplitScheme split = split_scheme(mode);
  const double term =
      compose(std::sqrt(2.0) * bf16_product_roundoff(machine), accumulator_roundoff(machine));
  return split.dropped() + compose(split.factor.rest, split.data.rest) +
         split.kept() * compose(term, repeated_error(0x1p-24, split.terms.size() - 1));
}

/// y = x W with ||x W|| = sqrt(r) ||x||. Two parts, each relative to ||y||:
/// - tables: ||x dW|| <= ||x|| ||dW||_F <= ||x|| r mu: sqrt(r) mu.
/// - sums: an output part is a sum of 2r real products, each met by one product rounding u_p and at
///   most d accumulations; |error| <= gamma sum |x_k||w_kj| <= gamma (1 + mu) sqrt(r) ||x|| in
///   each part, sqrt(2) over both, sqrt(r) over all outputs: sqrt(2r) gamma. (Blanchard, Higham,
///   Lopez, Mary, Pranesh, SISC 42(3), 2020.)
/// Split schemes: the parts left out act like table errors, sqrt(r) times their size; the kept
/// terms have the norms c_f c_d of their words and end in fp32 sums.
double gemm_error(const Mode& mode, const Machine& machine, std::size_t r, double mu) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine == Engine::vector) return dot_error(mode, machine, r, mu);
  const double product = gemm.wide_operands || gemm.engine == Engine::host
                             ? (gemm.words == Words::slices12 ? 0 : unit_roundoff(mode.storage))
                             : bf16_product_roundoff(machine);
  const bool evicted = gemm.engine == Engine::tensor && machine.eviction != fp32;
  const double eviction = evicted ? unit_roundoff(machine.eviction) : 0;
  const double chain =
      repeated_error(accumulation_roundoff(gemm, machine), accumulation_depth(gemm, machine, r));
  const double gamma = compose(compose(product, chain), eviction);
  double sums = root(2 * r) * gamma;
  if (is_split(mode)) {
    const SplitScheme split = split_scheme(mode);
    sums = root(r) * (split.dropped() + compose(split.factor.rest, split.data.rest)) +
           root(2 * r) * split.kept() *
               compose(gamma, repeated_error(0x1p-24, split.terms.size() - 1));
  }
  return root(r) * mu + (1 + mu) * sums;
}

/// As gemm_error with complex products in place of real ones: each is off by rho |w||x|, each sum
/// rounds once and the first adds to nothing: gamma = (1 + rho)(1 + u)^(r-1) - 1, the factor is
/// sqrt(r).
double dot_error(const Mode& mode, const Machine& machine, std::size_t r, double mu) {
  const double u = unit_roundoff(mode.storage);
  const double gamma = compose(product_error(mode, machine), repeated_error(u, r - 1));
  return root(r) * mu + (1 + mu) * root(r) * gamma;
}

/// X' = X + F(x - G(X)) with F and G of relative error at most b and b', growth c, in fp32 outside:
/// X = Fx + E1, G(X) = F^-1 X + E2, |E2| <= b'(1 + c b)|x|, so the residual is r = -F^-1 E1 - E2,
/// |r| <= c b + |E2|, and F(r) = -E1 - F E2 + E3: E1 cancels, but the error of G stays, grown to
/// c |E2|; then |E3| <= b |r|, and the fp32 roundings of the residual and of the sum. What G does
/// not see of E1 is not cancelled: at most b.
double refined_error(double forward, double backward, double growth) {
  const double u = 0x1p-24;
  const double inverse = growth * backward * (1 + growth * forward);
  const double seen = growth * forward + inverse;
  const double unseen = growth > 1 ? forward : 0;
  const double residual = (1 + u) * seen;
  return compose(unseen + inverse + growth * u * seen + forward * residual, repeated_error(u, 2));
}

}  // namespace fftprec
