#include "algorithms/theory/schemes.hpp"

#include <cmath>
#include <limits>

namespace fftprec {

namespace {

/// (k u)/(1 - k u), infinite from k u = 1 on.
double gamma(double k, double u) {
  return k * u < 1 ? k * u / (1 - k * u) : std::numeric_limits<double>::infinity();
}

}  // namespace

/// re = fl(fl(rr) - fl(ii)) with products off by p and a sum off by s errs by (1 + s) p (|rr|
/// + |ii|) + s |re|; |rr| + |ii| <= |w||x| in each part, so sqrt(2) (1 + s) p + s over both. Both
/// to nearest in one format: sqrt(5) u (Brent, Percival, Zimmermann 2007). Fused: 2u (Jeannerod,
/// Kornerup, Louvet, Muller 2017). Squares: those of the four real products are |w|^2|x|^2.
ErrorBound SchemeTheory::product_error(const ArithmeticSpec& arithmetic) const {
  const RealErrors errors = real_errors(arithmetic);
  const double u = unit_roundoff(arithmetic.operation_format());
  const double p = errors.product.worst;
  const double s = errors.sum.worst;
  const ErrorBound bound{std::sqrt(2.0) * p * (1 + s) + s,
                         std::sqrt(2.0) * errors.product.certain + errors.sum.certain * (1 + 2 * p),
                         errors.product.square + errors.sum.square * square(1 + 2 * p)};
  if (p != u || s != u) return bound;
  const bool fused = arithmetic.machine().vector.fused && arithmetic.operation_format() == fp32;
  return {fused ? 2 * u : std::sqrt(5.0) * u, bound.certain, bound.square};
}

/// The first addition is to zero: (1 + s)^(r-1) - 1.
SumErrors SchemeTheory::sum_errors(const ArithmeticSpec& arithmetic, std::size_t r) const {
  const ErrorBound once = real_errors(arithmetic).sum;
  return {repeated_error(once.worst, r - 1), 0, repeated_error(once.certain, r - 1),
          (static_cast<double>(r) - 1) * once.square};
}

/// As gemm_error with complex products in place of real ones: each is off by rho |w||x|, and their
/// sum as sum_errors says: sqrt(r) [(1 + rho)(1 + terms) - 1] and `whole` of the result.
/// Squares: of products rho^2 for each, and of sums as in gemm_error.
ErrorBound SchemeTheory::dot_error(const ArithmeticSpec& arithmetic, std::size_t r,
                                   double mu) const {
  const double root = std::sqrt(static_cast<double>(r));
  const double tables = root * mu;
  const SumErrors sum = sum_errors(arithmetic, r);
  const ErrorBound products = product_error(arithmetic);
  const auto whole = [&](double of_products, double of_terms, double of_sum) {
    return compose(tables + (1 + mu) * root * compose(of_products, of_terms), of_sum);
  };
  const double worst = whole(products.worst, sum.terms, sum.whole);
  const double computed = (1 + products.worst) * (1 + sum.terms);
  return {worst, whole(products.certain, sum.certain * computed, 0),
          square(1 + mu) * products.square + sum.square * square(1 + tables + worst)};
}

double SchemeTheory::float_products(const ArithmeticSpec&) const { return 1; }

/// Both products of a part, each of half its variance, then their sum. Fused: one product less.
double SchemeTheory::rounded_product(const ArithmeticSpec& arithmetic, const TableStatistics&,
                                     const Roundings& once) const {
  const bool fused = arithmetic.machine().vector.fused && arithmetic.operation_format() == fp32;
  return (fused ? 0.5 : 1) * once.product + once.products;
}

double SchemeTheory::rounded_real_product(const ArithmeticSpec&, const TableStatistics&,
                                          const Roundings& once) const {
  return once.product;
}

/// 4 products, 2 sums.
Cost SchemeTheory::product_cost(const ArithmeticSpec& arithmetic) const {
  Cost cost = 4 * scaling_cost(arithmetic) + 2 * fftprec::sum_cost(arithmetic);
  cost.real_multiplications = 4;
  return cost;
}

SumCost SchemeTheory::sum_cost(const ArithmeticSpec& arithmetic) const {
  return {product_cost(arithmetic) + 2 * fftprec::sum_cost(arithmetic), {}};
}

namespace {

/// re = fl(fl(H) + fl(L)), H + L exact products and sums.
class TwoProd final : public SchemeTheory {
 public:
  /// To nearest |L| <= u M with M = |rr| + |ii| <= |w||x|: the error is at most (u + u^2)(|H| +
  /// |L|) + u |re| <= (2u + u^2) |re| + 2 u^2 (1 + u) M; over both parts (2u + 4u^2) |w||x|. On
  /// other engines, products off by p and sums by s, a pair is no longer exact. In a split of x the
  /// high word is within 4097 (2^-23)(1.01)|x| < 2^-10.9 |x| of x, so the low word is exact
  /// (Sterbenz). The four products of words are worth at most (1 + 2^-9.9)^2 |ab| < 1.003 |ab| and
  /// round by p each; the three sums that take them have results of at most 2^-8 |ab|: the pair is
  /// off by e = 1.003 p + 3 s/256, of |ab|. The rest is as above with e beside the sums, and |L| <=
  /// (p + e) M: over both parts sqrt(2) e + 2s and terms of second order, of which there are fewer
  /// than 10 s (p + s). Squares, with exact pairs: of fl(H) u^2 (|re| + u M)^2, of fl(L) u^4 M^2,
  /// of the sum of both u^2 (1 + 3u)^2 |re|^2; over both parts less than 2 u^2 (1 + 4u)^2
  /// |w|^2|x|^2.
  ErrorBound product_error(const ArithmeticSpec& arithmetic) const override {
    const RealErrors errors = real_errors(arithmetic);
    const double p = errors.product.worst;
    const double s = errors.sum.worst;
    if (arithmetic.machine().vector.product_bits == fp32.precision &&
        arithmetic.machine().vector.sum_rounding == Rounding::rne)
      return {2 * s + 4 * s * s, 0,
              (errors.product.square + errors.sum.square) * square(1 + 4 * s)};
    const double pair = 1.003 * p + 3 * s / 256;
    return not_modelled(std::sqrt(2.0) * pair + 2 * s + 10 * s * (p + s));
  }
  /// 17 operations of Dekker's, of which the sums lose nothing.
  double float_products(const ArithmeticSpec&) const override { return 8; }
  /// The sum of the high words, then that with the tails.
  double rounded_product(const ArithmeticSpec& arithmetic, const TableStatistics&,
                         const Roundings& once) const override {
    return arithmetic.machine().vector.product_bits < fp32.precision ? unknown
                                                                     : once.products + once.step;
  }
  /// 4 pairs of 7 products and 10 sums, then 6 sums.
  Cost product_cost(const ArithmeticSpec&) const override { return {{28, 46, 0}, 4, 0}; }
};

/// Each part is rounded once, and errs by u of itself.
class RoundedOnce final : public SchemeTheory {
 public:
  ErrorBound product_error(const ArithmeticSpec& arithmetic) const override {
    return random_rounding(unit_roundoff(arithmetic.operation_format()));
  }
  double rounded_product(const ArithmeticSpec&, const TableStatistics&,
                         const Roundings& once) const override {
    return once.products;
  }
};

class Dot2 final : public SchemeTheory {
 public:
  /// Each part errs by u of itself and gamma_2^2 (|rr| + |ii|) (Ogita, Rump, Oishi 2005,
  /// prop. 5.5), sqrt(2) gamma_2^2 over both parts.
  ErrorBound product_error(const ArithmeticSpec& arithmetic) const override {
    const double u = unit_roundoff(arithmetic.operation_format());
    const double carried = std::sqrt(2.0) * gamma(2, u) * gamma(2, u);
    return {u + carried, carried, square(u * (1 + carried))};
  }
  /// Of 2r real products each part errs by u |part| + gamma_2r^2 sum|ab| (the same), and over both
  /// parts and all outputs by u ||y|| + sqrt(2r) gamma_2r^2.
  ErrorBound dot_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) const override {
    const double length = static_cast<double>(r);
    const double tables = std::sqrt(length) * mu;
    const double u = unit_roundoff(arithmetic.operation_format());
    const double carried = gamma(2 * length, u);
    const double rest = (1 + mu) * std::sqrt(2 * length) * carried * carried;
    const double worst = compose(tables, u) + rest;
    return {worst, tables + rest, square(u * (1 + tables + worst))};
  }
  /// As of 2Prod.
  double float_products(const ArithmeticSpec&) const override { return 8; }
  double rounded_product(const ArithmeticSpec&, const TableStatistics&,
                         const Roundings& once) const override {
    return once.products;
  }
  /// They are terms of its sums.
  bool rounds_terms() const override { return false; }
  /// 4 pairs of 7 products and 10 sums, then 2 sums of 9.
  Cost product_cost(const ArithmeticSpec&) const override { return {{28, 58, 0}, 4, 0}; }
  /// 4 pairs, each with 8 additions.
  SumCost sum_cost(const ArithmeticSpec&) const override {
    return {{{28, 72, 0}, 4, 0}, {{0, 2, 0}, 0, 0}};
  }
  bool compensates_sums() const override { return true; }
  ProductScheme::Kind term_by_term() const override { return ProductScheme::rounded_once; }
};

class KahanSum final : public SchemeTheory {
 public:
  /// With y = (t - c)(1 + a), s' = s + y + d, |d| <= u |s + y|, c' = (d + g (y + d))(1 + h),
  /// s' - c' is s - c + t but for a (t - c) - g (1 + h)(y + d) - h d. Over all terms that is at
  /// most 2u (1 + 2u) sum|t| and 4u times the sum of |c| and |d|, each at most 2u sum|t| as long as
  /// r u <= 1/8: (2u + 16 r u^2) sum|t|. The result is s = (s - c) + c; of the last step's terms
  /// and c that leaves a (t - c) + d, and |d| is at most u |s| + u^2 |s|.
  SumErrors sum_errors(const ArithmeticSpec& arithmetic, std::size_t r) const override {
    const double u = unit_roundoff(arithmetic.operation_format());
    const double terms = 2 * u + (16 * static_cast<double>(r) + 8) * u * u;
    return {terms, u + 4 * u * u, terms + 4 * u * u, real_errors(arithmetic).sum.square};
  }
  /// 4 additions per part.
  SumCost sum_cost(const ArithmeticSpec&) const override { return {{{4, 10, 0}, 4, 0}, {}}; }
  bool compensates_sums() const override { return true; }
};

class NeumaierSum final : public SchemeTheory {
 public:
  /// The errors of the additions are exact and at most gamma_(r-1) sum|t| in all; their sum errs by
  /// gamma_(r-1) of that, and the total rounds once (Ogita, Rump, Oishi 2005, prop. 4.5).
  SumErrors sum_errors(const ArithmeticSpec& arithmetic, std::size_t r) const override {
    const double u = unit_roundoff(arithmetic.operation_format());
    const double carried = gamma(static_cast<double>(r) - 1, u);
    return {(1 + u) * carried * carried, u, (1 + u) * carried * carried,
            real_errors(arithmetic).sum.square};
  }
  /// 4 additions per part, and one of the total's.
  SumCost sum_cost(const ArithmeticSpec&) const override {
    return {{{4, 10, 0}, 4, 0}, {{0, 2, 0}, 0, 0}};
  }
  bool compensates_sums() const override { return true; }
};

class Split final : public SchemeTheory {
 public:
  /// Words not kept, words not there, then for each kept term, whose products are exact, one fp32
  /// sum, and one per further term. Squares: t kept terms take 2t - 1 sums of complex numbers, each
  /// of at most `kept` |w||x|.
  ErrorBound product_error(const ArithmeticSpec& arithmetic) const override {
    const GemmScheme words = element_words(arithmetic);
    const WordNorms norms = word_norms(words, arithmetic, 1, Factors::any);
    const ErrorBound sum = real_errors(arithmetic).sum;
    const std::size_t count = arithmetic.product().words()->count;
    const double worst = norms.left_out + norms.kept * repeated_error(sum.worst, count);
    const double sums = 2 * static_cast<double>(words.terms().size()) - 1;
    const double certain = norms.left_out + norms.kept * repeated_error(sum.certain, count);
    return {worst, certain, sums * sum.square * square(norms.kept + 2 * worst)};
  }
  /// Each term's.
  double float_products(const ArithmeticSpec& arithmetic) const override {
    return static_cast<double>(arithmetic.product().words()->count);
  }
  /// The sum of two products of first words, which are short, then the other terms.
  double rounded_product(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                         const Roundings& once) const override {
    return once.products *
               cut_sum_of_two(leading_product_bits(element_words(arithmetic)), fp32.precision) +
           rounded_real_product(arithmetic, table, once);
  }
  double rounded_real_product(const ArithmeticSpec& arithmetic, const TableStatistics& table,
                              const Roundings& once) const override {
    return rounded_terms(element_words(arithmetic), arithmetic, table, 1, once.step);
  }
  /// Of D data words and T terms: 2 D roundings, 2 (D - 1) residuals; per term 4 products and 2
  /// sums; 2 (T - 1) sums of terms; where words are scaled, 2 products more per residual and per
  /// term with a low word.
  Cost product_cost(const ArithmeticSpec& arithmetic) const override {
    const SplitSpec& split = *arithmetic.product().words();
    const std::uint64_t words = split.data_words;
    const std::uint64_t terms = split.count;
    std::uint64_t scalings = 0;
    if (split.scale != 0) {
      scalings = words - 1;
      for (const SplitTerm& term : split.terms()) scalings += term.factor + term.data > 0 ? 1 : 0;
    }
    return {{4 * terms + 2 * scalings, 2 * (words - 1) + 2 * terms + 2 * (terms - 1), 2 * words},
            4 * terms,
            0};
  }
};

}  // namespace

const SchemeTheory& theory_of(const ProductScheme& scheme) {
  static const SchemeTheory plain;
  static const TwoProd two_prod;
  static const RoundedOnce rounded_once;
  static const Dot2 dot2;
  static const KahanSum kahan_sum;
  static const NeumaierSum neumaier;
  static const Split split;
  switch (scheme) {
    case ProductScheme::two_prod:
      return two_prod;
    case ProductScheme::rounded_once:
      return rounded_once;
    case ProductScheme::dot2:
      return dot2;
    case ProductScheme::kahan_sum:
      return kahan_sum;
    case ProductScheme::neumaier:
      return neumaier;
    case ProductScheme::split:
      return split;
    case ProductScheme::plain:
      break;
  }
  return plain;
}

ErrorBound product_error(const ArithmeticSpec& arithmetic) {
  return theory_of(arithmetic.product()).product_error(arithmetic);
}

ErrorBound dot_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  return theory_of(arithmetic.product()).dot_error(arithmetic, r, mu);
}

/// The row of ones is r - 1 plain sums, whatever other sums are.
ErrorBound dft_core_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  const ErrorBound rest = dot_error(arithmetic, r, mu);
  if (!theory_of(arithmetic.product()).compensates_sums()) return rest;
  return rest + repeated_error(real_errors(arithmetic).sum, r - 1);
}

Cost product_cost(const ArithmeticSpec& arithmetic) {
  return theory_of(arithmetic.product()).product_cost(arithmetic);
}

}  // namespace fftprec
