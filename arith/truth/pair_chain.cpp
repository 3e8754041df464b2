#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/isa_tables.hpp"
#include "arith/truth/chain.hpp"

namespace fftprec::truth {
namespace {

constexpr double smallest_part = 0x1p-400;
constexpr double lost_product = 0x1p-1000;
constexpr double probe_rounding = 0x1p-100;  // of the sums of a probe, beside what it tests

/// Arrays of the real (or the imaginary) parts of a chain.
struct Plane {
  AlignedVector<double>* hi;
  AlignedVector<double>* lo;
};

std::array<Plane, 2> planes(ComplexPairs& x) {
  return {Plane{&x.hi.re, &x.lo.re}, Plane{&x.hi.im, &x.lo.im}};
}

/// sqrt(2 count) size: the norm of `count` elements whose parts are at most `size`.
Bound norm_of_parts(std::size_t count, double size) {
  return sqrt(Bound(2.0 * static_cast<double>(count))) * Bound(size);
}

PartSizes measure(const ComplexArray<double>& x, std::size_t first, std::size_t count, Isa isa) {
  return with_tables<PairTables>(isa, [&](auto steps) {
    return both(steps.measure(x.re.data() + first, count),
                steps.measure(x.im.data() + first, count));
  });
}

PartSizes measure(const PairChain& x, std::size_t item) {
  return measure(x.values.hi, item * x.item_size(), x.item_size(), x.loops.isa);
}

/// At most (1 + 2^-20) sqrt(sum hi^2), as |lo| <= u |hi| and the rounded sum is at least
/// (1-u)^(count/8 + 10) times the exact one, and 2^-500 for each square that underflows.
Bound norm_of(const PartSizes& sizes, std::size_t count) {
  if (sizes.largest == 0) return Bound();
  return Bound(1 + 0x1p-20) * sqrt(Bound(sizes.squares)) + norm_of_parts(count, 0x1p-500);
}

/// Sets parts below `smallest_part` to zero, as the transform asks for; the norms of the items.
/// Error: e + sqrt(2 count) 2^-400 where there are such parts.
std::vector<Bound> renormalise(PairChain& x) {
  const std::size_t count = x.item_size();
  std::vector<Bound> all(x.items());
  for (std::size_t item = 0; item < x.items(); ++item) {
    const PartSizes sizes = measure(x, item);
    all[item] = norm_of(sizes, count);
    if (sizes.least >= smallest_part) continue;
    for (const Plane& plane : planes(x.values))
      for (std::size_t i = item * count; i < (item + 1) * count; ++i)
        if (std::fabs((*plane.hi)[i]) < smallest_part) (*plane.hi)[i] = (*plane.lo)[i] = 0;
    x.error[item] = x.error[item] + norm_of_parts(count, smallest_part);
  }
  return all;
}

/// What is rounded off where products of norm `size` err by `units` u^2.
Bound rounding_of(double units, const Bound& size, std::size_t count) {
  return Bound(units * 0x1p-106) * size + norm_of_parts(count, lost_product);
}

/// max |t_j| over one item, rounded upward.
Bound largest_modulus(const PairChain& t, std::size_t item) {
  const ComplexArray<double>& x = t.values.hi;
  double largest = 0;  // of what does not underflow
  for (std::size_t j = item * t.item_size(); j < (item + 1) * t.item_size(); ++j)
    largest = std::max(largest, x.re[j] * x.re[j] + x.im[j] * x.im[j]);
  return Bound(1 + 0x1p-40) * sqrt(Bound(largest)) + Bound(0x1p-500);
}

void exchange_parts(ComplexPairs& x) {
  x.hi.re.swap(x.hi.im);
  x.lo.re.swap(x.lo.im);
}

}  // namespace

std::vector<Bound> norms(const PairChain& x) {
  std::vector<Bound> all(x.items());
  for (std::size_t item = 0; item < x.items(); ++item)
    all[item] = norm_of(measure(x, item), x.item_size());
  return all;
}

PairChain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                       std::size_t items, const Loops& loops) {
  PairChain y{ComplexPairs(items * count), std::vector<Bound>(items), std::vector<int>(items),
              loops};
  for (std::size_t item = 0; item < items; ++item) {
    const std::size_t in = first + item * count;
    const std::size_t out = item * count;
    const PartSizes sizes = measure(x, in, count, loops.isa);
    if (sizes.largest == 0) continue;
    std::frexp(sizes.largest, &y.scale[item]);
    const int half = -y.scale[item] / 2;  // 2^-scale may lie beyond double
    const double factor = std::ldexp(1.0, half);
    const double rest = std::ldexp(1.0, -y.scale[item] - half);
    with_tables<PairTables>(loops.isa, [&](auto steps) {
      steps.scale(x.re.data() + in, y.values.hi.re.data() + out, count, factor, rest,
                  smallest_part);
      steps.scale(x.im.data() + in, y.values.hi.im.data() + out, count, factor, rest,
                  smallest_part);
    });
    if (std::ldexp(sizes.least, -y.scale[item]) < smallest_part)
      y.error[item] = norm_of_parts(count, smallest_part);
  }
  return y;
}

PairChain rounded_to_pairs(const Chain& x, const Loops& loops) {
  PairChain y{ComplexPairs(x.size()), std::vector<Bound>(1), std::vector<int>(1), loops};
  Real rest(x.precision());
  for (std::size_t j = 0; j < x.size(); ++j)
    y.values.set(j, {nearest_pair(x.values.re[j], rest), nearest_pair(x.values.im[j], rest)});
  y.error[0] = x.error + Bound(0x1p-106) * largest_modulus(y, 0) + Bound(lost_product);
  return y;
}

PairChain gathered(const PairChain& x, std::span<const std::size_t> sources) {
  PairChain y{ComplexPairs(x.items() * sources.size()), x.error, x.scale, x.loops, x.probed};
  std::vector<std::size_t> uses(x.item_size());
  for (const std::size_t source : sources)
    if (source != npos) ++uses[source];
  const std::size_t most = uses.empty() ? 0 : *std::max_element(uses.begin(), uses.end());
  const auto copy = [&](const AlignedVector<double>& from, AlignedVector<double>& to) {
    for (std::size_t item = 0; item < x.items(); ++item) {
      const double* in = from.data() + item * x.item_size();
      double* out = to.data() + item * sources.size();
      for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i] != npos) out[i] = in[sources[i]];
    }
  };
  copy(x.values.hi.re, y.values.hi.re);
  copy(x.values.lo.re, y.values.lo.re);
  copy(x.values.hi.im, y.values.hi.im);
  copy(x.values.lo.im, y.values.lo.im);
  const Bound factor = sqrt(Bound(static_cast<double>(most)));
  for (Bound& error : y.error) error = factor * error;
  return y;
}

void transform(PairChain& x, std::size_t length, std::size_t stride, Direction direction,
               Plans& plans) {
  assert(x.item_size() % (length * stride) == 0);
  if (length == 1) return;
  require(length <= PairFourier::longest, "truth: transforms in double-double end at ",
          PairFourier::longest, " elements");
  const std::vector<Bound> given = renormalise(x);
  // parts exchanged, the forward transform is the inverse one
  const bool exchanged = direction == Direction::inverse;
  if (exchanged) exchange_parts(x.values);
  const ComplexPairs before = std::move(x.values);
  const auto fourier = plans.in_pairs(length);
  x.values = (*fourier)(before, stride, x.loops);
  const Bound radius(fourier->radius());
  const Bound root = sqrt(Bound(static_cast<double>(length)));
  const Bound allowed_more(probe_rounding);
  Bound squares;
  for (std::size_t item = 0; item < x.items(); ++item) {
    x.error[item] = root * (x.error[item] + radius * given[item]);
    const Bound allowed = (radius + allowed_more) * given[item];
    squares = squares + allowed * allowed;
  }
  const auto audit = plans.audit(length, stride, x.values.size());
  (*audit)(before, x.values, (root * sqrt(squares)).to_double(), x.loops);
  x.probed = true;
  if (exchanged) exchange_parts(x.values);
}

void multiply(PairChain& x, const PairChain& t) {
  assert(t.items() == 1 || t.items() == x.items());
  assert(x.item_size() % t.item_size() == 0);
  const std::vector<Bound> given = norms(x);
  const std::size_t count = x.item_size();
  const PairView out = view(x.values);
  std::vector<Bound> moduli(t.items());
  for (std::size_t item = 0; item < t.items(); ++item) moduli[item] = largest_modulus(t, item);
  for (std::size_t item = 0; item < x.items(); ++item) {
    const std::size_t factor = t.items() == 1 ? 0 : item;
    with_tables<PairTables>(x.loops.isa, [&](auto tables) {
      for (std::size_t i = 0; i < count; i += t.item_size())
        tables.multiply(from(out, item * count + i), from(view(t.values), factor * t.item_size()),
                        t.item_size());
    });
    x.scale[item] += t.scale[factor];
    x.error[item] =
        (moduli[factor] + t.error[factor]) * x.error[item] + t.error[factor] * given[item];
  }
  const std::vector<Bound> products = norms(x);
  for (std::size_t item = 0; item < x.items(); ++item)
    if (!given[item].is_zero())
      x.error[item] = x.error[item] + rounding_of(20, products[item], count);
}

void divide(PairChain& x, std::size_t divisor) {
  if (std::has_single_bit(divisor)) {
    for (int& scale : x.scale) scale -= std::countr_zero(divisor);
    return;
  }
  const std::vector<Bound> given = norms(x);
  constexpr mpfr_prec_t precision = 120;
  Real reciprocal(1, precision);
  mpfr_div_ui(reciprocal, reciprocal, divisor, MPFR_RNDN);
  Real rest(precision);
  const DoubleDouble factor = nearest_pair(reciprocal, rest);
  with_tables<PairTables>(x.loops.isa, [&](auto steps) {
    for (const Plane& plane : planes(x.values))
      steps.times(plane.hi->data(), plane.lo->data(), x.values.size(), factor);
  });
  for (Bound& error : x.error) error = error / Bound(static_cast<double>(divisor));
  const std::vector<Bound> quotients = norms(x);
  for (std::size_t item = 0; item < x.items(); ++item)
    if (!given[item].is_zero())
      x.error[item] = x.error[item] + rounding_of(10, quotients[item], x.item_size());
}

void drop_imaginary(PairChain& x) {
  std::fill(x.values.hi.im.begin(), x.values.hi.im.end(), 0.0);
  std::fill(x.values.lo.im.begin(), x.values.lo.im.end(), 0.0);
}

void drop_imaginary(PairChain& x, std::size_t i) {
  for (; i < x.values.size(); i += x.item_size()) x.values.hi.im[i] = x.values.lo.im[i] = 0;
}

void conjugate(PairChain& x, std::size_t first, std::size_t count) {
  for (; first < x.values.size(); first += x.item_size())
    for (std::size_t i = first; i < first + count; ++i) {
      x.values.hi.im[i] = -x.values.hi.im[i];
      x.values.lo.im[i] = -x.values.lo.im[i];
    }
}

void times_two(PairChain& x, std::size_t first) {
  for (const Plane& plane : planes(x.values))
    for (AlignedVector<double>* part : {plane.hi, plane.lo})
      for (std::size_t item = 0; item < x.values.size(); item += x.item_size())
        for (std::size_t i = item + first; i < item + x.item_size(); ++i) (*part)[i] *= 2;
  for (Bound& error : x.error) error = Bound(2) * error;
}

}  // namespace fftprec::truth
