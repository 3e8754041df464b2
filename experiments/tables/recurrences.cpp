#include "experiments/tables/recurrences.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "algorithms/theory/roundings.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/support/portable_math.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec {

namespace {

/// Cosine and sine of the angle of a root.
struct Turn {
  double c;
  double s;
};

/// Operations of a format known at run time, each rounded once: to odd in double, then to the
/// format.
class Operations {
 public:
  explicit Operations(const Format& format)
      : format_(format), native_(format == fp64), grid_(rounding_grid<double>(format)) {}

  double sum(double a, double b) const { return native_ ? a + b : fl(sum_to_odd(a, b)); }
  double product(double a, double b) const { return native_ ? a * b : fl(product_to_odd(a, b)); }
  double quotient(double a, double b) const { return native_ ? a / b : fl(quotient_to_odd(a, b)); }

  Turn seed(std::uint64_t k, std::uint64_t order) const {
    const std::complex<double> root = truth::root_of_unity(k, order, format_);
    return {root.real(), 0 - root.imag()};
  }
  Turn product(const Turn& a, const Turn& b) const {
    return {sum(product(a.c, b.c), -product(a.s, b.s)), sum(product(a.c, b.s), product(a.s, b.c))};
  }

 private:
  double fl(double x) const {
    if (format_.system) return round(x, format_, Rounding::rne);
    return round_to_grid<Rounding::rne, false>(x, grid_);
  }

  Format format_;
  bool native_;
  RoundingGrid<double> grid_;
};

using Turns = std::vector<Turn>;

void multiply_on(const Operations& on, Turns& w) {
  const Turn first = on.seed(1, w.size());
  w[0] = {1, 0};
  for (std::size_t j = 1; j < w.size(); ++j) w[j] = on.product(w[j - 1], first);
}

void rotate_on(const Operations& on, bool scaled, Turns& w) {
  const double half = on.seed(1, 2 * w.size()).s;
  const double a = 2 * on.product(half, half);
  const double b = on.seed(1, w.size()).s;
  w[0] = {1, 0};
  for (std::size_t j = 1; j < w.size(); ++j) {
    const auto [c, s] = w[j - 1];
    w[j] = {on.sum(c, -on.sum(on.product(a, c), on.product(b, s))),
            on.sum(s, -on.sum(on.product(a, s), -on.product(b, c)))};
    if (!scaled) continue;
    const double square = on.sum(on.product(w[j].c, w[j].c), on.product(w[j].s, w[j].s));
    const double scale = on.sum(on.quotient(0.5, square), 0.5);
    w[j] = {on.product(scale, w[j].c), on.product(scale, w[j].s)};
  }
}

void recur_forward(const Operations& on, Turns& w) {
  w[0] = {1, 0};
  if (w.size() > 1) w[1] = on.seed(1, w.size());
  for (std::size_t j = 2; j < w.size(); ++j) {
    const double twice = 2 * w[1].c;
    w[j] = {on.sum(on.product(twice, w[j - 1].c), -w[j - 2].c),
            on.sum(on.product(twice, w[j - 1].s), -w[j - 2].s)};
  }
}

void double_blocks(const Operations& on, bool by_products, Turns& w) {
  w[0] = {1, 0};
  for (std::size_t block = 1; block < w.size(); block *= 2) {
    w[block] = on.seed(block, w.size());
    const double twice = 2 * w[block].c;
    for (std::size_t j = 1; j < block && block + j < w.size(); ++j)
      w[block + j] = by_products ? on.product(w[block], w[j])
                                 : Turn{on.sum(on.product(twice, w[j].c), -w[block - j].c),
                                        on.sum(on.product(twice, w[j].s), w[block - j].s)};
  }
}

void bisect(const Operations& on, Turns& w) {
  const std::size_t order = w.size();
  const std::size_t seeds = std::bit_floor(std::max<std::size_t>(order / 4, 1));
  w.resize((order + seeds - 1) / seeds * seeds + 1);
  for (std::size_t j = 0; j < w.size(); j += seeds) w[j] = on.seed(j, order);
  for (std::size_t p = seeds / 2; p >= 1; p /= 2) {
    const double h = on.quotient(0.5, on.seed(p, order).c);
    for (std::size_t j = p; j < w.size(); j += 2 * p)
      w[j] = {on.product(h, on.sum(w[j - p].c, w[j + p].c)),
              on.product(h, on.sum(w[j - p].s, w[j + p].s))};
  }
  w.resize(order);
}

}  // namespace

const std::vector<std::string>& recurrence_names() {
  static const std::vector<std::string> names{"multiplication", "numerical-recipes", "singleton",
                                              "chebyshev",      "subvector",         "logarithmic",
                                              "bisection"};
  return names;
}

void require_recurrence_format(const Format& format) {
  require(format == fp64 || format.precision <= 50,
          "recurrences compute in fp64, or in formats of at most 50 digits, not in ",
          to_string(format));
}

ComplexArray<double> roots_by(Recurrence recurrence, std::size_t order, const Format& format) {
  const Operations on(format);
  Turns w(order);
  switch (recurrence) {
    case Recurrence::multiplication:
      multiply_on(on, w);
      break;
    case Recurrence::numerical_recipes:
    case Recurrence::singleton:
      rotate_on(on, recurrence == Recurrence::singleton, w);
      break;
    case Recurrence::chebyshev:
      recur_forward(on, w);
      break;
    case Recurrence::subvector:
    case Recurrence::logarithmic:
      double_blocks(on, recurrence == Recurrence::subvector, w);
      break;
    case Recurrence::bisection:
      bisect(on, w);
      break;
  }
  ComplexArray<double> table(order);
  for (std::size_t j = 0; j < order; ++j) {
    table.re[j] = w[j].c + 0.0;
    table.im[j] = 0 - w[j].s;
  }
  return table;
}

/// With u the unit roundoff, e the least positive number, half of which a part of a product may
/// lose below the normal ones, mu the error of a seed, and E the largest error, so that |w^| <= 1 +
/// E.
///
/// multiplication, subvector: each product multiplies 1 + error by (1 + sqrt(5) u)(1 + mu), plus
/// 4e; `index` of them one after the other, or one for each binary digit of it.
///
/// numerical-recipes: w' = w + w d, |d| = 2 sin(theta/2) <= min(2, 2 pi/(index + 1)). d^ errs by at
/// most 3.1 u |d| + e; a step by that, by sqrt(5) u |d^| of the product, 2e, and by u of the sum.
///
/// singleton: besides, a point at x <= 16 u from the circle moves along its ray, to within x^2 of
/// the circle. Outside of it, that brings it nearer to any point of the circle; inside, it
/// multiplies its distance d: d^2 grows by at most 2 (1 - cos)(x + x^2) <= d^2 (x + x^2)/(1 - x).
/// Rounding the factor and the products adds 3.6 u. 12 u for both.
///
/// chebyshev: an error t of step k is carried on as U_(j-k), at most j - k + 1 in size. 2 C_1 errs
/// by u, products by 2u, sums by u of w^: t <= (4u + 2e)(1 + E), that of w_1 mu. In all E <= D (1 +
/// E), D = 2 (u + e) index^2, so E <= D/(1 - D).
///
/// logarithmic: with (a, b) the errors at (j, L/2 - j), those at (j, L - j) and (L/2 - j, L/2 + j)
/// are (a, 2b - a) and (b, 2a - b) at most, cosines set to 1, and t more. max(|a|/g', |b|), g' =
/// sqrt(2) - 1, grows by at most g = 1 + sqrt(2): D = (u (mu/u g + 4/sqrt(2)) + 2e) g^digits.
///
/// bisection: the mean of two neighbours over cos; the product of 1/cos over angles pi/4, pi/8, ..
/// is below pi/2. h errs by 1.72 u, sum and product by u, 4 (u + e) in all. A power of two above
/// the index lies half way between 0, without error, and the next: twice that, however large the
/// order. From there a level adds as much for each digit: D = pi/2 (mu + 4 (u + e) (digits + 2)).
double recurrence_error_bound(Recurrence recurrence, std::uint64_t index, const Format& format) {
  const double u = unit_roundoff(format);
  const double e = min_subnormal(format);
  const double mu = rounded_table_error(format) + e;
  const double steps = static_cast<double>(index);
  const auto digits = static_cast<double>(std::bit_width(index));
  const auto carried = [](double d) {
    return d < 1 ? d / (1 - d) : std::numeric_limits<double>::infinity();
  };
  const double product = std::sqrt(5.0) * u;
  switch (recurrence) {
    case Recurrence::multiplication:
    case Recurrence::subvector: {
      const double step = product + (1 + product) * rounded_table_error(format) + 4 * e;
      return repeated_error(
          step, static_cast<std::size_t>(recurrence == Recurrence::subvector ? digits : steps));
    }
    case Recurrence::numerical_recipes:
    case Recurrence::singleton: {
      const double d = std::min(2.0, 6.2831854 / (steps + 1));
      const double rotation = (3.1 * u + product * 1.01) * d + 4 * e;
      const double step = rotation + u * (1 + rotation + d * u);
      return repeated_error(recurrence == Recurrence::singleton ? step + 12 * (u + e) : step,
                            index);
    }
    case Recurrence::chebyshev:
      return carried(2 * (u + e) * steps * steps);
    case Recurrence::logarithmic:
      return carried((2.83 * u + 2.42 * mu + 2 * e) *
                     portable::exp(digits * portable::log(1 + std::sqrt(2.0))));
    case Recurrence::bisection:
      return carried(1.571 * (mu + 4 * (u + e) * (digits + 2)));
  }
  return 0;
}

}  // namespace fftprec
