#include "algorithms/theory/schemes.hpp"

#include <cmath>
#include <limits>

#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/words.hpp"

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
ErrorBound SchemeTheory::product_error() const {
  const RealErrors errors = unit_->errors();
  const double u = unit_roundoff(arithmetic_.operation_format());
  const double p = errors.product.worst;
  const double s = errors.sum.worst;
  const ErrorBound bound{std::sqrt(2.0) * p * (1 + s) + s,
                         std::sqrt(2.0) * errors.product.certain + errors.sum.certain * (1 + 2 * p),
                         errors.product.square + errors.sum.square * square(1 + 2 * p)};
  if (p != u || s != u) return bound;
  return {unit_->fuses() ? 2 * u : std::sqrt(5.0) * u, bound.certain, bound.square};
}

/// The first addition is to zero: (1 + s)^(r-1) - 1.
SumErrors SchemeTheory::sum_errors(std::size_t r) const {
  const ErrorBound once = unit_->errors().sum;
  return {repeated_error(once.worst, r - 1), 0, repeated_error(once.certain, r - 1),
          (static_cast<double>(r) - 1) * once.square};
}

/// As EngineTheory::bound with complex products in place of real ones: each is off by rho |w||x|,
/// and their sum as sum_errors says: sqrt(r) [(1 + rho)(1 + terms) - 1] and `whole` of the result.
/// Squares: of products rho^2 for each, and of sums as there.
ErrorBound SchemeTheory::dot_error(std::size_t r, double mu) const {
  const double root = std::sqrt(static_cast<double>(r));
  const double tables = root * mu;
  const SumErrors sum = sum_errors(r);
  const ErrorBound products = product_error();
  const auto whole = [&](double of_products, double of_terms, double of_sum) {
    return compose(tables + (1 + mu) * root * compose(of_products, of_terms), of_sum);
  };
  const double worst = whole(products.worst, sum.terms, sum.whole);
  const double computed = (1 + products.worst) * (1 + sum.terms);
  return {worst, whole(products.certain, sum.certain * computed, 0),
          square(1 + mu) * products.square + sum.square * square(1 + tables + worst)};
}

SmallErrors SchemeTheory::small_errors() const {
  return {small_product(), unit_->small_errors().sum};
}

double SchemeTheory::small_product() const { return unit_->small_errors().product; }

/// Both products of a part, each of half its variance, then their sum. Fused: one product less.
double SchemeTheory::rounded_product(const TableStatistics&, const Roundings& once) const {
  return (unit_->fuses() ? 0.5 : 1) * once.product + once.products;
}

double SchemeTheory::rounded_real_product(const TableStatistics&, const Roundings& once) const {
  return once.product;
}

/// 4 products, 2 sums.
Cost SchemeTheory::product_cost() const {
  Cost cost = 4 * unit_->scaling_cost() + 2 * unit_->sum_cost();
  cost.real_multiplications = 4;
  return cost;
}

SumCost SchemeTheory::sum_cost() const { return {product_cost() + 2 * unit_->sum_cost(), {}}; }

/// The row of ones is r - 1 plain sums, whatever other sums are.
ErrorBound SchemeTheory::dft_core_error(std::size_t r, double mu) const {
  const ErrorBound rest = dot_error(r, mu);
  if (!compensates_sums()) return rest;
  return rest + repeated_error(unit_->errors().sum, r - 1);
}

double SchemeTheory::table_variance(const TableStatistics& table) const {
  return table.variance() +
         left_out(element_words(arithmetic_), arithmetic_, table, 1, fp64.precision).factor;
}

double SchemeTheory::product_variance(const TableStatistics& table, int data_bits) const {
  const LeftOut words = left_out(element_words(arithmetic_), arithmetic_, table, 1, data_bits);
  // A narrow multiplier rounds products with 1, -1, i, -i as well: one per part.
  const double trivial = unit_->narrows_products() ? unit_->roundings().product : 0;
  return table.variance() + words.factor + words.rest +
         table.nontrivial * rounded_product(table, unit_->roundings_of_short(table, data_bits)) +
         (1 - table.nontrivial) * trivial;
}

double SchemeTheory::real_product_variance(const TableStatistics& table) const {
  const LeftOut words = left_out(element_words(arithmetic_), arithmetic_, table, 1, fp64.precision);
  const double rounded = rounded_real_product(table, unit_->roundings());
  return table.error_square + words.factor + words.rest + table.nontrivial * rounded;
}

/// Of the products in a sum.
double SchemeTheory::term_variance(const TableStatistics& table, int data_bits) const {
  return rounds_terms() ? product_variance(table, data_bits) : table.variance();
}

double SchemeTheory::long_sum_variance(std::size_t r) const {
  if (r <= 1) return 0;
  const double step = unit_->roundings().step;
  return compensates_sums() ? step : chain_variance(static_cast<double>(r), step);
}

double SchemeTheory::sums_variance(const TableStatistics& table, std::size_t r,
                                   const SumData& data) const {
  const bool exact = table.nontrivial == 0 && unit_->holds_sums_of(data.bits);
  return exact ? 0 : long_sum_variance(r - data.zeros);
}

double SchemeTheory::dot_variance(const TableStatistics& table, std::size_t r,
                                  const SumData& data) const {
  return term_variance(table, data.bits) + sums_variance(table, r, data);
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double SchemeTheory::dft_core_variance(const TableStatistics& core, std::size_t r,
                                       const SumData& data) const {
  const double length = static_cast<double>(r);
  return square((length - 1) / length) * term_variance(core, data.bits) +
         sums_variance(core, r, data);
}

double SchemeTheory::dot_imaginary_variance(std::size_t r) const {
  return compensates_sums() ? 0 : long_sum_variance(r) / 4;
}

Cost SchemeTheory::dot_cost(std::uint64_t elements, std::uint64_t depth) const {
  const SumCost cost = sum_cost();
  return on_vector_engine(elements * (depth * cost.step + cost.total), elements);
}

/// (n - 1)^2 products, each added to a sum, and n - 1 sums for the row of ones.
Cost SchemeTheory::dft_core_cost(std::uint64_t n, std::uint64_t batch, std::uint64_t calls) const {
  const std::uint64_t elements = batch * (n - 1);
  return dot_cost(elements, n - 1) + on_vector_engine((elements * (calls - 1)) * sum_cost().total +
                                                          (2 * elements) * unit_->sum_cost(),
                                                      elements);
}

namespace {

/// Products as exact pairs, by 17 operations of Dekker's, of which the sums lose nothing.
class PairedProducts : public SchemeTheory {
 public:
  using SchemeTheory::SchemeTheory;
  double small_product() const override { return 8 * unit_->small_errors().product; }
};

/// re = fl(fl(H) + fl(L)), H + L exact products and sums.
class TwoProd final : public PairedProducts {
 public:
  using PairedProducts::PairedProducts;
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
  ErrorBound product_error() const override {
    const RealErrors errors = unit_->errors();
    const double p = errors.product.worst;
    const double s = errors.sum.worst;
    if (arithmetic_.machine().vector.product_bits == fp32.precision &&
        arithmetic_.machine().vector.sum_rounding == Rounding::rne)
      return {2 * s + 4 * s * s, 0,
              (errors.product.square + errors.sum.square) * square(1 + 4 * s)};
    const double pair = 1.003 * p + 3 * s / 256;
    return not_modelled(std::sqrt(2.0) * pair + 2 * s + 10 * s * (p + s));
  }
  /// The sum of the high words, then that with the tails.
  double rounded_product(const TableStatistics&, const Roundings& once) const override {
    return arithmetic_.machine().vector.product_bits < fp32.precision ? unknown
                                                                      : once.products + once.step;
  }
  /// 4 pairs of 7 products and 10 sums, then 6 sums.
  Cost product_cost() const override { return {{28, 46, 0}, 4, 0}; }
};

/// Each part is rounded once, and errs by u of itself.
class RoundedOnce final : public SchemeTheory {
 public:
  using SchemeTheory::SchemeTheory;
  ErrorBound product_error() const override {
    return random_rounding(unit_roundoff(arithmetic_.operation_format()));
  }
  double rounded_product(const TableStatistics&, const Roundings& once) const override {
    return once.products;
  }
};

class Dot2 final : public PairedProducts {
 public:
  using PairedProducts::PairedProducts;
  /// Each part errs by u of itself and gamma_2^2 (|rr| + |ii|) (Ogita, Rump, Oishi 2005,
  /// prop. 5.5), sqrt(2) gamma_2^2 over both parts.
  ErrorBound product_error() const override {
    const double u = unit_roundoff(arithmetic_.operation_format());
    const double carried = std::sqrt(2.0) * gamma(2, u) * gamma(2, u);
    return {u + carried, carried, square(u * (1 + carried))};
  }
  /// Of 2r real products each part errs by u |part| + gamma_2r^2 sum|ab| (the same), and over both
  /// parts and all outputs by u ||y|| + sqrt(2r) gamma_2r^2.
  ErrorBound dot_error(std::size_t r, double mu) const override {
    const double length = static_cast<double>(r);
    const double tables = std::sqrt(length) * mu;
    const double u = unit_roundoff(arithmetic_.operation_format());
    const double carried = gamma(2 * length, u);
    const double rest = (1 + mu) * std::sqrt(2 * length) * carried * carried;
    const double worst = compose(tables, u) + rest;
    return {worst, tables + rest, square(u * (1 + tables + worst))};
  }
  double rounded_product(const TableStatistics&, const Roundings& once) const override {
    return once.products;
  }
  /// They are terms of its sums.
  bool rounds_terms() const override { return false; }
  /// 4 pairs of 7 products and 10 sums, then 2 sums of 9.
  Cost product_cost() const override { return {{28, 58, 0}, 4, 0}; }
  /// 4 pairs, each with 8 additions.
  SumCost sum_cost() const override { return {{{28, 72, 0}, 4, 0}, {{0, 2, 0}, 0, 0}}; }
  bool compensates_sums() const override { return true; }
  ProductScheme::Kind term_by_term() const override { return ProductScheme::rounded_once; }
};

class KahanSum final : public SchemeTheory {
 public:
  using SchemeTheory::SchemeTheory;
  /// With y = (t - c)(1 + a), s' = s + y + d, |d| <= u |s + y|, c' = (d + g (y + d))(1 + h),
  /// s' - c' is s - c + t but for a (t - c) - g (1 + h)(y + d) - h d. Over all terms that is at
  /// most 2u (1 + 2u) sum|t| and 4u times the sum of |c| and |d|, each at most 2u sum|t| as long as
  /// r u <= 1/8: (2u + 16 r u^2) sum|t|. The result is s = (s - c) + c; of the last step's terms
  /// and c that leaves a (t - c) + d, and |d| is at most u |s| + u^2 |s|. Longer sums have no
  /// bound.
  SumErrors sum_errors(std::size_t r) const override {
    const double u = unit_roundoff(arithmetic_.operation_format());
    const double length = static_cast<double>(r);
    const double terms = length * u <= 0.125 ? 2 * u + (16 * length + 8) * u * u
                                             : std::numeric_limits<double>::infinity();
    return {terms, u + 4 * u * u, terms + 4 * u * u, unit_->errors().sum.square};
  }
  /// 4 additions per part.
  SumCost sum_cost() const override { return {{{4, 10, 0}, 4, 0}, {}}; }
  bool compensates_sums() const override { return true; }
};

class NeumaierSum final : public SchemeTheory {
 public:
  using SchemeTheory::SchemeTheory;
  /// The errors of the additions are exact and at most gamma_(r-1) sum|t| in all; their sum errs by
  /// gamma_(r-1) of that, and the total rounds once (Ogita, Rump, Oishi 2005, prop. 4.5).
  SumErrors sum_errors(std::size_t r) const override {
    const double u = unit_roundoff(arithmetic_.operation_format());
    const double carried = gamma(static_cast<double>(r) - 1, u);
    return {(1 + u) * carried * carried, u, (1 + u) * carried * carried,
            unit_->errors().sum.square};
  }
  /// 4 additions per part, and one of the total's.
  SumCost sum_cost() const override { return {{{4, 10, 0}, 4, 0}, {{0, 2, 0}, 0, 0}}; }
  bool compensates_sums() const override { return true; }
};

class Split final : public SchemeTheory {
 public:
  using SchemeTheory::SchemeTheory;
  /// Products not formed, words not there, then for each term formed, whose products are exact, one
  /// fp32 sum, and one per further term. Squares: t terms take 2t - 1 sums of complex numbers, each
  /// of at most `formed` |w||x|.
  ErrorBound product_error() const override {
    const GemmScheme words = element_words(arithmetic_);
    const WordNorms norms = word_norms(words, arithmetic_, 1, Factors::any);
    const ErrorBound sum = unit_->errors().sum;
    const std::size_t count = arithmetic_.product().words()->count;
    const double worst = norms.left_out + norms.formed * repeated_error(sum.worst, count);
    const double sums = 2 * static_cast<double>(words.terms().size()) - 1;
    const double certain = norms.left_out + norms.formed * repeated_error(sum.certain, count);
    return {worst, certain, sums * sum.square * square(norms.formed + 2 * worst)};
  }
  /// Of each term, and of the words of data.
  double small_product() const override {
    return static_cast<double>(arithmetic_.product().words()->count) *
               unit_->small_errors().product +
           small_error(element_words(arithmetic_).data(), arithmetic_.operation_format(), false);
  }
  /// The sum of two products of first words, which are short, then the other terms.
  double rounded_product(const TableStatistics& table, const Roundings& once) const override {
    return once.products *
               cut_sum_of_two(leading_product_bits(element_words(arithmetic_)), fp32.precision) +
           rounded_real_product(table, once);
  }
  double rounded_real_product(const TableStatistics& table, const Roundings& once) const override {
    return rounded_terms(element_words(arithmetic_), arithmetic_, table, 1, once.step);
  }
  /// Of D data words and T terms: 2 D roundings, 2 (D - 1) residuals; per term 4 products and 2
  /// sums; 2 (T - 1) sums of terms; where words are scaled, 2 products more per residual and per
  /// term with a low word.
  Cost product_cost() const override {
    const SplitSpec& split = *arithmetic_.product().words();
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

std::unique_ptr<const SchemeTheory> scheme_theory(const ArithmeticSpec& arithmetic) {
  switch (arithmetic.product()) {
    case ProductScheme::two_prod:
      return std::make_unique<TwoProd>(arithmetic);
    case ProductScheme::rounded_once:
      return std::make_unique<RoundedOnce>(arithmetic);
    case ProductScheme::dot2:
      return std::make_unique<Dot2>(arithmetic);
    case ProductScheme::kahan_sum:
      return std::make_unique<KahanSum>(arithmetic);
    case ProductScheme::neumaier:
      return std::make_unique<NeumaierSum>(arithmetic);
    case ProductScheme::split:
      return std::make_unique<Split>(arithmetic);
    case ProductScheme::plain:
      break;
  }
  return std::make_unique<SchemeTheory>(arithmetic);
}

}  // namespace fftprec
