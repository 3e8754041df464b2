#include "experiments/testing/suspects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <numbers>
#include <span>

#include "algorithms/transforms/separable.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/fourier.hpp"

namespace fftprec {

namespace {

// ---- Made of the truth

/// The places in the truth of the elements of an item; no places where they have no meaning.
using Order = std::vector<std::size_t>;

Suspect in_order(std::string says, std::function<Order(const Question&)> order,
                 std::string advice = "") {
  return {std::move(says), std::move(advice),
          [order = std::move(order)](const Question& q) -> std::optional<truth::ComplexPairs> {
            const Order from = order(q);
            if (from.empty()) return std::nullopt;
            truth::ComplexPairs result(q.truth().hi.size());
            for (std::size_t first = 0; first < result.size(); first += q.n)
              for (std::size_t k = 0; k < q.n; ++k) {
                put(result.hi, first + k, q.truth().hi, first + from[k]);
                put(result.lo, first + k, q.truth().lo, first + from[k]);
              }
            return result;
          }};
}

/// Element k of an item is element place(k) of the truth, if all places are below n.
template <class Place>
Suspect moved(std::string says, Place place, std::string advice = "") {
  return in_order(
      std::move(says),
      [place](const Question& q) {
        Order from(q.n);
        for (std::size_t k = 0; k < q.n; ++k)
          if ((from[k] = place(k, q)) >= q.n) return Order{};
        return from;
      },
      std::move(advice));
}

/// Every axis of length n is in the order of_axis(n).
Suspect with_axes_in_order(std::string says, std::function<Order(std::size_t)> of_axis,
                           std::string advice = "") {
  return in_order(
      std::move(says),
      [of_axis = std::move(of_axis)](const Question& q) {
        std::vector<Order> orders;
        for (const std::size_t size : q.shape.output) {
          orders.push_back(of_axis(size));
          if (orders.back().empty()) return Order{};
        }
        Order from(q.n);
        for (std::size_t k = 0; k < q.n; ++k) {
          std::size_t rest = k;
          std::size_t stride = 1;
          for (std::size_t axis = orders.size(); axis-- > 0;) {
            const std::size_t size = orders[axis].size();
            from[k] += stride * orders[axis][rest % size];
            stride *= size;
            rest /= size;
          }
        }
        return from;
      },
      std::move(advice));
}

/// Likewise, by place(k, n) of each element k of an axis.
template <class Place>
Suspect moved_along_axes(std::string says, Place place, std::string advice = "") {
  return with_axes_in_order(
      std::move(says),
      [place](std::size_t n) {
        Order order(n);
        for (std::size_t k = 0; k < n; ++k) order[k] = place(k, n);
        return order;
      },
      std::move(advice));
}

/// Every value is `change` of the true value; linear in both parts.
template <class Change>
Suspect with_values(std::string says, Change change, std::string advice = "") {
  return {std::move(says), std::move(advice),
          [change](const Question& q) -> std::optional<truth::ComplexPairs> {
            truth::ComplexPairs result(q.truth().hi.size());
            for (std::size_t i = 0; i < result.size(); ++i) {
              set(result.hi, i, change(element(q.truth().hi, i), i % q.n, q));
              set(result.lo, i, change(element(q.truth().lo, i), i % q.n, q));
            }
            return result;
          }};
}

/// All numbers below the product of the radices with reversed digits. The first radix is for the
/// lowest digit.
Order with_digits_reversed(const std::vector<std::size_t>& radices) {
  Order order(radices.empty() ? 0 : elements(radices));
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::size_t rest = k;
    for (const std::size_t radix : radices) {
      order[k] = order[k] * radix + rest % radix;
      rest /= radix;
    }
  }
  return order;
}

/// Digits of that base and, of a power of two, the smaller one that is left, lowest or highest; no
/// digits where n has none so.
std::vector<std::size_t> radices_of(std::size_t n, std::size_t base, bool rest_lowest) {
  std::vector<std::size_t> radices;
  for (; n % base == 0; n /= base) radices.push_back(base);
  if (radices.empty() || n >= base || !std::has_single_bit(n)) return {};
  if (n > 1) radices.insert(rest_lowest ? radices.begin() : radices.end(), n);
  return radices;
}

std::vector<std::size_t> primes_of(std::size_t n) {
  std::vector<std::size_t> primes;
  for (std::size_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) primes.push_back(p);
  if (n > 1) primes.push_back(n);
  return primes;
}

Suspect digit_reversed(std::size_t base, bool rest_lowest) {
  return with_axes_in_order(
      base == 2 ? "the values are in bit-reversed order"
                : "the values are in the order of reversed digits of base " + std::to_string(base),
      [=](std::size_t n) { return with_digits_reversed(radices_of(n, base, rest_lowest)); });
}

Suspect prime_digits_reversed(bool ascending) {
  return with_axes_in_order(
      "the values are in the order of reversed digits, one for each prime factor",
      [=](std::size_t n) {
        std::vector<std::size_t> radices = primes_of(n);
        if (!ascending) std::reverse(radices.begin(), radices.end());
        return radices.size() < 2 ? Order{} : with_digits_reversed(radices);
      });
}

/// exp(2 pi i k shift / n) along the last axis of an input of that length.
ComplexNumber turned(ComplexNumber value, std::size_t k, double shift, const Question& q) {
  const std::size_t n = q.shape.input.back();
  const double turns = static_cast<double>(k % q.last()) * shift / static_cast<double>(n);
  return value * std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
}

Suspect input_rolled(std::string says, double (*by)(std::size_t n), std::string advice = "") {
  Suspect suspect = with_values(
      std::move(says),
      [by](ComplexNumber value, std::size_t k, const Question& q) {
        const double sign = q.dft().direction == Direction::forward ? -1 : 1;
        return turned(value, k, sign * by(q.shape.input.back()), q);
      },
      std::move(advice));
  return {suspect.says, suspect.advice,
          [values = suspect.values](const Question& q) -> std::optional<truth::ComplexPairs> {
            if (!q.is_complex_dft() && !q.gives_half()) return std::nullopt;
            return values(q);
          }};
}

/// Whether the indices of k add up to an odd number.
bool is_odd(std::size_t k, const Question& q) {
  std::size_t sum = 0;
  for (std::size_t axis = q.shape.output.size(); axis-- > 0; k /= q.shape.output[axis])
    sum += k % q.shape.output[axis];
  return sum % 2 == 1;
}

/// The place of element k of the result if the axes are in reverse order; n if there is one axis.
std::size_t with_axes_reversed(std::size_t k, const Question& q) {
  const ItemAxes& axes = q.shape.output;
  if (axes.size() < 2) return q.n;
  std::size_t result = 0;
  std::size_t stride = elements(axes);
  for (const std::size_t size : axes) {
    stride /= size;
    result += stride * (k % size);
    k /= size;
  }
  return result;
}

/// Element i of the result is element place(i) of the truth, in the whole batch.
template <class Place>
Suspect moved_in_batch(std::string says, Place place) {
  return {std::move(says), "", [place](const Question& q) -> std::optional<truth::ComplexPairs> {
            if (q.items < 2) return std::nullopt;
            truth::ComplexPairs result(q.truth().hi.size());
            for (std::size_t i = 0; i < result.size(); ++i) {
              put(result.hi, i, q.truth().hi, place(i, q) % result.size());
              put(result.lo, i, q.truth().lo, place(i, q) % result.size());
            }
            return result;
          }};
}

bool is_upper(std::size_t k, const Question& q) {
  return q.is_complex_dft() && k % q.last() > q.last() / 2;
}

/// In the upper half of the spectrum the element k is that at place(k, n), along the last axis.
template <class Place>
Suspect upper_half(std::string says, Place place) {
  return moved(std::move(says), [place](std::size_t k, const Question& q) {
    if (!q.is_complex_dft()) return q.n;
    if (!is_upper(k, q)) return k;
    const std::size_t at = k % q.last();
    return k - at + place(at, q.last()) % q.last();
  });
}

// ---- Made of the input

/// The transform in question, of other data.
std::optional<truth::ComplexPairs> transform_of(const ComplexArray<double>& x, const Question& q) {
  try {
    ForeignProblem other{.where = q.asked.where, .problem = {.input = {}, .truth = {}}};
    other.problem.truth = q.transform.truth(x, q.asked.where.n, q.asked.where.batch, q.options);
    other = in_norm(std::move(other), q.asked.norm);
    truth::ComplexPairs result;
    result.hi = std::move(other.problem.truth.hi);
    result.lo = std::move(other.problem.truth.lo);
    return result;
  } catch (const InputError&) {  // beyond the range of double
    return std::nullopt;
  }
}

/// The transform in question, of the input with every element j of n along the last axis changed.
template <class Change>
std::optional<truth::ComplexPairs> transform_of_changed(const Question& q, Change change) {
  if (!(q.is_complex_dft() || q.gives_half())) return std::nullopt;
  ComplexArray<double> x = q.input();
  const std::size_t n = q.shape.input.back();
  for (std::size_t i = 0; i < x.size(); ++i) set(x, i, change(element(x, i), i % n));
  return transform_of(x, q);
}

/// A sum of cosines with alternating signs, n long or symmetric in n.
std::vector<double> window_of(const std::vector<double>& cosines, std::size_t n, bool symmetric) {
  std::vector<double> window(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t term = 0; term < cosines.size(); ++term)
      window[j] += (term % 2 == 0 ? 1 : -1) * cosines[term] *
                   std::cos(2 * std::numbers::pi * static_cast<double>(term * j) /
                            static_cast<double>(symmetric ? n - 1 : n));
  return window;
}

Suspect windowed(const std::string& name, const std::vector<double>& cosines, bool symmetric) {
  const auto window = [=](const Question& q) {
    return window_of(cosines, q.shape.input.back(), symmetric);
  };
  return {"the input is still under a window, " + name + (symmetric ? " (symmetric)" : ""), "",
          [=](const Question& q) -> std::optional<truth::ComplexPairs> {
            if (q.shape.input.empty() || q.shape.input.back() < 4) return std::nullopt;
            return transform_of_changed(q, [weights = window(q)](ComplexNumber x, std::size_t j) {
              return weights[j] * x;
            });
          },
          [=](const Question& q) {
            std::pair<double, double> sums;
            for (const double weight : window(q)) {
              sums.first += weight;
              sums.second += weight * weight;
            }
            return sums;
          }};
}

void scale(truth::ComplexPairs& x, double factor) {
  for (auto* array : {&x.hi, &x.lo})
    for (auto* part : {&array->re, &array->im})
      for (double& value : *part) value *= factor;
}

void exchange_parts(truth::ComplexPairs& x) {
  x.hi.re.swap(x.hi.im);
  x.lo.re.swap(x.lo.im);
}

/// The input taken as an array of `sizes`, transformed along those axes.
std::optional<truth::ComplexPairs> along_axes(const Question& q, const ItemAxes& sizes,
                                              const std::vector<bool>& chosen) {
  truth::ComplexPairs x;
  x.hi = q.input();
  x.lo = ComplexArray<double>(x.hi.size());
  const int exponent = exponent_of(x.hi);
  scale(x, std::ldexp(1.0, -exponent));
  const bool inverse = q.dft().direction == Direction::inverse;
  if (inverse) exchange_parts(x);
  std::size_t stride = 1;
  double points = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0; stride *= sizes[axis]) {
    if (!chosen[axis]) continue;
    if (sizes[axis] > truth::PairFourier::longest) return std::nullopt;
    const truth::PairFourier fourier(sizes[axis]);
    x = fourier(x, stride, {});
    points *= static_cast<double>(sizes[axis]);
  }
  if (inverse) exchange_parts(x);
  scale(x, std::ldexp(std::pow(points, -q.dft().power()), exponent));
  return x;
}

/// That the transform `name`, fft or ifft, runs along other axes than asked for.
void add_other_axes(std::vector<Suspect>& suspects, const std::string& name, const ItemAxes& sizes,
                    const std::vector<bool>& asked) {
  for (std::size_t mask = 1; mask < std::size_t{1} << sizes.size(); ++mask) {
    std::vector<bool> chosen(sizes.size());
    std::string axes;
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      if ((chosen[axis] = (mask >> axis) & 1)) {
        axes += (count++ == 0 ? "" : " and ") + std::to_string(axis);
      }
    bool trivial = false;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      trivial = trivial || (chosen[axis] && sizes[axis] == 1);
    if (chosen == asked || trivial) continue;
    suspects.push_back({"the transform runs along " + std::string(count > 1 ? "axes " : "axis ") +
                            axes + fmt::format(" of {}", fmt::join(sizes, " x ")),
                        sizes.size() == 2 && count == 2
                            ? "--transform " + name + "2:rows=" + std::to_string(sizes[0])
                            : "",
                        [=](const Question& q) { return along_axes(q, sizes, chosen); }});
  }
}

std::vector<Suspect> other_axes(const Question& q) {
  std::vector<Suspect> suspects;
  if (!q.is_complex_dft()) return suspects;
  const std::string name = q.dft().direction == Direction::forward ? "fft" : "ifft";
  ItemAxes sizes = q.shape.output;
  std::vector<bool> asked(sizes.size(), true);
  if (q.items > 1) {
    sizes.insert(sizes.begin(), q.items);
    asked.insert(asked.begin(), false);
  }
  add_other_axes(suspects, name, sizes, asked);
  const ItemAxes& axes = q.shape.output;
  if (q.items > 1 && axes.size() == 1) {
    suspects.push_back({"all items are one long transform", "", [](const Question& of) {
                          return along_axes(of, {of.input().size()}, {true});
                        }});
    if (q.items > axes[0] && q.items % axes[0] == 0)
      add_other_axes(suspects, name, {q.items / axes[0], axes[0], axes[0]}, {false, false, true});
  }
  if (axes.size() == 2 && axes[0] != axes[1]) {
    const ItemAxes swapped =
        q.items > 1 ? ItemAxes{q.items, axes[1], axes[0]} : ItemAxes{axes[1], axes[0]};
    add_other_axes(suspects, name, swapped, {});
  }
  const auto root = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(q.n))));
  if (q.items == 1 && axes.size() == 1 && root > 1 && root * root == q.n)
    add_other_axes(suspects, name, {root, root}, {});
  return suspects;
}

/// Bluestein's transform with a chirp of squares that wrapped around at 2^32.
std::optional<truth::ComplexPairs> wrapped_bluestein(const Question& q, bool is_signed) {
  const std::size_t n = q.n;
  constexpr std::size_t first_signed = 46341;  // its square is above 2^31
  if (!q.is_complex_dft() || q.shape.output.size() != 1 || n < first_signed ||
      n > truth::PairFourier::longest / 4 || std::has_single_bit(n))
    return std::nullopt;
  const std::size_t size = std::bit_ceil(2 * n - 1);
  const truth::PairFourier fourier(size);
  std::vector<truth::ComplexDoubleDouble> chirp(n);
  truth::ComplexPairs kernel(size);
  for (std::size_t k = 0; k < n; ++k) {
    std::uint64_t square = (std::uint64_t{k} * k) & 0xffffffff;
    const std::uint64_t order = 2 * std::uint64_t{n};
    if (is_signed && square >> 31 != 0) square += order - (std::uint64_t{1} << 32) % order;
    const double turns = static_cast<double>(square % order) / static_cast<double>(order);
    const ComplexNumber value = std::polar(1.0, -2 * std::numbers::pi * turns);
    chirp[k] = {{value.real(), 0}, {value.imag(), 0}};
    const truth::ComplexDoubleDouble conjugate{chirp[k].re, -chirp[k].im};
    kernel.set(k, conjugate);
    if (k > 0) kernel.set(size - k, conjugate);
  }
  kernel = fourier(kernel, 1, {});
  truth::ComplexPairs input;
  input.hi = q.input();
  input.lo = ComplexArray<double>(input.hi.size());
  const int exponent = exponent_of(input.hi);
  scale(input, std::ldexp(1.0, -exponent));
  const bool inverse = q.dft().direction == Direction::inverse;
  if (inverse) exchange_parts(input);
  truth::ComplexPairs result(input.size());
  for (std::size_t first = 0; first < result.size(); first += n) {
    truth::ComplexPairs line(size);
    for (std::size_t j = 0; j < n; ++j) line.set(j, input.at(first + j) * chirp[j]);
    line = fourier(line, 1, {});
    for (std::size_t k = 0; k < size; ++k) line.set(k, line.at(k) * kernel.at(k));
    exchange_parts(line);
    line = fourier(line, 1, {});
    exchange_parts(line);
    for (std::size_t k = 0; k < n; ++k) result.set(first + k, line.at(k) * chirp[k]);
  }
  if (inverse) exchange_parts(result);
  scale(result,
        std::ldexp(std::pow(static_cast<double>(n), -q.dft().power()) / static_cast<double>(size),
                   exponent));
  return result;
}

/// The transform in question, of the input rounded to the format, if that changes the input.
Suspect of_rounded_input(const std::string& name, const Format& format) {
  return {"the input was rounded to " + name, "",
          [format](const Question& q) -> std::optional<truth::ComplexPairs> {
            ComplexArray<double> x = q.input();
            round(std::span<double>(x.re), format);
            round(std::span<double>(x.im), format);
            const auto finite = [](double value) { return std::isfinite(value); };
            if (x == q.input() || !std::ranges::all_of(x.re, finite) ||
                !std::ranges::all_of(x.im, finite))
              return std::nullopt;
            return transform_of(x, q);
          }};
}

// ---- The lists

}  // namespace

const std::vector<Suspect>& suspects_of_truth() {
  static const std::vector<Suspect> all = {
      with_values("", [](ComplexNumber t, std::size_t, const Question&) { return t; }),
      moved_along_axes(
          "the exponent has the other sign",
          [](std::size_t k, std::size_t n) { return (n - k) % n; },
          "ifft instead of fft, or the reverse"),
      with_values("the values are conjugated",
                  [](ComplexNumber t, std::size_t, const Question&) { return std::conj(t); }),
      with_values("real and imaginary parts are swapped",
                  [](ComplexNumber t, std::size_t, const Question&) {
                    return ComplexNumber(t.imag(), t.real());
                  }),
      with_values("the imaginary parts are lost",
                  [](ComplexNumber t, std::size_t, const Question& q) {
                    return q.transform.real_output ? ComplexNumber() : ComplexNumber(t.real(), 0);
                  }),
      {"the values are magnitudes", "",
       [](const Question& q) -> std::optional<truth::ComplexPairs> {
         truth::ComplexPairs result(q.truth().hi.size());
         for (std::size_t i = 0; i < result.size(); ++i)
           result.hi.re[i] = std::abs(element(q.truth().hi, i));
         return result;
       }},
      {"the values are squared magnitudes", "",
       [](const Question& q) -> std::optional<truth::ComplexPairs> {
         const double scale = std::ldexp(1.0, -exponent_of(q.truth().hi));
         truth::ComplexPairs result(q.truth().hi.size());
         for (std::size_t i = 0; i < result.size(); ++i)
           result.hi.re[i] = std::norm(element(q.truth().hi, i) * scale);
         return result;
       }},
      moved_along_axes("zero frequency is in the middle, as after fftshift",
                       [](std::size_t k, std::size_t n) { return (k + (n + 1) / 2) % n; }),
      moved_along_axes("the values are shifted by n/2, as after ifftshift",
                       [](std::size_t k, std::size_t n) { return (k + n / 2) % n; }),
      with_values(
          "every second value is negated",
          [](ComplexNumber t, std::size_t k, const Question& q) { return is_odd(k, q) ? -t : t; },
          "the input begins in the middle, as after fftshift"),
      input_rolled("the input begins in the middle, as after fftshift",
                   [](std::size_t n) { return static_cast<double>(n / 2); }),
      input_rolled("the input begins in the middle, as after ifftshift",
                   [](std::size_t n) { return -static_cast<double>(n / 2); }),
      moved("the values are shifted up by one",
            [](std::size_t k, const Question& q) { return (k + q.n - 1) % q.n; }),
      moved("the values are shifted down by one",
            [](std::size_t k, const Question& q) { return (k + 1) % q.n; }),
      input_rolled("the input is shifted up by one", [](std::size_t) { return 1.0; }),
      input_rolled("the input is shifted down by one", [](std::size_t) { return -1.0; }),
      moved("the values are in reverse order",
            [](std::size_t k, const Question& q) { return q.n - 1 - k; }),
      moved("the axes of the result are in reverse order, as in a transposed array",
            with_axes_reversed),
      moved_in_batch(
          "the batch is along the last axis, as in a transposed array",
          [](std::size_t i, const Question& q) { return i % q.items * q.n + i / q.items; }),
      moved_in_batch(
          "each item is in the place of the next one",
          [](std::size_t i, const Question& q) { return i + q.truth().hi.size() - q.n; }),
      moved_in_batch("each item is in the place of the one before",
                     [](std::size_t i, const Question& q) { return i + q.n; }),
      upper_half("the upper half of the spectrum is not conjugated",
                 [](std::size_t k, std::size_t n) { return n - k; }),
      upper_half("the upper half of the spectrum is mirrored one element too early",
                 [](std::size_t k, std::size_t) { return k + 1; }),
      upper_half("the upper half of the spectrum is mirrored one element too late",
                 [](std::size_t k, std::size_t) { return k - 1; }),
      with_values("the upper half of the spectrum is 0",
                  [](ComplexNumber t, std::size_t k, const Question& q) {
                    return is_upper(k, q) ? ComplexNumber() : t;
                  }),
      with_values("all values but those of frequency 0 and n/2 are doubled",
                  [](ComplexNumber t, std::size_t k, const Question& q) {
                    const std::size_t at = k % q.last();
                    return q.gives_half() && at > 0 && 2 * at != q.shape.input.back() ? 2.0 * t : t;
                  }),
      digit_reversed(2, true),
      digit_reversed(4, true),
      digit_reversed(4, false),
      digit_reversed(8, true),
      digit_reversed(8, false),
      digit_reversed(16, true),
      prime_digits_reversed(true),
      prime_digits_reversed(false)};
  return all;
}

std::vector<Suspect> suspects_of_input(const Question& q) {
  std::vector<Suspect> all = other_axes(q);
  for (const bool symmetric : {false, true}) {
    all.push_back(windowed("Hann's", {0.5, 0.5}, symmetric));
    all.push_back(windowed("Hamming's", {0.54, 0.46}, symmetric));
    all.push_back(windowed("Blackman's", {0.42, 0.5, 0.08}, symmetric));
    all.push_back(
        windowed("Blackman and Harris's", {0.35875, 0.48829, 0.14128, 0.01168}, symmetric));
  }
  all.push_back({"the imaginary parts of the input are lost", "", [](const Question& of) {
                   return transform_of_changed(
                       of, [](ComplexNumber x, std::size_t) { return ComplexNumber(x.real(), 0); });
                 }});
  all.push_back({"the squares of Bluestein's chirp overflow 32 bits", "",
                 [](const Question& of) { return wrapped_bluestein(of, true); }});
  all.push_back({"the squares of Bluestein's chirp overflow 32 bits without a sign", "",
                 [](const Question& of) { return wrapped_bluestein(of, false); }});
  return all;
}

std::vector<Suspect> suspects_of_rounding(const Format& format) {
  std::vector<Suspect> all;
  for (const auto& [name, narrow] :
       {std::pair{"bf16", bf16}, {"fp16", fp16}, {"tf32", tf32}, {"fp32", fp32}})
    if (narrow.precision < format.precision) all.push_back(of_rounded_input(name, narrow));
  return all;
}

}  // namespace fftprec
