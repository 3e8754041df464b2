#include "arith/truth/cotangent_sum.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "arith/truth/loops/cotangents.hpp"
#include "arith/truth/nearest_pair.hpp"

namespace fftprec::truth {
namespace {

constexpr mpfr_prec_t precision = ComplexReal::precision;

/// The sum over one line, in rows of `width` elements: cot(a + b) from cot a of each row and tan b
/// of each place in it. Rows within a quarter of one from the pole are MPFR's own.
class CotangentSum {
 public:
  CotangentSum(ConstPairView x, std::size_t n, std::size_t s) : x_(x), n_(n), s_(s) {
    width_ = n < fewest_rows * fewest_rows ? n : columns_for(n, 1);
  }

  ComplexReal operator()(const Loops& loops) {
    if (width_ == n_) {
      add_exactly(0);
      return std::move(sum_);
    }
    set_tangents();
    std::vector<std::array<double, 2>> cotangents;
    std::vector<std::size_t> first;
    Cotangents cotangent(s_, n_, width_);
    Real rest(precision);
    for (std::size_t row = 0; row < n_; row += width_) {
      const DoubleDouble c = nearest_pair(cotangent.next(), rest);
      if (near_pole(row)) {
        add_exactly(row);
      } else {
        first.push_back(row);
        cotangents.push_back({c.hi, c.lo});
      }
    }
    ComplexPairs sums(width_);
    in_pieces<CotangentTables>(width_, loops.threads_for(n_), loops.isa,
                               [&](auto tables, std::size_t column, std::size_t count) {
                                 for (std::size_t i = 0; i < first.size(); ++i)
                                   if (first[i] + column < n_)
                                     tables.accumulate(
                                         from(view(sums), column), from(x_, first[i] + column),
                                         cotangents[i].data(), tan_.hi.re.data() + column,
                                         tan_.lo.re.data() + column,
                                         std::min(n_ - first[i] - column, count));
                               });
    for (std::size_t j = 0; j < width_; ++j) add_turned(sum_, sums, j, 0);
    return std::move(sum_);
  }

 private:
  static constexpr std::size_t fewest_rows = 16;

  /// tan(-pi l/n)
  void set_tangents() {
    tan_ = ComplexPairs(width_);
    Powers power(exact_root(0, 1), exact_root(1, 2 * n_));
    Real tangent(precision);
    Real rest(precision);
    for (std::size_t l = 0; l < width_; ++l, power.advance()) {
      mpfr_div(tangent, power.current().im, power.current().re, MPFR_RNDN);
      tan_.set(l, {nearest_pair(tangent, rest), {0, 0}});
    }
  }

  bool near_pole(std::size_t row) const {
    const std::size_t to_begin = (n_ + s_ - row + width_ / 4) % n_;
    return to_begin < width_ + width_ / 2;
  }

  void add_exactly(std::size_t row) {
    const std::size_t count = std::min(width_, n_ - row);
    Cotangents cotangent((n_ + s_ - row) % n_, n_, 1);
    Real re(precision);
    Real im(precision);
    Real term(precision);
    for (std::size_t j = row; j < row + count; ++j) {
      const mpfr_srcptr q = cotangent.next();
      mpfr_set_d(re, x_.re_hi[j], MPFR_RNDN);
      mpfr_add_d(re, re, x_.re_lo[j], MPFR_RNDN);
      mpfr_set_d(im, x_.im_hi[j], MPFR_RNDN);
      mpfr_add_d(im, im, x_.im_lo[j], MPFR_RNDN);
      mpfr_add(sum_.re, sum_.re, re, MPFR_RNDN);
      mpfr_mul(term, q, im, MPFR_RNDN);
      mpfr_sub(sum_.re, sum_.re, term, MPFR_RNDN);
      mpfr_add(sum_.im, sum_.im, im, MPFR_RNDN);
      mpfr_mul(term, q, re, MPFR_RNDN);
      mpfr_add(sum_.im, sum_.im, term, MPFR_RNDN);
    }
  }

  ConstPairView x_;
  std::size_t n_;
  std::size_t s_;
  std::size_t width_;
  ComplexPairs tan_;
  ComplexReal sum_;
};

}  // namespace

ComplexReal cotangent_sum(ConstPairView x, std::size_t n, std::size_t s, const Loops& loops) {
  return CotangentSum(x, n, s)(loops);
}

}  // namespace fftprec::truth
