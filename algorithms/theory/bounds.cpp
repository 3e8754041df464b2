#include "algorithms/theory/bounds.hpp"

#include <cmath>

#include "algorithms/arithmetic/tensor_product.hpp"
#include "algorithms/theory/accumulation.hpp"
#include "algorithms/theory/rounding_errors.hpp"
#include "algorithms/theory/word_norms.hpp"

namespace fftprec {

namespace {

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

/// Plain: re = fl(fl(rr) - fl(ii)) with products off by p and a sum off by s errs by (1 + s) p
/// (|rr|
/// + |ii|) + s |re|; |rr| + |ii| <= |w||x| in each part, so sqrt(2) (1 + s) p + s over both. Both
/// to nearest in one format: sqrt(5) u (Brent, Percival, Zimmermann 2007). Fused: 2u (Jeannerod,
/// Kornerup, Louvet, Muller 2017).
double plain_product_error(const Mode& mode, const Machine& machine) {
  const auto [store, p, s] = real_errors(mode, machine);
  const double u = unit_roundoff(mode.storage);
  if (p == u && s == u)
    return machine.vector.fused && mode.storage == fp32 ? 2 * u : std::sqrt(5.0) * u;
  return std::sqrt(2.0) * p * (1 + s) + s;
}

/// 2Prod, to nearest: re = fl(fl(H) + fl(L)), H + L exact, |L| <= u M with M = |rr| + |ii| <=
/// |w||x|: the error is at most (u + u^2)(|H| + |L|) + u |re| <= (2u + u^2) |re| + 2 u^2 (1 + u) M;
/// over both parts (2u + 4u^2) |w||x|. On other engines, products off by p and sums by s, a pair is
/// no longer exact. In a split of x the high word is within 4097 (2^-23)(1.01)|x| < 2^-10.9 |x| of
/// x, so the low word is exact (Sterbenz). The four products of words are worth at most (1 +
/// 2^-9.9)^2 |ab| < 1.003 |ab| and round by p each; the three sums that take them have results of
/// at most 2^-8 |ab|: the pair is off by e = 1.003 p
/// + 3 s/256, of |ab|. The rest is as above with e beside the sums, and |L| <= (p + e) M: over both
/// parts sqrt(2) e + 2s and terms of second order, of which there are fewer than 10 s (p + s).
double two_prod_error(const Mode& mode, const Machine& machine) {
  const auto [store, p, s] = real_errors(mode, machine);
  if (machine.vector.product_bits == fp32.precision && machine.vector.sum_rounding == Rounding::rne)
    return 2 * s + 4 * s * s;
  const double pair = 1.003 * p + 3 * s / 256;
  return std::sqrt(2.0) * pair + 2 * s + 10 * s * (p + s);
}

/// (k u)/(1 - k u).
double gamma(double k, double u) { return k * u / (1 - k * u); }

/// A sum of r complex terms t_k errs, in the norm of both parts, by at most `terms` sum|t_k| +
/// `whole` |sum t_k|.
struct SumErrors {
  double terms;
  double whole;
};

/// Plain: the first addition is to zero: (1 + s)^(r-1) - 1.
/// Kahan: with y = (t - c)(1 + a), s' = s + y + d, |d| <= u |s + y|, c' = (d + g (y + d))(1 + h),
/// s' - c' is s - c + t but for a (t - c) - g (1 + h)(y + d) - h d. Over all terms that is at most
/// 2u (1 + 2u) sum|t| and 4u times the sum of |c| and |d|, each at most 2u sum|t| as long as r u <=
/// 1/8: (2u + 16 r u^2) sum|t|. The result is s = (s - c) + c; of the last step's terms and c that
/// leaves a (t - c) + d, and |d| is at most u |s| + u^2 |s|. Neumaier: the errors of the additions
/// are exact and at most gamma_(r-1) sum|t| in all; their sum errs by gamma_(r-1) of that, and the
/// total rounds once (Ogita, Rump, Oishi 2005, prop. 4.5).
SumErrors sum_errors(const Mode& mode, const Machine& machine, std::size_t r) {
  const double u = unit_roundoff(mode.storage);
  const double length = static_cast<double>(r);
  if (mode.product == ProductScheme::kahan_sum)
    return {2 * u + (16 * length + 8) * u * u, u + 4 * u * u};
  if (mode.product == ProductScheme::neumaier) {
    const double carried = gamma(length - 1, u);
    return {(1 + u) * carried * carried, u};
  }
  return {repeated_error(real_errors(mode, machine).sum, r - 1), 0};
}

/// The sums of a matrix product on a tensor, integer or host engine, for factors without error:
/// relative to ||x|| sqrt(r) and an r-th part of ||W||_F^2 = r^2, as gemm_error says.
double products_error(const GemmScheme& gemm, const Mode& mode, const Machine& machine,
                      std::size_t r, Factors factors) {
  const WordNorms norms = word_norms(gemm, mode, machine, r, factors);
  if (gemm.engine == Engine::integer) return compose(root(r) * norms.left_out, unit_roundoff(fp64));
  const bool tensor = gemm.engine == Engine::tensor;
  const bool exact = gemm.words == Words::slices && slice_bits(mode, machine, r).exact;
  double gamma = exact ? 0 : compose(product_roundoff(gemm), accumulation_error(gemm, machine, r));
  if (tensor && machine.eviction != fp32)
    gamma = compose(gamma, rounding_error(machine.eviction, machine.casts));
  double result = 0;
  if (is_split(mode)) {
    const double narrow = rounding_error(bf16, machine.casts);
    if (machine.demotion == Demotion::terms || machine.demotion == Demotion::leading)
      gamma = compose(gamma, narrow);
    if (machine.demotion == Demotion::sum) result = narrow;
  }
  if (gemm.evict_each()) {
    const std::size_t evictions = stretches(gemm, mode, machine, r).size() * gemm.terms.size();
    gamma = compose(gamma, repeated_error(term_sum_error(gemm, mode, machine), evictions - 1));
  }
  return compose(root(r) * norms.left_out + root(2 * r) * norms.kept * gamma, result);
}

}  // namespace

double repeated_error(double error, std::size_t count) {
  double result = 0;
  for (double power = error; count > 0; count /= 2, power = compose(power, power))
    if (count % 2 == 1) result = compose(result, power);
  return result;
}

double rounded_table_error(const Format& format) { return unit_roundoff(format) / std::sqrt(2.0); }

/// Rounded once: each part errs by u of itself. Dot2: by u of itself and gamma_2^2 (|rr| + |ii|)
/// (Ogita, Rump, Oishi 2005, prop. 5.5), sqrt(2) gamma_2^2 over both parts.
/// Split: words not kept, words not there, then for each kept term, whose products are exact, one
/// fp32 sum, and one per further term.
double product_error(const Mode& mode, const Machine& machine) {
  const double u = unit_roundoff(mode.storage);
  switch (mode.product) {
    case ProductScheme::two_prod:
      return two_prod_error(mode, machine);
    case ProductScheme::rounded_once:
      return u;
    case ProductScheme::dot2:
      return u + std::sqrt(2.0) * gamma(2, u) * gamma(2, u);
    case ProductScheme::split: {
      const WordNorms norms =
          word_norms(residual_scheme(mode.split), mode, machine, 1, Factors::any);
      return norms.left_out +
             norms.kept * repeated_error(real_errors(mode, machine).sum, mode.split.count);
    }
    default:
      return plain_product_error(mode, machine);
  }
}

/// y = x W with ||x W|| = sqrt(r) ||x||. Two parts, each relative to ||y||:
/// - tables: ||x dW|| <= ||x|| ||dW||_F <= ||x|| r mu: sqrt(r) mu.
/// - sums: an output part is a sum of 2r real products, each met by one product rounding u_p and by
///   gamma of the accumulation; |error| <= gamma sum |x_k||w_kj| <= gamma (1 + mu) sqrt(r) ||x|| in
///   each part, sqrt(2) over both, sqrt(r) over all outputs: sqrt(2r) gamma. (Blanchard, Higham,
///   Lopez, Mary, Pranesh, SISC 42(3), 2020.) Gamma counts every rounding on the way of a product:
///   accumulation, eviction, demotion, the sum of the terms outside.
/// Words: the parts left out act like table errors, sqrt(r) times their size; the kept terms have
/// the sizes of their words (word_norms.hpp). Where sizes are norms of vectors, sum |x_k||w_kj| is
/// at most the product of the norms, and the same follows.
/// Residues: the sums of the rounded integers are exact, the result is rounded to fp64.
double gemm_error(const Mode& mode, const Machine& machine, std::size_t r, double mu) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine == Engine::vector) return dot_error(mode, machine, r, mu);
  return root(r) * mu + (1 + mu) * products_error(gemm, mode, machine, r, Factors::roots);
}

/// Proof: each output part errs by gamma sum_k |x_ik||w_kj| at most, gamma as in gemm_error, both
/// parts by sqrt(2) gamma ||x_i|| ||w_j||, all outputs by sqrt(2) gamma ||x||_F ||W||_F; the parts
/// that words leave out likewise, without the sqrt(2). An r x r DFT matrix has ||W||_F = r and ||x
/// W||_F = sqrt(r) ||x||_F: products_error is sqrt(r) times that.
double computed_gemm_error(const Mode& mode, const Machine& machine, std::size_t depth) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  const double error = gemm.engine == Engine::vector
                           ? dot_error(mode, machine, depth, 0)
                           : products_error(gemm, mode, machine, depth, Factors::any);
  return error / root(depth);
}

/// As gemm_error with complex products in place of real ones: each is off by rho |w||x|, and their
/// sum as sum_errors says: sqrt(r) [(1 + rho)(1 + terms) - 1] and `whole` of the result.
/// Dot2: of 2r real products each part errs by u |part| + gamma_2r^2 sum|ab| (Ogita, Rump, Oishi
/// 2005, prop. 5.5), and over both parts and all outputs by u ||y|| + sqrt(2r) gamma_2r^2.
double dot_error(const Mode& mode, const Machine& machine, std::size_t r, double mu) {
  const double tables = root(r) * mu;
  if (mode.product == ProductScheme::dot2) {
    const double u = unit_roundoff(mode.storage);
    const double carried = gamma(2 * static_cast<double>(r), u);
    return compose(tables, u) + (1 + mu) * root(2 * r) * carried * carried;
  }
  const SumErrors sum = sum_errors(mode, machine, r);
  const double products = product_error(mode, machine);
  return compose(tables + (1 + mu) * root(r) * compose(products, sum.terms), sum.whole);
}

/// The row of ones is r - 1 plain sums, whatever other sums are.
double dft_core_error(const Mode& mode, const Machine& machine, std::size_t r, double mu) {
  const double rest = dot_error(mode, machine, r, mu);
  if (sum_errors(mode, machine, r).whole == 0 && mode.product != ProductScheme::dot2) return rest;
  return rest + repeated_error(real_errors(mode, machine).sum, r - 1);
}

/// X' = X + F(x - G(X)), with relative errors of at most b of X, f of F and b' of G, growth c, in
/// fp32 outside: X = Fx + E1, G(X) = F^-1 X + E2, |E2| <= b'(1 + c b)|x|, so the residual is r =
/// -F^-1 E1 - E2, |r| <= c b + |E2|, and F(r) = -E1 - F E2 + E3: E1 cancels, but the error of G
/// stays, grown to c |E2|; then |E3| <= f |r|, and the fp32 roundings of the residual and of the
/// sum. What G does not see of E1 is not cancelled: at most b.
double refined_error(double before, double forward, double backward, double growth) {
  const double u = 0x1p-24;
  const double inverse = growth * backward * (1 + growth * before);
  const double seen = growth * before + inverse;
  const double unseen = growth > 1 ? before : 0;
  const double residual = (1 + u) * seen;
  return compose(unseen + inverse + growth * u * seen + forward * residual, repeated_error(u, 2));
}

}  // namespace fftprec
